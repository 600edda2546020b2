"""What waits is never without a note that leads to it, whatever the desktop does with notes; and however many wait."""

import pytest
from agents import CANCEL, OTHER, YES, Desktop, agents, pinentry, typed
from conftest import PIN
from innards import until

TOLD = "Approved, confirmed by the bank"


@pytest.fixture
def gnome(tmp_path):
    """Keeps three notes of a program and drops the oldest without a word."""
    desktop = Desktop(tmp_path, "--most", "3", "--name", "gnome-shell")
    yield desktop
    desktop.stop()


@pytest.fixture
def agent(connected, agents, gnome, pinentry):
    return agents(connected, pinentry=pinentry).unlock()


def until_notes(desktop, *summaries):
    until(lambda: sorted(note["summary"] for note in desktop.notes().values()) == sorted(summaries), 60)


def test_no_more_than_three_are_shown_and_all_can_be_reached(agent, gnome, pinentry, bank):
    titles = [f"Pay {number}.00 EUR" for number in range(1, 6)]
    ids = [bank.pay(title, expires_in=900 - 60 * number) for number, title in enumerate(titles[:3])]
    until_notes(gnome, *titles[:3])
    ids += [bank.pay(title, expires_in=900 - 60 * number) for number, title in enumerate(titles[3:], 3)]
    until_notes(gnome, "5 requests wait")
    # Review on the one note goes through them, what expires first comes first. Cancel ends the round.
    [note] = gnome.notes().values()
    assert note["actions"] == ["default", "Review", "review", "Review"]
    assert note["body"].splitlines()[:2] == ["The first to expire:", titles[-1]]
    assert f"demobank:{ids[-1]}, expires" in note["body"]
    pinentry.answers(OTHER, YES, YES, typed(PIN), YES, OTHER, CANCEL)
    gnome.do("invoke", note["id"], "review")
    until(lambda: bank.authorization(ids[2])["status"] == "denied", 60)
    assert [bank.authorization(id)["status"] for id in ids] == ["pending", "pending", "denied", "confirmed", "pending"]
    pinentry.until_asked(*["CONFIRM"] * 3, "GETPIN", *["CONFIRM"] * 3)
    asked = pinentry.told("SETDESC")
    for number, (question, title) in enumerate([
            (asked[0], titles[4]), (asked[1], titles[3]), (asked[4], titles[2]), (asked[6], titles[1])], 1):
        assert f"Request {number} of 5, page 1 of 1" in question and title in question, question
    assert pinentry.buttons() == [
        "Decide/Skip", "Decide/Skip", "Approve/Deny", "Approve", "Decide/Skip", "Approve/Deny", "Decide/Skip"]
    # Those that are left have a note each.
    titles = [titles[0], titles[1], titles[4]]
    ids = [ids[0], ids[1], ids[4]]
    until_notes(gnome, *titles)
    gnome.do("invoke", gnome.note(titles[0])["id"], "deny")
    until(lambda: bank.authorization(ids[0])["status"] == "denied", 60)
    until_notes(gnome, *titles[1:])
    assert gnome.told("Denied") and gnome.told(TOLD)


def test_a_request_that_was_put_away_comes_back_with_others(agent, gnome, bank):
    """Put away, the one note stays so while there are fewer; not when there are more."""
    for number in range(1, 5):
        bank.pay(f"Pay {number}.00 EUR")
    number = gnome.note("4 requests wait")["id"]
    gnome.do("dismiss", number)
    bank.pay("Pay 5.00 EUR")
    assert gnome.note("5 requests wait")["id"] != number


def test_a_note_that_the_desktop_drops_comes_back(agent, gnome, bank):
    id = bank.pay()
    gnome.note("Pay 9.90 EUR")
    gnome.do("closed", gnome.note("Pay 9.90 EUR")["id"], 1)
    until(lambda: len(gnome.payments()) == 2, 60)
    gnome.do("invoke", gnome.payments()[1]["id"], "deny")
    until(lambda: bank.authorization(id)["status"] == "denied", 60)


@pytest.mark.parametrize("reason", [2, 3])
def test_a_note_that_closes_with_its_button_comes_back_after_cancel(agent, gnome, pinentry, bank, reason):
    """As on Xfce and MATE, whichever reason is told."""
    id = bank.pay()
    number = gnome.note("Pay 9.90 EUR")["id"]
    pinentry.answers(CANCEL)
    gnome.do("invoke", number, "review")
    gnome.do("closed", number, reason)
    until(lambda: len(gnome.payments()) == 2, 60)
    pinentry.answers(YES, typed(PIN))
    again = gnome.payments()[1]["id"]
    assert again != number

    def approved():
        gnome.do("invoke", again, "review")
        return until(lambda: pinentry.asked(), 5)

    until(approved, 60)
    until(lambda: bank.authorization(id)["status"] == "confirmed", 60)
    gnome.told(TOLD)
    until(lambda: again in [call["id"] for call in gnome.made("CloseNotification")], 60)


def test_a_locked_note_comes_back_after_cancel(agent, gnome, pinentry, bank):
    bank.pay()
    gnome.note("Pay 9.90 EUR")
    gnome.do("lock-screen")
    locked = gnome.note("Countersign is locked")
    assert locked["actions"] == ["default", "Unlock", "unlock", "Unlock"]
    pinentry.answers(CANCEL)
    gnome.do("invoke", locked["id"], "unlock")
    gnome.do("closed", locked["id"], 2)
    pinentry.until_asked("GETPIN")
    again = until(lambda: next((n for n in gnome.made("Notify") if n["id"] > locked["id"]), None), 60)
    pinentry.answers(typed(PIN))
    until(lambda: gnome.do("invoke", again["id"], "default") or pinentry.asked(), 60)
    gnome.note("Pay 9.90 EUR")


def test_cancel_ends_the_round_and_the_next_begins_anew(agent, gnome, pinentry, bank):
    """Cancel once brought the same request again and again, and the others could not be reached."""
    for number in range(1, 5):
        bank.pay(f"Pay {number}.00 EUR", expires_in=900 + number)
    note = gnome.note("4 requests wait")
    pinentry.answers(OTHER, CANCEL)
    gnome.do("invoke", note["id"], "review")
    pinentry.until_asked("CONFIRM", "CONFIRM")
    until(lambda: pinentry.lines[-1] == "BYE", 60)
    # The note stands again, or still, and leads to the next round: all are skipped.
    pinentry.answers(*[OTHER] * 4)

    def asked():
        gnome.do("invoke", gnome.note("4 requests wait")["id"], "review")
        try:
            return until(pinentry.asked, 5)
        except AssertionError:
            return None

    until(asked, 60)
    pinentry.until_asked(*["CONFIRM"] * 4)
    assert [f"Pay {at}.00 EUR" in text for at, text in enumerate(pinentry.told("SETDESC"), 1)] == [True] * 4
    assert all(a["status"] == "pending" for a in bank.get("authorizations"))


def test_in_gnomes_windows_the_second_button_leads_to_the_third(connected, agents, gnome, pinentry, bank):
    """They have two buttons."""
    pinentry.program.write_text(pinentry.program.read_text().replace("FAKE_PINENTRY_LOG", "FAKE_PINENTRY_FLAVOR=gnome3 FAKE_PINENTRY_LOG"))
    agents(connected, pinentry=pinentry).unlock()
    ids = [bank.pay(f"Pay {number}.00 EUR", expires_in=900 + number) for number in range(1, 5)]
    note = gnome.note("4 requests wait")
    # Skip, by two windows; then decide, deny by two windows; then cancel, by two windows.
    pinentry.answers(CANCEL, YES, YES, CANCEL, YES, CANCEL, CANCEL)
    gnome.do("invoke", note["id"], "review")
    until(lambda: bank.authorization(ids[1])["status"] == "denied", 60)
    pinentry.until_asked(*["CONFIRM"] * 7)
    assert pinentry.buttons() == ["Decide", "Skip", "Decide", "Approve", "Deny", "Decide", "Skip"]
    assert pinentry.told("SETCANCEL") == ["Skip …", "Cancel", "Skip …", "Deny …", "Cancel", "Skip …", "Cancel"]
    assert [bank.authorization(id)["status"] for id in ids] == ["pending", "denied", "pending", "pending"]
