"""What doctor says of issuers and of sessions, without the PIN."""

import pytest
from conftest import check_schema
from issuers import Issuer, signed_in


def judge(home, issuer, code=0):
    result = home.run("doctor", "--issuer", issuer, "--json", pin=False)
    assert result.code == code, result
    check_schema(["doctor"], result.json)
    return {check["name"]: check for check in result.json["checks"]}


def test_an_issuer_in_order(home):
    with Issuer() as issuer:
        checks = judge(home, issuer.issuer)
        assert set(checks) == {
            "openid document", "oauth document", "clock", "endpoints", "redirect", "code flow", "device flow", "client", "id token", "keys",
            "revocation", "browser"}
        assert checks["keys"]["message"] == "1 of them can be used"
        assert {call["route"] for call in issuer.calls} == {"openid", "oauth", "jwks"} and issuer.complaints == []
        text = home.ok("doctor", "--issuer", issuer.issuer, pin=False).out
        assert all(line.startswith("ok ") for line in text.splitlines())


@pytest.mark.parametrize("options, name, said", [
    ({"documents": []}, "issuer", "no document that can be used"),
    ({"metadata": {"issuer": "https://other.example"}}, "oauth document", "names another issuer"),
    ({"metadata": {"token_endpoint": None}}, "endpoints", "no token endpoint"),
    ({"metadata": {"code_challenge_methods_supported": ["plain"]}}, "endpoints", "PKCE"),
    ({"metadata": {"id_token_signing_alg_values_supported": ["HS256"]}}, "id token", "no algorithm that is verified"),
    ({"jwk": {"use": "enc"}}, "keys", "none of them can be used"),
    ({"metadata": {"jwks_uri": "http://127.0.0.1:1/"}}, "keys", "cannot be had"),
    ({"require_par": True, "metadata": {"pushed_authorization_request_endpoint": None}}, "pushed requests", "does not say where"),
])
def test_an_issuer_that_is_not(home, options, name, said):
    with Issuer(**options) as issuer:
        check = judge(home, issuer.issuer, code=1)[name]
        assert not check["ok"] and said in check["message"]


def test_what_a_person_should_know_of_an_issuer(home):
    with Issuer(registration=False, clock=400, documents=["oauth"], metadata={
            "revocation_endpoint": None, "authorization_endpoint": "https://page.example/", "authorization_response_iss_parameter_supported": None,
            "token_endpoint_auth_methods_supported": ["client_secret_basic"]}) as issuer:
        checks = judge(home, issuer.issuer)
        assert "HTTP 404" in checks["openid document"]["message"] and "ahead of" in checks["clock"]["message"]
        assert "--client-secret-file" in checks["client"]["hint"] and "does not promise" in checks["redirect"]["message"]
        assert "they run out" in checks["revocation"]["message"]
        lines = home.ok("doctor", "--issuer", issuer.issuer, pin=False).out.splitlines()
        assert sum(line.startswith("note") for line in lines) == 5
    assert home.run("doctor", "--issuer", "ftp://fern.example", pin=False).code == 64


def test_sessions_are_counted_without_the_pin(home):
    def check():
        checks = home.run("doctor", "--json", pin=False).json["checks"]
        return next(check for check in checks if check["name"] == "sessions")
    with signed_in(home.set_pin()) as issuer:
        assert check() == {"name": "sessions", "ok": True, "message": "1 session", "hint": None}
        issuer.fault("revoke", "drop", -1)
        home.ok("logout", "--all")
        # Refresh token, access token and registration.
        assert check()["message"] == "0 sessions; 3 tokens or registrations are still to be ended at issuers"
