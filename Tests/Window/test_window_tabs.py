"""History, sign-ins and programs in the window, beside the demo bank and the issuer of Tests/Support."""

import pytest
from conftest import PIN, ROOT
from gi.repository import Atspi, GLib
from innards import until
from issuers import Issuer, signed_in

PROGRAM = ROOT / "Tests/Support/program"


def tab(view, name):
    assert Atspi.Action.do_action(view.wait(name, "page tab"), 0)


def go(view, title):
    """Opens a row by the keyboard."""
    view.wait(title, "list item")
    view.focus(title, "list item")
    view.key("Return")


@pytest.fixture
def decided(connected, bank):
    """A home with three decisions."""
    for title in ("First <b>one</b>", "Second", "Third"):
        bank.pay(title, "To Fern Books, 9.90 EUR")
    for item in connected.json("pending")["authorizations"]:
        verb = "approve" if item["title"] == "Second" else "deny"
        connected.ok(verb, item["ref"], "--fingerprint", item["fingerprint"])
    return connected


def rows(view):
    """The names of the rows in sight; none while they change."""
    try:
        return [thing.get_name() for thing in view.all() if thing.get_role_name() == "list item"]
    except GLib.Error:
        return []


def test_history(decided, window_of):
    view = window_of(decided)
    view.unlock()
    tab(view, "History")
    view.wait("Second", "list item")
    assert sorted(rows(view)) == ["First <b>one</b>", "Second", "Third"]
    assert rows(view) == [entry["title"] for entry in reversed(decided.json("history")["decisions"])]
    view.wait_for("The log is intact")
    view.picture("history")
    view.size(360, 640)
    view.picture("history-narrow")
    view.wait("Search")
    view.type("second")
    until(lambda: rows(view) == ["Second"])
    go(view, "Second")
    view.wait_for("Confirmed")
    assert view.text(view.found("Written by the bank"))[0] == "Second"
    view.wait_for("approved it")
    view.picture("history-entry")
    # The card has the focus, so that the person can scroll; what is in it is reached from the buttons.
    view.key("Tab", "shift+Tab", "space")
    view.wait_for('"title"')
    view.press("Back")
    view.wait("Search")


def test_a_home_without_decisions(window):
    view = window()
    view.unlock()
    tab(view, "History")
    view.wait_for("No decision yet")
    view.picture("history-empty")
    tab(view, "Programs")
    view.wait_for("No program asks")
    view.picture("programs-empty")
    tab(view, "Sign-ins")
    view.wait_for("Nobody is signed in")
    view.picture("sign-ins-empty")
    tab(view, "Requests")
    view.wait_for("Nothing waits")


def test_a_long_history_has_widgets_only_for_what_is_in_sight(connected, bank, window_of):
    for number in range(1000):
        bank.pay(f"Payment {number}", "To Fern Books", multiple=True, expires_in=3000)
    connected.ok("deny", "--all", "demobank", timeout=300)
    view = window_of(connected)
    view.unlock()
    tab(view, "History")
    until(lambda: len(rows(view)) > 5, 60)
    assert len(connected.json("history")["decisions"]) == 1000
    assert len(rows(view)) < 400
    view.wait("Search")
    view.type("Payment 17")
    # It finds words of the title and of the reference, whose number is greater by one.
    until(lambda: {"Payment 917", "Payment 916"} < set(rows(view)) and "Payment 999" not in rows(view), 60)
    view.picture("history-long")


def test_a_session(home, window_of):
    home.set_pin()
    with signed_in(home, "--name", "fern"):
        view = window_of(home)
        view.unlock()
        tab(view, "Sign-ins")
        [session] = home.json("sessions", pin=False)["sessions"]
        title = session["account"] or "fern"
        view.wait(title, "list item")
        view.picture("sign-ins")
        assert view.found(title, "list item").get_description() == "fern"
        go(view, title)
        view.wait_for("Profile")
        view.wait_for("renews by itself")
        view.picture("session")
        view.press("Rename")
        view.wait("Name", "text")
        view.type("NO")
        view.press("Rename")
        view.wait_for("at most 32 characters")
        view.picture("session-rename")
        view.key("BackSpace", "BackSpace")
        view.type("maple")
        view.press("Rename")
        until(lambda: home.json("sessions", pin=False)["sessions"][0]["name"] == "maple")
        # Staying signed in longer takes the PIN; sooner does not.
        view.press("Keep signed in")
        view.wait("PIN")
        view.picture("session-keep")
        view.type(PIN)
        view.press("Yes")
        view.wait("Do not keep signed in")
        assert home.json("sessions", pin=False)["sessions"][0]["keep"]
        view.press("Sign out")
        view.wait_for("Programs get no more tokens of it.")
        view.picture("sign-out")
        view.press("Sign out")
        view.wait_for("Nobody is signed in")
        assert home.json("sessions", pin=False)["sessions"] == []


def test_sign_in(home, window_of, tmp_path):
    home.set_pin()
    # A browser that goes where it is led.
    browser = tmp_path / "browser"
    browser.write_text("#!/usr/bin/python3\nimport sys, urllib.request\nurllib.request.urlopen(sys.argv[1], timeout=60).read()\n")
    browser.chmod(0o755)
    with Issuer() as issuer:
        view = window_of(home, BROWSER=str(browser))
        view.unlock()
        tab(view, "Sign-ins")
        view.press("Sign in")
        view.wait("Link", "text")
        view.type("nowhere at all")
        view.press("Continue")
        view.wait_for("Where do you want to sign in?")
        view.picture("sign-in-wrong")
        view.press("Cancel")
        view.press("Sign in")
        view.wait("Link", "text")
        view.type(issuer.issuer)
        view.press("Continue")
        view.wait_for("Sign in at this issuer?")
        view.picture("sign-in-hosts")
        assert home.json("sessions", pin=False)["sessions"] == []
        view.press("Sign in")
        view.wait_for("renews by itself", 60)
        assert len(home.json("sessions", pin=False)["sessions"]) == 1


def test_a_sign_in_that_is_cancelled_leaves_nothing(home, window_of, tmp_path):
    home.set_pin()
    with Issuer() as issuer:
        view = window_of(home, BROWSER="/bin/true")
        view.unlock()
        tab(view, "Sign-ins")
        view.press("Sign in")
        view.wait("Link", "text")
        view.type(issuer.issuer)
        view.press("Continue")
        view.wait_for("Sign in at this issuer?")
        view.press("Sign in")
        view.wait_for("Waiting for the issuer")
        view.picture("sign-in-waiting")
        view.press("Cancel")
        view.wait_for("Nobody is signed in")
        assert home.json("sessions", pin=False)["sessions"] == []


def asks(home):
    """A program asks for a token of the session. The request stays for ten minutes."""
    return home.run("token", "fern", "--json", pin=False, wrapper=(PROGRAM, "run"))


def test_a_program_is_allowed_and_loses_it_again(home, window_of):
    home.set_pin()
    with signed_in(home, "--name", "fern"):
        view = window_of(home)
        view.unlock()
        view.wait_for("Nothing waits")
        assert asks(home).code == 3
        tab(view, "Programs")
        name = f"script:{PROGRAM}"
        view.wait_for("Asks now")
        view.wait(name)
        view.picture("programs")
        view.press("Allow")
        view.wait_for("Allow this program?")
        view.picture("program-card")
        view.press("Continue")
        view.wait_for("Also when nobody is here?")
        view.picture("program-unattended")
        # The button of a no is named by the question.
        view.press("Cancel")
        view.wait("PIN")
        view.picture("program-pin")
        view.type("314159")
        view.press("Allow")
        view.wait_for("Wrong PIN")
        view.type(PIN)
        view.press("Allow")
        view.wait_for("May have tokens")
        assert asks(home).json["token"]["session"] == "fern"
        view.picture("programs-granted")
        [grant] = home.json("grants", pin=False)["grants"]
        row = view.wait(name, "list item")
        assert row.get_description() == grant["id"] and grant["when"] == "open"
        view.press("Revoke")
        view.wait_for("Only your PIN allows it again.")
        view.picture("program-revoke")
        view.press("End")
        view.wait_for("No program asks")
        assert home.json("grants", pin=False)["grants"] == []


def test_a_program_is_refused(home, window_of):
    home.set_pin()
    with signed_in(home, "--name", "fern"):
        view = window_of(home)
        view.unlock()
        view.wait_for("Nothing waits")
        assert asks(home).code == 3
        tab(view, "Programs")
        view.press("Refuse")
        view.wait_for("Refuse this program?")
        view.picture("program-refuse")
        view.press("Refuse")
        view.wait_for("No program asks")
        assert home.json("requests", pin=False) == {"requests": []}
        assert home.json("grants", pin=False)["grants"] == []
