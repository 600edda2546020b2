"""TLS and proxies: what is trusted, what a failure names, and connections that end without TLS's goodbye."""

import http.server
import json
import shutil
import socket
import ssl
import subprocess
import threading

import pytest
from agents import agents  # noqa: F401
from conftest import ROOT
from issuers import Issuer, log_in, signed_out
from proxy import HOST

AUTHORITY = ROOT / "Keys/tls-authority.crt"
NAMES_THE_FILE = "--ca-file PATH, or ca_file in the settings"


@pytest.fixture
def home(home, monkeypatch):
    # Python's browser trusts the authority; what the program trusts, each test says.
    home.environment = {name: value for name, value in home.environment.items() if not name.startswith("SSL_CERT_")}
    monkeypatch.setenv("SSL_CERT_FILE", str(AUTHORITY))
    return home.set_pin()


@pytest.fixture
def issuer():
    with Issuer(tls=True) as issuer:
        yield issuer


def error(home, *args, code=6, **options):
    result = home.run(*args, "--json", **options)
    assert result.code == code, result
    return result.json["error"]


def test_an_unknown_authority_names_the_option_and_the_setting(home, issuer):
    told = error(home, "login", issuer.issuer, "--yes")
    assert "an authority that is not trusted here" in told["message"] and NAMES_THE_FILE in told["hint"], told
    assert NAMES_THE_FILE in home.run("doctor", "--issuer", issuer.issuer).out
    # A service, and the issuer at a renewal.
    with Issuer() as near:
        log_in(home, near, "--name", "near")
        told = error(home, "sites", "add", issuer.api, "--session", "near", "--yes")
        assert NAMES_THE_FILE in told["hint"], told
        near.stop()
        assert "check the network" in error(home, "token", "near", "--min-ttl", "3600", "--rejected", "-", stdin=list(near.access)[-1] + "\n")["hint"]
    # A certificate for another host is another matter.
    port = issuer.origin.rpartition(":")[2]
    told = error(home, "login", f"https://127.0.0.1:{port}", "--yes", "--ca-file", AUTHORITY)
    assert "another host" in told["message"] and "--ca-file PATH does not help against that" in told["hint"], told


@pytest.mark.parametrize("from_settings", [False, True])
def test_a_session_remembers_the_authority_it_was_signed_in_with(home, issuer, from_settings):
    if from_settings:
        settings = home.environment["XDG_CONFIG_HOME"] + "/countersign/config.toml"
        subprocess.run(["install", "-D", "/dev/stdin", settings], input=f'ca_file = "{AUTHORITY}"\n'.encode(), check=True)
        log_in(home, issuer, "--name", "fern")
        (open(settings, "w")).close()
    else:
        log_in(home, issuer, "--name", "fern", "--ca-file", AUTHORITY)
    old = home.ok("token", "fern").out.strip()
    # Renewed, with its ID token judged by keys that are fetched.
    issuer.new_key()
    token = home.ok("token", "fern", "--rejected", "-", stdin=old + "\n").out.strip()
    assert token != old and issuer.access[token]["live"]
    assert home.json("sessions", "show", "fern", "--refresh")["profile"]["email"] == "mira@fern.example"
    log_in(home, "fern", "--fresh")
    token = home.ok("token", "fern").out.strip()
    # Nobody else is trusted for it.
    assert NAMES_THE_FILE in error(home, "login", issuer.issuer, "--yes", "--name", "oak")["hint"]
    assert home.json("logout", "fern") == signed_out("fern")
    assert not issuer.access[token]["live"]


def test_the_authority_of_a_session_is_listed_and_doctor_uses_it(home, issuer, agents):
    log_in(home, issuer, "--name", "fern", "--ca-file", AUTHORITY)
    [kept] = home.json("sessions", "show", "fern")["authorities"]
    assert kept.strip() in AUTHORITY.read_text()
    told = subprocess.run(
        ["openssl", "x509", "-noout", "-fingerprint", "-sha256", "-subject", "-nameopt", "compat", "-in", AUTHORITY],
        check=True, capture_output=True, text=True).stdout
    digest, subject = told.splitlines()[0].partition("=")[2], told.splitlines()[1].removeprefix("subject=").strip()
    assert f"Also trusts  {subject}, SHA-256 {digest}\n" in home.ok("sessions", "show", "fern").out
    with Issuer() as near:
        log_in(home, near, "--name", "near")
        assert home.json("sessions", "show", "near")["authorities"] == []
        assert "Also trusts" not in home.ok("sessions", "show", "near").out

        def clocks(pin):
            checks = home.run("doctor", "--json", pin=pin).json["checks"]
            return next(check["message"] for check in checks if check["name"] == "issuer-clocks")
        assert clocks(pin=True) == "they agree with this computer's"
        agents(home).unlock()
        assert clocks(pin=False) == "they agree with this computer's"


def test_the_systems_authorities_can_be_named(home, issuer, tmp_path):
    """As OpenSSL has it. The two variables take the place of the system's file and directory."""
    def openid(**environment):
        return "ok     openid document" in home.run("doctor", "--issuer", issuer.issuer, environment=environment).out
    assert not openid()
    assert openid(SSL_CERT_FILE=str(AUTHORITY))
    shutil.copy(AUTHORITY, tmp_path / "some.pem")
    (tmp_path / "README").write_text("certificates of ours")
    assert openid(SSL_CERT_DIR=f"/nonexistent:{tmp_path}") and openid(SSL_CERT_FILE="", SSL_CERT_DIR=str(tmp_path))
    system = "/etc/ssl/certs/ca-certificates.crt"
    assert openid(SSL_CERT_FILE=system, SSL_CERT_DIR=str(tmp_path)) and not openid(SSL_CERT_FILE=system)
    for name in ("SSL_CERT_FILE", "SSL_CERT_DIR"):
        result = home.run("doctor", "--issuer", issuer.issuer, environment={name: "/nonexistent"})
        assert name in result.err + result.out, result


def test_a_proxy_that_refuses_is_named(home):
    with socket.create_server(("127.0.0.1", 0)) as closed:
        place = "127.0.0.1:%d" % closed.getsockname()[1]
    told = error(home, "login", f"https://{HOST}", "--yes", environment={"HTTPS_PROXY": f"http://{place}"})
    assert f"the proxy {place} refuses connections" in told["message"] and "HTTPS_PROXY" in told["hint"], told
    told = error(home, "login", f"https://{HOST}", "--yes", environment={"HTTPS_PROXY": "http://proxy.invalid:3128"})
    assert "the proxy proxy.invalid:3128: its name is not known" in told["message"], told

    class Refusing(http.server.BaseHTTPRequestHandler):
        def do_CONNECT(self):
            self.send_error(403)

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Refusing)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = f"127.0.0.1:{server.server_port}"
    told = error(home, "login", f"https://{HOST}", "--yes", environment={"HTTPS_PROXY": f"http://{place}"})
    server.shutdown()
    server.server_close()
    assert f"the proxy {place} refused" in told["message"] and "NO_PROXY" in told["hint"], told


@pytest.mark.parametrize("framing, isAnswer", [("length", True), ("chunked", True), ("unannounced", True), ("none", False), ("identity", False)])
def test_a_connection_that_ends_without_a_goodbye(home, framing, isAnswer):
    """Python's servers never send close_notify. What was told to be whole is an answer; what ends anywhere is none. Nor does it matter to
    the next call that the connection ended, even if the server did not announce that."""
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self):
            origin = f"https://localhost:{self.server.server_port}"
            data = json.dumps({
                "issuer": origin, "authorization_endpoint": origin + "/authorize", "token_endpoint": origin + "/token"}).encode()
            self.send_response(200)
            if framing != "unannounced":
                self.send_header("Connection", "close")
            if framing in ("length", "unannounced"):
                self.send_header("Content-Length", str(len(data)))
            if framing == "identity":
                # Nothing but the end of the connection ends it.
                self.send_header("Transfer-Encoding", "identity")
            if framing == "chunked":
                self.send_header("Transfer-Encoding", "chunked")
                data = b"%x\r\n%s\r\n0\r\n\r\n" % (len(data), data)
            self.end_headers()
            self.wfile.write(data)
            self.close_connection = True

        def log_message(self, *_):
            pass
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(ROOT / "Keys/tls-localhost.crt", ROOT / "Keys/tls-server.pem")
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    for _ in range(8 if framing == "unannounced" else 1):
        result = home.run("doctor", "--issuer", f"https://localhost:{server.server_port}", "--ca-file", AUTHORITY)
        assert ("ok     oauth document" in result.out) == isAnswer, result
    server.shutdown()
    server.server_close()
    if isAnswer:
        assert "ok     openid document" in result.out, result
    elif framing == "identity":
        assert "does not say where it ends" in result.out, result
    else:
        assert "no whole answer came from localhost" in result.out, result
        assert "ended without TLS's close_notify, and the answer's length was not told" in result.out, result
