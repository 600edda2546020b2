"""An agent that a person started in the background ends with the person's session, whatever tells of that end; and which lockers of
the screen it cannot hear, as doctor says.
"""

import os
import shutil
import subprocess
import sys
import tempfile

import pexpect
import pytest
from agents import Desktop, agents, desktop, open_directory
from conftest import check_schema
from innards import until

BUS = {"DBUS_SYSTEM_BUS_ADDRESS": os.environ.get("DBUS_SESSION_BUS_ADDRESS", ""), "DISPLAY": "", "WAYLAND_DISPLAY": ""}


@pytest.fixture
def started():
    """Processes that end with the test."""
    processes = []

    def start(*argv, **options):
        processes.append(subprocess.Popen(argv, stdin=subprocess.DEVNULL, **options))
        return processes[-1]

    yield start
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def home(home):
    yield home
    home.run("agent", "--stop", pin=False)


def daemonize(home, environment=None):
    home.ok("agent", "--daemonize", pin=False, environment=BUS | (environment or {}))


def until_ended(home, seconds=60):
    def is_over():
        result = home.run("status", "--json", pin=False)
        if result.code == 1 and result.json["error"]["message"] == "the agent ended":
            # While it was asked.
            return False
        assert result.code == 0, result
        check_schema(["status"], result.json)
        return not result.json["agent"]["running"]
    until(is_over, seconds)


def listener(started, path):
    """A process that listens at a socket, as the server of a display does."""
    process = started(sys.executable, "-c", (
        "import socket, sys, time\ns = socket.socket(socket.AF_UNIX)\ns.bind(sys.argv[1])\ns.listen()\ntime.sleep(3600)"),
        path)
    until(lambda: os.path.exists(path))
    return process


@pytest.mark.parametrize("end", ["leader", "close-session", "remove-session", "user-gone"])
def test_log_out_locks_and_ends_it(connected, desktop, started, bank, end):
    leader = started("sleep", "3600")
    desktop.do("leader", "c1", leader.pid)
    daemonize(connected)
    connected.ok("unlock")
    until(lambda: desktop.made("LockedHint"), 60)
    if end == "leader":
        # Other processes of the session go on, this agent among them, so logind itself says nothing. It is not waited for: the agent
        # may not have begun to watch it.
        leader.kill()
    else:
        desktop.do(end, os.getuid() if end == "user-gone" else "c1")
    until_ended(connected)
    assert connected.run("pending", "--no-input", pin=False).code == 3


def test_a_decision_on_its_way_is_answered_first(connected, desktop, started, bank):
    leader = started("sleep", "3600")
    desktop.do("leader", "c1", leader.pid)
    daemonize(connected)
    connected.ok("unlock")
    until(lambda: desktop.made("LockedHint"), 60)
    id = bank.pay()
    [item] = connected.json("pending", pin=False)["authorizations"]
    bank.fault("authorizations.decide", times=1, delay_ms=4000)
    approving = subprocess.Popen(
        connected.argv("approve", item["ref"], "--fingerprint", item["fingerprint"], "--json", "--pin-file", connected.pin_file),
        stdout=subprocess.PIPE, text=True, env=connected.environment)
    until(lambda: bank.get("requests?operation=authorizations.decide"), 60)
    leader.kill()
    leader.wait()
    out, _ = approving.communicate(timeout=60)
    assert approving.returncode == 0 and '"outcome":"confirmed"' in out, out
    assert bank.authorization(id)["status"] == "confirmed"
    until_ended(connected)


def test_the_end_of_the_display_ends_it(home, started):
    # A socket's path is short.
    path = tempfile.mkdtemp(prefix="cs", dir="/tmp") + "/wayland-7"
    display = listener(started, path)
    daemonize(home.set_pin(), {"WAYLAND_DISPLAY": path})
    home.ok("unlock")
    display.kill()
    display.wait()
    until_ended(home)


def test_without_logind_the_end_of_the_login_ends_it(home, tmp_path):
    """A login's shell, and one below it in which the agent is started and which ends first."""
    home.set_pin()
    inner, login = tmp_path / "inner", tmp_path / "login"
    inner.write_text('"$1" agent --daemonize\ntrue\n')
    login.write_text(f'bash --norc {inner} "$1"\necho the inner one is over\nread line\n')
    child = pexpect.spawn(
        "bash", ["--norc", str(login), home.argv()[0]], env={**home.environment, **BUS}, encoding="utf-8", timeout=60)
    child.expect_exact("The agent runs as process")
    child.expect_exact("the inner one is over")
    home.ok("unlock")
    assert home.json("status", pin=False)["agent"]["running"]
    child.close(force=True)
    until_ended(home)


def test_the_end_of_the_session_bus_ends_it(home, open_directory):
    buses = Desktop(open_directory, "--private-buses", str(open_directory), "--without-logind")
    daemonize(home, {"DBUS_SESSION_BUS_ADDRESS": f"unix:path={open_directory}/session"})
    # It has to be met before it can be missed.
    until(lambda: buses.made("GetActive"), 60)
    buses.do("stop-buses")
    until_ended(home)
    buses.stop()


def test_one_in_the_foreground_shuts_and_goes_on(connected, agents, desktop):
    agent = agents(connected).unlock()
    until(lambda: desktop.made("LockedHint"), 60)
    desktop.do("close-session", "c1")
    agent.until_state("shut")
    desktop.do("wake")
    assert agent.process.poll() is None and agent.unlock().state == "open"


# What locks the screen


def screen_lock(home, **environment):
    """What doctor says of it."""
    blank = dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY", "XDG_CURRENT_DESKTOP"), "")
    checks = home.run("doctor", "--json", pin=False, environment=blank | environment).json["checks"]
    [check] = [check for check in checks if check["name"] == "screen-lock"]
    assert check["ok"]
    return check


def test_doctor_warns_of_a_locker_that_is_not_heard(home, started, tmp_path):
    assert "no desktop" in screen_lock(home)["message"]
    on = {"DISPLAY": ":99", "XDG_CONFIG_HOME": str(tmp_path)}
    for name in ("GNOME", "ubuntu:GNOME", "KDE", "X-Cinnamon"):
        check = screen_lock(home, XDG_CURRENT_DESKTOP=name, **on)
        assert "tells when it locks the screen" in check["message"] and check["hint"] is None, check
    bare = screen_lock(home, XDG_CURRENT_DESKTOP="i3", **on)
    assert "does not hear" in bare["message"] and "loginctl lock-session" in bare["hint"], bare
    text = home.run("doctor", pin=False, environment={"WAYLAND_DISPLAY": "", "XDG_CURRENT_DESKTOP": "i3", **on}).out
    assert f"note   screen-lock: {bare['message']}\n       hint: {bare['hint']}" in text, text

    def program(name, *words):
        path = tmp_path / name
        shutil.copy("/bin/sleep", path)
        return started(path, *words or ["3600"])

    locker = program("i3lock")
    assert "i3lock locks the screen and tells nobody" in screen_lock(home, XDG_CURRENT_DESKTOP="i3", **on)["message"]
    bridge = program("xss-lock")
    assert screen_lock(home, XDG_CURRENT_DESKTOP="i3", **on)["hint"] is None
    for process in (locker, bridge):
        process.kill()
        process.wait()
    assert screen_lock(home, XDG_CURRENT_DESKTOP="MATE", **on)["hint"]
    saver = program("mate-screensaver")
    assert screen_lock(home, XDG_CURRENT_DESKTOP="MATE", **on)["hint"] is None
    saver.kill()
    saver.wait()
    idler = program("swayidle")
    sway = {"WAYLAND_DISPLAY": "wayland-9", "XDG_CURRENT_DESKTOP": "sway", "XDG_CONFIG_HOME": str(tmp_path)}
    assert "swaylock" in screen_lock(home, **sway)["hint"]
    (tmp_path / "swayidle").rename(tmp_path / "moved")
    (tmp_path / "swayidle").mkdir()
    (tmp_path / "swayidle/config").write_text("timeout 300 'loginctl lock-session'\nlock 'swaylock -f'\n")
    assert screen_lock(home, **sway)["hint"] is None
    program("xscreensaver")
    gnome = screen_lock(home, XDG_CURRENT_DESKTOP="GNOME", **on)
    assert "xscreensaver locks the screen and tells nobody" in gnome["message"] and "-watch" in gnome["hint"], gnome
