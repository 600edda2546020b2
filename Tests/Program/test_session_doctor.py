"""What doctor says of issuers and of sessions, without the PIN."""

import os

import pytest
from agents import agents  # noqa: F401
from conftest import PROGRAM, check_schema
from issuers import Issuer, log_in, signed_in


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
    ({"metadata": {"issuer": "https://other.example"}}, "oauth document", "names the issuer"),
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


def check(home, name, pin=False, **options):
    """The check of this name; None where there is none."""
    checks = home.run("doctor", "--json", pin=pin, **options).json["checks"]
    return next((check for check in checks if check["name"] == name), None)


def test_sessions_are_counted_without_the_pin(home):
    with signed_in(home.set_pin()) as issuer:
        assert check(home, "sessions") == {"name": "sessions", "ok": True, "message": "1 session", "hint": None}
        assert check(home, "issuer-clocks") is None
        log_in(home, issuer, "--name", "oak")
        issuer.fault("revoke", "drop", -1)
        home.ok("logout", "oak")
        # Refresh token and access token; the first session has the same registration.
        assert check(home, "sessions")["message"] == "1 session; 2 tokens or registrations are still to be ended at issuers"
        assert "with your PIN: countersign unlock" in check(home, "sessions")["hint"]
        issuer.faults.clear()
        home.ok("logout", "--all")
        assert check(home, "sessions")["message"] == "0 sessions"


def test_one_token_is_owed(home):
    # The access token is over, and nobody made this registration.
    client = ["--client-id", "public-client", "--redirect-uri", "http://127.0.0.1/callback"]
    with signed_in(home.set_pin(), *client, expires_in=5) as issuer:
        issuer.fault("revoke", "drop", -1)
        home.ok("logout", "--all")
        assert check(home, "sessions")["message"] == "0 sessions; 1 token or registration is still to be ended at issuers"


def test_sessions_that_ended_are_named(home, agents):
    """To whoever may see them: with a PIN file, or beside an agent that has them at hand."""
    with signed_in(home.set_pin(), "--name", "fern", "--until", "1h") as issuer:
        log_in(home, issuer, "--name", "oak")
        issuer.families[1].good.clear()
        issuer.expire_access()
        assert home.run("token", "oak", "--rejected", "-", stdin=home.ok("token", "oak", "--min-ttl", "0").out).code == 3
        agents(home).unlock()
        for pin in (True, False):
            found = check(home, "sessions", pin)
            assert found["message"].startswith("2 sessions; fern ends 20"), found
            assert found["message"].endswith("; oak ended: no longer accepted")
            assert found["hint"] == "sign in again: countersign login oak" and found["ok"]
        home.ok("lock", pin=False)
        assert check(home, "sessions")["message"] == "2 sessions"


def test_clocks_of_issuers(home):
    with signed_in(home.set_pin()) as issuer:
        assert check(home, "issuer-clocks", True) == {
            "name": "issuer-clocks", "ok": True, "message": "they agree with this computer's", "hint": None}
        issuer.clock = -400
        found = check(home, "issuer-clocks", True)
        assert found["message"].startswith(issuer.origin.removeprefix("http://") + " is ") and "s behind" in found["message"]
        assert "time synchronisation" in found["hint"] and found["ok"]
        host = issuer.origin.removeprefix("http://")
    assert check(home, "issuer-clocks", True)["message"] == f"not told by {host}"


def test_the_helper_of_git(home, tmp_path):
    """Nothing is said of it to whoever has no use for it."""
    (tmp_path / "bin").mkdir()
    helper = tmp_path / "bin/git-credential-countersign"
    place = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": str(tmp_path / "gitconfig")}
    config = tmp_path / "gitconfig"
    config.write_text("")

    def found():
        return check(home, "git-helper", environment=place)
    with signed_in(home.set_pin()):
        assert found() is None
        config.write_text('[credential "https://git.fern.example"]\n\thelper =\n\thelper = countersign\n')
        missing = found()
        assert not missing["ok"] and missing["message"] == "git is told to ask git-credential-countersign, which is not in PATH"
        assert missing["hint"].startswith(f"ln -s {os.path.realpath(PROGRAM)} ~/.local/bin/git-credential-countersign")
        assert home.run("doctor", pin=False, environment=place).code == 1
        helper.symlink_to(PROGRAM)
        assert found() == {"name": "git-helper", "ok": True, "message": f"git asks {helper}", "hint": None}
        config.write_text(f"[credential]\n\thelper = {tmp_path}/no/git-credential-countersign --verbose\n")
        assert found()["message"] == f"git is told to ask {tmp_path}/no/git-credential-countersign, which is not there"
        config.write_text("[credential]\n\thelper = !echo countersign\n\thelper = store\n")
        assert "git is not told to ask it" in found()["message"] and found()["ok"]
        helper.unlink()
        helper.symlink_to("/usr/bin/true")
        config.write_text("[credential]\n\thelper = countersign\n")
        assert found()["message"] == f"git asks {helper}, which is another program than this one"
        home.ok("logout", "--all")
        config.write_text("")
        assert found() is None
