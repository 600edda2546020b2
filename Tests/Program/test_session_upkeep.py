"""What is known of a session, and its name."""

import json
import subprocess

import pytest
from conftest import check_schema, finish
from innards import until
from issuers import Issuer, followed, log_in, signed_in, signed_out, visit
from test_pages import browser, opener, portal  # noqa: F401


@pytest.fixture
def home(home):
    return home.set_pin()


def test_show_rename_and_what_userinfo_says(home):
    quiet = {"name": None, "email": None, "preferred_username": None}
    with signed_in(home, id_token=quiet, userinfo={"name": "Mira\x1b[2J Oak"}) as issuer:
        assert len(issuer.requests("userinfo")) == 1
        shown = home.json("sessions", "show", "issuer")
        check_schema(["sessions", "show"], shown)
        # Of UserInfo alone, and made safe.
        assert shown["profile"]["email"] == shown["session"]["account"] == "mira@fern.example"
        assert shown["profile"]["name"].startswith("Mira") and "\x1b" not in shown["profile"]["name"]
        assert shown["client"]["registered"] and shown["endpoints"]["end_session"] == issuer.base + "/logout"
        assert [token["kind"] for token in shown["tokens"]] == ["access", "id"]
        text = home.ok("sessions", "show", "issuer").out
        assert "mira@fern.example" in text and "\x1b" not in text
        tokens = [home.ok("token").out.strip()] + [t for family in issuer.families for t in family.good]
        assert not any(token in text + str(shown) for token in tokens)

        issuer.userinfo = {"email": "oak@fern.example"}
        assert home.json("sessions", "show", "issuer", "--refresh")["profile"]["email"] == "oak@fern.example"
        renamed = home.json("sessions", "rename", "issuer", "fern")
        check_schema(["sessions", "rename"], renamed)
        assert home.ok("sessions", "list").out.splitlines()[1].startswith("fern ")
        assert home.run("sessions", "rename", "fern", "-x").code == home.run("sessions", "rename", "fern", "Fern").code == 64
        assert home.run("sessions", "show", "issuer").code == 4


def test_userinfo_of_somebody_else(home):
    """Nothing of it is kept, and the login goes on; so it does where UserInfo fails."""
    with Issuer(userinfo={"sub": "ole", "name": "Ole"}) as issuer:
        result, _ = log_in(home, issuer, "--name", "fern")
        assert "UserInfo is about somebody else" in result.err
        assert home.json("sessions", "show", "fern")["profile"]["name"] == "Mira Oak"
        issuer.fault("userinfo", "html", -1)
        result, _ = log_in(home, issuer, "--name", "oak")
        assert "could not be asked for" in result.err, result


def test_a_logout_deletes_the_registration_and_signs_the_browser_out(home, browser):
    """What a program gets as its argument, every user can read: it tells nothing of the issuer, and leads to the page."""
    with signed_in(home, "--name", "fern") as issuer:
        log_in(home, issuer, "--name", "oak", "--scope", "openid")
        registered = [name for name in issuer.clients if name.startswith("dyn-")]
        home.ok("logout", "oak")
        outcome = home.json("logout", "fern", "--browser")
        check_schema(["logout"], outcome)
        assert outcome == signed_out("fern", browser=True)
        assert [name for name in issuer.clients if name.startswith("dyn-")] == [] and registered
        assert len(issuer.requests("unregister")) == len(registered)
        lead, page = until(browser.read_text).split()
        assert lead.startswith("http://127.0.0.1:") and not lead.startswith(issuer.base) and "?" not in lead
        assert page.startswith(issuer.base + "/logout?client_id=dyn-") and "id_token_hint" not in page
    assert home.run("logout", "fern", "--browser", "--local-only").code == 64


def test_ctrl_c_ends_the_wait_for_the_browser_and_nothing_else(home, opener):
    """The logout is done by then."""
    with signed_in(home, "--name", "fern"):
        child = home.terminal("logout", "fern", "--pin-file", home.pin_file, columns=250)
        child.expect("y/N")
        child.sendline("y")
        child.expect("so that it is signed out, too")
        until(opener.read_text)
        child.sendintr()
        child.expect("To sign your browser out of it, visit")
        child.expect("Signed out: fern")
        assert finish(child) == 0
    assert home.json("sessions") == {"sessions": []}


def test_no_id_token_that_is_still_good_goes_to_a_browser(home, opener, portal):
    """A browser keeps addresses in its history."""
    with signed_in(home, "--name", "fern") as issuer:
        logout = subprocess.Popen(
            home.argv("logout", "fern", "--browser", "--json", "--pin-file", home.pin_file), stdout=subprocess.PIPE, text=True,
            env=home.environment)
        page = followed(until(lambda: portal.made("OpenURI"))[0]["address"])
        assert json.loads(logout.communicate(timeout=60)[0])["signed_out"][0]["browser"] and opener.read_text() == ""
        assert page.startswith(issuer.base + "/logout?client_id=") and "id_token_hint" not in page
        assert visit(page)[0] == 200 and issuer.complaints == []
