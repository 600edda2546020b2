"""An OAuth and OpenID issuer to test against, on loopback: made from the specifications, on Python's own library and `cryptography` alone.
Nothing of it is shared with the program. It is strict: what a good client does not do is refused, or stands in `complaints`.

    with Issuer(rotation=True, grace=30) as issuer:
        print(issuer.issuer)

It speaks discovery (both documents), JWKS, the code flow with PKCE S256, pushed requests (RFC 9126), registration (RFC 7591, 7592),
refresh with rotation and reuse detection, resource indicators (RFC 8707), `iss` (RFC 9207), the device flow (RFC 8628), userinfo,
revocation (RFC 7009), end of session, and an API that answers 401 and 403 with resource metadata (RFC 9728).

Every name in `DEFAULTS` can be given to `Issuer`, or set on it later. `fault` switches on what goes wrong, `calls` is the log.
As a program it is driven by HTTP instead (`POST /-/control` with {"set": {…}, "fault": {…}, "do": "…"}; `GET /-/control` tells all):

    /usr/bin/python3 Tests/Support/issuer.py [--port N] [--tls] [NAME=JSON…]
"""

import base64
import collections
import contextlib
import hashlib
import hmac
import html
import http.server
import json
import pathlib
import re
import secrets
import ssl
import sys
import threading
import time
import urllib.parse
from email.utils import formatdate

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature

KEYS = pathlib.Path(__file__).resolve().parents[2] / "Keys"
FORM = "application/x-www-form-urlencoded"
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"

DEFAULTS = {
    # Behind the origin, in the issuer's identifier: "", "/", "/o".
    "path": "",
    # Which documents there are: "openid", "oauth".
    "documents": ["openid", "oauth"],
    # Members of both documents, or of one, that are other than they should be; None leaves one out.
    "metadata": {}, "openid_metadata": {}, "oauth_metadata": {},
    # Whether the page answers by itself: "allow", "refuse", or "ask" for a page with two buttons.
    "consent": "allow",
    # Who signs in, and what is told of them.
    "subject": "mira", "claims": {"name": "Mira Oak", "preferred_username": "mira", "email": "mira@fern.example"},
    "auth_time": None, "acr": None, "amr": None,
    # Whether any port of a registered loopback address is taken (RFC 8252 section 7.3).
    "any_port": True,
    "require_nonce": True, "require_par": False,
    # RFC 9207: whether `iss` is sent, whether discovery tells so, and whether errors have it, too.
    "iss": True, "iss_told": True, "iss_in_errors": True,
    # What is other in the next redirects; None leaves a parameter out, a list repeats it.
    "redirect": {},
    "scopes": ["openid", "profile", "email", "offline_access", "fern.read", "fern.write"],
    # An unknown scope: "refuse", "drop", "grant".
    "unknown_scope": "refuse",
    "resources": [],
    # What the API names beside this issuer; where its description lies, and what is other in it.
    "other_issuers": [], "resource_place": "/api", "resource_metadata": {},
    # Where the documents really lie: their usual places answer with a 301. None for there.
    "moved": None,
    # Of access tokens; None leaves it out.
    "expires_in": 300, "code_life": 60,
    # "consent": only after `prompt=consent`.
    "refresh_tokens": True, "rotation": True, "reuse_detection": True,
    # Seconds in which a spent refresh token is taken again, and whether the answer is the "same" as before or a "new" one.
    "grace": 0, "grace_answer": "same",
    # Whether a renewal ends the access tokens before it, and brings an ID token.
    "refresh_ends_access": False, "refresh_id_token": True,
    # "always", "different", "never"
    "tell_scope": "always", "token_type": "Bearer",
    "alg": "RS256",
    # What is other in ID tokens; None leaves a claim or a header out. `sign`: "right", "none", "hmac", "foreign" (another key under this kid),
    # "unlisted" (a kid that the key set lacks), "spoiled".
    "id_token": {}, "id_token_header": {}, "sign": "right",
    # Of the keys in the key set: {"use": "enc"} and so on; None leaves a member out.
    "jwk": {},
    # What its next keys are called; None for another name each.
    "kid": None,
    "userinfo": {},
    # `secret_for_public`: "demanded" takes no client without the secret, whatever the registration says. `management`: whether registrations
    # can be deleted.
    "registration": True, "secret_for_public": False, "management": True,
    # "ok", or "empty" and "client" for those that want a secret of public clients, or "refresh" for one that ends no access tokens by
    # themselves.
    "revocation": "ok",
    # What the device grant is called in registrations.
    "device_interval": 5, "device_life": 600, "device_grant": DEVICE,
    # Seconds by which its clock is ahead.
    "clock": 0,
}


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def unb64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def number(value, size=None):
    return b64(value.to_bytes(size or (value.bit_length() + 7) // 8, "big"))


HASHES = {"256": hashes.SHA256(), "384": hashes.SHA384(), "512": hashes.SHA512()}
CURVES = {"ES256": ec.SECP256R1(), "ES384": ec.SECP384R1(), "ES512": ec.SECP521R1()}


# RSA keys of issuers that ended, for the next ones: making one takes longer than a sign-in. No two issuers have the same at one time.
SPARE = collections.deque()


class Key:
    """A key that signs ID tokens."""

    def __init__(self, alg, kid=None):
        self.alg, self.kid = alg, kid or secrets.token_hex(4)
        if alg in CURVES:
            self.private = ec.generate_private_key(CURVES[alg])
        else:
            try:
                self.private = SPARE.popleft()
            except IndexError:
                self.private = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    def give_back(self):
        """For the next issuer. Nothing signs with it any more."""
        if self.alg not in CURVES:
            SPARE.append(self.private)

    def sign(self, data):
        digest = HASHES[self.alg[2:]]
        if self.alg.startswith("ES"):
            size = (self.private.curve.key_size + 7) // 8
            r, s = decode_dss_signature(self.private.sign(data, ec.ECDSA(digest)))
            return r.to_bytes(size, "big") + s.to_bytes(size, "big")
        scheme = padding.PSS(padding.MGF1(digest), digest.digest_size) if self.alg.startswith("PS") else padding.PKCS1v15()
        return self.private.sign(data, scheme, digest)

    def jwk(self):
        common = {"kid": self.kid, "alg": self.alg, "use": "sig"}
        public = self.private.public_key().public_numbers()
        if self.alg.startswith("ES"):
            size = (self.private.curve.key_size + 7) // 8
            curve = {256: "P-256", 384: "P-384", 521: "P-521"}[self.private.curve.key_size]
            return {"kty": "EC", "crv": curve, "x": number(public.x, size), "y": number(public.y, size), **common}
        return {"kty": "RSA", "n": number(public.n), "e": number(public.e), **common}


class Refused(Exception):
    """An error answer of an endpoint."""

    def __init__(self, error, description=None, status=400, headers=()):
        super().__init__(error)
        self.error, self.status, self.headers = error, status, headers
        self.body = {"error": error, **({"error_description": description} if description else {})}


class Family:
    """What one login gave."""

    def __init__(self, client, subject, scopes, resources, auth_time, prompt=""):
        self.id, self.prompt = secrets.token_hex(4), prompt.split()
        self.client, self.subject, self.scopes, self.resources, self.auth_time = client, subject, scopes, resources, auth_time
        self.isAlive = True
        # Refresh tokens that are good, and those that were spent: when, and what was answered.
        self.good, self.spent = [], {}
        self.refreshes = 0


class Issuer:
    def __init__(self, port=0, tls=False, **options):
        unknown = set(options) - set(DEFAULTS)
        assert not unknown, f"no such option: {unknown}"
        for name, value in DEFAULTS.items():
            setattr(self, name, options.get(name, json.loads(json.dumps(value))))
        self.lock = threading.RLock()
        self.calls, self.complaints, self.faults = [], [], []
        self.clients, self.codes, self.pushed, self.devices = {}, {}, {}, {}
        # The keys in the key set, newest first, and all that were ever made.
        self.families, self.access, self.keys, self.made = [], {}, [], []
        self.client("public-client", redirect_uris=["http://127.0.0.1/callback"])
        issuer = self

        class Handler(RequestHandler):
            pass

        Handler.issuer = issuer
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
        self.server.daemon_threads = True
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(KEYS / "tls-localhost.crt", KEYS / "tls-server.pem")
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.origin = f"{'https://localhost' if tls else 'http://127.0.0.1'}:{self.server.server_port}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
        while self.made:
            self.made.pop().give_back()

    # What tests do.

    @property
    def issuer(self):
        """The identifier."""
        return self.origin + self.path

    @property
    def base(self):
        """Before the endpoints' own paths."""
        return self.origin + self.path.rstrip("/")

    @property
    def api(self):
        """The address of a protected resource."""
        return self.origin + "/api"

    def now(self):
        return time.time() + self.clock

    def client(self, client_id, redirect_uris, secret=None, auth="none", **more):
        """A client that somebody registered by hand. `auth`: "none", "basic", "post"."""
        self.clients[client_id] = {
            "client_id": client_id, "redirect_uris": list(redirect_uris), "auth": auth, "secret": secret, "registered": False, **more}
        return client_id

    def fault(self, route, what, times=1, grant=None, **more):
        """The next `times` calls of a route go wrong (-1: all of them). `route`: openid, oauth, jwks, authorize, token, par, register, device,
        userinfo, revoke, logout, api, resource. `grant`: only calls with this grant type. `what`:

        drop            the connection is cut, nothing happens            after_drop     what is asked happens, the answer is lost
        delay           `seconds` pass before anything                    after_delay    … between effect and answer
        error           the OAuth `error` with `status` (400)             after_error    … although it took effect
        answer          `status`, `body`, `type`, `headers`               after_answer   … although it took effect
        change          members of the JSON answer are other (`with`; None leaves one out), or its `status`
        html  empty  redirect (`to`)  huge  endless  cut (half of the answer)  slow (a byte each `seconds`)    in place of the answer
        """
        with self.lock:
            self.faults.append({"route": route, "what": what, "times": times, "grant": grant, **more})

    def take_fault(self, route, grant):
        with self.lock:
            for fault in self.faults:
                if fault["route"] == route and fault["times"] != 0 and fault["grant"] in (None, grant):
                    fault["times"] -= 1
                    return fault
        return {}

    def requests(self, route, grant=None):
        """The calls of one route."""
        return [c for c in list(self.calls) if c["route"] == route and grant in (None, c["form"].get("grant_type"))]

    def refreshes(self):
        return self.requests("token", "refresh_token")

    def end(self):
        """Ends every login, as an administrator would."""
        for family in self.families:
            self.end_family(family)

    def expire_access(self):
        """Every access token is over."""
        for token in self.access.values():
            token["live"] = False

    def new_key(self):
        """Signs with a new key from now on; the old ones are gone from the key set."""
        self.keys.clear()

    def decide_device(self, allow=True):
        """What the person does on the page for devices."""
        for device in self.devices.values():
            device["state"] = "allowed" if allow else "refused"

    def complain(self, text):
        self.complaints.append(text)

    # Documents.

    def make_key(self):
        self.made.append(Key(self.alg, self.kid))
        return self.made[-1]

    def key(self):
        with self.lock:
            if not self.keys or self.keys[0].alg != self.alg:
                self.keys.insert(0, self.make_key())
            return self.keys[0]

    def metadata_document(self, kind):
        base = self.base
        document = {
            "issuer": self.issuer, "authorization_endpoint": base + "/authorize", "token_endpoint": base + "/token",
            "jwks_uri": base + "/jwks", "userinfo_endpoint": base + "/userinfo", "revocation_endpoint": base + "/revoke",
            "end_session_endpoint": base + "/logout", "device_authorization_endpoint": base + "/device",
            "pushed_authorization_request_endpoint": base + "/par", "require_pushed_authorization_requests": self.require_par,
            "registration_endpoint": base + "/register" if self.registration else None,
            "scopes_supported": self.scopes, "response_types_supported": ["code"], "response_modes_supported": ["query"],
            "grant_types_supported": ["authorization_code", "refresh_token", DEVICE],
            "code_challenge_methods_supported": ["S256"], "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": [self.alg],
            "token_endpoint_auth_methods_supported": ["none", "client_secret_basic", "client_secret_post"],
            "authorization_response_iss_parameter_supported": self.iss_told or None,
            **self.metadata, **(self.openid_metadata if kind == "openid" else self.oauth_metadata)}
        return {name: value for name, value in document.items() if value is not None}

    def jwks(self):
        self.key()
        return {"keys": [{k: v for k, v in {**key.jwk(), **self.jwk}.items() if v is not None} for key in self.keys]}

    def make_id_token(self, client, subject, auth_time, nonce, access_token):
        key, now = self.key(), self.now()
        digest = hashlib.new("sha" + key.alg[2:], access_token.encode()).digest()
        claims = {
            "iss": self.issuer, "sub": subject, "aud": client["client_id"], "exp": int(now) + 300, "iat": int(now),
            "auth_time": int(auth_time), "nonce": nonce, "acr": self.acr, "amr": self.amr,
            "at_hash": b64(digest[:len(digest) // 2]), **self.claims, **self.id_token}
        header = {"alg": key.alg, "typ": "JWT", "kid": key.kid}
        if self.sign == "none":
            header["alg"] = "none"
        if self.sign == "hmac":
            header["alg"] = "HS256"
        if self.sign == "unlisted":
            header["kid"] = "unlisted"
        header.update(self.id_token_header)
        parts = [{k: v for k, v in part.items() if v is not None} for part in (header, claims)]
        signed = ".".join(b64(json.dumps(part).encode()) for part in parts)
        signature = key.sign(signed.encode())
        if self.sign == "none":
            signature = b""
        if self.sign == "hmac":
            signature = hmac.new((client["secret"] or "").encode(), signed.encode(), "sha256").digest()
        if self.sign == "foreign":
            signature = self.make_key().sign(signed.encode())
        if self.sign == "spoiled":
            signature = signature[:-1] + bytes([signature[-1] ^ 1])
        return signed + "." + b64(signature)

    # Who asks.

    def authenticate(self, handler):
        """The client of a request to the token endpoint and its like (RFC 6749 section 2.3)."""
        form, header = handler.form, handler.headers.get("Authorization")
        name, secret, auth = form.get("client_id"), form.get("client_secret"), "post" if "client_secret" in form else "none"
        if header is not None:
            if secret is not None:
                raise Refused("invalid_request", "two ways of client authentication")
            scheme, _, rest = header.partition(" ")
            if scheme.lower() != "basic":
                raise Refused("invalid_client", status=401, headers=[("WWW-Authenticate", "Basic")])
            name, _, secret = base64.b64decode(rest).decode().partition(":")
            name, secret, auth = urllib.parse.unquote_plus(name), urllib.parse.unquote_plus(secret), "basic"
        client = self.clients.get(name)
        if client is None or client["auth"] != auth or client["secret"] != secret:
            raise Refused(
                "invalid_client", "unknown client, or not as registered", 401 if auth == "basic" else 400,
                [("WWW-Authenticate", "Basic")] if auth == "basic" else ())
        return client

    def bearer(self, handler):
        """The access token of a request to a resource, and what is known of it."""
        scheme, _, token = handler.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer":
            return None
        found = self.access.get(token)
        if found is None or not found["live"] or (found["expires"] or self.now() + 1) <= self.now():
            return None
        return found

    # The authorization endpoint.

    def redirect_fits(self, client, uri):
        def plain(text):
            return re.sub(r"^(http://(?:127\.0\.0\.1|localhost|\[::1\])):\d+/", r"\1/", text)
        if uri in client["redirect_uris"]:
            return True
        return self.any_port and plain(uri) in map(plain, client["redirect_uris"])

    def judge_request(self, handler, query):
        """What may be asked for; raises Refused with what goes into the redirect, or Page for what must not be redirected."""
        client = self.clients.get(query.get("client_id"))
        if client is None:
            raise Page(400, "Unknown client")
        if not self.redirect_fits(client, query.get("redirect_uri", "")):
            raise Page(400, "This redirect_uri is not registered")
        if query.get("response_type") != "code":
            raise Refused("unsupported_response_type")
        if query.get("code_challenge_method") != "S256" or not re.fullmatch(r"[A-Za-z0-9_-]{43}", query.get("code_challenge", "")):
            raise Refused("invalid_request", "PKCE with S256 is required")
        if len(query.get("state", "")) < 22:
            self.complain("a state that could be guessed")
        scopes = query.get("scope", "").split()
        if len(set(scopes)) != len(scopes):
            self.complain("a scope asked for twice")
        if "openid" in scopes and self.require_nonce and len(query.get("nonce", "")) < 22:
            raise Refused("invalid_request", "a nonce is required")
        known = {"response_type", "client_id", "redirect_uri", "scope", "state", "code_challenge", "code_challenge_method", "nonce", "resource",
                 "login_hint", "prompt", "max_age", "acr_values", "ui_locales", "claims"}
        for name in set(query) - known:
            self.complain(f"unknown parameter {name} at the authorization endpoint")
        return client, self.judge_scopes(scopes), self.judge_resources(handler.all.get("resource", []))

    def judge_scopes(self, scopes, within=None):
        unknown = [s for s in scopes if s not in (self.scopes if within is None else within)]
        if unknown and self.unknown_scope == "refuse":
            raise Refused("invalid_scope", "not known: " + " ".join(unknown))
        return [s for s in scopes if s not in unknown] if self.unknown_scope == "drop" else scopes

    def judge_resources(self, resources, within=None):
        for resource in resources:
            if "#" in resource or resource not in (self.resources if within is None else within):
                raise Refused("invalid_target", "not known: " + resource)
        return resources

    def send_back(self, handler, query, answer):
        """Redirects the browser to the client."""
        isError = "error" in answer
        if self.iss and (self.iss_in_errors or not isError):
            answer["iss"] = self.issuer
        if "state" in query:
            answer["state"] = query["state"]
        answer.update(self.redirect)
        pairs = [(k, one) for k, v in answer.items() if v is not None for one in (v if isinstance(v, list) else [v])]
        uri = query["redirect_uri"]
        handler.answer(302, "", "text/plain", [("Location", uri + ("&" if "?" in uri else "?") + urllib.parse.urlencode(pairs))])

    def authorize(self, handler):
        query = handler.query
        if "request_uri" in query:
            pushed = self.pushed.pop(query["request_uri"], None)
            if pushed is None or pushed[0] != query.get("client_id") or pushed[2] < self.now():
                raise Page(400, "Unknown request_uri")
            if set(query) - {"client_id", "request_uri"}:
                self.complain("more than client_id and request_uri beside a pushed request")
            query, handler.all = pushed[1], {k: v if isinstance(v, list) else [v] for k, v in pushed[1].items()}
        elif self.require_par:
            raise Page(400, "Requests must be pushed")
        try:
            client, scopes, resources = self.judge_request(handler, query)
        except Refused as refused:
            return self.send_back(handler, query, refused.body)
        if query.get("prompt") == "none":
            return self.send_back(handler, query, {"error": "login_required"})
        grant = {"client": client, "scopes": scopes, "resources": resources, "query": query}
        if self.consent == "ask":
            ticket = secrets.token_urlsafe(16)
            self.codes[ticket] = grant
            return handler.answer(200, page("Sign in", f"""
                <p>{html.escape(client.get('client_name', client['client_id']))} asks for: {html.escape(' '.join(scopes) or 'nothing')}</p>
                <form method="post" action="{self.base}/decide"><input type="hidden" name="ticket" value="{ticket}">
                <button name="answer" value="allow">Allow</button> <button name="answer" value="refuse">Refuse</button></form>"""))
        return self.decided(handler, grant, self.consent == "allow")

    def decide(self, handler):
        grant = self.codes.pop(handler.form.get("ticket"), None)
        if grant is None:
            raise Page(400, "This page was used before")
        return self.decided(handler, grant, handler.form.get("answer") == "allow")

    def decided(self, handler, grant, allowed):
        if not allowed:
            return self.send_back(handler, grant["query"], {"error": "access_denied", "error_description": "The person said no"})
        code = secrets.token_urlsafe(24)
        grant.update(at=self.now(), family=None, auth_time=self.auth_time if self.auth_time is not None else self.now())
        self.codes[code] = grant
        return self.send_back(handler, grant["query"], {"code": code})

    def par(self, handler):
        client = self.authenticate(handler)
        if "request_uri" in handler.form:
            raise Refused("invalid_request", "a pushed request names no other")
        self.judge_request(handler, handler.form)
        uri = "urn:ietf:params:oauth:request_uri:" + secrets.token_urlsafe(16)
        query = {k: v[0] if len(v) == 1 else v for k, v in handler.all.items()}
        self.pushed[uri] = (client["client_id"], query, self.now() + 60)
        handler.json(201, {"request_uri": uri, "expires_in": 60})

    # The token endpoint.

    def token(self, handler):
        if handler.headers.get("Content-Type", "").split(";")[0] != FORM:
            raise Refused("invalid_request", "not a form")
        if "application/json" not in handler.headers.get("Accept", ""):
            self.complain("no Accept at the token endpoint")
        if handler.query:
            self.complain("a query at the token endpoint")
        client = self.authenticate(handler)
        grants = {
            "authorization_code": self.exchange, "refresh_token": self.refresh,
            DEVICE: self.device_token}
        grant = grants.get(handler.form.get("grant_type"))
        if grant is None:
            raise Refused("unsupported_grant_type")
        handler.json(200, grant(handler, client))

    def exchange(self, handler, client):
        form = handler.form
        grant = self.codes.get(form.get("code"))
        if grant is None or grant["client"] is not client or "at" not in grant:
            raise Refused("invalid_grant", "unknown code")
        if grant["family"]:
            # RFC 6749 section 4.1.2: whoever sent it first, or now, is not who should have it.
            self.end_family(grant["family"])
            raise Refused("invalid_grant", "the code was used before")
        if grant["at"] + self.code_life < self.now():
            raise Refused("invalid_grant", "the code is over")
        if form.get("redirect_uri") != grant["query"]["redirect_uri"]:
            raise Refused("invalid_grant", "another redirect_uri")
        verifier = form.get("code_verifier", "")
        if not re.fullmatch(r"[A-Za-z0-9._~-]{43,128}", verifier):
            raise Refused("invalid_request", "no code_verifier")
        if b64(hashlib.sha256(verifier.encode()).digest()) != grant["query"]["code_challenge"]:
            raise Refused("invalid_grant", "another code_verifier")
        resources = self.judge_resources(handler.all.get("resource", []), grant["resources"] or None)
        for name in set(form) - {"grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret", "resource"}:
            self.complain(f"unknown parameter {name} at the token endpoint")
        family = Family(client, self.subject, grant["scopes"], grant["resources"], grant["auth_time"], grant["query"].get("prompt", ""))
        self.families.append(family)
        grant["family"] = family
        return self.issue(family, family.scopes, resources or family.resources, grant["query"].get("scope", "").split(),
                          grant["query"].get("nonce"))

    def issue(self, family, scopes, resources, asked, nonce=None, isRefresh=False):
        access = secrets.token_urlsafe(24)
        life = self.expires_in
        self.access[access] = {
            "family": family, "scopes": scopes, "resources": resources, "expires": life and self.now() + life, "live": True}
        answer = {"access_token": access, "token_type": self.token_type}
        if life is not None:
            answer["expires_in"] = life
        if self.tell_scope == "always" or (self.tell_scope == "different" and set(scopes) != set(asked)):
            answer["scope"] = " ".join(scopes)
        if self.refresh_tokens and (not isRefresh or self.rotation) and (self.refresh_tokens != "consent" or "consent" in family.prompt):
            answer["refresh_token"] = secrets.token_urlsafe(24)
            family.good.append(answer["refresh_token"])
        if "openid" in family.scopes and (not isRefresh or self.refresh_id_token):
            answer["id_token"] = self.make_id_token(family.client, family.subject, family.auth_time, nonce, access)
        return answer

    def refresh(self, handler, client):
        token, form = handler.form.get("refresh_token"), handler.form
        family = next((f for f in self.families if token in f.good or token in f.spent), None)
        if family is None or family.client is not client or not family.isAlive:
            raise Refused("invalid_grant", "unknown refresh token")
        for name in set(form) - {"grant_type", "refresh_token", "scope", "resource", "client_id", "client_secret"}:
            self.complain(f"unknown parameter {name} at the token endpoint")
        asked = form["scope"].split() if "scope" in form else family.scopes
        scopes = self.judge_scopes(asked, family.scopes)
        resources = self.judge_resources(handler.all.get("resource", []), family.resources or None) or family.resources
        if token in family.spent:
            at, answer = family.spent[token]
            if at + self.grace < self.now():
                if self.reuse_detection:
                    self.end_family(family)
                raise Refused("invalid_grant", "the refresh token was used before")
            if self.grace_answer == "same":
                return answer
        family.refreshes += 1
        if self.refresh_ends_access:
            for known in self.access.values():
                known["live"] = known["live"] and known["family"] is not family
        answer = self.issue(family, scopes, resources, asked, isRefresh=True)
        if self.rotation and token in family.good:
            family.good.remove(token)
            family.spent[token] = (self.now(), answer)
        return answer

    def end_family(self, family):
        family.isAlive = False
        for known in self.access.values():
            known["live"] = known["live"] and known["family"] is not family

    # The device flow.

    def device(self, handler):
        client = self.authenticate(handler)
        code = secrets.token_urlsafe(24)
        user = "".join(secrets.choice("BCDFGHJKLMNPQRSTVWXZ") for _ in range(8))
        user = user[:4] + "-" + user[4:]
        scopes = self.judge_scopes(handler.form.get("scope", "").split())
        resources = self.judge_resources(handler.all.get("resource", []))
        if client["registered"] and self.device_grant not in client["asked"].get("grant_types", []):
            raise Refused("unauthorized_client", "not registered for this grant")
        self.devices[code] = {
            "client": client, "user": user, "scopes": scopes, "resources": resources, "end": self.now() + self.device_life, "state": "pending", "polled": 0,
            "interval": self.device_interval}
        handler.json(200, {
            "device_code": code, "user_code": user, "verification_uri": self.base + "/activate",
            "verification_uri_complete": f"{self.base}/activate?user_code={user}", "expires_in": self.device_life,
            "interval": self.device_interval})

    def activate(self, handler):
        device = next((d for d in self.devices.values() if d["user"] == handler.query.get("user_code")), None)
        if device is None:
            raise Page(404, "Unknown code")
        if self.consent != "ask":
            device["state"] = "allowed" if self.consent == "allow" else "refused"
        handler.answer(200, page("Device", "<p>You may close this page.</p>"))

    def device_token(self, handler, client):
        device = self.devices.get(handler.form.get("device_code"))
        if device is None or device["client"] is not client:
            raise Refused("invalid_grant", "unknown device code")
        if device["end"] < self.now():
            raise Refused("expired_token")
        if device["state"] == "refused":
            raise Refused("access_denied")
        if device["state"] == "pending":
            early = self.now() - device["polled"] < device["interval"] - 0.5
            device["polled"] = self.now()
            if early:
                device["interval"] += 5
                self.complain("polled too early")
                raise Refused("slow_down")
            raise Refused("authorization_pending")
        del self.devices[handler.form["device_code"]]
        family = Family(client, self.subject, device["scopes"], device["resources"], self.now())
        self.families.append(family)
        return self.issue(family, family.scopes, family.resources, family.scopes)

    # Around it.

    def register(self, handler):
        if handler.headers.get("Content-Type", "").split(";")[0] != "application/json":
            raise Refused("invalid_client_metadata", "not JSON")
        asked = json.loads(handler.body)
        auth = {"none": "none", "client_secret_basic": "basic", "client_secret_post": "post"}.get(asked.get("token_endpoint_auth_method"))
        if auth is None or asked.get("application_type") != "native" or asked.get("response_types") != ["code"]:
            raise Refused("invalid_client_metadata", "not a native client of the code flow")
        if not set(asked.get("grant_types", [])) <= {"authorization_code", "refresh_token", self.device_grant}:
            raise Refused("invalid_client_metadata", "an unknown grant type")
        if not asked.get("redirect_uris"):
            raise Refused("invalid_redirect_uri")
        for uri in asked["redirect_uris"]:
            if not re.match(r"http://(127\.0\.0\.1|\[::1\]|localhost)(:\d+)?/|[a-z][a-z0-9+-]*\.[a-z0-9.+-]+:/", uri) or "#" in uri:
                raise Refused("invalid_redirect_uri", uri)
        name, token = "dyn-" + secrets.token_hex(8), secrets.token_urlsafe(16)
        secret = secrets.token_urlsafe(16) if auth != "none" or self.secret_for_public else None
        if self.secret_for_public == "demanded":
            auth = "basic"
        self.client(name, asked["redirect_uris"], secret if auth != "none" else None, auth,
                    client_name=asked.get("client_name", name), token=token, asked=asked)
        self.clients[name]["registered"] = True
        answer = {**asked, "client_id": name, "client_id_issued_at": int(self.now())}
        if self.management:
            answer.update(registration_access_token=token, registration_client_uri=f"{self.base}/register/{name}")
        if secret:
            answer.update(client_secret=secret, client_secret_expires_at=0)
        handler.json(201, answer)

    def unregister(self, handler):
        client = self.clients.get(handler.path.rpartition("/")[2])
        if client is None or not client["registered"] or handler.headers.get("Authorization") != "Bearer " + client["token"]:
            raise Refused("invalid_token", status=401, headers=[("WWW-Authenticate", "Bearer")])
        del self.clients[client["client_id"]]
        handler.answer(204, "")

    def tell_user(self, handler):
        token = self.bearer(handler)
        if token is None:
            raise Refused("invalid_token", status=401, headers=[("WWW-Authenticate", 'Bearer error="invalid_token"')])
        if "openid" not in token["scopes"]:
            raise Refused("insufficient_scope", status=403, headers=[("WWW-Authenticate", 'Bearer error="insufficient_scope", scope="openid"')])
        claims = {"sub": token["family"].subject, **self.claims, **self.userinfo}
        handler.json(200, {name: value for name, value in claims.items() if value is not None})

    def revoke(self, handler):
        if self.revocation == "empty":
            return handler.answer(401, "")
        if self.revocation == "client":
            raise Refused("invalid_client", status=401, headers=[("WWW-Authenticate", "Basic")])
        client = self.authenticate(handler)
        if self.revocation == "secret" and client["auth"] == "none":
            raise Refused("invalid_client", status=401, headers=[("WWW-Authenticate", "Basic")])
        token = handler.form.get("token")
        if not token:
            raise Refused("invalid_request", "no token")
        if self.revocation == "refresh" and token in self.access:
            raise Refused("unsupported_token_type")
        family = next((f for f in self.families if token in f.good or token in f.spent), None)
        if family and family.client is client:
            self.end_family(family)
        elif token in self.access and self.access[token]["family"].client is client:
            self.access[token]["live"] = False
        handler.answer(200, "")

    def logout(self, handler):
        query = handler.query
        back = query.get("post_logout_redirect_uri")
        hint = query.get("id_token_hint", "")
        if hint:
            claims = json.loads(unb64(hint.split(".")[1]))
            if claims["iss"] != self.issuer:
                raise Page(400, "Not an ID token of this issuer")
        client = self.clients.get(query.get("client_id"))
        if back and client and back in client.get("asked", {}).get("post_logout_redirect_uris", []):
            state = f"?state={query['state']}" if "state" in query else ""
            return handler.answer(302, "", "text/plain", [("Location", back + state)])
        handler.answer(200, page("Signed out", "<p>You are signed out.</p>"))

    def serve_api(self, handler):
        token = self.bearer(handler)
        metadata = f'resource_metadata="{self.origin}/.well-known/oauth-protected-resource{self.resource_place}"'
        if token is None:
            given = "Authorization" in handler.headers
            error = 'error="invalid_token", ' if given else ""
            return handler.json(401, {"error": "invalid_token"} if given else {}, [("WWW-Authenticate", f"Bearer {error}{metadata}")])
        if token["resources"] and self.api not in token["resources"]:
            return handler.json(401, {"error": "invalid_token"}, [("WWW-Authenticate", f'Bearer error="invalid_token", {metadata}')])
        needed = "fern.write" if handler.command != "GET" else "fern.read"
        if needed not in token["scopes"]:
            challenge = f'Bearer error="insufficient_scope", scope="{needed}", {metadata}'
            return handler.json(403, {"error": "insufficient_scope"}, [("WWW-Authenticate", challenge)])
        handler.json(200, {"sub": token["family"].subject, "scopes": token["scopes"]})

    def serve_resource(self, handler):
        handler.json(200, {"resource": self.api, "authorization_servers": [*self.other_issuers, self.issuer],
                           "scopes_supported": ["fern.read", "fern.write"], "bearer_methods_supported": ["header"], **self.resource_metadata})

    # By HTTP, where it is a program of its own.

    def control(self, handler):
        if handler.command == "POST":
            order = json.loads(handler.body)
            for name, value in order.get("set", {}).items():
                assert name in DEFAULTS, name
                setattr(self, name, value)
            if "client" in order:
                self.client(**order["client"])
            if "fault" in order:
                self.fault(**order["fault"])
            if "do" in order:
                assert order["do"] in {"end", "expire_access", "new_key", "decide_device"}
                getattr(self, order["do"])()
        handler.json(200, {
            "issuer": self.issuer, "api": self.api, "calls": self.calls, "complaints": self.complaints,
            "logins": [{"alive": f.isAlive, "refreshes": f.refreshes, "scopes": f.scopes, "client": f.client["client_id"]}
                       for f in self.families],
            "clients": list(self.clients)})

    def route(self, method, path):
        """The name of a route, and what serves it."""
        if path.startswith("/-/control"):
            return "control", self.control
        tail = self.path.rstrip("/")
        fixed = {
            f"{tail}/.well-known/openid-configuration": ("openid", self.openid),
            f"/.well-known/oauth-authorization-server{tail}": ("oauth", self.oauth),
            f"/.well-known/oauth-protected-resource{self.resource_place}": ("resource", self.serve_resource),
            f"{self.moved}/openid": ("openid", self.openid), f"{self.moved}/oauth": ("oauth", self.oauth)}
        if path in fixed and method == "GET":
            return fixed[path]
        if path == "/api" or path.startswith("/api/"):
            return "api", self.serve_api
        if not path.startswith(tail + "/"):
            return None
        path = path.removeprefix(tail)
        if path.startswith("/register/") and method == "DELETE":
            return "unregister", self.unregister
        return {
            ("GET", "/jwks"): ("jwks", lambda h: h.json(200, self.jwks())), ("GET", "/authorize"): ("authorize", self.authorize),
            ("POST", "/decide"): ("decide", self.decide), ("POST", "/par"): ("par", self.par), ("POST", "/token"): ("token", self.token),
            ("POST", "/device"): ("device", self.device), ("GET", "/activate"): ("activate", self.activate),
            ("POST", "/register"): ("register", self.register), ("GET", "/userinfo"): ("userinfo", self.tell_user),
            ("POST", "/revoke"): ("revoke", self.revoke), ("GET", "/logout"): ("logout", self.logout),
        }.get((method, path))

    def openid(self, handler):
        if "openid" not in self.documents:
            return handler.answer(404, "<h1>Not Found</h1>")
        self.serve_document(handler, "openid")

    def oauth(self, handler):
        if "oauth" not in self.documents:
            return handler.answer(404, "<h1>Not Found</h1>")
        self.serve_document(handler, "oauth")

    def serve_document(self, handler, kind):
        place = f"{self.moved}/{kind}"
        if self.moved and handler.path != place:
            return handler.answer(301, "", "text/plain", [("Location", self.origin + place)])
        handler.json(200, self.metadata_document(kind))


class Page(Exception):
    """A page for the person in place of a redirect."""

    def __init__(self, status, text):
        super().__init__(text)
        self.status = status


def page(title, body):
    return f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><h1>{title}</h1>{body}</html>"


class RequestHandler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def handle_any(self):
        issuer = self.issuer
        self.fault, self.call, self.answers = {}, {}, []
        path, _, query = self.path.partition("?")
        self.body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        pairs = urllib.parse.parse_qsl(query, keep_blank_values=True)
        self.query, self.form = dict(pairs), {}
        if self.headers.get("Content-Type", "").split(";")[0] == FORM:
            try:
                pairs = urllib.parse.parse_qsl(self.body, keep_blank_values=True, strict_parsing=bool(self.body))
            except ValueError:
                return self.send(400, json.dumps({"error": "invalid_request"}), "application/json", [])
            self.form = dict(pairs)
        self.all = {name: [v for n, v in pairs if n == name] for name, _ in pairs}
        name, serve = issuer.route(self.command, path) or (None, None)
        if name is None:
            return self.send(404, "<h1>Not Found</h1>", "text/html", [])
        if name != "control":
            self.call = {"route": name, "method": self.command, "path": path, "query": self.query, "form": self.form, "body": self.body,
                         "headers": dict(self.headers), "at": time.time(), "status": None}
            with issuer.lock:
                issuer.calls.append(self.call)
            self.fault = issuer.take_fault(name, self.form.get("grant_type"))
        if self.before():
            return None
        # One after the other, as a database would have it; but nobody waits for a delayed answer.
        with issuer.lock:
            try:
                repeated = [n for n, v in self.all.items() if len(v) > 1 and n != "resource"]
                if repeated:
                    raise Refused("invalid_request", "given twice: " + " ".join(repeated))
                serve(self)
            except Refused as refused:
                self.json(refused.status, refused.body, refused.headers)
            except Page as shown:
                self.answer(shown.status, page("Refused", f"<p>{html.escape(str(shown))}</p>"))
        return self.after()

    do_GET = do_POST = do_DELETE = handle_any

    def before(self):
        """Faults that keep the call from having an effect; true when that is the answer."""
        what, fault = self.fault.get("what"), self.fault
        if what == "delay":
            time.sleep(fault["seconds"])
        elif what == "drop":
            self.cut()
            return True
        elif what in ("error", "answer", "html", "empty", "redirect", "huge", "endless", "slow"):
            self.send_fault(what)
            return True
        return False

    def after(self):
        what, fault = self.fault.get("what"), self.fault
        if what == "after_drop":
            return self.cut()
        if what == "after_delay":
            time.sleep(fault["seconds"])
        if what in ("after_error", "after_answer"):
            return self.send_fault(what.removeprefix("after_"))
        [answer] = self.answers
        if what == "change":
            members = {**json.loads(answer[1]), **fault.get("with", {})}
            answer[0] = fault.get("status", answer[0])
            answer[1] = json.dumps({k: v for k, v in members.items() if v is not None})
        return self.send(*answer, half=what == "cut")

    def send_fault(self, what):
        fault = self.fault
        if what == "error":
            body = {"error": fault["error"], **({"error_description": fault["text"]} if "text" in fault else {})}
            return self.send(fault.get("status", 400), json.dumps(body), "application/json", list(fault.get("headers", [])))
        if what == "answer":
            return self.send(fault.get("status", 200), fault.get("body", ""), fault.get("type", "application/json"), fault.get("headers", []))
        if what == "html":
            return self.send(fault.get("status", 200), page("Welcome", "<p>Connect to the hotel's network</p>"), "text/html", [])
        if what == "empty":
            return self.send(fault.get("status", 400), "", "application/json", [])
        if what == "redirect":
            return self.send(fault.get("status", 302), "", "text/plain", [("Location", fault["to"])])
        if what == "huge":
            return self.send(200, json.dumps({"pad": "x" * (20 << 20)}), "application/json", [])
        # endless, slow
        self.call["status"] = 200
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        self.close_connection = True
        with contextlib.suppress(OSError):
            while True:
                self.wfile.write(b" " * (1 if what == "slow" else 65536))
                time.sleep(fault.get("seconds", 1) if what == "slow" else 0)
        return None

    def answer(self, status, text, kind="text/html", headers=()):
        self.answers.append([status, text, kind, list(headers)])

    def json(self, status, value, headers=()):
        self.answer(status, json.dumps(value), "application/json", [("Cache-Control", "no-store"), *headers])

    def send(self, status, text, kind, headers, half=False):
        self.call["status"] = status
        data = text.encode()
        with contextlib.suppress(OSError):
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data[:len(data) // 2] if half else data)
        if half:
            self.cut()

    def cut(self):
        """Ends the connection without more of an answer."""
        self.close_connection = True
        with contextlib.suppress(OSError):
            self.connection.shutdown(2)

    def date_time_string(self, timestamp=None):
        return formatdate(timestamp or self.issuer.now(), usegmt=True)

    def log_message(self, *_):
        pass


def main():
    options, port, tls, arguments = {}, 0, False, sys.argv[1:]
    while arguments:
        argument = arguments.pop(0)
        if argument == "--port":
            port = int(arguments.pop(0))
        elif argument == "--tls":
            tls = True
        else:
            name, _, value = argument.partition("=")
            options[name] = json.loads(value)
    issuer = Issuer(port, tls, **options)
    print(issuer.issuer, flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        issuer.thread.join()


if __name__ == "__main__":
    main()
