"""Issuers and services as they are: names written in several ways, audiences beside ours, documents that moved, and what an issuer does
at a registration."""

import urllib.parse

import pytest
from agents import agents  # noqa: F401
from conftest import check_schema
from innards import until
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


# Names


def spelled(address):
    """The same origin, as somebody else may write it."""
    return address.replace("http://", "HTTP://")


@pytest.mark.parametrize("path", ["", "/", "/o"])
def test_a_name_is_compared_by_one_rule(home, path):
    """By hand, in a service's metadata, in redirects, in ID tokens; and what the issuer says of itself is what is shown."""
    with Issuer(path=path, expires_in=11) as issuer:
        other = spelled(issuer.origin) + ("" if path == "/" else path or "/")
        issuer.id_token, issuer.redirect = {"iss": other}, {"iss": other}
        issuer.openid_metadata = {"issuer": other}
        issuer.resources, issuer.resource_metadata = [issuer.api], {"authorization_servers": [other]}
        log_in(home, spelled(issuer.issuer), "--name", "fern")
        [session] = home.json("sessions")["sessions"]
        assert session["issuer"] == other
        await_expiry(home)
        issuer.expires_in = 3600
        token = home.ok("token", issuer.issuer).out
        assert token == home.ok("token", other).out == home.ok("token", "fern").out and len(issuer.refreshes()) == 1
        assert home.json("sites", "add", issuer.api, "--yes")["site"]["verified"] == "metadata"
        run = LoginRun(home, issuer.api, "--issuer", issuer.issuer, "--name", "elm")
        assert visit(redirect_of(run.page))[0] == 200 and run.end().code == 0
        # One registration serves both.
        assert len(issuer.requests("register")) == 1 and issuer.complaints == []


def test_an_issuer_file_with_the_name_in_another_form(home, tmp_path):
    with Issuer() as issuer:
        path = write(
            tmp_path / "fern.toml", issuer=spelled(issuer.issuer) + "/", authorization_endpoint=issuer.base + "/authorize",
            token_endpoint=issuer.base + "/token", jwks_uri=issuer.base + "/jwks", client_id="public-client", scopes=["openid"],
            redirect_uri="http://127.0.0.1/callback")
        sign_in(home, "--from", path, "--name", "fern")
        assert home.json("sessions")["sessions"][0]["issuer"] == spelled(issuer.issuer) + "/"
        assert home.ok("token", issuer.issuer).out


@pytest.mark.parametrize("told", ["https://other.example/\x1b[2J", "http://127.0.0.1:1/o", "x", 7])
def test_both_names_are_shown(home, told):
    with Issuer() as issuer:
        issuer.metadata = {"issuer": told}
        message = fails(home, "login", issuer.issuer, "--yes", code=8, kind="changed")["message"]
        assert ("names no issuer" if told == 7 else 'names the issuer "' + told.partition("\x1b")[0]) in message
        assert message.endswith(f' instead of "{issuer.issuer}"') and "\x1b" not in message
        issuer.metadata, issuer.id_token = {}, {"iss": told}
        run = LoginRun(home, issuer.issuer, "--json")
        visit(redirect_of(run.page))
        message = run.end().json["error"]["message"]
        assert "the ID token cannot be used: it names" in message and f' instead of "{issuer.issuer}"' in message


def test_the_port_of_http_stays_in_a_redirect_address(home):
    """The browser leaves it out of the address that is pasted."""
    with Issuer(any_port=False) as issuer:
        issuer.client("eighty", ["http://127.0.0.1:80/cb"])
        run = LoginRun(home, issuer.issuer, "--client-id", "eighty", "--redirect-uri", "http://127.0.0.1:80/cb", callback="paste")
        assert run.redirect_uri == "http://127.0.0.1:80/cb"
        result = run.end(redirect_of(run.page).replace(":80/", "/") + "\n")
        assert result.code == 0, result


# ID tokens


def test_an_id_token_for_several_programs(home, tmp_path):
    """Taken where `azp` is this client, at a renewal as well; the others are shown. An issuer file can demand that there are none."""
    with Issuer(expires_in=11) as issuer:
        client = ("--client-id", "public-client", "--redirect-uri", "http://127.0.0.1/callback", "--name")
        issuer.id_token = {"aud": ["project\x1b[2J", "public-client"], "azp": "public-client"}
        log_in(home, issuer, *client, "fern")
        await_expiry(home)
        assert home.ok("token").out and len(issuer.refreshes()) == 1
        assert home.json("sessions")["sessions"][0]["status"] == "active"
        [token] = [token for token in home.json("sessions", "show", "fern")["tokens"] if token["kind"] == "id"]
        assert len(token["other_audiences"]) == 1 and token["other_audiences"][0].startswith("project")
        shown = home.ok("sessions", "show", "fern").out
        assert "ID token, also for project" in shown and "\x1b" not in shown

        issuer.id_token = {"aud": ["project", "public-client"]}
        result, _ = log_in(home, issuer, *client, "oak", "--json", code=8)
        assert "it is for other programs, too" in result.json["error"]["message"]
        # At a renewal that costs the ID token, and not the session.
        await_expiry(home)
        assert home.ok("token").out and home.json("sessions")["sessions"][0]["status"] == "active"

        issuer.id_token["azp"] = "public-client"
        for audiences, code in ([], 8), (["project"], 0):
            path = write(tmp_path / "fern.toml", issuer=issuer.issuer, client_id="public-client", id_token_audiences=audiences,
                         redirect_uri="http://127.0.0.1/callback")
            run = LoginRun(home, "--from", path, "--name", "elm")
            visit(redirect_of(run.page))
            assert run.end().code == code
        # The session keeps what the file says.
        issuer.id_token["aud"].append("more")
        run = LoginRun(home, "elm")
        visit(redirect_of(run.page))
        assert run.end().code == 8


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


# What the page must ask


def test_what_the_page_must_ask(home, tmp_path):
    with Issuer(refresh_tokens="consent") as issuer:
        run = LoginRun(home, issuer.issuer, "--name", "fern")
        visit(redirect_of(run.page))
        assert "ask for more with: countersign login fern --offline" in run.end().err
        query = sign_in(home, "fern", "--prompt", "consent", "--prompt", "select_account")
        assert query["prompt"] == ["consent select_account"] and home.json("sessions")["sessions"][0]["refreshable"]
        assert fails(home, "login", "fern", "--prompt", "none", code=64, kind="usage")
        path = write(tmp_path / "fern.toml", issuer=issuer.issuer, prompt=["select_account"])
        assert sign_in(home, "--from", path, "--name", "oak")["prompt"] == ["select_account"]
        assert sign_in(home, "oak", "--offline", "--fresh")["prompt"] == ["login consent select_account"]


def test_a_refresh_token_that_google_gives_only_after_consent(home):
    """The hint works in the state that gave it."""
    with Issuer(refresh_tokens="consent", expires_in=11) as issuer:
        # It does not know the parameter.
        run = LoginRun(home, issuer.issuer, "--name", "fern", "--parameter", "access_type=offline")
        visit(redirect_of(run.page))
        assert "ask for more with: countersign login fern --prompt consent\n" in run.end().err
        await_expiry(home)
        hint = fails(home, "token", code=3, kind="signed_out")["hint"]
        assert hint == "countersign login fern --prompt consent"
        run = LoginRun(home, *hint.split()[2:])
        visit(redirect_of(run.page))
        assert "ask for more" not in run.end().err and home.json("sessions")["sessions"][0]["refreshable"]
        query = urllib.parse.parse_qs(urllib.parse.urlsplit(run.page).query)
        assert (query["access_type"], query["prompt"]) == (["offline"], ["consent"])


# Registrations


@pytest.mark.parametrize("methods", [["client_secret_basic"], ["client_secret_post"], None])
def test_a_secret_that_was_given_unasked_and_is_demanded(home, methods):
    """It is kept, and used for all that comes."""
    way = "post" if methods == ["client_secret_post"] else "basic"
    with Issuer(secret_for_public="demanded", metadata={"token_endpoint_auth_methods_supported": methods}) as issuer:
        run = LoginRun(home, issuer.issuer, "--name", "fern")
        [name] = registrations(issuer)
        issuer.clients[name]["auth"] = way
        visit(redirect_of(run.page))
        result = run.end()
        assert result.code == 0, result
        assert home.ok("token", "--rejected", "-", stdin=home.ok("token").out).out
        assert len(issuer.requests("register")) == 1 and len(issuer.requests("token", "authorization_code")) == 2
        assert home.json("logout", "fern")["signed_out"][0]["revoked"] and registrations(issuer) == []


@pytest.mark.parametrize("management", [True, False])
def test_registrations_do_not_pile_up(home, management):
    """A login that fails deletes what it registered, or leaves it for the next login; and the hint names another way."""
    with Issuer(management=management) as issuer:
        for _ in range(3):
            issuer.fault("token", "error", error="invalid_client", status=401)
            result, _ = log_in(home, issuer, "--json", code=5)
            assert result.json["error"]["hint"] == (
                "register a client with a secret there, then: "
                f"countersign login {issuer.issuer} --client-id ID --redirect-uri URI --client-secret-file PATH")
            assert len(registrations(issuer)) == (0 if management else 1)
        log_in(home, issuer, "--name", "fern")
        assert len(registrations(issuer)) == 1 and issuer.complaints == []
        assert home.ok("token", "--rejected", "-", stdin=home.ok("token").out).out
        # The session has it now.
        log_in(home, issuer, "--name", "oak", "--scope", "openid")
        assert len(registrations(issuer)) == 1


@pytest.mark.parametrize("is_agent", [False, True])
def test_a_registration_that_cannot_be_deleted_now_is_taken_by_the_next_login(home, agents, is_agent):
    if is_agent:
        agents(home).unlock()
    with Issuer(consent="refuse") as issuer:
        issuer.fault("unregister", "error", error="busy", status=503, times=-1)
        for _ in range(2):
            log_in(home, issuer, code=5, pin=not is_agent)
            until(lambda: len(issuer.requests("unregister")) == 1, 30)
            assert len(registrations(issuer)) == 1
        issuer.consent = "allow"
        log_in(home, issuer, pin=not is_agent)
        assert len(registrations(issuer)) == 1
        issuer.faults.clear()
        home.ok("logout", "--all", "--yes", pin=not is_agent)
        assert registrations(issuer) == []


# Addresses


def test_an_address_with_an_escaped_control_character_gets_no_token(home):
    with signed_in(home, "--name", "fern") as issuer:
        home.ok("sites", "add", issuer.api, "--yes")
        assert home.ok("header", issuer.api + "/a%20b").out
        for path in "/a%00", "/%0d%0aX", "/%1F", "/%7f", "/%C2%85":
            assert fails(home, "header", issuer.api + path, code=4, kind="not_found")
            assert "control characters" in home.run("sites", "match", issuer.api + path).out
        assert home.run("sites", "add", issuer.api + "/%00", "--yes").code == 64
