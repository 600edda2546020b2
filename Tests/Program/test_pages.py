"""How a page is opened: through the desktop's portal, or by `xdg-open` if that did not open it. Both get an address of this computer
that leads there, since other users can read the arguments of `xdg-open` and of the browser. In Tests/Desktop by the real portal.
"""

import contextlib
import os
import re
import signal
import subprocess

import pytest
import seeds
from agents import Desktop
from conftest import finish
from innards import until
from issuers import Issuer, LoginRun, followed, log_in, redirect_of, visit
from tiqr import Site

HEADLESS = ("--without-notifications", "--without-logind", "--without-screen-saver")


@pytest.fixture
def opener(home, tmp_path):
    """An `xdg-open` that notes what it is given; its notes."""
    notes = tmp_path / "opened"
    program = tmp_path / "bin/xdg-open"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\necho "$@" >>"{notes}"\n')
    program.chmod(0o755)
    home.environment |= {"PATH": f"{program.parent}:{os.environ['PATH']}", "DISPLAY": ":99"}
    notes.touch()
    return notes


@pytest.fixture
def browser(opener):
    """An `xdg-open` that notes what it is given, and beside it the page that this leads to."""
    program = opener.parent / "bin/xdg-open"
    program.write_text(f"""#!/usr/bin/python3
import sys
sys.path.insert(0, {os.path.dirname(__file__)!r})
from issuers import followed
page = followed(sys.argv[1])
print(sys.argv[1], page, file=open({str(opener)!r}, "a"))
""")
    return opener


@pytest.fixture
def portal(tmp_path):
    desktop = Desktop(tmp_path, "--portal", *HEADLESS)
    yield desktop
    desktop.stop()


LEAD = r"http://127\.0\.0\.1:\d+/[0-9a-z]{10,}"


@contextlib.contextmanager
def page(home, bank, *args):
    """Enrolls up to the bank's page and stays there; what was said, and the page's address."""
    enrolling = subprocess.Popen(
        home.argv("enroll", "-", "--yes", "--timeout", "0.5", "--pin-file", home.pin_file, *args), stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home.environment)
    enrolling.stdin.write(bank.link() + "\n")
    enrolling.stdin.flush()
    said = ""
    while "Waiting" not in said and "paste it here" not in said:
        line = enrolling.stderr.readline()
        assert line, said
        said += line
    try:
        yield said, re.search(r"(http://\S+/connect/\S+)\n", said).group(1)
    finally:
        enrolling.terminate()
        enrolling.communicate(timeout=10)


CALLBACKS = pytest.mark.parametrize("callback", ["loopback", "scheme", "paste"])


@CALLBACKS
def test_a_portal_opens_the_page(home, bank, opener, portal, callback):
    with page(home.set_pin(), bank, "--callback", callback) as (said, address):
        [call] = portal.made("OpenURI")
        assert (call["window"], call["options"]) == ("", {}) and re.fullmatch(LEAD, call["address"])
        assert followed(call["address"]) == address
        assert "Opening your browser" in said and opener.read_text() == ""


@pytest.mark.parametrize("way", ["deny", "refuse", "fail"])
def test_if_the_portal_does_not_open_the_page_xdg_open_does(home, bank, opener, portal, way):
    portal.do("pages", way)
    with page(home.set_pin(), bank) as (said, address):
        assert "Opening your browser" in said and len(portal.made("OpenURI")) == 1
        lead = until(opener.read_text).strip()
        assert re.fullmatch(LEAD, lead) and followed(lead) == address


def test_a_portal_that_does_not_answer_is_passed_by(home, bank, opener, portal):
    """After some seconds."""
    portal.process.send_signal(signal.SIGSTOP)
    with page(home.set_pin(), bank) as (said, address):
        assert "Opening your browser" in said and followed(until(opener.read_text).strip()) == address


def test_the_address_is_told_where_nothing_opens_it(home, bank, portal):
    portal.do("pages", "refuse")
    with page(home.set_pin(), bank) as (said, address):
        assert f"Let the bank sign you in at\n  {address}\n" in said
    page_of_action = "https://shop.example/done?a=1"
    link = bank.post("actions", user="ada", kind="plain", return_to=page_of_action)["link"]
    child = home.enroll(bank).terminal("act", link, "--yes", "--pin-file", home.pin_file)
    child.expect_exact(f"warning: no browser came for the page; you can open it yourself:\r\n  {page_of_action}\r\n")
    assert finish(child) == 0


def test_a_person_who_wants_no_browser_is_told_the_address(home, bank, opener, portal):
    portal.do("pages", "cancel")
    with page(home.set_pin(), bank) as (said, address):
        assert f"Let the bank sign you in at\n  {address}\n" in said and opener.read_text() == ""


def test_who_asks_a_portal_holds_no_secret_and_stays_as_long_as_it_asks_the_person(home, bank, opener, portal):
    portal.do("pages", "ask")
    with page(home.set_pin(), bank) as (said, _):
        [call] = portal.made("OpenURI")
        assert "Opening your browser" in said and opener.read_text() == ""
        assert call["words"] == "countersign-portal\0", "no address is an argument"
        # The portal withdraws its question when this process ends.
        assert os.path.exists(f"/proc/{call['pid']}/root")
    until(lambda: not os.path.exists(f"/proc/{call['pid']}"))


@CALLBACKS
def test_without_a_portal_xdg_open_does(home, bank, opener, callback):
    with page(home.set_pin(), bank, "--callback", callback) as (said, address):
        assert "Opening your browser" in said
        lead = until(opener.read_text).strip()
        assert re.fullmatch(LEAD, lead) and followed(lead) == address


@pytest.mark.parametrize("callback", ["loopback", "paste"])
@pytest.mark.parametrize("has_portal", [True, False], ids=["portal", "program"])
def test_no_argument_tells_of_an_issuer(home, opener, callback, has_portal, request):
    """The page's address names the issuer and holds the login's secrets, and a portal starts a browser with it."""
    desktop = request.getfixturevalue("portal") if has_portal else None
    with Issuer() as issuer:
        login = LoginRun(home.set_pin(), issuer.issuer, callback=callback, browser=True)
        assert "Opening your browser" in login.talk and login.page.startswith(issuer.base)
        lead = desktop.made("OpenURI")[0]["address"] if has_portal else until(opener.read_text).strip()
        assert re.fullmatch(LEAD, lead) and not lead.startswith(issuer.base)
        assert followed(lead) == login.page
        redirect = redirect_of(login.page)
        if callback == "loopback":
            assert visit(redirect)[0] == 200
        assert login.end("" if callback == "loopback" else redirect + "\n").code == 0


def test_what_an_action_leads_back_to(home, bank, browser):
    home.set_pin().enroll(bank)
    link = bank.post("actions", user="ada", kind="plain", return_to="https://shop.example/done?a=1")["link"]
    child = home.terminal("act", link, "--yes", "--pin-file", home.pin_file)
    child.expect("Opening your browser")
    assert finish(child) == 0
    lead, led = browser.read_text().split()
    assert re.fullmatch(LEAD, lead) and led == "https://shop.example/done?a=1"


# Where nothing opens a page


REFUSALS = {
    "the portal denies": ("deny", None, {}),
    "the portal refuses, and there is no xdg-open": ("refuse", None, {"DISPLAY": ":99"}),
    "the portal fails, and so does xdg-open": ("fail", 3, {"DISPLAY": ":99"}),
    "the person wants no browser": ("cancel", 0, {"DISPLAY": ":99"}),
    "there is no portal and no xdg-open": (None, None, {"DISPLAY": ":99"}),
    "there is no portal, and xdg-open fails": (None, 3, {"WAYLAND_DISPLAY": "wayland-9"}),
    "there is no portal, and xdg-open fails with BROWSER": (None, 4, {"BROWSER": "no-such-browser"}),
    "there is no display": (None, 0, {}),
}


@pytest.fixture(params=REFUSALS.values(), ids=REFUSALS)
def unopened(request, home, tmp_path):
    """A home where nothing opens pages. If there is an xdg-open, it ends with a code."""
    pages, code, variables = request.param
    programs = tmp_path / "bin"
    programs.mkdir()
    if code is not None:
        (programs / "xdg-open").write_text(f"#!/bin/sh\nexit {code}\n")
        (programs / "xdg-open").chmod(0o755)
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        home.environment.pop(name, None)
    home.environment |= {"PATH": str(programs), "NO_COLOR": "1", **variables}
    desktop = None
    if pages is not None:
        desktop = Desktop(tmp_path, "--portal", *HEADLESS)
        desktop.do("pages", pages)
    yield home.set_pin()
    if desktop is not None:
        desktop.stop()


def told(home, words, address, *args, steps=()):
    """Runs a command on a terminal until it tells the page's address behind these words."""
    child = home.terminal(*args, "--pin-file", home.pin_file, columns=1000)
    for question, answer in steps:
        child.expect_exact(question)
        child.sendline(answer)
    child.expect(re.escape(words) + r"\r\n  (" + address + r")\r\n")
    child.close(force=True)
    return child.match[1]


def test_every_command_tells_the_address_of_a_page_that_does_not_open(unopened, bank):
    home = unopened
    for callback in ("loopback", "scheme", "paste"):
        page = "Let the bank sign you in at", re.escape(bank.url) + r"/connect/\S+"
        told(home, *page, "enroll", bank.link(), "--yes", "--callback", callback)
        if callback == "loopback":
            home.enroll(bank)
        told(home, *page, "reconnect", "demobank", "--yes", "--callback", callback)
    link = bank.post("actions", user="ada", kind="plain", return_to="https://shop.example/done?a=1")["link"]
    visit_yourself = "warning: no browser came for the page; you can open it yourself:"
    told(home, visit_yourself, re.escape("https://shop.example/done?a=1"), "act", link, "--yes")


def test_so_do_those_of_logins(unopened):
    home = unopened
    with Issuer() as issuer:
        log_in(home, issuer, "--name", "fern")
        told(
            home, "To sign your browser out of it, visit", re.escape(issuer.base) + r"\S*", "logout", "fern",
            "--browser", steps=[("y/N", "y")])
        for callback in ("loopback", "scheme", "paste"):
            page = "Let the issuer sign you in at", re.escape(issuer.base) + r"\S+"
            told(home, *page, "login", issuer.issuer, "--yes", "--callback", callback)
    site = Site()
    try:
        seeds.connect_tiqr(home, site)
        page = "https://wiki.fern.example/back?a=1&b=2"
        again = ("Type the title to approve it again: ", "Log in to Fern login")
        for command, steps in (("approve", []), ("act", [again])):
            told(
                home, "warning: no browser came for the page; you can open it yourself:", re.escape(page), command,
                site.challenge(back=page), steps=[*steps, ("in the browser?", "y")])
    finally:
        site.stop()


@pytest.mark.parametrize("variable", ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"])
def test_with_one_of_these_xdg_open_is_tried(home, bank, opener, variable):
    del home.environment["DISPLAY"]
    home.environment[variable] = "x"
    with page(home.set_pin(), bank) as (said, address):
        assert "Opening your browser" in said and followed(until(opener.read_text).strip()) == address


def test_no_browser_asks_neither(home, bank, opener, portal):
    with page(home.set_pin(), bank, "--no-browser") as (said, _):
        assert "Let the bank sign you in at" in said and portal.made("OpenURI") == [] and opener.read_text() == ""
