#!/usr/bin/python3
"""Makes `challenges.json` and `server-keys.json` beside this script; README.md says what is what.

Python's `cryptography` does the work, and plain integers where a key is wanted that no library would make. Nothing of the program
under test is used.
"""
import base64
import json
import pathlib

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa

HERE = pathlib.Path(__file__).resolve().parent
KEYS = HERE.parent.parent / "Keys"
SERIAL = "PIPU0000ABCD"
NONCE = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
ORDER = ["nonce", "url", "serial", "question", "title", "sslverify", "require_presence"]


def key(name):
    return serialization.load_pem_private_key((KEYS / name).read_bytes(), None)


SERVER, FOREIGN = key("connection-2048.pem"), key("foreign-2048.pem")
V15 = padding.PKCS1v15()


def sign(text, signer=SERVER, scheme=V15, digest=hashes.SHA256()):
    return base64.b32encode(signer.sign(text.encode(), scheme, digest)).decode()


def text(item):
    return "|".join(item[name] for name in ORDER if name in item)


def challenge(signer=SERVER, scheme=V15, digest=hashes.SHA256(), **change):
    item = {
        "nonce": NONCE, "url": "https://mfa.example.test/ttype/push", "serial": SERIAL, "question": "Log in as Zoë?",
        "title": 'Example "MFA"', "sslverify": "1"}
    item.update(change)
    item["signature"] = sign(text(item), signer, scheme, digest)
    return item


def capable(capabilities, text=None, signer=SERVER, nonce=NONCE):
    item = challenge()
    canonical = json.dumps({"capabilities": capabilities, "nonce": nonce}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    item["capabilities"] = json.dumps(capabilities) if text is None else text
    item["capabilities_signature"] = sign(canonical, signer)
    return item


def spoiled(**change):
    """Changed after it was signed."""
    return {**challenge(), **change}


def without(name):
    return {k: v for k, v in challenge().items() if k != name}


good = challenge()
vectors = []


def add(name, item, fault=None, options=None, reasons=False):
    vectors.append({"name": name, "item": item, "fault": fault, "options": options, "takesReasons": reasons})


add("standard", good)
add("both texts empty", challenge(question="", title=""))
add("a bar in the question", challenge(question="a|b"))
add("unknown members", {**good, "version": "9", "more": {"of": [1.5, None]}})
add("presence", challenge(require_presence="04,17,93"), options=["04", "17", "93"])
add("one option", challenge(require_presence="V"), options=["V"])
add("options with bars and spaces", challenge(require_presence="blå|x, y,<b>"), options=["blå|x", " y", "<b>"])
add("empty and double options", challenge(require_presence=",x,,x,"), options=["x"])
add("no option left", challenge(require_presence=","), options=[])
add("twenty options", challenge(require_presence=",".join(map(str, range(20)))), options=[str(n) for n in range(20)])
add("an answer to another origin", challenge(url="https://elsewhere.example.test:8443/x?y=z"))
add("a signature without padding", {**good, "signature": good["signature"].rstrip("=")})
for member in ("nonce", "url", "serial", "question", "title", "sslverify", "signature"):
    add(f"without {member}", without(member), "notWhole")
    add(f"{member} a number", spoiled(**{member: 7}), "notWhole")
add("require_presence a list", spoiled(require_presence=["a"]), "notWhole")
add("an empty nonce", challenge(nonce=""), "badNonce")
add("a nonce with a bar", challenge(nonce="A|B"), "badNonce")
add("a nonce of 129 characters", challenge(nonce="A" * 129), "badNonce")
add("a nonce that is not ASCII", challenge(nonce="Zoë"), "badNonce")
add("another serial", challenge(serial="PIPU0000ABCE"), "foreignSerial")
add("a serial that looks the same", challenge(serial=SERIAL.lower()), "foreignSerial")
for member in ("question", "title"):
    add(f"one character of the {member} changed", spoiled(**{member: good[member][:-1] + "x"}), "unverified")
add("question and title swapped", spoiled(question=good["title"], title=good["question"]), "unverified")
add("sslverify changed", spoiled(sslverify="0"), "unverified")
add("another address", spoiled(url="https://mfa.example.test/ttype/pusx"), "unverified")
add("presence added", spoiled(require_presence="a,b"), "unverified")
add("presence taken away", {k: v for k, v in challenge(require_presence="a,b").items() if k != "require_presence"}, "unverified")
add("a bar moved", {**challenge(question="a|b", title="c"), "question": "a", "title": "b|c"})
add("lower case", spoiled(signature=good["signature"].lower()), "unverified")
add("a character outside", spoiled(signature="1" + good["signature"][1:]), "unverified")
add("cut off", spoiled(signature=good["signature"][:-8]), "unverified")
add("no signature at all", spoiled(signature=""), "unverified")
add("another key", challenge(signer=FOREIGN), "unverified")
add("SHA-512", challenge(digest=hashes.SHA512()), "unverified")
add("SHA-1", challenge(digest=hashes.SHA1()), "unverified")
add("PSS", challenge(scheme=padding.PSS(padding.MGF1(hashes.SHA256()), 32)), "unverified")
add("display_code", {**good, "display_code": "07"}, "unverified")
add("http", challenge(url="http://mfa.example.test/ttype/push"), "badAddress")
add("http on loopback for a token elsewhere", challenge(url="http://127.0.0.1/ttype/push"), "badAddress")
add("a user in the address", challenge(url="https://a@mfa.example.test/"), "badAddress")
add("no address", challenge(url="mfa.example.test"), "badAddress")
add("an option that denies", challenge(require_presence="a,decline"), "badOptions")
add("an option that denies with a reason", challenge(require_presence="a,decline|cancelled"), "badOptions")
add("an option beginning so", challenge(require_presence="a,decliner"), options=["a", "decliner"])
add("an option of another case", challenge(require_presence="a,Decline"), options=["a", "Decline"])
add("21 options", challenge(require_presence=",".join(map(str, range(21)))), "badOptions")
add("an option of 65 characters", challenge(require_presence="x" * 65), "badOptions")
add("an option of 64 characters", challenge(require_presence="x" * 64), options=["x" * 64])
add("takes reasons", capable({"decline_reason": True}), reasons=True)
add("takes reasons among other things", capable({"z": False, "aé": {"x": [True, 'y"\\\n']}, "decline_reason": {"values": ["cancelled"]}}), reasons=True)
add("capabilities as an object", {**capable({"decline_reason": True}), "capabilities": {"decline_reason": True}}, reasons=True)
add("takes none", capable({"decline_reason": False}))
add("capabilities of nothing", capable({}))
add("capabilities that are not JSON", capable({"decline_reason": True}, text="{decline_reason"))
add("capabilities that are a list", capable(["decline_reason"]))
add("capabilities without a signature", {k: v for k, v in capable({"decline_reason": True}).items() if k != "capabilities_signature"})
add("capabilities with a number as signature", {**capable({"decline_reason": True}), "capabilities_signature": 7})
add("capabilities of another nonce", capable({"decline_reason": True}, nonce="X"), "badCapabilities")
add("capabilities by another key", capable({"decline_reason": True}, signer=FOREIGN), "badCapabilities")
add("capabilities changed", capable({"decline_reason": False}, text='{"decline_reason": true}'), "badCapabilities")
(HERE / "challenges.json").write_text(json.dumps({"serial": SERIAL, "challenges": vectors}, indent=1, ensure_ascii=False) + "\n")


# Keys as an answer to an enrollment has them


def der(tag, content):
    size = len(content).to_bytes(2, "big") if len(content) > 255 else bytes([len(content)])
    head = bytes([tag]) + (size if len(content) < 128 else bytes([0x80 | len(size)]) + size)
    return head + content


def integer(number):
    return der(2, number.to_bytes(number.bit_length() // 8 + 1, "big"))


def wrapped(data, width=64):
    text = base64.b64encode(data).decode()
    return "".join(text[i:i + width] + "\n" for i in range(0, len(text), width))


def numbers(modulus, exponent):
    return wrapped(der(0x30, integer(modulus) + integer(exponent)))


def pkcs1(public):
    return public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.PKCS1)


public = FOREIGN.public_key()
modulus = public.public_numbers().n
spki = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.PKCS1).decode()
short = rsa.generate_private_key(65537, 1024).public_key()
keys = [
    ("with line feeds", wrapped(pkcs1(public)), None), ("in one line", base64.b64encode(pkcs1(public)).decode(), None),
    ("of 4096 bits", wrapped(pkcs1(key("connection-4096.pem").public_key())), None), ("exponent 3", numbers(modulus, 3), None),
    ("exponent 1", numbers(modulus, 1), "badExponent"), ("exponent 0", numbers(modulus, 0), "badExponent"),
    ("exponent 65536", numbers(modulus, 65536), "badExponent"), ("an even modulus", numbers(modulus + 1, 65537), "evenModulus"),
    ("1024 bits", wrapped(pkcs1(short)), "weak"), ("SubjectPublicKeyInfo", wrapped(spki), "malformed"), ("in armour", pem, "malformed"),
    ("nothing", "", "malformed"), ("no Base64", "Zoë", "malformed"), ("cut off", base64.b64encode(pkcs1(public)[:-3]).decode(), "malformed"),
    ("with a byte behind", base64.b64encode(pkcs1(public) + b"\0").decode(), "malformed"),
    ("URL alphabet", base64.urlsafe_b64encode(pkcs1(public) + b"").decode().replace("+", "-"), None if b"+" not in base64.b64encode(pkcs1(public)) and b"/" not in base64.b64encode(pkcs1(public)) else "malformed"),
    ("ours", wrapped(pkcs1(SERVER.public_key())), "ours")]
(HERE / "server-keys.json").write_text(json.dumps([{"name": n, "key": k, "fault": f} for n, k, f in keys], indent=1) + "\n")


# What we send: the fields of each request, and the same with one fault each, by which a strict server refuses it


OWN = key("connection-4096.pem")
TIME = "2031-02-05T04:05:06.250000Z"
CREDENTIAL = "00112233445566778899aabbccddeeff00112233"
OTHER = "MFRGGZDFMZTWQ2LKNNWG23TPOBYXE43U"


def signed(fields, *parts):
    """The fields with a signature over these parts, and each fault that one change makes."""
    text = "|".join(parts)
    wrong = [
        {"name": f"part {n} changed", "signature": sign("|".join([*parts[:n], part[:-1] + "!", *parts[n + 1:]]), OWN), "error": "unverified"}
        for n, part in enumerate(parts)]
    wrong += [
        {"name": "parts in another order", "signature": sign("|".join(reversed(parts)), OWN), "error": "unverified"},
        {"name": "parts without bars", "signature": sign("".join(parts), OWN), "error": "unverified"},
        {"name": "a line feed behind", "signature": sign(text + "\n", OWN), "error": "unverified"},
        {"name": "another key", "signature": sign(text, FOREIGN), "error": "unverified"},
        {"name": "SHA-1", "signature": sign(text, OWN, digest=hashes.SHA1()), "error": "unverified"},
        {"name": "SHA-512", "signature": sign(text, OWN, digest=hashes.SHA512()), "error": "unverified"},
        {"name": "PSS", "signature": sign(text, OWN, padding.PSS(padding.MGF1(hashes.SHA256()), 32)), "error": "unverified"},
        {"name": "lower case", "signature": sign(text, OWN).lower(), "error": "notBase32"},
        {"name": "without padding", "signature": sign(text, OWN).rstrip("="), "error": "notBase32"},
        {"name": "empty", "signature": "", "error": "notBase32"}]
    return {"fields": {**fields, "signature": sign(text, OWN)}, "text": text, "wrong": wrong}


def answer(name, verdict, *words, option=None, reason=None, wrong=(), **fields):
    vector = signed({"serial": SERIAL, "nonce": NONCE, **fields}, NONCE, SERIAL, *words)
    vector["wrong"] += [
        {"name": n, "signature": sign("|".join(parts), OWN), "error": "unverified"} for n, parts in (
            ("of another request", [OTHER, SERIAL, *words]), *wrong)]
    return {"name": name, "verdict": verdict, "option": option, "reason": reason, **vector}


plain, denial = [NONCE, SERIAL], [NONCE, SERIAL, "decline"]
answers = [
    answer("accept", "approve", wrong=[("a denial", denial)]),
    answer("presence", "approve", "17", option="17", presence_answer="17", wrong=[
        ("without the option", plain), ("another option", [*plain, "18"]), ("the option of a denial", [*denial, "17"])]),
    answer("presence with a bar", "approve", "blå|x", option="blå|x", presence_answer="blå|x", wrong=[("escaped", [*plain, "blå%7Cx"])]),
    answer("decline", "deny", "decline", decline="1", wrong=[
        ("the field's word", [*plain, "1"]), ("an acceptance", plain), ("with a reason", [*denial, "unknown_trigger"])]),
    answer("decline, not me", "deny", "decline", "unknown_trigger", reason="not-me", decline="1", decline_reason="unknown_trigger", wrong=[
        ("without the reason", denial), ("the other reason", [*denial, "cancelled"]), ("our own word", [*denial, "not-me"])]),
    answer("decline, cancelled", "deny", "decline", "cancelled", reason="cancelled", decline="1", decline_reason="cancelled", wrong=[
        ("without the reason", denial), ("the other reason", [*denial, "unknown_trigger"])])]

own = OWN.public_key()
spki = own.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
enrollment = {
    "credential": CREDENTIAL, "fields": {
        "enrollment_credential": CREDENTIAL, "serial": SERIAL, "fbtoken": "no_firebase_token", "pubkey": base64.b64encode(spki).decode(),
        "capabilities": '["decline_reason"]'},
    "wrongKeys": {
        "PKCS#1": base64.b64encode(pkcs1(own)).decode(), "line feeds": wrapped(spki), "URL alphabet": base64.urlsafe_b64encode(spki).decode(),
        "no padding": base64.b64encode(spki).decode().rstrip("="), "the server's": base64.b64encode(
            SERVER.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)).decode()}}
poll = {"time": TIME, **signed({"serial": SERIAL, "timestamp": TIME, "capabilities": '["decline_reason"]'}, SERIAL, TIME)}


def rolled(status=200, value=True, detail=..., **change):
    whole = {"public_key": wrapped(pkcs1(SERVER.public_key())), "serial": SERIAL, "rollout_state": "enrolled"}
    detail = {k: v for k, v in {**whole, **change}.items() if v is not None} if detail is ... else detail
    return status, json.dumps({"id": 1, "jsonrpc": "2.0", "result": {"status": True, "value": value}, "detail": detail})


def refusal(status, code, message):
    return status, json.dumps({"id": 1, "jsonrpc": "2.0", "detail": None, "result": {"status": False, "error": {"code": code, "message": message}}})


rollouts = [
    ("good", rolled(), None), ("members that are not known", rolled(threadid=7), None),
    ("value false", rolled(value=False), "malformedAnswer"), ("value 1", rolled(value=1), "malformedAnswer"),
    ("no detail", rolled(detail=None), "malformedAnswer"), ("another state", rolled(rollout_state="clientwait"), "malformedAnswer"),
    ("no state", rolled(rollout_state=None), "malformedAnswer"), ("another serial", rolled(serial="PIPU0000ABCE"), "malformedAnswer"),
    ("no serial", rolled(serial=None), "malformedAnswer"), ("no key", rolled(public_key=None), "malformedAnswer"),
    ("a key that is a number", rolled(public_key=7), "malformedAnswer"), ("a weak key", rolled(public_key=wrapped(pkcs1(short))), "refused"),
    ("our own key", rolled(public_key=wrapped(pkcs1(own))), "refused"), ("SubjectPublicKeyInfo", rolled(public_key=wrapped(spki)), "refused"),
    ("status 201", rolled(status=201), "malformedAnswer"), ("a page", (200, "<html>"), "malformedAnswer"),
    ("wrong credential", refusal(400, 905, "ERR905: Invalid enrollment credential."), "refused"),
    ("wrong credential, hidden", refusal(400, -311, "x"), "refused"),
    ("used before", refusal(404, 601, "No token with this serial number in the rollout state"), "refused"),
    ("broken", refusal(500, -500, "x"), "refused"), ("a page and 502", (502, "<html>"), "refused")]
(HERE / "requests.json").write_text(json.dumps({
    "serial": SERIAL, "nonce": NONCE, "enrollment": enrollment, "poll": poll, "answers": answers,
    "rollouts": [{"name": n, "status": s, "body": b, "error": e} for n, (s, b), e in rollouts]}, indent=1, ensure_ascii=False) + "\n")
