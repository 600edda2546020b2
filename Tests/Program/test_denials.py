"""At a v2 bank the signed bytes of a denial are those of an approval, and the address alone tells them apart: who relays one can
use it as the other. So denying takes the PIN there, and a denial that reads confirmed is an alarm.
"""


import pytest
from agents import YES, agents, desktop, pinentry, typed
from conftest import PIN, finish
from innards import until

WORDS = "ALARM: what you denied"


@pytest.fixture
def fern(home, bank):
    """A home with one v2 connection, fern, at a bank that decides at once."""
    bank.post("settings", processing_polls=0, finished_seconds=60)
    return home.set_pin().enroll(bank, protocol="v2", name="fern")


def ask(bank, title="Pay 9.90 EUR", **options):
    return bank.pay(title, {"text": "To Fern Books"}, protocol="v2", **options)


def history(home, id):
    return [d for d in home.json("history")["decisions"] if d["ref"].endswith(f":{id}")][-1]


# The PIN


def test_on_a_terminal_the_card_comes_first_then_the_pin(fern, bank):
    id = ask(bank)
    child = fern.terminal("deny", f"fern:{id}", environment={"NO_COLOR": "1"})
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("│ To Fern Books")
    child.expect(r"PIN to deny \(empty cancels\): ")
    child.sendline("")
    assert finish(child) == 2
    assert bank.authorization(id)["decisions_received"] == 0
    child = fern.terminal("deny", f"fern:{id}", environment={"NO_COLOR": "1"})
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("PIN to deny")
    child.sendline("999111")
    child.expect("wrong PIN; 8 tries are left")
    child.expect("PIN to deny")
    child.sendline(PIN)
    child.expect(f"denied  fern:{id}  denied at the bank at ")
    assert finish(child) == 0
    there = bank.authorization(id)
    # What was used is what the sealed payload says.
    assert (there["status"], there["authorization_type"]) == ("denied", "passcode")


def test_in_watch_too(fern, bank):
    id = ask(bank)
    child = fern.terminal("watch", "--once", environment={"NO_COLOR": "1"})
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect(r"\[d\]eny")
    child.send("d")
    child.expect("PIN to deny")
    child.sendline(PIN)
    child.expect("denied at the bank at ")
    assert finish(child) == 0
    assert bank.authorization(id)["status"] == "denied"


def test_a_v1_bank_asks_as_before(home, bank):
    home.set_pin().enroll(bank)
    id = bank.pay()
    child = home.terminal("deny", f"demobank:{id}")
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("Deny this?")
    child.sendline("y")
    assert finish(child) == 0
    assert bank.authorization(id)["status"] == "denied"


def test_without_a_person_the_pin_comes_from_a_file_or_nothing_is_sent(fern, agents, bank):
    agent = agents(fern).unlock()
    id = ask(bank)
    agent.until_waiting(1)
    # The agent is open, which is enough to see, not to sign.
    result = fern.run("deny", f"fern:{id}", "--no-input", "--json", pin=False)
    assert result.code == 3 and result.json["error"]["kind"] == "locked", result
    fingerprint = fern.json("show", f"fern:{id}")["fingerprint"]
    path = f"/authorizations/fern%3A{id}/deny?fingerprint={fingerprint}"
    answer = agent.request("POST", path, headers={"Countersign-No-Input": "1"})
    assert answer.status == 423 and answer.json["error"]["kind"] == "locked", answer
    # A PIN of another program is not taken.
    assert agent.request("POST", path, body=PIN).status == 403
    fern.pin_file.write_text("999111\n")
    assert fern.run("deny", f"fern:{id}", "--json").code == 3
    assert bank.authorization(id)["decisions_received"] == 0
    fern.write_pin(PIN)
    assert fern.json("deny", f"fern:{id}", "--no-input")["decisions"][0]["outcome"] == "denied"
    assert bank.authorization(id)["status"] == "denied"


def test_the_button_of_a_note_shows_the_card_and_takes_the_pin(fern, agents, desktop, pinentry, bank):
    agents(fern, pinentry=pinentry).unlock()
    id = ask(bank)
    pinentry.answers(YES, typed(PIN))
    desktop.do("invoke", desktop.note("Pay 9.90 EUR")["id"], "deny")
    until(lambda: bank.authorization(id)["status"] == "denied", 60)
    assert pinentry.asked() == ["CONFIRM", "GETPIN"]
    page, question = pinentry.told("SETDESC")
    assert "To Fern Books" in page and "Pay 9.90 EUR" in page
    assert question.splitlines()[0] == "Deny request"
    desktop.empty()


def test_at_a_pinentry_of_a_front_end(fern, agents, pinentry, bank):
    agent = agents(fern, pinentry=pinentry).unlock()
    id = ask(bank)
    agent.until_waiting(1)
    fingerprint = agent.request("GET", f"/authorizations/fern%3A{id}").json["fingerprint"]
    path = f"/authorizations/fern%3A{id}/deny?fingerprint={fingerprint}"
    pinentry.answers("ERR 83886194 Not confirmed <Fake>\n")
    assert agent.request("POST", path).json["error"]["kind"] == "cancelled"
    assert bank.authorization(id)["decisions_received"] == 0
    pinentry.answers(YES, typed(PIN))
    answer = agent.request("POST", path)
    assert answer.status == 200 and answer.json["outcome"] == "denied", answer
    assert pinentry.asked() == ["CONFIRM", "GETPIN"]


# The alarm


def test_a_denial_can_be_used_as_an_approval_and_then_there_is_an_alarm(fern, bank):
    id = ask(bank)
    [decision] = fern.json("deny", f"fern:{id}")["decisions"]
    assert (decision["outcome"], decision["alarm"]) == ("denied", False)
    # Nothing that we sign tells the provider that it was a denial.
    assert bank.post(f"authorizations/{id}/replay") == {"status": "confirmed"}
    assert bank.authorization(id)["status"] == "confirmed"

    result = fern.run("pending", "--json")
    assert result.code == 5, result
    [failure] = result.json["failures"]
    assert failure["connection"] == "fern" and failure["kind"] == "refused"
    assert f"{WORDS} (fern:{id}) reads confirmed at the bank" in failure["message"]
    entry = history(fern, id)
    assert (entry["decision"], entry["outcome"], entry["basis"]) == ("deny", "refused", "answered")
    assert entry["alarm"] is True and entry["final"] is True
    assert "refused (ALARM: the bank says confirmed)" in fern.ok("history").out
    assert fern.json("history", "--verify")["log"] == "intact"
    # It is told once, and stays in the log.
    assert fern.json("pending") == {"authorizations": [], "failures": []}


@pytest.mark.parametrize("polls", [0, 1], ids=["at once", "later"])
def test_a_denial_that_is_answered_with_confirmed(fern, bank, polls):
    id = ask(bank, outcome="confirmed", polls=polls)
    result = fern.run("deny", f"fern:{id}", "--json")
    [decision] = result.json["decisions"]
    assert result.code == 5 and (decision["outcome"], decision["alarm"]) == ("refused", True), result
    assert WORDS in decision["error"]["message"] and decision["error"]["exit_code"] == 5
    assert history(fern, id)["alarm"] is True
    result = fern.run("deny", f"fern:{ask(bank, outcome='confirmed')}")
    assert result.code == 5 and WORDS in result.err and "hint: call the bank" in result.err, result


def test_the_agent_shows_it_on_the_screen(fern, agents, desktop, bank):
    agent = agents(fern).unlock()
    events = agent.events()
    id = ask(bank)
    events.expect("added")
    fern.ok("deny", f"fern:{id}")
    bank.post(f"authorizations/{id}/replay")
    note = desktop.note("Alarm: a denial was confirmed")
    assert f"fern:{id}" in note["body"] and note["actions"] == []
    assert note["hints"]["urgency"] == 2
    until(lambda: "alarm: a bank confirmed what was denied here" in agent.said, 30)
    assert "Pay 9.90" not in agent.said and history(fern, id)["alarm"] is True
