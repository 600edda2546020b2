"""A reconnect whose answer is lost: the other side may have taken the new secret or not, so both are kept until that is known."""

import signal
import subprocess

import pytest
from agents import FakeClock, agents
from innards import items_of, until
from tokens import SERIAL, approve, card, connections, decided, failing, server, token
from tiqr import approve as approve_link
from tiqr import connection, decision, enrolled, make_site, show, site

__all__ = ["agents", "enrolled", "make_site", "server", "site", "token"]

HTML = (502, "<h1>Bad Gateway</h1>", "text/html")


@pytest.fixture
def clock(tmp_path):
    return FakeClock(tmp_path)


def keys(home):
    return len(items_of(home, "key"))


def later(home, server, clock, *args):
    """Runs a command when the first call can no longer be under way."""
    clock.at(100)
    server.clock = 100
    result = home.run(*args, "--json", environment=clock.environment)
    server.clock = 0
    return result


def lose_reconnect(home, server, kind="unknown"):
    link = server.token(serial=SERIAL, again=True)
    error = failing(home, kind, "reconnect", "fern", "-", "--yes", stdin=link + "\n")
    assert error["message"].startswith("connected again, but not confirmed"), error
    assert "fern keeps its earlier key too" in error["hint"] and "asked again in a minute" in error["hint"], error
    assert "revoke" not in error["hint"], error
    assert [c["status"] for c in connections(home)] == ["unconfirmed"] and keys(home) == 2


def test_a_reconnect_that_did_not_arrive_is_asked_again(token, server, clock):
    home, old = token, server.tokens[SERIAL].pubkey
    server.faults["rollout"] = [HTML]
    lose_reconnect(home, server, "refused")
    assert server.tokens[SERIAL].pubkey == old
    # Too soon: a call could still be under way.
    home.ok("pending")
    assert server.calls.count("rollout") == 1
    server.login()
    round = later(home, server, clock, "pending")
    assert len(round.json["authorizations"]) == 1, round
    assert server.calls.count("rollout") == 2 and server.tokens[SERIAL].pubkey != old
    assert [c["status"] for c in connections(home)] == ["active"] and keys(home) == 1
    assert decided(approve(home, card(home)))["outcome"] == "confirmed"


def test_the_earlier_key_serves_until_the_server_has_the_new_one(token, server, clock):
    home = token
    server.faults["rollout"] = [HTML]
    lose_reconnect(home, server, "refused")
    server.login()
    assert decided(approve(home, card(home)))["outcome"] == "confirmed"
    # That a request was answered by the earlier key says nothing of the new one.
    assert [c["status"] for c in connections(home)] == ["unconfirmed"] and keys(home) == 2
    assert server.calls.count("rollout") == 1
    server.login()
    assert len(later(home, server, clock, "pending").json["authorizations"]) == 1
    assert [c["status"] for c in connections(home)] == ["active"] and keys(home) == 1
    assert decided(approve(home, card(home)))["outcome"] == "confirmed"


def test_an_agent_polls_by_the_earlier_key_meanwhile(token, server, agents):
    home = token
    agent = agents(home).unlock()
    server.faults["rollout"] = [HTML]
    lose_reconnect(home, server, "refused")
    server.login()
    agent.until_waiting(1)


def test_a_server_that_has_the_new_key_is_waited_for(token, server):
    home = token
    server.lose = ["rollout"]
    lose_reconnect(home, server)
    [failure] = home.run("pending", "--json").json["failures"]
    assert "asked for again" in failure["message"] and server.calls.count("rollout") == 1, failure
    assert [c["status"] for c in connections(home)] == ["unconfirmed"] and keys(home) == 2


def test_an_answer_that_is_lost_for_good_goes_back_to_the_earlier_key(token, server, clock):
    home = token
    server.lose = ["rollout"]
    lose_reconnect(home, server)
    [failure] = later(home, server, clock, "pending").json["failures"]
    assert failure["kind"] == "refused" and "the earlier key is used again" in failure["message"], failure
    assert failure["hint"] == "ask for a new link, then: countersign reconnect fern -", failure
    assert [c["status"] for c in connections(home)] == ["active"] and keys(home) == 1
    # The server has the other one.
    [failure] = home.run("pending", "--json").json["failures"]
    assert "does not accept" in failure["message"] and "countersign reconnect fern" in failure["hint"], failure
    home.json("reconnect", "fern", "-", "--yes", stdin=server.token(serial=SERIAL, again=True) + "\n")
    server.login()
    assert decided(approve(home, card(home)))["outcome"] == "confirmed" and keys(home) == 1


def test_the_server_took_the_new_key_and_then_broke(token, server):
    home = token
    server.faults["poll"] = [(403, '{"result":{"status":false}}', "application/json")]
    link = server.token(serial=SERIAL, again=True)
    error = failing(home, "refused", "reconnect", "fern", "-", "--yes", stdin=link + "\n")
    assert "connected again, but not confirmed" in error["message"], error
    assert [c["status"] for c in connections(home)] == ["unconfirmed"] and keys(home) == 2
    server.login()
    assert decided(approve(home, card(home)))["outcome"] == "confirmed"
    assert [c["status"] for c in connections(home)] == ["active"] and keys(home) == 1


def test_a_refused_reconnect_changes_nothing(token, server):
    home = token
    link = server.token(serial=SERIAL, again=True)
    server.tokens[SERIAL].credential = "another"
    [before] = connections(home)
    error = failing(home, "refused", "reconnect", "fern", "-", "--yes", stdin=link + "\n")
    assert "nothing was changed" in error["hint"], error
    assert connections(home) == [before] and keys(home) == 1


def test_a_command_that_is_killed_after_the_key_was_sent_loses_no_key(token, server, clock):
    home = token
    link = server.token(serial=SERIAL, again=True)
    child = subprocess.Popen(
        home.argv("reconnect", "fern", "-", "--yes", "--pin-file", home.pin_file), stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True, env=home.environment)
    rollout = server.rollout

    def kill(fields):
        child.send_signal(signal.SIGKILL)
        child.wait()
        return rollout(fields)
    server.rollout = kill
    child.stdin.write(link + "\n")
    child.stdin.close()
    until(lambda: server.calls.count("rollout") == 1, 60)
    assert child.wait() == -signal.SIGKILL
    server.rollout = rollout
    assert [c["status"] for c in connections(home)] == ["unconfirmed"] and keys(home) == 2
    # The call was carried out, but nobody heard the answer.
    [failure] = later(home, server, clock, "pending").json["failures"]
    assert "the earlier key is used again" in failure["message"], failure


def test_revoking_destroys_both_keys(token, server):
    home = token
    server.lose = ["rollout"]
    lose_reconnect(home, server)
    home.ok("revoke", "fern")
    assert connections(home) == [] and keys(home) == 0


# Tiqr: its site cannot be asked again, so the first login shows which secret counts.


def lose_secret(home, site, isTaken):
    def fault(handler):
        if isTaken:
            site.accounts["mira"] = bytes.fromhex(handler.form["secret"])
        handler.cut()
    site.faults["/enroll"] = fault
    result = home.run("reconnect", "fern", "-", "--yes", stdin=site.enrollment_link() + "\n")
    assert result.code == 9 and "fern keeps its earlier key too" in result.err and "its first login shows" in result.err, result
    del site.faults["/enroll"]
    assert connection(home)["status"] == "unconfirmed" and len(items_of(home, "shared-secret")) == 2


def test_a_login_with_the_new_secret_ends_the_earlier_one(enrolled, site):
    home = enrolled
    lose_secret(home, site, isTaken=True)
    link = site.challenge()
    assert "did not answer when this account was connected again" in show(home, link)["text"]
    assert approve_link(home, link).code == 0
    assert connection(home)["status"] == "active" and len(items_of(home, "shared-secret")) == 1


def test_a_site_that_never_took_the_new_secret_takes_the_earlier_one(enrolled, site):
    home = enrolled
    lose_secret(home, site, isTaken=False)
    link = site.challenge()
    result = approve_link(home, link)
    assert result.code == 5 and "the next login uses the earlier secret" in decision(result)["error"]["message"], result
    assert connection(home)["status"] == "doubtful" and len(items_of(home, "shared-secret")) == 1
    # Never two responses to one challenge.
    assert home.run("show", "-", stdin=link + "\n").code == 5
    assert approve_link(home, site.challenge(), "--yes").code == 0
    assert connection(home)["status"] == "active" and len(site.logins()) == 2


def test_refusals_without_a_reason_go_back_to_the_earlier_secret(home, make_site):
    site = make_site(form="mute", suite="OCRA-1:HOTP-SHA1-6:QH10-S064")
    home.set_pin()
    home.ok("enroll", "-", "--yes", "--name", "fern", stdin=site.enrollment_link() + "\n")
    lose_secret(home, site, isTaken=False)
    assert approve_link(home, site.challenge()).code == 5
    assert connection(home)["status"] == "unconfirmed"
    assert approve_link(home, site.challenge()).code == 5
    assert connection(home)["status"] == "doubtful"
    assert approve_link(home, site.challenge(), "--yes").code == 0
