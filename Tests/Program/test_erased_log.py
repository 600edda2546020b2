"""A log that was erased wherever it lies is told from one that was never begun; and an alarm can be looked at and closed."""

from agents import agents  # noqa: F401
from conftest import PIN, check_schema, finish
from innards import erase_log, failures, pin_record, remove_items, search, sql


def approve(home, bank, title):
    bank.pay(title)
    [item] = [a for a in home.json("pending")["authorizations"] if a["title"] == title]
    home.ok("approve", item["ref"], "--fingerprint", item["fingerprint"])


def test_an_erased_log_is_seen(connected, bank):
    """Rows, head and the keyring's copy, all of it: that the log was begun is sealed with the master key."""
    assert connected.json("history", "--verify") == {"decisions": [], "log": "intact"}
    approve(connected, bank, "The first")
    assert connected.json("history", "--verify")["log"] == "intact"
    erase_log(connected)
    result = connected.run("history", "--verify", "--json")
    assert result.code == 1, result
    assert result.json["log"] == "broken at event 1: the whole log is gone, with both copies of its end"
    # Neither does a later decision hide it, nor a change of the PIN.
    approve(connected, bank, "The second")
    connected.write_pin(PIN, "314159")
    connected.ok("pin", "change")
    connected.write_pin("314159")
    result = connected.run("history", "--verify", "--json")
    assert result.code == 1 and result.json["log"] == "broken at the keyring's copy of the end is missing", result


def lose_end(home):
    """Removes the keyring's copy of the log's end, as KeePassXC does that is killed before it saved."""
    remove_items(*search(vault=pin_record(home)["vaultID"], kind="log-head"))


def check_of(home, name, **options):
    """What doctor says in one check; None if it does not make it."""
    checks = home.run("doctor", "--json", **options).json["checks"]
    return next((check for check in checks if check["name"] == name), None)


def test_a_lost_end_is_named_and_accepted(connected, bank):
    approve(connected, bank, "The first")
    assert check_of(connected, "log")["message"] == "intact"
    lose_end(connected)
    reason = "the keyring's copy of the end is missing"
    # Without the PIN doctor sees that it is missing, with it that the log is broken.
    assert "copy of the log's end is missing" in check_of(connected, "keyring-items", pin=False)["message"]
    check = check_of(connected, "log")
    assert not check["ok"] and reason in check["message"] and "history --accept-log" in check["hint"], check
    broken = connected.run("history", "--verify")
    assert broken.code == 1 and "history --accept-log" in broken.err
    # It stays so with later decisions.
    approve(connected, bank, "The second")
    assert connected.run("history", "--verify").code == 1

    accepted = connected.json("history", "--accept-log")
    check_schema(["history"], accepted)
    assert (accepted["log"], [a["reason"] for a in accepted["accepted"]]) == ("intact", [reason])
    approve(connected, bank, "The third")
    told = connected.json("history", "--verify")
    assert (told["log"], told["accepted"]) == ("intact", accepted["accepted"])
    assert [d["title"] for d in told["decisions"]] == ["The first", "The second", "The third"]
    text = connected.ok("history", "--verify").out
    assert "The log is intact; accepted on " in text and f": {reason}." in text, text
    sessions = connected.json("history", "--sessions", "--verify")
    assert (sessions["log"], sessions["accepted"]) == ("intact", accepted["accepted"])
    assert check_of(connected, "log")["ok"] and check_of(connected, "keyring-items", pin=False)["ok"]
    # It was one alarm. The next is another.
    lose_end(connected)
    assert connected.run("history", "--verify").code == 1
    assert len(connected.json("history", "--accept-log")["accepted"]) == 2


def test_accepting_takes_the_pin(connected, bank, agents):
    """Also beside an open agent; and a wrong one changes nothing."""
    approve(connected, bank, "The first")
    agent = agents(connected).unlock()
    lose_end(connected)
    result = connected.run("history", "--accept-log", "--no-input", pin=False)
    assert result.code == 3, result
    before = sql(connected, "SELECT count(*) FROM event")
    connected.write_pin("999111")
    assert connected.run("history", "--accept-log").code == 3
    assert sql(connected, "SELECT count(*) FROM event") == before and failures(connected) == 1
    connected.write_pin(PIN)
    child = connected.terminal("history", "--accept-log")
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("The log is intact; accepted on")
    assert finish(child) == 0
    # The agent goes on from there, and its doctor too.
    assert connected.json("history", "--verify", pin=False)["log"] == "intact"
    assert "accepted on" in check_of(connected, "log", pin=False)["message"]
    assert agent.pid


def test_a_log_that_is_whole_is_not_touched(connected, bank):
    approve(connected, bank, "The first")
    before = sql(connected, "SELECT sequence, mac FROM event")
    result = connected.ok("history", "--accept-log")
    assert "nothing to accept" in result.err
    assert sql(connected, "SELECT sequence, mac FROM event") == before
    assert "accepted" not in connected.json("history", "--verify")


def test_an_edited_event_can_be_accepted_but_not_edited_again(connected, bank):
    for title in ("The first", "The second"):
        approve(connected, bank, title)
    sql(connected, "UPDATE event SET waits = 1 - waits WHERE sequence = 2")
    assert connected.run("history", "--verify", "--json").json["log"].startswith("broken at event 2")
    assert connected.json("history", "--accept-log")["log"] == "intact"
    sql(connected, "UPDATE event SET waits = 1 - waits WHERE sequence = 3")
    assert connected.run("history", "--verify").code == 1
