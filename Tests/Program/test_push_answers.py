"""Answers to the questions of a privacyIDEA server: from scripts, terminals, windows and the live view."""

from agents import CANCEL, YES, agents, pinentry, typed
from conftest import PIN, finish
from innards import until
from push import PushServer
from tokens import SERIAL, approve, ask_by_window, card, decided, server, token, waiting

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
    again = card(home)
    child = home.terminal("approve", again["ref"], "--pin-file", home.pin_file)
    child.expect("Type the title to approve it again: ")
    child.sendline(again["title"])
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
        assert decided(result)["error"]["message"] == "the server did not take this option"
        assert decided(result)["error"]["hint"] == (
            f"look which option the other side shows, then: countersign approve {item['ref']}")
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


def test_what_the_server_took_is_not_offered_again(token, server):
    """Without an agent each command is a new process, and the log knows what was answered."""
    home = token
    for verb, outcome in ("approve", "confirmed"), ("deny", "denied"):
        nonce = server.login()
        item = card(home)
        kept = dict(server.tokens[SERIAL].challenges)
        assert decided(home.run(verb, item["ref"], "--fingerprint", item["fingerprint"], "--json"))["outcome"] == outcome
        # A server that lists it all the same is not believed.
        server.tokens[SERIAL].challenges.update(kept)
        assert waiting(home) == {"authorizations": [], "failures": []} and server.waits(nonce)
        assert home.run("show", item["ref"]).code == 4
        assert home.run("approve", item["ref"], "--fingerprint", item["fingerprint"]).code == 4
        server.tokens[SERIAL].challenges.clear()
    assert len(server.answers) == 2


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


def test_no_other_program_chooses_the_option(token, server, agents, pinentry):
    home = token
    agent = agents(home, pinentry=pinentry).unlock()
    server.login(require_presence="04,17,93", answer="17")
    item = until(lambda: waiting(home)["authorizations"], 60)[0]
    item["fingerprint"] += "&option=04"
    answer = ask_by_window(agent, pinentry, item, YES, YES, typed("17"), typed(PIN))
    assert answer.json["outcome"] == "confirmed", answer
    assert server.answers[-1][1] == ["17"] and "Your choice: 17" in pinentry.told("SETDESC")[-1]


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
