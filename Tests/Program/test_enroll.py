"""Enrolling and reconnecting: the bank's page driven as a browser does, redirects by loopback and by paste, what is forged,
what is refused, what is left behind; the PIN file, the settings, positions, and where secrets must not stand.
"""

import http.client
import http.server
import json
import re
import subprocess
import threading
import urllib.parse

import pytest
from innards import search
from conftest import PIN, check_schema
from v2 import sign_in, sign_in_only


class Waiting:
    """An `enroll` or `reconnect` that waits for the bank's page."""

    def __init__(self, home, *args, link=None):
        argv = home.argv(*args, "--no-browser", "--yes", "--pin-file", home.pin_file)
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home.environment)
        if link:
            self.process.stdin.write(link + "\n")
            self.process.stdin.flush()
        self.said = ""
        self.page = self.hear(r"(http://\S+/connect/\S+)\n").group(1)
        self.hear("Waiting|paste it")

    def hear(self, pattern):
        """Reads standard error until a line has this."""
        while True:
            line = self.process.stderr.readline()
            self.said += line
            if found := re.search(pattern, line):
                return found
            assert line, f"{pattern} was never said: {self.said}"

    def command_line(self):
        with open(f"/proc/{self.process.pid}/cmdline") as file:
            return file.read()

    def end(self):
        out, err = self.process.communicate(timeout=60)
        self.said += err
        self.out = out
        return self.process.returncode


def keyring():
    """The paths of all items of the keyring, but those that count tries: each check of a PIN writes one."""
    done = subprocess.run(
        ["dbus-send", "--session", "--print-reply=literal", "--dest=org.freedesktop.secrets",
         "/org/freedesktop/secrets/collection/login", "org.freedesktop.DBus.Properties.Get",
         "string:org.freedesktop.Secret.Collection", "string:Items"], check=True, capture_output=True, text=True, timeout=30)
    counts = set(search(kind="tries"))
    return sorted(set(re.findall(r"/org/freedesktop/secrets/collection/login/\d+", done.stdout)) - counts)


def ask(address, method="GET", path=None, host=None):
    """One request to a loopback address; status, headers, text."""
    parts = urllib.parse.urlsplit(address)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=30)
    connection.putrequest(method, path or f"{parts.path}?{parts.query}", skip_host=True)
    connection.putheader("Host", host or parts.netloc)
    connection.putheader("Content-Length", "0")
    connection.endheaders()
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, answer.headers, text


@pytest.fixture
def ready(home, bank):
    """A home with a PIN, and what its keyring held before."""
    home.set_pin()
    return home, bank


# The web login


@pytest.mark.parametrize("style", ["J", "R"])
def test_web_login(ready, style):
    home, bank = ready
    bank.post("settings", style=style)
    enrolling = Waiting(home, "enroll", "-", "--json", link=bank.link())
    assert re.search(r"127\.0\.0\.1:\d+ \(Demo Bank\) wants to connect", enrolling.said)
    status, text = sign_in(enrolling.page, password="wrong")
    assert status == 422 and "not right" in text
    redirect = sign_in_only(enrolling.page)
    assert redirect.startswith(bank.get("connections")[0]["return_url"] + "?")
    status, headers, text = ask(redirect)
    assert status == 200 and "You may close this tab" in text
    assert headers["Cache-Control"] == "no-store" and headers["Referrer-Policy"] == "no-referrer"
    assert "access_token" not in text and "default-src 'none'" in headers["Content-Security-Policy"]
    assert enrolling.end() == 0, enrolling.said
    check_schema(["enroll"], json.loads(enrolling.out))
    id = bank.pay()
    assert [i["id"] for i in home.json("pending")["authorizations"]] == [id]
    with pytest.raises(OSError):
        ask(redirect)


def test_what_is_forged_leaves_the_wait_standing(ready):
    home, bank = ready
    before = keyring()
    enrolling = Waiting(home, "enroll", "-", link=bank.link())
    good = sign_in_only(enrolling.page)
    parts = urllib.parse.urlsplit(good)
    root = f"http://{parts.netloc}"
    own = urllib.parse.parse_qs(parts.query)["id"][0]
    assert re.fullmatch("/[0-9a-f]{32}", parts.path), "a path that cannot be guessed"

    for method in ("POST", "HEAD", "PUT", "OPTIONS", "DELETE"):
        assert ask(good, method)[0] == 404
    for path in ("/", "/x", parts.path + "/", parts.path + "x", parts.path.upper(), "//" + parts.path[1:], "/.." + parts.path,
                 parts.path.replace("/", "/%2e/"), "/favicon.ico"):
        assert ask(root, path=f"{path}?{parts.query}")[0] == 404, path
    for host in ("evil.example", f"evil.example:{parts.port}", "127.0.0.1", "127.0.0.1:1", f"localhost:{parts.port}",
                 f"127.0.0.1:{parts.port}.evil.example"):
        assert ask(good, host=host)[0] == 404, host
    for query, told in ((f"id={own}&access_token=forged", True), ("id=4711&access_token=forged", True), ("access_token=forged", True),
                        ("access_token=", False), ("", False), (f"id={own}&access_token=for%0d%0aged", True)):
        status, _, text = ask(root, path=f"{parts.path}?{query}")
        assert status == 400 and "Not connected" in text, query
        if told:
            enrolling.hear("Still waiting for the bank")
    assert enrolling.process.poll() is None and keyring() == before, "nothing is kept"
    assert "forged" not in enrolling.said

    # The good one still counts, and a second request beside it changes nothing.
    bank.fault("authorizations.list", delay_ms=500)
    answers = []
    threads = [threading.Thread(target=lambda: answers.append(ask(good)[0])) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert enrolling.end() == 0, enrolling.said
    for thread in threads:
        thread.join(30)
    assert sorted(answers) == [200, 400, 400]
    assert len(keyring()) == len(before) + 2, "one key, one token"
    [connection] = home.json("connections")["connections"]
    assert connection["id"] == own


def test_a_token_of_another_connection_keeps_nothing(ready):
    """A page may send the token of another pairing at the same bank: its id is not the one that the key was uploaded for."""
    home, bank = ready
    first = Waiting(home, "enroll", "-", link=bank.link())
    second = Waiting(home, "enroll", "-", link=bank.link())
    other = urllib.parse.urlsplit(sign_in_only(first.page))
    good = sign_in_only(second.page)
    parts = urllib.parse.urlsplit(good)
    assert ask(f"http://{parts.netloc}", path=f"{parts.path}?{other.query}")[0] == 400
    second.hear("another connection")
    assert ask(good)[0] == 200
    assert second.end() == 0
    first.process.terminate()
    first.end()


def test_the_banks_refusal_is_told(ready):
    home, bank = ready
    before = keyring()
    enrolling = Waiting(home, "enroll", "-", "--timeout", "0.1", link=bank.link())
    status, text = sign_in(enrolling.page, decision="cancel")
    assert status == 400 and "Not connected" in text
    enrolling.hear("AUTHENTICATION_FAILED: You cancelled the sign-in")
    assert enrolling.end() == 5 and enrolling.out == ""
    assert keyring() == before and home.json("connections")["connections"] == []


def test_the_wait_runs_out(ready):
    home, bank = ready
    before = keyring()
    result = home.run("enroll", "-", "--no-browser", "--yes", "--timeout", "0.05", "--json", stdin=bank.link() + "\n")
    check_schema(["failure"], result.json)
    assert result.code == 2 and result.json["error"]["kind"] == "cancelled" and "--callback" in result.json["error"]["hint"]
    assert keyring() == before and home.json("connections")["connections"] == []


def test_an_interrupted_wait_leaves_nothing(ready):
    home, bank = ready
    before = keyring()
    enrolling = Waiting(home, "enroll", "-", link=bank.link())
    enrolling.process.send_signal(2)
    assert enrolling.end() == 2
    assert keyring() == before and home.json("connections")["connections"] == []


# Links, and where they come from


def test_paste_takes_all_from_standard_input(ready):
    home, bank = ready
    process = subprocess.Popen(
        home.argv("enroll", "-", "--callback", "paste", "--no-browser", "--yes", "--pin-file", "-", "--quiet"),
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home.environment)
    process.stdin.write(f"{PIN}\n{bank.link()}\n")
    process.stdin.flush()
    said = ""
    while not (page := re.search(r"(http://\S+/connect/\S+)\n", said)):
        line = process.stderr.readline()
        assert line, said
        said += line
    redirect = sign_in_only(page.group(1))
    assert redirect.startswith("authenticator://oauth/redirect?")
    out, err = process.communicate("not an address\nauthenticator://oauth/redirectx?id=1&access_token=2\n" + redirect + "\n", timeout=60)
    assert process.returncode == 0 and out == "demobank\n", err


def test_paste_ends_with_standard_input(ready):
    home, bank = ready
    result = home.run("enroll", "-", "--callback", "paste", "--no-browser", "--yes", stdin=bank.link() + "\nnonsense\n")
    assert result.code == 2 and result.out == "", result
    assert "that is not the address that the bank's page led to\n" in result.err and "nonsense" not in result.err
    assert "error: the input ended without the address that the bank's page led to" in result.err
    assert "in time" not in result.err and "paste the address" in result.err


def test_an_empty_input_is_told_so(ready):
    """Nothing but the link was given."""
    home, bank = ready
    result = home.run("enroll", "-", "--callback", "paste", "--no-browser", "--yes", stdin=bank.link() + "\n")
    assert result.code == 2 and "error: the input ended without the address" in result.err, result


@pytest.mark.parametrize("style", ["token", "redirect"])
def test_instant(ready, style):
    home, bank = ready
    bank.post("settings", style="J" if style == "token" else "R")
    link = bank.link(instant=True, instant_style=style)
    result = home.run("enroll", link, "--yes")
    assert result.code == 0 and result.out == "Connected: demobank\n" and "Waiting" not in result.err, result
    again = Waiting(home, "enroll", "-", link=link)
    assert sign_in(again.page)[0] == 200 and again.end() == 0, "a used secret falls back to the page"


def test_an_expired_secret_falls_back_to_the_page(ready):
    home, bank = ready
    link = bank.link(instant=True, expires_in=30)
    bank.post("clock", offset_seconds=60)
    enrolling = Waiting(home, "enroll", "-", link=link)
    assert sign_in(enrolling.page)[0] == 200 and enrolling.end() == 0


def test_secrets_stand_nowhere(ready):
    home, bank = ready
    link = bank.link(instant=True, expires_in=30)
    bank.post("clock", offset_seconds=60)
    enrolling = Waiting(home, "enroll", "-", "--verbose", link=link)
    secrets = [PIN, re.search("connect_query=(.*)", link).group(1)]
    assert not any(secret in enrolling.command_line() for secret in secrets)
    redirect = sign_in_only(enrolling.page)
    secrets.append(urllib.parse.parse_qs(urllib.parse.urlsplit(redirect).query)["access_token"][0])
    assert ask(redirect)[0] == 200 and enrolling.end() == 0
    for secret in secrets:
        assert secret not in enrolling.said + enrolling.out
        for file in home.files():
            assert secret.encode() not in file.read_bytes()


# A bank whose later host differs from the link's


class ScriptedBank(http.server.BaseHTTPRequestHandler):
    """Serves one configuration; everything else is noted and refused."""

    def do_GET(self):
        self.server.seen.append(self.command)
        body = json.dumps({"data": self.server.configuration}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.server.seen.append(self.command)
        self.send_error(400)

    def log_message(self, *_):
        pass


@pytest.fixture
def scripted():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), ScriptedBank)
    # The same port on another loopback address is another host.
    other = http.server.ThreadingHTTPServer(("127.0.0.2", server.server_port), ScriptedBank)
    server.seen = other.seen = []
    for one in (server, other):
        threading.Thread(target=one.serve_forever, daemon=True).start()
    yield server
    for one in (server, other):
        one.shutdown()
        one.server_close()


def test_another_host_is_named_before_a_key_exists(ready, scripted):
    home, _ = ready
    before = keyring()
    here = f"127.0.0.1:{scripted.server_port}"
    there = f"127.0.0.2:{scripted.server_port}"
    scripted.configuration = {
        "connect_url": f"http://{there}", "code": "twohosts", "name": "Two \x1b[31mHosts\u202e", "version": "1"}
    link = f"authenticator://saltedge.com/connect?configuration=http://{here}/c"
    child = home.terminal("enroll", "--pin-file", home.pin_file, columns=200)
    child.expect("Link: ")
    child.send(link + "\r")
    child.expect(r"\[y/N\] ")
    assert here in child.before and there in child.before and "\x1b" not in child.before and "\u202e" not in child.before
    child.send("n\r")
    child.expect("error: cancelled")
    child.wait()
    assert child.exitstatus == 2 and scripted.seen == ["GET"] and keyring() == before
    # Where nobody can be asked, the hosts are named in the refusal.
    result = home.run("enroll", "-", stdin=link + "\n")
    assert result.code == 3 and here in result.err and there in result.err and "--yes" in result.err
    assert scripted.seen == ["GET"] * 2
    result = home.run("enroll", "-", "--yes", stdin=link + "\n")
    assert result.code == 5 and there in result.err and scripted.seen == ["GET"] * 3 + ["POST"], (result, scripted.seen)
    assert keyring() == before and home.json("connections")["connections"] == []


@pytest.mark.parametrize("base", ["http://bank.example", "https://gateway", "ftp://127.0.0.1", "https://a@b.example", ""])
def test_addresses_that_are_never_called(ready, scripted, base):
    home, _ = ready
    scripted.configuration = {"connect_url": base, "code": "x", "name": "X", "version": "1"}
    link = f"authenticator://x?configuration=http://127.0.0.1:{scripted.server_port}/c\n"
    result = home.run("enroll", "-", "--yes", stdin=link)
    assert result.code in (5, 6) and scripted.seen == ["GET"], result


def test_other_schemes_by_settings(home, bank):
    settings(home, 'schemes = ["authenticator", "fernbank"]\nreturn_url = "fernbank://back"\nplatform = "ios"\n')
    home.set_pin()
    link = bank.link(instant=True).replace("authenticator:", "FernBank:")
    home.ok("enroll", "-", "--yes", "--callback", "paste", stdin=link + "\n")
    [connection] = bank.get("connections")
    assert (connection["platform"], connection["return_url"]) == ("ios", "fernbank://back")


# Reconnecting


def test_reconnect(home, bank):
    home.set_pin().enroll(bank)
    home.ok("rename", "demobank", "treasury")
    id = bank.pay("Before")
    home.ok("deny", f"treasury:{id}")
    [old] = bank.get("connections")
    created = home.json("connections")["connections"][0]["created_at"]
    bank.post(f"connections/{old['id']}/revoke")
    assert home.run("pending").code == 5
    [inactive] = home.json("connections")["connections"]
    assert inactive["status"] == "inactive"
    bank.post("requests/clear")
    ended = home.run("pending")
    assert ended.code == 5 and "countersign reconnect treasury" in ended.err, "told until it is settled"
    home.ok("consents")
    assert bank.get("requests") == [], "no longer polled"
    refused = home.run("show", "treasury:1", "--json")
    assert refused.code == 5 and "countersign reconnect treasury" in refused.json["error"]["hint"]

    # One that comes to nothing changes nothing.
    before = keyring()
    failed = home.run("reconnect", "treasury", "--no-browser", "--yes", "--timeout", "0.03")
    assert failed.code == 2 and keyring() == before and home.json("connections")["connections"] == [inactive]

    reconnecting = Waiting(home, "reconnect", "treasury", "--json")
    assert sign_in(reconnecting.page)[0] == 200 and reconnecting.end() == 0, reconnecting.said
    renewed = json.loads(reconnecting.out)
    check_schema(["reconnect"], renewed)
    new = bank.get("connections")[-1]
    assert new["public_key"] != old["public_key"] and new["id"] != old["id"]
    assert (renewed["connection"]["name"], renewed["connection"]["id"]) == ("treasury", str(new["id"]))
    assert renewed["connection"]["status"] == "active" and renewed["connection"]["created_at"] == created
    assert [d["title"] for d in home.json("history", "--connection", "treasury")["decisions"]] == ["Before"]
    later = bank.pay("After")
    home.ok("deny", f"treasury:{later}")
    assert home.json("history", "--verify")["log"] == "intact"
    assert len(keyring()) == len(before) + 1, "the old key is gone, key and token are there"


def test_a_failed_reconnect_leaves_old_key_and_token_working(home, bank):
    home.set_pin().enroll(bank)
    home.ok("deny", f"demobank:{bank.pay()}")
    before, connection = keyring(), home.json("connections")
    reconnecting = Waiting(home, "reconnect", "demobank", "--timeout", "0.1")
    assert sign_in(reconnecting.page, decision="cancel")[0] == 400
    assert reconnecting.end() == 5
    bank.fault("connections.create", status=500)
    assert home.run("reconnect", "demobank", "--yes").code == 5
    id = bank.pay()
    home.ok("deny", f"demobank:{id}")
    assert keyring() == before and home.json("connections") == connection


# The PIN file


def test_pin_files(home, tmp_path):
    home.set_pin()
    for mode in (0o640, 0o604, 0o644, 0o620):
        home.pin_file.chmod(mode)
        result = home.run("connections")
        assert result.code == 64 and "others can read" in result.err, (oct(mode), result)
    home.pin_file.chmod(0o600)
    home.ok("connections", "--pin-file", "-", pin=False, stdin=PIN + "\n")
    home.ok("connections", "--pin-file", "-", pin=False, stdin=PIN + "\r\nrest")
    home.ok("connections", "--pin-file", "-", pin=False, stdin=PIN)
    home.ok("connections", pin=False, environment={"COUNTERSIGN_PIN_FILE": str(home.pin_file)})
    other = tmp_path / "wrong"
    other.write_text("999333\n")
    other.chmod(0o600)
    home.ok("connections", environment={"COUNTERSIGN_PIN_FILE": str(other)})
    assert home.run("connections", pin=False, environment={"COUNTERSIGN_PIN_FILE": ""}).code == 3, "empty is not set"
    assert home.json("status", pin=False)["tries_left"] == 9
    for content in ("", "\n", "\n" + PIN + "\n"):
        home.pin_file.write_text(content)
        result = home.run("connections")
        assert result.code == 3 and "empty" in result.err, result
    missing = home.run("connections", "--pin-file", tmp_path / "missing", pin=False)
    assert missing.code == 64 and missing.err.startswith("error: the PIN file cannot be read"), missing
    home.pin_file.write_text("9" * 5000)
    assert home.run("connections").code == 64
    assert home.json("status", pin=False)["tries_left"] == 9, "none of these was a try"


# The settings


def settings(home, text):
    path = home.path / "config/countersign/config.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


# Positions


def test_positions(home, bank):
    bank.post("settings", geolocation_required=True)
    home.set_pin().enroll(bank)

    def approve(*options):
        id = bank.pay()
        fingerprint = home.json("show", f"demobank:{id}")["fingerprint"]
        return id, home.run("approve", f"demobank:{id}", "--fingerprint", fingerprint, "--json", *options)

    id, result = approve()
    assert result.code == 64 and "--geolocation" in result.json["decisions"][0]["error"]["hint"]
    assert bank.authorization(id)["decisions_received"] == 0
    home.ok("deny", f"demobank:{id}")
    assert bank.authorization(id)["status"] == "denied" and bank.authorization(id)["geolocation"] is None
    id, result = approve("--geolocation", "48.137154,-11.5")
    assert result.code == 0 and bank.authorization(id)["geolocation"] == "GEO:48.137154;-11.5"
    settings(home, '[geolocation]\ndemobank = "1.5,2.5"\n')
    id, result = approve()
    assert result.code == 0 and bank.authorization(id)["geolocation"] == "GEO:1.5;2.5"
    id, result = approve("--geolocation", "3,4")
    assert result.code == 0 and bank.authorization(id)["geolocation"] == "GEO:3;4", "the option counts more"
    for bad in ("48", "48,11,1", "48.1;11.5", "x,y", "91,0", "0,181", "1e1,2", " 1,2", "NaN,1"):
        assert home.run("deny", "demobank:1", f"--geolocation={bad}").code == 64, bad
