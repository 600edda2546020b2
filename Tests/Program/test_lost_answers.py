"""A decision whose answer is lost: it is under way while its call runs and no longer, whoever asked; what became of it is looked
up at the next poll; and nothing is claimed that the bank did not say.
"""

import json

import pytest
from agents import agents
from conftest import Bank, Home, finish
from innards import spawn, until


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    bank = Bank(tmp_path_factory.mktemp("bank"))
    home = Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank)
    yield home, bank
    bank.stop()


@pytest.fixture
def home(place):
    return place[0]


@pytest.fixture
def bank(place):
    bank = place[1]
    bank.post("faults/clear")
    for item in bank.get("authorizations?status=pending"):
        bank.post(f"authorizations/{item['id']}/close")
    return bank


def entries(home, ref):
    return [d for d in home.json("history")["decisions"] if d["ref"] == ref]


def outcomes(home, ref):
    return [(d["decision"], d["outcome"], d["basis"], d["likely"], d["final"]) for d in entries(home, ref)]


def ask(agent, home, verb, ref):
    """Decides by a request of this very process, which goes on living."""
    fingerprint = home.json("show", ref)["fingerprint"]
    return agent.request("POST", f"/authorizations/{ref}/{verb}?fingerprint={fingerprint}")


# The asker lives on


@pytest.mark.parametrize("stops", [False, True], ids=["agent", "alone"])
def test_a_lost_denial_is_looked_up_while_its_asker_lives(home, bank, agents, stops):
    agent = agents(home).unlock()
    ref = f"demobank:{bank.pay()}"
    bank.fault("authorizations.decide", drop=True)
    answer = ask(agent, home, "deny", ref).json
    assert (answer["outcome"], answer["error"]["kind"]) == ("unknown", "unknown"), answer
    if stops:
        assert agent.stop() == 0
    assert [item["ref"] for item in home.json("pending")["authorizations"]] == [ref]
    # From another front end, with another verdict.
    home.ok("approve", ref, "--fingerprint", home.json("show", ref)["fingerprint"])
    assert bank.authorization(ref.split(":")[1])["status"] == "confirmed"
    assert outcomes(home, ref) == [
        ("deny", "unknown", None, None, False), ("approve", "confirmed", "answered", None, True)]


@pytest.mark.parametrize("stops", [False, True], ids=["agent", "alone"])
def test_a_lost_denial_that_the_bank_took_is_settled_while_its_asker_lives(home, bank, agents, stops):
    agent = agents(home).unlock()
    ref = f"demobank:{bank.pay()}"
    bank.fault("authorizations.decide", drop=True, after=True)
    assert ask(agent, home, "deny", ref).json["outcome"] == "unknown"
    if stops:
        assert agent.stop() == 0
    assert home.json("pending")["authorizations"] == []
    assert outcomes(home, ref) == [("deny", "unknown", "inferred", "denied", True)]


# Its call runs


@pytest.mark.parametrize("takes", [True, False], ids=["taken", "ignored"])
@pytest.mark.parametrize("has_agent", [False, True], ids=["alone", "agent"])
def test_a_second_asker_is_told_that_it_is_under_way(home, bank, agents, has_agent, takes):
    """The bank has confirmed, or not, and holds its answer back."""
    if has_agent:
        agents(home).unlock()
    ref = f"demobank:{bank.pay()}"
    fingerprint = home.json("show", ref)["fingerprint"]
    # Less than any call may take; long enough for what the others do meanwhile.
    bank.fault("authorizations.decide", delay_ms=16000, **({} if takes else {"status": 502, "body": ""}))
    first = spawn(home, "approve", ref, "--fingerprint", fingerprint, "--json")
    until(lambda: entries(home, ref) or first.poll() is not None, 60)
    if takes:
        until(lambda: bank.authorization(ref.split(":")[1])["status"] == "confirmed")
    lonely = Home(home.path, {"XDG_RUNTIME_DIR": ""})
    for front_end in (home, lonely) if has_agent else (home,):
        # A poll meanwhile judges nothing.
        assert [i["ref"] for i in front_end.json("pending")["authorizations"]] == ([] if takes else [ref])
        second = front_end.run("deny", ref, "--json")
        [decision] = second.json["decisions"]
        assert second.code == 9 and decision["outcome"] == "unknown", second
        assert decision["error"]["kind"] == "unknown" and "under way" in decision["error"]["message"]
        assert outcomes(home, ref) == [("approve", "unknown", None, None, False)]
    assert first.poll() is None
    out, _ = first.communicate(timeout=60)
    if takes:
        assert first.returncode == 0 and json.loads(out)["decisions"][0]["outcome"] == "confirmed"
        assert outcomes(home, ref) == [("approve", "confirmed", "answered", None, True)]
    else:
        assert first.returncode == 9
        assert [i["ref"] for i in home.json("pending")["authorizations"]] == [ref]
        home.ok("deny", ref)
    assert bank.authorization(ref.split(":")[1])["decisions_received"] == 1


# What the bank did not say


@pytest.mark.parametrize("verb, likely", [("approve", "confirmed"), ("deny", "denied")])
def test_gone_before_it_expired_is_only_probably_what_was_sent(home, bank, verb, likely):
    """It never reached the bank, and another device decided the other way."""
    ref = f"demobank:{bank.pay()}"
    fingerprint = home.json("show", ref)["fingerprint"]
    bank.fault("authorizations.decide", drop=True)
    lost = home.run(verb, ref, "--fingerprint", fingerprint, "--json")
    [decision] = lost.json["decisions"]
    assert (lost.code, decision["outcome"], decision["basis"], decision["likely"]) == (9, "unknown", None, None), lost
    bank.post(f"authorizations/{ref.split(':')[1]}/close")
    assert home.json("pending")["authorizations"] == []
    assert outcomes(home, ref) == [(verb, "unknown", "inferred", likely, True)]
    row = next(line for line in home.ok("history").out.splitlines() if ref in line)
    assert f"unknown (gone at the bank before it expired: probably {likely})" in row


def test_watch_says_no_more_than_is_known(home, bank, agents):
    agent = agents(home).unlock()
    stream = agent.events()
    ref = f"demobank:{bank.pay()}"
    while stream.next().get("authorization", {}).get("ref") != ref:
        pass
    bank.fault("authorizations.decide", drop=True, after=True)
    assert ask(agent, home, "deny", ref).json["outcome"] == "unknown"
    while (event := stream.next())["event"] != "decided":
        pass
    told = event["decision"]
    assert (told["ref"], told["outcome"], told["basis"], told["likely"]) == (ref, "unknown", "inferred", "denied")


def test_who_decides_again_what_is_gone_is_not_told_of_a_refusal(home, bank):
    ref = f"demobank:{bank.pay()}"
    words = ("approve", ref, "--fingerprint", home.json("show", ref)["fingerprint"], "--json")
    assert home.run(*words).code == 0
    again = home.run(*words)
    [decision] = again.json["decisions"]
    assert (again.code, decision["outcome"], decision["error"]["kind"]) == (4, "unknown", "not_found")
