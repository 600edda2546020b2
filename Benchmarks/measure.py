"""The figures: whole programs are timed here, the rest by the program `bench` in the homes that are made here.

One line each: name, value, yardstick's value, ratio (or difference), target, ok or short. Run by `make bench`.
"""

import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Program"))
from conftest import BIN, PIN, Bank, Home  # noqa: E402

MIB = 1024  # ru_maxrss counts KiB


def line(name, value, yardstick, ratio, target, reached):
    print(f"{name}, {value}, {yardstick}, {ratio}, {target}, {'ok' if reached else 'short'}", flush=True)


def run(argv, environment):
    """Runs a program to its end; returns seconds and peak memory in KiB."""
    null = (os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)
    start = time.perf_counter()
    pid = os.posix_spawn(argv[0], argv, environment, file_actions=[null])
    _, status, usage = os.wait4(pid, 0)
    seconds = time.perf_counter() - start
    assert status == 0, f"{argv} ended with {status}"
    return seconds, usage.ru_maxrss


def cold_start(home, rounds=100):
    """status --json beside the smallest program that asks the keyring for one item, by turns."""
    subprocess.run(["/usr/bin/secret-tool", "store", "--label=benchmark", "benchmark", "1"], input=b"x", check=True)
    lookup = ["/usr/bin/secret-tool", "lookup", "benchmark", "1"]
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(run(home.argv("status", "--json"), home.environment)[0])
        theirs.append(run(lookup, home.environment)[0])
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    line(
        "cold start status --json / secret-tool lookup", f"{statistics.median(ours) * 1000:.1f} ms",
        f"{statistics.median(theirs) * 1000:.1f} ms", f"{ratio:.3f}", "<= 1.0", ratio <= 1)


def memory(home, bank):
    """pending with 100 items; a PIN check takes scrypt's 128 * n * r bytes for a moment, whatever else is there."""
    for _ in range(100):
        bank.pay(expires_in=3600)
    argv = home.argv("pending", "--json", "--pin-file", home.pin_file)
    listed = home.json("pending")["authorizations"]
    assert len(listed) == 100, f"{len(listed)} items are listed"
    peak = statistics.median(run(argv, home.environment)[1] for _ in range(5)) / MIB
    scrypt = 128 * 2**16 * 8 / 2**20
    line(
        "peak memory of pending with 100 items / scrypt's", f"{peak:.1f} MiB", f"{scrypt:.0f} MiB",
        f"+{peak - scrypt:.1f} MiB", "< +48 MiB", peak - scrypt < 48)


def make_connections(home, bank):
    """20 connections, one v1 and one v2 at each of ten banks, of which one is slow; returns the slow one's name."""
    for number in range(10):
        code = f"bank{number}"
        bank.post("banks", code=code, name=f"Bank {number}")
        bank.post("users", bank=code, name="ada", password="correct horse")
        for protocol in ("v1", "v2"):
            link = bank.link(instant=True, bank=code, protocol=protocol)
            home.ok("enroll", "-", "--yes", "--name", f"{code}-{protocol}", stdin=link + "\n")
        bank.pay(bank=code, expires_in=3600)
        bank.fault("authorizations.list", bank=code, times=10**6, delay_ms=600 if number == 5 else 300)
    return "bank5-v2"


def main():
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        bank = Bank(directory)
        try:
            bank.user()
            homes = []
            for name in ("one", "many"):
                (directory / name).mkdir()
                homes.append(Home(directory / name).set_pin())
            one, many = homes
            memory(one.enroll(bank), bank)
            slowest = make_connections(many, bank)
            cold_start(many)
            subprocess.run([str(BIN / "bench"), str(many.state), PIN, slowest], check=True)
        finally:
            bank.stop()


main()
