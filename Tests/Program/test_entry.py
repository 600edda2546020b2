"""The program that a person starts (Sources/entry): it prints by itself what the agent has ready, and else becomes the program proper."""

import contextlib
import fcntl
import json
import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import textwrap
import threading
import time

import pexpect
import pytest
from agents import agents, socket_path  # noqa: F401
from conftest import BIN, PROGRAM, ROOT, VERSION, Home, finish
from innards import until
from issuers import Issuer, log_in
from users import given_away

SERVICE = "https://api.fern.example/v1"
MISSING = "error: the program itself is missing, or cannot be started\nhint: install countersign again\n"
SCRIPT = (ROOT / "Tests/Support/program", "run")


@pytest.fixture
def issuer():
    with Issuer(resources=[SERVICE], expires_in=3600) as issuer:
        yield issuer


@pytest.fixture
def signed_in(tmp_path, issuer):
    """The ordinary home, signed in for a service."""
    home = Home(tmp_path, is_ordinary=True).set_pin()
    log_in(home, issuer, "--name", "fern", "--resource", SERVICE)
    return home


@pytest.fixture
def alone():
    """The program without the one that it becomes."""
    with tempfile.TemporaryDirectory(dir=BIN) as directory:
        shutil.copy(PROGRAM, f"{directory}/countersign")
        yield f"{directory}/countersign"


def run(home, program, *words, wrapper=SCRIPT, **environment):
    done = subprocess.run(
        [*wrapper, program, *words], env=home.environment | environment, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


def allow(home):
    """The script may have tokens, and has had one."""
    assert home.run("token", pin=False, wrapper=SCRIPT).code == 3
    [request] = home.json("requests", pin=False)["requests"]
    home.ok("allow", request["id"])
    return home.ok("token", pin=False, wrapper=SCRIPT).out


# What it answers by itself


def test_what_is_ready_is_printed_without_the_program_proper(signed_in, issuer, agents, alone):
    agents(signed_in).unlock()
    token = allow(signed_in)
    for words in (["token"], ["token", "fern"], ["token", issuer.issuer], ["token", SERVICE]):
        assert run(signed_in, alone, *words) == (0, token, "")
    assert run(signed_in, alone, "header", SERVICE + "/me") == (0, f"Authorization: Bearer {token}", "")


def test_the_person_on_a_terminal(signed_in, agents, alone):
    agents(signed_in).unlock()
    child = pexpect.spawn(alone, ["token"], env=signed_in.environment, encoding="utf-8", timeout=30)
    assert finish(child) == 0
    assert child.before == signed_in.ok("token").out.replace("\n", "\r\n")


def test_each_token_is_counted(signed_in, agents, alone):
    agent = agents(signed_in).unlock()
    allow(signed_in)
    for _ in range(3):
        assert run(signed_in, alone, "token")[0] == 0
    agent.stop()
    agents(signed_in).unlock()
    [grant] = signed_in.json("grants", "list")["grants"]
    assert grant["uses"] == 4, grant


# What it leaves to the program proper


def test_all_else_is_left_to_the_program_proper(signed_in, issuer, agents, alone, tmp_path):
    agents(signed_in).unlock()
    allow(signed_in)
    other = str(tmp_path / "other")
    for words, more in (
            (["token", "fern", "--header"], {}), (["token", "--quiet"], {}), (["token", "moss"], {}), (["token", ""], {}), (["token", "--"], {}),
            (["token", "b\u00fccher"], {}), (["token", 'f"'], {}), (["token", "f\\"], {}), (["token", "fern", "fern"], {}), (["token", "\x1b[2J"], {}),
            (["header"], {}), (["header", "fern"], {}), (["header", "https://moss.example"], {}), (["status"], {}), ([], {}), (["--version"], {}),
            (["token"], {"COUNTERSIGN_HOME": other}), (["token"], {"COUNTERSIGN_PIN_FILE": str(signed_in.pin_file)}),
            (["token"], {"XDG_STATE_HOME": other}), (["token"], {"XDG_STATE_HOME": "", "HOME": ""}), (["token"], {"XDG_STATE_HOME": "x"}),
            (["token"], {"XDG_RUNTIME_DIR": other}), (["token"], {"XDG_RUNTIME_DIR": "/" + "r" * 200})):
        assert run(signed_in, alone, *words, **more) == (1, "", MISSING), words
        # There it is as if the program proper had been started.
        proper = run(signed_in, BIN / "countersign", *words, **more)
        assert run(signed_in, PROGRAM, *words, **more) == proper, words


def test_a_token_that_must_be_renewed(tmp_path, agents, alone):
    with Issuer(expires_in=12) as issuer:
        home = Home(tmp_path, is_ordinary=True).set_pin()
        log_in(home, issuer)
        agents(home).unlock()
        old = allow(home)
        until(lambda: run(home, alone, "token") == (1, "", MISSING), 20)
        code, new, _ = run(home, PROGRAM, "token")
        assert code == 0 and new != old
        assert run(home, alone, "token") == (0, new, "")


def test_who_was_not_allowed_hears_it_from_the_program_proper(signed_in, agents, alone):
    agents(signed_in).unlock()
    assert run(signed_in, alone, "token") == (1, "", MISSING)
    assert signed_in.json("requests", pin=False)["requests"] == []
    code, out, err = run(signed_in, PROGRAM, "token")
    assert (code, out) == (3, "") and err.startswith("error: this program was not allowed")
    # Once, though two programs were asked.
    assert len(signed_in.json("requests", pin=False)["requests"]) == 1


def test_a_locked_agent(signed_in, agents, alone):
    agent = agents(signed_in).unlock()
    allow(signed_in)
    signed_in.ok("lock", pin=False)
    assert run(signed_in, alone, "token") == (1, "", MISSING)
    assert run(signed_in, PROGRAM, "token")[0] == 3
    agent.stop()
    assert run(signed_in, alone, "token") == (1, "", MISSING)
    assert run(signed_in, PROGRAM, "token")[0] == 3


# What listens there may be anything


class Listener:
    """Answers the next call at the socket of the ordinary home with these parts, and keeps what it was asked."""

    def __init__(self, home, *parts, pause=0):
        self.path, self.parts, self.pause, self.asked = socket_path(home), parts, pause, b""
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        self.path.unlink(missing_ok=True)
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.bind(str(self.path))
        self.socket.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        connection, _ = self.socket.accept()
        with connection, contextlib.suppress(OSError):
            while b"}" not in self.asked and (part := connection.recv(65536)):
                self.asked += part
            self.meet(connection)
            for part in self.parts:
                connection.sendall(part)
                time.sleep(self.pause)

    def meet(self, connection):
        pass


def answer(body, status="200 OK", more=""):
    body = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
    return f"HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{more}Content-Length: {len(body)}\r\n\r\n".encode() + body


GOLD = answer({"lines": ["gold"]})


@pytest.fixture
def held(tmp_path):
    """A home whose lock this process holds, as its agent does."""
    home = Home(tmp_path, is_ordinary=True)
    home.state.mkdir(parents=True)
    with open(home.state / "agent.lock", "w") as lock:
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield home


def test_what_the_agent_says_is_printed(held, alone):
    listener = Listener(held, answer({"lines": ["gold", "A: b"]}))
    assert run(held, alone, "token", "fern", DISPLAY="", WAYLAND_DISPLAY="") == (0, "gold\nA: b\n", "")
    head, body = listener.asked.decode().split("\r\n\r\n")
    assert head.splitlines()[0] == "POST /ready HTTP/1.1"
    assert json.loads(body) == {"pid": os.getpid(), "version": VERSION, "target": "fern"}
    # Nobody could be asked, so this is no use by the person.
    assert "countersign-no-input: 1" in head.splitlines()
    listener = Listener(held, GOLD)
    assert run(held, alone, "header", "https://fern.example/", DISPLAY=":99", XAUTHORITY="/run/a b", WAYLAND_DISPLAY="w\n") == (0, "gold\n", "")
    head, body = listener.asked.decode().split("\r\n\r\n")
    assert json.loads(body) == {"pid": os.getpid(), "version": VERSION, "url": "https://fern.example/"}
    assert "no-input" not in head and "wayland" not in head
    assert {"countersign-display: %3A99", "countersign-xauthority: %2Frun%2Fa%20b"} < set(head.splitlines())


def test_an_answer_may_come_in_pieces(held, alone):
    Listener(held, *(GOLD[place:place + 1] for place in range(len(GOLD))), pause=0.001)
    assert run(held, alone, "token") == (0, "gold\n", "")


FAULTS = {
    "nothing ready": answer({"lines": []}),
    "an escape": answer({"lines": ["gold\u001b[2J"]}),
    "a raw escape": answer(b'{"lines":["gold\x1b[2J"]}'),
    "a letter beyond ASCII": answer('{"lines":["g\u00f6ld"]}'.encode()),
    "a quote": answer({"lines": ['go"ld']}),
    "an empty line": answer({"lines": [""]}),
    "an empty second line": answer({"lines": ["gold", ""]}),
    "a line that is no text": answer({"lines": [1]}),
    "more members": answer({"lines": ["gold"], "x": 1}),
    "half of it": answer(b'{"lines":["]}'),
    "a status": answer({"lines": ["gold"]}, "404 Not Found"),
    "two lengths": answer({"lines": ["gold"]}, more="Content-Length: 3\r\n"),
    "no length": GOLD.replace(b"Content-Length", b"Content-Lengt"),
    "a length of another kind": GOLD.replace(b"Length: ", b"Length: +"),
    "a length that is too large": GOLD.replace(b"Length: ", b"Length: 99999"),
    "more than the length": GOLD + b"x",
    "less than the length": GOLD[:-1],
    "no HTTP": b"hello",
    "nothing": b"",
    "too much": answer({"lines": ["g" * (1 << 20)]}),
    "a head without an end": b"HTTP/1.1 200 OK\r\n" + b"x: y\r\n" * 200000,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_any_other_answer_is_left_to_the_program_proper(held, alone, fault):
    Listener(held, FAULTS[fault])
    assert run(held, alone, "token", "fern") == (1, "", MISSING)


@pytest.mark.parametrize("pieces", [0, 1000])
def test_who_never_ends_is_not_waited_for(held, alone, pieces):
    """Not who says nothing, and not who says a little all the time."""
    Listener(held, *[b"x"] * pieces, b"", pause=0.1 if pieces else 60)
    assert run(held, alone, "token") == (1, "", MISSING)


def test_who_does_not_hold_the_homes_lock_is_not_asked(tmp_path, alone):
    home = Home(tmp_path, is_ordinary=True)
    listener = Listener(home, GOLD)
    assert run(home, alone, "token") == (1, "", MISSING)
    home.state.mkdir(parents=True)
    # Nobody holds this lock, whoever is named in it.
    (home.state / "agent.lock").write_text(f"{os.getpid()}\n")
    assert run(home, alone, "token") == (1, "", MISSING)
    assert listener.asked == b""


# The process


def test_it_is_hidden_as_the_program_proper_is(held, alone):
    """No core dump, and the name by which the agent knows it."""
    renamed = f"{alone} by another name"
    os.link(alone, renamed)
    seen = {}

    class Looking(Listener):
        def meet(self, connection):
            pid = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
            limits = pathlib.Path(f"/proc/{pid}/limits").read_text().splitlines()
            seen.update(
                name=pathlib.Path(f"/proc/{pid}/comm").read_text(), core=[line.split()[4:6] for line in limits if "core" in line])

    Looking(held)
    assert run(held, renamed, "token") == (1, "", MISSING)
    assert seen == {"name": "countersign\n", "core": [["0", "0"]]}


def test_other_processes_of_the_same_user_cannot_look_into_it(tmp_path):
    """As an ordinary user: root may look into everything. Python's own process, which does not hide, shows that looking works."""
    script = """
        import fcntl, os, socket, struct, subprocess, sys
        place, program = sys.argv[1:]
        for name in ("state/countersign", "run/countersign"):
            os.makedirs(f"{place}/{name}", 0o700)
        lock = open(f"{place}/state/countersign/agent.lock", "w")
        print(os.getpid(), file=lock, flush=True)
        fcntl.flock(lock, fcntl.LOCK_EX)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(f"{place}/run/countersign/agent.sock")
        listener.listen()
        child = subprocess.Popen(
            [program, "token"], env={"XDG_STATE_HOME": f"{place}/state", "XDG_RUNTIME_DIR": f"{place}/run"}, stderr=subprocess.DEVNULL)
        connection, _ = listener.accept()
        peer = struct.unpack("3i", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))[0]
        for pid in (os.getpid(), peer):
            for name in ("exe", "mem"):
                try:
                    open(f"/proc/{pid}/{name}", "rb").close()
                    print("open")
                except PermissionError:
                    print("hidden")
        connection.close()
        child.wait()
    """
    with tempfile.TemporaryDirectory(dir="/tmp") as directory:
        program = shutil.copy(PROGRAM, f"{directory}/countersign")
        place = pathlib.Path(directory, "place")
        for path in (directory, place):
            pathlib.Path(path).mkdir(exist_ok=True)
        place.joinpath("run").mkdir(mode=0o700)
        done = subprocess.run(
            ["/usr/bin/python3", "-c", textwrap.dedent(script), str(place), program], capture_output=True, text=True, timeout=60)
    assert done.stdout.split() == ["open", "open", "hidden", "hidden"], done


def test_an_output_that_takes_nothing(held, alone):
    """The token was counted, so it is not asked for again."""
    def printing(out):
        Listener(held, GOLD)
        done = subprocess.run([alone, "token"], env=held.environment, stdout=out, stderr=subprocess.PIPE, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (1, "error: the result could not be written to standard output\n")
    with open("/dev/full", "w") as full:
        printing(full)
    reader, writer = os.pipe()
    os.close(reader)
    printing(writer)
    os.close(writer)


@pytest.mark.parametrize("closed", [0, 1, 2])
def test_a_closed_descriptor_is_not_another_file(held, alone, closed):
    Listener(held, GOLD)
    redirect = {0: "<&-", 1: ">&-", 2: "2>&-"}[closed]
    done = subprocess.run(
        ["sh", "-c", f'exec "$0" token {redirect}', alone], env=held.environment, capture_output=True, text=True, timeout=60)
    # A token that nobody gets is no success.
    assert (done.returncode, done.stdout) == ((1, "") if closed == 1 else (0, "gold\n"))


def test_it_does_not_start_itself_for_ever(tmp_path):
    for place in ("bin", "libexec/countersign"):
        (tmp_path / place).mkdir(parents=True)
    program = shutil.copy(PROGRAM, tmp_path / "bin/countersign")
    os.link(program, tmp_path / "libexec/countersign/countersign")
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, MISSING)


def test_it_becomes_no_program_of_another_user(tmp_path):
    program, proper = tmp_path / "bin/countersign.distrib", tmp_path / "libexec/countersign/countersign"
    for path in (program, proper):
        path.parent.mkdir(parents=True)
    shutil.copy(PROGRAM, program)
    proper.write_text("#!/bin/sh\necho $@\n")
    proper.chmod(0o755)
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "--version\n", "")
    with given_away(proper):
        done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", MISSING)


@pytest.mark.parametrize("own, found", [
    ("x/countersign", "libexec/countersign/countersign"), ("x/countersign-entry", "libexec/countersign/countersign"),
    ("x/other", "x/countersign"), ("bin/countersign", "bin/countersign-entry"), ("x/bin/countersign", "libexec/countersign/countersign"),
    ("xbin/countersign", "libexec/countersign/countersign")])
def test_it_becomes_no_program_that_others_could_have_put_there(tmp_path, own, found):
    for name in (own, found):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
    program = shutil.copy(PROGRAM, tmp_path / own)
    (tmp_path / found).write_text("#!/bin/sh\necho sly\n")
    (tmp_path / found).chmod(0o755)
    done = subprocess.run([program, "--version"], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", MISSING)


def test_the_name_by_which_it_was_started_stays(tmp_path):
    """By its name git's helper is known."""
    (tmp_path / "git-credential-countersign").symlink_to(PROGRAM)
    done = subprocess.run(
        [tmp_path / "git-credential-countersign", "token"], capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    assert done.returncode == 0 and done.stdout == "", done
