"""The rest of v2: consents, instant actions, a connection's end and its return, doctor, and each error class of the
protocol as a person reads it.
"""

import json
import urllib.parse

import pytest
from conftest import Bank, Home
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from v2 import Waiting, connection, seal, sign_in


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    bank = Bank(tmp_path_factory.mktemp("bank"))
    bank.post("settings", processing_polls=0)
    yield bank
    bank.stop()


@pytest.fixture(scope="module")
def home(tmp_path_factory, bank):
    return Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank, protocol="v2", name="fern")


@pytest.fixture(autouse=True)
def settled(home, bank):
    """Each test leaves one connection and nothing that waits."""
    yield
    bank.post("faults/clear")
    for name in home.ok("connections", "--quiet").out.split():
        if name != "fern":
            home.ok("revoke", name, "--local-only")
    for item in bank.get("authorizations?status=pending"):
        bank.post(f"authorizations/{item['id']}/close")


# The bank's first connection is the home's own.
FERN = 1


def ask(bank, owner=FERN, **options):
    [id] = bank.post("authorizations", title="Pay", description={"text": "x"}, connection=owner, **options)["ids"]
    return str(id)


def connections(home):
    return {c["name"]: c for c in home.json("connections")["connections"]}


# Consents


def test_consents(home, bank):
    [inner] = bank.post(
        "consents", connection=FERN, tpp_name="Fern Budget", consent_type="aisp",
        accounts=[{"name": "Giro", "iban": "AT00 1234", "account_number": "1", "sort_code": "2"}, {"name": "Savings"}],
        shared_data={"balance": True, "transactions": False})["ids"]
    [plain] = bank.post("consents", connection=FERN, shared_data=None, accounts=[])["ids"]
    first, second = sorted(home.json("consents")["consents"], key=lambda c: int(c["id"]))
    # The service's id is outside, the provider's inside: the outer one counts.
    outer = str(inner + 5000)
    assert (first["id"], first["ref"], first["connection"]) == (outer, f"fern:{outer}", "fern")
    assert (first["type"], first["third_party"]) == ("aisp", "Fern Budget")
    assert first["accounts"] == [
        {"name": "Giro", "iban": "AT00 1234", "account_number": "1", "sort_code": "2"},
        {"name": "Savings", "iban": None, "account_number": None, "sort_code": None}]
    assert first["shared"] == {"balance": True, "transactions": False}
    assert second["shared"] == {"balance": None, "transactions": None} and second["accounts"] == []
    listed = home.ok("consents").out.splitlines()
    assert len(listed) == 3 and f"fern:{outer}" in listed[1] and "Fern Budget" in listed[1]

    wrong = home.run("consents", "revoke", f"fern:{inner}")
    assert wrong.code == 4 and f'no consent is called "fern:{inner}"' in wrong.err, wrong
    assert home.json("consents", "revoke", f"fern:{outer}") == {"revoked": {"ref": f"fern:{outer}"}}
    there = {c["id"]: c for c in bank.get("consents")}
    assert (there[inner]["status"], there[inner]["revoked_by"]) == ("revoked", "authenticator")
    assert there[plain]["status"] == "active"
    assert home.run("consents", "revoke", f"fern:{outer}").code == 4
    assert home.ok("consents", "--quiet").out == f"fern:{plain + 5000}\n"


def test_consents_with_numbers_for_ids(home, bank):
    mine = connections(home)["fern"]
    sealed = seal(connection(bank, mine["id"])["public_key"], json.dumps({
        "id": "inner", "user_id": "9", "consent_type": "pisp_future", "tpp_name": "Moss", "accounts": [],
        "created_at": "2026-01-01T00:00:00+02:00", "expires_at": "2099-01-01T00:00:00.000Z"}))
    item = {"id": 31, "connection_id": int(mine["id"]), **sealed}
    foreign = {**item, "id": 32, "connection_id": 999}
    bank.fault("consents.list", status=200, body=json.dumps({"data": [item, foreign, {"id": 33}, 7]}))
    answer = home.json("consents")
    assert [(c["ref"], c["third_party"], c["expires_at"]) for c in answer["consents"]] == [
        ("fern:31", "Moss", "2099-01-01T00:00:00Z")]
    assert len(answer["failures"]) == 3
    bank.fault("consents.revoke", status=200, body='{"data":{"id":"31"}}')
    home.ok("consents", "revoke", "fern:31")


# Instant actions


def act(home, link, *args):
    return home.run("act", "-", "--yes", *args, stdin=link + "\n")


def action(bank, **options):
    return bank.post("actions", **{"user": "ada", "protocol": "v2", **options})


def test_an_action_that_asks(home, bank):
    made = action(bank, title="Sign in at the shop", return_to="https://shop.example/done?a=1&b=2")
    link = urllib.parse.urlsplit(made["link"])
    assert urllib.parse.parse_qs(link.query)["api_version"] == ["2"] and link.path == "/action"
    claimed = home.json("act", "-", "--yes", stdin=made["link"] + "\n")["action"]
    assert (claimed["connection"], claimed["success"]) == ("fern", True)
    assert claimed["return_to"] == "https://shop.example/done?a=1&b=2"
    [item] = home.json("pending")["authorizations"]
    assert (item["ref"], item["title"]) == (claimed["authorization"], "Sign in at the shop")
    home.ok("approve", item["ref"], "--fingerprint", item["fingerprint"])
    assert bank.authorization(item["id"])["status"] == "confirmed"
    again = act(home, made["link"])
    assert again.code == 5 and "(the bank says: ActionClosed: Action is closed)" in again.err, again


def test_an_action_that_is_settled_at_once(home, bank):
    made = action(bank, kind="plain")
    assert home.json("act", "-", "--yes", stdin=made["link"] + "\n")["action"] == {
        "connection": "fern", "success": True, "authorization": None, "return_to": None}
    assert home.json("pending")["authorizations"] == []


def test_actions_that_are_refused(home, bank):
    bank.user("eve")
    for options, told in [
        ({"kind": "refused"}, "ActionClosed"), ({"expires_in": 0}, "ActionExpired"), ({"user": "eve"}, "ActionNotFound")]:
        result = act(home, action(bank, **options)["link"])
        assert result.code == 5 and f"(the bank says: {told}: " in result.err, result
    link = action(bank)["link"]
    other = act(home, link.replace("provider_id=1", "provider_id=77"))
    assert other.code == 4 and "no active connection is with the bank of this action" in other.err, other
    for broken in [link.replace("action_id=", "id="), link.replace("provider_id=", "id="), link.replace("version=2", "version=9")]:
        assert act(home, broken).code == 64, broken
    assert home.json("pending")["authorizations"] == []


def test_an_action_that_several_connections_can_claim(home, bank):
    home.enroll(bank, protocol="v2", name="moss")
    made = action(bank)
    unclear = act(home, made["link"])
    assert unclear.code == 4 and "--connection with one of: fern, moss" in unclear.err, unclear
    claimed = act(home, made["link"], "--connection", "moss", "--json").json["action"]
    assert claimed["connection"] == "moss" and claimed["authorization"].startswith("moss:")
    assert act(home, action(bank)["link"], "--connection", "nobody").code == 4


def test_an_answer_for_another_connection(home, bank):
    bank.fault("actions.claim", status=200, body='{"data":{"connection_id":999,"authorization_id":1}}')
    result = act(home, action(bank)["link"])
    assert result.code == 5 and "answered for another connection" in result.err, result


# The end of a connection, and its return


def test_revoke_tells_the_bank(home, bank):
    home.enroll(bank, protocol="v2", name="moss")
    id = connections(home)["moss"]["id"]
    assert home.json("revoke", "moss")["revoked"] == {"name": "moss", "id": id, "bank_told": True}
    assert connection(bank, id)["status"] == "revoked"
    assert set(connections(home)) == {"fern"}


def test_trouble_while_revoking_keeps_everything(home, bank):
    home.enroll(bank, protocol="v2", name="moss")
    before = connections(home)["moss"]
    for fault, code, told in [
        ({"drop": True}, 9, "no whole answer came"), ({"status": 503, "body": "<html>"}, 5, "HTTP status 503"),
        ({"status": 400, "error_class": "InvalidSignature"}, 5, "InvalidSignature")]:
        bank.fault("connections.revoke", **fault)
        result = home.run("revoke", "moss")
        assert result.code == code and told in result.err and "; everything was kept" in result.err, result
        assert "destroy it on this computer alone: countersign revoke moss --local-only" in result.err
        assert ("ask again whether it is done: countersign revoke moss" in result.err) == (code == 9)
        assert connections(home)["moss"] == before
    assert connection(bank, before["id"])["status"] == "active"
    home.ok("pending", "--strict")
    # Done there although its answer is lost: then the bank no longer knows it, which is what was wanted.
    bank.fault("connections.revoke", drop=True, after=True)
    assert home.run("revoke", "moss").code == 9
    assert home.ok("revoke", "moss").out == "Revoked: moss (already revoked at the bank)\n"
    assert set(connections(home)) == {"fern"}


def test_a_bank_that_cannot_be_reached_while_revoking(home, tmp_path):
    gone = Bank(tmp_path)
    home.enroll(gone, protocol="v2", name="moss")
    gone.stop()
    result = home.run("revoke", "moss", "--json")
    assert result.code == 6 and result.json["error"]["kind"] == "unreachable", result
    assert connections(home)["moss"]["status"] == "active"
    assert home.json("revoke", "moss", "--local-only")["revoked"]["bank_told"] is False


@pytest.mark.parametrize("error", ["ConnectionRevoked", "ConnectionNotFound"])
def test_a_connection_that_the_bank_ended_comes_back(home, bank, error):
    home.enroll(bank, protocol="v2", name="moss")
    old = connections(home)["moss"]
    key = connection(bank, old["id"])["public_key"]
    decided = ask(bank, int(old["id"]))
    home.ok("deny", f"moss:{decided}")
    if error == "ConnectionRevoked":
        bank.post(f"connections/{old['id']}/revoke")
    else:
        bank.fault("authorizations.list", status=401, error_class=error)
    answer = home.run("pending", "--connection", "moss", "--json")
    assert answer.code == 5, answer
    [failure] = answer.json["failures"]
    assert f"the bank no longer knows this connection (the bank says: {error}: " in failure["message"]
    assert failure["hint"] == "countersign reconnect moss, or countersign revoke moss"
    assert connections(home)["moss"]["status"] == "inactive"

    # It is no longer asked.
    bank.post("requests/clear")
    [told] = home.json("pending")["failures"]
    assert told["connection"] == "moss" and "countersign reconnect moss" in told["hint"]
    assert len(bank.get("requests")) == 1
    for command in [("pending", "--connection", "moss"), ("show", "moss:1"), ("deny", "moss:1")]:
        result = home.run(*command)
        assert result.code == 5 and "reconnect moss" in result.err, result
    assert len(bank.get("requests")) == 1

    waiting = Waiting(home, "reconnect", "moss")
    assert sign_in(waiting.page)[0] == 200
    code, out, err = waiting.finish()
    assert (code, out) == (0, "Connected again: moss\n"), err
    new = connections(home)["moss"]
    assert new["status"] == "active" and new["id"] != old["id"] and new["created_at"] == old["created_at"]
    assert connection(bank, new["id"])["public_key"] != key
    [request] = bank.get("requests?operation=connections.create")
    assert "connect_query" not in json.loads(request["body"])["data"]
    again = ask(bank, int(new["id"]))
    home.ok("deny", f"moss:{again}")
    decisions = home.json("history", "--connection", "moss", "--verify")
    assert [d["ref"] for d in decisions["decisions"]][-2:] == [f"moss:{decided}", f"moss:{again}"]
    assert decisions["log"] == "intact"


def test_a_failed_reconnect_changes_nothing(home, bank):
    before = connections(home)["fern"]
    bank.fault("connections.create", status=500)
    assert home.run("reconnect", "fern", "--yes", "--no-browser").code == 5
    assert connections(home)["fern"] == before
    home.ok("pending", "--strict")


# Doctor


def doctor(home, name):
    result = home.run("doctor", "--json")
    checks = {check["name"]: check for check in result.json["checks"]}
    assert result.code == (0 if all(check["ok"] for check in checks.values()) else 1)
    return checks[f"connection {name}"]


def shown(bank, own, **changes):
    key = connection(bank, own)["public_key"]
    return json.dumps({"data": {
        "id": int(own), "status": "valid", "public_key": key, "push_token": None, "created_at": "2026-01-01T00:00:00Z",
        **changes}})


def test_doctor_compares_the_key(home, bank):
    id = connections(home)["fern"]["id"]
    bank.post("requests/clear")
    assert doctor(home, "fern")["ok"] is True
    assert [r["operation"] for r in bank.get("requests")] == ["connections.show"]
    key = rsa.generate_private_key(65537, 2048).public_key()
    other = key.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo).decode()
    for faulty, told in [({"public_key": other}, "the bank has another public key"), ({"id": 999}, "another connection")]:
        bank.fault("connections.show", status=200, body=shown(bank, id, **faulty))
        check = doctor(home, "fern")
        assert check["ok"] is False and told in check["message"], check
    assert connections(home)["fern"]["status"] == "active"
    # The same key in other words, and the id as text.
    mine = connection(bank, id)["public_key"]
    bank.fault("connections.show", status=200, body=shown(bank, id, id=id, public_key=mine.replace("\n", "\r\n")))
    assert doctor(home, "fern")["ok"] is True


@pytest.mark.parametrize("status", ["authentication_pending", "authentication_fail", "revoked", "Valid"])
def test_a_status_other_than_valid_makes_a_connection_inactive(home, bank, status):
    home.enroll(bank, protocol="v2", name="moss")
    id = connections(home)["moss"]["id"]
    # fern is asked first, and is well.
    bank.fault("connections.show", status=200, body=shown(bank, connections(home)["fern"]["id"]))
    bank.fault("connections.show", status=200, body=shown(bank, id, status=status))
    check = doctor(home, "moss")
    assert check["ok"] is False and "this connection is not valid" in check["message"]
    assert check["hint"] == "countersign reconnect moss, or countersign revoke moss"
    found = connections(home)
    assert (found["fern"]["status"], found["moss"]["status"]) == ("active", "inactive")


# Errors (saltedge-v2 section 10)


SIGNATURE = "the bank did not accept our signature"
OVER = "this action is over"
CLASSES = {
    "AuthorizationNotFound": "the bank no longer lists this authorization",
    "ActionNotFound": "the bank has no such action", "ActionClosed": OVER, "ActionExpired": OVER,
    "ConsentNotFound": "the bank does not list this consent", "UserNotFound": "the bank refused",
    "WrongRequestFormat": "the bank refused", "SignatureMissing": "the bank refused", "InvalidSignature": SIGNATURE,
    "JWTClaimMissing": "the bank refused", "JWTVerificationError": SIGNATURE, "JWTIncorrectAlgorithm": SIGNATURE,
    "JWTDecodeError": SIGNATURE, "InvalidPublicKey": SIGNATURE, "SomethingNew": "the bank refused",
}


def test_each_error_class_in_answer_to_a_decision(home, bank):
    ids = [ask(bank) for _ in CLASSES]
    for error in CLASSES:
        bank.fault("authorizations.decide", status=418, error_class=error, error_message="Words\x1b[31m")
    result = home.run("deny", *[f"fern:{id}" for id in ids], "--json")
    assert result.code == 5
    again = []
    for id, decision, (error, words) in zip(ids, result.json["decisions"], CLASSES.items(), strict=True):
        # An action that is over takes no decision any more; whatever else is refused can be decided anew.
        outcome = "expired" if words == OVER or error == "ActionNotFound" else "refused"
        again += [f"fern:{id}"] if outcome == "refused" else []
        assert (decision["outcome"], decision["basis"]) == (outcome, "answered"), error
        assert decision["error"]["kind"] == outcome, error
        assert decision["error"]["message"] == f"{words} (the bank says: {error}: Words⟨U+001B⟩[31m)", error
    assert connections(home)["fern"]["status"] == "active"
    assert home.run("deny", *[f"fern:{id}" for id in ids], "--quiet").out.split() == again


@pytest.mark.parametrize("error", ["SignatureExpired", "JWTExpiredSignature"])
def test_an_expired_signature_is_sent_once_more_by_the_banks_clock(home, bank, error):
    id = ask(bank)
    bank.post("requests/clear")
    bank.fault("authorizations.decide", status=400, error_class=error)
    assert home.json("deny", f"fern:{id}")["decisions"][0]["outcome"] == "denied"
    assert [r["status"] for r in bank.get("requests?operation=authorizations.decide")] == [400, 200]
    id = ask(bank)
    bank.post("requests/clear")
    bank.fault("authorizations.decide", status=400, error_class=error, times=2)
    result = home.run("deny", f"fern:{id}")
    assert result.code == 5 and f"the bank finds the signature expired (the bank says: {error}" in result.err, result
    assert "hint: set this computer's clock" in result.err
    assert len(bank.get("requests?operation=authorizations.decide")) == 2


def test_a_clock_that_is_minutes_off(home, bank):
    """The bank's time comes from its answer, so the person's clock need not be quite right."""
    [inner] = bank.post("consents", connection=FERN, expires_in=999999)["ids"]
    for offset in [500, -500]:
        bank.post("clock", offset_seconds=offset)
        id = ask(bank, expires_in=9000)
        result = home.run("deny", f"fern:{id}", "--json")
        bank.post("clock", offset_seconds=0)
        assert result.code == 0 and result.json["decisions"][0]["outcome"] == "denied", result
    bank.post("clock", offset_seconds=500)
    result = home.run("consents", "revoke", f"fern:{inner + 5000}")
    bank.post("clock", offset_seconds=0)
    assert result.code == 0, result


TROUBLES = [
    (("pending",), "authorizations.list", {"status": 401, "body": ""}, 5, "HTTP status 401 and did not say why"),
    (("pending",), "authorizations.list", {"status": 404, "error_class": "UserNotFound"}, 5, "UserNotFound"),
    (("pending",), "authorizations.list", {"status": 200, "error_class": "WrongRequestFormat"}, 5, "WrongRequestFormat"),
    (("pending",), "authorizations.list", {"status": 200, "body": '{"data":{}}'}, 5, "lacks something"),
    (("pending",), "authorizations.list", {"status": 200, "body": "<html>"}, 5, "not what the protocol says"),
    (("pending",), "authorizations.list", {"status": 302, "body": "", "headers": {"Location": "/"}}, 5, "redirect"),
    (("pending",), "authorizations.list", {"drop": True}, 6, "the connection was cut"),
    (("show", "fern:1"), "authorizations.show", {"status": 404, "error_class": "AuthorizationNotFound"}, 4, "no longer lists"),
    (("consents",), "consents.list", {"status": 400, "error_class": "InvalidSignature"}, 5, "InvalidSignature"),
    (("consents", "revoke", "fern:5001"), "consents.revoke", {"status": 404, "error_class": "ConsentNotFound"}, 4, "no consent"),
    (("consents", "revoke", "fern:5001"), "consents.revoke", {"drop": True}, 9, "no whole answer came"),
]


def test_trouble_as_it_is_told(home, bank):
    for command, operation, fault, code, told in TROUBLES:
        bank.fault(operation, **fault)
        result = home.run(*command)
        assert result.code == code and told in result.err, result
        assert result.err.startswith("error: ") and result.out == ""
    # None of this says that the connection is over.
    assert connections(home)["fern"]["status"] == "active"


@pytest.mark.parametrize("fault", [{"status": 500, "body": "<html>"}, {"status": 200, "body": "{}"}, {"delay_ms": 0, "drop": True}])
def test_an_answer_to_a_decision_that_says_nothing(home, bank, fault):
    """A broken server may have acted before it broke: the outcome is unknown until the next poll."""
    id = ask(bank)
    bank.fault("authorizations.decide", after=True, **fault)
    result = home.run("deny", f"fern:{id}", "--json")
    assert result.code == 9 and result.json["decisions"][0]["outcome"] == "unknown", result
    home.ok("pending")
    [known] = [d for d in home.json("history")["decisions"] if d["ref"] == f"fern:{id}"]
    assert (known["outcome"], known["basis"]) == ("denied", "answered")


def test_a_bare_401_for_a_decision(home, bank):
    id = ask(bank)
    bank.fault("authorizations.decide", status=401, body="")
    result = home.run("deny", f"fern:{id}")
    assert result.code == 5 and "HTTP status 401 and did not say why" in result.err, result
    assert connections(home)["fern"]["status"] == "active"


def test_ids_as_text_in_answers(home, bank):
    id = ask(bank)
    bank.fault("authorizations.decide", after=True, status=200, body=json.dumps({"data": {"id": id, "status": "denied"}}))
    assert home.json("deny", f"fern:{id}")["decisions"][0]["outcome"] == "denied"
    id = ask(bank)
    bank.fault("authorizations.decide", after=True, status=200, body='{"data":{"id":999,"status":"denied"}}')
    result = home.run("deny", f"fern:{id}")
    assert result.code == 9 and "answered for another item" in result.err, result


def test_a_bank_without_the_user(home, bank):
    """In v2 `UserNotFound` does not end a connection."""
    user = bank.user("gone")["id"]
    home.enroll(bank, user="gone", protocol="v2", name="moss")
    bank.post(f"users/{user}/delete")
    result = home.run("pending", "--connection", "moss")
    assert result.code == 5 and "UserNotFound" in result.err, result
    assert connections(home)["moss"]["status"] == "active"
