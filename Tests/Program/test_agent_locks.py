"""How deep the agent is locked: what opens it, what hides and what shuts it, and what is left in either."""

import fcntl
import json
import os
import re
import signal
import subprocess
import time

import pytest
from agents import CANCEL, NO, YES, agents, clock, desktop, pinentry, typed
from conftest import PIN, finish
from innards import in_memory, spawn, until
from users import legible

WRONG = "999111"
SECRET = "Pay 77.13 EUR to Fern Books"


def polls(bank):
    return len(bank.get("requests?operation=authorizations.list&limit=500"))


def until_polled(bank, times=2):
    """Waits until the bank was asked so often from now on."""
    bank.post("requests/clear")
    until(lambda: polls(bank) >= times, 60)


def without_terminal(home, *args):
    """Runs a command as a script without a terminal does: `setsid` takes away the one that the tests may have."""
    return home.run(*args, pin=False, wrapper=["setsid", "--wait"])


def on_a_terminal(home, *args):
    """Runs a command of a person that asks for nothing."""
    child = home.terminal(*args)
    assert finish(child) == 0, child.before


FAST = "[agent]\npoll_fastest = 1\npoll_slowest = 1\n"
SHUT = FAST + "poll_while_locked = false\n"


@pytest.fixture
def agent(connected, agents, desktop, pinentry):
    """Open, on a desktop, asking the bank every second."""
    return agents(connected, pinentry=pinentry, settings=FAST).unlock()


def status(home):
    answer = home.json("status", pin=False)
    return answer["locked"], answer["keys_in_memory"]


def until_locked(agent, state):
    agent.until_state(state)
    return agent


# Hidden


def test_a_locked_screen_hides_all_content_and_polling_goes_on(agent, connected, desktop, pinentry, bank):
    id = bank.pay(SECRET, expires_in=900)
    shown = desktop.note(SECRET)
    events = agent.events()
    events.expect("added")
    before = len(desktop.text)
    desktop.do("lock-screen")
    until_locked(agent, "hidden")
    assert events.expect("locked").keys() == {"event", "at"}
    assert events.expect("waiting")["waiting"] == 1
    assert status(connected) == (True, True)
    assert "keeps the keys in memory" in connected.run("status", pin=False).out
    locked = desktop.note("Countersign is locked")
    assert locked["body"] == "1 request waits for your decision"
    assert locked["actions"] == ["default", "Unlock", "unlock", "Unlock"]
    assert set(desktop.notes()) == {locked["id"]} and shown["id"] != locked["id"]

    # It goes on asking, and tells the number alone.
    bank.pay("Pay 88.14 EUR to Oak Cafe", expires_in=900)
    assert events.expect("waiting")["waiting"] == 2
    until(lambda: [n["body"] for n in desktop.notes().values()] == ["2 requests wait for your decision"], 60)
    bank.post(f"authorizations/{id}/close")
    assert events.expect("waiting")["waiting"] == 1
    until(lambda: [n["body"] for n in desktop.notes().values()] == ["1 request waits for your decision"], 60)
    assert not re.search("77.13|88.14|Fern|Oak|Demo Bank|127.0.0.1", desktop.text[before:]), desktop.text[before:]
    assert not re.search("77.13|88.14|Fern|Oak|Demo Bank|127.0.0.1", agent.said)

    # Nothing is shown or denied before the PIN.
    for words in (["pending"], ["show", f"demobank:{id}"], ["deny", f"demobank:{id}"], ["connections"], ["history"]):
        result = connected.run(*words, "--no-input", pin=False)
        assert result.code == 3 and SECRET not in result.out + result.err, result
    for method, path in (
        ("GET", "/authorizations"), ("GET", f"/authorizations/demobank%3A{id}"), ("GET", "/connections"),
        ("GET", "/history"), ("POST", f"/authorizations/demobank%3A{id}/deny?fingerprint={'0' * 64}"),
    ):
        answer = agent.request(method, path)
        assert answer.status == 423 and answer.json["error"]["kind"] == "locked", answer
    assert agent.handshake()["waiting"] == 1

    # The note opens it by the agent's own prompt; then there is content again.
    pinentry.answers(typed(WRONG), typed(PIN))
    [number] = desktop.notes()
    desktop.do("invoke", number, "unlock")
    assert events.expect("unlocked").keys() == {"event", "at"}
    assert events.expect("added")["authorization"]["title"] == "Pay 88.14 EUR to Oak Cafe"
    desktop.note("Pay 88.14 EUR to Oak Cafe")
    assert len(desktop.notes()) == 1 and status(connected) == (False, True)
    assert pinentry.told("SETERROR") == ["wrong PIN; 8 tries are left"]
    assert pinentry.told("SETDESC")[0].startswith("Unlock Countersign\nEnter your PIN to open your bank connections\nAsked by process ")


def test_a_note_from_before_the_lock_does_nothing(agent, desktop, pinentry, bank):
    """A press that was on its way when the screen locked is of something that is no longer shown."""
    id = bank.pay(SECRET)
    old = desktop.note(SECRET)["id"]
    desktop.do("lock-screen")
    locked = desktop.note("Countersign is locked")["id"]
    desktop.do("invoke", old, "deny")
    desktop.do("invoke", old, "review")
    desktop.do("invoke", locked, "deny")
    # Pressed after them all, so heard after them.
    pinentry.answers(CANCEL)
    desktop.do("invoke", locked, "unlock")
    pinentry.until_asked("GETPIN")
    until(lambda: pinentry.lines[-1] == "BYE", 60)
    assert len(pinentry.pids()) == 1 and agent.state == "hidden"
    assert bank.authorization(id)["decisions_received"] == 0


def test_where_polling_while_locked_is_off_a_locked_screen_shuts(connected, agents, desktop, bank):
    agent = agents(connected, settings=SHUT).unlock()
    bank.pay(SECRET)
    desktop.note(SECRET)
    desktop.do("lock-screen")
    until_locked(agent, "shut")
    assert status(connected) == (True, False)
    desktop.empty()


# Shut


def test_sleep_shuts_before_the_machine_sleeps_and_waking_opens_nothing(agent, connected, desktop, bank):
    bank.pay(SECRET)
    desktop.note(SECRET)
    events = agent.events()
    events.expect("added")
    delay = until(lambda: desktop.made("Inhibit"), 60)[-1]
    assert (delay["what"], delay["mode"]) == ("sleep", "delay") and desktop.made("released") == []
    desktop.do("sleep")
    # The machine waits for this, and no longer than it takes.
    until(lambda: desktop.made("released"), 60)
    assert agent.state == "shut" and status(connected) == (True, False)
    assert events.expect("locked").keys() == {"event", "at"}
    desktop.empty()
    desktop.do("wake")
    until(lambda: len(desktop.made("Inhibit")) == 2, 60)
    assert agent.state == "shut"


def test_leaving_shuts(agent, connected, desktop, bank):
    bank.pay(SECRET)
    desktop.note(SECRET)
    desktop.do("log-out")
    until_locked(agent, "shut")
    assert status(connected) == (True, False)
    desktop.empty()


def is_locked(path):
    with open(path, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return False
        except BlockingIOError:
            return True


def test_a_keyring_that_hangs_delays_no_lock(connected, agents, bank):
    """While a decision is being written down, which takes the keyring."""
    agent = agents(connected).unlock()
    ref = f"demobank:{bank.pay()}"
    fingerprint = connected.json("show", ref)["fingerprint"]
    keyring = int(os.environ["COUNTERSIGN_TEST_KEYRING_PID"])
    os.kill(keyring, signal.SIGSTOP)
    try:
        process = spawn(connected, "deny", ref, "--fingerprint", fingerprint, "--json")
        until(lambda: is_locked(connected.state / "lock"), 30)
        time.sleep(0.5)
        start = time.monotonic()
        connected.ok("lock", pin=False)
        assert agent.state == "shut" and time.monotonic() - start < 9
        assert process.poll() is None
    finally:
        os.kill(keyring, signal.SIGCONT)
    process.communicate(timeout=60)
    assert process.returncode in (0, 3, 7) and connected.json("history", "--verify")["log"] == "intact"


def test_a_terminated_agent_ends_well(agent, connected, desktop, bank):
    bank.pay(SECRET)
    desktop.note(SECRET)
    events = agent.events()
    events.expect("added")
    assert agent.stop() == 0
    assert desktop.notes() == {} and not agent.socket.exists() and agent.said == ""
    answer = connected.json("status", pin=False)
    assert (answer["locked"], answer["keys_in_memory"], answer["agent"]["running"]) == (True, False, False)


@pytest.mark.parametrize("answers, way", [(["<hang>"], "lock-screen"), ([YES, "<hang>"], "SIGTERM")], ids=["card", "PIN"])
def test_a_question_with_content_leaves_when_it_locks(agent, connected, desktop, pinentry, bank, answers, way):
    id = bank.pay(SECRET)
    pinentry.answers(*answers)
    desktop.do("invoke", desktop.note(SECRET)["id"], "review")
    pinentry.until_asked(*["CONFIRM", "GETPIN"][:len(answers)])
    [*_, pid] = pinentry.pids()
    if way == "SIGTERM":
        assert agent.stop() == 0
    else:
        desktop.do(way)
    until(lambda: not os.path.exists(f"/proc/{pid}"), 60)
    assert bank.authorization(id)["decisions_received"] == 0
    if way != "SIGTERM":
        # Nobody is told that he cancelled, and the next question can be asked.
        until_locked(agent, "hidden")
        until(lambda: all(note["summary"] == "Countersign is locked" for note in desktop.notes().values()))
        pinentry.answers(typed(PIN))
        answer = agent.request("POST", "/unlock", headers={"Countersign-Display": ":99"})
        assert answer.status == 200 and agent.state == "open", answer


# What is left in memory


@pytest.mark.parametrize("lock", ["lock-screen", "lock", "sleep"])
def test_a_lock_leaves_no_content_in_memory(home, agents, desktop, pinentry, bank, lock):
    """Also not in what was freed. (Texts of up to 15 bytes are parts of other values in Swift; a few of them may stay on the
    stacks of threads.)"""
    name = "The Bank of Fern and Heather"
    bank.post("settings", name=name)
    agent = agents(home.set_pin().enroll(bank), pinentry=pinentry, settings=FAST, wrapper=legible()).unlock()
    title, text, denied = ("".join(os.urandom(12).hex()) for _ in range(3))
    events = agent.events()
    id = bank.pay(title, description=text)
    card = events.expect("added")["authorization"]
    # It goes every way there is: to the desktop, to front ends, to a question, into the log.
    desktop.note(title)
    home.ok("pending", pin=False)
    agent.request("GET", f"/authorizations/{card['ref'].replace(':', '%3A')}")
    pinentry.answers(NO)
    desktop.do("invoke", desktop.note(title)["id"], "review")
    pinentry.until_asked("CONFIRM")
    home.ok("deny", f"demobank:{bank.pay(denied)}", pin=False)
    home.ok("history", pin=False)
    [token] = {request["headers"]["access-token"] for request in bank.get("requests?operation=authorizations.list")}
    assert in_memory(agent.pid, title, text, name, token) == {title, text, name, token}
    if lock == "lock":
        home.ok("lock", pin=False)
    else:
        desktop.do(lock)
    until_locked(agent, "hidden" if lock == "lock-screen" else "shut")
    until(lambda: not in_memory(agent.pid, title, text, denied, name), 60)
    if lock == "lock-screen":
        # Polling goes on: what it fetches does not stay either, and the token is needed.
        until_polled(bank)
        until(lambda: not in_memory(agent.pid, title, text, denied, name), 60)
        assert in_memory(agent.pid, token)
    else:
        until(lambda: not in_memory(agent.pid, token), 60)
    assert bank.authorization(id)["status"] == "pending"


# What keeps it open


def test_a_command_on_a_terminal_is_use_and_a_script_is_none(connected, agents, bank, clock):
    agent = agents(connected, clock=clock, settings=FAST).unlock()
    bank.pay(SECRET, expires_in=3000)
    agent.until_waiting(1)
    clock.at(200)
    assert without_terminal(connected, "connections").code == 0
    assert without_terminal(connected, "pending").code == 0
    on_a_terminal(connected, "pending", "--no-input")
    on_a_terminal(connected, "status")
    for path in ("connections", "authorizations", "agent", "status"):
        done = subprocess.run(
            ["setsid", "--wait", "curl", "-sS", "--unix-socket", agent.socket, f"http://x/{path}"],
            capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and "error" not in json.loads(done.stdout), done
    done = subprocess.run(
        ["setsid", "--wait", "curl", "-sS", "-X", "POST", "--unix-socket", agent.socket, "http://x/use"],
        capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and done.stdout == "", done
    assert agent.state == "open"
    clock.at(301)
    assert agent.state == "hidden" and agent.handshake()["waiting"] == 1
    agent.unlock()
    clock.at(520)
    on_a_terminal(connected, "connections")
    clock.at(700)
    assert agent.state == "open"
    clock.at(830)
    assert agent.state == "hidden"


def test_a_key_pressed_in_watch_is_use_and_watching_is_none(connected, agents, bank, clock):
    agent = agents(connected, clock=clock, settings=FAST).unlock()
    child = connected.terminal("watch", environment={"NO_COLOR": "1"})
    child.expect_exact("Nothing waits.")
    bank.pay(SECRET, expires_in=3000)
    child.expect_exact(SECRET)
    child.expect_exact("[q]uit")
    clock.at(220)
    child.send("s")
    child.expect_exact("[s]how again")
    clock.at(440)
    assert agent.state == "open"
    clock.at(740)
    assert agent.state == "hidden"
    # The number is all that a locked agent tells.
    child.expect_exact("1 request waits for your decision")
    child.expect_exact("Locked. Press Enter to type the PIN")
    assert SECRET not in child.before
    child.sendline()
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect_exact(SECRET)
    child.send("q")
    assert finish(child) == 0


def test_the_pin_begins_both_times_anew(connected, agents, desktop, clock):
    agent = agents(connected, clock=clock, settings="[agent]\nlongest_hours = 1\nidle_minutes = 2\n").unlock()
    clock.at(3000)
    assert agent.state == "hidden"
    agent.unlock()
    clock.at(3060)
    assert agent.state == "open"
    clock.at(3130)
    assert agent.state == "hidden"
    clock.at(6540)
    assert agent.state == "hidden"
    clock.at(6610)
    assert agent.state == "shut"
