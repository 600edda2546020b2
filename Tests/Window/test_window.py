"""From the start of the window to a decision."""

import re
import time

from conftest import PIN
from gi.repository import Atspi
from innards import until

LOCKED = "Enter your PIN to see what your banks ask."
PAYMENT = {"title": "Confirm this payment", "description": "To Fern Books, 9.90 EUR"}


def open_card(window, title):
    """Opens a request by the keyboard."""
    window.wait(title, "list item")
    window.focus(title, "list item")
    window.key("Return")
    return window.wait("Card")


def essence(lines):
    """A card's text without frame, white space, the code's line, time left and reference."""
    text = "\n".join(line for line in lines if not line.startswith("│ code "))
    text = re.sub(r"^[│├└┌] ?(↳ )?", "", text, flags=re.M)
    return re.sub(r"[\s─]", "", re.sub(r"expires in \S+( h| d)?|seen \S+ ago", "", text))


def test_first_approval(window, bank, screen):
    id = bank.pay(**PAYMENT)
    view = window()
    view.wait("Countersign", "frame")
    view.wait("PIN")
    view.picture("unlock")
    # Locked means empty.
    for words in ("Confirm this payment", "Demo"):
        assert view.lacks(words, on=LOCKED)
    view.unlock()
    row = view.wait("Confirm this payment", "list item")
    assert row.get_description() == f"demobank:{id}"
    view.picture("requests")
    open_card(view, "Confirm this payment")
    view.picture("card")
    view.press("Approve")
    view.wait("PIN to approve")
    view.picture("card-pin")
    view.type(PIN)
    view.press("Approve")
    view.wait_for("Confirmed by the bank at ")
    view.picture("result-confirmed")
    assert bank.authorization(id)["status"] == "confirmed"
    view.press("Done")
    view.wait_for("Nothing waits")
    view.picture("nothing-waits")


def test_the_card_says_the_same_as_show(window, bank, connected):
    id = bank.pay(
        "Pay <b>9.90</b> &amp; more", "To Fern Books\n\n  Amount: 1.00 EUR\nabc" + "x" * 300 + "\u202eevil\u202c & <i>end</i>")
    view = window()
    view.unlock()
    open_card(view, "Pay <b>9.90</b> &amp; more")
    card = view.found("Card")
    sheet = view.found("Written by the bank")
    shown = connected.ok("show", f"demobank:{id}", pin=False).out.splitlines()
    # The last line has only the reference.
    assert essence(view.text(card)) == essence(shown[:-1])
    assert sheet in list(view.all(card))
    view.picture("card-hostile")


def test_a_wrong_pin_opens_nothing(window, bank):
    bank.pay(**PAYMENT)
    view = window()
    view.unlock("314159")
    view.wait_for("Wrong PIN; 8 tries are left.")
    view.picture("wrong-pin")
    assert view.lacks("Confirm this payment", on=LOCKED)
    view.unlock()
    open_card(view, "Confirm this payment")
    view.press("Approve")
    view.wait("PIN to approve")
    view.type("314159")
    view.press("Approve")
    view.wait_for("Wrong PIN; 8 tries are left.")
    view.picture("card-wrong-pin")
    view.press("Cancel")
    until(lambda: not view.found("PIN to approve"))
    assert view.found("Card")


def test_deny(window, bank):
    id = bank.pay(**PAYMENT)
    view = window()
    view.unlock()
    open_card(view, "Confirm this payment")
    view.press("Deny")
    view.wait_for("Deny this?")
    view.picture("card-deny")
    view.press("Deny")
    view.wait_for("Denied at the bank at ")
    view.picture("result-denied")
    assert bank.authorization(id)["status"] == "denied"


def test_approve_waits_for_the_end_of_the_card(window, bank):
    bank.pay("Long", "\n".join(f"line {number}" for number in range(200)))
    view = window()
    view.unlock()
    open_card(view, "Long")
    view.wait_for("Read to the end to approve.")
    # Longer than the second that a card has to stand there.
    time.sleep(3)
    assert not view.is_enabled(view.found("Approve", "push button"))
    view.picture("card-long")
    view.key("Page_Down")
    time.sleep(3)
    assert not view.is_enabled(view.found("Approve", "push button"))
    view.key("End")
    view.wait_for("fingerprint")
    view.press("Approve")
    assert view.wait("PIN to approve")


def test_a_request_that_is_withdrawn_meanwhile(window, bank):
    id = bank.pay(**PAYMENT)
    view = window()
    view.unlock()
    open_card(view, "Confirm this payment")
    view.press("Approve")
    view.wait("PIN to approve")
    view.type("27")
    bank.post(f"authorizations/{id}/close")
    view.wait_for("Withdrawn", 90)
    view.picture("result-withdrawn")
    assert view.lacks("PIN to approve", on="Withdrawn")


def test_a_lock_empties_the_window(window, bank, connected):
    bank.pay(**PAYMENT)
    view = window()
    view.unlock()
    open_card(view, "Confirm this payment")
    connected.ok("lock", pin=False)
    view.wait_for(LOCKED)
    until(lambda: not view.found("Card"))
    assert view.lacks("Confirm this payment", on=LOCKED)


def test_the_pin_is_nobody_s_business(window, bank):
    view = window()
    entry = view.wait("PIN")
    view.type(PIN)

    def texts():
        return [
            Atspi.Text.get_text(thing, 0, Atspi.Text.get_character_count(thing)) for thing in view.all()
            if thing.get_role() == Atspi.Role.PASSWORD_TEXT]

    assert entry.get_role() == Atspi.Role.PASSWORD_TEXT
    assert [set(text) for text in texts()] == [{"•"}]
