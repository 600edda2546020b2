"""Wrong input, untrusted text of issuers, forged redirects, and that no secret of a session stands anywhere in clear."""

import concurrent.futures
import contextlib
import json
import pathlib
import signal
import socket
import sqlite3
import subprocess
import threading
import time

import pytest
from agents import agents  # noqa: F401
from conftest import Home, check_schema, finish
from innards import all_bytes, items_of, until
from issuers import DeviceRun, Issuer, LoginRun, log_in, near, redirect_of, signed_in, signed_out, visit


@pytest.fixture
def home(home):
    return home.set_pin()


@pytest.fixture
def issuer():
    with Issuer() as issuer:
        yield issuer


def fails(home, *args, code, kind, **options):
    result = home.run(*args, "--json", **options)
    check_schema(["failure"], result.json)
    assert (result.code, result.json["error"]["kind"]) == (code, kind), result
    return result.json["error"]


# Wrong input


@pytest.mark.parametrize("args", [
    ["login", "ftp://fern.example"], ["login", "http://fern.example"], ["login", "https://user@fern.example"],
    ["login", "https://fern.example", "--name", "-x"], ["login", "https://fern.example", "--scope", 'a"b'],
    ["login", "https://fern.example", "--resource", "api"], ["login", "https://fern.example", "--timeout", "0"],
    ["login", "https://fern.example", "--max-age", "-1"], ["login", "https://fern.example", "--redirect-uri", "http://127.0.0.1/"],
    ["login", "https://fern.example", "--client-secret-file", "x"], ["token", "--min-ttl", "-1"], ["token", "--scope", "ä"],
    ["header"], ["header", "fern.example"], ["header", "http://fern.example/"], ["logout"], ["logout", "fern", "--all"],
])
def test_wrong_usage(home, args):
    fails(home, *args, code=64, kind="usage")


@pytest.mark.parametrize("args", [["token"], ["token", "fern"], ["header", "https://fern.example"], ["logout", "fern"], ["login", "fern"]])
def test_nobody_is_signed_in(home, args):
    assert "countersign login" in fails(home, *args, code=4, kind="not_found")["hint"]


def test_without_an_issuer_and_a_terminal(home):
    error = fails(home, "login", "--yes", code=3, kind="locked")
    assert error["message"] == "no issuer is given, and there is no terminal to ask for it" and "argument" in error["hint"]
    error = fails(home, "enroll", "--yes", code=3, kind="locked")
    assert error["message"] == "no link is given, and there is no terminal to ask for it" and "standard input" in error["hint"]


def test_names_that_are_not_there(home):
    with signed_in(home, "--name", "fern"):
        error = fails(home, "token", "fen", code=4, kind="not_found")
        assert error["message"] == 'no session is called "fen"' and 'did you mean "fern"?' in error["hint"]
        assert fails(home, "logout", "fern", "oak", code=4, kind="not_found")
        assert len(home.json("sessions")["sessions"]) == 1


def test_a_name_that_is_taken(home):
    with signed_in(home, "--name", "fern") as issuer:
        fails(home, "login", issuer.issuer, "--name", "fern", code=64, kind="usage")
        assert issuer.requests("register")[1:] == []


def test_without_a_pin_and_without_anybody_to_ask(home):
    for args in (["login", "https://fern.example"], ["token"], ["header", "https://fern.example"], ["sessions"], ["logout", "x"]):
        fails(home, *args, "--no-input", pin=False, code=3, kind="locked")


def test_the_hosts_are_confirmed_before_anything_is_made(home, issuer):
    error = fails(home, "login", issuer.issuer, code=3, kind="locked")
    assert issuer.origin.removeprefix("http://") in error["message"] and "--yes" in error["hint"]
    assert issuer.requests("register") == [] and issuer.requests("authorize") == []


def test_the_hosts_of_a_mix_up_are_told_apart(home, issuer):
    """A hostile issuer names the page of an honest one, and takes the codes itself."""
    host = issuer.origin.removeprefix("http://")
    issuer.metadata = {"authorization_endpoint": "https://honest.example/authorize", "revocation_endpoint": "https://third.example/revoke",
                       "authorization_response_iss_parameter_supported": None}
    message = fails(home, "login", issuer.issuer, code=3, kind="locked")["message"]
    assert (f"Sign in at {host} (the page is at honest.example; codes and tokens go to {host}; other calls go to third.example), asking for"
            in message)
    assert "the page is not at the issuer, which does not promise to prove that it is its own" in message
    issuer.metadata["authorization_response_iss_parameter_supported"] = True
    assert "does not promise" not in fails(home, "login", issuer.issuer, code=3, kind="locked")["message"]


def test_endpoints_that_are_not_used_are_not_read(home, issuer):
    issuer.metadata = {"end_session_endpoint": "x", "userinfo_endpoint": 7, "device_authorization_endpoint": "ftp://fern.example",
                       "pushed_authorization_request_endpoint": "", "revocation_endpoint": "#", "registration_endpoint": "/"}
    client = ("--client-id", "public-client", "--redirect-uri", "http://127.0.0.1/callback")
    log_in(home, issuer, *client)
    # Where one is needed, it is named.
    error = fails(home, "login", issuer.issuer, "--device", "--name", "oak", "--yes", code=5, kind="refused")
    assert error["message"].startswith('the issuer\'s device_authorization_endpoint is "ftp://fern.example"')
    error = fails(home, "login", issuer.issuer, "--name", "oak", "--yes", code=64, kind="usage")
    assert error["message"] == 'the issuer\'s registration_endpoint is "/", which is no address that is called'
    issuer.require_par = True
    error = fails(home, "login", "issuer", "--yes", "--no-browser", code=8, kind="changed")
    assert 'pushed_authorization_request_endpoint is ""' in error["message"]
    issuer.require_par, issuer.metadata["jwks_uri"] = False, ""
    error = fails(home, "login", "issuer", "--yes", "--no-browser", code=8, kind="changed")
    assert 'jwks_uri is ""' in error["message"]
    log_in(home, issuer, *client, "--scope", "fern.read", "--name", "elm")


def test_a_session_keeps_its_name_when_it_is_signed_in_to_again(home):
    with signed_in(home, "--name", "fern"):
        error = fails(home, "login", "fern", "--name", "oak", "--yes", code=64, kind="usage")
        assert "keeps its name" in error["message"]


def test_a_client_secret_file_without_a_secret(home, issuer, tmp_path):
    empty = tmp_path / "secret"
    empty.write_text("\n")
    empty.chmod(0o600)
    fails(home, "login", issuer.issuer, "--yes", "--client-id", "x", "--client-secret-file", empty, code=64, kind="usage")


def test_a_redirect_address_is_sent_as_it_is_registered(home, issuer):
    """Without a slash behind the host, which browsers put there."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        uri = f"http://127.0.0.1:{probe.getsockname()[1]}"
    issuer.client("bare", [uri])
    issuer.any_port = False
    run = LoginRun(home, issuer.issuer, "--client-id", "bare", "--redirect-uri", uri)
    assert run.redirect_uri == uri
    assert visit(redirect_of(run.page).replace(uri + "?", uri + "/?"))[0] == 200
    assert run.end().code == 0
    run = LoginRun(home, issuer.issuer, "--client-id", "bare", "--redirect-uri", uri, callback="paste")
    assert run.end(redirect_of(run.page).replace(uri + "?", uri + "/?") + "\n").code == 0


def test_a_person_says_no(home, issuer):
    child = home.terminal("login", issuer.issuer, "--pin-file", str(home.pin_file))
    child.expect("asking for: email openid profile; registering this program there. Continue")
    child.sendline("n")
    child.expect("cancelled")
    child.wait()
    assert child.exitstatus == 2 and issuer.requests("register") == []


# Where no issuer is


def test_an_address_without_an_issuer(home, issuer):
    issuer.documents = []
    error = fails(home, "login", issuer.issuer, "--yes", code=6, kind="unreachable")
    assert "login --from FILE" in error["hint"]
    assert ".well-known/openid-configuration" in error["message"] and ".well-known/oauth-authorization-server" in error["message"]


def test_a_service_that_names_a_page_alone_is_shown_with_the_way_out(home, issuer):
    challenge = 'Bearer authorization_uri="https://moss.example/authorize?x=%1b"'
    issuer.fault("api", "answer", status=401, body="", times=-1, headers=[["WWW-Authenticate", challenge]])
    issuer.fault("resource", "answer", status=404, body="")
    error = fails(home, "login", issuer.api + "/me", "--yes", code=6, kind="unreachable")
    assert f"{issuer.api}/me: it names only a page, https://moss.example/authorize?x=" in error["message"]
    assert "login --from FILE" in error["hint"]


def test_a_service_with_several_issuers(home, issuer, agents):
    """The person says which, by the agent as well."""
    issuer.other_issuers, issuer.resources = ["https://moss.example"], [issuer.api]
    error = fails(home, "login", issuer.api, "--yes", code=4, kind="ambiguous")
    assert f"names several issuers: https://moss.example, {issuer.issuer}" in error["message"] and "--issuer" in error["hint"]
    assert fails(home, "login", issuer.api, "--issuer", "moss", code=64, kind="usage")
    assert f'names as its issuers "https://moss.example", "{issuer.issuer}", and not "https://oak.example"' in fails(
        home, "login", issuer.api, "--issuer", "https://oak.example", "--yes", code=8, kind="changed")["message"]
    assert f'it names the issuer "{issuer.issuer}" instead of "https://oak.example"' in fails(
        home, "login", issuer.issuer, "--issuer", "https://oak.example", "--yes", code=6, kind="unreachable")["message"]
    fails(home, "login", "--from", "x", "--issuer", "https://oak.example", "--yes", code=64, kind="usage")
    for is_agent in False, True:
        if is_agent:
            agents(home).unlock()
        run = LoginRun(home, issuer.api, "--issuer", issuer.issuer, pin=not is_agent)
        assert visit(redirect_of(run.page))[0] == 200 and run.end().code == 0
        assert home.json("sessions")["sessions"][0]["resources"] == [issuer.api]


def test_an_issuer_that_does_not_answer(home, issuer):
    issuer.stop()
    fails(home, "login", issuer.issuer, "--yes", code=6, kind="unreachable")


def test_a_document_of_another_issuer(home, issuer):
    issuer.metadata = {"issuer": "https://other.example"}
    error = fails(home, "login", issuer.issuer, "--yes", code=8, kind="changed")
    assert f'names the issuer "https://other.example" instead of "{issuer.issuer}"' in error["message"]


def test_an_issuer_without_pkce(home, issuer):
    issuer.metadata = {"code_challenge_methods_supported": ["plain"]}
    fails(home, "login", issuer.issuer, "--yes", code=5, kind="refused")


# The page's answer


def answer(home, issuer, ends, redirect):
    """A login whose redirect is other than it should be; the failure and what the browser was shown."""
    issuer.redirect = redirect
    result, shown = log_in(home, issuer, "--json", code=ends)
    assert home.json("sessions") == {"sessions": []}
    return result, shown


@pytest.mark.parametrize("word, code, kind", [
    ("access_denied", 5, "refused"), ("invalid_request", 5, "refused"), ("unauthorized_client", 5, "refused"),
    ("invalid_scope", 5, "refused"), ("invalid_target", 5, "refused"), ("server_error", 6, "unreachable"),
    ("temporarily_unavailable", 6, "unreachable"), ("login_required", 3, "signed_out"),
    ("unmet_authentication_requirements", 5, "refused"), ("fern_is_out", 5, "refused"),
])
def test_errors_of_the_page(home, issuer, word, code, kind):
    result, (status, _, page) = answer(
        home, issuer, code, {"code": None, "error": word, "error_description": "said \x1b[2J\u202eso", "error_uri": "https://fern.example/\x1b[2J"})
    error = result.json["error"]
    assert error["kind"] == kind and f"the issuer says: {word}" in error["message"]
    assert "\x1b" not in result.out + result.err and "\u202e" not in result.out + page
    assert "it names a page about this: https://fern.example/" in error["message"]
    assert status == 400 and word not in page
    assert issuer.requests("token") == []


def stored(home):
    """What the home's database holds, row by row, but the count of PINs."""
    with contextlib.closing(sqlite3.connect(f"file:{home.state / 'ledger.sqlite'}?mode=ro", uri=True)) as ledger:
        return [line for line in ledger.iterdump() if not line.startswith('INSERT INTO "pin"')]


def test_an_error_leaves_a_session_that_is_signed_in_to_again(home, issuer):
    log_in(home, issuer, "--name", "fern")
    token, before = home.ok("token", "fern").out, stored(home)
    for word, code in (("access_denied", 5), ("unauthorized_client", 5), ("server_error", 6), ("login_required", 3), ("fern_is_out", 5)):
        issuer.redirect = {"code": None, "error": word}
        log_in(home, "fern", code=code)
    issuer.redirect = {"iss": "https://other.example"}
    result, _ = log_in(home, "fern", "--json", code=8)
    assert "nothing was sent" in result.json["error"]["message"] and "link that somebody sent" in result.json["error"]["hint"]
    assert len(issuer.requests("token")) == 1
    assert stored(home) == before and home.ok("token", "fern").out == token


@pytest.mark.parametrize("fault, code, kind, words", [
    ({"what": "error", "error": "invalid_grant"}, 5, "refused", "the code was not accepted"),
    ({"what": "error", "error": "invalid_client", "status": 401}, 5, "refused", "the client dyn-"),
    ({"what": "html"}, 9, "unknown", "nothing was kept"),
    ({"what": "change", "with": {"token_type": "mac"}}, 5, "refused", "a kind of token"),
    ({"what": "error", "error": "slow", "status": 503}, 6, "unreachable", "HTTP 503"),
    ({"what": "redirect", "to": "https://fern.example/"}, 5, "refused", "redirect"),
])
def test_a_code_that_brings_no_session(home, issuer, fault, code, kind, words):
    issuer.fault("token", **fault)
    result, (status, _, _) = log_in(home, issuer, "--json", code=code)
    error = result.json["error"]
    assert error["kind"] == kind and words in error["message"] and status == 400, error
    assert home.json("sessions") == {"sessions": []} and len(issuer.requests("token")) == 1
    # Nothing that was granted stays good, and the registration is deleted again.
    assert fault["what"] != "change" or not issuer.families[0].isAlive
    assert [name for name in issuer.clients if name.startswith("dyn-")] == []


@pytest.mark.parametrize("redirect, word", [
    ({"iss": "https://other.example"}, 'names the issuer "https://other.example" instead of "http://127.0.0.1:'),
    ({"iss": None}, "does not name its issuer"),
    ({"iss": "https://other.example", "error": "access_denied", "code": None}, 'names the issuer "https://other.example"'),
    ({"code": None}, "neither a code nor an error"), ({"code": ["a", "b"]}, "twice"), ({"code": "c" * 5000}, "neither a code"),
])
def test_a_redirect_that_contradicts_itself_ends_the_login(home, issuer, redirect, word):
    result, _ = answer(home, issuer, 8, redirect)
    error = result.json["error"]
    assert error["kind"] == "changed" and word in error["message"] and f"begin again: countersign login {issuer.issuer}" in error["hint"]
    assert issuer.requests("token") == []


def test_forged_redirects_do_not_end_the_wait(home, issuer):
    run = LoginRun(home, issuer.issuer)
    good = redirect_of(run.page)
    uri = run.redirect_uri
    port = uri.split(":")[2].split("/")[0]
    for address, expected in [
            (uri, 400), (f"{uri}?code=x&state=other", 400), (f"{uri}?code=x", 400), (f"{uri}?error=access_denied&state=", 400),
            (f"{uri}?code=x&state={run.state}&state={run.state}", 400), (f"http://127.0.0.1:{port}/callback/other?code=x&state={run.state}", 404),
            (f"{uri}/?code=x&state={run.state}", 404), (good.replace("127.0.0.1", "localhost"), 404)]:
        assert visit(address)[0] == expected, address
    for method in ("POST", "PUT", "HEAD"):
        assert visit(good, method=method)[0] == 404, method
    assert visit(good, {"Host": f"fern.example:{port}"})[0] == 404
    assert issuer.requests("token") == []
    # The second code is never sent: the first address ended the wait.
    issuer.fault("token", "delay", seconds=1)
    with concurrent.futures.ThreadPoolExecutor() as pool:
        first = pool.submit(visit, good)
        time.sleep(0.3)
        with contextlib.suppress(OSError):
            assert visit(good)[0] != 200
        assert first.result()[0] == 200
    assert run.end().code == 0
    assert len(issuer.requests("token")) == 1


def test_an_id_token_that_is_not_right_leaves_nothing(home, issuer):
    for fault in ({"sign": "foreign"}, {"sign": "none"}, {"id_token": {"nonce": "other"}}, {"id_token": {"aud": "other"}}):
        for name, value in fault.items():
            setattr(issuer, name, value)
        result, _ = log_in(home, issuer, "--json", code=8)
        assert result.json["error"]["kind"] == "changed"
        # Nobody sent a link; what the hint names says more.
        assert result.json["error"]["hint"] == "see what is wrong: countersign doctor --issuer URL; or ask the issuer"
        assert "id token" in home.run("doctor", "--issuer", issuer.issuer).out
        assert home.json("sessions") == {"sessions": []}
        # What it had given is ended.
        assert not issuer.families[-1].isAlive
        issuer.sign, issuer.id_token = "right", {}


def test_a_lost_answer_to_the_code_is_unknown_and_never_sent_again(home, issuer):
    issuer.fault("token", "after_drop")
    result, _ = log_in(home, issuer, "--json", code=9)
    assert result.json["error"]["kind"] == "unknown" and len(issuer.requests("token")) == 1
    assert home.json("sessions") == {"sessions": []}


def test_a_slow_issuer_is_waited_for_with_a_word(home, issuer):
    issuer.fault("openid", "delay", seconds=3)
    child = home.terminal("login", issuer.issuer, "--no-browser", "--pin-file", home.pin_file, columns=250)
    child.expect_exact("Looking for the issuer …")
    child.expect("Continue")
    child.sendline("n")
    assert finish(child) == 2
    result = home.run("login", issuer.issuer, "--no-browser")
    assert "Looking" not in result.err


def test_nobody_pastes_an_address(home, issuer):
    result = LoginRun(home, issuer.issuer, callback="paste").end("")
    assert result.code == 2 and "the input ended without the address" in result.err, result


def test_the_wait_runs_out(home, issuer):
    result = LoginRun(home, issuer.issuer, "--timeout", "0.02").end()
    assert result.code == 2 and "the wait for the issuer's page is over" in result.err


@pytest.mark.parametrize("number, code", [(signal.SIGINT, 2), (signal.SIGTERM, -signal.SIGTERM)], ids=["int", "term"])
@pytest.mark.parametrize("way", ["loopback", "paste", "device"])
@pytest.mark.parametrize("is_agent", [False, True], ids=["alone", "agent"])
def test_a_signal_leaves_nothing_of_a_login(home, issuer, agents, is_agent, way, number, code):
    if is_agent:
        agents(home).unlock()
    if way == "device":
        run = DeviceRun(home, issuer, pin=not is_agent)
    else:
        run = LoginRun(home, issuer.issuer, callback=way, pin=not is_agent)
    assert [name for name in issuer.clients if name.startswith("dyn-")] != []
    run.process.send_signal(number)
    run.process.wait(30)
    assert run.process.returncode == code
    assert until(lambda: [name for name in issuer.clients if name.startswith("dyn-")] == [])
    run.process.communicate()


def test_a_second_signal_ends_a_login_at_once(home, issuer):
    issuer.fault("token", "delay", seconds=10)
    run = LoginRun(home, issuer.issuer)
    browser = threading.Thread(target=lambda: quietly(redirect_of(run.page)))
    browser.start()
    until(lambda: issuer.requests("token"))
    run.process.send_signal(signal.SIGINT)
    while "interrupt again" not in run.talk:
        run.talk += run._line()
    run.process.send_signal(signal.SIGINT)
    assert run.process.wait(5) == 2
    browser.join(30)
    run.process.communicate()


def quietly(address):
    with contextlib.suppress(OSError):
        visit(address)


def test_a_signal_waits_for_the_tokens_of_a_code(home, issuer):
    """A code works once, so what it brings is stored."""
    issuer.fault("token", "after_delay", seconds=3)
    run = LoginRun(home, issuer.issuer)
    browser = threading.Thread(target=lambda: visit(redirect_of(run.page)))
    browser.start()
    until(lambda: issuer.requests("token"))
    run.process.send_signal(signal.SIGINT)
    result = run.end()
    browser.join(30)
    assert result.code == 0 and "Signed in" in result.out
    assert len(home.json("sessions")["sessions"]) == 1


def test_asked_for_freshly_and_strongly(home, issuer):
    """What the issuer did not do is noticed."""
    issuer.auth_time = time.time() - 4000
    result, _ = log_in(home, issuer, "--fresh", "--json", code=8)
    assert result.json["error"]["kind"] == "changed"
    # Without an ID token nothing would be noticed.
    error = fails(home, "login", issuer.issuer, "--yes", "--fresh", "--scope", "fern.read", code=64, kind="usage")
    assert "--scope openid" in error["hint"]
    issuer.auth_time = None
    log_in(home, issuer, "--fresh", "--account", "mira", "--max-age", "600")
    asked = issuer.requests("authorize")[-1]["query"]
    assert (asked["prompt"], asked["max_age"], asked["login_hint"]) == ("login", "0", "mira")
    result, _ = log_in(home, issuer, "--acr", "urn:fern:strong", "--json", code=8)
    issuer.acr = "urn:fern:strong"
    result, _ = log_in(home, issuer, "--acr", "urn:fern:strong", "--offline", "--json")
    assert result.json["session"]["acr"] == "urn:fern:strong"
    assert issuer.requests("authorize")[-1]["query"]["prompt"] == "consent" and "offline_access" in result.json["session"]["scopes"]
    assert issuer.complaints == []


def test_text_of_an_issuer_is_made_safe(home, issuer):
    issuer.subject = "mira\x1b]0;x\x07"
    issuer.claims = {"name": "Mira \u202eOak", "email": "mira\u200b@fern.example\nfern"}
    log_in(home, issuer)
    for args in (["sessions"], ["sessions", "--json"], ["token", "--json"]):
        out = home.ok(*args).out
        assert not set(out) & set("\x1b\x07\u202e\u200b"), out
    assert "⟨U+200B⟩" in home.ok("sessions").out


# Signing out


def test_an_issuer_that_cannot_be_told_is_told_later(home, issuer):
    log_in(home, issuer, "--name", "fern")
    issuer.fault("revoke", "error", error="temporarily_unavailable", status=503, times=-1)
    assert home.json("logout", "fern") == signed_out("fern", revoked=False, owed=True)
    assert home.json("sessions") == {"sessions": []} and issuer.families[0].isAlive
    issuer.faults.clear()
    log_in(home, issuer, "--name", "oak")
    assert [family.isAlive for family in issuer.families] == [False, True]


@pytest.mark.parametrize("revocation", ["empty", "client"])
def test_an_issuer_that_refuses_to_be_told(home, issuer, revocation):
    log_in(home, issuer, "--name", "fern")
    issuer.revocation = revocation
    result = home.ok("logout", "fern")
    assert result.out == "Signed out: fern (on this computer only; the issuer was not told)\n"


def test_an_issuer_that_ends_refresh_tokens_alone(home, issuer):
    """Access tokens that programs have live on, which the person must know."""
    issuer.revocation = "refresh"
    log_in(home, issuer, "--name", "fern")
    until = home.json("token", "fern")["token"]["expires_at"]
    log_in(home, issuer, "--name", "oak")
    answer = home.json("logout", "fern")
    [told] = [session["good_until"] for session in answer["signed_out"]]
    assert answer == signed_out("fern", good_until=told) and near(told, until)
    assert "oak (the issuer did not end every access token; who has one can use it until " in home.ok("logout", "oak").out


def test_a_refresh_token_that_comes_again_is_not_ended(home, issuer):
    """Some issuers give a new login the token that the one before it had."""
    log_in(home, issuer, "--name", "fern")
    [token] = issuer.families[0].good
    issuer.fault("token", "change", **{"with": {"refresh_token": token}})
    log_in(home, "fern")
    assert issuer.requests("revoke") == [] and issuer.families[0].isAlive


def test_a_logout_of_several_tells_what_became_of_each(home, issuer):
    """One of them is gone before its turn comes."""
    for name in ("ash", "birch", "cedar"):
        log_in(home, issuer, "--name", name)
    issuer.fault("revoke", "delay", seconds=8)
    process = subprocess.Popen(
        home.argv("logout", "ash", "birch", "cedar", "--json", "--pin-file", home.pin_file), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=home.environment, text=True)
    deadline = time.monotonic() + 60
    while not issuer.requests("revoke") and time.monotonic() < deadline:
        time.sleep(0.02)
    home.ok("logout", "birch", "--local-only")
    out, err = process.communicate(timeout=120)
    assert [session["name"] for session in json.loads(out)["signed_out"]] == ["ash", "cedar"]
    assert process.returncode == 4 and "birch" in err
    assert home.json("sessions") == {"sessions": []}


def test_logout_tells_nobody_if_so_wished(home, issuer):
    log_in(home, issuer, "--name", "fern")
    home.ok("logout", "fern", "--local-only")
    assert issuer.requests("revoke") == [] and home.json("sessions") == {"sessions": []}


def test_logout_asks_on_a_terminal(home, issuer):
    log_in(home, issuer, "--name", "fern")
    child = home.terminal("logout", "fern", "--pin-file", str(home.pin_file))
    child.expect(r"fern \(mira@fern.example\): sign out and tell the issuer\?")
    child.sendline("n")
    child.wait()
    assert child.exitstatus == 2 and len(home.json("sessions")["sessions"]) == 1


# Secrets


def test_nothing_of_a_session_is_in_clear(home, tmp_path):
    """At rest, in the keyring, in the arguments, in what --verbose and errors tell; before and after a renewal and a logout."""
    secret = tmp_path / "secret"
    secret.write_text("client-secret-of-fern\n")
    secret.chmod(0o600)
    with Issuer(expires_in=11, path="/hidden-realm") as issuer:
        issuer.client("hidden-client", ["http://127.0.0.1/callback"], secret="client-secret-of-fern", auth="basic")
        result, _ = log_in(home, issuer, "--client-id", "hidden-client", "--client-secret-file", secret, "--redirect-uri",
                           "http://127.0.0.1/callback", "--name", "hidden-name", "--verbose", "--scope", "openid", "--scope", "fern.read")
        talk = result.err.replace(next(line for line in result.err.splitlines() if line.startswith("  http")), "")
        for _ in range(2):
            verbose = home.run("token", "--verbose")
            talk += verbose.err
            time.sleep(1)
        tokens = list(issuer.access)
        for family in issuer.families:
            tokens += family.good + list(family.spent)
        secrets = [*tokens, "client-secret-of-fern", *issuer.codes]
        assert len(tokens) >= 4 and len(issuer.refreshes()) >= 1
        assert "/token" in talk and not [s for s in secrets if s in talk]
        words = [*secrets, "hidden-realm", "hidden-client", "hidden-name", "fern.read", "mira", issuer.origin.removeprefix("http://")]

        def told():
            stored = {**{str(name): content for name, content in all_bytes(home).items()},
                      **{item.attributes["kind"]: item.properties + item.secret for item in items_of(home)}}
            return [(name, word) for name, content in stored.items() for word in words if word.encode() in content]
        assert told() == []
        # Each renewal overwrites the row; nothing of the earlier ones stays, sealed or not.
        issuer.fault("token", "error", grant="refresh_token", error="invalid_scope", text=tokens[0])
        time.sleep(1)
        error = home.run("token", "--json").json["error"]
        assert error["kind"] == "refused"
        home.ok("logout", "hidden-name")
        assert told() == []
        names = [path.name for path in home.files()]
        assert not [name for name in names if name.startswith("renew-")], names


def test_nobody_reads_a_secret_from_the_arguments(home, issuer):
    run = LoginRun(home, issuer.issuer)
    command = pathlib.Path(f"/proc/{run.process.pid}/cmdline").read_bytes().split(b"\0")
    assert run.state.encode() not in b" ".join(command)
    run.process.kill()
    run.end()


def test_another_home_knows_nothing(home, other_home: Home):
    with signed_in(home):
        other_home.set_pin()
        assert json.loads(other_home.ok("sessions", "--json").out) == {"sessions": []}


def test_a_reset_of_the_pin_ends_all_sessions(home):
    with signed_in(home):
        assert subprocess.run(home.argv("pin", "reset", "--yes"), env=home.environment, capture_output=True, timeout=60).returncode == 0
        home.set_pin_by_program()
        assert home.json("sessions") == {"sessions": []}


def test_a_changed_pin_keeps_the_sessions(home):
    with signed_in(home):
        token = home.ok("token").out
        home.write_pin("271828", "314159")
        home.ok("pin", "change")
        home.write_pin("314159")
        assert home.ok("token").out == token


def test_a_key_set_that_is_too_long_is_named(home):
    """The key may be among those that are not read."""
    with Issuer() as issuer:
        issuer.fault("jwks", "change", times=-1, **{"with": {"keys": [{"kty": "EC", "kid": str(number)} for number in range(101)]}})
        result, _ = log_in(home, issuer, code=8)
        assert "its key is not among the first 100 of the issuer's, and no more are read" in result.err
        assert "of the first 100 can be used" in home.run("doctor", "--issuer", issuer.issuer).out
