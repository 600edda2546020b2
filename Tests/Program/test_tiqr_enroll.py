"""Accounts of sites that speak Tiqr come by a link, are renewed by another one, and are revoked here alone."""

import pytest
from conftest import PIN, finish
from proxy import AUTHORITY, HOST, Far
from tiqr import approve, connection, enroll, enrolled, make_site, site

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


def test_a_clicked_link_enrolls_after_the_person_saw_where_it_leads(home, make_site):
    site = make_site(public_url=f"https://{HOST}")
    far = Far(site.port)
    home.set_pin()
    home.environment |= far.environment
    child = home.terminal("open", site.enrollment_link(mangled=True), "--ca-file", AUTHORITY)
    child.expect_exact(f"{HOST} is where this link leads, and nothing was sent there yet. Go on? [y/N] ")
    assert far.calls == []
    child.sendline("y")
    child.expect_exact("PIN: ")
    child.sendline(PIN)
    child.expect_exact(f"{HOST} (Fern login, account Mira Oak) wants to connect this computer. Continue? [y/N] ")
    assert not site.accounts
    child.sendline("y")
    child.expect_exact("Connected: ")
    assert finish(child) == 0 and list(site.accounts) == ["mira"] and set(far.calls) == {f"{HOST}:443"}
    far.stop()


@pytest.mark.parametrize("piece,pause", [(b" ", 0.2), (b" " * 65536, 0)], ids=["slow", "endless"])
def test_metadata_without_an_end_is_given_up(home, site, piece, pause):
    home.set_pin()
    site.faults["/metadata"] = lambda handler: handler.endless(piece, pause)
    result = home.run("enroll", "-", "--yes", "--json", stdin=site.enrollment_link() + "\n")
    assert (result.code, result.json["error"]["kind"]) in ((6, "unreachable"), (5, "refused")), result
    assert home.json("connections")["connections"] == [] and not site.accounts


def test_a_link_works_once(enrolled, site):
    home, link = enrolled, site.enrollment_link("ada", "Ada Elm")
    home.ok("enroll", "-", "--yes", stdin=link + "\n")
    again = home.run("enroll", "-", "--yes", stdin=link + "\n")
    assert again.code == 5 and "works once" in again.err, again


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


def test_a_new_secret_goes_to_no_other_host_than_the_accounts(enrolled, site):
    old, site.enrolls_at = site.accounts["mira"], site.url.replace("127.0.0.1", "localhost")
    result = enrolled.run("reconnect", "fern", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert result.code == 5 and 'the new secret of "fern" to localhost' in result.err, result
    assert [r for r in site.requests if r[1] == "/enroll"] == []
    assert approve(enrolled, site.challenge()).code == 0 and site.accounts["mira"] == old


def test_an_account_that_is_connected_is_not_connected_twice(enrolled, site):
    again = enrolled.run("enroll", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert again.code == 5 and 'connected already, as "fern"' in again.err, again
    assert [r for r in site.requests if r[1] == "/enroll"] == []


def test_reconnecting_takes_no_account_of_another_connection(enrolled, site):
    enroll(enrolled, site, "ada", "ada")
    result = enrolled.run("reconnect", "fern", "-", "--yes", stdin=site.enrollment_link("ada") + "\n")
    assert result.code == 5 and 'connected already, as "ada"' in result.err, result


def test_a_refusal_in_a_sentence_is_shown_to_its_end(home, site):
    home.set_pin()
    site.faults["/enroll"] = lambda handler: handler.answer(406, "use one of these apps " * 20 + "END")
    result = home.run("enroll", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert result.code == 5 and "END" in result.err and "a new link" in result.err, result


# More of them are tried in process (TiqrLinkTests).
@pytest.mark.parametrize("link", [
    "tiqrenroll://http://login.fern.example/m", "tiqrenroll://file:///etc/passwd",
    "https://eduid.nl/tiqrenroll/?metadata=https%3A%2F%2Flogin.fern.example%2Fm"])
def test_enrollment_links_that_cannot_be_used(home, link):
    result = home.set_pin().run("enroll", "-", "--yes", stdin=link + "\n")
    assert result.code == 64, result


# The end

def test_revoking_is_local_by_nature(enrolled, site):
    before = len(site.requests)
    revoked = enrolled.json("revoke", "fern")["revoked"]
    assert revoked["bank_told"] is False and len(site.requests) == before
    assert enrolled.json("connections")["connections"] == []
    site2 = enroll(enrolled, site)
    assert "was not told" in site2.ok("revoke", "fern").out
