"""What tests of v2 share: a person at the bank's login page, and a provider that seals what a test wants sealed."""

import base64
import http.client
import os
import re
import subprocess
import urllib.error
import urllib.parse
import urllib.request

from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.serialization import load_pem_public_key


def form(**fields):
    return urllib.parse.urlencode(fields)


CREDENTIALS = {"name": "ada", "password": "correct horse", "decision": "pair"}


def sign_in(page, **changes):
    """Fills in the bank's login page and goes where it leads, as a browser does; returns status and text."""
    try:
        with urllib.request.urlopen(page, data=form(**{**CREDENTIALS, **changes}).encode(), timeout=30) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def sign_in_only(page):
    """Fills in the page; returns the address that the bank leads to, unvisited."""
    address = urllib.parse.urlsplit(page)
    connection = http.client.HTTPConnection(address.netloc, timeout=30)
    connection.request(
        "POST", address.path, body=form(**CREDENTIALS), headers={"Content-Type": "application/x-www-form-urlencoded"})
    location = connection.getresponse().headers["Location"]
    connection.close()
    return location


class Waiting:
    """A command that waits for the bank's page. `page` is its address."""

    def __init__(self, home, *args, link=None):
        self.said = []
        self.process = subprocess.Popen(
            home.argv(*args, "--yes", "--no-browser", "--timeout", "1", "--pin-file", home.pin_file),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=home.environment)
        if link:
            self.type(link)
        self.page = self.read(r"^  (http\S+)$").group(1)

    def type(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def read(self, pattern):
        """Reads standard error up to the line that has this."""
        while line := self.process.stderr.readline():
            self.said.append(line)
            if found := re.search(pattern, line):
                return found
        raise AssertionError(f"{pattern} was not said:\n{''.join(self.said)}{self.process.stdout.read()}")

    def finish(self):
        """Waits for its end; returns exit code, standard output, all of standard error."""
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, "".join(self.said) + err


def seal(public_key, payload, key=None, iv=None):
    """An encrypted bundle (saltedge-v2 section 4.1), made without the program and without the demo bank."""
    key, iv = key or os.urandom(32), iv or os.urandom(16)
    rsa = load_pem_public_key(public_key.encode())
    data = payload.encode()
    data += bytes([16 - len(data) % 16]) * (16 - len(data) % 16)
    encryptor = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return {
        "key": base64.b64encode(rsa.encrypt(key, padding.PKCS1v15())).decode(),
        "iv": base64.b64encode(rsa.encrypt(iv, padding.PKCS1v15())).decode(),
        "data": base64.b64encode(encryptor.update(data) + encryptor.finalize()).decode(),
    }


def connection(bank, id):
    """A connection as the bank has it."""
    [found] = [c for c in bank.get("connections") if str(c["id"]) == str(id)]
    return found
