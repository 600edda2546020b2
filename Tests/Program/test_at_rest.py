"""What lies on disk and in the keyring tells nothing, opens nothing alone, and is read by nobody else; and a kill during an
enrollment leaves nothing half done.
"""

import base64
import os
import pathlib
import random
import re
import shutil
import signal
import sqlite3
import stat
import subprocess
import textwrap
import time

import pytest
from conftest import BIN, PIN, ROOT, Bank, Home, finish
from issuers import signed_in
from innards import (
    all_bytes, change_pin_record, copy_home, database, items, items_of, pin_record, put_item, session_bus, spawn, sql)

TITLE = "Pay 73.51 EUR to Quillfeather"
TEXT = "Invoice Zanzibar-4711"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A home with a connection and a decision."""
    path = tmp_path_factory.mktemp("rest")
    bank = Bank(path)
    bank.post("settings", name="Marmalade Trust")
    home = Home(path)
    home.set_pin().enroll_by_program(bank, name="hidden-name")
    bank.pay(TITLE, TEXT, code="code-of-quillfeather")
    [item] = home.json("pending")["authorizations"]
    home.ok("approve", item["ref"], "--fingerprint", item["fingerprint"])
    with signed_in(home, "--name", "hidden-session") as issuer:
        home.ok("grants", "add", "unit:thimble.service", "--session", "hidden-session")
        assert [e["event"] for e in home.json("history", "--sessions")["events"]] == ["signed_in", "granted"]
        home.issuer = issuer.origin.removeprefix("http://")
    yield home, bank, item
    bank.stop()


@pytest.fixture
def home(place):
    return place[0]


# Alone, each opens nothing


def test_the_home_alone_opens_nothing(home):
    """The right PIN beside another keyring: exit 7, and no try is counted."""
    before = pin_record(home)
    done = subprocess.run(
        [ROOT / "Tests/Support/with-secret-service", *home.argv("connections", "--pin-file", home.pin_file)],
        capture_output=True, text=True, timeout=60, env=home.environment)
    assert done.returncode == 7 and done.stdout == "", done
    assert "device secret is not in the keyring" in done.stderr and "pin reset" in done.stderr, done
    assert pin_record(home) == before


def test_the_keyring_alone_opens_nothing(home, tmp_path):
    """The keyring and the PIN without the database: there is no PIN to check, so nothing opens."""
    path = tmp_path / "elsewhere"
    path.mkdir()
    result = Home(path).run("connections")
    assert result.code == 3 and "no PIN is set" in result.err, result
    # The same with a database whose sealed master key is another one.
    other = copy_home(home, tmp_path / "copy")

    def exchange(record):
        record["sealedMasterKey"][20] ^= 1

    change_pin_record(other, exchange)
    result = other.run("connections")
    assert result.code == 3 and "wrong PIN" in result.err, result


def telling(place):
    """What must be nowhere: each secret or name with its bytes in the forms that a file could have them."""
    home, bank, item = place
    [connection] = bank.get("connections?user=ada&status=active")[:1]
    sent = bank.get("requests?operation=authorizations.decide")[0]
    token = sent["headers"]["access-token"]
    words = {
        "bank's name": "Marmalade", "host": bank.url.removeprefix("http://"), "title": "Quillfeather", "text": "Zanzibar",
        "connection's name": "hidden-name", "code": "code-of-quillfeather", "token": token, "PIN": PIN,
        "fingerprint": item["fingerprint"], "session's name": "hidden-session", "program": "thimble", "issuer": home.issuer,
        "event": "signed_in",
        "public key": re.sub(r"-----[^-]*-----|\s", "", connection["public_key"])[60:120]}
    patterns = {}
    for what, word in words.items():
        raw = word.encode()
        patterns[what] = {
            raw, raw.hex().encode(), word.encode("utf-16-le"), *[
                # Base64 of it at each of the three places that it can begin at.
                base64.b64encode(b"\0" * shift + raw)[4 * (shift > 0):-4] for shift in range(3) if len(raw) > 8]}
    # PKCS#8 and PKCS#1 begin with these; so does PEM.
    patterns["key in DER"] = {
        bytes.fromhex("06092a864886f70d010101"), bytes.fromhex("0201000282010100"), b"PRIVATE KEY", b"MIIEv", b"MIIEp"}
    public = base64.b64decode("".join(
        line for line in connection["public_key"].splitlines() if line and not line.startswith("-")))
    patterns["modulus"] = {public[40:72]}
    return patterns


def found(patterns, content):
    return [what for what, forms in patterns.items() if any(form and form in content for form in forms)]


def test_the_search_finds_what_it_looks_for(place):
    """The next two tests could not fail if this search found nothing."""
    patterns = telling(place)
    [connection] = place[1].get("connections?user=ada")
    assert found(patterns, f"x {TITLE} {TEXT} {PIN}".encode()) == ["title", "text", "PIN"]
    pem = connection["public_key"].replace("\n", "").encode()
    assert "public key" in found(patterns, pem)


def test_files_tell_nothing(place):
    home = place[0]
    patterns = telling(place)
    files = all_bytes(home)
    assert pathlib.Path("ledger.sqlite") in files and sum(map(len, files.values())) > 10000
    for name, content in files.items():
        assert found(patterns, content) == [], name


def test_the_keyring_tells_nothing(place):
    home = place[0]
    patterns = telling(place)
    mine = items_of(home)
    assert sorted(i.attributes["kind"] for i in mine) == ["device-secret", "key", "log-head", "token", "tries"]
    for item in mine:
        assert set(item.attributes) == {"xdg:schema", "vault", "kind", "id"}
        assert item.attributes["xdg:schema"].startswith("org.countersign.")
        assert found(patterns, item.properties) == []
        assert found(patterns, item.secret) == []
        assert len(item.secret) >= 32
    # And nothing else is there that the program could have put: every item belongs to some vault.
    assert all(i.attributes.get("vault") for i in items().values())


# Modes


def test_modes_do_not_depend_on_the_umask(tmp_path, place):
    bank = place[1]
    home = Home(tmp_path)
    wide = ["sh", "-c", 'umask 000; exec "$0" "$@"']
    home.ok("pin", "set", wrapper=wide)
    home.ok("enroll", "-", "--yes", stdin=bank.link(instant=True) + "\n", wrapper=wide)
    # A reader that stays keeps the journal's files there, so that their modes are seen too.
    reader = sqlite3.connect(database(home))
    reader.execute("SELECT count(*) FROM connection").fetchall()
    home.ok("rename", "demobank", "other", wrapper=wide)
    assert stat.S_IMODE(home.state.stat().st_mode) == 0o700
    names = {p.name for p in home.files()}
    assert {"ledger.sqlite", "ledger.sqlite-wal", "lock"} <= names
    for path in home.files():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    reader.close()


@pytest.mark.parametrize("name, mode", [(".", 0o750), ("ledger.sqlite", 0o644)])
def test_a_home_open_to_others_is_refused(place, tmp_path, name, mode):
    copy = copy_home(place[0], tmp_path / "copy")
    (copy.state / name).chmod(mode)
    result = copy.run("connections")
    assert result.code == 1 and "open to other users" in result.err and "chmod" in result.err, result


def test_a_newer_schema_is_refused_untouched(place, tmp_path):
    copy = copy_home(place[0], tmp_path / "copy")
    [[version]] = sql(copy, "PRAGMA user_version")
    sql(copy, f"PRAGMA user_version = {version + 1}")
    before = all_bytes(copy)
    for command in (["connections"], ["pending"], ["history"], ["pin", "change"], ["pin", "set"], ["pin", "reset", "--yes"]):
        result = copy.run(*command)
        assert result.code == 1 and "newer version" in result.err, (command, result)
    result = copy.run("status", pin=False)
    assert result.code == 1
    after = all_bytes(copy)
    after.pop(pathlib.Path("lock"), None)
    before.pop(pathlib.Path("lock"), None)
    assert after == before
    # The original was not touched either: its items are still in the keyring.
    place[0].ok("connections")


# Memory


def test_the_process_is_not_dumped_and_not_traced(home, tmp_path):
    child = home.terminal("connections")
    child.expect("PIN: ")
    process = pathlib.Path(f"/proc/{child.pid}")
    limits = re.search(r"Max core file size\s+(\S+)\s+(\S+)", (process / "limits").read_text())
    assert limits.groups() == ("0", "0")
    # The files of a process that is not dumpable belong to root, also when the process does not.
    assert (process / "mem").stat().st_uid == 0
    child.sendintr()
    finish(child)


def test_another_process_of_the_same_user_cannot_read_it(tmp_path):
    """As an ordinary user: root may trace everything. `sleep`, which does not protect itself, shows that reading works."""
    directory = pathlib.Path("/tmp") / f"countersign-trace-{os.getpid()}"
    directory.mkdir(mode=0o700)
    try:
        program = directory / "countersign"
        program.write_bytes((BIN / "countersign").read_bytes())
        program.chmod(0o755)
        script = """
            import ctypes, os, subprocess, sys, time
            libc = ctypes.CDLL(None, use_errno=True)
            def read(pid):
                try:
                    with open(f"/proc/{pid}/maps") as maps:
                        start = int(maps.readline().split("-")[0], 16)
                    with open(f"/proc/{pid}/mem", "rb") as mem:
                        mem.seek(start)
                        return len(mem.read(16)) == 16
                except PermissionError:
                    return False
            def attach(pid):
                libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
                if libc.ptrace(16, pid, None, None) != 0:
                    return False
                os.waitpid(pid, 0x40000000)
                libc.ptrace(17, pid, None, None)
                return True
            for argv in (["sleep", "60"], sys.argv[1:]):
                child = subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                deadline = time.monotonic() + 10
                while time.monotonic() < deadline:
                    state = open(f"/proc/{child.pid}/stat").read().rsplit(")", 1)[1].split()[0]
                    name = open(f"/proc/{child.pid}/comm").read().strip()
                    if state == "S" and name == os.path.basename(argv[0])[:15]: break
                    time.sleep(0.01)
                print(read(child.pid), attach(child.pid), child.poll())
                child.kill()
                child.wait()
            """
        # Waits for its PIN on standard input.
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(directory), "COUNTERSIGN_HOME": str(directory / "state"),
            "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"}
        done = subprocess.run(
            ["/usr/bin/python3", "-c", textwrap.dedent(script), program, "pin", "set", "--pin-file", "-"],
            capture_output=True, text=True, timeout=60, env=environment, cwd=directory)
        lines = done.stdout.splitlines()
        assert lines[0].split()[0] == "True", done
        assert lines[1] == "False False None", done
    finally:
        shutil.rmtree(directory)


# Kills during an enrollment


def test_a_kill_during_enrollment_leaves_no_connection_without_its_key(tmp_path, place):
    """Wherever the kill falls: each connection that is listed has key and token, and the next enrollment destroys keys that no
    connection names."""
    bank = place[1]
    bank.user("killed")
    home = Home(tmp_path).set_pin()
    moments = random.Random(2)

    def kept():
        """Id and kind of each key and token in the keyring."""
        pairs = [(i.attributes["id"], i.attributes["kind"]) for i in items_of(home)]
        return [pair for pair in pairs if pair[1] in ("key", "token")]

    started = time.monotonic()
    spawn(home, "enroll", bank.link("killed", instant=True), "--yes").communicate()
    whole = time.monotonic() - started
    killed = 0
    for _ in range(10):
        process = spawn(home, "enroll", bank.link("killed", instant=True), "--yes")
        # Most of the cuts fall into the last third, where key, token and row are written.
        time.sleep(moments.triangular(0, 1.1 * whole, 0.9 * whole))
        process.kill()
        process.communicate()
        if process.returncode == -signal.SIGKILL:
            killed += 1
        else:
            # Faster than the first one, which had everything to load: cut earlier.
            whole *= 0.7
        [[rows]] = sql(home, "SELECT count(*) FROM connection")
        held = kept()
        full = {id for id, kind in held if kind == "key"} & {id for id, kind in held if kind == "token"}
        assert rows <= len(full)
    assert killed > 0
    home.ok("connections")
    answer = home.json("pending")
    assert answer["failures"] == []
    home.enroll_by_program(bank, "killed", name="the-next")
    connections = home.json("connections")["connections"]
    held = kept()
    assert len(held) == 2 * len(connections)
    assert {kind for _, kind in held} == {"key", "token"} and len({id for id, _ in held}) == len(connections)
    bank.pay("For each", user="killed")
    pending = home.json("pending")
    assert pending["failures"] == []
    assert {a["connection"] for a in pending["authorizations"]} == {c["name"] for c in connections}


def test_orphaned_items_are_swept_by_the_next_enrollment(tmp_path, place):
    """What a cut between key and row leaves, made by hand: items of this vault that no connection names."""
    bank = place[1]
    home = Home(tmp_path).set_pin().enroll(bank)
    [key] = items_of(home, "key")
    orphan = dict(key.attributes, id="00000000-0000-4000-8000-000000000000")
    put_item(key.label, orphan, key.secret, session_bus())
    assert len(items_of(home, "key")) == 2
    home.enroll_by_program(bank, name="after")
    ids = {i.attributes["id"] for i in items_of(home, "key")}
    assert orphan["id"] not in ids and key.attributes["id"] in ids and len(ids) == 2
