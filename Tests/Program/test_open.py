"""`open`, for links that were clicked: any page can make a browser open one, so the person is asked before anything is sent."""

import pytest
from agents import agents
from conftest import PIN, check_schema, finish
from proxy import AUTHORITY, HOST, FarBank
from test_pinentry import NO, Fake, typed

YES = "OK\n"


@pytest.fixture
def far(tmp_path):
    """A bank with a name of its own, ada its user."""
    bank = FarBank(tmp_path)
    bank.user()
    yield bank
    bank.stop()


@pytest.fixture
def place(home, far):
    home.environment |= far.environment
    return home.set_pin()


def names(home):
    return [connection["name"] for connection in home.json("connections")["connections"]]


def test_a_clicked_link_names_the_host_and_asks_before_any_call(place, far):
    child = place.terminal("open", far.link(instant=True), "--ca-file", AUTHORITY)
    child.expect_exact(f"{HOST} is where this link leads, and nothing was sent there yet. Go on? [y/N] ")
    assert far.calls == [] and far.get("requests") == []
    child.sendline("n")
    child.expect_exact("error: cancelled")
    assert finish(child) == 2 and far.calls == [] and far.get("requests") == []

    child = place.terminal("open", far.link(instant=True), "--ca-file", AUTHORITY)
    child.expect_exact("Go on? [y/N] ")
    child.sendline("y")
    child.expect_exact("PIN: ")
    assert far.calls == []
    child.sendline(PIN)
    child.expect_exact(f"{HOST} (Demo Bank) wants to connect this computer. Continue? [y/N] ")
    assert far.calls and set(far.calls) == {f"{HOST}:443"} and far.get("connections") == []
    child.sendline("y")
    child.expect_exact("Connected: demobank")
    assert finish(child) == 0 and names(place) == ["demobank"]


def test_without_a_terminal_a_pinentry_asks_before_any_call(place, far):
    fake = Fake(place, prompt="auto")
    link = far.link(instant=True)
    result = fake.run("open", link, "--ca-file", AUTHORITY, environment={"DISPLAY": ":99"}, answers=[NO])
    assert result.code == 2 and fake.asked() == ["CONFIRM"] and far.calls == [] and far.get("requests") == [], result
    question = fake.told("SETDESC")[0].splitlines()
    assert question[:2] == ["Nothing was sent to this host yet. Connect this computer to the bank there?", HOST]
    assert "countersign open " in question[2], "who asks"
    answers = [YES, typed(PIN), YES]
    result = fake.run("open", link, "--ca-file", AUTHORITY, environment={"DISPLAY": ":99"}, answers=answers)
    assert result.code == 0 and fake.asked() == ["CONFIRM", "GETPIN", "CONFIRM"], result
    assert fake.told("SETDESC")[2].splitlines()[1:] == [HOST, "Demo Bank"]
    assert names(place) == ["demobank"]


def test_where_nobody_can_be_asked_nothing_is_sent(place, far):
    link = far.link(instant=True)
    for options in ([], ["--no-input"]):
        result = place.run("open", link, "--ca-file", AUTHORITY, "--json", *options)
        check_schema(["failure"], result.json)
        assert result.code == 3 and HOST in result.json["error"]["message"] and "--yes" in result.json["error"]["hint"]
    assert far.calls == [] and far.get("requests") == []
    place.ok("open", link, "--ca-file", AUTHORITY, "--yes")
    assert names(place) == ["demobank"]


def test_an_agent_asks_nobody_either(place, far, agents):
    agents(place, environment=far.environment, args=["--ca-file", AUTHORITY]).unlock()
    link = far.link(instant=True)
    child = place.terminal("open", link)
    child.expect_exact(f"{HOST} is where this link leads")
    child.sendline("n")
    assert finish(child) == 2 and far.calls == []
    child = place.terminal("open", link)
    child.expect_exact("Go on? [y/N] ")
    child.sendline("y")
    child.expect_exact(f"{HOST} (Demo Bank) wants to connect this computer. Continue? [y/N] ")
    child.sendline("y")
    child.expect_exact("Connected: demobank")
    assert finish(child) == 0


@pytest.mark.parametrize("host", [
    "http://127.0.0.1:{port}", "http://localhost:{port}", "http://[::1]:{port}", "http://127.9.9.9:{port}",
    "https://127.0.0.1:{port}", "https://localhost", "https://0.0.0.0:{port}", "https://bank.localhost",
    "https://LocalHost.LocalDomain"])
@pytest.mark.parametrize("yes", [[], ["--yes"]], ids=["asked", "yes"])
def test_a_clicked_link_never_leads_to_this_computer(home, bank, host, yes):
    port = bank.url.rsplit(":", 1)[1]
    link = f"authenticator://saltedge.com/connect?configuration={host.format(port=port)}/api/authenticator/v1/configuration"
    result = home.run("open", link, *yes, "--json", pin=False)
    check_schema(["failure"], result.json)
    assert result.code == 64 and "leads to this computer" in result.json["error"]["message"], result
    assert "countersign enroll" in result.json["error"]["hint"] and bank.get("requests") == []


def test_a_bank_on_this_computer_is_enrolled_by_its_own_command(home, bank):
    home.set_pin().enroll(bank)
    assert names(home) == ["demobank"]
