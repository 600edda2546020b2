"""glewlwyd, an OpenID provider that other people wrote (Debian), on loopback with a database of its own: one person, one client, public.

    with Glewlwyd(directory) as server:
        print(server.issuer)
        address = server.sign_in(page)      # as the person, in a browser of a few lines; where the page leads to
"""

import gzip
import http.cookiejar
import json
import pathlib
import socket
import sqlite3
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

TABLES = pathlib.Path("/usr/share/doc/glewlwyd/database/init.sqlite3.sql.gz")
REDIRECT = "http://127.0.0.1:48123/callback"


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


class Browser:
    """Keeps cookies, follows no redirect, uses no proxy."""

    def __init__(self):
        self.opener = urllib.request.build_opener(
            NoRedirect, urllib.request.ProxyHandler({}), urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def call(self, method, address, body=None, headers=None):
        """Status, headers and text."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(address, data, {"Content-Type": "application/json", **(headers or {})}, method=method)
        try:
            with self.opener.open(request, timeout=30) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def ok(self, *args, **options):
        status, headers, text = self.call(*args, **options)
        assert status in (200, 302), (args[:2], status, text)
        return headers, text


class Glewlwyd:
    def __init__(self, directory, **plugin):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.origin = f"http://localhost:{self.port}"
        self.issuer = self.origin + "/api/oidc"
        database = directory / "glewlwyd.sqlite"
        connection = sqlite3.connect(database)
        connection.executescript(gzip.decompress(TABLES.read_bytes()).decode())
        connection.close()
        settings = directory / "glewlwyd.conf"
        settings.write_text(f'''
            port={self.port}
            bind_address="127.0.0.1"
            external_url="{self.origin}/"
            login_url="login.html"
            api_prefix="api"
            log_mode="file"
            log_level="WARNING"
            log_file="{directory}/glewlwyd.log"
            cookie_secure=0
            session_key="GLEWLWYD2_SESSION_ID"
            admin_scope="g_admin"
            profile_scope="g_profile"
            login_api_enabled=true
            user_module_path="/usr/lib/glewlwyd/user"
            client_module_path="/usr/lib/glewlwyd/client"
            user_auth_scheme_module_path="/usr/lib/glewlwyd/scheme"
            plugin_module_path="/usr/lib/glewlwyd/plugin"
            hash_algorithm="SHA512"
            database = {{ type = "sqlite3" path = "{database}" }};
            ''')
        self.process = subprocess.Popen(
            ["/usr/bin/glewlwyd", "--config-file", str(settings)], stdin=subprocess.DEVNULL,
            stdout=open(directory / "glewlwyd.out", "w"), stderr=subprocess.STDOUT)
        try:
            self.set_up(plugin)
        except BaseException:
            self.stop()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        self.process.kill()
        self.process.wait()

    def set_up(self, plugin):
        admin, deadline = Browser(), time.monotonic() + 60
        while True:
            try:
                status, _, _ = admin.call("POST", self.origin + "/api/auth/", {"username": "admin", "password": "password"})
                if status == 200:
                    break
            except OSError:
                pass
            assert time.monotonic() < deadline and self.process.poll() is None, "glewlwyd does not start"
            time.sleep(0.1)
        key = rsa.generate_private_key(65537, 2048)
        private = key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.TraditionalOpenSSL, serialization.NoEncryption()).decode()
        public = key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo).decode()
        admin.ok("POST", self.origin + "/api/scope/", {"name": "fern", "display_name": "Fern", "password_required": False})
        admin.ok("POST", self.origin + "/api/mod/plugin/", {
            "module": "oidc", "name": "oidc", "display_name": "OIDC", "parameters": {
                "iss": self.issuer, "jwt-type": "rsa", "jwt-key-size": "256", "key": private, "cert": public,
                "access-token-duration": 3600, "refresh-token-duration": 86400, "code-duration": 600, "refresh-token-rolling": True,
                "refresh-token-one-use": "always", "allow-non-oidc": True, "auth-type-code-enabled": True,
                "auth-type-code-revoke-replayed": True, "auth-type-token-enabled": False, "auth-type-implicit-enabled": False,
                "auth-type-password-enabled": False, "auth-type-client-enabled": False, "auth-type-none-enabled": False,
                "auth-type-refresh-enabled": True, "auth-type-device-enabled": True, "pkce-allowed": True,
                "pkce-method-plain-allowed": False, "introspection-revocation-allowed": True,
                "introspection-revocation-allow-target-client": True, "introspection-revocation-auth-scope": [],
                "oauth-par-allowed": True, "oauth-par-required": False, "oauth-par-duration": 90,
                "oauth-par-request_uri-prefix": "urn:ietf:params:oauth:request_uri:", "register-client-allowed": True,
                "register-client-auth-scope": [], "register-client-credentials-scope": [], "subject-type": "public",
                "claims": [], "name-claim": "on-demand", "email-claim": "on-demand", "scope-claim": "no", **plugin}})
        admin.ok("POST", self.origin + "/api/user/", {
            "username": "mira", "password": "correct horse", "name": "Mira Oak", "email": "mira@fern.example", "enabled": True,
            "scope": ["openid", "fern", "g_profile"]})
        admin.ok("POST", self.origin + "/api/client/", {
            "client_id": "native", "name": "Native", "confidential": False, "enabled": True, "redirect_uri": [REDIRECT],
            "authorization_type": ["code", "refresh_token", "device_authorization"], "scope": ["openid", "fern"],
            "token_endpoint_auth_method": ["none"]})

    def person(self, client):
        """A browser in which the person is signed in and has agreed to all."""
        person = Browser()
        person.ok("POST", self.origin + "/api/auth/", {"username": "mira", "password": "correct horse"})
        person.ok("PUT", f"{self.origin}/api/auth/grant/{urllib.parse.quote(client)}", {"scope": "openid fern"})
        return person

    def enter(self, code, client="native"):
        """Enters the code of a device as the person, and agrees to all."""
        person = self.person(client)
        headers, text = person.ok("GET", f"{self.issuer}/device?code={urllib.parse.quote(code)}&g_continue")
        assert "deviceComplete" in headers["Location"], (headers["Location"], text)

    def sign_in(self, page, client="native"):
        """Signs in as the person, agrees to all, and returns the address that the page leads to."""
        person = self.person(client)
        # What the login page does when the person has agreed.
        headers, text = person.ok("GET", page + "&g_continue")
        assert "/callback" in headers["Location"], (headers["Location"], text)
        return headers["Location"]
