"""One decision, sent once: what becomes of it when the program is killed, the answer is lost, the clocks differ, the content
changes or two processes decide at once; and the log that shows every change made to it.
"""

import time

import pytest
from conftest import PIN, Bank, Home, finish
from innards import copy_home, spawn, sql, until


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A home, connected to a bank. Tests share both, each with authorizations of its own."""
    path = tmp_path_factory.mktemp("decisions")
    bank = Bank(path)
    home = Home(path)
    home.set_pin().enroll(bank)
    yield home, bank
    bank.stop()


@pytest.fixture
def home(place):
    return place[0]


@pytest.fixture
def bank(place):
    bank = place[1]
    bank.post("faults/clear")
    bank.post("clock", offset_seconds=0)
    for item in bank.get("authorizations?status=pending"):
        bank.post(f"authorizations/{item['id']}/close")
    yield bank
    bank.post("faults/clear")
    bank.post("clock", offset_seconds=0)


def seen(home, id):
    """The authorization as the program lists it."""
    return next(a for a in home.json("pending")["authorizations"] if a["id"] == str(id))


def decide(home, verb, item, *args, **options):
    """Decides, naming the fingerprint; returns the finished command and the decision that it printed."""
    result = home.run(verb, item["ref"], "--fingerprint", item["fingerprint"], "--json", *args, **options)
    [decision] = result.json["decisions"]
    return result, decision


def received(bank, id):
    """How many decisions the bank was sent for this authorization."""
    return bank.authorization(id)["decisions_received"]


def history(home, ref):
    """What the log has for one authorization, oldest first."""
    answer = home.json("history", "--verify")
    assert answer["log"] == "intact"
    return [d for d in answer["decisions"] if d["ref"] == ref]


def outcomes(home, ref):
    return [(d["decision"], d["outcome"], d["basis"]) for d in history(home, ref)]


def events(home):
    [[count]] = sql(home, "SELECT count(*) FROM event")
    return count


def killed_while_sending(home, bank, verb, item, take_effect):
    """Kills the program with SIGKILL when "sending" is recorded and the request is under way. The bank does or does not act on
    it."""
    bank.fault("authorizations.decide", delay_ms=1000, status=500, body="", after=take_effect)
    before = events(home)
    process = spawn(home, verb, item["ref"], "--fingerprint", item["fingerprint"])
    until(lambda: events(home) > before or process.poll() is not None)
    if take_effect:
        until(lambda: bank.authorization(item["id"])["status"] != "pending" or process.poll() is not None)
    else:
        # The request is on its way within a moment of the record; the bank holds its answer back for longer.
        time.sleep(0.3)
    assert process.poll() is None, process.communicate()
    process.kill()
    process.communicate()
    assert events(home) == before + 1
    bank.post("faults/clear")


# Killed between "sending" and the answer


@pytest.mark.parametrize("verb, likely", [("approve", "confirmed"), ("deny", "denied")])
def test_killed_and_gone_before_its_time_is_probably_what_was_sent(home, bank, verb, likely):
    id = bank.pay()
    item = seen(home, id)
    killed_while_sending(home, bank, verb, item, take_effect=True)
    assert outcomes(home, item["ref"]) == [(verb, "unknown", None)]
    assert home.json("pending")["authorizations"] == []
    assert outcomes(home, item["ref"]) == [(verb, "unknown", "inferred")]
    assert history(home, item["ref"])[0]["likely"] == likely
    home.ok("pending")
    assert received(bank, id) == 1 and len(history(home, item["ref"])) == 1
    assert f"gone at the bank before it expired: probably {likely}" in home.ok("history").out


def test_killed_and_gone_after_its_time_stays_unknown_for_good(home, bank):
    id = bank.pay(expires_in=60)
    item = seen(home, id)
    killed_while_sending(home, bank, "approve", item, take_effect=True)
    # The bank's own clock says when it is too late to tell.
    bank.post("clock", offset_seconds=120)
    home.ok("pending")
    assert outcomes(home, item["ref"]) == [("approve", "unknown", None)]
    assert "ask the bank" in home.ok("history").out
    bank.post("clock", offset_seconds=0)
    home.ok("pending")
    assert outcomes(home, item["ref"]) == [("approve", "unknown", None)]
    assert received(bank, id) == 1


def test_killed_and_still_listed_may_be_decided_again(home, bank):
    id = bank.pay()
    item = seen(home, id)
    killed_while_sending(home, bank, "approve", item, take_effect=False)
    again = seen(home, id)
    assert again["fingerprint"] == item["fingerprint"]
    home.ok("pending")
    assert received(bank, id) == 0
    assert outcomes(home, item["ref"]) == [("approve", "unknown", None)]
    # A new decision, with its own PIN; the first one's outcome stays as it was.
    result, decision = decide(home, "deny", again)
    assert result.code == 0 and decision["outcome"] == "denied", result
    assert received(bank, id) == 1
    assert outcomes(home, item["ref"]) == [("approve", "unknown", None), ("deny", "denied", "answered")]


def test_killed_and_listed_with_other_content_stays_unknown_for_good(home, bank):
    id = bank.pay()
    item = seen(home, id)
    killed_while_sending(home, bank, "approve", item, take_effect=False)
    bank.admin("PATCH", f"authorizations/{id}", title="Pay 990.00 EUR")
    assert seen(home, id)["title"] == "Pay 990.00 EUR"
    assert "ask the bank" in home.ok("history").out
    assert outcomes(home, item["ref"]) == [("approve", "unknown", None)]
    bank.post(f"authorizations/{id}/close")
    home.ok("pending")
    assert outcomes(home, item["ref"]) == [("approve", "unknown", None)]


# Answers that do not come, or say nothing


def test_a_lost_answer_is_unknown_and_is_resolved(home, bank):
    id = bank.pay()
    item = seen(home, id)
    bank.fault("authorizations.decide", after=True, drop=True)
    result, decision = decide(home, "approve", item)
    assert result.code == 9, result
    assert decision["outcome"] == "unknown" and decision["basis"] is None
    assert (decision["error"]["kind"], decision["error"]["exit_code"]) == ("unknown", 9)
    assert "pending" in decision["error"]["hint"]
    assert received(bank, id) == 1
    home.ok("pending")
    assert outcomes(home, item["ref"]) == [("approve", "unknown", "inferred")]
    assert received(bank, id) == 1


@pytest.mark.parametrize("after", [True, False])
def test_an_error_page_on_a_decision_is_unknown(home, bank, after):
    id = bank.pay()
    item = seen(home, id)
    bank.fault(
        "authorizations.decide", status=500, body="<html><h1>Internal Server Error</h1></html>", content_type="text/html",
        after=after)
    result, decision = decide(home, "approve", item)
    assert (result.code, decision["outcome"]) == (9, "unknown"), result
    assert "Internal Server Error" not in result.out + result.err
    home.ok("pending")
    if after:
        assert outcomes(home, item["ref"]) == [("approve", "unknown", "inferred")]
    else:
        assert outcomes(home, item["ref"]) == [("approve", "unknown", None)]
        result, decision = decide(home, "approve", item)
        assert (result.code, decision["outcome"]) == (0, "confirmed"), result


def test_an_unknown_outcome_is_not_decided_over(home, bank):
    """Until a poll has found it still listed, nobody decides a second time: the first decision may count."""
    id = bank.pay()
    item = seen(home, id)
    bank.fault("authorizations.decide", drop=True)
    assert decide(home, "approve", item)[0].code == 9
    sent = received(bank, id)
    result, decision = decide(home, "approve", item)
    assert result.code == 9 and "may count" in decision["error"]["message"], result
    assert decision["outcome"] == "unknown"
    assert received(bank, id) == sent
    home.ok("pending")
    result, decision = decide(home, "approve", item)
    assert (result.code, decision["outcome"]) == (0, "confirmed"), result


# Clocks


@pytest.mark.parametrize("offset", [400, 590])
def test_a_list_is_read_from_a_bank_whose_clock_differs(home, bank, offset):
    id = bank.pay(expires_in=36000)
    bank.post("clock", offset_seconds=offset)
    bank.post("requests/clear")
    item = seen(home, id)
    sent = [r["status"] for r in bank.get("requests?operation=authorizations.list")]
    assert len(sent) == 2 and min(sent) == 200 and max(sent) >= 400
    # What one call has learned of the clocks serves the next: the decision itself leaves once.
    bank.post("requests/clear")
    result, decision = decide(home, "approve", item)
    assert (result.code, decision["outcome"]) == (0, "confirmed"), result
    assert [r["status"] for r in bank.get("requests?operation=authorizations.decide")] == [200]


@pytest.mark.parametrize("offset", [0, 500, -500])
def test_signature_expired_is_corrected_once_and_both_are_recorded(home, bank, offset):
    id = bank.pay(expires_in=36000)
    bank.post("clock", offset_seconds=offset)
    item = seen(home, id)
    bank.post("requests/clear")
    bank.fault("authorizations.decide", status=400, error_class="SignatureExpired", error_message="Signature expired")
    result, decision = decide(home, "approve", item)
    assert (result.code, decision["outcome"]) == (0, "confirmed"), result
    sent = bank.get("requests?operation=authorizations.decide")
    assert sorted(r["status"] for r in sent) == [200, 400]
    assert received(bank, id) == 1
    assert outcomes(home, item["ref"]) == [("approve", "refused", "answered"), ("approve", "confirmed", "answered")]


def test_a_bank_cannot_have_a_signature_made_for_the_next_century(home, bank):
    """`SignatureExpired` with a `Date` in 2200 would make an approval that is valid until then."""
    id = bank.pay(expires_in=9_000_000_000)
    item = seen(home, id)
    bank.post("requests/clear")
    bank.fault(
        "authorizations.decide", times=5, status=400, error_class="SignatureExpired",
        headers={"Date": "Wed, 01 Jan 2200 00:00:00 GMT"})
    result, decision = decide(home, "approve", item)
    assert (result.code, decision["error"]["kind"]) == (5, "refused"), result
    message = decision["error"]["message"]
    assert message.startswith("the bank's clock says 2200-01-01T00:00:00Z, which is more than ten minutes from ours"), result
    assert "SignatureExpired" in message and "date -u" in decision["error"]["hint"]
    sent = bank.get("requests?operation=authorizations.decide")
    assert [int(r["headers"]["expires-at"]) < time.time() + 301 for r in sent] == [True]
    assert received(bank, id) == 0
    assert outcomes(home, item["ref"]) == [("approve", "refused", "answered")]


def test_a_signature_ends_with_its_authorization(home, bank):
    id = bank.pay(expires_in=100)
    item = seen(home, id)
    bank.post("requests/clear")
    result, decision = decide(home, "approve", item)
    assert decision["outcome"] == "confirmed", result
    [sent] = bank.get("requests?operation=authorizations.decide")
    assert int(sent["headers"]["expires-at"]) <= time.time() + 100


def test_signature_expired_twice_is_refused(home, bank):
    id = bank.pay()
    item = seen(home, id)
    bank.post("requests/clear")
    bank.fault(
        "authorizations.decide", times=5, status=400, error_class="SignatureExpired", error_message="Signature expired")
    result, decision = decide(home, "approve", item)
    assert result.code == 5 and decision["outcome"] == "refused", result
    assert len(bank.get("requests?operation=authorizations.decide")) == 2
    assert [o[1] for o in outcomes(home, item["ref"])] == ["refused", "refused"]


# Refused


def test_success_false_is_refused_and_may_be_decided_again(home, bank):
    """HTTP 200 with `success: false`: the bank did not take it."""
    id = bank.pay()
    item = seen(home, id)
    bank.fault(
        "authorizations.decide", status=200, content_type="application/json",
        body={"data": {"authorization_id": id, "success": False}})
    result, decision = decide(home, "approve", item)
    assert result.code == 5, result
    assert (decision["outcome"], decision["basis"], decision["error"]["kind"]) == ("refused", "answered", "refused")
    result, decision = decide(home, "approve", item)
    assert (result.code, decision["outcome"]) == (0, "confirmed"), result
    assert outcomes(home, item["ref"]) == [("approve", "refused", "answered"), ("approve", "confirmed", "answered")]


def test_approving_twice_sends_once(home, bank):
    id = bank.pay()
    item = seen(home, id)
    assert decide(home, "approve", item)[0].code == 0
    result, decision = decide(home, "approve", item)
    assert result.code == 4, result
    assert received(bank, id) == 1 and len(history(home, item["ref"])) == 1


def test_two_processes_approving_at_once_send_once(home, bank):
    id = bank.pay()
    item = seen(home, id)
    bank.fault("authorizations.decide", delay_ms=400, times=2)
    processes = [
        spawn(home, "approve", item["ref"], "--fingerprint", item["fingerprint"], "--json") for _ in range(3)]
    answers = [p.communicate(timeout=60)[0] for p in processes]
    assert sorted(p.returncode for p in processes)[0] == 0, answers
    assert sum(p.returncode == 0 for p in processes) == 1, answers
    assert received(bank, id) == 1 and bank.authorization(id)["status"] == "confirmed"
    assert outcomes(home, item["ref"]) == [("approve", "confirmed", "answered")]


# What was seen


def test_content_that_changed_since_is_refused(home, bank):
    id = bank.pay()
    item = seen(home, id)
    bank.admin("PATCH", f"authorizations/{id}", description="To Fern Casino")
    before = events(home)
    for verb in ("approve", "deny"):
        result, decision = decide(home, verb, item)
        assert (result.code, decision["error"]["kind"]) == (8, "changed"), result
    assert received(bank, id) == 0 and events(home) == before
    fresh = seen(home, id)
    assert fresh["fingerprint"] != item["fingerprint"]
    result, decision = decide(home, "approve", fresh)
    assert result.code == 0 and decision["fingerprint"] == fresh["fingerprint"]


def test_a_new_code_alone_is_other_content(home, bank):
    id = bank.pay(code="one")
    item = seen(home, id)
    bank.admin("PATCH", f"authorizations/{id}", code="two")
    assert decide(home, "approve", item)[0].code == 8
    assert received(bank, id) == 0


def test_content_that_changes_while_the_pin_is_typed_is_refused(home, bank):
    id = bank.pay("Pay 1.00 EUR")
    before = events(home)
    child = home.terminal("approve", f"demobank:{id}", columns=100)
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("Pay 1.00 EUR")
    child.expect("PIN to approve")
    bank.admin("PATCH", f"authorizations/{id}", title="Pay 1000.00 EUR")
    child.sendline(PIN)
    assert finish(child) == 8
    assert "not what was seen" in child.before
    assert received(bank, id) == 0 and events(home) == before


def test_an_empty_pin_or_a_wrong_one_approves_nothing(home, bank):
    id = bank.pay("Pay 4.10 EUR")
    for typed, code in (([""], 2), (["998877", ""], 2), (["998877"] * 3, 3)):
        child = home.terminal("approve", f"demobank:{id}")
        child.expect("PIN: ")
        child.sendline(PIN)
        for pin in typed:
            child.expect("PIN to approve")
            child.sendline(pin)
        assert finish(child) == code, child.before
    assert received(bank, id) == 0


def test_another_fingerprint_is_refused(home, bank):
    item = seen(home, bank.pay())
    for claim in ("0" * 64, "0" * 16, item["fingerprint"][:15] + ("0" if item["fingerprint"][15] != "0" else "1")):
        result, decision = decide(home, "approve", dict(item, fingerprint=claim))
        assert (result.code, decision["error"]["kind"]) == (8, "changed"), result
    # Sixteen digits are enough to name it.
    result, _ = decide(home, "approve", dict(item, fingerprint=item["fingerprint"][:16]))
    assert result.code == 0, result


def test_what_expired_is_not_approved(home, bank):
    id = bank.pay(expires_in=3)
    item = seen(home, id)
    until(lambda: not home.json("pending")["authorizations"])
    result, decision = decide(home, "approve", item)
    # The bank lists it no longer, or still does and it is over: either way nothing is sent.
    assert result.code in (4, 8) and decision["error"]["kind"] in ("not_found", "expired"), result
    # Listed by a bank whose clock is behind: it is the program that refuses.
    id = bank.pay(expires_in=2)
    bank.post("clock", offset_seconds=-600)
    shown = home.json("show", f"demobank:{id}")
    until(lambda: home.json("show", f"demobank:{id}")["seconds_left"] <= 0)
    before = events(home)
    result, decision = decide(home, "approve", shown)
    assert (result.code, decision["error"]["kind"], decision["outcome"]) == (8, "expired", "expired"), result
    assert events(home) == before and received(bank, id) == 0


def test_without_a_terminal_the_content_must_be_named(home, bank):
    id = bank.pay()
    result = home.run("approve", f"demobank:{id}", "--json")
    assert result.code == 64 and result.json["error"]["kind"] == "usage", result
    child = home.terminal("approve", f"demobank:{id}", "--no-input", "--pin-file", home.pin_file)
    assert finish(child) == 64
    assert received(bank, id) == 0
    # Denying does not need it.
    result = home.run("deny", f"demobank:{id}")
    assert result.code == 0 and bank.authorization(id)["status"] == "denied", result


# The log


@pytest.fixture(scope="module")
def log(place, tmp_path_factory):
    """A home with five decisions, and its events."""
    home, bank = place
    for index in range(5):
        id = bank.pay(f"Number {index}")
        assert decide(home, "approve", seen(home, id))[0].code == 0
    return home


def broken(log, tmp_path, *statements):
    """What `history --verify` says of a copy of the home in which these statements were run on the database. The keyring is
    the same for both, as it is for somebody who puts another file in place."""
    copy = copy_home(log, tmp_path / "copy")
    for statement, *arguments in statements:
        sql(copy, statement, *arguments)
    result = copy.run("history", "--verify", "--json")
    assert result.code == 1, result
    return result.json["log"]


def test_a_whole_copy_verifies(log, tmp_path):
    copy = copy_home(log, tmp_path / "copy")
    assert copy.json("history", "--verify")["log"] == "intact"


def test_an_edited_event_is_seen(log, tmp_path):
    [[content]] = sql(log, "SELECT content FROM event WHERE sequence = 3")
    edited = bytearray(content)
    edited[20] ^= 1
    assert broken(log, tmp_path, ("UPDATE event SET content = ? WHERE sequence = 3", bytes(edited))).startswith(
        "broken at event 3:")
    plain = Home(tmp_path / "copy").run("history", "--verify")
    assert plain.code == 1 and "error: the log is broken at event 3:" in plain.err and "hint:" in plain.err, plain
    # Without --verify it is said too, and the rest is shown.
    plain = Home(tmp_path / "copy").run("history")
    assert plain.code == 0 and "the log is broken at event 3:" in plain.err and "Number 4" in plain.out, plain


@pytest.mark.parametrize("column, value", [("waits", "1 - waits"), ("decision", "decision + 2"), ("mac", "zeroblob(32)")])
def test_each_edited_column_is_seen(log, tmp_path, column, value):
    assert broken(log, tmp_path, (f"UPDATE event SET {column} = {value} WHERE sequence = 4",)).startswith(
        "broken at event 4:")


def test_a_removed_event_is_seen(log, tmp_path):
    assert broken(log, tmp_path, ("DELETE FROM event WHERE sequence = 3",)) == "broken at event 3: missing"


def test_a_removed_event_with_the_others_moved_up_is_seen(log, tmp_path):
    answer = broken(
        log, tmp_path, ("DELETE FROM event WHERE sequence = 3",),
        ("UPDATE event SET sequence = -sequence + 1 WHERE sequence > 3",),
        ("UPDATE event SET sequence = -sequence WHERE sequence < 0",))
    assert answer.startswith("broken at event 3:")


def test_two_events_that_changed_places_are_seen(log, tmp_path):
    answer = broken(
        log, tmp_path, ("UPDATE event SET sequence = 999 WHERE sequence = 2",),
        ("UPDATE event SET sequence = 2 WHERE sequence = 4",), ("UPDATE event SET sequence = 4 WHERE sequence = 999",))
    assert answer.startswith("broken at event 2:")


def test_the_newest_events_cut_off_are_seen(log, tmp_path):
    count = events(log)
    assert broken(log, tmp_path, ("DELETE FROM event WHERE sequence > ?", count - 2)) == (
        f"broken at events {count - 1} to {count}: missing")


def test_an_older_database_put_back_is_seen(log, bank, tmp_path):
    """File and head agree, but the keyring's copy of the head knows of more."""
    old = copy_home(log, tmp_path / "old")
    before = events(log)
    assert decide(log, "approve", seen(log, bank.pay()))[0].code == 0
    result = old.run("history", "--verify", "--json")
    assert result.code == 1, result
    assert result.json["log"] == f"broken at events {before + 1} to {events(log)}: missing"


def test_the_whole_log_gone_is_seen(log, tmp_path):
    assert broken(log, tmp_path, ("DELETE FROM event",), ("DELETE FROM head",)) == (
        f"broken at event 1: the whole log is gone; it had {events(log)} events")


def test_history_of_a_revoked_connection_stays(log, bank):
    bank.user("grace")
    log.enroll(bank, "grace", name="leaving")
    id = bank.pay("The last one", user="grace")
    item = seen(log, id)
    assert decide(log, "approve", item)[0].code == 0
    log.ok("revoke", "leaving")
    assert [d["title"] for d in history(log, f"leaving:{id}")] == ["The last one"]
    assert [d["ref"] for d in log.json("history", "--connection", "leaving")["decisions"]] == [f"leaving:{id}"]
    assert not [c for c in log.json("connections")["connections"] if c["name"] == "leaving"]
