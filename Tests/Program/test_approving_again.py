"""A payment like one that was approved minutes ago takes its amount, in whatever front end it is approved."""

import pytest

from agents import agents
from conftest import PIN, finish

PAYMENT = {"payment": {"payee": "Fern Books", "amount": "9.90 EUR", "account": "AT00 1234"}}


def pay(home, bank):
    bank.pay("Payment", PAYMENT)
    return home.json("pending")["authorizations"][-1]["ref"]


@pytest.mark.parametrize("with_agent", [False, True], ids=["alone", "agent"])
def test_approve_on_a_terminal_asks_for_the_amount_of_the_same_payment(home, bank, agents, with_agent):
    home.set_pin().enroll(bank, protocol="v2")
    bank.post("settings", processing_polls=0)
    if with_agent:
        agents(home).unlock()
    for number in range(3):
        ref = pay(home, bank)
        child = home.terminal("approve", ref)
        if not with_agent:
            child.expect_exact("PIN: ")
            child.sendline(PIN)
        if number:
            child.expect_exact("You approved the same a few minutes ago. Type the amount to approve it again: ")
            child.sendline("9.90 EUR" if number == 1 else "9.80 EUR")
        if number < 2:
            child.expect_exact("PIN to approve (empty cancels): ")
            child.sendline(PIN)
            child.expect_exact("confirmed by the bank")
            assert finish(child) == 0
        else:
            child.expect_exact("that is not the amount; nothing was sent")
            assert finish(child) == 2
            assert bank.authorization(ref.split(":")[1])["status"] == "pending"


def test_a_script_that_names_the_content_is_not_asked(home, bank):
    """It approved by the fingerprint: nobody is there to type an amount."""
    home.set_pin().enroll(bank, protocol="v2")
    bank.post("settings", processing_polls=0)
    for _ in range(2):
        pay(home, bank)
        [item] = home.json("pending")["authorizations"]
        home.ok("approve", item["ref"], "--fingerprint", item["fingerprint"])
