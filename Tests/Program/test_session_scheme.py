"""`login --callback scheme`: the issuer's page leads to an address of the program's own scheme, which the desktop hands to
`countersign open`, and that to the login whose state fits; alone and beside an open agent.
"""

import json
import pathlib
import re
import stat
import subprocess
import urllib.parse

import pytest
from agents import YES, Desktop, agents, pinentry, unbroken  # noqa: F401
from conftest import check_schema, finish
from innards import until
from issuers import Issuer, LoginRun, await_expiry, followed, log_in, redirect_of, visit
from test_enroll import Waiting
from test_install import install
from test_open import notes  # noqa: F401
from test_pinentry import Fake
from test_scheme import RETURN, desktop, runtime  # noqa: F401
from test_session_programs import NAME
from test_session_programs import run as run_program
from v2 import sign_in_only

CALLBACK = "org.countersign:/callback"
NOBODY = "no login waits for this address"
NOT_TAKEN = "no login that waits took this address"


@pytest.fixture
def home(home, runtime):  # noqa: F811
    home.environment["XDG_RUNTIME_DIR"] = str(runtime)
    return home.set_pin()


@pytest.fixture
def issuer():
    with Issuer() as issuer:
        issuer.client("fern", [CALLBACK])
        yield issuer
        assert issuer.complaints == []


@pytest.fixture(params=["alone", "agent"])
def beside(request, home, agents):  # noqa: F811
    """How logins wait: in the command, or in an agent that is open. Whether they take the PIN."""
    if request.param == "agent":
        agents(home).unlock()
    return request.param == "alone"


def waiting(home, issuer, *args, **options):
    """A login that waits for the desktop."""
    run = LoginRun(home, issuer.issuer, *args, callback="scheme", **options)
    assert run.page, run.end()
    return run


def sockets(runtime):  # noqa: F811
    return sorted(path.name for path in (runtime / "countersign").glob("login-*"))


def deliver(home, address, *args):
    return home.run("open", address, *args, pin=False)


def refused(home, address, words):
    """The address reaches nobody who takes it, and nothing of it is repeated."""
    opened = deliver(home, address)
    assert opened.code == 4 and words in opened.err and "--callback scheme" in opened.err, opened
    query = urllib.parse.parse_qsl(address.partition("?")[2])
    assert not [value for _, value in query if len(value) > 3 and value in opened.out + opened.err], opened


def names(home):
    return [session["name"] for session in home.json("sessions")["sessions"]]


def forged(address, **other):
    """The address with other parameters."""
    base, _, query = address.partition("?")
    return f"{base}?{urllib.parse.urlencode(dict(urllib.parse.parse_qsl(query)) | other)}"


# The way back


def test_open_hands_the_address_over(home, issuer, runtime, beside):  # noqa: F811
    run = waiting(home, issuer, "--name", "fern", pin=beside)
    # What the program registers itself with differs by issuer.
    assert re.fullmatch(re.escape(CALLBACK) + "/[0-9a-f]{8}", run.redirect_uri)
    [client] = [client for name, client in issuer.clients.items() if name.startswith("dyn-")]
    assert client["redirect_uris"] == [run.redirect_uri]
    address = redirect_of(run.page)
    [name] = sockets(runtime)
    assert re.fullmatch(rf"login-{run.process.pid}-[0-9a-f]+\.sock", name)
    assert stat.S_IMODE((runtime / "countersign" / name).lstat().st_mode) == 0o600
    opened = deliver(home, address)
    assert (opened.code, opened.out, opened.err) == (0, "Handed to the login that waited.\n", ""), opened
    result = run.end()
    assert result.code == 0 and "does not hand org.countersign links to countersign" in result.err, result
    assert names(home) == ["fern"] and sockets(runtime) == []
    refused(home, address, NOBODY)
    # The same client serves the next login, and the way it is registered for is taken by itself.
    again = subprocess.Popen(
        home.argv("login", "fern", "--yes", "--no-browser", *([] if not beside else ["--pin-file", home.pin_file])),
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home.environment)
    page = next(found[1] for line in again.stderr if (found := re.match(r"  (http\S+)$", line)))
    opened = deliver(home, redirect_of(page), "--json")
    check_schema(["open"], opened.json)
    assert opened.json == {"redirect": {"accepted": True}}
    assert again.wait(60) == 0 and len(issuer.requests("register")) == 1
    # Whoever wants another way gets it, where the program can register itself for that.
    log_in(home, "fern", pin=beside)
    assert len(issuer.requests("register")) == 2 and names(home) == ["fern"]


@pytest.mark.parametrize("args, callback, uri", [
    (["--redirect-uri", CALLBACK], None, CALLBACK), (["--redirect-uri", CALLBACK], "scheme", CALLBACK), ([], "scheme", CALLBACK),
    (["--redirect-uri", "org.countersign:/own/place"], None, "org.countersign:/own/place"),
    (["--redirect-uri", CALLBACK], "paste", CALLBACK),
])
def test_a_client_that_is_registered_so(home, issuer, args, callback, uri):
    issuer.client("fern", [uri])
    chosen = [] if callback is None else ["--callback", callback]
    for target in ([issuer.issuer, "--client-id", "fern", "--name", "fern", *args], ["fern"]):
        process = subprocess.Popen(
            home.argv("login", *target, *chosen, "--yes", "--no-browser", "--pin-file", home.pin_file), stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home.environment)
        page = next(found[1] for line in process.stderr if (found := re.match(r"  (http\S+)$", line)))
        address = redirect_of(page)
        assert address.startswith(uri + "?")
        if callback == "paste":
            refused(home, address, NOBODY)
            process.communicate(address + "\n", timeout=60)
        else:
            assert deliver(home, address).code == 0
        assert process.wait(60) == 0 and names(home) == ["fern"]
        # What was said at the first login is kept; only pasting is chosen each time.
        chosen = chosen if callback == "paste" else []


def test_an_issuer_file_says_as_much(home, issuer, tmp_path):
    path = tmp_path / "fern.toml"
    path.write_text(f'issuer = "{issuer.issuer}"\nclient_id = "fern"\nredirect_uri = "{CALLBACK}"\n')
    process = subprocess.Popen(
        home.argv("login", "--from", path, "--yes", "--no-browser", "--pin-file", home.pin_file), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home.environment)
    page = next(found[1] for line in process.stderr if (found := re.match(r"  (http\S+)$", line)))
    assert deliver(home, redirect_of(page)).code == 0 and process.wait(60) == 0


@pytest.mark.parametrize("uri, callback, words", [
    ("http://127.0.0.1/callback", "scheme", "not one of the scheme org.countersign"),
    ("com.fern.example:/callback", "scheme", "not one of the scheme org.countersign"),
    (CALLBACK + "?a=b", "scheme", "not one of the scheme org.countersign"),
    (CALLBACK, "loopback", "use --callback scheme"), ("com.fern.example:/callback", "loopback", "use --callback paste"),
])
def test_a_client_that_is_registered_otherwise(home, issuer, runtime, uri, callback, words):  # noqa: F811
    result = home.run(
        "login", issuer.issuer, "--client-id", "fern", "--redirect-uri", uri, "--callback", callback, "--yes", "--no-browser")
    assert result.code == 64 and words in result.err and "hint:" in result.err, result
    assert sockets(runtime) == [] and issuer.requests("authorize") == []


def test_it_may_be_pasted_too(home, issuer):
    child = home.terminal(
        "login", issuer.issuer, "--client-id", "fern", "--redirect-uri", CALLBACK, "--yes", "--no-browser", "--pin-file",
        home.pin_file, columns=1000)
    child.expect(r"  (http://\S+)\r\n")
    page = child.match.group(1)
    child.expect("it may be pasted here")
    child.send(redirect_of(page) + "\r")
    assert finish(child) == 0 and names(home) == ["issuer"]


# What is not good


def test_what_is_forged_leaves_the_wait_standing(home, issuer, beside):
    run = waiting(home, issuer, "--client-id", "fern", "--redirect-uri", CALLBACK, pin=beside)
    good = redirect_of(run.page)
    state = dict(urllib.parse.parse_qsl(good.partition("?")[2]))["state"]
    rest = good.removeprefix(CALLBACK)
    for address in (
        forged(good, state=state[:-1]), forged(good, state=""), f"{CALLBACK}?code=forgedcode", f"{good}&state={state}", CALLBACK,
        "org.countersign:", CALLBACK + "?error=access_denied&state=forgedstate",
        # Another path, and other spellings of it.
        "org.countersign:/other" + rest, CALLBACK + "/0a1b2c3d" + rest, CALLBACK + "/" + rest, "org.countersign:callback" + rest,
        "org.countersign://callback" + rest, "ORG.COUNTERSIGN:/callback" + rest,
        # One that no request to the agent could hold, and one that is no address.
        good + "&pad=" + "x" * 60000, good + "\x01" * 12000,
    ):
        refused(home, address, NOT_TAKEN)
    # Other schemes are no links of a login, and are not brought to it.
    for address in ("org.countersigned:/callback" + rest, "com.fern.example:/callback" + rest, "http://127.0.0.1/callback" + rest):
        opened = deliver(home, address)
        assert opened.code == 64 and state not in opened.err, opened
    assert run.process.poll() is None and issuer.requests("token") == []
    assert deliver(home, good).code == 0 and run.end().code == 0 and names(home) == ["issuer"]


def test_the_issuers_no_is_told_where_it_is_waited(home, issuer, beside):
    issuer.consent = "refuse"
    run = waiting(home, issuer, "--client-id", "fern", pin=beside)
    refused(home, redirect_of(run.page), NOT_TAKEN)
    result = run.end()
    assert result.code == 5 and "refused on the issuer's page" in result.err and names(home) == []


def test_nobody_waits(home, runtime):  # noqa: F811
    for _ in range(2):
        refused(home, CALLBACK + "?code=t0ps3cret&state=t0ps3cret", NOBODY)
        (runtime / "countersign").mkdir(exist_ok=True, mode=0o700)


def test_nobody_waits_is_told_in_a_note_and_in_a_window(home, notes):  # noqa: F811
    fake = Fake(home, prompt="auto")
    address = CALLBACK + "?code=t0ps3cret&state=0therS3cret"
    result = fake.run("open", address, environment={"DISPLAY": ":99"})
    [note] = notes.made("Notify")
    assert note["summary"] == "Countersign could not use this link" and unbroken(note["body"]).startswith(NOBODY)
    notes.stop()
    again = fake.run("open", address, environment={"DISPLAY": ":99"})
    told = " ".join(fake.told("SETDESC")[0].split())
    assert NOBODY in told and result.code == again.code == 4
    assert not [word for word in ("t0ps3cret", "0therS3cret") if word in told + json.dumps(note) + result.err + again.err]


def test_of_two_that_wait_the_one_whose_state_fits_takes_it(home, issuer, runtime, beside):  # noqa: F811
    first = waiting(home, issuer, "--client-id", "fern", "--name", "ash", pin=beside)
    second = waiting(home, issuer, "--client-id", "fern", "--name", "elm", pin=beside)
    assert len(sockets(runtime)) == 2
    addresses = [redirect_of(first.page), redirect_of(second.page)]
    assert deliver(home, addresses[1]).code == 0 and second.end().code == 0
    assert first.process.poll() is None and names(home) == ["elm"]
    refused(home, addresses[1], NOT_TAKEN)
    assert deliver(home, addresses[0]).code == 0 and first.end().code == 0 and names(home) == ["ash", "elm"]


def test_banks_and_issuers_do_not_meet(home, bank, issuer):
    """An address for a login does not reach an enrollment that waits, and the other way round."""
    enrolling = Waiting(home, "enroll", "-", "--callback", "scheme", link=bank.link())
    refused(home, CALLBACK + "?code=forgedcode&state=forgedstate", NOBODY)
    run = waiting(home, issuer, "--client-id", "fern")
    assert deliver(home, sign_in_only(enrolling.page)).code == 0 and enrolling.end() == 0
    assert "Still waiting" not in enrolling.said and run.process.poll() is None
    assert deliver(home, RETURN + "?id=1&access_token=2").code == 4
    assert deliver(home, redirect_of(run.page)).code == 0 and run.end().code == 0


def test_nothing_of_it_is_said_or_passed_on(home, issuer, beside):
    """Neither in what both commands say, with --verbose, nor in the arguments of the login."""
    run = waiting(home, issuer, "--client-id", "fern", "--verbose", pin=beside)
    address = redirect_of(run.page)
    values = [value for name, value in urllib.parse.parse_qsl(address.partition("?")[2]) if name in ("code", "state")]
    assert len(values) == 2
    command = pathlib.Path(f"/proc/{run.process.pid}/cmdline").read_bytes().decode()
    opened = deliver(home, address, "--verbose")
    result = run.end()
    said = command + opened.out + opened.err + result.out + result.err.replace(run.page, "")
    assert opened.code == result.code == 0 and not [value for value in values if value in said]


def test_what_a_login_left_that_was_killed(home, issuer, runtime):  # noqa: F811
    run = waiting(home, issuer, "--client-id", "fern")
    address = redirect_of(run.page)
    run.process.kill()
    run.end()
    assert len(sockets(runtime)) == 1
    refused(home, address, NOBODY)
    assert sockets(runtime) == []


def test_a_wait_that_is_over_leaves_no_socket(home, issuer, runtime):  # noqa: F811
    result = waiting(home, issuer, "--client-id", "fern", "--timeout", "0.05").end()
    assert result.code == 2 and "the wait for the issuer's page is over" in result.err and sockets(runtime) == []


# The desktop


def test_the_desktop_hands_it_over(desktop, issuer):  # noqa: F811
    """From the issuer's page through the desktop's own way of opening links."""
    install(desktop.prefix)
    run = waiting(desktop, issuer)
    opened = subprocess.run(
        ["gio", "open", redirect_of(run.page)], env=desktop.environment, capture_output=True, text=True, timeout=60)
    assert opened.returncode == 0, opened
    result = run.end()
    assert result.code == 0 and "does not hand" not in result.err and names(desktop) == ["issuer"]


def test_the_button_of_a_note_leads_back_so(home, issuer, agents, pinentry, tmp_path):  # noqa: F811
    """The agent waits itself, for a client that is registered with the scheme alone."""
    issuer.expires_in = 11
    run = waiting(home, issuer, "--client-id", "fern", "--name", "fern")
    assert deliver(home, redirect_of(run.page)).code == 0 and run.end().code == 0
    home.ok("grants", "add", NAME, "--session", "fern", "--when", "unlocked")
    issuer.end_family(issuer.families[0])
    await_expiry(home)
    issuer.expires_in = 3600
    screen = Desktop(tmp_path, "--portal")
    try:
        agents(home, pinentry=pinentry).unlock()
        assert run_program(home, "token", "--json").code == 3
        pinentry.answers(YES)
        screen.do("invoke", screen.note("Sign in again")["id"], "sign-in")
        [page] = until(lambda: screen.made("OpenURI"), 60)
        address = redirect_of(followed(page["address"]))
        assert address.startswith(CALLBACK + "?")
        refused(home, forged(address, state="forged"), NOT_TAKEN)
        assert deliver(home, address).code == 0
        assert run_program(home, "token").code == 0
    finally:
        screen.stop()
