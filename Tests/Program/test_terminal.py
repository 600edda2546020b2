"""A person at a terminal: prompts without echo, cards, questions, short names, and hostile text that must not command the terminal."""

import json
import os
import re
import signal
import termios
from unicodedata import east_asian_width

import pexpect
import pytest
from agents import agents
from conftest import PIN, Bank, Home, finish
from innards import until
from v2 import sign_in_only

WRONG = "314159"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A bank, and a home with one connection `demobank`."""
    bank = Bank(tmp_path_factory.mktemp("bank"))
    home = Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank)
    yield home, bank
    bank.stop()


@pytest.fixture
def calm_place(place):
    """The same with nothing waiting, and all tries left."""
    home, bank = place
    for item in bank.get("authorizations?status=pending"):
        bank.post(f"authorizations/{item['id']}/close")
    yield home, bank
    if home.json("status", pin=False)["tries_left"] < 9:
        home.ok("connections")


class Person:
    """Sits at a pseudo-terminal and keeps all that was shown."""

    def __init__(self, home, *args, **options):
        self.child = home.terminal(*args, **options)
        self.shown = ""

    def see(self, pattern):
        self.child.expect(pattern)
        self.shown += self.child.before + self.child.after
        return self.child.match

    def type(self, text, end="\r"):
        self.child.send(text + end)
        return self

    def leave(self):
        """Waits for the end; returns the exit code."""
        self.child.expect(pexpect.EOF)
        self.shown += self.child.before
        self.child.close()
        return self.child.exitstatus

    def echoes(self):
        return bool(termios.tcgetattr(self.child.child_fd)[3] & termios.ECHO)


def no_control_bytes(text, besides=""):
    """Nothing that a terminal would obey: only text and line ends reach it."""
    found = re.findall("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]", text)
    assert [c for c in found if c not in besides] == [], repr(text)


# The PIN prompt


def test_the_pin_is_never_shown(calm_place):
    home, _ = calm_place
    person = Person(home, "connections")
    person.see("PIN: ")
    assert not person.echoes()
    person.type(PIN).see("·" * len(PIN))
    assert person.leave() == 0
    assert PIN not in person.shown and "demobank" in person.shown


def test_a_pin_typed_to_standard_input_is_not_shown_either(calm_place):
    home, _ = calm_place
    person = Person(home, "connections", "--pin-file", "-")
    until(lambda: not person.echoes())
    person.type(PIN).see("demobank")
    assert PIN not in person.shown and person.echoes()
    assert person.leave() == 0


def test_backspace_takes_back_what_was_typed_and_no_more(calm_place):
    home, _ = calm_place
    person = Person(home, "connections")
    person.see("PIN: ")
    person.type("\x7f\x7f99ü\x7f\x08\x7f\x7f\x7f" + PIN)
    assert person.leave() == 0
    # Each of the three characters was drawn once and wiped once; the prompt itself was left alone.
    assert person.shown.count("\b \b") == 3 and PIN not in person.shown


@pytest.mark.parametrize("key,words", [("\x03", "cancelled"), ("\x04", "cancelled"), ("\r", "cancelled")],
                         ids=["ctrl-c", "ctrl-d", "empty"])
def test_ways_out_of_the_prompt_give_the_terminal_back(calm_place, key, words):
    home, _ = calm_place
    person = Person(home, "connections")
    person.see("PIN: ")
    assert not person.echoes()
    person.type(key, end="").see("error: " + words)
    assert person.echoes()
    assert person.leave() == 2
    assert home.json("status", pin=False)["tries_left"] == 9, "nothing was tried"


@pytest.mark.parametrize("number", ["INT", "TERM", "HUP"])
def test_signals_give_the_terminal_back(calm_place, number):
    home, _ = calm_place
    # The shell holds the terminal, so that it can be looked at after the program's end.
    program = " ".join(home.argv("connections"))
    child = pexpect.spawn(
        "bash", ["-c", f"{program}; stty -a | grep -o -w -e '-\\?echo'; echo over"], env=home.environment,
        encoding="utf-8", timeout=30)
    child.expect("PIN: ")
    [pid] = [int(p) for p in os.listdir("/proc") if p.isdigit() and parent(p) == child.pid]
    os.kill(pid, getattr(signal, "SIG" + number))
    child.expect(r"(-?)echo\r\n")
    assert child.match.group(1) == "", "echo is on again"
    child.expect("over")
    child.close()


def parent(pid):
    try:
        return int(open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[1])
    except OSError:
        return None


@pytest.fixture
def shell(calm_place):
    """An interactive shell with job control; the program is `$p` there."""
    home, _ = calm_place
    [program] = home.argv()
    with pexpect.spawn(
            "bash", ["--norc", "-i"], env=dict(home.environment, PS1="> ", TERM="dumb", p=program), encoding="utf-8",
            timeout=30, dimensions=(40, 200)) as child:
        child.expect("> ")
        yield child


@pytest.mark.parametrize("command, asks, typed", [
    ("connections", "PIN: ", "31\x0341"), ("connections", "PIN: ", "\r"), ("connections", "PIN: ", "\x04"),
    ("connections", "PIN: ", PIN + "\r"), ("connections --pin-file -", "\r\n", "31\x03")],
    ids=["ctrl-c", "empty", "ctrl-d", "done", "unprompted"])
def test_what_is_typed_after_a_secret_never_reaches_the_shell(shell, command, asks, typed):
    shell.sendline(f'"$p" {command}; echo over')
    shell.expect(asks)
    if asks == "\r\n":
        until(lambda: not termios.tcgetattr(shell.child_fd)[3] & termios.ECHO)
    # It is all there before the program can take it.
    shell.send(typed + "echo le''aked\r")
    shell.expect("\r\n")
    shell.expect("> ")
    shell.sendline("echo en''ded")
    shell.expect("ended")
    assert "leaked" not in shell.before and "le''aked" not in shell.before, shell.before


def test_ctrl_z_works_at_the_prompt(shell):
    shell.sendline('"$p" connections')
    shell.expect("PIN: ")
    shell.send("314\x1a")
    shell.expect("Stopped")
    shell.sendline("stty -a | grep -o -w -e '-\\?echo'")
    shell.expect(r"\r\n(-?)echo\r\n")
    assert shell.match.group(1) == "", "echo is on in the shell"
    shell.sendline("fg")
    shell.expect("PIN: ")
    assert not termios.tcgetattr(shell.child_fd)[3] & termios.ECHO
    # What was typed before the stop does not count.
    shell.sendline(PIN)
    shell.expect("demobank")


def test_a_wrong_pin_is_told_with_the_tries_left(calm_place):
    home, _ = calm_place
    person = Person(home, "connections")
    person.see("PIN: ")
    person.type(WRONG).see("wrong PIN; 8 tries are left")
    person.see("PIN: ")
    person.type(PIN)
    assert person.leave() == 0 and WRONG not in person.shown and "error:" not in person.shown
    person = Person(home, "connections")
    for left in (8, 7):
        person.see("PIN: ")
        person.type(WRONG).see(f"wrong PIN; {left} tries are left")
    person.see("PIN: ")
    person.type(WRONG).see("error: wrong PIN; 6 tries are left")
    assert person.leave() == 3


def test_no_input_never_asks(calm_place):
    home, bank = calm_place
    id = bank.pay()
    for argv in (["connections"], ["deny", f"demobank:{id}"], ["act"], ["enroll"], ["pin", "reset"], ["pin", "change"]):
        person = Person(home, *argv, "--no-input")
        assert person.leave() == 3 and "PIN:" not in person.shown and "[y/N]" not in person.shown, person.shown
        assert "no terminal" not in person.shown
        asked = "PIN is needed" if argv[0] in ("connections", "deny") or argv[1:] == ["change"] else "--no-input forbids"
        assert asked in person.shown, person.shown


def test_what_is_missing_where_nobody_can_be_asked(calm_place, agents):
    home, _ = calm_place
    result = home.run("connections", "--json", pin=False)
    error = result.json["error"]
    assert result.code == 3 and error["kind"] == "locked"
    assert error["message"] == "the PIN is needed, and there is nobody to ask for it"
    assert error["hint"] == "run it on a terminal, or give --pin-file PATH"
    # Only where an agent runs is there something to unlock.
    with_agent = agents(home, display=None)
    assert home.run("connections", "--json", pin=False).json["error"]["hint"] == "countersign unlock, or give --pin-file PATH"
    error = home.run("unlock", "--json", pin=False).json["error"]
    assert error["hint"] == "run it on a terminal, or give --pin-file PATH"
    assert with_agent.stop() == 0
    error = home.run("pin", "reset", "--json", pin=False).json["error"]
    assert (error["kind"], error["message"]) == (
        "locked", "a question must be answered, and there is no terminal for it")


def test_pin_set_and_change(home):
    person = Person(home, "pin", "set")
    person.see("Choose a PIN.*: ")
    for weak, words in (("12345", "too short; 6 to 16 digits"), ("111111", "too easy")):
        person.type(weak).see(words)
        person.see("Choose a PIN.*: ")
    # It asks until the person cancels: what is typed next never goes to the shell.
    for _ in range(3):
        person.type(PIN).see("Again: ")
        person.type(WRONG).see("the two PINs differ; nothing was changed; try again")
        person.see("Choose a PIN.*: ")
    person.type("")
    assert person.leave() == 2 and home.json("status", pin=False)["pin_set"] is False
    person = Person(home, "pin", "set")
    person.see("Choose a PIN.*: ")
    person.type(PIN).see("Again: ")
    person.type(WRONG).see("the two PINs differ; nothing was changed; try again")
    person.see("Choose a PIN.*: ")
    person.type(PIN).see("Again: ")
    person.type(PIN)
    assert person.leave() == 0 and "error: " not in person.shown
    person = Person(home, "pin", "change")
    person.see("PIN: ")
    person.type(PIN).see("New PIN.*: ")
    person.type("correct höрse").see("Again: ")
    person.type("correct höрse")
    assert person.leave() == 0 and "h\u00f6" not in person.shown
    home.write_pin("correct höрse")
    home.ok("connections")
    person = Person(home, "pin", "reset")
    person.see("Type destroy to go on: ")
    person.type("yes")
    assert person.leave() == 2 and home.json("status", pin=False)["pin_set"] is True
    person = Person(home, "pin", "reset")
    person.see("Type destroy to go on: ")
    person.type("destroy")
    assert person.leave() == 0 and home.json("status", pin=False)["pin_set"] is False


# Enrolling


def test_the_first_enrollment(home, bank):
    person = Person(home, "enroll", "--no-browser")
    person.see("Link: ")
    person.type(bank.link())
    person.see("Choose a PIN .*: ")
    person.type(PIN).see("Again: ")
    person.type(PIN)
    person.see(r"127\.0\.0\.1:\d+ \(Demo Bank\) wants to connect this computer\. Continue\? \[y/N\] ")
    assert bank.get("connections") == [], "no key has left yet"
    person.type("y")
    person.see(f"{bank.url}/\\S+")
    person.see("ctrl-c cancels; a redirected address may be pasted here")
    assert len(bank.get("connections")) == 1
    person.type("\x03", end="")
    assert person.leave() == 2 and PIN not in person.shown
    assert home.json("connections")["connections"] == []


def test_ctrl_c_at_a_question_ends_its_line(calm_place):
    home, bank = calm_place
    id = bank.pay()
    person = Person(home, "deny", f"demobank:{id}", "--pin-file", home.pin_file)
    person.see(r"Deny this\? \[y/N\] ")
    person.type("\x03", end="")
    assert person.leave() == 2 and person.child.before == "^C\r\nerror: cancelled\r\n"


def test_ctrl_c_in_a_wait_says_cancelled(home, bank):
    home.set_pin().enroll(bank)
    bank.fault("authorizations.list", times=-1, delay_ms=20000)
    person = Person(home, "pending", "--pin-file", home.pin_file)
    person.see("Asking the banks …")
    person.type("\x03", end="")
    assert person.leave() == 2 and person.child.before.endswith("^C\r\nerror: cancelled\r\n")


@pytest.mark.parametrize("answer", ["n", "", "no", "q"])
def test_no_to_the_host_sends_nothing(calm_place, answer):
    home, bank = calm_place
    bank.post("requests/clear")
    person = Person(home, "enroll", "--pin-file", home.pin_file)
    person.see("Link: ")
    person.type(bank.link(instant=True)).see(r"\[y/N\] ")
    person.type(answer)
    assert person.leave() == 2 and "error: cancelled" in person.shown
    assert [r["operation"] for r in bank.get("requests")] == ["configuration"]


def test_a_redirected_address_may_be_pasted(home, bank):
    home.set_pin()
    person = Person(home, "enroll", "--no-browser", "--yes", "--pin-file", home.pin_file)
    person.see("Link: ")
    person.type(bank.link())
    page = person.see(r"(http://127\S+/connect/\S+)").group(1)
    person.see("may be pasted here")
    # The terminal shows what is typed; the program does not say it again.
    for text in ("nonsense", "http://127.0.0.1:1/x?id=1&access_token=forged"):
        person.type(text).see("that is not the address that the bank's page led to")
        assert person.shown.count(text) == 1
    person.type(sign_in_only(page))
    person.see("Connected: demobank")
    assert person.leave() == 0


# Deciding


def test_approving(calm_place):
    home, bank = calm_place
    id = bank.pay("Pay 9.90 EUR", "To Fern Books\nReference R-5")
    person = Person(home, "approve", f"demobank:{id}")
    person.see("PIN: ")
    assert "Pay 9.90" not in person.shown, "nothing is shown before the PIN"
    person.type(PIN).see("Pay 9.90 EUR")
    person.see("Reference R-5")
    person.see("├ Demo Bank · 127.0.0.1:")
    person.see("expires in .*fingerprint [0-9a-f]{4} ")
    person.see(r"PIN to approve \(empty cancels\): ")
    assert not person.echoes() and bank.authorization(id)["status"] == "pending"
    person.type(PIN).see(rf"approved  demobank:{id}  confirmed by the bank at \d\d:\d\d:\d\d")
    assert person.leave() == 0 and bank.authorization(id)["status"] == "confirmed" and PIN not in person.shown


@pytest.mark.parametrize("typed,code", [([WRONG] * 3, 3), ([WRONG, ""], 2), ([""], 2)], ids=["wrong", "both", "empty"])
def test_no_approval_without_the_right_second_pin(calm_place, typed, code):
    home, bank = calm_place
    id = bank.pay(f"Pay {len(typed)}.10 EUR {code}")
    person = Person(home, "approve", f"demobank:{id}")
    person.see("PIN: ")
    person.type(PIN)
    for pin in typed:
        person.see("PIN to approve.*: ")
        person.type(pin)
    assert person.leave() == code
    item = bank.authorization(id)
    assert item["status"] == "pending" and item["decisions_received"] == 0
    assert f"demobank:{id}" not in [d["ref"] for d in home.json("history")["decisions"]]


def test_content_that_changes_while_it_is_read(calm_place):
    home, bank = calm_place
    id = bank.pay("Pay 1.00 EUR")
    person = Person(home, "approve", f"demobank:{id}")
    person.see("PIN: ")
    person.type(PIN).see("PIN to approve.*: ")
    bank.admin("PATCH", f"authorizations/{id}", title="Pay 999.00 EUR")
    person.type(PIN).see("Pay 999.00 EUR")
    person.see("error: the content is not what was seen; nothing was sent")
    assert person.leave() == 8 and bank.authorization(id)["decisions_received"] == 0


def test_denying_asks(calm_place):
    home, bank = calm_place
    id = bank.pay("Pay 2.00 EUR")
    for answer, code, status in (("n", 2, "pending"), ("", 2, "pending"), ("Y", 0, "denied")):
        person = Person(home, "deny", f"demobank:{id}", "--pin-file", home.pin_file)
        person.see("Pay 2.00 EUR")
        person.see(r"\[y/N\] ")
        person.type(answer)
        assert person.leave() == code and bank.authorization(id)["status"] == status


def test_short_references(calm_place):
    home, bank = calm_place
    ids = [bank.pay(f"Number {n}") for n in range(12)]
    person = Person(home, "show", ids[0], "--pin-file", home.pin_file)
    person.see("Number 0")
    assert person.leave() == 0 and f"{ids[0]} stands for demobank:{ids[0]}" in person.shown
    # All ids of a bank are numbers in a row, so there is a beginning that several share.
    beginning = next(i[:-1] for i in ids if i[:-1] and sum(j[:-1] == i[:-1] for j in ids) > 1 and i[:-1] not in ids)
    person = Person(home, "show", beginning, "--pin-file", home.pin_file, columns=200)
    person.see(f'error: "{beginning}" can mean several')
    shared = [i for i in ids if i.startswith(beginning)]
    person.see("hint: one of: " + ", ".join(f"demobank:{i}" for i in shared[:2]))
    assert person.leave() == 4
    person = Person(home, "show", "nothing", "--pin-file", home.pin_file)
    assert person.leave() == 4
    for ref in (ids[0], f"demobank:{beginning}"):
        person = Person(home, "show", ref, "--pin-file", home.pin_file, "--no-input")
        assert person.leave() in (4, 64)
    for id in ids[1:]:
        bank.post(f"authorizations/{id}/close")
    person = Person(home, "deny", ids[0][:-1] or ids[0], "--pin-file", home.pin_file)
    person.see(rf"stands for demobank:{ids[0]}")
    person.type("y")
    assert person.leave() == 0 and bank.authorization(ids[0])["status"] == "denied"


@pytest.mark.parametrize("verb", ["show", "approve", "deny"])
def test_a_whole_reference_is_no_abbreviation(calm_place, verb):
    """What was decided an hour ago does not lead to a later request whose id begins alike."""
    home, bank = calm_place
    first = bank.pay("Pay 1.00 EUR")
    later = [bank.pay(f"Pay {n}.00 EUR") for n in range(2, 12)]
    beginning = next(i[:-1] for i in later if i[:-1])
    for id in [first, *later[:-1]]:
        bank.post(f"authorizations/{id}/close")
    for whole in (f"demobank:{beginning}", f"demobank:{later[-1][:-1] or 0}"):
        person = Person(home, verb, whole, columns=200)
        person.see("PIN: ")
        person.type(PIN).see("error: the bank no longer lists this authorization")
        person.see("hint: what waits: countersign pending; what was decided: countersign history")
        assert person.leave() == 4 and "Pay 11.00" not in person.shown


def test_an_empty_card_asks_for_the_title(calm_place):
    home, bank = calm_place
    id = bank.pay("Pay 7.00 EUR", "<script>secret()</script>")
    for title, code in (("Pay 8.00 EUR", 2), ("pay  7.00 eur", 0)):
        person = Person(home, "approve", f"demobank:{id}", "--pin-file", home.pin_file)
        person.see("warning: ")
        person.see("Type the title to go on: ")
        person.type(title)
        assert person.leave() == code
        assert "[hidden: secret()]" in person.shown
    assert bank.authorization(id)["decisions_received"] == 1


def test_several_refs_stop_when_the_person_does(calm_place):
    home, bank = calm_place
    ids = [bank.pay("One"), bank.pay("Two")]
    person = Person(home, "deny", *(f"demobank:{id}" for id in ids), "--pin-file", home.pin_file)
    person.see(r"\[y/N\] ")
    person.type("n")
    assert person.leave() == 2 and "Two" not in person.shown


def test_act_asks(calm_place):
    home, bank = calm_place
    link = bank.post("actions", user="ada", title="Sign in")["link"]
    for answer, code in (("n", 2), ("y", 0)):
        person = Person(home, "act", "--pin-file", home.pin_file, columns=120)
        person.see("Link: ")
        person.type(link).see(r"127\.0\.0\.1:\d+ \(Demo Bank\): claim this action for demobank\? \[y/N\] ")
        person.type(answer)
        assert person.leave() == code
    assert "countersign approve demobank:" in person.shown


# Hostile text

HOSTILE = [
    ("\x1b]0;owned\x07\x1b[2J\x1b[31mPay 1 EUR", "\x1b[1A\x1b[KTo a friend\x9b2J\x00\x08\x08\r over"),
    ("Pay \u202eRUE 00.1\u202c\u200b EUR", "\u2066abc\u2069 zero\u200bwidth\ufeff"),
    ("Pay 1 EUR\n└────── fake end\n\nPIN to approve: ", "text\n└" + "─" * 70 + "\napproved  demobank:1  confirmed by the bank\n┌ Other Bank"),
    ("x" * 500, "y" * 3000 + "\n" + "漢字" * 200),
    ("Pay", "<p>To\x1b[2J <b>&#27;[31mred</b></p><table><tr><td>a</td><td>b</td></tr></table>"),
]


@pytest.mark.parametrize("title,description", HOSTILE, ids=["escapes", "bidi", "frame", "long", "html"])
@pytest.mark.parametrize("columns", [80, 50, 30])
def test_hostile_cards(calm_place, title, description, columns):
    home, bank = calm_place
    id = bank.pay(title, description)
    person = Person(home, "deny", f"demobank:{id}", "--pin-file", home.pin_file, columns=columns, rows=300,
                    environment={"NO_COLOR": "1"})
    person.see(r"Deny this\? \[y/N\] ")
    card = person.shown.split("\r\n")[:-1]
    no_control_bytes(person.shown.replace("\r\n", "\n"))
    assert all(sum(2 if east_asian_width(c) in "WF" else 1 for c in line) <= columns for line in card), card
    assert card[0].startswith("┌──") and [line[0] for line in card].count("└") == 1 and card[-1][0] == "└", card
    assert all(line[0] in "│├" for line in card[1:-1])
    [place] = [line for line in card if line[0] == "├"]
    assert place.startswith("├ Demo Bank")
    person.type("n")
    assert person.leave() == 2


@pytest.mark.parametrize("title,description", HOSTILE[:3], ids=["escapes", "bidi", "frame"])
def test_hostile_titles_in_tables(calm_place, title, description):
    home, bank = calm_place
    id = bank.pay(title, description)
    for argv in (["pending"], ["show", f"demobank:{id}"]):
        person = Person(home, *argv, "--pin-file", home.pin_file, environment={"NO_COLOR": "1"})
        assert person.leave() == 0
        no_control_bytes(person.shown.replace("\r\n", "\n"))
    assert len(home.ok("pending").out.splitlines()) == 2, "one row, whatever the title is"
    home.ok("deny", f"demobank:{id}")
    person = Person(home, "history", "--pin-file", home.pin_file, environment={"NO_COLOR": "1"})
    assert person.leave() == 0
    no_control_bytes(person.shown.replace("\r\n", "\n"))


def test_colour_only_on_a_terminal_and_never_with_no_color(calm_place):
    home, bank = calm_place
    id = bank.pay()
    for environment, coloured in ((None, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True)):
        person = Person(home, "show", f"demobank:{id}", "--pin-file", home.pin_file, environment=environment)
        assert person.leave() == 0 and ("\x1b[" in person.shown) == coloured
        no_control_bytes(person.shown.replace("\r\n", "\n"), besides="\x1b")
    assert "\x1b" not in home.ok("show", f"demobank:{id}").out


def test_results_stay_on_standard_output(calm_place, tmp_path):
    """With standard output in a file, card and questions are still on the terminal, and the file holds the result alone."""
    home, bank = calm_place
    id = bank.pay("Pay 6.10 EUR")
    out = tmp_path / "out.json"
    program = " ".join(map(str, home.argv("approve", f"demobank:{id}", "--json")))
    child = pexpect.spawn("bash", ["-c", f"{program} >{out}"], env=home.environment, encoding="utf-8", timeout=30)
    child.expect("PIN: ")
    child.send(PIN + "\r")
    child.expect("├ Demo Bank")
    child.expect("PIN to approve.*: ")
    child.send(PIN + "\r")
    assert finish(child) == 0
    assert json.loads(out.read_text())["decisions"][0]["outcome"] == "confirmed"


def test_what_runs_in_the_background_says_that_it_cannot_ask(calm_place):
    home, _ = calm_place
    with pexpect.spawn(
            "bash", ["--norc", "-i"], env=dict(home.environment, PS1="> ", TERM="dumb"), encoding="utf-8", timeout=30,
            dimensions=(40, 200)) as shell:
        program, *_ = home.argv("connections")
        # The shell lets nobody but `cat` read from the terminal.
        shell.sendline(f"cat <('{program}' connections; echo code $?)")
        shell.expect("error: a question must be answered, and this command runs in the background of the terminal")
        shell.expect("hint: .*countersign unlock")
        shell.expect("code 3")
        # First in a pipe it can ask.
        shell.sendline(f"'{program}' connections | cat")
        shell.expect("PIN: ")
        shell.sendline(PIN)
        shell.expect("demobank")


def test_slow_banks_are_waited_for_with_a_word(home, bank):
    home.set_pin().enroll(bank)
    bank.fault("authorizations.list", times=-1, delay_ms=3000)
    child = home.terminal("pending", "--pin-file", home.pin_file)
    child.expect_exact("Asking the banks …")
    child.expect("Nothing waits")
    assert finish(child) == 0
    assert "Asking" not in home.ok("pending").err


# Terminals of all kinds


@pytest.mark.parametrize("term", ["dumb", ""])
def test_a_dumb_terminal_gets_no_control_sequences(calm_place, term):
    home, bank = calm_place
    # One approval after another of the same title takes the title.
    id = bank.pay(f"Pay {len(term)}.95 EUR", "To Fern Books\n" + "Line\n.\n" * 30)
    environment = {"TERM": term}
    person = Person(home, "approve", f"demobank:{id}", environment=environment)
    person.see("PIN: ")
    person.type(PIN).see("space: next page")
    person.type("   ", end="").see("PIN to approve.*: ")
    person.type(PIN)
    assert person.leave() == 0
    no_control_bytes(person.shown.replace("\b \b", "").replace("\r", ""))
    person = Person(home, "watch", environment=environment)
    person.see("error: the live view redraws its lines, and this terminal cannot")
    person.see("hint: countersign watch --once")
    assert person.leave() == 64
    id = bank.pay("Pay 9.90 EUR")
    for words in (["watch", "--once"], ["show", f"demobank:{id}"], ["history"]):
        person = Person(home, *words, environment=environment)
        person.see("PIN: ")
        person.type(PIN)
        if words[0] == "watch":
            person.see(r"\[q\]uit").string
            person.type("q", end="")
        assert person.leave() == 0
        no_control_bytes(person.shown.replace("\b \b", "").replace("\r", ""))


@pytest.mark.parametrize("locale, is_ascii", [
    ({"LC_ALL": "C"}, True), ({"LANG": "C", "LC_ALL": ""}, True), ({"LANG": "POSIX", "LC_ALL": ""}, True),
    ({"LC_ALL": "de_DE.ISO-8859-1"}, True), ({"LC_ALL": "C.UTF-8"}, False), ({"LC_ALL": "de_DE.utf8"}, False)],
    ids=lambda value: "-".join(value.values()) if isinstance(value, dict) else "")
def test_frames_are_of_the_locale(calm_place, locale, is_ascii):
    home, bank = calm_place
    id = bank.pay()
    person = Person(home, "deny", f"demobank:{id}", "--pin-file", home.pin_file, environment=dict(locale, NO_COLOR="1"))
    person.see(r"Deny this\? ")
    assert person.shown.isascii() == is_ascii, person.shown
    assert person.shown.startswith("+---" if is_ascii else "┌───")
    assert ("+ Demo Bank - 127" if is_ascii else "├ Demo Bank · 127") in person.shown
    person.type("n")
    assert person.leave() == 2
    # JSON is the same everywhere.
    assert json.loads(home.ok("show", f"demobank:{id}", "--json", environment=locale).out)["title"]


def test_the_pin_is_asked_for_in_a_pipeline(shell):
    for line in ('true | "$p" connections | cat', 'echo | "$p" pending --json | cat'):
        shell.sendline(line)
        shell.expect("PIN: ")
        assert not termios.tcgetattr(shell.child_fd)[3] & termios.ECHO
        shell.sendline(PIN)
        shell.expect("demobank|authorizations")
        shell.expect("> ")
    # Where it would be of no use, it is not.
    shell.sendline('true | "$p" approve demobank:1 --fingerprint 0123456789abcdef; echo code $?')
    shell.expect(r"(.*)code 3\r\n")
    assert "PIN: " not in shell.match.group(1) and "there is nobody to ask for it" in shell.match.group(1)


# What is connected already


def test_the_next_step_is_named(home, bank, agents):
    home.set_pin()
    said = home.ok("enroll", "-", "--yes", stdin=bank.link(instant=True) + "\n")
    assert said.out == "Connected: demobank\n"
    assert said.err.endswith(
        "See what it asks with: countersign pending; to be told of it: countersign agent --daemonize\n")
    agents(home).unlock()
    said = home.ok("enroll", "-", "--yes", pin=False, stdin=bank.link(instant=True) + "\n")
    assert "The agent tells you of what it asks; see it with: countersign pending\n" in said.err


def test_what_is_connected_already_is_told_before_the_yes(home, bank, tmp_path):
    home.set_pin().enroll(bank)
    other = Bank(tmp_path)
    try:
        for link, note in (
                (bank.link(), r"This bank is connected already, as demobank\."),
                (other.link(), r"Warning: demobank has the same name, and is at another host: 127\.0\.0\.1:\d+\.")):
            person = Person(home, "enroll", "--pin-file", home.pin_file, columns=200)
            person.see("Link: ")
            person.type(link).see(note)
            person.see(r"wants to connect this computer\. Continue\? \[y/N\] ")
            person.type("n")
            assert person.leave() == 2
    finally:
        other.stop()
