"""An agent that has no descriptors left for those who call waits until it has, and serves them then."""

import os
import pathlib
import socket
import subprocess
import sys
import time

from agents import agents
from innards import until
from users import descriptors, legible


def seconds(pid):
    """Of processor time that a process has used."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


# Connects some times and hands the connections over, so that no process has more than its share.
KNOCK = """
import socket, sys
back = socket.socket(fileno=0)
for _ in range(10):
    line = socket.socket(socket.AF_UNIX)
    line.connect(sys.argv[1])
    socket.send_fds(back, [b"x"], [line.fileno()])
"""


def knock(path):
    """Ten connections of a process of their own."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        subprocess.run([sys.executable, "-c", KNOCK, str(path)], stdin=theirs, check=True, timeout=60)
        return [socket.socket(fileno=socket.recv_fds(ours, 1, 1)[1][0]) for _ in range(10)]


def test_it_waits_where_descriptors_run_out(home, agents):
    agent = agents(home.set_pin(), wrapper=[*legible(), "prlimit", "--nofile=64:64"]).unlock()
    lines = []
    try:
        # More than the limit, fewer than may wait to be accepted.
        for _ in range(10):
            lines += knock(agent.socket)
        until(lambda: len(descriptors(agent.pid)) == 64, 30)
        before = seconds(agent.pid)
        time.sleep(3)
        used = seconds(agent.pid) - before
        assert used < 0.15, f"{used} s of processor time in 3 s"
        # A place that becomes free is taken by who waits.
        for line in lines[:90]:
            line.close()
        lines[-1].settimeout(30)
        lines[-1].sendall(b"GET /agent HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        assert lines[-1].recv(65536).startswith(b"HTTP/1.1 200 ")
    finally:
        for line in lines:
            line.close()
    home.ok("status", pin=False)
    assert agent.state == "open" and agent.stop() == 0
