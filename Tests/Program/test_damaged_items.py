"""An item of the keyring that is not what was stored there is damaged: its own words, exit code 7, no try counted. Doctor and
status name it, the others go on, and what the hint says mends it."""

import subprocess

import pytest
from conftest import PIN, ROOT
from gi.repository import Gio, GLib
from innards import change_pin_record, failures, items_of, keyring, put_item, remove_items, session_bus
from tiqr import enrolled, make_site, site  # noqa: F401
from test_enroll import Waiting
from tokens import server, token  # noqa: F401
from v2 import sign_in


def damages(item, other):
    """What a keyring may return in the place of an item."""
    return {"empty": b"", "cut off": item.secret[:9], "garbage": b"\x5a" * len(item.secret), "another item's": other.secret}


def put(item, content):
    put_item(item.label, item.attributes, content, session_bus())


def check_of(home, name, **options):
    checks = home.run("doctor", "--json", **options).json["checks"]
    return next(check for check in checks if check["name"] == name)


@pytest.mark.parametrize("damage", ["empty", "cut off", "garbage", "another item's"])
@pytest.mark.parametrize("kind", ["key", "token"])
def test_a_banks_item(connected, bank, kind, damage):
    connected.enroll(bank, name="second")
    bank.pay()
    named = {i.attributes["id"]: i for i in items_of(connected, kind)}
    broken, other = named.values()
    kept = broken.secret
    put(broken, damages(broken, other)[damage])

    result = connected.run("pending", "--json")
    assert result.code == 0 and len(result.json["authorizations"]) == 1, result
    [failure] = result.json["failures"]
    found = "it is empty" if damage == "empty" else "it is not what was stored there"
    assert failure["kind"] == "damaged" and f"{kind} for this connection is damaged ({found})" in failure["message"]
    assert failure["hint"].endswith(f"countersign reconnect {failure['connection']}"), failure
    assert connected.run("pending", "--strict").code == 7
    assert connected.run("show", f"{failure['connection']}:1").code == 7
    assert failures(connected) == 0
    # With the PIN each is opened; without it those that cannot be sealed are seen.
    check = check_of(connected, "keyring-items")
    assert not check["ok"] and f"1 {kind} is damaged" in check["message"], check
    assert f"{kind} for this connection is damaged" in check_of(connected, f"connection {failure['connection']}")["message"]
    if damage in ("empty", "cut off"):
        assert not check_of(connected, "keyring-items", pin=False)["ok"]
        status = connected.json("status", pin=False)
        assert f"1 {kind} is damaged" in status["damaged"] and f"1 {kind} is damaged" in connected.ok("status", pin=False).out

    put(broken, kept)
    assert connected.json("pending")["failures"] == [] and check_of(connected, "keyring-items")["ok"]


@pytest.mark.parametrize("kind", ["key", "token"])
@pytest.mark.parametrize("damage", ["empty", "garbage", "gone"])
def test_its_hint_leads_on(connected, bank, kind, damage):
    """Connected again, it has a new key and token."""
    [broken] = items_of(connected, kind)
    if damage == "gone":
        remove_items(broken.path)
    else:
        put(broken, damages(broken, broken)[damage])
    result = connected.run("pending")
    assert result.code == 7 and result.err.strip().endswith("countersign reconnect demobank"), result
    reconnecting = Waiting(connected, "reconnect", "demobank")
    assert sign_in(reconnecting.page)[0] == 200 and reconnecting.end() == 0, reconnecting.said
    bank.pay()
    assert len(connected.json("pending")["authorizations"]) == 1
    assert check_of(connected, "keyring-items")["ok"]


@pytest.mark.parametrize("damage", ["empty", "garbage"])
def test_a_push_tokens_key(token, damage):  # noqa: F811
    [broken] = items_of(token, "key")
    put(broken, damages(broken, broken)[damage])
    result = token.run("pending")
    assert result.code == 7 and "key for this connection is damaged" in result.err, result
    assert failures(token) == 0 and not check_of(token, "keyring-items")["ok"]


@pytest.mark.parametrize("damage", ["empty", "garbage"])
def test_a_tiqr_secret(enrolled, site, damage):  # noqa: F811
    [broken] = items_of(enrolled, "shared-secret")
    put(broken, damages(broken, broken)[damage])
    result = enrolled.run("show", "-", stdin=site.challenge() + "\n")
    assert result.code == 7 and "shared secret for this connection is damaged" in result.err, result
    assert failures(enrolled) == 0
    check = check_of(enrolled, "keyring-items")
    assert not check["ok"] and "1 shared secret is damaged" in check["message"], check


@pytest.mark.parametrize("damage", ["empty", "garbage", "another item's"])
def test_the_log_s_end(connected, bank, damage):
    bank.pay()
    item = connected.json("pending")["authorizations"][0]
    connected.ok("approve", item["ref"], "--fingerprint", item["fingerprint"])
    [broken] = items_of(connected, "log-head")
    [other] = items_of(connected, "token")
    put(broken, damages(broken, other)[damage])
    result = connected.run("history", "--verify")
    assert result.code == 1 and "the keyring's copy of the end was changed" in result.err, result
    assert not check_of(connected, "log")["ok"]
    if damage == "empty":
        assert "copy of the log's end is damaged" in connected.json("status", pin=False)["damaged"]
    assert "history --accept-log" in result.err
    connected.ok("history", "--accept-log")
    connected.ok("history", "--verify")
    assert "damaged" not in connected.json("status", pin=False)


@pytest.mark.parametrize("content", [b"", b"x" * 80])
def test_the_count_of_tries(connected, content):
    connected.write_pin("314159")
    assert connected.run("connections").code == 3
    [broken] = items_of(connected, "tries")
    put(broken, content)
    assert "its count of tries is damaged" in connected.json("status", pin=False)["damaged"]
    check = check_of(connected, "keyring-items", pin=False)
    assert not check["ok"] and check["hint"].endswith("the next PIN writes it anew: countersign connections"), check
    connected.write_pin(PIN)
    connected.ok("connections")
    assert "damaged" not in connected.json("status", pin=False)


def test_an_edited_series_brings_no_tries_back(home):
    """Whoever edits the database alone cannot void the keyring's count: the number of the series is proved by the device secret."""
    home.set_pin()
    home.write_pin("314159")
    for _ in range(4):
        assert home.run("connections").code == 3
    change_pin_record(home, lambda record: record.update(failures=0, series=record["series"] + 1))
    result = home.run("connections")
    assert result.code == 3 and "4 tries are left" in result.err, result
    change_pin_record(home, lambda record: record.update(failures=0, series=record["series"] + 7, block=None) or record.pop("seriesMark"))
    result = home.run("connections")
    assert result.code == 3 and home.json("status", pin=False)["tries_left"] == 4, result


# A keyring that returns what cannot be decrypted, as KWallet does with an empty item


class OddKeyring:
    """Tests/Support/odd-keyring on a bus of its own."""

    def __init__(self):
        report = 'echo "$DBUS_SESSION_BUS_ADDRESS"; exec cat'
        self.process = subprocess.Popen(
            [ROOT / "Tests/Support/with-secret-service", "--odd-keyring", "sh", "-c", report], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.address = self.process.stdout.readline().strip()

    def order(self, kind, how):
        keyring(self.address).call_sync(
            "org.freedesktop.secrets", "/org/countersign/test", "org.countersign.Test", "Order", GLib.Variant("(ss)", (kind, how)), None,
            Gio.DBusCallFlags.NONE, 20000, None)

    def end(self):
        self.process.communicate()


@pytest.fixture
def odd(home, bank):
    """A home with two connections whose keyring is an odd one."""
    odd = OddKeyring()
    try:
        home.environment["DBUS_SESSION_BUS_ADDRESS"] = odd.address
        home.set_pin().enroll(bank)
        home.odd = odd
        yield home
    finally:
        odd.end()


def test_what_cannot_be_decrypted(odd):
    odd.odd.order("device-secret", "undecodable")
    for pin in (PIN, "314159"):
        odd.write_pin(pin)
        result = odd.run("connections")
        assert result.code == 7 and "device secret in the keyring is damaged (it cannot be decrypted)" in result.err, result
        assert "pin reset" in result.err and "reconnect" not in result.err
    odd.write_pin(PIN)
    assert failures(odd) == 0
    assert "cannot be decrypted" in odd.json("status", pin=False)["damaged"]
    assert not check_of(odd, "keyring-items", pin=False)["ok"]
    odd.odd.order("device-secret", "honest")

    for kind in ("key", "token"):
        odd.odd.order(kind, "undecodable")
        result = odd.run("pending")
        assert result.code == 7 and f"{kind} for this connection is damaged (it cannot be decrypted)" in result.err, result
        assert f"1 {kind} is damaged" in odd.json("status", pin=False)["damaged"]
        odd.odd.order(kind, "honest")
    odd.odd.order("log-head", "undecodable")
    odd.ok("connections")
    odd.odd.order("log-head", "honest")
    assert failures(odd) == 0 and "damaged" not in odd.json("status", pin=False)


def test_a_pin_whose_device_secret_is_not_kept_is_not_set(home):
    odd = OddKeyring()
    try:
        home.environment["DBUS_SESSION_BUS_ADDRESS"] = odd.address
        odd.order("device-secret", "keep:")
        result = home.run("pin", "set")
        assert result.code == 7 and "the keyring did not keep a device secret" in result.err, result
        assert home.json("status", pin=False)["pin_set"] is False
        odd.order("device-secret", "honest")
        home.ok("pin", "set")
        home.ok("connections")
    finally:
        odd.end()
