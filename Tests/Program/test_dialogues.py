"""Every front end walks the same dialogue: the terminal, a pinentry in place of it, a note on the desktop, and a program at the
agent's socket find the same questions in the same order.
"""

import io
import json
import re
import subprocess

import pytest
from agents import YES, Desktop, FakePinentry, agents, typed  # noqa: F401
from conftest import PIN, finish
from innards import until
from issuers import redirect_of, signed_in, visit
from test_pictures import coded, saved, side_by_side
from test_pinentry import Fake
from test_session_programs import only_request, run
from test_session_sign_in import ask, ended  # noqa: F401
from test_session_sites import SCOPES
from v2 import sign_in

# How each question is recognised. A card of several pages is one question.
ON_TERMINAL = {
    "card": r"┌──|^Program: |^Service: .*\nSession: |^Session: \S+\nSign out: ",
    "again": "You approved the same a few minutes ago", "yes": r"Deny this\?\W{1,2}\[y/N\]",
    "PIN": r"PIN to (?:approve|deny|allow|stay signed in for longer) ", "connect": r"wants to connect this computer\. Continue\? \[y/N\]",
    "sign in": r"Sign in at [^\n]*Continue\? \[y/N\]", "code": "^and enter the code:", "which": "Which one, 1 to 2",
    "claim": r"claim this action for \S+\? \[y/N\]", "disconnect": r"destroy key, token and record of \S+ here[^\n]*\[y/N\]",
    "sign out": r"Programs get no more tokens of it\. \[y/N\]", "sooner": r"Sign out of \S+ in 1h\? \[y/N\]"}
IN_WINDOWS = {
    "unlock": "^Unlock Countersign", "card": r"\nPage \d+ of \d+, then the PIN\n|^May this program have tokens\?",
    "again": "Type the title to approve the same again", "when": r"^Also when nobody is here\?", "PIN": "Enter your Countersign PIN",
    "yes": "^Deny (?:request|payment)\n", "connect": r"^Connect this computer to this bank\?", "claim": "^Claim this action for this",
    "sign in": r"^Sign in (?:again|at this issuer)\?", "another": r"^May another program do this\?"}
TITLE = "Pay 9.90 EUR"
WINDOW_ANSWERS = {"card": YES, "again": typed(TITLE), "yes": YES, "when": YES, "PIN": typed(PIN)}
KEYS = {"again": TITLE, "PIN": PIN, "which": "1"} | dict.fromkeys(
    ("yes", "connect", "sign in", "claim", "disconnect", "sign out", "sooner"), "y")
# The page of a bank or issuer; that of a device flow has the code in its address.
PAGE = r"\n  (http\S+/(?:authorize|connect)\S+|http\S+user_code=\S+)\r?\n"


def letters(text):
    return re.sub(r"[\s↳]", "", text)


def in_windows(texts):
    """The questions that a pinentry was told to draw."""
    names = [next((name for name, words in IN_WINDOWS.items() if re.search(words, text)), text) for text in texts]
    return [name for name, before in zip(names, [None] + names) if name not in (before, "unlock")]


def on_terminal(child, asks, lead=None):
    """Answers these questions, follows the page that they lead to, and returns those that the terminal showed."""
    child.logfile_read = io.StringIO()
    for ask in asks:
        if ask in KEYS:
            while child.expect([ON_TERMINAL[ask], "^PIN: |\nPIN: "]) == 1:
                child.sendline(PIN)
            child.sendline(KEYS[ask])
    if lead:
        child.expect(PAGE)
        lead(child.match[1])
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

    def walk(self, words, asks, lead):
        return on_terminal(self.home.terminal(*words), asks, lead)


class Window:
    given = set()

    def __init__(self, home, *_):
        self.fake = Fake(home)

    def decide(self, verb, item, asks):
        answers = [typed(PIN)] + [WINDOW_ANSWERS[ask] for ask in asks]
        done = self.fake.run(verb, item["ref"], "--fingerprint", item["fingerprint"], answers=answers)
        assert done.code == 0, done
        return in_windows(self.fake.told("SETDESC"))

    def walk(self, words, asks, lead):
        answers = self.fake.environment(typed(PIN), *[WINDOW_ANSWERS.get(ask, YES) for ask in asks])
        process = subprocess.Popen(
            self.fake.home.argv(*words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.fake.home.environment | answers)
        said = ""
        while line := process.stderr.readline():
            said += line
            if lead and (found := re.search(PAGE, "\n" + line)):
                lead(found[1])
        assert process.wait(60) == 0, said
        # A code is for the person's eyes alone; no window takes an answer to it.
        return in_windows(self.fake.told("SETDESC")) + ["code"] * len(re.findall(ON_TERMINAL["code"], said, re.M))


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


def undertakings(carrier, bank, issuer, unlock):
    """Each dialogue besides decisions and grants: its command, the questions on a terminal, those of them that no window asks, and
    the act of the person at the page. No window says no to a command that was typed, or shows a card before its PIN.
    """
    def action():
        return bank.post("actions", user="ada", kind="plain")["link"]

    def issuers_page(page):
        assert visit(redirect_of(page))[0] == 200
    yield ("act", action()), ["claim"], (), None
    yield ("enroll", bank.link(instant=True), "--name", "oak"), ["connect"], (), None
    if isinstance(carrier, Terminal):
        # Elsewhere the connection must be named.
        yield ("act", action()), ["which", "claim"], (), None
        codes = saved(carrier.home.path / "codes.png", side_by_side(coded(action()), coded(action())))
        yield ("act", "--image", codes, "--connection", "oak"), ["which", "claim"], (), None
    yield ("act", action(), "--connection", "oak"), ["claim"], (), None
    yield ("reconnect", "demobank", "--no-browser"), ["connect"], (), sign_in
    yield ("revoke", "oak"), ["disconnect"], ["disconnect"], None
    yield ("login", issuer.issuer, "--name", "elm", "--no-browser"), ["sign in"], (), issuers_page
    yield ("login", "elm", "--no-browser"), ["sign in"], (), issuers_page
    yield ("login", issuer.issuer, "--name", "yew", "--device"), ["sign in", "code"], (), visit
    yield ("sites", "add", issuer.api, "--session", "fern"), ["card", "PIN"], ["card"], None
    yield ("sessions", "set", "fern", "--until", "1h"), ["sooner"], ["sooner"], None
    # Without an agent, the PIN that opens the vault says yes.
    unlock()
    yield ("sessions", "set", "fern", "--until", "8h"), ["card", "PIN"], ["card"], None
    yield ("logout", "fern"), ["sign out"], ["sign out"], None


@pytest.mark.parametrize("carrier", [Terminal, Window], indirect=True, ids=["terminal", "window"])
def test_each_other_undertaking_asks_the_same(carrier, connected, bank, agents):
    connected.ok("revoke", "fern")
    with signed_in(connected, *SCOPES, "--name", "fern", device_interval=1) as issuer:
        for words, asks, unasked, lead in undertakings(carrier, bank, issuer, lambda: agents(connected).unlock()):
            wanted = asks if isinstance(carrier, Terminal) else [ask for ask in asks if ask not in unasked]
            assert carrier.walk(words, wanted, lead) == wanted, words


def test_another_program_asks_for_each_undertaking_at_the_socket(connected, bank, agents, tmp_path):
    """The program has put the question of the dialogue itself; the agent asks whether it may. Logins are for our own command."""
    pinentry = FakePinentry(tmp_path)
    agent = agents(connected, pinentry=pinentry).unlock()

    def ask(method, path, status=200, **body):
        pinentry.answers(YES)
        headers = {"Content-Type": "application/json", "Countersign-Display": "%3A7"}
        answer = agent.request(method, path, json.dumps(body).encode() if body else None, headers)
        assert answer.status == status, answer
        return in_windows(pinentry.told("SETDESC")), answer.body and answer.json

    asked, opened = ask("POST", "/enrollments", link=bank.link(instant=True), name="oak")
    assert asked == []
    assert ask("POST", f"/enrollments/{opened['id']}/accept", return_url="http://127.0.0.1:1/x")[0] == ["another"]
    link = bank.post("actions", user="ada", kind="plain")["link"]
    assert ask("POST", "/actions", link=link, connection="demobank")[0] == ["another"]
    assert ask("DELETE", "/connections/oak")[0] == ["another"]
    assert ask("POST", "/logins", 403, target="https://id.fern.example")[0] == []


def test_a_note_leads_to_the_question_of_a_login(home, ended, agents, tmp_path):  # noqa: F811
    desktop, pinentry = Desktop(tmp_path, "--portal"), FakePinentry(tmp_path)
    try:
        agents(home, pinentry=pinentry).unlock()
        ask(home)
        pinentry.answers(YES)
        desktop.do("invoke", desktop.note("Sign in again")["id"], "sign-in")
        until(lambda: desktop.made("OpenURI"), 60)
        assert in_windows(pinentry.told("SETDESC")) == ["sign in"]
    finally:
        desktop.stop()
