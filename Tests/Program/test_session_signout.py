"""Sessions that are signed out by time: what the person says, what is left, and what a login brings back."""

import datetime
import time

import pytest
from agents import agents, configure, desktop  # noqa: F401
from conftest import check_schema, finish
from innards import until
from issuers import Issuer, LoginRun, log_in, redirect_of, signed_in, visit


@pytest.fixture
def home(home):
    return home.set_pin()


def the_session(home, **options):
    [session] = home.json("sessions", **options)["sessions"]
    return session


def seconds_left(session):
    return datetime.datetime.fromisoformat(session["sign_out_at"]).timestamp() - time.time()


def await_end(home):
    while the_session(home)["status"] == "active":
        time.sleep(0.3)


def again(home, *args):
    run = LoginRun(home, *args)
    visit(redirect_of(run.page))
    result = run.end()
    assert result.code == 0, result
    return result


def test_the_time_and_what_a_login_brings_back(home):
    with Issuer() as issuer:
        issuer.resources = [issuer.api]
        result, _ = log_in(home, issuer, "--name", "fern", "--until", "8h", "--json")
        check_schema(["login"], result.json)
        assert 28700 < seconds_left(result.json["session"]) <= 28800 and not result.json["session"]["keep"]
        home.ok("sites", "add", issuer.api, "--session", "fern", "--yes")
        home.ok("grants", "add", "unit:backup.service", "--session", "fern")
        token = home.ok("token", "fern").out.strip()
        changed = home.json("sessions", "set", "fern", "--until", "2s")
        assert seconds_left(changed["session"]) < 2
        await_end(home)
        # The next command did it: the issuer was told, and nothing is left to use.
        assert not issuer.families[0].isAlive and visit(issuer.api, {"Authorization": f"Bearer {token}"})[0] == 401
        result = home.run("token", "fern", "--json")
        check_schema(["failure"], result.json)
        assert (result.code, result.json["error"]["kind"], result.json["error"]["hint"]) == (
            3, "signed_out", "countersign login fern")
        session = the_session(home)
        assert (session["status"], session["reason"], session["sign_out_at"]) == ("ended", "time_over", None)
        assert home.json("sessions", "show", "fern")["tokens"] == []
        assert "signed out: its time was over" in home.ok("sessions").out
        # Site and grant were kept, and serve the new login.
        result = again(home, "fern", "--until", "never")
        assert "signs out" not in result.out
        assert home.ok("header", issuer.api + "/me").out.startswith("Authorization: Bearer ")
        assert [grant["status"] for grant in home.json("grants")["grants"]] == ["active"]
        assert issuer.refreshes() == []
        assert issuer.complaints == []


def test_the_first_use_of_the_pin_says_so(home):
    with signed_in(home, "--until", "1s") as issuer:
        time.sleep(1.1)
        result = home.ok("sites")
        assert result.err == "issuer was signed out when its time was over.\n"
        assert not issuer.families[0].isAlive
        assert home.ok("sites").err == ""


def test_an_issuer_that_is_down_is_told_later(home):
    with signed_in(home, "--until", "1s") as issuer:
        issuer.fault("revoke", "error", error="temporarily_unavailable", status=503, times=-1)
        time.sleep(1.1)
        assert the_session(home)["reason"] == "time_over"
        assert issuer.families[0].isAlive
        result = home.ok("doctor")
        assert "still to be ended at issuers" in result.out
        issuer.faults.clear()
        again(home, "issuer", "--until", "never")
        assert [family.isAlive for family in issuer.families] == [False, True]


def test_a_setting_is_for_all_but_those_that_are_kept(home):
    configure(home, '[sessions]\nsign_out = "8h"\n')
    with Issuer() as issuer:
        result, _ = log_in(home, issuer, "--name", "fern")
        assert ", signs out " in result.out
        log_in(home, issuer, "--name", "oak", "--keep")
        log_in(home, issuer, "--name", "ash", "--until", "1h")
        found = {s["name"]: s for s in home.json("sessions")["sessions"]}
        assert found["oak"]["sign_out_at"] is None and found["oak"]["keep"]
        assert 28700 < seconds_left(found["fern"]) <= 28800 and 3500 < seconds_left(found["ash"]) <= 3600
        result = home.ok("doctor")
        assert "ash ends 20" in result.out and "fern ends 20" in result.out and "oak ends" not in result.out
        configure(home, '[sessions]\nsign_out = "1s"\n')
        time.sleep(1.1)
        found = {s["name"]: s["reason"] for s in home.json("sessions")["sessions"]}
        assert found == {"fern": "time_over", "oak": None, "ash": "time_over"}
        # Now the setting holds for it, too.
        assert home.json("sessions", "set", "oak", "--no-keep")["session"]["reason"] == "time_over"


@pytest.mark.parametrize("text", ['sign_out = "8"', "sign_out = 8", 'sign_out = "25:00"', 'sign_out = ""'])
def test_a_setting_that_says_no_time(home, text):
    configure(home, f"[sessions]\n{text}\n")
    result = home.run("sessions")
    assert result.code == 64 and "sessions.sign_out" in result.err and "line 2" in result.err, result


@pytest.mark.parametrize("text", ['sign_out_on = "sleep"', 'sign_out_on = ["nap"]', "sign_out_on = [1]"])
def test_a_setting_that_names_no_event(home, text):
    configure(home, f"[sessions]\n{text}\n")
    result = home.run("sessions")
    assert result.code == 64 and "sessions.sign_out_on" in result.err, result


@pytest.mark.parametrize("event,command", [("sleep", "sleep"), ("screen_lock", "lock-screen"), ("logout", "log-out")])
def test_whoever_leaves_is_signed_out(home, desktop, agents, event, command):
    with Issuer() as issuer:
        for name, *args in (("fern",), ("oak", "--keep")):
            log_in(home, issuer, "--name", name, *args)
        agents(home, settings=f'[sessions]\nsign_out_on = ["{event}"]\n').unlock()
        if event == "sleep":
            until(lambda: desktop.made("Inhibit"), 60)
        desktop.do(command)
        if event == "sleep":
            # The machine waits for that, but no longer than four seconds, which a busy one may need for the call alone.
            until(lambda: desktop.made("released"), 60)
        until(lambda: not issuer.families[0].isAlive, 60)
        assert issuer.families[1].isAlive
        assert desktop.note("You were signed out")
        assert [s["reason"] for s in home.json("sessions")["sessions"]] == ["left", None]
        assert home.ok("token", "oak").out
        result = home.run("token", "fern", "--json")
        assert (result.code, result.json["error"]["message"]) == (3, "fern was signed out when you left")


def test_an_issuer_that_does_not_answer_does_not_keep_the_machine_awake(home, desktop, agents):
    with signed_in(home) as issuer:
        issuer.fault("revoke", "delay", seconds=30, times=-1)
        agents(home, settings='[sessions]\nsign_out_on = ["sleep"]\n').unlock()
        until(lambda: desktop.made("Inhibit"), 60)
        desktop.do("sleep")
        begin = time.monotonic()
        until(lambda: desktop.made("released"), 60)
        assert time.monotonic() - begin < 5
        assert the_session(home)["reason"] == "left"
        issuer.faults.clear()
        again(home, "issuer")
        until(lambda: not issuer.families[0].isAlive, 60)


def test_what_cannot_be_said(home):
    for args in (["--until", "8w"], ["--until", "8h", "--keep"], []):
        result = home.run("sessions", "set", "fern", *args)
        assert result.code == 64, result
    assert home.run("sessions", "set", "fern", "--until", "8h").code == 4
    assert home.run("login", "https://fern.example", "--until", "noon").code == 64


def test_an_agent_does_it_by_itself(home, agents):
    with signed_in(home) as issuer:
        agents(home).unlock()
        home.json("sessions", "set", "issuer", "--until", "1s", pin=False)
        deadline = time.monotonic() + 40
        while issuer.families[0].isAlive:
            assert time.monotonic() < deadline, "nobody signs it out"
            time.sleep(0.2)
        assert the_session(home, pin=False)["reason"] == "time_over"


def test_to_stay_for_longer_takes_the_pin(home, agents):
    with signed_in(home, "--until", "2h"):
        agents(home).unlock()
        assert seconds_left(home.json("sessions", "set", "issuer", "--until", "1h", pin=False)["session"]) <= 3600
        result = home.run("sessions", "set", "issuer", "--until", "8h", "--json", "--no-input", pin=False)
        assert result.code == 3 and "PIN" in result.json["error"]["message"], result
        child = home.terminal("sessions", "set", "issuer", "--until", "8h")
        child.expect("Sign out: 8h")
        child.expect("PIN to stay signed in for longer")
        child.sendline("271828")
        child.expect("issuer: signs out ")
        assert finish(child) == 0
        assert seconds_left(the_session(home)) > 28000
        assert home.json("sessions", "set", "issuer", "--keep")["session"]["keep"]


@pytest.mark.parametrize("before, words, time", [
    (["--until", "7d"], ["--until", "1h"], "in 1h"), (["--until", "7d"], ["--until", "18:00"], "at 18:00"),
    ([], ["--until", "1h"], "in 1h"), (["--keep"], ["--no-keep"], "when the settings say so"),
    (["--keep"], ["--until", "never", "--no-keep"], "when the settings say so")])
def test_an_earlier_time_is_asked_about_on_a_terminal(home, agents, before, words, time):
    def setting():
        child = home.terminal("sessions", "set", "issuer", *words)
        child.expect_exact(f"Sign out of issuer {time}? [y/N] ")
        return child

    def end():
        """Told in whole seconds, which may differ by one each time."""
        session = the_session(home)
        return session["keep"], session["sign_out_at"] and round(seconds_left(session) / 60)

    with signed_in(home, *before):
        agents(home).unlock()
        first = end()
        child = setting()
        child.sendline("n")
        assert finish(child) == 2 and end() == first
        child = setting()
        child.sendline("y")
        assert finish(child) == 0 and end() != first


def test_what_is_no_question_is_not_asked_about(home, agents):
    with signed_in(home):
        agents(home).unlock()
        # The first two change nothing.
        for words in (["--no-keep"], ["--until", "never"], ["--until", "1h", "--yes"]):
            child = home.terminal("sessions", "set", "issuer", *words)
            assert finish(child) == 0 and "[y/N]" not in child.before
