"""The helpers, by the real programs that call them: git, and kubectl where it can be had."""

import base64
import contextlib
import http.server
import json
import re
import shutil
import ssl
import subprocess
import threading

import pexpect
import pytest
from agents import NO, FakePinentry, configure
from conftest import PIN, PROGRAM, ROOT, finish
from issuers import Issuer, log_in

HEAD = "1234567890123456789012345678901234567890"


class Service:
    """A server of git repositories and of a Kubernetes API, that takes the tokens of one issuer."""

    def __init__(self, issuer, challenge='Basic realm="git"', tls=False):
        self.issuer, self.challenge, self.calls = issuer, challenge, []
        service = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                service.answer(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        if tls:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(ROOT / "Keys/tls-localhost.crt", ROOT / "Keys/tls-server.pem")
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.origin = f"{'https://localhost' if tls else 'http://127.0.0.1'}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, handler):
        scheme, _, value = handler.headers.get("Authorization", "").partition(" ")
        user, token = None, value
        if scheme == "Basic":
            user, _, token = base64.b64decode(value).decode().partition(":")
        path = handler.path.partition("?")[0]
        status = 200 if self.issuer.access.get(token, {}).get("live") else 401
        bodies = {
            "/fern/repo.git/info/refs": f"{HEAD}\trefs/heads/main\n", "/fern/repo.git/HEAD": "ref: refs/heads/main\n",
            "/healthz": "ok"}
        if status == 200 and path not in bodies:
            status = 404
        self.calls.append((path, scheme, user, status))
        data = bodies[path].encode() if status == 200 else b""
        handler.send_response(status)
        if status == 401 and self.challenge:
            handler.send_header("WWW-Authenticate", self.challenge)
        handler.send_header("Content-Length", str(len(data)))
        handler.end_headers()
        handler.wfile.write(data)

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def home(home, tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/git-credential-countersign").symlink_to(PROGRAM)
    return home.set_pin()


@contextlib.contextmanager
def served(home, **options):
    with Issuer() as issuer:
        log_in(home, issuer, "--name", "fern")
        service = Service(issuer, **options)
        try:
            yield issuer, service
        finally:
            service.stop()


def environment(home, tmp_path):
    return {**home.environment, "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "GIT_CONFIG_GLOBAL": "/dev/null",
            "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0"}


def git(home, tmp_path, *args):
    return subprocess.run(
        ["git", "-c", "credential.helper=countersign", *args], capture_output=True, text=True, timeout=120, cwd=tmp_path,
        env={**environment(home, tmp_path), "COUNTERSIGN_PIN_FILE": str(home.pin_file)})


def test_git_gets_the_token_of_its_site(home, tmp_path):
    with served(home) as (issuer, service):
        repository = service.origin + "/fern/repo.git"
        refs = f"{HEAD}\trefs/heads/main"
        # No site: git goes on without.
        done = git(home, tmp_path, "ls-remote", repository)
        assert done.returncode == 128 and "countersign" not in done.stderr and service.calls[-1][3] == 401, done
        site = home.json("sites", "add", service.origin, "--yes")["site"]
        done = git(home, tmp_path, "ls-remote", repository)
        assert done.returncode == 0 and refs in done.stdout and done.stderr == "", done
        assert ("/fern/repo.git/info/refs", "Basic", "oauth2", 200) in service.calls
        # Its own standard input is git's: the PIN is asked for on the terminal.
        child = pexpect.spawn(
            "git", ["-c", "credential.helper=countersign", "ls-remote", repository], timeout=120, encoding="utf-8", cwd=str(tmp_path),
            env={**environment(home, tmp_path), "GIT_TERMINAL_PROMPT": "1"})
        child.expect("PIN")
        child.sendline(PIN)
        child.expect(HEAD)
        assert finish(child) == 0
        # Where git may not ask, neither does its helper.
        child = pexpect.spawn(
            "git", ["-c", "credential.helper=countersign", "ls-remote", repository], timeout=120, encoding="utf-8", cwd=str(tmp_path),
            env={**environment(home, tmp_path), "GIT_TERMINAL_PROMPT": "0"})
        assert child.expect(["PIN: ", pexpect.EOF]) == 1
        assert finish(child) == 128
        # One that the service rejects is renewed once, for the next time.
        issuer.expire_access()
        done = git(home, tmp_path, "ls-remote", repository)
        assert done.returncode == 128 and len(issuer.refreshes()) == 1, done
        assert refs in git(home, tmp_path, "ls-remote", repository).stdout and len(issuer.refreshes()) == 1
        # A host, by the 401 alone that this git asks after; and with a path, where git tells it.
        home.ok("sites", "remove", site["id"])
        host = service.origin.removeprefix("http://")
        site = home.json("sites", "add", host, "--yes", "--username", "token")["site"]
        assert refs in git(home, tmp_path, "ls-remote", repository).stdout
        assert service.calls[-1][2] == "token"
        home.ok("sites", "remove", site["id"])
        home.ok("sites", "add", service.origin + "/fern", "--yes")
        assert git(home, tmp_path, "ls-remote", repository).returncode == 128
        assert refs in git(home, tmp_path, "-c", "credential.useHttpPath=true", "ls-remote", repository).stdout


def test_git_by_its_protocol(home, tmp_path):
    """Newer versions take bearer tokens; nothing of what they store is kept, and without the PIN nothing is told."""
    with served(home) as (issuer, service):
        home.ok("sites", "add", service.origin, "--yes")
        asked = f"capability[]=authtype\nprotocol=http\nhost={service.origin.removeprefix('http://')}\nwwwauth[]=Bearer\n\n"
        answer = home.ok("helper", "git", "get", stdin=asked).out
        token = home.ok("token", "--min-ttl", "0").out.strip()
        lines = answer.splitlines()
        assert lines[:4] == ["capability[]=authtype", "authtype=Bearer", f"credential={token}", "ephemeral=1"]
        assert lines[4].startswith("password_expiry_utc=") and len(lines) == 5
        assert home.run("helper", "git", "get", stdin="protocol=https\nhost=oak.example\n\n").out == ""
        # What a server writes is no part of the question: neither a line that is too long, nor a second host.
        host = service.origin.removeprefix("http://")
        for line in ("wwwauth[]=" + "x" * (65536 - 10) + f"host={host}", "wwwauth[]=" + "x" * 200_000, f"host={host}"):
            result = home.run("helper", "git", "get", stdin=f"protocol=http\nhost=127.0.0.1:9\n{line}\n\n")
            assert (result.code, result.out) == (0, ""), (line[-40:], result)
            result = home.run("helper", "git", "get", stdin=f"protocol=http\nhost={host}\n{line}\n\n")
            assert (result.code, result.out) == (0, ""), (line[-40:], result)
        for operation in ("store", "else"):
            result = home.run("helper", "git", operation, stdin=asked)
            assert (result.code, result.out, result.err) == (0, "", "")
        assert home.ok("helper", "git", "capability", pin=False).out == "version 0\ncapability authtype\n"
        result = home.run("helper", "git", "get", "--no-input", stdin=asked, pin=False)
        assert result.code == 3 and result.out == "", result
        result = home.run("helper", "git", "get", "--pin-file", "-", stdin=asked, pin=False)
        assert result.code == 64 and "standard input belongs to git" in result.err


@pytest.mark.parametrize("challenge, rejects", [
    ("Bearer", False), ('Bearer realm="git", Basic realm="git"', True), ('Basic realm="git"', True), (None, True)])
def test_git_rejects_only_what_it_sent(home, tmp_path, challenge, rejects):
    """Before 2.46 git sends passwords alone. From a server that takes only bearer tokens it gets a 401 all the same, and erases what it
    never sent. Before 2.41 it does not tell the challenges either: then the server is asked for them."""
    with served(home, challenge=challenge) as (issuer, service):
        home.ok("sites", "add", service.origin, "--yes")
        token = home.ok("token").out.strip()
        place = f"protocol=http\nhost={service.origin.removeprefix('http://')}\n"
        erased = f"{place}username=oauth2\npassword={token}\n\n"
        assert home.ok("helper", "git", "erase", stdin=erased).out == ""
        assert len(issuer.refreshes()) == rejects
        if challenge:
            # It tells them.
            before, token = len(issuer.refreshes()), home.ok("token").out.strip()
            told = "".join(f"wwwauth[]={each}\n" for each in challenge.split(", "))
            home.run("helper", "git", "erase", stdin=f"{place}{told}username=oauth2\npassword={token}\n\n")
            assert len(issuer.refreshes()) == before and not rejects or rejects
        if challenge == "Bearer":
            # The real one.
            git(home, tmp_path, "ls-remote", service.origin + "/fern/repo.git")
            assert issuer.refreshes() == [] and all(call[3] == 401 for call in service.calls)
            # A newer one sent the token.
            home.ok("helper", "git", "erase", stdin=f"capability[]=authtype\n{place}wwwauth[]=Bearer\nauthtype=Bearer\ncredential={token}\n\n")
            assert len(issuer.refreshes()) == 1


@pytest.mark.parametrize("prompt", ["auto", "pinentry"])
def test_no_window_opens_for_a_helper(home, tmp_path, prompt):
    """Without a terminal it fails at once, also where other commands ask in a window."""
    fake = FakePinentry(tmp_path)
    (tmp_path / "bin/pinentry").symlink_to(fake.program)
    configure(home, f'pin_prompt = "{prompt}"\n')
    display = {"DISPLAY": ":99", "PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin"}
    with served(home) as (_, service):
        home.ok("sites", "add", service.origin, "--yes")
        asked = f"protocol=http\nhost={service.origin.removeprefix('http://')}\n\n"
        helpers = ["git", "get"], ["kubernetes", "--session", "fern"]
        information = json.dumps({
            "kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "spec": {"interactive": True}})
        for words in helpers:
            result = home.run(
                "helper", *words, pin=False, stdin=asked, wrapper=["setsid", "-w"],
                environment={**display, "KUBERNETES_EXEC_INFO": information})
            assert (result.code, result.out) == (3, ""), result
            assert fake.asked() == []
        # What it is spared.
        fake.answers(NO)
        home.run("token", "fern", pin=False, wrapper=["setsid", "-w"], environment=display)
        assert fake.asked() == ["GETPIN"]


KUBECONFIG = {
    "apiVersion": "v1", "kind": "Config", "current-context": "fern",
    "contexts": [{"name": "fern", "context": {"cluster": "fern", "user": "fern"}}]}


def test_kubernetes_by_its_protocol(home):
    with served(home) as (issuer, _):
        token = home.ok("token", "--min-ttl", "0").out.strip()
        information = json.dumps({
            "kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "spec": {"interactive": False}})
        answer = json.loads(home.ok(
            "helper", "kubernetes", "--session", "fern", environment={"KUBERNETES_EXEC_INFO": information}).out)
        assert answer["status"]["token"] == token and answer["status"]["expirationTimestamp"].endswith("Z")
        # Python's client asks at each load of its configuration: that rejects nothing.
        for _ in range(3):
            again = json.loads(home.ok(
                "helper", "kubernetes", "--session", "fern", environment={"KUBERNETES_EXEC_INFO": information}).out)
            assert again["status"]["token"] == token and issuer.refreshes() == []
        # What the help says of a cluster that rejects it.
        renewed = home.ok("token", "fern", "--rejected", "-", stdin=token + "\n").out.strip()
        assert renewed != token and len(issuer.refreshes()) == 1
        again = json.loads(home.ok(
            "helper", "kubernetes", "--session", "fern", environment={"KUBERNETES_EXEC_INFO": information}).out)
        assert again["status"]["token"] == renewed and len(issuer.refreshes()) == 1
        result = home.run("helper", "kubernetes", "--session", "fern", pin=False, environment={"KUBERNETES_EXEC_INFO": information})
        assert result.code == 3 and result.out == ""
        result = home.run("helper", "kubernetes", "--session", "fern", environment={"KUBERNETES_EXEC_INFO": "{}"})
        assert result.code == 64 and result.out == "", result


def test_kubernetes_gives_one_token_for_all_clusters(home):
    """One process that speaks to two clusters, with access tokens or ID tokens: that it asks twice says nothing about the token."""
    with served(home) as (issuer, _):
        def ask(server, *args):
            spec = {"interactive": False, "cluster": {"server": server}}
            information = json.dumps({"kind": "ExecCredential", "apiVersion": "client.authentication.k8s.io/v1", "spec": spec})
            return json.loads(home.ok(
                "helper", "kubernetes", "--session", "fern", *args, environment={"KUBERNETES_EXEC_INFO": information}).out)["status"]
        for args in ((), ("--id-token",)):
            servers = ["https://oak.example", "https://elm.example", "https://oak.example"]
            [token] = {ask(server, *args)["token"] for server in servers}
            assert issuer.refreshes() == []
        assert token.count(".") == 2 and ask("https://ash.example", "--id-token")["expirationTimestamp"].endswith("Z")


@pytest.mark.skipif(not shutil.which("kubectl"), reason="kubectl is not installed")
def test_kubectl_gets_the_sessions_token(home, tmp_path):
    # v1 came with 1.22. To a server without TLS kubectl sends no token.
    told = subprocess.run(["kubectl", "version", "--client", "-o", "json"], capture_output=True, text=True, timeout=120).stdout
    version = "v1" if int(re.match(r"\d+", json.loads(told)["clientVersion"]["minor"])[0]) >= 22 else "v1beta1"
    with served(home, challenge=None, tls=True) as (_, service):
        config = tmp_path / "kubeconfig"
        config.write_text(json.dumps({
            **KUBECONFIG, "clusters": [{"name": "fern", "cluster": {
                "server": service.origin, "certificate-authority": str(ROOT / "Keys/tls-authority.crt")}}],
            "users": [{"name": "fern", "user": {"exec": {
                "apiVersion": f"client.authentication.k8s.io/{version}", "command": str(PROGRAM),
                "args": ["helper", "kubernetes", "--session", "fern", "--pin-file", str(home.pin_file)], "interactiveMode": "IfAvailable"}}}]}))
        done = subprocess.run(
            ["kubectl", "--kubeconfig", str(config), "get", "--raw", "/healthz"], capture_output=True, text=True, timeout=120,
            env={**home.environment, "PATH": "/usr/local/bin:/usr/bin:/bin"})
        assert (done.returncode, done.stdout.strip()) == (0, "ok"), done
        assert service.calls[-1] == ("/healthz", "Bearer", None, 200)
