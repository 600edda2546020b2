"""Sites: which service gets the tokens of which session, bound by what the service says of itself."""

import hashlib

import pytest
from agents import agents  # noqa: F401
from conftest import PIN, check_schema, finish
from issuers import Issuer, log_in, signed_in, visit

SCOPES = ("--scope", "openid", "--scope", "fern.read", "--scope", "fern.write")


@pytest.fixture
def home(home):
    return home.set_pin()


def header(home, *args, **more):
    """The value of the header that `header` prints."""
    return home.ok("header", *args, **more).out.removeprefix("Authorization: ").strip()


def test_the_path_of_a_site(home):
    with signed_in(home, *SCOPES, "--name", "fern") as issuer:
        me = issuer.api + "/me"
        assert home.run("header", me).code == 4
        site = home.json("sites", "add", issuer.api, "--session", "fern", "--scope", "fern.read")["site"]
        assert (site["prefix"], site["host"], site["verified"], site["scopes"]) == (issuer.api, None, "metadata", ["fern.read"])
        assert home.json("sites")["sites"] == [site]
        assert all(issuer.origin.encode() not in path.read_bytes() for path in home.files())
        # `token` for this address is no wider.
        assert home.json("token", me)["token"]["scopes"] == ["fern.read"]
        assert home.json("token", me, "--scope", "fern.write")["token"]["scopes"] == ["fern.write"]
        answer = home.json("header", me, "--method", "GET")
        assert (answer["site"], answer["session"], answer["resource"]) == (site["id"], "fern", None)
        [given] = answer["headers"]
        assert visit(me, {given["name"]: given["value"]})[0] == 200

        # The service wants more: that much is granted, so it is asked for.
        status, headers, _ = visit(me, {"Authorization": given["value"]}, method="POST")
        assert status == 403
        wider = header(home, me, "--challenge", "-", stdin=f"WWW-Authenticate: {headers['WWW-Authenticate']}\n")
        assert visit(me, {"Authorization": wider}, method="POST")[0] == 200
        result = home.run("header", me, "--challenge", 'Bearer error="insufficient_scope", scope="fern.admin"')
        assert result.code == 5 and "--scope fern.admin" in result.err, result
        result = home.run("header", me, "--challenge", "Bearer error=insufficient_user_authentication, acr_values=gold", "--json")
        assert result.json["error"]["hint"] == "countersign login fern --acr gold" and result.code == 3

        # What no token answers is not called unknown.
        result = home.run("header", me, "--challenge", 'Basic realm="x", Digest')
        assert result.code == 4 and "asks for no token that is spoken here, but for: basic, digest" in result.err, result

        # Which one, and why.
        other = home.json("sites", "add", issuer.origin.removeprefix("http://"), "--yes")["site"]
        match = home.json("sites", "match", me, "--challenge", "Bearer")
        assert match["match"] == {"site": site["id"], "session": "fern"}
        assert [c["fits"] for c in match["candidates"]] == [True, True]
        result = home.run("sites", "match", issuer.origin + "/x", "--json")
        check_schema(["sites", "match"], result.json)
        assert result.code == 4 and result.json["match"] is None
        assert {c["site"]: c["why"] for c in result.json["candidates"]} == {
            site["id"]: "the path does not lie under it",
            other["id"]: "it is for requests that were answered with a challenge"}
        home.json("sites", "remove", other["id"])
        assert home.run("sites", "remove", other["id"]).code == 4

        # What the service says of itself now.
        assert home.json("sites", "check")["checks"][0]["ok"] is True
        issuer.fault("resource", "change", **{"with": {"authorization_servers": ["https://oak.example"]}})
        result = home.run("sites", "check", site["id"], "--json")
        check_schema(["sites", "check"], result.json)
        assert result.code == 1 and [f["ok"] for f in result.json["checks"][0]["fields"]] == [True, False, True, True]

        home.ok("logout", "fern")
        assert home.ok("sites").out.startswith("No site has a session.")
        assert issuer.complaints == []


def test_beside_an_agent_the_pin_binds_and_nothing_else_takes_it(home, agents):
    with signed_in(home, *SCOPES, "--name", "fern") as issuer:
        agent = agents(home).unlock()
        assert home.json("sites", pin=False) == {"sites": []}
        child = home.terminal("sites", "add", issuer.api, "--scope", "fern.read")
        child.expect("Service: " + issuer.api)
        child.expect("Session: fern")
        child.expect("The service says that it belongs to this issuer")
        child.expect("PIN to allow")
        child.sendline("314159")
        child.expect("PIN to allow")
        assert home.json("sites", pin=False) == {"sites": []}
        child.sendline(PIN)
        child.expect("Bound: ")
        assert finish(child) == 0
        [site] = home.json("sites", pin=False)["sites"]
        assert site == home.json("sites")["sites"][0] and site["verified"] == "metadata"
        match = home.json("sites", "match", issuer.api + "/me", pin=False)
        assert match["match"] == {"site": site["id"], "session": "fern"}
        assert home.run("sites", "match", issuer.origin + "/x", pin=False).code == 4
        assert home.json("sites", "check", pin=False)["checks"][0]["ok"] is True
        # Other programs have nothing to do with them.
        for method, path in (("GET", "/sites"), ("POST", "/sites/match"), ("DELETE", f"/sites/{site['id']}")):
            assert agent.request(method, path).status == 403, path
        assert home.json("sites", "remove", issuer.api, pin=False) == {"removed": {"id": site["id"]}}
        assert home.run("sites", "remove", site["id"], pin=False).code == 4
        # What nobody but the person says stands above the PIN; a PIN file says nothing.
        issuer.fault("resource", "answer", status=404, times=-1)
        assert home.run("sites", "add", issuer.api).code == 3
        child = home.terminal("sites", "add", issuer.api)
        child.expect("does not say which issuer it belongs to")
        child.expect("PIN to allow")
        child.sendline("")
        assert finish(child) == 2 and home.json("sites", pin=False) == {"sites": []}
        assert home.json("sites", "add", issuer.api, "--yes")["site"]["verified"] == "person"
        agent.stop()
        # Without one, the PIN opens, and the PIN binds.
        child = home.terminal("sites", "add", issuer.api + "/v2")
        child.expect("PIN: ")
        child.sendline(PIN)
        child.expect("Service: ")
        child.expect("PIN to allow")
        child.sendline("314159")
        child.expect("PIN to allow")
        child.sendline(PIN)
        child.expect("Bound: ")
        assert finish(child) == 0 and len(home.json("sites")["sites"]) == 2


def test_what_a_service_says_of_itself_decides(home):
    with signed_in(home, "--name", "fern") as issuer:
        issuer.fault("resource", "change", **{"with": {"authorization_servers": ["https://oak.example"]}})
        result = home.run("sites", "add", issuer.api, "--yes", "--json")
        assert result.code == 8 and "authorization_servers" in result.json["error"]["message"], result
        # Where it says nothing, somebody must say yes; a redirect that leads to no description is none.
        for fault in ({"what": "redirect", "to": issuer.issuer}, {"what": "html"}):
            issuer.fault("resource", times=-1, **fault)
            result = home.run("sites", "add", issuer.api)
            assert result.code == 3 and "add --yes" in result.err, result
            issuer.faults.clear()
        issuer.fault("resource", "answer", status=404, times=-1)
        assert home.json("sites", "add", issuer.api, "--yes")["site"]["verified"] == "person"
        issuer.fault("resource", "error", error="x", status=503)
        issuer.faults.reverse()
        assert home.run("sites", "add", issuer.api + "/v2", "--yes").code == 6
        for wrong in ("http://fern.example", "https://fern.example/?x", "fern.example/x"):
            assert home.run("sites", "add", wrong, "--yes").code == 64
        assert home.run("sites", "add", issuer.api + "/v3", "--scope", "fern.admin").code == 5
        result = home.run("sites", "add", issuer.api + "/", "--yes")
        assert result.code == 64 and "already has a site" in result.err, result


def test_a_rejected_token_is_renewed_once(home):
    """Named by its digest, by itself, or by the service's challenge."""
    with Issuer() as issuer:
        issuer.resources = [issuer.api]
        log_in(home, issuer, "--name", "fern", "--scope", "fern.read", "--resource", issuer.api)
        first = header(home, issuer.api).removeprefix("Bearer ")
        digest = hashlib.sha256(first.encode()).hexdigest()[:16]
        # A challenge does not say whose token it is about, and this one is new.
        assert first in home.ok("header", issuer.api, "--challenge", 'Bearer error="invalid_token"').out
        second = header(home, issuer.api, "--rejected", digest).removeprefix("Bearer ")
        assert second != first and visit(issuer.api, {"Authorization": "Bearer " + second})[0] == 200
        # Who had the old one gets the new one.
        assert second in home.ok("token", "fern", "--rejected", digest).out
        result = home.run("token", "fern", "--rejected", "-", stdin=second + "\n")
        assert result.code == 5 and "does not accept fresh tokens" in result.err, result
        assert len(issuer.refreshes()) == 1
        assert home.run("token", "--rejected", "abc").code == 64
