"""oidc-agent of Debian's oidc-agent-cli, with one session whose token is good."""

import base64
import contextlib
import hashlib
import json
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import urllib.parse
import urllib.request

from conftest import ROOT
from issuers import redirect_of

CLIENT, SECRET, PLACE, SCOPE = "yardstick", "worthless", "http://localhost:4242", "openid offline_access"


def is_there():
    """Whether it is installed, or can be."""
    return bool(shutil.which("oidc-agent")) or not subprocess.run(
        [ROOT / "Tests/Support/install-packages", "oidc-agent-cli"], stdout=subprocess.DEVNULL).returncode


def refresh_token(issuer):
    """Signs in at the issuer."""
    verifier = secrets.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    location = redirect_of(issuer.base + "/authorize?" + urllib.parse.urlencode({
        "response_type": "code", "client_id": CLIENT, "redirect_uri": PLACE, "scope": SCOPE, "state": secrets.token_urlsafe(32),
        "nonce": secrets.token_urlsafe(32), "code_challenge": challenge, "code_challenge_method": "S256"}))
    code = urllib.parse.parse_qs(urllib.parse.urlsplit(location).query)["code"][0]
    form = urllib.parse.urlencode(
        {"grant_type": "authorization_code", "code": code, "redirect_uri": PLACE, "code_verifier": verifier}).encode()
    proof = "Basic " + base64.b64encode(f"{CLIENT}:{SECRET}".encode()).decode()
    with urllib.request.urlopen(urllib.request.Request(issuer.base + "/token", form, {"Authorization": proof})) as answer:
        return json.load(answer)["refresh_token"]


@contextlib.contextmanager
def running(issuer, environment):
    """An agent with the session `yardstick`; gives the environment in which `oidc-token yardstick` asks it."""
    issuer.client(CLIENT, [PLACE], secret=SECRET, auth="basic")
    with tempfile.TemporaryDirectory() as directory:
        environment = environment | {"OIDC_CONFIG_DIR": directory, "OIDC_REFRESH_TOKEN": refresh_token(issuer)}
        started = subprocess.run(["oidc-agent", "--json"], env=environment, capture_output=True, check=True)
        agent = json.loads(started.stdout)
        environment["OIDC_SOCK"] = agent["socket"]
        try:
            subprocess.run(
                ["oidc-gen", CLIENT, "--manual", "--issuer", issuer.issuer, "--client-id", CLIENT, "--client-secret", SECRET,
                 "--redirect-uri", PLACE, "--scope", SCOPE, "--rt-env", "--prompt=none", "--confirm-yes", "--no-save"],
                env=environment, stdin=subprocess.DEVNULL, capture_output=True, check=True)
            yield environment
        finally:
            os.kill(int(agent["dpid"]), signal.SIGTERM)
