"""Share/Schemas/agent-openapi.json describes the agent's API: is it OpenAPI, and does the real agent answer as it says?"""

import json
import re
import runpy
import urllib.parse

import jsonschema
import pytest
from agents import YES, Agent, FakePinentry, typed
from conftest import PIN, ROOT, Bank, Home
from innards import until
from v2 import sign_in_only

FILE = json.loads((ROOT / "Share/Schemas/agent-openapi.json").read_text())
METHODS = ("get", "post", "patch", "delete")
OPERATIONS = [
    (method, path, item[method]) for path, item in FILE["paths"].items() for method in METHODS if method in item]


def parts(value, place="#"):
    """Every object in it, with its place."""
    if isinstance(value, dict):
        yield place, value
        for name, part in value.items():
            yield from parts(part, f"{place}/{name}")
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from parts(part, f"{place}/{number}")


def resolve(value):
    """What a reference leads to."""
    if "$ref" not in value:
        return value
    found = FILE
    for step in value["$ref"].removeprefix("#/").split("/"):
        found = found[step]
    return found


def check(value, schema):
    # The references in it lead into the file.
    jsonschema.Draft202012Validator({**FILE, **schema}).validate(value)


# The file


def test_it_is_openapi():
    """By the OpenAPI Initiative's own schema for 3.1 (https://spec.openapis.org/oas/3.1/schema/2022-10-07, Apache 2.0)."""
    schema = json.loads((ROOT / "Fixtures/openapi/3.1.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(FILE)
    broken = json.loads(json.dumps(FILE))
    del broken["paths"]["/agent"]["get"]["responses"]["200"]["description"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(schema).validate(broken)


def test_it_is_whole():
    """What that schema does not see."""
    assert FILE["openapi"].startswith("3.1.") and {"title", "version"} <= set(FILE["info"])
    used = {value["$ref"] for _, value in parts(FILE) if "$ref" in value}
    for reference in used:
        assert resolve({"$ref": reference})
    kept = {f"#/components/{kind}/{name}" for kind, named in FILE["components"].items() for name in named}
    assert kept - used == {"#/components/responses/Failure405"}, "something in components is not used"
    for schema in FILE["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(schema)
    for place, value in parts(FILE):
        if value.get("type") == "object" and "properties" in value:
            assert set(value.get("required", [])) <= set(value["properties"]), place
            assert value["additionalProperties"] is False, place
    identifiers = [operation["operationId"] for _, _, operation in OPERATIONS]
    assert len(set(identifiers)) == len(identifiers)


def test_schemas_of_commands_are_made_from_it():
    """Every payload that a command and the agent share stands in the file alone."""
    folder = ROOT / "Share/Schemas"
    made = dict(runpy.run_path(str(ROOT / "Tests/Support/cut-schemas"))["made"]())
    stale = [name for name, text in made.items() if (folder / name).read_text() != text]
    assert stale == [], "make schemas"
    # The payloads that the agent does not know.
    assert {path.name for path in folder.glob("*.json")} - set(made) == {"agent-openapi.json", "doctor.json", "open.json"}


@pytest.mark.parametrize("method, path, operation", OPERATIONS, ids=[o["operationId"] for *_, o in OPERATIONS])
def test_an_operation_is_whole(method, path, operation):
    assert set(FILE["paths"][path]) <= {"parameters", *METHODS}
    parameters = [resolve(p) for p in FILE["paths"][path].get("parameters", []) + operation.get("parameters", [])]
    assert all({"name", "in", "schema"} <= set(p) for p in parameters)
    assert len({(p["in"], p["name"].lower()) for p in parameters}) == len(parameters)
    in_path = [p for p in parameters if p["in"] == "path"]
    assert sorted(p["name"] for p in in_path) == sorted(re.findall(r"{(\w+)}", path))
    assert all(p["required"] is True for p in in_path)
    assert {"400", "403", "423", "500"} < set(operation["responses"])
    for status, answer in operation["responses"].items():
        answer = resolve(answer)
        assert answer["description"] and re.fullmatch("[245][0-9][0-9]", status)
        assert ("content" in answer) == (status != "204")
        for form in answer.get("content", {}).values():
            jsonschema.Draft202012Validator.check_schema(form["schema"])


# The agent


class Front:
    """A front end that holds every answer against the file."""

    # What changes something without the PIN takes a yes.
    CHANGES = ("rename", "revoke", "claim", "revokeConsent", "accept")

    def __init__(self, agent, pinentry):
        self.agent, self.pinentry = agent, pinentry
        self.used = set()

    def ask(self, method, path, query=None, body=None, status=200, **names):
        """Asks for one operation; the answer, as JSON where it has some, and as it is described."""
        operation = FILE["paths"][path][method]
        self.used.add(operation["operationId"])
        if operation["operationId"] in self.CHANGES:
            self.pinentry.answers(YES)
        place = path.format(**{name: urllib.parse.quote(value, safe=":") for name, value in names.items()})
        if query:
            place += "?" + urllib.parse.urlencode(query)
        if body is not None:
            check(body, operation["requestBody"]["content"]["application/json"]["schema"])
            body = json.dumps(body)
        answer = self.agent.request(method.upper(), place, body=body, headers={"Countersign-Display": "%3A7"})
        assert answer.status == status, (method, place, answer)
        content = resolve(operation["responses"][str(status)]).get("content")
        if content is None:
            assert answer.body == b""
            return None
        assert answer.headers["Content-Type"] == "application/json"
        check(answer.json, content["application/json"]["schema"])
        return answer.json

    def event(self, events, wanted):
        """The next event of this kind; those before it are held against the file as well."""
        [operation] = [operation for _, _, operation in OPERATIONS if operation["operationId"] == "events"]
        self.used.add("events")
        while True:
            event = events.next() if wanted != "heard" else events.heard.get(timeout=60)
            check(event, operation["responses"]["200"]["content"]["text/event-stream"]["schema"])
            if event["event"] == wanted:
                return event


@pytest.fixture
def bank(tmp_path):
    bank = Bank(tmp_path)
    bank.post("settings", processing_polls=0)
    yield bank
    bank.stop()


def test_the_agent_answers_as_it_is_described(tmp_path, bank):
    home = Home(tmp_path).set_pin()
    pinentry = FakePinentry(tmp_path)
    agent = Agent(home, pinentry=pinentry)
    try:
        front = Front(agent, pinentry)
        tour(front, home, bank, pinentry)
        assert front.used == {operation["operationId"] for _, _, operation in OPERATIONS}
    finally:
        code = agent.stop()
    assert code == 0 and "error" not in agent.said


def tour(front, home, bank, pinentry):
    """Asks for everything once, and for much that fails."""
    ask = front.ask
    assert ask("get", "/agent")["state"] == "shut"
    ask("get", "/connections", status=423)
    pinentry.answers(typed(PIN))
    assert ask("post", "/unlock")["locked"] is False
    events = front.agent.events()
    enroll(ask, bank)
    [connection] = ask("get", "/connections")["connections"]
    name = connection["name"]
    ask("post", "/connections/{name}/prove", name=name, status=204)
    ask("post", "/connections/{name}/prove", name="nobody", status=404)
    name = ask("patch", "/connections/{name}", name=name, body={"name": "fern-2"})["connection"]["name"]
    decide(front, bank, events, pinentry, name)
    actions(ask, bank, name)
    assert ask("get", "/status")["keys_in_memory"] is True
    ask("post", "/use", status=204)
    sessions(ask)
    bank.fault("connections.revoke", times=1, status=503)
    ask("delete", "/connections/{name}", name=name, status=409)
    assert ask("delete", "/connections/{name}", name=name)["revoked"]["bank_told"] is True
    assert len(ask("get", "/history", query={"verify": "true", "limit": "5"})["decisions"]) == 2
    assert ask("post", "/lock")["locked"] is True
    front.event(events, "locked")
    assert front.event(events, "heard")["banks"] == [], "nobody was connected at the beginning"
    while not (known := front.event(events, "heard")["banks"]) or known[0]["heard_at"] is None:
        pass
    ask("get", "/history", status=423)


def sessions(ask):
    """Nobody is signed in, and what is the person's own is done for our own command alone."""
    ask("post", "/tokens", body={"target": "fern", "min_ttl": 5}, status=423)
    ask("post", "/headers", body={"url": "https://fern.example/x", "challenge": ["Bearer"]}, status=423)
    ask("delete", "/grants/own", status=204)
    assert ask("get", "/sessions") == {"sessions": []} and ask("get", "/grants") == {"grants": []}
    for method, path, operation in OPERATIONS:
        if operation.get("description", "").startswith("For countersign alone."):
            ask(method, path, status=403, id="none", name="none")


def enroll(ask, bank):
    opened = ask("post", "/enrollments", body={"link": bank.link(), "name": "fern"})
    ask("delete", "/enrollments/{id}", id=opened["id"], status=204)
    ask("post", "/enrollments/{id}/accept", id=opened["id"], body={"return_url": "http://127.0.0.1:1/x"}, status=409)
    opened = ask("post", "/enrollments", body={"link": bank.link()})
    back = "http://127.0.0.1:1/back"
    page = ask("post", "/enrollments/{id}/accept", id=opened["id"], body={"return_url": back})["page"]
    forged = ask("post", "/enrollments/{id}/redirects", id=opened["id"], body={"address": back + "?id=1&access_token=x"})
    assert forged["connection"] is None and forged["error"] is not None
    proved = ask("post", "/enrollments/{id}/redirects", id=opened["id"], body={"address": sign_in_only(page)})
    assert proved["connection"] is not None and proved["error"] is None
    ask("post", "/enrollments", body={"link": "authenticator://nonsense"}, status=400)


def decide(front, bank, events, pinentry, name):
    ask = front.ask
    first, second = bank.pay("Pay 1.00 EUR"), bank.pay("Pay 2.00 EUR")
    waiting = ask("get", "/authorizations", query={"connection": name})["authorizations"]
    assert [item["id"] for item in waiting] == [first, second]
    assert front.event(events, "added")["authorization"]["ref"] == waiting[0]["ref"]
    one, other = (ask("get", "/authorizations/{ref}", ref=item["ref"]) for item in waiting)
    claim = {"fingerprint": one["fingerprint"], "waits": "true"}
    ask("delete", "/authorizations/{ref}/wait", ref=one["ref"], status=404)
    pinentry.answers("OK\n", typed(PIN))
    approved = ask("post", "/authorizations/{ref}/approve", ref=one["ref"], query=claim)
    assert (approved["decision"], approved["outcome"], approved["error"]) == ("approve", "confirmed", None)
    front.event(events, "decided")
    ask("post", "/authorizations/{ref}/deny", ref=other["ref"], query=claim, status=412)
    denied = ask(
        "post", "/authorizations/{ref}/deny", ref=other["ref"], query={"fingerprint": other["fingerprint"]})
    assert denied["outcome"] == "denied"
    ask("get", "/authorizations/{ref}", ref=other["ref"], status=404)
    until(lambda: not front.ask("get", "/authorizations")["authorizations"], 30)


def actions(ask, bank, name):
    link = bank.post("actions", user="ada", return_to="https://fern.example/b")["link"]
    assert len(ask("post", "/actions/candidates", body={"link": link})["connections"]) == 1
    claimed = ask("post", "/actions", body={"link": link, "connection": name})["action"]
    assert claimed["success"] is True
    bank.post(
        "consents", user="ada", tpp_name="Budget App", consent_type="aisp",
        accounts=[{"name": "Checking", "account_number": "1234", "sort_code": None, "iban": None}],
        shared_data={"balance": True, "transactions": False})
    [consent] = ask("get", "/consents", query={"connection": name})["consents"]
    ask("delete", "/consents/{ref}", ref=consent["ref"])
    ask("delete", "/consents/{ref}", ref=consent["ref"], status=404)
