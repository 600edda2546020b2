"""The menu entry, started as a desktop does, in a real terminal."""

import contextlib
import os
import pathlib
import shutil

import pytest
from conftest import program
from innards import until
from test_install import install


def processes(isWanted):
    """The processes of which this is true; it gets each one's folder in /proc."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        # Others end meanwhile, or hide themselves.
        with contextlib.suppress(OSError):
            found += [folder] * isWanted(folder)
    return found


@pytest.mark.parametrize("hasPIN", [True, False], ids=["a home", "a fresh home"])
def test_the_menu_entry_opens_watch_in_the_persons_terminal(home, screen, tmp_path, hasPIN):
    program("xterm")
    prefix = tmp_path / "with space"
    install(prefix)
    # Of the terminals that a machine may have, this one.
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("xterm", "sh"):
        (tools / name).symlink_to(shutil.which(name))
    place = home.set_pin() if hasPIN else home
    screen.start(
        "env", f"PATH={tools}", "/usr/bin/gio", "launch", prefix / "share/applications/countersign-watch.desktop",
        environment=dict(place.environment, DISPLAY=screen.name))

    def is_watch(folder):
        return (folder / "cmdline").read_bytes() == os.fsencode(prefix / "bin/countersign") + b"\0watch\0"

    def is_shell(folder):
        """In which the hint's command can be typed."""
        return (folder / "cmdline").read_bytes().count(b"\0") == 1 and os.fsencode(home.path) in (
            folder / "environ").read_bytes()

    [folder] = until(lambda: processes(is_watch if hasPIN else is_shell), 60)
    # A terminal takes its title from its command.
    [window] = until(lambda: screen.windows("^sh$"), 60)
    screen.xdotool("windowkill", window)
    until(lambda: not folder.exists(), 60)
