"""What the log tells of sessions: the same chain as that of decisions, with notes that waited while its key was not there."""

import signal
import subprocess

import pytest
from agents import agents, desktop  # noqa: F401
from conftest import check_schema
from innards import all_bytes, copy_home, sql, until
from issuers import Issuer, log_in, signed_in
from test_session_agent import both
from test_session_programs import PROGRAM, ask

NAME = "unit:backup.service"


@pytest.fixture
def home(home):
    return home.set_pin()


def told(home, *args, **options):
    """Event, session and detail of each note."""
    answer = home.json("history", "--sessions", *args, **options)
    assert answer["log"] == "intact"
    return [(e["event"], e["session"], e["detail"]) for e in answer["events"]]


def waiting(home):
    return sql(home, "SELECT count(*) FROM pending_note")[0][0]


def test_the_path_of_notes(home):
    assert home.json("history", "--sessions") == {"events": [], "log": "intact"}
    assert home.ok("history", "--sessions").out == "Nothing has happened to sessions.\n"
    with Issuer() as issuer:
        log_in(home, issuer, "--name", "fern")
        log_in(home, "fern")
        grant = home.json("grants", "add", NAME, "--session", "fern", "--when", "unlocked")["grant"]
        home.ok("grants", "revoke", grant["id"])
        home.ok("logout", "fern")
        assert waiting(home) == 0
        answer = home.json("history", "--sessions", "--verify")
        host = issuer.origin.removeprefix("http://")
        events = answer["events"]
        assert [(e["event"], e["detail"]) for e in events] == [
            ("signed_in", None), ("signed_in", "again"), ("granted", "unlocked"), ("revoked", None), ("signed_out", "revoked")]
        assert {(e["session"], e["host"]) for e in events} == {("fern", host)}
        assert [e["program"] for e in events] == [
            None, None, *[{"kind": "unit", "name": "backup.service"}] * 2, None]
        assert all(e["scopes"] == ["email", "openid", "profile"] for e in events)
        assert len({e["hash"] for e in events}) == 5 and sorted(e["at"] for e in events) == [e["at"] for e in events]
        # The list of decisions says nothing of it, and the same chain is checked.
        assert home.json("history", "--verify") == {"decisions": [], "log": "intact"}
        rows = home.ok("history", "--sessions", "--verify").out.splitlines()
        assert rows[0].split() == ["AT", "SESSION", "HOST", "EVENT", "PROGRAM"] and len(rows) == 7
        assert rows[1].endswith("signed in") and rows[3].split()[-3:] == ["granted", "(unlocked)", NAME]
        assert "The log is intact" in rows[-1]
        assert home.ok("history", "--sessions", "-q").out.split() == [e["hash"] for e in events]

        assert home.json("history", "--sessions", "--limit", "2")["events"] == events[-2:]
        assert told(home, "--since", "2099-01-01") == [] and len(told(home, "--since", "1h")) == 5
        for wrong in (["--connection", "fern"], ["--source"], ["--limit", "0"], ["--since", "soon"]):
            assert home.run("history", "--sessions", *wrong, pin=False).code == 64
        for content in all_bytes(home).values():
            assert host.encode() not in content and b"backup" not in content and b"signed_" not in content


def test_a_session_whose_time_was_over(home):
    with signed_in(home, "--name", "fern", "--until", "1s"):
        while home.json("sessions")["sessions"][0]["status"] == "active":
            pass
        assert told(home) == [("signed_in", "fern", None), ("ended", "fern", "time_over")]


def test_a_changed_log_is_seen(home):
    with signed_in(home, "--name", "fern"):
        home.ok("logout", "fern")
        sql(home, "DELETE FROM event WHERE sequence = 1")
        result = home.run("history", "--sessions", "--verify", "--json")
        check_schema(["history", "--sessions"], result.json)
        assert result.code == 1 and result.json["log"] == "broken at event 1: missing", result
        assert [e["event"] for e in result.json["events"]] == ["signed_out"]
        result = home.run("history", "--sessions", "--verify")
        assert result.code == 1 and "error: the log is broken at event 1" in result.err


def test_beside_an_agent(home, agents):
    with signed_in(home, "--name", "fern") as issuer:
        log_in(home, issuer, "--name", "oak", "--scope", "openid")
        agent = agents(home).unlock()
        home.ok("logout", "oak", pin=False)
        assert told(home, pin=False) == [
            ("signed_in", "fern", None), ("signed_in", "oak", None), ("signed_out", "oak", "revoked")]
        for args in ([], ["--verify"], ["--limit", "1"], ["--since", "1h"], ["--since", "2099-01-01"], ["-q"]):
            both(home, "history", "--sessions", *args)
            both(home, "history", "--sessions", *args, "--json")
        # The key of the log goes with what banks ask.
        home.ok("lock", pin=False)
        assert home.run("history", "--sessions", pin=False).code == 3
        assert agent.request("GET", "/history/sessions").status == 403


def test_while_the_key_of_the_log_is_away(home, desktop, agents):
    """Screen locked: what an allowed program does is kept, sealed, and comes into the log with the PIN."""
    with signed_in(home, "--name", "fern"):
        agent = agents(home).unlock()
        name = f"script:{PROGRAM}"
        home.ok("grants", "add", name, "--session", "fern", "--when", "unlocked")
        before = told(home, pin=False)
        desktop.do("lock-screen")
        until(lambda: agent.request("GET", "/agent").json["state"] == "hidden")
        assert ask(agent, "/grants/own", method="DELETE").status == 204
        assert waiting(home) == 1 and "1 event waits for the log" in home.ok("doctor", pin=False).out
        for content in all_bytes(home).values():
            assert b"Support/program" not in content and b"revoked" not in content and b"by_itself" not in content
        copy = copy_home(home, home.path / "copy")
        agent.stop()
        # Not by the agent alone: any command with the PIN does it first.
        home.ok("connections")
        assert waiting(home) == 0
        assert told(home) == [*before, ("revoked", "fern", "by_itself")]
        assert home.json("grants") == {"grants": []}
        copy.ok("pin", "reset", "--yes", pin=False)
        assert waiting(copy) == 0


def test_a_command_that_is_killed_loses_no_note(home):
    """Wherever the kill falls: what was done is told once."""
    with Issuer() as issuer:
        log_in(home, issuer, "--name", "fern")
        before = len(told(home))
        for number in range(12):
            process = subprocess.Popen(
                home.argv("grants", "add", f"unit:u{number}.service", "--session", "fern", "--pin-file", home.pin_file),
                env=home.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                process.wait(0.02 * number)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                process.wait()
        done = {grant["program"]["name"] for grant in home.json("grants")["grants"]}
        events = home.json("history", "--sessions")["events"][before:]
        assert sorted(e["program"]["name"] for e in events) == sorted(done)
        assert waiting(home) == 0 and home.json("history", "--verify")["log"] == "intact"
