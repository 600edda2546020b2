"""The PIN between commands and their agent: who asks for it and when, what unlocks, and one budget of tries for all."""

import pytest
from agents import Agent, agents, configure, pinentry, typed
from conftest import PIN, Bank, Home, finish
from innards import change_pin_record, failures, forgive, pass_block

WRONG = "999111"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A bank, a home with the connection `demobank`, and its agent."""
    bank = Bank(tmp_path_factory.mktemp("bank"))
    home = Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank)
    agent = Agent(home, display=None)
    yield home, bank, agent
    agent.kill()
    bank.stop()


@pytest.fixture
def home(place):
    forgive(place[0])
    place[0].write_pin(PIN)
    return place[0]


@pytest.fixture
def bank(place):
    return place[1]


@pytest.fixture
def shut(place, home):
    home.ok("lock", pin=False)
    return place[2]


@pytest.fixture
def agent(place, home):
    return place[2] if place[2].state == "open" else place[2].unlock()


def pay(home, bank):
    ref = f"demobank:{bank.pay()}"
    return ref, home.json("show", ref)["fingerprint"]


# Open


def test_commands_ask_for_no_pin_while_it_is_open(agent, home, bank):
    ref, _ = pay(home, bank)
    for words in (("connections",), ("pending",), ("show", ref), ("history", "--verify"), ("consents",), ("deny", ref)):
        home.json(*words, pin=False)
        home.run(*words, "--no-input", pin=False)
    child = home.terminal("pending")
    assert finish(child) == 0 and "PIN" not in child.before
    # Another home has nothing of it.
    assert bank.authorization(ref.split(":")[1])["status"] == "denied"


def test_calls_to_banks_are_named_where_the_agent_is_told_to(place, home, bank, agents, tmp_path):
    place[2].unlock()
    quiet = home.ok("pending", "--verbose", pin=False)
    assert f"the agent (process {place[2].pid}) calls the banks" in quiet.err and "GET" not in quiet.err + place[2].said
    other = Home(tmp_path).set_pin().enroll(bank, name="loud")
    agent = agents(other, args=("--verbose",)).unlock()
    bank.pay("Pay 4.00 EUR", code="c0dec0de")
    listed = other.json("pending", pin=False)["authorizations"]
    other.ok("deny", next(i["ref"] for i in listed if i["connection"] == "loud"), pin=False)
    assert f"GET {bank.url}" in agent.said and f"PUT {bank.url}" in agent.said
    token = [r for r in bank.get("requests") if "access-token" in r["headers"]][-1]["headers"]["access-token"]
    for secret in (token, PIN, "c0dec0de", "Pay 4.00"):
        assert secret not in agent.said + quiet.err


def test_another_home_asks_for_its_own_pin(agent, other_home):
    assert other_home.run("connections", pin=False).code == 3
    other_home.set_pin()
    assert other_home.run("connections", pin=False).code == 3
    assert other_home.json("status", pin=False)["agent"]["running"] is False
    assert other_home.json("connections") == {"connections": []}


def test_approving_asks_for_the_pin_all_the_same(agent, home, bank):
    ref, fingerprint = pay(home, bank)
    for more in ((), ("--no-input",)):
        result = home.run("approve", ref, "--fingerprint", fingerprint, "--json", *more, pin=False)
        assert result.code == 3 and result.json["error"]["kind"] == "locked", result
    home.write_pin(WRONG)
    result = home.run("approve", ref, "--fingerprint", fingerprint, "--json")
    assert result.code == 3 and "8 tries are left" in result.json["error"]["message"], result
    assert bank.authorization(ref.split(":")[1])["decisions_received"] == 0 and agent.state == "open"
    home.write_pin(PIN)
    home.ok("approve", ref, "--fingerprint", fingerprint)
    assert bank.authorization(ref.split(":")[1])["status"] == "confirmed" and failures(home) == 0


def test_on_a_terminal_the_card_comes_first_and_the_pin_once(agent, home, bank):
    ref = f"demobank:{bank.pay('Pay 5.10 EUR')}"
    child = home.terminal("approve", ref)
    assert child.expect(["PIN: ", "├ Demo Bank"]) == 1
    child.expect("PIN to approve")
    child.sendline(PIN)
    child.expect(f"approved  {ref}  confirmed by the bank at ")
    assert finish(child) == 0
    child = home.terminal("approve", f"demobank:{bank.pay('Pay 5.20 EUR')}")
    child.expect("PIN to approve")
    child.sendline("")
    assert finish(child) == 2


# Locked


def test_a_command_asks_for_the_pin_and_that_unlocks(shut, home):
    assert home.json("status", pin=False)["locked"] is True
    child = home.terminal("connections")
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("demobank")
    assert finish(child) == 0
    status = home.json("status", pin=False)
    assert (status["locked"], status["keys_in_memory"], status["agent"]["running"]) == (False, True, True)
    child = home.terminal("connections")
    assert finish(child) == 0 and "PIN" not in child.before


def test_a_pin_file_unlocks_by_unlock_alone(shut, home):
    assert home.ok("connections", "-q").out == "demobank\n"
    assert shut.state == "shut"
    assert home.json("lock", pin=False)["keys_in_memory"] is False
    unlocked = home.json("unlock")
    assert (unlocked["locked"], unlocked["keys_in_memory"], unlocked["tries_left"]) == (False, True, 9)


@pytest.mark.parametrize("words", [("connections",), ("pending",), ("unlock",), ("deny", "demobank:1"), ("history",)])
def test_without_input_nothing_is_asked(shut, home, words):
    for more in ((), ("--no-input",)):
        result = home.run(*words, "--json", *more, pin=False)
        assert result.code == 3 and result.json["error"]["kind"] == "locked" and result.err == "", result
    assert shut.state == "shut"


def test_lock_and_unlock_without_an_agent(home, tmp_path):
    lonely = Home(tmp_path)
    assert lonely.run("unlock").code == 3
    lonely.set_pin()
    result = lonely.run("unlock", "--json")
    assert result.code == 1 and "countersign agent" in result.json["error"]["hint"], result
    status = lonely.json("lock", pin=False)
    assert status["locked"] is True and status["agent"] == {"running": False, "version": None}


def test_unlock_on_a_terminal(shut, home):
    child = home.terminal("unlock")
    child.expect("PIN: ")
    child.sendline(WRONG)
    child.expect("wrong PIN; 8 tries are left")
    child.expect("PIN: ")
    assert shut.state == "shut"
    child.sendline("")
    assert finish(child) == 2 and shut.state == "shut"
    child = home.terminal("unlock")
    child.expect("PIN: ")
    child.sendline("")
    assert finish(child) == 2
    child = home.terminal("unlock")
    child.expect("PIN: ")
    child.sendline(PIN)
    assert finish(child) == 0 and shut.state == "open" and failures(home) == 0


# One budget


def test_wrong_pins_count_on_one_budget(shut, home):
    """Two are tried by the agent, one by a command that asks no agent, and the rest by the agent again."""
    home.write_pin(WRONG)
    messages = [home.run("unlock", "--json").json["error"]["message"], home.run("pending", "--json").json["error"]["message"]]
    home.write_pin(WRONG, "141421")
    messages += [home.run("pin", "change", "--json").json["error"]["message"]]
    assert messages == [f"wrong PIN; {left} tries are left" for left in (8, 7, 6)]
    assert home.json("status", pin=False)["tries_left"] == shut.status()["tries_left"] == 6
    home.run("unlock")
    fifth = home.run("unlock", "--json").json["error"]
    assert fifth["message"] == "wrong PIN; 4 tries are left" and "in 60 s" in fifth["hint"]
    status = home.json("status", pin=False)
    assert status["tries_left"] == 4 and status["blocked_until"] is not None
    # A file brings no sixth one, and a terminal none before the minute is over.
    home.write_pin(PIN)
    result = home.run("unlock", "--json")
    assert result.code == 3 and "needs a terminal" in result.json["error"]["message"], result
    child = home.terminal("unlock")
    child.expect("the next try is allowed in")
    assert finish(child) == 3 and failures(home) == 5 and shut.state == "shut"
    pass_block(home)
    assert home.run("unlock").code == 3
    child = home.terminal("unlock")
    child.expect("PIN: ")
    child.sendline(PIN)
    assert finish(child) == 0 and failures(home) == 0 and shut.state == "open"


def test_wrong_pins_of_approvals_count_too(agent, home, bank):
    ref, fingerprint = pay(home, bank)
    home.write_pin(WRONG)
    for left in (8, 7):
        result = home.run("approve", ref, "--fingerprint", fingerprint)
        assert result.code == 3 and f"{left} tries are left" in result.err, result
    assert home.json("status", pin=False)["tries_left"] == 7 and agent.state == "open"


def test_the_ninth_wrong_pin_destroys_what_the_agent_holds(bank, agents, tmp_path):
    home = Home(tmp_path).set_pin().enroll(bank, name="lost")
    agent = agents(home).unlock()
    [connection] = home.json("connections")["connections"]
    [id] = bank.post("authorizations", connection=connection["id"], title="Pay", description="x")["ids"]
    ref = f"lost:{id}"
    change_pin_record(home, lambda record: record.update(failures=8))
    child = home.terminal("approve", ref)
    child.expect("This is the last try")
    child.expect("PIN to approve")
    child.sendline(WRONG)
    child.expect("the keys of this home are destroyed")
    assert finish(child) == 3
    assert agent.state == "shut" and agent.status()["pin_set"] is False
    assert agent.request("GET", "/connections").status == 423
    assert bank.authorization(ref.split(":")[1])["decisions_received"] == 0
    # The same agent serves what comes after it.
    home.set_pin_by_program()
    agent.unlock()
    assert home.json("connections", pin=False) == {"connections": []}


# At a pinentry


def test_a_wrong_pin_at_a_pinentry_is_asked_for_again(shut, home, bank, pinentry):
    """The command's own pinentry; the agent judges the PIN."""
    configure(home, f'pinentry = "{pinentry.program}"\npin_prompt = "pinentry"\n')
    try:
        pinentry.answers(typed(WRONG), typed(PIN))
        assert home.run("unlock", "--json", pin=False).json["locked"] is False
        assert pinentry.asked() == ["GETPIN"] * 2 and pinentry.told("SETERROR") == ["wrong PIN; 8 tries are left"]
        assert "/countersign unlock" in " ".join(pinentry.told("SETDESC")[0].replace("↳ ", "").split())
        ref, fingerprint = pay(home, bank)
        pinentry.answers("OK\n", typed(WRONG), typed(PIN))
        result = home.run("approve", ref, "--fingerprint", fingerprint, "--json", pin=False)
        assert result.code == 0 and result.json["decisions"][0]["outcome"] == "confirmed", result
        assert pinentry.asked() == ["CONFIRM"] + ["GETPIN"] * 2 and "Pay 9.90 EUR" in pinentry.told("SETDESC")[0]
        home.ok("lock", pin=False)
        pinentry.answers(*[typed(WRONG)] * 3)
        result = home.run("connections", "--json", pin=False)
        assert result.code == 3 and "6 tries are left" in result.json["error"]["message"], result
        assert pinentry.asked() == ["GETPIN"] * 3 and failures(home) == 3
    finally:
        configure(home, "")


# Before there is a PIN


def test_an_agent_that_was_there_before_the_pin(home, bank, agents, tmp_path):
    early = Home(tmp_path)
    agent = agents(early)
    assert agent.handshake()["vault"] is None
    for words in (("unlock",), ("connections",)):
        result = early.run(*words, "--json", pin=False)
        assert result.code == 3 and result.json["error"]["message"] == "no PIN is set", result
    assert early.json("pin", "set")["agent"]["running"] is True
    assert agent.handshake()["vault"] is not None
    early.enroll_by_program(bank, name="early")
    agent.unlock()
    assert early.ok("connections", "-q", pin=False).out == "early\n"


def test_certificate_authorities_are_the_agents_own(shut, home):
    shut.unlock()
    assert home.ok("connections", pin=False).err == ""
    told = home.ok("connections", "--ca-file", "/nowhere", pin=False)
    assert told.err == (
        "warning: the agent calls the banks, and trusts what it was started with; --ca-file changes nothing\n"
        "hint: countersign agent --stop, then: countersign agent --daemonize --ca-file /nowhere\n")
