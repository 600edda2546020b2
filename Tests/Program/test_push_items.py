"""What waits at a privacyIDEA server is verified and shown, and what else its answers to a poll can be."""

import json
import re

import pytest
from conftest import finish
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from push import ENDLESS, OTHER_KEY, SLOW, SERVER_KEY, PushServer, base32_signature
from tokens import SERIAL, approve, card, connections, decided, server, token, waiting

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
    "half a letter": lambda i: {**i, "title": "\ud800"},
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
        assert shown.replace("│ ", "") in text.replace("\n│ ↳ ", "").replace("\n│ ", ""), text
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


def test_nothing_of_a_question_stands_in_files_or_output(token, server):
    """Whoever has a signed question can ask it for a minute."""
    home = token
    server.login()
    result = home.run("pending", "--verbose")
    assert "/ttype/push" in result.err and "?" not in re.sub(r"\[y/N\]\?", "", result.err), result


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


@pytest.mark.parametrize("fault", [SLOW, ENDLESS], ids=["slow", "endless"])
def test_a_poll_without_an_end_is_given_up(token, server, fault):
    server.login()
    server.faults["poll"] = [fault]
    result = token.run("pending", "--json")
    [failure] = result.json["failures"]
    assert (result.code, failure["kind"]) in ((6, "unreachable"), (5, "refused")), result
    assert len(waiting(token)["authorizations"]) == 1
