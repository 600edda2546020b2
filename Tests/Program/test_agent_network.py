"""The network goes and comes back under an open agent, in a network of the test's own."""

import subprocess
import time

from agents import agents  # noqa: F401
from innards import until
from users import alone_in_a_network

# So that a poll after that long is not one that was due.
SELDOM = "[agent]\npoll_fastest = 60\npoll_slowest = 60\n"


def ip(*words):
    subprocess.run(["ip", *words], check=True, timeout=60)


def test_a_way_out_is_a_reason_to_ask_at_once(request):
    if not alone_in_a_network(request):
        return
    home, bank, agents = (request.getfixturevalue(name) for name in ("home", "bank", "agents"))
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
