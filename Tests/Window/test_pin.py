"""The first PIN, the block after wrong ones, and the way back from a forgotten one."""

from conftest import PIN
from innards import until


def type_secrets(view, *texts):
    """Types these into the entries for secrets of a page, from the first one on, which has the focus."""
    for place, text in enumerate(texts):
        if place > 0:
            view.key("Tab")
        view.key("ctrl+a")
        view.type(text)


def test_the_first_pin(window_of, home):
    view = window_of(home)
    view.wait_for("The keyring answers")
    view.picture("welcome")
    view.size(360, 640)
    view.picture("welcome-narrow")
    assert not view.found("Menu")
    type_secrets(view, PIN, "314159")
    view.wait_for("The two PINs differ.")
    assert not view.is_enabled(view.found("Choose a PIN", "push button"))
    view.picture("welcome-differ")
    type_secrets(view, PIN)
    view.press("Choose a PIN")
    # It is open then, and the next step is a bank.
    view.wait_for("No bank yet", 60)
    assert home.json("status", pin=False)["pin_set"]
    view.choose("Lock now")
    view.unlock()
    view.wait("Requests", "page tab")


def test_a_trivial_pin_is_refused_in_words(window_of, home):
    view = window_of(home)
    view.wait_for("The keyring answers")
    type_secrets(view, "111111", "111111")
    view.press("Choose a PIN")
    view.wait_for("The PIN is too easy to guess.")
    view.picture("welcome-refused")
    # Both entries are empty, and the first one has the focus again.
    type_secrets(view, PIN, PIN)
    view.press("Choose a PIN")
    view.wait_for("No bank yet", 60)


def test_five_wrong_pins_block(window):
    view = window()
    for left in (8, 7, 6, 5, 4):
        view.wait("PIN")
        view.unlock("314159")
        view.wait_for(f"{left} wrong PINs more")
        until(lambda: view.shows("Next try in") or view.is_enabled(view.found("PIN", "password text")))
    view.wait_for("Next try in")
    assert not view.is_enabled(view.found("PIN", "password text"))
    assert not view.is_enabled(view.found("Unlock", "push button"))
    view.picture("blocked")
    view.size(360, 640)
    view.picture("blocked-narrow")


def test_a_forgotten_pin_destroys_only_what_was_typed_for(window, connected):
    view = window()
    view.press("Forgotten?")
    view.wait_for("Nobody can tell you the PIN.")
    view.picture("forgotten")
    view.size(360, 640)
    view.picture("forgotten-narrow")
    assert not view.is_enabled(view.found("Remove everything", "push button"))
    view.press("Cancel")
    view.wait("Unlock", "push button")
    view.press("Forgotten?")
    view.wait("Type to confirm", "text")
    view.fill("Type to confirm", "destroy my key")
    assert not view.is_enabled(view.found("Remove everything", "push button"))
    view.type("s")
    view.press("Remove everything")
    view.wait("New PIN", seconds=60)
    assert not connected.json("status", pin=False)["pin_set"]


def test_each_home_has_a_window(window, window_of, connected, other_home):
    first, second = window(), window_of(other_home)
    first.wait("Unlock", "push button")
    second.wait("New PIN")
