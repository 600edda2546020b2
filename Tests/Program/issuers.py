"""Logins at the issuer of Tests/Support/issuer.py: a browser of a few lines, and what tests of sessions share."""

import contextlib
import datetime
import os
import re
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

from conftest import ROOT, Result

sys.path.insert(0, str(ROOT / "Tests/Support"))

from issuer import Issuer  # noqa: E402, F401


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def visit(address, headers=None, method="GET"):
    """What an address answers: status, headers, text. Redirects are not followed."""
    opener = urllib.request.build_opener(NoRedirect, urllib.request.ProxyHandler({}))
    try:
        with opener.open(urllib.request.Request(address, headers=headers or {}, method=method), timeout=60) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()


def redirect_of(page):
    """Where the issuer's page leads the browser."""
    status, headers, text = visit(page)
    assert status == 302, (status, text)
    return headers["Location"]


def followed(lead):
    """Where an address of this computer leads the browser."""
    status, headers, text = visit(lead)
    assert status == 303, (status, text)
    return headers["Location"]


def pin_file(home, pin):
    return ["--pin-file", home.pin_file] if pin else []


class LoginRun:
    """`countersign login` while it waits for the browser. Without `pin` it has no PIN of its own."""

    def __init__(self, home, *args, callback="loopback", pin=True, browser=False):
        way = ["--callback", callback] + ([] if browser else ["--no-browser"])
        argv = home.argv("login", *args, "--yes", *way, *pin_file(home, pin))
        self.process = subprocess.Popen(
            argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home.environment)
        self.talk, self.page = "", None
        while line := self._line():
            self.talk += line
            found = re.match(r"  (http\S+)$", line)
            if found:
                self.page = found[1]
                break

    def _line(self):
        """The next line, and no byte more: what a buffer holds would be lost to `communicate`."""
        line = b""
        while not line.endswith(b"\n") and (byte := os.read(self.process.stderr.fileno(), 1)):
            line += byte
        return line.decode()

    @property
    def redirect_uri(self):
        return urllib.parse.parse_qs(urllib.parse.urlsplit(self.page).query)["redirect_uri"][0]

    @property
    def state(self):
        return urllib.parse.parse_qs(urllib.parse.urlsplit(self.page).query)["state"][0]

    def end(self, stdin=""):
        """Waits for the end of the command."""
        out, err = self.process.communicate(stdin, timeout=90)
        return Result(self.process.returncode, out, self.talk + err)


class DeviceRun:
    """`countersign login --device` while it waits for the code to be entered."""

    def __init__(self, home, issuer, *args, pin=True):
        self.process = subprocess.Popen(
            home.argv("login", issuer.issuer, "--device", "--yes", *args, *pin_file(home, pin)), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home.environment)
        self.talk, self.shown = "", []
        for line in self.process.stderr:
            self.talk += line
            found = re.match(r"  (\S+)$", line)
            if found:
                self.shown.append(found[1])
            if line.startswith("Waiting"):
                break

    def end(self):
        out, err = self.process.communicate(timeout=90)
        return Result(self.process.returncode, out, self.talk + err)


def log_in(home, issuer, *args, code=0, pin=True):
    """Signs in with a browser that follows the redirect. Returns the command's result and what the browser was shown."""
    run = LoginRun(home, issuer.issuer if hasattr(issuer, "issuer") else issuer, *args, pin=pin)
    shown = visit(redirect_of(run.page)) if run.page else None
    result = run.end()
    assert result.code == code, result
    return result, shown


@contextlib.contextmanager
def signed_in(home, *args, **options):
    """A home with a session, and its issuer."""
    with Issuer(**options) as issuer:
        log_in(home, issuer, *args)
        yield issuer


def signed_out(name, revoked=True, owed=False, browser=False, grants=(), sites=(), kept=(), good_until=None):
    """The answer of a logout of one session."""
    ended = {"name": name, "revoked": revoked, "owed": owed, "good_until": good_until, "browser": browser, "grants": list(grants),
             "sites": list(sites)}
    return {"signed_out": [ended], "kept": list(kept)}


def near(time, other):
    """Whether two answers tell the same time: each counts it anew from what is left of it, in whole seconds."""
    return abs((datetime.datetime.fromisoformat(time) - datetime.datetime.fromisoformat(other)).total_seconds()) <= 1


def run_many(home, count, *args):
    """The same command in many processes at once."""
    processes = [
        subprocess.Popen(home.argv(*args, "--pin-file", home.pin_file), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                         stderr=subprocess.PIPE, text=True, env=home.environment) for _ in range(count)]
    results = [None] * count

    def collect(index):
        out, err = processes[index].communicate(timeout=300)
        results[index] = Result(processes[index].returncode, out, err)
    threads = [threading.Thread(target=collect, args=(index,)) for index in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def expiry(home, name=None):
    """When a session's access token runs out, as the program tells it; None when it is over."""
    [session] = [s for s in home.json("sessions")["sessions"] if name in (None, s["name"])]
    return session["expires_at"]


def await_expiry(home, name=None, timeout=90):
    """Waits until the access token of a session, or of the only one, is over. The program leaves ten seconds to spare."""
    deadline = time.monotonic() + timeout
    while told := expiry(home, name):
        assert time.monotonic() < deadline, "the token does not run out"
        left = datetime.datetime.fromisoformat(told).timestamp() - 10 - time.time()
        time.sleep(min(max(left, 0.1), timeout))
