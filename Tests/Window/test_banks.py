"""Connecting a bank, and all that can be done with one."""

import os
import sys

import pytest
from innards import until
from issuers import followed
from test_pictures import code, saved
from v2 import sign_in, sign_in_only


@pytest.fixture
def ready(home, tmp_path):
    """A home with a PIN and no bank. The browser that it opens only notes the page."""
    opened = tmp_path / "opened"
    program = tmp_path / "bin/xdg-open"
    program.parent.mkdir()
    program.write_text(f"#!{sys.executable}\nimport sys\nprint(sys.argv[1], file=open({str(opened)!r}, 'a'))\n")
    program.chmod(0o755)
    home.environment["PATH"] = f"{program.parent}{os.pathsep}{home.environment['PATH']}"
    home.opened = opened
    return home.set_pin()


def page(home):
    """The page that the browser was led to last."""
    return followed(until(lambda: home.opened.exists() and home.opened.read_text()).split()[-1])


def start_adding(view):
    view.unlock()
    view.wait("Banks", "page tab")
    view.press("Banks", role="page tab")
    view.wait_for("No bank yet")
    view.picture("no-bank")
    view.press("Add a bank")
    view.wait("Read the screen")


def paste(view, link):
    view.press("Paste a link")
    view.wait("Link", "text")
    view.fill("Link", link)
    view.press("Continue")


def test_a_bank_is_added_by_its_link(window_of, ready, bank):
    view = window_of(ready)
    start_adding(view)
    view.picture("add-a-bank")
    paste(view, "this is no link")
    view.wait_for("This is not a link.")
    view.picture("add-bad-link")
    view.fill("Link", bank.link())
    view.press("Continue")
    view.wait_for("Connect this computer to this bank?")
    # The host stands above the name that the bank claims.
    texts = view.text()
    host = bank.url.removeprefix("http://")
    assert texts.index(host) < texts.index("Demo Bank")
    view.picture("add-host-first")
    view.size(360, 640)
    view.picture("add-host-first-narrow")
    view.press("Continue")
    view.wait_for("Waiting for the bank's page")
    view.picture("add-waiting-narrow")
    view.size(420, 760)
    view.picture("add-waiting")
    view.fill("Link", "https://elsewhere.example/")
    view.press("Continue")
    view.wait_for("This is not the address that the bank's page led to.")
    status, text = sign_in(page(ready))
    assert status == 200 and "You may close this tab" in text
    row = view.wait("Demo Bank", "list item")
    assert row.get_description() == "demobank"
    assert view.shows("Connected: Demo Bank") and view.shows("active")
    view.picture("connected")
    id = bank.pay("Confirm this payment", "To Fern Books, 9.90 EUR")
    view.press("Requests", role="page tab")
    assert view.wait("Confirm this payment", "list item", 60).get_description() == f"demobank:{id}"


def test_the_address_of_the_browser_can_be_pasted(window_of, ready, bank):
    view = window_of(ready)
    start_adding(view)
    paste(view, bank.link())
    view.wait_for("Connect this computer to this bank?")
    view.press("Continue")
    view.wait_for("Waiting for the bank's page")
    view.fill("Link", sign_in_only(page(ready)))
    view.press("Continue")
    view.wait("Demo Bank", "list item")


def test_a_bank_is_added_by_a_picture(window_of, ready, bank, tmp_path):
    picture = saved(tmp_path / "code.png", code(bank))
    view = window_of(ready)
    start_adding(view)
    view.press("Open a picture")
    view.screen.xdotool("search", "--sync", "--onlyvisible", "--name", "^Open a picture$", "windowfocus", "--sync")
    view.type(str(picture))
    view.key("Return")
    view.wait_for("Connect this computer to this bank?")
    view.press("Continue")
    view.wait("Demo Bank", "list item")


def test_leaving_leaves_nothing(window_of, ready, bank):
    view = window_of(ready)
    start_adding(view)
    paste(view, bank.link())
    view.wait_for("Connect this computer to this bank?")
    view.press("Cancel")
    view.wait("Read the screen")
    paste(view, bank.link())
    view.wait_for("Connect this computer to this bank?")
    view.press("Continue")
    view.wait_for("Waiting for the bank's page")
    view.press("Cancel")
    view.wait_for("No bank yet")
    # The bank learns that nobody will come.
    until(lambda: not [c for c in bank.get("connections") if c["status"] == "active"])
    assert ready.json("connections", pin=False)["connections"] == []


def test_one_bank(window, connected, bank):
    view = window()
    view.unlock()
    view.press("Banks", role="page tab")
    view.wait("Demo Bank", "list item")
    view.picture("banks")
    view.size(360, 640)
    view.picture("banks-narrow")
    view.focus("Demo Bank", "list item")
    view.key("Return")
    view.wait("Disconnect", "push button")
    view.wait_for("No third party has access.")
    view.picture("bank-narrow")
    view.size(420, 760)
    view.picture("bank")
    view.press("Prove the connection")
    view.wait_for("The bank knows this key and token.")
    view.press("Rename")
    view.wait("Name", "text")
    view.picture("rename")
    view.fill("Name", "Treasury!")
    view.press("Rename")
    view.wait_for("32 characters", 10)
    view.fill("Name", "treasury")
    view.press("Rename")
    view.wait_for("It is called treasury now.")
    view.press("Disconnect")
    view.wait_for("Key, token and record of treasury are destroyed here; its history stays.")
    view.picture("disconnect")
    view.press("Cancel")
    view.wait("Rename", "push button")
    view.press("Disconnect")
    view.wait_for("The bank is told first.")
    view.press("Disconnect")
    view.wait_for("No bank yet")
    assert view.shows("Disconnected: treasury")
    assert not [c for c in bank.get("connections") if c["status"] == "active"]


def test_a_bank_that_ended_the_connection_is_connected_again(window_of, ready, bank):
    ready.enroll(bank)
    for connection in bank.get("connections"):
        bank.post(f"connections/{connection['id']}/revoke")
    view = window_of(ready)
    view.unlock()
    view.press("Banks", role="page tab")
    view.wait_for("inactive", 60)
    view.focus("Demo Bank", "list item")
    view.key("Return")
    view.wait_for("The bank ended this connection.")
    view.picture("bank-inactive")
    view.press("Reconnect")
    view.wait_for("Connect this computer to this bank?")
    view.press("Continue")
    view.wait_for("Waiting for the bank's page")
    sign_in(page(ready))
    until(lambda: "active" in view.text())
