"""Sessions beside an open agent: it carries the commands out, answers as they do alone, and asks for no PIN of their own."""

import json

import pexpect
import pytest
from agents import agents  # noqa: F401
from conftest import PIN, ROOT, finish
from innards import until
from issuers import Issuer, log_in, signed_in, signed_out
from test_pages import browser, opener  # noqa: F401


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


def test_logout(home, agents, browser):
    with signed_in(home, "--name", "fern") as issuer:
        for name in ("ash", "elm", "oak"):
            log_in(home, issuer, "--name", name, "--scope", "openid")
        agents(home).unlock()
        both(home, "logout", "birch", "--json")
        both(home, "logout", "birch", "linden")
        quiet = home.json("logout", "oak", "--local-only", pin=False)
        assert quiet == signed_out("oak", revoked=False)
        assert issuer.requests("revoke") == []
        # By the issuer it may be any of three.
        assert both(home, "logout", issuer.issuer).code == 4
        ended = home.json("logout", "ash", "ash", pin=False)
        assert ended == signed_out("ash")
        assert browser.read_text() == ""

        child = home.terminal("logout", "elm", "--no-browser")
        child.expect("elm \\(mira@fern.example\\): sign out and tell the issuer.*y/N")
        child.sendline("n")
        child.expect(pexpect.EOF)
        assert "PIN" not in child.before and "elm" in home.ok("sessions", pin=False).out

        ended = home.json("logout", "--all", "--browser", pin=False)
        # The page of one issuer is opened once.
        assert [(s["name"], s["revoked"], s["browser"]) for s in ended["signed_out"]] == [
            ("elm", True, True), ("fern", True, False)]
        [(_, page)] = [line.split() for line in until(browser.read_text).splitlines()]
        assert page.startswith(issuer.base + "/logout?client_id=dyn-")
        assert home.json("sessions") == {"sessions": []} and both(home, "logout", "--all").code == 0
        assert issuer.complaints == []


def test_what_goes_with_a_session(home, agents):
    """It is shown before the question, and told afterwards; `sessions show` tells it, too."""
    with signed_in(home, "--name", "fern") as issuer:
        log_in(home, issuer, "--name", "oak", "--scope", "openid")
        unit = home.json("grants", "add", "unit:backup.service", "--session", "fern", "--scope", "email")["grant"]["id"]
        gone = home.json("grants", "add", f"script:{home.path}/gone", "--session", "fern")["grant"]["id"]
        home.ok("grants", "add", "unit:other.service", "--session", "oak")
        site = home.json("sites", "add", issuer.api, "--session", "fern", "--yes")["site"]["id"]
        agents(home).unlock()
        both(home, "sessions", "show", "fern")
        shown = both(home, "sessions", "show", "fern", "--json").json
        assert (shown["grants"], shown["sites"]) == ([unit, gone], [site])
        text = home.ok("sessions", "show", "fern", pin=False).out
        assert f"Program      unit:backup.service, for email ({unit})\n" in text
        assert f"gone, its file is gone ({gone})\n" in text and f"Site         {issuer.api} ({site})\n" in text
        oak = home.json("sessions", "show", "oak", pin=False)
        assert len(oak["grants"]) == 1 and oak["sites"] == []

        child = home.terminal("logout", "fern", "oak", "--no-browser", columns=250)
        child.expect(f"Programs that lose the tokens of fern: unit:backup.service, script:{home.path}/gone\r\n"
                     f"Sites that lose the tokens of fern: {issuer.api}\r\n"
                     "Programs that lose the tokens of oak: unit:other.service\r\n"
                     r"fern \(mira@fern.example\), oak .*\[y/N\]")
        child.sendline("n")
        assert finish(child) == 2 and len(home.json("sessions")["sessions"]) == 2
        assert home.json("logout", "fern", pin=False) == signed_out("fern", grants=[unit, gone], sites=[site])
        assert [grant["session"] for grant in home.json("grants")["grants"]] == ["oak"]


def test_what_is_kept_is_left(home, agents):
    """By --all alone: a name says that it is meant."""
    with signed_in(home, "--name", "fern", "--keep") as issuer:
        log_in(home, issuer, "--name", "oak", "--scope", "openid")
        agents(home).unlock()
        assert home.json("logout", "--all", pin=False) == signed_out("oak", kept=["fern"])
        left = both(home, "logout", "--all")
        assert (left.code, left.out) == (0, "Left signed in, since you keep it: fern\n")
        assert [s["name"] for s in home.json("sessions")["sessions"]] == ["fern"] and issuer.families[0].isAlive
        assert home.json("logout", "fern", pin=False) == signed_out("fern")


def test_a_refusal_is_asked_for_on_a_terminal(home, agents):
    with signed_in(home, "--name", "fern"):
        agents(home).unlock()

        def answered(*args, asked, answer):
            child = home.terminal(*args, columns=250)
            child.expect(asked)
            child.sendline(answer)
            return finish(child)

        assert home.run("token", "fern", pin=False, wrapper=(ROOT / "Tests/Support/program", "run")).code == 3
        [request] = home.json("requests", pin=False)["requests"]
        question = f"{request['id']}: refuse script:.* what it asks for, for ten minutes\\?.*y/N"
        assert answered("refuse", request["id"], asked=question, answer="n") == 2
        assert home.json("requests", pin=False)["requests"] == [request]
        assert answered("refuse", request["id"], asked=question, answer="y") == 0
        assert home.json("requests", pin=False) == {"requests": []}


def test_what_a_new_grant_is_for_is_shown_first(home, agents, tmp_path):
    with signed_in(home, "--name", "fern") as issuer:
        agents(home).unlock()
        program = tmp_path / "backup"
        program.write_text("#!/bin/sh\n")
        program.chmod(0o755)
        child = home.terminal("grants", "add", f"script:{program}", "--session", "fern", columns=250)
        host = issuer.origin.removeprefix("http://").split(":")[0]
        child.expect(f"Session: fern.*Account: mira@fern.example.*Issuer: {host}.*Any of your programs could change this program's file")
        child.expect("PIN")
        child.sendline(PIN)
        assert finish(child) == 0


def test_a_revocation_is_asked_for_on_a_terminal(home, agents):
    with signed_in(home, "--name", "fern"):
        grants = [home.json("grants", "add", f"unit:{name}.service", "--session", "fern")["grant"]["id"] for name in "abc"]
        agents(home).unlock()

        def revoke(grant, *args, asked, answer):
            child = home.terminal("grants", "revoke", grant, *args, columns=250)
            child.expect(asked)
            child.sendline(answer)
            return finish(child)
        assert revoke(grants[0], asked=f"{grants[0]}: end what unit:a.service may have of fern\\?.*y/N", answer="n") == 2
        assert revoke(grants[0], "--cut", asked="They end for other programs, too.*y/N", answer="") == 2
        assert len(home.json("grants")["grants"]) == 3
        assert revoke(grants[0][:7], asked=f"{grants[0]}: .*y/N", answer="y") == 0
        child = home.terminal("grants", "revoke", grants[1], "--yes")
        child.expect("Revoked: unit:b.service")
        assert finish(child) == 0
        home.ok("grants", "revoke", grants[2], pin=False)
        assert home.json("grants") == {"grants": []}
        child = home.terminal("grants", "revoke", "1")
        child.expect("no grant")
        assert finish(child) == 4


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
