"""Commands answer the same whether they work alone or ask an agent: JSON, standard error and exit code, of everything that
can be asked and much that can go wrong. Two homes are led through the same events at two banks, side by side.
"""

import concurrent.futures
import difflib
import json
import re

import pytest
import seeds
from agents import Agent, configure
from conftest import PIN, Bank, Home, check_schema, finish
from v2 import Waiting, sign_in

# Commands are compared here, so the agent's own questions to the banks shall not come in between: after the first ones
# there are none for a minute.
SELDOM = "[agent]\npoll_fastest = 60\npoll_slowest = 600\n"
PAYMENT = {"payment": {"payee": "Fern Books", "amount": "9.90 EUR"}, "extra": {"ip": "::1"}}


def alike(alone, asking, what):
    if alone != asking:
        texts = [json.dumps(side, indent=1).splitlines() for side in (alone, asking)]
        raise AssertionError("\n".join([f"{what}:", *difflib.unified_diff(*texts, "alone", "asking", n=1, lineterm="")]))


class Side:
    """A home with a v1 and a v2 connection, its bank, and an agent or none."""

    def __init__(self, path, has_agent):
        path.mkdir()
        (path / "home").mkdir()
        self.path, self.bank, self.aliases = path, Bank(path), {}
        self.bank.post("settings", processing_polls=0)
        self.home = Home(path / "home").set_pin()
        configure(self.home, SELDOM)
        self.home.enroll(self.bank).enroll(self.bank, protocol="v2", name="fern")
        self.agent = Agent(self.home, display=None).unlock() if has_agent else None

    def run(self, args, stdin, pin, environment):
        """Runs a command; through the agent, which is open, without a PIN: so it does go through the agent."""
        args = [arg(self) if callable(arg) else arg for arg in args]
        stdin = stdin(self) if callable(stdin) else stdin
        return self.home.run(*args, stdin=stdin, pin=pin or not self.agent, environment=environment)

    def show(self, ref):
        return self.home.json("show", ref, pin=not self.agent)

    def plain(self, value):
        """The same without what differs between two homes by nature: times, ports, the banks' random codes, and digests over
        random ids, which are numbered in the order in which they first came."""
        if isinstance(value, dict):
            return {
                key: (item is not None and item > 0) if key == "seconds_left" else self.plain(item)
                for key, item in value.items()}
        if isinstance(value, list):
            return [self.plain(item) for item in value]
        if not isinstance(value, str):
            return value
        value = re.sub(r"\b[0-9a-f]{64}\b", lambda found: self.alias(found[0][:16]), value)
        value = re.sub(r"\b(?:[0-9a-f]{4} ){3}[0-9a-f]{4}\b", lambda found: self.alias(found[0].replace(" ", "")), value)
        value = re.sub(r"(?<![\w-])[\w-]{32}(?![\w-])", "CODE", value)
        value = re.sub(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "TIME", value)
        value = re.sub(r"127\.0\.0\.1:\d+(/[0-9a-f]{32}\b)?", "HOST", value)
        return value.replace(str(self.path), "PATH")

    def alias(self, digest):
        return self.aliases.setdefault(digest, f"DIGEST-{len(self.aliases) + 1}")

    def text(self, text):
        """As `plain`, for what people read."""
        text = re.sub(r"\b(in )?\d+:\d\d(:\d\d)?\b", "TIME", self.plain(text))
        # What comes next depends on the agent.
        text = re.sub(r"(See what it asks with|The agent tells you of what it asks)[^\n]*", "NEXT", text)
        text = re.sub(r"\b(now|\d+ s ago|just now|\d+ min ago)\b", "TIME", text)
        # Said after a while, if it takes one.
        text = text.replace("Waiting for the bank (ctrl-c cancels) …\n", "")
        return re.sub("[ ─]+", " ", text)

    def stop(self):
        if self.agent:
            self.agent.kill()
        self.bank.stop()


class Twins:
    def __init__(self, path):
        self.sides = [Side(path / name, has_agent) for name, has_agent in (("alone", False), ("asking", True))]

    def both(self, act):
        """Does something on both sides at once; returns both results."""
        with concurrent.futures.ThreadPoolExecutor() as pool:
            return list(pool.map(act, self.sides))

    def each(self, act):
        """Does the same on both sides; what it returns must be the same too."""
        first, second = self.both(act)
        alike(first, second, "")
        return first

    def pay(self, title="Pay 9.90 EUR", description="To Fern Books", **options):
        """Makes an authorization at the v1 connection; returns its reference."""
        return "demobank:" + self.each(lambda side: side.bank.pay(title, description, protocol="v1", **options))

    def pay2(self, title="Pay 9.90 EUR", description=PAYMENT, **options):
        """As `pay`, at the v2 connection."""
        return "fern:" + self.each(lambda side: side.bank.pay(title, description, protocol="v2", **options))

    def fault(self, operation, **options):
        for side in self.sides:
            side.bank.fault(operation, **options)

    def same(self, *args, code=0, stdin="", pin=False, environment=None, judge=None, schema=None):
        """Runs a command with --json on both sides. Returns the JSON of the lonely one; `judge` takes out what may differ."""
        results = self.both(lambda side: side.run([*args, "--json"], stdin, pin, environment))
        for result in results:
            assert result.code == code, (args, result)
        alone, asking = [
            (side.plain(result.json if judge is None else judge(result.json)), side.text(result.err))
            for side, result in zip(self.sides, results)]
        alike(alone, asking, args)
        words = [word for word in args if isinstance(word, str)]
        check_schema(["failure"] if "error" in results[0].json else schema or words, results[0].json)
        return results[0].json

    def same_text(self, *args, code=0, stdin="", pin=False, environment=None):
        """Runs a command for people on both sides."""
        results = self.both(lambda side: side.run(args, stdin, pin, environment))
        for result in results:
            assert result.code == code, (args, result)
        alone, asking = [(side.text(result.out), side.text(result.err)) for side, result in zip(self.sides, results)]
        alike(alone, asking, args)
        return results[0]

    def fails(self, kind, *args, code, **options):
        """Runs a command that fails, both ways on both sides; returns the error."""
        error = self.same(*args, code=code, **options)["error"]
        assert (error["kind"], error["exit_code"]) == (kind, code), (args, error)
        assert self.same_text(*args, code=code, **options).err
        return error

    def decide(self, verb, ref, *args, code=0, fingerprint=None, **options):
        """Decides on both sides by the fingerprint that `show` gives there; returns the lonely side's decision."""
        claims = self.both(lambda side: fingerprint or side.show(ref)["fingerprint"])
        mine = dict(zip(self.sides, claims))
        # A denial takes the PIN at v2 banks.
        pin = verb == "approve" or ref.startswith(("fern:", "strict:"))
        answer = self.same(verb, ref, "--fingerprint", mine.get, *args, code=code, pin=pin, **options)
        [decision] = answer["decisions"]
        return decision

    def history(self, ref):
        # What became of others the agent may have heard meanwhile, where the lonely side did not ask.
        answer = self.same(
            "history", "--verify", judge=lambda log: {**log, "decisions": [d for d in log["decisions"] if d["ref"] == ref]})
        assert answer["log"] == "intact"
        return [(d["decision"], d["outcome"], d["basis"]) for d in answer["decisions"] if d["ref"] == ref]

    def settle(self):
        for side in self.sides:
            side.bank.post("faults/clear")
            side.bank.post("settings", processing_polls=0, geolocation_required=None, wrong_code="error")
            for item in side.bank.get("authorizations?status=pending"):
                side.bank.post(f"authorizations/{item['id']}/close")
            for name in {row["name"] for row in seeds.rows(side.home)} - {"demobank", "fern"}:
                side.home.ok("revoke", name, "--local-only")

    def stop(self):
        for side in self.sides:
            side.stop()


@pytest.fixture(scope="module")
def pair(tmp_path_factory):
    twins = Twins(tmp_path_factory.mktemp("twins"))
    yield twins
    twins.stop()


@pytest.fixture
def twins(pair):
    """With nothing waiting at the banks, whose two connections are `demobank` and `fern`, and the agent open."""
    agent = pair.sides[1].agent
    if agent.state != "open":
        agent.unlock()
    yield pair
    pair.settle()


# What is listed


READING = [
    ("connections",), ("ls",), ("pending",), ("pending", "--connection", "fern"), ("pending", "--strict"), ("history",),
    ("history", "--verify"), ("history", "--limit", "1"), ("history", "--since", "1h"), ("history", "--since", "2099-01-01"),
    ("history", "--connection", "fern"), ("consents",), ("consents", "list", "--connection", "demobank")]


def test_lists(twins):
    twins.pay("Pay 1.00 EUR", "<p>To <b>Fern</b></p>", code="c1")
    twins.pay("\x1b[2J\u202eHostile", "&lt;b&gt;", expires_in=100)
    twins.pay2(multiple=True)
    twins.pay2("Nothing but a title", {})
    for ref in (twins.pay("Yes"), twins.pay2("No")):
        twins.decide("deny", ref)
    for side in twins.sides:
        side.bank.post(
            "consents", user="ada", tpp_name="Budget App", accounts=[{"name": "Main", "iban": "AT001234"}],
            shared_data={"balance": True, "transactions": False})
    assert len(twins.same("pending")["authorizations"]) == 4
    assert len(twins.same("consents")["consents"]) == 2
    for args in READING:
        twins.same(*args)
    twins.fails("not_found", "history", "--connection", "nobody", code=4)
    for args in (("connections",), ("pending",), ("history", "--verify"), ("consents",)):
        twins.same_text(*args)
        twins.same_text(*args, "--quiet")


def test_show(twins):
    for ref in (twins.pay(code="c1"), twins.pay("T", "<table><tr><td>a<td>b</table>"), twins.pay2(), twins.pay2("T", {})):
        assert twins.same("show", ref)["ref"] == ref
        twins.same_text("show", ref)
        twins.same_text("show", ref, "--quiet")


def test_a_round_of_watching(twins):
    def events(side):
        result = side.run(["watch", "--once", "--json"], "", False, None)
        return result.code, result.err, [side.plain(json.loads(line)) for line in result.out.splitlines()]

    assert twins.each(events) == (0, "", [])
    twins.pay("First")
    twins.pay2("Second")
    twins.pay("Cannot be opened", corrupt="data")
    twins.fault("authorizations.show", times=100, status=500)
    assert len(twins.each(events)[2]) == 3


def test_items_that_cannot_be_read(twins):
    twins.pay("Good")
    for oddity in ({"corrupt": "key"}, {"corrupt": "json"}, {"corrupt": "connection_id"}, {"expires_at": "soon"}):
        twins.pay("Bad", **oddity)
        twins.pay2("Bad", **oddity)
    answer = twins.same("pending", "--strict")
    assert len(answer["authorizations"]) == 1 and len(answer["failures"]) == 8
    twins.same_text("pending")


def test_state_and_health(twins):
    def own(status):
        return {key: value for key, value in status.items() if key not in ("locked", "keys_in_memory", "agent", "waiting")}

    for args in (("status",), ("pin", "status")):
        assert twins.same(*args, judge=own)["pin_set"] is True

    def others(report):
        """But the agent itself, and what is measured anew each time."""
        return {"checks": [
            dict(check, message=re.sub(r"\d+", "N", check["message"])) if check["name"] == "locked-memory" else check
            for check in report["checks"] if check["name"] != "agent"]}

    twins.same("doctor", pin=True, judge=others)


# Decisions


@pytest.mark.parametrize("make", ["pay", "pay2"])
def test_approve_and_deny(twins, make):
    pay = getattr(twins, make)
    yes, no, text, other = pay("Yes"), pay("No"), pay("Text"), pay("Other")
    assert twins.decide("approve", yes)["outcome"] == "confirmed"
    assert twins.decide("deny", no)["outcome"] == "denied"
    claims = {side: side.show(text)["fingerprint"] for side in twins.sides}
    twins.same_text("approve", text, "--fingerprint", claims.get, pin=True)
    twins.same_text("deny", other, "--quiet", pin=True)
    assert twins.history(yes) == [("approve", "confirmed", "answered")]
    assert twins.history(no) == [("deny", "denied", "answered")]
    for side in twins.sides:
        assert side.bank.authorization(yes.split(":")[1])["decisions_received"] == 1


def test_several_at_once(twins):
    refs = [twins.pay("One"), twins.pay2("Two"), twins.pay("Three")]
    for side in twins.sides:
        side.bank.post(f"authorizations/{refs[0].split(':')[1]}/close")
    answer = twins.same("deny", *refs, "nobody:1", code=4, pin=True)
    assert [d["outcome"] for d in answer["decisions"]] == ["unknown", "denied", "denied", "unknown"]
    assert twins.same_text("deny", *refs, code=4, pin=True).err.count("error: ") == 3


@pytest.mark.parametrize("make", ["pay", "pay2"])
def test_content_that_is_not_what_was_seen(twins, make):
    ref = getattr(twins, make)()
    for claim in ("0" * 64, "0" * 16):
        for verb in ("approve", "deny"):
            assert twins.decide(verb, ref, fingerprint=claim, code=8)["error"]["kind"] == "changed"
    seen = {side: side.show(ref)["fingerprint"] for side in twins.sides}
    for side in twins.sides:
        side.bank.admin("PATCH", f"authorizations/{ref.split(':')[1]}", title="Pay 990.00 EUR")
    answer = twins.same("approve", ref, "--fingerprint", seen.get, pin=True, code=8)
    assert answer["decisions"][0]["error"]["kind"] == "changed"
    twins.same_text("approve", ref, "--fingerprint", seen.get, pin=True, code=8)
    assert twins.history(ref) == []


def test_what_expired(twins):
    for ref in (twins.pay("Over", expires_at="2020-01-01T00:00:00Z"), twins.pay2("Over", expires_at="2020-01-01T00:00:00Z")):
        assert twins.decide("approve", ref, code=8)["outcome"] == "expired"
    assert twins.same("pending")["authorizations"] == []


@pytest.mark.parametrize("make", ["pay", "pay2"])
@pytest.mark.parametrize("after", [True, False])
def test_answers_that_are_lost(twins, make, after):
    ref = getattr(twins, make)()
    seen = {side: side.show(ref)["fingerprint"] for side in twins.sides}
    twins.fault("authorizations.decide", drop=True, after=after)
    lost = twins.decide("approve", ref, code=9)
    assert lost["outcome"] == "unknown"
    again = twins.same("approve", ref, "--fingerprint", seen.get, pin=True, code=4 if after else 9)
    assert again["decisions"][0]["outcome"] == "unknown"
    listed = twins.same("pending")["authorizations"]
    known = ("unknown", "inferred") if make == "pay" else ("confirmed", "answered")
    if after:
        assert listed == [] and twins.history(ref) == [("approve", *known)]
    else:
        assert [item["ref"] for item in listed] == [ref] and twins.history(ref) == [("approve", "unknown", None)]
        assert twins.decide("approve", ref)["outcome"] == "confirmed"


@pytest.mark.parametrize("fault, code", [
    ({"status": 500, "body": "<html>oh no</html>"}, 9), ({"status": 400, "body": ""}, 5),
    ({"status": 200, "body": '{"data":{"success":false}}'}, 5),
    ({"status": 404, "error_class": "AuthorizationNotFound"}, 5),
    ({"status": 400, "error_class": "X\x1b[2J", "error_message": "\u202egnp.exe\nhint: rm"}, 5)])
def test_odd_answers_to_a_decision(twins, fault, code):
    ref = twins.pay()
    twins.fault("authorizations.decide", **fault)
    twins.decide("deny", ref, code=code)


def test_a_clock_that_differs(twins):
    ref = twins.pay()
    twins.fault("authorizations.decide", status=400, error_class="SignatureExpired")
    assert twins.decide("approve", ref)["outcome"] == "confirmed"
    assert [entry[1] for entry in twins.history(ref)] == ["refused", "confirmed"]


def test_a_bank_that_works_on_it(twins):
    for side in twins.sides:
        side.bank.post("settings", processing_polls=2)
    quick, slow, text = twins.pay2("Not awaited"), twins.pay2("Awaited"), twins.pay2("For people")
    assert twins.decide("approve", quick, "--no-wait")["outcome"] == "processing"
    assert twins.history(quick) == [("approve", "processing", "answered")]
    assert twins.decide("approve", slow)["outcome"] == "confirmed"
    twins.same_text("deny", text, "--no-wait", pin=True)


@pytest.mark.parametrize("word, code", [("time_out", 8), ("closed", 8), ("unavailable", 8), ("error", 5), ("denied", 5)])
def test_final_words(twins, word, code):
    twins.decide("approve", twins.pay2(outcome=word), code=code)


def test_a_position(twins):
    for side in twins.sides:
        side.bank.post("settings", geolocation_required=True)
        side.home.enroll_by_program(side.bank, protocol="v2", name="strict")
        side.bank.post("settings", geolocation_required=None)
    ids = twins.each(lambda side: [
        str(side.bank.post("authorizations", connection=side.home.json("connections")["connections"][-1]["id"],
                           title="Where?", description={"text": "x"}, multiple=True)["ids"][0]) for _ in range(2)])
    first, second = [f"strict:{id}" for id in ids]
    assert twins.decide("approve", first, code=64)["error"]["kind"] == "usage"
    assert twins.decide("approve", first, "--geolocation", "48.1,11.5")["outcome"] == "confirmed"
    assert twins.decide("deny", second)["outcome"] == "denied"
    for side in twins.sides:
        assert side.bank.authorization(ids[0])["geolocation"] == "GEO:48.1;11.5"
    twins.same("revoke", "strict")


# What cannot be had


@pytest.mark.parametrize("args, code", [
    (("show", "nordia:1"), 4), (("show", "demobank:4711"), 4), (("show", "fern:4711"), 4), (("show", "demobnak:1"), 4),
    (("show", "4711"), 64), (("show", ""), 4), (("show", "demobank:%00"), 5), (("show", "demobank:..%2F..%2Fx"), 4),
    (("show", "demobank:" + "9" * 9000), 4), (("pending", "--connection", "nordia"), 4), (("rename", "nordia", "x"), 4),
    (("rename", "demobank", "Not A Name"), 64), (("rename", "demobank", "fern"), 64), (("revoke", "nordia"), 4),
    (("revoke", "a/b?c#d%"), 4), (("revoke", ""), 4), (("reconnect", "nordia", "--yes"), 4),
    (("consents", "--connection", "nordia"), 4), (("consents", "revoke", "nordia:1"), 4),
    (("consents", "revoke", "demobank:4711"), 4), (("consents", "revoke", "31"), 64), (("history", "--since", "soon"), 64),
    (("history", "--limit", "0"), 64), (("approve", "demobank:1"), 64), (("approve", "demobank:1", "--fingerprint", "ab"), 64),
    (("act", "-", "--yes"), 64), (("enroll", "-", "--yes"), 64)])
def test_mistakes(twins, args, code):
    kind = {4: "not_found", 5: "refused", 64: "usage"}[code]
    twins.fails(kind, *args, code=code)


@pytest.mark.parametrize("verb", ["approve", "deny"])
@pytest.mark.parametrize("ref, code", [("nordia:1", 4), ("demobank:4711", 4), ("fern:4711", 4), ("4711", 64)])
def test_decisions_on_nothing(twins, verb, ref, code):
    assert twins.decide(verb, ref, fingerprint="0" * 64, code=code)["outcome"] == ("unknown" if code == 4 else "refused")
    twins.same_text(verb, ref, "--fingerprint", "0" * 64, pin=True, code=code)


@pytest.mark.parametrize("fault", [
    {"status": 400, "error_class": "InvalidSignature", "error_message": "please come back"},
    {"status": 403, "error_class": "X\x1b[2J", "error_message": "\u202egnp.exe\nhint: rm -rf"},
    {"status": 500, "body": "<html>oh no</html>"}, {"status": 200, "body": '{"data":7}'}, {"status": 302, "body": ""},
    {"status": 200, "body_size": 17 << 20}, {"drop": True}, {"status": 429, "headers": {"Retry-After": "1"}}],
    ids=lambda fault: next(iter(fault.values())))
def test_faults_of_a_bank(twins, fault):
    twins.pay("It is there")
    twins.fault("authorizations.list", times=100, **fault)
    for args in (("pending",), ("pending", "--strict"), ("pending", "--connection", "fern")):
        code = 6 if "drop" in fault else 5
        assert len(twins.same(*args, code=code)["failures"]) == (1 if "fern" in args else 2)
        twins.same_text(*args, code=code)
    for side in twins.sides:
        side.bank.post("faults/clear")
    twins.fault("consents.list", times=100, **fault)
    twins.same("consents", code=code)
    twins.same_text("consents", code=code)


def test_one_bank_of_two_fails(twins):
    twins.pay()
    twins.pay2()
    for side in twins.sides:
        # What v2 asks is of the same bank; this is how one of the two connections fails alone.
        side.home.ok("rename", "demobank", "first")
    twins.fault("authorizations.show", times=100, status=500)
    twins.same("pending")
    for side in twins.sides:
        side.home.ok("rename", "first", "demobank")


def test_a_bank_that_is_down(twins):
    for side in twins.sides:
        side.down = Bank(side.path)
        side.down.user("grace")
        side.home.enroll_by_program(side.down, "grace", name="moss")
        side.down.stop()
    assert [f["connection"] for f in twins.same("pending")["failures"]] == ["moss"]
    twins.same_text("pending")
    twins.same("pending", "--strict", code=6)
    twins.same("pending", "--connection", "moss", code=6)
    for args in (("show", "moss:1"), ("consents", "revoke", "moss:1"), ("revoke", "moss")):
        twins.fails("unreachable", *args, code=6)
    assert twins.decide("deny", "moss:1", fingerprint="0" * 64, code=6)["fingerprint"] is None
    assert twins.same("revoke", "moss", "--local-only")["revoked"]["bank_told"] is False


@pytest.mark.parametrize("words, code", [
    (("show", "{id}"), 0), (("show", "fern"), 4), (("show", "fern:"), 4), (("deny", ""), 4), (("show", "x"), 4)])
def test_beginnings_on_a_terminal(twins, words, code):
    first, _, _ = twins.pay2("One"), twins.pay2("Two"), twins.pay("Three")

    def said(side):
        child = side.home.terminal(
            *(word.format(id=first.split(":")[1]) for word in words), environment={"NO_COLOR": "1"}, columns=120)
        if not side.agent:
            child.expect("PIN: ")
            child.sendline(PIN)
            child.expect("·+\r\n")
        return finish(child), side.text(child.before.strip())

    assert twins.each(said)[0] == code


# Connections


def instant(**options):
    return lambda side: side.bank.link(instant=True, **options) + "\n"


def test_rename_and_revoke(twins):
    for name in ("second", "third", "fourth"):
        answer = twins.same("enroll", "-", "--yes", "--name", name, stdin=instant())
        assert answer["connection"]["name"] == name
    assert twins.same("rename", "second", "savings")["connection"]["name"] == "savings"
    twins.same_text("rename", "savings", "second")
    assert twins.same("revoke", "second")["revoked"]["bank_told"] is True
    twins.fault("connections.revoke", times=2, status=500)
    error = twins.fails("refused", "revoke", "third", code=5)
    assert "--local-only" in error["hint"]
    twins.same_text("revoke", "third")
    for side in twins.sides:
        side.bank.post(f"connections/{side.bank.get('connections')[-1]['id']}/revoke")
    assert twins.same("revoke", "fourth")["revoked"]["bank_told"] is False
    assert [c["name"] for c in twins.same("connections")["connections"]] == ["demobank", "fern"]


def test_enroll_by_an_instant_link(twins):
    for options in ({}, {"protocol": "v2"}, {"instant_style": "redirect"}):
        name = twins.same("enroll", "-", "--yes", stdin=instant(**options))["connection"]["name"]
        twins.same("revoke", name)
    twins.same_text("enroll", "-", "--yes", stdin=instant())
    twins.same_text("revoke", "demobank-2")
    twins.same("enroll", "-", "--yes", "--name", "once", stdin=instant())
    twins.fails("usage", "enroll", "-", "--yes", "--name", "once", code=64, stdin=instant())
    twins.fails("usage", "enroll", "-", "--yes", "--name", "No Name", code=64, stdin=instant())
    twins.fails("locked", "enroll", "-", code=3, stdin=instant())


@pytest.mark.parametrize("link", [
    "hello", "authenticator://saltedge.com/connect?configuration=nonsense",
    "authenticator://saltedge.com/connect?configuration=http://bank.example/c", "authenticator://x?configuration=%zz",
    "authenticator://saltedge.com/action?action_uuid=1"])
def test_faulty_links(twins, link):
    for command in ("enroll", "open"):
        twins.fails("usage", command, link, "--yes", code=64)
    twins.fails("usage", "enroll", "-", "--yes", code=64, stdin=link + "\n")


def test_enroll_with_a_bank_that_fails(twins):
    twins.fails(
        "unreachable", "enroll", "-", "--yes", code=6, stdin="authenticator://x?configuration=http://127.0.0.1:1/c\n")
    twins.fault("configuration", times=2, status=404, body="")
    twins.fails("refused", "enroll", "-", "--yes", code=5, stdin=instant())
    twins.fault("connections.create", times=2, status=400, error_class="ConnectionNotCreated")
    twins.fails("refused", "enroll", "-", "--yes", code=5, stdin=instant())
    twins.fault("authorizations.list", times=100, status=500)
    twins.same("enroll", "-", "--yes", code=5, stdin=instant())
    assert len(twins.same("connections")["connections"]) == 2


@pytest.mark.parametrize("protocol", ["v1", "v2"])
def test_enroll_by_the_page_of_the_bank(twins, protocol):
    def enroll(side):
        waiting = Waiting(side.home, "enroll", "-", "--name", "paged", "--json", link=side.bank.link(protocol=protocol))
        assert sign_in(waiting.page)[0] == 200
        code, out, err = waiting.finish()
        return code, side.plain(json.loads(out)), side.text(re.sub(r"http://\S+", "URL", err))

    assert twins.each(enroll)[0] == 0
    twins.same("revoke", "paged")


def test_a_page_that_does_not_come_back(twins):
    error = twins.fails(
        "cancelled", "enroll", "-", "--yes", "--no-browser", "--timeout", "0.01", code=2,
        stdin=lambda side: side.bank.link() + "\n")
    assert "did not come back in time" in error["message"]
    assert len(twins.same("connections")["connections"]) == 2


@pytest.mark.parametrize("protocol", ["v1", "v2"])
def test_a_connection_that_the_bank_ends(twins, protocol):
    twins.same("enroll", "-", "--yes", "--name", "ended", stdin=instant(protocol=protocol))
    for side in twins.sides:
        side.bank.post(f"connections/{side.bank.get('connections')[-1]['id']}/revoke")
    # The first question finds it; from then on the bank is not asked.
    failures = twins.same("pending")["failures"]
    assert "countersign reconnect ended" in failures[0]["hint"]
    assert {c["name"]: c["status"] for c in twins.same("connections")["connections"]}["ended"] == "inactive"
    twins.same_text("connections")
    assert len(twins.same("pending")["failures"]) == 1
    assert len(twins.same("pending", "--strict", code=5)["failures"]) == 1
    for args in (("pending", "--connection", "ended"), ("show", "ended:1"), ("consents", "--connection", "ended")):
        twins.fails("refused", *args, code=5)
    assert twins.decide("deny", "ended:1", fingerprint="0" * 64, code=5)["error"]["kind"] == "refused"

    def reconnect(side):
        waiting = Waiting(side.home, "reconnect", "ended", "--json")
        assert sign_in(waiting.page)[0] == 200
        code, out, err = waiting.finish()
        return code, side.plain(json.loads(out)), side.text(re.sub(r"http://\S+", "URL", err))

    assert twins.each(reconnect)[1]["connection"]["status"] == "active"
    twins.same("show", "ended:1", code=4)


# Actions and consents


def test_actions(twins):
    def action(**options):
        links = {side: side.bank.post("actions", user="ada", **options)["link"] + "\n" for side in twins.sides}
        return links.get

    for protocol in ("v1", "v2"):
        claimed = twins.same("act", "-", "--yes", stdin=action(protocol=protocol, return_to="https://fern.example/b"))
        assert claimed["action"]["authorization"] in [i["ref"] for i in twins.same("pending")["authorizations"]]
        twins.same_text("act", "-", "--yes", stdin=action(protocol=protocol, kind="plain"))
        twins.fails("refused", "act", "-", "--yes", code=5, stdin=action(protocol=protocol, kind="refused"))
        twins.fails("locked", "act", "-", code=3, stdin=action(protocol=protocol))
        twins.fails("not_found", "act", "-", "--yes", "--connection", "nobody", code=4, stdin=action(protocol=protocol))
        other = "fern" if protocol == "v1" else "demobank"
        twins.fails("not_found", "act", "-", "--yes", "--connection", other, code=4, stdin=action(protocol=protocol))
        link = action(protocol=protocol)
        twins.same("open", lambda side: link(side).strip(), "--yes", schema=["act"])
    twins.same("enroll", "-", "--yes", "--name", "second", stdin=instant())
    error = twins.fails("ambiguous", "act", "-", "--yes", code=4, stdin=action())
    assert "demobank, second" in error["hint"]
    assert twins.same("act", "-", "--yes", "--connection", "second", stdin=action())["action"]["connection"] == "second"
    twins.fails("usage", "act", "-", "--yes", code=64, stdin=instant())
    twins.fault("actions.claim", times=2, drop=True)
    twins.fails("unknown", "act", "-", "--yes", code=9, stdin=action(protocol="v2"))
    twins.same("revoke", "second")


def test_consents(twins):
    for side in twins.sides:
        for consent in side.home.json("consents")["consents"]:
            side.home.ok("consents", "revoke", consent["ref"])
        side.bank.post("consents", user="ada", tpp_name="Budget App", consent_type="aisp", accounts=[{"name": "Main"}])
    refs = [consent["ref"] for consent in twins.same("consents")["consents"]]
    assert len(refs) == 2
    for ref in refs:
        twins.fault("consents.revoke", times=2, status=500)
        twins.fails("refused", "consents", "revoke", ref, code=5)
        assert twins.same("consents", "revoke", ref) == {"revoked": {"ref": ref}}
        twins.fails("not_found", "consents", "revoke", ref, code=4)
    twins.same_text("consents")


# The PIN


def test_without_a_pin_nothing_is_approved(twins):
    ref = twins.pay()
    claims = {side: side.show(ref)["fingerprint"] for side in twins.sides}
    for more in ((), ("--no-input",), ("--json",), ("--json", "--no-input")):
        alone, asking = [
            side.home.run("approve", ref, "--fingerprint", claims[side], *more, pin=False) for side in twins.sides]
        assert (alone.code, alone.out, alone.err) == (asking.code, asking.out, asking.err) and alone.code == 3, (alone, asking)
        if more[:1] == ("--json",):
            check_schema(["failure"], alone.json)


@pytest.mark.parametrize("verb", ["approve", "deny"])
def test_with_a_wrong_pin_nothing_is_decided(twins, verb):
    ref = twins.pay()
    claims = {side: side.show(ref)["fingerprint"] for side in twins.sides}
    if verb == "deny":
        # An open agent denies without one.
        twins.sides[1].home.ok("lock", pin=False)
    for side in twins.sides:
        side.home.write_pin("999111")
    args = verb, ref, "--fingerprint", claims.get
    try:
        for left in (8, 7):
            if left == 8:
                error = twins.same(*args, code=3, pin=True)["error"]
            else:
                twins.same_text(*args, code=3, pin=True)
            for side in twins.sides:
                assert side.home.json("status", pin=False)["tries_left"] == left
        assert (error["kind"], error["message"]) == ("locked", "wrong PIN; 8 tries are left")
    finally:
        for side in twins.sides:
            side.home.write_pin(PIN)
            # A right PIN makes good for the wrong ones.
            side.home.ok("unlock" if side.agent else "connections")
    for side in twins.sides:
        assert side.bank.authorization(ref.split(":")[1])["decisions_received"] == 0


def test_a_wrong_pin_for_several_costs_one_try(twins):
    refs = [twins.pay("One"), twins.pay("Two")]

    def approve(side):
        side.home.write_pin("999111")
        child = side.home.terminal("approve", *refs, "--pin-file", side.home.pin_file, "--json")
        code = finish(child)
        side.home.write_pin(PIN)
        left = side.home.json("status", pin=False)["tries_left"]
        side.home.ok("unlock" if side.agent else "connections")
        return code, left

    assert twins.each(approve) == (3, 8)


def test_the_pin_changes_under_the_agent(twins):
    def own(status):
        return {key: value for key, value in status.items() if key not in ("locked", "keys_in_memory", "agent", "waiting")}

    def write(*lines):
        for side in twins.sides:
            side.home.write_pin(*lines)

    def reopen():
        """A change shuts the agent."""
        for side in twins.sides:
            if side.agent:
                assert side.agent.state == "shut"
                side.agent.unlock()

    new = "141421"
    write(PIN, new)
    twins.same("pin", "change", pin=True, judge=own)
    error = twins.same("pin", "change", pin=True, code=3)["error"]
    assert error["message"] == "wrong PIN; 8 tries are left"
    write(new)
    reopen()
    twins.same("connections")
    assert twins.decide("approve", twins.pay())["outcome"] == "confirmed"
    write(new, PIN)
    twins.same("pin", "change", pin=True, judge=own)
    write(PIN)
    reopen()
