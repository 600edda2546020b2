"""The agent's notes on GNOME Shell itself: what a person sees of them, and its buttons."""

import pytest
from agents import CANCEL, YES, agents, pinentry, typed
from conftest import PIN
from innards import until
from shell import ShellNotes, screen, shell
from test_gnome_shell import WIDE

LONG = "Pay 9.90 EUR to Fern Books for the second edition of the whole of Frankenstein"
TITLES = {
    "short": "Pay 9.90 EUR to Fern Books", "long": LONG, "longer": LONG + " " + LONG, "one word": "W" * 79,
    "addresses": "See https://fern.example/pay, www.fern.example or fern.example/pay",
    "forged": "Pay 1.00 EUR Demo Bank 127.0.0.1 " * 12, "wide": " ".join(WIDE[:9]),
}


@pytest.fixture
def notes(shell, tmp_path):
    shell.scale(1)
    notes = ShellNotes(shell, tmp_path)
    yield notes
    notes.stop()


def lines(banner):
    """The lines of the body of a note, all of which the Shell shows, in their order on the screen."""
    [body] = [text for text in banner if "url-highlighter" in text.style]
    assert body.wrapped() == [] and not body.isCut and body.inked <= body.room, body
    # What is below its last line is cut without a mark.
    assert [text for _, text in body.lines] == body.text.split("\n"), body
    return body.text.replace("\u2060", "").split("\n")


@pytest.mark.parametrize("kind", TITLES)
def test_a_note_shows_the_title_and_the_bank_whole(connected, agents, notes, bank, shell, kind, look):
    title = TITLES[kind]
    agents(connected, display=shell.screen.name).unlock()
    id = bank.pay(title)
    banner = notes.banner_of(title[:20])
    look("note")
    [summary] = [text for text in banner if text.style == "message-title"]
    *repeated, name, host, reference = lines(banner)
    assert (name, host.split(":")[0]) == ("Demo Bank", "127.0.0.1") and reference.startswith(f"demobank:{id}, expires at ")
    # The title stands once, unless the Shell cuts it. Only its first line has no mark.
    assert bool(repeated) or not summary.isCut
    assert repeated == [] or title.startswith(repeated[0].split("\u2068")[0][:20])
    assert all(line.startswith("↳ ") for line in repeated[1:])
    assert kind != "short" or repeated == []
    assert notes.links() == []


def test_review_on_a_note_leads_to_the_card(connected, agents, pinentry, notes, bank, shell, look):
    agents(connected, pinentry=pinentry, display=shell.screen.name).unlock()
    id = bank.pay(LONG)
    pinentry.answers(CANCEL)
    notes.press("Pay 9.90", "Review")
    pinentry.until_asked("CONFIRM")
    until(lambda: pinentry.lines[-1] == "BYE", 60)
    pinentry.answers(YES, typed(PIN))
    notes.press("Pay 9.90", "Review")
    until(lambda: bank.authorization(id)["status"] == "confirmed", 60)
    look("outcome")
    notes.note("Approved, confirmed by the bank")


def test_a_shut_agent_says_what_is_missed(connected, agents, pinentry, notes, shell, look):
    agent = agents(connected, pinentry=pinentry, display=shell.screen.name)
    banner = notes.banner_of("Countersign is locked")
    assert not any(text.isCut for text in banner)
    assert [text.text for text in banner if "url-highlighter" in text.style] == ["payments you make now will not appear here"]
    look("shut")
    pinentry.answers(typed(PIN))
    notes.press("Countersign is locked", "Unlock")
    agent.until_state("open")
    until(lambda: not notes.notes, 60)
