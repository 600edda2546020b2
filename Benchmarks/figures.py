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


def beside(name, ours, yardstick, target, rounds=100):
    """A whole run of our program beside one of another, by turns; `ours` and `yardstick` are (argv, environment)."""
    pairs = [(run(*ours)[0], run(*yardstick)[0]) for _ in range(rounds)]
    ratio = statistics.median(a / b for a, b in pairs)
    values = [f"{statistics.median(times) * 1000:.1f} ms" for times in zip(*pairs)]
    line(name, *values, f"{ratio:.3f}", f"<= {target}", ratio <= target)


def beside_lookup(name, argv, environment):
    """Beside the smallest program that asks the keyring for one item."""
    lookup = ["/usr/bin/secret-tool", "lookup", "benchmark", "1"]
    beside(f"{name} / secret-tool lookup", (argv, environment), (lookup, environment), 1.0)
