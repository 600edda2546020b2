"""The PIN: tries are counted before they are checked, blocks hold over clocks, restarts and reboots, the ninth wrong one
destroys, and no file ever gets there.
"""

import random
import re
import sqlite3
import time

import pytest
import seeds
from conftest import PIN, ROOT, Home, finish
from innards import (
    all_bytes, change_pin_record, copy_home, database, failures, forgive, items_of, pass_block, pin_record, put_device_secret,
    put_item, remove_items, resident, session_bus, spawn, sql, until)
from users import namespace

WRONG = "999111"


@pytest.fixture
def locked(home):
    """A home with a PIN."""
    return home.set_pin()


def status(home, **options):
    return home.json("pin", "status", pin=False, **options)


def attempt(home, pin, **options):
    """One try with a PIN file."""
    home.write_pin(pin)
    return home.run("connections", **options)


def type_pin(home, pin, **options):
    """One try on a terminal: exit code and what was said."""
    child = home.terminal("connections", **options)
    child.expect("PIN: ")
    before = child.before
    child.sendline(pin)
    code = finish(child)
    return code, before + child.before


def block(home):
    """Five failures, by hand where they cost nothing to show: the fifth is a real one."""
    change_pin_record(home, lambda record: record.update(failures=4))
    assert attempt(home, WRONG).code == 3
    assert failures(home) == 5


# Counting and blocks


def test_five_failures_block(locked):
    for left in (8, 7, 6, 5, 4):
        result = attempt(locked, WRONG)
        assert result.code == 3 and f"wrong PIN; {left} tries are left" in result.err, result
        assert status(locked)["tries_left"] == left
    assert "the next try is allowed in 60 s" in result.err
    now = status(locked)
    seconds = locked.json("status", pin=False)["blocked_until"]
    assert now["blocked_until"] is not None and seconds is not None

    # Blocked: neither from a file nor on a terminal is a try made or counted, also with the right PIN.
    before = pin_record(locked)
    assert attempt(locked, PIN).code == 3
    child = locked.terminal("connections")
    assert finish(child) == 3
    assert "too many wrong PINs" in child.before and "PIN: " not in child.before
    assert pin_record(locked) == before


def test_json_says_locked(locked):
    locked.write_pin(WRONG)
    result = locked.run("connections", "--json")
    assert result.code == 3
    error = result.json["error"]
    assert (error["kind"], error["exit_code"]) == ("locked", 3)


def test_the_right_pin_sets_the_count_back(locked):
    for _ in range(3):
        attempt(locked, WRONG)
    assert status(locked)["tries_left"] == 6
    assert attempt(locked, PIN).code == 0
    assert status(locked)["tries_left"] == 9


def test_a_file_never_gets_to_tries_six_to_nine(locked):
    block(locked)
    pass_block(locked)
    assert status(locked)["blocked_until"] is None
    for pin in (WRONG, PIN):
        before = pin_record(locked)
        result = attempt(locked, pin)
        assert result.code == 3 and "needs a terminal" in result.err, result
        result = locked.run("connections", "--pin-file", "-", pin=False, stdin=pin + "\n")
        assert result.code == 3 and "needs a terminal" in result.err, result
        assert pin_record(locked) == before
    # A person may go on, and the right PIN sets the count back.
    code, said = type_pin(locked, PIN)
    assert code == 0, said
    assert status(locked)["tries_left"] == 9


def test_each_later_failure_blocks_longer_and_the_ninth_destroys(connected, bank):
    bank.pay()
    item = connected.json("pending")["authorizations"][0]
    connected.ok("approve", item["ref"], "--fingerprint", item["fingerprint"])
    vault = pin_record(connected)["vaultID"]
    assert {i.attributes["kind"] for i in items_of(vault)} == {"device-secret", "key", "token", "log-head", "tries"}
    record = bytes(sql(connected, "SELECT record FROM pin")[0][0])
    old = [
        bytes(value)
        for table, column in (("connection", "key"), ("connection", "content"), ("event", "content"), ("event", "mac"),
                              ("event", "attempt"), ("head", "content"))
        for (value,) in sql(connected, f"SELECT {column} FROM {table}") if value is not None]
    assert len(old) >= 7
    old += [vault.encode(), re.search(rb'"sealedMasterKey":\[[^\]]*\]', record).group(0)]

    block(connected)
    for left, length in ((3, 300), (2, 900), (1, 3600)):
        pass_block(connected)
        code, said = type_pin(connected, WRONG)
        assert code == 3 and "wrong PIN" in said, said
        assert status(connected)["tries_left"] == left
        assert pin_record(connected)["block"]["seconds"] == length
        child = connected.terminal("connections")
        assert finish(child) == 3 and "too many wrong PINs" in child.before
        assert failures(connected) == 9 - left
    # The warning stands after the eighth failure and again before the ninth try.
    assert "destroys all keys" in said and "enrolled again" in said
    pass_block(connected)
    code, said = type_pin(connected, WRONG)
    warning, answer = said.split("PIN: ", 1) if "PIN: " in said else (said, said)
    assert "last try" in warning and "enrolled again" in warning, said
    assert code == 3 and "destroyed" in answer and "enroll your banks again" in answer, said

    assert items_of(vault) == []
    for table in ("pin", "connection", "event", "head"):
        assert sql(connected, f"SELECT * FROM {table}") == []
    for name, content in all_bytes(connected).items():
        for part in old:
            # Any long piece of an old row would do as a trace.
            assert part[:24] not in content, name
            assert part[-24:] not in content, name
    assert status(connected)["pin_set"] is False

    # The way back: a new PIN, and enrolling again.
    connected.write_pin(PIN)
    connected.set_pin_by_program().enroll_by_program(bank)
    assert pin_record(connected)["vaultID"] != vault
    bank.pay("Once more")
    assert [a["title"] for a in connected.json("pending")["authorizations"]] == ["Once more"]
    assert connected.json("history", "--verify")["log"] == "intact"


# Clocks


@pytest.mark.parametrize("shift, monotonic", [
    ("+2h", False), ("-2h", False), ("+400d", False), ("-400d", False), ("+2h", True), ("-400d", True)])
def test_the_wall_clock_neither_ends_nor_prolongs_a_block(locked, shift, monotonic):
    """faketime moves CLOCK_REALTIME alone, as setting the clock does; within a boot only CLOCK_BOOTTIME counts. With
    `monotonic` it answers for libc's other clocks too, which the program asks of the kernel itself."""
    block(locked)
    real = {"FAKETIME_DONT_FAKE_MONOTONIC": "1", "DONT_FAKE_MONOTONIC": "1"}
    clock = {} if monotonic else real
    wrapper = ["faketime", "-f", shift]
    before = pin_record(locked)
    blocked = status(locked, wrapper=wrapper, environment=clock)
    assert blocked["blocked_until"] is not None
    # Shown on the shifted clock, yet no longer away than the block is long.
    shown = time.mktime(time.strptime(blocked["blocked_until"], "%Y-%m-%dT%H:%M:%SZ")) - time.timezone
    days, hours = re.fullmatch(r"([+-]\d+)([hd])", shift).groups()
    shifted = time.time() + int(days) * {"h": 3600, "d": 86400}[hours]
    assert -5 < shown - shifted <= 61
    assert attempt(locked, PIN, wrapper=wrapper, environment=clock).code == 3
    assert pin_record(locked) == before
    # Over by CLOCK_BOOTTIME is over, whatever the wall clock says.
    pass_block(locked)
    assert status(locked, wrapper=wrapper, environment=clock)["blocked_until"] is None


@pytest.mark.parametrize("offset", ["4000", "-300"])
def test_a_time_namespace_counts_as_blocked(locked, offset):
    shifted = namespace("--time", "--boottime", offset)
    before = pin_record(locked)
    result = attempt(locked, PIN, wrapper=shifted)
    assert result.code == 3 and "shifted clocks" in result.err, result
    assert status(locked, wrapper=shifted)["blocked_until"] is not None
    block(locked)
    blocked = pin_record(locked)
    assert status(locked, wrapper=shifted)["blocked_until"] is not None
    assert attempt(locked, PIN, wrapper=shifted).code == 3
    assert pin_record(locked) == blocked != before
    # Without offsets a time namespace shifts nothing.
    forgive(locked)
    assert attempt(locked, PIN, wrapper=namespace("--time")).code == 0


def uptime():
    return int(time.clock_gettime(time.CLOCK_BOOTTIME))


def left(home, **options):
    """Seconds that a block still lasts."""
    until = status(home, **options)["blocked_until"]
    return None if until is None else time.mktime(time.strptime(until, "%Y-%m-%dT%H:%M:%SZ")) - time.timezone - time.time()


def test_after_a_reboot_the_whole_block_counts_again(locked):
    """Another boot id in the record. The block is made 1000 s longer than this machine is up, with 30 s to go, since what this
    boot has lasted counts for a block of an earlier one."""
    block(locked)
    length = uptime() + 1000

    def nearly_over(record):
        record["block"].update(seconds=length, bootTime=uptime() - length + 30)

    change_pin_record(locked, nearly_over)
    assert 20 < left(locked) <= 31
    change_pin_record(locked, lambda r: r["block"].update(bootID="11111111-2222-4333-8444-555555555555"))
    assert 980 < left(locked) <= 1001
    before = pin_record(locked)
    assert attempt(locked, PIN).code == 3
    assert pin_record(locked) == before


FALSE_BOOTS = {
    "a file over the boot id": "mount --bind $F /proc/sys/kernel/random/boot_id",
    "another file of the kernel over it": "mount --bind /proc/sys/kernel/random/uuid /proc/sys/kernel/random/boot_id",
    "a directory over its own": "mount -t tmpfs none /proc/sys/kernel/random && cp $F /proc/sys/kernel/random/boot_id",
    "a directory over /proc/sys":
        "mount -t tmpfs none /proc/sys && mkdir -p /proc/sys/kernel/random && cp $F /proc/sys/kernel/random/boot_id",
    "a link in such a directory":
        "mkdir -p $D/real && mount --bind /proc $D/real && mount -t tmpfs none /proc/sys && mkdir -p /proc/sys/kernel && "
        "ln -s $D/real/sys/kernel/random /proc/sys/kernel/random",
    "another /proc":
        "mkdir -p $D/real && mount --bind /proc $D/real && mount -t tmpfs none /proc && ln -s $D/real/* /proc && "
        # Threads to come as well: libdispatch ends a program that does not find its own there.
        "ln -sf $(seq -f $D/real/%.0f $$ $(($$ + 2000))) /proc && "
        "rm /proc/sys && mkdir -p /proc/sys/kernel/random && cp $F /proc/sys/kernel/random/boot_id",
    "a file over the offsets": "mount --bind $D/offsets /proc/$$/timens_offsets",
    "another process's offsets": "mount --bind /proc/1/timens_offsets /proc/$$/timens_offsets",
}


@pytest.mark.parametrize("way", FALSE_BOOTS)
def test_a_false_boot_counts_as_blocked(locked, tmp_path, way):
    """Whoever may have namespaces of his own can show the program other files in the kernel's place: another boot id would end
    a block by the uptime alone."""
    other = tmp_path / "boot_id"
    other.write_text("11111111-2222-4333-8444-555555555555\n")
    (tmp_path / "offsets").write_text("monotonic           0         0\nboottime            0         0\n")
    script = f'F={other} D={tmp_path}; {FALSE_BOOTS[way]} && exec "$0" "$@"'
    wrapper = [*namespace("--mount"), "sh", "-c", script]
    before = pin_record(locked)
    result = attempt(locked, PIN, wrapper=wrapper)
    assert result.code == 3 and "false boot id" in result.err, result
    assert status(locked, wrapper=wrapper)["blocked_until"] is not None
    assert pin_record(locked) == before


@pytest.mark.parametrize("way, spaces", [
    ("true", ["--mount"]), ("mount --bind /proc/sys /proc/sys && mount -o remount,bind,ro /proc/sys", ["--mount"]),
    # Only with processes of its own may an ordinary user mount one.
    ("mount -t proc none /proc", ["--mount", "--pid", "--fork", "--kill-child"])])
def test_other_mounts_of_the_kernels_own_files_are_no_block(locked, way, spaces):
    """As under systemd's ProtectKernelTunables=, and with a /proc of its own as in a container."""
    result = locked.run("connections", wrapper=[*namespace(*spaces), "sh", "-c", f'{way} && exec "$0" "$@"'])
    assert result.code == 0, result




# Kills


@pytest.fixture
def dear(home):
    """A home with a PIN whose check can be met: it takes a second or more."""
    return home.set_pin(seeds.DEAR)


def derives(process):
    """Whether the process derives a key: scrypt with N=2^18, r=8 works in 256 MiB, and fills them from the start on."""
    return resident(process.pid) > 100 * 2**20


def in_scrypt(process):
    """Waits until the process derives a key."""
    until(lambda: derives(process) or process.poll() is not None, 60)
    return process.poll() is None


def test_a_kill_while_the_pin_is_checked_costs_a_try(dear):
    locked = dear
    for pin in (WRONG, PIN):
        locked.write_pin(pin)
        caught = 0
        while caught < 3:
            before = failures(locked)
            process = spawn(locked, "connections")
            if in_scrypt(process):
                process.kill()
                caught += 1
            process.communicate()
            if process.returncode == -9:
                assert failures(locked) == before + 1
        assert 3 <= failures(locked) <= 4
        forgive(locked)


def test_kills_at_any_moment_never_give_a_free_try(home):
    """The answer of a process is a try that it had; so is each one that was killed after it began to derive a key. Each of
    those must be in the count, wherever the others were cut."""
    locked = home.set_pin(seeds.FULL)
    moments = random.Random(1)
    had = 0
    locked.write_pin(WRONG)
    begin = time.monotonic()
    assert locked.run("connections").code == 3
    whole = time.monotonic() - begin
    forgive(locked)
    for _ in range(30):
        before = failures(locked)
        process = spawn(locked, "connections")
        time.sleep(moments.uniform(0, 1.1) * whole)
        checking = resident(process.pid) > 68 * 2**20
        process.kill()
        _, err = process.communicate()
        tried = checking or "wrong PIN" in err
        had += tried
        after = failures(locked)
        assert before + tried <= after <= before + 1
        assert status(locked)["tries_left"] == 9 - after
        if after >= 4:
            forgive(locked)
    assert had > 0


def test_a_kill_while_the_ninth_try_is_checked_is_no_way_out(dear, bank):
    """The ninth is counted like the others: killed before the answer it was a try, and nothing opens any more, not even with
    the right PIN."""
    connected = dear.enroll(bank)
    vault = pin_record(connected)["vaultID"]
    change_pin_record(connected, lambda record: record.update(failures=8))
    child = connected.terminal("connections")
    child.expect("PIN: ")
    child.sendline(PIN)
    until(lambda: derives(child), 60)
    child.kill(9)
    child.wait()
    assert status(connected)["tries_left"] == 0
    # A script does not end it, and gets nowhere.
    assert connected.run("connections").code == 3
    assert {i.attributes["kind"] for i in items_of(vault)} == {"device-secret", "key", "token", "tries"}
    code, said = type_pin(connected, PIN)
    assert code == 3 and "destroyed" in said, said
    assert items_of(vault) == [] and status(connected)["pin_set"] is False


# The keyring


def test_a_locked_keyring_costs_no_try(tmp_path):
    """In a session of its own, whose keyring is locked once the home is set up."""
    import subprocess

    home = Home(tmp_path)
    script = """
        "$0" pin set --pin-file "$1" && "$0" connections --pin-file "$1"
        echo "before $?"
        dbus-send --session --print-reply --dest=org.freedesktop.secrets /org/freedesktop/secrets \
            org.freedesktop.Secret.Service.Lock array:objpath:/org/freedesktop/secrets/collection/login >&2
        for pin in "$1" "$2"; do "$0" connections --json --pin-file "$pin"; echo "locked $?"; done
        """
    wrong = tmp_path / "wrong"
    wrong.write_text(WRONG + "\n")
    wrong.chmod(0o600)
    [program] = home.argv()
    done = subprocess.run(
        [ROOT / "Tests/Support/with-secret-service", "bash", "-c", script, program, home.pin_file, wrong],
        capture_output=True, text=True, timeout=60, env=home.environment)
    assert "before 0" in done.stdout, done
    assert done.stdout.count("locked 7") == 2, done
    assert done.stdout.count('"kind":"secret_service"') == 2
    assert failures(home) == 0


def check_of(home, name, **options):
    """What doctor says in one check."""
    checks = home.run("doctor", "--json", **options).json["checks"]
    return next(check for check in checks if check["name"] == name)


@pytest.mark.parametrize("content, words", [(b"", "it is empty"), (b"\x5a" * 32, "it is not what was stored there")])
def test_a_damaged_device_secret_costs_no_try(locked, content, words):
    """Neither the right PIN nor a wrong one is tried with it, doctor and status name it, and the keyring's backup mends it."""
    [mine] = items_of(locked, "device-secret")
    kept = mine.secret
    assert "damaged" not in locked.json("status", pin=False) and check_of(locked, "keyring-items", pin=False)["ok"]
    put_device_secret(locked, content)
    for pin in (PIN, WRONG):
        result = attempt(locked, pin)
        assert result.code == 7 and f"device secret in the keyring is damaged ({words})" in result.err, result
        assert "wrong PIN" not in result.err and "pin reset" in result.err
    assert locked.run("connections", "--json").json["error"]["kind"] == "damaged"
    assert failures(locked) == 0 and status(locked)["tries_left"] == 9
    assert words in locked.json("status", pin=False)["damaged"] and words in locked.ok("status", pin=False).out
    check = check_of(locked, "keyring-items", pin=False)
    assert not check["ok"] and words in check["message"], check
    put_device_secret(locked, kept)
    assert attempt(locked, PIN).code == 0
    assert "damaged" not in locked.json("status", pin=False)


def test_an_older_home_learns_its_device_secret_with_the_right_pin(locked):
    """Until then only an item of another length is known to be damaged."""
    change_pin_record(locked, lambda record: record.pop("commitment"))
    [mine] = items_of(locked, "device-secret")
    kept = mine.secret
    put_device_secret(locked, b"")
    assert attempt(locked, PIN).code == 7 and failures(locked) == 0
    put_device_secret(locked, kept)
    assert "commitment" not in pin_record(locked)
    assert attempt(locked, WRONG).code == 3 and "commitment" not in pin_record(locked)
    assert attempt(locked, PIN).code == 0
    assert len(pin_record(locked)["commitment"]) == 32
    put_device_secret(locked, b"\x5a" * 32)
    assert attempt(locked, PIN).code == 7 and failures(locked) == 0


def test_a_damaged_item_of_a_connection_is_named(connected, bank):
    """KWallet that is killed comes back with empty items. The other connection is asked all the same."""
    connected.enroll(bank, name="second")
    bank.pay()
    [first] = [i for i in items_of(connected, "token")][:1]
    put_item(first.label, first.attributes, b"", session_bus())
    result = connected.run("pending", "--json")
    assert result.code == 0 and len(result.json["authorizations"]) == 1, result
    [failure] = result.json["failures"]
    assert failure["kind"] == "damaged" and "token for this connection is damaged (it is empty)" in failure["message"]
    assert failure["hint"].endswith(f"countersign reconnect {failure['connection']}"), failure
    strict = connected.run("pending", "--strict")
    assert strict.code == 7
    check = check_of(connected, "keyring-items", pin=False)
    assert not check["ok"] and "1 token is damaged" in check["message"], check
    assert "is damaged" in check_of(connected, f"connection {failure['connection']}")["message"]


def test_doctor_tries_the_pin_once(connected):
    attempt(connected, PIN)
    wrong = connected.path / "wrong"
    wrong.write_text(WRONG + "\n")
    wrong.chmod(0o600)
    result = connected.run("doctor", "--json", "--pin-file", str(wrong), pin=False)
    assert result.code == 1 and failures(connected) == 1
    [check] = [c for c in result.json["checks"] if not c["ok"] and "wrong PIN" in c["message"]]
    assert check["name"] == "pin"


# An older copy of the database


def put_back(home, files):
    """Makes the home's files what they were (`all_bytes`)."""
    for path in home.files():
        path.unlink()
    for path, content in files.items():
        (home.state / path).write_bytes(content)
        (home.state / path).chmod(0o600)


def test_an_older_copy_of_the_database_brings_no_tries_back(locked):
    """The keyring counts, too. What it counted holds, also where the copy says less."""
    attempt(locked, PIN)
    older = all_bytes(locked)
    for _ in range(5):
        assert attempt(locked, WRONG).code == 3
    assert status(locked)["tries_left"] == 4

    put_back(locked, older)
    assert status(locked)["tries_left"] == 9
    for _ in range(2):
        result = attempt(locked, PIN)
        assert result.code == 3 and "wrong PIN;" not in result.err, result
    assert status(locked)["tries_left"] == 4 and status(locked)["blocked_until"]
    put_back(locked, older)
    code, said = type_pin(locked, PIN)
    assert code == 3 and "counted more wrong PINs" in said and "4 tries are left" in said, said
    # Waited for, the right PIN opens, and the keyring's count is of an ended series.
    pass_block(locked)
    assert type_pin(locked, PIN)[0] == 0
    assert attempt(locked, PIN).code == 0 and failures(locked) == 0


def test_a_right_pin_ends_the_keyrings_count_of_a_home_that_had_none(locked):
    """A home of an earlier release, or one whose keyring took no count, had failures: they do not come back after a right PIN."""
    attempt(locked, PIN)
    older = all_bytes(locked)
    change_pin_record(locked, lambda record: record.update(failures=3))
    remove_items(*(item.path for item in items_of(locked, "tries")))
    assert attempt(locked, PIN).code == 0
    put_back(locked, older)
    result = attempt(locked, WRONG)
    assert "8 tries are left" in result.err, result


def test_fewer_failures_are_added_without_a_word(locked):
    attempt(locked, PIN)
    older = all_bytes(locked)
    for _ in range(2):
        attempt(locked, WRONG)
    put_back(locked, older)
    assert "6 tries are left" in attempt(locked, WRONG).err
    assert attempt(locked, PIN).code == 0
    # Right PINs never add up, however often the same copy comes back.
    for _ in range(12):
        put_back(locked, older)
        assert attempt(locked, PIN).code == 0 and failures(locked) == 0
    put_back(locked, older)
    assert re.search("[78] tries are left", attempt(locked, WRONG).err)


@pytest.mark.parametrize("content", [b"", b"x" * 80])
def test_a_damaged_count_in_the_keyring_gives_and_takes_nothing(locked, content):
    for _ in range(2):
        attempt(locked, WRONG)
    [kept] = items_of(locked, "tries")
    put_item(kept.label, kept.attributes, content, session_bus())
    assert "6 tries are left" in attempt(locked, WRONG).err
    assert attempt(locked, PIN).code == 0


def test_a_missing_device_secret_costs_no_try(locked):
    other = "0" * 8
    put_device_secret(locked, b"x" * 32)
    change_pin_record(locked, lambda record: record.update(vaultID=record["vaultID"][:-8] + other))
    result = locked.run("connections")
    assert result.code == 7 and "device secret" in result.err
    assert failures(locked) == 0


# Change, reset, two homes


def test_change_keeps_connections_and_ends_the_old_pin(connected, bank):
    key = items_of(connected, "key")[0].secret
    connected.write_pin(PIN, "correct horse battery")
    connected.ok("pin", "change")
    connected.write_pin(PIN)
    assert connected.run("connections").code == 3
    connected.write_pin("correct horse battery")
    bank.pay("After the change")
    assert [a["title"] for a in connected.json("pending")["authorizations"]] == ["After the change"]
    assert items_of(connected, "key")[0].secret == key
    # On a terminal: the old one, then the new one twice.
    child = connected.terminal("pin", "change")
    for prompt, pin in (("PIN: ", "correct horse battery"), ("New PIN", "314159"), ("Again", "314159")):
        child.expect(prompt)
        child.sendline(pin)
    assert finish(child) == 0, child.before
    connected.write_pin("314159")
    connected.ok("connections")


def record_pieces(home):
    """Pieces of the PIN record by which any trace of it would be known."""
    record = bytes(sql(home, "SELECT record FROM pin")[0][0])
    lists = [re.search(rb'"%s":\[([^\]]*)\]' % name, record).group(1) for name in (b"sealedMasterKey", b"salt")]
    return [part for whole in lists for part in (whole[:40], whole[-40:])]


def test_change_makes_the_old_pin_useless(connected, tmp_path):
    """An older copy of the home, with the old PIN, in front of the same keyring: the device secret that it needs is destroyed.
    Nor is anything of the old record left in any file."""
    copy = copy_home(connected, tmp_path / "copy")
    copy.ok("connections")
    forgive(copy)
    [old] = items_of(connected, "device-secret")
    old_secret, pieces = old.secret, record_pieces(connected)
    assert any(piece in content for content in all_bytes(connected).values() for piece in pieces)
    # A reader that stays keeps the journal there.
    reader = sqlite3.connect(database(connected))
    reader.execute("SELECT count(*) FROM pin").fetchall()
    connected.write_pin(PIN, "correct horse battery")
    connected.ok("pin", "change")
    for name, content in all_bytes(connected).items():
        for piece in pieces:
            assert piece not in content, name
    reader.close()
    [new] = items_of(connected, "device-secret")
    assert new.secret != old_secret and new.attributes["id"] != old.attributes["id"]
    result = copy.run("connections")
    assert result.code == 7 and "device secret" in result.err, result
    connected.write_pin("correct horse battery")
    connected.ok("connections")
    assert pin_record(connected)["hasLeftovers"] is False


def test_a_change_that_is_killed_at_any_moment_leaves_one_pin(locked):
    moments = random.Random(7)
    pins = ["314159", PIN]
    changed = 0
    locked.write_pin(*reversed(pins))
    begin = time.monotonic()
    locked.ok("pin", "change")
    # The moment from which on the new PIN counts, as far as is known: each round tells whether it was earlier or later, so
    # that the kills stay around it on a machine of any speed.
    turn = 0.8 * (time.monotonic() - begin)
    for _ in range(12):
        locked.write_pin(*pins)
        process = spawn(locked, "pin", "change")
        time.sleep(moments.uniform(0.6, 1.4) * turn)
        process.kill()
        process.communicate()
        forgive(locked)
        locked.write_pin(pins[1])
        new = locked.run("connections").code == 0
        forgive(locked)
        locked.write_pin(pins[0])
        old = locked.run("connections").code == 0
        assert old != new
        turn *= 0.85 if new else 1.15
        if new:
            changed += 1
            pins.reverse()
        assert pin_record(locked).get("hasLeftovers", False) is False
    # Secrets of changes that were killed before they counted seal nothing; the next whole change destroys all of them.
    locked.write_pin(*pins)
    locked.ok("pin", "change")
    assert len(items_of(locked, "device-secret")) == 1
    assert 0 < changed < 12


def test_change_with_a_wrong_old_pin_changes_nothing(locked):
    locked.write_pin(WRONG, "314159")
    assert locked.run("pin", "change").code == 3
    locked.write_pin(PIN, "111111")
    assert locked.run("pin", "change").code == 64
    locked.write_pin(PIN)
    locked.ok("connections")


def test_two_homes_touch_only_their_own_items(connected, other_home, bank):
    other_home.set_pin().enroll(bank)
    first, second = pin_record(connected)["vaultID"], pin_record(other_home)["vaultID"]
    assert first != second
    kinds = ["device-secret", "key", "token"]
    assert sorted(i.attributes["kind"] for i in items_of(first)) == kinds
    kept = {i.attributes["id"]: i.secret for i in items_of(second)}
    # Wrong PINs of one are no failures of the other.
    attempt(connected, WRONG)
    assert failures(other_home) == 0
    result = connected.json("pin", "reset", "--yes", pin=False)
    assert result["pin_set"] is False
    assert items_of(first) == []
    assert {i.attributes["id"]: i.secret for i in items_of(second)} == kept
    bank.pay()
    assert len(other_home.json("pending")["authorizations"]) == 1


def test_reset_asks_for_a_typed_word(locked):
    child = locked.terminal("pin", "reset")
    child.expect("Type destroy")
    child.sendline("yes")
    assert finish(child) == 2
    assert status(locked)["pin_set"] is True
    assert locked.run("pin", "reset", pin=False).code == 3
    child = locked.terminal("pin", "reset")
    child.expect("Type destroy")
    child.sendline("destroy")
    assert finish(child) == 0
    assert status(locked)["pin_set"] is False


# Its cost


def test_the_program_seals_a_pin_at_the_full_cost(home, other_home):
    """The other tests open homes whose PIN costs next to nothing. A PIN that the program sets, or changes, never does."""
    assert pin_record(home.set_pin_by_program())["cost"] == {"n": 65536, "r": 8, "p": 1}
    assert pin_record(other_home.set_pin())["cost"]["n"] == 2
    other_home.write_pin(PIN, "314159")
    other_home.ok("pin", "change")
    assert pin_record(other_home)["cost"] == {"n": 65536, "r": 8, "p": 1}
    other_home.write_pin("314159")
    other_home.ok("connections")


# Rules


@pytest.mark.parametrize("pin, words", [
    ("12345", "too short"), ("passphr", "too short"), ("ünïcödé", "too short"), ("27182818284590452", "too long"),
    ("111111", "too easy"), ("123456", "too easy"), ("987654", "too easy"), ("890123", "too easy"),
    ("aaaaaaaa", "too easy"), ("abcdefgh", "too easy")])
def test_poor_pins_are_refused(home, pin, words):
    home.write_pin(pin)
    result = home.run("pin", "set")
    assert result.code == 64 and words in result.err, result
    assert status(home)["pin_set"] is False
    assert not home.state.exists() or not home.files()


@pytest.mark.parametrize("pin", ["271828", "2718281828459045", "correct horse", "pässwört ✓"])
def test_good_pins_are_taken(home, pin):
    home.write_pin(pin)
    home.ok("pin", "set")
    home.ok("connections")
    assert home.run("pin", "set").code == 64


def test_a_pin_file_that_others_can_read_is_refused(locked):
    locked.pin_file.chmod(0o640)
    result = locked.run("connections")
    assert result.code == 64 and "others can read" in result.err
    assert result.err.endswith(f"hint: chmod 600 {locked.pin_file}\n"), result


def test_what_is_no_file_holds_no_pin(locked):
    """Its mode would be blamed, and changing that would help nothing."""
    for path in ("/dev/null", "/dev/zero", locked.path):
        result = locked.run("connections", "--pin-file", path, pin=False)
        assert result.code == 64 and "the PIN file is a directory or a device\nhint: name a file" in result.err, result
    assert failures(locked) == 0


def test_a_byte_order_mark_before_the_pin_costs_no_try(locked):
    """Editors write one, and nobody sees it: the right PIN would cost a try each time."""
    locked.pin_file.write_text("\ufeff" + locked.pin_file.read_text())
    result = locked.run("connections")
    assert result.code == 64 and "begins with a byte order mark\nhint: save the file as UTF-8 without one" in result.err, result
    assert failures(locked) == 0


def test_the_pin_is_typed_without_echo(home):
    child = home.terminal("pin", "set")
    child.expect("PIN .*: ")
    child.sendline("918273")
    child.expect("Again: ")
    child.sendline("918274")
    child.expect("the two PINs differ")
    said = child.before
    child.expect("PIN .*: ")
    child.sendline("")
    assert finish(child) == 2
    assert "918273" not in said and "918274" not in said
    assert status(home)["pin_set"] is False
