"""A payment on Xfce: its window manager, panel and notes, and the portal that Debian has for it."""

import re

import pytest
from agents import agents
from conftest import PIN, Screen, program
from innards import until
from issuers import followed
from servers import Xfce
from test_pages import LEAD, page
from test_portal import noter, place, portals
from test_windows import GTK

FORGED = "Bob" + " " * 40 + "Demo Bank " + "W" * 60 + " Demo Bank\nDemo Bank"


@pytest.fixture
def screen(tmp_path):
    (tmp_path / "xfce").mkdir()
    screen = Screen(tmp_path / "xfce", manager=program("xfwm4"))
    screen.start(program("xfce4-panel"), "--disable-wm-check")
    yield screen
    screen.stop()


@pytest.fixture
def server(screen, tmp_path):
    server = Xfce(screen, tmp_path)
    yield server
    server.stop()


def test_review_brings_the_card_to_the_person(connected, agents, bank, server, screen, tmp_path, look):
    """The window manager gives the keyboard to the window that the person asked for."""
    pinentry = GTK(screen, tmp_path)
    agents(connected, pinentry=pinentry, display=screen.name).unlock()
    id = bank.pay(FORGED)
    note = server.note("Bob")
    *title, name, host, reference = note["body"].splitlines()
    assert name == "Demo Bank" and reference.startswith(f"demobank:{id}, expires at ")
    assert title[0].startswith("Bob") and all(line.startswith("↳ ") for line in title[1:])
    look("note")
    server.press(note, "Review")
    for count in range(1, 9):
        until(lambda: len(pinentry.asked()) >= count, 60)
        window = until(pinentry.windows, 60)[-1]
        until(lambda: int(screen.xdotool("getwindowfocus")) == window, 60)
        look(f"{count}")
        pinentry.window = window
        if pinentry.asked()[-1] == "GETPIN":
            break
        pinentry.next()
        until(lambda: not pinentry.windows() or pinentry.windows()[-1] != window, 60)
    pinentry.type(PIN)
    pinentry.keys("Return")
    until(lambda: bank.authorization(id)["status"] == "confirmed", 60)


def test_the_browser_opens_from_enroll(place, bank, portals, noter):
    home, instead = place
    browser, opened = noter("browser")
    portals("gtk", XDG_CURRENT_DESKTOP="XFCE").register(browser)
    with page(home, bank) as (said, address):
        assert "Opening your browser" in said
        lead = until(opened.read_text).strip()
        assert re.fullmatch(LEAD, lead) and followed(lead) == address
        assert instead.read_text() == "", "by the portal"
