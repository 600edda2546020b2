"""The real agent as a process, with what stands around one: the desktop, the pinentry, the clock, front ends at its socket.

    def test_something(connected, agents):
        agent = agents(connected)                       # runs, shut
        agent = agents(connected).unlock()              # runs, open
        agent.stop()                                    # SIGTERM; the exit code

The agent is started in the foreground, in a session of its own and without a terminal, and is ready when it says so to the
service manager. Its system bus is the private session bus, so nothing of the machine's own desktop reaches it.
"""

import functools
import hashlib
import http.client
import itertools
import json
import os
import pathlib
import queue
import shutil
import signal
import socket
import struct
import subprocess
import tempfile
import threading
import urllib.parse

import pytest
from conftest import PIN, ROOT
from gi.repository import Gio, GLib
from innards import session_bus, until

FAKE_DESKTOP = ROOT / "Tests/Support/fake-desktop"
FAKE_PINENTRY = ROOT / "Tests/Support/fake-pinentry"
CANCEL = "ERR 83886179 Operation cancelled <Fake>\n"
NO = "ERR 83886194 Not confirmed <Fake>\n"
# What a person presses who goes on: the default button, but on the last one of several pages, where that leads back, the third.
YES = "<onward>"
ENTER = "OK\n"
# The third button of a question.
OTHER = NO
numbers = itertools.count(1)


def typed(pin):
    """A pinentry's answer to GETPIN."""
    return f"D {pin}\nOK\n"


def unbroken(text):
    """The words of a note or window, whose lines are broken by the agent."""
    return " ".join(text.replace("↳ ", "").split())


def socket_path(home):
    """Where the agent of a home listens."""
    if not home.environment["COUNTERSIGN_HOME"]:
        return pathlib.Path(home.environment["XDG_RUNTIME_DIR"]) / "countersign/agent.sock"
    digest = hashlib.sha256(os.fsencode(os.path.realpath(home.state))).hexdigest()
    return pathlib.Path(home.environment["XDG_RUNTIME_DIR"]) / "countersign" / f"agent-{digest[:16]}.sock"


def configure(home, text):
    """Writes the home's settings."""
    path = home.path / "config/countersign/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


# What the agent finds around it


class Desktop:
    """A desktop on the session bus (Tests/Support/fake-desktop): notifications, a screen saver, logind."""

    def __init__(self, directory, *args):
        self.path = directory / f"desktop-{next(numbers)}.log"
        self.path.touch()
        bus = os.environ["DBUS_SESSION_BUS_ADDRESS"]
        self.process = subprocess.Popen(
            [str(FAKE_DESKTOP), "--session", bus, "--system", bus, "--log", str(self.path), *args],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout.readline().startswith("ready "), "the fake desktop does not start"

    def do(self, *words):
        """Does one of the fake's commands."""
        print(*words, file=self.process.stdin, flush=True)
        answer = self.process.stdout.readline()
        assert answer == "ok\n", answer

    def stop(self):
        self.process.kill()
        self.process.communicate()

    @property
    def calls(self):
        """Each call it got, in order."""
        return [json.loads(line) for line in self.text.splitlines() if line.endswith("}")]

    @property
    def text(self):
        """All it was ever told, as it stands in its log."""
        return self.path.read_text()

    def made(self, *names):
        """The calls of these methods."""
        return [call for call in self.calls if call["call"] in names]

    def notes(self):
        """What stands on the screen: the last Notify of each id that was not closed, without what passes."""
        shown = {}
        for call in self.made("Notify", "CloseNotification", "dropped"):
            if call["call"] != "Notify":
                shown.pop(call["id"], None)
            elif not call.get("refused") and "transient" not in call["hints"]:
                shown[call["id"]] = call
        return shown

    def note(self, summary, seconds=60):
        """Waits until a note with this summary stands on the screen; returns it."""
        return until(
            lambda: next((n for n in self.notes().values() if n["summary"] == summary), None), seconds)

    def told(self, summary, seconds=60):
        """Waits until a note with this summary came that passes by itself; returns it."""
        return until(
            lambda: next((n for n in self.made("Notify") if n["summary"] == summary and "transient" in n["hints"]), None),
            seconds)

    def payments(self):
        """Each Notify but those that tell of the lock."""
        return [note for note in self.made("Notify") if note["summary"] != "Countersign is locked"]

    def empty(self, seconds=60):
        """Waits until no note is left."""
        until(lambda: not self.notes(), seconds)


class FakeWindow:
    """An application of this home on the session bus, which a note's Review is led to: tests of it need GTK (Tests/Window)."""

    def __init__(self, home):
        self.asked = queue.Queue()
        id = "org.countersign.Countersign"
        if home.environment["COUNTERSIGN_HOME"]:
            id += ".home" + socket_path(home).stem.removeprefix("agent-")
        interface = Gio.DBusNodeInfo.new_for_xml(
            "<node><interface name='org.freedesktop.Application'><method name='ActivateAction'><arg type='s' direction='in'/>"
            "<arg type='av' direction='in'/><arg type='a{sv}' direction='in'/></method></interface></node>").interfaces[0]
        self.loop = GLib.MainLoop.new(GLib.MainContext.new(), False)
        ready = threading.Event()

        def called(connection, sender, path, interface, method, arguments, invocation):
            self.asked.put(arguments.unpack())
            invocation.return_value(None)

        def serve():
            self.loop.get_context().push_thread_default()
            connection = Gio.DBusConnection.new_for_address_sync(
                session_bus(),
                Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)
            connection.register_object("/" + id.replace(".", "/"), interface, called, None, None)
            Gio.bus_own_name_on_connection(connection, id, Gio.BusNameOwnerFlags.NONE, lambda *_: ready.set(), None)
            self.loop.run()
            connection.close_sync()

        self.thread = threading.Thread(target=serve)
        self.thread.start()
        assert ready.wait(60)

    def stop(self):
        self.loop.quit()
        self.thread.join(60)


class FakePinentry:
    """The pinentry of an agent (Tests/Support/fake-pinentry). Each question takes the next answer of the list."""

    def __init__(self, directory):
        directory = directory / f"pinentry-{next(numbers)}"
        directory.mkdir()
        self.program, self.log, self.list = directory / "pinentry", directory / "log", directory / "answers"
        self.program.write_text(
            f'#!/bin/sh\nFAKE_PINENTRY_LOG="{self.log}" FAKE_PINENTRY_ANSWERS="$(cat "{self.list}")" '
            f'exec "{FAKE_PINENTRY}"\n')
        self.program.chmod(0o755)
        self.answers()

    def answers(self, *answers):
        """What it answers from now on; what it was asked before is forgotten."""
        self.list.write_text(json.dumps(answers))
        self.log.write_text("")

    @property
    def lines(self):
        # Its last character may be half written.
        return self.log.read_text(errors="ignore").splitlines()

    def told(self, word):
        """What stood behind a command, escapes undone, one for each time."""
        return [urllib.parse.unquote(line[len(word) + 1:]) for line in self.lines if line.startswith(word + " ")]

    def buttons(self):
        """The default button of each question and the third one, if there is one, as OK/OTHER."""
        found = []
        for line in self.lines:
            word, _, label = line.partition(" ")
            if word == "SETOK":
                found.append(label)
            elif word == "SETNOTOK":
                # Comes right after the other.
                found[-1] += "/" + label
        return found

    def asked(self):
        return [line for line in self.lines if line in ("GETPIN", "CONFIRM")]

    def pids(self):
        return [int(number) for number in self.told("PID")]

    def until_asked(self, *commands):
        """Waits until it was asked these."""
        until(lambda: self.asked() == list(commands), 30)


class FakeClock:
    """Clocks of a process that jump while it runs (Tests/Support/shifted-clock.c). A PIN's block is not fooled."""

    def __init__(self, directory):
        self.path = directory / f"clock-{next(numbers)}"
        self.path.write_bytes(bytes(8))

    def at(self, seconds):
        """So many seconds later than the machine's clocks."""
        with open(self.path, "r+b") as file:
            file.write(struct.pack("q", seconds))

    @property
    def environment(self):
        return {"LD_PRELOAD": str(preloaded("shifted-clock")), "CLOCK_SHIFT_FILE": str(self.path)}


@functools.cache
def preloaded(name):
    """A library of Tests/Support for LD_PRELOAD, made once in a run."""
    library = pathlib.Path(tempfile.mkdtemp()) / f"{name}.so"
    subprocess.run(
        [shutil.which("cc") or "clang", "-shared", "-fPIC", "-O1", "-Wall", "-Werror", "-o", library,
         ROOT / f"Tests/Support/{name}.c"], check=True)
    return library


# The agent


class UnixConnection(http.client.HTTPConnection):
    def __init__(self, path, timeout):
        super().__init__("x", timeout=timeout)
        self.path = str(path)

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self.path)


class Answer:
    def __init__(self, response):
        self.status, self.headers, self.body = response.status, response.headers, response.read()

    @property
    def json(self):
        return json.loads(self.body)

    def __repr__(self):
        return f"{self.status} {self.body!r}"


class Events:
    """The agent's event stream, read in the background."""

    def __init__(self, path):
        self.connection = UnixConnection(path, None)
        self.connection.request("GET", "/events")
        self.response = self.connection.getresponse()
        assert self.response.status == 200, self.response.read()
        self.begin()

    def begin(self):
        self.queue, self.heard = queue.Queue(), queue.Queue()
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self):
        try:
            for line in self.response:
                if line.startswith(b"data:"):
                    event = json.loads(line[5:])
                    # Told every few seconds, whatever happens.
                    (self.heard if event["event"] == "heard" else self.queue).put(event)
        except (OSError, ValueError, http.client.HTTPException):
            pass
        self.queue.put(None)

    def next(self, seconds=60):
        """The next event; None at the end of the stream."""
        return self.queue.get(timeout=seconds)

    def expect(self, word):
        event = self.next()
        assert event is not None and event["event"] == word, event
        return event

    def close(self):
        # The reader is woken by the end of the line.
        self.connection.sock.shutdown(socket.SHUT_RDWR)
        self.thread.join(10)
        self.connection.close()


class OwnEvents(Events):
    """The stream with a query, as our own command gets it (Tests/Support/own-request.c)."""

    def __init__(self, agent, query):
        variables = {
            "LD_PRELOAD": str(preloaded("own-request")), "OWN_REQUEST_SOCKET": str(agent.socket),
            "OWN_REQUEST": f"GET /events{query} HTTP/1.1\r\nHost: x\r\n\r\n"}
        self.process = subprocess.Popen(
            agent.home.argv("--version"), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            env=dict(agent.home.environment, **variables))
        self.response = self.process.stdout
        assert self.response.readline() == b"HTTP/1.1 200 OK\r\n"
        self.begin()

    def close(self):
        self.process.kill()
        self.process.communicate()
        self.thread.join(10)


class Agent:
    """One agent of a home, running when this returns."""

    def __init__(
        self, home, pinentry=None, clock=None, environment=None, settings="", args=(), display=":99", wrapper=()
    ):
        self.home, self.socket = home, socket_path(home)
        if pinentry is not None:
            configure(home, f'pinentry = "{pinentry.program}"\n{settings}')
        elif settings:
            configure(home, settings)
        number = next(numbers)
        self.log = home.path / f"agent-{number}.err"
        self.manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        name = f"countersign-test-{os.getpid()}-{number}"
        self.manager.bind("\0" + name)
        variables = dict(
            home.environment, NOTIFY_SOCKET="@" + name, DBUS_SYSTEM_BUS_ADDRESS=os.environ["DBUS_SESSION_BUS_ADDRESS"],
            **({"DISPLAY": display} if display else {}), **(environment or {}))
        # It ends with the tests even when those are killed.
        argv = ["setpriv", "--pdeathsig", "KILL", *wrapper, *home.argv("agent", *args)]
        if clock is not None:
            variables |= clock.environment
        self.events_open = []
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=variables, start_new_session=True)
        try:
            self.await_word("READY=1")
        except BaseException:
            self.kill()
            raise

    @property
    def pid(self):
        return self.process.pid

    @property
    def said(self):
        """What it wrote, as the journal would have it."""
        return self.log.read_text()

    def await_word(self, word, seconds=60):
        """Waits for a word to the service manager."""
        self.manager.settimeout(0.1)

        def heard():
            assert self.process.poll() is None, f"the agent ended with {self.process.returncode}: {self.said}"
            try:
                return word in self.manager.recv(4096).decode().splitlines()
            except TimeoutError:
                return False

        until(heard, seconds)

    # At its socket

    def request(self, method, path, body=None, headers=None, timeout=60):
        """What any program of the user can ask; `timeout` in seconds."""
        connection = UnixConnection(self.socket, timeout)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            return Answer(connection.getresponse())
        finally:
            connection.close()

    def handshake(self):
        answer = self.request("GET", "/agent")
        assert answer.status == 200, answer
        return answer.json

    def status(self):
        answer = self.request("GET", "/status")
        assert answer.status == 200, answer
        return answer.json

    @property
    def state(self):
        """open, hidden or shut."""
        return self.handshake()["state"]

    def until_state(self, state, seconds=60):
        until(lambda: self.state == state, seconds)
        return self

    def until_waiting(self, count, seconds=60):
        """Waits until it knows that so many wait."""
        until(lambda: self.handshake()["waiting"] == count, seconds)
        return self

    def events(self, own=None):
        """`own`: a query that only our own command may use."""
        events = Events(self.socket) if own is None else OwnEvents(self, own)
        self.events_open.append(events)
        return events

    def unlock(self):
        """By the command, with the PIN file."""
        self.home.ok("unlock")
        assert self.state == "open"
        return self

    # Its end

    def stop(self, seconds=90):
        """SIGTERM; returns the exit code."""
        self.process.terminate()
        return self.ended(seconds)

    def ended(self, seconds=90):
        """Waits for its end; returns the exit code."""
        code = self.process.wait(seconds)
        self.clean_up()
        return code

    def kill(self):
        """SIGKILL."""
        self.process.kill()
        self.process.wait()
        self.clean_up()

    def clean_up(self):
        for events in self.events_open:
            events.close()
        self.events_open = []
        self.manager.close()


@pytest.fixture
def agents():
    """Starts agents, which end with the test: agents(home, pinentry=, clock=, environment=, settings=, args=)."""
    started = []

    def start(home, **options):
        started.append(Agent(home, **options))
        return started[-1]

    yield start
    for agent in started:
        if agent.process.poll() is None:
            # With it what it runs inside, or runs: an agent that a wrapper leaves would show its notes to the next test.
            os.killpg(agent.process.pid, signal.SIGKILL)
            agent.kill()


@pytest.fixture
def desktop(tmp_path):
    """A desktop of its own, from before the agent starts."""
    desktop = Desktop(tmp_path)
    yield desktop
    desktop.stop()


@pytest.fixture
def open_directory():
    """A directory with a short path, that other users can go through."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="countersign-test-") as path:
        os.chmod(path, 0o711)
        yield pathlib.Path(path)


@pytest.fixture
def pinentry(tmp_path):
    return FakePinentry(tmp_path)


@pytest.fixture
def clock(tmp_path):
    return FakeClock(tmp_path)
