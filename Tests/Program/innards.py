"""What tests look at, and change, behind the program's back: the rows in SQLite, the items in the keyring, processes,
namespaces.
"""

import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import time

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt

COLLECTION = "/org/freedesktop/secrets/collection/login"


# SQLite (Sources/Ledger/Schema.swift)


def database(home):
    return home.state / "ledger.sqlite"


def sql(home, statement, *arguments):
    """Runs one statement on the home's database, commits, returns all rows."""
    connection = sqlite3.connect(database(home), timeout=10)
    try:
        with connection:
            return connection.execute(statement, arguments).fetchall()
    finally:
        connection.close()


def pin_record(home):
    """The PIN record as the ledger wrote it: vaultID, salt, cost, sealedMasterKey, failures, block."""
    [[record]] = sql(home, "SELECT record FROM pin")
    return json.loads(record)


def change_pin_record(home, change):
    record = pin_record(home)
    change(record)
    sql(home, "UPDATE pin SET record = ?", json.dumps(record).encode())


def failures(home):
    return pin_record(home)["failures"]


def pass_block(home):
    """Lets a block be over without an hour of waiting: it began 2 hours earlier, on the clock that counts (CLOCK_BOOTTIME)."""

    def earlier(record):
        record["block"]["bootTime"] -= 7200

    change_pin_record(home, earlier)


def forgive(home):
    """Sets the count of failures back, as the right PIN does; saves the time of scrypt."""

    def clean(record):
        record["failures"] = 0
        record.pop("block", None)

    change_pin_record(home, clean)


def all_bytes(home):
    """Each file of the home with its content."""
    return {path.relative_to(home.state): path.read_bytes() for path in home.files()}


def copy_home(home, path):
    """The same home at another place; `path` must not exist."""
    path.mkdir()
    copy = type(home)(path)
    shutil.copytree(home.state, copy.state)
    copy.state.chmod(0o700)
    return copy


# The keyring


def dbus(path, method, *arguments):
    done = subprocess.run(
        ["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.secrets", path, method, *arguments],
        capture_output=True, timeout=20, check=True)
    return done.stdout


def items():
    """Everything in the keyring: path to bytes (label, attributes, secret, as the tools print them)."""
    listed = dbus(
        COLLECTION, "org.freedesktop.DBus.Properties.Get", "string:org.freedesktop.Secret.Collection", "string:Items")
    return {path: item(path) for path in re.findall(rf'"({COLLECTION}/\d+)"', listed.decode())}


def item(path):
    properties = dbus(path, "org.freedesktop.DBus.Properties.GetAll", "string:org.freedesktop.Secret.Item")
    pairs = re.findall(rb'string "([^"]*)"\s+(?:variant\s+)?string "([^"]*)"', properties)
    attributes = {key.decode(): value.decode() for key, value in pairs if key not in (b"Label", b"Type")}
    return Item(attributes, properties)


class Item:
    def __init__(self, attributes, properties):
        self.attributes, self.properties = attributes, properties

    @property
    def secret(self):
        return subprocess.run(
            ["secret-tool", "lookup", *[word for pair in self.attributes.items() for word in pair]],
            capture_output=True, timeout=20, check=True).stdout


def items_of(home_or_vault, kind=None):
    """The items of one vault, or of the vault that a home has now."""
    vault = home_or_vault if isinstance(home_or_vault, str) else pin_record(home_or_vault)["vaultID"]
    return [
        i for i in items().values()
        if i.attributes.get("vault") == vault and kind in (None, i.attributes.get("kind"))]


def put_device_secret(home, secret):
    """Stores another device secret in the place of the home's own."""
    [mine] = items_of(home, "device-secret")
    words = [word for pair in mine.attributes.items() for word in pair]
    subprocess.run(["secret-tool", "clear", *words], timeout=20, check=True)
    subprocess.run(
        ["secret-tool", "store", "--label=Countersign device secret", *words], input=secret, timeout=20, check=True)


def erase_log(home):
    """Erases the log wherever something of it lies: rows, head, and the head's copy in the keyring."""
    sql(home, "DELETE FROM event")
    sql(home, "DELETE FROM head")
    for head in items_of(home, "log-head"):
        words = [word for pair in head.attributes.items() for word in pair]
        subprocess.run(["secret-tool", "clear", *words], timeout=20, check=True)


# The vault, opened without the program


def master_key(home, pin):
    """What the PIN and the device secret open together."""
    record = pin_record(home)
    [item] = items_of(home, "device-secret")
    salt, cost = bytes(record["salt"]), record["cost"]
    stretched = Scrypt(salt=salt, length=32, n=cost["n"], r=cost["r"], p=cost["p"]).derive(pin.encode())
    key = derived(stretched + item.secret, salt, "countersign master key 1")
    # Its 32 bytes; one more says that a log was begun.
    return unsealed(bytes(record["sealedMasterKey"]), key, f"master-key/{record['vaultID']}")[:32]


def derived(secret, salt, info):
    return HKDF(hashes.SHA256(), 32, salt, info.encode()).derive(secret)


def unsealed(content, key, name):
    return AESGCM(key).decrypt(content[:12], content[12:], name.encode())


def log_events(home, pin):
    """The events of the log, oldest first, as JSON (Sources/Ledger/LogEvent.swift)."""
    key = derived(master_key(home, pin), None, "countersign rows 1")
    rows = sql(home, "SELECT sequence, decision, content FROM event ORDER BY sequence")
    return [json.loads(unsealed(content, key, f"event {number} of decision {of}")) for number, of, content in rows]


# Processes and namespaces


def spawn(home, *args, **options):
    """Starts a command with the home's PIN file and does not wait for it."""
    return subprocess.Popen(
        home.argv(*args, "--pin-file", home.pin_file), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=home.environment, **options)


def until(condition, seconds=20):
    """Polls until the condition holds; returns its value."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.002)


def resident(pid):
    """Bytes of memory in use; 0 when the process is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
    except (FileNotFoundError, ProcessLookupError):
        return 0


def spans(pid):
    """What a process can write to, freed memory and dead stacks included: content and flags (proc_pid_smaps(5)) of each mapping.
    Only root may look: the program allows nobody else to."""
    try:
        maps = pathlib.Path(f"/proc/{pid}/smaps").read_text()
        memory = open(f"/proc/{pid}/mem", "rb", buffering=0)
    except PermissionError:
        pytest.skip("only root can look at the process's memory")
    with memory:
        for start, end, flags in re.findall(r"^([0-9a-f]+)-([0-9a-f]+) rw.*?^VmFlags: (.*?)$", maps, re.M | re.S):
            start, end = int(start, 16), int(end, 16)
            try:
                memory.seek(start)
                yield memory.read(end - start), flags.split()
            except OSError:
                # Guard pages, and what was unmapped meanwhile.
                continue


def in_memory(pid, *needles):
    """Which of these texts or bytes stand anywhere in what a process can write to."""
    found = set()
    for content, _ in spans(pid):
        found |= {needle for needle in needles if (needle.encode() if isinstance(needle, str) else needle) in content}
    return found


def namespace(*flags):
    """The words before a command that give it namespaces of its own; as root, or as any user where the kernel lets."""
    user = [] if os.getuid() == 0 else ["--user", "--map-current-user", "--keep-caps"]
    wrapper = ["unshare", *user, *flags]
    done = subprocess.run([*wrapper, "true"], capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"{' '.join(wrapper)} is not permitted here: {done.stderr.strip()}")
    return wrapper
