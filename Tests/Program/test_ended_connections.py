"""A connection that its bank ended is told in every round, in the status and to all who watch, until it is settled here."""

import json

import pytest
from agents import agents
from conftest import check_schema
from innards import spawn


@pytest.fixture(params=["alone", "agent"])
def place(request, home, bank, agents):
    """A home with `demobank`, and `gone`, which its bank ends."""
    home.set_pin().enroll(bank).enroll(bank, name="gone")
    agent = agents(home).unlock() if request.param == "agent" else None
    bank.post(f"connections/{bank.get('connections')[-1]['id']}/revoke")
    yield home, agent


def ended(home, agent):
    """What the status says of connections that ended."""
    status = home.json("status", pin=False)
    check_schema(["status"], status)
    return status.get("ended_connections")


def test_it_is_told_each_time_until_it_is_revoked(place, bank):
    home, agent = place
    for _ in range(3):
        answer = home.json("pending")
        assert [(f["connection"], f["kind"]) for f in answer["failures"]] == [("gone", "refused")], answer
        assert "countersign reconnect gone, or countersign revoke gone" in answer["failures"][0]["hint"]
        assert home.run("pending", "--strict").code == 5
        assert ended(home, agent) == 1
        said = home.ok("status", pin=False).out
        assert "1 connection is no longer known to its bank; which one: countersign pending" in said
        assert "gone" not in said
    assert home.ok("revoke", "gone").out == "Revoked: gone (already revoked at the bank)\n"
    assert home.json("pending", "--strict") == {"authorizations": [], "failures": []}
    assert ended(home, agent) is None


def test_alone_it_is_all_that_fails(home, bank):
    home.set_pin().enroll(bank, name="gone")
    bank.post(f"connections/{bank.get('connections')[-1]['id']}/revoke")
    for _ in range(2):
        result = home.run("pending", "--json")
        assert result.code == 5 and [f["connection"] for f in result.json["failures"]] == ["gone"], result
    bank.post("requests/clear")
    assert home.run("pending").code == 5 and bank.get("requests") == []
    # No bank is asked that cannot answer, so a name that leads nowhere is told as such.
    assert home.run("show", "gone:1").code == 5


def first_failure(home):
    """What a new watcher is told first of `gone`, as an event."""
    process = spawn(home, "watch", "--json")
    try:
        for line in process.stdout:
            event = json.loads(line)
            if event["event"] == "failure" and event["connection"] == "gone":
                return event
    finally:
        process.terminate()
        process.communicate(timeout=60)


def test_all_who_watch_are_told(place):
    home, agent = place
    home.json("pending")
    for _ in range(2):
        event = first_failure(home)
        assert "no longer knows" in event["message"] and "countersign revoke gone" in event["hint"]
    once = home.run("watch", "--once", "--json")
    assert once.code == 5 and json.loads(once.out.splitlines()[0])["connection"] == "gone"
    home.ok("revoke", "gone")
    assert home.run("watch", "--once", "--json").out == ""
    if agent:
        # What was told before of a connection that is settled is not told to new ones.
        stream = agent.events()
        told = stream.heard.get(timeout=60)
        assert [bank["connection"] for bank in told["banks"]] == ["demobank"] and stream.queue.empty()
