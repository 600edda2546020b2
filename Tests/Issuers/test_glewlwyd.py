"""A session at glewlwyd, an OpenID provider that nobody here wrote. Run by `make test-issuers`, which installs it from Debian."""

import pathlib
import sys

import pytest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("Program", "Support")]

from conftest import check_schema, home, pytest_configure  # noqa: E402, F401
from glewlwyd_server import REDIRECT, Browser, Glewlwyd  # noqa: E402
from issuers import DeviceRun, LoginRun, await_expiry, run_many, visit  # noqa: E402

# Refuses to run outside a private session, where a person's own keyring would be used.
pytest_configure(None)


@pytest.fixture
def start(tmp_path):
    """Starts servers."""
    running = []

    def begin(**plugin):
        place = tmp_path / f"glewlwyd{len(running)}"
        place.mkdir()
        running.append(Glewlwyd(place, **plugin))
        return running[-1]
    yield begin
    for server in running:
        server.stop()


def log_in(home, server, *args):
    run = LoginRun(home, server.issuer, "--client-id", "native", "--redirect-uri", REDIRECT, "--scope", "openid", "--scope", "fern", *args)
    assert run.page, run.end()
    shown = visit(server.sign_in(run.page))
    result = run.end()
    assert result.code == 0 and shown[0] == 200, (result, shown)
    return result


def who(server, token):
    """What userinfo answers to a token."""
    return Browser().call("GET", server.issuer + "/userinfo", headers={"Authorization": f"Bearer {token}"})[0]


def test_login_token_renewal_logout(home, start):
    home.set_pin()
    server = start(**{"access-token-duration": 12})
    result = log_in(home, server, "--name", "fern", "--json")
    check_schema(["login"], result.json)
    session = result.json["session"]
    assert (session["kind"], session["refreshable"], session["scopes"]) == ("openid", True, ["fern", "openid"])
    tokens = set()
    # Each refresh token is good once here: four renewals in a row.
    for _ in range(4):
        await_expiry(home)
        token = home.ok("token", "fern").out.strip()
        assert who(server, token) == 200
        tokens.add(token)
    assert len(tokens) == 4
    assert home.json("logout", "fern")["signed_out"][0]["name"] == "fern"
    assert home.json("sessions") == {"sessions": []}


def test_one_renewal_for_many_processes(home, start):
    """At this provider two renewals at once end the login for good."""
    home.set_pin()
    server = start(**{"access-token-duration": 60})
    log_in(home, server)
    first = home.ok("token").out
    for _ in range(2):
        await_expiry(home)
        results = run_many(home, 20, "token")
        assert {r.code for r in results} == {0} and len({r.out for r in results}) == 1, results
        assert results[0].out != first and who(server, results[0].out.strip()) == 200
        first = results[0].out


def test_an_unknown_scope_is_left_out(home, start):
    """The provider says so, and the session has what was granted."""
    home.set_pin()
    server = start()
    run = LoginRun(home, server.issuer, "--client-id", "native", "--redirect-uri", REDIRECT, "--scope", "openid", "--scope", "unknown")
    visit(server.sign_in(run.page))
    result = run.end()
    assert result.code == 0 and home.json("sessions")["sessions"][0]["scopes"] == ["openid"], result


def test_a_code_that_is_entered_elsewhere(home, start):
    """The device flow; the provider gives an ID token in it."""
    home.set_pin()
    server = start()
    run = DeviceRun(home, server, "--client-id", "native", "--scope", "openid", "--scope", "fern", "--json")
    assert run.shown, run.end()
    server.enter(run.shown[1])
    result = run.end()
    assert result.code == 0 and result.json["session"]["kind"] == "openid", result
    assert who(server, home.ok("token").out.strip()) == 200
