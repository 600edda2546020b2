"""The link from what is on a real screen: the clipboards of X11 (xclip) and Wayland (sway, wl-clipboard), and the code that the demo
bank draws with characters, in a terminal.
"""

import os
import subprocess
import time

import pytest
from conftest import program
from innards import until
from test_pictures import code, saved
from wayland import Sway


@pytest.fixture
def ready(home, bank):
    return home.set_pin(), bank


class X11:
    """The clipboard of the screen."""

    def __init__(self, screen):
        program("xclip")
        self.screen, self.owner = screen, None
        self.environment = {"DISPLAY": screen.name}

    def copy(self, form, path):
        self.clear()
        self.owner = self.screen.start("xclip", "-quiet", "-selection", "clipboard", "-target", form, "-in", path)
        until(lambda: form in self.forms())

    def forms(self):
        return subprocess.run(
            ["xclip", "-selection", "clipboard", "-out", "-target", "TARGETS"], env=self.screen.environment, capture_output=True,
            text=True).stdout.split()

    def clear(self):
        if self.owner is not None:
            self.owner.kill()
            self.owner.wait()
            until(lambda: not self.forms())

    stop = clear


class Wayland(Sway):
    """Its clipboard."""

    def __init__(self):
        program("wl-copy")
        super().__init__()

    def copy(self, form, path):
        with open(path, "rb") as file:
            subprocess.run(
                ["wl-copy", "--type", form], stdin=file, check=True, env=dict(os.environ, **self.environment), timeout=60,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def clear(self):
        subprocess.run(["wl-copy", "--clear"], check=True, env=dict(os.environ, **self.environment), timeout=60)


@pytest.fixture(params=["x11", "wayland"])
def clipboard(request, screen):
    clipboard = X11(screen) if request.param == "x11" else Wayland()
    yield clipboard
    clipboard.stop()


def test_a_copied_picture_connects_a_bank(ready, clipboard, tmp_path):
    home, bank = ready
    clipboard.copy("image/png", saved(tmp_path / "code.png", code(bank)))
    told = home.ok("enroll", "--clipboard", "--yes", environment=clipboard.environment)
    assert "Connected: demobank" in told.out + told.err
    # JPEG likewise, and what was copied before does not count any more.
    clipboard.copy("image/jpeg", saved(tmp_path / "code.jpg", code(bank).convert("RGB")))
    home.ok("enroll", "--clipboard", "--yes", "--name", "second", environment=clipboard.environment)


def test_a_copied_link_connects_a_bank(ready, clipboard, tmp_path):
    home, bank = ready
    path = tmp_path / "link"
    path.write_text(f"\n  {bank.link(instant=True)}\n")
    clipboard.copy("text/plain;charset=utf-8", path)
    home.ok("enroll", "--clipboard", "--yes", environment=clipboard.environment)


def test_what_was_copied_and_is_no_link_is_told_without_its_words(ready, clipboard, tmp_path):
    home, _ = ready
    path = tmp_path / "text"
    path.write_text("my other secret")
    clipboard.copy("text/plain;charset=utf-8", path)
    result = home.run("enroll", "--clipboard", "--yes", environment=clipboard.environment)
    assert result.code == 64 and "secret" not in result.err + result.out
    path.write_bytes(bytes(1000))
    clipboard.copy("application/octet-stream", path)
    result = home.run("enroll", "--clipboard", "--yes", environment=clipboard.environment)
    assert result.code == 64 and "the clipboard holds neither a picture nor text" in result.err
    clipboard.clear()
    result = home.run("enroll", "--clipboard", "--yes", environment=clipboard.environment)
    assert result.code == 64 and "the clipboard holds neither a picture nor text" in result.err


def test_the_code_in_a_terminal_connects_a_bank(ready, screen, tmp_path):
    home, bank = ready
    program("xterm")
    text = tmp_path / "code.txt"
    text.write_text(bank.post("links", user="ada", instant=True)["code"])
    # Dark ground, as most terminals have it. The font of the display's server has no half blocks.
    terminal = screen.start(
        "xterm", "-u8", "-fa", "DejaVu Sans Mono", "-fs", "9", "-bg", "black", "-fg", "white", "-geometry", "110x60+0+0",
        "-T", "the code", "-e", f"cat '{text}'; sleep 600")
    try:
        until(lambda: screen.windows("^the code$"))
        picture = tmp_path / "screen.png"

        def enrolled():
            time.sleep(0.5)
            screen.picture(picture)
            return home.run("enroll", "--image", picture, "--yes").code == 0

        until(enrolled, 60)
    finally:
        terminal.kill()
        terminal.wait()
