"""A home that cannot be written: a full disk, a read-only file system, one without locks. The cause is named, with the directory;
what only reads works; and doctor judges it."""

import subprocess

import pytest
from agents import agents, preloaded  # noqa: F401
from issuers import signed_in
from users import namespace

# What runs before the command, in a mount namespace of its own. $1 is the home; the rest is the command.
SMALL = """
copy=$(mktemp -d); cp -a "$1/." "$copy"; mount -t tmpfs -o mode=700,size=1m none "$1"; cp -a "$copy/." "$1"; rm -r "$copy"
"""
FULL = SMALL + """
head -c 2m /dev/zero > "$1/filler" 2> /dev/null; shift; exec "$@"
"""
READ_ONLY = 'mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"; shift; exec "$@"'


def wrapper(home, script):
    return [*namespace("--mount"), "sh", "-c", script, "sh", str(home.state)]


@pytest.fixture(params=["full", "read-only", "without locks"])
def unwritable(connected, request):
    """A connected home, the options with which a command finds it so, and the cause."""
    directory = connected.state
    if request.param == "without locks":
        options = {"environment": {"LD_PRELOAD": str(preloaded("no-locks"))}}
        return connected, options, f"{directory}'s file system has no locks"
    full = request.param == "full"
    options = {"wrapper": wrapper(connected, FULL if full else READ_ONLY)}
    return connected, options, f"no space left in {directory}" if full else f"{directory} is read-only"


def test_the_cause_is_named(unwritable):
    home, options, cause = unwritable
    for command in (["connections"], ["pending"], ["history"], ["pin", "reset", "--yes"]):
        result = home.run(*command, **options)
        assert result.code == 1, (command, result)
        assert f"error: {cause}\n" in result.err and "sqlite" not in result.err, (command, result)
        assert "\nhint: " in result.err and "--home" in result.err


def test_what_only_reads_works(unwritable):
    home, options, _ = unwritable
    for command in (["status"], ["pin", "status"]):
        assert home.ok(*command, "--json", pin=False, **options).json["tries_left"] == 9


def test_doctor_judges_it(unwritable):
    home, options, cause = unwritable
    result = home.run("doctor", "--json", pin=False, **options)
    [check] = [c for c in result.json["checks"] if c["name"] == "state-directory"]
    assert result.code == 1 and not check["ok"] and check["message"] == cause, check


def test_it_works_again_afterwards(unwritable):
    """Nothing was left behind, and no try was counted."""
    home, options, _ = unwritable
    before = sorted(path.name for path in home.files())
    home.run("connections", **options)
    home.run("doctor", pin=False, **options)
    assert [c["name"] for c in home.json("connections")["connections"]] == ["demobank"]
    assert {path.name for path in home.files()} <= {*before, "pin.lock"}


# A home that became so while an agent is open


class Place:
    """A mount namespace in which the home lies on a small disk of its own, until `end`."""

    def __init__(self, home):
        self.home = home
        self.holder = subprocess.Popen(
            wrapper(home, SMALL + 'echo ready; while read -r line; do eval "$line"; echo ready; done'), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.await_ready()
        self.enter = ["nsenter", "--target", str(self.holder.pid), "--user", "--mount", "--preserve-credentials"]

    def await_ready(self):
        assert self.holder.stdout.readline() == "ready\n"

    def do(self, line):
        """Runs a line of shell where the home is `$1`, by the process that may mount there."""
        self.holder.stdin.write(line + "\n")
        self.holder.stdin.flush()
        self.await_ready()

    def end(self):
        self.holder.communicate(timeout=60)


@pytest.mark.parametrize("change, cause", [
    ('head -c 2m /dev/zero > "$1/filler" 2> /dev/null || true', "no space left in"),
    ('mount --bind "$1" "$1"; mount -o remount,bind,ro "$1"', "is read-only")])
def test_an_open_agent_goes_on_reading(connected, bank, agents, change, cause):  # noqa: F811
    """Without the PIN, since the vault is open; what must be written says why it cannot be."""
    with signed_in(connected, "--name", "fern") as issuer:
        connected.ok("sites", "add", issuer.api, "--session", "fern")
        connected.ok("grants", "add", "unit:backup.service", "--session", "fern")
        id = bank.pay()
        item = connected.json("pending")["authorizations"][0]
        connected.ok("approve", item["ref"], "--fingerprint", item["fingerprint"])
        other = bank.pay("Another")
        place = Place(connected)
        try:
            agent = agents(connected, wrapper=place.enter)
            connected.ok("unlock", wrapper=place.enter)
            place.do(change)

            def run(*args):
                return connected.run(*args, pin=False, wrapper=place.enter)

            assert "demobank" in run("connections").out
            assert f"demobank:{other}" in run("pending").out and "Another" in run("show", f"demobank:{other}").out
            for command in (["history"], ["history", "--verify"]):
                result = run(*command)
                assert result.code == 0 and "Pay 9.90 EUR" in result.out, result
            for command, word in ((["history", "--sessions"], "granted"), (["sessions"], "fern"), (["sessions", "show", "fern"], "fern"),
                                  (["sites"], issuer.api), (["grants"], "backup.service"), (["status"], "unlocked")):
                result = run(*command)
                assert result.code == 0 and word in result.out, result
            for command in (["rename", "demobank", "bank"], ["grants", "revoke", connected_grant(run)]):
                result = run(*command)
                assert result.code == 1 and cause in result.err and "sqlite" not in result.err, result
            assert id and agent.state == "open"
            result = connected.run("doctor", "--json", pin=False, wrapper=place.enter)
            [check] = [c for c in result.json["checks"] if c["name"] == "state-directory"]
            assert not check["ok"] and cause in check["message"]
            assert [c["ok"] for c in result.json["checks"] if c["name"] == "log"] == [True]
        finally:
            place.end()


def connected_grant(run):
    return run("grants", "--quiet").out.strip()
