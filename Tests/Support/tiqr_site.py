"""A site that speaks Tiqr, to test against: a server on loopback, made from the protocol's description and RFC 6287, on Python's own
library alone. Nothing of it is shared with the program. It is strict: what it does not expect, it refuses.

    with Site() as site:
        print(site.enrollment_link("mira", "Mira Oak"))

`site.faults[path]` (one of "/metadata", "/enroll", "/login") is called with the handler in place of the real answer.
"""

import contextlib
import hashlib
import hmac
import http.server
import json
import re
import secrets
import threading
import time
import urllib.parse

OK, UNKNOWN_CHALLENGE, UNKNOWN_USER, BAD_REQUEST, OTHER = 1, 203, 205, 202, 200
WRONG, BLOCKED = 201, 204
WORDS = {OK: "OK", WRONG: "INVALID_RESPONSE", UNKNOWN_CHALLENGE: "INVALID_CHALLENGE", BLOCKED: "ACCOUNT_BLOCKED",
         UNKNOWN_USER: "INVALID_USER", BAD_REQUEST: "INVALID_REQUEST", OTHER: "ERROR"}


def ocra(suite, key, question, session="", version=1):
    """The response (RFC 6287 section 5); `-S` alone means 64 bytes, and version 2 reads decimal digits as hexadecimal ones."""
    _, function, data = suite.split(":")
    _, algorithm, digits = function.split("-")
    kind = re.search(r"Q([HN])\d\d", data, re.I)[1].upper()
    if kind == "N" and version < 2:
        question = f"{int(question):x}"
    message = suite.encode() + b"\0" + bytes.fromhex(question.ljust(256, "0"))
    information = re.search(r"-S(\d{3})?$", data, re.I)
    if information:
        message += bytes.fromhex(session.rjust(2 * int(information[1] or 64), "0"))
    mac = hmac.new(key, message, getattr(hashlib, algorithm.lower())).digest()
    start = mac[-1] & 15
    value = int.from_bytes(mac[start:start + 4], "big") & 0x7FFFFFFF
    return str(value % 10 ** int(digits)).zfill(int(digits))


class Site:
    """`form`: how it answers a login: "words" (200 always), "counting" (403 and a count of attempts), "mute" (ERROR for all that is
    not OK), or "json"."""

    def __init__(
            self, form="words", suite="OCRA-1:HOTP-SHA1-6:QH10-S", service="login.fern.example", name="Fern login", attempts=5,
            public_url=None):
        self.form, self.suite, self.service, self.name, self.attempts = form, suite, service, name, attempts
        self.accounts, self.challenges, self.enrollments, self.secrets = {}, {}, {}, {}
        self.wrong, self.faults, self.requests = {}, {}, []
        # Where secrets are sent, if not to its own address.
        self.enrolls_at = None
        # Minutes of a block, where it is a temporary one.
        self.duration = None
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self):
                path, _, query = self.path.partition("?")
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                self.query = dict(urllib.parse.parse_qsl(query))
                self.form = dict(urllib.parse.parse_qsl(body, strict_parsing=bool(body)))
                site.requests.append((self.command, path, self.query, self.form, dict(self.headers)))
                if path in site.faults:
                    return site.faults[path](self)
                route = {("GET", "/metadata"): site.metadata, ("POST", "/enroll"): site.enroll, ("POST", "/login"): site.login}
                route.get((self.command, path), lambda h: h.answer(404, "<h1>Not Found</h1>", "text/html"))(self)

            do_GET = do_POST = do_HEAD = handle_any

            def answer(self, status, text, kind="text/html", headers=()):
                data = text if isinstance(text, bytes) else text.encode()
                self.send_response(status)
                for name, value in headers:
                    self.send_header(name, value)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(data)

            def endless(self, piece, pause):
                """Answers until nobody listens any more: this piece, and again after so many seconds."""
                self.close_connection = True
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                with contextlib.suppress(OSError):
                    while True:
                        self.wfile.write(piece)
                        time.sleep(pause)

            def cut(self):
                """Ends the connection without an answer."""
                self.close_connection = True
                self.connection.shutdown(2)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        # Asked every 20 ms whether to stop.
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()
        self.port = self.server.server_port
        # Where the world reaches it.
        self.url = public_url or f"http://127.0.0.1:{self.port}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()

    # What its web pages would do.

    def enrollment_link(self, user="mira", display="Mira Oak", mangled=False):
        key = secrets.token_hex(8)
        self.enrollments[key] = (user, display)
        link = f"tiqrenroll://{self.url}/metadata?key={key}"
        return link.replace("://http://", "://http//") if mangled else link

    def challenge(self, user="mira", site="Fern Wiki", version=2, session=None, question=None, back=None):
        """A new challenge's link; without a user, whoever has an account may answer."""
        kind, length = re.search(r"Q([HN])(\d\d)", self.suite).groups()
        digits = "0123456789" + ("abcdef" if kind == "H" else "")
        question = question or "".join(secrets.choice(digits) for _ in range(int(length)))
        session = session or secrets.token_hex(16)
        self.challenges[session] = (question, user, version)
        who = f"{urllib.parse.quote_plus(user)}@" if user else ""
        return (f"tiqrauth://{who}{self.service}/{session}/{question}/{urllib.parse.quote_plus(site)}/{version}"
                + (f"?{urllib.parse.quote(back, safe='')}" if back else ""))

    # What it answers.

    def metadata(self, handler):
        enrollment = self.enrollments.pop(handler.query.get("key"), None)
        if enrollment is None:
            return handler.answer(500, "<h1>Internal Server Error</h1>")
        user, display = enrollment
        ticket = secrets.token_hex(8)
        self.secrets[ticket] = user
        return handler.answer(200, json.dumps({
            "service": {
                "displayName": self.name, "identifier": self.service, "logoUrl": f"{self.url}/logo.png", "infoUrl": "",
                "authenticationUrl": f"{self.url}/login", "ocraSuite": self.suite, "enrollmentUrl": f"{self.enrolls_at or self.url}/enroll?otp={ticket}"},
            "identity": {"identifier": user, "displayName": display}}), "application/json")

    def enroll(self, handler):
        user = self.secrets.get(handler.query.get("otp"))
        secret = handler.form.get("secret", "")
        if user is None or handler.form.get("operation") != "register" or not re.fullmatch(r"[0-9a-f]{64}", secret):
            return handler.answer(403, "refused")
        del self.secrets[handler.query["otp"]]
        self.accounts[user] = bytes.fromhex(secret)
        self.wrong.pop(user, None)
        return self.say(handler, OK)

    def login(self, handler):
        form = handler.form
        if not {"sessionKey", "userId", "response", "operation"} <= set(form) or form["operation"] != "login":
            return self.say(handler, BAD_REQUEST)
        user = form["userId"]
        if user not in self.accounts:
            return self.say(handler, UNKNOWN_USER)
        if self.form != "words" and self.wrong.get(user, 0) >= self.attempts:
            return self.say(handler, BLOCKED)
        challenge = self.challenges.get(form["sessionKey"])
        if challenge is None:
            return self.say(handler, UNKNOWN_CHALLENGE)
        question, owner, version = challenge
        if owner not in (None, user):
            return self.say(handler, UNKNOWN_USER)
        expected = ocra(self.suite, self.accounts[user], question, form["sessionKey"], version)
        if not hmac.compare_digest(expected, form["response"]):
            self.wrong[user] = self.wrong.get(user, 0) + 1
            left = self.attempts - self.wrong[user]
            return self.say(handler, WRONG if left > 0 or self.form == "words" else BLOCKED, left)
        self.wrong.pop(user, None)
        del self.challenges[form["sessionKey"]]
        return self.say(handler, OK)

    def say(self, handler, code, left=None):
        if self.form == "json":
            answer = {"responseCode": code}
            if left is not None and code == WRONG:
                answer["attemptsLeft"] = left
            if self.duration is not None and code == BLOCKED:
                answer["duration"] = self.duration
            return handler.answer(200, json.dumps(answer), "application/json")
        if self.form == "mute":
            return handler.answer(200, "OK" if code == OK else "ERROR")
        word = WORDS[code]
        if self.form == "counting":
            return handler.answer(200 if code == OK else 403, f"{word}:{left}" if code == WRONG else word)
        return handler.answer(200, word)

    # What tests look at.

    def logins(self):
        return [form for method, path, _, form, _ in self.requests if path == "/login"]


if __name__ == "__main__":
    # For walks: each line on standard input, `enroll` or `challenge`, is answered by a link.
    import sys
    with Site() as walked:
        for line in sys.stdin:
            print(walked.challenge() if line.strip() == "challenge" else walked.enrollment_link(), flush=True)
