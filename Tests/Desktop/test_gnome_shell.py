"""The window that GNOME Shell itself draws for pinentry-gnome3, and the person's browser by the portal of that desktop.

What a test reads is the Shell's own layout of what can be seen: which lines it made, and what it cut.
"""

import re
import types

import pytest
from agents import Agent
from conftest import PIN, ROOT, Bank, Home
from innards import until
from issuers import followed
from shell import SIZE, screen, shell
from test_pages import LEAD, page
from test_portal import noter, place as desk, portals
from test_windows import Asking, Pinentry

# The ems of a line for which the program thinks that there is room.
ROOM = int(re.search(r"case \.headlined: (\d+)", (ROOT / "Sources/Person/Pinentry/PinentryWindow.swift").read_text())[1])
# The widest letters of each script, as long words, as words of a line's width, and narrow ones.
WIDE = [
    "W" * 40, "WWWW MMMM @@@@ MMMM %%%% mmmm", "Wi" * 20, "漢字" * 15, "Ｗ＠" * 15, "\ufdfd" * 6, "ﷺ \ufdfd ڝ", "ЩЮЖѬ" * 10, "ΩΨΦ" * 12,
    "שלום " * 8, "⸻—" * 12, "∰⟺⟿" * 12, "😀👍" * 14, "𒐫𒈙" * 4, "ௌஔ" * 12, "ǄŒǢꜲ" * 10, "i" * 90,
]


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    bank = Bank(tmp_path_factory.mktemp("bank"))
    bank.post("settings", processing_polls=0)
    yield bank
    bank.stop()


class Window(Pinentry):
    """The Shell's own window, that pinentry-gnome3 asks it for."""

    name = "pinentry-gnome3"

    def __init__(self, shell, directory):
        super().__init__(shell.screen, directory)
        self.shell = shell

    def question(self):
        """Waits for the next question and until the Shell shows it; returns CONFIRM or GETPIN."""
        self.count += 1
        until(lambda: len(self.asked()) >= self.count, 120)
        until(lambda: self.description and self.description.text == self.told("SETDESC")[-1], 60)
        return self.asked()[self.count - 1]

    @property
    def texts(self):
        return self.shell.dialog()

    @property
    def description(self):
        return next((text for text in self.texts if text.style == "message-dialog-description"), None)

    def next(self):
        self.keys("Escape" if self.leads_back() else "Return")


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """Where the agent finds the pinentry of the test."""
    return tmp_path_factory.mktemp("place") / "pinentry"


@pytest.fixture(scope="module")
def agent(tmp_path_factory, bank, shell, place):
    home = Home(tmp_path_factory.mktemp("home")).set_pin_by_program().enroll_by_program(bank, protocol="v2", name="fern")
    agent = Agent(home, pinentry=types.SimpleNamespace(program=place), display=shell.screen.name)
    yield agent
    agent.kill()


@pytest.fixture
def window(shell, tmp_path, agent, place):
    window = Window(shell, tmp_path)
    place.unlink(missing_ok=True)
    place.symlink_to(window.program)
    agent.unlock()
    yield window
    window.stop()
    until(lambda: shell.eval("Main.modalCount") == 0, 60)


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


def stands_whole(texts):
    """Nothing was broken or cut by the Shell, and the buttons are on the screen."""
    width, height = map(int, SIZE.split("x"))
    for text in texts:
        assert not text.isCut and text.wrapped() == [] and text.inked <= text.room, text
        assert 0 <= text.x and text.x + text.width <= width and 0 <= text.y and text.y + text.height <= height, text


def test_the_shells_window_asks_for_our_pin(ask, window, look):
    asking = ask()
    while window.question() == "CONFIRM":
        stands_whole(window.texts)
        look(f"page{window.count}")
        window.next()
    look("pin")
    stands_whole(window.texts)
    [title] = [text for text in window.texts if text.style == "message-dialog-title"]
    assert title.text == "Approve payment"
    # Nothing stands between these words and the field.
    assert [line for _, line in window.description.lines][-3:] == [
        "Enter your Countersign PIN,", "not your bank's,", "not your log-in password"]
    assert any(asking.amount in line for _, line in window.description.lines)
    window.type(PIN)
    window.keys("Return")
    assert asking.result().status == 200, asking.answer
    assert asking.at_the_bank()["status"] == "confirmed"


@pytest.mark.parametrize("scale", [0.8, 1, 1.5])
def test_the_shell_neither_breaks_nor_cuts_a_line(window, shell, ask, scale, look):
    """A line that the Shell began by itself would be one that the payee wrote in our place, and what it cuts is not seen."""
    shell.scale(scale)
    asking = ask("Pay " + " ".join(reversed(WIDE)), payee=" ".join(WIDE))
    while window.question() == "CONFIRM":
        stands_whole(window.texts)
        assert window.description.room >= ROOM * window.description.em
        look(f"page{window.count}")
        window.next()
    stands_whole(window.texts)
    look("pin")
    window.keys("Escape")
    assert asking.result().json["error"]["kind"] == "cancelled", asking.answer


def test_the_browser_opens_from_enroll(desk, bank, portals, noter):
    home, instead = desk
    browser, opened = noter("browser")
    portals("gnome", XDG_CURRENT_DESKTOP="GNOME").register(browser)
    with page(home, bank) as (said, address):
        assert "Opening your browser" in said
        lead = until(opened.read_text).strip()
        assert re.fullmatch(LEAD, lead) and followed(lead) == address
        assert instead.read_text() == "", "by the portal"
