"""Issuers and services as they are: names written in several ways, audiences beside ours, documents that moved, and what an issuer does
at a registration."""

import urllib.parse

import pytest
from conftest import check_schema
from issuers import Issuer, LoginRun, await_expiry, log_in, redirect_of, signed_in, visit
from test_issuer_files import sign_in, write


@pytest.fixture
def home(home):
    return home.set_pin()


def fails(home, *args, code, kind, **options):
    result = home.run(*args, "--json", **options)
    check_schema(["failure"], result.json)
    assert (result.code, result.json["error"]["kind"]) == (code, kind), result
    return result.json["error"]


def registrations(issuer):
    return [name for name in issuer.clients if name.startswith("dyn-")]


# Documents


def test_documents_that_moved(home):
    """Within the origin they are followed, elsewhere not, and that is said."""
    with Issuer(moved="/index.php/oidc") as issuer:
        log_in(home, issuer, "--name", "fern")
        checks = home.json("doctor", "--issuer", issuer.issuer, pin=False)["checks"]
        assert all(check["ok"] for check in checks), checks
        issuer.moved = None
        for route in "openid", "oauth":
            issuer.fault(route, "redirect", to="https://other.example/x", status=301, times=-1)
        message = fails(home, "login", issuer.issuer, "--yes", code=6, kind="unreachable")["message"]
        assert 'it redirects to another origin, "https://other.example/x", which is not followed' in message
        issuer.faults.clear()
        for route in "openid", "oauth":
            issuer.fault(route, "redirect", to=issuer.origin + "/.well-known/openid-configuration", status=302, times=-1)
        message = fails(home, "login", issuer.issuer, "--yes", code=6, kind="unreachable")["message"]
        assert "it redirects more than 3 times" in message


@pytest.mark.parametrize("target, place, resource", [
    ("/api/v1/me", "/api", "ORIGIN/api"), ("/api/v1", "/api", "ORIGIN"), ("/api", "/api", "ORIGIN/"), ("/api/v1", "", "ORIGIN"),
    ("", "", "ORIGIN"), ("", "", "ORIGIN/"), ("/moss/x", "", "ORIGIN")])
def test_a_service_whose_description_is_about_more(home, target, place, resource):
    """`login` takes it as `sites add` does."""
    with Issuer(path="/o", resource_place=place) as issuer:
        resource = resource.replace("ORIGIN", issuer.origin)
        issuer.resource_metadata, issuer.resources = {"resource": resource}, [resource]
        run = LoginRun(home, issuer.origin + target, "--name", "fern")
        assert run.page, run.end()
        assert visit(redirect_of(run.page))[0] == 200 and run.end().code == 0
        assert home.json("sessions")["sessions"][0]["resources"] == [resource]
        assert home.json("sites", "add", issuer.origin + target, "--yes")["site"]["verified"] == "metadata"


def test_a_service_whose_description_is_about_another(home):
    with Issuer(path="/o") as issuer:
        issuer.resource_metadata = {"resource": issuer.api + "/v2"}
        message = fails(home, "login", issuer.api + "/v1", "--yes", code=8, kind="changed")["message"]
        assert message.endswith(f'is about "{issuer.api}/v2", which does not cover {issuer.api}/v1')


# Addresses


def test_an_address_with_an_escaped_control_character_gets_no_token(home):
    with signed_in(home, "--name", "fern") as issuer:
        home.ok("sites", "add", issuer.api, "--yes")
        assert home.ok("header", issuer.api + "/a%20b").out
        for path in "/a%00", "/%0d%0aX", "/%1F", "/%7f", "/%C2%85":
            assert fails(home, "header", issuer.api + path, code=4, kind="not_found")
            assert "control characters" in home.run("sites", "match", issuer.api + path).out
        assert home.run("sites", "add", issuer.api + "/%00", "--yes").code == 64
