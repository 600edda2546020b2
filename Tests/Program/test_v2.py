"""What waits at a v2 bank, as a person and a script see it, and deciding on it: the bank works asynchronously, its word
counts only when it is final, and a final word other than the wanted one is never success.
"""

import json
import time

import pytest
from conftest import PIN, Bank, Home, finish
from innards import spawn, until
from v2 import connection, seal


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    bank = Bank(tmp_path_factory.mktemp("bank"))
    yield bank
    bank.stop()


@pytest.fixture(scope="module")
def home(tmp_path_factory, bank):
    return Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank, protocol="v2", name="fern")


@pytest.fixture(autouse=True)
def settled(bank):
    """Each test begins with a bank that decides at once and asks nothing, and leaves one."""
    bank.post("settings", processing_polls=0, finished_seconds=10, wrong_code="error", constant_key=False)
    yield
    bank.post("faults/clear")
    for item in bank.get("authorizations?status=pending"):
        bank.post(f"authorizations/{item['id']}/close")


def ask(bank, title="Pay 9.90 EUR", description={"text": "To Fern Books"}, **options):
    return bank.pay(title, description, protocol="v2", **options)


def pending(home):
    """What waits, by id; nothing failed."""
    answer = home.json("pending")
    assert answer["failures"] == []
    return {item["id"]: item for item in answer["authorizations"]}


def approve(home, item, *args):
    return home.run("approve", item["ref"], "--fingerprint", item["fingerprint"], "--json", *args)


def decision(result):
    [one] = result.json["decisions"]
    return one


def history(home, id):
    """The newest decision on this authorization."""
    return [d for d in home.json("history")["decisions"] if d["ref"] == f"fern:{id}"][-1]


# What waits


PLACE = {"action_date": "Today", "device": "Firefox", "location": "Graz", "ip": "198.51.100.4"}
PLACE_TEXT = "Date: Today\nDevice: Firefox\nLocation: Graz\nIP address: 198.51.100.4"
# Not in the order in which it is shown.
PAYMENT = {
    "description": "Books for the garden", "exchange_rate": "1", "fee": "0.00", "reference": "R-5",
    "payment_date": "2030-01-01 10:00:00", "account": "AT00 1234", "amount": "9.90 EUR", "payee": "Fern Books"}
PAYMENT_TEXT = (
    "To: Fern Books\nAmount: 9.90 EUR\nAccount: AT00 1234\nDate: 2030-01-01 10:00:00\nReference: R-5\nFee: 0.00\n"
    "Exchange rate: 1\nDescription: Books for the garden")

# Description, text, html, fields.
DESCRIPTIONS = {
    "text": ({"text": "Sign in to Fern Online", "extra": PLACE}, "Sign in to Fern Online\n\n" + PLACE_TEXT, False, PLACE),
    "payment": ({"payment": PAYMENT}, PAYMENT_TEXT, False, PAYMENT),
    "payment and text": (
        {"text": "Thank you", "payment": {"payee": "Fern Books"}}, "To: Fern Books\n\nThank you", False,
        {"payee": "Fern Books"}),
    "html": (
        {"html": "<html><body><h1>Pay</h1><p>9.90 <b>EUR</b></p><script>x()</script></body></html>", "extra": PLACE},
        "Pay\n\n9.90 EUR\n\n[hidden: x()]\n\n" + PLACE_TEXT, True, PLACE),
    "fragment": ({"html": "<p>one</p>", "extra": {"ip": "::1"}}, "one\n\nIP address: ::1", True, {"ip": "::1"}),
    "as received": (
        {"payment": {"amount": "1,041.200", "payment_date": "yyyy-MM-dd"}, "extra": {"action_date": "2030-01-01T00:00:00Z"}},
        "Amount: 1,041.200\nDate: yyyy-MM-dd\n\nDate: 2030-01-01T00:00:00Z", False,
        {"amount": "1,041.200", "payment_date": "yyyy-MM-dd", "action_date": "2030-01-01T00:00:00Z"}),
    "unknown members": ({"foreign": {"a": 1}, "text": "hello", "payment": {"iban": "AT00"}},
        "[hidden: iban: AT00]\n\nhello\n\n[hidden: foreign: {\"a\":1}]", False, {}),
    "empty": ({}, "", False, {}),
    "nothing known": ({"foreign": "x", "text": "", "payment": {}, "extra": {"ip": ""}}, "[hidden: foreign: x]", False, {}),
}


def test_descriptions(home, bank):
    ids = {ask(bank, name, given[0], multiple=True): name for name, given in DESCRIPTIONS.items()}
    items = pending(home)
    assert {id: item["title"] for id, item in items.items()} == ids
    for id, name in ids.items():
        _, text, html, fields = DESCRIPTIONS[name]
        item = items[id]
        assert (item["text"], item["html"], item["fields"]) == (text, html, fields), name
        assert (item["ref"], item["connection"], item["status"]) == (f"fern:{id}", "fern", "pending"), name


def raw(title="As sealed", **changes):
    """The very JSON text that the provider seals."""
    members = {
        "title": json.dumps(title), "authorization_code": '"9f3a"', "created_at": '"2026-01-01T00:00:00Z"',
        "expires_at": '"2099-01-01T00:00:00Z"', "description": '{"text":"x"}', **changes}
    return "{" + ",".join(f'"{name}":{value}' for name, value in members.items() if value is not None) + "}"


def test_values_that_are_no_text_are_shown_by_their_json_text(home, bank):
    values = '{"payment":{"payee":["A","B"],"amount":9.90,"account":{"iban": "AT00"},"fee":null,"reference":true,' \
        '"exchange_rate":1.0E-3},"extra":{"ip":[]}}'
    id = ask(bank, raw=raw(description=values))
    item = pending(home)[id]
    assert item["fields"]["amount"] == "9.90" and item["fields"]["exchange_rate"] == "1.0E-3"
    assert item["fields"]["payee"] == '["A","B"]' and item["fields"]["reference"] == "true"
    assert json.loads(item["fields"]["account"]) == {"iban": "AT00"}
    assert item["text"].startswith('To: ["A","B"]\nAmount: 9.90\nAccount: {')


def test_times_and_codes_of_each_provider(home, bank):
    offset = ask(bank, raw=raw(created_at='"2026-01-01T02:00:00+02:00"', expires_at='"2099-01-01T02:00:00.250+02:00"'))
    bare = ask(bank, raw=raw(authorization_code=None, created_at=None))
    items = pending(home)
    assert items[offset]["created_at"] == "2026-01-01T00:00:00Z"
    assert items[offset]["expires_at"].startswith("2099-01-01T00:00:00")
    assert items[offset]["authorization_code"] == "9f3a"
    assert items[bare]["authorization_code"] is None and items[bare]["created_at"] is None


def test_one_bad_item_never_hides_the_good_ones(home, bank):
    good = ask(bank)
    faulty = [
        {"raw": raw(title=None)}, {"raw": raw(description='"text"')}, {"raw": raw(expires_at='"soon"')},
        {"raw": raw(created_at='null,"title":"b"')}, {"raw": raw("x" * 300_000)}, {"corrupt": "json"}, {"corrupt": "key"},
        {"corrupt": "iv"}, {"corrupt": "data"}, {"corrupt": "connection_id"},
    ]
    ids = [ask(bank, **oddity) for oddity in faulty]
    answer = home.json("pending")
    assert [item["id"] for item in answer["authorizations"]] == [good]
    # Which step failed is told to nobody.
    assert len(answer["failures"]) == len(faulty)
    assert len({json.dumps(failure) for failure in answer["failures"]}) == 1, answer
    assert answer["failures"][0]["message"] == "an item was left out: it cannot be opened"
    # Nor is it where one of them is asked for.
    told = {home.run("show", f"fern:{id}", "--json").out for id in ids[:-1]}
    assert len(told) == 1, told


def test_the_card(home, bank):
    id = ask(bank, "Pay <b>9.90</b> EUR", {"payment": PAYMENT, "extra": PLACE}, code="9f3a")
    lines = home.ok("show", f"fern:{id}").out.splitlines()
    assert lines[0] == "┌" + "─" * 79
    assert lines[1] == "│ Pay <b>9.90</b> EUR"
    labels = [line[2:16].strip() for line in lines[3:11]]
    assert labels == ["To", "Amount", "Account", "Date", "Reference", "Fee", "Exchange rate", "Description"]
    assert lines[3:5] == ["│ To            Fern Books", "│ Amount        9.90 EUR"]
    assert [line[2:12].strip() for line in lines[12:16]] == ["Date", "Device", "Location", "IP address"]
    assert lines[16].startswith(f"├ Demo Bank · {bank.url.removeprefix('http://')} ──") and lines[17] == "│ code 9f3a" and "fingerprint" in lines[18]
    assert all(len(line) <= 80 for line in lines)


def test_sealed_elsewhere_with_text_ids_and_zero_bytes(home, bank):
    """Ids as text; AES keys with zero bytes, or nothing else; a constant key; line-wrapped Base64."""
    [mine] = home.json("connections")["connections"]
    key = connection(bank, mine["id"])["public_key"]
    items = []
    for number, (aes, iv) in enumerate([(bytes(32), bytes(16)), (b"\0" + b"k" * 31, b"i" * 15 + b"\0"), (None, None)]):
        bundle = seal(key, raw(title=f"item {number}"), aes, iv)
        if number == 2:
            bundle = {name: "\n".join(text[i:i + 60] for i in range(0, len(text), 60)) + "\n" for name, text in bundle.items()}
        id, owner = (f"a/{number} ", mine["id"]) if number else (77, int(mine["id"]))
        items.append({"id": id, "connection_id": owner, "status": "pending", **bundle})
    bank.fault("authorizations.list", status=200, body=json.dumps({"data": items}), content_type="text/html")
    assert {item["ref"]: item["title"] for item in pending(home).values()} == {
        "fern:77": "item 0", "fern:a%2F1%20": "item 1", "fern:a%2F2%20": "item 2"}


def test_a_provider_with_a_constant_key(home, bank):
    bank.post("settings", constant_key=True)
    first, second = ask(bank), ask(bank)
    items = pending(home)
    assert set(items) == {first, second}
    assert approve(home, items[first]).code == 0
    assert bank.authorization(first)["status"] == "confirmed"


def test_what_is_over_is_not_listed(home, bank):
    closed, denied, odd, open = ask(bank), ask(bank), ask(bank, outcome="half_done"), ask(bank)
    bank.post(f"authorizations/{closed}/close")
    assert home.run("deny", f"fern:{denied}", f"fern:{odd}", "--no-wait").code == 0
    bank.post("requests/clear")
    assert set(pending(home)) == {open}
    assert [r["operation"] for r in bank.get("requests")] == ["authorizations.list"]
    # Its ciphertext is empty, so there is nothing to show either.
    for id in [closed, denied, odd]:
        result = home.run("show", f"fern:{id}")
        assert result.code == 4 and "no longer lists" in result.err, result


# Deciding


def test_approve_and_deny_wait_over_several_polls(home, bank):
    bank.post("settings", processing_polls=2)
    wanted, unwanted = ask(bank), ask(bank)
    item = pending(home)[wanted]
    bank.post("requests/clear")
    result = approve(home, item)
    assert result.code == 0, result
    one = decision(result)
    assert (one["outcome"], one["basis"], one["error"]) == ("confirmed", "answered", None)
    calls = [r["operation"] for r in bank.get("requests")]
    assert calls[-4:] == ["authorizations.decide"] + ["authorizations.show"] * 3
    there = bank.authorization(wanted)
    assert (there["status"], there["sca_status"], there["decisions_received"]) == ("confirmed", "confirmed", 1)
    assert there["authorization_type"] == "passcode" and there["geolocation"] == ""
    assert there["user_agent"].startswith("Countersign/")

    one = home.json("deny", f"fern:{unwanted}")["decisions"][0]
    assert (one["decision"], one["outcome"], one["basis"]) == ("deny", "denied", "answered")
    assert bank.authorization(unwanted)["sca_status"] == "denied"
    assert home.json("history", "--verify")["log"] == "intact"


@pytest.mark.parametrize("verb, outcome", [("approve", "confirmed"), ("deny", "denied")])
def test_no_wait_leaves_it_to_a_later_poll(home, bank, verb, outcome):
    bank.post("settings", processing_polls=1)
    id = ask(bank)
    item = pending(home)[id]
    result = approve(home, item, "--no-wait") if verb == "approve" else home.run("deny", item["ref"], "--no-wait", "--json")
    assert result.code == 0, result
    one = decision(result)
    assert (one["outcome"], one["error"]) == ("processing", None)
    assert history(home, id)["outcome"] == "processing"
    # Two looks: the first finds it in processing still.
    assert pending(home) == {} and history(home, id)["outcome"] == "processing"
    assert pending(home) == {}
    known = history(home, id)
    assert (known["outcome"], known["basis"]) == (outcome, "answered")
    assert bank.authorization(id)["decisions_received"] == 1


def test_no_wait_in_words(home, bank):
    bank.post("settings", processing_polls=5)
    id = ask(bank)
    result = home.ok("deny", f"fern:{id}", "--no-wait")
    assert "the bank is still working on it" in result.out


FINAL = {
    "closed": ("expired", 8), "time_out": ("expired", 8), "unavailable": ("expired", 8), "error": ("refused", 5),
    "the other": ("refused", 5)}


@pytest.mark.parametrize("word", FINAL)
def test_a_final_word_other_than_the_wanted_one_is_never_success(home, bank, word):
    outcome, code = FINAL[word]
    id = ask(bank, outcome="denied" if word == "the other" else word)
    result = approve(home, pending(home)[id])
    one = decision(result)
    assert (result.code, one["outcome"], one["basis"]) == (code, outcome, "answered"), result
    assert one["error"]["kind"] == outcome and one["error"]["exit_code"] == code
    assert history(home, id)["outcome"] == outcome
    assert bank.authorization(id)["decisions_received"] == 1


def test_the_same_after_processing(home, bank):
    words = ["confirmed", "error", "closed", "denied"]
    ids = [ask(bank, outcome=word, polls=0 if word == "denied" else 1) for word in words]
    result = home.run("deny", *[f"fern:{id}" for id in reversed(ids)], "--json")
    assert [d["outcome"] for d in result.json["decisions"]] == ["denied", "expired", "refused", "refused"]
    # The code is that of the first that failed.
    assert result.code == 8
    told = home.run("deny", f"fern:{ask(bank, outcome='confirmed')}")
    assert told.code == 5 and "error: ALARM: what you denied" in told.err


def test_an_unknown_word_means_that_it_is_still_processed(home, bank):
    bank.post("settings", finished_seconds=2)
    id = ask(bank, outcome="under_review")
    result = approve(home, pending(home)[id], "--no-wait")
    assert (result.code, decision(result)["outcome"]) == (0, "processing")
    assert bank.authorization(id)["sca_status"] == "under_review"
    assert pending(home) == {} and history(home, id)["outcome"] == "processing"
    # It disappears without a word: nobody but the bank knows then.
    until(lambda: history(home, id)["outcome"] == "unknown" if pending(home) == {} else False)


@pytest.mark.parametrize("trouble", [
    {"status": 404, "error_class": "AuthorizationNotFound"}, {"status": 503, "body": "<html>"}, {"drop": True}],
    ids=["not found", "outage", "lost"])
def test_trouble_while_processing_is_no_answer(home, bank, trouble):
    bank.post("settings", processing_polls=1)
    id = ask(bank)
    item = pending(home)[id]
    # Slows the answer down so that the trouble is there before the next question.
    bank.fault("authorizations.decide", delay_ms=500)
    process = spawn(home, "approve", item["ref"], "--fingerprint", item["fingerprint"], "--json")
    until(lambda: bank.authorization(id)["decisions_received"] == 1)
    bank.fault("authorizations.show", **trouble)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 0 and json.loads(out)["decisions"][0]["outcome"] == "confirmed", (out, err)
    shows = [r["status"] for r in bank.get("requests?operation=authorizations.show&limit=3")]
    assert shows == [trouble.get("status"), 200, 200]
    assert bank.authorization(id)["decisions_received"] == 1


@pytest.mark.parametrize("habit, outcome, code, bank_has", [
    ("error", "refused", 5, "error"), ("denied", "refused", 5, "denied"), ("refused", "refused", 5, "pending"),
    ("pending", "processing", 0, "pending"),
])
def test_a_wrong_code(home, bank, habit, outcome, code, bank_has):
    bank.post("settings", wrong_code=habit)
    id = ask(bank, code="right", raw=raw(authorization_code='"wrong"'))
    result = approve(home, pending(home)[id], "--no-wait")
    one = decision(result)
    assert (result.code, one["outcome"]) == (code, outcome), result
    if habit == "refused":
        assert "WrongRequestFormat: the authorization code is wrong" in one["error"]["message"]
    assert bank.authorization(id)["sca_status"] == bank_has
    assert bank.authorization(id)["status"] != "confirmed"


# Lost answers


@pytest.mark.parametrize("polls", [0, 1])
def test_a_lost_answer_is_resolved_by_the_status(home, bank, polls):
    bank.post("settings", processing_polls=polls)
    id = ask(bank)
    item = pending(home)[id]
    bank.fault("authorizations.decide", drop=True, after=True)
    result = approve(home, item)
    one = decision(result)
    assert (result.code, one["outcome"], one["basis"], one["error"]["kind"]) == (9, "unknown", None, "unknown"), result
    for _ in range(1 + polls):
        assert history(home, id)["outcome"] == "unknown"
        assert pending(home) == {}
    known = history(home, id)
    assert (known["outcome"], known["basis"]) == ("confirmed", "answered")
    assert bank.authorization(id)["decisions_received"] == 1
    again = approve(home, item)
    assert again.code == 4 and bank.authorization(id)["decisions_received"] == 1, again


def test_a_lost_request_leaves_the_person_free_to_decide_again(home, bank):
    id = ask(bank)
    item = pending(home)[id]
    bank.fault("authorizations.decide", drop=True)
    assert approve(home, item).code == 9
    # Nothing is known yet, so nothing is sent a second time.
    blocked = approve(home, item)
    assert blocked.code == 9 and "decided already" in decision(blocked)["error"]["message"], blocked
    assert bank.authorization(id)["decisions_received"] == 0
    assert set(pending(home)) == {id}
    assert decision(approve(home, item))["outcome"] == "confirmed"
    assert bank.authorization(id)["decisions_received"] == 1


def test_killed_after_sending(home, bank):
    id = ask(bank)
    item = pending(home)[id]
    bank.fault("authorizations.decide", delay_ms=3000)
    process = spawn(home, "approve", item["ref"], "--fingerprint", item["fingerprint"])
    until(lambda: bank.authorization(id)["decisions_received"] == 1)
    process.kill()
    process.communicate()
    assert history(home, id)["outcome"] == "unknown"
    until(lambda: bank.authorization(id)["status"] == "confirmed")
    assert pending(home) == {}
    known = history(home, id)
    assert (known["outcome"], known["basis"]) == ("confirmed", "answered")
    assert home.json("history", "--verify")["log"] == "intact"
    assert bank.authorization(id)["decisions_received"] == 1


# What was seen is what is decided


def test_other_content_under_the_same_id(home, bank):
    id = ask(bank)
    item = pending(home)[id]
    bank.admin("PATCH", f"authorizations/{id}", title="Pay 990.00 EUR")
    result = approve(home, item)
    assert result.code == 8 and decision(result)["error"]["kind"] == "changed", result
    assert bank.authorization(id)["decisions_received"] == 0


def test_expired_by_its_own_words(home, bank):
    id = ask(bank, raw=raw(expires_at='"2026-01-01T00:00:00Z"'))
    assert pending(home) == {}
    item = home.json("show", f"fern:{id}")
    assert item["seconds_left"] == 0
    result = approve(home, item)
    assert result.code == 8 and decision(result)["outcome"] == "expired", result
    assert bank.authorization(id)["decisions_received"] == 0


def test_groups(home, bank, tmp_path):
    """One action at two connections: deciding it at one closes it at the other, unless each decides for itself."""
    other = Home(tmp_path).set_pin().enroll(bank, protocol="v2", name="moss")
    for multiple in [False, True]:
        ids = bank.post("authorizations", user="ada", title="For both", description={"text": "x"}, multiple=multiple)["ids"]
        mine, theirs = [str(id) for id in ids]
        item, twin = pending(home)[mine], other.json("pending")["authorizations"][0]
        assert twin["ref"] == f"moss:{theirs}" and twin["fingerprint"] != item["fingerprint"]
        assert approve(home, item).code == 0
        left = [i["id"] for i in other.json("pending")["authorizations"]]
        late = other.run("approve", twin["ref"], "--fingerprint", twin["fingerprint"], "--json")
        if multiple:
            assert left == [theirs] and decision(late)["outcome"] == "confirmed", late
        else:
            assert left == [] and late.code == 4 and decision(late)["error"]["kind"] == "not_found", late
            assert bank.authorization(theirs)["sca_status"] == "closed"
    other.ok("revoke", "moss")


def test_a_position(home, bank, tmp_path):
    """Where the bank wants one it goes inside the sealed payload; denying is never blocked by it."""
    bank.post("settings", geolocation_required=True)
    strict = Home(tmp_path).set_pin().enroll(bank, protocol="v2", name="strict")
    bank.post("settings", geolocation_required=None)
    ids = bank.post("authorizations", user="ada", title="Where?", description={"text": "x"}, multiple=True)["ids"]
    ids += bank.post("authorizations", user="ada", title="Where?", description={"text": "x"}, multiple=True)["ids"]
    first, second = strict.json("pending")["authorizations"]
    claim = ("approve", first["ref"], "--fingerprint", first["fingerprint"])
    result = strict.run(*claim)
    assert result.code == 64 and "--geolocation LAT,LON" in result.err, result
    assert bank.authorization(first["id"])["decisions_received"] == 0
    strict.ok(*claim, "--geolocation", "48.137154,11.576124")
    assert bank.authorization(first["id"])["geolocation"] == "GEO:48.137154;11.576124"
    strict.ok("deny", second["ref"])
    there = bank.authorization(second["id"])
    assert (there["status"], there["geolocation"], there["authorization_type"]) == ("denied", "", "passcode")
    strict.ok("revoke", "strict")


# On a terminal


def test_an_empty_description_asks_for_the_title(home, bank):
    id = ask(bank, "Release the  Kraken", {})
    child = home.terminal("approve", f"fern:{id}")
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("warning: the bank sent nothing to read but this title")
    child.expect("Type the title to go on: ")
    child.sendline("yes")
    assert finish(child) == 2
    assert bank.authorization(id)["decisions_received"] == 0
    child = home.terminal("approve", f"fern:{id}")
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("Type the title to go on: ")
    child.sendline("release the kraken")
    child.expect("PIN to approve")
    child.sendline(PIN)
    child.expect(f"approved  fern:{id}  confirmed by the bank at ")
    assert finish(child) == 0
    assert bank.authorization(id)["status"] == "confirmed"


def test_a_terminal_sees_that_the_bank_works(home, bank):
    bank.post("settings", processing_polls=1)
    id = ask(bank, description={"payment": PAYMENT})
    child = home.terminal("approve", f"fern:{id}", environment={"NO_COLOR": "1"})
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("│ To            Fern Books")
    child.expect("PIN to approve")
    child.sendline(PIN)
    child.expect("Waiting for the bank")
    child.expect("confirmed by the bank at ")
    assert finish(child) == 0


def test_a_value_with_a_line_feed_makes_no_line_for_a_script(home, bank):
    """`text` marks values as the card does, and `fields` has each whole, in every command that gives both."""
    payment = {"payee": "Bob\nAmount: 1.00 EUR" + "\u00a0" * 34 + "x", "amount": "9,000.00 EUR", "reference": "R-5"}
    id = ask(bank, "Pay", {"payment": payment})
    for item in (pending(home)[id], home.json("show", f"fern:{id}")):
        assert item["text"].split("\n") == [
            "To: Bob ⏎ Amount: 1.00 EUR[34 spaces]x", "Amount: 9,000.00 EUR", "Reference: R-5"]
        assert item["fields"] == {"payee": "Bob ⏎ Amount: 1.00 EUR x", "amount": "9,000.00 EUR", "reference": "R-5"}
