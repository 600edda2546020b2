"""Every way to decide a request in the window, beside the demo bank and a privacyIDEA server."""

import pytest
from conftest import PIN
from gi.repository import Atspi
from innards import until
from test_window import PAYMENT, open_card
from tokens import server, token

__all__ = ["server", "token"]


@pytest.fixture
def opened(window_of, token):
    """The window of a home with a push token."""
    view = window_of(token)
    view.unlock()
    return view


def approve(view):
    """Presses Approve on a card that fits the window."""
    view.press("Approve")


def finish(view, question="PIN to approve"):
    view.wait(question)
    view.type(PIN)
    view.press("Approve")


def choose(view, name):
    """Ticks a radio button by the keyboard."""
    view.focus(name, "radio button")
    view.key("space")


def test_it_was_not_me(window, bank, connected):
    id = bank.pay(**PAYMENT)
    other = bank.pay("Another", "payment")
    view = window()
    view.unlock()
    open_card(view, "Confirm this payment")
    view.press("It was not me")
    view.wait_for("The bank takes no reason, so it is not told why.")
    view.picture("card-not-me")
    view.press("Deny")
    view.wait_for("Disconnect this bank too?")
    view.picture("not-me-disconnect")
    assert bank.authorization(id)["status"] == "denied"
    view.press("Cancel")
    view.wait_for("It was denied. Now tell your bank, by a way that you know.")
    view.picture("not-me-locked")
    assert view.lacks("Confirm this payment", on="Locked")
    assert bank.authorization(other)["status"] == "pending"
    assert len(connected.json("connections")["connections"]) == 1


def test_it_was_not_me_takes_the_pin_at_v2_and_disconnects(window_of, bank, home):
    home.set_pin().enroll(bank, protocol="v2")
    id = bank.pay(**PAYMENT)
    view = window_of(home)
    view.unlock()
    open_card(view, "Confirm this payment")
    view.press("It was not me")
    view.wait("PIN to deny")
    view.picture("card-not-me-pin")
    view.type(PIN)
    view.press("Deny")
    view.press("Disconnect")
    view.wait_for("Now tell your bank")
    assert bank.authorization(id)["status"] == "denied"
    assert home.json("connections")["connections"] == []


def test_a_denial_that_is_taken_back_leaves_the_card(window, bank):
    id = bank.pay(**PAYMENT)
    view = window()
    view.unlock()
    open_card(view, "Confirm this payment")
    view.press("It was not me")
    view.wait_for("Deny this?")
    view.press("Cancel")
    view.wait("It was not me")
    assert view.found("Card") and bank.authorization(id)["status"] == "pending"


def test_all_of_a_bank_are_denied_after_one_question(opened, server):
    nonces = sorted(server.login(question=f"Log in {n}?", title=f"Shop {n}") for n in range(3))
    view = opened
    view.wait("Shop 2", "list item")
    view.picture("requests-crowd")
    buttons = [thing.get_name() for thing in view.all() if thing.get_role_name() == "push button"]
    [name] = [name for name in buttons if name.startswith("Deny all of ")]
    assert name.endswith(" (3)…")
    view.press(name)
    view.wait_for("Deny all 3 that wait at fern?")
    sheet = view.found("Written by the bank")
    assert sorted(view.text(sheet)) == ["Shop 0", "Shop 1", "Shop 2"]
    view.picture("deny-all")
    view.press("Deny")
    view.wait_for("All denied")
    view.picture("result-all-denied")
    assert sorted(nonce for nonce, _ in server.answers) == nonces
    view.press("Done")
    view.wait_for("Nothing waits")


def test_three_at_once_are_all_offered_to_be_denied_as_not_mine(opened, server):
    nonces = sorted(server.login(question=f"Log in {n}?", title=f"Shop {n}") for n in range(3))
    view = opened
    view.wait("Shop 2", "list item")
    open_card(view, "Shop 1")
    view.wait_for("3 requests wait at fern at once")
    view.press("It was not me")
    view.wait_for("Deny all 3 that wait at fern?")
    view.press("Deny")
    view.wait_for("Disconnect this bank too?")
    assert sorted(nonce for nonce, _ in server.answers) == nonces
    assert all(words == ["decline", "unknown_trigger"] for _, words in server.answers)
    view.press("Cancel")
    view.wait_for("It was denied.")


def test_an_option_is_chosen_and_none_beforehand(opened, server):
    nonce = server.login(require_presence="04,17,93", answer="17")
    view = opened
    open_card(view, "Fern")
    approve(view)
    view.wait_for("Choose what the other side shows")
    buttons = [view.wait(name, "radio button") for name in ("04", "17", "93")]
    assert not any(button.get_state_set().contains(Atspi.StateType.CHECKED) for button in buttons)
    # The answer waits for a choice.
    assert not view.is_enabled(view.found("Approve", "push button"))
    view.picture("card-option")
    choose(view, "17")
    approve(view)
    view.wait_for("Choice: 17")
    view.picture("card-option-pin")
    finish(view)
    view.wait_for("Confirmed by the bank at ")
    assert server.answers == [(nonce, ["17"])]


def test_a_code_is_shown_once_with_the_bank_s_words_and_can_be_copied(opened, server, screen):
    server.login(code="07")
    view = opened
    open_card(view, "Fern")
    approve(view)
    finish(view)
    view.wait_for("Type this code")
    assert "Type this" in view.text(view.found("Written by the bank")) and view.shows("07")
    view.picture("result-code")
    view.press("Copy")
    # The same content within ten minutes is a question of its own.
    server.login(code="63")
    view.press("Done")
    open_card(view, "Fern")
    approve(view)
    entry = view.wait("Type the title")
    view.picture("card-repeated")
    assert entry.get_role_name() == "text"
    view.type("Fern")
    view.press("Approve")
    finish(view)
    view.wait_for("63")


def test_a_typed_title(window, bank):
    id = bank.pay("Only a title", "")
    view = window()
    view.unlock()
    open_card(view, "Only a title")
    approve(view)
    view.wait("Type the title")
    view.picture("card-typed-title")
    view.type("something else")
    view.press("Approve")
    view.wait("It was not me")
    approve(view)
    view.wait("Type the title")
    view.type("only a title")
    view.press("Approve")
    finish(view)
    view.wait_for("Confirmed by the bank at ")
    assert bank.authorization(id)["status"] == "confirmed"


def test_the_folded_details_hold_the_source(window, bank):
    id = bank.pay(**PAYMENT)
    view = window()
    view.unlock()
    open_card(view, "Confirm this payment")
    assert view.lacks(f"demobank:{id}", on="fingerprint")
    # The card has the focus, so that the person can scroll; what is in it is reached from the buttons.
    view.key("Tab", "shift+Tab", "space")
    view.wait_for(f"demobank:{id}")
    view.wait_for('"title"')
    view.picture("card-details")


def test_the_bank_s_refusal_is_a_result(window, bank):
    bank.pay(**PAYMENT)
    bank.fault("authorizations.decide", status=400, error_class="AuthorizationNotAllowed", error_message="no <b>way</b>")
    view = window()
    view.unlock()
    open_card(view, "Confirm this payment")
    approve(view)
    finish(view)
    view.wait_for("no <b>way</b>")
    view.picture("result-refused")


def test_an_answer_that_never_came_is_not_known(window, bank):
    bank.pay(**PAYMENT)
    bank.fault("authorizations.decide", after=True, drop=True)
    view = window()
    view.unlock()
    open_card(view, "Confirm this payment")
    approve(view)
    finish(view)
    view.wait_for("Not known yet")
    view.picture("result-unknown")


def test_a_bank_that_works_on_it(window_of, bank, home):
    home.set_pin().enroll(bank, protocol="v2")
    bank.pay(polls=1000, **PAYMENT)
    view = window_of(home)
    view.unlock()
    open_card(view, "Confirm this payment")
    approve(view)
    finish(view)
    view.wait_for("Waiting for the bank")
    view.picture("card-waiting")
    # The decision goes on; only the wait for its outcome ends.
    view.press("Back")
    view.wait_for("Still processing")
    view.picture("result-processing")


def test_a_request_that_expires_on_its_page(window, bank):
    bank.pay(expires_in=12, **PAYMENT)
    view = window()
    view.unlock()
    open_card(view, "Confirm this payment")
    view.wait_for("Its time is over.", 60)
    view.picture("result-expired")


def test_the_next_request(window, bank):
    bank.pay(multiple=True, **PAYMENT)
    bank.pay("Second", "payment", multiple=True)
    view = window()
    view.unlock()
    open_card(view, "Confirm this payment")
    view.press("Deny")
    view.wait_for("Deny this?")
    view.press("Deny")
    view.wait_for("Denied at the bank at ")
    view.press("Next request")
    view.wait("Card")
    assert view.shows("Second")


def test_a_bank_that_cannot_be_reached_is_tried_on_demand(window, bank):
    bank.pay(**PAYMENT)
    view = window()
    view.unlock()
    view.wait("Confirm this payment", "list item")
    bank.fault("authorizations.list", times=100, status=503)
    view.wait_for("demobank: ", 90)
    view.picture("requests-unreachable")
    assert view.shows("its last answer came at ")
    bank.post("faults/clear")
    view.press("Try now")
    until(lambda: not view.shows("its last answer came at "), 60)
    assert view.found("Confirm this payment", "list item")
