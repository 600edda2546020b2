"""A program that keeps as many of the agent's connections as it can get: others are served all the same, and the person by
countersign."""

import subprocess
import sys

from agents import agents
from conftest import check_schema

# Opens connections, asks on each for what does not end, and prints the status of each answer. Then it waits.
CROWD = """
import socket, sys
lines = []
for _ in range(int(sys.argv[2])):
    line = socket.socket(socket.AF_UNIX)
    line.settimeout(60)
    line.connect(sys.argv[1])
    line.sendall(b"GET /events HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
    lines.append(line)
    try:
        print(line.recv(12).decode()[9:] or "closed", flush=True)
    except ConnectionResetError:
        print("closed", flush=True)
sys.stdin.read()
"""


def crowd(agent, count):
    process = subprocess.Popen(
        [sys.executable, "-c", CROWD, str(agent.socket), str(count)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    return process, [process.stdout.readline().strip() for _ in range(count)]


def test_no_program_takes_all_connections(home, agents):
    agent = agents(home.set_pin()).unlock()
    processes = []
    try:
        process, answers = crowd(agent, 20)
        processes.append(process)
        assert answers == ["200"] * 16 + ["503"] * 4
        # This process is another one.
        assert agent.request("GET", "/agent").status == 200
        taken = 16
        while taken < 112:
            process, answers = crowd(agent, 16)
            processes.append(process)
            assert answers == ["200"] * 16
            taken += 16
        refused = agent.request("GET", "/agent")
        assert refused.status == 503
        check_schema(["failure"], refused.json)
        assert refused.json["error"]["kind"] == "internal" and "too many requests" in refused.json["error"]["message"]
        home.ok("status", pin=False)
        home.ok("lock", pin=False)
    finally:
        for process in processes:
            process.communicate()
    home.ok("status", pin=False)
    assert agent.request("GET", "/agent").status == 200 and agent.stop() == 0
