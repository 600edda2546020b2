"""What waits is never without a note that leads to it, whatever the desktop does with notes; and however many wait."""

import pytest
from agents import CANCEL, YES, Desktop, agents, pinentry, typed
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
    # What expires first, one after the other by the one note.
    for left in (4, 3):
        [note] = gnome.notes().values()
        title, id = titles.pop(), ids.pop()
        assert note["actions"] == ["default", "Review", "review", "Review"]
        assert note["body"].splitlines()[:2] == ["The first to expire:", title] and f"demobank:{id}, expires" in note["body"]
        pinentry.answers(YES, typed(PIN))
        gnome.do("invoke", note["id"], "review")
        until(lambda: bank.authorization(id)["status"] == "confirmed", 60)
        until_notes(gnome, *([f"{left} requests wait"] if left > 3 else titles))
    # Then each by its own.
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
    until(lambda: len(gnome.made("Notify")) == 2, 60)
    gnome.do("invoke", gnome.made("Notify")[1]["id"], "deny")
    until(lambda: bank.authorization(id)["status"] == "denied", 60)


@pytest.mark.parametrize("reason", [2, 3])
def test_a_note_that_closes_with_its_button_comes_back_after_cancel(agent, gnome, pinentry, bank, reason):
    """As on Xfce and MATE, whichever reason is told."""
    id = bank.pay()
    number = gnome.note("Pay 9.90 EUR")["id"]
    pinentry.answers(CANCEL)
    gnome.do("invoke", number, "review")
    gnome.do("closed", number, reason)
    until(lambda: len(gnome.made("Notify")) == 2, 60)
    pinentry.answers(YES, typed(PIN))
    again = gnome.made("Notify")[1]["id"]
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
