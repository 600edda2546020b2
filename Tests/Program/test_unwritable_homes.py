"""A home that cannot be written: a full disk, a read-only file system, one without locks. The cause is named, with the directory;
what only reads works; and doctor judges it."""

import pytest
from agents import preloaded
from users import namespace

# What runs before the command, in a mount namespace of its own. $1 is the home; the rest is the command.
FULL = """
copy=$(mktemp -d); cp -a "$1/." "$copy"; mount -t tmpfs -o mode=700,size=1m none "$1"; cp -a "$copy/." "$1"; rm -r "$copy"
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
