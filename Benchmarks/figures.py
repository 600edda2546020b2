"""What all figures share: the line that is printed, and a program that is run to its end."""

import os
import statistics
import time

MIB = 1024  # ru_maxrss and /proc count KiB


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


def beside_lookup(name, argv, environment, rounds=100):
    """A whole run of our program beside the smallest program that asks the keyring for one item, by turns."""
    lookup = ["/usr/bin/secret-tool", "lookup", "benchmark", "1"]
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(run(argv, environment)[0])
        theirs.append(run(lookup, environment)[0])
    ratio = statistics.median(a / b for a, b in zip(ours, theirs))
    line(
        f"{name} / secret-tool lookup", f"{statistics.median(ours) * 1000:.1f} ms",
        f"{statistics.median(theirs) * 1000:.1f} ms", f"{ratio:.3f}", "<= 1.0", ratio <= 1)
