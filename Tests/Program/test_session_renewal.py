"""The renewal of a session's tokens: once for all processes, never a spent token after its successor was stored, and what each failure
leaves (oauth sections 7.2 to 7.5)."""

import os
import signal
import subprocess
import time

import pexpect
import pytest
from agents import agents  # noqa: F401
from conftest import check_schema
from innards import items_of, until
from issuers import Issuer, await_expiry, log_in, run_many, signed_out, visit
from users import namespace


@pytest.fixture
def home(home):
    return home.set_pin()


@pytest.fixture
def expired(home):
    """An issuer at which the home is signed in; the access token has run out, and the next ones live an hour."""
    with Issuer(expires_in=11) as issuer:
        log_in(home, issuer, "--name", "fern")
        await_expiry(home)
        issuer.expires_in = 3600
        yield issuer


def status(home):
    [session] = home.json("sessions")["sessions"]
    return session["status"], session["reason"]


def failure(home, *args):
    result = home.run(*args, "--json")
    check_schema(["failure"], result.json)
    assert result.code == result.json["error"]["exit_code"], result
    return result.json["error"]["kind"], result


def sent(issuer):
    return [call["form"]["refresh_token"] for call in issuer.refreshes()]


def test_fifty_processes_ask_at_once(home, expired):
    expired.fault("token", "after_delay", grant="refresh_token", seconds=2)
    results = run_many(home, 50, "token", "fern")
    assert [r.code for r in results] == [0] * 50, next(r for r in results if r.code)
    assert len({r.out for r in results}) == 1
    assert len(expired.refreshes()) == 1 and expired.complaints == []


def test_without_rotation_the_refresh_token_stays(home, expired):
    expired.rotation = False
    home.ok("token")
    home.ok("token", "--scope", "openid")
    assert len(sent(expired)) == 2 and len(set(sent(expired))) == 1


@pytest.mark.parametrize("what", ["after_drop", "cut", "empty", "html", "huge"])
def test_a_lost_answer_is_asked_for_again_within_the_grace_time(home, expired, what):
    """The same token at once on a new connection: the issuer gives the same answer again."""
    expired.grace = 60
    fault = {"status": 500} if what == "empty" else {}
    expired.fault("token", what, grant="refresh_token", **fault)
    assert home.ok("token").out
    assert len(sent(expired)) == 2 and len(set(sent(expired))) == 1
    assert status(home) == ("active", None)
    assert home.ok("token", "--scope", "openid").out
    assert len(set(sent(expired))) == 2


def test_a_lost_answer_without_grace_is_told_as_an_interruption(home, expired):
    expired.fault("token", "after_drop", grant="refresh_token")
    kind, result = failure(home, "token")
    assert kind == "signed_out" and "was lost before it could be stored" in result.out
    assert status(home) == ("ended", "interrupted")
    assert len(sent(expired)) == 2
    # Never again.
    assert failure(home, "token")[0] == "signed_out" and len(sent(expired)) == 2


def test_a_call_that_did_not_leave_keeps_everything(home, expired):
    expired.stop()
    kind, _ = failure(home, "token")
    assert kind == "unreachable" and status(home) == ("active", None)


@pytest.mark.parametrize("error, code, kind, after", [
    ({"error": "invalid_grant"}, 3, "signed_out", ("ended", "rejected")),
    ({"error": "invalid_request"}, 5, "refused", ("active", None)),
    ({"error": "invalid_client", "status": 401}, 5, "refused", ("active", None)),
    ({"error": "unauthorized_client"}, 5, "refused", ("active", None)),
    ({"error": "invalid_scope"}, 5, "refused", ("active", None)),
    ({"error": "invalid_target"}, 5, "refused", ("active", None)),
    ({"error": "interaction_required"}, 3, "signed_out", ("active", None)),
    ({"error": "unsupported_grant_type"}, 5, "refused", ("active", None)),
    ({"error": "fern_is_out", "status": 403}, 5, "refused", ("active", None)),
    ({"error": "slow", "status": 429}, 6, "unreachable", ("active", None)),
    ({"error": "slow", "status": 503, "headers": [["Retry-After", "120"]]}, 6, "unreachable", ("active", None)),
])
def test_a_definite_answer_is_never_followed_by_another_send(home, expired, error, code, kind, after):
    expired.fault("token", "error", grant="refresh_token", **error)
    told, result = failure(home, "token")
    assert (result.code, told, status(home)) == (code, kind, after), result
    assert len(sent(expired)) == 1
    if error.get("headers"):
        # The issuer wants to be left alone.
        assert failure(home, "token")[0] == "unreachable" and len(sent(expired)) == 1
    elif error["error"] == "invalid_scope":
        # It is not asked again for a while, and the same is told; something else is asked for.
        again = failure(home, "token")[1]
        assert again.json == result.json and len(sent(expired)) == 1
        assert again.json["error"]["hint"].startswith("countersign login fern --scope ")
        assert home.ok("token", "--scope", "openid").out and len(sent(expired)) == 2
    elif error["error"] == "invalid_target":
        assert failure(home, "token")[1].json == result.json and len(sent(expired)) == 1
    elif after[0] == "active":
        assert home.ok("token").out and len(sent(expired)) == 2


def test_an_empty_400_means_that_the_token_is_dead(home, expired):
    expired.fault("token", "empty", grant="refresh_token", status=400)
    assert failure(home, "token")[0] == "signed_out" and status(home) == ("ended", "rejected")


@pytest.mark.parametrize("fault, args", [
    # About the client, if about anything; about what was asked for, which the login did not name; of something before the issuer.
    ({"what": "empty", "status": 401}, []), ({"what": "empty", "status": 400}, ["--scope", "openid"]),
    ({"what": "html", "status": 400}, []), ({"what": "html", "status": 401}, []), ({"what": "empty", "status": 403}, []),
    ({"what": "answer", "status": 200, "body": '{"error": "fern_is_out"}'}, []),
])
def test_a_refusal_that_says_little_ends_nothing(home, expired, fault, args):
    expired.fault("token", grant="refresh_token", **fault)
    kind, result = failure(home, "token", *args)
    assert (kind, status(home)) == ("refused", ("active", None)), result
    assert home.ok("token").out and len(sent(expired)) == 2


def test_an_issuer_that_forgot_the_client_is_registered_at_again(home, expired):
    [forgotten] = [name for name in expired.clients if name.startswith("dyn-")]
    del expired.clients[forgotten]
    kind, result = failure(home, "token")
    assert kind == "refused" and "countersign login fern" in result.json["error"]["hint"]
    assert status(home) == ("active", None)
    log_in(home, "fern")
    assert len(expired.requests("register")) == 2
    assert home.ok("token", "--min-ttl", "0").out and status(home) == ("active", None)
    # The new one is known, and used again.
    log_in(home, expired, "--name", "oak", "--scope", "openid")
    assert forgotten not in [call["query"]["client_id"] for call in expired.requests("authorize")[1:]]


def test_no_token_is_handed_out_that_a_renewal_may_have_ended(home):
    with Issuer(refresh_ends_access=True) as issuer:
        log_in(home, issuer, "--scope", "openid", "--scope", "fern.read")
        for args in (["--scope", "fern.read"], [], ["--scope", "fern.read"], ["--scope", "openid"], []):
            token = home.ok("token", *args).out.strip()
            assert visit(issuer.api, {"Authorization": f"Bearer {token}"})[0] in (200, 403), args


@pytest.mark.parametrize("ends, refreshes", [(False, 2), (True, 11)])
def test_tokens_of_several_scope_sets_live_beside_each_other(home, ends, refreshes):
    """Three sets in turn, twelve times: one renewal for each set that the login did not give. Where a renewal ends the tokens before it,
    UserInfo says so, once, and no token is handed out that is over."""
    with Issuer(refresh_ends_access=ends) as issuer:
        log_in(home, issuer, "--name", "fern", "--scope", "openid", "--scope", "fern.read", "--scope", "fern.write")
        for turn in range(4):
            for args in ([], ["--scope", "fern.read"], ["--scope", "openid", "--scope", "fern.write"]):
                token = home.ok("token", "fern", *args).out.strip()
                assert issuer.access[token]["live"], (turn, args)
        assert len(issuer.refreshes()) == refreshes and len(issuer.requests("userinfo")) == 2, issuer.requests("userinfo")


def test_a_demanded_life_is_honoured_as_far_as_tokens_go(home):
    """The issuer's tokens are good for 300 seconds, less ten for the way."""
    with Issuer() as issuer:
        log_in(home, issuer, "--name", "fern")
        first = home.json("token", "fern")["token"]["value"]
        time.sleep(3)
        assert home.json("token", "fern", "--min-ttl", "200")["token"]["value"] == first and issuer.refreshes() == []
        token = home.json("token", "fern", "--min-ttl", "288")["token"]
        assert token["value"] != first and token["seconds_left"] >= 288 and len(issuer.refreshes()) == 1
        # No token of this issuer is good for an hour: then a new one will do.
        for _ in range(2):
            assert home.json("token", "fern", "--min-ttl", "3600")["token"]["value"] == token["value"]
        assert len(issuer.refreshes()) == 1


def test_each_service_gets_a_token_of_its_own(home):
    with Issuer() as issuer:
        one, two = issuer.origin + "/api/one", issuer.origin + "/api/two"
        issuer.resources = [one, two]
        log_in(home, issuer, "--resource", one, "--resource", two)
        for resource in (one, two, one):
            token = home.ok("header", resource + "/x").out.strip().rpartition(" ")[2]
            assert issuer.access[token]["resources"] == [resource]
        assert issuer.complaints == []


def test_a_redirect_is_not_followed(home, expired):
    expired.fault("token", "redirect", grant="refresh_token", to=expired.origin + "/elsewhere")
    kind, result = failure(home, "token")
    assert kind == "refused" and "redirect" in result.out and status(home) == ("active", None)


def test_a_kind_of_token_that_is_not_spoken_is_never_handed_out(home, expired):
    expired.token_type = "mac\x1b[31m"
    kind, result = failure(home, "token")
    assert kind == "refused" and "\x1b" not in home.run("token").err
    assert result.out.count("token") and "mac" in result.out
    assert len(sent(expired)) == 1


@pytest.mark.parametrize("claims", [{"sub": "ole"}, {"iss": "https://other.example"}, {"aud": "other"}, {"azp": "other"}])
def test_an_id_token_for_somebody_else_ends_the_session(home, expired, claims):
    expired.id_token = claims
    kind, result = failure(home, "token")
    assert kind == "signed_out" and status(home) == ("ended", "changed")
    assert failure(home, "token")[0] == "signed_out" and len(sent(expired)) == 1
    # Its tokens are kept for the logout, which ends them at the issuer.
    assert home.json("logout", "fern")["signed_out"][0]["revoked"] is True
    assert not expired.families[0].isAlive


@pytest.mark.parametrize("option, value", [
    ("id_token", {"exp": 1000}), ("id_token", {"iat": 9999999999}), ("id_token", {"at_hash": "AAAA"}), ("sign", "unlisted"),
    ("sign", "foreign"), ("sign", "hmac")])
def test_another_fault_of_an_id_token_costs_no_access_token(home, expired, option, value):
    """It is handed out at once; only who asks for the ID token hears of it."""
    before = home.ok("token", "--id-token").out
    setattr(expired, option, value)
    token = home.ok("token").out.strip()
    assert visit(expired.api, {"Authorization": f"Bearer {token}"})[0] in (200, 403)
    assert status(home) == ("active", None) and home.ok("token").out.strip() == token and len(sent(expired)) == 1
    # The ID token of before is as good as it was.
    assert home.ok("token", "--id-token").out == before and len(sent(expired)) == 1
    result = home.run("token", "--id-token", "--rejected", "-", "--json", stdin=before)
    kind = result.json["error"]["kind"]
    words = result.json["error"]["message"]
    assert kind == "changed" and words.startswith("the ID token cannot be used"), result
    assert option != "sign" or value != "hmac" or '"HS256"' in words


def test_an_id_token_that_cannot_be_judged_now_is_judged_later(home, expired):
    """Meanwhile it costs no access token."""
    expired.fault("jwks", "error", error="server_error", status=500, times=-1)
    token = home.ok("token").out
    assert home.ok("token").out == token and status(home) == ("active", None) and len(sent(expired)) == 1
    assert failure(home, "token", "--id-token")[0] == "unreachable"
    expired.faults.clear()
    assert home.ok("token", "--id-token").out and home.ok("token").out == token and len(sent(expired)) == 1


@pytest.mark.parametrize("status_code, members", [
    (201, {}), (200, {"token_type": None}), (200, {"token_type": "", "scope": "", "expires_in": "", "id_token": "", "error": ""}),
    (200, {"unknown": {"deep": [1, None]}, "id_token": 7})])
def test_a_whole_answer_is_used(home, expired, status_code, members):
    """Whatever stands beside the token. A refresh token that is empty leaves the one of before."""
    expired.fault("token", "change", status=status_code, **{"with": members})
    token = home.ok("token").out.strip()
    assert visit(expired.api, {"Authorization": f"Bearer {token}"})[0] in (200, 403)
    assert status(home) == ("active", None) and len(sent(expired)) == 1
    expired.rotation = False
    expired.fault("token", "change", **{"with": {"refresh_token": ""}})
    assert home.ok("token", "--rejected", "-", stdin=token).out.strip() not in ("", token) and len(sent(expired)) == 2
    assert home.ok("token", "--scope", "openid").out and len(sent(expired)) == 3


@pytest.mark.parametrize("body, words", [
    ('{"token_type": "Bearer"}', "the issuer's answer has no access token"),
    ('{"access_token": "a\\r\\nX: y"}', "the issuer's access token is no text that goes into a header"),
    ("<h1>Welcome</h1>", "the issuer's answer is no JSON object that can be read (HTTP 200)")])
def test_an_answer_that_cannot_be_used(home, expired, body, words):
    """The words say what was wrong, and the session is not called active, until a renewal succeeds."""
    expired.rotation = False
    expired.fault("token", "answer", body=body, times=-1)
    kind, result = failure(home, "token")
    assert kind == "unknown" and words in result.json["error"]["message"], result
    assert status(home) == ("failing", "unusable_answer") and "could not be used" in home.ok("sessions").out
    kind, result = failure(home, "token")
    assert kind == "unknown" and words in result.json["error"]["message"], result
    expired.faults.clear()
    # After resends that brought nothing, the issuer is left alone for a minute.
    if body.startswith("{"):
        assert home.ok("token").out and status(home) == ("active", None)


def test_a_refresh_token_in_an_answer_without_another_token(home, expired):
    """It is kept: the one before it is spent."""
    expired.fault("token", "change", **{"with": {"access_token": None}})
    assert failure(home, "token")[0] == "unknown" and status(home) == ("failing", "unusable_answer")
    assert home.ok("token").out and status(home) == ("active", None) and len(set(sent(expired))) == 2


def kill_during(home, seconds, *args):
    """Kills a `token` after this time."""
    process = subprocess.Popen(
        home.argv("token", *args, "--pin-file", home.pin_file), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env=home.environment)
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()


def spent_after_stored(issuer):
    """Refresh tokens that were sent although one that came later had been sent already."""
    order, back = [], []
    for token in sent(issuer):
        if token in order and order[-1] != token:
            back.append(token)
        if token not in order:
            order.append(token)
    return back


@pytest.mark.parametrize("fault", ["delay", "after_delay"])
def test_kill_at_any_moment_loses_nothing_where_the_issuer_has_a_grace_time(home, expired, fault):
    """Before the request has its effect, and between effect and answer; each at many moments."""
    expired.grace, expired.expires_in = 600, 11
    count = 24
    for index in range(count):
        expired.fault("token", fault, grant="refresh_token", seconds=0.4)
        kill_during(home, 0.02 + 0.9 * index / count)
        expired.faults.clear()
        token = home.ok("token", "--min-ttl", "60").out.strip()
        assert visit(expired.api, {"Authorization": f"Bearer {token}"})[0] in (200, 403)
        assert status(home) == ("active", None)
    assert spent_after_stored(expired) == []
    assert expired.families[0].isAlive and len(expired.families) == 1


@pytest.mark.parametrize("fault, seconds", [("delay", 0.2), ("after_delay", 0.2), ("after_delay", 0.9)])
def test_an_agent_that_is_killed_during_a_renewal_loses_nothing(home, expired, agents, fault, seconds):
    expired.grace = 600
    agent = agents(home).unlock()
    expired.fault("token", fault, grant="refresh_token", seconds=1)
    # The person's own, who needs no grant.
    child = home.terminal("token", "fern")
    until(expired.refreshes, 60)
    time.sleep(seconds)
    agent.kill()
    child.expect(pexpect.EOF)
    expired.faults.clear()
    token = home.ok("token", "fern").out.strip()
    assert visit(expired.api, {"Authorization": f"Bearer {token}"})[0] in (200, 403)
    assert status(home) == ("active", None) and spent_after_stored(expired) == []
    assert expired.families[0].isAlive and len(expired.families) == 1


def test_a_renewal_that_was_interrupted_is_completed_while_a_token_is_good(home):
    """Later the issuer's grace time may be over."""
    with Issuer(expires_in=3600, grace=600) as issuer:
        log_in(home, issuer, "--name", "fern")
        issuer.fault("token", "after_delay", grant="refresh_token", seconds=2)
        process = subprocess.Popen(
            home.argv("token", "fern", "--scope", "openid", "--pin-file", home.pin_file), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=home.environment)
        until(issuer.refreshes, 60)
        time.sleep(0.3)
        process.kill()
        process.wait()
        assert home.ok("token", "fern").out
        # The same once more, and then the default token anew.
        assert [len(set(sent(issuer)[:2])), len(sent(issuer))] == [1, 3]
        events = [event["event"] for event in home.json("history", "--sessions")["events"]]
        assert events == ["signed_in", "completed"]
        assert "a renewal was interrupted and completed" in home.ok("history", "--sessions").out


def test_kill_without_a_grace_time_is_told_as_an_interruption_or_loses_nothing(home):
    lost = 0
    with Issuer(expires_in=11, reuse_detection=True) as issuer:
        for index in range(12):
            log_in(home, issuer, "--name", f"fern{index}")
            name = f"fern{index}"
            await_expiry(home, name)
            issuer.fault("token", "after_delay", grant="refresh_token", seconds=0.4)
            kill_during(home, 0.02 + 0.9 * index / 12, name)
            issuer.faults.clear()
            result = home.run("token", name, "--json")
            if result.code:
                lost += 1
                assert result.json["error"]["kind"] == "signed_out", result
                assert "was lost before it could be stored" in result.json["error"]["message"]
            home.ok("logout", name)
        assert spent_after_stored(issuer) == []
    # Some kill came between effect and answer.
    assert 0 < lost < 12


def signalled(home, issuer, number):
    """Sends a signal to a `token` whose renewal is under way. Its exit code, and what it printed."""
    process = subprocess.Popen(
        home.argv("token", "--pin-file", home.pin_file), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, env=home.environment, text=True)
    deadline = time.monotonic() + 60
    while not issuer.refreshes() and time.monotonic() < deadline:
        time.sleep(0.02)
    process.send_signal(number)
    out = process.communicate(timeout=60)[0]
    return process.returncode, out


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_waits_until_the_answer_is_stored(home, expired, number):
    """The refresh token is spent by then: the token is printed all the same."""
    expired.fault("token", "after_delay", grant="refresh_token", seconds=2)
    code, out = signalled(home, expired, number)
    assert code == 0 and out == home.ok("token").out
    assert len(sent(expired)) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_resends(home, expired, number):
    """The issuer does not answer: the token may be spent, and the mark says so to the next use."""
    expired.fault("token", "slow", grant="refresh_token", seconds=0.5)
    code, out = signalled(home, expired, number)
    assert (code, out) == (2, "") and len(sent(expired)) == 1
    assert status(home) == ("active", None)
    assert home.ok("token").out and len(set(sent(expired))) == 1


# The home on a small file system, which a file fills until it is removed. Afterwards the home is as the command left it.
SMALL_DISK = """
mkdir "$D/small" && mount -t tmpfs -o size=1m small "$D/small" && cp -a "$COUNTERSIGN_HOME/." "$D/small" || exit 125
mount --bind "$D/small" "$COUNTERSIGN_HOME" || exit 125
(
    until [ -e "$D/fill" ]; do sleep 0.02; done
    cat /dev/zero >"$COUNTERSIGN_HOME/filler" 2>/dev/null
    touch "$D/full"
    until [ -e "$D/free" ]; do sleep 0.02; done
    rm "$COUNTERSIGN_HOME/filler"
    touch "$D/freed"
) &
"$@" &
echo $! >"$D/pid.new" && mv "$D/pid.new" "$D/pid"
wait $!
code=$?
wait
umount "$COUNTERSIGN_HOME" && cp -a "$D/small/." "$COUNTERSIGN_HOME" || exit 125
exit $code
"""


def until_rescued(home, issuer, directory):
    """Fills the disk while the answer of a renewal is awaited, and waits until the new tokens are in the keyring alone."""
    until(issuer.refreshes, 60)
    (directory / "fill").touch()
    until((directory / "full").exists, 60)
    [item] = until(lambda: items_of(home, "rescue"), 60)
    # Nothing in it tells of whom it is.
    assert (item.label, set(item.attributes) - {"xdg:schema"}) == ("Countersign rescue", {"vault", "kind", "id"})
    assert b"fern" not in item.properties and b"127.0.0.1" not in item.properties


def token_on_a_small_disk(home, directory, *args):
    return subprocess.Popen(
        [*namespace("--mount"), "sh", "-c", SMALL_DISK, "sh", *home.argv("token", *args, "--pin-file", home.pin_file)],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=dict(home.environment, D=str(directory)))


def assert_nothing_was_lost(home, issuer):
    """The next command has the new tokens without the issuer, and the one after it renews with the new refresh token."""
    token = home.ok("token").out.strip()
    assert token == list(issuer.access)[-1] and len(sent(issuer)) == 1
    assert home.json("sessions")["sessions"][0]["saved"] is True and items_of(home, "rescue") == []
    assert home.ok("token", "--scope", "openid").out and len(set(sent(issuer))) == 2


@pytest.mark.parametrize("args", [(), ("--no-input",)])
def test_a_command_ends_although_the_disk_is_full(home, expired, tmp_path, args):
    """It prints the new token, and the keyring has what is not on the disk. There is no grace time: a token that is sent again ends the
    session."""
    expired.fault("token", "after_delay", grant="refresh_token", seconds=3)
    process = token_on_a_small_disk(home, tmp_path, *args)
    until_rescued(home, expired, tmp_path)
    [err] = [process.stderr.readline()]
    assert "fern" in err and "The keyring has them, and the next use writes them" in err, err
    # The disk is still full.
    assert process.stdout.readline().strip() == list(expired.access)[-1]
    (tmp_path / "free").touch()
    assert process.wait(60) == 0
    assert_nothing_was_lost(home, expired)


def test_an_agent_that_stops_while_the_disk_is_full_loses_nothing(home, expired, agents, tmp_path):
    expired.fault("token", "after_delay", grant="refresh_token", seconds=3)
    agent = agents(
        home, wrapper=[*namespace("--mount"), "sh", "-c", SMALL_DISK, "sh"], environment={"D": str(tmp_path)}).unlock()
    child = home.terminal("token")
    until_rescued(home, expired, tmp_path)
    [session] = home.json("sessions", pin=False)["sessions"]
    assert (session["status"], session["saved"]) == ("active", False)
    checks = home.run("doctor", "--json", pin=False).json["checks"]
    assert [check["message"] for check in checks if "fern has new tokens that cannot be written" in check["message"]], checks
    os.kill(int((tmp_path / "pid").read_text()), signal.SIGTERM)
    child.expect(pexpect.EOF, timeout=90)
    (tmp_path / "free").touch()
    assert agent.ended() == 0 and "cannot be written" in agent.said
    assert_nothing_was_lost(home, expired)


def test_an_agent_writes_what_it_could_not_when_the_disk_takes_it(home, expired, agents, tmp_path):
    expired.fault("token", "after_delay", grant="refresh_token", seconds=3)
    agents(home, wrapper=[*namespace("--mount"), "sh", "-c", SMALL_DISK, "sh"], environment={"D": str(tmp_path)}).unlock()
    child = home.terminal("token")
    until_rescued(home, expired, tmp_path)
    child.expect(list(expired.access)[-1], timeout=60)
    child.expect(pexpect.EOF)
    assert home.json("sessions", pin=False)["sessions"][0]["saved"] is False
    (tmp_path / "free").touch()
    until(lambda: home.json("sessions", pin=False)["sessions"][0]["saved"], 60)
    assert items_of(home, "rescue") == [] and len(sent(expired)) == 1


def test_a_logout_does_not_wait_for_an_issuer_that_does_not_answer(home, expired):
    """Another process renews the session meanwhile."""
    expired.fault("token", "slow", grant="refresh_token", seconds=0.5, times=-1)
    expired.fault("revoke", "slow", seconds=0.5, times=-1)
    process = subprocess.Popen(
        home.argv("token", "--pin-file", home.pin_file), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, env=home.environment)
    deadline = time.monotonic() + 60
    while not expired.refreshes() and time.monotonic() < deadline:
        time.sleep(0.02)
    started = time.monotonic()
    assert home.json("logout", "fern", timeout=200) == signed_out("fern", revoked=False, owed=True)
    assert time.monotonic() - started < 150 and home.json("sessions") == {"sessions": []}
    assert process.wait(timeout=100) != 0
    calls = expired.refreshes()
    assert all(call["at"] - calls[0]["at"] < 31 for call in calls)
