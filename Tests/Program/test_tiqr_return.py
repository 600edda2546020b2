"""The page that a login's link leads back to: shown on the card, and opened only after a yes, whichever way the login was approved."""

import os

import pytest
from agents import YES
from conftest import PIN, finish
from innards import until
from test_pinentry import Fake, typed
from tiqr import approve, enrolled, make_site, site

__all__ = ["enrolled", "make_site", "site"]

PAGES = ["https://wiki.fern.example/back?a=1&b=2", "http://wiki.fern.example/back"]


class Browser:
    def __init__(self, path, notes):
        self.path, self.notes = path, notes

    def opened(self):
        return self.notes.read_text().splitlines() if self.notes.exists() else []


@pytest.fixture
def browser(tmp_path):
    """A stand-in for xdg-open that notes the page that it is led to."""
    program, opened = tmp_path / "bin/xdg-open", tmp_path / "opened"
    program.parent.mkdir()
    program.write_text(f"""#!/usr/bin/python3
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from issuers import followed
assert sys.argv[1].startswith("http://127.0.0.1:")
page = followed(sys.argv[1])
print(page, file=open({str(opened)!r}, "a"))
""")
    program.chmod(0o755)
    return Browser(program.parent, opened)


@pytest.fixture
def home(home, browser):
    home.environment.update(PATH=f"{browser.path}:{home.environment['PATH']}", BROWSER="x", NO_COLOR="1")
    home.environment.pop("DISPLAY", None)
    return home


def ask(child, page, answer):
    child.expect("approved .*confirmed")
    child.expect_exact(f"Open {page} in the browser?")
    child.sendline(answer)


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("command", ["approve", "act"])
def test_a_command_offers_the_page(enrolled, site, browser, command, page):
    for answer in ("n", "y"):
        child = enrolled.terminal(command, site.challenge(back=page))
        child.expect("PIN: ")
        child.sendline(PIN)
        child.expect("Leads back to")
        if answer == "y":
            child.expect("Type the title to approve it again: ")
            child.sendline("Log in to Fern login")
        child.expect("PIN to approve")
        child.sendline(PIN)
        assert browser.opened() == []
        ask(child, page, answer)
        assert finish(child) == 0
    assert until(browser.opened) == [page]


def test_watch_offers_the_page(enrolled, site, browser):
    page = PAGES[0]
    child = enrolled.terminal("watch", "--pin-file", enrolled.pin_file)
    child.expect("No bank can be asked")
    child.send(f"\x1b[200~{site.challenge(back=page)}\n\x1b[201~")
    child.expect("Log in to Fern login")
    child.send("a")
    child.expect("Approve this")
    child.sendline("y")
    ask(child, page, "y")
    assert until(browser.opened) == [page]
    child.expect("No bank can be asked")
    child.send("q")
    assert finish(child) == 0


def test_a_window_offers_the_page(enrolled, site, browser):
    fake = Fake(enrolled, prompt="auto")
    page = PAGES[1]
    result = fake.run(
        "open", site.challenge(back=page), answers=[typed(PIN), YES, YES, typed(PIN), "OK\n", "OK\n"],
        environment={"DISPLAY": ":99"})
    assert result.code == 0, (result, fake.lines)
    assert [d for d in fake.told("SETDESC") if "Open this page" in d and page in "".join(d.split())], fake.lines
    assert until(browser.opened) == [page]


def test_a_window_tells_of_a_page_that_nothing_opens(enrolled, site, tmp_path):
    (tmp_path / "none").mkdir()
    fake = Fake(enrolled, prompt="auto")
    result = fake.run(
        "open", site.challenge(back=PAGES[0]), answers=[typed(PIN), YES, YES, typed(PIN), "OK\n", "OK\n"],
        environment={"DISPLAY": ":99", "PATH": str(tmp_path / "none")})
    assert result.code == 0, (result, fake.lines)
    [told] = [words for words in fake.told("SETDESC") if "No browser came for the page" in words]
    assert PAGES[0] in "".join(told.replace("\n↳ ", "").split()), told


@pytest.mark.parametrize("page", [
    "javascript:alert(1)", "file:///etc/passwd", "ftp://fern.example/", "https://fern@evil.example/", "https://", "fern.example"])
def test_another_address_is_no_page(enrolled, site, browser, page):
    child = enrolled.terminal("approve", site.challenge(back=page))
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("PIN to approve")
    assert "Leads back to" not in child.before
    child.sendline(PIN)
    child.expect("approved .*confirmed")
    assert finish(child) == 0 and "Open" not in child.before
    assert browser.opened() == []


def test_what_was_not_approved_leads_nowhere(enrolled, site, browser):
    site.faults["/login"] = lambda handler: handler.answer(200, "INVALID_CHALLENGE")
    child = enrolled.terminal("approve", site.challenge(back=PAGES[0]))
    child.expect("PIN: ")
    child.sendline(PIN)
    child.expect("PIN to approve")
    child.sendline(PIN)
    assert finish(child) == 8 and "Open" not in child.before
    assert browser.opened() == []


def test_a_script_is_not_asked(enrolled, site, browser):
    assert approve(enrolled, site.challenge(back=PAGES[0])).code == 0
    assert browser.opened() == []
