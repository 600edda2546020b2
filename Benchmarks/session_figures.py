"""The figures of sessions in a running agent: how soon a token is there, what one more request costs, and memory."""

import json
import statistics
import subprocess
import time

import oidc_agent
from agent_figures import await_polls, polls, resident
from agents import Agent, UnixConnection
from figures import beside, beside_lookup, line
from issuers import Issuer, log_in

MEMBERS = json.dumps({"target": "session-1"}).encode()


def of_sessions(home, bank):
    """Ten connections and ten sessions, whose tokens are good."""
    links = [bank.link(instant=True) for _ in range(10)]
    for link in links:
        home.ok("enroll", "-", "--yes", stdin=link + "\n")
    with Issuer(expires_in=3600) as issuer:
        for number in range(1, 11):
            log_in(home, issuer, "--name", f"session-{number}", "--scope", "openid", "--account", str(number))
        agent = Agent(home)
        try:
            agent.unlock()
            allow(home, agent)
            token = home.argv("token", "session-1")
            beside_lookup("token by the agent", token, home.environment)
            beside_oidc_token(issuer, token, home.environment)
            one_more(agent)
            await_polls(lambda: polls(bank), 30)
            ours = resident(agent.pid)
            line("memory of the idle agent with 10 connections and 10 sessions", f"{ours:.1f} MiB", "34 MiB", f"{ours / 34:.3f}",
                 "< 34 MiB", ours < 34)
        finally:
            agent.kill()


def allow(home, agent):
    """This program, as our own command and as a front end of its own: both are the same program."""
    ours = subprocess.run(home.argv("token", "session-1"), env=home.environment, capture_output=True)
    assert ours.returncode == 3, ours
    [request] = home.json("requests", pin=False)["requests"]
    home.ok("allow", request["id"])
    assert ask(UnixConnection(agent.socket, 60), "POST", "/tokens", MEMBERS) == 200


def beside_oidc_token(issuer, argv, environment):
    """The same for the program that does this job elsewhere."""
    if not oidc_agent.is_there():
        print("oidc-agent-cli cannot be installed here: a token by the agent is not held against it", flush=True)
        return
    with oidc_agent.running(issuer, environment) as theirs:
        yardstick = (["/usr/bin/oidc-token", oidc_agent.CLIENT], theirs)
        beside("token by the agent / oidc-token", (argv, environment), yardstick, 3.0)


def ask(connection, method, path, body=None):
    connection.request(method, path, body=body)
    answer = connection.getresponse()
    answer.read()
    return answer.status


def one_more(agent, rounds=20, each=50):
    """A thousand requests for a token on one connection, by turns with the shortest question to the same socket."""
    connection = UnixConnection(agent.socket, 60)
    ratios, ours, theirs = [], [], []
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(each):
            assert ask(connection, "POST", "/tokens", MEMBERS) == 200
        middle = time.perf_counter()
        for _ in range(each):
            assert ask(connection, "GET", "/agent") == 200
        end = time.perf_counter()
        ours.append((middle - start) / each)
        theirs.append((end - middle) / each)
        ratios.append(ours[-1] / theirs[-1])
    ratio = statistics.median(ratios)
    line(
        "a token on a connection that is open / the agent's handshake on it", f"{statistics.median(ours) * 1e6:.0f} µs",
        f"{statistics.median(theirs) * 1e6:.0f} µs", f"{ratio:.3f}", "<= 2.0", ratio <= 2)
