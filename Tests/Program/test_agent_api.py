"""A front end that is not our own: this test process, at the socket of the real agent. It reads while the agent is open, never
sees or brings a PIN, and what it wants approved the agent's own prompt shows.
"""

import itertools
import json
import os
import pty
import re
import socket

import pytest
from agents import CANCEL, NO, YES, Agent, FakePinentry, UnixConnection, agents, typed
from conftest import PIN, VERSION, Bank, Home
from innards import change_pin_record, failures, forgive, log_events, pin_record, until
from users import terminal_of_another_user

WRONG = "999111"
# Where the person sits who is to be asked: the agent was started without a display.
HERE = {"Countersign-Display": "%3A7"}


class Place:
    """A bank, a home with the connections `demobank` and `fern`, its agent, whose pinentry is the fake one."""

    def __init__(self, path):
        self.bank = Bank(path)
        self.bank.post("settings", processing_polls=0)
        self.home = Home(path).set_pin().enroll(self.bank).enroll(self.bank, protocol="v2", name="fern")
        self.pinentry = FakePinentry(path)
        self.agent = Agent(self.home, pinentry=self.pinentry, display=None)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = Place(tmp_path_factory.mktemp("place"))
    yield place
    code = place.agent.stop()
    place.bank.stop()
    assert code == 0
    # Nothing shows notifications here, so the journal is told, without a word of a bank's.
    assert set(place.agent.said.splitlines()) <= {"a request waits for your decision; see it with: countersign pending"}


@pytest.fixture
def home(place):
    forgive(place.home)
    return place.home


@pytest.fixture
def bank(place):
    for item in place.bank.get("authorizations?status=pending"):
        place.bank.post(f"authorizations/{item['id']}/close")
    return place.bank


@pytest.fixture
def pinentry(place):
    place.pinentry.answers()
    return place.pinentry


@pytest.fixture
def shut(place, home, pinentry):
    """The agent, shut."""
    home.ok("lock", pin=False)
    return place.agent


@pytest.fixture
def agent(place, home, pinentry):
    """The agent, open."""
    return place.agent if place.agent.state == "open" else place.agent.unlock()


@pytest.fixture
def lone(tmp_path):
    """Another home and bank, for agents that end."""
    bank = Bank(tmp_path)
    yield Home(tmp_path).set_pin().enroll(bank), bank
    bank.stop()


@pytest.fixture
def terminal():
    """The path of a terminal of this user."""
    ends = pty.openpty()
    yield os.ttyname(ends[1])
    for end in ends:
        os.close(end)


numbers = itertools.count(10)


def pay(bank, title=None, *args, **options):
    """One payment; each has another title, since approving the same again takes more than a PIN."""
    return "demobank:" + bank.pay(title or f"Pay {next(numbers)}.90 EUR", *args, protocol="v1", **options)


def seen(agent, ref):
    answer = agent.request("GET", f"/authorizations/{ref}")
    assert answer.status == 200, answer
    return answer.json


def decide(agent, verb, ref, fingerprint=None, headers=HERE, **options):
    claim = seen(agent, ref)["fingerprint"] if fingerprint is None else fingerprint
    return agent.request("POST", f"/authorizations/{ref}/{verb}?fingerprint={claim}", headers=headers, **options)


def unlock(agent, headers=HERE, **options):
    return agent.request("POST", "/unlock", headers=headers, **options)


def received(bank, ref):
    return bank.authorization(ref.split(":")[1])["decisions_received"]


def refusal(answer, status, kind):
    """The message of an answer that is a failure of this kind."""
    assert answer.status == status and answer.headers["Content-Type"] == "application/json", answer
    assert answer.json["error"]["kind"] == kind, answer
    return answer.json["error"]["message"]


# Who is there


def test_the_handshake_tells_who_runs_in_every_state(shut, home, bank):
    agent = shut
    own = {"api": 1, "pid": agent.pid, "vault": pin_record(home)["vaultID"], "version": VERSION}
    shut = own | {"state": "shut", "waiting": None, "sessions": "shut"}
    assert agent.handshake() == shut
    ref = pay(bank)
    agent.unlock().until_waiting(1)
    assert agent.handshake() == own | {"state": "open", "waiting": 1, "sessions": "at_hand"}
    assert agent.request("POST", "/lock").json["keys_in_memory"] is False
    assert agent.handshake() == shut
    assert received(bank, ref) == 0


def test_it_reads_while_the_agent_is_open(agent, bank, home):
    ref = pay(bank, "Pay 1.00 EUR", "To Fern Books")
    card = seen(agent, ref)
    assert (card["title"], card["connection"]) == ("Pay 1.00 EUR", "demobank") and re.fullmatch("[0-9a-f]{64}", card["fingerprint"])
    listed = agent.request("GET", "/authorizations").json["authorizations"]
    assert [item["ref"] for item in listed] == [ref]
    assert agent.request("GET", "/authorizations?connection=fern").json["authorizations"] == []
    assert agent.request("GET", "/connections").json == home.json("connections")
    assert agent.request("GET", "/history?verify=true").json == home.json("history", "--verify")
    assert agent.request("GET", "/consents").status == 200
    assert agent.request("GET", "/status").json == home.json("status", pin=False)


CONTENT = [
    ("GET", "/connections"), ("GET", "/authorizations"), ("GET", "/authorizations/demobank:1"), ("GET", "/history"),
    ("GET", "/consents"), ("DELETE", "/consents/demobank:1"), ("DELETE", "/connections/demobank"),
    ("POST", "/connections/demobank/prove"), ("POST", "/use"), ("POST", f"/authorizations/demobank:1/deny?fingerprint={'0' * 64}"),
    ("POST", f"/authorizations/demobank:1/approve?fingerprint={'0' * 64}")]
BODIES = [
    ("PATCH", "/connections/demobank", {"name": "x"}), ("POST", "/actions", {"link": "x", "connection": "demobank"}),
    ("POST", "/actions/candidates", {"link": "x"}), ("POST", "/enrollments", {"link": "x"})]


def test_nothing_is_shown_or_done_while_it_is_locked(agent, shut, bank, pinentry):
    bank.post("requests/clear")
    for method, path, *body in CONTENT + BODIES:
        answer = shut.request(method, path, body=json.dumps(body[0]) if body else None, headers=HERE)
        assert refusal(answer, 423, "locked") == "the agent is locked", (method, path)
    assert bank.get("requests") == [] and pinentry.asked() == []


# The PIN


@pytest.mark.parametrize("pin", [PIN, WRONG, "x", " "])
def test_a_pin_from_a_foreign_program_is_not_even_tried(agent, bank, home, pinentry, pin):
    ref = pay(bank)
    for source in ("person", "file"):
        headers = HERE | {"Countersign-PIN-Source": source}
        message = refusal(decide(agent, "approve", ref, body=pin, headers=headers), 403, "usage")
        assert "its own prompt" in message
        refusal(unlock(agent, body=pin, headers=headers), 403, "usage")
    home.ok("lock", pin=False)
    refusal(unlock(agent, body=pin), 403, "usage")
    assert agent.state == "shut"
    assert failures(home) == 0 and received(bank, ref) == 0 and pinentry.asked() == []


@pytest.mark.parametrize("size", [1025, 60_000])
def test_a_body_that_is_no_pin_is_refused(agent, bank, home, size):
    ref = pay(bank)
    refusal(decide(agent, "approve", ref, body=b"1" * size), 413, "usage")
    refusal(unlock(agent, body=b"1" * size), 413, "usage")
    refusal(unlock(agent, body=iter([b"1" * (size // 2)] * 3)), 413, "usage")
    assert failures(home) == 0 and received(bank, ref) == 0 and agent.state == "open"


def test_the_agent_asks_for_the_pin_that_unlocks(shut, home, pinentry):
    pinentry.answers(typed(WRONG), typed(PIN))
    answer = unlock(shut)
    assert answer.status == 200 and answer.json["locked"] is False and answer.json["keys_in_memory"] is True, answer
    assert pinentry.asked() == ["GETPIN", "GETPIN"] and pinentry.told("SETERROR") == ["wrong PIN; 8 tries are left"]
    assert pinentry.told("SETDESC")[0].startswith(
        f"Unlock Countersign\nEnter your PIN to open your bank connections\nAsked by process {os.getpid()}: ")
    assert failures(home) == 0
    home.ok("lock", pin=False)
    pinentry.answers(CANCEL)
    refusal(unlock(shut), 409, "cancelled")
    assert shut.state == "shut" and failures(home) == 0


def test_three_wrong_pins_end_the_asking(shut, home, pinentry):
    pinentry.answers(*[typed(WRONG)] * 4)
    answer = unlock(shut)
    assert refusal(answer, 401, "locked") == "wrong PIN; 6 tries are left" and "WWW-Authenticate" in answer.headers
    assert pinentry.asked() == ["GETPIN"] * 3 and failures(home) == 3
    pinentry.answers(*[typed(WRONG)] * 4)
    assert "wrong PIN; 4 tries are left" in refusal(unlock(shut), 423, "locked")
    assert pinentry.asked() == ["GETPIN"] * 2 and failures(home) == 5
    # While it is blocked nobody is asked.
    pinentry.answers(typed(PIN))
    assert "the next try is allowed in" in refusal(unlock(shut), 423, "locked")
    assert pinentry.asked() == []


def test_the_last_try_is_warned_of(shut, home, pinentry):
    change_pin_record(home, lambda record: record.update(failures=8))
    pinentry.answers(CANCEL)
    refusal(unlock(shut), 409, "cancelled")
    [warning] = pinentry.told("SETERROR")
    assert "last try" in warning and "destroys all keys" in warning and failures(home) == 8


def test_a_question_appears_where_the_front_end_says(agent, bank, home, pinentry, terminal):
    ref = pay(bank)
    answer = decide(agent, "approve", ref, headers={})
    assert "nowhere to ask" in refusal(answer, 423, "locked")
    assert answer.json["error"]["hint"] == f"countersign approve {ref}"
    for headers, options in (
            ({"Countersign-Display": "%3A9", "Countersign-XAuthority": "/tmp/x%20y"}, {"display=:9", "xauthority=/tmp/x y"}),
            ({"Countersign-Wayland-Display": "wayland-7"}, {"wayland-display=wayland-7"}),
            ({"Countersign-TTY": terminal, "Countersign-Term": "xterm"}, {f"ttyname={terminal}", "ttytype=xterm"}),
            ({"Countersign-TTY": f"/dev/../dev{terminal[4:]}"}, {f"ttyname={terminal}"})):
        pinentry.answers(CANCEL)
        refusal(decide(agent, "approve", ref, headers=headers), 409, "cancelled")
        assert options <= set(pinentry.told("OPTION"))
    # Who forbids questions is not asked.
    pinentry.answers(typed(PIN))
    refusal(decide(agent, "approve", ref, headers=HERE | {"Countersign-No-Input": "1"}), 423, "locked")
    refusal(unlock(agent, headers=HERE | {"Countersign-No-Input": "1"}), 423, "locked")
    assert pinentry.asked() == [] and received(bank, ref) == 0


def test_a_question_appears_in_one_place_alone(lone, agents, pinentry, terminal):
    """Not also on the desktop that the agent was started in, which may be locked, or somebody else's by now."""
    home, bank = lone
    place = {"WAYLAND_DISPLAY": "wayland-1", "XAUTHORITY": "/tmp/own"}
    agent = agents(home, pinentry=pinentry, display=":99", environment=place).unlock()
    ref = pay(bank)
    for headers, expected in (
            ({}, {"display=:99", "wayland-display=wayland-1", "xauthority=/tmp/own"}),
            ({"Countersign-TTY": terminal}, {f"ttyname={terminal}"}), ({"Countersign-Display": "%3A9"}, {"display=:9"}),
            # The same display, to which the agent has the key.
            ({"Countersign-Display": "%3A99"}, {"display=:99", "xauthority=/tmp/own"})):
        pinentry.answers(CANCEL)
        refusal(decide(agent, "approve", ref, headers=headers), 409, "cancelled")
        places = ("ttyname=", "display=", "wayland-display=", "xauthority=")
        assert {option for option in pinentry.told("OPTION") if option.startswith(places)} == expected
    assert agent.stop() == 0


# Approving


def test_the_agents_prompt_shows_what_is_approved_and_who_asks(agent, bank, home, pinentry):
    ref = pay(bank, "Pay <b>9.90</b> EUR\x1b[2J", "To Fern Books")
    card = seen(agent, ref)
    pinentry.answers(YES, typed(WRONG), typed(PIN))
    answer = decide(agent, "approve", ref)
    assert answer.status == 200, answer
    assert (answer.json["outcome"], answer.json["basis"], answer.json["error"]) == ("confirmed", "answered", None)
    assert pinentry.asked() == ["CONFIRM", "GETPIN", "GETPIN"] and pinentry.told("SETERROR") == ["wrong PIN; 8 tries are left"]
    page, shown = pinentry.told("SETDESC")[:2]
    assert page.startswith("Approve request\nPage 1 of 1, then the PIN\nTitle: ") and "\n> To Fern Books" in page
    digits = card["fingerprint"][:16]
    assert "Demo Bank" in shown and bank.url.removeprefix("http://") in shown
    assert "Pay <b>9.90</b> EUR" in shown and "\x1b" not in shown and "[2J" in shown
    assert digits in shown.replace(" ", "")
    assert f"Asked by process {os.getpid()}: " in shown and "python3" in shown
    assert PIN not in json.dumps(answer.json) + agent.said + "".join(pinentry.lines)
    assert bank.authorization(card["id"])["status"] == "confirmed" and received(bank, ref) == 1
    # The log names this process.
    [sending] = [e["kind"]["sending"]["_0"] for e in log_events(home, PIN) if "sending" in e["kind"]][-1:]
    assert sending["shown"]["id"] == card["id"] and sending["verdict"] == "approve"
    assert sending["requester"]["pid"] == os.getpid() and sending["requester"]["uid"] == os.getuid()
    assert "python3" in sending["requester"]["commands"][0]
    assert home.json("history", "--verify")["log"] == "intact"


def test_approving_always_asks(agent, bank, pinentry):
    """The agent is open, and a PIN was entered a moment ago."""
    for _ in range(2):
        ref = pay(bank)
        pinentry.answers(YES, typed(PIN))
        assert decide(agent, "approve", ref).status == 200
        assert pinentry.asked() == ["CONFIRM", "GETPIN"]


def test_a_front_end_that_shows_something_else_gets_no_pin_for_it(agent, bank, pinentry):
    """It named the fingerprint; what it showed nobody knows. The agent shows the whole card, and a no there sends nothing."""
    ref = pay(bank, "Pay 9.90 EUR", "\n".join(f"Line {number}" for number in range(80)) + "\nAmount: 9,000.00 EUR")
    for answers in ([NO], [YES, CANCEL]):
        pinentry.answers(*answers)
        refusal(decide(agent, "approve", ref), 409, "cancelled")
        assert pinentry.asked() == ["CONFIRM"] * len(answers)
    pinentry.answers(*[YES] * 20, CANCEL)
    decide(agent, "approve", ref)
    shown = "\n".join(pinentry.told("SETDESC"))
    assert all(f"> Line {number}\n" in shown for number in range(80)) and "Amount: 9,000.00 EUR" in shown
    assert received(bank, ref) == 0


def test_approving_the_same_again_takes_what_it_says_typed(agent, bank, pinentry):
    for answers, status in (
        ([YES, typed(PIN)], 200), ([YES, typed("Pay 1.00 EUR")], 409), ([YES, CANCEL], 409),
        ([YES, typed("pay 7.77 EUR"), typed(PIN)], 200),
    ):
        ref = pay(bank, "Pay 7.77 EUR", "To Fern Books")
        pinentry.answers(*answers)
        answer = decide(agent, "approve", ref)
        assert answer.status == status, answer
        assert bank.authorization(ref.split(":")[1])["status"] == ("confirmed" if status == 200 else "pending")
    assert any("approved the same a few minutes ago" in " ".join(words.replace("↳ ", "").split()) for words in pinentry.told("SETDESC"))


def test_a_person_who_cancels_approves_nothing(agent, bank, home, pinentry):
    ref = pay(bank)
    pinentry.answers(CANCEL)
    refusal(decide(agent, "approve", ref), 409, "cancelled")
    pinentry.answers(YES, "OK\n")
    refusal(decide(agent, "approve", ref), 409, "cancelled")
    assert received(bank, ref) == 0 and failures(home) == 0
    assert [d for d in home.json("history")["decisions"] if d["ref"] == ref] == []


@pytest.mark.parametrize("verb", ["approve", "deny"])
def test_a_decision_names_the_whole_of_what_was_shown(agent, bank, pinentry, verb):
    ref = pay(bank)
    right = seen(agent, ref)["fingerprint"]
    for claim in ("", right[:16], right[:63], right.upper(), right + "0", "g" * 64):
        assert "64 digits" in refusal(decide(agent, verb, ref, claim), 400, "usage")
    assert agent.request("POST", f"/authorizations/{ref}/{verb}").status == 400
    refusal(decide(agent, verb, ref, "0" * 64), 412, "changed")
    bank.admin("PATCH", f"authorizations/{ref.split(':')[1]}", title="Pay 990.00 EUR")
    if verb == "approve":
        # What the agent saw before is not what the bank would be answered on.
        pinentry.answers(YES, typed(PIN))
    refusal(decide(agent, verb, ref, right), 412, "changed")
    assert received(bank, ref) == 0


def test_denying_needs_no_pin_but_an_open_agent(agent, bank, home, pinentry):
    ref = pay(bank)
    answer = decide(agent, "deny", ref)
    assert answer.status == 200 and answer.json["outcome"] == "denied", answer
    assert pinentry.asked() == [] and bank.authorization(ref.split(":")[1])["status"] == "denied"
    sending = [e["kind"]["sending"]["_0"] for e in log_events(home, PIN) if "sending" in e["kind"]][-1]
    assert sending["requester"]["pid"] == os.getpid()


def test_a_title_that_must_be_typed_is_no_matter_for_a_prompt(agent, bank, pinentry):
    ref = "fern:" + bank.pay("Release the Kraken", {}, protocol="v2")
    assert "must be typed" in refusal(decide(agent, "approve", ref), 423, "locked")
    assert pinentry.asked() == [] and received(bank, ref) == 0


def test_one_question_at_a_time(agent, bank, pinentry):
    first, second = pay(bank, "First"), pay(bank, "Second")
    pinentry.answers("<hang>")
    connection = UnixConnection(agent.socket, 60)
    path = f"/authorizations/{first}/approve?fingerprint={seen(agent, first)['fingerprint']}"
    connection.request("POST", path, headers=HERE)
    pinentry.until_asked("CONFIRM")
    assert "another question is being asked" in refusal(decide(agent, "approve", second), 423, "locked")
    # Everything else goes on.
    assert decide(agent, "deny", second).json["outcome"] == "denied"
    # Who asked leaves: nobody is left with a question that means nothing.
    [pid] = pinentry.pids()
    connection.close()
    until(lambda: not os.path.exists(f"/proc/{pid}"), 60)
    pinentry.answers(YES, typed(PIN))
    until(lambda: decide(agent, "approve", first).status == 200, 60)
    assert received(bank, first) == 1


# What no program of ours sends


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://x"])
def test_web_pages_are_not_served(agent, bank, pinentry, origin):
    ref = pay(bank)
    fingerprint = seen(agent, ref)["fingerprint"]
    for method, path in (("GET", "/agent"), ("GET", "/authorizations"), ("GET", "/events"), ("POST", "/unlock"),
                         ("POST", f"/authorizations/{ref}/deny?fingerprint={fingerprint}"), ("GET", "/nothing")):
        refusal(agent.request(method, path, headers=HERE | {"Origin": origin}), 403, "usage")
    assert received(bank, ref) == 0 and pinentry.asked() == []


@pytest.mark.parametrize("method, path, status", [
    ("GET", "/", 404), ("GET", "/nothing", 404), ("GET", "/agent/", 404), ("POST", "/agent", 405), ("DELETE", "/events", 405),
    ("GET", "/authorizations?connection=a&connection=b", 400), ("GET", "/authorizations?colour=red", 400),
    ("GET", "/authorizations/%zz", 400), ("GET", "/history?limit=many", 400), ("GET", "/history?verify=maybe", 400),
    ("GET", "/history?since=soon", 400), ("GET", "/authorizations/nordia:1", 404), ("GET", "/authorizations/1", 400),
    ("PATCH", "/connections/demobank", 400), ("POST", "/enrollments", 400), ("DELETE", "/authorizations/demobank:1/wait", 404)])
def test_what_cannot_be_answered(agent, method, path, status):
    answer = agent.request(method, path)
    assert answer.status == status and answer.json["error"]["message"], answer


@pytest.mark.parametrize("headers", [
    {"Countersign-PIN-Source": "argv"}, {"Countersign-No-Input": "yes"}, {"Countersign-TTY": "pts/1"},
    {"Countersign-TTY": "%2Fdev%2Fpts%2F1%0A"}, {"Countersign-TTY": "/dev/pts/../../etc/passwd"},
    {"Countersign-TTY": "/dev/pts/%2E%2E/null"}, {"Countersign-TTY": "/dev/null"}, {"Countersign-TTY": "/dev/tty"},
    {"Countersign-TTY": "/dev/pts/999999"}, {"Countersign-TTY": "/dev/shm"}, {"Countersign-Display": "%zz"}, {"Countersign-Display": "x" * 2000}])
def test_headers_that_cannot_be_read(agent, pinentry, headers):
    refusal(unlock(agent, headers=HERE | headers), 400, "usage")
    assert pinentry.asked() == []


def test_a_terminal_is_where_its_name_leads(agent, pinentry, terminal, tmp_path):
    """Not where it seems to: a link, a terminal that was given away."""
    link = f"/dev/shm/countersign-test-{os.getpid()}"
    for target, is_good in ((terminal, True), ("/dev/null", False), (str(tmp_path), False)):
        os.symlink(target, link)
        try:
            answer = agent.request("GET", "/status", headers={"Countersign-TTY": link})
        finally:
            os.unlink(link)
        assert answer.status == (200 if is_good else 400), (target, answer)
    with terminal_of_another_user() as name:
        refusal(agent.request("GET", "/status", headers={"Countersign-TTY": name}), 400, "usage")
    assert pinentry.asked() == []


@pytest.mark.parametrize("text", [
    b"hello\r\n\r\n", b"GET /agent HTTP/1.1\r\n\r\n\0\0\0", b"GET " + b"/" * 100_000 + b" HTTP/1.1\r\n\r\n",
    b"POST /unlock HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 7\r\n\r\nabcdefg", b"\x16\x03\x01\0\xff" * 50],
    ids=["no HTTP", "no Host", "long path", "two lengths", "TLS"])
def test_babble_leaves_the_agent_well(agent, text):
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(30)
        line.connect(str(agent.socket))
        try:
            line.sendall(text)
            line.shutdown(socket.SHUT_WR)
            while line.recv(65536):
                pass
        except OSError:
            pass
    assert agent.handshake()["state"] == "open"
