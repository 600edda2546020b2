"""What a test does not have to make again: a home whose PIN is checked in no time, connections without a new RSA key for each,
and the books of a bank with one user.

Homes and books begin with what the program, or the bank, made itself, once for each worker. A home of its own never shares a
master key with another one. The cost of a PIN is stored beside it, so a cheap one needs nothing from the program; what is true
of the cost itself is tested with PINs that the program sealed (`Home.set_pin_by_program`). A connection is written as the
program writes it (test_seeds.py compares), with a published key of Keys/; enrolling itself is tested with the program.
"""

import atexit
import fcntl
import functools
import hmac
import json
import os
import pathlib
import re
import shutil
import sqlite3
import tempfile
import time
import urllib.request
import uuid

from cryptography.hazmat.primitives import serialization
from innards import (
    change_pin_record, derived, items_of, master_key, mac, pin_record, put_item, row_name, sealed, sealing_key, sql, unsealed)

KEYS = pathlib.Path(__file__).resolve().parents[2] / "Keys"
# Costs of a PIN: as the program makes it, next to nothing, and so dear that a process can be met while it derives the key.
FULL = {"n": 1 << 16, "r": 8, "p": 1}
CHEAP = {"n": 2, "r": 8, "p": 1}
DEAR = {"n": 1 << 18, "r": 8, "p": 1}
# Foundation counts seconds from 2001 on.
EPOCH = 978307200


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
    vault, device_secret, salt, master = str(uuid.uuid4()), os.urandom(32), os.urandom(32), os.urandom(32)
    key = sealing_key(typed_pin(home), salt, cost, device_secret)

    def seal(record):
        assert record["vaultID"] == item.attributes["vault"] and record["deviceSecret"] == item.attributes["id"]
        record.update(
            vaultID=vault, salt=list(salt), cost=cost, sealedMasterKey=list(sealed(master, key, f"master-key/{vault}")),
            seriesMark=list(hmac.digest(device_secret, f"countersign series 1 {vault} {record['series']}".encode(), "sha256")),
            commitment=list(hmac.digest(device_secret, f"countersign device secret 1 {vault}".encode(), "sha256")))

    change_pin_record(home, seal)
    put_item(item.label, dict(item.attributes, vault=vault), device_secret, home.environment["DBUS_SESSION_BUS_ADDRESS"])
    home.vault, home.master = vault, master


def typed_pin(home):
    """What stands in the PIN file."""
    return home.pin_file.read_text().splitlines()[0]


# Connections


def connect(home, bank, user, name, protocol, code):
    """Connects a demo bank, at both ends, as an enrollment does."""
    configuration = configuration_of(bank, protocol, code)
    key, public = key_pair("connection-2048" if not rows(home) else "foreign-2048")
    made = bank.post("connections", user=user, protocol=protocol, public_key=public, bank=code)
    kept = {name: configuration.pop(name) for name in ("baseURL", "bankName")}
    connection = {"id": str(made["id"]), "wireProtocol": f"saltedge-{protocol}", **kept, "state": state(configuration)}
    name = name or (configuration["bankCode"] if protocol == "v1" else re.sub("[^a-z0-9]+", "-", kept["bankName"].lower()))
    add(home, name, connection, key=key, token=made["access_token"].encode())


def connect_push(home, server, label="mira", issuer="Fern", name="fern"):
    """Connects a new token of a PushServer (push.py), at both ends, as an enrollment does; its serial number."""
    key, public = key_pair("connection-4096")
    serial = server.rolled_out(public, label)
    add(home, name, {
        "id": serial, "wireProtocol": "privacyidea-push", "baseURL": server.url + "/ttype/push", "bankName": issuer,
        "account": label, "state": state({"serverKey": server.key_text})}, key=key)
    return serial


def connect_tiqr(home, site, user="mira", account="Mira Oak", name="fern"):
    """Connects an account of a Site (Tests/Support/tiqr_site.py), at both ends, as an enrollment does."""
    site.accounts[user] = os.urandom(32)
    add(home, name, {
        "id": user, "wireProtocol": "tiqr", "baseURL": site.url + "/login", "bankName": site.name, "account": account,
        "state": state({"service": site.service, "suite": site.suite, "refused": [], "unexplained": 0})},
        **{"shared-secret": site.accounts[user]})


def state(values):
    """The facts that a provider keeps, as a connection's row has them (Sources/Approvals/ApprovalModel/ProviderState.swift)."""
    return json.dumps(values, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def configuration_of(bank, protocol, code):
    """What a connection keeps of its bank's configuration."""
    [described] = [other for other in bank.get("banks") if other["code"] == code]
    address = described["configuration" if protocol == "v1" else "configuration_v2"]
    with urllib.request.urlopen(address, timeout=30) as answer:
        told = json.loads(answer.read())["data"]
    if protocol == "v1":
        kept = {
            "baseURL": told["connect_url"], "bankCode": told["code"], "bankName": told["name"], "supportEmail": told["support_email"]}
    else:
        kept = {
            "baseURL": told["sca_service_url"], "bankCode": str(told["provider_id"]), "bankName": told["provider_name"],
            "supportEmail": told["provider_support_email"], "providerKey": told["provider_public_key"].rstrip("\n") + "\n"}
    if told.get("geolocation_required") is not None:
        kept["geolocationRequired"] = told["geolocation_required"]
    return {"configurationURL": address, **kept}


@functools.cache
def key_pair(name):
    """A key of Keys/: PKCS #8, and its public half as PEM."""
    key = serialization.load_pem_private_key((KEYS / f"{name}.pem").read_bytes(), None)
    private = key.private_bytes(
        serialization.Encoding.DER, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    public = key.public_key().public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
    return private, public.decode()


def add(home, name, connection, **secrets):
    """Stores a connection: its row, and an item for each of its secrets (key, token, shared-secret)."""
    assert not agent_runs(home), "an agent would not hear of it: enroll by the program"
    assert name not in {row["name"] for row in rows(home)}, f"{name} is taken"
    master, now = master_of(home), time.time() - EPOCH
    connection = {
        "guid": str(uuid.uuid4()), "keyID": str(uuid.uuid4()), "name": name, "status": "active", "createdAt": now,
        "updatedAt": now, "replaced": [], **connection}
    for kind, secret in secrets.items():
        id = connection["keyID"]
        put_item(
            f"Countersign {kind.replace('-', ' ')}",
            {"xdg:schema": f"org.countersign.{kind.title().replace('-', '')}", "vault": pin_record(home)["vaultID"], "kind": kind, "id": id},
            sealed(secret, derived(master, None, "countersign items 1"), f"{kind}/{id}"),
            home.environment["DBUS_SESSION_BUS_ADDRESS"])
    key = mac(master, "connection", connection["guid"])
    content = sealed(json.dumps(connection).encode(), derived(master, None, "countersign rows 1"), row_name(key))
    sql(home, "INSERT INTO connection (content, ended, key) VALUES (?, 0, ?)", content, key)


def agent_runs(home):
    """Whether an agent holds the home's lock (Sources/Wires/LocalSocket/AgentLock.swift)."""
    try:
        with open(home.state / "agent.lock") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def rows(home):
    """The home's connections as they are stored."""
    key = derived(master_of(home), None, "countersign rows 1")
    return [
        json.loads(unsealed(content, key, row_name(row)))
        for row, content in sql(home, "SELECT key, content FROM connection ORDER BY rowid")]


def master_of(home):
    """The master key, which is known where `set_pin` made it."""
    return home.master if home.vault == pin_record(home)["vaultID"] else master_key(home, typed_pin(home))


# Banks


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
