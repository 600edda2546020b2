"""An agent with 200 connections for several minutes: it misses nothing, and neither memory nor descriptors grow.

make soak runs it. COUNTERSIGN_SOAK_SECONDS (240) and COUNTERSIGN_SOAK_CONNECTIONS (200) change it.
"""

import collections
import concurrent.futures
import os
import pathlib
import statistics
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Program"))

from agents import agents  # noqa: E402, F401
from conftest import bank, home  # noqa: F401
from innards import resident

CONNECTIONS = int(os.environ.get("COUNTERSIGN_SOAK_CONNECTIONS", "200"))
USERS = max(1, CONNECTIONS // 10)
SECONDS = int(os.environ.get("COUNTERSIGN_SOAK_SECONDS", "240"))


def enroll_many(home, bank):
    """All of them, by links without a page, through the agent."""
    def enroll(number):
        link = bank.link(f"user{number % USERS}", instant=True)
        # Use, or a slow machine would see the agent hide meanwhile.
        if number % 10 == 0:
            home.ok("unlock", "-q", timeout=120)
        home.ok("enroll", "-", "--yes", "--name", f"c{number}", stdin=link + "\n", timeout=120)

    for number in range(USERS):
        bank.user(f"user{number}")
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        list(pool.map(enroll, range(CONNECTIONS)))


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def test_two_hundred_connections(home, bank, agents):
    home.set_pin_by_program()
    agent = agents(home).unlock()
    enroll_many(home, bank)
    events = agent.events()
    seen = collections.Counter()
    failures = []

    def listen():
        while (event := events.next(None)) is not None:
            if event["event"] in ("added", "removed"):
                seen[event["event"], event["authorization"]["id"]] += 1
            if event["event"] in ("failure", "locked"):
                failures.append(event)

    threading.Thread(target=listen, daemon=True).start()
    made, samples = [], []
    start = time.monotonic()
    number = 0
    while (passed := time.monotonic() - start) < SECONDS:
        # Ten at once, one for each connection of the user; they run out after a while.
        made += bank.post(
            "authorizations", user=f"user{number % USERS}", title=f"Payment {number}", description="To: Fern Books",
            multiple=True, expires_in=45)["ids"]
        number += 1
        samples.append((passed, resident(agent.pid), descriptors(agent.pid)))
        # Somebody is here, or the agent would hide what waits.
        if number % 20 == 0:
            home.ok("unlock", "-q")
        time.sleep(3)
    wanted = {str(id) for id in made}
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        if all(seen["added", id] and seen["removed", id] for id in wanted):
            break
        time.sleep(1)
    assert failures == []
    assert {id for id in wanted if seen["added", id] != 1} == set(), "missed, or told twice"
    assert {id for id in wanted if seen["removed", id] != 1} == set(), "not told to be gone, or told twice"
    assert agent.handshake()["waiting"] == 0

    # After a warm-up in which caches fill and as many wait as ever will.
    settled = [sample for sample in samples if sample[0] > SECONDS / 3]
    half = len(settled) // 2
    for name, index, slack in (("memory in bytes", 1, 3 << 20), ("descriptors", 2, 4)):
        early, late = (statistics.median(s[index] for s in part) for part in (settled[:half], settled[half:]))
        assert late <= early + slack, f"{name} grew from {early} to {late}: {samples}"
    assert agent.stop() == 0
