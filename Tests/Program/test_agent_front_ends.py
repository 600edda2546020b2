"""What commands make of the agent that runs: one that is locked, of another version, in trouble, or gone."""

import contextlib
import copy
import fcntl
import json
import os
import pathlib
import queue
import signal
import socket
import subprocess
import threading

import pytest
from agents import FakeWindow, agents, configure, desktop, open_directory, pinentry, socket_path, typed
from conftest import PIN, ROOT, finish
from innards import pin_record, until
from users import another_user, as_another_user



@pytest.fixture
def agent(connected, agents):
    return agents(connected).unlock()


def pay(bank):
    return f"demobank:{bank.pay(expires_in=900)}"


def see_card(child):
    """Waits until the whole card stands there."""
    child.expect_exact("│ Pay 9.90 EUR")
    child.expect_exact("[q]uit")


# A PIN file


def test_a_pin_file_opens_no_agent_but_by_unlock(connected, agents, desktop):
    agent = agents(connected)
    assert connected.ok("connections", "-q").out == "demobank\n" and agent.state == "shut"
    agent.unlock()
    desktop.do("lock-screen")
    agent.until_state("hidden")
    assert connected.json("pending") == {"authorizations": [], "failures": []} and agent.state == "hidden"
    connected.ok("unlock")
    assert agent.state == "open"
    connected.ok("lock", pin=False)
    result = connected.run("connections", pin=False, environment={"COUNTERSIGN_PIN_FILE": str(connected.pin_file)})
    assert result.code == 0 and agent.state == "shut"


def test_a_stream_waits_while_the_agent_is_locked(agent, connected, bank):
    ref = pay(bank)
    process = subprocess.Popen(
        connected.argv("watch", "--json", "--pin-file", connected.pin_file), stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=connected.environment)
    lines = queue.Queue()
    threading.Thread(target=lambda: [lines.put(json.loads(line)) for line in process.stdout], daemon=True).start()
    try:
        assert lines.get(timeout=60)["ref"] == ref
        connected.ok("lock", pin=False)
        assert lines.get(timeout=60)["event"] == "locked"
        other = pay(bank)
        with pytest.raises(queue.Empty):
            lines.get(timeout=5)
        assert agent.state == "shut"
        agent.unlock()
        assert {lines.get(timeout=60)["ref"] for _ in range(2)} == {ref, other}
        process.terminate()
        assert process.wait(60) == 0 and process.stderr.read() == ""
    finally:
        process.kill()
        process.wait()


def test_a_live_view_with_a_pin_file_ends_with_the_lock(agent, connected, bank):
    pay(bank)
    child = connected.terminal("watch", "--pin-file", connected.pin_file, environment={"NO_COLOR": "1"})
    see_card(child)
    connected.ok("lock", pin=False)
    child.expect_exact("\x1b[3J")
    assert finish(child) == 3 and "Pay" not in child.before and agent.state == "shut"


# Another version, or something in trouble


class Listener:
    """Listens at a home's socket and holds its lock; answers each path with a status and JSON, or ends each connection."""

    def __init__(self, home, answers=None, holder=None):
        self.path, self.answers, self.heard = socket_path(home), answers, []
        self.path.parent.mkdir(mode=0o700, exist_ok=True)
        self.lock = open(f"{self.path}.lock", "w")
        fcntl.flock(self.lock, fcntl.LOCK_EX)
        print(holder or os.getpid(), file=self.lock, flush=True)
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.bind(str(self.path))
        self.socket.listen()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self):
        while True:
            try:
                caller, _ = self.socket.accept()
            except OSError:
                return
            if self.answers is None:
                caller.close()
            else:
                threading.Thread(target=self.answer, args=(caller,), daemon=True).start()

    def answer(self, caller):
        with caller, caller.makefile("rb") as file:
            while line := file.readline():
                words = line.decode().split()[:2]
                while file.readline().strip():
                    pass
                self.heard.append(" ".join(words))
                status, value = self.answers[words[1]]
                body = json.dumps(value).encode()
                caller.sendall(
                    f"HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n\r\n".encode()
                    + body)

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.lock.close()
        self.path.unlink(missing_ok=True)


@pytest.fixture
def listeners(home):
    """Starts listeners at the socket of `home`."""
    home.set_pin()
    started = []

    def start(answers=None, **options):
        started.append(Listener(home, answers, **options))
        return started[-1]

    yield start
    for listener in started:
        listener.close()


def handshake(home, pid=1, state="open"):
    return 200, {"api": 1, "version": "0.0.9", "vault": pin_record(home)["vaultID"], "pid": pid, "state": state, "waiting": 0}


def test_an_agent_of_another_version_is_named_and_locked(listeners, home):
    listener = listeners({"/agent": handshake(home), "/lock": (200, {"of": "that version"})})
    status = home.json("status", pin=False)
    assert status["agent"] == {"running": True, "version": "0.0.9"}
    assert (status["locked"], status["keys_in_memory"]) == (False, True)
    assert "of version 0.0.9 and not used" in home.ok("status", pin=False).out
    result = home.run("unlock")
    assert result.code == 1 and "error: the agent that runs is of version 0.0.9, this program of" in result.err
    assert "hint: countersign agent --daemonize" in result.err
    status = home.json("lock", pin=False)
    assert "POST /lock" in listener.heard
    assert (status["locked"], status["keys_in_memory"], status["agent"]["version"]) == (True, False, "0.0.9")
    listener.answers["/agent"] = handshake(home, state="hidden")
    status = home.json("status", pin=False)
    assert (status["locked"], status["keys_in_memory"]) == (True, True)


def test_a_lock_that_fails_says_so(listeners, home):
    listener = listeners({"/agent": handshake(home), "/lock": (500, {})})
    assert home.run("lock", pin=False).code == 1
    # It leaves before it says who it is, or cannot say so.
    for answers in (None, {"/agent": (500, {})}):
        listener.answers = answers
        for command in ("lock", "status", "unlock"):
            result = home.run(command, "--json", pin=False)
            assert result.code == 1 and result.json["error"]["kind"] == "internal", result
            assert "did not say who it is" in result.json["error"]["message"], result
            assert f"kill -KILL {os.getpid()}, then: countersign agent --daemonize" in result.json["error"]["hint"], result
        home.ok("connections")


def test_this_was_not_me_says_when_it_cannot_lock(agent, connected, bank):
    pay(bank)
    child = connected.terminal("watch", "--once")
    child.expect_exact("[q]uit")
    child.send("n")
    child.expect_exact("Deny this? [y/N] ")
    child.sendline("y")
    child.expect_exact("[y/N] ")
    agent.kill()
    child.sendline("n")
    child.expect_exact("not locked")
    assert "Locked." not in child.before
    child.expect_exact("Tell your bank")
    finish(child)


# Who is sent away


def sleeper(*wrapper):
    return subprocess.Popen([*wrapper, "sleep", "600"])


def test_only_the_holder_of_the_lock_is_sent_away(listeners, home):
    """What a listener says of itself ends no other process."""
    holder, named = sleeper(), sleeper()
    try:
        listeners({"/agent": handshake(home, named.pid)}, holder=holder.pid)
        result = home.run("agent", pin=False)
        assert result.code == 10 and f"an agent runs already (process {holder.pid})" in result.err, result
        assert holder.poll() is None and named.poll() is None
    finally:
        for process in (holder, named):
            process.kill()
            process.wait()


def test_nobody_elses_process_is_sent_away(listeners, home):
    other = sleeper(*as_another_user())
    try:
        until(lambda: os.stat(f"/proc/{other.pid}").st_uid == another_user())
        listeners({"/agent": handshake(home, other.pid)}, holder=other.pid)
        result = home.run("agent", pin=False)
        assert result.code == 10 and f"process {other.pid}" in result.err and other.poll() is None, result
    finally:
        other.kill()
        other.wait()


@contextlib.contextmanager
def managed(path):
    """A socket as a service manager makes it, and the words before a command that get it."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen()
        number = listener.fileno()
        yield number, ["bash", "-c", f'exec 3<&{number} {number}<&-; LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" "$@"']
        path.unlink(missing_ok=True)


def refused(path, number, words, home):
    """Starts an agent that cannot serve; who called is not left waiting, or the manager would start it again at once."""
    with socket.socket(socket.AF_UNIX) as early:
        early.connect(str(path))
        done = subprocess.run(
            [*words, *home.argv("agent")], env=home.environment, pass_fds=[number], capture_output=True, text=True, timeout=60)
        early.settimeout(30)
        assert early.recv(1) == b""
    return done


def test_a_service_manager_is_told_of_an_agent_that_listens_elsewhere(home, agents, open_directory):
    """By an exit code with which it does not try again."""
    agent = agents(home.set_pin())
    runtime = open_directory / "run"
    runtime.mkdir(mode=0o700)
    other = copy.copy(home)
    other.environment = dict(home.environment, XDG_RUNTIME_DIR=str(runtime))
    path = runtime / "countersign" / agent.socket.name
    with managed(path) as (number, words):
        done = refused(path, number, words, other)
        assert done.returncode == 10 and f"an agent runs already (process {agent.pid})" in done.stderr, done
    assert agent.handshake()["pid"] == agent.pid


def test_a_service_manager_that_takes_the_place_of_an_agent_gets_another(home, agents):
    """Nobody could reach the first one any more."""
    agent = agents(home.set_pin()).unlock()
    with managed(agent.socket) as (number, words):
        process = subprocess.Popen(
            [*words, *home.argv("agent")], env=home.environment, pass_fds=[number], stderr=subprocess.DEVNULL)
        try:
            assert agent.ended(60) == 0
            until(lambda: home.run("status", "--json", pin=False).code == 0, 60)
            assert home.json("status", pin=False)["agent"]["running"] is True
        finally:
            process.terminate()
            assert process.wait(60) == 0


def test_faulty_settings_leave_nobody_waiting(home, agents):
    home.set_pin()
    configure(home, "bad = 1\n")
    path = socket_path(home)
    with managed(path) as (number, words):
        done = refused(path, number, words, home)
        assert done.returncode == 64 and "there is no such setting" in done.stderr, done


# The agent ends while somebody looks


def test_no_card_stays_when_the_agent_ends(agent, connected, bank):
    pay(bank)
    child = connected.terminal("watch", environment={"NO_COLOR": "1"})
    see_card(child)
    agent.kill()
    child.expect_exact("\x1b[3J")
    assert finish(child) == 1 and "Pay" not in child.before and "the agent" in child.before


def test_no_card_stays_above_a_question_when_the_agent_ends(agent, connected, bank):
    pay(bank)
    child = connected.terminal("watch", environment={"NO_COLOR": "1"})
    see_card(child)
    child.send("a")
    child.expect_exact("PIN to approve")
    agent.kill()
    child.expect_exact("\x1b[3J")
    assert finish(child) == 1 and "Pay" not in child.before and "the agent" in child.before


# Where questions appear


KEYRING = """
"$0" pin set --pin-file "$1"
told=$("$0" agent --daemonize 2>&1)
dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \
    org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login
code=0
timeout -k 5 60 script -qec "$0 unlock" /dev/null </dev/null || code=$?
kill $(tr -dc 0-9 <<<"$told")
exit $code
"""


def test_a_keyring_that_locked_itself_asks_before_the_pin(home):
    """Nobody answers the keyring's own question here, so the PIN is not asked for."""
    done = subprocess.run(
        [ROOT / "Tests/Support/with-secret-service", "bash", "-ec", KEYRING, home.argv()[0], home.pin_file],
        env=home.environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 7 and "PIN: " not in done.stdout, done


def test_a_notification_asks_where_the_person_was_last(connected, agents, desktop, pinentry, bank):
    agent = agents(connected, pinentry=pinentry, display=None)
    child = connected.terminal("unlock", environment={"DISPLAY": ":42", "XAUTHORITY": "/cookie"})
    child.expect("PIN: ")
    child.sendline(PIN)
    assert finish(child) == 0 and agent.state == "open"
    id = bank.pay()
    note = desktop.note("Pay 9.90 EUR")
    pinentry.answers("OK\n", typed(PIN))
    desktop.do("invoke", note["id"], "review")
    until(lambda: bank.authorization(id)["status"] == "confirmed", 60)
    assert {"display=:42", "xauthority=/cookie"} <= set(pinentry.told("OPTION"))


def test_review_leads_to_the_window_where_there_is_one(connected, agents, desktop, pinentry, bank):
    """The request that was chosen, or the list of many; nothing is asked beside it. Without a window the pinentry asks."""
    agents(connected, pinentry=pinentry).unlock()
    window = FakeWindow(connected)
    try:
        id = bank.pay()
        desktop.do("invoke", desktop.note("Pay 9.90 EUR")["id"], "review")
        assert window.asked.get(timeout=60) == ("review", [f"demobank:{id}"], {})
        for _ in range(4):
            bank.pay()
        desktop.do("invoke", desktop.note("5 requests wait")["id"], "review")
        assert window.asked.get(timeout=60) == ("review", [""], {})
        assert not [line for line in pinentry.lines if line.startswith("GETPIN")]
        assert bank.authorization(id)["status"] == "pending"
    finally:
        window.stop()


def test_it_goes_by_its_name_whatever_its_file_is_called(home, tmp_path):
    link = tmp_path / "cs"
    link.symlink_to(home.argv()[0])
    process = subprocess.Popen([link, "agent"], env=home.environment, stderr=subprocess.DEVNULL)
    try:
        until(lambda: socket_path(home).exists(), 60)
        assert pathlib.Path(f"/proc/{process.pid}/comm").read_text() == "countersign\n"
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
