"""A PIN from a file, with the fingerprint named, opens and approves in one check: what it costs is counted at OpenSSL."""

import shutil
import subprocess

import pytest
from conftest import PIN

COUNTER = """
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
int EVP_PBE_scrypt(const char *pass, size_t count, const unsigned char *salt, size_t length, uint64_t n, uint64_t r,
                   uint64_t p, uint64_t limit, unsigned char *key, size_t size) {
    int (*real)(const char *, size_t, const unsigned char *, size_t, uint64_t, uint64_t, uint64_t, uint64_t,
                unsigned char *, size_t) = dlsym(RTLD_NEXT, "EVP_PBE_scrypt");
    int file = open(getenv("SCRYPT_COUNT"), O_WRONLY | O_APPEND | O_CREAT, 0600);
    (void)!write(file, "x", 1);
    close(file);
    return real(pass, count, salt, length, n, r, p, limit, key, size);
}
"""


@pytest.fixture
def checks(tmp_path, connected):
    """How often a command derives a key from a PIN."""
    (tmp_path / "counter.c").write_text(COUNTER)
    library, count = tmp_path / "counter.so", tmp_path / "count"
    subprocess.run(
        [shutil.which("cc") or "clang", "-shared", "-fPIC", "-o", library, tmp_path / "counter.c", "-ldl"], check=True)

    def checks(*args, code=0):
        count.unlink(missing_ok=True)
        result = connected.run(*args, environment={"LD_PRELOAD": str(library), "SCRYPT_COUNT": str(count)})
        assert result.code == code, result
        return len(count.read_text())

    return checks


@pytest.mark.parametrize("digits", [16, 64])
def test_a_pin_file_opens_and_approves_named_content_in_one_check(connected, bank, checks, digits):
    id = bank.pay()
    [item] = connected.json("pending")["authorizations"]
    assert checks("approve", item["ref"], "--fingerprint", item["fingerprint"][:digits]) == 1
    assert bank.authorization(id)["status"] == "confirmed"
    assert connected.json("history", "--verify")["log"] == "intact"


def test_other_content_than_the_named_one_is_not_approved_by_opening(connected, bank, checks):
    id = bank.pay()
    [item] = connected.json("pending")["authorizations"]
    bank.admin("PATCH", f"authorizations/{id}", title="Pay 990 EUR")
    assert checks("approve", item["ref"], "--fingerprint", item["fingerprint"], code=8) == 1
    assert bank.authorization(id)["decisions_received"] == 0


def test_a_wrong_pin_from_a_file_costs_one_try(connected, bank):
    bank.pay()
    [item] = connected.json("pending")["authorizations"]
    connected.write_pin("999111")
    assert connected.run("approve", item["ref"], "--fingerprint", item["fingerprint"]).code == 3
    assert connected.json("status", pin=False)["tries_left"] == 8
    connected.write_pin(PIN)
