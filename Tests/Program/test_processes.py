"""Several processes on one home at once, and one that holds the state lock."""

import fcntl
import os

import pytest
from agents import preloaded
from conftest import Bank, Home
from innards import spawn


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    path = tmp_path_factory.mktemp("processes")
    bank = Bank(path)
    bank.user("grace")
    home = Home(path)
    home.set_pin().enroll(bank).enroll(bank, name="second").enroll(bank, "grace", name="quiet")
    yield home, bank
    bank.stop()


def test_many_commands_at_once_leave_a_whole_log(place):
    home, bank = place
    ids = bank.post("authorizations", user="ada", title="Pay", description="All at once", multiple=True)["ids"]
    more = bank.post("authorizations", user="ada", title="Pay more", description="All at once", multiple=True)["ids"]
    items = home.json("pending")["authorizations"]
    assert len(items) == len(ids + more) == 4
    commands = [
        (verb, item["ref"], "--fingerprint", item["fingerprint"])
        for verb, item in zip(("approve", "deny", "approve", "deny"), items)]
    commands += [("pending",), ("history", "--verify"), ("connections",), ("rename", "quiet", "silent"), ("pending",)]
    processes = [(command, spawn(home, *command)) for command in commands]
    for command, process in processes:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, (command, out, err)
    answer = home.json("history", "--verify")
    assert answer["log"] == "intact"
    decided = {d["ref"].split(":")[1]: d["outcome"] for d in answer["decisions"]}
    assert decided == {
        item["id"]: outcome for item, outcome in zip(items, ("confirmed", "denied", "confirmed", "denied"))}
    for item in items:
        at_bank = bank.authorization(item["id"])
        assert (at_bank["status"], at_bank["decisions_received"]) == (decided[item["id"]], 1)
    assert sorted(c["name"] for c in home.json("connections")["connections"]) == ["demobank", "second", "silent"]


def test_enrollments_at_once_get_names_of_their_own(place):
    home, bank = place
    processes = [spawn(home, "enroll", bank.link("grace", instant=True), "--yes") for _ in range(3)]
    for process in processes:
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
    names = [c["name"] for c in home.json("connections")["connections"]]
    new = {"demobank-2", "demobank-3", "demobank-4"}
    assert new <= set(names)
    # Each has a key and a token that work.
    bank.pay("For all", user="grace")
    assert {a["connection"] for a in home.json("pending")["authorizations"]} >= new


def test_pins_set_at_once_make_one_vault(home):
    processes = [spawn(home, "pin", "set") for _ in range(3)]
    for process in processes:
        process.communicate(timeout=60)
    assert sorted(p.returncode for p in processes) == [0, 64, 64]
    home.ok("connections")


def test_the_holder_of_the_state_lock_is_named(place):
    home, _ = place
    with open(home.state / "lock", "r+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.truncate()
        lock.write(f"{os.getpid()}\n")
        lock.flush()
        result = home.run("connections", "--json", timeout=40)
        # What only reads does not wait.
        home.ok("status", pin=False)
    assert result.code == 1, result
    assert f"process {os.getpid()} holds" in result.json["error"]["message"]
    home.ok("connections")


def test_another_allocator_may_be_preloaded(place):
    """`free` is this program's own, and the blocks are those of the preloaded library."""
    home, _ = place
    environment = {"LD_PRELOAD": str(preloaded("other-malloc"))}
    for command in (("--version",), ("connections",), ("pending",), ("history", "--verify")):
        result = home.run(*command, environment=environment, timeout=120)
        assert result.code == 0 and result.err == "", result
