"""What becomes of a decision that is on its way when the agent ends, is killed, or its front end goes away; and of two front
ends that decide the same at once. Sent once, in every case.
"""

import http.client
import json
import os
import signal

import pytest
from agents import Answer, UnixConnection, agents, pinentry
from conftest import Bank, Home
from innards import spawn, sql, until


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A bank, and a home with the connections `demobank` and `fern`."""
    bank = Bank(tmp_path_factory.mktemp("bank"))
    home = Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank).enroll(bank, protocol="v2", name="fern")
    yield home, bank
    bank.stop()


@pytest.fixture
def home(place):
    return place[0]


@pytest.fixture
def bank(place):
    bank = place[1]
    bank.post("faults/clear")
    bank.post("settings", processing_polls=0)
    for item in bank.get("authorizations?status=pending"):
        bank.post(f"authorizations/{item['id']}/close")
    return bank


def seen(home, ref):
    return home.json("show", ref)["fingerprint"]


def events(home):
    [[count]] = sql(home, "SELECT count(*) FROM event")
    return count


def outcomes(home, ref):
    answer = home.json("history", "--verify")
    assert answer["log"] == "intact"
    return [(d["decision"], d["outcome"], d["basis"]) for d in answer["decisions"] if d["ref"] == ref]


def in_flight(home, bank, verb, ref):
    """Decides through the agent at a bank that takes its time; returns the command when the bank has the request."""
    fingerprint, before = seen(home, ref), events(home)
    process = spawn(home, verb, ref, "--fingerprint", fingerprint, "--json")
    until(lambda: events(home) > before or process.poll() is not None, 60)
    assert process.poll() is None, process.communicate()
    return process


def finished(process):
    """Exit code, the decision, standard error."""
    out, err = process.communicate(timeout=120)
    [decision] = json.loads(out)["decisions"]
    return process.returncode, decision, err


def is_closed(connection):
    """Whether the agent takes no more requests on a connection that stands."""
    try:
        connection.request("GET", "/connections")
        connection.getresponse().read()
        return False
    except (OSError, http.client.HTTPException):
        return True


@pytest.mark.parametrize("verb, outcome", [("approve", "confirmed"), ("deny", "denied")])
def test_sigterm_lets_a_decision_on_its_way_come_to_its_end(home, bank, agents, verb, outcome):
    agent = agents(home).unlock()
    ref = f"demobank:{bank.pay(protocol='v1')}"
    idle = UnixConnection(agent.socket, 60)
    idle.request("GET", "/agent")
    assert Answer(idle.getresponse()).status == 200
    bank.fault("authorizations.decide", delay_ms=6000)
    process = in_flight(home, bank, verb, ref)
    agent.process.terminate()
    agent.await_word("STOPPING=1")
    # It takes no more: who comes now works alone, or not at all.
    assert not agent.socket.exists()
    with pytest.raises(OSError):
        agent.handshake()
    until(lambda: is_closed(idle), 5)
    assert home.run("connections", pin=False).code == 3
    assert process.poll() is None and agent.process.poll() is None
    code, decision, _ = finished(process)
    assert (code, decision["outcome"], decision["basis"]) == (0, outcome, "answered"), decision
    assert agent.ended() == 0 and "error" not in agent.said
    assert outcomes(home, ref) == [(verb, outcome, "answered")]
    assert bank.authorization(ref.split(":")[1])["decisions_received"] == 1


def working(home, bank):
    """Approves at a bank that works on it for a good while; returns the command, which waits, and the reference."""
    ref = f"fern:{bank.pay('Pay', {'text': 'x'}, protocol='v2', polls=12)}"
    before = events(home)
    process = in_flight(home, bank, "approve", ref)
    until(lambda: events(home) == before + 2 or process.poll() is not None, 60)
    assert process.poll() is None, process.communicate()
    return process, ref


def heard(home, ref):
    """Asks the bank until its final word is known."""
    until(lambda: home.ok("pending") and outcomes(home, ref) == [("approve", "confirmed", "answered")], 120)


def test_sigterm_ends_the_wait_for_a_final_word(home, bank, agents):
    agent = agents(home).unlock()
    process, ref = working(home, bank)
    assert agent.stop() == 0
    code, decision, _ = finished(process)
    assert (code, decision["outcome"], decision["error"]["kind"]) == (9, "processing", "unknown"), decision
    assert "still working on it" in decision["error"]["message"]
    assert outcomes(home, ref) == [("approve", "processing", "answered")]
    agents(home).unlock()
    heard(home, ref)
    assert bank.authorization(ref.split(":")[1])["decisions_received"] == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_it_ends_at_once_when_nothing_is_on_its_way(home, agents, number):
    agent = agents(home).unlock()
    stream = agent.events()
    agent.process.send_signal(number)
    assert agent.ended(60) == 0 and "error" not in agent.said and not agent.socket.exists()
    while event := stream.next():
        assert event["event"] in ("locked", "added")
    agent = agents(home).unlock()
    agent.request("POST", "/lock")
    assert agent.stop(60) == 0


def test_sigterm_takes_an_open_question_away(home, bank, agents, pinentry):
    agent = agents(home, pinentry=pinentry).unlock()
    ref = f"demobank:{bank.pay(protocol='v1')}"
    pinentry.answers("<hang>")
    asking = UnixConnection(agent.socket, 120)
    asking.request("POST", f"/authorizations/{ref}/approve?fingerprint={seen(home, ref)}")
    pinentry.until_asked("CONFIRM")
    [pid] = pinentry.pids()
    agent.process.terminate()
    answer = Answer(asking.getresponse())
    assert answer.status == 409 and answer.json["error"]["kind"] == "cancelled", answer
    asking.close()
    assert agent.ended(60) == 0 and not os.path.exists(f"/proc/{pid}")
    assert bank.authorization(ref.split(":")[1])["decisions_received"] == 0


def killed(home, bank, agents, ref, **fault):
    """Kills the agent while a decision of its is on the way to the bank; returns what its command made of it."""
    agent = agents(home).unlock()
    bank.fault("authorizations.decide", delay_ms=3000, **fault)
    process = in_flight(home, bank, "approve", ref)
    until(lambda: bank.authorization(ref.split(":")[1])["decisions_received"] == 1 or process.poll() is not None, 60)
    agent.kill()
    code, decision, err = finished(process)
    assert (code, decision["outcome"], decision["basis"]) == (9, "unknown", None), decision
    assert decision["error"]["kind"] == "unknown" and "not known" in decision["error"]["message"]
    assert "countersign pending, then countersign history" in decision["error"]["hint"]
    assert err == ""
    return decision


@pytest.mark.parametrize("protocol, basis", [("v1", "inferred"), ("v2", "answered")])
def test_killed_with_a_decision_on_its_way(home, bank, agents, protocol, basis):
    """Its successor finds out what became of it, and sends nothing again."""
    number = bank.pay(protocol=protocol, description="x" if protocol == "v1" else {"text": "x"})
    ref = f"{'demobank' if protocol == 'v1' else 'fern'}:{number}"
    killed(home, bank, agents, ref)
    until(lambda: bank.authorization(number)["status"] == "confirmed", 60)
    bank.post("faults/clear")
    bank.post("requests/clear")
    agents(home).unlock()
    outcome = "unknown" if basis == "inferred" else "confirmed"
    until(lambda: outcomes(home, ref) == [("approve", outcome, basis)], 60)
    assert bank.authorization(number)["decisions_received"] == 1
    assert bank.get("requests?operation=authorizations.decide") == []


def test_killed_before_the_bank_acted(home, bank, agents):
    """It is still listed: the person may decide again, with a new PIN."""
    number = bank.pay(protocol="v1")
    ref = f"demobank:{number}"
    agent = agents(home).unlock()
    bank.fault("authorizations.decide", delay_ms=3000, status=500, body="")
    process = in_flight(home, bank, "approve", ref)
    agent.kill()
    assert finished(process)[0] == 9
    bank.post("faults/clear")
    agent = agents(home).unlock()
    assert [i["ref"] for i in home.json("pending", pin=False)["authorizations"]] == [ref]
    assert outcomes(home, ref) == [("approve", "unknown", None)]
    assert bank.authorization(number)["decisions_received"] == 0
    home.ok("deny", ref, pin=False)
    assert outcomes(home, ref) == [("approve", "unknown", None), ("deny", "denied", "answered")]


def test_killed_while_it_is_asked_something(home, bank, agents):
    agent = agents(home).unlock()
    bank.fault("authorizations.list", times=10, delay_ms=5000)
    bank.post("requests/clear")
    process = spawn(home, "pending", "--json")
    # Its own polls are asked of the same bank; one more than the two connections have is the command's.
    until(lambda: len(bank.get("requests?operation=authorizations.list")) > 2 or process.poll() is not None, 60)
    agent.kill()
    out, err = process.communicate(timeout=60)
    bank.post("faults/clear")
    if process.returncode != 0:
        assert process.returncode == 1 and json.loads(out)["error"]["message"] == "the agent ended", (out, err)


# Who asks leaves


@pytest.mark.parametrize("has_agent", [False, True], ids=["alone", "agent"])
def test_ctrl_c_ends_the_wait_for_the_final_word(home, bank, agents, has_agent):
    agent = agents(home).unlock() if has_agent else None
    process, ref = working(home, bank)
    process.send_signal(signal.SIGINT)
    code, decision, err = finished(process)
    assert (code, decision["outcome"], decision["error"]["kind"], err) == (9, "processing", "unknown", ""), decision
    if agent:
        assert agent.state == "open"
    heard(home, ref)


def test_a_command_that_is_killed_leaves_its_decision_with_the_agent(home, bank, agents):
    agents(home).unlock()
    number = bank.pay(protocol="v1")
    ref = f"demobank:{number}"
    bank.fault("authorizations.decide", delay_ms=2000)
    process = in_flight(home, bank, "approve", ref)
    process.kill()
    process.communicate()
    until(lambda: outcomes(home, ref) == [("approve", "confirmed", "answered")], 60)
    assert bank.authorization(number)["decisions_received"] == 1


# Two at once


def test_two_front_ends_that_approve_the_same_send_one_decision(home, bank, agents):
    """Three commands that ask the agent, and one that finds none, since it looks elsewhere."""
    agents(home).unlock()
    number = bank.pay(protocol="v1")
    ref = f"demobank:{number}"
    fingerprint = seen(home, ref)
    bank.fault("authorizations.decide", delay_ms=1500, times=3)
    lonely = Home(home.path, {"XDG_RUNTIME_DIR": ""})
    assert lonely.run("connections", pin=False).code == 3
    words = ("approve", ref, "--fingerprint", fingerprint, "--json")
    processes = [spawn(who, *words) for who in (home, home, home, lonely)]
    answers = [finished(process) for process in processes]
    assert sorted(code for code, _, _ in answers)[0] == 0, answers
    assert [decision["outcome"] for _, decision, _ in answers].count("confirmed") == 1, answers
    # The others come while it is under way, or after.
    assert {code for code, _, _ in answers} <= {0, 4, 9}
    assert {decision["outcome"] for _, decision, _ in answers} <= {"confirmed", "unknown"}
    assert bank.authorization(number)["decisions_received"] == 1
    assert outcomes(home, ref) == [("approve", "confirmed", "answered")]
