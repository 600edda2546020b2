"""The agent's questions in the real graphical pinentries, answered by keyboard and mouse on a screen of 1024x768.

One agent serves all tests: each names the pinentry that it asks through.
"""

import itertools
import os
import pathlib
import re
import signal
import threading
import types
import urllib.parse

import pytest
from agents import Agent
from conftest import PIN, Bank, Home, Screen, program
from innards import until
from test_keyrings import Desk, start_prompter

WIDTH, HEIGHT = 1024, 768
LONG = ("Books and more books " * 25)[:500]
# It ends with the agent's end of the line, and writes down what it is asked.
WRAPPER = """#!/usr/bin/env -S setpriv --pdeathsig KILL sh
tee -a {log} | setpriv --pdeathsig KILL sh -c 'echo "PID $$" >>{log}; exec {program}'
"""
numbers = itertools.count(1)


class Pinentry:
    """One real pinentry: what it was asked, and its windows.

    `buttons`: where the one that goes on stands, from the lower right corner of a page's window and of the PIN's.
    """

    name, buttons = "", {}
    # On a page Cancel is chosen beforehand. The keys that reach the first button and the third, where there is one, and where there
    # is none.
    keys_of_two, keys_of_three, cancel_keys = ("Tab", "space"), (("Tab", "space"), ("Tab", "Tab", "space")), ("Return",)

    def __init__(self, screen, directory):
        self.screen, self.program, self.log, self.count = screen, directory / "pinentry", directory / "log", 0
        self.log.write_text("")
        self.program.write_text(WRAPPER.format(log=self.log, program=self.command()))
        self.program.chmod(0o755)

    def command(self):
        return program(self.name)

    @property
    def lines(self):
        return self.log.read_text().splitlines()

    def told(self, word):
        """What stood behind a command, escapes undone, one for each time."""
        return [urllib.parse.unquote(line[len(word) + 1:]) for line in self.lines if line.startswith(word + " ")]

    def asked(self):
        """The questions so far, in order: CONFIRM for a page, or GETPIN."""
        return [line for line in self.lines if line in ("CONFIRM", "GETPIN")]

    def pids(self):
        return [int(number) for number in self.told("PID")]

    def windows(self):
        """The windows of the pinentry that asks now."""
        return self.screen.windows_of(self.pids()[-1])

    def question(self):
        """Waits for the next question and until its window has the keyboard; returns CONFIRM or GETPIN."""
        self.count += 1
        until(lambda: len(self.asked()) >= self.count, 120)
        self.window = until(self.windows, 120)[-1]

        def has_keyboard():
            # Before the window manager knows it, this does nothing.
            self.screen.xdotool("windowactivate", self.window)
            return int(self.screen.xdotool("getwindowfocus")) == self.window

        until(has_keyboard, 120)
        return self.asked()[self.count - 1]

    def keys(self, *keys):
        self.screen.xdotool("key", "--delay", 50, *keys)

    def leads_back(self):
        """Whether the first button leads back, as on the last of several pages. Then the third one leads on."""
        return self.told("SETOK")[-1] == "Back"

    def has_third(self):
        return [line.split(" ")[0] for line in self.lines if line.startswith("SET")][-4] == "SETNOTOK"

    def next(self):
        if self.has_third():
            first, third = self.keys_of_three
            self.keys(*(third if self.leads_back() else first))
        else:
            self.keys(*(self.cancel_keys if self.leads_back() else self.keys_of_two))

    def cancel(self):
        self.keys(*self.cancel_keys)

    def type(self, text):
        self.screen.xdotool("type", "--delay", 30, text)

    def press(self, question):
        """Presses the button that goes on, with the mouse; again where the window moved away under it, while it was being placed.
        Where that is not the first of two, it is pressed by the keyboard."""
        if question == "CONFIRM" and (self.leads_back() or self.has_third()):
            return self.next()

        def went_on():
            window, (x, y) = self.geometry(), self.buttons[question]
            # GTK's buttons heed only a pointer that they saw coming.
            self.screen.xdotool("mousemove", "--window", self.window, 8, 8)
            self.screen.xdotool("mousemove", "--window", self.window, window["WIDTH"] - x, window["HEIGHT"] - y)
            self.screen.xdotool("click", 1)
            try:
                return until(lambda: self.lines.count("BYE") >= self.count, 5)
            except AssertionError:
                return False

        until(went_on, 60)

    def geometry(self):
        words = self.screen.xdotool("getwindowgeometry", "--shell", self.window)
        return {key: int(value) for key, value in re.findall(r"(\w+)=(-?\d+)", words)}

    def until_on_screen(self):
        """Waits until the whole window is on the screen and stays where it is: while it is being placed, it may be anywhere."""
        def stands():
            at, again = self.geometry(), self.geometry()
            right, bottom = at["X"] + at["WIDTH"], at["Y"] + at["HEIGHT"]
            return at == again and min(at["X"], at["Y"]) >= 0 and right <= WIDTH and bottom <= HEIGHT

        until(stands, 60)

    def is_gone(self):
        return not self.windows() and not any(pathlib.Path(f"/proc/{pid}").exists() for pid in self.pids())

    def stop(self):
        """Nothing stays in the way of the next test."""
        for pid in self.pids():
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


class GTK(Pinentry):
    name = "pinentry-gtk-2"
    keys_of_three = ("Tab", "Tab", "space"), ("Tab", "space")
    buttons = {"CONFIRM": (55, 32), "GETPIN": (55, 32)}


class Qt(Pinentry):
    name = "pinentry-qt"
    buttons = {"CONFIRM": (138, 24), "GETPIN": (140, 24)}


class FLTK(Pinentry):
    name = "pinentry-fltk"
    buttons = {"CONFIRM": (36, 26), "GETPIN": (241, 28)}


class GNOME(Pinentry):
    """Its window belongs to a service, which the bus starts, and has its first button chosen beforehand. There is no third one: the
    second leads to another window, where it is the first."""

    name = "pinentry-gnome3"
    buttons = {"CONFIRM": (46, 20), "GETPIN": (46, 20)}
    keys_of_two, cancel_keys = ("Return",), ("Escape",)

    def __init__(self, screen, directory):
        (directory / "desk").mkdir()
        self.desk = Desk(directory / "desk", screen)
        start_prompter(self.desk)
        super().__init__(screen, directory)

    def command(self):
        return f"env DBUS_SESSION_BUS_ADDRESS={self.desk.environment['DBUS_SESSION_BUS_ADDRESS']} {program(self.name)}"

    def windows(self):
        return [int(number) for number in self.desk.windows("--class", "[Gg]cr-prompter")]

    def stop(self):
        super().stop()
        self.desk.stop()


@pytest.fixture(scope="module")
def screen(tmp_path_factory):
    screen = Screen(tmp_path_factory.mktemp("screen"), f"{WIDTH}x{HEIGHT}")
    yield screen
    screen.stop()


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    bank = Bank(tmp_path_factory.mktemp("bank"))
    bank.post("settings", processing_polls=0)
    yield bank
    bank.stop()


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Where the agent finds the pinentry of the test."""
    return tmp_path_factory.mktemp("place") / "pinentry"


@pytest.fixture(scope="module")
def agent(tmp_path_factory, bank, screen, place):
    home = Home(tmp_path_factory.mktemp("home")).set_pin_by_program().enroll_by_program(bank, protocol="v2", name="fern")
    agent = Agent(home, pinentry=types.SimpleNamespace(program=place), display=screen.name)
    yield agent
    agent.kill()


@pytest.fixture(params=[GTK, Qt, FLTK, GNOME], ids=lambda kind: kind.__name__)
def pinentry(request, screen, tmp_path, agent, place):
    pinentry = request.param(screen, tmp_path)
    place.unlink(missing_ok=True)
    place.symlink_to(pinentry.program)
    agent.unlock()
    yield pinentry
    pinentry.stop()


class Asking(threading.Thread):
    """A front end that waits for the approval of a payment."""

    def __init__(self, agent, bank, title="Pay for books", payee="Fern Books", **options):
        super().__init__(daemon=True)
        # No two are alike: a second yes to the same takes more than the PIN.
        self.amount = f"{next(numbers)}.90 EUR"
        payment = {"payee": payee, "amount": self.amount, "reference": "R-5"}
        self.agent, self.bank = agent, bank
        self.id = bank.pay(title, {"payment": payment}, protocol="v2", **options)
        self.fingerprint = until(self.listed, 60)
        self.start()

    def listed(self):
        """Its fingerprint, once the agent's own poll has brought it."""
        known = self.agent.request("GET", "/authorizations?known=true").json["authorizations"]
        return next((item["fingerprint"] for item in known if item["id"] == self.id), None)

    def run(self):
        path = f"/authorizations/fern:{self.id}/approve?fingerprint={self.fingerprint}"
        self.answer = self.agent.request("POST", path, timeout=300)

    def result(self):
        self.join(300)
        return self.answer

    def refusal(self):
        answer = self.result()
        return answer.status, answer.json["error"]["kind"]

    def at_the_bank(self):
        return self.bank.authorization(self.id)


@pytest.fixture
def ask(agent, bank):
    """Has the agent ask; what was not decided is withdrawn after the test."""
    asked = []

    def ask(*args, **options):
        asked.append(Asking(agent, bank, *args, **options))
        return asked[-1]

    yield ask
    for asking in asked:
        if asking.at_the_bank()["status"] == "pending":
            bank.post(f"authorizations/{asking.id}/close")
        asking.join(300)


def test_the_whole_card_comes_before_the_pin(ask, pinentry, look):
    asking = ask()
    while pinentry.question() == "CONFIRM":
        look(f"page{pinentry.count}")
        pinentry.next()
    look("pin")
    *windows, question = pinentry.told("SETDESC")
    assert pinentry.asked() == ["CONFIRM"] * len(windows) + ["GETPIN"]
    # What is asked in place of a third button has no part of the card.
    pages = [text for text in windows if "\n> " in text]
    assert pages and len(windows) - len(pages) == (1 if isinstance(pinentry, GNOME) and len(pages) > 1 else 0)
    for words in ("> To: Fern Books", f"> Amount: {asking.amount}", "> Reference: R-5", "Title: Pay for books"):
        assert any(words in page.splitlines() for page in pages), pages
    assert all(f"Page {at} of {len(pages)}, then the PIN" in page for at, page in enumerate(pages, 1)), pages
    assert asking.amount in question
    pinentry.type(PIN)
    pinentry.keys("Return")
    assert asking.result().status == 200, asking.answer
    assert asking.at_the_bank()["status"] == "confirmed"


def test_a_page_can_be_cancelled(ask, pinentry):
    asking = ask()
    assert pinentry.question() == "CONFIRM"
    pinentry.cancel()
    assert asking.result().json["error"]["kind"] == "cancelled", asking.answer
    assert pinentry.asked() == ["CONFIRM"] and asking.at_the_bank()["decisions_received"] == 0


def test_the_pin_can_be_cancelled(ask, pinentry):
    asking = ask()
    while pinentry.question() == "CONFIRM":
        pinentry.next()
    pinentry.type(PIN)
    pinentry.keys("Escape")
    assert asking.result().json["error"]["kind"] == "cancelled", asking.answer
    assert asking.at_the_bank()["decisions_received"] == 0


def test_the_buttons_of_a_long_title_are_on_the_screen(ask, pinentry, look):
    asking = ask(LONG)
    question = ""
    while question != "GETPIN":
        question = pinentry.question()
        look(f"{question}{pinentry.count}")
        pinentry.until_on_screen()
        if question == "GETPIN":
            pinentry.type(PIN)
        pinentry.press(question)
    assert pinentry.count > 2 and asking.result().status == 200, asking.answer
    assert asking.at_the_bank()["status"] == "confirmed"


def test_a_window_closes_when_the_bank_withdraws(ask, pinentry, bank):
    asking = ask()
    while pinentry.question() == "CONFIRM":
        pinentry.next()
    pinentry.type(PIN[:3])
    bank.post(f"authorizations/{asking.id}/close")
    assert asking.refusal() == (404, "not_found"), asking.answer
    until(pinentry.is_gone, 60)
    assert asking.at_the_bank()["decisions_received"] == 0


def test_a_window_closes_when_the_request_expires(ask, pinentry):
    asking = ask(expires_in=12)
    assert pinentry.question() == "CONFIRM"
    assert asking.refusal() == (410, "expired"), asking.answer
    until(pinentry.is_gone, 60)
    assert asking.at_the_bank()["decisions_received"] == 0
