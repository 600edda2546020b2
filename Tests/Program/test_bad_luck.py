"""What a hostile bank, a hostile page, another process or a moment of bad luck must not be able to do."""

import time

import pytest
from conftest import PIN, finish
from innards import sql, until
from v2 import Waiting, sign_in


@pytest.mark.parametrize("comes_next", [True, False], ids=["another vault", "no vault"])
def test_an_enrollment_into_a_destroyed_vault_keeps_nothing(home, bank, comes_next):
    """The browser is waited for; meanwhile the vault is destroyed, and perhaps a new one made. What only the old one could
    open must not be written: it would stand in the new one's way for good."""
    home.set_pin()
    waiting = Waiting(home, "enroll", "-", link=bank.link())
    home.ok("pin", "reset", "--yes", pin=False)
    if comes_next:
        home.set_pin_by_program()
    sign_in(waiting.page)
    code, _, err = waiting.finish()
    assert code == 3 and "no PIN is set" in err
    if not comes_next:
        home.set_pin_by_program()
    assert home.json("connections")["connections"] == []
    home.enroll_by_program(bank)
    assert [c["name"] for c in home.json("connections")["connections"]] == ["demobank"]


def test_ctrl_c_does_not_hide_what_became_of_a_decision(connected, bank):
    """The request has left: the interrupt waits, and the outcome is told, with its own exit code."""
    first, second = bank.pay(), bank.pay("Pay 1.00 EUR")
    bank.fault("authorizations.decide", delay_ms=2000)
    child = connected.terminal("approve", f"demobank:{first}", f"demobank:{second}", "--pin-file", connected.pin_file)
    until(lambda: sql(connected, "SELECT * FROM event"), 30)
    child.sendintr()
    child.expect(f"approved  demobank:{first}")
    assert finish(child) == 2, "the second was cancelled"
    assert bank.authorization(first)["status"] == "confirmed"
    assert bank.authorization(second)["status"] == "pending"


def test_ctrl_c_ends_the_wait_for_the_final_word(home, bank):
    home.set_pin().enroll(bank, protocol="v2")
    bank.post("settings", processing_polls=100_000)
    bank.pay()
    [item] = home.json("pending")["authorizations"]
    child = home.terminal("approve", item["ref"], "--pin-file", home.pin_file)
    child.expect("Waiting for the bank")
    child.sendintr()
    child.expect("the bank is still working on it", timeout=20)
    assert finish(child) == 9
    assert [d["outcome"] for d in home.json("history")["decisions"]] == ["processing"]


def test_a_pin_file_approves_only_what_was_named_in_full(connected, bank):
    """A beginning of an id serves who then looks at the card; a PIN file looks at nothing."""
    ids = [bank.pay() for _ in range(10)]
    named, other = next((a, b) for a in ids for b in ids if b.startswith(a) and a != b)
    bank.post(f"authorizations/{named}/close")
    child = connected.terminal("approve", f"demobank:{named}", "--pin-file", connected.pin_file)
    assert finish(child) in (4, 64)
    assert bank.authorization(other)["status"] == "pending"


def test_a_pin_typed_before_the_card_approves_nothing(connected, bank):
    id = bank.pay()
    child = connected.terminal("approve", f"demobank:{id}")
    child.expect("PIN: ")
    child.send(f"{PIN}\r{PIN}\r")
    child.expect("PIN to approve")
    child.send("\r")
    assert finish(child) == 2
    assert bank.authorization(id)["status"] == "pending"


def test_a_yes_pasted_with_the_link_confirms_no_hosts(home, bank):
    """A page can put more than a link into the clipboard."""
    home.set_pin()
    child = home.terminal("enroll", "--pin-file", home.pin_file)
    child.expect("Link: ")
    child.send(bank.link(instant=True) + "\ry\r")
    child.expect("the link is broken into lines")
    assert finish(child) == 64
    assert home.json("connections")["connections"] == []


def test_settings_that_cannot_be_read_are_not_passed_over(home):
    (home.path / "config/countersign/config.toml").mkdir(parents=True)
    result = home.run("connections", pin=False)
    assert result.code == 64 and "config.toml cannot be read" in result.err
