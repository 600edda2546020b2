#!/usr/bin/python3
"""Makes `responses.json` beside this script; README.md says what is what.

Python's `hmac` and `hashlib` do the work. Nothing of the program under test is used.
"""
import hashlib
import hmac
import json
import pathlib
import re

HERE = pathlib.Path(__file__).resolve().parent
KEY = bytes.fromhex((HERE.parent.parent / "Keys/tiqr-secret.hex").read_text())
SESSION = "00112233445566778899aabbccddeeff"

# The suites of tiqr sections 6.1, 12.2 and 12.3.
SUITES = [
    "OCRA-1:HOTP-SHA1-6:QH10-S", "ocra-1:hotp-sha1-6:qh10-s", "OCRA-1:HOTP-SHA1-6:QH10-S064", "OCRA-1:HOTP-SHA1-6:QH10-S128",
    "OCRA-1:HOTP-SHA1-6:QH10-S256", "OCRA-1:HOTP-SHA256-6:QH10-S", "OCRA-1:HOTP-SHA256-8:QH10-S", "OCRA-1:HOTP-SHA256-8:QH10-S064",
    "OCRA-1:HOTP-SHA512-6:QH10-S", "OCRA-1:HOTP-SHA512-8:QH10-S064", "OCRA-1:HOTP-SHA1-6:QH09-S", "OCRA-1:HOTP-SHA1-6:QN10",
    "OCRA-1:HOTP-SHA1-6:QH10", "OCRA-1:HOTP-SHA256-8:QH40", *[f"OCRA-1:HOTP-SHA1-{n}:QH10-S" for n in (4, 5, 7, 8, 9, 10)]]

# What a suite may not be, and why (tiqr section 6.1): the words of the refusal.
REFUSED = {
    "OCRA-1:HOTP-SHA1-6:C-QH10-S": "it counts", "OCRA-1:HOTP-SHA1-6:QH10-PSHA1-S": "it includes a PIN",
    "OCRA-1:HOTP-SHA1-6:QH10-S-T1M": "it includes the time", "OCRA-1:HOTP-SHA1-6:QA10-S": "neither numbers nor hexadecimal",
    "OCRA-1:HOTP-SHA1-0:QH10-S": "whole MACs", "OCRA-1:HOTP-SHA1-3:QH10-S": "neither 4 nor up to 10", "OCRA-1:HOTP-SHA1-11:QH10-S": "neither 4 nor up to 10",
    "OCRA-1:HOTP-SHA1-6:QH10-S032": "length on which servers differ", "OCRA-1:HOTP-SHA1-6:QH10-S512": "length on which servers differ",
    "OCRA-1:HOTP-MD5-6:QH10-S": "neither SHA1, SHA256 nor SHA512", "OCRA-1:TOTP-SHA1-6:QH10-S": "not an OCRA suite",
    "OCRA-2:HOTP-SHA1-6:QH10-S": "not an OCRA suite", "OCRA-1:HOTP-SHA1-6:QH03-S": "neither 4 nor up to 64",
    "OCRA-1:HOTP-SHA1-6:QH65-S": "neither 4 nor up to 64", "OCRA-1:HOTP-SHA1-6:QX10-S": "no question of a known form",
    "OCRA-1:HOTP-SHA1-6:QH10-X": "a part that is not known"}


def parts(suite):
    _, function, data = suite.upper().split(":")
    _, algorithm, digits = function.split("-")
    form, length = re.match(r"Q([HN])(\d\d)", data).groups()
    information = re.search(r"-S(\d{3})?$", data)
    return algorithm.lower(), int(digits), form, int(length), information and int(information[1] or 64)


def compute(suite, question, session, version=2, text=None, hexadecimal=None, fill="right", information="left", key=KEY):
    """The response (RFC 6287 section 5, tiqr section 6.2). The later parameters do it wrong."""
    algorithm, digits, form, _, size = parts(suite)
    if hexadecimal is None:
        hexadecimal = f"{int(question):x}" if form == "N" and version < 2 else question
    padded = hexadecimal.ljust(256, "0") if fill == "right" else hexadecimal.rjust(256, "0")
    message = (text or suite).encode() + b"\0" + bytes.fromhex(padded)
    if size:
        message += bytes.fromhex(session.rjust(2 * size, "0") if information == "left" else session.ljust(2 * size, "0"))
    mac = hmac.new(key, message, getattr(hashlib, algorithm)).digest()
    start = mac[-1] & 15
    value = int.from_bytes(mac[start:start + 4], "big") & 0x7FFFFFFF
    return message, str(value % 10 ** digits).zfill(digits)


def question(suite):
    _, _, form, length, _ = parts(suite)
    return (("1839816563" if form == "N" else "0123456789abcdef") * 5)[:length]


vectors = []


def good(suite, name, asked, session, version):
    message, response = compute(suite, asked, session, version)
    # Each of these does one thing otherwise than the protocol says.
    wrong = {
        "question filled on the left": compute(suite, asked, session, version, fill="left"),
        "suite in the other case": compute(suite, asked, session, version, text=suite.swapcase()),
        "a bit of the key": compute(suite, asked, session, version, key=KEY[:-1] + bytes([KEY[-1] ^ 1])),
        "last digit of the question": compute(suite, asked[:-1] + ("1" if asked[-1] != "1" else "2"), session, version)}
    if parts(suite)[4]:
        wrong["session filled on the right"] = compute(suite, asked, session, version, information="right")
        wrong["last digit of the session"] = compute(suite, asked, session[:-1] + "0", version)
    if parts(suite)[2] == "N":
        wrong["question of the other version"] = compute(suite, asked, session, 3 - version)
    if suite.endswith("-S"):
        wrong["length spelt out"] = compute(suite, asked, session, version, text=suite + "064")
    vectors.append({
        "name": name, "suite": suite, "question": asked, "session": session, "version": version, "message": message.hex(),
        "response": response, "wrong": {n: r for n, (_, r) in wrong.items() if r != response}, "fault": None})


def bad(suite, name, fault, asked=None, session=SESSION, version=2):
    vectors.append({
        "name": name, "suite": suite, "question": question(suite) if asked is None else asked, "session": session, "version": version,
        "message": None, "response": None, "wrong": {}, "fault": fault})


for suite in SUITES:
    _, _, form, length, size = parts(suite)
    asked = question(suite)
    for version in ((1, 2) if form == "N" else (2,)):
        good(suite, f"version {version}", asked, SESSION, version)
    good(suite, "a short question", asked[:4], SESSION, 2)
    bad(suite, "no question", "badQuestion", asked="")
    bad(suite, "a question of a digit too many", "badQuestion", asked=asked + "0")
    bad(suite, "a question that is not of its form", "badQuestion", asked=asked[:-1] + ("a" if form == "N" else "g"))
    bad(suite, "a question with a space", "badQuestion", asked=" " + asked[1:])
    if size:
        good(suite, "a session of an odd number of digits", asked, "abc", 2)
        good(suite, "the longest session", asked, "f" * (2 * size), 2)
        bad(suite, "no session", "badSession", session="")
        bad(suite, "a session of a digit too many", "badSession", session="0" * (2 * size + 1))
        bad(suite, "a session that is not hexadecimal", "badSession", session="xy")
    else:
        # V's session is a decimal number, which stays out of the computation.
        good(suite, "any session", asked, "14778743573487646832", 2)

refused = [{"suite": suite, "words": words} for suite, words in REFUSED.items()]
(HERE / "responses.json").write_text(json.dumps({"vectors": vectors, "refused": refused}, indent=1) + "\n")
