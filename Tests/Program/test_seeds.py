"""What tests write in the program's place is what the program writes (seeds.py)."""

import pytest
import seeds
from innards import items_of
from push import PushServer
from tiqr import Site

# What every connection has of its own.
OWN = {"guid", "keyID", "id", "name", "createdAt", "updatedAt"}


def kinds(home, id):
    """Label, kind, schema and length of content of the items with this id, but the few bytes by which keys differ."""
    return sorted(
        (i.label, i.attributes["kind"], i.attributes["xdg:schema"], len(i.secret) // 8) for i in items_of(home)
        if i.attributes["id"] == id)


def compare(home):
    """The home has two connections: one that the program enrolled, and one that was seeded after it."""
    enrolled, seeded = seeds.rows(home)
    assert set(enrolled) == set(seeded)
    assert {name: enrolled[name] for name in set(enrolled) - OWN} == {name: seeded[name] for name in set(seeded) - OWN}
    assert enrolled["createdAt"] == pytest.approx(seeded["createdAt"], abs=60)
    assert len(enrolled["guid"]) == len(seeded["guid"]) and len(enrolled["keyID"]) == len(seeded["keyID"])
    assert kinds(home, enrolled["keyID"]) == kinds(home, seeded["keyID"])


@pytest.mark.parametrize("protocol", ["v1", "v2"])
@pytest.mark.parametrize("position", [None, True, False])
def test_a_seeded_connection_is_stored_as_an_enrolled_one(home, bank, protocol, position):
    bank.post("settings", geolocation_required=position)
    home.set_pin().enroll_by_program(bank, protocol=protocol, name="enrolled").enroll(bank, protocol=protocol)
    compare(home)
    [one, other] = bank.get("connections")
    own = {"id", "public_key", "return_url", "created_at", "push_token"}
    assert {name: one[name] for name in set(one) - own} == {name: other[name] for name in set(other) - own}


@pytest.mark.parametrize("protocol", ["v1", "v2"])
def test_a_seeded_connection_gets_the_name_that_the_program_gives(home, other_home, bank, protocol):
    home.set_pin().enroll(bank, protocol=protocol)
    other_home.set_pin().enroll_by_program(bank, protocol=protocol)
    assert [c["name"] for c in seeds.rows(home)] == [c["name"] for c in seeds.rows(other_home)]


def test_a_seeded_push_token_is_stored_as_an_enrolled_one(home):
    server = PushServer()
    home.set_pin().ok("enroll", "-", "--yes", "--name", "enrolled", stdin=server.token() + "\n")
    seeds.connect_push(home, server)
    server.stop()
    compare(home)
    enrolled, seeded = server.tokens.values()
    assert seeded.key.key_size == enrolled.key.key_size and seeded.isRolledOut == enrolled.isRolledOut
    assert len(seeded.pubkey) == len(enrolled.pubkey)


def test_a_seeded_tiqr_account_is_stored_as_an_enrolled_one(home):
    site = Site()
    home.set_pin().ok("enroll", "-", "--yes", "--name", "enrolled", stdin=site.enrollment_link() + "\n")
    seeds.connect_tiqr(home, site, user="ada")
    site.stop()
    compare(home)
    assert len(site.accounts["ada"]) == len(site.accounts["mira"])
