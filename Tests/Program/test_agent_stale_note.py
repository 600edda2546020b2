"""A note may be pressed while another one is on its way to its place."""

import pytest
from agents import agents, desktop, pinentry
from innards import until


@pytest.fixture
def agent(connected, agents, desktop, pinentry):
    return agents(connected, pinentry=pinentry).unlock()


def test_deny_is_refused_when_the_note_showed_something_else(agent, desktop, bank):
    id = bank.pay()
    old = desktop.note("Pay 9.90 EUR")
    desktop.do("hold")
    bank.admin("PATCH", f"authorizations/{id}", title="Pay 990 EUR")
    until(lambda: len(desktop.made("Notify")) == 2, 30)
    desktop.do("invoke", old["id"], "deny")
    until(lambda: len(desktop.made("Notify")) == 3, 30)
    desktop.do("release")
    desktop.note("Countersign could not do that")
    assert bank.authorization(id)["status"] == "pending"
    new = desktop.note("Pay 990 EUR")
    # Pressed sooner than the agent knows that it is shown, it counts for the old one, and is refused again.
    until(lambda: desktop.do("invoke", new["id"], "deny") or bank.authorization(id)["status"] == "denied", 30)
    assert bank.authorization(id)["decisions_received"] == 1
