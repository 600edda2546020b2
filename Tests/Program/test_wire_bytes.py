"""What leaves the program, byte for byte, as the bank received it: each signature is verified over exactly those bytes by
another implementation, with the public key that the bank holds (saltedge-v1 sections 6 and 11, saltedge-v2 sections 4 and 5).
"""

import base64
import json
import re
import time

import pytest
from conftest import Bank, Home
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import load_pem_public_key

POSITION = "48.137154,11.576124"
# Outside ASCII, quotes, slashes: in a code they go back to the bank.
CODE = 'c/"\\é€😀'
USER_AGENT = re.compile(r"Countersign/\d+\.\d+\.\d+; Linux; [ -~]{1,64}")


class Wire:
    """Every call that a bank received during one life of a connection, and the key it had."""

    def __init__(self, bank, home, version):
        bank.post("settings", processing_polls=1)
        self.start = time.time()
        home.enroll_by_program(bank, name="fern", protocol=version)
        [there] = bank.get("connections")
        self.key = load_pem_public_key(there["public_key"].encode())
        self.id = there["id"]
        ids = [bank.pay(f"Pay {n}", {"text": "x"} if version == "v2" else "x", code=CODE) for n in range(2)]
        consent = bank.post("consents", user="ada")["ids"][0] + (5000 if version == "v2" else 0)
        action = bank.post("actions", user="ada", protocol=version)
        items = {item["id"]: item for item in home.json("pending")["authorizations"]}
        home.ok(
            "approve", f"fern:{ids[0]}", "--fingerprint", items[ids[0]]["fingerprint"], "--geolocation", POSITION)
        home.ok("deny", f"fern:{ids[1]}")
        home.ok("consents")
        home.ok("consents", "revoke", f"fern:{consent}")
        home.ok("act", "-", "--yes", stdin=action["link"] + "\n")
        home.run("doctor")
        home.ok("revoke", "fern")
        self.end = time.time()
        self.ids, self.consent, self.action = ids, consent, action
        self.statuses = [bank.authorization(id)["status"] for id in ids]
        self.positions = [bank.authorization(id)["geolocation"] for id in ids]
        self.calls = [Call(entry) for entry in bank.get("requests")]

    def of(self, operation):
        return [call for call in self.calls if call.operation == operation]

    def verify(self, signature, message):
        self.key.verify(signature, message, padding.PKCS1v15(), SHA256())


class Call:
    def __init__(self, entry):
        self.operation, self.method, self.url = entry["operation"], entry["method"], entry["url"]
        self.headers, self.status = entry["headers"], entry["status"]
        self.body = base64.b64decode(entry["body_base64"])
        self.path = re.sub(r"^https?://[^/]+(/banks/\w+)?/api/authenticator/v\d", "", self.url)

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.method} {self.url} {self.headers} {self.body!r}"


def lived(tmp_path_factory, version):
    bank = Bank(tmp_path_factory.mktemp("bank"))
    try:
        return Wire(bank, Home(tmp_path_factory.mktemp("home")).set_pin(), version)
    finally:
        bank.stop()


@pytest.fixture(scope="module")
def v1(tmp_path_factory):
    return lived(tmp_path_factory, "v1")


@pytest.fixture(scope="module")
def v2(tmp_path_factory):
    return lived(tmp_path_factory, "v2")


@pytest.fixture
def wire(request):
    return request.getfixturevalue(request.param)


both = pytest.mark.parametrize("wire", ["v1", "v2"], indirect=True)


@both
def test_all_was_accepted(wire):
    assert wire.statuses == ["confirmed", "denied"] and wire.positions[0] == "GEO:48.137154;11.576124"
    assert {call.status for call in wire.calls} == {200}


@both
def test_headers_of_every_call(wire):
    for call in wire.calls:
        assert USER_AGENT.fullmatch(call.headers["user-agent"]), call
        assert call.headers["accept-language"] == "en" and call.headers["accept"] == "application/json", call
        assert call.headers["content-type"] == "application/json", call
        hasToken = call.operation not in ("configuration", "connections.create")
        assert ("access-token" in call.headers) == hasToken, call
        # Nothing that others could follow a person by.
        assert not {"cookie", "referer", "authorization", "from"} & set(call.headers), call


@both
def test_bodies_are_one_line_of_ascii(wire):
    bodies = [call for call in wire.calls if call.body]
    assert len(bodies) >= 3
    for call in bodies:
        assert all(0x20 <= byte < 0x7F for byte in call.body), call
        # Compact: written anew without spaces it is the same, but for another way to write the line feeds of a key.
        anew = json.dumps(call.json, separators=(",", ":")).replace("\\n", "\\u000a")
        assert anew.encode() == call.body, call
        assert call.headers["content-length"] == str(len(call.body)), call


def test_v1_signs_every_call_with_a_token(v1):
    signed = [call for call in v1.calls if "access-token" in call.headers]
    assert {(call.method, call.operation) for call in signed} == {
        ("GET", "authorizations.list"), ("GET", "authorizations.show"), ("PUT", "authorizations.decide"),
        ("GET", "consents.list"), ("DELETE", "consents.revoke"), ("PUT", "actions.claim"),
        ("DELETE", "connections.revoke")}
    for call in signed:
        expires = call.headers["expires-at"]
        assert v1.start + 299 <= int(expires) <= v1.end + 301, call
        signature = call.headers["signature"]
        message = f"{call.method.lower()}|{call.url}|{expires}|".encode() + call.body
        v1.verify(base64.b64decode(signature, validate=True), message)
        with pytest.raises(InvalidSignature):
            v1.verify(base64.b64decode(signature), message + b" ")
        assert "x-jws-signature" not in call.headers, call
    for call in v1.calls:
        if call not in signed:
            assert not {"signature", "expires-at"} & set(call.headers), call


def test_v1_bodies_and_headers_of_a_decision(v1):
    approved, denied = v1.of("authorizations.decide")
    assert approved.json == {"data": {"confirm": True, "authorization_code": CODE}}
    assert denied.json == {"data": {"confirm": False, "authorization_code": CODE}}
    assert [call.path for call in (approved, denied)] == [f"/authorizations/{id}" for id in v1.ids]
    assert approved.headers["geo-location"] == "GEO:48.137154;11.576124" and "geo-location" not in denied.headers
    [claim] = v1.of("actions.claim")
    assert claim.path == f"/actions/{v1.action['action_uuid']}"
    assert [call.path for call in v1.of("consents.revoke")] == [f"/consents/{v1.consent}"]
    for call in v1.calls:
        hasType = call.operation in ("authorizations.decide", "actions.claim")
        assert call.headers.get("authorization-type") == ("passcode" if hasType else None), call
        if not hasType and call.operation != "connections.create":
            assert call.body == b"", call


def test_v1_create(v1):
    [create] = v1.of("connections.create")
    data = create.json["data"]
    assert set(create.json) == {"data"}
    assert set(data) == {"public_key", "return_url", "platform", "push_token", "provider_code", "connect_query"}
    assert load_pem_public_key(data["public_key"].encode()).public_numbers() == v1.key.public_numbers()
    assert v1.key.key_size == 2048
    check_pem(data["public_key"])


def check_pem(pem):
    lines = pem.split("\n")
    assert (lines[0], lines[-2], lines[-1]) == ("-----BEGIN PUBLIC KEY-----", "-----END PUBLIC KEY-----", "")
    assert {len(line) for line in lines[1:-3]} == {64}


def decoded(text):
    """base64url, without padding."""
    assert re.fullmatch("[A-Za-z0-9_-]+", text)
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def test_v2_signs_each_call_that_changes_something(v2):
    signed = [call for call in v2.calls if "x-jws-signature" in call.headers]
    assert {(call.method, call.operation) for call in signed} == {
        ("PUT", "authorizations.decide"), ("PUT", "consents.revoke"), ("POST", "actions.claim"),
        ("PUT", "connections.revoke")}
    for call in signed:
        head, empty, signature = call.headers["x-jws-signature"].split(".")
        assert decoded(head) == b'{"alg":"RS256"}' and empty == ""
        payload = base64.urlsafe_b64encode(call.body).rstrip(b"=")
        v2.verify(decoded(signature), head.encode() + b"." + payload)
        with pytest.raises(InvalidSignature):
            v2.verify(decoded(signature), head.encode() + b"." + base64.urlsafe_b64encode(call.body + b"\n").rstrip(b"="))
        assert list(call.json) == ["data", "exp"] and isinstance(call.json["data"], dict), call
        assert type(call.json["exp"]) is int and v2.start + 299 <= call.json["exp"] <= v2.end + 301, call


def test_v2_unsigned_calls(v2):
    unsigned = [call for call in v2.calls if "x-jws-signature" not in call.headers]
    assert {(call.method, call.operation) for call in unsigned} == {
        ("GET", "configuration"), ("POST", "connections.create"), ("GET", "connections.show"),
        ("GET", "authorizations.list"), ("GET", "authorizations.show"), ("GET", "consents.list")}
    for call in unsigned:
        if call.method == "GET":
            assert call.body == b"", call
    for call in v2.calls:
        assert not {"signature", "expires-at", "geo-location", "authorization-type"} & set(call.headers), call


def test_v2_bodies(v2):
    approved, denied = v2.of("authorizations.decide")
    assert [call.path for call in (approved, denied)] == [
        f"/authorizations/{v2.ids[0]}/confirm", f"/authorizations/{v2.ids[1]}/deny"]
    for call in (approved, denied):
        bundle = call.json["data"]
        assert list(bundle) == ["key", "iv", "data"]
        # For the provider's key: 2048 bits, one block each; nothing in clear.
        assert [len(base64.b64decode(bundle[name], validate=True)) for name in ("key", "iv")] == [256, 256]
        assert len(base64.b64decode(bundle["data"], validate=True)) % 16 == 0
    # The same answer twice would not be sealed alike.
    assert approved.json["data"]["key"] != denied.json["data"]["key"]
    [claim] = v2.of("actions.claim")
    assert claim.path == "/authorizations"
    assert claim.json["data"] == {
        "provider_id": "1", "connection_id": str(v2.id), "action_id": str(v2.action["action_id"])}
    [revoke] = v2.of("connections.revoke")
    assert revoke.path == f"/connections/{v2.id}/revoke" and revoke.json["data"] == {}
    assert revoke.body.startswith(b'{"data":{},"exp":')
    [consent] = v2.of("consents.revoke")
    assert consent.path == f"/consents/{v2.consent}/revoke" and consent.json["data"] == {}


def test_v2_create(v2):
    [create] = v2.of("connections.create")
    data = create.json["data"]
    assert set(create.json) == {"data"}
    # Neither a push token nor a key in clear.
    assert set(data) == {"provider_id", "return_url", "platform", "connect_query", "enc_rsa_public_key"}
    assert data["provider_id"] == "1" and data["platform"] == "android"
    assert list(data["enc_rsa_public_key"]) == ["key", "iv", "data"]
    assert v2.key.key_size == 2048 and b"BEGIN" not in create.body
