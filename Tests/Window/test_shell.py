"""Tabs and menu, which stand around the pages."""

from innards import until


def test_tabs_and_menu(window, bank, screen):
    bank.pay(title="Confirm this payment", description="To Fern Books, 9.90 EUR")
    view = window()
    view.wait("PIN")
    assert not view.found("Requests", "page tab") and not view.found("Menu")
    view.unlock()
    view.wait("Confirm this payment", "list item")
    view.wait("Requests", "page tab")
    view.picture("menu")
    view.choose("About")
    view.wait_for("0.2.0")
    view.key("Escape")
    view.choose("Lock now")
    view.wait("PIN")
    until(lambda: not view.found("Requests", "page tab"))
    assert not view.found("Menu") and not view.shows("Confirm this payment")


def test_a_wide_window_has_its_tabs_beside_each_page(window, bank):
    bank.pay(title="Confirm this payment", description="To Fern Books, 9.90 EUR")
    view = window()
    view.unlock()
    view.wait("Confirm this payment", "list item")
    view.size(800, 700)
    view.picture("requests-wide")
    view.focus("Confirm this payment", "list item")
    view.key("Return")
    view.wait("Card")
    assert view.found("Requests", "page tab")
    view.picture("card-wide")
    # In a narrow one the card has the room for itself.
    view.size(360, 640)
    until(lambda: not view.found("Requests", "page tab"))
    view.picture("card-narrow")
    view.press("Back")
    view.wait("Requests", "page tab")
    view.picture("requests-narrow")
