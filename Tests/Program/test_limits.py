"""The limits that countersign-security(7) names are real, and no wider than it says."""

import hashlib
import hmac
import os
import shutil

import pytest
from conftest import PIN
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from innards import derived, failures, items_of, master_key, pin_record, put_item, remove_items, search, session_bus, sql, unsealed

WRONG = "864203"


def approve(home, bank, title):
    bank.pay(title)
    [item] = [a for a in home.json("pending")["authorizations"] if a["title"] == title]
    home.ok("approve", item["ref"], "--fingerprint", item["fingerprint"])


def test_with_both_stores_pins_are_tried_without_a_limit(connected):
    """A copy of both is tried by a program of its own, which counts nothing."""
    assert len(master_key(connected, PIN)) == 32
    for pin in ("100000", "100001", "100002"):
        with pytest.raises(InvalidTag):
            master_key(connected, pin)
    assert failures(connected) == 0


def test_older_copies_of_both_stores_restore_tries_and_pin_and_take_back_decisions(connected, bank, tmp_path):
    approve(connected, bank, "The first")
    shutil.copytree(connected.state, tmp_path / "older")
    items = [(item, item.secret) for item in items_of(connected)]
    approve(connected, bank, "The second")
    connected.write_pin(PIN, "314159")
    connected.ok("pin", "change")
    connected.write_pin(WRONG)
    assert connected.run("connections").code == 3 and failures(connected) == 1
    remove_items(*search(vault=pin_record(connected)["vaultID"]))
    for item, secret in items:
        put_item(item.label, item.attributes, secret, session_bus())
    shutil.rmtree(connected.state)
    shutil.copytree(tmp_path / "older", connected.state)
    assert failures(connected) == 0
    connected.write_pin(PIN)
    answer = connected.json("history", "--verify")
    assert answer["log"] == "intact" and [d["title"] for d in answer["decisions"]] == ["The first"]


def test_with_the_pin_and_both_stores_the_log_is_rewritten(connected, bank):
    """With the master key come the keys that seal rows and that chain events."""
    approve(connected, bank, "Paid to Mallory")
    key = master_key(connected, PIN)
    rows_key, chain_key = (derived(key, None, f"countersign {purpose} 1") for purpose in ("rows", "mac/log"))

    def sealed(content, name):
        nonce = os.urandom(12)
        return nonce + AESGCM(rows_key).encrypt(nonce, content, name.encode())

    mac = bytes(32)
    rows = sql(connected, "SELECT sequence, decision, attempt, waits, content FROM event ORDER BY sequence")
    for number, of, attempt, waits, content in rows:
        name = f"event {number} of decision {of}"
        changed = sealed(unsealed(content, rows_key, name).replace(b"Mallory", b"Alice"), name)
        numbers = b"".join(n.to_bytes(8, "big") for n in (number, of, waits))
        mac = hmac.digest(chain_key, mac + numbers + (attempt or bytes(32)) + changed, hashlib.sha256)
        sql(connected, "UPDATE event SET content = ?, mac = ? WHERE sequence = ?", changed, mac, number)
    head = len(rows).to_bytes(8, "big") + mac
    sql(connected, "UPDATE head SET content = ?", sealed(head, "log head"))
    [second] = items_of(connected, "log-head")
    remove_items(second.path)
    put_item(second.label, second.attributes, sealed(head, "log head, second copy"), session_bus())
    answer = connected.json("history", "--verify")
    assert answer["log"] == "intact" and [d["title"] for d in answer["decisions"]] == ["Paid to Alice"]
