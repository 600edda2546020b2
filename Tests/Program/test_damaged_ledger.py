"""One damaged row of the database costs that row: every command goes on with the others, and names it. What a whole damaged
file may hold is tried in Tests/LedgerTests/DamagedLedgerTests.swift."""

import shutil
import sqlite3

import pytest
from agents import agents  # noqa: F401
from conftest import PIN, Bank, Home, check_schema
from innards import database, sql
from issuers import LoginRun, redirect_of, signed_in, visit

COMMANDS = [
    ["connections"], ["pending"], ["history"], ["history", "--verify"], ["history", "--sessions"], ["sessions"], ["sites"], ["grants"],
    ["status"], ["doctor"], ["pin", "status"]]


def damage(home, *statements):
    """Changes rows as a disk does: whatever the tables' definitions say."""
    connection = sqlite3.connect(database(home))
    connection.execute("PRAGMA writable_schema = ON")
    kept = connection.execute("SELECT rowid, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    connection.execute("UPDATE sqlite_master SET sql = replace(replace(sql, 'NOT NULL', ''), 'STRICT', '') WHERE type = 'table'")
    connection.commit()
    connection.close()
    connection = sqlite3.connect(database(home))
    for statement in statements:
        connection.execute(statement)
    connection.execute("PRAGMA writable_schema = ON")
    for row, definition in kept:
        connection.execute("UPDATE sqlite_master SET sql = ? WHERE rowid = ?", (definition, row))
    connection.commit()
    connection.close()


def filled(home, bank):
    """Two connections, a decision."""
    home.set_pin().enroll(bank).enroll(bank, name="second")
    bank.pay()
    item = home.json("pending")["authorizations"][0]
    home.ok("approve", item["ref"], "--fingerprint", item["fingerprint"])


@pytest.fixture
def full(home, bank):
    """Two connections, a decision, a session."""
    filled(home, bank)
    with signed_in(home, "--name", "fern") as issuer:
        home.ok("grants", "add", "unit:backup.service", "--session", "fern")
        home.issuer = issuer
        yield home


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """The same for many tests, and a copy of its state before the first of them."""
    path = tmp_path_factory.mktemp("kept")
    home, bank = Home(path), Bank(path)
    try:
        filled(home, bank)
        with signed_in(home, "--name", "fern"):
            home.ok("grants", "add", "unit:backup.service", "--session", "fern")
            shutil.copytree(home.state, path / "copy")
            yield home, path / "copy"
    finally:
        bank.stop()


@pytest.fixture
def restored(kept):
    """For tests that only read: nothing in the keyring is of a later state than the copy."""
    home, copy = kept
    shutil.rmtree(home.state)
    shutil.copytree(copy, home.state)
    return home


@pytest.mark.parametrize("table, column", [
    ("connection", "content"), ("connection", "key"), ("event", "content"), ("event", "mac"), ("event", "decision"),
    ("head", "content"), ("session", "content"), ("token", "content"), ("permit", "content"), ("pin", "record")])
@pytest.mark.parametrize("value", ["NULL", "7", "'text'"])
def test_no_command_ends_by_a_signal(restored, table, column, value):
    damage(restored, f"UPDATE OR IGNORE {table} SET {column} = {value}")
    for command in COMMANDS:
        result = restored.run(*command, pin=command[0] != "status")
        assert result.code in (0, 1, 3, 7), (command, result)
        assert "should not" not in result.err, (command, result)


def test_a_damaged_connection_is_a_failure_beside_the_good_one(full, bank, agents):
    bank.pay("Another")
    damage(full, "UPDATE connection SET content = NULL WHERE rowid = 1")
    listed = full.ok("connections", "--json")
    check_schema(["connections"], listed.json)
    assert [c["name"] for c in listed.json["connections"]] == ["second"]
    [failure] = listed.json["failures"]
    assert "1 connection in the database is damaged" in failure["message"]
    assert (failure["connection"], failure["kind"]) == (None, "damaged")
    verified = full.json("history", "--verify")
    assert verified["failures"] == [failure] and "failures" not in full.json("history")
    assert failure["message"] in full.ok("history", "--verify").err
    assert "1 connection in the database is damaged" in full.ok("connections").err
    pending = full.json("pending")
    check_schema(["pending"], pending)
    assert {a["connection"] for a in pending["authorizations"]} == {"second"}
    assert pending["failures"] == [failure]
    [check] = [c for c in full.run("doctor", "--json").json["checks"] if c["name"] == "connections"]
    assert not check["ok"] and check["message"] == failure["message"]
    # Neither does the agent stay away for it, and the keys of the damaged one are not swept away.
    keys = sql(full, "SELECT count(*) FROM connection")
    agents(full).unlock()
    assert full.json("connections", pin=False) == listed.json
    assert failure in full.json("pending", pin=False)["failures"]
    assert full.json("history", "--verify", pin=False)["failures"] == [failure]
    [check] = [c for c in full.run("doctor", "--json", pin=False).json["checks"] if c["name"] == "connections"]
    assert not check["ok"] and check["message"] == failure["message"]
    assert sql(full, "SELECT count(*) FROM connection") == keys


def test_a_damaged_event_is_named_by_verify(full):
    [[last]] = sql(full, "SELECT max(sequence) FROM event")
    damage(full, f"UPDATE event SET content = NULL WHERE sequence = {last}")
    result = full.run("history", "--verify", "--json")
    assert result.code == 1 and result.json["log"] == f"broken at event {last}: cannot be read"
    assert len(result.json["decisions"]) == 1
    [check] = [c for c in full.run("doctor", "--json").json["checks"] if c["name"] == "log"]
    assert not check["ok"] and f"event {last}" in check["message"]


ROWS = [
    ("session", "1 session in the database is damaged"), ("token", "1 session's token set in the database is damaged"),
    ("site", "1 site in the database is damaged"), ("permit", "1 grant in the database is damaged"),
    ("owed", "1 token or registration still to be ended in the database is damaged"),
    ("pending_note", "1 event that waits for the log in the database is damaged"),
    ("departure", "1 note of how you left in the database is damaged")]


def sessions_check(home, **options):
    return next(check for check in home.run("doctor", "--json", **options).json["checks"] if check["name"] == "sessions")


@pytest.mark.parametrize("table, words", ROWS)
def test_a_damaged_row_of_sessions_is_a_failure_beside_the_good_ones(full, agents, table, words):
    """By the command that lists it, by doctor and by the verification of the log; without an agent and with it."""
    if table == "site":
        full.ok("sites", "add", full.issuer.api, "--session", "fern")
    if table in ("owed", "pending_note", "departure"):
        sql(full, f"INSERT INTO {table} (key, content) VALUES (?, ?)", "sleep" if table == "departure" else b"k", b"c")
    assert sessions_check(full)["ok"] or table in ("owed", "pending_note", "departure")
    damage(full, f"UPDATE {table} SET content = NULL")

    lists = {"site": ["sites"], "permit": ["grants"]}
    for command in [["sessions"], *([lists[table]] if table in lists else [])]:
        listed = full.json(*command)
        assert any(words in f["message"] and f["kind"] == "damaged" for f in listed["failures"]), listed
        assert words in full.ok(*command).err
    verified = full.json("history", "--sessions", "--verify")
    assert any(words in f["message"] for f in verified["failures"])
    assert words in full.ok("history", "--sessions", "--verify").err
    check = sessions_check(full)
    assert not check["ok"] and words in check["message"] and check["hint"], check
    assert [c["name"] for c in full.json("connections")["connections"]] == ["demobank", "second"]

    agents(full).unlock()
    assert any(words in f["message"] for f in full.json("sessions", pin=False)["failures"])
    assert words in full.ok("sessions", pin=False).err
    check = sessions_check(full, pin=False)
    assert not check["ok"] and words in check["message"], check


def test_a_session_whose_tokens_are_damaged_can_be_signed_in_to_again(full):
    damage(full, "UPDATE token SET content = NULL")
    [session] = full.json("sessions")["sessions"]
    assert (session["status"], session["reason"]) == ("ended", "damaged")
    result = full.run("token", "fern")
    assert result.code == 3 and "the tokens of fern in the database are damaged" in result.err, result
    assert "countersign login fern" in result.err
    run = LoginRun(full, "fern")
    visit(redirect_of(run.page))
    assert run.end().code == 0
    assert full.json("sessions")["sessions"][0]["status"] == "active" and "failures" not in full.json("sessions")
    full.ok("token", "fern")


def test_a_session_whose_tokens_are_damaged_can_be_signed_out(full):
    damage(full, "UPDATE token SET content = NULL")
    full.ok("logout", "fern")
    assert full.json("sessions") == {"sessions": []}


def test_a_damaged_pin_record_is_not_a_home_without_a_pin(full):
    damage(full, "UPDATE pin SET record = NULL")
    for command in (["connections"], ["enroll", "-", "--yes"]):
        result = full.run(*command, stdin="authenticator://saltedge.com/connect?configuration=https://127.0.0.1:1/c\n")
        assert result.code == 1 and "the PIN record cannot be read" in result.err, result
        assert f"mv {full.state} {full.state}.damaged" in result.err


def test_the_hint_for_a_damaged_file_leads_on(full):
    """It is put away, and a new PIN can be chosen."""
    database(full).write_bytes(b"A" * 8192)
    result = full.run("connections")
    assert result.code == 1 and "the database is damaged" in result.err and "sqlite code" not in result.err, result
    full.state.rename(str(full.state) + ".damaged")
    full.write_pin(PIN)
    full.ok("pin", "set")
    assert full.json("connections")["connections"] == []
