"""What a hostile bank, a hostile page, another process or a moment of bad luck must not be able to do."""

import pytest
from v2 import Waiting, sign_in


@pytest.mark.parametrize("comes_next", [True, False], ids=["another vault", "no vault"])
def test_an_enrollment_into_a_destroyed_vault_keeps_nothing(home, bank, comes_next):
    """The browser is waited for; meanwhile the vault is destroyed, and perhaps a new one made. What only the old one could
    open must not be written: it would stand in the new one's way for good."""
    home.set_pin()
    waiting = Waiting(home, "enroll", "-", link=bank.link())
    home.ok("pin", "reset", "--yes", pin=False)
    if comes_next:
        home.set_pin()
    sign_in(waiting.page)
    code, _, err = waiting.finish()
    assert code == 3 and "no PIN is set" in err
    if not comes_next:
        home.set_pin()
    assert home.json("connections")["connections"] == []
    home.enroll(bank)
    assert [c["name"] for c in home.json("connections")["connections"]] == ["demobank"]
