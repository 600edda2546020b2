"""A hint names the next command. Each is run in the state in which the hint was given, and finds that it gets further."""

import contextlib
import pathlib
import re

import pytest
from agents import agents
from conftest import PIN, ROOT, finish
from issuers import Issuer, log_in
from test_exit_codes import in_session

HELP = pathlib.Path(__file__).parent / "snapshots/help"
# Words that stand for something that only the person knows.
PLACEHOLDER = re.compile(r"^[A-Z]{2,}$|^https://ISSUER$|^-$")


def commands(hint):
    """The commands that a hint names, as lists of words."""
    found = []
    for part in re.findall(r"countersign ((?:[^\s,;]+ ?)+)", hint or ""):
        words = part.split()
        end = next((n for n, word in enumerate(words) if not is_word(words[:n], word)), len(words))
        found.append(words[:end])
    return found


def is_word(before, word):
    """Whether a word still belongs to the command, and not to the sentence."""
    if not before:
        return True
    prefix = "-".join(["countersign", *before])
    subcommand = (HELP / f"{prefix}-{word}.txt").exists()
    return subcommand or word.startswith("--") or before[-1].startswith("--") or PLACEHOLDER.match(word) or any(
        c in word for c in ":/") or re.search(r"\d", word) or word.startswith("demo")


def failure(home, words, **options):
    """Runs a command; returns its failure, or None."""
    result = home.run(*words, "--json", pin="--pin-file" not in words, **options)
    if result.code == 0:
        return None
    answer = result.json
    if "error" in answer:
        return answer["error"]
    return next((d["error"] for d in answer.get("decisions", []) if d["error"]), None) or answer["failures"][0]


class Given:
    """What the person knows, and a hint cannot name. `issuer`: makes an issuer where the person has an account."""

    def __init__(self, home, bank, known, issuer):
        self.home, self.bank, self.known, self.issuer = home, bank, known, issuer

    def filled(self, words):
        """The command with the person's own words in place of those that stand for them."""
        own = {"NAME": "demobank", "NEW": "moss", "-": "-", **self.known}
        if any("ISSUER" in word or word == "URL" for word in words):
            own |= dict.fromkeys(("URL", "ISSUER", "https://ISSUER"), self.issuer())
        return [own[word] if PLACEHOLDER.match(word) else word for word in words]

    def whole(self, words):
        """The command with what the person adds to it, and its input."""
        words = self.filled(words)
        if words[0] == "enroll":
            return [*words, "-", "--yes"], self.bank.link(instant=True) + "\n"
        if words[0] == "act":
            return [*words, "-", "--yes"], self.bank.post("actions", user="ada")["link"] + "\n"
        if words[:2] == ["pin", "change"]:
            self.home.pin_file.with_name("both").write_text(f"{PIN}\n314159\n")
            self.home.pin_file.with_name("both").chmod(0o600)
            return [*words, "--pin-file", str(self.home.pin_file.with_name("both"))], ""
        return words, ""


def follow(given, words, stdin="", seen=()):
    """Runs a command, and where it fails the commands of its hint, and theirs. None may fail as one before it did. Returns all
    messages that came."""
    if words[0] == "login" and words[1].startswith("http"):
        # The browser belongs to the person.
        log_in(given.home, *words[1:])
        return []
    error = failure(given.home, words, stdin=stdin)
    if error is None:
        return []
    assert error["message"] not in seen, f"{words} goes round in a circle: {error}"
    named = commands(error["hint"])
    assert named or "--" in error["hint"], f"{words} leads nowhere: {error}"
    messages = [error["message"]]
    for command in named:
        messages += follow(given, *given.whole(command), (*seen, error["message"]))
    return messages


@pytest.fixture
def issuer():
    """Makes an issuer when it is needed; returns its address, each time the same."""
    with contextlib.ExitStack() as stack:
        made = []

        def make():
            if not made:
                made.append(stack.enter_context(Issuer()))
            return made[0].issuer
        yield make


def fresh(home, bank):
    return {}


def with_pin(home, bank):
    home.set_pin()
    return {}


def connected(home, bank):
    home.set_pin().enroll(bank)
    return {"REF": f"demobank:{bank.pay()}"}


def decided(home, bank):
    given = connected(home, bank)
    fingerprint = home.json("show", given["REF"])["fingerprint"]
    home.ok("approve", given["REF"], "--fingerprint", fingerprint)
    return given | {"PRINT": fingerprint}


def ended(home, bank):
    given = connected(home, bank)
    bank.post(f"connections/{bank.get('connections')[0]['id']}/revoke")
    return given


# State, command, and whether the hints cure what was wrong: then the same command is no longer refused in the same way.
CASES = [
    (fresh, "pending", True), (fresh, "connections", True), (fresh, "enroll - --yes", True), (fresh, "history", True),
    (fresh, "token", True), (with_pin, "show demobank:1", False), (with_pin, "revoke demobank", True),
    (with_pin, "pending --connection demobank", True), (with_pin, "act - --yes", True), (with_pin, "pin set", False),
    (with_pin, "enrol", False), (with_pin, "version", False), (with_pin, "list", False), (connected, "show demobank:999999", False),
    (connected, "approve REF", False), (connected, "approve REF --fingerprint " + "0" * 16, False),
    (connected, "approve REF --fingerprint x", False), (connected, "approve REF --option x --fingerprint " + "0" * 16, False),
    (connected, "show 1", False), (connected, "revoke demobonk", False), (connected, "rename nordia fern", False),
    (connected, "consents revoke demobank:999999", False), (connected, "consents revoke demobank", False),
    (with_pin, "login https://issuer.example --yes --ca-file /nonexistent", False), (connected, "reconnect nordia", False), (connected, "grants revoke 1f", False),
    (connected, "sites remove 1f", False), (connected, "sessions show fern", False), (connected, "unlock", True),
    (connected, "requests", False), (connected, "pending --jsn", False), (connected, "watch --yes", False),
    (decided, "approve REF --fingerprint PRINT", False), (decided, "show REF", False), (ended, "show REF", False),
    (ended, "approve REF --fingerprint " + "0" * 16, False),
    # With words in place of what only the person knows.
    (with_pin, "token", True), (with_pin, "header https://api.example/", True), (with_pin, "logout fern", False),
    (with_pin, "login fern --yes", False), (with_pin, "sessions show fern", False), (with_pin, "sites check https://api.example/", False),
    (with_pin, "doctor --sessions", False), (connected, "approve REF --fingerprint " + "0" * 16 + " --option", False),
    (connected, "deny REF --reason nonsense", False), (connected, "rename demobank -x", False), (connected, "history --since yesterday", False),
    (connected, "enroll x --yes", False), (connected, "act x --yes", False), (connected, "show", False), (connected, "approve", False),
    (connected, "deny --all demobank REF", False),
    (connected, "grants add unit:backup.service --session fern", False), (connected, "allow 1f", False), (connected, "refuse 1f", False),
    (connected, "sites add https://api.example/ --session fern", False),
    (connected, "consents revoke x", False), (connected, "pin change", False), (ended, "consents", False), (ended, "reconnect demobank", False),
]


@pytest.mark.parametrize("state, line, cures", CASES, ids=[f"{s.__name__} {line}" for s, line, _ in CASES])
def test_each_hint_leads_on(home, bank, issuer, state, line, cures):
    known = state(home, bank)
    given = Given(home, bank, known, issuer)
    words = [known.get(word, word) for word in line.split()]
    stdin = given.whole(words[:1])[1] if "-" in words else ""
    error = failure(home, words, stdin=stdin)
    assert error and error["hint"], error
    try:
        if commands(error["hint"]):
            follow(given, words, stdin)
        if cures:
            after = failure(home, words, stdin=given.whole(words[:1])[1] if "-" in words else "")
            assert after is None or after["message"] != error["message"], after
    finally:
        home.run("agent", "--stop", pin=False)


# Words that go on with a sentence about the program.
SENTENCES = {"again", "alone", "authorization", "device", "itself", "master", "series", "that", "tries"}


def literals():
    """Where a text of the program names a command: file, and the words behind the program's name."""
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        if "DemoBank" in path.parts or "demo-bank" in path.parts:
            continue
        for line in path.read_text().splitlines():
            if line.strip().startswith("//") or "newer countersign" in line:
                continue
            for words in re.findall(r"(?<![\w/.-])countersign ([a-z][^\"`]*)", line):
                yield path.name, words.split("\\n")[0]


def test_each_command_that_is_named_exists_with_its_options():
    named = 0
    for file, text in literals():
        words = re.split(r"[\s;,.:)]+", text)
        path = ["countersign"]
        while words and (HELP / ("-".join([*path, words[0]]) + ".txt")).exists():
            path.append(words.pop(0))
        if len(path) == 1 and words[0] in SENTENCES:
            continue
        assert len(path) > 1, f"{file} names a command that is none: countersign {text}"
        help = (HELP / ("-".join(path) + ".txt")).read_text()
        # Up to the next command of the same text.
        for option in re.findall(r"(?<!\S)--[a-z-]+", text.split("countersign ")[0].split(";")[0]):
            assert option in help or option in ("--verbose", "--once"), f"{file}: {option} is none of {' '.join(path)}"
        named += 1
    assert named > 150


def test_a_locked_keyring_is_no_matter_of_terminals_for_doctor(home):
    """Doctor asks nothing, wherever it runs; it names a command that does."""
    home.set_pin()
    done = in_session(home, ["--locked"], '"$PROGRAM" doctor --json')
    assert "or on a terminal, where it asks: countersign connections" in done.stdout, done
    assert "run this on a terminal" not in done.stdout


def test_a_code_of_another_kind_asks_for_no_new_link(home):
    home.set_pin()
    for link in ("otpauth://totp/Fern:ada?secret=JBSWY3DPEHPK3PXP&issuer=Fern", "otpauth://hotp/x?secret=JBSWY3DP"):
        error = failure(home, ["enroll", "-", "--yes"], stdin=link + "\n")
        assert "another kind of token" in error["message"] and "new link" not in error["hint"], error
        assert "an app for TOTP" in error["hint"]


def test_a_first_pin_is_chosen_with_the_same_file(home, bank):
    error = failure(home, ["enroll", "-", "--yes"], stdin=bank.link(instant=True) + "\n")
    assert error["hint"] == "choose one: countersign pin set; then connect a bank: countersign enroll"
    home.ok("pin", "set")
    home.ok("enroll", "-", "--yes", stdin=bank.link(instant=True) + "\n")
