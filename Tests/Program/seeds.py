"""What a test does not have to make again: a home whose PIN is checked in no time, and the books of a bank with one user.

Both begin with what the program, or the bank, made itself, once for each worker. A home of its own never shares a key with
another one. The cost of a PIN is stored beside it, so a cheap one needs nothing from the program; what is true of the cost
itself is tested with PINs that the program sealed (`Home.set_pin_by_program`).
"""

import atexit
import functools
import os
import pathlib
import shutil
import sqlite3
import tempfile
import uuid

from innards import change_pin_record, items_of, pin_record, put_item, sealed, sealing_key

# Costs of a PIN: as the program makes it, next to nothing, and so dear that a process can be met while it derives the key.
FULL = {"n": 1 << 16, "r": 8, "p": 1}
CHEAP = {"n": 2, "r": 8, "p": 1}
DEAR = {"n": 1 << 18, "r": 8, "p": 1}


@functools.cache
def scratch():
    """A directory of this worker, gone at its end."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="countersign-seeds-"))
    atexit.register(shutil.rmtree, path, ignore_errors=True)
    return path


@functools.cache
def home_with_pin(kind):
    """A home whose PIN the program set, and its device secret's item."""
    path = scratch() / "home"
    path.mkdir()
    home = kind(path).set_pin_by_program()
    [item] = items_of(home, "device-secret")
    return home, item


def set_pin(home, cost):
    """Gives a home the PIN of its PIN file, as `pin set` does but at another cost: keys, salt and vault of its own."""
    seed, item = home_with_pin(type(home))
    shutil.copytree(seed.state, home.state)
    vault, device_secret, salt = str(uuid.uuid4()), os.urandom(32), os.urandom(32)
    key = sealing_key(home.pin_file.read_text().splitlines()[0], salt, cost, device_secret)

    def seal(record):
        assert record["vaultID"] == item.attributes["vault"] and record["deviceSecret"] == item.attributes["id"]
        record.update(
            vaultID=vault, salt=list(salt), cost=cost, sealedMasterKey=list(sealed(os.urandom(32), key, f"master-key/{vault}")))

    change_pin_record(home, seal)
    put_item(item.label, dict(item.attributes, vault=vault), device_secret, home.environment["DBUS_SESSION_BUS_ADDRESS"])


@functools.cache
def bank_books(kind):
    """The books of a new demo bank with one user, ada."""
    path = scratch() / "bank.sqlite"
    bank = kind(scratch(), "--database", path)
    bank.user("ada")
    bank.stop()
    # One write to the disk for each change, not three.
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.close()
    return path
