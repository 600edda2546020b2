"""Logins beside an open agent, which carries them out: as they go without one, but without a PIN of their own, and with nothing left
of one that ended."""

import json
import re
import time

import pexpect
import pytest
from agents import agents, desktop  # noqa: F401
from conftest import PIN
from innards import until
from issuers import DeviceRun, Issuer, LoginRun, log_in, redirect_of, signed_in, visit
from test_issuer_files import write


@pytest.fixture
def home(home):
    return home.set_pin()


def names(home):
    return [session["name"] for session in home.json("sessions")["sessions"]]


def plain(result):
    """What a login said, without what differs from run to run."""
    out, err = (re.sub(r"127\.0\.0\.1:\d+", "HOST", text) for text in (result.out, result.err))
    # The line may stand among what the reader of the page's address had read already.
    err = re.sub(r"Waiting for the issuer.*\n", "", err)
    return result.code, re.sub(r"https?://\S+", "ADDRESS", err), re.sub(r"20\d\d-[-:T\d]+Z", "TIME", out)


def registrations(issuer):
    return [name for name in issuer.clients if name.startswith("dyn-")]


@pytest.mark.parametrize("options, args", [
    ({}, []), ({}, ["--json"]), ({}, ["--scope", "openid", "--account", "mira", "--offline", "--fresh", "--acr", "strong"]),
    ({"userinfo": {"sub": "ole"}}, ["--json"]), ({"id_token": {"sub": "o\x1b[2Jle"}}, ["--parameter", "ui_locales=de"]),
    ({"consent": "refuse"}, []), ({"consent": "refuse"}, ["--json"]), ({"metadata": {"registration_endpoint": None}}, []),
])
def test_it_goes_as_without_an_agent(home, other_home, agents, options, args):
    """Equal words, equal codes, and equal requests at the issuer."""
    other_home.set_pin()
    agents(other_home).unlock()
    seen = []
    for place, pin in ((home, True), (other_home, False)):
        with Issuer(**options) as issuer:
            run = LoginRun(place, issuer.issuer, "--name", "fern", *args, pin=pin)
            if run.page:
                visit(redirect_of(run.page))
            result = run.end()
            asked = [sorted(set(call.get("form") or {}) | set(call.get("query") or {})) for call in issuer.requests("authorize")]
            seen.append((plain(result), asked, len(issuer.requests("register")), len(registrations(issuer)), names(place)))
            assert issuer.complaints == []
    assert seen[0] == seen[1] and "PIN" not in seen[1][0][1]


def test_again_and_by_whom(home, agents):
    with signed_in(home, "--name", "fern") as issuer:
        agents(home).unlock()
        log_in(home, "fern", pin=False)
        assert [family.isAlive for family in issuer.families] == [False, True] and names(home) == ["fern"]
        before = home.ok("token").out
        issuer.subject = "ole"
        result, shown = log_in(home, "fern", code=8, pin=False)
        assert "somebody else signed in" in result.err and shown[0] == 400
        assert [family.isAlive for family in issuer.families] == [False, True, False]
        assert home.ok("token").out == before and names(home) == ["fern"]
        for args, code in ((["fern", "--name", "oak"], 64), ([issuer.issuer, "--name", "fern"], 64), (["elm"], 4)):
            alone, beside = (home.run("login", *args, "--yes", pin=pin) for pin in (True, False))
            assert (beside.code, beside.err) == (alone.code, alone.err) and beside.code == code
        assert issuer.complaints == []


def test_ways_back_and_files(home, agents, tmp_path):
    agents(home).unlock()
    with Issuer() as issuer:
        run = LoginRun(home, issuer.issuer, "--name", "ash", callback="paste", pin=False)
        forged = run.redirect_uri + "?code=1&state=forged"
        assert run.end(f"{forged}\n{redirect_of(run.page)}\n").code == 0
        issuer.resources = [issuer.api]
        path = write(tmp_path / "fern.toml", issuer=issuer.issuer, resources=[issuer.api], parameters={"ui_locales": "de"})
        run = LoginRun(home, "--from", path, "--name", "elm", pin=False)
        assert "ui_locales=de" in run.page
        visit(redirect_of(run.page))
        assert run.end().code == 0 and names(home) == ["ash", "elm"]
        # A secret does not pass through the agent: this login takes the PIN itself.
        secret = tmp_path / "secret"
        secret.write_text("s3cr3t\n")
        secret.chmod(0o600)
        issuer.client("fern", ["http://127.0.0.1/callback"], secret="s3cr3t", auth="basic")
        own = [issuer.issuer, "--name", "oak", "--client-id", "fern", "--client-secret-file", secret, "--redirect-uri",
               "http://127.0.0.1/callback"]
        assert home.run("login", *own, "--yes", pin=False).code == 3
        log_in(home, *own)
        log_in(home, "oak", pin=False)
        assert issuer.complaints == []
    broken = write(tmp_path / "broken.toml", issuer="https://a.example", colour="red")
    assert f"{broken}: line 2" in home.run("login", "--from", broken, pin=False).err


def test_codes_of_devices(home, agents):
    agents(home).unlock()
    with Issuer(device_interval=1) as issuer:
        run = DeviceRun(home, issuer, "--json", pin=False)
        page, code, whole = run.shown
        assert page == issuer.base + "/activate" and whole == f"{page}?user_code={code}"
        assert visit(whole)[0] == 200
        result = run.end()
        assert result.code == 0 and result.json["session"]["account"] == "mira@fern.example", result
        # It waits no longer than it was told to.
        result = DeviceRun(home, issuer, "--name", "oak", "--timeout", "0.05", pin=False).end()
        assert result.code == 2 and "the wait for the issuer's page is over" in result.err, result
        issuer.consent = "refuse"
        run = DeviceRun(home, issuer, "--name", "oak", pin=False)
        visit(run.shown[2])
        result = run.end()
        assert result.code == 5 and "refused on the issuer's page" in result.err, result
        assert names(home) == ["issuer"] and issuer.complaints == []


def test_a_command_that_is_gone_leaves_nothing(home, agents):
    """Neither a session, nor a registration, nor a place among the few that may wait."""
    agents(home).unlock()
    with Issuer(device_interval=1) as issuer:
        for number in range(5):
            run = DeviceRun(home, issuer, pin=False) if number == 2 else LoginRun(home, issuer.issuer, pin=False)
            run.process.kill()
            assert run.end().code == -9
            until(lambda: registrations(issuer) == [], 30)
        many = [LoginRun(home, issuer.issuer, pin=False) for _ in range(4)]
        result = home.run("login", issuer.issuer, "--yes", pin=False)
        assert result.code == 5 and "too many logins wait" in result.err
        for run in many:
            visit(redirect_of(run.page))
            assert run.end().code == 0
        assert names(home) == ["issuer"] and issuer.complaints == []


def test_a_lock_ends_the_wait_for_the_page(home, agents):
    agent = agents(home).unlock()
    with Issuer() as issuer:
        run = LoginRun(home, issuer.issuer, pin=False)
        begun = time.monotonic()
        home.ok("lock", pin=False)
        result = run.end()
        assert result.code == 3 and "the agent is locked" in result.err and time.monotonic() - begun < 20, result
        assert until(lambda: registrations(issuer) == [])
        agent.unlock()
        assert home.json("sessions", pin=False) == {"sessions": []}


def test_a_lock_ends_it(home, agents, desktop):
    agent = agents(home).unlock()
    with Issuer(device_interval=1) as issuer:
        browser, device = LoginRun(home, issuer.issuer, pin=False), DeviceRun(home, issuer, pin=False)
        desktop.do("lock-screen")
        for run in browser, device:
            result = run.end()
            assert result.code == 3 and "the agent is locked" in result.err, result
        until(lambda: registrations(issuer) == [], 30)
        # Unlocked again, it is still over.
        agent.unlock()
        assert names(home) == [] and issuer.requests("token", "authorization_code") == []


def test_on_a_terminal_and_by_others(home, agents):
    with Issuer() as issuer:
        agent = agents(home)
        body, kind = json.dumps({"target": issuer.issuer}).encode(), {"Content-Type": "application/json"}
        for expected in (["PIN: "], []):
            child = home.terminal("login", issuer.issuer, "--no-browser")
            for words in expected:
                child.expect(words)
                child.sendline(PIN)
            child.expect("Continue\\? \\[y/N\\]")
            assert "PIN" not in child.before
            assert agent.request("POST", "/logins", body, kind).status == 403
            child.sendline("y")
            page = re.search(r"  (http\S+)", read_until(child, "Waiting for the issuer"))[1]
            visit(redirect_of(page))
            child.expect("Signed in: issuer")
            child.expect(pexpect.EOF)
        child = home.terminal("login", issuer.issuer)
        child.expect("Continue\\? \\[y/N\\]")
        child.sendline("n")
        child.expect(pexpect.EOF)
        # A script beside a locked agent has nobody to ask.
        home.ok("lock", pin=False)
        assert home.run("login", issuer.issuer, "--yes", "--no-input", pin=False).code == 3
        assert issuer.complaints == [] and names(home) == ["issuer"]


def read_until(child, words):
    child.expect(words)
    return child.before
