"""The network goes and comes back under an open agent, in a network of the test's own."""

import ctypes
import os
import subprocess
import time

import pytest
from agents import agents
from conftest import bank, home
from innards import until

CLONE_NEWNET = 0x40000000
# So that a poll after that long is not one that was due.
SELDOM = "[agent]\npoll_fastest = 60\npoll_slowest = 60\n"


def ip(*words):
    subprocess.run(["ip", *words], check=True, timeout=60)


@pytest.fixture
def network():
    """This thread, and what it starts, has nothing but a loopback until the test ends."""
    if os.getuid() != 0:
        pytest.skip("only root can make a network")
    library = ctypes.CDLL(None, use_errno=True)
    before = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    if library.unshare(CLONE_NEWNET) != 0:
        os.close(before)
        pytest.skip(f"no network can be made here: {os.strerror(ctypes.get_errno())}")
    ip("link", "set", "lo", "up")
    yield
    assert library.setns(before, CLONE_NEWNET) == 0
    os.close(before)


def test_a_way_out_is_a_reason_to_ask_at_once(network, home, bank, agents):
    home.set_pin().enroll(bank)
    agent = agents(home, settings=SELDOM).unlock()
    until(lambda: bank.get("requests"), 60)
    # What was on its way arrives first.
    time.sleep(2)
    bank.post("requests/clear")
    time.sleep(5)
    assert bank.get("requests") == []
    # Where it leads does not matter, so the loopback serves; other devices are not to be had everywhere.
    ip("address", "add", "192.0.2.2/24", "dev", "lo")
    ip("route", "add", "default", "dev", "lo")
    until(lambda: bank.get("requests"), 10)
    assert agent.state == "open"
