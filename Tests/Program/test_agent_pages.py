"""A person at a bank's page, which leads back to the agent: it stays open meanwhile. If it was locked all the same, the browser's page
and the command say what to do."""

from agents import agents, clock, desktop
from test_enroll import Waiting, ask
from v2 import sign_in_only


def names(home):
    return [c["name"] for c in home.json("connections")["connections"]]


def test_the_agent_stays_open_while_a_person_is_at_the_banks_page(home, agents, bank, clock):
    """Five idle minutes at the bank's page broke it, although the bank listed the device."""
    agent = agents(home.set_pin(), clock=clock).unlock()
    enrolling = Waiting(home, "enroll", "-", link=bank.link())
    # Step by step, as time passes: the agent looks at least every fifteen seconds.
    clock.at(20 * 60)
    assert agent.state == "open"
    redirect = sign_in_only(enrolling.page)
    status, _, text = ask(redirect)
    assert status == 200 and "You may close this tab" in text
    assert enrolling.end() == 0, enrolling.said
    # The end of the page counts as use; then nothing keeps the agent open.
    clock.at(20 * 60 + 290)
    assert agent.state == "open" and names(home) == ["demobank"]
    clock.at(20 * 60 + 620)
    assert agent.state == "hidden"


def test_both_pages_say_what_to_do_after_a_lock(home, agents, bank, desktop):
    agent = agents(home.set_pin()).unlock()
    enrolling = Waiting(home, "enroll", "-", link=bank.link())
    redirect = sign_in_only(enrolling.page)
    desktop.do("lock-screen")
    agent.until_state("hidden")
    status, _, text = ask(redirect)
    assert status == 400 and "Countersign is locked" in text, text
    assert "Unlock Countersign (countersign unlock), and then reload this page" in text
    enrolling.hear("error: the agent is locked")
    enrolling.hear("hint: countersign unlock, then reload the bank's page in the browser")
    enrolling.hear("Still waiting for the bank")
    # As they say.
    home.ok("unlock")
    assert ask(redirect)[0] == 200
    assert enrolling.end() == 0 and names(home) == ["demobank"]


def test_a_link_that_the_desktop_hands_over_says_what_to_do_after_a_lock(home, agents, bank, desktop):
    agent = agents(home.set_pin()).unlock()
    enrolling = Waiting(home, "enroll", "-", "--callback", "scheme", link=bank.link())
    redirect = sign_in_only(enrolling.page)
    desktop.do("lock-screen")
    agent.until_state("hidden")
    refused = home.run("open", redirect, "--json", pin=False)
    assert refused.code == 3 and refused.json["error"]["kind"] == "locked", refused
    assert refused.json["error"]["hint"] == "countersign unlock, then reload the bank's page in the browser"
    home.ok("unlock")
    home.ok("open", redirect, pin=False)
    assert enrolling.end() == 0 and names(home) == ["demobank"]


def test_an_action_keeps_the_agent_open_until_its_request_is_decided(connected, agents, bank, clock):
    """The bank's page waits for the decision."""
    agent = agents(connected, clock=clock, settings="[agent]\nidle_minutes = 1\n").unlock()
    link = bank.post("actions", user="ada")["link"]
    ref = connected.json("act", "-", "--yes", stdin=link + "\n")["action"]["authorization"]
    clock.at(200)
    assert agent.state == "open"
    [item] = connected.json("pending")["authorizations"]
    assert item["ref"] == ref
    connected.ok("approve", ref, "--fingerprint", item["fingerprint"])
    agent.until_waiting(0)
    clock.at(200 + 70)
    assert agent.state == "hidden"
