"""Tokens from a running agent: for the person at a terminal, and for programs as far as they were allowed."""

import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import threading
import time
import types

import pexpect
import pytest
from agents import NO, YES, agents, clock, desktop, pinentry, typed  # noqa: F401
from conftest import PIN, ROOT, check_schema, finish
from innards import derived, master_key, sealed, sql, unsealed, until
from issuers import await_expiry, run_many, signed_in, signed_out


@pytest.fixture
def home(home):
    return home.set_pin()


# The tests run in an interpreter that was given no script, which is no program.
PROGRAM = ROOT / "Tests/Support/program"
NAME = f"script:{PROGRAM}"


def run(home, *args, **options):
    """Runs a command without the PIN, as the program does."""
    return home.run(*args, pin=False, wrapper=(PROGRAM, "run"), **options)


def ask(agent, path="/tokens", words=("ask",), program=PROGRAM, method="POST", **members):
    """As the program asks at the socket, itself."""
    done = subprocess.run(
        [program, words[0], agent.socket, *words[1:], method, path], input=json.dumps(members) if members else "",
        capture_output=True, text=True, timeout=150)
    assert done.returncode == 0, done
    status, body = done.stdout.split("\n", 1)
    return types.SimpleNamespace(status=int(status), body=body, json=json.loads(body) if body.strip() else None)


def only_request(home):
    [request] = home.json("requests", pin=False)["requests"]
    return request


def test_a_program_gets_what_it_was_allowed(home, agents):
    with signed_in(home, "--name", "fern") as issuer:
        token = home.ok("token").out.strip()
        agents(home).unlock()
        # An interpreter alone is nobody: no grant would tell it from others.
        assert home.run("token", "fern", pin=False).code == 3
        assert home.json("requests", pin=False) == {"requests": []}
        refused = run(home, "token", "fern", "--json")
        assert (refused.code, refused.json["error"]["kind"]) == (3, "locked")
        assert refused.json["error"]["hint"] == "what can be allowed is listed by: countersign requests"
        request = only_request(home)
        assert request["session"] == "fern" and request["scopes"] == ["email", "openid", "profile"]
        assert request["program"] == {"kind": "script", "name": str(PROGRAM)}
        assert home.ok("requests", pin=False).out.splitlines()[1].startswith(request["id"])

        answer = home.json("allow", request["id"][:4], "--for", "30d")
        assert answer["request"] == {"id": request["id"], "outcome": "allowed"}
        assert run(home, "token", "fern").out.strip() == token
        assert home.json("requests", pin=False) == {"requests": []}
        [grant] = home.json("grants", pin=False)["grants"]
        assert grant == home.json("grants", "list")["grants"][0] and grant["when"] == "open"
        assert grant["last_used_at"] and grant["expires_at"] > grant["created_at"] and grant["uses"] == 1
        assert run(home, "token", "fern").out.strip() == token
        assert home.json("grants", pin=False)["grants"][0]["uses"] == 2

        revoked = home.json("grants", "revoke", grant["id"], pin=False)
        assert revoked["revoked"]["id"] == grant["id"] and revoked["cut"] is None
        assert revoked["tokens_until"] > grant["created_at"]
        assert run(home, "token").code == 3
        assert home.run("grants", "revoke", grant["id"], pin=False).code == 4

        assert home.json("refuse", only_request(home)["id"], pin=False)["grant"] is None
        assert run(home, "token").code == 3
        events = home.json("history", "--sessions", pin=False)["events"]
        assert [(e["event"], e["detail"]) for e in events] == [
            ("signed_in", None), ("granted", "open"), ("handed_out", "1"), ("handed_out", "1"), ("revoked", None),
            ("refused", None)]
        assert all(e["program"] == request["program"] for e in events[1:])
        assert "handed out (1 token)" in home.ok("history", "--sessions", pin=False).out
        assert issuer.complaints == []
        for file in home.state.glob("ledger*"):
            assert b"Support/program" not in file.read_bytes()


def test_a_front_end_asks_at_the_socket_and_waits(home, agents):
    service = "https://api.fern.example/v1"
    with signed_in(home, "--name", "fern", "--resource", service, resources=[service]):
        agent = agents(home).unlock()
        answers = []
        elsewhere = "https://moss.example/"
        assert ask(agent, "/headers", url=elsewhere).status == 423
        assert run(home, "header", elsewhere).code == 3
        waiting = threading.Thread(
            target=lambda: answers.append(ask(agent, "/headers", url=service + "/me", wait=60)))
        waiting.start()
        until(lambda: home.json("requests", pin=False)["requests"], 30)
        home.ok("allow", only_request(home)["id"])
        waiting.join(60)
        [answer] = answers
        assert answer.status == 200 and answer.json["resource"] == service, answer
        [header] = answer.json["headers"]
        assert header["name"] == "Authorization" and header["value"].startswith("Bearer ")
        assert ask(agent, target="fern").status == 200
        # Where nothing fits, it goes on without, and at once.
        begun = time.monotonic()
        answer = ask(agent, "/headers", url=elsewhere, wait=60)
        assert (answer.status, answer.body.strip()) == (204, "") and time.monotonic() - begun < 20
        assert run(home, "header", elsewhere).code == 4
        # It learns nothing of what it may not have.
        told = [ask(agent, target=target) for target in ("oak", "https://oak.example")]
        assert {answer.status for answer in told} == {423} and len({answer.body for answer in told}) == 1
        assert ask(agent, target="fern", scopes=["bad scope"]).status == 400
        assert ask(agent, target="fern", wait=121).status == 400
        # And of what it may have no more than that it is there.
        [session] = ask(agent, "/sessions", method="GET").json["sessions"]
        assert set(session) == {"name", "status", "expires_at"} and session["name"] == "fern"
        assert [grant["program"]["name"] for grant in ask(agent, "/grants", method="GET").json["grants"]] == [str(PROGRAM)]
        assert agent.request("GET", "/sessions").json == {"sessions": []}
        assert agent.request("GET", "/grants").json == {"grants": []}
        assert agent.request("POST", "/requests/1/allow", PIN.encode()).status == 403
        home.ok("grants", "revoke", home.json("grants")["grants"][0]["id"])
        assert ask(agent, "/headers", url=elsewhere).status == 423


def test_a_refusal_is_told_like_what_there_is_not(home, agents):
    """A no is a 423 at the end of the wait, whatever the reason: no session, a person who refuses, or who refused before."""
    with signed_in(home, "--name", "fern"):
        agent = agents(home).unlock()

        def told(target, meanwhile=lambda: None):
            begun, answers = time.monotonic(), []
            asking = threading.Thread(target=lambda: answers.append(ask(agent, target=target, wait=8)))
            asking.start()
            meanwhile()
            asking.join(60)
            [answer] = answers
            assert time.monotonic() - begun >= 8
            return answer.status, answer.body

        def refuse():
            until(lambda: home.json("requests", pin=False)["requests"], 30)
            home.ok("refuse", only_request(home)["id"], pin=False)
        answers = {told("oak"), told("fern", refuse), told("fern")}
        [(status, body)] = answers
        assert status == 423 and "not allowed" in body, answers


def sandbox(*options):
    """The words before a command that put it into a sandbox like Flatpak's, with the files of this machine."""
    words = ["bwrap", "--unshare-pid", "--die-with-parent"]
    for path in sorted(pathlib.Path("/").iterdir()):
        if path.is_symlink():
            words += ["--symlink", os.readlink(path), path]
        elif path.is_dir() and path.name not in ("proc", "dev"):
            words += ["--dev-bind", path, path]
    return [str(word) for word in [*words, "--proc", "/proc", "--dev", "/dev", *options]]


@pytest.fixture
def forged(tmp_path):
    """A sandbox with the id of somebody's application, made by anybody."""
    info = tmp_path / "flatpak-info"
    info.write_text("[Application]\nname=org.fern.Mail\nruntime=runtime/org.fern.Platform/x86_64/1\n\n[Instance]\ninstance-id=1\n")
    return sandbox("--ro-bind", info, "/.flatpak-info")


def test_the_id_of_a_sandbox_can_be_forged_and_is_nobodys(home, agents, forged):
    with signed_in(home, "--name", "fern"):
        agent = agents(home).unlock()
        home.ok("grants", "add", NAME, "--session", "fern", "--when", "unlocked")
        done = ask(agent, target="fern")
        assert done.status == 200, done
        # In the sandbox it is nobody, however it asks: neither the application of the id, nor itself, nor the person on a terminal.
        done = subprocess.run(
            [*forged, PROGRAM, "ask", agent.socket, "POST", "/tokens"], input='{"target": "fern"}', capture_output=True, text=True,
            timeout=60)
        assert done.stdout.startswith("423\n"), done
        assert home.run("token", "fern", pin=False, wrapper=[*forged, PROGRAM, "run"]).code == 3
        child = home.terminal("token", "fern", wrapper=forged)
        assert finish(child) == 3, child.before
        assert home.json("requests", pin=False) == {"requests": []}
        refused = home.run("grants", "add", "flatpak:org.fern.Mail", "--session", "fern")
        assert refused.code == 64 and "any program of yours can make a sandbox with any id" in refused.err, refused
        assert agent.request("POST", "/grants?program=flatpak:org.fern.Mail&session=fern", PIN.encode()).status in (400, 403)


def test_a_grant_for_the_id_of_a_sandbox_is_listed_as_not_usable(home, agents, forged):
    """One that an earlier version made."""
    with signed_in(home, "--name", "fern"):
        home.ok("grants", "add", "app:org.fern.Mail4711", "--session", "fern", "--when", "unlocked")
        [(key, content)] = sql(home, "SELECT key, content FROM permit")
        row = derived(derived(master_key(home, PIN), None, "countersign sessions 1"), None, "countersign sessions rows 1")
        name = f"permit {key.hex()}"
        before = unsealed(content, row, name)
        # As long as before.
        after = before.replace(b"app:org.fern.Mail4711", b"flatpak:org.fern.Mail")
        assert len(after) == len(before) and after != before
        sql(home, "UPDATE permit SET content = ?", sealed(after, row, name))
        [grant] = home.json("grants")["grants"]
        assert (grant["program"], grant["status"]) == ({"kind": "flatpak", "name": "org.fern.Mail"}, "unusable")
        listed = home.ok("grants").out
        assert "not usable any more" in listed and "any program of yours can make a sandbox with any id" in listed
        assert f"countersign grants revoke {grant['id']}\n" in listed
        agents(home).unlock()
        assert home.run("token", "fern", pin=False, wrapper=[*forged, PROGRAM, "run"]).code == 3
        home.ok("grants", "revoke", grant["id"])
        assert home.json("grants")["grants"] == []


def test_a_file_is_allowed_by_its_real_path(home):
    """By that a program is known when it asks: a grant for a link to it would fit nobody."""
    link = home.path / "fetch"
    link.symlink_to("/usr/bin/curl")
    with signed_in(home, "--name", "fern"):
        for name in (f"path:{link}", f"path:{os.path.relpath(link)}"):
            home.ok("grants", "add", name, "--session", "fern")
            granted = home.json("grants")["grants"][-1]
            assert granted["program"] == {"kind": "path", "name": os.path.realpath("/usr/bin/curl")}


def test_among_other_files_a_path_is_nobodys(home, agents):
    """In a sandbox any file can stand at the path of a program that was allowed something."""
    with signed_in(home, "--name", "fern"):
        agent = agents(home).unlock()
        for name in ("/usr/bin/curl", "/usr/bin/openssl", NAME):
            home.ok("grants", "add", name if ":" in name else f"path:{name}", "--session", "fern")

        def status(program, *options, before=()):
            done = subprocess.run(
                [*sandbox(*options), *before, program, "--silent", "--output", "/dev/null", "--write-out", "%{http_code}",
                 "--unix-socket", agent.socket, "--json", '{"target": "fern"}', "http://x/tokens"],
                capture_output=True, text=True, timeout=60)
            return done.stdout

        assert status("/usr/bin/curl") == "200", "the same file"
        assert status("/usr/bin/openssl", "--ro-bind", "/usr/bin/curl", "/usr/bin/openssl") == "423"
        assert home.json("requests", pin=False) == {"requests": []}
        # A script is a word of its command line, which leads us to another file.
        sly = home.path / "sly"
        shutil.copy(PROGRAM, sly)
        done = subprocess.run(
            [*sandbox("--ro-bind", sly, PROGRAM), PROGRAM, "ask", agent.socket, "POST", "/tokens"], input='{"target": "fern"}',
            capture_output=True, text=True, timeout=60)
        assert done.stdout.startswith("423\n"), done


def test_who_connected_is_who_asks(home, agents, tmp_path):
    """A process that becomes another program keeps the name under which it connected."""
    other = tmp_path / "other"
    shutil.copy(PROGRAM, other)
    with signed_in(home, "--name", "fern"):
        agent = agents(home).unlock()
        home.ok("grants", "add", NAME, "--session", "fern")
        assert ask(agent, target="fern").status == 200
        assert ask(agent, target="fern", words=("connect", PROGRAM)).status == 200
        # What was not allowed anything connects, and goes on as what was.
        refused = ask(agent, target="fern", words=("connect", PROGRAM), program=other)
        assert (refused.status, refused.json["error"]["kind"]) == (423, "locked")
        assert only_request(home)["program"] == {"kind": "script", "name": str(other)}


def test_a_cut_ends_the_token_in_all_hands(home, agents):
    with signed_in(home, "--name", "fern") as issuer:
        agents(home).unlock()
        token = home.ok("token").out.strip()
        for command in (("--json",), ()):
            grant = home.json("grants", "add", NAME, "--session", "fern")["grant"]
            assert run(home, "token").out.strip() == token
            assert issuer.access[token]["live"]
            result = home.ok("grants", "revoke", grant["id"], "--cut", *command, pin=False)
            assert not issuer.access[token]["live"] and len(issuer.refreshes()) == (0 if command else 1)
            if command:
                assert (result.json["cut"], result.json["tokens_until"]) == (True, None)
            else:
                assert "also where other programs had the same" in result.out
            # The session lives on, and others get a new one.
            token, former = home.ok("token").out.strip(), token
            assert token != former
        # An issuer that ends nothing.
        grant = home.json("grants", "add", NAME, "--session", "fern")["grant"]
        assert run(home, "token").out.strip() == token
        issuer.fault("revoke", "error", error="unsupported_token_type", status=400)
        revoked = home.json("grants", "revoke", grant["id"], "--cut", pin=False)
        assert revoked["cut"] is False and revoked["tokens_until"]
        assert home.ok("token").out.strip() == token and issuer.access[token]["live"]


def test_a_program_signs_itself_out(home, agents):
    with signed_in(home, "--name", "fern"):
        agent = agents(home).unlock()
        for state in ("open", "shut"):
            home.ok("grants", "add", NAME, "--session", "fern")
            assert ask(agent, target="fern").status == 200
            if state == "shut":
                home.ok("lock", pin=False)
            answer = ask(agent, "/grants/own", method="DELETE")
            assert (answer.status, answer.json) == (204, None)
            if state == "shut":
                agent.unlock()
            assert ask(agent, target="fern").status == 423
            assert home.json("grants", pin=False) == {"grants": []}
            event = home.json("history", "--sessions", pin=False)["events"][-1]
            assert (event["event"], event["detail"]) == ("revoked", "by_itself")
            assert "revoked (by itself)" in home.ok("history", "--sessions", pin=False).out
        # An interpreter without a script has no grants, and hears the same.
        assert agent.request("DELETE", "/grants/own").status == 204


def claims(token):
    """What an ID token says."""
    payload = token.split(".")[1]
    return json.loads(base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4)))


def test_an_id_token_takes_a_grant_of_its_own(home, agents):
    with signed_in(home, "--name", "fern") as issuer:
        agent = agents(home).unlock()
        home.ok("grants", "add", NAME, "--session", "fern")
        assert ask(agent, target="fern").status == 200
        # Access tokens do not say who you are.
        refused = run(home, "token", "fern", "--id-token")
        assert refused.code == 3, refused
        request = only_request(home)
        assert request["kinds"] == ["id"] and "ID token" in home.ok("requests", pin=False).out
        child = home.terminal("allow", request["id"])
        child.expect("ID token: it proves to others who you are")
        child.expect("PIN to allow")
        child.sendline(PIN)
        child.expect("Allowed")
        finish(child)
        given = json.loads(run(home, "token", "fern", "--id-token", "--json").out)["token"]
        check_schema(["token"], {"token": given})
        assert (given["kind"], given["scopes"], given["resources"]) == ("id", [], [])
        assert claims(given["value"])["sub"] == "mira" and claims(given["value"])["iss"] == issuer.issuer
        assert ask(agent, target="fern", kind="id").json["token"]["value"] == given["value"]
        assert ask(agent, target="fern", kind="id", scopes=["openid"]).status == 400
        assert [grant["kinds"] for grant in home.json("grants", pin=False)["grants"]] == [["access"], ["id"]]
        # By the person, without a grant, and both by one grant.
        child = home.terminal("token", "fern", "--id-token")
        child.expect(re.escape(given["value"]))
        finish(child)
        both = home.json("grants", "add", NAME, "--session", "fern", "--id-token")["grant"]
        assert both["kinds"] == ["access", "id"] and len(home.json("grants", pin=False)["grants"]) == 1
        assert run(home, "token", "fern", "--id-token").out.strip() == given["value"]
        assert run(home, "token", "fern", "--id-token", "--scope", "openid").code == 64
        # One that a service rejects is renewed once, where its issuer does that.
        renewed = run(home, "token", "fern", "--id-token", "--rejected", "-", stdin=given["value"]).out.strip()
        assert renewed != given["value"] and len(issuer.refreshes()) == 1
        told = run(home, "token", "fern", "--id-token", "--rejected", "-", stdin=renewed)
        assert told.code == 5 and "does not accept fresh tokens" in told.err, told
        # It cannot be ended.
        revoked = home.json("grants", "revoke", both["id"], "--cut", pin=False)
        assert revoked["cut"] is False and revoked["tokens_until"]
        assert issuer.complaints == []


def test_the_person_needs_no_grant_on_a_terminal(home, agents):
    with signed_in(home, "--name", "fern"):
        token = home.ok("token").out.strip()
        agent = agents(home)
        child = home.terminal("token")
        child.expect("PIN: ")
        child.sendline(PIN)
        child.expect(re.escape(token))
        child.expect(pexpect.EOF)
        assert agent.handshake()["sessions"] == "at_hand"
        child = home.terminal("token", "fern", "--header")
        child.expect("Authorization: Bearer " + re.escape(token))
        child.expect(pexpect.EOF)
        assert "PIN" not in child.before
        home.ok("lock", pin=False)
        assert agent.handshake()["sessions"] == "shut"
        refused = home.terminal("token", "--no-input")
        refused.expect("error: the agent is locked")
        refused.expect(pexpect.EOF)


def test_a_program_without_anybody_there(home, agents, desktop):
    """`unlocked` outlives the screen lock, `open` does not."""
    with signed_in(home, "--name", "fern") as issuer:
        token = home.ok("token").out
        agent = agents(home).unlock()
        grant = home.json("grants", "add", NAME, "--session", "fern", "--when", "unlocked")["grant"]
        desktop.do("lock-screen")
        until(lambda: agent.handshake()["sessions"] == "asleep", 30)
        renewed = run(home, "token", "--rejected", "-", stdin=token).out.strip()
        assert renewed not in ("", token.strip()) and len(issuer.refreshes()) == 1
        assert home.run("grants", pin=False).code == 3, "nobody is there to see them"
        home.ok("grants", "revoke", grant["id"])
        # Revoked by a command of its own, with the PIN: the agent reads the grants anew.
        assert run(home, "token").code == 3


def test_a_note_leads_to_the_windows(home, agents, desktop, pinentry):
    with signed_in(home, "--name", "fern"):
        token = home.ok("token").out
        agents(home, pinentry=pinentry).unlock()
        assert run(home, "token").code == 3
        note = desktop.note("A program asks for a token")
        assert "fern" not in note["body"] and "Support" not in note["body"]
        pinentry.answers(YES, NO, typed(PIN))
        desktop.do("invoke", note["id"], "review")
        until(lambda: run(home, "token").code == 0, 60)
        assert run(home, "token").out == token
        assert pinentry.asked() == ["CONFIRM", "CONFIRM", "GETPIN"]
        assert "Session: fern" in pinentry.told("SETDESC")[0] and "mira@fern.example" in pinentry.told("SETDESC")[0]
        [grant] = home.json("grants", pin=False)["grants"]
        assert grant["when"] == "open"
        home.ok("grants", "revoke", grant["id"], pin=False)
        # A minute lies between two notes about one program; the list has it at once.
        assert run(home, "token").code == 3
        home.ok("refuse", only_request(home)["id"], pin=False)
        desktop.empty()


def test_fifty_at_once_with_the_agent_and_without(home, agents):
    with signed_in(home, "--name", "fern", expires_in=20) as issuer:
        agents(home).unlock()
        home.ok("grants", "add", NAME, "--session", "fern")
        issuer.expires_in = 3600
        issuer.expire_access()
        await_expiry(home)
        own = []
        with_pin = threading.Thread(target=lambda: own.extend(run_many(home, 10, "token", "fern")))
        with_pin.start()
        through = [None] * 40

        def get(index):
            through[index] = run(home, "token", "fern", timeout=120)
        threads = [threading.Thread(target=get, args=(index,)) for index in range(40)]
        for thread in threads:
            thread.start()
        for thread in [*threads, with_pin]:
            thread.join()
        results = own + through
        assert all(result.code == 0 for result in results), [r for r in results if r.code][:1]
        assert len({result.out for result in results}) == 1
        assert len(issuer.refreshes()) == 1 and issuer.complaints == []


def test_an_agent_that_ends_finishes_a_renewal(home, agents):
    with signed_in(home, "--name", "fern") as issuer:
        token = home.ok("token").out
        agent = agents(home).unlock()
        home.ok("grants", "add", NAME, "--session", "fern")
        issuer.fault("token", "delay", seconds=3)
        results = []
        asking = threading.Thread(
            target=lambda: results.append(run(home, "token", "--rejected", "-", stdin=token)))
        asking.start()
        until(lambda: issuer.refreshes(), 30)
        assert agent.stop() == 0
        asking.join(60)
        assert results[0].code == 0, results
        assert home.ok("token").out == results[0].out
        assert len(issuer.refreshes()) == 1


def test_sessions_are_the_same_with_the_agent_and_without(home, agents):
    with signed_in(home, "--name", "fern"):
        alone = home.json("sessions")
        agents(home).unlock()
        assert home.json("sessions", pin=False) == alone
        # Signing out takes the PIN, and the agent has nothing left of the session.
        assert home.json("logout", "--all") == signed_out("fern")
        assert home.ok("sessions", pin=False).out == "Nobody is signed in. Sign in with: countersign login https://ISSUER\n"


def test_the_person_says_which_session_a_program_means(home, agents):
    with signed_in(home, "--name", "fern"), signed_in(home, "--name", "oak"):
        agent = agents(home).unlock()
        assert ask(agent, name="Backup of Fern").status == 423
        request = only_request(home)
        assert request["session"] is None and request["claims"] == {"name": "Backup of Fern"}
        assert sorted(choice["session"] for choice in request["choices"]) == ["fern", "oak"]
        listed = home.ok("requests", pin=False).out
        assert "fern or oak" in listed and "--session NAME" in listed and "calls itself: Backup of Fern" in listed
        refused = home.run("allow", request["id"])
        assert refused.code == 4 and "fern, oak" in refused.err and "--session fern" in refused.err, refused
        allowed = home.ok("allow", request["id"], "--session", "oak")
        assert "It calls itself: Backup of Fern" in allowed.err and "Session: oak" in allowed.err, allowed
        assert ask(agent, wait=0).json["token"]["session"] == "oak"


def test_a_terminal_needs_a_grant_where_the_person_says_so(home, agents):
    with signed_in(home, "--name", "fern"):
        agents(home, settings="[sessions]\nterminal_needs_grant = true\n").unlock()
        child = home.terminal("token", "fern", "--no-input")
        child.expect("error: this program was not allowed to have a token")
        assert finish(child) == 3
        request = only_request(home)
        home.ok("allow", request["id"])
        child = home.terminal("token", "fern", "--no-input")
        child.expect(re.escape(home.ok("token", "fern").out.strip()))
        finish(child)


def test_without_an_agent_nothing_is_asked_for(home):
    for command in (["requests"], ["allow", "1"], ["refuse", "1"]):
        result = home.run(*command, pin=False)
        assert result.code == 3 and "no agent runs" in result.err, result


@pytest.mark.parametrize("argv,said", [
    (["grants", "add", "backup.service", "--session", "fern"], "this does not name a program"),
    (["grants", "add", "path:/usr/bin/python3.11", "--session", "fern"], "name the script that it runs: script:/PATH"),
    (["grants", "add", "path:no/such/file", "--session", "fern"], "there is no such file here"),
    (["grants", "add", "unit:x.service", "--session", "Fern"], "this is not a name for a session"),
    (["grants", "add", "unit:x.service", "--session", "fern", "--for", "soon"], "--for takes a time"),
    (["grants", "add", "unit:x.service", "--session", "fern", "--scope", 'a"b'], "this is not a scope"),
    (["token", "--wait", "121"], "--wait takes seconds"),
])
def test_wrong_words(home, argv, said):
    result = home.run(*argv)
    assert result.code == 64 and said in result.err, result


def test_three_notes_that_nobody_answers_are_enough(home, agents, desktop, clock):
    """After that the program is listed alone, until the next PIN."""
    def notes():
        return [note for note in desktop.made("Notify") if note["summary"] == "A program asks for a token"]

    with signed_in(home, "--name", "fern", expires_in=86400):
        agent = agents(home, clock=clock).unlock()
        for number in range(1, 5):
            assert run(home, "token").code == 3
            assert only_request(home)["program"]["name"] == str(PROGRAM)
            if number < 4:
                until(lambda: len(notes()) == number, 30)
            clock.at(700 * number)
            # The agent looks every fifteen seconds, and whenever it is asked.
            until(lambda: agent.handshake() and not desktop.notes(), 30)
        assert len(notes()) == 3
        agent.unlock()
        assert run(home, "token").code == 3
        until(lambda: len(notes()) == 4, 30)
