"""Push tokens of privacyIDEA by polling, against a server of the tests that is as strict as the real one (push.py)."""

import json
import re

import pytest
from agents import CANCEL, YES, agents, pinentry, typed
from conftest import PIN, ROOT, check_schema, finish
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from innards import until
from push import OTHER_KEY, SERVER_KEY, PushServer, base32_signature, pkcs1

SERIAL = "PIPU0001"


@pytest.fixture
def server():
    server = PushServer()
    yield server
    server.stop()


@pytest.fixture
def token(home, server):
    """A home with a PIN and one push token, fern."""
    home.set_pin()
    enroll(home, server.token())
    return home


def enroll(home, link, *args):
    return home.ok("enroll", "-", "--yes", *args, stdin=link + "\n")


def failing(home, kind, *args, **options):
    result = home.run(*args, "--json", **options)
    error = result.json["error"]
    assert error["kind"] == kind and result.code == error["exit_code"], result
    return error


def waiting(home):
    return home.json("pending")


def card(home):
    [item] = waiting(home)["authorizations"]
    return item


def approve(home, item, *args):
    return home.run("approve", item["ref"], "--fingerprint", item["fingerprint"], "--json", "--no-input", *args)


def decided(result):
    check_schema(["approve"], result.json)
    [decision] = result.json["decisions"]
    return decision


def connections(home):
    return home.json("connections")["connections"]


# Enrollment


@pytest.mark.parametrize("scheme", ["pia", "otpauth"])
def test_a_token_is_enrolled_by_one_call_and_one_question(home, server, scheme):
    home.set_pin()
    link = server.token("Fern:mira@fern", scheme=scheme)
    answer = home.json("enroll", "-", "--yes", stdin=link + "\n")["connection"]
    assert (answer["name"], answer["bank"], answer["account"]) == ("fern", "Fern", "mira@fern")
    assert (answer["id"], answer["status"], answer["protocol"]) == (SERIAL, "active", "privacyidea-push")
    assert server.calls == ["rollout", "poll"]
    assert "fbtoken=no_firebase_token" in server.bodies[0] and server.tokens[SERIAL].key.key_size == 4096
    assert "enrollmentCredential" not in str(connections(home))


def test_the_person_sees_host_issuer_and_account_and_may_say_no(home, server):
    home.set_pin()
    child = home.terminal("enroll", "--pin-file", home.pin_file)
    child.expect("Link: ")
    child.sendline(server.token("mira@fern", poll_only="False", app_force_unlock="biometric"))
    child.expect("fingerprint or face before each answer; here it will be the PIN")
    child.expect("would push to a phone")
    child.expect(re.escape(server.url.split("//")[1]) + r" \(Fern, account mira@fern\) wants to connect this computer")
    child.sendline("n")
    assert finish(child) == 2
    assert server.calls == [] and connections(home) == []


@pytest.mark.parametrize("change, words", [
    ({"v": "2"}, "version"), ({"serial": None}, "lacks"), ({"url": None}, "lacks"), ({"enrollment_credential": None}, "lacks"),
    ({"url": "http://mfa.fern.example/ttype/push"}, "not https"), ({"url": "https://u@fern.example/"}, "user"), ({"ttl": "0"}, "time is over"),
    ({"ttl": "-1"}, "time is over"),
])
def test_a_link_that_cannot_be_used_costs_nothing(home, server, change, words):
    home.set_pin()
    values = dict(change)
    serial = values.pop("serial", "")
    link = server.token(**values)
    if serial is None:
        link = re.sub("&serial=[^&]*", "", link)
    error = failing(home, "usage", "enroll", "-", "--yes", stdin=link + "\n")
    assert words in error["message"] and server.calls == []


@pytest.mark.parametrize("link, words", [
    ("pia://container/SMPH0001?issuer=x", "push token"), ("otpauth://totp/x?secret=AAAA", "push token"), ("pia:pipush", "host")])
def test_links_of_other_kinds_are_named(home, link, words):
    home.set_pin()
    assert words in failing(home, "usage", "enroll", "-", "--yes", stdin=link + "\n")["message"]


def test_a_name_that_stands_twice_is_refused(home, server):
    home.set_pin()
    link = server.token() + "&url=https%3A//evil.example/"
    assert "twice" in failing(home, "usage", "enroll", "-", "--yes", stdin=link + "\n")["message"]
    assert server.calls == []


def test_a_refused_enrollment_leaves_nothing(home, server):
    home.set_pin()
    link = server.token()
    server.tokens[SERIAL].credential = "another"
    error = failing(home, "refused", "enroll", "-", "--yes", stdin=link + "\n")
    assert "Invalid enrollment credential" in error["message"] and "nothing was kept" in error["hint"]
    assert connections(home) == [] and server.calls == ["rollout"]


def test_a_servers_key_that_is_no_good_leaves_nothing(home, server):
    home.set_pin()
    server.serverKeyText = pkcs1(rsa.generate_private_key(65537, 1024))
    error = failing(home, "refused", "enroll", "-", "--yes", stdin=server.token() + "\n")
    assert "fewer than 2048 bits" in error["message"] and connections(home) == []


def test_nothing_listens_and_nothing_is_left(home, server):
    home.set_pin()
    link = server.token(url="http://127.0.0.1:9/ttype/push")
    failing(home, "unreachable", "enroll", "-", "--yes", stdin=link + "\n")
    assert connections(home) == []



def test_certificates_are_checked_whatever_the_link_says(home):
    home.set_pin()
    server = PushServer(certificate="tls-localhost.crt")
    try:
        link = server.token(sslverify="0")
        error = failing(home, "unreachable", "enroll", "-", "--yes", stdin=link + "\n")
        assert "--ca-file" in error["hint"] and connections(home) == [] and server.calls == []
        enroll(home, link, "--ca-file", ROOT / "Keys/tls-authority.crt")
        assert server.calls == ["rollout", "poll"]
    finally:
        server.stop()


def test_a_lost_answer_leaves_it_unconfirmed(home, server):
    home.set_pin()
    server.lose = ["rollout"]
    error = failing(home, "unknown", "enroll", "-", "--yes", stdin=server.token() + "\n")
    assert "enrolled, but not confirmed" in error["message"] and "countersign revoke fern" in error["hint"]
    [connection] = connections(home)
    assert (connection["name"], connection["status"]) == ("fern", "unconfirmed")
    # Too soon: a call could still be under way.
    [failure] = home.run("pending", "--json").json["failures"]
    assert failure["kind"] == "unknown" and "asked for again" in failure["message"]
    assert server.calls == ["rollout"]
    home.ok("revoke", "fern")
    assert connections(home) == []


@pytest.mark.parametrize("fault", [(502, "<h1>Bad Gateway</h1>", "text/html"), (200, "<html>", "text/html")])
def test_an_answer_that_says_nothing_is_a_lost_one(home, server, fault):
    home.set_pin()
    server.faults["rollout"] = [fault]
    home.run("enroll", "-", "--yes", stdin=server.token() + "\n")
    assert [c["status"] for c in connections(home)] == ["unconfirmed"]


def test_enrolled_but_the_first_question_fails(home, server):
    home.set_pin()
    server.faults["poll"] = [(500, "{}", "application/json")]
    error = failing(home, "refused", "enroll", "-", "--yes", stdin=server.token() + "\n")
    assert "enrolled, but not confirmed" in error["message"]
    assert [c["status"] for c in connections(home)] == ["unconfirmed"]
    # The server's key is known, so the next good answer is proof.
    server.login()
    assert card(home)["title"] == "Fern"
    assert [c["status"] for c in connections(home)] == ["active"]


def test_the_same_account_is_connected_again_by_a_new_link(token, server):
    home = token
    old = server.tokens[SERIAL].pubkey
    link = server.token(serial=SERIAL, again=True)
    error = failing(home, "usage", "enroll", "-", "--yes", stdin=link + "\n")
    assert "connected already, as fern" in error["message"] and "countersign reconnect fern" in error["hint"]
    assert "new link" in failing(home, "usage", "reconnect", "fern")["message"]
    foreign = server.token(serial="PIPU0002")
    assert "another account" in failing(home, "refused", "reconnect", "fern", "-", "--yes", stdin=foreign + "\n")["message"]
    [before] = connections(home)
    after = home.json("reconnect", "fern", "-", "--yes", stdin=link + "\n")["connection"]
    assert (after["name"], after["id"], after["created_at"]) == (before["name"], SERIAL, before["created_at"])
    assert server.tokens[SERIAL].pubkey != old
    server.login()
    assert decided(approve(home, card(home)))["outcome"] == "confirmed"


def test_a_reconnect_that_is_refused_keeps_the_old_key(token, server):
    home = token
    link = server.token(serial=SERIAL, again=True)
    server.tokens[SERIAL].credential = "another"
    failing(home, "refused", "reconnect", "fern", "-", "--yes", stdin=link + "\n")
    server.tokens[SERIAL].isRolledOut = True
    server.login()
    assert card(home)


def test_revoking_is_local(token, server):
    home = token
    calls = list(server.calls)
    revoked = home.json("revoke", "fern")["revoked"]
    assert revoked["bank_told"] is False and "already_revoked" not in revoked
    assert server.calls == calls and connections(home) == []


# What waits


def test_what_waits_is_shown(token, server):
    home = token
    nonce = server.login(question="Log in as Zoë?", title='Example "MFA"')
    item = card(home)
    assert item["id"] == nonce and item["title"] == 'Example "MFA"' and item["expires_at"] is None
    assert item["seconds_left"] is None and item["options"] is None
    assert item["fields"] == {"account": "mira", "serial": SERIAL} and item["text"].startswith("Log in as Zoë?")
    shown = home.ok("show", item["ref"]).out
    assert "Log in as Zoë?" in shown and SERIAL in shown and "expires" not in shown
    assert json.loads(home.json("show", item["ref"], "--source")["source"])["sslverify"] == "1"


def resigned(item, **change):
    """The item with other content, its signature as it was."""
    return {**item, **change}


BROKEN = {
    "question": lambda i: resigned(i, question="Log in as Eve?"),
    "title": lambda i: resigned(i, title="Other"),
    "swapped": lambda i: resigned(i, title=i["question"], question=i["title"]),
    "sslverify": lambda i: resigned(i, sslverify="0"),
    "url": lambda i: resigned(i, url="https://evil.example/"),
    "lower case": lambda i: resigned(i, signature=i["signature"].lower()),
    "no signature": lambda i: {k: v for k, v in i.items() if k != "signature"},
    "number": lambda i: resigned(i, question=7),
    "unheard of": lambda i: resigned(i, display_code="7"),
    "capabilities": lambda i: resigned(i, capabilities='{"decline_reason": false}'),
    "no item": lambda i: "item",
}


def test_a_bad_item_is_a_failure_beside_the_good_one(token, server):
    home = token
    for kind, spoil in BROKEN.items():
        server.expire()
        good, bad = server.login(question="good"), server.login(question="bad")
        server.spoil = lambda items: [spoil(i) if i["question"] == "bad" else i for i in items]
        round = waiting(home)
        assert [a["id"] for a in round["authorizations"]] == [good], (kind, round)
        [failure] = round["failures"]
        assert failure["connection"] == "fern" and "an item was left out" in failure["message"], (kind, failure)
        # Nothing is answered for it.
        result = home.run("deny", f"fern:{bad}", "--json")
        assert result.code != 0 and server.answers == [], (kind, result)


def test_signatures_of_every_wrong_kind_are_refused(token, server):
    home = token
    texts = {}
    for kind in ("other key", "other hash", "pss", "serial"):
        nonce = server.login(question=kind, signer=OTHER_KEY if kind == "other key" else SERVER_KEY)
        texts[kind] = nonce

    def spoil(items):
        for item in items:
            text = "|".join(item[n] for n in ("nonce", "url", "serial", "question", "title", "sslverify"))
            if item["question"] == "other hash":
                item["signature"] = base32_signature(SERVER_KEY, text, digest=hashes.SHA512())
            if item["question"] == "pss":
                item["signature"] = base32_signature(SERVER_KEY, text, padding.PSS(padding.MGF1(hashes.SHA256()), 32))
            if item["question"] == "serial":
                item["serial"] = "PIPU9999"
                item["signature"] = base32_signature(SERVER_KEY, text.replace(SERIAL, "PIPU9999"))
        return items
    server.spoil = spoil
    round = waiting(home)
    assert round["authorizations"] == []
    assert sorted(f["message"] for f in round["failures"]) == [
        "an item was left out: 3 of them: could not be verified (perhaps the server is newer)",
        "an item was left out: of another token"]


def test_a_nonce_that_stands_twice_is_dropped(token, server):
    server.login()
    server.spoil = lambda items: items + items
    round = waiting(token)
    assert round["authorizations"] == [] and "listed twice" in round["failures"][0]["message"]


def test_more_than_fifty_are_a_number(token, server):
    for _ in range(53):
        server.login()
    round = waiting(token)
    assert len(round["authorizations"]) == 50 and "3 more" in round["failures"][0]["message"]


TEXTS = [
    ("\x1b[2Jgone", "\x1b]0;x\x07", "⟨U+001B⟩"), ("a\u202eb", "t", "⟨U+202E⟩"), ("x\n└ fern:1 ──", "t", "│ └ fern:1"),
    ("y" * 3000, "t" * 600, "y" * 3000)]


def test_what_is_too_long_to_be_shown_whole_is_left_out(token, server):
    server.login(question="y" * (1 << 18))
    round = waiting(token)
    assert round["authorizations"] == [] and "longer than 256 KiB" in round["failures"][0]["message"]


def test_texts_are_shown_and_never_obeyed(token, server):
    home = token
    for question, title, shown in TEXTS:
        server.expire()
        server.login(question=question, title=title)
        text = home.ok("show", card(home)["ref"]).out
        assert shown.replace("│ ", "") in text.replace("\n│ ", ""), text
        assert "\x1b" not in text and "\u202e" not in text


def test_a_request_without_words_asks_for_the_tokens_name(token, server):
    home = token
    server.login(question="", title=" ")
    item = card(home)
    assert item["title"] == SERIAL
    child = home.terminal("approve", item["ref"], "--pin-file", home.pin_file)
    child.expect("the server sent no text")
    child.expect("Type the title to go on: ")
    child.sendline(SERIAL.lower())
    assert finish(child) == 0
    assert len(server.answers) == 1


def test_a_changed_text_changes_the_fingerprint(token, server):
    home = token
    nonce = server.login(question="one")
    seen = card(home)
    server.expire()
    server.login(question="two", nonce=nonce)
    result = approve(home, seen)
    assert result.code == 8 and server.answers == [], result


def test_an_answer_goes_where_the_signed_address_says(token, server):
    home = token
    other = PushServer()
    try:
        other.tokens = server.tokens
        server.login(url=other.url + "/ttype/push")
        item = card(home)
        assert item["fields"]["reply_host"] == other.url.split("//")[1]
        assert decided(approve(home, item))["outcome"] == "confirmed"
        assert len(other.answers) == 1 and server.answers == []
    finally:
        other.stop()


# Faults of polls


def test_another_clock_is_found_by_the_date_alone(token, server):
    home = token
    server.login()
    for seconds, hides in [(300, False), (-300, False), (300, True)]:
        server.clock, server.hides = seconds, hides
        calls = len(server.calls)
        round = waiting(home)
        assert len(round["authorizations"]) == 1 and len(server.calls) == calls + 2
        [failure] = round["failures"]
        assert re.search("clock differs from the bank's by (299|300|301) seconds", failure["message"])


def test_a_clock_that_is_far_off_is_followed_by_nobody(token, server):
    server.clock = 7200
    result = token.run("pending", "--json")
    assert result.code == 5 and "more than ten minutes" in result.json["failures"][0]["message"], result


def test_a_token_that_was_deleted_is_kept_and_named(token, server):
    home = token
    del server.tokens[SERIAL]
    for server.hides in (False, True):
        result = home.run("pending", "--json")
        [failure] = result.json["failures"]
        assert result.code == 5 and "deleted there, enrolled again" in failure["message"]
        assert "countersign reconnect fern" in failure["hint"] and "countersign revoke fern" in failure["hint"]
    assert [c["status"] for c in connections(home)] == ["active"]


def test_polling_that_is_forbidden_is_said(token, server):
    server.forbidsPolling = True
    result = token.run("pending", "--json")
    assert result.code == 5 and "forbids" in result.json["failures"][0]["message"]


NONSENSE = [
    (200, "<html>", "text/html"), (200, "[]", "application/json"), (200, '{"result":{"status":true,"value":7}}', "application/json"),
    (500, "{}", "application/json"), (302, "http://127.0.0.1:9/", "text/html"), (200, "[" * 5000, "application/json")]


def test_an_answer_of_another_kind_fails_and_nothing_more(token, server):
    server.login()
    for fault in NONSENSE:
        server.faults["poll"] = [fault]
        result = token.run("pending", "--json", "--verbose")
        assert result.code == 5 and len(result.json["failures"]) == 1, (fault, result)
        assert "signature=" not in result.err and "timestamp=" not in result.err
        assert len(waiting(token)["authorizations"]) == 1


# Answers


def test_an_accept(token, server):
    home = token
    nonce = server.login()
    item = card(home)
    decision = decided(approve(home, item))
    assert (decision["outcome"], decision["basis"], decision["code"]) == ("confirmed", "answered", None)
    assert server.answers == [(nonce, [])] and waiting(home)["authorizations"] == []
    [entry] = home.json("history", "--verify")["decisions"]
    assert entry["outcome"] == "confirmed" and entry["ref"] == item["ref"]


def test_a_decline_with_and_without_a_reason(token, server):
    for args, words in [
            ((), ["decline"]), (("--reason", "not-me"), ["decline", "unknown_trigger"]),
            (("--reason", "cancelled"), ["decline", "cancelled"])]:
        nonce = server.login()
        assert decided(token.run("deny", card(token)["ref"], *args, "--json"))["outcome"] == "denied"
        assert server.answers.pop() == (nonce, words)


def test_a_server_that_takes_no_reason_gets_none(token, server):
    for capabilities in (None, {}, {"decline_reason": False}):
        nonce = server.login(capabilities=capabilities)
        result = token.run("deny", card(token)["ref"], "--reason", "not-me", "--json")
        assert decided(result)["outcome"] == "denied" and "takes no reason" in result.err
        assert server.answers.pop() == (nonce, ["decline"])


def test_not_me_in_watch_tells_so(token, server):
    home = token
    nonce = server.login()
    child = home.terminal("watch", "--once", "--pin-file", home.pin_file)
    child.expect(r"\[n\]ot me")
    child.send("n")
    child.expect("Deny this")
    child.sendline("y")
    child.expect("Disconnect fern too")
    child.sendline("n")
    finish(child)
    assert server.answers == [(nonce, ["decline", "unknown_trigger"])]


def test_a_code_is_shown_once(token, server):
    home = token
    server.login(code="07")
    decision = decided(approve(home, card(home)))
    assert (decision["code"], decision["code_message"]) == ("07", "Type this")
    assert "code" not in home.json("history")["decisions"][0]
    server.login(code="63")
    child = home.terminal("approve", card(home)["ref"], "--pin-file", home.pin_file)
    child.expect("type this there now: 63")
    assert finish(child) == 0


def test_a_code_that_nobody_could_type_is_said(token, server):
    for code in (63, "x" * 17, "a\u0007b", "", {}):
        server.login(code=code)
        decision = decided(approve(token, card(token)))
        assert decision["outcome"] == "confirmed" and decision["code"] is None and "cannot be shown" in decision["warning"]


def test_presence_takes_the_right_option(token, server):
    home = token
    nonce = server.login(require_presence="04,17,93", answer="17")
    item = card(home)
    assert item["options"] == ["04", "17", "93"]
    assert decided(approve(home, item, "--option", "17"))["outcome"] == "confirmed"
    assert server.answers == [(nonce, ["17"])]


def test_without_one_of_the_options_nothing_is_sent(token, server):
    home = token
    server.login(require_presence="04,17,93", answer="17")
    for option in (None, "4", "99"):
        result = approve(home, card(home), *(["--option", option] if option else []))
        assert result.code == 64 and "answer" not in server.calls, result


def test_two_wrong_options_and_it_can_only_be_denied(token, server):
    home = token
    nonce = server.login(require_presence="04,17,93", answer="17")
    item = card(home)
    for _ in range(2):
        result = approve(home, item, "--option", "04")
        assert result.code == 5 and decided(result)["outcome"] == "refused", result
    result = approve(home, item, "--option", "17")
    assert result.code == 5 and "only be denied" in decided(result)["error"]["message"]
    assert server.calls.count("answer") == 2
    assert decided(home.run("deny", item["ref"], "--json"))["outcome"] == "denied"
    assert server.answers == [(nonce, ["decline"])]


def test_a_terminal_asks_for_the_option_and_again_after_a_wrong_one(token, server):
    home = token
    server.login(require_presence="V,W,X", answer="W")
    item = card(home)
    child = home.terminal("approve", item["ref"], "--pin-file", home.pin_file)
    child.expect("to approve, choose one of:")
    child.expect("Choose what the other side shows")
    child.expect("  1  V")
    child.expect("Which one")
    child.sendline("Y")
    child.expect("none of them")
    child.sendline("1")
    assert finish(child) == 5
    child = home.terminal("approve", item["ref"], "--pin-file", home.pin_file)
    child.expect("was not accepted; after another wrong one this can only be denied. Go on")
    child.sendline("y")
    child.expect("Which one")
    child.sendline("w")
    assert finish(child) == 0
    assert [words for _, words in server.answers] == [["W"]]


def test_options_are_shown_as_they_come(token, server):
    for options, shown in [
            ("a|b,c d,<b>", ["a|b", "c d", "<b>"]), ("x,,x,y", ["x", "y"]), (",", []), ("only", ["only"])]:
        server.expire()
        server.login(require_presence=options, answer=shown[0] if shown else "?")
        item = card(token)
        assert item["options"] == shown
        result = approve(token, item, *(["--option", shown[0]] if shown else []))
        assert (result.code == 0) == bool(shown), result


def test_lists_of_options_that_could_be_turned_are_refused_whole(token, server):
    for options in ("decline,x", "x,decline|cancelled", ",".join(map(str, range(21))), "y" * 65):
        server.expire()
        server.login(require_presence=options, answer="x")
        round = waiting(token)
        assert round["authorizations"] == [] and "options" in round["failures"][0]["message"]


def test_a_lost_answer_is_never_sent_again(token, server):
    home = token
    nonce = server.login()
    item = card(home)
    server.lose = ["answer"]
    result = approve(home, item)
    assert result.code == 9 and decided(result)["outcome"] == "unknown", result
    assert server.answers == [(nonce, [])]
    # No longer listed: taken or withdrawn, which no message tells apart.
    assert waiting(home)["authorizations"] == []
    [entry] = home.json("history")["decisions"]
    assert (entry["outcome"], entry["final"], entry["likely"]) == ("unknown", True, None)
    assert server.calls.count("answer") == 1


def test_what_did_not_arrive_can_be_decided_again(token, server):
    home = token
    for fault in [(500, "{}", "application/json"), (200, "<html>", "text/html"), (302, "http://127.0.0.1:9/", "text/html")]:
        nonce = server.login()
        item = card(home)
        server.faults["answer"] = [fault]
        assert decided(approve(home, item))["outcome"] == "unknown"
        assert server.answers == []
        assert card(home)["ref"] == item["ref"]
        assert decided(approve(home, item))["outcome"] == "confirmed"
        assert server.answers.pop() == (nonce, [])


def test_an_answer_that_comes_too_late_is_expired(token, server):
    home = token
    server.login()
    item = card(home)

    def late(fields):
        server.expire()
        return PushServer.answer(server, fields)
    server.answer = late
    result = approve(home, item)
    assert result.code == 8 and decided(result)["outcome"] == "expired", result


def test_a_token_that_is_gone_when_the_answer_comes_is_refused(token, server):
    home = token
    server.login()
    item = card(home)
    server.faults["answer"] = [(404, '{"result":{"status":false,"error":{"code":-311,"message":"x"}}}', "application/json")]
    result = approve(home, item)
    assert result.code == 5 and "no longer knows this token" in decided(result)["error"]["message"]


# The agent, its windows, the live view


def test_an_agent_polls_and_what_it_was_told_once_is_asked_once(token, server, agents):
    home = token
    agents(home).unlock()
    nonce = server.login(code="42")
    item = until(lambda: waiting(home)["authorizations"], 60)[0]
    kept = dict(server.tokens[SERIAL].challenges)
    assert decided(approve(home, item))["code"] == "42"
    # A server that lists it all the same is not believed.
    server.tokens[SERIAL].challenges.update(kept)
    assert waiting(home)["authorizations"] == [] and server.waits(nonce)


HERE = {"Countersign-Display": "%3A42"}


def ask_by_window(agent, pinentry, item, *answers):
    """Lets the agent ask for a decision by its own windows."""
    pinentry.answers(*answers)
    path = f"/authorizations/{item['ref']}/approve?fingerprint={item['fingerprint']}"
    return agent.request("POST", path, headers=HERE, timeout=120)


def test_a_window_asks_for_the_option(token, server, agents, pinentry):
    home = token
    agent = agents(home, pinentry=pinentry).unlock()
    nonce = server.login(require_presence="04,17,93", answer="17")
    item = until(lambda: waiting(home)["authorizations"], 60)[0]
    # The card in two pages, something that is none of them, the option, the PIN.
    answer = ask_by_window(agent, pinentry, item, YES, YES, typed("18"), typed("17"), typed(PIN))
    assert answer.status == 200 and answer.json["outcome"] == "confirmed", answer
    assert server.answers == [(nonce, ["17"])]
    assert pinentry.asked() == ["CONFIRM", "CONFIRM", "GETPIN", "GETPIN", "GETPIN"]
    said = "\n".join(pinentry.told("SETDESC") + pinentry.told("SETERROR"))
    assert "04, 17, 93" in said and "That is none of them" in said, said


def test_a_window_asks_twice_after_a_wrong_option_and_then_no_more(token, server, agents, pinentry):
    home = token
    agent = agents(home, pinentry=pinentry).unlock()
    server.login(require_presence="04,17", answer="17")
    item = until(lambda: waiting(home)["authorizations"], 60)[0]
    assert ask_by_window(agent, pinentry, item, YES, YES, typed("04"), typed(PIN)).json["outcome"] == "refused"
    assert ask_by_window(agent, pinentry, item, YES, YES, CANCEL).json["error"]["kind"] == "cancelled"
    assert ask_by_window(agent, pinentry, item, YES, YES, YES, typed("04"), typed(PIN)).json["outcome"] == "refused"
    answer = ask_by_window(agent, pinentry, item, YES, YES)
    assert answer.json["error"]["kind"] == "refused" and "only be denied" in answer.json["error"]["message"]
    assert server.calls.count("answer") == 2


def test_watch_asks_for_the_option(token, server):
    home = token
    nonce = server.login(require_presence="V,W", answer="W")
    child = home.terminal("watch", "--once")
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("to approve, choose one of:")
    child.expect(r"\[n\]ot me")
    child.send("a")
    child.expect("Which one")
    child.sendline("W")
    child.expect("PIN to approve")
    child.sendline(PIN)
    assert finish(child) == 0
    assert server.answers == [(nonce, ["W"])]


def test_a_clicked_link_never_leads_to_this_computer(home, server):
    home.set_pin()
    error = failing(home, "usage", "open", server.token(), "--yes")
    assert "leads to this computer" in error["message"] and server.calls == []


def test_nothing_of_a_question_stands_in_files_or_output(token, server):
    """Whoever has a signed question can ask it for a minute."""
    home = token
    server.login()
    result = home.run("pending", "--verbose")
    assert "/ttype/push" in result.err and "?" not in re.sub(r"\[y/N\]\?", "", result.err), result
