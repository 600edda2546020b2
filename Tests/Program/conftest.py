"""The built program as a person runs it: argv, input, standard output, standard error, exit code, and a pseudo-terminal where
a person is part of it. Everything is real: the Secret Service, SQLite, the demo bank on loopback.

Run inside a private session:  Tests/Support/with-secret-service python3 -m pytest Tests/Program
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
import uuid

import jsonschema
import pexpect
import pytest
import seeds
from innards import remove_items, search, vault_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = pathlib.Path(os.environ.get("COUNTERSIGN_BIN", ROOT / ".build/debug"))


def installed():
    """What a person starts, from files that lie to each other as they do where they are installed."""
    # A short path, since windows cut long ones.
    prefix = BIN.parent if BIN.name == "debug" else BIN / "installed"
    for source, target in (("countersign-entry", "bin/countersign"), ("countersign", "libexec/countersign/countersign")):
        source, target = (BIN / source).resolve(), prefix / target
        if not target.exists() or not target.samefile(source):
            target.parent.mkdir(parents=True, exist_ok=True)
            # Other workers do the same.
            link = target.with_name(f"countersign-{os.getpid()}")
            link.unlink(missing_ok=True)
            os.link(source, link)
            link.replace(target)
            # It stays if the other was a link to the same file by then.
            link.unlink(missing_ok=True)
    return prefix / "bin/countersign"


PROGRAM = installed()
PIN = "271828"
VERSION = re.search(r'text = "(.*)"', (ROOT / "Sources/Ground/Basics/ProductVersion.swift").read_text())[1]


def pytest_configure(config):
    if os.geteuid() == 0:
        raise pytest.UsageError("an ordinary user meets what root does not: run me with Tests/Support/as-ordinary-user, or with make")
    if "COUNTERSIGN_TEST_KEYRING_PID" not in os.environ:
        raise pytest.UsageError("run me inside Tests/Support/with-secret-service, or with make test-program")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    if config.getvalue("dist") == "loadscope":
        from scheduling import OneByOne
        return OneByOne(config, log)
    return None


class Result:
    """What a finished command left."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    @property
    def json(self):
        return json.loads(self.out)

    def __repr__(self):
        return f"exit {self.code}\n--- stdout\n{self.out}\n--- stderr\n{self.err}"


class Home:
    """One home of the program: its own state, settings and PIN file. The ordinary one is named by no variable of ours."""

    made = []

    def __init__(self, path, environment=None, is_ordinary=False):
        self.made.append(self)
        self.path = path
        self.state = path / "state/countersign" if is_ordinary else path / "state"
        self.pin_file = path / "pin"
        # The master key of that vault, if a test set the PIN (seeds.py).
        self.vault, self.master = None, None
        self.environment = dict(os.environ, TERM="xterm-256color", XDG_CONFIG_HOME=str(path / "config"), COUNTERSIGN_HOME=str(self.state))
        if is_ordinary:
            # There its agent has a socket of its own, whose path is short enough.
            runtime = tempfile.mkdtemp(dir=os.environ["XDG_RUNTIME_DIR"])
            self.environment.update(XDG_STATE_HOME=str(path / "state"), XDG_RUNTIME_DIR=runtime, COUNTERSIGN_HOME="")
        for name in ("COUNTERSIGN_PIN_FILE", "HTTPS_PROXY", "https_proxy", "NO_PROXY", "no_proxy"):
            self.environment.pop(name, None)
        self.environment.update(environment or {})
        self.write_pin(PIN)

    def write_pin(self, *lines):
        self.pin_file.write_text("".join(line + "\n" for line in lines))
        self.pin_file.chmod(0o600)

    def argv(self, *args):
        return [str(PROGRAM), *map(str, args)]

    def run(self, *args, pin=True, stdin="", timeout=60, environment=None, wrapper=()):
        """Runs a command to its end. With `pin` the PIN comes from the home's PIN file."""
        argv = list(wrapper) + self.argv(*args, *(["--pin-file", self.pin_file] if pin else []))
        done = subprocess.run(
            argv, input=stdin, capture_output=True, text=True, timeout=timeout,
            env=dict(self.environment, **(environment or {})))
        return Result(done.returncode, done.stdout, done.stderr)

    def ok(self, *args, **options):
        result = self.run(*args, **options)
        assert result.code == 0, result
        return result

    def json(self, *args, **options):
        """Runs a command with --json, checks the answer against its schema, returns it."""
        result = self.ok(*args, "--json", **options)
        check_schema(args, result.json)
        return result.json

    def terminal(self, *args, timeout=30, columns=200, rows=40, environment=None, wrapper=()):
        """Runs a command on a pseudo-terminal, so wide that no message is broken."""
        program, *words = [*wrapper, *self.argv(*args)]
        return pexpect.spawn(
            program, words, env=dict(self.environment, **(environment or {})),
            encoding="utf-8", timeout=timeout, dimensions=(rows, columns))

    def set_pin(self, cost=seeds.CHEAP):
        """Gives the home the PIN of its PIN file. It is checked in no time unless `cost` (seeds.py) says another."""
        seeds.set_pin(self, cost)
        return self

    def set_pin_by_program(self):
        """The same by the program, at the full cost."""
        self.ok("pin", "set")
        return self

    def enroll(self, bank, user="ada", name=None, protocol="v1", code="demobank"):
        """Connects a bank (seeds.py). The home's agent must not run."""
        seeds.connect(self, bank, user, name, protocol, code)
        return self

    def enroll_by_program(self, bank, user="ada", name=None, **link):
        """The same by the program, by an instant link."""
        address = bank.link(user, instant=True, **link)
        self.ok("enroll", "-", "--yes", *(["--name", name] if name else []), stdin=address + "\n")
        return self

    def files(self):
        return [p for p in self.state.rglob("*") if p.is_file()]


def finish(child):
    """Waits for a pseudo-terminal's program to end; returns its exit code."""
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus if child.exitstatus is not None else -child.signalstatus


class Bank:
    """A demo bank process and its admin API (Sources/DemoBank/DemoBank/ADMIN.md). It has one user, ada."""

    def __init__(self, directory, *args):
        if "--database" not in args:
            books = directory / f"bank-{uuid.uuid4()}.sqlite"
            shutil.copy(seeds.bank_books(Bank), books)
            args = ("--database", books, *args)
        self.process = subprocess.Popen(
            [str(BIN / "demo-bank"), "--port", "0", *map(str, args)], stdout=subprocess.PIPE,
            stderr=open(directory / "bank.err", "w"), text=True)
        line = self.process.stdout.readline()
        self.url = re.search(r"http://\S+", line).group(0)

    def stop(self):
        """Ends it at once: a call that a fault slows down would keep it until it is answered."""
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def admin(self, method, path, **body):
        request = urllib.request.Request(
            f"{self.url}/admin/{path}", method=method, data=json.dumps(body).encode() if method != "GET" else None,
            headers={"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                text = answer.read()
        except urllib.error.HTTPError as error:
            raise AssertionError(f"{method} {path}: {error.code} {error.read().decode()}") from None
        return json.loads(text) if text else None

    def get(self, path):
        return self.admin("GET", path)

    def post(self, path, **body):
        return self.admin("POST", path, **body)

    def user(self, name, password="correct horse"):
        return self.post("users", name=name, password=password)

    def link(self, user="ada", **options):
        return self.post("links", user=user, **options)["link"]

    def pay(self, title="Pay 9.90 EUR", description="To Fern Books", user="ada", **options):
        """Makes an authorization at all of the user's connections; returns the first id."""
        return str(self.post("authorizations", user=user, title=title, description=description, **options)["ids"][0])

    def authorization(self, id):
        return self.get(f"authorizations?id={id}")[0]

    def fault(self, operation, **options):
        return self.post("faults", operation=operation, **options)


def schemas():
    """The schemas in Share/Schemas/ by the commands that their titles name, and the one of failures."""
    found = {}
    for path in (ROOT / "Share/Schemas").glob("*.json"):
        schema = json.loads(path.read_text())
        names = [path.stem] if path.stem == "failure" else re.findall(r"countersign ([a-z]+(?: [a-z]+)*(?: --sessions)?)", schema.get("title", ""))
        for name in names:
            assert name not in found, f"two schemas for {name}"
            found[name] = schema
    return found


SCHEMAS = schemas()


def check_schema(args, value):
    """Checks a JSON answer against the schema of the command with these words."""
    words = [a for a in args if re.fullmatch(r"[a-z]+", str(a))]
    names = [" ".join(words[:count]) for count in (2, 1)]
    for name in ["history --sessions"] if "--sessions" in args else names:
        schema = SCHEMAS.get(name)
        if schema:
            jsonschema.Draft7Validator(schema).validate(value)
            return
    raise AssertionError(f"no schema for {words}")


# The keyring writes all that it has each time that something changes: it would be slower with each test.


@pytest.fixture(autouse=True, scope="module")
def keyring_after_module():
    yield
    remove_items(*search())
    Home.made.clear()


@pytest.fixture(autouse=True)
def keyring_after_test(request):
    """What homes of this one test left, but not what a copy shares with the home of others."""
    yield
    directory = request.node.funcargs.get("tmp_path")
    over = [home for home in Home.made if directory in (home.path, *home.path.parents)]
    Home.made[:] = [home for home in Home.made if home not in over]
    if over:
        kept = {vault_of(home) for home in Home.made}
        for vault in {vault_of(home) or home.vault for home in over} - kept - {None}:
            remove_items(*search(vault=vault))


@pytest.fixture
def home(tmp_path):
    """A fresh home with nothing in it."""
    return Home(tmp_path)


@pytest.fixture
def other_home(tmp_path):
    """A second home beside the first."""
    path = tmp_path / "other"
    path.mkdir()
    return Home(path)


@pytest.fixture
def bank(tmp_path):
    """A fresh demo bank with one user, ada."""
    bank = Bank(tmp_path)
    yield bank
    bank.stop()


@pytest.fixture
def connected(home, bank):
    """A home with a PIN and one connection, demobank."""
    return home.set_pin().enroll(bank)
