"""The agent's notes on dunst."""

import pytest
from agents import CANCEL, YES, agents, pinentry, typed
from conftest import PIN
from innards import until
from servers import Dunst


@pytest.fixture
def dunst(screen, tmp_path):
    server = Dunst(screen, tmp_path)
    yield server
    server.stop()


@pytest.fixture
def agent(connected, agents, dunst, pinentry, screen):
    """Open, with dunst to show its notes."""
    return agents(connected, pinentry=pinentry, display=screen.name).unlock()


def test_review_approves(agent, dunst, pinentry, bank, look):
    id = bank.pay("Pay 9.90 EUR")
    note = dunst.note("Pay 9.90 EUR")
    assert "Demo Bank" in note["body"]
    look("waits")
    pinentry.answers(YES, typed(PIN))
    dunst.press(note)
    until(lambda: bank.authorization(id)["status"] == "confirmed", 60)
    dunst.note("Approved, confirmed by the bank")
    look("outcome")
