"""Enrolling a bank behind an SCA Service (v2): by the bank's login page, by an instant link without any browser, and all
the ways in which nothing comes of it and nothing is kept.
"""

import base64
import json
import signal
import urllib.parse
import urllib.request

import pytest
from conftest import Bank, Home
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_public_key
from v2 import Waiting, connection, sign_in, sign_in_only


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    bank = Bank(tmp_path_factory.mktemp("bank"))
    yield bank
    bank.stop()


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return Home(tmp_path_factory.mktemp("home")).set_pin()


@pytest.fixture(autouse=True)
def nothing_stays(home, bank):
    """Each test begins and ends without a connection."""
    yield
    bank.post("faults/clear")
    for name in home.ok("connections", "--quiet").out.split():
        home.ok("revoke", name, "--local-only")


def connections(home):
    return home.json("connections")["connections"]


def link(bank, **options):
    return bank.link(protocol="v2", **options)


def enroll(home, text, *args):
    return home.run("enroll", "-", "--yes", "--no-browser", "--timeout", "1", *args, stdin=text + "\n")


def test_by_the_login_page(home, bank):
    waiting = Waiting(home, "enroll", "-", link=link(bank))
    code, text = sign_in(waiting.page, password="not it")
    assert code == 422 and "not right" in text
    code, text = sign_in(waiting.page)
    assert code == 200 and "You may close this tab" in text
    code, out, err = waiting.finish()
    assert (code, out) == (0, "Connected: demo-bank\n"), err
    [made] = connections(home)
    assert made["protocol"] == "saltedge-v2" and made["bank"] == "Demo Bank" and made["status"] == "active"
    assert made["host"] == bank.url.removeprefix("http://")
    assert made["support_email"] == "help@demobank.example"
    there = connection(bank, made["id"])
    assert there["status"] == "active" and there["user"] == "ada" and there["protocol"] == "v2"
    assert there["return_url"].startswith("http://127.0.0.1:")
    listed = home.ok("connections").out.splitlines()
    assert listed[0].split() == ["NAME", "BANK", "HOST", "STATUS", "PROTOCOL", "SINCE"]
    assert listed[1].startswith("demo-bank") and "saltedge-v2" in listed[1] and "active" in listed[1]


def test_by_an_instant_link_without_a_browser(home, bank):
    instant = link(bank, instant=True)
    assert enroll(home, instant, "--json").json["connection"]["name"] == "demo-bank"
    # The same bank once more has another name; the same link does not work twice.
    assert enroll(home, link(bank, instant=True)).out == "Connected: demo-bank-2\n"
    again = enroll(home, instant)
    assert again.code == 5 and "AUTHENTICATION_FAILED: The code is unknown or over" in again.err
    assert [c["name"] for c in connections(home)] == ["demo-bank", "demo-bank-2"]
    assert home.json("pending")["failures"] == []


def test_a_wrong_connect_query_is_refused(home, bank):
    wrong = link(bank, instant=True).rsplit("=", 1)[0] + "=nobody"
    refused = enroll(home, wrong)
    assert refused.code == 5 and refused.out == "", refused
    assert "error: the bank did not connect this computer" in refused.err
    assert "(the bank says: AUTHENTICATION_FAILED: The code is unknown or over)" in refused.err
    assert "hint: nothing was kept" in refused.err
    answer = enroll(home, wrong, "--json")
    assert answer.code == 5 and answer.json["error"]["kind"] == "refused"
    assert connections(home) == []


def test_an_empty_connect_query_is_none(home, bank):
    waiting = Waiting(home, "enroll", "-", link=link(bank) + "&connect_query=")
    assert sign_in(waiting.page)[0] == 200
    assert waiting.finish()[0] == 0


def test_cancelling_at_the_page(home, bank):
    waiting = Waiting(home, "enroll", "-", link=link(bank))
    code, text = sign_in(waiting.page, decision="cancel")
    assert code == 400 and "Not connected" in text
    waiting.read("AUTHENTICATION_FAILED: You cancelled the sign-in")
    waiting.read("Still waiting for the bank")
    waiting.process.send_signal(signal.SIGINT)
    assert waiting.finish()[0] == 2
    assert connections(home) == []


def test_what_does_not_prove_good_leaves_the_wait_standing(home, bank):
    """Pasted addresses: faulty ones are told and kept nowhere; the token is taken in any alphabet and wrapping."""
    waiting = Waiting(home, "enroll", "-", "--callback", "paste", link=link(bank))
    good = sign_in_only(waiting.page)
    start, value = good.split("access_token=")
    assert start == "authenticator://oauth/redirect?" and "%0A" in value, good
    token = "".join(urllib.parse.unquote(value).split())
    other = rsa.generate_private_key(65537, 2048).public_key()
    sealed = base64.b64encode(other.encrypt(b'{"access_token":"stolen"}', padding.PKCS1v15())).decode()
    foreign = urllib.parse.quote(sealed, safe="")
    unfit = "the connection could not be proved: "
    for faulty, told in [
        (f"access_token={token[:200]}", unfit + "the access token is not whole blocks"),
        (f"access_token={foreign}", unfit + "the access token is not encrypted for this key"),
        ("access_token=%21%21", unfit + "the access token is not Base64"),
        (f"access_token={value}&id=999999", "the redirect is for another connection"),
        ("error_class=X_Y&error_message=Not%20you+today", r"the bank says: X_Y: Not you today"),
    ]:
        waiting.type(start + faulty)
        waiting.read(told)
        waiting.read("Still waiting")
    waiting.type("authenticator://oauth/redirected?access_token=" + value)
    waiting.type(start + "access_token=" + token.replace("+", "-").replace("/", "_").rstrip("="))
    code, out, err = waiting.finish()
    assert (code, out) == (0, "Connected: demo-bank\n"), err
    assert [c["name"] for c in connections(home)] == ["demo-bank"]


def test_spaces_for_plus_signs(home, bank):
    waiting = Waiting(home, "enroll", "-", "--callback", "paste", link=link(bank))
    start, value = sign_in_only(waiting.page).split("access_token=")
    waiting.type(start + "access_token=" + value.replace("%2B", "%20"))
    code, out, err = waiting.finish()
    assert (code, out) == (0, "Connected: demo-bank\n"), err


def configuration(bank):
    with urllib.request.urlopen(bank.url + "/api/authenticator/v2/configurations/1", timeout=10) as answer:
        return json.loads(answer.read())["data"]


def pem(key, format=PublicFormat.SubjectPublicKeyInfo):
    return key.public_bytes(Encoding.PEM, format).decode()


def test_configurations_that_work(home, bank):
    """Ids and versions as number or text; the provider's key in each form of PEM that occurs."""
    known = configuration(bank)
    key = load_pem_public_key(known["provider_public_key"].encode())
    for number, change in enumerate([
        {"provider_id": "1", "api_version": 2, "provider_public_key": pem(key, PublicFormat.PKCS1)},
        {"provider_public_key": pem(key).replace("\n", "\\n"), "provider_support_email": None, "foreign": {"a": []}},
        {"provider_public_key": pem(key).replace("\n", "\r\n"), "geolocation_required": None, "provider_id": 1},
    ]):
        bank.fault("configuration", status=200, body=json.dumps({"data": {**known, **change}}))
        result = enroll(home, link(bank, instant=True), "--name", f"bank-{number}")
        assert result.code == 0, (change, result)
    assert {c["name"] for c in connections(home)} == {"bank-0", "bank-1", "bank-2"}


BAD_CONFIGURATIONS = [
    ({"api_version": "3"}, 5, "is of a version that this program does not speak"),
    ({"api_version": None}, 5, "lacks something that the protocol requires"),
    ({"provider_id": None}, 5, "lacks something"),
    ({"provider_name": ""}, 5, "lacks its name"),
    ({"provider_public_key": "weak"}, 5, "not an RSA key of 2048 bits or more"),
    ({"provider_public_key": "curve"}, 5, "not an RSA key of 2048 bits or more"),
    ({"sca_service_url": "http://sca.example"}, 6, "not https"),
]


def test_configurations_that_do_not(home, bank):
    weak, curve = rsa.generate_private_key(65537, 1024), ec.generate_private_key(ec.SECP256R1())
    keys = {"weak": pem(weak.public_key()), "curve": pem(curve.public_key())}
    for change, code, told in BAD_CONFIGURATIONS:
        if name := change.get("provider_public_key"):
            change = {"provider_public_key": keys[name]}
        bank.post("requests/clear")
        bank.fault("configuration", status=200, body=json.dumps({"data": {**configuration(bank), **change}}))
        result = enroll(home, link(bank, instant=True))
        assert result.code == code and told in result.err, result
        # No key was made for it, so nothing was uploaded.
        assert bank.get("requests?operation=connections.create") == []
    assert connections(home) == []


UPLOAD_ANSWERS = [
    ({"status": 400, "error_class": "InvalidPublicKey", "error_message": "no"}, 5, "(the bank says: InvalidPublicKey: no)"),
    ({"status": 404, "error_class": "ProviderNotFound"}, 5, "ProviderNotFound"),
    ({"status": 200, "body": '{"data":{"connection_id":7}}'}, 5, "lacks something"),
    ({"status": 200, "body": '{"data":{"connection_id":7,"authentication_url":"http://bank.example/a"}}'}, 5, "not a web address"),
    ({"status": 502, "body": "<html>", "content_type": "text/html"}, 5, "HTTP status 502"),
]


def test_refused_when_the_key_is_uploaded(home, bank):
    for fault, code, told in UPLOAD_ANSWERS:
        bank.fault("connections.create", **fault)
        result = enroll(home, link(bank, instant=True))
        assert result.code == code and told in result.err, result
    assert connections(home) == []


BAD_PROOFS = [
    ({"status": "authentication_pending"}, "this connection is not valid"),
    ({"public_key": None}, "another public key"),
    ({"id": 999999}, "answered for another connection"),
]


def test_a_token_is_proved_before_it_is_kept(home, bank):
    """The one call with the new token says that the connection is not ours, or not valid."""
    for answer, told in BAD_PROOFS:
        last = max([c["id"] for c in bank.get("connections")], default=0)
        body = {"id": last + 1, "status": "valid", "public_key": "-", **answer}
        bank.fault("connections.show", status=200, body=json.dumps({"data": body}))
        result = enroll(home, link(bank, instant=True))
        assert result.code == 5 and told in result.err and "nothing was kept" in result.err, result
    assert connections(home) == []
