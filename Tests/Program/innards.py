"""What tests look at, and change, behind the program's back: the rows in SQLite, the items in the keyring, processes."""

import ctypes
import errno
import functools
import hmac
import json
import os
import pathlib
import re
import shutil
import sqlite3
import subprocess
import time

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.kdf.scrypt import Scrypt
from gi.repository import Gio, GLib

COLLECTION = "/org/freedesktop/secrets/collection/login"


# SQLite (Sources/Stores/Ledger/Schema.swift)


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


def vault_of(home):
    """The id of the vault that a home has, if it has one and its database can be read."""
    try:
        return pin_record(home)["vaultID"] if database(home).exists() else None
    except (sqlite3.Error, ValueError, TypeError, KeyError):
        return None


def change_pin_record(home, change):
    record = pin_record(home)
    change(record)
    sql(home, "UPDATE pin SET record = ?", json.dumps(record, separators=(",", ":")).encode())


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
        # What the keyring counted is of an earlier series then.
        record["series"] += 1
        record["seriesMark"] = list(series_mark(home, record))

    change_pin_record(home, clean)


def series_mark(home, record):
    """What proves the number of a series: a MAC under the device secret."""
    [secret] = [i.secret for i in items_of(record["vaultID"], "device-secret") if i.attributes["id"] == record["deviceSecret"]]
    return hmac.digest(secret, f"countersign series 1 {record['vaultID']} {record['series']}".encode(), "sha256")


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


def session_bus():
    return os.environ["DBUS_SESSION_BUS_ADDRESS"]


@functools.cache
def keyring(address):
    """The bus on which a keyring is."""
    return Gio.DBusConnection.new_for_address_sync(
        address,
        Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION, None, None)


def ask_keyring(path, interface, method, arguments=None, address=None):
    """Calls a method of the Secret Service, on the session bus unless `address` says another."""
    return keyring(address or session_bus()).call_sync(
        "org.freedesktop.secrets", path, interface, method, arguments, None, Gio.DBusCallFlags.NO_AUTO_START, 20000, None)


def items():
    """Everything in the keyring: path to item."""
    return {path: item(path) for path in search()}


def item(path):
    [properties] = ask_keyring(
        path, "org.freedesktop.DBus.Properties", "GetAll", GLib.Variant("(s)", ("org.freedesktop.Secret.Item",))).unpack()
    return Item(path, properties["Label"], properties["Attributes"], "\n".join(texts(properties)).encode())


def texts(properties):
    """Every text in an item's properties."""
    for name, value in properties.items():
        yield name
        yield from texts(value) if isinstance(value, dict) else [str(value)]


class Item:
    """`properties` is all that the keyring tells of it while it is locked, as bytes to search in."""

    def __init__(self, path, label, attributes, properties):
        self.path, self.label, self.attributes, self.properties = path, label, attributes, properties

    @property
    def secret(self):
        [(_, _, value, _)] = ask_keyring(
            self.path, "org.freedesktop.Secret.Item", "GetSecret", GLib.Variant("(o)", (session(session_bus()),))).unpack()
        return bytes(value)


@functools.cache
def session(address):
    """The session in which secrets are exchanged, in the plain."""
    _, path = ask_keyring(
        "/org/freedesktop/secrets", "org.freedesktop.Secret.Service", "OpenSession",
        GLib.Variant("(sv)", ("plain", GLib.Variant("s", ""))), address).unpack()
    return path


def put_item(label, attributes, secret, address):
    """Stores an item in the default collection."""
    properties = {
        "org.freedesktop.Secret.Item.Label": GLib.Variant("s", label),
        "org.freedesktop.Secret.Item.Attributes": GLib.Variant("a{ss}", attributes)}
    ask_keyring(
        "/org/freedesktop/secrets/aliases/default", "org.freedesktop.Secret.Collection", "CreateItem",
        GLib.Variant("(a{sv}(oayays)b)", (properties, (session(address), b"", secret, "application/octet-stream"), True)),
        address)


def items_of(home_or_vault, kind=None):
    """The items of one vault, or of the vault that a home has now."""
    vault = home_or_vault if isinstance(home_or_vault, str) else pin_record(home_or_vault)["vaultID"]
    return [item(path) for path in search(vault=vault, **({"kind": kind} if kind else {}))]


def search(**attributes):
    """The paths of the items that have these attributes; of all if none is named."""
    [paths] = ask_keyring(
        COLLECTION, "org.freedesktop.Secret.Collection", "SearchItems", GLib.Variant("(a{ss})", (attributes,))).unpack()
    return paths


def remove_items(*paths):
    for path in paths:
        ask_keyring(path, "org.freedesktop.Secret.Item", "Delete")


def put_device_secret(home, secret):
    """Stores another device secret in the place of the home's own."""
    [mine] = items_of(home, "device-secret")
    remove_items(mine.path)
    put_item(mine.label, mine.attributes, secret, session_bus())


def erase_log(home):
    """Erases the log wherever something of it lies: rows, head, and the head's copy in the keyring."""
    sql(home, "DELETE FROM event")
    sql(home, "DELETE FROM head")
    remove_items(*search(vault=pin_record(home)["vaultID"], kind="log-head"))


# The vault, opened without the program


def master_key(home, pin):
    """What the PIN and the device secret open together."""
    record = pin_record(home)
    [item] = items_of(home, "device-secret")
    salt, cost = bytes(record["salt"]), record["cost"]
    key = sealing_key(pin, salt, cost, item.secret)
    # Its 32 bytes; one more says that a log was begun.
    return unsealed(bytes(record["sealedMasterKey"]), key, f"master-key/{record['vaultID']}")[:32]


def sealing_key(pin, salt, cost, device_secret):
    """The key that the master key is sealed under."""
    stretched = Scrypt(salt=salt, length=32, n=cost["n"], r=cost["r"], p=cost["p"]).derive(pin.encode())
    return derived(stretched + device_secret, salt, "countersign master key 1")


def derived(secret, salt, info):
    return HKDF(hashes.SHA256(), 32, salt, info.encode()).derive(secret)


def unsealed(content, key, name):
    return AESGCM(key).decrypt(content[:12], content[12:], name.encode())


def sealed(content, key, name):
    nonce = os.urandom(12)
    return nonce + AESGCM(key).encrypt(nonce, content, name.encode())


def mac(master, purpose, text):
    """The MAC that stands in a row in place of what it is about."""
    return hmac.digest(derived(master, None, f"countersign mac/{purpose} 1"), text.encode(), "sha256")


def row_name(key):
    """The name under which a connection's row is sealed."""
    return f"connection {key.hex()}"


def log_events(home, pin):
    """The events of the log, oldest first, as JSON (Sources/Stores/Records/Approvals/LogEvent.swift)."""
    key = derived(master_key(home, pin), None, "countersign rows 1")
    rows = sql(home, "SELECT sequence, decision, content FROM event ORDER BY sequence")
    return [json.loads(unsealed(content, key, f"event {number} of decision {of}")) for number, of, content in rows]


# Processes and namespaces


def spawn(home, *args, wrapper=(), **options):
    """Starts a command with the home's PIN file and does not wait for it."""
    return subprocess.Popen(
        [*wrapper, *home.argv(*args, "--pin-file", home.pin_file)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env=home.environment, **options)


def until(condition, seconds=20):
    """Polls until the condition holds; returns its value. What is dear to ask is asked less often, so that the asking leaves
    the machine to those who do it."""
    deadline = time.monotonic() + seconds
    while True:
        began = time.monotonic()
        value = condition()
        if value:
            return value
        now = time.monotonic()
        assert now < deadline, "it did not come about in time"
        time.sleep(min(0.2, max(0.002, 4 * (now - began))))


def resident(pid):
    """Bytes of memory in use; 0 when the process is gone."""
    try:
        fields = pathlib.Path(f"/proc/{pid}/statm").read_text().split()
        return int(fields[1]) * os.sysconf("SC_PAGE_SIZE")
    except (FileNotFoundError, ProcessLookupError):
        return 0


def spans(pid):
    """What a process wrote, freed memory and dead stacks included: content and flags (proc_pid_smaps(5)) of each mapping that it can
    write to and that is in memory. The process must be `users.legible`."""
    library = ctypes.CDLL(None, use_errno=True)

    class Span(ctypes.Structure):
        _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]

    maps = pathlib.Path(f"/proc/{pid}/smaps").read_text()
    for start, end, rest in re.findall(r"^([0-9a-f]+)-([0-9a-f]+) rw(.*?^VmFlags: .*?)$", maps, re.M | re.S):
        if not any(int(size) for size in re.findall(r"^(?:Rss|Swap): +(\d+) kB$", rest, re.M)):
            continue
        start, end = int(start, 16), int(end, 16)
        content = ctypes.create_string_buffer(end - start)
        done = 0
        while done < end - start:
            here, there = Span(ctypes.addressof(content) + done, end - start - done), Span(start + done, end - start - done)
            count = library.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
            if count < 0:
                # What cannot be read, or was unmapped meanwhile.
                assert ctypes.get_errno() in (errno.EFAULT, errno.ESRCH), os.strerror(ctypes.get_errno())
                count = os.sysconf("SC_PAGE_SIZE")
            done += count
        yield content.raw, rest.rsplit("VmFlags:", 1)[1].split()


def in_memory(pid, *needles):
    """Which of these texts or bytes stand anywhere in what a process can write to."""
    found = set()
    for content, _ in spans(pid):
        found |= {needle for needle in needles if (needle.encode() if isinstance(needle, str) else needle) in content}
    return found
