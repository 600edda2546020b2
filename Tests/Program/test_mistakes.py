"""What a person is told who makes a mistake: the cause, and the next command."""

import os
import pathlib
import subprocess

import pytest
from conftest import finish


def test_a_mistyped_command_is_guessed(home):
    result = home.run("enrol", pin=False)
    assert result.code == 64
    assert result.err == (
        'error: there is no command "enrol"\n'
        'hint: did you mean "enroll"? list them with: countersign --help\n')


def test_what_others_call_a_command_is_guessed(home):
    for word, hint in (("version", "countersign --version"),
                       ("list", 'did you mean "connections"? list them with: countersign --help')):
        result = home.run(word, pin=False)
        assert result.code == 64 and result.err == f'error: there is no command "{word}"\nhint: {hint}\n'


def test_help_about_a_command_that_is_none_is_an_error(home):
    """Help about another command would be read as its help."""
    for words, parent in ((["nothing"], ""), (["grants", "nothing"], " grants")):
        result = home.run("help", *words, pin=False)
        assert (result.code, result.out) == (64, ""), result
        assert result.err == f'error: there is no command "{" ".join(words)}"\nhint: list them with: countersign{parent} --help\n'
    for words in (["grants", "add"], ["ls"], ["help"], ["pin"]):
        assert home.ok("help", *words, pin=False).out.startswith("OVERVIEW: ")


def test_help_is_grouped(home):
    groups = [line for line in home.ok("--help", pin=False).out.splitlines() if line.endswith(" SUBCOMMANDS:")]
    assert groups == [f"{name} SUBCOMMANDS:" for name in ("BANK", "AGENT", "SIGN-IN", "OTHER")]


def test_a_command_that_is_none_reaches_the_terminal_safely(home):
    result = home.run("\x1b[31mboo\u202e", pin=False)
    assert result.code == 64
    assert 'there is no command "⟨U+001B⟩[31mboo⟨U+202E⟩"' in result.err


def test_an_option_before_the_command_is_told_its_place(home):
    for words in (["--home", "/x", "pending"], ["--home=/x", "pending"], ["-q", "pending"]):
        result = home.run(*words, pin=False)
        option = words[0].split("=")[0]
        assert result.code == 64 and result.err == (
            f"error: {option} must follow the command\nhint: write: countersign COMMAND {option} …\n"), result
    assert home.run("--jsn", "pending", pin=False).err.startswith("error: unknown option '--jsn'\n")


def test_a_wrong_use_of_a_command_names_its_own_help(home):
    for words, help in (
            (["approve"], "countersign approve --help"), (["pending", "--jsn"], "countersign pending --help"),
            (["grants", "add", "--jsn"], "countersign grants add --help"), (["grants", "--jsn"], "countersign grants --help")):
        result = home.run(*words, pin=False)
        assert result.code == 64 and result.err.endswith(f"\nhint: {help}\n"), result


def test_an_empty_name_of_a_home_is_not_the_person_s_own_home(connected):
    """A script whose variable is not set must not destroy other keys than it meant."""
    for words in (["pin", "reset", "--yes"], ["revoke", "demobank"], ["connections"]):
        result = connected.run(*words, "--home", "")
        assert result.code == 64 and result.err.startswith("error: --home names no directory\n"), result
        assert connected.run(*words, "--home=").code == 64
    assert [c["name"] for c in connected.json("connections")["connections"]] == ["demobank"]


def test_a_limit_below_one_is_no_limit(home):
    for words in (["--limit", "0"], ["--limit", "-3"], ["--limit=-3"]):
        result = home.run("history", *words, pin=False)
        assert (result.code, result.err.splitlines()[0]) == (64, "error: --limit takes a number from 1")


def test_a_poor_pin_is_refused_before_it_is_typed_again(home):
    child = home.terminal("pin", "set")
    child.expect("Choose a PIN")
    child.sendline("123456")
    child.expect("the PIN is too easy to guess")
    child.expect("Choose a PIN")
    assert "Again" not in child.before
    child.sendline("")
    assert finish(child) == 2
    assert home.json("status", pin=False)["pin_set"] is False


def test_a_result_that_cannot_be_written_is_a_failure(connected):
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            connected.argv("connections", "--json", "--pin-file", connected.pin_file), env=connected.environment,
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1
    assert done.stderr.startswith("error: the result could not be written to standard output\nhint: ")


def test_closed_descriptors_are_not_given_to_files(home):
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", *home.argv("pin", "set", "--pin-file", home.pin_file)],
        env=home.environment, timeout=60)
    assert done.returncode == 1, "the result went nowhere"
    assert home.json("status", pin=False)["pin_set"] is True


def test_a_closed_standard_output_is_an_error(connected):
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *connected.argv("connections", "--pin-file", connected.pin_file)],
        env=connected.environment, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1 and done.stderr.startswith("error: the result could not be written to standard output\n")
    # Where nothing is to be said, nothing is missed.
    done = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *connected.argv("pending", "-q", "--pin-file", connected.pin_file)],
        env=connected.environment, timeout=60)
    assert done.returncode == 0


def test_a_stream_that_cannot_be_written_ends(connected, bank):
    bank.pay()
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            connected.argv("watch", "--json", "--pin-file", connected.pin_file), env=connected.environment,
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 1
    assert "error: the result could not be written to standard output\n" in done.stderr


@pytest.mark.parametrize("command", [["pin", "set"], ["enroll", "-", "--yes"], ["status"], ["agent", "--daemonize"]], ids=" ".join)
def test_sudo_makes_nothing_in_the_home_of_another(home, command):
    """Root, of a user namespace, in whose home /tmp belongs to somebody else."""
    alone = {"HOME": "/tmp", "XDG_STATE_HOME": "", "COUNTERSIGN_HOME": ""}
    before = set(os.listdir("/tmp"))
    result = home.run(*command, pin=command == ["pin", "set"], environment=alone, wrapper=["unshare", "-r"])
    assert result.code == 1, result
    assert "error: /tmp belongs to another user (uid 65534), and this runs as root\n" in result.err
    assert "hint: do not use sudo" in result.err
    assert not pathlib.Path("/tmp/.local").exists() or ".local" in before
    # Root's own home is fine.
    assert home.run("status", pin=False, wrapper=["unshare", "-r"]).code == 0
