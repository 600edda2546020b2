"""What keeps an agent's secrets to itself: other users, other processes of the same user, and crashes get nothing of it."""

import os
import pathlib
import shutil
import signal
import subprocess
import sys

import pytest
from agents import Agent, agents, open_directory, socket_path
from conftest import Home
from innards import until
from users import as_another_user

KNOCK = """
import socket, sys
line = socket.socket(socket.AF_UNIX)
line.settimeout(30)
line.connect(sys.argv[1])
try:
    line.sendall(b"GET /agent HTTP/1.1\\r\\nHost: x\\r\\nConnection: close\\r\\n\\r\\n")
    while part := line.recv(65536):
        sys.stdout.write(part.decode())
except (BrokenPipeError, ConnectionResetError):
    pass
"""


def test_another_user_is_refused_even_where_the_modes_would_let_him(open_directory, agents, tmp_path):
    runtime = open_directory / "run"
    runtime.mkdir(mode=0o700)
    home = Home(tmp_path, {"XDG_RUNTIME_DIR": str(runtime)}).set_pin()
    agent = agents(home).unlock()
    assert agent.socket.parent.stat().st_mode & 0o777 == 0o700 and agent.socket.stat().st_mode & 0o777 == 0o600
    knock = [sys.executable, "-c", KNOCK, str(agent.socket)]

    def said(words=knock):
        done = subprocess.run(words, capture_output=True, text=True, timeout=60, cwd="/")
        return done.returncode, done.stdout

    assert said(as_another_user(*knock))[0] != 0, "the modes alone keep him out"
    for path, mode in ((runtime, 0o755), (agent.socket.parent, 0o755), (agent.socket, 0o666)):
        path.chmod(mode)
    assert said(as_another_user(*knock)) == (0, "")
    code, answer = said()
    assert code == 0 and '"state":"open"' in answer


def test_the_commands_of_another_user_do_not_talk_to_his_agent(open_directory, tmp_path):
    """Somebody else listens where this user's agent would: he gets nothing."""
    runtime = open_directory / "run"
    (runtime / "countersign").mkdir(parents=True)
    home = Home(tmp_path, {"XDG_RUNTIME_DIR": str(runtime)}).set_pin()
    path = socket_path(home)
    (runtime / "countersign").chmod(0o777)
    listener = subprocess.Popen(
        [*as_another_user(sys.executable), "-c", "import os, socket, sys\nos.umask(0)\n"
         "s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print('ready', flush=True)\n"
         "while True:\n c, _ = s.accept(); print(c.recv(65536), flush=True); c.close()", str(path)],
        stdout=subprocess.PIPE, cwd="/")
    try:
        assert listener.stdout.readline() == b"ready\n"
        result = home.run("connections", "--json")
        assert result.code == 1 and "another user" in result.json["error"]["message"], result
    finally:
        listener.kill()
    assert listener.communicate()[0].replace(b"b''\n", b"") == b""


ATTACH = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
pid = int(sys.argv[1])
for request in (16, 0x4206):  # PTRACE_ATTACH, PTRACE_SEIZE
    if libc.ptrace(request, pid, None, None) == 0:
        os.waitpid(pid, 0) if request == 16 else None
        libc.ptrace(17, pid, None, None)  # PTRACE_DETACH
        print("attached")
    else:
        print(os.strerror(ctypes.get_errno()))
for name in ("mem", "environ", "maps", "exe", "fd"):
    try:
        os.listdir(f"/proc/{pid}/fd") if name == "fd" else open(f"/proc/{pid}/{name}", "rb").close()
        print("open")
    except OSError as error:
        print(os.strerror(error.errno))
class Span(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]
room = ctypes.create_string_buffer(1)
here, there = Span(ctypes.addressof(room), 1), Span(int(sys.argv[2]), 1)
read = libc.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
print("read" if read == 1 else os.strerror(ctypes.get_errno()))
"""


# Any process of the same user may trace it, also where Yama lets only its parent.
ORDINARY = """
import ctypes, time
ctypes.CDLL(None).prctl(0x59616d61, -1)  # PR_SET_PTRACER, PR_SET_PTRACER_ANY
print("ready", flush=True)
time.sleep(600)
"""


def test_a_process_of_the_same_user_cannot_look_into_it(home, agents):
    agent = agents(home)
    ordinary = subprocess.Popen([sys.executable, "-c", ORDINARY], stdout=subprocess.PIPE)
    try:
        assert ordinary.stdout.readline() == b"ready\n"
        address = int(pathlib.Path(f"/proc/{ordinary.pid}/maps").read_text().split("-")[0], 16)

        def tried(pid):
            done = subprocess.run(
                [sys.executable, "-c", ATTACH, str(pid), str(address)], capture_output=True, text=True, timeout=60, cwd="/")
            return done.stdout.splitlines()

        assert tried(ordinary.pid) == ["attached"] * 2 + ["open"] * 5 + ["read"]
        refused = {"Operation not permitted", "Permission denied"}
        answers = tried(agent.pid)
        assert len(answers) == 8 and set(answers) <= refused, answers
    finally:
        ordinary.kill()
        ordinary.communicate()
    for tool in (["gdb", "-p", str(agent.pid), "--batch"], ["strace", "-p", str(agent.pid)]):
        if subprocess.run(["which", tool[0]], capture_output=True).returncode == 0:
            done = subprocess.run(tool, capture_output=True, text=True, timeout=120, cwd="/")
            assert "not permitted" in done.stderr, done
    assert agent.process.poll() is None


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGSEGV, signal.SIGQUIT])
def test_a_crash_leaves_neither_core_nor_backtrace(home, agents, number):
    """Whatever the limit was before, and whatever the runtime of its language does for the curious."""
    unlimited = "ulimit -c unlimited 2>/dev/null || ulimit -c $(ulimit -H -c); exec \"$0\" \"$@\""
    # A job in a shell's background ignores SIGQUIT, and what it starts does too.
    wrapper = ["env", "--default-signal=QUIT", "sh", "-c", unlimited]
    # A program with the runtime inside does not know where the one that writes backtraces is.
    writer = pathlib.Path(shutil.which("swift")).resolve().parents[1] / "libexec/swift/linux/swift-backtrace"
    assert writer.exists()
    agent = agents(home, wrapper=wrapper, environment={"SWIFT_BACKTRACE": f"enable=yes,swift-backtrace={writer}"})
    [limit] = [line for line in pathlib.Path(f"/proc/{agent.pid}/limits").read_text().splitlines() if "core file" in line]
    assert limit.split()[4:6] == ["0", "0"], limit
    os.kill(agent.pid, number)
    end = until(lambda: os.waitid(os.P_PID, agent.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG), 60)
    assert (end.si_code, end.si_status) == (os.CLD_KILLED, number)
    assert agent.ended() == -number and agent.said == ""
