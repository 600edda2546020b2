"""What waits follows its connection, not its name: a note still works after a rename."""

import pytest
from agents import YES, agents, desktop, pinentry, typed
from conftest import PIN
from innards import until


@pytest.fixture
def agent(connected, agents, desktop, pinentry):
    return agents(connected, pinentry=pinentry).unlock()


def rename(agent, name, new):
    agent.home.ok("rename", name, new, pin=False)


def test_a_note_still_reviews_and_denies(agent, desktop, pinentry, bank):
    first = bank.pay("Pay 1.00 EUR")
    note = desktop.note("Pay 1.00 EUR")
    rename(agent, "demobank", "treasury")
    pinentry.answers(YES, typed(PIN))
    desktop.do("invoke", note["id"], "review")
    until(lambda: bank.authorization(first)["status"] == "confirmed", 60)
    desktop.empty()
    second = bank.pay("Pay 2.00 EUR")
    note = desktop.note("Pay 2.00 EUR")
    rename(agent, "treasury", "vault")
    desktop.do("invoke", note["id"], "deny")
    until(lambda: bank.authorization(second)["status"] == "denied", 60)
    desktop.empty()
    assert "could not do that" not in desktop.text
    # A second yes to the same still takes more than the PIN.
    again = bank.pay("Pay 1.00 EUR")
    note = desktop.note("Pay 1.00 EUR")
    rename(agent, "vault", "demobank")
    pinentry.answers(YES, typed("Pay 1.00 EUR"), typed(PIN))
    desktop.do("invoke", note["id"], "review")
    until(lambda: bank.authorization(again)["status"] == "confirmed", 60)
    assert pinentry.asked() == ["CONFIRM", "GETPIN", "GETPIN"]
