"""`token [TARGET]` and `header URL` without an option go around the argument parser. They end as the same words do with an option that
changes nothing.
"""


import pytest
from agents import agents, configure  # noqa: F401
from conftest import PIN, ROOT, finish
from innards import until
from issuers import Issuer, log_in

SAME = ("--min-ttl", "60")
SERVICE = "https://api.fern.example/v1"


def both(home, command, *words, pin=True, wrapper=(), **options):
    """What both ways answer alike: code, output, error."""
    environment = {"COUNTERSIGN_PIN_FILE": str(home.pin_file)} if pin else {}
    short, long = (
        home.run(command, *more, *words, pin=False, wrapper=wrapper, environment=environment | options) for more in ((), SAME))
    assert (short.code, short.out, short.err) == (long.code, long.out, long.err), words
    return short


def inputs(issuer):
    """Targets of `token`, and addresses for `header`."""
    targets = [
        [], ["fern"], ["moss"], ["Fern"], [""], [" fern"], ["nobody"], [issuer.issuer], [issuer.issuer + "/"], [SERVICE],
        [SERVICE + "/me"], ["ftp://fern.example"], ["https://"], ["fern\n"], ["\x1b[2Jfern"], ["\u202efern"], ["f" * 5000], ["@fern"],
        ["help"], ["fern", "moss"], ["-"], ["--"], ["--", "fern"], ["-x"]]
    addresses = [
        [], [SERVICE + "/me"], [SERVICE], [issuer.api + "/me"], [issuer.issuer], ["fern"], [""], ["https://"], ["https://b\u00fccher.example/x"],
        ["http://api.fern.example/"], [SERVICE + "/me?a=b#c"], ["https://user@api.fern.example/"], ["\x1b[2J"], [SERVICE, SERVICE], ["-"]]
    return [("token", *words) for words in targets] + [("header", *words) for words in addresses]


@pytest.fixture
def issuer():
    with Issuer(resources=[SERVICE]) as issuer:
        yield issuer


@pytest.fixture
def signed_in(home, issuer):
    """Signed in twice, once for a service; programs may have the one, and nothing is known of the other."""
    home.set_pin()
    log_in(home, issuer, "--name", "fern", "--resource", SERVICE)
    log_in(home, issuer, "--name", "moss")
    return home


def test_with_a_pin_file(signed_in, issuer):
    codes = {words: both(signed_in, *words).code for words in inputs(issuer)}
    assert [codes[words] for words in (("token",), ("token", "fern"), ("token", "nobody"), ("header", SERVICE), ("header",))] == [
        4, 0, 4, 0, 64]


def test_with_an_agent(signed_in, issuer, agents):
    home = signed_in
    agent = agents(home).unlock()
    program = (ROOT / "Tests/Support/program", "run")
    assert home.run("token", "fern", pin=False, wrapper=program).code == 3
    [request] = home.json("requests", pin=False)["requests"]
    home.ok("allow", request["id"])
    codes = {words: both(home, *words, pin=False, wrapper=program).code for words in inputs(issuer)}
    assert both(home, "token", "fern", pin=False).code == 3
    assert [codes[words] for words in (("token", "fern"), ("token", "moss"), ("token", ""), ("header", "fern"))] == [0, 3, 3, 64]
    home.ok("lock", pin=False)
    until(lambda: agent.state == "shut")
    for words in (["token"], ["token", "fern"], ["header", SERVICE], ["header", "x"]):
        assert both(home, *words, pin=False).code in (3, 64)
    agent.stop()
    assert both(home, "token", "fern", pin=False).code == 3


def test_without_anything(home, issuer):
    for words in (["token"], ["token", "fern"], ["header", SERVICE], ["header", "x"]):
        assert both(home, *words).code in (3, 64)
    home.set_pin()
    for words in (["token"], ["token", "fern"], ["header", SERVICE]):
        assert both(home, *words).code == 4
        assert both(home, *words, COUNTERSIGN_PIN_FILE="/nowhere").code == 64
    configure(home, "nonsense = [")
    for words in (["token"], ["header", SERVICE], ["header", "x"]):
        assert both(home, *words).code == 64


def test_on_a_terminal(signed_in):
    def seen(*more):
        child = signed_in.terminal("token", "fern", *more)
        child.expect("PIN: ")
        asked = child.before
        child.sendline(PIN)
        code = finish(child)
        return code, asked, child.before
    assert seen() == seen(*SAME)
    assert seen()[0] == 0
