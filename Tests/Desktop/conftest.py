"""The built program beside the desktop's real programs, as a person meets them: on a display of its own (Xvfb, openbox) and a
private bus with a keyring. What stands around the program is described in Tests/Program; what is needed there is had from here:

    from agents import agents, pinentry
    from conftest import PIN

Run by `make test-desktop`. A test that fails leaves a picture of the screen in .build/screenshots, and says so.
"""

import importlib.util
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import pytest

PROGRAM = pathlib.Path(__file__).resolve().parents[1] / "Program"
sys.path.insert(0, str(PROGRAM))
# Both folders have a file of this name, and pytest loads this one: it stands for both.
spec = importlib.util.spec_from_file_location("program_conftest", PROGRAM / "conftest.py")
sys.modules[spec.name] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules[spec.name])
from program_conftest import *  # noqa: E402, F403
from program_conftest import ROOT, pytest_configure  # noqa: E402, F401

from agents import agents, pinentry  # noqa: E402, F401
from innards import until  # noqa: E402

SCREENSHOTS = ROOT / ".build/screenshots"


class Screen:
    """A display without a monitor, with a window manager, unless `manager` is None."""

    def __init__(self, directory, size="1280x1024", manager="openbox"):
        reader, writer = os.pipe()
        self.log = open(directory / "screen.log", "wb")
        # Tests are killed without a word at times: nothing may outlive them.
        self.server = self.start(
            "Xvfb", "-displayfd", str(writer), "-screen", "0", f"{size}x24", "-nolisten", "tcp", pass_fds=[writer])
        os.close(writer)
        with os.fdopen(reader) as answer:
            self.name = ":" + answer.readline().strip()
        assert self.name != ":", "Xvfb does not start"
        self.environment = dict(os.environ, DISPLAY=self.name, NO_AT_BRIDGE="1")
        self.manager = self.start(manager) if manager else None

    def start(self, *argv, environment=None, **options):
        """A program on this display, which ends with the tests."""
        return subprocess.Popen(
            ["setpriv", "--pdeathsig", "KILL", *map(str, argv)], stdin=subprocess.DEVNULL, stdout=self.log,
            stderr=self.log, env=dict(getattr(self, "environment", os.environ), **(environment or {})), **options)

    def run(self, *argv):
        """What a command on this display prints."""
        done = subprocess.run(
            [str(a) for a in argv], env=self.environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, f"{argv}: {done.stderr}"
        return done.stdout

    def xdotool(self, *words):
        return self.run("xdotool", *words)

    def click(self, x, y, button=1):
        self.xdotool("mousemove", x, y, "click", button)

    def windows(self, name=".*"):
        """The numbers of the windows that can be seen, by a pattern of their title or class."""
        # Without any it ends with 1.
        done = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--name", name], env=self.environment, capture_output=True, text=True)
        return [int(number) for number in done.stdout.split()]

    def windows_of(self, pid):
        """The numbers of a process's windows that can be seen."""
        done = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--all", "--pid", str(pid), "--name", ".*"], env=self.environment,
            capture_output=True, text=True)
        return [int(number) for number in done.stdout.split()]

    def picture(self, path):
        """What can be seen, as a PNG file."""
        # Brackets and colons in a name mean something to this program.
        name = re.sub(r"[^\w.-]+", "_", pathlib.Path(path).name)
        self.run("import", "-window", "root", f"png:{pathlib.Path(path).with_name(name)}")

    def stop(self):
        for process in filter(None, (self.manager, self.server)):
            process.kill()
            process.wait()
        self.log.close()


@pytest.fixture(scope="session")
def screen(tmp_path_factory):
    screen = Screen(tmp_path_factory.mktemp("screen"))
    yield screen
    screen.stop()


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    """A picture of the screen beside each failure, while it can still be seen."""
    outcome = yield
    report = outcome.get_result()
    screen = getattr(item, "funcargs", {}).get("screen")
    if report.failed and call.when == "call" and screen is not None:
        SCREENSHOTS.mkdir(parents=True, exist_ok=True)
        path = SCREENSHOTS / f"{pathlib.Path(item.fspath).stem}.{item.name}.png"
        screen.picture(path)
        report.sections.append(("screen", str(path)))


def program(*paths):
    """The first of these programs that is installed; without one the test says that it does not run."""
    found = next((path for path in map(shutil.which, paths) if path), None)
    if found is None:
        pytest.skip(f"not installed: {paths[0]}")
    return found


@pytest.fixture
def look(screen, request):
    """Takes a picture when LOOK names a directory: look(name)."""
    def take(name):
        if "LOOK" in os.environ:
            time.sleep(0.5)
            screen.picture(pathlib.Path(os.environ["LOOK"]) / f"{request.node.name}.{name}.png")

    return take
