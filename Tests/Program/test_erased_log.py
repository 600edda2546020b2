"""A log that was erased wherever it lies is told from one that was never begun."""

from conftest import PIN
from innards import erase_log


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
    assert result.json["log"] == "broken at event 1: the whole log is gone, with both copies of its head"
    # Neither does a later decision hide it, nor a change of the PIN.
    approve(connected, bank, "The second")
    connected.write_pin(PIN, "314159")
    connected.ok("pin", "change")
    connected.write_pin("314159")
    result = connected.run("history", "--verify", "--json")
    assert result.code == 1 and result.json["log"] == "broken at the head's second copy is missing", result
