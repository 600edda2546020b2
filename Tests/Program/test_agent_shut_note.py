"""A shut agent asks no bank. Where a person is at a desktop, a lasting, quiet note says so; status and doctor say it, too."""

import os
import re
import shlex

import pytest
from agents import Desktop, agents, clock, desktop, pinentry, typed
from conftest import PIN, PROGRAM, ROOT, check_schema
from innards import until

LOCKED = "Countersign is locked"
WORDS = "payments you make now will not appear here"


@pytest.fixture
def agent(connected, agents, desktop, pinentry):
    """Shut, on a desktop, with a connection."""
    return agents(connected, pinentry=pinentry)


def shut_note(desktop):
    return until(lambda: next((n for n in desktop.notes().values() if n["body"] == WORDS), None), 60)


def test_it_says_so_from_its_start_until_it_is_opened(agent, desktop, pinentry, bank):
    note = shut_note(desktop)
    assert note["summary"] == LOCKED and note["actions"] == ["default", "Unlock", "unlock", "Unlock"]
    # Lasting, quiet, and not urgent.
    assert note["timeout"] == 0
    assert note["hints"] == {"urgency": 1, "resident": True, "suppress-sound": True, "desktop-entry": "countersign"}
    pinentry.answers(typed(PIN))
    desktop.do("invoke", note["id"], "unlock")
    agent.until_state("open")
    desktop.empty()
    bank.pay()
    desktop.note("Pay 9.90 EUR")
    assert agent.stop() == 0 and agent.said == ""


@pytest.mark.parametrize("way", ["lock", "sleep"])
def test_it_says_so_whenever_it_becomes_shut(agent, connected, desktop, way, bank):
    agent.unlock()
    bank.pay()
    desktop.note("Pay 9.90 EUR")
    if way == "lock":
        connected.ok("lock", pin=False)
        agent.until_state("shut")
    else:
        # Told when the person is back.
        desktop.do("sleep")
        agent.until_state("shut")
        desktop.empty()
        desktop.do("wake")
    shut_note(desktop)
    assert len(desktop.notes()) == 1
    agent.unlock()
    desktop.note("Pay 9.90 EUR")
    until(lambda: [n["summary"] for n in desktop.notes().values()] == ["Pay 9.90 EUR"], 60)


@pytest.mark.parametrize("before", ["open", "idle", "behind the lock screen"])
def test_it_says_so_after_twelve_hours(connected, agents, desktop, clock, before):
    """By its own clock: nobody asks it anything."""
    agent = agents(connected, clock=clock).unlock()
    desktop.empty()
    if before == "idle":
        clock.at(301)
        agent.until_state("hidden")
    elif before == "behind the lock screen":
        desktop.do("lock-screen")
        agent.until_state("hidden")
    said = len(desktop.made("Notify"))
    clock.at(12 * 3600 - 60)
    agent.until_state("hidden")
    assert len(desktop.made("Notify")) == said
    clock.at(12 * 3600 + 1)
    if before == "behind the lock screen":
        agent.until_state("shut")
        assert desktop.notes() == {}
        # In the morning.
        desktop.do("unlock-screen")
    shut_note(desktop)
    assert agent.state == "shut" and len(desktop.notes()) == 1


def of_unit(key):
    """The values of the person's unit, as it is installed."""
    unit = (ROOT / "Share/Install/countersign.service.in").read_text().replace("@PROGRAM@", str(PROGRAM))
    return re.findall(rf"^{key}=(.*)$", unit, re.MULTILINE)


def test_it_starts_at_log_in_on_each_desktop(connected):
    """Not each desktop has systemd's target of graphical sessions."""
    [wanted], [command], [kind] = of_unit("WantedBy"), of_unit("ExecStart"), of_unit("Type")
    assert set(wanted.split()) == {"graphical-session.target", "default.target"}
    # As the other tests here start it.
    assert (shlex.split(command), kind) == (connected.argv("agent"), "notify")


@pytest.mark.parametrize("session", ["x11", "wayland", "tty"])
def test_it_says_so_at_each_log_in(connected, agents, pinentry, session, tmp_path):
    """As a service of the person's: it starts before there is a display, and outlives a log-out if something else of the person does. A
    compositor that is started from a text console has a session of that type."""
    desktop = Desktop(tmp_path, "--without-notifications", "--without-screen-saver", "--manager")
    try:
        connected.environment.pop("DISPLAY", None)
        agent = agents(connected, pinentry=pinentry, display=None)
        desktop.do("environment", "DISPLAY=:99")
        desktop.do("start-notifications")
        note = shut_note(desktop)
        # Its button opens it, in a window on that display.
        pinentry.answers(typed(PIN))
        desktop.do("invoke", note["id"], "unlock")
        agent.until_state("open")
        assert "display=:99" in pinentry.told("OPTION")
        desktop.empty()
        # A shell from another computer goes on.
        desktop.do("add-session", "c2", os.getuid(), "tty", "user", "-")
        desktop.do("remove-session", "c1")
        agent.until_state("shut")
        desktop.do("restart-notifications")
        desktop.do("add-session", "c3", os.getuid() + 1, session, "user")
        assert connected.json("status", pin=False)["locked"] and desktop.notes() == {}
        desktop.do("add-session", "c4", os.getuid(), session, "user")
        shut_note(desktop)
        assert len(desktop.notes()) == 1 and agent.stop() == 0 and agent.said == ""
    finally:
        desktop.stop()


def test_behind_a_locked_screen_nothing_is_said_until_a_person_comes(connected, agents, desktop, bank):
    agent = agents(connected, settings="[agent]\npoll_while_locked = false\n").unlock()
    desktop.empty()
    desktop.do("lock-screen")
    agent.until_state("shut")
    connected.ok("status", pin=False)
    assert desktop.notes() == {}
    desktop.do("unlock-screen")
    shut_note(desktop)


def test_a_hidden_agent_misses_nothing(agent, desktop):
    shut_note(desktop)
    agent.unlock()
    desktop.empty()
    desktop.do("lock-screen")
    agent.until_state("hidden")
    assert agent.stop() == 0 and desktop.notes() == {}
    assert len([n for n in desktop.made("Notify") if n["body"] == WORDS]) == 1


def test_put_away_it_stays_away_until_the_agent_shuts_anew(agent, connected, desktop):
    desktop.do("dismiss", shut_note(desktop)["id"])
    connected.ok("lock", pin=False)
    agent.unlock()
    assert len(desktop.made("Notify")) == 1
    connected.ok("lock", pin=False)
    until(lambda: len(desktop.made("Notify")) == 2, 60)
    assert desktop.made("Notify")[1]["body"] == WORDS


def test_a_home_without_connections_misses_nothing(home, agents, desktop, bank):
    agent = agents(home.set_pin()).unlock()
    home.ok("lock", pin=False)
    assert agent.state == "shut" and "will not appear" not in home.ok("status", pin=False).out
    # Another process connects a bank: what is missed from now on is told, too.
    home.ok("enroll", "-", "--yes", stdin=bank.link(instant=True) + "\n")
    shut_note(desktop)
    home.ok("revoke", "demobank")
    desktop.empty()


def test_a_setting_turns_it_off(connected, agents, desktop, bank):
    agent = agents(connected, settings="[agent]\nnote_when_shut = false\n").unlock()
    connected.ok("lock", pin=False)
    agent.unlock()
    bank.pay()
    desktop.note("Pay 9.90 EUR")
    assert not [n for n in desktop.made("Notify") if n["body"] == WORDS]


def test_without_a_desktop_nothing_is_said_until_one_comes(connected, agents, tmp_path):
    """A server has none; a person may log in later."""
    desktop = Desktop(tmp_path, "--without-notifications")
    try:
        agent = agents(connected)
        agent.unlock()
        connected.ok("lock", pin=False)
        assert agent.state == "shut"
        desktop.do("start-notifications")
        shut_note(desktop)
        assert agent.stop() == 0 and agent.said == ""
    finally:
        desktop.stop()


def test_status_and_doctor_say_it(agent, connected):
    status = connected.json("status", pin=False)
    check_schema(["status"], status)
    assert (status["locked"], status["keys_in_memory"], status["agent"]["running"]) == (True, False, True)
    said = connected.ok("status", pin=False).out
    assert f"holds nothing and asks no bank: {WORDS}; open it with: countersign unlock" in said

    def judged():
        [check] = [c for c in connected.run("doctor", "--json", pin=False).json["checks"] if c["name"] == "agent"]
        return check

    check = judged()
    assert check["ok"] and check["message"].endswith(f"is shut: {WORDS}") and check["hint"] == "countersign unlock"
    assert f"note   agent: process {agent.pid} runs, and is shut: {WORDS}" in connected.run("doctor", pin=False).out
    agent.unlock()
    assert WORDS not in connected.ok("status", pin=False).out and WORDS not in judged()["message"]
