"""The figures of a running agent: its memory, what its polling costs, how soon it tells, how soon it answers."""

import contextlib
import os
import pathlib
import statistics
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from agents import Agent
from figures import MIB, beside_lookup, line
from push import PushServer

INTERVAL = 3  # seconds between two polls of a connection while someone watches


def of_ten(home, bank):
    with polling_agent(home, bank, 10) as agent:
        idle_memory(agent, bank)
        beside_lookup("connections by the agent", home.argv("connections"), home.environment)
        telling(agent, bank)


def of_a_crowd(home, bank, bench):
    with polling_agent(home, bank, 200) as agent:
        polling(agent, lambda: polls(bank), f"{bench} signatures 200 2048", 200)


def of_push(home, server, bench):
    with polling_agent(home, server, 100) as agent:
        polling(agent, lambda: server.calls.count("poll"), f"{bench} signatures 100 4096", 100, "push connections")


@contextlib.contextmanager
def polling_agent(home, bank, connections):
    """An unlocked agent with so many connections at one bank (v1), or push tokens at one server."""
    agent = Agent(home)
    try:
        agent.unlock()
        links = [
            bank.token(f"token{number}") if isinstance(bank, PushServer) else bank.link(instant=True)
            for number in range(connections)]
        for first in range(0, connections, 20):
            # Two at a time, since most of it is the making of keys.
            with ThreadPoolExecutor(2) as pool:
                list(pool.map(lambda link: home.ok("enroll", "-", "--yes", stdin=link + "\n"), links[first:first + 20]))
            # Without use it would hide after five minutes.
            agent.unlock()
        yield agent
    finally:
        agent.kill()


def polls(bank):
    """How many calls of the protocols the bank has had."""
    return bank.get("requests?limit=1")[-1]["number"]


def await_polls(polls, count):
    """Waits for so many more."""
    end, deadline = polls() + count, time.monotonic() + 200
    while polls() < end:
        assert time.monotonic() < deadline, "the agent does not poll"
        time.sleep(0.2)


def resident(pid):
    """Resident memory in MiB."""
    for text in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if text.startswith("VmRSS:"):
            return int(text.split()[1]) / MIB
    raise AssertionError(f"process {pid} has no memory")


def processor(pid):
    """Seconds of processor time since the process started, the kernel's work for it included."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def idle_memory(agent, bank):
    """After three rounds of all connections that brought nothing."""
    await_polls(lambda: polls(bank), 30)
    ours, theirs = resident(agent.pid), resident(os.environ["COUNTERSIGN_TEST_KEYRING_PID"])
    line(
        "memory of the idle agent with 10 connections / gnome-keyring-daemon", f"{ours:.1f} MiB", f"{theirs:.1f} MiB",
        f"{ours / theirs:.3f}", "< 32 MiB", ours < 32)


def telling(agent, bank, count=200):
    """From the bank's making of an authorization to its event, while someone watches. They are made over two intervals, at
    moments that have nothing to do with the polls."""
    events = agent.events()
    connections = [c["id"] for c in bank.get("connections") if c["status"] == "active"]
    made = {}

    def make():
        start = time.monotonic()
        for number in range(count):
            time.sleep(max(0, start + number * 2 * INTERVAL / count - time.monotonic()))
            moment = time.monotonic()
            connection = connections[number % len(connections)]
            ids = bank.post(
                "authorizations", connection=connection, title="Pay 9.90 EUR", description="To Fern Books",
                expires_in=3600, multiple=True)["ids"]
            made[str(ids[0])] = moment

    maker = threading.Thread(target=make)
    maker.start()
    seen = {}
    while len(seen) < count:
        event = events.next()
        if event["event"] == "added":
            seen[event["authorization"]["id"]] = time.monotonic()
    maker.join()
    waits = [moment - made[id] for id, moment in seen.items()]
    median = statistics.median(waits)
    line(
        "authorization made at the bank to event on the socket / half the interval", f"{median * 1000:.0f} ms",
        f"{INTERVAL / 2 * 1000:.0f} ms", f"{(median - INTERVAL / 2) * 1000:+.0f} ms", "<= +150 ms",
        median <= INTERVAL / 2 + 0.15)


def polling(agent, polls, signatures, connections, kind="connections", rounds=20):
    """The agent's processor time for twenty rounds of all, beside that of as many bare signatures, made meanwhile by the
    command `signatures`."""
    agent.events()
    await_polls(polls, 2 * connections)
    first, spent, bare = polls(), processor(agent.pid), 0.0
    for _ in range(rounds):
        time.sleep(INTERVAL)
        bare += float(subprocess.run(signatures.split(), check=True, capture_output=True).stdout)
    count, spent, bare = polls() - first, processor(agent.pid) - spent, bare / rounds / connections
    assert count > 0.8 * rounds * connections, f"{count} polls are too few"
    line(
        f"processor time of polling {connections} {kind} every {INTERVAL} s / of the signatures",
        f"{spent / count * 1000:.3f} ms a poll", f"{bare * 1000:.3f} ms", f"{spent / count / bare:.3f}", "<= 2.0",
        spent / count <= 2 * bare)
