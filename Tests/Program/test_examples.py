"""The scripts in Share/Examples, and those that the manual pages print, run as somebody would run them."""

import json
import os
import re
import subprocess

import pexpect
import pytest
from conftest import PROGRAM, ROOT, Bank, Home
from innards import until

EXPECTED = ROOT / "Share/Examples/approve-expected"
TITLE = "Payment of 12.00 EUR to Fern Books"
TEXT = "Account AT611904300234573201\nInvoice 17"


def approve(home, *words, environment=None):
    variables = {**home.environment, "COUNTERSIGN_PIN_FILE": str(home.pin_file), "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}"}
    return subprocess.run(
        [EXPECTED, *words], env=variables | (environment or {}), capture_output=True, text=True, timeout=120)


def expecting(home, connection="demobank", title=TITLE, content=("--text", TEXT), **options):
    return approve(home, "--connection", connection, "--title", title, *content, **options)


def status(bank, id):
    return bank.authorization(id)["status"]


def test_what_is_expected_is_approved(connected, bank):
    bank.pay("Login")
    id = bank.pay(TITLE, description=TEXT)
    done = expecting(connected)
    assert done.returncode == 0 and done.stderr == "", done
    [decision] = json.loads(done.stdout)["decisions"]
    assert decision["ref"] == f"demobank:{id}" and status(bank, id) == "confirmed"
    # It is not there any more.
    done = expecting(connected)
    assert (done.returncode, done.stdout) == (4, "") and "no request is as expected" in done.stderr, done


@pytest.mark.parametrize("title, text", [
    (TITLE, TEXT.replace("AT611904300234573201", "AT026000000001349870")), (TITLE, TEXT + "\nAccount AT026000000001349870"),
    # The payee writes the expected account into the text for another one.
    (TITLE, "Account AT026000000001349870\n" + TEXT), (TITLE.replace("12.00", "1200.00"), TEXT), (TITLE.lower(), TEXT), (TITLE, "")])
def test_what_is_not_as_expected_is_left_alone(connected, bank, title, text):
    id = bank.pay(title, description=text)
    done = expecting(connected)
    assert (done.returncode, done.stdout) == (4, "") and "nothing was approved" in done.stderr, done
    assert status(bank, id) == "pending"


def test_nothing_waits_and_another_bank_asks(connected, bank):
    assert expecting(connected).returncode == 4
    id = bank.pay(TITLE, description=TEXT)
    assert expecting(connected, connection="fernbank").returncode == 4
    assert status(bank, id) == "pending"


def test_of_two_that_are_as_expected_none_is_approved(connected, bank):
    ids = [bank.pay(TITLE, description=TEXT) for _ in range(2)]
    done = expecting(connected)
    assert (done.returncode, done.stdout) == (1, "") and "2 requests are as expected" in done.stderr, done
    assert {status(bank, id) for id in ids} == {"pending"}


@pytest.mark.parametrize("fault, code, words", [
    ("wrong", 3, "wrong PIN; 8 tries are left"), ("open to others", 64, "others can read the PIN file"),
    ("gone", 64, "the PIN file cannot be read"), ("empty", 3, "line 1 of the PIN file is empty")])
def test_a_bad_pin_file_approves_nothing_and_says_why(connected, bank, fault, code, words):
    id = bank.pay(TITLE, description=TEXT)
    if fault == "wrong":
        connected.write_pin("999111")
    elif fault == "open to others":
        connected.pin_file.chmod(0o644)
    elif fault == "empty":
        connected.write_pin("")
    else:
        connected.pin_file.unlink()
    done = expecting(connected)
    assert done.returncode == code and words in done.stderr and done.stdout == "", done
    assert status(bank, id) == "pending"


def test_a_bank_that_cannot_be_reached_is_told(connected, bank):
    bank.stop()
    done = expecting(connected)
    assert done.returncode == 6 and "cannot reach" in done.stderr, done


def test_what_the_bank_changes_meanwhile_is_not_approved(connected, bank, tmp_path):
    """The script compared one content, so no other is approved."""
    id = bank.pay(TITLE, description=TEXT)
    between = tmp_path / "countersign"
    between.write_text(
        f'#!/bin/sh\n[ "$1" = approve ] && touch {tmp_path}/asked && while [ ! -e {tmp_path}/changed ]; do sleep 0.05; done\n'
        f'exec {PROGRAM} "$@"\n')
    between.chmod(0o755)
    variables = {**connected.environment, "COUNTERSIGN_PIN_FILE": str(connected.pin_file), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    process = subprocess.Popen(
        [EXPECTED, "--connection", "demobank", "--title", TITLE, "--text", TEXT], env=variables, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True)
    until((tmp_path / "asked").exists, 60)
    bank.admin("PATCH", f"authorizations/{id}", description=TEXT.replace("Invoice 17", "Invoice 18"))
    (tmp_path / "changed").touch()
    out, err = process.communicate(timeout=60)
    assert process.returncode == 8 and status(bank, id) == "pending", (out, err)


def test_fields_are_compared_as_wholes(tmp_path):
    bank = Bank(tmp_path)
    try:
        home = Home(tmp_path).set_pin().enroll(bank, protocol="v2", name="fern")
        payment = {"payment": {"payee": "Fern Books", "amount": "12.00", "account": "AT611904300234573201", "reference": "17"}}
        id = bank.pay(TITLE, payment, protocol="v2")
        for content in (["account=AT026000000001349870"], ["account=AT6119043002345732"], ["account="], ["iban=AT611904300234573201"],
                        ["account=AT611904300234573201", "amount=1.00"]):
            done = expecting(home, "fern", content=[word for field in content for word in ("--field", field)])
            assert done.returncode == 4 and status(bank, id) == "pending", done
        done = expecting(home, "fern", content=["--field", "account=AT611904300234573201", "--field", "amount=12.00"])
        assert done.returncode == 0 and status(bank, id) == "confirmed", done
    finally:
        bank.stop()


@pytest.mark.parametrize("words", [[], ["--connection", "x", "--title", "y"], ["--connection", "x", "--title", "y", "--field", "z"]])
def test_a_title_alone_is_not_enough(home, words):
    done = approve(home, *words)
    assert done.returncode == 2 and "usage:" in done.stderr and done.stdout == "", done


# What countersign-server(8) prints


def examples(page):
    text = (ROOT / "Share/Manual" / page).read_text()
    return [block.replace("\\-", "-").replace("\\e", "\\") for block in re.findall(r"^\.EX\n(.*?)^\.EE$", text, re.M | re.S)]


def test_the_pin_file_is_written_without_an_echo(tmp_path):
    [script] = [block for block in examples("countersign-server.8.in") if "read -" in block]
    file = tmp_path / "pin"
    # This user is the agent's here.
    script = script.replace("/etc/countersign-pin", str(file)).replace("-o countersign ", "")
    shell = pexpect.spawn("bash", ["--norc", "-c", script], encoding="utf-8", timeout=30)
    shell.expect_exact("PIN: ")
    assert shell.waitnoecho(10)
    shell.sendline(r"27\18 28")
    shell.expect(pexpect.EOF)
    assert "18" not in shell.before, shell.before
    assert file.read_text() == "27\\18 28\n" and file.stat().st_mode & 0o777 == 0o600


def test_the_units_that_approve_are_valid(tmp_path):
    service, timer = (
        next(block for block in examples("countersign-server.8.in") if word in block) for word in ("[Service]", "[Timer]"))
    for name, text in {"countersign-approve.service": service, "countersign-approve.timer": timer}.items():
        (tmp_path / name).write_text("\n".join(line.strip() for line in text.splitlines()).replace("@PREFIX@", "/usr") + "\n")
    known = tmp_path / "countersign-approve.service"
    words = known.read_text()
    assert re.search(r"^ExecStart=/usr/share/doc/countersign/examples/approve-expected ", words, re.M)
    known.write_text(words.replace("/usr/share/doc/countersign/examples/approve-expected", str(EXPECTED)))
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", known, tmp_path / "countersign-approve.timer"], capture_output=True, text=True,
        timeout=120)
    assert done.returncode == 0 and "countersign-approve" not in done.stdout + done.stderr, done
