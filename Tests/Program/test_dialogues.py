"""Every front end walks the same dialogue: the terminal, a pinentry in place of it, a note on the desktop, and a program at the
agent's socket find the same questions in the same order.
"""

import io
import re

import pytest
from agents import YES, Desktop, FakePinentry, agents, typed  # noqa: F401
from conftest import PIN, finish
from innards import until
from issuers import signed_in
from test_pinentry import Fake
from test_session_programs import only_request, run

# How each question is recognised. A card of several pages is one question.
ON_TERMINAL = {
    "card": "┌──|^Program: ", "again": "You approved the same a few minutes ago", "yes": r"Deny this\?\W{1,2}\[y/N\]",
    "PIN": r"PIN to (?:approve|deny|allow) "}
IN_WINDOWS = {
    "unlock": "^Unlock Countersign", "card": r"\nPage \d+ of \d+, then the PIN\n|^May this program have tokens\?",
    "again": "Type the title to approve the same again", "when": r"^Also when nobody is here\?", "PIN": "Enter your Countersign PIN",
    "yes": "^Deny (?:request|payment)\n"}
TITLE = "Pay 9.90 EUR"
WINDOW_ANSWERS = {"card": YES, "again": typed(TITLE), "yes": YES, "when": YES, "PIN": typed(PIN)}
KEYS = {"again": TITLE, "yes": "y", "PIN": PIN}


def letters(text):
    return re.sub(r"[\s↳]", "", text)


def in_windows(texts):
    """The questions that a pinentry was told to draw."""
    names = [next((name for name, words in IN_WINDOWS.items() if re.search(words, text)), text) for text in texts]
    return [name for name, before in zip(names, [None] + names) if name not in (before, "unlock")]


def on_terminal(child, asks):
    """Answers these questions, and returns those that the terminal showed."""
    child.logfile_read = io.StringIO()
    for ask in asks:
        if ask in KEYS:
            while child.expect([ON_TERMINAL[ask], "^PIN: |\nPIN: "]) == 1:
                child.sendline(PIN)
            child.sendline(KEYS[ask])
    assert finish(child) == 0, child.logfile_read.getvalue()
    text = child.logfile_read.getvalue().replace("\r", "")
    found = sorted(
        (match.start(), name) for name, words in ON_TERMINAL.items() for match in re.finditer(words, text, re.M))
    return [name for _, name in found]


class Terminal:
    given = set()

    def __init__(self, home, *_):
        self.home = home

    def decide(self, verb, item, asks):
        return on_terminal(self.home.terminal(verb, item["ref"]), asks)


class Window:
    given = set()

    def __init__(self, home, *_):
        self.fake = Fake(home)

    def decide(self, verb, item, asks):
        answers = [typed(PIN)] + [WINDOW_ANSWERS[ask] for ask in asks]
        done = self.fake.run(verb, item["ref"], "--fingerprint", item["fingerprint"], answers=answers)
        assert done.code == 0, done
        return in_windows(self.fake.told("SETDESC"))


class AtAgent:
    # The button, or the request, is the yes.
    given = {"yes"}

    def __init__(self, home, agents, directory):
        self.desktop = Desktop(directory)
        self.pinentry = FakePinentry(directory)
        self.agent = agents(home, pinentry=self.pinentry).unlock()

    def decide(self, verb, item, asks):
        self.pinentry.answers(*[WINDOW_ANSWERS[ask] for ask in asks])
        self.begin(verb, item)
        return in_windows(self.pinentry.told("SETDESC"))


class Socket(AtAgent):
    def begin(self, verb, item):
        answer = self.agent.request(
            "POST", f"/authorizations/{item['ref']}/{verb}?fingerprint={item['fingerprint']}",
            headers={"Countersign-Display": "%3A7"})
        assert answer.status == 200 and answer.json["error"] is None, answer


class Notification(AtAgent):
    def begin(self, verb, item):
        note = until(lambda: next((n for n in self.desktop.notes().values() if item["ref"] in n["body"]), None), 60)
        self.desktop.do("invoke", note["id"], {"approve": "review"}.get(verb, verb))
        until(lambda: not any(item["ref"] in n["body"] and "Deny" in n["actions"] for n in self.desktop.notes().values()), 60)


@pytest.fixture(params=[Terminal, Window, Socket, Notification], ids=lambda carrier: carrier.__name__.lower())
def carrier(request, connected, bank, agents, tmp_path):
    bank.post("settings", processing_polls=0)
    connected.enroll(bank, protocol="v2", name="fern")
    carrier = request.param(connected, agents, tmp_path)
    yield carrier
    if hasattr(carrier, "desktop"):
        carrier.desktop.stop()


def test_each_decision_asks_the_same_everywhere(carrier, connected, bank):
    for verb, protocol, title, asks in (
        ("approve", "v1", TITLE, ["card", "PIN"]),
        ("approve", "v1", TITLE, ["card", "again", "PIN"]),
        # The log of one wire counts for the other, too.
        ("approve", "v2", TITLE, ["card", "again", "PIN"]),
        ("deny", "v1", "Pay 1.00 EUR", ["card", "yes"]),
        # A signed denial could be used as an approval.
        ("deny", "v2", "Pay 2.00 EUR", ["card", "PIN"]),
    ):
        id = bank.pay(title, protocol=protocol)
        [item] = [item for item in connected.json("pending")["authorizations"] if item["ref"].endswith(f":{id}")]
        wanted = [ask for ask in asks if ask not in carrier.given]
        if "PIN" not in asks and not isinstance(carrier, Terminal):
            # No window shows a card whose PIN is not asked for: the note, or the program, has shown it.
            wanted.remove("card")
        assert carrier.decide(verb, item, wanted) == wanted, (verb, protocol, title)
        status = bank.authorization(id)["status"]
        assert status == ("confirmed" if verb == "approve" else "denied")


@pytest.mark.parametrize("carrier_of_grant", ["terminal", "window", "notification"])
def test_a_grant_asks_the_same_everywhere(carrier_of_grant, home, agents, tmp_path):
    """The same card, line by line. A terminal has the time as an option."""
    desktop, pinentry = Desktop(tmp_path), FakePinentry(tmp_path)
    try:
        with signed_in(home.set_pin(), "--name", "fern"):
            agents(home, pinentry=pinentry).unlock()
            assert run(home, "token").code == 3
            request = only_request(home)
            facts = [
                f"Program: {request['program']['kind']}:{request['program']['name']}", "Session: fern",
                f"Account: {request['account']}", f"Issuer: {request['host']}", f"Scopes: {' '.join(request['scopes'])}"]
            if carrier_of_grant == "notification":
                note = desktop.note("A program asks for a token")
                asks = ["card", "when", "PIN"]
                pinentry.answers(*[WINDOW_ANSWERS[ask] for ask in asks])
                desktop.do("invoke", note["id"], "review")
                until(lambda: home.json("grants", pin=False)["grants"], 60)
                assert in_windows(pinentry.told("SETDESC")) == asks
                shown = pinentry.told("SETDESC")[0]
            elif carrier_of_grant == "window":
                fake = Fake(home)
                done = fake.run("allow", request["id"], answers=[typed(PIN)])
                assert done.code == 0 and in_windows(fake.told("SETDESC")) == ["PIN"], done
                shown = done.err
            else:
                child = home.terminal("allow", request["id"])
                assert on_terminal(child, ["PIN"]) == ["card", "PIN"]
                shown = child.logfile_read.getvalue().replace("\r", "")
            # However the lines are broken.
            assert all(letters(fact) in letters(shown) for fact in facts), shown
            [grant] = home.json("grants", pin=False)["grants"]
            assert grant["when"] == ("unlocked" if carrier_of_grant == "notification" else "open")
    finally:
        desktop.stop()
