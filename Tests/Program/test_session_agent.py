"""Sessions beside an open agent: it carries the commands out, answers as they do alone, and asks for no PIN of their own."""

import json

import pexpect
import pytest
from agents import agents  # noqa: F401
from innards import until
from issuers import Issuer, log_in, signed_in
from test_pages import opener  # noqa: F401


@pytest.fixture
def home(home):
    return home.set_pin()


def both(home, *args):
    """The answer of a command that changes nothing: by itself with the PIN, and equally by the agent."""
    alone = home.run(*args)
    beside = home.run(*args, pin=False)
    assert (beside.code, beside.out, beside.err) == (alone.code, alone.out, alone.err)
    return beside


def test_show_and_rename(home, agents):
    with signed_in(home, "--name", "fern", userinfo={"name": "Mira\x1b[2J Oak"}) as issuer:
        log_in(home, issuer, "--name", "oak", "--scope", "openid")
        agents(home).unlock()
        for args in (["show", "fern"], ["show", "oak"], ["show", "elm"], ["show", issuer.issuer], ["rename", "elm", "ash"],
                     ["rename", "oak", "fern"], ["rename", "oak", "oak"], ["rename", "oak", "-x"]):
            both(home, "sessions", *args, "--json")
            both(home, "sessions", *args)
        issuer.userinfo = {"name": "Mira Elm"}
        shown = home.json("sessions", "show", "fern", "--refresh", pin=False)
        assert shown["profile"]["name"] == "Mira Elm" and shown == home.json("sessions", "show", "fern")
        assert home.json("sessions", "rename", "oak", "ash", pin=False)["session"]["name"] == "ash"
        assert [s["name"] for s in home.json("sessions")["sessions"]] == ["ash", "fern"]
        assert issuer.complaints == []


def test_logout(home, agents, opener):
    with signed_in(home, "--name", "fern") as issuer:
        for name in ("ash", "elm", "oak"):
            log_in(home, issuer, "--name", name, "--scope", "openid")
        agents(home).unlock()
        both(home, "logout", "birch", "--json")
        both(home, "logout", "birch", "linden")
        quiet = home.json("logout", "oak", "--local-only", pin=False)
        assert quiet == {"signed_out": [{"name": "oak", "revoked": False, "owed": False, "browser": False}]}
        assert issuer.requests("revoke") == []
        # By the issuer it may be any of three.
        assert both(home, "logout", issuer.issuer).code == 4
        ended = home.json("logout", "ash", "ash", pin=False)
        assert ended == {"signed_out": [{"name": "ash", "revoked": True, "owed": False, "browser": False}]}
        assert opener.read_text() == ""

        child = home.terminal("logout", "elm", "--no-browser")
        child.expect("elm \\(mira@fern.example\\): sign out and tell the issuer.*y/N")
        child.sendline("n")
        child.expect(pexpect.EOF)
        assert "PIN" not in child.before and "elm" in home.ok("sessions", pin=False).out

        ended = home.json("logout", "--all", "--browser", pin=False)
        # The page of one issuer is opened once.
        assert [(s["name"], s["revoked"], s["browser"]) for s in ended["signed_out"]] == [
            ("elm", True, True), ("fern", True, False)]
        assert until(opener.read_text).startswith(issuer.base + "/logout?client_id=dyn-")
        assert home.json("sessions") == {"sessions": []} and both(home, "logout", "--all").code == 0
        assert issuer.complaints == []


def test_an_issuer_that_is_down_is_told_later(home, agents):
    with Issuer() as issuer:
        log_in(home, issuer, "--name", "fern")
        log_in(home, issuer, "--name", "oak", "--scope", "openid")
        agents(home).unlock()
        issuer.fault("revoke", "error", error="temporarily_unavailable", status=503, times=-1)
        assert home.json("logout", "fern", pin=False)["signed_out"][0]["owed"]
        assert [family.isAlive for family in issuer.families] == [True, True]
        issuer.faults.clear()
        # The agent tells the rest by itself after the next logout.
        assert home.json("logout", "oak", pin=False)["signed_out"][0]["revoked"]
        until(lambda: [family.isAlive for family in issuer.families] == [False, False], 30)


def test_who_may_and_when(home, agents):
    with signed_in(home, "--name", "fern") as issuer:
        agent = agents(home).unlock()
        body, kind = json.dumps({"name": "oak"}).encode(), {"Content-Type": "application/json"}
        assert agent.request("GET", "/sessions/fern").status == 403
        assert agent.request("PATCH", "/sessions/fern", body, kind).status == 403
        assert agent.request("DELETE", "/sessions/fern").status == 403
        home.ok("lock", pin=False)
        for args in (["sessions", "show", "fern"], ["sessions", "rename", "fern", "oak"], ["logout", "fern"]):
            assert home.run(*args, pin=False).code == 3, args
        assert [s["name"] for s in home.json("sessions")["sessions"]] == ["fern"] and issuer.requests("revoke") == []
