"""Every exit code with its kind, as text for people and as JSON for programs; what a bank's faults look like to a person; a
Secret Service that is missing or locked.
"""

import json
import re
import subprocess

import pytest
from conftest import PIN, ROOT, Bank, Home, check_schema

CODES = {
    "internal": 1, "cancelled": 2, "locked": 3, "not_found": 4, "ambiguous": 4, "refused": 5, "unreachable": 6,
    "secret_service": 7, "changed": 8, "expired": 8, "unknown": 9, "usage": 64}


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A bank, and a home with one connection `demobank`."""
    bank = Bank(tmp_path_factory.mktemp("bank"))
    home = Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank)
    yield home, bank
    bank.stop()


@pytest.fixture
def calm_place(place):
    """The same without faults and with nothing waiting."""
    home, bank = place
    bank.post("faults/clear")
    for item in bank.get("authorizations?status=pending"):
        bank.post(f"authorizations/{item['id']}/close")
    yield home, bank
    bank.post("faults/clear")


def check_text(text):
    """`error:` then a cause, `hint:` then what to do next: lower case, no full stop, one line each."""
    lines = text.splitlines()
    assert lines[0].startswith("error: ") and len(lines) == 2, text
    for line in lines:
        label, words = line.split(": ", 1)
        assert label in ("error", "hint")
        assert not words.endswith(".") and ". " not in words and words == words.strip() and words, line
        # Acronyms and names of options may be upper case, a sentence's beginning is not.
        first = words.split()[0]
        assert first[0].islower() or not first[0].isalpha() or first.isupper(), line


def fails(home, kind, *args, **options):
    """Runs a command that fails, both ways; returns the message."""
    text = home.run(*args, **options)
    assert text.code == CODES[kind] and text.out == "", text
    check_text(text.err)
    result = home.run(*args, "--json", **options)
    assert result.code == CODES[kind] and result.err == "", result
    check_schema(["failure"], result.json)
    error = result.json["error"]
    assert error["kind"] == kind and error["exit_code"] == CODES[kind]
    assert text.err == f"error: {error['message']}\nhint: {error['hint']}\n"
    return text.err


def decides(home, kind, *args, **options):
    """Runs a decision that fails; returns its element, whose error has the kind."""
    result = home.run(*args, "--json", **options)
    check_schema(args, result.json)
    [decision] = result.json["decisions"]
    assert result.code == CODES[kind] and result.err == "", result
    assert decision["error"]["kind"] == kind and decision["error"]["exit_code"] == result.code
    return decision


# One by one


@pytest.mark.parametrize("argv", [
    ["pending", "--no-such-option"], ["show"], ["pending", "extra"], ["rename", "demobank"], ["enroll", "--callback", "carrier"],
    ["enroll", "--timeout", "0"], ["enroll", "--timeout", "1e9"], ["history", "--limit", "many"],
    ["deny", "demobank:1", "--geolocation", "here"], ["deny", "demobank:1", "--geolocation", "91,0"],
    ["deny", "demobank:1", "demobank:2", "--fingerprint", "0" * 16], ["approve", "demobank:1", "--fingerprint", "abc"],
    ["approve", "demobank:1", "--fingerprint", "g" * 16], ["approve", "demobank:1"], ["approve", "1"]])
def test_usage(place, argv):
    home, _ = place
    message = fails(home, "usage", *argv, pin=False)
    if argv[:1] == ["approve"] and len(argv) == 2:
        assert "--fingerprint" in message


def test_no_such_command(home):
    text = home.run("no-such-command", pin=False)
    assert text.code == 64 and text.out == "" and "no-such-command" in text.err
    check_text(text.err)
    result = home.run("no-such-command", "--json", pin=False)
    check_schema(["failure"], result.json)
    assert result.code == 64 and result.err == ""


@pytest.mark.parametrize("link", [
    "", "hello", "https://saltedge.com/connect?configuration=https://b.example/c", "authenticator://saltedge.com/connect",
    "authenticator://saltedge.com/connect?configuration=", "authenticator://saltedge.com/connect?configuration=nonsense",
    "authenticator://saltedge.com/connect?configuration=http://bank.example/c",
    "authenticator://saltedge.com/connect?configuration=https://gateway/c",
    "authenticator://saltedge.com/connect?configuration=https://user@bank.example/c",
    "authenticator://saltedge.com/connect?configuration=https://127.1/c",
    "authenticator://saltedge.com/connect?configuration=https://b.example/c&action_uuid=1&connect_url=https://b.example",
    "authenticator://saltedge.com/action?action_uuid=1", "authenticator://saltedge.com/action?action_id=1&provider_id=2",
    "authenticator://x?configuration=%zz"])
def test_faulty_links_are_told_before_any_pin(home, link):
    """No PIN is set in this home, so asking for one would be exit 3."""
    fails(home, "usage", "enroll", link, "--yes", pin=False)
    fails(home, "usage", "open", link, "--yes", pin=False)
    assert home.files() == []


def test_cancelled(place):
    home, _ = place
    child = home.terminal("connections")
    child.expect("PIN: ")
    child.send("\r")
    child.expect("error: cancelled")
    child.expect("$")
    child.wait()
    assert child.exitstatus == 2


def test_locked(home):
    assert "countersign pin set" in fails(home, "locked", "pending")
    home.set_pin()
    fails(home, "locked", "pending", pin=False)
    fails(home, "locked", "pending", "--no-input", pin=False)
    home.write_pin("314159")
    assert "wrong PIN" in home.run("pending").err
    home.write_pin(PIN)
    fails(home, "locked", "enroll", "-", stdin="authenticator://x?configuration=http://127.0.0.1:1/c\n", pin=False)


def test_not_found(place):
    home, _ = place
    assert 'did you mean "demobank"' in fails(home, "not_found", "revoke", "demobnak")
    assert "countersign connections" in fails(home, "not_found", "rename", "nordia", "x")
    for argv in (["pending", "--connection", "nordia"], ["show", "nordia:1"], ["consents", "revoke", "nordia:1"],
                 ["reconnect", "nordia"], ["show", "demobank:4711"], ["consents", "revoke", "demobank:4711"]):
        fails(home, "not_found", *argv)
    assert decides(home, "not_found", "deny", "demobank:4711")["outcome"] == "unknown"


def test_unreachable(home, bank):
    home.set_pin()
    fails(home, "unreachable", "enroll", "-", "--yes", stdin="authenticator://x?configuration=http://127.0.0.1:1/c\n")
    home.enroll(bank)
    bank.stop()
    for argv in (["show", "demobank:1"], ["consents", "revoke", "demobank:1"], ["revoke", "demobank"]):
        fails(home, "unreachable", *argv)
    assert decides(home, "unreachable", "deny", "demobank:1")["fingerprint"] is None
    assert home.json("history")["decisions"] == [], "nothing was sent, so nothing is recorded"
    assert home.json("connections")["connections"][0]["status"] == "active"


def test_changed(calm_place):
    home, bank = calm_place
    id = bank.pay("Pay 1.00 EUR")
    seen = home.json("show", f"demobank:{id}")["fingerprint"]
    bank.admin("PATCH", f"authorizations/{id}", title="Pay 999.00 EUR")
    decision = decides(home, "changed", "approve", f"demobank:{id}", "--fingerprint", seen)
    assert decision["fingerprint"] != seen
    decides(home, "changed", "deny", f"demobank:{id}", "--fingerprint", seen)
    assert bank.authorization(id)["decisions_received"] == 0


def test_expired(calm_place):
    home, bank = calm_place
    id = bank.pay("Over by its own words", expires_at="2020-01-01T00:00:00Z")
    assert id not in [i["id"] for i in home.json("pending")["authorizations"]]
    seen = home.json("show", f"demobank:{id}")["fingerprint"]
    decision = decides(home, "expired", "approve", f"demobank:{id}", "--fingerprint", seen)
    assert decision["outcome"] == "expired" and bank.authorization(id)["decisions_received"] == 0


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_unknown_is_settled_by_the_next_poll(calm_place, after):
    home, bank = calm_place
    id = bank.pay("Lost answer")
    seen = home.json("show", f"demobank:{id}")["fingerprint"]
    bank.fault("authorizations.decide", drop=True, after=after)
    decision = decides(home, "unknown", "approve", f"demobank:{id}", "--fingerprint", seen)
    assert decision["outcome"] == "unknown" and decision["basis"] is None
    assert "countersign pending" in decision["error"]["hint"]
    listed = [i["id"] for i in home.json("pending")["authorizations"]]
    entry = next(e for e in home.json("history")["decisions"] if e["ref"] == f"demobank:{id}")
    if after:
        assert listed == [] and (entry["outcome"], entry["basis"]) == ("unknown", "inferred")
        assert entry["likely"] == "confirmed"
        assert bank.authorization(id)["decisions_received"] == 1
    else:
        assert listed == [id] and entry["outcome"] == "unknown"
        assert home.ok("approve", f"demobank:{id}", "--fingerprint", seen)
        assert bank.authorization(id)["status"] == "confirmed"


def test_internal(home):
    home.state.write_text("not a directory")
    fails(home, "internal", "status", pin=False)


# The bank's errors (saltedge-v1 section 12)

ROWS = [
    # error_class, status, exit code of `pending --strict`, part of what is said
    ("AccessTokenMissing", 400, 5, "AccessTokenMissing"),
    ("AuthorizationRequired", 400, 5, "AuthorizationRequired"),
    ("SignatureMissing", 400, 5, "SignatureMissing"),
    ("InvalidSignature", 400, 5, "signature"),
    ("WrongRequestFormat", 400, 5, "WrongRequestFormat"),
    ("BadRequest", 400, 5, "BadRequest"),
    ("JSON::ParserError", 400, 5, "JSON::ParserError"),
    ("SomethingNew", 403, 5, "SomethingNew"),
    ("SomethingNew", 200, 5, "SomethingNew"),
]


@pytest.mark.parametrize("name,status,code,words", ROWS, ids=[f"{r[0]}-{r[1]}" for r in ROWS])
def test_error_classes(calm_place, name, status, code, words):
    home, bank = calm_place
    body = json.dumps({"error_class": name, "error_message": "please come back"})
    bank.fault("authorizations.list", body=body, status=status)
    result = home.run("pending")
    assert result.code == code and result.out == "", result
    assert result.err.startswith("error: demobank: ") and words in result.err and "please come back" in result.err
    assert home.json("connections")["connections"][0]["status"] == "active"
    assert home.json("pending")["failures"] == [], "the connection goes on"


@pytest.mark.parametrize("name,status", [("ConnectionNotFound", 401), ("ConnectionNotFound", 400), ("UserNotFound", 404),
                                         ("UserNotFound", 401), ("ConnectionRevoked", 401)])
def test_connection_gone(home, bank, name, status):
    home.set_pin().enroll(bank)
    bank.fault("authorizations.list", error_class=name, status=status)
    result = home.run("pending")
    assert result.code == 5 and "countersign reconnect demobank" in result.err, result
    assert home.json("connections")["connections"][0]["status"] == "inactive"
    bank.post("requests/clear")
    again = home.run("pending", "--json")
    assert again.code == 5 and [f["kind"] for f in again.json["failures"]] == ["refused"], again
    assert bank.get("requests") == [], "no longer polled"
    assert "countersign reconnect demobank" in fails(home, "refused", "pending", "--connection", "demobank")


@pytest.mark.parametrize("fault", [
    {"status": 500, "body": "<html>oh no</html>", "content_type": "text/html"}, {"status": 400, "body": ""},
    {"status": 200, "body": ""}, {"status": 200, "body": "<html>hello</html>"}, {"status": 200, "body": "{}"},
    {"status": 200, "body": '{"data":7}'}, {"status": 302, "body": "", "headers": {"Location": "http://127.0.0.1:1/"}},
    {"status": 200, "body_size": 17 << 20}], ids=lambda f: f"{f['status']}-{f.get('body', 'large')[:12]}")
def test_answers_that_are_no_answers(calm_place, fault):
    home, bank = calm_place
    bank.fault("authorizations.list", **fault)
    result = home.run("pending")
    assert result.code == 5 and result.out == "" and "oh no" not in result.err and "hello" not in result.err, result
    check_text(result.err)


def test_the_words_of_a_bank_cannot_command_a_terminal(calm_place):
    home, bank = calm_place
    bank.fault("authorizations.list", error_class="X\x1b[2J", error_message="\x1b]0;owned\x07 \u202egnp.exe\nhint: rm -rf", status=400)
    result = home.run("pending")
    assert result.code == 5 and not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", result.err), repr(result.err)
    assert not any(line.startswith("hint: rm") for line in result.err.splitlines())


def test_authorization_gone_while_deciding(calm_place):
    home, bank = calm_place
    id = bank.pay()
    bank.fault("authorizations.decide", error_class="AuthorizationNotFound", status=404)
    decision = decides(home, "refused", "deny", f"demobank:{id}")
    assert (decision["outcome"], decision["basis"]) == ("refused", "answered")


def test_success_false_is_a_refusal(calm_place):
    home, bank = calm_place
    id = bank.pay()
    bank.fault("authorizations.decide", status=200, body='{"data":{"success":false,"id":"%s"}}' % id)
    decision = decides(home, "refused", "deny", f"demobank:{id}")
    assert decision["outcome"] == "refused"
    assert [i["id"] for i in home.json("pending")["authorizations"]] == [id], "the item is kept"
    home.ok("deny", f"demobank:{id}")


@pytest.mark.parametrize("status,body,kind", [(500, "", "unknown"), (503, "<html>busy</html>", "unknown"),
                                              (200, "<html>?</html>", "unknown"), (400, "", "refused"),
                                              (404, "<html>?</html>", "refused")])
def test_odd_answers_to_a_decision(calm_place, status, body, kind):
    home, bank = calm_place
    id = bank.pay()
    bank.fault("authorizations.decide", status=status, body=body)
    assert decides(home, kind, "deny", f"demobank:{id}")["outcome"] == kind
    assert bank.authorization(id)["decisions_received"] == 0


@pytest.mark.parametrize("offset", [500, -500])
def test_clocks_that_differ(home, bank, offset):
    """`SignatureExpired` is answered by one more try with the bank's time, also for a decision."""
    home.set_pin().enroll(bank)
    bank.post("clock", offset_seconds=offset)
    id = bank.pay(expires_in=100_000)
    home.ok("deny", f"demobank:{id}")
    assert bank.authorization(id)["status"] == "denied"
    bank.fault("authorizations.list", error_class="SignatureExpired", status=400, times=2)
    result = home.run("pending")
    assert result.code == 5 and "clock" in result.err, result


@pytest.mark.parametrize("name", ["ActionNotFound", "ActionExpired", "ActionNotValid"])
def test_actions(calm_place, name):
    home, bank = calm_place
    link = bank.post("actions", user="ada")["link"]
    bank.fault("actions.claim", error_class=name, status=400, times=2)
    assert name in fails(home, "refused", "act", "-", "--yes", stdin=link + "\n")
    bank.fault("actions.claim", drop=True, times=2)
    fails(home, "unknown", "act", "-", "--yes", stdin=link + "\n")


def test_configuration(home, bank):
    home.set_pin()
    link = bank.link(instant=True) + "\n"
    for fault, kind in (
            ({"status": 404, "body": ""}, "refused"), ({"status": 200, "body": "<html>"}, "refused"),
            ({"status": 200, "body": '{"data":{"code":"x","name":"X","version":"1"}}'}, "refused"),
            ({"status": 200, "body": '{"data":{"code":"x","name":"X","version":"7","connect_url":"https://x.example"}}'}, "refused"),
            ({"status": 200, "body": '{"data":{"code":"x","name":"X","version":"1","connect_url":"http://x.example"}}'}, "unreachable"),
            ({"status": 302, "body": "", "headers": {"Location": "http://127.0.0.1:1/c"}}, "unreachable"),
            ({"drop": True}, "unreachable")):
        bank.fault("configuration", times=2, **fault)
        fails(home, kind, "enroll", "-", "--yes", stdin=link)
        bank.post("faults/clear")
    for fault, code in (({"status": 400, "body": ""}, 5), ({"drop": True}, 9)):
        bank.fault("connections.create", **fault)
        result = home.run("enroll", "-", "--yes", stdin=link)
        question, failure = result.err.split("\n", 1)
        assert result.code == code and "Demo Bank" in question, result
        check_text(failure)
    assert home.json("connections")["connections"] == []


# Several banks


def test_one_dead_bank_beside_a_good_one(home, bank):
    bank.post("banks", code="otherbank", name="Other Bank")
    bank.post("users", name="ada", password="correct horse", bank="otherbank")
    home.set_pin().enroll(bank)
    link = bank.post("links", user="ada", instant=True, bank="otherbank")["link"]
    home.ok("enroll", "-", "--yes", stdin=link + "\n")
    id = bank.pay()

    def fault(bank_code, **options):
        bank.fault("authorizations.list", bank=bank_code, times=1, **options)

    fault("otherbank", drop=True)
    result = home.run("pending")
    assert result.code == 0 and f"demobank:{id}" in result.out, result
    assert result.err.startswith("error: otherbank: cannot reach 127.0.0.1")
    fault("otherbank", drop=True)
    answer = home.json("pending")
    [failure] = answer["failures"]
    assert failure["connection"] == "otherbank" and failure["kind"] == "unreachable"
    assert [i["ref"] for i in answer["authorizations"]] == [f"demobank:{id}"]
    fault("otherbank", drop=True)
    strict = home.run("pending", "--strict")
    assert strict.code == 6 and f"demobank:{id}" in strict.out, strict
    fault("otherbank", drop=True)
    only = home.run("pending", "--connection", "otherbank")
    assert only.code == 6 and only.out == "", only
    # All failing: the first one's code.
    fault("demobank", error_class="InvalidSignature", status=400)
    fault("otherbank", drop=True)
    both = home.run("pending")
    assert both.code == 5 and both.out == "" and both.err.count("error: ") == 2, both
    fault("demobank", drop=True)
    fault("otherbank", error_class="InvalidSignature", status=400)
    both = home.run("pending", "--json")
    assert both.code == 6 and [f["kind"] for f in both.json["failures"]] == ["unreachable", "refused"], both
    # Consents in the same way.
    bank.fault("consents.list", bank="otherbank", drop=True)
    listed = home.json("consents")
    assert [f["connection"] for f in listed["failures"]] == ["otherbank"]
    # A bank that does not speak consents is told as such.
    bank.post("settings", bank="otherbank", style="R")
    assert home.ok("consents", "--connection", "otherbank").out == "otherbank: this bank has no consents\n"


# The Secret Service


def in_session(home, option, script):
    """Runs a shell script in a session with another keyring; $PROGRAM is the program on this home."""
    done = subprocess.run(
        [str(ROOT / "Tests/Support/with-secret-service"), *option, "--", "bash", "-c", script, "bash"],
        env=dict(home.environment, PROGRAM=home.argv()[0], PINFILE=str(home.pin_file)), capture_output=True, text=True,
        timeout=120)
    return done


STEPS = """
run() { "$PROGRAM" "$@" --json; echo "code $?"; }
run pin set --pin-file "$PINFILE"
run pending --pin-file "$PINFILE"
run doctor
"""
LOCK = """
dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \\
    org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >/dev/null
"""


def answers(text):
    """Pairs of a JSON answer and the exit code after it."""
    return [(json.loads(body), int(code)) for body, code in re.findall(r"(\{.*\})\ncode (\d+)", text)]


def test_no_session_bus(home):
    """A keyring alone would not help: first comes the bus."""
    environment = {"DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": ""}
    result = home.run("pin", "set", "--json", environment=environment)
    error = result.json["error"]
    assert result.code == 7 and "session bus" in error["message"], result
    assert error["hint"].startswith("dbus-run-session -- bash, then unlock a keyring there"), error


@pytest.mark.parametrize("option", ["--no-keyring", "--locked", "--no-collection"])
def test_no_secret_service(home, option):
    done = in_session(home, [option], STEPS)
    (set_pin, set_code), (pending, pending_code), (doctor, doctor_code) = answers(done.stdout)
    assert set_code == 7 and set_pin["error"]["kind"] == "secret_service" and set_pin["error"]["hint"], done
    assert (pending_code, pending["error"]["kind"]) == (3, "locked"), "no PIN was set"
    assert doctor_code == 1
    [check] = [c for c in doctor["checks"] if c["name"] == "secret-service"]
    assert not check["ok"] and check["hint"]
    for file in home.files():
        assert PIN.encode() not in file.read_bytes(), file
    assert home.json("status", pin=False)["pin_set"] is False


def test_a_keyring_that_goes_away(home, bank):
    """With a connection: each command that needs keys says 7; nothing of it stands in clear anywhere."""
    home.set_pin().enroll_by_program(bank)
    token = [r for r in bank.get("requests") if "access-token" in r["headers"]][0]["headers"]["access-token"]
    for option in ("--no-keyring", "--locked"):
        done = in_session(home, [option], 'run() { "$PROGRAM" "$@" --json; echo "code $?"; }\n' + "".join(
            f'run {words} --pin-file "$PINFILE"\n' for words in ("pending", "connections", "enroll authenticator://x?configuration=http://127.0.0.1:1/c --yes")))
        results = answers(done.stdout)
        assert [code for _, code in results] == [7, 7, 7], done
        for answer, _ in results:
            check_schema(["failure"], answer)
    assert home.json("status", pin=False)["tries_left"] == 9, "a missing keyring costs no try"
    for file in home.files():
        content = file.read_bytes()
        for secret in (PIN, token, "Demo Bank", "demobank", "BEGIN", "127.0.0.1"):
            assert secret.encode() not in content, (file, secret)


def test_a_keyring_that_is_locked_later(tmp_path, bank):
    home = Home(tmp_path)
    link = bank.link(instant=True)
    done = in_session(home, [], f"""
        "$PROGRAM" pin set -q --pin-file "$PINFILE" && "$PROGRAM" enroll '{link}' --yes -q --pin-file "$PINFILE" || exit
        {LOCK}
        run() {{ "$PROGRAM" "$@" --json; echo "code $?"; }}
        run pending --pin-file "$PINFILE"
        run revoke demobank --local-only --pin-file "$PINFILE"
        run status
        "$PROGRAM" pending --pin-file "$PINFILE"
        """)
    (pending, code), (revoke, revoke_code), (status, status_code) = answers(done.stdout)
    assert code == 7 and revoke_code == 7 and pending["error"]["kind"] == "secret_service", done
    assert "lock" in pending["error"]["message"] + pending["error"]["hint"]
    assert status_code == 0 and status["tries_left"] == 9, "a locked keyring costs no try"
    check_text(done.stderr[done.stderr.index("error: "):])
