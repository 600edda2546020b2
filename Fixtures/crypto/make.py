#!/usr/bin/python3
"""Makes the keys in Keys/ that are missing, and the vectors beside this script. README.md says what is what.

Python's `cryptography` does the work, the `openssl` command where a vector says so, and plain integers where a fault
is wanted that no library would make. Nothing of the program under test is used.
"""
import base64, hashlib, hmac, json, os, pathlib, re, subprocess, tempfile

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

HERE = pathlib.Path(__file__).resolve().parent
KEYS = HERE.parent.parent / "Keys"
PEM, SPKI, PKCS1 = serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo, serialization.PublicFormat.PKCS1
PKCS8, NONE = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()


def b64(data):
    return base64.b64encode(data).decode()


def b64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def wrapped(data, width=60):
    text = b64(data)
    return "".join(text[i:i + width] + "\n" for i in range(0, len(text), width))


def write(name, vectors):
    (HERE / name).write_text(json.dumps(vectors, indent=2, ensure_ascii=False) + "\n")


# Keys

def make_key(name, make):
    path = KEYS / name
    if not path.exists():
        path.write_bytes(make().private_bytes(PEM, PKCS8, NONE))
    return serialization.load_pem_private_key(path.read_bytes(), None)


def load_keys():
    page = make_key("connection-2048.pem", lambda: rsa.generate_private_key(65537, 2048))
    return {
        "connection-2048.pem": page,
        "connection-4096.pem": make_key("connection-4096.pem", lambda: rsa.generate_private_key(65537, 4096)),
        "foreign-2048.pem": make_key("foreign-2048.pem", lambda: rsa.generate_private_key(65537, 2048)),
        "weak-1024.pem": make_key("weak-1024.pem", lambda: rsa.generate_private_key(65537, 1024)),
        "elliptic-p256.pem": make_key("elliptic-p256.pem", lambda: ec.generate_private_key(ec.SECP256R1())),
    }


# Envelopes

def rsa_encrypt(key, data):
    return key.public_key().encrypt(data, padding.PKCS1v15())


def rsa_raw(key, block):
    """Textbook RSA of a whole block, for padding that no library makes."""
    numbers = key.public_key().public_numbers()
    size = key.key_size // 8
    return pow(int.from_bytes(block, "big"), numbers.e, numbers.n).to_bytes(size, "big")


def rsa_padded_wrong(key, data):
    """Block type 1 where type 2 belongs."""
    size = key.key_size // 8
    return rsa_raw(key, b"\x00\x01" + b"\xff" * (size - len(data) - 3) + b"\x00" + data)


def cbc(key, iv, padded):
    run = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return run.update(padded) + run.finalize()


def pkcs7(data):
    rest = 16 - len(data) % 16
    return data + bytes([rest]) * rest


def item(key, plaintext, *, aes=None, iv=None, text=b64, algorithm="AES-256-CBC", id="77", connection="12"):
    aes, iv = aes or os.urandom(32), iv or os.urandom(16)
    made = {"id": id, "connection_id": connection}
    if algorithm is not None:
        made["algorithm"] = algorithm
    made["key"] = text(rsa_encrypt(key, aes))
    made["iv"] = text(rsa_encrypt(key, iv))
    made["data"] = text(cbc(aes, iv, pkcs7(plaintext)))
    return made


def item_by_openssl(key_file, plaintext):
    """The same by the openssl command alone."""
    aes, iv = os.urandom(32), os.urandom(16)

    def pkeyutl(data):
        with tempfile.NamedTemporaryFile() as file:
            file.write(data)
            file.flush()
            return subprocess.run(
                ["openssl", "pkeyutl", "-encrypt", "-inkey", KEYS / key_file, "-pkeyopt", "rsa_padding_mode:pkcs1",
                 "-in", file.name], check=True, capture_output=True).stdout

    data = subprocess.run(["openssl", "enc", "-aes-256-cbc", "-K", aes.hex(), "-iv", iv.hex()], input=plaintext,
                          check=True, capture_output=True).stdout
    return {"id": "77", "connection_id": "12", "algorithm": "AES-256-CBC", "key": b64(pkeyutl(aes)),
            "iv": b64(pkeyutl(iv)), "data": b64(data)}


def payload(**changes):
    fields = {"id": "77", "connection_id": "12", "title": "Pay 9.90 EUR", "description": "To Fern Books",
              "authorization_code": "c0de", "created_at": "2030-01-01T00:00:00.000Z",
              "expires_at": "2030-01-01T00:05:00.000Z"}
    fields.update(changes)
    return json.dumps({k: v for k, v in fields.items() if v is not None}, separators=(",", ":"),
                      ensure_ascii=False).encode()


def without(made, name):
    return {k: v for k, v in made.items() if k != name}


def envelopes(keys):
    small, large, foreign = (keys[k] for k in ("connection-2048.pem", "connection-4096.pem", "foreign-2048.pem"))
    good, vectors = payload(), []

    def opens(name, made, plaintext=good, key="connection-2048.pem", item_error=None):
        vector = {"name": name, "key": key, "item": made, "plaintext": plaintext.decode()}
        if item_error:
            vector["itemError"] = item_error
        vectors.append(vector)

    def fails(name, made, error, key="connection-2048.pem"):
        vectors.append({"name": name, "key": key, "item": made, "error": error})

    def changed(**fields):
        return {**item(small, good), **fields}

    opens("2048 bits", item(small, good))
    opens("4096 bits", item(large, good), key="connection-4096.pem")
    opens("2048 bits by openssl", item_by_openssl("connection-2048.pem", good))
    opens("4096 bits by openssl", item_by_openssl("connection-4096.pem", good), key="connection-4096.pem")
    opens("Base64 in lines of 60", item(small, good, text=wrapped))
    opens("Base64 in lines of 76 with CRLF", item(small, good, text=lambda d: wrapped(d, 76).replace("\n", "\r\n")))
    opens("no algorithm", item(small, good, algorithm=None))
    opens("AES key that ends in zero bytes", item(small, good, aes=b"\x07" * 28 + b"\x00" * 4))
    opens("AES key and iv that begin with zero bytes", item(small, good, aes=b"\x00" * 3 + b"\x09" * 29, iv=b"\x00" + b"\x05" * 15))
    opens("AES key and iv of nothing but zero bytes", item(small, good, aes=bytes(32), iv=bytes(16)))
    opens("constant AES key: SHA-256 of nothing", item(small, good, aes=hashlib.sha256(b"").digest()))
    for length in (1, 15, 16, 17):
        opens(f"payload of {length} bytes", item(small, b"x" * length), b"x" * length, item_error="notJSON")
    text = payload(title="Zahlung an Bäckerei Müller – 9,90 €", description="寿司 🍣")
    opens("text beyond ASCII", item(small, text), text)
    opens("nothing in it", item(small, b""), b"", item_error="notJSON")
    opens("not JSON", item(small, b"Pay 9.90 EUR"), b"Pay 9.90 EUR", item_error="notJSON")
    opens("JSON cut off", item(small, good[:-1]), good[:-1], item_error="notJSON")
    opens("JSON, but an array", item(small, b"[]"), b"[]", item_error="notJSON")
    opens("no title", item(small, payload(title=None)), payload(title=None), item_error="missingField")
    opens("connection id of another connection outside", item(small, good, connection="13"), item_error="wrongConnection")
    other = payload(connection_id="13")
    opens("connection id of another connection inside", item(small, other), other, item_error="wrongConnection")

    fails("foreign algorithm", changed(algorithm="AES-128-CBC"), "foreignAlgorithm")
    fails("algorithm in lower case", changed(algorithm="aes-256-cbc"), "foreignAlgorithm")
    fails("algorithm empty", changed(algorithm=""), "foreignAlgorithm")
    for part in ("key", "iv", "data"):
        fails(f"{part} empty", changed(**{part: ""}), "empty")
        fails(f"{part} of whitespace", changed(**{part: " \n"}), "empty")
        fails(f"{part} cut off in the Base64", changed(**{part: item(small, good)[part][:-3]}), "badBase64")
        fails(f"{part} not Base64", changed(**{part: "*" + item(small, good)[part][1:]}), "badBase64")
    fails("key in the URL alphabet", changed(key=b64(b"\xfb" * 256).replace("+", "-")), "badBase64")
    for part, error in (("key", "badKeyBlock"), ("iv", "badIVBlock")):
        fails(f"{part} for another key", changed(**{part: item(foreign, good)[part]}), error)
        fails(f"{part} block of a longer key", changed(**{part: item(large, good)[part]}), error)
        fails(f"{part} block one byte short", changed(**{part: b64(rsa_encrypt(small, b"k" * 32)[:-1])}), error)
        fails(f"{part} block twice", changed(**{part: b64(rsa_encrypt(small, b"k" * 16) * 2)}), error)
        fails(f"{part} block padded with type 1", changed(**{part: b64(rsa_padded_wrong(small, b"k" * 32))}), error)
        fails(f"{part} block of zeros", changed(**{part: b64(bytes(256))}), error)
        fails(f"{part} block beyond the modulus", changed(**{part: b64(b"\xff" * 256)}), error)
    for length in (0, 16, 31, 33, 245):
        fails(f"AES key of {length} bytes", changed(key=b64(rsa_encrypt(small, b"k" * length))), "keyLength")
    for length in (0, 12, 15, 17, 32):
        fails(f"iv of {length} bytes", changed(iv=b64(rsa_encrypt(small, b"i" * length))), "ivLength")

    aes, iv = os.urandom(32), os.urandom(16)
    for name, padded in {
        "padding of zeros": good + bytes(16 - len(good) % 16),
        "padding byte 17": good.ljust(len(good) // 16 * 16 + 15, b" ") + b"\x11",
        "padding of differing bytes": good.ljust(len(good) // 16 * 16 + 13, b" ") + b"\x01\x03\x03",
    }.items():
        fails(name, {**item(small, good, aes=aes, iv=iv), "data": b64(cbc(aes, iv, padded))}, "badPadding")
    fails("data not in whole AES blocks", changed(data=b64(b"d" * 40)), "badPadding")
    fails("data cut off after an AES block", {
        **item(small, good, aes=aes, iv=iv), "data": b64(cbc(aes, iv, pkcs7(good))[:32])}, "badPadding")
    write("envelopes.json", vectors)


# Signatures

def signatures(keys):
    vectors = []
    for name, key_file, method, url, expires, body in [
        ("list", "connection-2048.pem", "GET", "https://bank.example/api/authenticator/v1/authorizations", 1893456000, ""),
        ("confirm with port and prefix", "connection-2048.pem", "put",
         "https://bank.example:8443/gw/api/authenticator/v1/authorizations/77", 1893456001,
         '{"data":{"authorization_code":"c0de","confirm":true}}'),
        ("revoke, 4096 bits", "connection-4096.pem", "DELETE", "http://127.0.0.1:8585/api/authenticator/v1/connections",
         2147483647, ""),
    ]:
        signed = f"{method.lower()}|{url}|{expires}|{body}".encode()
        signature = keys[key_file].sign(signed, padding.PKCS1v15(), hashes.SHA256())
        vectors.append({"name": name, "key": key_file, "method": method, "url": url, "expiresAt": expires, "body": body,
                        "signature": b64(signature)})
    write("request-signatures.json", vectors)


def jws(keys):
    vectors = []

    def by_cryptography(key_file, data):
        return keys[key_file].sign(data, padding.PKCS1v15(), hashes.SHA256())

    def by_openssl(key_file, data):
        return subprocess.run(["openssl", "dgst", "-sha256", "-sign", KEYS / key_file], input=data, check=True,
                              capture_output=True).stdout

    for name, sign, key_file, body in [
        ("empty data", by_cryptography, "connection-2048.pem", '{"data":{},"exp":1893456000}'),
        ("empty data by openssl", by_openssl, "connection-2048.pem", '{"data":{},"exp":1893456000}'),
        ("spaces and lines", by_cryptography, "connection-2048.pem", '{\n  "data" : { },\n  "exp" : 1893456000\n}\n'),
        ("beyond ASCII", by_openssl, "connection-2048.pem", '{"data":{"note":"Müller – 寿司 🍣"},"exp":1893456000}'),
        ("escaped slashes", by_cryptography, "connection-2048.pem",
         '{"data":{"return_url":"https:\\/\\/bank.example\\/x"},"exp":1893456000}'),
        ("no body", by_cryptography, "connection-2048.pem", ""),
        ("4096 bits", by_openssl, "connection-4096.pem", '{"data":{"action_id":"4711"},"exp":1893456000}'),
    ]:
        header = b64url(b'{"alg":"RS256"}')
        data = (header + "." + b64url(body.encode())).encode()
        vectors.append({"name": name, "key": key_file, "body": body, "signingInput": data.decode(),
                        "value": header + ".." + b64url(sign(key_file, data))})
    write("jws.json", vectors)


# Public keys as text

def public_keys(keys):
    public = keys["connection-2048.pem"].public_key()
    spki, pkcs1 = public.public_bytes(PEM, SPKI).decode(), public.public_bytes(PEM, PKCS1).decode()
    vectors = []

    def reads(name, pem):
        vectors.append({"name": name, "pem": pem, "spki": spki})

    def fails(name, pem, error):
        vectors.append({"name": name, "pem": pem, "error": error})

    body = "".join(spki.splitlines()[1:-1])
    for kind, pem in (("SPKI", spki), ("PKCS#1", pkcs1)):
        reads(kind, pem)
        reads(f"{kind}, CRLF", pem.replace("\n", "\r\n"))
        reads(f"{kind}, literal \\n", pem.replace("\n", "\\n"))
        reads(f"{kind}, literal \\r\\n", pem.replace("\n", "\\r\\n"))
        reads(f"{kind}, both line feed and literal \\n", pem.replace("\n", "\\n\n"))
        reads(f"{kind}, no final line feed", pem.rstrip("\n"))
    reads("SPKI, one line of Base64", f"-----BEGIN PUBLIC KEY-----\n{body}\n-----END PUBLIC KEY-----\n")
    reads("SPKI, no line breaks at all", spki.replace("\n", ""))
    reads("SPKI, lines of 76", "-----BEGIN PUBLIC KEY-----\n" + wrapped(base64.b64decode(body), 76) + "-----END PUBLIC KEY-----\n")
    reads("SPKI, blank around it", "\n \t" + spki + "\n\n")

    fails("elliptic curve", keys["elliptic-p256.pem"].public_key().public_bytes(PEM, SPKI).decode(), "notRSA")
    with tempfile.NamedTemporaryFile(suffix=".pem") as file:
        subprocess.run(["openssl", "genpkey", "-algorithm", "RSA-PSS", "-pkeyopt", "rsa_keygen_bits:2048", "-out", file.name],
                       check=True, capture_output=True)
        pss = subprocess.run(["openssl", "pkey", "-in", file.name, "-pubout"], check=True, capture_output=True).stdout
    fails("RSA for PSS signatures only", pss.decode(), "notRSA")
    fails("1024 bits", keys["weak-1024.pem"].public_key().public_bytes(PEM, SPKI).decode(), "weakKey")
    fails("1024 bits, PKCS#1", keys["weak-1024.pem"].public_key().public_bytes(PEM, PKCS1).decode(), "weakKey")
    fails("nothing", "", "malformedKey")
    fails("no PEM", "provider key", "malformedKey")
    fails("private key", (KEYS / "foreign-2048.pem").read_text(), "malformedKey")
    fails("labels differ", spki.replace("END PUBLIC", "END RSA PUBLIC"), "malformedKey")
    fails("PKCS#1 with the label of SPKI", pkcs1.replace("RSA PUBLIC", "PUBLIC"), "malformedKey")
    fails("SPKI with the label of PKCS#1", spki.replace("PUBLIC", "RSA PUBLIC"), "malformedKey")
    fails("cut off", spki[:200], "malformedKey")
    fails("Base64 cut off", f"-----BEGIN PUBLIC KEY-----\n{body[:100]}\n-----END PUBLIC KEY-----\n", "malformedKey")
    fails("not Base64", spki.replace(body[10:14], "****"), "malformedKey")
    more = b64(base64.b64decode(body) + b"\0")
    fails("a byte too many", f"-----BEGIN PUBLIC KEY-----\n{more}\n-----END PUBLIC KEY-----\n", "malformedKey")
    fails("two keys", spki + spki, "malformedKey")
    fails("text before it", "key: " + spki, "malformedKey")
    fails("foreign escape", spki.replace("\n", "\\t"), "malformedKey")
    write("public-keys.json", vectors)


# Known answers that no RFC has in the form that we use

def known_answers():
    key = bytes(range(32))
    sealed = []
    for name, plaintext in (("token/1", b"tok-5f2c"), ("", b"no name"), ("row/ä", b""), ("row/2", b"x" * 5000)):
        nonce = hashlib.sha256(name.encode()).digest()[:12]
        sealed.append({"name": name, "key": key.hex(), "plaintext": plaintext.hex(),
                       "sealed": (nonce + AESGCM(key).encrypt(nonce, plaintext, name.encode())).hex()})
    derived = [
        {"secret": key.hex(), "salt": salt.hex(), "info": info, "count": count,
         "output": HKDF(hashes.SHA256(), count, salt or None, info.encode()).derive(key).hex()}
        for salt, info, count in ((b"salt", "row key", 32), (b"", "", 1), (b"\0" * 32, "Schlüssel", 8160))
    ]
    stretched = [
        {"pin": "493027", "salt": key.hex(), "n": n, "r": r, "p": p, "count": 32,
         "output": hashlib.scrypt(b"493027", salt=key, n=n, r=r, p=p, maxmem=1 << 28, dklen=32).hex()}
        for n, r, p in ((1 << 16, 8, 1), (1 << 10, 8, 2))
    ]
    plaintext = b'{"id":"77"}'
    parts = [b"countersign authorization", b"0b5c7f3e-8a51-4c7e-9d0a-2f6f6a1b9c33", b"77", plaintext]
    printed = hashlib.sha256(b"".join(len(p).to_bytes(8, "big") + p for p in parts)).hexdigest()
    write("known-answers.json", {
        "aead": sealed, "hkdf": derived, "scrypt": stretched,
        "fingerprint": {"connection": parts[1].decode(), "id": "77", "plaintext": plaintext.decode(), "hex": printed}})


if __name__ == "__main__":
    KEYS.mkdir(exist_ok=True)
    keys = load_keys()
    envelopes(keys)
    signatures(keys)
    jws(keys)
    public_keys(keys)
    known_answers()
