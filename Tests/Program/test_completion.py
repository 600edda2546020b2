"""What Tab offers in a real bash, zsh and fish, with a real agent: names of connections and references of what waits. Only an open
agent is asked; nothing is started, prompted or told.
"""

import os
import re
import socket
import subprocess

import pexpect
import pytest
from agents import agents, socket_path
from conftest import BIN, ROOT

PROMPT = "READY> "


class Shell:
    """A shell at a terminal, with our completions as they are installed, and `countersign` in its PATH."""

    def __init__(self, kind, home, directory, **environment):
        self.kind = kind
        environment = {
            **home.environment, "PATH": f"{BIN}:{os.environ['PATH']}", "TERM": "xterm", "PS1": PROMPT, "HOME": str(directory),
            "LC_ALL": "C.UTF-8", "INPUTRC": "/dev/null", **environment}
        completions = ROOT / "Share/Completions"
        words, begin = {
            "bash": (["--norc", "--noprofile", "-i"], f"bind 'set enable-bracketed-paste off'; source '{completions}/countersign.bash'"),
            "zsh": (["-f", "-i"], f"unsetopt zle_bracketed_paste prompt_sp; fpath=('{completions}' $fpath); autoload -Uz compinit; compinit -u -D"),
            "fish": (["--no-config", "-i", "-C", f"function fish_prompt; echo -n '{PROMPT}'; end; set -g fish_greeting"],
                     f"source '{completions}/countersign.fish'"),
        }[kind]
        self.child = pexpect.spawn(
            kind, words, env=environment, encoding="utf-8", timeout=60, dimensions=(50, 200), cwd=str(directory))
        self.child.delaybeforesend = 0.3
        self.run(begin)

    def run(self, line):
        """Types a line with Tabs in it; returns what was shown up to the next prompt but one, escapes taken out."""
        self.child.send(line)
        self.child.send(" ; echo EN''DED\r")
        self.child.expect("\nENDED\r?\n|\rENDED\r?\n|[^']ENDED\r?\n")
        return plain(self.child.before)

    def type(self, text):
        self.child.send(text)

    def shown(self, pattern):
        """Waits until this is on the screen."""
        self.child.expect(pattern)

    def close(self):
        self.child.close(force=True)


def plain(text):
    return re.sub(r"\x1b\[[0-9;?>=]*[ -/]*[a-zA-Z]|\x1b[()][A-Z0-9]|\x1b[=>]|\x1b\][^\x07]*\x07", "", text)


@pytest.fixture(params=["bash", "zsh", "fish"])
def shell(request, connected, tmp_path):
    directory = tmp_path / "shell"
    directory.mkdir()
    shells = []

    def start(**environment):
        shells.append(Shell(request.param, connected, directory, **environment))
        return shells[-1]

    start.kind = request.param
    yield start
    for one in shells:
        one.close()


@pytest.fixture
def two(connected, bank, agents):
    """An open agent that knows of two requests."""
    ids = [bank.pay("Pay 9.90 EUR to Fern Books", "Order 5"), bank.pay("Pay 42.00 EUR to Tram", "Monthly pass")]
    agents(connected).unlock().until_waiting(2)
    return ids


def test_a_name_and_a_reference_are_completed(shell, two):
    told = shell().run("countersign show dem\t" + two[1] + "\t")
    assert "Monthly pass" in told and "Order 5" not in told, told


def test_what_waits_is_listed_with_its_title(shell, two):
    here = shell()
    here.type("countersign approve dem\t")
    if here.kind == "bash":
        here.shown("obank:")
        here.type("\t\t")
        # bash has no place for a title, and each is listed without what stands there already.
        here.shown(rf"\n\s*{two[0]}\s+{two[1]}\s")
    else:
        here.type("\t")
        here.shown("Fern Books")


def test_what_stands_on_the_line_is_not_offered_again(shell, two):
    here = shell()
    here.type(f"countersign deny demobank:{two[0]} dem\t")
    here.shown(rf"deny demobank:{two[0]} ")
    told = here.run("--fingerprint x")
    assert "--fingerprint goes with one REF" in told, told


def test_names_are_completed_for_commands_and_options(shell, two):
    here = shell()
    told = here.run("countersign rename dem\tnew-name")
    assert "Renamed" in told or "new-name" in told.split("rename", 1)[1], told
    assert '"authorizations"' in here.run("countersign pending --json --connection new\t")


def test_a_hostile_title_does_nothing(shell, connected, bank, agents, tmp_path):
    mark = tmp_path / "shell/mark"
    bank.pay(f"$(touch {mark})`touch {mark}`';touch {mark};' \x1b[31mred\x1b]0;title\x07:\t\\ *")
    id = bank.pay("Good")
    agents(connected).unlock().until_waiting(2)
    here = shell()
    here.type("countersign show dem\t\t\t")
    here.shown("demobank")
    here.type("\x03")
    told = here.run(f"countersign show demobank:{id}\t")
    assert "Good" in told and not mark.exists()
    # Nor does one control character of it reach the terminal.
    offered = callback(connected, shell.kind)
    assert all(ord(character) >= 32 for line in offered.splitlines() for character in line.replace("\t", "")), offered


@pytest.mark.parametrize("line,file", [("countersign status --home s", "state home"), ("countersign pending --pin-file p", "pin file")])
def test_files_are_completed(shell, tmp_path, connected, line, file):
    path = tmp_path / "shell" / file
    path.mkdir() if "--home" in line else path.write_text("")
    here = shell()
    here.type(line + "\t")
    here.shown(file.split()[0] + r"\\ " + file.split()[1])


# The callback that all three make


def callback(home, kind, *words, words_of="show", environment=None, argument="positional@0"):
    words = words or ("countersign", words_of, "")
    done = subprocess.run(
        [str(BIN / "countersign"), "---completion", words_of, "--", argument, str(len(words) - 1), "0", *words],
        env={**home.environment, "SAP_SHELL": kind, **(environment or {})}, capture_output=True, text=True, timeout=30,
        stdin=subprocess.DEVNULL)
    assert done.stderr == "", done
    return done.stdout


@pytest.mark.parametrize("kind", ["bash", "zsh", "fish"])
def test_what_each_shell_is_told(connected, two, kind):
    offered = [line for line in callback(connected, kind).splitlines() if line.strip()]
    titles = ["Pay 9.90 EUR to Fern Books", "Pay 42.00 EUR to Tram"]
    form = {"bash": "demobank:{}", "zsh": "demobank\\:{}:{}", "fish": "demobank:{}\t{}"}[kind]
    assert [plain_title(line) for line in offered] == [form.format(id, title) for id, title in zip(two, titles)]


def plain_title(line):
    return line.replace("\u2068", "").replace("\u2069", "")


def test_a_home_on_the_line_counts(connected, two, other_home):
    environment = {"COUNTERSIGN_HOME": str(other_home.state)}
    assert callback(connected, "bash", environment=environment).strip() == ""
    for words in (["--home", str(connected.state)], [f"--home={connected.state}"], ["--home", "=", str(connected.state)]):
        told = callback(connected, "bash", "countersign", "show", *words, "", environment=environment)
        assert told.split() == [f"demobank:{id}" for id in two], words


def test_no_bank_is_asked_and_it_is_no_use(connected, bank, agents):
    known = bank.pay()
    agents(connected, settings="[agent]\npoll_fastest = 60\npoll_slowest = 600\n").unlock().until_waiting(1)
    id = bank.pay()
    before = len(bank.get("requests"))
    for kind in ("bash", "zsh", "fish"):
        assert callback(connected, kind).count("demobank") == 1
        assert "demobank" in callback(connected, kind, words_of="rename")
    assert callback(connected, "bash") == f"demobank:{known}\n"
    assert len(bank.get("requests")) == before
    assert f"demobank:{id}" in connected.ok("pending", pin=False).out


@pytest.mark.parametrize("state", ["none", "shut", "ended", "faulty settings"])
def test_without_an_open_agent_nothing_is_offered_and_nothing_said(connected, bank, agents, state):
    bank.pay()
    if state != "none":
        agent = agents(connected)
        if state == "ended":
            agent.kill()
        elif state == "faulty settings":
            path = connected.path / "config/countersign/config.toml"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("colour = 1\n")
    for kind in ("bash", "zsh", "fish"):
        for words in ("show", "approve", "rename"):
            assert callback(connected, kind, words_of=words).strip() == ""


def test_a_socket_of_the_service_manager_is_left_alone(connected):
    """To connect there would start an agent."""
    path = socket_path(connected)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))
        listener.listen()
        listener.setblocking(False)
        assert callback(connected, "bash").strip() == ""
        with pytest.raises(BlockingIOError):
            listener.accept()
    path.unlink()


def test_an_agent_that_hangs_does_not_hold_the_shell_up(connected, agents):
    agent = agents(connected).unlock()
    os.kill(agent.pid, 19)
    try:
        assert callback(connected, "bash").strip() == ""
    finally:
        os.kill(agent.pid, 18)


def test_a_request_that_is_none_is_silent(connected):
    assert callback(connected, "bash", argument="positional@7") == ""
    assert callback(connected, "bash", words_of="nonsense") == ""
