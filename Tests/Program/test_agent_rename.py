"""What waits follows its connection, not its name: notes, events and decisions go on after a rename."""

import json

import pytest
from agents import YES, agents, desktop, pinentry, typed
from conftest import PIN, Bank
from innards import until


@pytest.fixture
def agent(connected, agents, desktop, pinentry):
    return agents(connected, pinentry=pinentry).unlock()


def rename(agent, name, new):
    agent.home.ok("rename", name, new, pin=False)


def decide(agent, verb, card, ref=None):
    """What a front end asks for that shows this card."""
    return agent.request("POST", f"/authorizations/{ref or card['ref']}/{verb}?fingerprint={card['fingerprint']}")


def waiting(events, count):
    """The cards of so many `added`, by reference."""
    cards = {}
    while len(cards) < count:
        event = events.next()
        assert event["event"] == "added", event
        cards[event["authorization"]["ref"]] = event["authorization"]
    return cards


def test_those_who_watch_learn_the_new_reference(agent, bank):
    events = agent.events()
    id = bank.pay()
    [card] = waiting(events, 1).values()
    assert card["ref"] == f"demobank:{id}"
    rename(agent, "demobank", "treasury")
    removed = events.expect("removed")
    assert (removed["authorization"]["ref"], removed["renamed_to"]) == (f"demobank:{id}", f"treasury:{id}")
    added = events.expect("added")["authorization"]
    assert (added["ref"], added["connection"], added["fingerprint"]) == (
        f"treasury:{id}", "treasury", card["fingerprint"])
    # So do those who come now.
    assert list(waiting(agent.events(), 1)) == [f"treasury:{id}"]
    # It was shown under the old reference, and is still the same.
    answer = decide(agent, "deny", card)
    assert answer.status == 200 and answer.json["error"] is None, answer
    assert answer.json["ref"] == f"treasury:{id}"
    assert bank.authorization(id)["status"] == "denied"
    # It may be told as decided first.
    event = events.next()
    assert (event if event["event"] == "removed" else events.expect("removed"))["authorization"]["ref"] == f"treasury:{id}"


def test_a_note_still_reviews_and_denies(agent, desktop, pinentry, bank):
    first = bank.pay("Pay 1.00 EUR")
    note = desktop.note("Pay 1.00 EUR")
    rename(agent, "demobank", "treasury")
    pinentry.answers(YES, typed(PIN))
    desktop.do("invoke", note["id"], "review")
    until(lambda: bank.authorization(first)["status"] == "confirmed", 60)
    desktop.empty()
    second = bank.pay("Pay 2.00 EUR")
    note = desktop.note("Pay 2.00 EUR")
    rename(agent, "treasury", "vault")
    desktop.do("invoke", note["id"], "deny")
    until(lambda: bank.authorization(second)["status"] == "denied", 60)
    desktop.empty()
    assert "could not do that" not in desktop.text
    # A second yes to the same still takes more than the PIN.
    again = bank.pay("Pay 1.00 EUR")
    note = desktop.note("Pay 1.00 EUR")
    rename(agent, "vault", "demobank")
    pinentry.answers(YES, typed("Pay 1.00 EUR"), typed(PIN))
    desktop.do("invoke", note["id"], "review")
    until(lambda: bank.authorization(again)["status"] == "confirmed", 60)
    assert pinentry.asked() == ["CONFIRM", "GETPIN", "GETPIN"]


def test_a_note_goes_when_its_item_is_gone(agent, desktop, bank):
    id = bank.pay()
    desktop.note("Pay 9.90 EUR")
    rename(agent, "demobank", "treasury")
    bank.post(f"authorizations/{id}/close")
    desktop.empty()
    # The same where it was decided by another command.
    id = bank.pay()
    desktop.note("Pay 9.90 EUR")
    rename(agent, "treasury", "vault")
    agent.home.ok("deny", f"vault:{id}", "--no-input", pin=False)
    desktop.empty()
    assert bank.authorization(id)["status"] == "denied"


def test_swapped_names_never_lead_to_the_other_bank(agent, desktop, bank, tmp_path):
    directory = tmp_path / "other"
    directory.mkdir()
    other = Bank(directory)
    try:
        agent.home.enroll(other, name="other")
        events = agent.events()
        here, there = bank.pay("Pay here"), other.pay("Pay there")
        # Both banks count from one, so that each reference is the other's after the swap.
        assert here == there
        cards = {card["connection"]: card for card in waiting(events, 2).values()}
        notes = {name: desktop.note(name) for name in ("Pay here", "Pay there")}
        for name, new in (("demobank", "third"), ("other", "demobank"), ("third", "other")):
            rename(agent, name, new)
        told = {}
        for event in iter(events.next, None):
            if event["event"] == "removed":
                told.pop(event["authorization"]["ref"], None)
            if event["event"] == "added":
                told[event["authorization"]["ref"]] = event["authorization"]
            if set(told) == {f"demobank:{here}", f"other:{here}"}:
                break
        assert told[f"other:{here}"]["fingerprint"] == cards["demobank"]["fingerprint"]
        # The reference is another bank's by now; what was shown counts.
        answer = decide(agent, "deny", cards["demobank"])
        assert answer.json["ref"] == f"other:{here}" and answer.json["error"] is None, answer
        assert bank.authorization(here)["status"] == "denied"
        assert other.authorization(there)["status"] == "pending"
        # What nobody was shown under a reference is not decided under it.
        wrong = decide(agent, "deny", told[f"demobank:{here}"], ref=f"third:{here}")
        assert wrong.status != 200, wrong
        assert other.authorization(there)["decisions_received"] == 0
        desktop.do("invoke", notes["Pay there"]["id"], "deny")
        until(lambda: other.authorization(there)["status"] == "denied", 60)
        assert bank.authorization(here)["decisions_received"] == 1
    finally:
        other.stop()
