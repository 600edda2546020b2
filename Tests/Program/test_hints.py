"""Hints name real things: what stands in them can be typed as it is, and helps."""

import pytest
from agents import agents
from conftest import PIN, check_schema, finish
from proxy import AUTHORITY, HOST, FarBank
from test_enroll import Waiting


@pytest.fixture
def far(tmp_path):
    bank = FarBank(tmp_path)
    yield bank
    bank.stop()


def refused(home, *args, code, **options):
    """Runs a command that fails; returns its message and its hint."""
    result = home.run(*args, "--json", **options)
    error = result.json.get("error") or result.json["decisions"][0]["error"]
    assert result.code == code, result
    return error["message"], error["hint"]


# Certificates


def test_an_unknown_authority_leads_to_ca_file(home, far):
    home.environment |= far.environment
    home.set_pin()
    link = far.link(instant=True)
    message, hint = refused(home, "enroll", "-", "--yes", stdin=link + "\n", code=6)
    assert "authority that is not trusted" in message and "--ca-file PATH" in hint
    home.ok("enroll", "-", "--yes", "--ca-file", AUTHORITY, stdin=link + "\n")
    # Without it the bank of every later command is as unknown.
    result = home.run("pending", "--json")
    [failure] = result.json["failures"]
    assert result.code == 6 and "--ca-file PATH" in failure["hint"]


def test_a_certificate_for_another_host_is_no_matter_of_authorities(home, far):
    home.environment |= far.environment
    home.set_pin()
    link = "authenticator://x/connect?configuration=https://bank.example/configuration"
    message, hint = refused(home, "enroll", "-", "--yes", "--ca-file", AUTHORITY, stdin=link + "\n", code=6)
    assert "its certificate is for another host" in message and "--ca-file PATH does not help" in hint


def test_a_bank_that_is_down_says_nothing_of_certificates(home):
    home.set_pin()
    link = "authenticator://x/connect?configuration=http://127.0.0.1:1/c"
    assert refused(home, "enroll", "-", "--yes", stdin=link + "\n", code=6)[1] == (
        "check the network and try again; --verbose says more")


# Before there is a bank


def test_before_there_is_a_bank_enroll_is_named(home):
    assert "countersign enroll" in refused(home, "pending", code=3)[1], "no PIN yet"
    home.set_pin()
    told = "no bank that could ask is connected. Connect one with: countersign enroll"
    assert told in home.ok("pending").out
    child = home.terminal("watch", "--once")
    child.expect_exact("PIN: ")
    child.sendline(PIN)
    child.expect_exact(told)
    assert finish(child) == 0
    for args in (("show", "fern:1"), ("approve", "fern:1", "--fingerprint", "0" * 16), ("revoke", "fern"),
                 ("reconnect", "fern", "--yes"), ("rename", "fern", "moss"), ("pending", "--connection", "fern")):
        message, hint = refused(home, *args, code=4)
        assert "no bank is connected" in message and hint == "connect one first: countersign enroll", args
    link = "authenticator://x/action?action_uuid=1&connect_url=https://bank.example/"
    assert "countersign enroll" in refused(home, "act", "-", "--yes", stdin=link + "\n", code=4)[1]


# The real name and reference


@pytest.mark.parametrize("runs", [False, True], ids=["alone", "agent"])
def test_references_and_names_are_the_real_ones(connected, agents, bank, runs):
    if runs:
        agents(connected).unlock()
    ref = f"demobank:{bank.pay()}"
    assert f"countersign show {ref} prints it" in refused(connected, "approve", ref, code=64)[1]
    assert f"countersign show {ref} prints it" in refused(connected, "approve", ref, "--fingerprint", "x", code=64)[1]
    assert refused(connected, "approve", ref, "--fingerprint", "0" * 64, code=8)[1] == (
        f"look again: countersign show {ref}")
    bank.post(f"connections/{bank.get('connections')[0]['id']}/revoke")
    assert refused(connected, "show", ref, code=5)[1] == (
        "countersign reconnect demobank, or countersign revoke demobank")


# The bank's words


@pytest.mark.parametrize("words, told", [
    ({"error_class": "ActionNotValid", "error_message": "ActionNotValid"}, "(the bank says: ActionNotValid)"),
    ({"error_class": "ActionNotValid", "error_message": "It is over"}, "(the bank says: ActionNotValid: It is over)")])
def test_no_word_is_told_twice(connected, bank, words, told):
    link = bank.post("actions", user="ada")["link"]
    bank.fault("actions.claim", times=1, status=406, **words)
    message, _ = refused(connected, "act", "-", "--yes", stdin=link + "\n", code=5)
    assert message.endswith(told), message


# The wait for the bank's page


def test_a_bad_paste_speaks_of_the_wait_alone(home, bank):
    enrolling = Waiting(home.set_pin(), "enroll", "-", "--callback", "paste", "--timeout", "0.1", link=bank.link())
    enrolling.process.stdin.write("authenticator://oauth/redirect?id=4711&access_token=forged\n")
    enrolling.process.stdin.flush()
    enrolling.hear("Still waiting for the bank")
    assert "new link" not in enrolling.said and "nothing was kept" not in enrolling.said
    enrolling.process.stdin.close()
    code = enrolling.process.wait(30)
    rest = enrolling.process.stderr.read()
    # When the wait is over it is so.
    assert code == 5 and "hint: nothing was kept; try again with a new link" in rest, rest


def test_when_two_hosts_answer_both_come_before_the_name(home, bank):
    """The link's host, and that of all later calls."""
    port = bank.url.rsplit(":", 1)[1]
    link = bank.link(instant=True).replace("127.0.0.1", "localhost")
    home.set_pin()
    child = home.terminal("enroll", link)
    child.expect_exact("PIN: ")
    child.sendline(PIN)
    child.expect(r"\r\n(localhost:\d+.*) wants to connect this computer\. Continue\? \[y/N\] ")
    said = child.match.group(1)
    assert said.startswith(f"localhost:{port}") and said.endswith("(Demo Bank)")
    child.sendline("n")
    assert finish(child) == 2


# The PIN


def test_the_prompt_for_a_new_pin_says_what_it_may_be(home):
    rule = "(6 to 16 digits, or a passphrase of 8 or more characters): "
    child = home.terminal("pin", "set")
    child.expect_exact(f"Choose a PIN {rule}")
    child.send("\x03")
    assert finish(child) == 2
    home.set_pin()
    child = home.terminal("pin", "change")
    child.expect_exact("PIN: ")
    child.sendline(PIN)
    child.expect_exact(f"New PIN {rule}")
    child.send("\x03")
    assert finish(child) == 2


# Actions


def test_an_action_warns_whom_it_may_sign_in(connected, bank):
    link = bank.post("actions", user="ada", kind="plain")["link"]
    child = connected.terminal("act", link, columns=200)
    child.expect_exact("PIN: ")
    child.sendline(PIN)
    child.expect_exact("warning: this may sign in whoever shows the code; go on only if your own page shows it")
    child.expect(r"\n127\.0\.0\.1:\d+ \(Demo Bank\): claim this action for demobank\? \[y/N\] ")
    assert bank.get("requests?operation=actions.claim") == []
    child.sendline("n")
    assert finish(child) == 2 and bank.get("requests?operation=actions.claim") == []


def test_of_several_connections_one_is_chosen(connected, bank):
    connected.enroll(bank, name="second")
    link = bank.post("actions", user="ada")["link"]
    for answers, chosen in ((["2"], "second"), (["9", "nobody", "demobank"], "demobank")):
        child = connected.terminal("act", link, columns=200)
        child.expect_exact("PIN: ")
        child.sendline(PIN)
        child.expect(r"1  demobank · 127\.0\.0\.1:\d+\r\n  2  second · 127\.0\.0\.1:\d+\r\n")
        for answer in answers:
            child.expect_exact("Which one, 1 to 2 (empty cancels)? ")
            child.sendline(answer)
        child.expect_exact(f"claim this action for {chosen}? [y/N] ")
        child.sendline("y")
        child.expect(f"approve {chosen}:")
        assert finish(child) == 0
        link = bank.post("actions", user="ada")["link"]
    child = connected.terminal("act", link)
    child.expect_exact("PIN: ")
    child.sendline(PIN)
    child.expect_exact("Which one")
    child.sendline("")
    assert finish(child) == 2


# The agent


def test_the_agent_is_ended_by_its_own_command(connected, agents, bank):
    assert "No agent runs" in connected.ok("agent", "--stop", pin=False).err
    agent = agents(connected).unlock()
    second = connected.run("agent", pin=False)
    assert "hint: it is the agent of this home; end it first: countersign agent --stop" in second.err
    told = connected.ok("connections", "--ca-file", AUTHORITY, pin=False).err
    assert f"hint: countersign agent --stop, then: countersign agent --daemonize --ca-file {AUTHORITY}" in told
    bank.pay()
    ended = connected.ok("agent", "--stop", pin=False)
    assert ended.out == "" and ended.err == f"The agent (process {agent.pid}) has ended.\n"
    assert agent.process.wait(10) == 0 and not agent.socket.exists()
    again = connected.json("agent", "--stop", pin=False)
    assert again["agent"]["running"] is False
    assert connected.run("agent", "--stop", "--daemonize", pin=False).code == 64


def test_an_agent_that_listens_elsewhere_is_ended_too(connected, agents):
    agent = agents(connected)
    ended = connected.ok("agent", "--stop", pin=False, environment={"XDG_RUNTIME_DIR": ""})
    assert f"process {agent.pid}" in ended.err and agent.process.wait(10) == 0


def test_an_end_waits_for_the_decision_that_is_on_its_way(connected, agents, bank):
    agents(connected).unlock()
    id = bank.pay()
    [item] = connected.json("pending", pin=False)["authorizations"]
    bank.fault("authorizations.decide", times=1, delay_ms=2000)
    child = connected.terminal("approve", item["ref"])
    child.expect_exact("PIN to approve (empty cancels): ")
    child.sendline(PIN)
    child.expect_exact("Waiting for the bank")
    connected.ok("agent", "--stop", pin=False)
    child.expect_exact(f"approved  demobank:{id}  confirmed by the bank at ")
    assert finish(child) == 0 and bank.authorization(id)["decisions_received"] == 1
