"""`login --from`: an issuer as a file describes it."""

import urllib.parse

import pytest
from conftest import PIN, finish
from issuers import Issuer, LoginRun, redirect_of, visit


@pytest.fixture
def home(home):
    return home.set_pin()


def write(path, **members):
    def value(v):
        if isinstance(v, list):
            return "[" + ", ".join(map(value, v)) + "]"
        return f'"{v}"'
    tables = {k: v for k, v in members.items() if isinstance(v, dict)}
    lines = [f"{k} = {value(v)}" for k, v in members.items() if k not in tables]
    for name, table in tables.items():
        lines += [f"[{name}]", *(f"{k} = {value(v)}" for k, v in table.items())]
    path.write_text("\n".join(lines) + "\n")
    return path


def sign_in(home, *args):
    run = LoginRun(home, *args)
    assert run.page, run.end()
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(run.page).query)
    visit(redirect_of(run.page))
    result = run.end()
    assert result.code == 0, result
    return query


def test_an_issuer_without_metadata(home, tmp_path):
    """With a secret and parameters of its own; what the file says goes for later logins and renewals, too."""
    secret = tmp_path / "secret"
    secret.write_text("s3cr3t-of-a-client\n")
    secret.chmod(0o600)
    with Issuer(documents=[], expires_in=12) as issuer:
        issuer.client("post", ["http://127.0.0.1/callback"], secret="s3cr3t-of-a-client", auth="post")
        issuer.resources = [issuer.api]
        path = write(
            tmp_path / "fern.toml", issuer=issuer.issuer, authorization_endpoint=issuer.base + "/authorize",
            token_endpoint=issuer.base + "/token", revocation_endpoint=issuer.base + "/revoke", jwks_uri=issuer.base + "/jwks",
            client_id="post", client_auth="post", client_secret_file=secret, redirect_uri="http://127.0.0.1/callback",
            scopes=["openid", "fern.read"], resources=[issuer.api], parameters={"ui_locales": "de"})
        said = f"the issuer file sends the issuer a secret from {secret}, and --yes does not cover that"
        result = home.run("login", "--from", path, "--yes", "--json", pin=False)
        assert result.code == 64 and result.json["error"]["message"] == said and issuer.calls == []
        query = sign_in(home, "--from", path, "--name", "fern", "--client-secret-file", secret)
        assert (query["ui_locales"], query["resource"], query["scope"]) == (["de"], [issuer.api], ["fern.read openid"])
        query = sign_in(home, "fern", "--parameter", "claims={}")
        assert (query["ui_locales"], query["claims"]) == (["de"], ["{}"])
        issuer.expire_access()
        assert home.ok("token", "--rejected", "-", stdin=home.ok("token").out).out
        assert home.json("logout", "fern")["signed_out"][0]["revoked"]
        assert not issuer.requests("openid") and not issuer.requests("oauth") and issuer.complaints == []


def test_a_person_sees_which_secret_a_file_takes(home, tmp_path):
    secret = tmp_path / "secret"
    secret.write_text("s3cr3t-of-a-client\n")
    secret.chmod(0o600)
    with Issuer() as issuer:
        path = write(
            tmp_path / "fern.toml", issuer=issuer.issuer, client_id="basic", client_secret_file=secret, redirect_uri="http://127.0.0.1/")
        child = home.terminal("login", "--from", path, columns=400)
        child.expect_exact("PIN: ")
        child.sendline(PIN)
        child.expect_exact(f"; sending it the secret in {secret}. Continue? [y/N] ")
        child.sendline("n")
        assert finish(child) == 2 and not issuer.requests("authorize") and not issuer.requests("token")


def test_resources_by_another_name(home, tmp_path):
    with Issuer() as issuer:
        path = write(tmp_path / "fern.toml", issuer=issuer.issuer, resources=["https://api.fern.example"], resource_parameter="audience")
        query = sign_in(home, "--from", path)
        assert query["audience"] == ["https://api.fern.example"] and "resource" not in query
        assert home.ok("token", "--rejected", "-", stdin=home.ok("token").out).out
        assert issuer.refreshes()[0]["form"]["audience"] == "https://api.fern.example"


ENDPOINTS = {"authorization_endpoint": "https://a.example/a", "token_endpoint": "https://a.example/t"}


@pytest.mark.parametrize("members, said", [
    ({}, "issuer: it is missing"), ({"issuer": "http://fern.example"}, "line 1: issuer: an https address is expected"),
    ({"issuer": "https://a.example", "colour": "red"}, "line 2: colour: there is no such setting"),
    ({"issuer": "https://a.example", "client_secret": "x"}, "client_secret: there is no such setting"),
    ({"issuer": "https://a.example", "revocation_endpoint": "https://a.example/r"}, "revocation_endpoint: it needs both"),
    ({"issuer": "https://a.example", "token_endpoint": "https://a.example/t"}, "token_endpoint: it needs both"),
    ({**ENDPOINTS, "jwks_uri": "https://a.example/k"}, "jwks_uri: ID tokens name their issuer"),
    ({"issuer": "https://a.example", "client_auth": "basic"}, "client_auth: it needs client_id"),
    ({"issuer": "https://a.example", "client_id": "x", "client_auth": "basic"}, "this client needs a secret"),
    ({"issuer": "https://a.example", "client_id": "x", "client_auth": "jwt"}, 'client_auth: "none", "basic" or "post" is expected'),
    ({"issuer": "https://a.example", "scopes": "openid"}, "scopes: a list of scopes is expected"),
    ({"issuer": "https://a.example", "parameters": {"state": "x"}}, "parameters.state: this parameter cannot be added"),
])
def test_a_file_that_cannot_be_used(home, tmp_path, members, said):
    result = home.run("login", "--from", write(tmp_path / "fern.toml", **members), "--json", pin=False)
    assert result.code == 64 and said in result.json["error"]["message"], result


def test_wrong_options(home, tmp_path):
    path = write(tmp_path / "fern.toml", issuer="https://a.example")
    assert home.run("login", "https://a.example", "--from", path).code == 64
    assert home.run("login", "--from", tmp_path / "gone.toml").code == 64
    assert home.run("login", "--from", path, "--redirect-uri", "http://127.0.0.1/").code == 64
    for parameter in ("hd", "scope=x", "=x"):
        assert "cannot be added" in home.run("login", "https://a.example", "--parameter", parameter).err
