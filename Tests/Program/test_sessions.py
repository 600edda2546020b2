"""The path of a session: login, token, header, renewal, sessions, logout, at an issuer that nobody here shares code with."""

import pytest
from agents import agents, configure, desktop  # noqa: F401
from conftest import check_schema
from issuers import Issuer, LoginRun, await_expiry, log_in, redirect_of, signed_in, signed_out, visit


@pytest.fixture
def home(home):
    return home.set_pin()


def get(issuer, token):
    return visit(issuer.api, {"Authorization": f"Bearer {token}"})[0]


def is_good(issuer, token):
    """Whether the service takes the token, whatever its scopes allow."""
    return get(issuer, token) in (200, 403)


def test_the_path(home):
    with Issuer(expires_in=20) as issuer:
        issuer.resources = [issuer.api]
        result, (status, headers, page) = log_in(
            home, issuer, "--name", "fern", "--scope", "openid", "--scope", "fern.read", "--resource", issuer.api)
        assert result.out == "Signed in: fern (mira@fern.example), renews by itself\n"
        assert status == 200 and "Signed in" in page
        assert (headers["Cache-Control"], headers["Referrer-Policy"]) == ("no-store", "no-referrer")

        # The token of the login does as long as it is good.
        first = home.ok("token", "--min-ttl", "0").out.strip()
        assert get(issuer, first) == 200
        assert home.ok("header", issuer.api + "/v1/me", "--min-ttl", "0").out == f"Authorization: Bearer {first}\n"
        assert issuer.refreshes() == []

        # Expired: renewed once, and then not again.
        issuer.expires_in = 3600
        issuer.expire_access()
        await_expiry(home)
        second = home.ok("token", "fern").out.strip()
        assert second != first and get(issuer, second) == 200
        assert home.ok("token", issuer.issuer).out.strip() == second
        assert len(issuer.refreshes()) == 1

        [session] = home.json("sessions")["sessions"]
        assert (session["name"], session["status"], session["account"], session["refreshable"]) == (
            "fern", "active", "mira@fern.example", True)
        assert session["scopes"] == ["fern.read", "openid"] and session["resources"] == [issuer.api]

        assert home.json("logout", "fern") == signed_out("fern")
        assert get(issuer, second) == 401 and not issuer.families[0].isAlive
        assert home.json("sessions") == {"sessions": []}
        assert home.run("token", "--json").json["error"]["kind"] == "not_found"
        assert issuer.complaints == []



def test_answers_have_their_schemas(home):
    with Issuer() as issuer:
        issuer.resources = [issuer.api]
        result, _ = log_in(home, issuer, "--json", "--resource", issuer.api)
        check_schema(["login"], result.json)
        assert result.json["session"]["kind"] == "openid"
        token = home.json("token")["token"]
        assert token["scopes"] == ["email", "openid", "profile"] and token["type"] == "Bearer"
        assert 0 < token["seconds_left"] <= 300
        header = home.json("header", issuer.api)
        assert header["headers"] == [{"name": "Authorization", "value": "Bearer " + token["value"]}]
        home.json("sessions")
        home.json("logout", "--all")
        assert home.ok("sessions").out == "Nobody is signed in. Sign in with: countersign login https://ISSUER\n"


def test_a_pasted_address(home):
    with Issuer() as issuer:
        run = LoginRun(home, issuer.issuer, callback="paste")
        address = redirect_of(run.page)
        result = run.end(f"https://elsewhere.example/?code=1\n{address}\n")
        assert result.code == 0, result
        assert "not the address that the issuer's page led to" in result.err
        assert is_good(issuer, home.ok("token").out.strip())


def test_the_end_of_the_pasted_input_ends_the_wait(home):
    with Issuer() as issuer:
        result = LoginRun(home, issuer.issuer, callback="paste").end("")
        assert result.code == 2, result
        assert home.json("sessions") == {"sessions": []}


def test_the_same_login_again_replaces_the_session_and_ends_the_old_token(home):
    with signed_in(home) as issuer:
        log_in(home, issuer)
        [session] = home.json("sessions")["sessions"]
        assert session["name"] == "issuer"
        assert [family.isAlive for family in issuer.families] == [False, True]
        # One registration serves both; where its port was taken meanwhile, the first one is deleted.
        assert [name[:4] for name in issuer.clients] == ["publ", "dyn-"]
        assert issuer.families[-1].client["client_id"] in issuer.clients
        log_in(home, issuer, "--name", "other", "--scope", "openid")
        assert [s["name"] for s in home.json("sessions")["sessions"]] == ["issuer", "other"]
        assert home.run("token", "--json").json["error"]["kind"] == "ambiguous"
        assert home.run("token").code == 4


def test_another_account_never_replaces_one(home):
    with signed_in(home) as issuer:
        before = home.ok("token").out
        issuer.subject = "ole"
        result, shown = again(home, issuer, "issuer")
        assert result.code == 8 and "somebody else signed in" in result.err, result
        assert shown[0] == 400 and "Not signed in" in shown[2]
        # What it gave is ended, and the session is as it was.
        assert [family.isAlive for family in issuer.families] == [True, False]
        assert home.ok("token").out == before


def test_a_session_of_nobody_becomes_the_one_of_whoever_signs_in(home):
    """By the hint as it is printed; then it is theirs alone."""
    with signed_in(home, "--name", "fern", "--scope", "fern.read") as issuer:
        assert home.json("sessions")["sessions"][0]["kind"] == "oauth"
        error = home.run("token", "--id-token", "--json").json["error"]
        assert error["hint"] == "ask for one: countersign login fern --scope fern.read --scope openid"
        log_in(home, *error["hint"].split()[5:])
        [session] = home.json("sessions")["sessions"]
        assert (session["name"], session["account"], session["scopes"]) == ("fern", "mira@fern.example", ["fern.read", "openid"])
        before = home.ok("token").out
        # Its issuer says of no token without `openid` whose it is.
        result, _ = log_in(home, "fern", "--scope", "fern.read", code=8)
        assert "does not say who signed in" in result.err and "countersign login fern --scope fern.read --scope openid" in result.err
        issuer.subject = "ole"
        assert "somebody else signed in" in log_in(home, "fern", code=8)[0].err
        assert [family.isAlive for family in issuer.families] == [False, True, False, False]
        assert home.ok("token").out == before
        # What was not granted is asked for with all the rest.
        result = home.run("token", "--scope", "fern.write")
        assert "countersign login fern --scope fern.read --scope fern.write --scope openid" in result.err


def test_what_a_login_says_afterwards(home):
    with Issuer(unknown_scope="drop", refresh_tokens=False) as issuer:
        issuer.resources = [issuer.api]
        result, _ = log_in(home, issuer.api, "--name", "fern", "--scope", "openid", "--scope", "fern.out")
        assert "The issuer did not grant: fern.out\n" in result.err
        assert "fern does not renew by itself: it lasts until " in result.err
        assert "hint: ask for more with: countersign login fern --offline\n" in result.err
        hint = f"countersign sites add {issuer.api} --session fern"
        assert f"hint: attach it to requests with: {hint}\n" in result.err
        home.ok(*hint.split()[1:], "--yes")
        issuer.refresh_tokens = True
        result, _ = log_in(home, "fern", "--scope", "openid", "--offline")
        assert "did not grant" not in result.err and "hint" not in result.err
        result, _ = log_in(home, issuer.api, "--name", "oak", "--scope", "openid")
        assert "sites add" not in result.err


def test_how_a_person_signed_in_is_shown(home):
    with signed_in(home, "--name", "fern", acr="urn:fern:strong", amr=["pwd", "o\x1b[2Jtp"], auth_time=1_700_000_000):
        shown = home.json("sessions", "show", "fern")
        assert shown["session"]["acr"] == "urn:fern:strong" and shown["session"]["authenticated_at"] == "2023-11-14T22:13:20Z"
        assert shown["amr"][0] == "pwd" and "\x1b" not in shown["amr"][1]
        text = home.ok("sessions", "show", "fern").out
        assert "urn:fern:strong" in text and "2023" in text and "pwd o" in text and "\x1b" not in text


def test_the_page_is_asked_for_in_the_language_of_the_command(home, agents):
    home.environment["LC_ALL"] = "fr_FR.UTF-8"
    with Issuer() as issuer:
        def asked(*args, **options):
            log_in(home, issuer, *args, **options)
            return issuer.requests("authorize")[-1]["query"].get("ui_locales")
        assert asked() == "fr-FR fr"
        agents(home).unlock()
        home.environment["LC_ALL"] = "de_AT.UTF-8"
        assert asked(pin=False) == "de-AT de"
        assert asked("--parameter", "ui_locales=nl", pin=False) == "nl"
        home.environment["LC_ALL"] = "C.UTF-8"
        assert asked(pin=False) is None
        configure(home, '[sessions]\nlanguages = ["nl-BE", "nl"]\n')
        assert asked(pin=False) == "nl-BE nl"
        assert issuer.complaints == []


def again(home, issuer, name):
    run = LoginRun(home, name)
    shown = visit(redirect_of(run.page))
    return run.end(), shown


def test_an_ended_session_can_be_signed_in_to_again(home):
    with signed_in(home, expires_in=12) as issuer:
        issuer.end()
        await_expiry(home)
        result = home.run("token", "--json")
        check_schema(["failure"], result.json)
        assert result.code == 3 and result.json["error"]["kind"] == "signed_out"
        assert result.json["error"]["hint"] == "countersign login issuer"
        [session] = home.json("sessions")["sessions"]
        assert (session["status"], session["reason"], session["refreshable"]) == ("ended", "rejected", False)
        # Nothing is sent for it any more.
        assert len(issuer.refreshes()) == 1
        assert home.run("token").code == 3 and len(issuer.refreshes()) == 1
        result, _ = again(home, issuer, "issuer")
        assert result.code == 0, result
        assert is_good(issuer, home.ok("token", "--min-ttl", "0").out.strip())


def test_an_issuer_without_refresh_tokens(home):
    with signed_in(home, refresh_tokens=False, expires_in=12) as issuer:
        [session] = home.json("sessions")["sessions"]
        assert (session["status"], session["refreshable"]) == ("active", False)
        await_expiry(home)
        result = home.run("token")
        assert result.code == 3 and "ran out" in result.err, result
        assert issuer.refreshes() == []
        assert home.json("sessions")["sessions"][0]["reason"] == "ran_out"


def test_a_plain_oauth_issuer(home):
    with Issuer(documents=["oauth"], metadata={"jwks_uri": None, "scopes_supported": ["fern.read"]}) as issuer:
        issuer.scopes = ["fern.read"]
        result, _ = log_in(home, issuer, "--scope", "fern.read", "--json")
        assert result.json["session"]["kind"] == "oauth" and result.json["session"]["account"] is None
        assert is_good(issuer, home.ok("token").out.strip())


def test_a_client_that_the_person_registered(home, tmp_path):
    with Issuer(registration=False) as issuer:
        result = home.run("login", issuer.issuer, "--yes", "--json")
        assert result.code == 64 and "--client-id" in result.json["error"]["hint"], result
        log_in(home, issuer, "--client-id", "public-client", "--redirect-uri", "http://127.0.0.1/callback")
        assert is_good(issuer, home.ok("token").out.strip())
        secret = tmp_path / "secret"
        secret.write_text("s3cr3t-of-a-client\n")
        secret.chmod(0o600)
        for auth in ("basic", "post"):
            issuer.client(auth, ["http://127.0.0.1/callback"], secret="s3cr3t-of-a-client", auth=auth)
            if auth == "post":
                issuer.metadata = {"token_endpoint_auth_methods_supported": ["client_secret_post"]}
            log_in(home, issuer, "--name", auth, "--client-id", auth, "--client-secret-file", secret,
                   "--redirect-uri", "http://127.0.0.1/callback")
            assert home.ok("token", auth).out
        secret.chmod(0o644)
        result = home.run("login", issuer.issuer, "--client-id", "basic", "--client-secret-file", secret)
        assert result.code == 64 and "others can read the client secret file" in result.err


def test_a_service_names_its_issuer(home):
    with Issuer() as issuer:
        issuer.resources = [issuer.api]
        log_in(home, issuer.api)
        assert home.json("sessions")["sessions"][0]["resources"] == [issuer.api]
        assert home.ok("header", issuer.api + "/x?y=1").out.startswith("Authorization: Bearer ")
        for other in (issuer.origin + "/apis", issuer.api + "/../token", issuer.api + "/%2e%2e/token",
                      issuer.api.replace("http://127.0.0.1", "http://localhost"), "https://fern.example/api"):
            result = home.run("header", other)
            assert (result.code, result.out) == (4, ""), result


def test_an_ended_session_does_not_stand_in_the_way_of_another(home):
    with Issuer(expires_in=12) as issuer:
        issuer.resources = [issuer.api]
        for name in ("fern", "oak"):
            log_in(home, issuer, "--name", name, "--resource", issuer.api)
        assert home.run("header", issuer.api, "--json").json["error"]["kind"] == "ambiguous"
        issuer.end_family(issuer.families[0])
        await_expiry(home, "fern")
        assert home.run("token", "fern").code == 3
        assert home.ok("header", issuer.api).out.startswith("Authorization: Bearer ")


def test_narrower_tokens(home):
    with signed_in(home, "--scope", "openid", "--scope", "fern.read", "--scope", "fern.write") as issuer:
        narrow = home.json("token", "--scope", "fern.read")["token"]
        assert narrow["scopes"] == ["fern.read"]
        assert home.json("token", "--scope", "fern.read")["token"]["value"] == narrow["value"]
        assert len(issuer.refreshes()) == 1
        assert home.json("token")["token"]["scopes"] == ["fern.read", "fern.write", "openid"]
        result = home.run("token", "--scope", "email")
        assert result.code == 5 and "was not granted: email" in result.err
        assert issuer.complaints == []
