"""A bank that lists thousands of items, inside its limits, beside a small one: all are listed, with the agent and without, and
nobody waits for the huge one.
"""

import json
import time

import pytest
from agents import agents
from conftest import Bank
from innards import until
from v2 import connection, seal


@pytest.fixture
def huge(home, tmp_path):
    """Makes a home with two banks: `huge`, which lists so many items with this text, and `small`, which lists one. Gives home, and
    the small bank."""
    banks = []

    def make(count, text):
        directory = tmp_path / "huge"
        directory.mkdir()
        banks.extend([Bank(directory), Bank(tmp_path)])
        home.set_pin().enroll(banks[0], protocol="v2", name="huge").enroll(banks[1], name="small")
        [there] = banks[0].get("connections")
        sealed = seal(there["public_key"], json.dumps({
            "title": "Pay 9.90 EUR", "authorization_code": "c0de", "created_at": "2026-01-01T00:00:00Z",
            "expires_at": "2036-01-01T00:00:00Z", "description": {"text": text}}, ensure_ascii=False))
        items = [{"id": n, "connection_id": str(there["id"]), "status": "pending", **sealed} for n in range(count)]
        banks[0].fault(
            "authorizations.list", status=200, times=1_000_000, content_type="application/json",
            body=json.dumps({"data": items}))
        banks[1].pay("Pay 1.00 EUR", expires_in=3600)
        return home, banks[1]

    yield make
    for bank in banks:
        bank.stop()


def check(answer, count):
    assert answer["failures"] == []
    refs = [item["ref"] for item in answer["authorizations"]]
    assert len(refs) == len(set(refs)) == count + 1
    assert sum(ref.startswith("huge:") for ref in refs) == count
    assert sum(ref.startswith("small:") for ref in refs) == 1
    texts = {item["text"] for item in answer["authorizations"] if item["connection"] == "huge"}
    assert len(texts) == 1 and "To Fern Books" in texts.pop()


def test_all_are_listed_without_an_agent(huge):
    home, _ = huge(2000, "To Fern Books")
    check(home.json("pending", timeout=300), 2000)


def test_all_are_listed_by_an_agent(huge, agents):
    # More than the events that may wait for one that watches. Invisible characters are shown by their numbers, so the answer is many
    # times as long as what was sealed.
    count = 1100
    home, small = huge(count, "To Fern Books " + "\x7f\u00ad" * 650)
    agent = agents(home).unlock()
    events = agent.events()
    result = home.json("pending", pin=False, timeout=300)
    check(result, count)
    # More than any single answer may have.
    assert len(json.dumps(result, ensure_ascii=False).encode()) > 16 << 20
    # One that watches from the start misses none of them.
    agent.until_waiting(count + 1, 300)
    told = set()
    while len(told) < count + 1:
        event = events.next(120)
        if event["event"] == "added":
            told.add(event["authorization"]["ref"])
    # A new request of the small bank is heard of as ever.
    before = time.monotonic()
    small.pay("Pay 2.00 EUR", expires_in=3600)
    until(lambda: agent.handshake()["waiting"] == count + 2, 60)
    assert time.monotonic() - before < 60
    assert home.json("pending", "--connection", "small", pin=False)["failures"] == []
