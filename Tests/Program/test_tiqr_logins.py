"""Logins by links that carry a challenge. The site is one of the tests' own (tiqr.py), which computes responses by itself."""

import json
import re

import pytest
from agents import YES, agents
from conftest import PIN, finish
from test_open import notes
from test_pinentry import Fake, typed
from tiqr import approve, connect, decision, enroll, enrolled, make_site, ocra, show, site, tiqr_site

# The site of the tests itself: RFC 6287's own figures, and the worked example of the protocol.

def test_the_sites_own_responses():
    k20 = b"12345678901234567890"
    rfc = "237653 243178 653583 740991 608993 388898 816933 224598 750600 294470".split()
    assert [ocra("OCRA-1:HOTP-SHA1-6:QN08", k20, str(d) * 8) for d in range(10)] == rfc
    key = tiqr_site.hashlib.sha256(b"tiqr test key 1").digest()
    assert ocra("OCRA-1:HOTP-SHA1-6:QH10-S", key, "0123456789", bytes(range(16)).hex()) == "743000"
    assert ocra("OCRA-1:HOTP-SHA1-6:QN10", key, "1839816563", version=2) == "980692"


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
    connect(home, site)
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


# More of them are tried in process (TiqrLinkTests).
@pytest.mark.parametrize("link", [
    "tiqrauth://login.fern.example/00ff", "tiqrauth://login.fern.example/" + "0" * 8200 + "/1234",
    "eduidauth://mira@eduid.nl.evil.example/00ff/1234", "https://eduid.nl.evil.example/tiqrauth/?s=00ff&q=1234&i=x"])
def test_links_that_cannot_be_used(enrolled, link):
    result = enrolled.run("show", "-", stdin=link + "\n")
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
    assert approve(enrolled, site.challenge()).code == 0
    fake = Fake(enrolled, prompt="auto")
    site.faults["/login"] = lambda handler: handler.answer(200, "INVALID_CHALLENGE")
    # One more login like it, so the window asks for its title.
    answers = [typed(PIN), YES, YES, typed("Log in to Fern login"), typed(PIN), "OK\n"]
    result = fake.run("open", site.challenge(), answers=answers, environment={"DISPLAY": ":99"})
    assert result.code == 8, (result, fake.lines)
    told = " ".join(fake.told("SETDESC")[-1].replace("↳ ", "").split())
    assert fake.lines[-2] == "MESSAGE" and "Not approved" in told and "ExitCode" not in told, told
    assert result.err.splitlines()[0].removeprefix("error: ") in told, (result.err, told)


def test_the_response_of_a_clicked_link_stands_in_no_notification(enrolled, site, notes):
    """Desktops keep what notifications said."""
    assert approve(enrolled, site.challenge()).code == 0
    fake = Fake(enrolled, prompt="auto")
    link = site.challenge()
    site.stop()
    answers = [typed(PIN), YES, YES, typed("Log in to Fern login"), typed(PIN), "OK\n"]
    result = fake.run("open", link, answers=answers, environment={"DISPLAY": ":99"})
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
