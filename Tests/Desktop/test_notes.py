"""The agent's notes on dunst, xfce4-notifyd and mate-notification-daemon: what a person can reach, and what stays of it."""

import pytest
from agents import CANCEL, OTHER, YES, Desktop, agents, pinentry, typed
from conftest import PIN
from innards import until
from servers import Dunst, Mate, NotifyOSD, Xfce

TOLD = "Approved, confirmed by the bank"
TITLE = "Pay 9.90 EUR to Fern Books for the second edition of the whole of Frankenstein"
# Of a title that is longer than one line.
SHOWN = "Pay 9.90 EUR to Fern Books for the"


@pytest.fixture(params=[Dunst, Xfce, Mate], ids=lambda kind: kind.__name__)
def server(screen, tmp_path, request):
    server = request.param(screen, tmp_path)
    yield server
    server.stop()


@pytest.fixture
def dunst(screen, tmp_path):
    server = Dunst(screen, tmp_path)
    yield server
    server.stop()


@pytest.fixture
def saver(tmp_path):
    """A screen saver, and no notifications."""
    desktop = Desktop(tmp_path, "--without-notifications")
    yield desktop
    desktop.stop()


@pytest.fixture
def agent(connected, agents, server, saver, pinentry, screen):
    """Open, with a server to show its notes."""
    return agents(connected, pinentry=pinentry, display=screen.name).unlock()


def status(bank, id):
    return bank.authorization(id)["status"]


def test_review_then_cancel_then_review(agent, server, pinentry, bank, look):
    """Xfce and MATE close a note with its button."""
    id = bank.pay(TITLE)
    note = server.note(SHOWN)
    # The whole title stands in the body. dunst, which shows neither name nor icon, and dismisses a note that is clicked, gets both
    # words.
    lines = note["body"].splitlines()
    repeated, (_, reference, *own) = lines[:lines.index("Demo Bank")], lines[lines.index("Demo Bank") + 1:]
    assert "".join(repeated).replace("↳", "") == TITLE
    assert reference.startswith(f"demobank:{id}, expires at ")
    assert own == (["Countersign: click with the middle button to review"] if isinstance(server, Dunst) else [])
    look("waits")
    pinentry.answers(CANCEL)
    server.press(note, "Review")
    pinentry.until_asked("CONFIRM")
    until(lambda: pinentry.lines[-1] == "BYE", 60)
    # It is there again, or still; it is pressed until the window opens, since it may be on its way.
    pinentry.answers(YES, typed(PIN))

    def asked():
        server.press(server.note(SHOWN), "Review")
        try:
            return until(pinentry.asked, 5)
        except AssertionError:
            return None

    until(asked, 60)
    until(lambda: status(bank, id) == "confirmed", 60)
    server.note(TOLD)
    look("outcome")
    until(lambda: all(SHOWN not in note["summary"] for note in server.notes.values()), 60)


def test_deny_denies(agent, server, bank, look):
    id = bank.pay()
    server.press(server.note("Pay 9.90 EUR"), "Deny")
    until(lambda: status(bank, id) == "denied", 60)
    server.note("Denied")
    look("denied")


def test_equal_requests_have_a_note_each(agent, server, bank, look):
    ids = [bank.pay() for _ in range(2)]
    server.until_notes("Pay 9.90 EUR", "Pay 9.90 EUR")
    assert len({note["body"] for note in server.notes.values()}) == 2
    look("two")
    bank.post(f"authorizations/{ids[0]}/close")
    server.until_notes("Pay 9.90 EUR")
    [note] = server.notes.values()
    assert f"demobank:{ids[1]}," in note["body"]
    look("one")
    server.press(note, "Deny")
    until(lambda: status(bank, ids[1]) == "denied", 60)


def test_five_are_told_by_one(agent, server, pinentry, bank, look):
    ids = [bank.pay(f"Pay {number}.00 EUR", expires_in=900 - number) for number in range(1, 6)]
    server.until_notes("5 requests wait")
    look("five")
    # What expires first is skipped, the next is approved, and then the round ends.
    pinentry.answers(OTHER, YES, YES, typed(PIN), CANCEL)
    server.press(server.note("5 requests wait"), "Review")
    until(lambda: status(bank, ids[3]) == "confirmed", 60)
    server.note("4 requests wait")
    assert [status(bank, id) for id in ids] == ["pending"] * 3 + ["confirmed", "pending"]


def test_a_locked_note_says_unlock(agent, server, saver, pinentry, bank, look):
    bank.pay(TITLE)
    server.note(SHOWN)
    before = len(server.shown())
    saver.do("lock-screen")
    note = server.note("Countersign is locked")
    server.until_notes("Countersign is locked")
    assert not any("9.90" in str(note) for note in server.shown()[before:])
    look("locked")
    pinentry.answers(CANCEL)
    server.press(note, "Unlock")
    pinentry.until_asked("GETPIN")
    until(lambda: pinentry.lines[-1] == "BYE", 60)
    server.until_notes("Countersign is locked")


def test_a_shut_agent_says_what_is_missed(connected, agents, server, pinentry, screen, look):
    agent = agents(connected, pinentry=pinentry, display=screen.name)
    note = server.note("Countersign is locked")
    assert note["body"].splitlines()[0] == "payments you make now will not appear here"
    look("shut")
    pinentry.answers(typed(PIN))
    server.press(note, "Unlock")
    agent.until_state("open")
    until(lambda: not server.notes, 60)


# What dunst keeps


def test_the_history_of_dunst_has_no_content_after_a_lock(connected, agents, dunst, pinentry, screen, bank):
    agent = agents(connected, pinentry=pinentry, display=screen.name).unlock()
    id = bank.pay(TITLE)
    pinentry.answers(YES, typed(PIN))
    dunst.press(dunst.note(SHOWN), "Review")
    until(lambda: status(bank, id) == "confirmed", 60)
    dunst.note(TOLD)
    bank.pay("Pay 5.00 EUR")
    dunst.note("Pay 5.00 EUR")
    connected.ok("lock", pin=False)
    dunst.until_notes("Countersign is locked")
    kept = [(summary, body) for summary, body in dunst.kept() if summary != "Countersign is locked"]
    assert {summary for summary, _ in kept} <= {"Countersign"} and kept
    assert agent.stop() == 0


# Without actions


def test_without_actions_a_note_is_plain_and_comes_back(connected, agents, pinentry, screen, bank, tmp_path, look):
    server = NotifyOSD(screen, tmp_path)
    try:
        agents(connected, pinentry=pinentry, display=screen.name).unlock()
        id = bank.pay(TITLE)
        note = server.note(SHOWN)
        assert note["actions"] == [] and note["timeout"] == -1
        look("plain")
        # Its bubbles leave after ten seconds, whatever is asked.
        until(lambda: len(server.shown()) == 2, 90)
        bank.post(f"authorizations/{id}/close")
        until(lambda: not server.notes, 60)
    finally:
        server.stop()
