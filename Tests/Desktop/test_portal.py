"""The real portal (xdg-desktop-portal): it opens the bank's page in the person's browser, and takes the picture of the screen. Root may
look into every process, so these tests say something as an ordinary user only.
"""

import os
import re
import subprocess

import pytest
from conftest import program
from innards import until
from issuers import followed
from PIL import Image
from test_pages import LEAD, page
from test_pictures import code, saved
from wayland import Sway

PORTAL, BACKEND = "org.freedesktop.portal.Desktop", "org.freedesktop.impl.portal.desktop."



def owns(name):
    done = subprocess.run(
        ["dbus-send", "--session", "--dest=org.freedesktop.DBus", "--print-reply", "/org/freedesktop/DBus",
         "org.freedesktop.DBus.NameHasOwner", f"string:{name}"], capture_output=True, text=True, check=True)
    return "true" in done.stdout


class Portal:
    """The portal with one backend, on the private bus. `isAlone`: whether it knows of no other backend."""

    def __init__(self, screen, directory, backend, isAlone, environment):
        self.data, config = directory / "data", directory / "config"
        (self.data / "applications").mkdir(parents=True)
        config.mkdir()
        # The browsers of this machine do not count, only the one that is registered here.
        system = directory / "system"
        system.mkdir()
        (system / "glib-2.0").symlink_to("/usr/share/glib-2.0")
        environment = dict(
            environment, XDG_DATA_HOME=str(self.data), XDG_DATA_DIRS=str(system), XDG_CONFIG_HOME=str(config),
            XDG_CONFIG_DIRS=str(system))
        if isAlone:
            (system / f"{backend}.portal").symlink_to(f"/usr/share/xdg-desktop-portal/portals/{backend}.portal")
            environment["XDG_DESKTOP_PORTAL_DIR"] = str(system)
        self.config = config
        self.processes = []
        for path, name in (
            (f"/usr/libexec/xdg-desktop-portal-{backend}", BACKEND + backend), ("/usr/libexec/xdg-desktop-portal", PORTAL),
        ):
            self.processes.append(screen.start(program(path), environment=environment))
            until(lambda: owns(name), 60)

    def register(self, command):
        """The browser."""
        (self.data / "applications/browser.desktop").write_text(
            f"[Desktop Entry]\nType=Application\nName=Browser\nExec={command} %u\nMimeType=x-scheme-handler/http;\n")
        (self.config / "mimeapps.list").write_text("[Default Applications]\nx-scheme-handler/http=browser.desktop\n")

    def stop(self):
        for process in self.processes:
            process.kill()
            process.wait()
        until(lambda: not owns(PORTAL), 60)


@pytest.fixture
def portals(screen, tmp_path):
    started = []

    def start(backend, isAlone=True, **environment):
        started.append(Portal(screen, tmp_path, backend, isAlone, environment))
        return started[-1]

    yield start
    for portal in started:
        portal.stop()


@pytest.fixture
def noter(tmp_path):
    """Makes a program that notes its arguments; returns its path and its notes."""
    def make(name):
        notes = tmp_path / f"{name}.notes"
        notes.touch()
        path = tmp_path / "bin" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'#!/bin/sh\necho "$@" >>"{notes}"\n')
        path.chmod(0o755)
        return path, notes

    return make


@pytest.fixture
def place(home, screen, noter):
    """A home on the screen, with an xdg-open that notes what it gets."""
    path, notes = noter("xdg-open")
    home.environment |= {"DISPLAY": screen.name, "PATH": f"{path.parent}:{os.environ['PATH']}"}
    return home.set_pin(), notes


@pytest.mark.parametrize("callback", ["loopback", "scheme", "paste"])
def test_the_portal_opens_the_banks_page(place, bank, portals, noter, callback):
    home, instead = place
    browser, opened = noter("browser")
    portals("gtk").register(browser)
    with page(home, bank, "--callback", callback) as (said, address):
        assert "Opening your browser" in said
        lead = until(opened.read_text).strip()
        assert re.fullmatch(LEAD, lead) and followed(lead) == address
        assert instead.read_text() == "", "by the portal"


def test_xdg_open_opens_the_page_where_the_portal_has_no_browser(place, bank, portals):
    home, instead = place
    portals("gtk")
    with page(home, bank) as (said, address):
        assert "Opening your browser" in said and followed(until(instead.read_text).strip()) == address


def test_a_page_is_told_where_nothing_opens_it(home, bank, portals):
    portals("gtk")
    with page(home.set_pin(), bank) as (said, address):
        assert f"Let the bank sign you in at\n  {address}\n" in said


@pytest.mark.parametrize("isAlone,words", [
    (True, "the desktop's portal takes no pictures of the screen here"),
    (False, "the desktop's portal could not take a picture")], ids=["no backend", "another desktop's backend"])
def test_why_the_portal_takes_no_picture(home, portals, isAlone, words):
    program("/usr/libexec/xdg-desktop-portal-wlr")
    portals("gtk", isAlone)
    result = home.run("enroll", "--screen", "--yes", pin=False)
    assert result.code == 1 and f"error: {words}\n" in result.err and "apt install" not in result.err, result


@pytest.fixture
def taking(screen, portals, tmp_path):
    """The portal of a sway that shows a picture. `chosen`: whether the person chooses the part with it."""
    running, streams = [], []

    def start(picture, chosen=True):
        program("grim"), program("swaybg")
        sway = Sway(picture)
        running.append(sway)
        runtime = {"XDG_RUNTIME_DIR": str(sway.runtime)}
        # Without it the backend does not start.
        streams.append(screen.start(program("pipewire"), environment=runtime))
        until((sway.runtime / "pipewire-0").exists)
        # In the place of slurp, with which the person chooses a part of the screen.
        chooser = tmp_path / "chooser/slurp"
        chooser.parent.mkdir()
        chooser.write_text("#!/bin/sh\n" + ("echo '0,0 1280x720'\n" if chosen else "exit 1\n"))
        chooser.chmod(0o755)
        portals(
            "wlr", isAlone=False, XDG_CURRENT_DESKTOP="sway", PATH=f"{chooser.parent}:{os.environ['PATH']}", **runtime,
            **sway.environment)

    yield start
    for process in streams:
        process.kill()
        process.wait()
    for sway in running:
        sway.stop()


def test_the_portal_takes_the_picture_with_the_code(home, bank, taking, tmp_path):
    taking(saved(tmp_path / "code.png", code(bank)))
    told = home.set_pin().ok("enroll", "--screen", "--yes")
    assert "Connected: demobank" in told.out + told.err


def test_a_person_who_chooses_nothing_is_told_that_there_is_no_picture(home, taking, tmp_path):
    taking(saved(tmp_path / "white.png", Image.new("L", (100, 100), 255)), chosen=False)
    result = home.run("enroll", "--screen", "--yes", pin=False)
    assert result.code in (1, 2) and "apt install" not in result.err, result
