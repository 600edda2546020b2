"""PIN and yes-or-no questions at a pinentry: a fake one (Tests/Support/fake-pinentry) that notes what it was asked, and Debian's
pinentry-tty and pinentry-curses on a pseudo-terminal.
"""

import json
import os
import pathlib
import re
import signal
import threading
import urllib.parse

import pexpect
import pytest
from agents import YES, agents
from conftest import PIN, ROOT, Home, finish
from innards import change_pin_record, failures, forgive, pass_block, until

FAKE = ROOT / "Tests/Support/fake-pinentry"
WRONG = "999111"
CANCEL = "ERR 83886179 Operation cancelled <Fake>\n"
NO = "ERR 83886194 Not confirmed <Fake>\n"


def typed(pin):
    return f"D {pin}\nOK\n"


def unbroken(text):
    """Without the breaks that a window needs; a line that was broken goes on behind a mark."""
    return " ".join(text.replace("\n↳ ", " ").split())


def settings(home, text):
    path = home.path / "config/countersign/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


class Fake:
    """A home whose pinentry is the fake one."""

    def __init__(self, home, prompt="pinentry"):
        self.home = home
        self.log = home.path / "pinentry.log"
        self.prompt = prompt
        settings(home, f'pinentry = "{FAKE}"\n' + (f'pin_prompt = "{prompt}"\n' if prompt else ""))

    def environment(self, *answers):
        self.log.unlink(missing_ok=True)
        return {"FAKE_PINENTRY_LOG": str(self.log), "FAKE_PINENTRY_ANSWERS": json.dumps(answers)}

    def run(self, *args, answers=(), environment=None, pin=False, **options):
        """Runs a command without a terminal; the pinentry gives these answers, one a question."""
        return self.home.run(
            *args, pin=pin, environment=self.environment(*answers) | (environment or {}), **options)

    @property
    def lines(self):
        return self.log.read_text().splitlines() if self.log.exists() else []

    def told(self, word):
        """What stood behind a command, escapes undone, one for each time."""
        return [urllib.parse.unquote(line[len(word) + 1:]) for line in self.lines if line.startswith(word + " ")]

    def asked(self):
        return [line for line in self.lines if line in ("GETPIN", "CONFIRM")]


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """One home with a PIN for all tests that leave it as it is."""
    return Home(tmp_path_factory.mktemp("shared")).set_pin()


@pytest.fixture
def fake(shared):
    forgive(shared)
    return Fake(shared)


@pytest.fixture
def banked(connected):
    return Fake(connected)


def tries_left(home):
    return home.json("pin", "status", pin=False)["tries_left"]


# The PIN


def test_the_right_pin_opens(fake):
    result = fake.run(
        "connections", "--json", answers=[typed(PIN)],
        environment={"TERM": "xterm", "LC_ALL": "C.UTF-8", "DISPLAY": ":99", "GPG_TTY": "/dev/pts/99"})
    assert result.code == 0 and result.json == {"connections": []}, result
    assert fake.asked() == ["GETPIN"] and fake.lines[-1] == "BYE"
    [description] = fake.told("SETDESC")
    assert description.startswith("Unlock Countersign\nEnter your PIN to open your bank connections\nAsked by process ")
    assert "/countersign conn" in unbroken(description)
    # No label is drawn in some windows, so the words stand above the field as well.
    assert description.endswith("\nEnter your Countersign PIN,\nnot your bank's, not your log-in password")
    assert fake.told("SETPROMPT") == ["Countersign PIN:"]
    assert fake.told("SETTITLE") == ["Countersign: Unlock Countersign"]
    options = fake.told("OPTION")
    for option in ("ttyname=/dev/pts/99", "ttytype=xterm", "lc-ctype=C.UTF-8", "display=:99"):
        assert option in options
    assert not any("cache" in option for option in options)
    assert fake.told("SETERROR") == []
    assert PIN not in result.out + result.err + "".join(fake.lines)


def test_a_wrong_pin_is_asked_for_again_with_the_tries_left(fake):
    result = fake.run("connections", answers=[typed(WRONG), typed(PIN)])
    assert result.code == 0, result
    assert fake.told("SETERROR") == ["wrong PIN; 8 tries are left"]
    assert tries_left(fake.home) == 9


def test_one_command_takes_three_wrong_pins(fake):
    result = fake.run("connections", "--json", answers=[typed(WRONG)] * 3 + [typed(PIN)])
    assert result.code == 3 and "wrong PIN; 6 tries are left" in result.json["error"]["message"], result
    assert fake.asked() == ["GETPIN"] * 3
    assert fake.told("SETERROR") == ["wrong PIN; 8 tries are left", "wrong PIN; 7 tries are left"]
    assert tries_left(fake.home) == 6


def test_a_block_ends_the_asking(fake):
    change_pin_record(fake.home, lambda record: record.update(failures=3))
    result = fake.run("connections", answers=[typed(WRONG), typed(WRONG), typed(PIN)])
    assert result.code == 3 and "the next try is allowed in 60 s" in result.err, result
    assert fake.asked() == ["GETPIN"] * 2
    # Blocked, nobody is asked for a PIN that would not be tried.
    result = fake.run("connections", answers=[typed(PIN)])
    assert result.code == 3 and "too many wrong PINs" in result.err and fake.lines == [], result
    # At a pinentry sits a person: tries 6 to 9 are theirs.
    pass_block(fake.home)
    assert fake.run("connections", answers=[typed(PIN)]).code == 0
    assert tries_left(fake.home) == 9


def test_the_last_try_is_warned_of(fake):
    change_pin_record(fake.home, lambda record: record.update(failures=8))
    result = fake.run("connections", answers=[CANCEL])
    assert result.code == 2, result
    [warning] = fake.told("SETERROR")
    assert "last try" in warning and "destroys all keys" in warning
    assert failures(fake.home) == 8


@pytest.mark.parametrize("entry", ["2", "27", "letmein", "27182", "111111"])
def test_what_no_pin_can_be_costs_no_try(fake, entry):
    """GNOME's prompter says "Password:", so other passwords are typed there."""
    result = fake.run("connections", answers=[typed(entry), typed(PIN)])
    assert result.code == 0, result
    assert fake.told("SETERROR") == ["that is not your Countersign PIN, which has another form; no try was counted"]
    assert failures(fake.home) == 0
    result = fake.run("connections", answers=[typed(entry)] * 3)
    assert result.code == 3 and "no try was counted" in result.err and failures(fake.home) == 0, result


@pytest.mark.parametrize("answer", [CANCEL, "OK\n", "D \nOK\n"])
def test_cancelling_costs_no_try(fake, answer):
    result = fake.run("connections", "--json", answers=[answer])
    assert result.code == 2 and result.json["error"]["kind"] == "cancelled", result
    assert failures(fake.home) == 0


@pytest.mark.parametrize("answer, words", [
    ("<exit>", "ended before it answered"), ("D 27<exit>", "ended before it answered"), ("\0\xff\n", "protocol"),
    ("D " + "2" * 3000 + "\nOK\n", "protocol"), ("ERR 83886142 Timeout\n", "nobody answered"),
    ("ERR 83918950 \x1b[2J\n", "could not ask"), (f"D {PIN}%\nOK\n", "protocol")])
def test_a_bad_pinentry_is_told_of_and_costs_no_try(fake, answer, words):
    result = fake.run("connections", answers=[answer])
    assert result.code == 3 and words in result.err and "hint: " in result.err, result
    assert "\x1b" not in result.err and PIN not in result.err
    assert failures(fake.home) == 0


def test_a_missing_pinentry_is_told_of(fake):
    settings(fake.home, 'pin_prompt = "pinentry"\npinentry = "/nowhere/pinentry"\n')
    result = fake.run("connections")
    assert result.code == 3 and "could not be started: no such file" in result.err, result


def test_pins_are_set_and_changed(home):
    fake = Fake(home)
    result = fake.run("pin", "set", answers=[typed(PIN), typed("314159"), typed("12345")] + [typed(PIN), typed("314159")])
    assert result.code == 64 and "differ" in result.err, result
    assert [words.split(";")[0] for words in fake.told("SETERROR")] == ["the two PINs differ", "the PIN is too short"]
    assert fake.run("pin", "set", answers=[typed(PIN)] * 2).code == 0
    assert fake.asked() == ["GETPIN"] * 2
    # A wrong old PIN does not cost the new one, which was typed already.
    answers = [typed(WRONG), typed("correct%20horse"), typed("correct horse"), typed(PIN)]
    result = fake.run("pin", "change", answers=answers)
    assert result.code == 0, result
    assert fake.asked() == ["GETPIN"] * 4 and fake.told("SETERROR") == ["wrong PIN; 8 tries are left"]
    home.write_pin("correct horse")
    home.ok("connections")


# When it is used


@pytest.mark.parametrize("prompt, environment, args, uses", [
    ("pinentry", {}, [], True), ("pinentry", {}, ["--no-input"], False), ("pinentry", {}, ["--pin-file"], False),
    ("auto", {"DISPLAY": ":99"}, [], True), (None, {"WAYLAND_DISPLAY": "wayland-9"}, [], True),
    ("auto", {"DISPLAY": ":99"}, ["--no-input"], False), ("auto", {"DISPLAY": ""}, [], False), (None, {}, [], False),
    ("terminal", {"DISPLAY": ":99"}, [], False)])
def test_without_a_terminal(fake, prompt, environment, args, uses):
    fake = Fake(fake.home, prompt)
    if args == ["--pin-file"]:
        result = fake.run("connections", pin=True, environment=environment)
        assert result.code == 0, result
    else:
        result = fake.run("connections", *args, answers=[typed(PIN)], environment=environment)
        assert result.code == (0 if uses else 3), result
        assert uses or "the PIN is needed, and there is nobody to ask for it" in result.err
    assert bool(fake.lines) is uses


@pytest.mark.parametrize("prompt, uses", [("auto", False), ("terminal", False), ("pinentry", True)])
def test_on_a_terminal(fake, prompt, uses):
    fake = Fake(fake.home, prompt)
    child = fake.home.terminal(
        "connections", "--json", environment=fake.environment(typed(PIN)) | {"DISPLAY": ":99"})
    if not uses:
        child.expect("PIN: ")
        child.sendline(PIN)
    assert finish(child) == 0
    assert '"connections":[]' in child.before
    assert bool(fake.lines) is uses
    if uses:
        assert fake.told("OPTION")[0].startswith("ttyname=/dev/pts/")


@pytest.mark.parametrize("line, words", [
    ('pin_prompt = "window"', "pin_prompt"), ("pin_prompt = 1", "pin_prompt"), ('pinentry = "pinentry"', "pinentry: a path")])
def test_faulty_settings_name_their_key(shared, line, words):
    settings(shared, line + "\n")
    result = shared.run("connections")
    assert result.code == 64 and words in result.err, result


# Decisions


def test_approving_names_bank_title_and_fingerprint(banked, bank):
    home = banked.home
    id = bank.pay("Pay 9.90 EUR \u202e50%")
    [item] = home.json("pending")["authorizations"]
    # Nobody sees the card: without its fingerprint nothing is asked at all.
    assert banked.run("approve", item["ref"], answers=[typed(PIN)] * 2).code == 64
    assert banked.lines == []
    result = banked.run(
        "approve", item["ref"], "--fingerprint", item["fingerprint"], answers=[typed(PIN), YES, typed(WRONG), typed(PIN)])
    assert result.code == 0, result
    assert bank.authorization(id)["status"] == "confirmed"
    # The whole card comes before the PIN, once.
    assert banked.asked() == ["GETPIN", "CONFIRM", "GETPIN", "GETPIN"]
    unlock, card, first, second = banked.told("SETDESC")
    assert "open your bank connections" in unlock and first == second
    digits = item["fingerprint"][:16]
    short = " ".join(digits[i:i + 4] for i in range(0, 16, 4))
    assert card.splitlines()[:4] == [
        "Approve request", "Page 1 of 1, then the PIN", "Title: Pay 9.90 EUR ⟨U+202E⟩50%", "> To Fern Books"]
    # The bank's words first, then the bank, then who asked; the fingerprint is the end.
    labels = [line.split(":")[0].split(" process")[0] for line in card.splitlines() if line[0] not in ">↳"]
    assert labels[2:] == ["Title", "Bank", "Host", f"Expires in {labels[5].split()[-1]}", "Asked by", "Request", "Code", "Fingerprint"]
    assert card.splitlines()[-1] == f"Fingerprint: {short}"
    lines = second.splitlines()
    assert lines[:2] == ["Approve request", "Title: Pay 9.90 EUR ⟨U+202E⟩50%"]
    assert lines[2] == f"Bank: Demo Bank · {bank.url.removeprefix('http://')}" and lines[3].startswith("Asked by process ")
    # Title and fingerprint stand once more where the PIN is typed, and the last words say which PIN.
    assert lines[4:] == [f"Fingerprint: {short}", "Enter your Countersign PIN,", "not your bank's, not your log-in password"]
    assert banked.told("SETERROR") == ["wrong PIN; 8 tries are left"]
    assert banked.told("SETOK") == ["Unlock", "To the PIN", "Approve", "Approve"]
    # A window without a PIN has no field for one.
    assert banked.told("SETPROMPT") == ["Countersign PIN:", "Approve request", "Countersign PIN:", "Countersign PIN:"]


def test_a_title_cannot_make_lines_of_its_own(banked, bank):
    bank.pay("Pay 9.90 EUR\nFingerprint: 0000 0000 0000 0000\r\nother.example")
    [item] = banked.home.json("pending")["authorizations"]
    banked.run("approve", item["ref"], "--fingerprint", item["fingerprint"], answers=[typed(PIN), YES, CANCEL])
    words, title, place, asker, fingerprint, *above = banked.told("SETDESC")[-1].splitlines()
    assert title.startswith("Title: Pay 9.90 EUR ⏎ Finger") and title.endswith("… (63 characters)")
    assert place == f"Bank: Demo Bank · {bank.url.removeprefix('http://')}" and asker.startswith("Asked by process ")
    assert fingerprint.startswith("Fingerprint: " + item["fingerprint"][:4])
    assert above == ["Enter your Countersign PIN,", "not your bank's, not your log-in password"]
    page = banked.told("SETDESC")[-2].splitlines()
    assert len([line for line in page if line.startswith("Fingerprint: ")]) == 1
    assert "Title: Pay 9.90 EUR ⏎ Fingerprint: 0000 0000 0000 0000 ⏎ other.example" in unbroken("\n".join(page))


@pytest.mark.parametrize("flavor", ["gtk2", "gnome3", "gnome3:curses", "fltk", ""])
def test_a_payment_is_named_in_each_window(home, bank, flavor):
    """GNOME's window has the prompt for its headline; that of FLTK room for four lines of 40 columns above the PIN."""
    fake = Fake(home.set_pin().enroll(bank, protocol="v2", name="fern"))
    payment = {"payee": "Fern Books\nFingerprint: 0000 0000 0000 0000", "amount": "9.90 EUR", "reference": "R-5"}
    bank.pay("Books " * 90, {"payment": payment}, protocol="v2")
    [item] = home.json("pending")["authorizations"]
    environment = {"FAKE_PINENTRY_FLAVOR": flavor} if flavor else {}
    fake.run(
        "approve", item["ref"], "--fingerprint", item["fingerprint"], answers=[typed(PIN), *[YES] * 9],
        environment=environment)
    *pages, question = [words.splitlines() for words in fake.told("SETDESC")[1:]]
    if flavor == "gnome3":
        # In place of the last page's third button.
        assert not any(line.startswith("> ") for line in pages.pop())
    digits = item["fingerprint"][:16]
    fingerprint = "Fingerprint: " + " ".join(digits[i:i + 4] for i in range(0, 16, 4))
    host = bank.url.removeprefix("http://")
    headlines = [] if flavor == "gnome3" else ["Approve payment"]
    for at, page in enumerate(pages, 1):
        assert page[:len(headlines) + 1] == [*headlines, f"Page {at} of {len(pages)}, then the PIN"]
    assert len(pages) > 1 and " ".join(pages[-1]).replace("↳ ", "").endswith(fingerprint)
    # Each line is ours, or the first of the bank's words behind our mark, or goes on behind a mark that they cannot have.
    text = "\n".join(line for page in pages for line in page[len(headlines) + 1:])
    assert text.count("Books") == 91
    assert "> To: Fern Books ⏎ Fingerprint: 0000 0000 0000 0000 > Amount: 9.90 EUR" in unbroken(text)
    assert len(re.findall("^Fingerprint: ", text, re.M)) == 1
    assert fake.told("SETPROMPT")[-1] == ("Approve payment" if flavor == "gnome3" else "Countersign PIN:")
    if flavor == "fltk":
        assert question[0].startswith("Title: Book") and question[0].endswith("… (539 characters)")
        assert question[1].startswith("Amount: 9.90 EUR to ")
        assert question[2:] == [fingerprint, "not your bank's, not your log-in password"]
    else:
        above = ["not your bank's, not your log-in password"]
        if flavor == "gnome3":
            above = ["not your bank's,", "not your log-in password"]
        assert unbroken("\n".join(question)).endswith(" ".join([fingerprint, "Enter your Countersign PIN,", *above]))
        labels = [line.split(":")[0].split(" process")[0] for line in question[len(headlines):-len(above) - 1] if line[0] != "↳"]
        assert labels == ["Title", "Amount", "To", "Bank", "Asked by", "Fingerprint"]
        assert f"Bank: Demo Bank · {host}" in unbroken("\n".join(question)) and "Amount: 9.90 EUR" in question
    longest = max(len(line) for page in [*pages, question] for line in page)
    assert longest <= (33 if flavor == "gnome3" else 53)


def test_a_cancelled_approval_is_not_sent(banked, bank):
    id = bank.pay("A long title " * 200)
    [item] = banked.home.json("pending")["authorizations"]
    result = banked.run(
        "approve", item["ref"], "--fingerprint", item["fingerprint"], answers=[typed(PIN), *[YES] * 20])
    assert result.code == 2, result
    assert bank.authorization(id)["status"] == "pending"
    assert banked.asked()[-1] == "GETPIN"
    pages = banked.told("SETDESC")[1:-1]
    assert unbroken("\n".join(pages)).count("long") == 200 and not any("⟨…⟩" in page for page in pages)
    description = banked.told("SETDESC")[-1].splitlines()
    assert description[1].endswith("… (2599 characters)") and description[4].startswith("Fingerprint: ")
    assert len(description) == 7 and max(map(len, description)) <= 53
    assert max(len(line.encode()) for line in banked.lines) <= 1000


def test_a_title_that_must_be_typed_is_asked_for_on_a_terminal_alone(banked, bank):
    id = bank.pay("Pay 9.90 EUR", "<p>To Bob<!--" + "x" * 2000 + "--></p>")
    [item] = banked.home.json("pending")["authorizations"]
    result = banked.run("approve", item["ref"], "--fingerprint", item["fingerprint"], answers=[typed(PIN), *[YES] * 20])
    assert result.code == 3 and f"on a terminal: countersign approve {item['ref']}" in result.err, result
    # Nothing is shown first for what cannot be approved there.
    assert bank.authorization(id)["decisions_received"] == 0 and banked.asked() == ["GETPIN"]


def test_wrong_pins_of_one_command_count_together(banked, bank):
    bank.pay()
    [item] = banked.home.json("pending")["authorizations"]
    result = banked.run(
        "approve", item["ref"], "--fingerprint", item["fingerprint"],
        answers=[typed(WRONG), typed(PIN), YES, *[typed(WRONG)] * 3])
    assert result.code == 3 and banked.asked() == ["GETPIN", "GETPIN", "CONFIRM", "GETPIN", "GETPIN"], result
    assert tries_left(banked.home) == 7


def test_denying_is_a_yes_or_no(banked, bank):
    id = bank.pay("Pay 899.00 EUR")
    ref = f"demobank:{id}"
    result = banked.run("deny", ref, answers=[typed(PIN), NO])
    assert result.code == 2 and banked.asked() == ["GETPIN", "CONFIRM"], result
    assert bank.authorization(id)["status"] == "pending"
    result = banked.run("deny", ref, answers=[typed(PIN), "OK\n"])
    assert result.code == 0, result
    question = banked.told("SETDESC")[1].splitlines()
    assert question[:2] == ["Deny request", "Title: Pay 899.00 EUR"]
    assert question[2].startswith("Bank: Demo Bank · ") and question[4].startswith("Fingerprint: ")
    assert bank.authorization(id)["status"] == "denied"
    # A PIN file stands in for the person, so nobody is asked.
    id = bank.pay("Pay 898.00 EUR")
    result = banked.run("deny", f"demobank:{id}", pin=True)
    assert result.code == 0 and banked.lines == [], result


# Windows that close by themselves


class Deciding(threading.Thread):
    """A command whose window nobody answers."""

    def __init__(self, fake, verb, id, *asked, answers, **options):
        super().__init__(daemon=True)
        self.fake, self.options = fake, options | {"answers": answers}
        [item] = fake.home.json("pending")["authorizations"]
        self.args = [verb, item["ref"], "--fingerprint", item["fingerprint"], "--json"]
        # What an earlier command was asked is no sign that this one asks.
        fake.log.unlink(missing_ok=True)
        self.start()
        until(lambda: fake.asked() == list(asked), 60)

    def run(self):
        self.result = self.fake.run(*self.args, timeout=200, **self.options)

    def failure(self):
        """Its exit code and kind of error; the window is gone."""
        self.join(200)
        # Its parent may have ended first; then another one takes its end from the system, a moment later.
        until(lambda: not any(pathlib.Path(f"/proc/{pid}").exists() for pid in self.fake.told("PID")), 60)
        [decision] = self.result.json["decisions"]
        return self.result.code, decision["error"]["kind"]


@pytest.mark.parametrize("verb, answers, asked", [
    ("approve", [typed(PIN), "<hang>"], ["GETPIN", "CONFIRM"]),
    ("approve", [typed(PIN), YES, "<hang>"], ["GETPIN", "CONFIRM", "GETPIN"]),
    ("deny", [typed(PIN), "<hang>"], ["GETPIN", "CONFIRM"])])
def test_a_window_closes_when_the_bank_withdraws(banked, bank, verb, answers, asked):
    id = bank.pay()
    deciding = Deciding(banked, verb, id, *asked, answers=answers)
    bank.post(f"authorizations/{id}/close")
    assert deciding.failure() == (4, "not_found"), deciding.result
    assert bank.authorization(id)["decisions_received"] == 0


def test_a_window_closes_when_the_request_expires(banked, bank):
    id = bank.pay(expires_in=15)
    deciding = Deciding(banked, "approve", id, "GETPIN", "CONFIRM", answers=[typed(PIN), "<hang>"])
    assert deciding.failure() == (8, "expired"), deciding.result
    assert bank.authorization(id)["decisions_received"] == 0


def test_a_window_closes_when_the_content_changes(banked, bank):
    id = bank.pay()
    deciding = Deciding(banked, "approve", id, "GETPIN", "CONFIRM", answers=[typed(PIN), "<hang>"])
    bank.admin("PATCH", f"authorizations/{id}", title="Pay 990.00 EUR")
    assert deciding.failure() == (8, "changed"), deciding.result


def test_a_window_of_a_command_closes_by_the_agents_word(banked, bank, agents):
    agent = agents(banked.home).unlock()
    id = bank.pay()
    deciding = Deciding(banked, "approve", id, "CONFIRM", answers=["<hang>"])
    bank.post(f"authorizations/{id}/close")
    assert deciding.failure() == (4, "not_found"), deciding.result
    id = bank.pay()
    deciding = Deciding(banked, "approve", id, "CONFIRM", answers=["<hang>"])
    assert agent.request("POST", "/lock").status < 300
    assert deciding.failure() == (3, "locked"), deciding.result


def test_a_window_of_watch_closes_when_the_bank_withdraws(banked, bank):
    child = banked.home.terminal("watch", environment=banked.environment(typed(PIN), "<hang>"), timeout=60)
    id = bank.pay()
    child.expect("a.pprove")
    child.send("a")
    until(lambda: banked.asked() == ["GETPIN", "CONFIRM"], 60)
    bank.post(f"authorizations/{id}/close")
    child.expect("no longer lists")
    child.send("q")
    assert finish(child) == 0


def test_hosts_are_confirmed(home, bank):
    fake = Fake(home.set_pin())
    link = bank.link(instant=True)
    result = fake.run("enroll", "-", stdin=link + "\n", answers=[typed(PIN), NO])
    assert result.code == 2 and fake.asked() == ["GETPIN", "CONFIRM"], result
    host = bank.url.removeprefix("http://").split(":")[0]
    question = fake.told("SETDESC")[1].splitlines()
    assert question[0] == "Connect this computer to this bank?" and host in question[1] and question[-1] == "Bank: Demo Bank"
    result = fake.run("enroll", "-", stdin=bank.link(instant=True) + "\n", answers=[typed(PIN), "OK\n"])
    assert result.code == 0, result
    assert len(home.json("connections")["connections"]) == 1


def test_enrolling_without_a_pin_chooses_one(home, bank):
    fake = Fake(home)
    result = fake.run("enroll", "-", stdin=bank.link(instant=True) + "\n", answers=[typed(PIN), typed(PIN), "OK\n"])
    assert result.code == 0, result
    assert fake.told("SETPROMPT")[:2] == ["New Countersign PIN:"] * 2


def test_actions_are_confirmed(banked, bank):
    link = bank.post("actions", user="ada", kind="plain")["link"]
    result = banked.run("act", "-", stdin=link + "\n", answers=[typed(PIN), NO])
    assert result.code == 2 and banked.asked() == ["GETPIN", "CONFIRM"], result
    question = banked.told("SETDESC")[1].splitlines()
    assert question[0] == "Claim this action for this connection?" and question[2:4] == ["Bank: Demo Bank", "Connection: demobank"]
    assert question[1] == "Host: " + bank.url.removeprefix("http://") and "whoever shows the code" in question[4]
    result = banked.run("act", "-", "--json", stdin=link + "\n", answers=[typed(PIN), "OK\n"])
    assert result.code == 0 and result.json["action"]["success"] is True, result


# The real ones


@pytest.mark.parametrize("program", ["pinentry-tty", "pinentry-curses"])
def test_real_pinentries(shared, program):
    home = shared
    forgive(home)
    settings(home, f'pin_prompt = "pinentry"\npinentry = "/usr/bin/{program}"\n')
    child = home.terminal("connections", "--json", environment={"TERM": "xterm", "LC_ALL": "C"})
    child.expect("open your bank connections")
    child.expect("not your bank's, not your log-in password")
    child.expect("Countersign PIN:")
    child.send(WRONG + "\r")
    child.expect("wrong PIN; 8 tries are left")
    child.expect("Countersign PIN:")
    child.send(PIN + "\r")
    assert finish(child) == 0, child.before
    assert '"connections":[]' in child.before
    assert PIN not in child.before and tries_left(home) == 9


@pytest.mark.parametrize("way", ["ctrl-c", "signal"])
def test_the_terminal_is_left_sane(shared, way):
    """pinentry-tty switches the echo off, and still has it off when the program that asks is ended by a signal."""
    forgive(shared)
    settings(shared, 'pin_prompt = "pinentry"\npinentry = "/usr/bin/pinentry-tty"\n')
    script = f'trap : INT; {shared.argv()[0]} connections; echo "ended $?"; stty -a; echo over'
    child = pexpect.spawn(
        "sh", ["-c", script], env=dict(shared.environment, TERM="xterm", LC_ALL="C"), encoding="utf-8", timeout=30)
    child.expect("PIN:")
    if way == "ctrl-c":
        child.send("27\x03")
        child.expect("ended 2")
    else:
        [program] = pathlib.Path(f"/proc/{child.pid}/task/{child.pid}/children").read_text().split()
        os.kill(int(program), signal.SIGTERM)
        child.expect("ended 143")
    child.expect("over")
    for mode in ("echo", "icanon"):
        assert re.search(rf"(?<![-\w]){mode}\b", child.before), child.before
    child.close()
