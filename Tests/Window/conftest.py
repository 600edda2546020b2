"""The window beside the real agent and the demo bank, driven by what assistive technology sees of it (AT-SPI), on a display, a bus and a
keyring of its own. What stands around it is described in Tests/Desktop and Tests/Program.

Run by `make test-window`. Pictures of the screens go to .build/screenshots/window.
"""

import importlib.util
import os
import pathlib
import subprocess
import sys
import time

import gi
import pytest

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi, GLib  # noqa: E402

TESTS = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TESTS / "Program"))


def load(folder):
    """The file of this name of another folder."""
    name = folder.lower() + "_conftest"
    spec = importlib.util.spec_from_file_location(name, TESTS / folder / "conftest.py")
    sys.modules[name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sys.modules[name])
    return sys.modules[name]


load("Program")
from program_conftest import *  # noqa: E402, F403
from program_conftest import BIN, PIN, ROOT, pytest_configure  # noqa: E402, F401

from agents import agents  # noqa: E402, F401
from innards import until  # noqa: E402

Screen = load("Desktop").Screen
PICTURES = ROOT / ".build/screenshots/window"


@pytest.fixture(scope="session")
def screen(tmp_path_factory):
    screen = Screen(tmp_path_factory.mktemp("screen"), size="900x900")
    # The private bus starts no service by itself.
    screen.start("/usr/libexec/at-spi-bus-launcher", "--launch-immediately")
    until(lambda: "org.a11y.Bus" in names_on_the_bus(), 30)
    # A window that appears before its manager runs may never get the focus, and then keys go nowhere.
    until(lambda: succeeds(screen, "get_desktop"), 30)
    PICTURES.mkdir(parents=True, exist_ok=True)
    yield screen
    screen.stop()


def succeeds(screen, *words):
    return subprocess.run(["xdotool", *words], env=screen.environment, capture_output=True).returncode == 0


def names_on_the_bus():
    return subprocess.run(
        ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
         "org.freedesktop.DBus.ListNames"], capture_output=True, text=True).stdout


class Window:
    """One window of a home, as assistive technology sees it."""

    def __init__(self, home, screen, command=(BIN / "countersign-window",), **environment):
        self.home, self.screen = home, screen
        self.environment = dict(
            home.environment, DISPLAY=screen.name, GSK_RENDERER="cairo", GDK_BACKEND="x11",
            DBUS_SYSTEM_BUS_ADDRESS=os.environ["DBUS_SESSION_BUS_ADDRESS"], **environment)
        self.process = screen.start(*command, environment=self.environment)

    # The tree

    def all(self, under=None):
        """Each object of the tree, in order."""
        if under is None:
            under = self.application()
        if under is None:
            return
        yield under
        for place in range(under.get_child_count()):
            child = under.get_child_at_index(place)
            if child is not None:
                yield from self.all(child)

    def application(self):
        while GLib.MainContext.default().iteration(False):
            pass
        desktop = Atspi.get_desktop(0)
        desktop.clear_cache()
        for place in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(place)
            try:
                if child is not None and child.get_process_id() == self.process.pid:
                    child.clear_cache()
                    return child
            except GLib.Error:
                pass
        return None

    def found(self, name, role=None):
        """The object of this name, and of a role of this name if one is given; None without any."""
        self.check()
        try:
            for thing in self.all():
                if thing.get_name() == name and (role is None or thing.get_role_name() == role):
                    return thing
        except GLib.Error:
            pass
        return None

    def check(self):
        """Fails if the window's process has ended: a window that is gone shows nothing of all that it should not show."""
        assert self.process.poll() is None, f"the window has ended: {self.process.returncode}"

    def lacks(self, words, on):
        """Whether these words stand nowhere on the page, which shows the words `on`."""
        self.check()
        texts = self.text()
        assert any(on in text for text in texts), f"another page: {texts}"
        return not any(words in text for text in texts)

    def wait(self, name, role=None, seconds=30):
        return until(lambda: self.found(name, role), seconds)

    def text(self, under=None):
        """The texts that stand there, in order."""
        texts = []
        for thing in self.all(under):
            if thing.get_role_name() in ("label", "static"):
                texts.append(thing.get_name())
        return texts

    def shows(self, words):
        self.check()
        try:
            return any(words in text for text in self.text())
        except GLib.Error:
            return False

    def wait_for(self, words, seconds=30):
        until(lambda: self.shows(words), seconds)

    def tree(self):
        """The tree as text, to be printed beside a failure."""
        lines = []

        def draw(thing, depth):
            lines.append("  " * depth + f"{thing.get_role_name()} {thing.get_name()!r} {thing.get_description()!r}")
            for place in range(thing.get_child_count()):
                draw(thing.get_child_at_index(place), depth + 1)

        draw(self.application(), 0)
        return "\n".join(lines)

    @staticmethod
    def is_enabled(thing):
        return thing.get_state_set().contains(Atspi.StateType.SENSITIVE)

    # The person

    def press(self, name, seconds=30, role="push button"):
        """Presses a button as soon as that is possible."""
        def act():
            self.check()
            button = self.found(name, role)
            return button is not None and self.is_enabled(button) and Atspi.Action.do_action(button, 0)

        until(act, seconds)

    def await_focus(self):
        """Until the window manager gave the window the keyboard."""
        def has_it():
            self.check()
            return succeeds(self.screen, "getactivewindow") and (
                self.screen.xdotool("getactivewindow", "getwindowpid").strip() == str(self.process.pid))

        until(has_it, 30)

    def type(self, text):
        self.screen.xdotool("type", "--delay", "20", text)

    def key(self, *names):
        self.screen.xdotool("key", "--delay", "40", *names)

    def focus(self, name, role):
        """Goes there by Tab."""
        for _ in range(20):
            if self.found(name, role).get_state_set().contains(Atspi.StateType.FOCUSED):
                return
            self.key("Tab")
            time.sleep(0.1)
        raise AssertionError(f"no Tab leads to {name}")

    def fill(self, name, text):
        """Goes to an entry, and writes this in place of its text."""
        self.focus(name, "text")
        self.key("ctrl+a")
        self.type(text)

    def choose(self, entry):
        """Chooses an entry of the menu."""
        self.wait("Menu", "push button")
        self.focus("Menu", "push button")
        self.key("space")
        until(lambda: self.found(entry, "menu item"), 10)
        for _ in range(5):
            if self.found(entry, "menu item").get_state_set().contains(Atspi.StateType.FOCUSED):
                break
            self.key("Down")
            time.sleep(0.1)
        self.key("Return")

    def size(self, width, height):
        """Makes the window so large. The tabs beside a page go only after a first step, and then it can be narrower."""
        for step in (max(width, 740), width):
            self.screen.xdotool(
                "search", "--onlyvisible", "--name", "^Countersign$", "windowsize", str(step), str(height))
            time.sleep(0.5)

    def unlock(self, pin=PIN):
        self.wait("PIN")
        self.await_focus()
        self.type(pin)
        self.press("Unlock")

    def picture(self, name):
        time.sleep(0.4)
        self.screen.picture(PICTURES / f"{name}.png")

    def stop(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def window_of(screen):
    """Opens the window of a home. Ends the agent that it starts."""
    opened = []

    def open(home, **options):
        opened.append(Window(home, screen, **options))
        return opened[-1]

    yield open
    for window in opened:
        window.stop()
        window.home.run("agent", "--stop", pin=False)


@pytest.fixture
def window(connected, window_of):
    """Opens the window of a home with a PIN and one connection."""
    return lambda **environment: window_of(connected, **environment)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A picture of the screen and the tree beside each failure, while they are there."""
    outcome = yield
    report = outcome.get_result()
    screen = getattr(item, "funcargs", {}).get("screen")
    if report.failed and call.when == "call" and screen is not None:
        path = PICTURES.parent / f"window.{item.name}.png"
        screen.picture(path)
        report.sections.append(("screen", str(path)))
