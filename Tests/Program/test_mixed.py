"""Banks of both kinds in one home: one list, one history, one call that decides on both; and one bank that is down costs
the others nothing.
"""

import re

import pytest
from conftest import PIN, Bank, Home, finish


@pytest.fixture(scope="module")
def banks(tmp_path_factory):
    """Two processes: the first is asked in v1, the second in v2."""
    banks = [Bank(tmp_path_factory.mktemp(name)) for name in ("one", "two")]
    for bank, name in zip(banks, ["Fern Bank", "Moss Bank"]):
        bank.post("settings", name=name, processing_polls=1)
    yield banks
    for bank in banks:
        bank.stop()


@pytest.fixture(scope="module")
def home(tmp_path_factory, banks):
    home = Home(tmp_path_factory.mktemp("home")).set_pin()
    return home.enroll(banks[0]).enroll(banks[1], protocol="v2")


@pytest.fixture(autouse=True)
def settled(banks):
    yield
    for bank in banks:
        bank.post("faults/clear")
        for item in bank.get("authorizations?status=pending"):
            bank.post(f"authorizations/{item['id']}/close")


def ask(bank, title, minute):
    """An authorization that says it was made at this minute."""
    description = {"payment": {"amount": title}} if bank.kind == "v2" else f"Amount {title}"
    return bank.pay(title, description, created_at=f"2026-01-01T00:{minute:02}:00Z")


@pytest.fixture
def waiting(banks):
    """Two items at each bank, made in turn, but not in the order of their ids; references by age."""
    one, two = banks
    one.kind, two.kind = "v1", "v2"
    # The banks make items in one call a group, and separate calls separate groups.
    made = {
        3: f"demobank:{ask(one, '30.00 EUR', 3)}", 1: f"demobank:{ask(one, '10.00 EUR', 1)}",
        2: f"moss-bank:{ask(two, '20.00 EUR', 2)}", 0: f"moss-bank:{ask(two, '5.00 EUR', 0)}"}
    return [made[minute] for minute in sorted(made)]


def test_one_list(home, banks, waiting):
    found = {c["name"]: (c["protocol"], c["bank"]) for c in home.json("connections")["connections"]}
    assert found == {"demobank": ("saltedge-v1", "Fern Bank"), "moss-bank": ("saltedge-v2", "Moss Bank")}
    answer = home.json("pending", "--strict")
    assert [item["ref"] for item in answer["authorizations"]] == waiting and answer["failures"] == []
    assert [item["title"] for item in answer["authorizations"]] == ["5.00 EUR", "10.00 EUR", "20.00 EUR", "30.00 EUR"]
    assert home.ok("pending", "--quiet").out.split() == waiting
    lines = home.ok("pending").out.splitlines()
    assert [line.split()[0] for line in lines] == ["REF", *waiting]
    assert ["Moss Bank" in line for line in lines[1:]] == [True, False, True, False]
    only = home.json("pending", "--connection", "moss-bank")["authorizations"]
    assert [item["ref"] for item in only] == [waiting[0], waiting[2]]


def test_one_bank_is_down(home, banks, waiting, tmp_path):
    dead = Bank(tmp_path)
    home.enroll(dead, protocol="v2", name="dead")
    dead.stop()
    host = dead.url.removeprefix("http://")

    result = home.run("pending")
    assert result.code == 0, result
    assert [line.split()[0] for line in result.out.splitlines()] == ["REF", *waiting]
    assert f"error: dead: cannot reach {host}: it refuses connections" in result.err and "hint: " in result.err

    answer = home.json("pending")
    assert [item["ref"] for item in answer["authorizations"]] == waiting
    [failure] = answer["failures"]
    assert (failure["connection"], failure["kind"]) == ("dead", "unreachable") and host in failure["message"]

    strict = home.run("pending", "--strict", "--json")
    assert strict.code == 6 and [item["ref"] for item in strict.json["authorizations"]] == waiting
    alone = home.run("pending", "--connection", "dead", "--json")
    assert alone.code == 6 and alone.json["authorizations"] == [] and len(alone.json["failures"]) == 1
    assert {c["name"]: c["status"] for c in home.json("connections")["connections"]}["dead"] == "active"

    answer = home.json("consents")
    assert [f["connection"] for f in answer["failures"]] == ["dead"]

    # The others are decided on as ever; an unreachable one is told as that.
    mixed = home.run("deny", "dead:1", waiting[0], waiting[1], "--json")
    assert mixed.code == 6
    assert [d["error"] and d["error"]["kind"] for d in mixed.json["decisions"]] == ["unreachable", None, None]
    home.ok("revoke", "dead", "--local-only")


def test_all_banks_fail(home, banks):
    for bank, operation in zip(banks, ["authorizations.list"] * 2):
        bank.fault(operation, status=400, error_class="Trouble", times=3)
    result = home.run("pending")
    assert result.code == 5 and result.out == "", result
    assert "error: demobank: " in result.err and "error: moss-bank: " in result.err
    answer = home.run("pending", "--json")
    assert answer.code == 5 and [f["connection"] for f in answer.json["failures"]] == ["demobank", "moss-bank"]


def test_decided_in_one_call(home, banks, waiting):
    """On a terminal each has its own card and its own PIN."""
    child = home.terminal("approve", *waiting[:3], environment={"NO_COLOR": "1"})
    child.expect("PIN: ")
    child.sendline(PIN)
    for ref, title in zip(waiting, ["5.00 EUR", "10.00 EUR", "20.00 EUR"]):
        two = ref.startswith("moss")
        bank, host = ("Moss Bank", banks[1].url) if two else ("Fern Bank", banks[0].url)
        child.expect(re.escape(f"│ {title}"))
        child.expect(re.escape(f"│ Amount {title}"))
        child.expect(re.escape(f"├ {bank} · {host.removeprefix('http://')} "))
        child.expect(f"└ {ref} ")
        child.expect("PIN to approve")
        child.sendline(PIN)
        if two:
            child.expect("Waiting for the bank")
    for ref in waiting[:3]:
        child.expect(f"approved  {ref}  confirmed by the bank at ")
    assert finish(child) == 0
    for ref in waiting:
        name, id = ref.split(":")
        bank = banks[name == "moss-bank"]
        assert bank.authorization(id)["status"] == ("pending" if ref == waiting[3] else "confirmed")


def test_one_history(home, banks, waiting):
    before = len(home.json("history")["decisions"])
    result = home.json("deny", *waiting)
    assert [(d["ref"], d["outcome"], d["basis"]) for d in result["decisions"]] == [
        (ref, "denied", "answered") for ref in waiting]
    answer = home.json("history", "--verify")
    assert answer["log"] == "intact"
    newest = answer["decisions"][before:]
    assert [d["ref"] for d in newest] == waiting
    assert [d["bank"] for d in newest] == ["Moss Bank", "Fern Bank", "Moss Bank", "Fern Bank"]
    # A v2 payment is kept as its lines, a v1 payment as its text.
    assert [d["text"] for d in newest[:2]] == ["Amount: 5.00 EUR", "Amount 10.00 EUR"]
    only = home.json("history", "--connection", "moss-bank", "--limit", "2")["decisions"]
    assert [d["ref"] for d in only] == [waiting[0], waiting[2]]
