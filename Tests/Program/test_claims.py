"""Claims of instant actions: a lost answer is unknown as it is with a decision, and each claim stands in the log."""

import pytest
from agents import agents
from conftest import check_schema


@pytest.fixture(params=["alone", "agent"])
def connected(request, connected, agents):
    if request.param == "agent":
        agents(connected).unlock()
    return connected


def act(home, bank, *args):
    return home.run("act", "-", "--yes", *args, stdin=bank.post("actions", user="ada")["link"] + "\n")


def claims(home):
    history = home.json("history", "--verify")
    check_schema(["history"], history)
    assert history["log"] == "intact"
    return [(a["connection"], a["outcome"], a["authorization"]) for a in history.get("actions", [])]


@pytest.mark.parametrize("fault", [
    {"status": 504, "body": "<h1>Gateway Timeout</h1>", "content_type": "text/html"}, {"drop": True}],
    ids=["504", "cut"])
def test_a_claim_whose_answer_is_lost_is_unknown(connected, bank, fault):
    home = connected
    assert claims(home) == []
    bank.fault("actions.claim", after=True, **fault)
    lost = act(home, bank, "--json")
    assert lost.code == 9 and lost.json["error"]["kind"] == "unknown", lost
    assert "whether the bank took the action is not known" in lost.json["error"]["message"]
    # There may be nothing to decide: the hint speaks of the page first.
    assert lost.json["error"]["hint"].startswith("see what its page says")
    assert claims(home) == [("demobank", "unknown", None)]
    assert "unknown (ask the bank)" in home.ok("history").out
    assert len(home.json("pending")["authorizations"]) == 1


def test_claims_stand_in_the_history(connected, bank):
    home = connected
    ref = act(home, bank, "--json").json["action"]["authorization"]
    bank.fault("actions.claim", status=400, error_class="ActionNotValid", error_message="over")
    assert act(home, bank).code == 5
    assert claims(home) == [("demobank", "claimed", ref), ("demobank", "refused", None)]
    home.ok("deny", ref)
    rows = home.ok("history").out.splitlines()[1:]
    assert ["claim" in row for row in rows] == [True, True, False]
    # They stay with the name of then, and follow the connection.
    home.ok("rename", "demobank", "fern")
    assert len(home.json("history", "--connection", "fern")["actions"]) == 2
    assert home.json("history", "--limit", "1")["actions"][0]["outcome"] == "refused"
    home.ok("revoke", "fern")
    assert len(home.json("history", "--connection", "demobank")["actions"]) == 2
