"""Many logins at once: somebody who knows a password may begin one after the other, until the person approves one to have peace."""

import pytest
from agents import CANCEL, YES, agents, pinentry
from conftest import PIN, check_schema, finish
from innards import until
from tokens import SERIAL, ask_by_window, server, token, waiting

__all__ = ["agents", "pinentry", "server", "token"]

WARNING = "3 requests wait at fern at once; somebody may be trying to tire you out"


@pytest.fixture
def three(token, server):
    """A token at which three logins wait."""
    token.nonces = sorted(server.login(question=f"Log in {n}?", title=f"Shop {n}") for n in range(3))
    return token


def reasons(server):
    return sorted((nonce, *words) for nonce, words in server.answers)


def test_from_three_on_the_person_is_warned_and_offered_to_deny_all(token, server):
    for _ in range(2):
        server.login()
    assert "tire" not in token.ok("pending").err
    server.login()
    said = token.ok("pending").err
    assert f"warning: {WARNING}" in said and "countersign deny --all fern --reason not-me" in said, said
    [first, *_] = waiting(token)["authorizations"]
    assert "somebody may be trying to" in token.ok("show", first["ref"]).out
    assert server.answers == []


def test_all_are_denied_with_one_command(three, server):
    result = three.run("deny", "--all", "fern", "--reason", "not-me", "--json")
    check_schema(["deny"], result.json)
    assert result.code == 0 and [d["outcome"] for d in result.json["decisions"]] == ["denied"] * 3, result
    assert reasons(server) == [(nonce, "decline", "unknown_trigger") for nonce in three.nonces]
    assert waiting(three)["authorizations"] == []
    nothing = three.ok("deny", "--all", "fern")
    assert "Nothing waits" in nothing.err and nothing.out == ""


def test_a_server_that_takes_no_reason_gets_none(token, server):
    for _ in range(3):
        server.login(capabilities=None)
    result = token.ok("deny", "--all", "fern", "--reason", "not-me")
    assert result.err.count("takes no reason") == 3 and [words for _, words in server.answers] == [["decline"]] * 3, result


def test_one_question_lists_what_is_denied(three, server):
    for answer, code in (("n", 2), ("y", 0)):
        child = three.terminal("deny", "--all", "fern", "--pin-file", three.pin_file)
        for nonce in three.nonces:
            child.expect(f"fern:{nonce}  Shop")
        child.expect("Deny all 3 that wait at fern")
        assert server.answers == []
        child.sendline(answer)
        assert finish(child) == code
    assert len(server.answers) == 3


def test_one_that_fails_does_not_keep_the_others(three, server):
    server.faults["answer"] = [(500, "{}", "application/json")]
    result = three.run("deny", "--all", "fern", "--json")
    assert result.code == 9, result
    assert sorted(d["outcome"] for d in result.json["decisions"]) == ["denied", "denied", "unknown"]


@pytest.mark.parametrize("args, words", [
    (["--all", "fern", "fern:1"], "goes with no REF"), (["--all", "fern", "--fingerprint", "0" * 16], "goes with no REF"), ([], "no REF is given")])
def test_what_does_not_go_together_is_refused(token, args, words):
    result = token.run("deny", *args)
    assert result.code == 64 and words in result.err, result


def test_names_that_are_none_are_told(token):
    result = token.run("deny", "--all", "elm")
    assert result.code == 4 and 'no connection is called "elm"' in result.err, result


@pytest.mark.parametrize("agrees", [True, False])
def test_not_me_in_watch_offers_to_deny_all(three, server, agrees):
    child = three.terminal("watch", "--once", "--pin-file", three.pin_file)
    child.expect("n denies all 3, as not yours")
    child.expect(r"\[n\]ot me")
    child.send("n")
    child.expect("Deny all 3 that wait at fern")
    child.sendline("y" if agrees else "n")
    if not agrees:
        child.expect("Deny this")
        child.sendline("y")
    child.expect("Disconnect fern too")
    child.sendline("n")
    finish(child)
    assert len(server.answers) == (3 if agrees else 1)
    assert {tuple(words) for _, words in server.answers} == {("decline", "unknown_trigger")}


def test_the_live_view_warns_when_the_third_comes(token, server):
    for n in range(2):
        server.login(title=f"Shop {n}", question=f"{n}")
    child = token.terminal("watch", environment={"NO_COLOR": "1"})
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("Log in to|Shop")
    server.login(title="Shop 2", question="2")
    child.expect("n denies all 3, as not yours", timeout=60)
    child.send("n")
    child.expect("Deny all 3 that wait at fern")
    child.sendline("y")
    child.expect("Disconnect fern too")
    child.sendline("n")
    finish(child)
    assert len(server.answers) == 3


def test_a_window_warns_before_it_takes_a_pin(three, server, agents, pinentry):
    agent = agents(three, pinentry=pinentry).unlock()
    items = until(lambda: (found := waiting(three)["authorizations"]) and len(found) == 3 and found, 60)
    answer = ask_by_window(agent, pinentry, items[0], YES, CANCEL)
    assert answer.json["error"]["kind"] == "cancelled", answer
    assert WARNING in " ".join("\n".join(pinentry.told("SETDESC")).replace("↳ ", "").split())
    assert server.answers == []
