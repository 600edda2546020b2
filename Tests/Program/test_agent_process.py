"""The agent as a process: one for each home, how it starts in the background or for a service manager, and what it makes of
those of other versions, of other homes, and of a vault that goes away.
"""

import concurrent.futures
import json
import os
import pathlib
import re
import signal
import socket
import socketserver
import subprocess
import sys
import threading

import pytest
from agents import Answer, UnixConnection, agents, open_directory, socket_path
from conftest import PIN, VERSION, Bank, Home, check_schema, finish
from innards import in_memory, pin_record, sql, until
from users import descriptors, legible, namespace


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A bank, and a home with the connections `demobank` and `fern`."""
    bank = Bank(tmp_path_factory.mktemp("bank"))
    home = Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank).enroll(bank, protocol="v2", name="fern")
    yield home, bank
    bank.stop()


@pytest.fixture
def home(place):
    return place[0]


@pytest.fixture
def bank(place):
    return place[1]


# One for each home


def test_a_signal_that_comes_at_once_ends_it_in_order(home):
    """As soon as it can be found, before it has begun to serve."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP) * 3:
        process = subprocess.Popen(
            home.argv("agent"), env=home.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        until(socket_path(home).exists, 30)
        process.send_signal(number)
        assert process.wait(30) == 0 and not socket_path(home).exists()


def test_a_second_agent_says_who_runs_and_leaves_it_alone(home, agents):
    agent = agents(home).unlock()
    for words in (("agent",), ("agent", "--daemonize")):
        result = home.run(*words, pin=False)
        assert result.code == 10 and result.out == "", result
        assert result.err == (
            f"error: an agent runs already (process {agent.pid})\n"
            "hint: it is the agent of this home; end it first: countersign agent --stop\n")
        result = home.run(*words, "--json", pin=False)
        assert result.code == 10 and result.err == "", result
        check_schema(["failure"], result.json)
        assert (result.json["error"]["kind"], result.json["error"]["exit_code"]) == ("already_runs", 10)
    assert agent.handshake()["pid"] == agent.pid and agent.state == "open"
    home.ok("connections", pin=False)


@pytest.mark.parametrize("spelling", ["/", "/.", "/../state", "/no/.."])
def test_a_home_has_one_agent_by_whatever_name_it_is_called(agents, other_home, spelling):
    home = other_home.set_pin()
    agent = agents(home).unlock()
    status = home.json("lock", "--home", f"{home.state}{spelling}", pin=False)
    assert status["agent"]["running"] is True and agent.state == "shut"
    link = home.path / "link"
    link.symlink_to(home.state)
    assert home.json("status", "--home", link, pin=False)["agent"]["running"] is True
    agent.stop()


def knows_of(agent, home, **options):
    """What commands say that do not find an agent which runs."""
    for command in ("lock", "status", "unlock"):
        result = home.run(command, "--json", **options)
        error = result.json["error"]
        assert (result.code, error["kind"]) == (1, "internal"), result
        assert error["message"] == (
            f"an agent of this home runs (process {agent.pid}), but does not listen where this command looks for it")
        assert error["hint"].endswith("or end it: countersign agent --stop")
    ok, message, _ = judged(home, **options)
    assert not ok and f"process {agent.pid}" in message
    # Others work alone.
    home.ok("connections", **options)
    assert agent.process.poll() is None


@pytest.mark.parametrize("runtime", ["", "run"])
def test_one_that_listens_elsewhere_is_named_and_stays_the_only_one(agents, open_directory, runtime):
    home = Home(open_directory).set_pin()
    agent = agents(home).unlock()
    (home.path / "run").mkdir(mode=0o700)
    environment = {"XDG_RUNTIME_DIR": runtime and str(home.path / runtime)}
    knows_of(agent, home, environment=environment)
    for words in (("agent",), ("agent", "--daemonize")):
        result = home.run(*words, pin=False, environment=environment)
        assert result.code == 10 and f"an agent runs already (process {agent.pid})" in result.err, result
    assert agent.state == "open"
    home.ok("lock", pin=False)
    assert agent.state == "shut"


def test_one_whose_socket_is_gone_is_named(agents, other_home):
    agent = agents(other_home.set_pin()).unlock()
    agent.socket.unlink()
    knows_of(agent, other_home)
    # Nor does something else that listens there make it forgotten.
    with socketserver.ThreadingUnixStreamServer(str(agent.socket), Stranger) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        knows_of(agent, other_home)
        server.shutdown()
    agent.kill()
    agent.socket.unlink()
    assert other_home.json("lock", pin=False)["agent"]["running"] is False


class Stranger(socketserver.StreamRequestHandler):
    """Answers as no agent does."""

    def handle(self):
        self.rfile.readline()
        self.wfile.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")


def test_the_socket_of_one_that_was_killed_is_replaced(home, agents):
    killed = agents(home).unlock()
    killed.kill()
    assert killed.socket.exists()
    # Nobody is there: commands work alone.
    assert home.run("connections", pin=False).code == 3
    home.ok("connections")
    assert home.json("status", pin=False)["agent"]["running"] is False
    agent = agents(home)
    assert agent.state == "shut" and agent.pid != killed.pid
    assert agent.stop() == 0 and not agent.socket.exists()


def test_what_lies_in_the_way_is_not_removed(home):
    path = socket_path(home)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    path.write_text("mine")
    try:
        result = home.run("agent", pin=False)
        assert result.code == 1 and "in the way" in result.err and path.read_text() == "mine", result
        assert f"hint: rm {path}\n" in result.err
        assert judged(home) == (False, f"{path} is in the way, and it is no socket of yours", f"rm {path}")
    finally:
        path.unlink()


def test_a_directory_that_is_open_to_others_is_refused(open_directory, tmp_path):
    runtime = open_directory / "run"
    runtime.mkdir(mode=0o700)
    (runtime / "countersign").mkdir()
    (runtime / "countersign").chmod(0o755)
    home = Home(tmp_path, {"XDG_RUNTIME_DIR": str(runtime)})
    result = home.run("agent", pin=False)
    assert result.code == 1 and "open to other users" in result.err, result
    assert f"hint: chmod 700 {runtime}/countersign\n" in result.err, result
    assert judged(home)[2] == f"chmod 700 {runtime}/countersign"


def judged(home, name="agent", **options):
    """What doctor says in one check."""
    checks = home.run("doctor", "--json", pin=False, **options).json["checks"]
    [check] = [check for check in checks if check["name"] == name]
    return check["ok"], check["message"], check["hint"]


@pytest.mark.parametrize("mode, other, remedy", [
    (None, False, "choose another with --home"), (0o755, False, "chmod 700 {}"), (0o755, True, "choose another with --home")])
def test_a_home_that_cannot_be_used_comes_with_its_remedy(tmp_path, mode, other, remedy):
    """What somebody else's program keeps there must not be closed or removed."""
    path = tmp_path / "state"
    path.write_text("") if mode is None else path.mkdir()
    if other:
        (path / "something").write_text("")
    path.chmod(mode or 0o600)
    home = Home(tmp_path)
    result = home.run("status", pin=False)
    assert result.code == 1 and f"hint: {remedy.format(path)}\n" in result.err, result
    assert judged(home, "state-directory")[2] == remedy.format(path)


def test_an_agent_that_does_not_answer_is_named(agents, other_home):
    agent = agents(other_home.set_pin())
    os.kill(agent.pid, signal.SIGSTOP)
    remedy = f"kill -KILL {agent.pid}, then: countersign agent --daemonize"
    # Each of them waits for the agent, so they wait side by side.
    with concurrent.futures.ThreadPoolExecutor() as pool:
        lock, doctor = pool.submit(other_home.run, "lock", pin=False), pool.submit(judged, other_home)
        result = lock.result()
        assert result.code == 1 and "did not answer in time" in result.err and f"hint: {remedy}\n" in result.err, result
        assert doctor.result() == (False, "the agent did not answer in time", remedy)


def test_without_a_runtime_directory_it_listens_in_the_home(open_directory):
    home = Home(open_directory)
    home.environment.pop("XDG_RUNTIME_DIR")
    home.set_pin()
    home.ok("agent", "--daemonize", pin=False)
    path = home.state / "run/agent.sock"
    assert path.stat().st_mode & 0o777 == 0o600 and path.parent.stat().st_mode & 0o777 == 0o700
    pid = handshake(path)["pid"]
    home.ok("unlock")
    os.kill(pid, signal.SIGTERM)
    until(lambda: not path.exists(), 60)


def test_where_no_agent_can_listen_commands_work_alone(tmp_path):
    """The address of a unix socket has room for 107 bytes."""
    deep = tmp_path / ("x" * 100)
    deep.mkdir()
    home = Home(deep, {"XDG_RUNTIME_DIR": ""})
    home.set_pin()
    assert home.json("connections") == {"connections": []}
    assert home.json("status", pin=False)["agent"]["running"] is False
    assert home.run("connections", pin=False).code == 3
    result = home.run("agent", pin=False)
    assert result.code == 1 and "longer than 107 bytes" in result.err, result


# An agent that is not ours: another version, another home


class Impostor:
    """Listens at a home's socket with its lock, as an agent does, and says of itself what it is told to."""

    SCRIPT = """
import fcntl, http.server, json, os, signal, socketserver, sys
path, answer = sys.argv[1], json.loads(sys.argv[2])
os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
lock = open(path + ".lock", "w")
fcntl.flock(lock, fcntl.LOCK_EX)
print(os.getpid(), file=lock, flush=True)
class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    def do_GET(self):
        print(self.command, self.path, flush=True)
        body = json.dumps(answer | {"pid": os.getpid()}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    do_POST = do_DELETE = do_PATCH = do_GET
    def address_string(self):
        return "x"
    def log_message(self, *words):
        pass
class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
def end(*_):
    print("asked to end", flush=True)
    if answer.get("stays"):
        return
    os.unlink(path)
    os._exit(0)
signal.signal(signal.SIGTERM, end)
with Server(path, Handler) as server:
    print("ready", flush=True)
    server.serve_forever()
"""

    def __init__(self, home, **answer):
        self.heard = home.path / "heard"
        with open(self.heard, "w") as heard:
            self.process = subprocess.Popen(
                [sys.executable, "-c", self.SCRIPT, str(socket_path(home)), json.dumps(answer)], stdout=heard)
        until(lambda: "ready" in self.lines, 60)

    @property
    def lines(self):
        return self.heard.read_text().splitlines()

    def stop(self):
        self.process.kill()
        self.process.wait()


@pytest.fixture
def impostors(home):
    """Starts impostors, which end with the test, and leaves no socket."""
    started = []

    def start(**answer):
        known = {"api": 1, "version": VERSION, "vault": pin_record(home)["vaultID"],
                 "state": "open", "waiting": 0}
        started.append(Impostor(home, **(known | answer)))
        return started[-1]

    yield start
    for impostor in started:
        impostor.stop()
    socket_path(home).unlink(missing_ok=True)


def test_the_impostor_is_taken_for_an_agent(home, impostors):
    """So that the tests below say something."""
    impostor = impostors()
    assert home.run("connections", pin=False).code == 1
    assert "GET /connections" in impostor.lines


@pytest.mark.parametrize("answer", [{"version": "0.0.1"}, {"api": 2}], ids=["version", "api"])
def test_an_agent_of_another_version_is_not_used_and_is_replaced(home, agents, impostors, answer):
    impostor = impostors(**answer)
    assert home.run("connections", pin=False).code == 3
    assert home.ok("connections", "-q").out == "demobank\nfern\n"
    assert "an agent of version" in home.ok("connections", "--verbose").err
    assert home.json("status", pin=False)["agent"]["running"] is True
    result = home.run("unlock", "--json")
    assert result.code == 1 and result.json["error"]["kind"] == "internal", result
    assert set(impostor.lines) == {"ready", "GET /agent"}
    agent = agents(home)
    assert impostor.process.wait(30) == 0 and "asked to end" in impostor.lines
    assert agent.handshake()["pid"] == agent.pid
    agent.unlock()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_wait_for_an_agent_of_another_version(home, impostors, number):
    impostor = impostors(version="0.0.1", stays=True)
    process = subprocess.Popen(
        home.argv("agent"), env=home.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    until(lambda: "asked to end" in impostor.lines, 30)
    process.send_signal(number)
    _, err = process.communicate(timeout=10)
    assert process.returncode == 2 and impostor.process.poll() is None and socket_path(home).exists(), err


@pytest.mark.parametrize("answer", [{"vault": "another"}, {"vault": None}, {"vault": "another", "version": "0.0.1"}])
def test_an_agent_of_another_home_is_left_alone(home, impostors, answer):
    impostor = impostors(**answer)
    assert home.run("connections", pin=False).code == 3
    home.ok("connections")
    result = home.run("agent", "--json", pin=False)
    assert result.code == 10 and f"{impostor.process.pid}" in result.json["error"]["message"], result
    assert impostor.process.poll() is None and "asked to end" not in impostor.lines
    assert set(impostor.lines) == {"ready", "GET /agent"}


# The vault goes, or its PIN changes, under an open agent


def test_pin_reset_shuts_it(agents, other_home, bank):
    home = other_home.set_pin().enroll(bank, name="gone")
    agent = agents(home).unlock()
    status = home.json("pin", "reset", "--yes", pin=False)
    assert (status["pin_set"], status["locked"], status["keys_in_memory"]) == (False, True, False)
    assert agent.state == "shut" and agent.handshake()["vault"] is None
    assert agent.request("GET", "/connections").status == 423
    home.set_pin_by_program()
    assert agent.state == "shut" and home.run("connections", pin=False).code == 3
    agent.unlock()
    assert home.json("connections", pin=False) == {"connections": []}


@pytest.mark.parametrize("way", ["by the command", "behind its back"])
def test_a_change_of_the_pin_shuts_it(agents, other_home, bank, way, tmp_path):
    """The command shuts the agent that it finds; one that it does not find sees the change by itself. What the agent's copy of
    the database had of the old record is gone as well."""
    home = other_home.set_pin().enroll(bank, name="kept")
    agent = agents(home, wrapper=legible()).unlock()
    record = bytes(sql(home, "SELECT record FROM pin")[0][0])
    blob = re.search(rb'"sealedMasterKey":\[([^\]]*)\]', record).group(1)
    pieces = {blob[:40], blob[-40:]}
    assert in_memory(agent.pid, *pieces), "the agent reads the record"
    home.write_pin(PIN, "141421")
    if way == "by the command":
        status = home.json("pin", "change")
        assert (status["locked"], status["keys_in_memory"]) == (True, False)
    else:
        elsewhere = tmp_path / "elsewhere"
        elsewhere.mkdir(mode=0o700)
        home.ok("pin", "change", environment={"XDG_RUNTIME_DIR": str(elsewhere)})
    until(lambda: not in_memory(agent.pid, *pieces), 60)
    assert agent.state == "shut" and agent.status()["keys_in_memory"] is False
    home.write_pin(PIN)
    assert home.run("unlock").code == 3
    home.write_pin("141421")
    agent.unlock()
    assert [c["name"] for c in home.json("connections", pin=False)["connections"]] == ["kept"]


def test_a_vault_that_vanishes_shuts_it(agents, other_home):
    """Not by the command, which tells the agent, but behind its back."""
    agent = agents(other_home.set_pin()).unlock()
    sql(other_home, "DELETE FROM pin")
    assert agent.state == "shut" and agent.status()["keys_in_memory"] is False


def test_connections_that_cannot_be_read_are_named_beside_the_others(agents, other_home, bank):
    agent = agents(other_home.set_pin().enroll(bank, name="torn")).unlock()
    sql(other_home, "UPDATE connection SET content = x'00'")
    until(lambda: [f["kind"] for f in other_home.json("pending", pin=False)["failures"]] == ["damaged"])
    assert agent.state == "open"


# Starting


def handshake(path):
    connection = UnixConnection(path, 30)
    connection.request("GET", "/agent")
    answer = Answer(connection.getresponse())
    connection.close()
    assert answer.status == 200, answer
    return answer.json


def stat(pid):
    """The fields of /proc/PID/stat after the name: state, parent, group, session, terminal …"""
    return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(") ", 1)[1].split()


def test_it_starts_in_the_background(home):
    """From a terminal, whose end it outlives."""
    child = home.terminal("agent", "--daemonize", wrapper=legible())
    child.expect(r"The agent runs as process (\d+)")
    pid = int(child.match.group(1))
    assert finish(child) == 0
    try:
        assert handshake(socket_path(home))["pid"] == pid
        _, parent, group, session, terminal = stat(pid)[:5]
        assert (int(group), int(session), int(terminal)) == (pid, pid, 0) and int(parent) != os.getpid()
        found = descriptors(pid)
        assert [found[number] for number in (0, 1, 2)] == ["/dev/null"] * 3
        home.ok("unlock")
        home.ok("connections", pin=False)
        assert home.run("agent", "--daemonize", "--quiet", pin=False).code == 10
    finally:
        os.kill(pid, signal.SIGTERM)
        until(lambda: not os.path.exists(f"/proc/{pid}") or stat(pid)[0] == "Z", 60)
    assert not socket_path(home).exists()
    quiet = home.run("agent", "--daemonize", "--quiet", pin=False)
    assert (quiet.code, quiet.out, quiet.err) == (0, "", ""), quiet
    os.kill(handshake(socket_path(home))["pid"], signal.SIGTERM)
    until(lambda: not socket_path(home).exists(), 60)


# A /dev of its own with the same in it, and a socket at $LOG as the system's log.
OWN_LOG = """
mkdir "$D/dev" && mount --rbind /dev "$D/dev" && mount -t tmpfs none /dev && cp -a "$D/dev/." /dev 2>/dev/null
for name in null urandom ptmx pts shm tty; do
    [ -d "$D/dev/$name" ] && mkdir -p "/dev/$name" || { rm -f "/dev/$name" && touch "/dev/$name"; }
    mount --rbind "$D/dev/$name" "/dev/$name" || exit
done
rm -f /dev/log && ln -s "$LOG" /dev/log && exec "$@"
"""


def test_in_the_background_it_tells_the_systems_log(home, bank, tmp_path, open_directory):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
        log.bind(str(open_directory / "log"))
        log.settimeout(60)
        result = home.ok(
            "agent", "--daemonize", "--pin-file", home.pin_file, "--verbose", pin=False,
            wrapper=[*namespace("--mount"), "sh", "-c", OWN_LOG, "sh"],
            environment={"D": str(tmp_path), "LOG": str(open_directory / "log")})
        assert "warning: --pin-file opens no agent; this does: countersign unlock --pin-file PATH\n" in result.err
        assert "--verbose changes nothing" in result.err
        pid = handshake(socket_path(home))["pid"]
        home.ok("unlock")
        id = bank.pay("Pay 9.90 EUR")
        line = log.recv(4096).decode()
        os.kill(pid, signal.SIGTERM)
        until(lambda: not socket_path(home).exists(), 60)
    bank.post(f"authorizations/{id}/close")
    # The user's facility, a warning.
    assert line.startswith("<12>") and " countersign: a request waits for your decision; see it with" in line
    assert "9.90" not in line and "demobank" not in line


def test_a_start_in_the_background_says_as_json_what_status_would(other_home):
    result = other_home.ok("agent", "--daemonize", "--json", pin=False)
    check_schema(["agent"], result.json)
    assert result.err == "" and result.json["agent"]["running"] is True, result
    assert result.json == other_home.json("status", pin=False)
    os.kill(handshake(socket_path(other_home))["pid"], signal.SIGTERM)
    until(lambda: not socket_path(other_home).exists(), 60)


def test_a_start_in_the_background_that_fails_says_why(tmp_path):
    home = Home(tmp_path)
    path = tmp_path / "config/countersign/config.toml"
    path.parent.mkdir(parents=True)
    path.write_text("[agent]\npoll_fastest = 0\n")
    result = home.run("agent", "--daemonize", pin=False)
    assert result.code == 64 and "poll_fastest" in result.err and "line 2" in result.err, result
    path.unlink()
    result = home.run("agent", "--daemonize", "--ca-file", "/nowhere", pin=False)
    assert result.code == 1 and "the file of certificate authorities" in result.err, result
    assert not socket_path(home).exists()


@pytest.fixture
def manager_socket(home):
    """A socket that a service manager listens at."""
    path = socket_path(home)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        path.chmod(0o600)
        listener.listen(16)
        yield listener
    path.unlink()


def activated(home, listener, count=1):
    """An agent that is handed this socket (sd_listen_fds(3))."""
    start = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.putenv('LISTEN_PID', str(os.getpid())); " \
        "os.execv(sys.argv[2], sys.argv[2:])"
    return subprocess.Popen(
        [sys.executable, "-c", start, str(listener.fileno()), *home.argv("agent")], pass_fds=[listener.fileno()],
        env=dict(home.environment, LISTEN_FDS=str(count)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)


def test_it_takes_the_socket_of_a_service_manager(home, manager_socket):
    """Who called before it was there is answered too; the socket stays the manager's, and serves the next one."""
    path = socket_path(home)
    for _ in range(2):
        early = UnixConnection(path, 60)
        early.request("GET", "/agent")
        process = activated(home, manager_socket)
        assert Answer(early.getresponse()).json["pid"] == process.pid
        home.ok("unlock")
        home.ok("connections", pin=False)
        process.terminate()
        early.close()
        assert process.wait(60) == 0 and process.communicate() == ("", "")
        assert path.exists()


def test_a_service_manager_that_hands_over_something_else(home, manager_socket):
    process = activated(home, manager_socket, count=2)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1 and err.startswith("error: "), err


@pytest.mark.parametrize("words", [["agent"], ["agent", "--daemonize"]])
def test_where_a_service_manager_listens_none_is_started_by_hand(home, manager_socket, words):
    """Nor where something else does that says nothing."""
    result = home.run(*words, pin=False)
    path = socket_path(home)
    assert result.code == 1 and path.exists(), result
    assert result.err.startswith(f"error: something listens at {path} already, but is no agent of this home\n")
    assert "systemctl --user start countersign; else end the process that listens" in result.err


def test_a_lock_does_not_wait_for_ever_for_an_agent_that_is_not_started(home, manager_socket):
    result = home.run("lock", pin=False, timeout=30)
    assert result.code == 1 and "did not answer in time" in result.err, result
    assert f"hint: end what listens at {socket_path(home)}, then: countersign agent --daemonize\n" in result.err
