"""The main job, end to end."""


def test_enroll_see_approve_revoke(connected, bank):
    id = bank.pay()
    [item] = connected.json("pending")["authorizations"]
    assert item["ref"] == f"demobank:{id}"
    [decision] = connected.json("approve", item["ref"], "--fingerprint", item["fingerprint"])["decisions"]
    assert decision["outcome"] == "confirmed"
    assert bank.authorization(id)["status"] == "confirmed"
    assert connected.json("revoke", "demobank")["revoked"]["bank_told"] is True
    assert connected.json("connections")["connections"] == []
