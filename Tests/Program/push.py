"""A small server that speaks to push tokens as privacyIDEA does (its answers, its refusals, its strictness), with switches for faults.

    server = PushServer()
    link = server.token("mira")               # an enrollment link
    nonce = server.login("PIPU0001", "Log in?")
    server.answers                            # what authenticators answered, in order

It is written from the protocol alone and shares nothing with the program under test.
"""

import base64
import contextlib
import datetime
import email.utils
import http.server
import json
import pathlib
import secrets
import ssl
import threading
import time
import urllib.parse

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.serialization import load_der_public_key, load_pem_private_key, load_pem_public_key

KEYS = pathlib.Path(__file__).resolve().parents[2] / "Keys"
# One key serves all tokens of a server.
SERVER_KEY = load_pem_private_key((KEYS / "connection-2048.pem").read_bytes(), None)
OTHER_KEY = load_pem_private_key((KEYS / "foreign-2048.pem").read_bytes(), None)
WINDOW = 60


def base32_signature(key, text, scheme=None, digest=None):
    return base64.b32encode(key.sign(text.encode(), scheme or padding.PKCS1v15(), digest or hashes.SHA256())).decode()


def is_signed(key, signature, text):
    """Whether this is the token's signature. Raises for what is not strict base32."""
    if len(signature) % 8 or not signature:
        raise ValueError("base32")
    raw = base64.b32decode(signature)
    try:
        key.verify(raw, text.encode(), padding.PKCS1v15(), hashes.SHA256())
        return True
    except InvalidSignature:
        return False


def pkcs1(key, columns=64):
    der = key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.PKCS1)
    text = base64.b64encode(der).decode()
    return "".join(text[i:i + columns] + "\n" for i in range(0, len(text), columns))


class Token:
    def __init__(self, serial):
        self.serial, self.credential, self.key, self.challenges = serial, secrets.token_hex(20), None, {}
        self.isRolledOut = False


# A byte every fifth of a second, and as many as the line takes.
SLOW, ENDLESS = (b" ", 0.2), (b" " * 65536, 0)


def without_end(request, fault):
    """Answers until nobody listens any more."""
    piece, pause = fault
    request.close_connection = True
    request.send_response(200)
    request.send_header("Content-Type", "application/json")
    request.end_headers()
    with contextlib.suppress(OSError):
        while True:
            request.wfile.write(piece)
            time.sleep(pause)


class PushServer:
    def __init__(self, certificate=None):
        """With a certificate of Keys/ it speaks TLS, as localhost."""
        self.tokens, self.answers, self.calls, self.bodies = {}, [], [], []
        # Faults. `clock`: seconds that the server's clock is ahead. `hides`: the policy that hides errors. `spoil`: changes the list
        # of a poll. `rollout`, `poll`, `answer`: (status, body, content type) in place of the answer; a list of them serves one call
        # each; None lets one call pass; SLOW and ENDLESS are answers that do not end. `lose`: paths whose answer is never sent, though the call is carried out.
        self.clock, self.hides, self.forbidsPolling, self.spoil = 0, False, False, None
        self.code_message = "Type this"
        self.faults = {"rollout": [], "poll": [], "answer": []}
        self.lose = []
        self.serverKeyText = pkcs1(SERVER_KEY)
        self.rolloutSerial = None
        self.display_code = None
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args):
                pass

            def date_time_string(self, timestamp=None):
                return email.utils.format_datetime(outer.now(), usegmt=True)

            def do_GET(self):
                outer.serve(self, "poll", dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query)))

            def do_POST(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                outer.bodies.append(body)
                fields = dict(urllib.parse.parse_qsl(body))
                outer.serve(self, "rollout" if "enrollment_credential" in fields else "answer", fields)

        self.httpd = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.httpd.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.httpd.server_port}"
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(KEYS / certificate, KEYS / "tls-server.pem")
            self.httpd.socket = context.wrap_socket(self.httpd.socket, server_side=True, do_handshake_on_connect=False)
            self.url = f"https://localhost:{self.httpd.server_port}"
        # Asked every 20 ms whether to stop.
        threading.Thread(target=self.httpd.serve_forever, args=(0.02,), daemon=True).start()

    def stop(self):
        self.httpd.shutdown()
        self.httpd.server_close()

    def now(self):
        return datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=self.clock)

    # What an administrator and a login page do

    def token(self, label="mira", serial=None, issuer="Fern", scheme="pia", again=False, **parameters):
        """A new token, or the same once more for a new key; its enrollment link."""
        serial = serial or f"PIPU{len(self.tokens) + 1:04}"
        token = self.tokens[serial] if again else Token(serial)
        token.credential, token.isRolledOut = secrets.token_hex(20), False
        self.tokens[serial] = token
        values = {
            "url": self.url + "/ttype/push", "ttl": "10", "issuer": issuer, "enrollment_credential": token.credential, "v": "1",
            "serial": serial, "sslverify": "1", "poll_only": "True", **parameters}
        query = "&".join(f"{name}={urllib.parse.quote(value)}" for name, value in values.items() if value is not None)
        return f"{scheme}://pipush/{urllib.parse.quote(label)}?{query}"

    def rolled_out(self, public_key, label):
        """A token whose key, a PEM text, is known already; its serial number."""
        self.token(label)
        [*_, token] = self.tokens.values()
        token.key, token.isRolledOut = load_pem_public_key(public_key.encode()), True
        token.pubkey = base64.b64encode(token.key.public_bytes(
            serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)).decode()
        return token.serial

    @property
    def key_text(self):
        """The server's public key as PEM."""
        return SERVER_KEY.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()

    def login(self, serial="PIPU0001", question="Log in to the shop?", title="Fern", **more):
        """Somebody logs in: a challenge waits for the token. Members of it can be given, or taken away by None."""
        nonce = base64.b32encode(secrets.token_bytes(20)).decode()
        item = {
            "nonce": nonce, "question": question, "title": title, "serial": serial, "url": self.url + "/ttype/push", "sslverify": "1"}
        signer = more.pop("signer", SERVER_KEY)
        code, answer = more.pop("code", None), more.pop("answer", None)
        capabilities = more.pop("capabilities", {"decline_reason": True})
        item.update(more)
        item = {name: value for name, value in item.items() if value is not None}
        if "require_presence" in item:
            item["version"] = "2"
        order = ["nonce", "url", "serial", "question", "title", "sslverify", "require_presence"]
        item.setdefault("signature", base32_signature(signer, "|".join(str(item[n]) for n in order if n in item)))
        if capabilities is not None:
            text = json.dumps({"capabilities": capabilities, "nonce": item.get("nonce")}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
            item["capabilities"] = json.dumps(capabilities)
            item.setdefault("capabilities_signature", base32_signature(signer, text))
        self.tokens[serial].challenges[item.get("nonce", nonce)] = {"item": item, "code": code, "presence": answer}
        return item.get("nonce", nonce)

    def expire(self, serial="PIPU0001"):
        """The logins are over."""
        self.tokens[serial].challenges.clear()

    def waits(self, nonce, serial="PIPU0001"):
        return nonce in self.tokens[serial].challenges

    # The wire

    def serve(self, request, act, fields):
        self.calls.append(act)
        fault = self.faults[act].pop(0) if self.faults[act] else None
        if fault in (SLOW, ENDLESS):
            return without_end(request, fault)
        if isinstance(fault, tuple):
            status, body, kind = fault
            payload = body.encode()
        else:
            status, body = getattr(self, act)(fields)
            payload, kind = json.dumps(body).encode(), "application/json"
        if self.lose and self.lose[0] == act:
            self.lose.pop(0)
            request.close_connection = True
            request.connection.close()
            return
        request.send_response(status)
        request.send_header("Content-Type", kind)
        request.send_header("Content-Length", str(len(payload)))
        if 300 <= status < 400:
            request.send_header("Location", body)
        request.end_headers()
        request.wfile.write(payload)

    def good(self, value, detail=None):
        answer = {
            "id": 1, "jsonrpc": "2.0", "result": {"status": True, "value": value}, "time": self.now().timestamp(),
            "signature": "rsa_sha256_pss:00", "version": "privacyIDEA 3.14", "unheard": {"of": [1.5]}}
        return 200, {**answer, "detail": detail} if detail is not None else answer

    def bad(self, status, code, message):
        if self.hides:
            code, message = -311, "Something went wrong. Ask your administrator."
        return status, {
            "id": 1, "jsonrpc": "2.0", "detail": None, "result": {"status": False, "error": {"code": code, "message": message}}}

    def rollout(self, fields):
        for name in ("serial", "fbtoken", "pubkey"):
            if name not in fields:
                return self.bad(400, 905, f"ERR905: Missing parameter: {name}")
        token = self.tokens.get(fields["serial"])
        if not token or token.isRolledOut:
            return self.bad(404, 601, "No token with this serial number in the rollout state")
        if fields["enrollment_credential"] != token.credential:
            return self.bad(400, 905, "ERR905: Invalid enrollment credential.")
        # Whatever it is: the server looks at it when it verifies.
        token.pubkey, token.isRolledOut, token.key = fields["pubkey"], True, None
        try:
            token.key = load_der_public_key(base64.b64decode(token.pubkey))
        except ValueError:
            pass
        return self.good(
            True, {"public_key": self.serverKeyText, "serial": self.rolloutSerial or token.serial, "rollout_state": "enrolled"})

    def poll(self, fields):
        for name in ("serial", "timestamp", "signature"):
            if not fields.get(name):
                return self.bad(400, 905, f"ERR905: Missing parameter: {name}")
        if self.forbidsPolling:
            return self.bad(403, 303, "Polling not allowed!")
        try:
            time = datetime.datetime.fromisoformat(fields["timestamp"].replace("Z", "+00:00"))
        except ValueError:
            return self.bad(400, 10, "ERR10: Could not parse timestamp")
        if abs((time - self.now()).total_seconds()) > WINDOW:
            return self.bad(400, 10, f"ERR10: Timestamp {time} not in valid range.")
        token = self.tokens.get(fields["serial"])
        try:
            known = token and token.key and is_signed(token.key, fields["signature"], f"{fields['serial']}|{fields['timestamp']}")
        except ValueError:
            known = False
        if not known:
            return self.bad(400, 10, "ERR10: Could not verify signature!")
        items = [challenge["item"] for challenge in token.challenges.values()]
        return self.good(self.spoil(items) if self.spoil else items)

    def answer(self, fields):
        token = self.tokens.get(fields.get("serial"))
        if not token:
            return self.bad(404, 601, "The requested token could not be found.")
        words = ["decline"] if fields.get("decline") in ("1", "true", "True") else []
        if words and "decline_reason" in fields:
            words.append(fields["decline_reason"])
        if "presence_answer" in fields:
            words.append(fields["presence_answer"])
        for nonce, challenge in list(token.challenges.items()):
            try:
                if not is_signed(token.key, fields.get("signature", ""), "|".join([nonce, token.serial, *words])):
                    continue
            except ValueError:
                return self.bad(500, -500, "an internal error")
            presence = challenge["presence"]
            if presence is not None and "decline" not in words and fields.get("presence_answer") != presence:
                return self.good(False)
            del token.challenges[nonce]
            self.answers.append((nonce, words))
            code = challenge["code"] if not words else None
            return self.good(True, {"display_code": code, "message": self.code_message} if code is not None else None)
        return self.good(False)


if __name__ == "__main__":
    # For walks: a server with one token, whose link is printed; each line on standard input begins a login.
    import sys
    walked = PushServer()
    link = walked.token("mira")
    print(link, flush=True)
    serial = urllib.parse.parse_qs(urllib.parse.urlsplit(link).query)["serial"][0]
    for line in sys.stdin:
        print(walked.login(serial, line.strip()), flush=True)
