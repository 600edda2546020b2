"""`open`, for links that were clicked: any page can make a browser open one, so the person is asked before anything is sent."""

import re
import subprocess
import urllib.parse
import urllib.request

import pytest
from agents import Desktop, agents, unbroken
from conftest import PIN, check_schema, finish
from innards import until
from issuers import followed, visit
from proxy import AUTHORITY, HOST, FarBank
from test_pinentry import NO, Fake, settings, typed
from v2 import sign_in_only

YES = "OK\n"
REDIRECT = "authenticator://oauth/redirect?id=1&access_token=x"


@pytest.fixture
def far(tmp_path):
    """A bank with a name of its own, ada its user."""
    bank = FarBank(tmp_path)
    yield bank
    bank.stop()


@pytest.fixture
def place(home, far):
    home.environment |= far.environment
    return home.set_pin()


@pytest.fixture
def notes(tmp_path):
    """A desktop that shows notifications."""
    desktop = Desktop(tmp_path, "--without-logind", "--without-screen-saver")
    yield desktop
    desktop.stop()


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
    assert question[:3] == ["Connect to the bank at this host?", f"Host: {HOST}", "Nothing was sent there yet."]
    assert "/countersign open " in unbroken("\n".join(question[3:])), "who asks"
    answers = [YES, typed(PIN), YES]
    result = fake.run("open", link, "--ca-file", AUTHORITY, environment={"DISPLAY": ":99"}, answers=answers)
    assert result.code == 0 and fake.asked() == ["CONFIRM", "GETPIN", "CONFIRM"], result
    assert fake.told("SETDESC")[2].splitlines()[1:] == [f"Host: {HOST}", "Bank: Demo Bank"]
    assert names(place) == ["demobank"]


# What came of it


def test_a_note_tells_what_was_connected_and_what_was_done(place, far, notes):
    """As from a browser: a display, and no terminal."""
    fake = Fake(place, prompt="auto")
    on = {"DISPLAY": ":99"}
    answers = [YES, typed(PIN), YES]
    result = fake.run("open", far.link(instant=True), "--ca-file", AUTHORITY, environment=on, answers=answers)
    assert result.code == 0, result
    [note] = notes.notes().values()
    assert (note["summary"], note["body"], note["actions"]) == ("Connected: demobank", f"Demo Bank\n{HOST}", []), note
    # It stays when this program has ended.
    assert "desktop-entry" not in note["hints"], note
    # Who says no knows it.
    result = fake.run("open", far.link(instant=True), "--ca-file", AUTHORITY, environment=on, answers=[NO])
    assert result.code == 2 and len(notes.notes()) == 1, result


def test_a_note_tells_what_went_wrong(home, bank, notes):
    fake = Fake(home.set_pin(), prompt="auto")
    on = {"DISPLAY": ":99"}
    for link, words in (
        (bank.link(), "leads to this computer"), (REDIRECT, "no enrollment waits"),
        ("https://bank.example/\x1b[31m", "is not a link"),
    ):
        before = len(notes.made("Notify"))
        result = fake.run("open", link, environment=on)
        assert result.code != 0 and fake.asked() == [], result
        [note] = notes.made("Notify")[before:]
        assert note["summary"] == "Countersign could not use this link", note
        said = result.err.removeprefix("error: ").splitlines()[0]
        assert unbroken(note["body"]).startswith(said) and words in said, (note, said)
    # Who reads standard error, or its JSON, is told there alone; so is who has no display.
    count = len(notes.made("Notify"))
    for options, environment in ((["--json"], on), (["--no-input"], on), (["--quiet"], on), ([], {"DISPLAY": ""})):
        assert fake.run("open", bank.link(), *options, environment=environment).code == 64
    child = home.terminal("open", bank.link(), environment=on)
    child.expect_exact("leads to this computer")
    assert finish(child) == 64
    assert len(notes.made("Notify")) == count


def test_a_window_tells_it_where_nothing_shows_notes(home, bank):
    fake = Fake(home.set_pin(), prompt="auto")
    result = fake.run("open", bank.link(), environment={"DISPLAY": ":99"})
    assert result.code == 64 and "MESSAGE" in fake.lines, result
    told = fake.told("SETDESC")[0].splitlines()
    assert told[:2] == ["The link that you opened:", "Countersign could not use this link"], told
    said = " ".join(" ".join(told[2:]).split())
    assert "leads to this computer" in said and "countersign enroll" in said, told
    # What they are asked by stays the terminal, where the settings say so.
    fake = Fake(home, prompt="terminal")
    assert fake.run("open", bank.link(), environment={"DISPLAY": ":99"}).code == 64 and fake.lines == []


def test_the_demo_banks_link_is_a_hyperlink(bank):
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())

    def submit(path, **fields):
        page = browser.open(bank.url + path, timeout=30).read().decode()
        hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)">', page)
        data = urllib.parse.urlencode(dict(hidden) | fields).encode()
        return browser.open(bank.url + path, data, timeout=30).read().decode()

    submit("/signin", name="ada", password="correct horse")
    for kind in ("v1", "v2"):
        page = submit("/enroll", kind=kind)
        [link] = re.findall(r'<a href="(authenticator://[^"]+)"[^>]*>([^<]+)</a>', page)
        assert link[0] == link[1] and "configuration=" in link[0], page


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


# Other users read the arguments of each process


SECRET = "s3cr3t"
CONNECT = f"authenticator://saltedge.com/connect?configuration=https://sca.fern.example/configuration&connect_query={SECRET}"
ACTION = f"authenticator://saltedge.com/action?action_uuid={SECRET}&connect_url=https://fern.example"
CHALLENGE = f"tiqrauth://fern.example/{SECRET}/challenge"


@pytest.mark.parametrize("words", [
    ["open", CONNECT], ["enroll", CONNECT], ["act", ACTION], ["show", CHALLENGE], ["approve", CHALLENGE],
    ["deny", CHALLENGE], ["open", CONNECT, "--ca-file", "/dev/null"]], ids=lambda words: words[0] + str(len(words)))
def test_no_link_stays_in_the_arguments_of_a_command_that_waits(home, words):
    child = home.set_pin().terminal(*words)
    child.expect(["PIN: ", "Go on[?]"])
    with open(f"/proc/{child.pid}/cmdline") as file:
        shown = file.read()
    kept = [word for word in shown.split("\0") if word][1:]
    assert kept == ["LINK" if SECRET in word else word for word in words], shown
    child.close(force=True)


# A person who clicked a link reads no standard error


@pytest.mark.parametrize("portal", ["deny", None])
@pytest.mark.parametrize("shows", ["a note", "a window"])
def test_a_page_that_nothing_opens_is_told_while_the_bank_is_waited_for(place, far, tmp_path, portal, shows):
    args = ["--without-logind", "--without-screen-saver"] + (["--portal"] if portal else [])
    desktop = Desktop(tmp_path, *args, *(["--without-notifications"] if shows == "a window" else []))
    try:
        if portal:
            desktop.do("pages", portal)
        fake = Fake(place, prompt="auto")
        environment = dict(place.environment, DISPLAY=":99", PATH=str(tmp_path), **fake.environment(YES, typed(PIN), YES))
        click = subprocess.Popen(
            place.argv("open", far.link(), "--ca-file", AUTHORITY), env=environment, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        if shows == "a note":
            words = desktop.note("Open the bank's page yourself")["body"]
        else:
            words = until(lambda: next((w for w in fake.told("SETDESC") if "Open the bank's page yourself" in w), None), 60)
        # It tells nobody about the bank: desktops keep what notes say.
        [lead] = re.findall(r"http://\S+", words)
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[0-9a-z]{10,}", lead) and HOST not in words
        page = followed(lead)
        assert page.startswith(f"https://{HOST}/connect/")
        redirect = sign_in_only(page.replace(f"https://{HOST}", far.url))
        assert visit(redirect)[0] == 200
        assert click.wait(timeout=60) == 0, click.stderr.read()
        assert names(place) == ["demobank"]
        # The address leads nowhere now, and another program could listen there.
        assert all("Open the bank" not in note["summary"] for note in desktop.notes().values())
    finally:
        desktop.stop()


def test_an_address_that_nobody_waits_for_is_told_although_a_link_asks(home, notes, tmp_path):
    windows = Windows(home.set_pin(), tmp_path)
    asking = subprocess.Popen(
        home.argv("open", CONNECT), env=dict(home.environment, DISPLAY=":99"), stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: windows.count() == 1, 60)
    for link, words in (
        (REDIRECT, "no enrollment waits for this address"),
        ("org.countersign:/callback?state=1&code=2", "no login waits for this address"),
    ):
        shown = len(notes.made("Notify"))
        result = home.run("open", link, pin=False, environment={"DISPLAY": ":99"})
        assert result.code == 4, result
        [note] = notes.made("Notify")[shown:]
        assert unbroken(note["body"]).startswith(words)
    # Where nothing shows notes, their windows come one at a time.
    notes.do("stop-notifications")
    returned = [
        subprocess.Popen(
            home.argv("open", f"{REDIRECT}{number}"), env=dict(home.environment, DISPLAY=":99"), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for number in range(6)]
    until(lambda: windows.count() == 2, 60)
    until(lambda: len([each for each in returned if each.poll() is None]) == 4, 60)
    assert asking.poll() is None and windows.count() == 2
    for each in returned:
        each.kill()
        each.wait()
    windows.close()
    assert asking.wait(timeout=60) == 2


# Any page can make a browser open links


class Windows:
    """A pinentry that says no to each question when it is told to; counts its windows."""

    def __init__(self, home, directory):
        self.log, self.closing = directory / "windows", directory / "closing"
        self.log.touch()
        program = directory / "pinentry"
        program.write_text(f"""#!/usr/bin/python3 -IS
import os, sys, time
parent = os.getppid()
print("OK", flush=True)
for line in iter(sys.stdin.readline, ""):
    if line.startswith(("CONFIRM", "MESSAGE")):
        open({str(self.log)!r}, "a").write("opened\\n")
        while True:
            # Its client may be killed meanwhile; then the order to close is for another's window.
            if os.getppid() != parent:
                sys.exit()
            if os.path.exists({str(self.closing)!r}):
                break
            time.sleep(0.01)
        os.unlink({str(self.closing)!r})
        open({str(self.log)!r}, "a").write("closed\\n")
        print("ERR 83886194 not confirmed", flush=True)
    else:
        print("OK", flush=True)
""")
        program.chmod(0o755)
        settings(home, f'pinentry = "{program}"\npin_prompt = "pinentry"\n')

    def count(self, word="opened"):
        return self.log.read_text().split().count(word)

    def close(self):
        """The window that is open."""
        closed = self.count("closed")
        self.closing.touch()
        until(lambda: self.count("closed") > closed, 60)


def test_of_many_clicked_links_one_at_a_time_asks_and_few_wait(home, notes, tmp_path):
    windows = Windows(home.set_pin(), tmp_path)

    def click(number):
        link = f"authenticator://saltedge.com/connect?configuration=https://bank{number}.example/configuration"
        return subprocess.Popen(
            home.argv("open", link), env=dict(home.environment, DISPLAY=":99"), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)

    first = click(0)
    until(lambda: windows.count() == 1, 60)
    same, others = [click(0) for _ in range(5)], [click(1 + number % 8) for number in range(24)]
    for each in same:
        assert each.wait(timeout=60) == 2 and "this link is open already" in each.stderr.read()
    waiting = lambda: [each for each in others if each.poll() is None]  # noqa: E731
    until(lambda: len(waiting()) == 3, 60)
    said = [each.stderr.read() for each in others if each.poll() == 2]
    assert len(said) == 21 and all("open already" in words for words in said)
    refused = sum("4 other links that were clicked are open already" in words for words in said)
    assert refused >= 5 and windows.count() == 1 and notes.notes() == {}
    windows.close()
    assert first.wait(timeout=60) == 2
    for number in range(3):
        until(lambda: windows.count() == 2 + number, 60)
        # The one before passed its turn on before its process ended.
        until(lambda: len(waiting()) == 3 - number, 60)
        windows.close()
    until(lambda: not waiting(), 60)
    assert windows.count() == 4
    [note] = notes.notes().values()
    assert note["summary"] == f"Links that were not opened: {refused}"
    # The next one has its turn at once.
    last = click(0)
    until(lambda: windows.count() == 5, 60)
    windows.close()
    assert last.wait(timeout=60) == 2


def test_windows_that_tell_of_many_failures_come_one_at_a_time_too(home, tmp_path):
    """Where nothing shows notes."""
    windows = Windows(home.set_pin(), tmp_path)
    clicks = [
        subprocess.Popen(
            home.argv("open", f"authenticator://oauth/redirect?id={number}"), env=dict(home.environment, DISPLAY=":99"),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for number in range(12)]
    until(lambda: len([each for each in clicks if each.poll() is None]) == 4, 60)
    until(lambda: windows.count() == 1, 60)
    windows.close()
    until(lambda: windows.count() == 2, 60)
    assert windows.count("closed") == 1
    for each in clicks:
        each.kill()
        each.wait()


def test_a_clicked_link_is_opened_where_links_cannot_take_turns(home, tmp_path):
    """The directory for it is open to others."""
    windows = Windows(home.set_pin(), tmp_path)
    runtime = tmp_path / "runtime"
    (runtime / "countersign").mkdir(parents=True)
    (runtime / "countersign").chmod(0o755)
    click = subprocess.Popen(
        home.argv("open", CONNECT), env=dict(home.environment, DISPLAY=":99", XDG_RUNTIME_DIR=str(runtime)),
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    until(lambda: windows.count() == 1, 60)
    windows.close()
    assert click.wait(timeout=60) == 2
