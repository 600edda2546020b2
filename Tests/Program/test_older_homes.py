"""A home that an earlier release made opens, and becomes one of this release (Fixtures/homes/README.md)."""

import json
import re

import pytest
from agents import configure
from conftest import PIN, ROOT
from innards import erase_log, items_of, pin_record, put_item, session_bus, sql

HOMES = ROOT / "Fixtures/homes"


@pytest.fixture(params=sorted(path.name for path in HOMES.iterdir() if path.is_dir()))
def older(home, request):
    """A home as the earlier release left it: file and keyring, with a PIN, one connection and one approved payment."""
    kept = HOMES / request.param
    home.state.mkdir(mode=0o700)
    database = home.state / "ledger.sqlite"
    database.write_bytes((kept / "ledger.sqlite").read_bytes())
    database.chmod(0o600)
    for item in json.loads((kept / "keyring.json").read_text()):
        put_item("Countersign", item["attributes"], bytes.fromhex(item["secret"]), session_bus())
    home.version = int(request.param.removeprefix("schema-"))
    yield home
    home.ok("pin", "reset", "--yes", pin=False)
    assert items_of(json.loads((kept / "keyring.json").read_text())[0]["attributes"]["vault"]) == []


def test_it_opens_with_all_that_it_had(older):
    assert older.json("status", pin=False)["tries_left"] == 9
    [connection] = older.json("connections")["connections"]
    assert connection["name"] == "demobank"
    answer = older.json("history", "--verify")
    assert answer["log"] == "intact"
    [decision] = answer["decisions"]
    assert (decision["title"], decision["outcome"]) == ("Pay 9.90 EUR", "confirmed")
    # The first release kept none.
    assert not decision["fields"]
    sessions = [session["name"] for session in older.json("sessions")["sessions"]]
    assert sessions == (["fern"] if older.version >= 5 else [])
    assert len(older.json("sites")["sites"]) == len(older.json("grants")["grants"]) == (1 if older.version >= 6 else 0)


def test_its_session_can_be_signed_out_by_time(older):
    if older.version < 5:
        pytest.skip("it has no session")
    [session] = older.json("sessions")["sessions"]
    assert (session["sign_out_at"], session["keep"]) == (None, False)
    # The setting counts from the login, of which an earlier release kept the time by the wall clock.
    configure(older, '[sessions]\nsign_out = "1m"\n')
    result = older.ok("sessions")
    assert result.err == "fern was signed out when its time was over.\n"
    [session] = older.json("sessions")["sessions"]
    assert (session["status"], session["reason"]) == ("ended", "time_over")
    assert len(older.json("sites")["sites"]) == len(older.json("grants")["grants"]) == (1 if older.version >= 6 else 0)


def test_its_log_tells_of_sessions_from_now_on(older):
    before = older.json("history")
    told = older.json("history", "--sessions")
    before_that = {8: ["signed_in", "granted"], 9: ["signed_in", "granted"], 10: ["signed_in", "granted", "granted", "suspended"]}
    assert [event["event"] for event in told["events"]] == before_that.get(older.version, [])
    assert told["log"] == "intact"
    if older.version >= 6:
        [grant] = older.json("grants")["grants"]
        older.ok("grants", "revoke", grant["id"])
        event = older.json("history", "--sessions", "--verify")["events"][-1]
        assert (event["event"], event["session"], event["program"]["name"]) == ("revoked", "fern", "backup.service")
    assert older.json("history", "--verify") == before


def test_a_grant_that_it_suspended_is_gone(older):
    """It is no grant any more, and its row goes with the next one that is written. The log still tells of it."""
    if older.version != 10:
        pytest.skip("it has no suspended grant")
    assert sql(older, "SELECT count(*) FROM permit") == [(2,)]
    [event] = [e for e in older.json("history", "--sessions", "--verify")["events"] if e["event"] == "suspended"]
    assert (event["session"], event["program"]["name"], event["detail"]) == ("fern", "mail.service", None)
    assert re.search("suspended +unit:mail.service\n", older.ok("history", "--sessions").out)
    answer = older.json("grants")
    assert [grant["program"]["name"] for grant in answer["grants"]] == ["backup.service"] and "failures" not in answer
    older.ok("grants", "revoke", answer["grants"][0]["id"])
    assert sql(older, "SELECT count(*) FROM permit") == [(0,)]


def test_its_first_opening_seals_that_the_log_was_begun(older):
    """Without any new event: from here on a log that is erased is missed."""
    older.ok("connections")
    erase_log(older)
    result = older.run("history", "--verify", "--json")
    assert result.code == 1 and "the whole log is gone" in result.json["log"], result


def test_its_first_opening_teaches_it_the_device_secret(older):
    if older.version >= 10:
        pytest.skip("it knows it")
    assert "commitment" not in pin_record(older)
    older.ok("connections")
    assert len(pin_record(older)["commitment"]) == 32


def test_its_next_decision_keeps_the_log_whole(older, bank):
    older.enroll_by_program(bank, name="another")
    bank.pay("After the update")
    [item] = [a for a in older.json("pending")["authorizations"] if a["title"] == "After the update"]
    older.ok("approve", item["ref"], "--fingerprint", item["fingerprint"])
    assert older.json("history", "--verify")["log"] == "intact"


def test_its_pin_can_be_changed(older):
    before = pin_record(older)
    older.write_pin(PIN, "314159")
    older.ok("pin", "change")
    assert older.run("connections").code == 3
    older.write_pin("314159")
    assert older.json("history", "--verify")["log"] == "intact"
    assert pin_record(older)["vaultID"] == before["vaultID"]
