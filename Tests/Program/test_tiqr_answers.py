"""What sites that speak Tiqr answer to a response, and what is then known of the account."""

import json

import pytest
from agents import agents
from conftest import PIN, finish
from tiqr import approve, connect, connection, decision, enrolled, make_site, ocra, show, site


@pytest.mark.parametrize("form,left", [("words", None), ("counting", 4), ("json", 4)])
def test_a_wrong_response_makes_the_connection_doubtful(home, make_site, form, left):
    site = make_site(form=form)
    connect(home, site)
    # Another device took the account over.
    secret, site.accounts["mira"] = site.accounts["mira"], bytes(32)
    link = site.challenge()
    result = approve(home, link)
    assert result.code == 5, result
    made = decision(result)
    assert (made["outcome"], made["attempts_left"]) == ("refused", left)
    assert "another device may have taken it over" in made["error"]["message"]
    assert "countersign reconnect fern" in made["error"]["hint"]
    assert len(site.logins()) == 1
    found = connection(home)
    assert (found["status"], found["attempts_left"]) == ("doubtful", left)
    # The same would be as wrong again.
    again = home.run("show", "-", stdin=link + "\n")
    assert again.code == 5 and "it would be the same" in again.err, again
    # The next card says so; the site's yes ends the doubt.
    later = site.challenge()
    assert "did not accept this account's last response" in show(home, later)["text"]
    site.accounts["mira"] = secret
    unasked = approve(home, later)
    assert unasked.code == 64 and "--yes" in decision(unasked)["error"]["hint"] and len(site.logins()) == 1, unasked
    assert approve(home, later, "--yes").code == 0
    assert (connection(home)["status"], connection(home)["attempts_left"]) == ("active", None)


def test_the_last_attempt_takes_a_person(home, make_site):
    site = make_site(form="counting", attempts=2)
    connect(home, site)
    secret, site.accounts["mira"] = site.accounts["mira"], bytes(32)
    assert decision(approve(home, site.challenge()))["attempts_left"] == 1
    site.accounts["mira"] = secret
    refused = approve(home, site.challenge(), "--yes")
    assert refused.code == 64 and "on a terminal" in decision(refused)["error"]["hint"], refused
    child = home.terminal("approve", site.challenge(), "--yes")
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("one more wrong response, and then blocks this account. Go on?")
    child.sendline("y")
    child.expect("PIN to approve")
    child.sendline(PIN)
    assert finish(child) == 0
    assert len(site.logins()) == 2 and connection(home)["status"] == "active"


def test_the_last_attempt_blocks_the_account(home, make_site):
    site = make_site(form="counting", attempts=1)
    connect(home, site)
    site.accounts["mira"] = bytes(32)
    result = approve(home, site.challenge())
    assert result.code == 5 and "blocked" in decision(result)["error"]["message"], result
    assert connection(home)["status"] == "blocked"
    # The site may have lifted it: the person may try.
    card = show(home, site.challenge())
    assert "blocked this account" in card["text"]


def test_a_temporary_block_is_kept_here_until_it_ends(home, make_site):
    site = make_site(form="json", attempts=1)
    site.duration = 30
    connect(home, site)
    site.accounts["mira"] = bytes(32)
    result = approve(home, site.challenge())
    assert result.code == 5
    found = connection(home)
    assert found["status"] == "blocked" and found["blocked_until"]
    refused = home.run("show", "-", stdin=site.challenge() + "\n")
    assert refused.code == 5 and found["blocked_until"][:16] in refused.err, refused
    assert len(site.logins()) == 1


def test_two_refusals_without_a_reason_make_it_doubtful(home, make_site):
    site = make_site(form="mute", suite="OCRA-1:HOTP-SHA1-6:QH10-S064")
    connect(home, site)
    site.accounts["mira"] = bytes(32)
    first = approve(home, site.challenge())
    assert first.code == 5 and "without a reason" in decision(first)["error"]["message"]
    assert connection(home)["status"] == "active"
    assert approve(home, site.challenge()).code == 5
    assert connection(home)["status"] == "doubtful"


def test_other_refusals_say_nothing_of_the_account(enrolled, site):
    # A page in between, or a site that breaks, is no word about this account.
    site.faults["/login"] = lambda handler: handler.answer(404, "<h1>Not Found</h1>")
    for _ in range(3):
        assert approve(enrolled, site.challenge()).code == 5
    assert connection(enrolled)["status"] == "active"


def test_what_came_before_a_wrong_response_is_judged_by_what_is_known_now(enrolled, site, agents):
    home = enrolled
    agents(home).unlock()
    early = json.loads(home.ok("open", site.challenge(), "--no-input", "--json", pin=False).out)["action"]["authorization"]
    assert home.json("show", early, pin=False)["caution"] is None
    secret, site.accounts["mira"] = site.accounts["mira"], bytes(32)
    assert approve(home, site.challenge()).code == 5
    card = home.json("show", early, pin=False)
    assert card["caution"] == "may_block" and "did not accept this account's last response" in card["text"]
    site.accounts["mira"] = secret


# How each form of an answer is read is tested in process (TiqrReplyTests); here is what becomes of each meaning.
@pytest.mark.parametrize("status", [200, 403])
@pytest.mark.parametrize("answer,code,outcome,left", [
    ("INVALID_RESPONSE:1", 5, "refused", 1), ('{"responseCode":201}', 5, "refused", None), ("INVALID_CHALLENGE", 8, "expired", None),
    ("ACCOUNT_BLOCKED", 5, "refused", None), ("INVALID_USERID", 5, "refused", None), ("INVALID_REQUEST", 5, "refused", None),
    ("<p>OK</p>", 5, "refused", None), ('{"responseCode":1}', 0, "confirmed", None),
    ('{"responseCode":999,"message":"\\u001b[31mno"}', 5, "refused", None), ('{"responseCode":1,"responseCode":201}', 9, "unknown", None)])
def test_every_answer(home, site, status, answer, code, outcome, left):
    connect(home, site)
    site.faults["/login"] = lambda handler: handler.answer(status, answer)
    result = approve(home, site.challenge())
    made = decision(result)
    assert (result.code, made["outcome"], made["attempts_left"]) == (code, outcome, left), result
    assert "<p>" not in result.out and "\\u001b" not in result.out and "\x1b" not in result.out
    assert len(site.logins()) == 1


@pytest.mark.parametrize("fault", [
    lambda h: h.cut(), lambda h: h.answer(500, "<h1>Internal Server Error</h1>"), lambda h: h.answer(429, "slow down"),
    lambda h: h.answer(200, b"x" * 100_000), lambda h: h.endless(b" " * 65536, 0)], ids=["cut", "500", "429", "100 KB", "endless"])
def test_a_lost_answer_is_unknown_for_good_and_never_sent_again(enrolled, site, fault):
    home = enrolled
    site.faults["/login"] = fault
    result = approve(home, site.challenge())
    assert result.code == 9 and decision(result)["outcome"] == "unknown" and decision(result)["code"] is None, result
    del site.faults["/login"]
    home.json("pending")
    [entry] = home.json("history", "--verify")["decisions"]
    assert (entry["outcome"], entry["basis"], entry["likely"]) == ("unknown", None, None)
    assert len(site.logins()) == 1


def test_a_redirect_is_not_followed(enrolled, site):
    site.faults["/login"] = lambda h: h.answer(307, "", headers=[("Location", site.url + "/elsewhere")])
    assert approve(enrolled, site.challenge()).code == 5
    assert [r[1] for r in site.requests if r[0] == "POST"] == ["/login"]


def test_the_response_is_shown_only_where_no_connection_could_be_made(enrolled, site):
    home, link = enrolled, site.challenge(session="00" * 16, question="0123456789")
    key = site.accounts["mira"]
    site.stop()
    result = approve(home, link)
    made = decision(result)
    assert result.code == 6 and (made["outcome"], made["basis"]) == ("unsent", None), result
    assert made["code"] == ocra(site.suite, key, "0123456789", "00" * 16)
    assert "the site's own page may take the response" in made["error"]["message"]
    assert made["code"] not in home.ok("history", "--source", "--json").out
    # Nothing went out, so nobody refused anything.
    [entry] = home.json("history", "--verify")["decisions"]
    assert (entry["outcome"], entry["basis"], entry["final"]) == ("unsent", None, True)
