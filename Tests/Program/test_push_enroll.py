"""Push tokens of privacyIDEA come by a link, are renewed by another one, and are revoked here alone."""

import re

import pytest
from conftest import PIN, ROOT, finish
from cryptography.hazmat.primitives.asymmetric import rsa
from proxy import AUTHORITY, HOST, Far
from push import PushServer, pkcs1
from tokens import SERIAL, approve, card, connections, decided, enroll, failing, server, token


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


def test_a_clicked_link_enrolls_after_the_person_saw_where_it_leads(home, server):
    far = Far(server.httpd.server_port)
    home.set_pin()
    home.environment |= far.environment
    child = home.terminal("open", server.token("mira@fern", url=f"https://{HOST}/ttype/push"), "--ca-file", AUTHORITY)
    child.expect_exact(f"{HOST} is where this link leads, and nothing was sent there yet. Go on? [y/N] ")
    assert far.calls == []
    child.sendline("y")
    child.expect_exact("PIN: ")
    child.sendline(PIN)
    child.expect_exact(f"{HOST} (Fern, account mira@fern) wants to connect this computer. Continue? [y/N] ")
    assert server.calls == []
    child.sendline("y")
    child.expect_exact("Connected: fern")
    assert finish(child) == 0 and server.calls == ["rollout", "poll"] and set(far.calls) == {f"{HOST}:443"}
    far.stop()


def test_a_clicked_link_never_leads_to_this_computer(home, server):
    home.set_pin()
    error = failing(home, "usage", "open", server.token(), "--yes")
    assert "leads to this computer" in error["message"] and server.calls == []
