"""A session that ended, and that a program asks for all the same: a note on the desktop, whose button leads to the login."""

import pytest
from agents import NO, YES, Desktop, agents, pinentry, typed  # noqa: F401
from conftest import PIN
from innards import until
from issuers import Issuer, await_expiry, followed, log_in, redirect_of, visit
from test_session_programs import NAME, run


@pytest.fixture
def desktop(tmp_path):
    """One whose portal opens pages."""
    desktop = Desktop(tmp_path, "--portal")
    yield desktop
    desktop.stop()


@pytest.fixture
def bare(tmp_path):
    """One that opens no pages."""
    desktop = Desktop(tmp_path)
    yield desktop
    desktop.stop()


@pytest.fixture
def ended(home):
    """An issuer that no longer takes the refresh token of `fern`, whose access token has run out, and a program that may use it."""
    with Issuer(expires_in=11) as issuer:
        log_in(home.set_pin(), issuer, "--name", "fern")
        home.ok("grants", "add", NAME, "--session", "fern", "--when", "unlocked")
        issuer.end_family(issuer.families[0])
        await_expiry(home)
        issuer.expires_in = 3600
        yield issuer


def ask(home):
    """The program asks, and gets nothing."""
    result = run(home, "token", "--json")
    assert (result.code, result.json["error"]["kind"]) == (3, "signed_out")


def test_the_button_leads_through_the_login(home, ended, agents, desktop, pinentry):
    agents(home, pinentry=pinentry).unlock()
    for _ in range(3):
        ask(home)
    note = desktop.note("Sign in again")
    assert note["actions"] == ["default", "Sign in", "sign-in", "Sign in"]
    # No page is opened for a program.
    assert desktop.made("OpenURI") == [] and pinentry.asked() == []

    # The person closes the window: nothing was opened, and the note stands.
    pinentry.answers(NO)
    desktop.do("invoke", note["id"], "sign-in")
    pinentry.until_asked("CONFIRM")
    shown = pinentry.told("SETDESC")[0]
    assert "Session: fern" in shown and "Account: mira@fern.example" in shown and "Issuer: 127.0.0.1" in shown
    assert desktop.made("OpenURI") == []

    pinentry.answers(YES)

    def opened():
        # While the first press is not over yet, another one does nothing.
        if not pinentry.asked():
            desktop.do("invoke", desktop.note("Sign in again")["id"], "sign-in")
        return desktop.made("OpenURI")
    [page] = until(opened, 60)
    back = redirect_of(followed(page["address"]))
    status, _, text = visit(back)
    assert status == 200 and "Signed in" in text
    assert run(home, "token").code == 0
    desktop.empty()
    assert desktop.told("Signed in again")
    # What a desktop keeps names nothing.
    for note in desktop.made("Notify"):
        assert not any(word in note["summary"] + note["body"] for word in ("fern", "mira", "127.0.0.1", "program"))
    [session] = home.json("sessions")["sessions"]
    assert (session["name"], session["status"]) == ("fern", "active") and ended.complaints == []


def test_behind_the_locked_screen(home, ended, agents, desktop, pinentry):
    """It is told there, also once what banks ask is hidden; the button then takes the PIN first."""
    agent = agents(home, pinentry=pinentry, settings='[sessions]\nlanguages = ["nl"]\n').unlock()
    desktop.do("lock-screen")
    until(lambda: agent.handshake()["sessions"] == "asleep", 30)
    ask(home)
    pinentry.answers(typed(PIN), YES)
    desktop.do("invoke", desktop.note("Sign in again")["id"], "sign-in")
    [page] = until(lambda: desktop.made("OpenURI"), 60)
    assert pinentry.asked() == ["GETPIN", "CONFIRM"]
    page = followed(page["address"])
    assert "ui_locales=nl" in page and visit(redirect_of(page))[0] == 200
    assert run(home, "token").code == 0


def test_where_no_page_can_be_opened(home, ended, agents, bare, pinentry):
    """The note says what to run."""
    agent = agents(home, pinentry=pinentry).unlock()
    ask(home)
    pinentry.answers(YES)
    bare.do("invoke", bare.note("Sign in again")["id"], "sign-in")
    failed = bare.note("Not signed in")
    assert "countersign login NAME" in failed["body"] and "fern" not in failed["body"]
    assert bare.note("Sign in again")
    # Where the session is gone, so is the note.
    home.ok("logout", "fern", "--local-only", pin=False)
    until(lambda: "Sign in again" not in [note["summary"] for note in bare.notes().values()], 60)
    assert "fern" not in agent.said and "127.0.0.1" not in agent.said
