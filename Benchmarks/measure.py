"""The figures: whole programs are timed here, the rest by the program `bench` in the homes that are made here.

One line each: name, value, yardstick's value, ratio (or difference), target, ok or short. Run by `make bench`.
"""

import contextlib
import pathlib
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "Tests/Program"))
from conftest import BIN, PIN, Bank, Home  # noqa: E402

import agent_figures  # noqa: E402
import session_figures  # noqa: E402
from figures import MIB, beside_lookup, line, run  # noqa: E402
from push import PushServer  # noqa: E402


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
    subprocess.run(["/usr/bin/secret-tool", "store", "--label=benchmark", "benchmark", "1"], input=b"x", check=True)
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)

        @contextlib.contextmanager
        def fresh(name, make_bank=Bank, **options):
            """A home with a PIN, and a bank of its own."""
            (directory / name).mkdir()
            bank = make_bank(directory / name)
            try:
                yield Home(directory / name, **options).set_pin_by_program(), bank
            finally:
                bank.stop()

        with fresh("ten") as (home, bank):
            agent_figures.of_ten(home, bank)
        with fresh("crowd") as (home, bank):
            agent_figures.of_a_crowd(home, bank, str(BIN / "bench"))
        with fresh("push", lambda _: PushServer()) as (home, server):
            agent_figures.of_push(home, server, str(BIN / "bench"))
        with fresh("sessions", is_ordinary=True) as (home, bank):
            session_figures.of_sessions(home, bank)
        with fresh("one") as (home, bank):
            memory(home.enroll_by_program(bank), bank)
        with fresh("many") as (home, bank):
            slowest = make_connections(home, bank)
            beside_lookup("cold start status --json", home.argv("status", "--json"), home.environment)
            subprocess.run([str(BIN / "bench"), str(home.state), PIN, slowest], check=True)


main()
