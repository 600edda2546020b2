"""What tests write in the program's place is what the program writes (seeds.py)."""

import pytest
import seeds
from conftest import Home
from innards import items_of

# What every connection has of its own.
OWN = {"guid", "keyID", "id", "name", "createdAt", "updatedAt"}


def kinds(home, id):
    """Label, kind, schema and length of content of the items with this id, but the few bytes by which keys differ."""
    return sorted((i.label, i.attributes["kind"], i.attributes["xdg:schema"], len(i.secret) // 8) for i in items_of(home) if i.attributes["id"] == id)


@pytest.mark.parametrize("protocol", ["v1", "v2"])
@pytest.mark.parametrize("position", [None, True, False])
def test_a_seeded_connection_is_stored_as_an_enrolled_one(home, bank, protocol, position):
    bank.post("settings", geolocation_required=position)
    home.set_pin().enroll_by_program(bank, protocol=protocol, name="enrolled").enroll(bank, protocol=protocol)
    enrolled, seeded = seeds.rows(home)
    assert set(enrolled) == set(seeded)
    assert {name: enrolled[name] for name in set(enrolled) - OWN} == {name: seeded[name] for name in set(seeded) - OWN}
    assert enrolled["createdAt"] == pytest.approx(seeded["createdAt"], abs=60)
    assert len(str(enrolled["guid"])) == len(seeded["guid"]) and len(enrolled["keyID"]) == len(seeded["keyID"])
    assert kinds(home, enrolled["keyID"]) == kinds(home, seeded["keyID"])
    [one, other] = bank.get("connections")
    own = {"id", "public_key", "return_url", "created_at", "push_token"}
    assert {name: one[name] for name in set(one) - own} == {name: other[name] for name in set(other) - own}


@pytest.mark.parametrize("protocol", ["v1", "v2"])
def test_a_seeded_connection_gets_the_name_that_the_program_gives(home, other_home, bank, protocol):
    home.set_pin().enroll(bank, protocol=protocol)
    other_home.set_pin().enroll_by_program(bank, protocol=protocol)
    assert [c["name"] for c in seeds.rows(home)] == [c["name"] for c in seeds.rows(other_home)]
