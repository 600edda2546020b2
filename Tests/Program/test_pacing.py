"""How soon the bank is asked again must not depend on what becomes of a sealed item when it is opened: whoever seals items, or
stands between, could decrypt what others sealed by asking often.
"""

import time

from agents import agents, desktop
from innards import until

# Idle after three quiet polls; far from the fastest, so that one hurried poll shows.
SLOW = "[agent]\npoll_fastest = 1\npoll_slowest = 5\n"
FAULTS = [{"raw": "{}"}, {"corrupt": "json"}, {"corrupt": "key"}, {"corrupt": "iv"}, {"corrupt": "data"}]


def polls(bank):
    return len(bank.get("requests?operation=authorizations.list&limit=500"))


def is_idle(bank):
    """Waits for one poll, then whether none follows within three seconds."""
    bank.post("requests/clear")
    until(lambda: polls(bank), 20)
    time.sleep(3)
    return polls(bank) == 1


def test_a_fault_never_hastens_the_next_question(home, bank, agents, desktop):
    """While hidden, where the agent keeps least."""
    home.set_pin().enroll(bank, protocol="v2")
    agent = agents(home, settings=SLOW).unlock()
    desktop.do("lock-screen")
    agent.until_state("hidden")
    until(lambda: is_idle(bank), 60)
    first = bank.pay("Pay 9.90 EUR", {"text": "To Fern Books"}, protocol="v2", **FAULTS[0])
    assert is_idle(bank), "that an item cannot be opened hastened the next question"
    for fault in FAULTS[1:]:
        bank.admin("PATCH", f"authorizations/{first}", **fault)
        assert is_idle(bank), fault
    # What can be opened is asked about often.
    bank.pay("Pay 9.90 EUR", {"text": "To Fern Books"}, protocol="v2", multiple=True)
    agent.until_waiting(1, 20)
    assert not is_idle(bank)
