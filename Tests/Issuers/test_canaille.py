"""A session at Canaille, an OpenID provider that nobody here wrote. Run by `make test-issuers`, which installs it from PyPI.

Unlike glewlwyd it registers programs by itself, sends `iss` with its redirects, and ends sessions in the browser.
"""

import html
import http.cookiejar
import pathlib
import re
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request

import pytest

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / folder) for folder in ("Program", "Support", "Browser")]

from conftest import PIN, ROOT, check_schema, finish, home, pytest_configure  # noqa: E402, F401
from issuers import LoginRun, await_expiry, run_many, visit  # noqa: E402

# Refuses to run outside a private session, where a person's own keyring would be used.
pytest_configure(None)


class Canaille:
    def __init__(self, folder, seconds):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.issuer = f"http://127.0.0.1:{self.port}"
        self.log = folder / "canaille.log"
        self.process = subprocess.Popen(
            [str(ROOT / ".build/canaille/bin/python"), str(ROOT / "Tests/Support/canaille-server"), str(self.port), str(seconds)],
            stdin=subprocess.DEVNULL, stdout=open(self.log, "w"), stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 60
        while not self.isUp():
            assert time.monotonic() < deadline and self.process.poll() is None, self.log.read_text()
            time.sleep(0.1)

    def isUp(self):
        try:
            return visit(self.issuer + "/.well-known/openid-configuration")[0] == 200
        except OSError:
            return False

    def stop(self):
        self.process.kill()
        self.process.wait()

    def calls(self, path):
        """How often something was asked for, by the server's own log."""
        return sum(f" {path}" in line for line in self.log.read_text().splitlines())


class Person:
    """The person's browser: keeps cookies, and fills in the forms of Canaille's pages. What leads away from the server is not followed."""

    def __init__(self, server):
        self.server, self.away = server, None
        person = self

        class Redirects(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, request, file, code, message, headers, address):
                if address.startswith(server.issuer):
                    return super().redirect_request(request, file, code, message, headers, address)
                person.away = address
                return None
        self.opener = urllib.request.build_opener(
            Redirects, urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def open(self, address, fields=None):
        """Where a page lies that was asked for, and its text."""
        data = None if fields is None else urllib.parse.urlencode(fields).encode()
        try:
            with self.opener.open(urllib.request.Request(address, data), timeout=30) as answer:
                return answer.url, answer.read().decode()
        except urllib.error.HTTPError as error:
            assert self.away, (error.code, error.read().decode())
            return self.away, ""

    def fill(self, place, text, **fields):
        token = re.search(r'name="csrf_token" value="([^"]+)"', text)
        action = re.search(r'<form[^>]*action="([^"]+)"', text)
        if action:
            place = urllib.parse.urljoin(place, html.unescape(action[1]))
        return self.open(place, {"csrf_token": html.unescape(token[1]), **fields} if token else fields)

    def sign_in(self, page):
        """Signs in, agrees, and returns where the page leads to."""
        place, text = self.open(page)
        if "/login" in place:
            place, text = self.fill(place, text, login="mira")
            place, text = self.fill(place, text, password="test")
        if not self.away:
            self.fill(place, text, answer="accept")
        assert self.away, (place, text)
        return self.away


@pytest.fixture
def start(tmp_path):
    """Starts servers."""
    running = []

    def begin(seconds=3600):
        running.append(Canaille(tmp_path, seconds))
        return running[-1]
    yield begin
    for server in running:
        server.stop()


def log_in(home, server, *args):
    run = LoginRun(home, server.issuer, *args)
    assert run.page, run.end()
    shown = visit(Person(server).sign_in(run.page))
    result = run.end()
    assert result.code == 0 and shown[0] == 200, (result, shown)
    return result


def who(server, token):
    """What UserInfo answers to a token."""
    return visit(server.issuer + "/oauth/userinfo", {"Authorization": f"Bearer {token}"})[0]


def test_register_login_renewal_logout(home, start):
    home.set_pin()
    server = start(seconds=12)
    result = log_in(home, server, "--name", "oak", "--json")
    check_schema(["login"], result.json)
    session = result.json["session"]
    assert (session["kind"], session["refreshable"], session["subject"]) == ("openid", True, "mira")
    shown = home.json("sessions", "show", "oak")
    assert shown["profile"]["name"] == "Mira Oak" and shown["client"]["registered"]
    tokens = set()
    # Each refresh token is good once here.
    for _ in range(3):
        await_expiry(home)
        token = home.ok("token", "oak").out.strip()
        assert who(server, token) == 200
        tokens.add(token)
    assert len(tokens) == 3 and server.calls("/oauth/register") == 1
    [ended] = home.json("logout", "oak")["signed_out"]
    assert (ended["revoked"], ended["owed"]) == (True, False)
    assert who(server, token) != 200, "the issuer was told"
    assert home.json("sessions") == {"sessions": []}


def test_one_renewal_for_many_processes(home, start):
    home.set_pin()
    server = start(seconds=20)
    log_in(home, server)
    before = server.calls("/oauth/token")
    await_expiry(home)
    results = run_many(home, 20, "token")
    assert {r.code for r in results} == {0} and len({r.out for r in results}) == 1, results
    assert server.calls("/oauth/token") == before + 1 and who(server, results[0].out.strip()) == 200


def test_the_person_refuses(home, start):
    home.set_pin()
    server = start()
    run = LoginRun(home, server.issuer, "--json")
    person = Person(server)
    place, text = person.open(run.page)
    place, text = person.fill(place, text, login="mira")
    place, text = person.fill(place, text, password="test")
    if not person.away:
        person.fill(place, text, answer="deny")
    visit(person.away)
    result = run.end()
    assert (result.code, result.json["error"]["kind"]) == (5, "refused"), result
    assert home.json("sessions") == {"sessions": []}


def test_in_a_real_browser(home, start, tmp_path):
    """The command opens the page in the person's browser, the person signs in and agrees there, and is led back; the browser's own
    sign-in at the issuer ends with the session."""
    browsers = pytest.importorskip("browser", reason="a browser is installed by make test-browser")
    home.set_pin()
    server = start()
    opened, opener = tmp_path / "opened", tmp_path / "open"
    # What xdg-open calls: it hands the page to the browser that the test drives.
    opener.write_text(f'#!/bin/sh\nprintf %s "$1" > {opened}.new && mv {opened}.new {opened}\n')
    opener.chmod(0o755)
    surroundings = {"BROWSER": str(opener)}

    def page():
        deadline = time.monotonic() + 30
        while not opened.exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        address = opened.read_text()
        opened.unlink()
        return address
    browser = browsers.Browser(tmp_path)
    try:
        command = home.terminal("login", server.issuer, "--name", "oak", timeout=60, columns=300, environment=surroundings)
        command.expect_exact("PIN: ")
        command.sendline(PIN)
        command.expect_exact("registering this program there. Continue? [y/N] ")
        command.sendline("y")
        browser.driver.get(page())
        for field, text in [("login", "mira"), ("password", "test")]:
            browser.find(f"//input[@name='{field}']").send_keys(text + "\n")
        browser.find("//button[@name='answer'][@value='accept']").click()
        browser.see("signed in")
        assert browser.driver.current_url.startswith("http://127.0.0.1:") and server.issuer not in browser.driver.current_url
        assert browser.refusals() == []
        command.expect_exact("Signed in: oak")
        assert finish(command) == 0
        assert who(server, home.ok("token", "oak").out.strip()) == 200

        browser.driver.get(server.issuer)
        browser.see("My profile")
        home.environment |= surroundings
        logout = home.terminal("logout", "oak", "--browser", timeout=60, columns=300)
        logout.expect_exact("PIN: ")
        logout.sendline(PIN)
        logout.expect_exact("[y/N] ")
        logout.sendline("y")
        # The command leads the browser there before it ends.
        browser.driver.get(page())
        assert finish(logout) == 0
        # The page does not get the ID token, which is still good: the issuer asks.
        browser.find("//button[@name='answer'][@value='logout']").click()
        browser.driver.get(server.issuer)
        browser.until("signed out", lambda: "My profile" not in browser.text)
    finally:
        browser.stop()
