"""No request makes the agent fail: every route that is described, with all that can be wrong about a request. What is wrong with it
is told by a status from 400 to 499, in words of ours, and then nothing of it is done.
"""

import json
import re
import socket
import urllib.parse

import jsonschema
import pytest
from agents import Agent, FakePinentry
from conftest import ROOT, Bank, Home

FILE = json.loads((ROOT / "Share/Schemas/agent-openapi.json").read_text())
METHODS = ("get", "post", "patch", "delete")
ALL = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, item in FILE["paths"].items() for method, operation in item.items() if method in METHODS}
# What our own command alone may ask for, and what any program may.
OWN = {name: found for name, found in ALL.items() if found[2].get("description", "").startswith("For countersign alone.")}
OPERATIONS = {name: found for name, found in ALL.items() if name not in OWN}
# What a program of others says of itself when it fails.
OTHERS = re.compile(rb"Parser|NIO|Swift|Hummingbird|codingError|codingKey|Foundation|should not", re.IGNORECASE)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """An open agent with the connection `demobank`, at whose bank one item waits: the path of each operation names it."""
    path = tmp_path_factory.mktemp("place")
    bank = Bank(path)
    home = Home(path).set_pin().enroll(bank)
    pinentry = FakePinentry(path)
    agent = Agent(home, pinentry=pinentry, display=None).unlock()
    ref = "demobank:" + bank.pay(protocol="v1", expires_in=86400)
    fingerprint = agent.request("GET", f"/authorizations/{ref}").json["fingerprint"]
    yield agent, bank, ref, fingerprint, pinentry
    assert agent.stop() == 0
    bank.stop()


@pytest.fixture
def agent(place):
    """After the test all is as it was."""
    agent, bank, ref, _, pinentry = place
    if agent.state != "open":
        agent.unlock()
    yield agent
    assert agent.state == "open"
    assert [c["name"] for c in agent.request("GET", "/connections").json["connections"]] == ["demobank"]
    assert bank.authorization(ref.split(":")[1])["decisions_received"] == 0
    assert pinentry.asked() == [] and agent.status()["tries_left"] == 9


@pytest.fixture
def target(place):
    """The method and a good path of an operation."""
    def target(name):
        method, path, operation = OPERATIONS[name]
        path = path.format(name="demobank", ref=place[2], id="none")
        return method, path + (f"?fingerprint={place[3]}" if name in ("approve", "deny") else "")
    return target


def exchange(agent, data):
    """Sends bytes, and no more. Returns all that is answered."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
        line.settimeout(60)
        line.connect(str(agent.socket))
        answer = b""
        try:
            line.sendall(data)
            while part := line.recv(65536):
                answer += part
        except (BrokenPipeError, ConnectionResetError):
            pass
    assert not OTHERS.search(answer), answer
    return answer


def judged(answer):
    """The only status in it; what it says is as described."""
    statuses = re.findall(rb"HTTP/1\.1 (\d{3})", answer)
    assert len(statuses) == 1, answer
    head, _, body = answer.partition(b"\r\n\r\n")
    if body and statuses[0] >= b"400":
        jsonschema.Draft202012Validator({**FILE, "$ref": "#/components/schemas/Failure"}).validate(json.loads(body))
    assert body or statuses[0] == b"204" or b"content-length: 0" in head.lower(), answer
    return int(statuses[0])


BODIES = {
    "no number": (b"Transfer-Encoding: chunked", b"zz\r\n{}\r\n0\r\n\r\n"),
    "negative": (b"Transfer-Encoding: chunked", b"-2\r\n{}\r\n0\r\n\r\n"),
    "too long a number": (b"Transfer-Encoding: chunked", b"f" * 40 + b"\r\n{}\r\n0\r\n\r\n"),
    "no length": (b"Transfer-Encoding: chunked", b"\r\n{}\r\n0\r\n\r\n"),
    "shorter than it is": (b"Transfer-Encoding: chunked", b"1\r\n{}\r\n0\r\n\r\n"),
    "second one broken": (b"Transfer-Encoding: chunked", b"2\r\n{}\r\nzz\r\n\r\n"),
    "broken trailer": (b"Transfer-Encoding: chunked", b"2\r\n{}\r\n0\r\n\0:\r\n\r\n"),
    "length no number": (b"Content-Length: two", b"{}"),
    "length negative": (b"Content-Length: -2", b"{}"),
    "length too long": (b"Content-Length: 99999999999999999999999", b"{}"),
    "two lengths": (b"Content-Length: 2\r\nContent-Length: 3", b"{} "),
    "length and chunked": (b"Content-Length: 2\r\nTransfer-Encoding: chunked", b"2\r\n{}\r\n0\r\n\r\n"),
    "not chunked at the end": (b"Transfer-Encoding: chunked, gzip", b"2\r\n{}\r\n0\r\n\r\n"),
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_body_whose_framing_is_broken(agent, target, operation):
    method, path = target(operation)
    for name, (header, body) in BODIES.items():
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
        assert judged(exchange(agent, head + header + b"\r\n\r\n" + body)) == 400, name


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_body_that_breaks_off(agent, target, operation):
    """Nobody may be left to hear it."""
    method, path = target(operation)
    pin = b"271828"
    for header, body in ((b"Content-Length: 7", pin), (b"Transfer-Encoding: chunked", b"6\r\n" + pin), (b"Content-Length: 9", b"")):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as line:
            line.settimeout(60)
            line.connect(str(agent.socket))
            line.sendall(f"{method} {path} HTTP/1.1\r\nHost: x\r\n".encode() + header + b"\r\n\r\n" + body)
            line.shutdown(socket.SHUT_WR)
            answer = b""
            try:
                while part := line.recv(65536):
                    answer += part
            except ConnectionResetError:
                pass
        assert answer == b"" or judged(answer) == 400, answer


HEADS = {
    "no version": b"{method} {path}\r\n\r\n",
    "another version": b"{method} {path} HTTP/9.9\r\n\r\n",
    "HTTP/2": b"{method} {path} HTTP/2.0\r\n\r\n",
    "no path": b"{method} HTTP/1.1\r\n\r\n",
    "two paths": b"{method} {path} {path} HTTP/1.1\r\nHost: x\r\n\r\n",
    "no colon": b"{method} {path} HTTP/1.1\r\nHost\r\n\r\n",
    "no name": b"{method} {path} HTTP/1.1\r\n: x\r\n\r\n",
    "a space in a name": b"{method} {path} HTTP/1.1\r\nHost : x\r\n\r\n",
    "a zero": b"{method} {path} HTTP/1.1\r\nHost: x\0y\r\n\r\n",
    "a zero in the path": b"{method} {path}\0 HTTP/1.1\r\nHost: x\r\n\r\n",
    "one too long": b"{method} {path} HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 200_000 + b"\r\n\r\n",
    "too many": b"{method} {path} HTTP/1.1\r\nHost: x\r\n" + b"X: x\r\n" * 5000 + b"\r\n",
    "path too long": b"{method} {path}/" + b"x" * 200_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
}


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_head_that_is_broken(agent, target, operation):
    method, path = target(operation)
    for name, head in HEADS.items():
        # A closed connection says nothing, where too much was sent to read.
        answer = exchange(agent, head.replace(b"{method}", method.encode()).replace(b"{path}", path.encode()))
        assert answer == b"" or judged(answer) == 400, name


METHODS_OF_OTHERS = ("HEAD", "OPTIONS", "PUT", "TRACE", "CONNECT", "PROPFIND", "BREW", "get", "")


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_method_that_is_not_its_own(agent, target, operation):
    method, path = target(operation)
    served = {m.upper() for m in FILE["paths"][OPERATIONS[operation][1]] if m in METHODS}
    for other in (*METHODS_OF_OTHERS, *{"GET", "POST", "PATCH", "DELETE"} - served):
        answer = exchange(agent, f"{other} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        assert answer == b"" or (judged(answer) if other != "HEAD" else int(answer[9:12])) in (400, 405), (other, answer)


@pytest.mark.parametrize("headers", [
    "Expect: 100-continue", "Expect: the unexpected", "Accept: text/html", "Accept-Encoding: br", "Range: bytes=0-1", "TE: trailers",
    "Cookie: a=b", "Authorization: Basic eDp5", "Host: y", "Content-Type: text/plain", "Content-Encoding: gzip", "If-Match: *",
    "Countersign-PIN-Source: x", "Countersign-No-Input: 2", "Countersign-Display: %", "Countersign-TTY: x", "Countersign-Term: %00",
    "Countersign-XAuthority: %ff", "X-\xff: \xff"])
def test_headers_of_all_kinds(agent, target, headers):
    for operation in OPERATIONS:
        method, path = target(operation)
        if operation in ("events", "revoke", "deny", "approve", "unlock", "lock", "endEnrollment", "giveUp"):
            # It would be done.
            method = "PUT"
        data = f"{method} {path} HTTP/1.1\r\nHost: x\r\n{headers}\r\nConnection: close\r\n\r\n".encode("latin-1")
        answer = exchange(agent, data)
        assert answer == b"" or judged(answer) not in (500, 501), (operation, answer)


@pytest.mark.parametrize("protocol", ["websocket", "h2c"])
def test_no_other_protocol_is_spoken(agent, protocol):
    for method, path, status in (("GET", "/agent", 200), ("PUT", "/lock", 405), ("GET", "/none", 404)):
        answer = agent.request(
            method, path, headers={"Upgrade": protocol, "Connection": "Upgrade, HTTP2-Settings", "HTTP2-Settings": "AA"})
        assert answer.status == status, answer


# JSON


def resolved(schema):
    """A schema of the file that may be named instead."""
    return FILE["components"]["schemas"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema


JSON = {
    name: resolved(operation["requestBody"]["content"]["application/json"]["schema"]) for name, (_, _, operation) in OPERATIONS.items()
    if "application/json" in operation.get("requestBody", {}).get("content", {})}
# A good member of each name, and values that are none.
GOOD = {
    "name": "x", "connection": "nordia", "link": "x", "return_url": "http://127.0.0.1:1/x", "address": "x", "while_connected": True,
    "clicked": False, "listed": True, "target": "fern", "scopes": [], "resources": [], "min_ttl": 60, "kind": "access", "rejected": "0" * 16,
    "wait": 0, "url": "https://fern.example/x", "challenge": [], "password": False,
    "method": "GET"}
WRONG = [
    None, True, 1, -1, 1.5, 1e300, [], ["x"], {}, {"x": "y"}, "", "\0", "\n", "\ud800", "\u202e", "x" * 60_000, "a:b",
    "authenticator://saltedge.com/connect?configuration=http://127.0.0.1:1/x", "file:///etc/passwd", "http://[::1", "%zz"]


@pytest.mark.parametrize("operation", JSON)
def test_json_with_members_of_all_kinds(agent, target, operation):
    method, path = target(operation)
    if operation == "rename":
        path = "/connections/nordia"
    for form in JSON[operation].get("oneOf", [JSON[operation]]):
        good = {name: GOOD[name] for name in form["properties"]}
        for name in good:
            for value in WRONG:
                body = json.dumps(good | {name: value})
                answer = agent.request(method, path, body=body, headers={"Content-Type": "application/json"})
                assert 400 <= answer.status < 500 or answer.status == 502, (name, value, answer)
                assert not OTHERS.search(answer.body), answer
                if not isinstance(value, type(good[name])) and value is not None:
                    assert answer.status == 400, (name, value, answer)
        for body, words in (
                (json.dumps(good | {"pin": "271828"}), "a member of the body is not known here"),
                (json.dumps(good)[:-1] + ', "link": "y", "link": "z"}', None),
                (json.dumps(good)[:-1] + f', "{next(iter(good))}": "y"}}', "a member of the body is given twice")):
            answer = agent.request(method, path, body=body)
            assert answer.status == 400 and words in (None, answer.json["error"]["message"]), answer


TEXTS = [
    b"", b" ", b"null", b"[]", b"7", b'"x"', b"true", b"{", b"}", b"{}", b'{"', b"{]", b"{1:2}", b'{"x"}', b'{"link":}', b"x=y",
    b"link=x", b"<x/>", b"\xff\xfe", b'{"link":"\xff"}', b"\xef\xbb\xbf{}", "{}".encode("utf-16"), b"\0" * 100, b"[" * 60_000,
    b'{"x":' * 10_000, b"{" + b" " * 60_000 + b"}", b"{}{}", b"{}" * 60_000, b"NaN", b'{"link":NaN}', b"// x"]


@pytest.mark.parametrize("kind", ["application/json", "text/plain", "application/x-www-form-urlencoded", "image/png; x", "", None])
def test_bodies_of_all_kinds(agent, target, kind):
    for operation in OPERATIONS:
        method, path = target(operation)
        for text in TEXTS:
            if operation in ("events", "revoke", "revokeConsent", "deny", "approve", "unlock", "lock", "use") and text == b"":
                # It would be done, or asked for.
                continue
            answer = agent.request(method, path, body=text, headers={} if kind is None else {"Content-Type": kind})
            takes = OPERATIONS[operation][2].get("requestBody")
            # A program of others brings no PIN.
            allowed = {400, 413} if takes else {400}
            # Every member may be left out, and nobody has allowed anything.
            if operation == "token" and text.removeprefix(b"\xef\xbb\xbf").replace(b" ", b"") in (b"{}", "{}".encode("utf-16")):
                allowed = {400, 423}
            if operation in ("unlock", "approve", "deny"):
                allowed = {403, 413}
            if text == b"" and not takes:
                allowed = {200, 204, 404}
            assert answer.status in allowed and not OTHERS.search(answer.body), (operation, text[:40], answer)


@pytest.mark.parametrize("operation", OWN)
def test_what_is_for_our_own_command_is_refused_to_others(agent, operation):
    method, path, _ = OWN[operation]
    path = re.sub("{[a-z]+}", "none", path)
    for body in (None, b"", b"{}", b"271828", b"x" * 60_000):
        answer = agent.request(method, path, body=body)
        assert answer.status == 403 and answer.json["error"]["message"] == "only countersign itself may ask for this", answer


# Paths and queries


VALUES = [
    "", "%", "%0", "%zz", "%00", "%ff", "%0d%0a", "%2e%2e%2f", "..", "%E2%80%AE", "\u00e9", "a=b", "=", "x" * 9000, "9" * 400, "-1", "0",
    "1e999,1e999", "nan,nan", "inf,inf", "91,181", "1,2,3", "true", "True", "null", "9999-12-31T23:59:59Z", "0000-00-00T00:00:00Z",
    "2030-02-30T00:00:00Z", "demobank", "demobank:", "demobank:%00", "demobank:..%2F..", "demobank:" + "9" * 9000, ":", "a:b:c"]


def in_query():
    for name, (_, path, operation) in OPERATIONS.items():
        for parameter in operation.get("parameters", []):
            if parameter.get("in") == "query" or parameter.get("$ref", "").endswith("/Connection"):
                yield name, parameter.get("name", "connection")


@pytest.mark.parametrize("operation, parameter", in_query())
def test_values_of_all_kinds_in_a_query(agent, target, operation, parameter):
    method, path = target(operation)
    if operation == "revoke":
        path = "/connections/nordia"
    if operation in ("approve", "deny") and parameter != "fingerprint":
        # Nothing of this content waits.
        path = path[:-64] + "0" * 64
    for value in VALUES:
        whole = path + ("&" if "?" in path else "?") + f"{parameter}={value}"
        answer = exchange(agent, f"{method} {whole} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        assert answer == b"" or judged(answer) in (200, 400, 404, 412, 423), (value, answer)


@pytest.mark.parametrize("operation", [name for name, (_, path, _) in OPERATIONS.items() if "{" in path])
def test_values_of_all_kinds_in_a_path(agent, place, operation):
    method, path, description = OPERATIONS[operation]
    query = f"?fingerprint={place[3]}" if operation in ("approve", "deny") else ""
    bodies = [json.dumps({name: GOOD[name] for name in form["properties"]})
              for form in [JSON.get(operation)] if form] or [None]
    for value in VALUES:
        if value in ("demobank",) and operation in ("revoke", "rename"):
            continue
        whole = re.sub("{[a-z]+}", lambda _: value, path) + query
        for body in bodies:
            data = f"{method} {whole} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n".encode()
            data += b"\r\n" if body is None else f"Content-Length: {len(body)}\r\n\r\n{body}".encode()
            answer = exchange(agent, data)
            # 409: the bank does not know it. 404: nobody here does.
            assert answer == b"" or judged(answer) in (200, 204, 400, 404, 409, 412, 423), (value, answer)
