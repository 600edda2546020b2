"""Keys and PIN stay out of swap: wherever one of them stands in a process, the page is locked."""

import concurrent.futures
import re
import subprocess
import time

import pytest
from agents import YES, agents, pinentry, typed
from conftest import PIN, finish
from cryptography.hazmat.primitives.serialization import load_der_private_key
from innards import derived, in_memory, items_of, master_key, spans, spawn, unsealed, until
from users import legible


def secrets(home):
    """Name to bytes: the master key, and every private number of each connection's key, as OpenSSL's arithmetic has it (least
    byte first) and as it stands in a key file (greatest first). Half of one would be as good as the whole."""
    master = master_key(home, PIN)
    found = {"master key": master}
    key = derived(master, None, "countersign items 1")
    for index, item in enumerate(items_of(home, "key")):
        der = unsealed(item.secret, key, f"key/{item.attributes['id']}")
        numbers = load_der_private_key(der, None).private_numbers()
        for name in ("p", "q", "d", "dmp1", "dmq1", "iqmp"):
            value = getattr(numbers, name)
            length = (value.bit_length() + 7) // 8
            for order in ("little", "big"):
                found[f"{name} of {index}, {order}"] = value.to_bytes(length, order)
    return {f"{name}, {half} half": value[: len(value) // 2] if half == "first" else value[len(value) // 2:]
            for name, value in found.items() for half in ("first", "second")}


def places(pid, wanted):
    """Where the secrets stand in a process: name and whether the page is locked."""
    return {
        (name, "lo" in flags) for content, flags in spans(pid) for name, value in wanted.items() if value in content}


def test_keys_in_use_are_nowhere_but_in_locked_memory(connected, agents, bank):
    connected.enroll(bank, name="second")
    wanted = secrets(connected)
    agent = agents(connected, wrapper=legible()).unlock()
    until(lambda: len(bank.get("requests?operation=authorizations.list")) > 4)
    bank.pay()
    for _ in range(10):
        found = places(agent.pid, wanted)
        assert {name for name, is_locked in found if not is_locked} == set()
        time.sleep(0.3)
    held = {name for name, _ in found}
    for part in ("p of 0, little", "q of 1, little", "d of 0, little", "master key"):
        assert f"{part}, first half" in held, held
    # Hidden it keeps the keys, shut it keeps nothing.
    connected.ok("lock", pin=False)
    until(lambda: not places(agent.pid, wanted), 60)


def test_a_command_keeps_the_master_key_in_locked_memory(connected, bank):
    """Enrolling makes a key and seals it; the process is looked at while the bank makes it wait."""
    bank.post("requests/clear")
    bank.fault("connections.create", delay_ms=15_000)
    address = bank.link(instant=True)
    process = subprocess.Popen(
        [*legible(), *connected.argv("enroll", "-", "--yes", "--name", "made", "--pin-file", connected.pin_file)], text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=connected.environment)
    process.stdin.write(address + "\n")
    process.stdin.close()
    until(lambda: bank.get("requests?operation=connections.create") or process.poll() is not None)
    master = {"master key": master_key(connected, PIN)}
    assert places(process.pid, master) == {("master key", True)}
    process.kill()
    process.wait()


def doctor(home, *wrapper):
    checks = home.run("doctor", "--json", pin=False, wrapper=wrapper).json["checks"]
    return next(check for check in checks if check["name"] == "locked-memory")


def test_doctor_measures_what_is_locked(home):
    check = doctor(home)
    assert check["ok"] and "are locked" in check["message"], check
    room = re.search(r"room for the keys of (\d+) connections", check["message"])
    if room:
        assert int(room.group(1)) > 200
    # Too little for what OpenSSL works in: said, with how much it is.
    low = doctor(home, "prlimit", "--memlock=131072:131072")
    assert not low["ok"] and "may reach swap" in low["message"] and "8192" in low["hint"], low
    whole = re.search(r"^(\d+) KiB of the (\d+) KiB", low["message"])
    assert 0 < int(whole.group(1)) < int(whole.group(2))


def test_doctor_hints_at_a_limit_that_can_be_raised(home):
    """ulimit raises a limit up to the hard one only."""
    assert doctor(home, "prlimit", "--memlock=65536:8388608")["hint"] == "raise the limit: ulimit -l 8192"
    assert "limits.conf" in doctor(home, "prlimit", "--memlock=65536:65536")["hint"]


@pytest.mark.parametrize("limit", [0, 65536, 131072])
def test_an_agent_that_cannot_lock_its_keys_says_so(connected, agents, limit):
    agent = agents(connected, wrapper=["prlimit", f"--memlock={limit}:{limit}"]).unlock()
    until(lambda: "could not be locked, and may reach swap" in agent.said, 60)
    assert connected.run("connections", pin=False).code == 0


@pytest.mark.parametrize("limit", [0, 8192, 16384, 65536, 131072])
def test_commands_work_where_little_may_be_locked(connected, bank, limit):
    """Nothing is refused. Below 64 KiB libgcrypt, which libsecret uses, prints a warning of its own."""
    wrapper = ["prlimit", f"--memlock={limit}:{limit}"]
    bank.pay()
    listed = connected.run("pending", "--json", wrapper=wrapper)
    assert listed.code == 0 and (not listed.err or limit < 65536), listed
    item = listed.json["authorizations"][0]
    approved = connected.run("approve", item["ref"], "--fingerprint", item["fingerprint"], wrapper=wrapper)
    assert approved.code == 0, approved
    connected.write_pin(PIN, "918273")
    changed = connected.run("pin", "change", wrapper=wrapper)
    assert changed.code == 0, changed


PASSPHRASE = "violet harbour ninety-three"


@pytest.fixture
def with_passphrase(home, bank):
    home.write_pin(PASSPHRASE)
    return home.set_pin().enroll(bank)


def on_its_way(bank):
    """Waits until the bank has a decision that it does not answer yet."""
    until(lambda: bank.get("requests?operation=authorizations.decide"))


@pytest.mark.parametrize("way", ["terminal", "file", "agent", "agent's window"])
def test_the_pin_is_wiped_before_the_decision_is_answered(with_passphrase, agents, pinentry, bank, way):
    """No process has it while the decision is on its way: neither the command, nor the agent."""
    home = with_passphrase
    agent = agents(home, pinentry=pinentry, wrapper=legible()).unlock() if way.startswith("agent") else None
    bank.pay()
    item = home.json("pending", pin=agent is None)["authorizations"][0]
    bank.fault("authorizations.decide", delay_ms=8000)
    pids = [agent.pid] if agent else []
    child = None
    if way == "agent's window":
        pinentry.answers(YES, typed(PASSPHRASE))
        path = f"/authorizations/{item['ref'].replace(':', '%3A')}/approve?fingerprint={item['fingerprint']}"
        with concurrent.futures.ThreadPoolExecutor() as pool:
            answer = pool.submit(agent.request, "POST", path, headers={"Countersign-Display": ":99"})
            on_its_way(bank)
            assert not in_memory(agent.pid, PASSPHRASE)
            assert answer.result().json["outcome"] == "confirmed"
        return
    if way == "file":
        child = spawn(home, "approve", item["ref"], "--fingerprint", item["fingerprint"], wrapper=legible())
    else:
        child = home.terminal("approve", item["ref"], wrapper=legible())
        if way == "terminal":
            child.expect("PIN: ")
            child.sendline(PASSPHRASE)
        child.expect("PIN to approve")
        child.sendline(PASSPHRASE)
    on_its_way(bank)
    for pid in [*pids, child.pid]:
        assert not in_memory(pid, PASSPHRASE), pid
    if way == "file":
        assert child.wait() == 0
    else:
        assert finish(child) == 0
    assert bank.authorization(item["ref"].split(":")[1])["status"] == "confirmed"
