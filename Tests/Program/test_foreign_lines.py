"""Whatever others wrote, the terminal breaks no line with it: what begins a line is ours, or has the mark of a line that we broke."""

import copy
import re

import pexpect
import pyte
import pytest
from conftest import Bank, Home, finish
from issuers import Issuer, log_in, redirect_of, visit
from test_watch_screen import Screen
from tokens import server, token  # noqa: F401
from wcwidth import wcswidth

SIZES = pytest.mark.parametrize("columns, rows", [(80, 24), (60, 15)], ids=["80x24", "60x15"])
# Words that begin lines of ours, so often that some of them would begin a line wherever a terminal broke it.
LABELS = ["error:", "hint:", "warning:", "title", "fingerprint", "PIN to approve:", "Program:", "Session:", "approved", "demobank:1", "Go on?"]
EVIL = " ".join(f"{label} EVIL" for label in LABELS * 6)
FORGED = re.compile("^ *(" + "|".join(map(re.escape, LABELS)) + ") EVIL")


class Terminal(Screen):
    """A command on a terminal with history, so that what has scrolled away is seen too."""

    def __init__(self, home, columns, rows, command, *args):
        super().__init__(home, columns, rows, args, needs_pin=False, command=command)
        self.screen = pyte.HistoryScreen(columns, rows, history=10000)
        self.stream = pyte.Stream(self.screen)

    def ended(self):
        """Reads to the end; returns the exit code."""
        for _ in range(300):
            try:
                self.read(0.1)
            except pexpect.EOF:
                return finish(self.child)
        raise AssertionError(f"it does not end:\n{self.text}")

    @property
    def all_lines(self):
        past = ["".join(line[x].data for x in range(self.screen.columns)).rstrip() for line in self.screen.history.top]
        return past + self.lines

    def holds(self, seen):
        """No line was left to the terminal to break, none is forged, and what was wanted was seen."""
        for line in re.split("[\r\n]", re.sub("\x1b\\[[0-9;?]*[a-zA-Z]", "", self.written)):
            assert wcswidth(line) <= self.screen.columns, line
        assert not [line for line in self.all_lines if FORGED.match(line)], "\n".join(self.all_lines)
        assert re.search(seen, "\n".join(self.all_lines), re.M), "\n".join(self.all_lines)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A bank that is named honestly, and one that is not, both connected."""
    bank = Bank(tmp_path_factory.mktemp("bank"))
    home = Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank)
    bank.user("eve")
    bank.post("settings", name=EVIL)
    home.enroll_by_program(bank, user="eve", name="evil")
    yield home, bank
    bank.stop()


@pytest.fixture
def calm(place):
    home, bank = place
    bank.post("faults/clear")
    for item in bank.get("authorizations?status=pending"):
        bank.post(f"authorizations/{item['id']}/close")
    return home, bank


def seen(home, size, seen, *words, keys=(), code=0):
    """Runs a command with the PIN file; answers each question that stands on the screen; judges all that was seen."""
    screen = Terminal(home, *size, *words, "--pin-file", str(home.pin_file))
    for wanted, key in keys:
        screen.until(wanted)
        screen.press(key)
    assert screen.ended() == code, screen.text
    screen.holds(seen)
    return screen


NO = [(r"\[y/N\]", "n\r")]


@SIZES
def test_error_words_of_a_bank(calm, columns, rows):
    home, bank = calm
    id = bank.pay()
    fingerprint = home.json("show", f"demobank:{id}")["fingerprint"]
    size = columns, rows
    for operation, words, code in (
            ("authorizations.list", ["pending"], 5), ("authorizations.decide", ["approve", f"demobank:{id}", "--fingerprint", fingerprint], 5),
            ("authorizations.list", ["watch", "--once"], 5), ("connections.revoke", ["revoke", "demobank", "--yes"], 5),
            ("consents.list", ["consents"], 5), ("actions.claim", ["act", bank.post("actions", user="ada")["link"], "--connection", "demobank", "--yes"], 5),
            ("authorizations.show", ["show", f"demobank:{id}"], None), ("authorizations.list", ["doctor"], None)):
        bank.fault(operation, times=2, status=400, error_class="X", error_message=EVIL)
        screen = Terminal(home, *size, *words, "--pin-file", str(home.pin_file))
        ended = screen.ended()
        assert code is None or ended == code, screen.text
        screen.holds("^↳ " if code else "")
        bank.post("faults/clear")


@SIZES
def test_questions_with_a_name_of_a_bank(calm, columns, rows):
    home, bank = calm
    seen(home, (columns, rows), "^↳ .*Continue", "enroll", bank.link(instant=True), keys=NO, code=2)
    seen(home, (columns, rows), "^↳ .*claim", "act", bank.post("actions", user="eve")["link"], "--connection", "evil", keys=NO, code=2)


@SIZES
def test_tables_and_plaintext(calm, columns, rows):
    home, bank = calm
    size = columns, rows
    id = bank.pay(EVIL, EVIL + "\n" + EVIL, user="eve")
    bank.post("consents", user="eve", tpp_name=EVIL, consent_type="aisp", accounts=[{"name": EVIL}], shared_data={"balance": True})
    seen(home, size, "^evil ", "connections")
    seen(home, size, f"^evil:{id} ", "pending")
    seen(home, size, "^evil:", "consents")
    seen(home, size, "^│ ↳ ", "show", f"evil:{id}", "--source")
    home.ok("deny", f"evil:{id}")
    seen(home, size, "^│ ↳ ", "history", "--source")
    seen(home, size, f"^evil:{id} |{id}", "history")


@SIZES
def test_names_that_nobody_has(calm, columns, rows):
    home, _ = calm
    for words in ([EVIL], ["show", EVIL], ["show", "demobank:" + EVIL], ["connections", EVIL], ["revoke", EVIL], ["pending", "--connection", EVIL]):
        screen = Terminal(home, columns, rows, *words, *([] if words == [EVIL] else ["--pin-file", str(home.pin_file)]))
        assert screen.ended()
        screen.holds("^error: ")


@SIZES
def test_what_a_server_says_about_a_code(token, server, columns, rows):  # noqa: F811
    server.code_message = EVIL
    server.login(code="63")
    ref = token.json("pending")["authorizations"][0]["ref"]
    seen(token, (columns, rows), r"^\(the bank says:(.|\n)*^↳ ", "approve", ref)


@SIZES
def test_words_of_an_issuer_and_names_of_accounts(home, columns, rows):
    size = columns, rows
    home.set_pin()
    with Issuer() as issuer:
        issuer.redirect = {"code": None, "error": "access_denied", "error_description": EVIL}
        screen = Terminal(home, *size, "login", issuer.issuer, "--yes", "--no-browser", "--pin-file", str(home.pin_file))
        screen.until(r"Waiting for the issuer")
        # The address stands whole on one line, so that it can be copied.
        page = re.search(r"\n  (http\S+)\r", screen.written)[1]
        visit(redirect_of(page))
        assert screen.ended() == 5
        screen.written = screen.written.replace(page, "")
        screen.holds("^error: (.|\n)*access_denied(.|\n)*^↳ ")
        issuer.redirect = {}
        issuer.claims |= {"preferred_username": EVIL, "email": EVIL, "name": EVIL}
        log_in(home, issuer, "--name", "fern")
        script = home.path / EVIL.replace("/", "")[:180]
        script.write_text("#!/bin/sh\n")
        seen(home, size, "^fern ", "sessions")
        seen(home, size, "", "sessions", "show", "fern")
        seen(home, size, "", "grants", "add", f"script:{script}", "--session", "fern")
        seen(home, size, "", "grants")
        grant = home.json("grants")["grants"][0]["id"]
        seen(home, size, r"^↳ ", "grants", "revoke", grant, keys=NO, code=2)
        seen(home, size, r"^↳ ", "logout", "fern", keys=NO, code=2)
        seen(home, size, "", "history", "--sessions")
        seen(home, size, r"^↳ ", "grants", "revoke", grant, "--yes")


@pytest.mark.parametrize("words", [["pending", "{}"], ["pending", "--{}"], ["enroll", "--home", "/proc/{}"], ["pending", "--ca-file", "/tmp/{}"],
                                   ["{}"], ["rename", "{}", "x"], ["agent", "--stop", "{}"]], ids=" ".join)
def test_words_of_the_command_line_command_no_terminal(calm, words):
    """They come from links and scripts, too."""
    home, _ = calm
    for word in ("a\x1b[31mb", "a\nhint: EVIL", "\u202eb"):
        screen = Terminal(home, 80, 24, *(part.format(word) for part in words), *(["--no-input"] if words[0] != "{}" else []))
        assert screen.ended()
        assert not re.search("\x1b|\u202e", screen.written), repr(screen.written)
        screen.holds("^error: ")


# Our own words


@pytest.mark.parametrize("columns", [60, 80])
def test_a_command_of_ours_stays_whole(calm, columns):
    home, _ = calm
    # The question that begins like this is wider than the terminal, its command is not.
    for words, command in (
            (["pending", "--connection", "a" * 32], "countersign connections"),
            (["approve", "demobank:1", "--pin-file", str(home.pin_file), "--option", "x", "--fingerprint", "1"], "countersign show demobank:1 prints it"),
            (["watch", "--once", "--connection", "x"], "countersign watch --help")):
        screen = Terminal(home, columns, 24, *words, *([] if "--pin-file" in words else ["--pin-file", str(home.pin_file)]))
        assert screen.ended()
        screen.holds(f"{command}$")


def test_a_pipe_gets_whole_lines(calm):
    home, bank = calm
    bank.fault("authorizations.list", times=2, status=400, error_class="X", error_message=EVIL)
    failed = home.run("pending")
    assert failed.code == 5 and "↳" not in failed.err
    assert [line.split(":")[0] for line in failed.err.splitlines()] == ["error", "hint"] * 2


# The mark in ASCII

IN_A_FRAME = ["> EVIL", ">> EVIL", "|>> EVIL", "| EVIL", " > EVIL", "word " * 40, ">> EVIL " * 20, "x" * 200]


@SIZES
@pytest.mark.parametrize("command", ["show", "pending"])
def test_the_mark_of_a_broken_line_is_ascii_where_the_locale_is(calm, columns, rows, command):
    home, bank = calm
    id = bank.pay("> EVIL " * 30, "\n".join(IN_A_FRAME))
    bank.fault("authorizations.list" if command == "pending" else "consents.revoke", times=9, status=400, error_class="X", error_message="> EVIL " * 30)
    lines = {}
    for locale in ("C.UTF-8", "C"):
        there = copy.copy(home)
        there.environment = home.environment | {"LC_ALL": locale}
        screen = Terminal(there, columns, rows, command, *([] if command == "pending" else [f"demobank:{id}"]), "--pin-file", str(home.pin_file))
        assert screen.ended() == (5 if command == "pending" else 0)
        screen.holds("EVIL")
        lines[locale] = [line for line in screen.all_lines if "expires in" not in line and "confirmed by" not in line]
    assert "\n".join(lines["C"]).isascii()
    # The same lines, and no mark is made by the writer of the text.
    assert len(lines["C"]) == len(lines["C.UTF-8"])
    marked = 0
    for ours, ascii in zip(lines["C.UTF-8"], lines["C"]):
        assert ours.startswith("│ ↳ ") == ascii.startswith("|>> "), (ours, ascii)
        assert ours.startswith("↳ ") == ascii.startswith("> "), (ours, ascii)
        marked += "↳" in ours
    assert marked > 1
