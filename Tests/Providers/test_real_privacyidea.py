"""Push tokens against a real privacyIDEA server, as PyPI has it, on this computer: what only its own code can show.

Run by `make test-providers`, which installs the server. Faults are told by the server of Tests/Program/push.py; what this file uses
of Tests/Program is described there.
"""

import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Program"))

from agents import agents  # noqa: E402, F401
from conftest import ROOT, check_schema, home, other_home, pytest_configure  # noqa: E402, F401
from innards import until  # noqa: E402

# Refuses to run outside a private session, where a person's own keyring would be used.
pytest_configure(None)

PYTHON = os.environ.get("PRIVACYIDEA_PYTHON", str(ROOT / ".build/privacyidea/bin/python"))


class Server:
    """The server, and what an administrator and a login page do there."""

    def __init__(self, folder):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}"
        self.log = open(folder / "server.log", "w")
        self.process = subprocess.Popen(
            [PYTHON, str(ROOT / "Tests/Support/privacyidea-server"), str(folder), str(port)], stdout=self.log, stderr=self.log)
        try:
            until(self.isUp, seconds=120)
            self.token = None
            self.token = self.post("/auth", username="admin", password="test")["value"]["token"]
        except BaseException:
            self.stop()
            raise
        self.policy("enrollment", push_firebase_configuration="poll only", push_registration_url=self.url + "/ttype/push", push_ttl="10")
        self.policy("authentication")

    def isUp(self):
        assert self.process.poll() is None, "the server does not start"
        try:
            urllib.request.urlopen(self.url + "/healthz/livez", timeout=5).read()
        except urllib.error.HTTPError:
            return True
        except OSError:
            return False
        return True

    def stop(self):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def post(self, path, method="POST", **fields):
        request = urllib.request.Request(
            self.url + path, method=method, data=json.dumps(fields).encode(),
            headers={"Content-Type": "application/json", **({"Authorization": self.token} if self.token else {})})
        with urllib.request.urlopen(request, timeout=60) as answer:
            whole = json.load(answer)
        return {**whole["result"], "detail": whole.get("detail") or {}}

    def policy(self, scope, **actions):
        if scope == "authentication":
            actions = {"push_text_on_mobile": "Log in to the shop?", "push_title_on_mobile": "Fern", "push_allow_polling": "allow", **actions}
        self.post(f"/policy/{scope}", scope=scope, action=actions, active=True)

    def link(self, **more):
        """A new token of mira's."""
        detail = self.post("/token/init", type="push", genkey=1, user="mira", realm="fern", pin="1234", **more)["detail"]
        return detail["pushurl"]["value"], detail["serial"]

    def login(self):
        """Begins a login; its transaction, and all that the login page is told."""
        detail = self.post("/validate/check", user="mira", **{"pass": "1234"})["detail"]
        return detail["transaction_id"], detail

    def isDone(self, transaction):
        """Whether the login page may go on."""
        return self.post("/validate/check", user="mira", transaction_id=transaction, **{"pass": ""})["value"]

    def remove(self, serial):
        self.post(f"/token/{serial}", method="DELETE")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("privacyidea"))
    yield server
    server.stop()


@pytest.fixture
def server(place):
    """The server without tokens, with its usual policies."""
    place.policy("authentication")
    yield place
    for token in place.post("/token/", method="GET")["value"]["tokens"]:
        place.remove(token["serial"])


@pytest.fixture
def enrolled(home, server):
    home.set_pin()
    link, home.serial = server.link()
    home.link = link
    home.ok("enroll", "-", "--yes", "--name", "fern", stdin=link + "\n")
    return home


def card(home):
    found = []

    def isThere():
        found[:] = home.json("pending")["authorizations"]
        return found
    until(isThere, seconds=60)
    [item] = found
    return item


def approve(home, item, *args):
    return home.run("approve", item["ref"], "--fingerprint", item["fingerprint"], "--json", "--no-input", *args)


def decided(result):
    check_schema(["approve"], result.json)
    return result.json["decisions"][0]


def test_a_login_is_accepted(enrolled, server):
    home = enrolled
    [connection] = home.json("connections")["connections"]
    assert (connection["id"], connection["status"], connection["protocol"]) == (home.serial, "active", "privacyidea-push")
    assert home.json("pending")["authorizations"] == []
    transaction, _ = server.login()
    item = card(home)
    assert item["title"] == "Fern" and item["text"].startswith("Log in to the shop?") and item["expires_at"] is None
    assert not server.isDone(transaction)
    assert decided(approve(home, item))["outcome"] == "confirmed"
    assert server.isDone(transaction)
    assert home.json("history", "--verify")["log"] == "intact"


def test_a_link_serves_once(enrolled, other_home, server):
    other_home.set_pin()
    error = other_home.run("enroll", "-", "--yes", "--json", stdin=enrolled.link + "\n").json["error"]
    assert error["kind"] == "refused" and "used before" in error["message"]
    assert other_home.json("connections")["connections"] == []


@pytest.mark.parametrize("args", [(), ("--reason", "not-me"), ("--reason", "cancelled")])
def test_a_login_is_declined(enrolled, server, args):
    home = enrolled
    transaction, _ = server.login()
    result = home.run("deny", card(home)["ref"], *args, "--json")
    assert decided(result)["outcome"] == "denied" and result.err == ""
    until(lambda: home.json("pending")["authorizations"] == [], seconds=30)
    assert not server.isDone(transaction)


def test_presence(enrolled, server):
    home = enrolled
    server.policy("authentication", push_require_presence=True, push_presence_num_options="4")
    transaction, detail = server.login()
    item = card(home)
    assert len(item["options"]) == 4
    right = next(o for o in item["options"] if re.search(rf"\b{re.escape(o)}\b", detail["message"]))
    wrong = next(o for o in item["options"] if o != right)
    assert approve(home, item).code == 64
    refused = approve(home, item, "--option", wrong)
    assert refused.code == 5 and decided(refused)["outcome"] == "refused", refused
    assert decided(approve(home, item, "--option", right))["outcome"] == "confirmed"
    assert server.isDone(transaction)


def test_a_code_is_shown_and_typed_into_the_login_page(enrolled, server):
    home = enrolled
    server.policy("authentication", push_code_to_phone=True)
    transaction, _ = server.login()
    decision = decided(approve(home, card(home)))
    assert decision["outcome"] == "confirmed" and re.fullmatch(r"\d\d", decision["code"]), decision
    assert server.post("/validate/check", user="mira", transaction_id=transaction, **{"pass": decision["code"]})["value"]


def test_what_expired_at_the_server_is_gone(enrolled, server):
    home = enrolled
    server.post("/system/setConfig", PushChallengeValidityTime="5")
    try:
        server.login()
        item = card(home)
        until(lambda: home.json("pending")["authorizations"] == [], seconds=30)
        assert approve(home, item).code == 4
    finally:
        server.post("/system/setConfig", PushChallengeValidityTime="120")


def test_a_token_that_was_deleted_is_named(enrolled, server):
    server.remove(enrolled.serial)
    result = enrolled.run("pending", "--json")
    assert result.code == 5 and "deleted there" in result.json["failures"][0]["message"], result


def test_a_token_is_rolled_over(enrolled, server):
    home = enrolled
    link, serial = server.link(serial=home.serial, rollover=True)
    assert serial == home.serial
    home.ok("reconnect", "fern", "-", "--yes", stdin=link + "\n")
    transaction, _ = server.login()
    assert decided(approve(home, card(home)))["outcome"] == "confirmed"
    assert server.isDone(transaction)


def test_polling_that_is_forbidden_is_said(enrolled, server):
    server.policy("authentication", push_allow_polling="deny")
    result = enrolled.run("pending", "--json")
    assert result.code == 5 and "forbids" in result.json["failures"][0]["message"], result


def test_an_agent_asks_by_itself(enrolled, server, agents):
    home = enrolled
    agents(home).unlock()
    transaction, _ = server.login()
    item = card(home)
    assert decided(approve(home, item))["outcome"] == "confirmed"
    assert server.isDone(transaction)
