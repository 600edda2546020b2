"""`revoke` asks on a terminal before it destroys anything; without one, and where it is told not to, it acts at once."""

import pytest
from conftest import finish


def test_revoke_asks_before_it_destroys(connected, bank):
    connected.enroll(bank, name="second").enroll(bank, name="third")
    child = connected.terminal("revoke", "second", "--pin-file", connected.pin_file, columns=200)
    child.expect(r"^127\.0\.0\.1:\d+ \(Demo Bank\): destroy key, token and record of second here, and tell the bank\? \[y/N\] ")
    child.sendline("")
    child.expect_exact("error: cancelled")
    assert finish(child) == 2 and len(connected.json("connections")["connections"]) == 3
    assert all(c["status"] == "active" for c in bank.get("connections"))
    child = connected.terminal("revoke", "second", "--pin-file", connected.pin_file)
    child.expect_exact("[y/N] ")
    child.sendline("y")
    child.expect_exact("Revoked: second")
    assert finish(child) == 0
    child = connected.terminal("revoke", "third", "--local-only", "--pin-file", connected.pin_file, columns=200)
    child.expect_exact("without telling the bank? [y/N] ")
    child.sendline("n")
    assert finish(child) == 2
    child = connected.terminal("revoke", "nordia", "--pin-file", connected.pin_file)
    child.expect_exact('error: no connection is called "nordia"')
    assert finish(child) == 4


@pytest.mark.parametrize("option", ["--yes", "--no-input"])
def test_revoke_asks_nothing_where_it_is_told_not_to(connected, option):
    child = connected.terminal("revoke", "demobank", option, "--pin-file", connected.pin_file)
    child.expect_exact("Revoked: demobank")
    assert finish(child) == 0 and "[y/N]" not in child.before


def test_revoke_without_a_terminal_acts_at_once(connected):
    assert connected.json("revoke", "demobank")["revoked"]["bank_told"] is True
