"""watch: the stream of events for programs, the live view on a terminal, one round of questions."""

import datetime
import io
import json
import os
import queue
import re
import signal
import subprocess
import threading
import time

import pexpect
import pytest
from agents import agents, clock, configure, pinentry, typed
from conftest import PIN, Bank, check_schema, finish
from innards import until

ESCAPE = re.compile(r"\x1b\[\??[0-9;]*[A-Za-z]")


class Stream:
    """`watch --json`, line by line."""

    def __init__(self, home, *args):
        self.process = subprocess.Popen(
            home.argv("watch", "--json", "--pin-file", home.pin_file, *args), stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True, env=home.environment)
        self.lines = queue.Queue()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))

    def next(self, timeout=30):
        event = self.lines.get(timeout=timeout)
        check_schema(("watch",), event)
        return event

    def expect(self, word):
        event = self.next()
        assert event["event"] == word, event
        return event

    def stop(self, number=signal.SIGTERM):
        """Ends it; returns the exit code. Nothing unread may be left."""
        self.process.send_signal(number)
        code = self.process.wait(20)
        self.reader.join(10)
        assert self.lines.empty(), self.lines.get()
        assert self.process.stderr.read() == ""
        return code


@pytest.fixture
def stream(connected):
    stream = Stream(connected)
    yield stream
    stream.process.kill()
    stream.process.wait()


def watch(home, *args, environment=None, **options):
    """The live view on a terminal; `said` collects all that reached the terminal."""
    child = home.terminal("watch", *args, environment={"NO_COLOR": "1", **(environment or {})}, **options)
    child.logfile_read = child.said = io.StringIO()
    child.expect("PIN: ")
    child.sendline(PIN)
    return child


def idle(child):
    child.expect_exact("Nothing waits.")
    return child


def approve(child):
    child.send("a")
    child.expect_exact("PIN to approve (empty cancels): ")
    child.sendline(PIN)


# The stream


def test_stream_tells_what_comes_changes_and_goes(stream, bank, connected):
    id = bank.pay()
    added = stream.expect("added")
    assert (added["id"], added["title"], added["text"]) == (id, "Pay 9.90 EUR", "To Fern Books")
    assert added["ref"] == f"demobank:{id}" and 0 < added["seconds_left"] <= 300
    bank.admin("PATCH", f"authorizations/{id}", title="Pay 990 EUR")
    changed = stream.expect("changed")
    assert (changed["id"], changed["title"]) == (id, "Pay 990 EUR")
    assert changed["fingerprint"] != added["fingerprint"]
    bank.post(f"authorizations/{id}/close")
    removed = stream.expect("removed")
    assert (removed["id"], removed["fingerprint"]) == (id, changed["fingerprint"])
    assert stream.stop() == 0


def test_stream_tells_of_a_decision_made_by_another_process(stream, bank, connected):
    id = bank.pay()
    added = stream.expect("added")
    connected.ok("approve", added["ref"], "--fingerprint", added["fingerprint"])
    decided = stream.expect("decided")
    assert (decided["ref"], decided["decision"], decided["outcome"]) == (added["ref"], "approve", "confirmed")
    assert (decided["basis"], decided["fingerprint"], decided["error"]) == ("answered", added["fingerprint"], None)
    assert stream.expect("removed")["id"] == id
    assert stream.stop(signal.SIGINT) == 0


def test_stream_tells_a_failure_once_and_keeps_what_is_known(stream, bank):
    bank.pay()
    stream.expect("added")
    bank.fault("authorizations.list", times=1000, status=500, error_class="InternalError")
    failure = stream.expect("failure")
    assert (failure["connection"], failure["kind"]) == ("demobank", "refused")
    asked = len(bank.get("requests?operation=authorizations.list"))
    deadline = time.time() + 40
    while len(bank.get("requests?operation=authorizations.list")) < asked + 1:
        assert time.time() < deadline
        time.sleep(0.2)
    bank.post("faults/clear")
    id = bank.pay("Pay 1.00 EUR")
    # Nothing in between: neither the same failure again nor the item that was there all the time.
    assert stream.expect("added")["id"] == id
    assert stream.stop() == 0


def test_stream_obeys_retry_after(stream, bank):
    """Without the header it would ask again after less than 7 s."""
    bank.pay()
    stream.expect("added")
    bank.fault(
        "authorizations.list", times=1, status=429, error_class="TooManyRequests", headers={"Retry-After": "9"})
    stream.expect("failure")
    id = bank.pay("Pay 1.00 EUR")
    assert stream.expect("added")["id"] == id
    requests = bank.get("requests?operation=authorizations.list")
    [refused] = [n for n, r in enumerate(requests) if r["status"] == 429]
    times = [datetime.datetime.fromisoformat(r["at"].replace("Z", "+00:00")) for r in requests]
    gaps = {abs((times[n] - times[refused]).total_seconds()) for n in (refused - 1, refused + 1)}
    assert max(gaps) >= 8, gaps


def test_stream_of_a_connection_that_the_bank_forgets(stream, bank):
    id = bank.pay()
    stream.expect("added")
    [connection] = bank.get("connections")
    bank.post(f"connections/{connection['id']}/revoke")
    events = [stream.next(), stream.next()]
    assert {e["event"] for e in events} == {"failure", "removed"}
    [removed] = [e for e in events if e["event"] == "removed"]
    assert removed["id"] == id
    asked = len(bank.get("requests?operation=authorizations.list"))
    time.sleep(4)
    assert len(bank.get("requests?operation=authorizations.list")) == asked
    assert stream.stop() == 0


def test_stream_ends_with_its_reader(connected, bank):
    process = subprocess.Popen(
        connected.argv("watch", "--json", "--pin-file", connected.pin_file), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=connected.environment)
    bank.pay()
    assert json.loads(process.stdout.readline())["event"] == "added"
    process.stdout.close()
    assert process.wait(20) == 0
    process.stderr.close()


def test_stream_needs_the_pin(connected):
    result = connected.run("watch", "--json", "--no-input", pin=False)
    assert result.code == 3 and result.json["error"]["kind"] == "locked"


def test_one_round_of_events(connected, bank):
    ids = [bank.pay(), bank.pay("Pay 1.00 EUR")]
    result = connected.ok("watch", "--once", "--json")
    events = [json.loads(line) for line in result.out.splitlines()]
    for event in events:
        check_schema(("watch",), event)
    assert [(e["event"], e["id"]) for e in events] == [("added", id) for id in ids]
    bank.fault("authorizations.list", times=1, status=500, error_class="InternalError")
    result = connected.run("watch", "--once", "--json")
    assert result.code == 5 and result.json["event"] == "failure"


def test_watch_asks_only_on_a_terminal(connected):
    for args in (("watch",), ("watch", "--once")):
        assert connected.run(*args).code == 3
    child = connected.terminal("watch", "--no-input", "--pin-file", connected.pin_file)
    assert finish(child) == 3


# The live view


def test_approve_deny_skip_and_quit(connected, bank):
    child = idle(watch(connected))
    first = bank.pay()
    child.expect_exact("│ Pay 9.90 EUR")
    child.expect(r"expires in \d:\d\d")
    child.expect_exact(f"└ demobank:{first} ")
    approve(child)
    child.expect_exact(f"approved  demobank:{first}  confirmed by the bank at ")
    assert bank.authorization(first)["status"] == "confirmed"
    idle(child)

    second, third = bank.pay("Pay 5.00 EUR"), bank.pay("Sign in to Fern Online")
    child.expect_exact("[a]pprove")
    child.expect_exact(f"demobank:{third}  in ")
    child.send("s")
    child.expect_exact("│ Sign in to Fern Online")
    child.expect(rf"demobank:{second}  in \d:\d\d  skipped")
    child.send("d")
    child.expect_exact("Deny this? [y/N] ")
    child.sendline("y")
    child.expect_exact(f"denied  demobank:{third}  denied at the bank at ")
    assert bank.authorization(third)["status"] == "denied"
    child.expect_exact("[s]how again")
    child.send("s")
    child.expect_exact("│ Pay 5.00 EUR")
    child.expect_exact("[q]uit")
    child.send("q")
    assert finish(child) == 0
    assert bank.authorization(second)["decisions_received"] == 0


def test_what_is_decided_or_withdrawn_elsewhere_leaves(connected, bank):
    child = idle(watch(connected))
    first = bank.pay()
    child.expect_exact("[a]pprove")
    item = connected.json("pending")["authorizations"][0]
    connected.ok("deny", item["ref"], "--fingerprint", item["fingerprint"])
    child.expect_exact(f"denied  demobank:{first}  elsewhere on this computer: denied")
    idle(child)
    second = bank.pay()
    child.expect_exact("[a]pprove")
    bank.admin("PATCH", f"authorizations/{second}", title="Pay 990 EUR")
    child.expect_exact(f"changed  demobank:{second}")
    child.expect_exact("│ Pay 990 EUR")
    bank.post(f"authorizations/{second}/close")
    child.expect_exact(f"gone  demobank:{second}")
    idle(child).send("q")
    assert finish(child) == 0


def test_an_approval_needs_the_right_pin_each_time(connected, bank):
    child = idle(watch(connected))
    id = bank.pay()
    child.expect_exact("[a]pprove")
    child.send("a")
    child.expect_exact("PIN to approve (empty cancels): ")
    for _ in range(2):
        child.sendline("999111")
        child.expect_exact("wrong PIN")
        child.expect_exact("PIN to approve (empty cancels): ")
    child.sendline("999111")
    # The third ends the question, not the view.
    child.expect_exact("error: wrong PIN; 6 tries are left")
    child.expect_exact("[a]pprove")
    child.send("a")
    child.expect_exact("PIN to approve (empty cancels): ")
    child.send("\x03")
    child.expect_exact("[a]pprove")
    assert bank.authorization(id)["decisions_received"] == 0
    approve(child)
    child.expect_exact("confirmed by the bank")
    idle(child).send("q")
    assert finish(child) == 0


def test_the_same_twice_asks_for_the_title(connected, bank):
    child = idle(watch(connected))
    first = bank.pay()
    child.expect_exact("[a]pprove")
    approve(child)
    child.expect_exact(f"approved  demobank:{first}")
    second = bank.pay(description="To somebody else")
    child.expect_exact("warning: 2 like requests came within a minute")
    child.expect_exact("[a]pprove")
    child.send("a")
    child.expect_exact("Type the title to approve it again: ")
    child.sendline("yes")
    child.expect_exact("that is not the title; nothing was sent")
    child.expect_exact("[a]pprove")
    child.send("a")
    child.expect_exact("Type the title to approve it again: ")
    child.sendline("pay 9.90 eur")
    child.expect_exact("PIN to approve (empty cancels): ")
    assert bank.authorization(second)["decisions_received"] == 0
    child.sendline(PIN)
    child.expect_exact(f"approved  demobank:{second}")
    child.send("q")
    assert finish(child) == 0


def test_the_same_twice_asks_for_the_amount_where_there_is_one(home, bank):
    home.set_pin().enroll(bank, protocol="v2")
    bank.post("settings", processing_polls=0)
    payment = {"payment": {"payee": "Fern Books", "amount": "9.90 EUR", "account": "AT00 1234"}}
    first, second = (bank.pay("Payment", payment) for _ in range(2))
    child = watch(home, "--once")
    child.expect_exact("warning: 2 like requests came within a minute")
    for id, typed in ((first, None), (second, "9.90 EUR")):
        child.expect_exact("[q]uit")
        child.send("a")
        if typed:
            child.expect_exact("Type the amount to approve it again: ")
            child.sendline(typed)
        child.expect_exact("PIN to approve (empty cancels): ")
        child.sendline(PIN)
        child.expect_exact(f":{id}  confirmed by the bank")
    assert finish(child) == 0


@pytest.mark.parametrize("args", [[], ["--once"]], ids=["live", "once"])
@pytest.mark.parametrize("protocol", ["v1", "v2"])
def test_the_same_twice_asks_across_commands(home, bank, protocol, args):
    home.set_pin().enroll(bank, protocol=protocol)
    bank.post("settings", processing_polls=0)
    payment = {"payment": {"payee": "Fern Books", "amount": "9.90 EUR", "account": "AT00 1234"}}
    item = {"description": payment} if protocol == "v2" else {}
    bank.pay(**item)
    [first] = home.json("pending")["authorizations"]
    home.ok("approve", first["ref"], "--fingerprint", first["fingerprint"])
    bank.pay(**item)
    child = watch(home, *args)
    child.expect_exact("[a]pprove")
    child.send("a")
    child.expect_exact(f"Type the {'amount' if protocol == 'v2' else 'title'} to approve it again: ")
    child.sendline("no")
    child.expect_exact("nothing was sent")
    child.send("q")
    assert finish(child) == 0


def test_an_amount_that_nobody_sees_is_none_to_type(connected, bank):
    connected.enroll(bank, protocol="v2", name="fern")
    item = {"title": "Pay Fern Books", "description": {"payment": {"payee": "Fern Books", "amount": " "}}}
    bank.pay(protocol="v2", **item)
    [first] = connected.json("pending")["authorizations"]
    connected.ok("approve", first["ref"], "--fingerprint", first["fingerprint"])
    bank.pay(protocol="v2", **item)
    child = watch(connected)
    child.expect_exact("[a]pprove")
    child.send("a")
    child.expect_exact("Type the title to approve it again: ")
    child.sendline("")
    child.expect_exact("nothing was sent")
    child.send("q")
    assert finish(child) == 0


def test_this_was_not_me(connected, bank):
    child = idle(watch(connected))
    id = bank.pay()
    child.expect_exact("[n]ot me")
    child.send("n")
    child.expect_exact("Deny this? [y/N] ")
    child.sendline("y")
    # The card leaves the screen, as at every lock; what became of it stays.
    child.expect_exact("\x1b[3J")
    child.expect_exact(f"denied  demobank:{id}")
    child.expect_exact("Disconnect demobank too?")
    child.sendline("y")
    child.expect_exact("Revoked: demobank")
    child.expect_exact("Locked.")
    assert finish(child) == 0
    assert bank.authorization(id)["status"] == "denied"
    assert bank.get("connections")[0]["status"] == "revoked"
    assert connected.json("connections")["connections"] == []


def test_hostile_text_is_never_interpreted(connected, bank):
    child = idle(watch(connected, "--no-bell"))
    bank.pay("Pay\x1b[2J\x1b]0;owned\x07 \u202e9.90 EUR", "To\u200b\x9b31m Fern\rBooks")
    bank.pay("\x1b[31mred\x1b[H")
    child.expect_exact("⟨U+001B⟩")
    child.expect_exact("[q]uit")
    child.send("s")
    child.expect_exact("skipped")
    child.send("q")
    assert finish(child) == 0
    said = child.said.getvalue()
    # What is left is our own: cursor up and erase below, the marks around what is pasted; no colour under NO_COLOR.
    left = {e for e in ESCAPE.findall(said) if e[-1] not in "AJ"}
    assert left == {"\x1b[?2004h", "\x1b[?2004l"}, left
    assert "\x1b[2J" not in said
    rest = ESCAPE.sub("", said)
    assert not re.search("[\x00-\x07\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b\u202e]", rest), rest
    assert "⟨U+202E⟩" in rest and "⟨U+200B⟩" in rest


def test_a_new_size_redraws(connected, bank):
    child = idle(watch(connected))
    bank.pay()
    child.expect_exact("[q]uit")
    child.setwinsize(30, 50)
    # The rule of the card is as wide as the terminal.
    child.expect_exact("┌" + "─" * 49 + "\r\n")
    child.send("q")
    assert finish(child) == 0


def test_a_small_window_holds_the_area_and_growing_leaves_nothing_of_it(connected, bank):
    child = idle(watch(connected, columns=80))
    bank.pay()
    child.expect_exact("│ Pay 9.90 EUR")
    child.expect_exact("[q]uit")
    tall = 10
    child.setwinsize(4, 12)
    assert erased(child, tall) > tall, "all of it was wrapped"
    child.expect_exact("a d s n q ?\r\n")
    # It has the window's rows but the cursor's, and none wraps.
    drawn = (child.before + child.after).splitlines()
    assert len(drawn) == 3 and all(len(line) <= 12 for line in drawn), drawn
    child.setwinsize(24, 80)
    # A terminal that kept what did not fit shows it again above the small area.
    assert 3 < erased(child, 3) <= 3 + tall
    child.expect_exact("│ Pay 9.90 EUR")
    child.expect_exact("[q]uit")
    assert erased(child, 0) <= tall
    child.send("q")
    assert finish(child) == 0


def erased(child, usual):
    """How many rows are erased when the window has another size. Before the program hears of that, the clock may make it draw
    once more in the old size, which erases the usual rows."""
    for _ in range(10):
        child.expect(r"\x1b\[(\d+)A\r\x1b\[J")
        rows = int(child.match.group(1))
        if rows != usual:
            break
    return rows


@pytest.mark.parametrize("way", ["q", "ctrl-c", "SIGTERM", "SIGTERM at a question"])
def test_the_terminal_is_put_back(connected, bank, way):
    bank.pay()
    script = 'stty -g; "$0" watch; echo "code=$?"; stty -g'
    child = pexpect.spawn(
        "bash", ["-c", script, connected.argv()[0]], env=connected.environment, encoding="utf-8", timeout=30,
        dimensions=(40, 80))
    child.expect(r"([0-9a-f:]{20,})\r\n")
    before = child.match.group(1)
    child.expect("PIN: ")
    child.sendline(PIN)
    # Before the bank answers there is nothing to approve, and its keys do nothing.
    child.expect_exact("[n]ot me  [q]uit")
    [pid] = [
        int(p) for p in os.listdir("/proc") if p.isdigit()
        and (stat := read_stat(p)) and stat[1] == str(child.pid) and stat[0] == "countersign"]
    if way == "q":
        child.send("q")
    elif way == "ctrl-c":
        child.send("\x03")
    else:
        if way == "SIGTERM at a question":
            child.send("a")
            child.expect_exact("PIN to approve (empty cancels): ")
        os.kill(pid, signal.SIGTERM)
    child.expect_exact("code=0")
    child.expect(r"([0-9a-f:]{20,})\r\n")
    assert child.match.group(1) == before
    assert finish(child) == 0


def read_stat(pid):
    """Name and parent of a process; None when it has gone."""
    try:
        text = open(f"/proc/{pid}/stat").read()
    except OSError:
        return None
    name, rest = text[text.index("(") + 1:text.rindex(")")], text[text.rindex(")") + 2:].split()
    return name, rest[1]


def test_five_minutes_without_a_key_lock(connected, bank, clock):
    child = connected.terminal("watch", environment={"NO_COLOR": "1", **clock.environment})
    child.expect("PIN: ")
    child.sendline(PIN)
    idle(child)
    bank.pay(expires_in=3000)
    child.expect_exact("│ Pay 9.90 EUR")
    child.expect_exact("[q]uit")
    clock.at(290)
    child.expect(r"expires in 4[45]:")
    child.send("s")
    child.expect_exact("[s]how again")
    clock.at(580)
    child.expect(r"in (39|40):\d\d")
    clock.at(600)
    # Everything is wiped, the scrollback too, and nothing is drawn before the PIN.
    child.expect_exact("\x1b[3J")
    child.expect_exact("Locked. What waits is shown again after the PIN.")
    child.expect("PIN: ")
    child.sendline("999111")
    child.expect_exact("wrong PIN")
    child.expect("PIN: ")
    assert "9.90" not in child.before
    child.sendline(PIN)
    child.expect_exact("│ Pay 9.90 EUR")
    child.send("q")
    assert finish(child) == 0


@pytest.mark.parametrize("args", [[], ["--once"]], ids=["live", "once"])
def test_a_pin_file_does_not_approve_by_one_key(connected, bank, args):
    id = bank.pay()
    child = connected.terminal("watch", *args, "--pin-file", connected.pin_file, environment={"NO_COLOR": "1"})
    for answer in ("", "y"):
        child.expect_exact("[a]pprove")
        child.send("a")
        child.expect_exact("Approve this? [y/N] ")
        assert bank.authorization(id)["decisions_received"] == 0
        child.sendline(answer)
        if args:
            assert finish(child) == 0 and bank.authorization(id)["decisions_received"] == 0
            return
    child.expect_exact(f"approved  demobank:{id}  confirmed by the bank at ")
    child.send("q")
    assert finish(child) == 0


@pytest.mark.parametrize("key,question", [
    ("a", "PIN to approve (empty cancels): "), ("d", "Deny this? [y/N] "), ("n", "Disconnect demobank too?")])
def test_a_lock_takes_an_open_question_back(connected, agents, bank, key, question):
    """What is typed on goes nowhere, least of all into a shell."""
    agent = agents(connected).unlock()
    bank.pay()
    child = pexpect.spawn(
        "bash", ["-c", '"$0" watch; echo "code=$?"; cat', connected.argv()[0]],
        env={**connected.environment, "NO_COLOR": "1"}, encoding="utf-8", timeout=30, dimensions=(40, 80))
    child.expect_exact("[a]pprove")
    child.send(key)
    if key == "n":
        child.expect_exact("Deny this? [y/N] ")
        child.sendline("y")
    child.expect_exact(question)
    child.send("4711")
    connected.ok("lock", pin=False)
    child.expect_exact("\x1b[3J")
    if key == "n":
        # It was to end with a lock anyway.
        child.expect_exact("Locked.")
        child.expect_exact("code=0")
        return
    child.expect_exact("Locked. Press Enter to type the PIN; what waits is shown again after it.")
    # The rest of what was being typed is no PIN.
    child.sendline("0815")
    child.expect_exact("PIN: ")
    assert not any(text in child.before for text in ("4711", "0815", "9.90"))
    child.sendline(PIN)
    child.expect_exact("│ Pay 9.90 EUR")
    child.expect_exact("[q]uit")
    assert agent.state == "open"
    child.send("q")
    child.expect_exact("code=0")


def test_a_lock_takes_a_question_of_a_pinentry_back(connected, agents, pinentry, bank):
    agents(connected).unlock()
    configure(connected, f'pin_prompt = "pinentry"\npinentry = "{pinentry.program}"\n')
    pinentry.answers("", typed(PIN))
    bank.pay()
    child = connected.terminal("watch", environment={"NO_COLOR": "1"})
    child.expect_exact("[a]pprove")
    child.send("a")
    pinentry.until_asked("CONFIRM")
    connected.ok("lock", pin=False)
    child.expect_exact("Locked. Press Enter to type the PIN; what waits is shown again after it.")
    child.sendline()
    child.expect_exact("│ Pay 9.90 EUR")
    child.expect_exact("[q]uit")
    child.send("q")
    assert finish(child) == 0


def test_a_lock_waits_for_a_decision_on_its_way(connected, agents, bank):
    agents(connected).unlock()
    id = bank.pay()
    child = connected.terminal("watch", environment={"NO_COLOR": "1"})
    child.expect_exact("[a]pprove")
    bank.fault("authorizations.decide", times=1, delay_ms=4000)
    approve(child)
    child.expect_exact("Waiting for the bank")
    connected.ok("lock", pin=False)
    child.expect_exact("\x1b[3J")
    child.expect_exact(f"approved  demobank:{id}  confirmed by the bank at ")
    child.expect_exact("Locked. Press Enter to type the PIN")
    assert "\x1b[3J" not in child.before
    child.sendline()
    child.expect_exact("PIN: ")
    child.send("\x03")
    assert finish(child) == 0


@pytest.mark.parametrize("runs", [False, True], ids=["alone", "agent"])
def test_ctrl_c_while_a_decision_is_on_its_way_ends_watch_after_it(connected, agents, bank, runs):
    if runs:
        agents(connected).unlock()
    id = bank.pay()
    child = connected.terminal("watch", environment={"NO_COLOR": "1"})
    if not runs:
        child.expect("PIN: ")
        child.sendline(PIN)
    child.expect_exact("[a]pprove")
    bank.fault("authorizations.decide", times=1, delay_ms=3000)
    approve(child)
    child.expect_exact("Waiting for the bank")
    child.sendintr()
    child.expect_exact(f"approved  demobank:{id}  confirmed by the bank at ")
    assert finish(child) == 0


def test_five_minutes_take_an_open_question_back(connected, bank, clock):
    child = connected.terminal("watch", environment={"NO_COLOR": "1", **clock.environment})
    child.expect("PIN: ")
    child.sendline(PIN)
    idle(child)
    bank.pay(expires_in=3000)
    child.expect_exact("[a]pprove")
    child.send("d")
    child.expect_exact("Deny this? [y/N] ")
    clock.at(310)
    child.expect_exact("\x1b[3J")
    child.expect_exact("Locked. Press Enter to type the PIN; what waits is shown again after it.")
    child.sendline()
    child.expect_exact("PIN: ")
    child.sendline(PIN)
    child.expect_exact("│ Pay 9.90 EUR")
    child.send("q")
    assert finish(child) == 0


# What is known, and since when


def deaf(bank):
    """The bank answers nothing that anybody can use."""
    bank.fault("authorizations.list", times=10000, status=503, error_class="Down")


def asked(bank):
    return len(bank.get("requests?operation=authorizations.list"))


@pytest.mark.parametrize("runs", [False, True], ids=["alone", "agent"])
def test_nothing_is_said_of_a_bank_that_is_not_heard(connected, bank, agents, runs):
    connected.enroll(bank, name="second")
    if runs:
        agents(connected).unlock()
    deaf(bank)
    child = connected.terminal("watch", environment={"NO_COLOR": "1"}, columns=200)
    child.logfile_read = child.said = io.StringIO()
    if not runs:
        child.expect_exact("PIN: ")
        child.sendline(PIN)
    for name in ("demobank", "second"):
        child.expect(rf"  {name}  not heard (yet|since \d\d:\d\d:\d\d): the bank refused \(the bank says: Down")
    child.expect_exact("No bank answers.  [q]uit")
    assert runs or "Nothing waits" not in child.said.getvalue()
    bank.post("faults/clear")
    # While somebody watches, ten seconds at most.
    child.expect_exact("Nothing waits.  As of ", timeout=13)
    child.expect(r"\d\d:\d\d:\d\d\.  \[q\]uit")
    child.send("q")
    assert finish(child) == 0


def test_of_two_banks_the_one_that_is_not_heard_is_named(connected, bank, tmp_path):
    (tmp_path / "two").mkdir()
    other = Bank(tmp_path / "two")
    connected.enroll(other, name="other")
    deaf(other)
    child = watch(connected, columns=200)
    child.expect(r"  other  not heard yet: the bank refused")
    child.expect(r"Nothing waits at those that answer\.  As of \d\d:\d\d:\d\d\.  \[q\]uit")
    bank.pay()
    child.expect_exact("│ Pay 9.90 EUR")
    child.expect_exact("  other  not heard yet: the bank refused")
    child.expect(r"  as of \d\d:\d\d:\d\d\r\n")
    child.expect_exact("[q]uit")
    assert "demobank  not heard" not in child.said.getvalue()
    child.send("q")
    assert finish(child) == 0
    other.stop()


def test_before_the_first_answer_nothing_is_known(connected, bank):
    bank.fault("authorizations.list", times=1, delay_ms=3000)
    child = watch(connected)
    child.expect_exact("Asking demobank …  [q]uit")
    child.expect_exact("Nothing waits.  As of ")
    assert "Nothing waits" not in child.before
    child.send("q")
    assert finish(child) == 0


def test_without_a_bank_watch_names_enroll(home):
    child = watch(home.set_pin())
    child.expect_exact("No bank can be asked. Paste a link here, or connect: countersign enroll  [q]uit")
    child.send("q")
    assert finish(child) == 0


def test_who_comes_to_watch_is_told_how_it_stands_now(connected, bank, agents):
    """What the agent told others then is no news."""
    agent = agents(connected).unlock()
    events = agent.events()
    deaf(bank)
    began = events.expect("failure")
    agent.events_open.remove(events)
    events.close()
    # The stream for programs says when it began.
    stream = Stream(connected)
    told = stream.expect("failure")
    assert told["at"] == began["at"] and told["message"] == began["failure"]["message"]
    stream.process.kill()
    child = connected.terminal("watch", environment={"NO_COLOR": "1"}, columns=200)
    child.expect(r"demobank  not heard since \d\d:\d\d:\d\d: the bank refused")
    child.expect_exact("No bank answers.  [q]uit")
    assert "error:" not in child.before
    child.send("q")
    assert finish(child) == 0


# One round


def test_one_round(connected, bank):
    first, second, third = bank.pay(), bank.pay("Pay 5.00 EUR"), bank.pay("Sign in")
    child = watch(connected, "--once")
    child.expect_exact("│ Pay 9.90 EUR")
    child.expect_exact("[q]uit")
    child.send("x")
    child.expect_exact("That is none of the keys: [a]pprove")
    child.send("a")
    child.expect_exact("PIN to approve (empty cancels): ")
    child.sendline(PIN)
    child.expect_exact(f"approved  demobank:{first}")
    child.expect_exact("│ Pay 5.00 EUR")
    child.expect_exact("[q]uit")
    child.send("s")
    child.expect_exact("│ Sign in")
    child.expect_exact("[q]uit")
    child.send("d")
    child.expect_exact("Deny this? [y/N] ")
    child.sendline("y")
    child.expect_exact(f"denied  demobank:{third}")
    assert finish(child) == 0
    assert bank.authorization(second)["decisions_received"] == 0


def test_one_round_ends_with_the_first_failure(connected, bank):
    bank.pay()
    bank.pay("Pay 5.00 EUR")
    child = watch(connected, "--once")
    child.expect_exact("[q]uit")
    child.send("a")
    for left in (8, 7, 6):
        child.expect_exact("PIN to approve (empty cancels): ")
        child.sendline("999111")
        child.expect_exact(f"wrong PIN; {left} tries are left")
    # Whatever is typed next, no prompt takes it that shows it.
    assert finish(child) == 3 and "[q]uit" not in child.before


def test_one_round_stays_at_the_card_after_a_wrong_pin(connected, bank):
    id = bank.pay()
    child = watch(connected, "--once")
    child.expect_exact("[q]uit")
    child.send("a")
    for pin in ("999111", PIN):
        child.expect_exact("PIN to approve (empty cancels): ")
        child.sendline(pin)
    child.expect_exact(f"approved  demobank:{id}")
    assert finish(child) == 0


def test_one_round_with_nothing(connected):
    child = watch(connected, "--once")
    child.expect_exact("Nothing waits for a decision.")
    assert finish(child) == 0


@pytest.mark.parametrize("args", [[], ["--once"]], ids=["live", "once"])
def test_a_pin_that_is_typed_ahead_is_never_seen(connected, bank, args):
    """Neither while the bank is asked nor while it decides, and what is left of it reaches no shell."""
    first, second = bank.pay(), bank.pay("Pay 5.00 EUR")
    child = pexpect.spawn(
        "bash", ["-c", '"$0" watch ' + " ".join(args) + '; echo "code=$?"; cat', connected.argv()[0]],
        env={**connected.environment, "NO_COLOR": "1"}, encoding="utf-8", timeout=30, dimensions=(40, 80))
    child.logfile_read = said = io.StringIO()
    bank.fault("authorizations.list", times=1, delay_ms=1500)
    child.expect_exact("PIN: ")
    child.sendline(PIN)
    until(lambda: bank.get("requests?operation=authorizations.list"))
    child.send("314159\r")
    child.expect_exact("│ Pay 9.90 EUR")
    child.expect_exact("[q]uit")
    bank.fault("authorizations.decide", times=1, delay_ms=1500)
    child.send("d")
    child.expect_exact("Deny this? [y/N] ")
    child.sendline("y")
    until(lambda: bank.get("requests?operation=authorizations.decide"))
    child.send("314159\r")
    child.expect_exact(f"denied  demobank:{first}")
    child.expect_exact("│ Pay 5.00 EUR")
    child.expect_exact("[q]uit")
    # What comes together with the last key is the program's too.
    child.send("q314159\r")
    child.expect_exact("code=0")
    child.send("\x04")
    child.expect(pexpect.EOF)
    assert "314159" not in said.getvalue() and "none of the keys" not in said.getvalue()
    assert bank.authorization(second)["decisions_received"] == 0


@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_one_round_is_cancelled_by_a_key(connected, bank, key):
    bank.pay()
    child = watch(connected, "--once")
    child.expect_exact("[q]uit")
    child.send(key)
    child.expect_exact("error: cancelled")
    assert finish(child) == 2
