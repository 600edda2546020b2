"""Doctor's judgement, another PIN, and the end of everything."""

from conftest import PIN
from innards import until
from test_pin import type_secrets

NEW = "161803"


def test_another_pin(window, connected):
    view = window()
    view.unlock()
    view.wait("Requests", "page tab")
    view.choose("Settings")
    view.wait_for("secret service")
    view.picture("settings")
    view.size(360, 640)
    view.picture("settings-narrow")
    view.press("Change PIN")
    view.wait("Repeat PIN")
    type_secrets(view, "314159", NEW, NEW)
    view.picture("change-pin")
    view.press("Change PIN")
    view.wait_for("Wrong PIN", 60)
    type_secrets(view, PIN, NEW, NEW)
    view.press("Change PIN")
    # The old PIN's unlock is over.
    view.wait("Unlock", "push button", 60)
    view.unlock(NEW)
    view.wait("Requests", "page tab", 60)


def test_everything_is_removed_only_when_typed(window, connected):
    view = window()
    view.unlock()
    view.wait("Requests", "page tab")
    view.choose("Settings")
    view.press("Remove everything")
    view.wait("Type to confirm", "text")
    view.picture("remove-everything")
    assert not view.is_enabled(view.found("Remove everything", "push button"))
    view.fill("Type to confirm", "destroy my keys")
    view.press("Remove everything")
    view.wait("New PIN", seconds=60)
    assert not connected.json("status", pin=False)["pin_set"]
    until(lambda: not view.found("Menu"))
