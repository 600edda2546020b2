"""Sites that speak Tiqr: enrollment by a link, logins by links that carry a challenge. The site is one of the tests' own
(Tests/Support/tiqr_site.py), which computes responses by itself."""

import importlib.util
import json
import re

import pytest
from agents import agents
from conftest import PIN, ROOT, check_schema, finish
from test_open import notes
from test_pinentry import Fake, typed

specification = importlib.util.spec_from_file_location("tiqr_site", ROOT / "Tests/Support/tiqr_site.py")
tiqr_site = importlib.util.module_from_spec(specification)
specification.loader.exec_module(tiqr_site)
Site, ocra = tiqr_site.Site, tiqr_site.ocra


@pytest.fixture
def make_site():
    sites = []

    def make(**options):
        sites.append(Site(**options))
        return sites[-1]
    yield make
    for site in sites:
        site.stop()


@pytest.fixture
def site(make_site):
    return make_site()


def enroll(home, site, user="mira", name="fern", **link):
    home.ok("enroll", "-", "--yes", "--name", name, stdin=site.enrollment_link(user, **link) + "\n")
    return home


@pytest.fixture
def enrolled(home, site):
    return enroll(home.set_pin(), site)


def show(home, link, *args):
    return home.json("show", "-", *args, stdin=link + "\n")


def approve(home, link, *args, **options):
    """As a script does it: what `show` told is what is approved."""
    card = show(home, link, *[a for a in args if a != "--yes"])
    return home.run(
        "approve", "-", "--fingerprint", card["fingerprint"], "--json", *args, stdin=link + "\n", **options)


def decision(result):
    check_schema(["approve"], result.json)
    return result.json["decisions"][0]


def connection(home, name="fern"):
    return next(c for c in home.json("connections")["connections"] if c["name"] == name)


# The site of the tests itself: RFC 6287's own figures, and the worked example of the protocol.

def test_the_sites_own_responses():
    k20 = b"12345678901234567890"
    rfc = "237653 243178 653583 740991 608993 388898 816933 224598 750600 294470".split()
    assert [ocra("OCRA-1:HOTP-SHA1-6:QN08", k20, str(d) * 8) for d in range(10)] == rfc
    key = tiqr_site.hashlib.sha256(b"tiqr test key 1").digest()
    assert ocra("OCRA-1:HOTP-SHA1-6:QH10-S", key, "0123456789", bytes(range(16)).hex()) == "743000"
    assert ocra("OCRA-1:HOTP-SHA1-6:QN10", key, "1839816563", version=2) == "980692"


# Enrollment

@pytest.mark.parametrize("mangled", [False, True], ids=["as shown", "as browsers click it"])
def test_an_account_is_enrolled_from_its_link(home, site, mangled):
    enroll(home.set_pin(), site, mangled=mangled)
    found = connection(home)
    assert (found["bank"], found["id"], found["account"]) == ("Fern login", "mira", "Mira Oak")
    assert (found["status"], found["protocol"], found["attempts_left"]) == ("active", "tiqr", None)
    assert found["host"] == site.url.removeprefix("http://")
    [posted] = [r for r in site.requests if r[1] == "/enroll"]
    assert set(posted[3]) == {"operation", "secret", "language", "version"}
    assert posted[4]["X-TIQR-Protocol-Version"] == "2" and posted[4]["User-Agent"].startswith("countersign/")
    assert site.accounts["mira"] == bytes.fromhex(posted[3]["secret"])
    # The logo is never loaded.
    assert {r[1] for r in site.requests} == {"/metadata", "/enroll"}


def test_the_person_sees_account_and_hosts_first(home, site):
    home.set_pin()
    child = home.terminal("enroll", site.enrollment_link())
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect(r"127\.0\.0\.1:\d+ \(Fern login, account Mira Oak\) wants to connect this computer")
    child.sendline("n")
    assert finish(child) == 2
    assert not site.accounts and home.json("connections")["connections"] == []


def test_a_link_works_once(enrolled, site):
    home, link = enrolled, site.enrollment_link("ada", "Ada Elm")
    home.ok("enroll", "-", "--yes", stdin=link + "\n")
    again = home.run("enroll", "-", "--yes", stdin=link + "\n")
    assert again.code == 5 and "works once" in again.err, again


def test_an_account_that_is_connected_is_not_connected_twice(enrolled, site):
    again = enrolled.run("enroll", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert again.code == 5 and 'connected already, as "fern"' in again.err, again
    assert len([r for r in site.requests if r[1] == "/enroll"]) == 1


def test_another_place_cannot_pass_for_a_known_service(enrolled, make_site):
    other = make_site()
    result = enrolled.run("enroll", "-", "--yes", stdin=other.enrollment_link("ada") + "\n")
    assert result.code == 5 and "has another address" in result.err, result
    assert not other.accounts


@pytest.mark.parametrize("suite,why", [
    ("OCRA-1:HOTP-SHA1-6:QN08-PSHA1", "includes a PIN"), ("OCRA-1:HOTP-SHA1-6:C-QH10", "counts"),
    ("OCRA-1:HOTP-SHA1-6:QH10-T1M", "includes the time"), ("OCRA-1:HOTP-SHA1-6:QA10", "neither numbers nor hexadecimal"),
    ("OCRA-1:HOTP-SHA1-6:QH10-S032", "a length on which servers differ"), ("OCRA-1:HOTP-SHA1-0:QH10", "whole MACs"),
    ("OCRA-1:HOTP-MD5-6:QH10", "neither SHA1, SHA256 nor SHA512"), ("HOTP", "not an OCRA suite")])
def test_a_suite_that_is_not_supported_is_refused_before_a_secret_is_made(home, make_site, suite, why):
    site = make_site(suite=suite)
    result = home.set_pin().run("enroll", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert result.code == 5 and why in result.err, result
    assert [r[1] for r in site.requests] == ["/metadata"]


@pytest.mark.parametrize("status,text,code", [
    (200, "ERROR", 5), (403, "not you", 5), (406, "use \x1b[31man app that we know", 5), (200, "<p>OK</p>", 5),
    (200, '{"responseCode":101,"message":"no"}', 5)])
def test_a_refused_enrollment_leaves_nothing(home, site, status, text, code):
    home.set_pin()
    site.faults["/enroll"] = lambda handler: handler.answer(status, text)
    result = home.run("enroll", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert result.code == code, result
    assert "\x1b" not in result.err and ("an app that we know" in result.err) == (status == 406)
    assert home.json("connections")["connections"] == []


@pytest.mark.parametrize("status,text,kind", [
    (200, " OK\r\n", "text/html"), (200, '"OK"', "application/json"), (201, '{"responseCode":1}', "text/plain"),
    (200, '{"responseCode":"1","message":null}', "text/html"), (200, "\ufeffOK", "text/plain")])
def test_success_in_every_form(home, site, status, text, kind):
    home.set_pin()
    site.faults["/enroll"] = lambda handler: handler.answer(status, text, kind)
    home.ok("enroll", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert len(home.json("connections")["connections"]) == 1


@pytest.mark.parametrize("fault", [
    lambda h: h.cut(), lambda h: h.answer(500, "<h1>Internal Server Error</h1>"), lambda h: h.answer(403, "OK"),
    lambda h: h.answer(200, b"x" * 100_000)], ids=["cut", "500", "OK with 403", "100 KB"])
def test_an_enrollment_whose_answer_is_lost_is_unconfirmed_until_a_login(home, site, fault):
    home.set_pin()

    def taken(handler):
        site.accounts["mira"] = bytes.fromhex(handler.form["secret"])
        fault(handler)
    site.faults["/enroll"] = taken
    lost = home.run("enroll", "-", "--yes", "--name", "fern", stdin=site.enrollment_link() + "\n")
    assert lost.code in (5, 9) and "kept as fern, unconfirmed" in lost.err and "its first login shows" in lost.err, lost
    assert connection(home)["status"] == "unconfirmed"
    # It is not handed in again.
    home.json("pending")
    assert approve(home, site.challenge()).code == 0
    assert connection(home)["status"] == "active"
    assert len([r for r in site.requests if r[1] == "/enroll"]) == 1


def test_reconnecting_takes_a_new_link_and_a_new_secret(enrolled, site):
    home, old = enrolled, site.accounts["mira"]
    site.accounts["mira"] = bytes(32)
    assert approve(home, site.challenge()).code == 5
    assert connection(home)["status"] == "doubtful"
    bare = home.run("reconnect", "fern")
    assert bare.code == 64 and "new link" in bare.err, bare
    home.ok("reconnect", "fern", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert connection(home)["status"] == "active" and connection(home)["attempts_left"] is None
    assert site.accounts["mira"] not in (old, bytes(32))
    assert approve(home, site.challenge()).code == 0


def test_a_failed_reconnect_leaves_the_old_secret(enrolled, site):
    old = site.accounts["mira"]
    site.faults["/enroll"] = lambda handler: handler.answer(403, "refused")
    result = enrolled.run("reconnect", "fern", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert result.code == 5, result
    assert approve(enrolled, site.challenge()).code == 0 and site.accounts["mira"] == old


# Logins

SUITES = [
    "OCRA-1:HOTP-SHA1-6:QH10-S", "OCRA-1:HOTP-SHA1-6:QH10-S064", "OCRA-1:HOTP-SHA256-6:QH10-S", "OCRA-1:HOTP-SHA256-8:QH10-S",
    "OCRA-1:HOTP-SHA512-10:QH10-S128", "OCRA-1:HOTP-SHA1-6:QH10", "OCRA-1:HOTP-SHA256-8:QH40", "OCRA-1:HOTP-SHA1-6:QN10"]


@pytest.mark.parametrize("suite", SUITES)
@pytest.mark.parametrize("version", [1, 2])
def test_a_login_by_script(home, make_site, suite, version):
    site = make_site(suite=suite)
    enroll(home.set_pin(), site)
    link = site.challenge(version=version)
    result = approve(home, link)
    assert result.code == 0, result
    made = decision(result)
    assert (made["outcome"], made["basis"], made["code"], made["attempts_left"]) == ("confirmed", "answered", None, None)
    [login] = site.logins()
    assert set(login) == {"sessionKey", "userId", "response", "operation", "language", "version"}
    # The response is in no file, no log and no answer.
    response = login["response"].encode()
    history = home.ok("history", "--verify", "--source", "--json").out
    assert json.loads(history)["log"] == "intact" and response not in history.encode() and response not in result.out.encode()
    assert not any(response in path.read_bytes() for path in home.files())


def test_the_card_tells_what_is_known_and_what_is_claimed(enrolled, site):
    card = show(enrolled, site.challenge(site="Acorn Bank <b>"))
    assert card["title"] == "Log in to Fern login" and card["expires_at"] is not None
    assert card["fields"]["account"] == "Mira Oak" and card["fields"]["identifier"] == "mira"
    assert "Claims to be for: Acorn Bank <b>" in card["text"]
    assert "nobody signed" in card["text"]
    # Its own name proves nothing more.
    assert "Claims" not in show(enrolled, site.challenge(site="Fern login"))["text"]
    assert site.logins() == []


def test_the_fingerprint_covers_the_link(enrolled, site):
    link = site.challenge(site="Fern Wiki")
    card = show(enrolled, link)
    assert show(enrolled, link)["fingerprint"] == card["fingerprint"]
    for other in [link.replace("Fern+Wiki", "Fern+Bank"), link[:-1] + "1", link + "?https%3A%2F%2Fevil.example"]:
        result = enrolled.run("approve", "-", "--fingerprint", card["fingerprint"], "--json", stdin=other + "\n")
        assert result.code == 8, result
    assert site.logins() == []


def test_a_login_on_a_terminal(enrolled, site):
    home = enrolled
    child = home.terminal("act", site.challenge())
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("Log in to Fern login")
    child.expect("Claims to be for")
    child.expect("nobody signed")
    child.expect("PIN to approve")
    assert site.logins() == []
    child.sendline(PIN)
    child.expect("approved .*confirmed")
    assert finish(child) == 0
    assert len(site.logins()) == 1


def test_the_page_that_a_link_names_is_opened_after_a_yes_alone(enrolled, site):
    child = enrolled.terminal("act", site.challenge(back="https://wiki.fern.example/back"))
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("Leads back to")
    child.expect("PIN to approve")
    child.sendline(PIN)
    child.expect("approved .*confirmed")
    child.expect(r"Open https://wiki\.fern\.example/back in the browser\?")
    child.sendline("n")
    assert finish(child) == 0


def test_doctor_claims_nothing_of_a_site_that_cannot_be_asked(enrolled, site):
    before = len(site.requests)
    checks = json.loads(enrolled.run("doctor", "--json").out)["checks"]
    [check] = [check for check in checks if check["name"] == "connection fern"]
    assert check["ok"] and "cannot be asked" in check["message"]
    assert len(site.requests) == before


def test_a_wrong_pin_is_never_a_response(enrolled, site):
    child = enrolled.terminal("approve", site.challenge())
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("PIN to approve")
    child.sendline("314159")
    child.expect("wrong PIN; 8 tries are left")
    child.sendline("")
    assert finish(child) == 2
    assert site.logins() == []
    assert enrolled.json("pin", "status", pin=False)["tries_left"] == 8


def test_to_deny_sends_nothing_and_says_so(enrolled, site):
    home = enrolled
    result = home.ok("deny", "-", stdin=site.challenge() + "\n")
    assert "nothing was sent" in result.out
    assert site.logins() == []
    [entry] = home.json("history", "--verify")["decisions"]
    assert (entry["decision"], entry["outcome"], entry["basis"]) == ("deny", "denied", None)


@pytest.mark.parametrize("form,left", [("words", None), ("counting", 4), ("json", 4)])
def test_a_wrong_response_makes_the_connection_doubtful(home, make_site, form, left):
    site = make_site(form=form)
    enroll(home.set_pin(), site)
    # Another device took the account over.
    site.accounts["mira"] = bytes(32)
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
    site.accounts["mira"] = bytes.fromhex([r for r in site.requests if r[1] == "/enroll"][0][3]["secret"])
    unasked = approve(home, later)
    assert unasked.code == 64 and "--yes" in decision(unasked)["error"]["hint"] and len(site.logins()) == 1, unasked
    assert approve(home, later, "--yes").code == 0
    assert (connection(home)["status"], connection(home)["attempts_left"]) == ("active", None)


def test_the_last_attempt_takes_a_person(home, make_site):
    site = make_site(form="counting", attempts=2)
    enroll(home.set_pin(), site)
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
    enroll(home.set_pin(), site)
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
    enroll(home.set_pin(), site)
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
    enroll(home.set_pin(), site)
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


@pytest.mark.parametrize("status", [200, 403])
@pytest.mark.parametrize("answer,code,outcome,left", [
    ("INVALID_RESPONSE", 5, "refused", None), ("INVALID_RESPONSE:1", 5, "refused", 1), ("INVALID_RESPONSE:-1", 5, "refused", None),
    ("INVALID_RESPONSE:many", 5, "refused", None), ("INVALID_RESPONSE:1001", 5, "refused", None),
    ("INVALID_CHALLENGE", 8, "expired", None), ("ACCOUNT_BLOCKED", 5, "refused", None), ("INVALID_USERID", 5, "refused", None),
    ("INVALID_REQUEST", 5, "refused", None), ("invalid_response", 5, "refused", None), ("<p>OK</p>", 5, "refused", None),
    ('{"responseCode":1}', 0, "confirmed", None), ('{"responseCode":"201","attemptsLeft":"2"}', 5, "refused", 2),
    ('{"responseCode":201,"attemptsLeft":2.5}', 5, "refused", None), ('{"responseCode":203}', 8, "expired", None),
    ('{"responseCode":205}', 5, "refused", None), ('{"responseCode":999,"message":"\\u001b[31mno"}', 5, "refused", None),
    ('{"responseCode":1.0}', 5, "refused", None), ('{"responseCode":1.5}', 5, "refused", None), ('{"responseCode":null}', 5, "refused", None),
    ('{"responseCode":1,"responseCode":201}', 9, "unknown", None)])
def test_every_answer(home, site, status, answer, code, outcome, left):
    enroll(home.set_pin(), site)
    site.faults["/login"] = lambda handler: handler.answer(status, answer)
    result = approve(home, site.challenge())
    made = decision(result)
    assert (result.code, made["outcome"], made["attempts_left"]) == (code, outcome, left), result
    assert "<p>" not in result.out and "\\u001b" not in result.out and "\x1b" not in result.out
    assert len(site.logins()) == 1


@pytest.mark.parametrize("fault", [
    lambda h: h.cut(), lambda h: h.answer(500, "<h1>Internal Server Error</h1>"), lambda h: h.answer(429, "slow down"),
    lambda h: h.answer(200, b"x" * 100_000)], ids=["cut", "500", "429", "100 KB"])
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
    assert [r[1] for r in site.requests if r[0] == "POST"] == ["/enroll", "/login"]


def test_the_response_is_shown_only_where_no_connection_could_be_made(enrolled, site):
    home, link = enrolled, site.challenge(session="00" * 16, question="0123456789")
    key = site.accounts["mira"]
    site.stop()
    result = approve(home, link)
    made = decision(result)
    assert result.code == 6 and made["outcome"] == "unsent" and made["basis"] is None, result
    assert made["code"] == ocra(site.suite, key, "0123456789", "00" * 16)
    assert "the site's own page may take the response" in made["error"]["message"]
    assert made["code"] not in home.ok("history", "--source", "--json").out
    # Nothing went out, so nobody refused anything.
    [entry] = home.json("history", "--verify")["decisions"]
    assert (entry["outcome"], entry["basis"], entry["final"]) == ("unsent", None, True)


def test_a_used_challenge_is_too_late(enrolled, site):
    link = site.challenge()
    assert approve(enrolled, link).code == 0
    result = approve(enrolled, link)
    # The log knows that this was decided.
    assert result.code in (4, 8), result
    assert len(site.logins()) == 1


# Which account

def test_names_are_read_as_they_were_written(home, site):
    enroll(home.set_pin(), site, user="ann b+c@x", name="ann")
    assert approve(home, site.challenge("ann b+c@x")).code == 0
    assert site.logins()[0]["userId"] == "ann b+c@x"


def test_of_several_accounts_the_person_says_which(home, site):
    enroll(home.set_pin(), site)
    enroll(home, site, user="ada", name="ada")
    link = site.challenge(user=None)
    unclear = home.run("show", "-", stdin=link + "\n")
    assert unclear.code == 4 and "ada, fern" in unclear.err, unclear
    assert approve(home, link, "--connection", "ada").code == 0
    assert site.logins()[0]["userId"] == "ada"


def test_a_challenge_of_a_stranger(enrolled, make_site):
    stranger = make_site(service="login.elm.example")
    result = enrolled.run("show", "-", stdin=stranger.challenge() + "\n")
    assert result.code == 4 and "no account at login.elm.example" in result.err, result
    assert stranger.requests == []


def test_a_challenge_of_another_account(enrolled, site):
    result = enrolled.run("show", "-", stdin=site.challenge("ada") + "\n")
    assert result.code == 4 and "the account that the link names at login.fern.example is not connected" in result.err, result


def test_reconnecting_takes_no_account_of_another_connection(enrolled, site):
    enroll(enrolled, site, "ada", "ada")
    result = enrolled.run("reconnect", "fern", "-", "--yes", stdin=site.enrollment_link("ada") + "\n")
    assert result.code == 5 and 'connected already, as "ada"' in result.err, result


def test_a_refusal_in_a_sentence_is_shown_to_its_end(home, site):
    home.set_pin()
    site.faults["/enroll"] = lambda handler: handler.answer(406, "use one of these apps " * 20 + "END")
    result = home.run("enroll", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert result.code == 5 and "END" in result.err and "a new link" in result.err, result


@pytest.mark.parametrize("link", [
    "tiqrauth://login.fern.example", "tiqrauth://login.fern.example/00ff", "tiqrauth://login.fern.example/00ff/1234/a/2/b",
    "tiqrauth://login.fern.example/00ff//a/2", "tiqrauth://login.fern.example/00ff/1234/a/two",
    "tiqrauth://login.fern.example/00ff/1234/a/0", "tiqrauth://login.fern.example/" + "0" * 8200 + "/1234",
    "eduidauth://mira@eduid.nl.evil.example/00ff/1234", "https://eduid.nl.evil.example/tiqrauth/?s=00ff&q=1234&i=x",
    "https://eduid.nl/tiqrauth/?s=00ff&s=00ff&q=1234&i=x", "https://eduid.nl/tiqrauth/?s=00ff&q=1234",
    "https://mira@eduid.nl/tiqrauth/?s=00ff&q=1234&i=x", "https://eduid.nl/tiqrauth/more?s=00ff&q=1234&i=x"])
def test_links_that_cannot_be_used(enrolled, link):
    result = enrolled.run("show", "-", stdin=link + "\n")
    assert result.code == 64, result


@pytest.mark.parametrize("link", [
    "tiqrenroll://http://login.fern.example/m", "tiqrenroll://https://ann@login.fern.example/m", "tiqrenroll://javascript:alert(1)",
    "tiqrenroll://file:///etc/passwd", "tiqrenroll://https:/login.fern.example/m", "eduidenroll://https://eduid.nl.evil.example/m",
    "https://eduid.nl/tiqrenroll/?metadata=https%3A%2F%2Flogin.fern.example%2Fm", "https://eduid.nl/tiqrenroll/?metadata=%zz"])
def test_enrollment_links_that_cannot_be_used(home, link):
    result = home.set_pin().run("enroll", "-", "--yes", stdin=link + "\n")
    assert result.code == 64, result


# The agent

def test_an_open_agent_lists_what_a_link_brought(enrolled, site, agents):
    home = enrolled
    agents(home).unlock()
    listed = home.ok("open", site.challenge(), "--no-input", "--json", pin=False)
    ref = json.loads(listed.out)["action"]["authorization"]
    assert [a["ref"] for a in home.json("pending", pin=False)["authorizations"]] == [ref]
    assert home.json("show", ref, pin=False)["fields"]["came_by"] == "a link that was clicked"
    # A link that is only looked at stands in no list.
    assert show(home, site.challenge())["fields"]["came_by"] == "a link that was pasted"
    assert [a["ref"] for a in home.json("pending", pin=False)["authorizations"]] == [ref]
    assert site.logins() == []
    card = home.json("show", ref, pin=False)
    assert home.run("approve", ref, "--fingerprint", card["fingerprint"]).code == 0
    assert home.json("pending", pin=False)["authorizations"] == []
    # Nothing of it outlives a lock.
    home.ok("open", site.challenge(), "--no-input", pin=False)
    home.ok("lock", pin=False)
    home.ok("unlock")
    assert home.json("pending", pin=False)["authorizations"] == []


def test_a_clicked_link_that_fails_is_told_in_a_window(enrolled, site):
    """Nobody reads the standard error of a program that a click started."""
    fake = Fake(enrolled, prompt="auto")
    site.faults["/login"] = lambda handler: handler.answer(200, "INVALID_CHALLENGE")
    result = fake.run(
        "open", site.challenge(), answers=[typed(PIN), "OK\n", "OK\n", typed(PIN), "OK\n"], environment={"DISPLAY": ":99"})
    assert result.code == 8, (result, fake.lines)
    told = " ".join(fake.told("SETDESC")[-1].split())
    assert fake.lines[-2] == "MESSAGE" and "Not approved" in told and "ExitCode" not in told, told
    assert result.err.splitlines()[0].removeprefix("error: ") in told, (result.err, told)


def test_the_response_of_a_clicked_link_stands_in_no_notification(enrolled, site, notes):
    """Desktops keep what notifications said."""
    fake = Fake(enrolled, prompt="auto")
    link = site.challenge()
    site.stop()
    result = fake.run(
        "open", link, answers=[typed(PIN), "OK\n", "OK\n", typed(PIN), "OK\n"], environment={"DISPLAY": ":99"})
    assert result.code == 6 and fake.lines[-2] == "MESSAGE", (result, fake.lines)
    [code] = re.findall(r"type this there now: (\d{6})", result.out)
    assert code in fake.told("SETDESC")[-1] and notes.made("Notify") == []


# Watching

def test_a_link_is_pasted_into_watch(enrolled, site):
    child = enrolled.terminal("watch", environment={"NO_COLOR": "1"})
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect(r"\x1b\[\?2004h")
    child.expect("No bank can be asked")
    # Its letters are keys, too: q would quit.
    child.send(f"\x1b[200~{site.challenge()}\n\x1b[201~")
    child.expect("Log in to Fern login")
    child.expect("a link that was pasted")
    assert site.logins() == []
    child.send("a")
    child.expect("PIN to approve")
    child.sendline(PIN)
    child.expect("approved .*confirmed")
    child.send("q")
    assert finish(child) == 0
    assert len(site.logins()) == 1


def test_a_link_is_typed_into_watch_with_an_agent(enrolled, site, agents):
    agents(enrolled).unlock()
    child = enrolled.terminal("watch", environment={"NO_COLOR": "1"})
    child.expect("No bank can be asked")
    child.send("l")
    child.expect("Link .empty cancels.: ")
    child.sendline(site.challenge())
    child.expect("Log in to Fern login")
    child.send("q")
    assert finish(child) == 0
    # It waits on, in the agent's list.
    assert len(enrolled.json("pending", pin=False)["authorizations"]) == 1
    assert site.logins() == []


@pytest.mark.parametrize("text,said", [
    ("aqd", "not a link"), ("tiqrauth://mira@login.elm.example/00ff/0123456789", "no account at login.elm.example"),
    ("x" * 20_000, "longer than")])
def test_what_is_no_request_of_ours_does_nothing_in_watch(enrolled, site, text, said):
    child = enrolled.terminal("watch", environment={"NO_COLOR": "1"})
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("No bank can be asked")
    child.send(f"\x1b[200~{text}\x1b[201~")
    child.expect(said)
    child.expect("No bank can be asked")
    child.send("q")
    assert finish(child) == 0
    assert site.logins() == []


# Settings

def test_settings_add_schemes_and_refuse_old_versions(enrolled, site):
    path = enrolled.path / "config/countersign/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("[tiqr]\nauth_schemes = ['fernauth']\noldest_version = 2\n")
    link = site.challenge().replace("tiqrauth:", "fernauth:")
    assert enrolled.run("show", "-", stdin=link + "\n").code == 0
    old = enrolled.run("show", "-", stdin=site.challenge(version=1) + "\n")
    assert old.code == 64 and "no longer accepted" in old.err, old
    path.unlink()
    assert enrolled.run("show", "-", stdin=link + "\n").code == 64


# The end

def test_revoking_is_local_by_nature(enrolled, site):
    before = len(site.requests)
    revoked = enrolled.json("revoke", "fern")["revoked"]
    assert revoked["bank_told"] is False and len(site.requests) == before
    assert enrolled.json("connections")["connections"] == []
    site2 = enroll(enrolled, site)
    assert "was not told" in site2.ok("revoke", "fern").out
