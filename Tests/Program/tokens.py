"""What tests of push tokens share: a server (push.py), a home with a token of it, and what scripts do with one."""

import pytest
import seeds
from conftest import check_schema
from push import PushServer

SERIAL = "PIPU0001"


@pytest.fixture
def server():
    server = PushServer()
    yield server
    server.stop()


@pytest.fixture
def token(home, server):
    """A home with a PIN and one push token, fern."""
    seeds.connect_push(home.set_pin(), server)
    return home


def enroll(home, link, *args):
    return home.ok("enroll", "-", "--yes", *args, stdin=link + "\n")


def failing(home, kind, *args, **options):
    result = home.run(*args, "--json", **options)
    error = result.json["error"]
    assert error["kind"] == kind and result.code == error["exit_code"], result
    return error


def waiting(home):
    return home.json("pending")


def card(home):
    [item] = waiting(home)["authorizations"]
    return item


def approve(home, item, *args):
    return home.run("approve", item["ref"], "--fingerprint", item["fingerprint"], "--json", "--no-input", *args)


def decided(result):
    check_schema(["approve"], result.json)
    [decision] = result.json["decisions"]
    return decision


def connections(home):
    return home.json("connections")["connections"]


HERE = {"Countersign-Display": "%3A42"}


def ask_by_window(agent, pinentry, item, *answers):
    """Lets the agent ask for a decision by its own windows."""
    pinentry.answers(*answers)
    path = f"/authorizations/{item['ref']}/approve?fingerprint={item['fingerprint']}"
    return agent.request("POST", path, headers=HERE, timeout=120)
