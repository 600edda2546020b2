"""What the agent's event stream tells of sessions: to our own command alone, and only where it asks for that."""

import pytest
from agents import agents  # noqa: F401
from issuers import log_in, signed_in
from test_openapi import check
from test_session_programs import ask, only_request

SCHEMA = {"$ref": "#/components/schemas/Event"}


@pytest.fixture
def home(home):
    return home.set_pin()


def told(events, count):
    """So many events, as their names and what they are about."""
    found = []
    for _ in range(count):
        event = events.next()
        check(event, SCHEMA)
        found.append(event["event"] + "".join(" " + event[key] for key in ("session", "request") if key in event))
    return found


def test_sessions_and_requests_are_told(home, agents):
    with signed_in(home, "--name", "fern") as issuer:
        agent = agents(home).unlock()
        plain, events = agent.events(), agent.events(own="?include=sessions")
        assert told(events, 1) == ["session fern"]
        log_in(home, issuer, "--name", "oak", "--scope", "openid", pin=False)
        home.ok("sessions", "rename", "oak", "ash", pin=False)
        assert told(events, 3) == ["session oak", "session ash", "session oak"]

        assert ask(agent, target="fern").status == 423
        request = only_request(home)["id"]
        assert told(events, 1) == [f"request {request}"]
        home.ok("allow", request)
        assert told(events, 1) == [f"request_gone {request}"]

        home.ok("sessions", "set", "fern", "--until", "8h", pin=False)
        home.ok("logout", "ash", pin=False)
        assert told(events, 2) == ["session fern", "session ash"]
        home.ok("logout", "fern", "--local-only")
        assert told(events, 1) == ["session fern"]
        home.ok("lock")
        assert told(events, 1) == ["locked"]
        # Who did not ask for sessions hears nothing of them.
        assert told(plain, 1) == ["locked"]
        assert agent.stop() == 0


def test_nobody_else_is_told(home, agents):
    with signed_in(home, "--name", "fern"):
        agent = agents(home).unlock()
        for answer in (agent.request("GET", "/events?include=sessions"), ask(agent, "/events?include=sessions", method="GET")):
            assert (answer.status, answer.json["error"]["message"]) == (403, "only countersign itself may ask for this")
        refused = agent.request("GET", "/events?include=tokens")
        assert refused.status == 400 and refused.json["error"]["hint"] == "what can be: sessions"
