#!/usr/bin/env python3
"""Makes vectors.json: ID tokens with one fault each, signed by `joserfc`. README.md says what is what.

Python's `joserfc` does the work, and text where a fault is wanted that no library would make. Nothing of the program under test is used.
"""
import base64
import hashlib
import hmac
import json
import pathlib

from joserfc import jws
from joserfc.jwk import ECKey, OctKey, OKPKey, RSAKey
from joserfc.registry import HeaderParameter

HERE = pathlib.Path(__file__).resolve().parent
NOW = 1795000000
ACCESS = "SlAV32hkKG-access"
NONCE = "n-0S6_WzA2Mj"

ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384"]
REGISTRY = jws.JWSRegistry(
    header_registry={"nonce": HeaderParameter("", "str")}, algorithms=[*ALGORITHMS, "ES512", "HS256", "none", "EdDSA", "Ed25519"],
    strict_check_header=False)

rsa = RSAKey.generate_key(2048, {"kid": "rsa"})
foreign = RSAKey.generate_key(2048, {"kid": "rsa"})
unlisted = RSAKey.generate_key(2048, {"kid": "unlisted"})
for_encryption = RSAKey.generate_key(2048, {"kid": "encryption", "use": "enc"})
for_wrapping = RSAKey.generate_key(2048, {"kid": "wrapping", "key_ops": ["wrapKey", "unwrapKey"]})
only_rs512 = RSAKey.generate_key(2048, {"kid": "rs512", "alg": "RS512", "use": "sig"})
p256, p384, p521 = (ECKey.generate_key(curve, {"kid": curve}) for curve in ("P-256", "P-384", "P-521"))
edwards = OKPKey.generate_key("Ed25519", {"kid": "ed"})
nameless = RSAKey.generate_key(2048)
LISTED = [rsa, for_encryption, for_wrapping, only_rs512, p256, p384, p521, edwards]


def public(key):
    return {name: value for name, value in key.as_dict(private=False).items() if value is not None}


def without_use(key):
    """The same key, which the library would not sign with as it is listed."""
    return RSAKey.import_key({n: v for n, v in key.as_dict(private=True).items() if n not in ("use", "key_ops", "alg")})


def b64(data):
    return base64.urlsafe_b64encode(data if isinstance(data, bytes) else data.encode()).rstrip(b"=").decode()


def at_hash(alg, token=ACCESS):
    digest = hashlib.new("sha" + (alg[2:] if alg[2:].isdigit() else "256"), token.encode()).digest()
    return b64(digest[:len(digest) // 2])


def claims(alg="RS256", **other):
    """What a right token says; None leaves one out."""
    usual = {
        "iss": "https://fern.example", "sub": "mira", "aud": "fern-client", "exp": NOW + 300, "iat": NOW - 5, "auth_time": NOW - 60,
        "nonce": NONCE, "acr": "silver", "azp": "fern-client", "at_hash": at_hash(alg)}
    return {name: value for name, value in {**usual, **other}.items() if value is not None}


def signed(payload, alg="RS256", key=rsa, kid="", header=None):
    """`kid`: other than the key's; None for none."""
    head = {"alg": alg, "typ": "JWT", "kid": key.kid if kid == "" else kid, **(header or {})}
    head = {name: value for name, value in head.items() if value is not None}
    text = payload if isinstance(payload, (str, bytes)) else json.dumps(payload)
    return jws.serialize_compact(head, text, key, registry=REGISTRY)


def by_hand(header, payload, signature=b"x"):
    return ".".join(b64(json.dumps(part) if isinstance(part, dict) else part) for part in (header, payload)) + "." + b64(signature)


vectors = []


def vector(sentence, name, token, fault=None, **expected):
    """`fault`: the case of `IDTokenFault`; none for a token that is right. `expected`: what is asked besides the usual."""
    vectors.append({"sentence": sentence, "name": name, "token": token, "fault": fault, **({"expected": expected} if expected else {})})


right = signed(claims())
head, body, signature = right.split(".")

S = "a JWS in three parts"
vector(S, "right", right)
vector(S, "two parts", f"{head}.{body}", "notAToken")
vector(S, "four parts", right + ".", "notAToken")
vector(S, "five parts, as an encrypted token has", f"{right}.{body}.{signature}", "notAToken")
vector(S, "a header that is no JSON", by_hand("no", claims()), "notAToken")
vector(S, "a payload that is no object", signed("[1]"), "notAToken")
vector(S, "a claim that stands there twice", signed(json.dumps(claims())[:-1] + ', "sub": "ole"}'), "notAToken")
vector(S, "padding in the signature", right + "==", "notAToken")
vector(S, "the alphabet of ordinary base64", f"{head}.{body}." + signature.replace("-", "+").replace("_", "/") + "/+", "notAToken")
vector(S, "a line feed at the end", right + "\n", "notAToken")

S = "alg is one that is verified: never none, never HMAC"
for alg in ALGORITHMS:
    key = {"ES256": p256, "ES384": p384}.get(alg, rsa)
    vector(S, alg, signed(claims(alg), alg, key))
vector(S, "none", signed(claims(), "none", OctKey.generate_key(256), kid="rsa"), "badAlgorithm")
vector(S, "None, in capitals", by_hand({"alg": "NONE", "kid": "rsa"}, claims(), b""), "badAlgorithm")
vector(S, "HMAC by the client's secret", signed(claims(), "HS256", OctKey.import_key("secret-of-the-client-0123456789ab"), kid="rsa"),
       "badAlgorithm")
confused = by_hand({"alg": "HS256", "kid": "rsa"}, claims()).rpartition(".")[0]
vector(S, "HMAC by the public key", f"{confused}.{b64(hmac.digest(rsa.as_pem(private=False), confused.encode(), 'sha256'))}", "badAlgorithm")
vector(S, "ES512", signed(claims(), "ES512", p521), "badAlgorithm")
vector(S, "EdDSA", signed(claims(), "EdDSA", edwards), "badAlgorithm")
vector(S, "no alg", by_hand({"kid": "rsa"}, claims()), "notAToken")
vector(S, "crit", signed(claims(), header={"crit": ["nonce"], "nonce": "x"}), "critical")

S = "alg is among those that the issuer lists"
vector(S, "listed", right, algorithms=["RS256"])
vector(S, "not listed", signed(claims("RS512"), "RS512"), "unlistedAlgorithm", algorithms=["RS256", "ES256"])

S = "signed by a key of jwks_uri with that kid and use"
vector(S, "another key under a listed kid", signed(claims(), key=foreign), "badSignature")
vector(S, "a kid that is not listed", signed(claims(), key=unlisted), "unknownKey")
vector(S, "another key under a kid that is not listed", signed(claims(), key=rsa, kid="gone"), "unknownKey")
for name, key in (("a key for encryption", for_encryption), ("a key for wrapping", for_wrapping), ("a key for another algorithm", only_rs512)):
    vector(S, name, signed(claims(), key=without_use(key)), "unknownKey")
vector(S, "a key of another kind", signed(claims("ES256"), "ES256", p256, kid="rsa"), "unknownKey")
vector(S, "a key of another curve", signed(claims("ES384"), "ES384", p384, kid="P-256"), "unknownKey")
vector(S, "without a kid, by a listed key", signed(claims(), kid=None))
vector(S, "without a kid, by a key that is not listed", signed(claims(), key=nameless, kid=None), "badSignature")
spoiled = bytearray(base64.urlsafe_b64decode(signature + "=="))
spoiled[-1] ^= 1
vector(S, "a spoiled signature", f"{head}.{body}.{b64(bytes(spoiled))}", "badSignature")
vector(S, "an empty signature", f"{head}.{body}.", "badSignature")
vector(S, "the payload of another token", f"{head}.{b64(json.dumps(claims(sub='ole')))}.{signature}", "badSignature")
vector(S, "PSS for PKCS#1 v1.5", ".".join([head, body, signed(claims(), "PS256").split(".")[2]]), "badSignature")

S = "iss is the issuer"
vector(S, "the issuer", right)
vector(S, "another", signed(claims(iss="https://other.example")), "otherIssuer")
vector(S, "with the slash of an origin", signed(claims(iss="https://fern.example/")))
vector(S, "in capitals", signed(claims(iss="HTTPS://FERN.example")))
vector(S, "with the port of https", signed(claims(iss="https://fern.example:443")))
vector(S, "with another port", signed(claims(iss="https://fern.example:8443")), "otherIssuer")
vector(S, "with a path", signed(claims(iss="https://fern.example/o")), "otherIssuer")
vector(S, "without a scheme", signed(claims(iss="fern.example")), "otherIssuer")
vector(S, "missing", signed(claims(iss=None)), "otherIssuer")

S = "aud contains the client"
vector(S, "a list", signed(claims(aud=["fern-client"])))
vector(S, "another", signed(claims(aud="other-client")), "otherAudience")
vector(S, "an empty list", signed(claims(aud=[])), "otherAudience")
vector(S, "missing", signed(claims(aud=None)), "otherAudience")
vector(S, "a list with a number", signed(claims(aud=["fern-client", 7])), "otherAudience")

S = "azp is the client, if it is there or aud names others"
vector(S, "missing", signed(claims(azp=None)))
vector(S, "another", signed(claims(azp="other-client")), "otherParty")
vector(S, "missing, and the client twice in aud", signed(claims(aud=["fern-client", "fern-client"], azp=None)))
vector(S, "there, and aud names others", signed(claims(aud=["other-client", "fern-client", "fern-project"])))
vector(S, "missing, and aud names another", signed(claims(aud=["fern-client", "other-client"], azp=None)), "foreignAudience")
vector(S, "another, and aud names both", signed(claims(aud=["fern-client", "other-client"], azp="other-client")), "otherParty")

S = "aud names no others than those that the person allows"
vector(S, "none of them", signed(claims()), audiences=["fern-project"])
vector(S, "one of them", signed(claims(aud=["fern-client", "fern-project"])), audiences=["fern-project", "fern-other"])
vector(S, "another", signed(claims(aud=["fern-client", "other-client"])), "foreignAudience", audiences=["fern-project"])
vector(S, "none may be there", signed(claims(aud=["fern-client", "other-client"])), "foreignAudience", audiences=[])

S = "exp is in the future, with 120 s to spare"
vector(S, "119 s over", signed(claims(exp=NOW - 119)))
vector(S, "120 s over", signed(claims(exp=NOW - 120)), "expired")
vector(S, "missing", signed(claims(exp=None)), "noTime")
vector(S, "a text", signed(claims(exp=str(NOW + 300))), "noTime")

S = "iat is not in the future and at most ten minutes old, with 120 s to spare"
vector(S, "120 s ahead", signed(claims(iat=NOW + 120)))
vector(S, "121 s ahead", signed(claims(iat=NOW + 121)), "fromTheFuture")
vector(S, "720 s old", signed(claims(iat=NOW - 720)))
vector(S, "721 s old", signed(claims(iat=NOW - 721)), "tooOld")
vector(S, "with a fraction", signed(claims(iat=NOW - 0.25)))
vector(S, "missing", signed(claims(iat=None)), "noTime")

S = "nonce is the one that was sent"
vector(S, "another", signed(claims(nonce="n-0S6_WzA2Mk")), "otherNonce")
vector(S, "longer", signed(claims(nonce=NONCE + "x")), "otherNonce")
vector(S, "missing", signed(claims(nonce=None)), "otherNonce")
vector(S, "none was sent, as in a renewal and in the device flow", signed(claims(nonce=None)), nonceSent=False)

S = "auth_time is there and young enough, if max_age was sent"
vector(S, "not asked, not there", signed(claims(auth_time=None)))
vector(S, "420 s ago", signed(claims(auth_time=NOW - 420)), maxAge=300)
vector(S, "421 s ago", signed(claims(auth_time=NOW - 421)), "staleAuthentication", maxAge=300)
vector(S, "missing", signed(claims(auth_time=None)), "noAuthenticationTime", maxAge=300)
vector(S, "at no time, and now was asked", signed(claims(auth_time=0)), "staleAuthentication", maxAge=0)

S = "acr is among those that were asked"
vector(S, "the second", right, acr=["gold", "silver"])
vector(S, "another", right, "otherStrength", acr=["gold"])
vector(S, "in capitals", signed(claims(acr="Silver")), "otherStrength", acr=["silver"])
vector(S, "missing", signed(claims(acr=None)), "otherStrength", acr=["silver"])

S = "at_hash fits the access token, if it is there"
vector(S, "missing", signed(claims(at_hash=None)))
vector(S, "of another token", signed(claims(at_hash=at_hash("RS256", "another"))), "otherAccessToken")
vector(S, "by another hash", signed(claims(at_hash=at_hash("RS512"))), "otherAccessToken")
vector(S, "a number", signed(claims(at_hash=7)), "otherAccessToken")

S = "sub has 1 to 255 bytes"
vector(S, "255", signed(claims(sub="a" * 255)))
vector(S, "256", signed(claims(sub="a" * 256)), "noSubject")
vector(S, "256 bytes of 128 letters", signed(claims(sub="ä" * 128)), "noSubject")
vector(S, "empty", signed(claims(sub="")), "noSubject")
vector(S, "missing", signed(claims(sub=None)), "noSubject")
vector(S, "a number", signed(claims(sub=7)), "noSubject")

S = "sub is the one of before, at a renewal"
vector(S, "the same", right, subject="mira")
vector(S, "another", signed(claims(sub="ole")), "otherSubject", subject="mira")
vector(S, "the same letters in another form", signed(claims(sub="mira\u0301")), "otherSubject", subject="mir\u00e1")

(HERE / "vectors.json").write_text(json.dumps({
    "now": NOW, "access_token": ACCESS, "nonce": NONCE, "issuer": "https://fern.example", "client": "fern-client",
    "keys": {"keys": [public(key) for key in LISTED]}, "vectors": vectors}, indent=1, ensure_ascii=False) + "\n")
