"""`enroll --callback scheme`: the desktop hands the redirected address to `countersign open`, which brings it to the
enrollment that waits; what is forged, what is foreign, who is refused, what is left behind.
"""

import contextlib
import os
import pathlib
import re
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import urllib.parse

import pytest
from conftest import PIN, Home, check_schema, finish
from innards import until
from proxy import AUTHORITY, HOST, FarBank
from test_install import install, make
from test_pinentry import Fake, typed
from test_enroll import Waiting, keyring, settings
from users import as_another_user, given_away
from v2 import sign_in_only

RETURN = "authenticator://oauth/redirect"


@pytest.fixture
def runtime():
    """A runtime directory of the test's own. A socket's path is short, so it does not lie in the test's folder."""
    path = pathlib.Path(tempfile.mkdtemp(prefix="cs", dir="/tmp"))
    yield path
    shutil.rmtree(path)


@pytest.fixture
def ready(home, bank, runtime):
    """A home with a PIN, its runtime directory set."""
    home.environment["XDG_RUNTIME_DIR"] = str(runtime)
    return home.set_pin(), bank


def waiting(home, bank, *args, **options):
    return Waiting(home, "enroll", "-", "--callback", "scheme", *args, link=bank.link(**options))


def sockets(runtime):
    return sorted(path.name for path in (runtime / "countersign").glob("redirect-*"))


def mode(path):
    return stat.S_IMODE(path.lstat().st_mode)


def names(home):
    return [connection["name"] for connection in home.json("connections")["connections"]]


def interrupt(enrolling):
    enrolling.process.send_signal(signal.SIGINT)
    return enrolling.end()


# The way back


def test_open_hands_the_redirect_over(ready, runtime):
    home, bank = ready
    enrolling = waiting(home, bank)
    assert [c["return_url"] for c in bank.get("connections")] == [RETURN]
    assert "does not hand authenticator links to countersign" in enrolling.said, "nothing is installed"
    assert sockets(runtime) == [f"redirect-{enrolling.process.pid}.sock"]
    assert mode(runtime / "countersign") == 0o700 and mode(runtime / "countersign" / sockets(runtime)[0]) == 0o600
    redirect = sign_in_only(enrolling.page)
    opened = home.run("open", redirect, pin=False)
    assert opened.code == 0 and opened.out == "Handed to the enrollment that waited.\n" and opened.err == "", opened
    assert enrolling.end() == 0 and enrolling.out == "Connected: demobank\n"
    assert sockets(runtime) == [] and names(home) == ["demobank"]
    again = home.run("open", redirect, pin=False)
    assert again.code == 4 and "no enrollment waits" in again.err


def test_open_prints_json_and_ids(ready):
    home, bank = ready
    enrolling = waiting(home, bank)
    opened = home.json("open", sign_in_only(enrolling.page), pin=False)
    assert opened == {"redirect": {"accepted": True}} and enrolling.end() == 0
    enrolling = Waiting(home, "reconnect", "demobank", "--callback", "scheme")
    opened = home.run("open", sign_in_only(enrolling.page), "--quiet", pin=False)
    assert opened.code == 0 and opened.out == "" and enrolling.end() == 0
    assert enrolling.out == "Connected again: demobank\n"


def test_a_return_url_of_the_settings_is_used(ready):
    home, bank = ready
    settings(home, 'return_url = "fernbank://back"\n')
    enrolling = waiting(home, bank)
    redirect = sign_in_only(enrolling.page)
    assert redirect.startswith("fernbank://back?")
    assert home.run("open", redirect, pin=False).code == 0 and enrolling.end() == 0


def test_a_redirected_address_may_be_pasted_too(ready):
    home, bank = ready
    child = home.terminal(
        "enroll", bank.link(), "--callback", "scheme", "--no-browser", "--yes", "--pin-file", home.pin_file, columns=300)
    child.expect(r"(http://\S+/connect/\S+)\r\n")
    page = child.match.group(1)
    child.expect("may be pasted here")
    child.send(sign_in_only(page) + "\r")
    child.expect("Connected: demobank")
    assert finish(child) == 0


def test_without_a_runtime_directory_they_meet_in_the_home(bank, runtime):
    home = Home(runtime).set_pin()
    for value in (None, "", "relative"):
        home.environment.pop("XDG_RUNTIME_DIR", None)
        if value is not None:
            home.environment["XDG_RUNTIME_DIR"] = value
        enrolling = waiting(home, bank)
        assert mode(home.state / "run") == 0o700
        assert [p.name for p in (home.state / "run").iterdir()] == [f"redirect-{enrolling.process.pid}.sock"]
        assert home.run("open", sign_in_only(enrolling.page), pin=False).code == 0 and enrolling.end() == 0


# What is not good


def test_what_is_forged_leaves_the_wait_standing(ready):
    home, bank = ready
    before = keyring()
    enrolling = waiting(home, bank)
    good = sign_in_only(enrolling.page)
    own = urllib.parse.parse_qs(urllib.parse.urlsplit(good).query)["id"][0]
    for rest in (f"?id={own}&access_token=forged", "?id=4711&access_token=forged", "?access_token=forged",
                 "/?access_token=forged", "?error_class=NO&error_message=refused"):
        opened = home.run("open", RETURN + rest, "--json", pin=False)
        check_schema(["failure"], opened.json)
        assert opened.code == 5 and opened.json["error"]["kind"] == "refused", (rest, opened)
        enrolling.hear("Still waiting for the bank")
    assert enrolling.process.poll() is None and keyring() == before and "forged" not in enrolling.said
    assert home.run("open", good, pin=False).code == 0 and enrolling.end() == 0


def test_what_is_no_redirect_reaches_nobody(ready):
    home, bank = ready
    enrolling = waiting(home, bank)
    for address in (RETURN + "x?id=1&access_token=2", RETURN + ".evil.example/?id=1&access_token=2", RETURN + "@x?access_token=2",
                    RETURN, RETURN + "?access_token=", RETURN + "?x=1", "authenticator://oauth?access_token=2",
                    "http://127.0.0.1/?access_token=2", RETURN + "?access_token=" + "2" * 65536):
        opened = home.run("open", address, pin=False)
        assert opened.code == 64, (address[:80], opened)
    assert interrupt(enrolling) == 2
    assert "Still waiting" not in enrolling.said


def test_the_banks_refusal_is_told_where_it_is_waited(ready):
    home, bank = ready
    enrolling = waiting(home, bank, "--timeout", "0.2")
    opened = home.run("open", RETURN + "?error_class=AUTHENTICATION_FAILED&error_message=Not+you%1b", pin=False)
    assert opened.code == 5 and "Not you" not in opened.err
    enrolling.hear("AUTHENTICATION_FAILED: Not you")
    assert enrolling.end() == 5 and "\x1b" not in enrolling.said and names(home) == []


def test_too_long_an_address_is_refused_by_the_one_who_waits(ready, runtime):
    home, bank = ready
    enrolling = waiting(home, bank)
    assert bring(runtime, enrolling, b"x" * 65536) == b"\0", "it is read and judged"
    assert bring(runtime, enrolling, b"x" * 70000) in (b"\0", b"")
    assert bring(runtime, enrolling, b"") == b"\0"
    assert bring(runtime, enrolling, b"\xff\xfe\x00") == b"\0"
    assert home.run("open", sign_in_only(enrolling.page), pin=False).code == 0 and enrolling.end() == 0


def test_who_never_ends_sending_keeps_nobody_waiting(ready, runtime):
    home, bank = ready
    enrolling = waiting(home, bank)
    mute = [connect(runtime, enrolling) for _ in range(5)]
    mute[0].sendall(b"authenticator://oau")
    assert home.run("open", sign_in_only(enrolling.page), pin=False).code == 0 and enrolling.end() == 0
    for one in mute:
        one.close()


def connect(runtime, enrolling):
    connection = socket.socket(socket.AF_UNIX)
    connection.settimeout(30)
    connection.connect(str(runtime / "countersign" / f"redirect-{enrolling.process.pid}.sock"))
    return connection


def bring(runtime, enrolling, address):
    """What `open` does, with bytes of the test's own; the answer."""
    with connect(runtime, enrolling) as connection:
        try:
            connection.sendall(address)
            connection.shutdown(socket.SHUT_WR)
            return connection.recv(10)
        except (BrokenPipeError, ConnectionResetError):
            return b""


# Nobody, several, the dead


def test_nobody_waits(ready, runtime):
    home, _ = ready
    for _ in range(2):
        opened = home.run("open", RETURN + "?id=1&access_token=t0ps3cret", pin=False)
        assert opened.code == 4 and "no enrollment waits" in opened.err and "t0ps3cret" not in opened.err
        assert "--callback scheme" in opened.err
        (runtime / "countersign").mkdir(exist_ok=True)


def test_a_wait_by_other_means_is_not_found(ready):
    home, bank = ready
    enrolling = Waiting(home, "enroll", "-", "--callback", "paste", link=bank.link())
    redirect = sign_in_only(enrolling.page)
    assert home.run("open", redirect, pin=False).code == 4
    enrolling.process.stdin.write(redirect + "\n")
    assert enrolling.end() == 0


def test_of_two_that_wait_the_right_one_gets_it(ready, other_home, runtime, tmp_path):
    home, bank = ready
    other_home.environment["XDG_RUNTIME_DIR"] = str(runtime)
    other_home.set_pin()
    first, second = waiting(home, bank), waiting(other_home, bank)
    redirects = [sign_in_only(first.page), sign_in_only(second.page)]
    opened = home.run("open", redirects[1], pin=False)
    assert opened.code == 0 and second.end() == 0, opened
    assert first.process.poll() is None and names(other_home) == ["demobank"] and names(home) == []
    assert home.run("open", redirects[1], pin=False).code == 5, "the one that still waits has nothing to do with it"
    assert home.run("open", redirects[0], pin=False).code == 0 and first.end() == 0
    assert names(home) == ["demobank"]


def test_what_a_killed_enrollment_left_is_removed(ready, runtime):
    home, bank = ready
    killed = waiting(home, bank)
    redirect = sign_in_only(killed.page)
    killed.process.kill()
    killed.end()
    assert len(sockets(runtime)) == 1
    opened = home.run("open", redirect, pin=False)
    assert opened.code == 4 and sockets(runtime) == []

    killed = waiting(home, bank)
    killed.process.kill()
    killed.end()
    alive = waiting(home, bank)
    assert len(sockets(runtime)) == 2
    assert home.run("open", sign_in_only(alive.page), pin=False).code == 0 and alive.end() == 0
    home.run("open", redirect, pin=False)
    assert sockets(runtime) == []


def test_a_wait_that_is_over_leaves_no_socket(ready, runtime):
    home, bank = ready
    enrolling = waiting(home, bank, "--timeout", "0.05")
    assert enrolling.end() == 2 and sockets(runtime) == []


def test_a_stopped_enrollment_that_dies_counts_as_not_good(ready, runtime):
    home, bank = ready
    enrolling = waiting(home, bank)
    redirect = sign_in_only(enrolling.page)
    enrolling.process.send_signal(signal.SIGSTOP)
    opening = subprocess.Popen(
        home.argv("open", redirect), env=home.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    until(lambda: re.search("^State:\tS", pathlib.Path(f"/proc/{opening.pid}/status").read_text(), re.M))
    enrolling.process.kill()
    enrolling.end()
    out, err = opening.communicate(timeout=60)
    # It had connected, or came after the death; either way it says that nothing was connected.
    assert opening.returncode in (4, 5) and out == "", err


# Who may, and where


@pytest.fixture
def opened_runtime(runtime):
    """A runtime directory that other users can walk through."""
    runtime.chmod(0o711)
    return runtime


def as_other(script, *args, **options):
    """Starts a Python script as another user."""
    return subprocess.Popen(
        as_another_user("/usr/bin/python3", "-c", script, *args),
        cwd="/", stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


BRING = """
import socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.settimeout(30)
connection.connect(sys.argv[1])
try:
    connection.sendall(sys.argv[2].encode())
    connection.shutdown(socket.SHUT_WR)
    print(connection.recv(10))
except (BrokenPipeError, ConnectionResetError):
    print(b"")
"""

LISTEN = """
import os, socket, sys
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[1])
listener.listen()
os.chmod(sys.argv[1], 0o777)
print("listening", flush=True)
connection, _ = listener.accept()
print(connection.recv(100000))
"""


def test_another_user_is_not_heard(ready, opened_runtime):
    home, bank = ready
    enrolling = waiting(home, bank)
    redirect = sign_in_only(enrolling.page)
    place = opened_runtime / "countersign"
    path = place / sockets(opened_runtime)[0]
    done = as_other(BRING, path, redirect)
    assert "PermissionError" in done.communicate(timeout=60)[1], "the directory is closed already"
    # Even where the modes let another user in, the socket does not.
    place.chmod(0o711)
    path.chmod(0o666)
    out, err = as_other(BRING, path, redirect).communicate(timeout=60)
    assert out == "b''\n", (out, err)
    assert enrolling.process.poll() is None and names(home) == []
    out, err = subprocess.Popen(
        ["/usr/bin/python3", "-c", BRING, str(path), redirect], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True).communicate(timeout=60)
    assert out == "b'\\x01'\n" and enrolling.end() == 0, "the same from its own user counts"


def test_another_users_socket_is_told_nothing(ready, opened_runtime):
    home, bank = ready
    place = opened_runtime / "countersign"
    place.mkdir()
    place.chmod(0o777)
    listener = as_other(LISTEN, place / "redirect-1.sock")
    assert listener.stdout.readline() == "listening\n"
    opened = home.run("open", RETURN + "?id=1&access_token=t0ps3cret", pin=False)
    assert opened.code == 4, opened
    assert listener.communicate(timeout=60)[0] == "b''\n"


@pytest.mark.parametrize("fault", ["open", "link", "file", "foreign"])
def test_a_place_that_is_not_ones_own_is_refused(ready, runtime, tmp_path, fault):
    home, bank = ready
    place = runtime / "countersign"
    foreign = contextlib.nullcontext()
    if fault == "open":
        place.mkdir()
        place.chmod(0o750)
    elif fault == "link":
        (runtime / "elsewhere").mkdir(mode=0o700)
        place.symlink_to(runtime / "elsewhere")
    elif fault == "file":
        place.write_text("")
    else:
        # One that we can look into, so that it is known that no agent is there.
        place.mkdir(mode=0o755)
        foreign = given_away(place)
    with foreign:
        result = home.run("enroll", "-", "--callback", "scheme", "--yes", "--no-browser", stdin=bank.link() + "\n")
    assert result.code == 1 and str(place) in result.err and "--callback paste" in result.err, result
    assert bank.get("connections") == [], "nothing was told to the bank"


def test_too_long_a_path_is_a_clear_error(ready, tmp_path):
    home, bank = ready
    deep = tmp_path / ("d" * 100)
    deep.mkdir()
    home.environment["XDG_RUNTIME_DIR"] = str(deep)
    result = home.run("enroll", "-", "--callback", "scheme", "--yes", "--no-browser", stdin=bank.link() + "\n")
    assert result.code == 1 and "is longer than" in result.err and "--callback paste" in result.err, result


# The desktop's handler of links


@pytest.fixture
def desktop(home, runtime, tmp_path):
    """A home whose desktop knows only what is in `prefix`."""
    home.prefix = tmp_path / "local"
    home.environment |= {
        "HOME": str(tmp_path), "XDG_DATA_HOME": str(home.prefix / "share"), "XDG_DATA_DIRS": str(tmp_path / "none"),
        "XDG_RUNTIME_DIR": str(runtime)}
    home.environment.pop("XDG_CURRENT_DESKTOP", None)
    return home


def handler(home):
    """The check `scheme-handler` of doctor, and its exit code."""
    result = home.run("doctor", "--json", pin=False)
    check_schema(["doctor"], result.json)
    [check] = [check for check in result.json["checks"] if check["name"] == "scheme-handler"]
    return check, result.code


def add_desktop_file(home, name, scheme):
    folder = home.prefix / "share/applications"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(
        f"[Desktop Entry]\nType=Application\nName=Fern \x1b Reader\nExec=/bin/true %u\nMimeType=x-scheme-handler/{scheme};\n")
    subprocess.run(["update-desktop-database", str(folder)], check=True, timeout=60)


def test_doctor_tells_who_opens_links(desktop):
    check, code = handler(desktop)
    assert check["ok"] and code == 0 and "nothing opens authenticator links" in check["message"]
    assert "make install" in check["hint"]

    install(desktop.prefix)
    check, code = handler(desktop)
    assert check["ok"] and code == 0 and check["hint"] is None
    assert check["message"] == f"authenticator links are opened by {desktop.prefix}/bin/countersign"

    (desktop.prefix / "bin/countersign").unlink()
    check, code = handler(desktop)
    assert not check["ok"] and code == 1 and f"{desktop.prefix}/bin/countersign" in check["message"]
    assert str(desktop.prefix / "share/applications/countersign.desktop") in check["message"] and "make install" in check["hint"]

    make("uninstall", desktop.prefix)
    check, code = handler(desktop)
    assert check["ok"] and code == 0 and "nothing opens" in check["message"]


def test_doctor_tells_of_another_program(desktop):
    add_desktop_file(desktop, "fern.desktop", "authenticator")
    check, code = handler(desktop)
    assert check["ok"] and code == 0 and "opened by Fern" in check["message"] and "\x1b" not in check["message"]
    assert "xdg-mime default countersign.desktop x-scheme-handler/authenticator" in check["hint"]
    # Both are there, and the person chose the other one.
    install(desktop.prefix)
    choice = pathlib.Path(desktop.environment["XDG_CONFIG_HOME"]) / "mimeapps.list"
    choice.parent.mkdir(exist_ok=True)
    choice.write_text("[Default Applications]\nx-scheme-handler/authenticator=fern.desktop\n")
    assert "opened by Fern" in handler(desktop)[0]["message"]
    choice.write_text("[Default Applications]\nx-scheme-handler/authenticator=countersign.desktop\n")
    assert "bin/countersign" in handler(desktop)[0]["message"]


def test_doctor_looks_at_the_scheme_of_the_settings(desktop):
    settings(desktop, 'return_url = "FernBank://back"\n')
    install(desktop.prefix)
    check, code = handler(desktop)
    assert check["ok"] and code == 0 and "nothing opens fernbank links" in check["message"]
    assert "x-scheme-handler/fernbank" in check["hint"]


def test_the_desktop_hands_the_redirect_over(desktop, bank):
    """From the bank's page through the desktop's own way of opening links."""
    install(desktop.prefix)
    desktop.set_pin()
    enrolling = waiting(desktop, bank)
    assert "does not hand" not in enrolling.said
    opened = subprocess.run(
        ["gio", "open", sign_in_only(enrolling.page)], env=desktop.environment, capture_output=True, text=True, timeout=60)
    assert opened.returncode == 0, opened
    assert enrolling.end() == 0 and names(desktop) == ["demobank"]


def test_a_link_that_is_clicked_asks_in_a_window(desktop, tmp_path):
    """No terminal: the yes to the host, the PIN, and the yes to the bank come from a pinentry."""
    far = FarBank(tmp_path)
    try:
        install(desktop.prefix)
        # The desktop file has no options, and the system does not trust the bank's authority.
        program = desktop.prefix / "bin/countersign"
        program.rename(desktop.prefix / "bin/countersign.real")
        program.write_text(f'#!/bin/sh\nexec "$0.real" "$@" --ca-file "{AUTHORITY}"\n')
        program.chmod(0o755)
        fake = Fake(desktop.set_pin(), prompt="auto")
        environment = (
            desktop.environment | far.environment | fake.environment("OK\n", typed(PIN), "OK\n") | {"DISPLAY": ":99"})
        opened = subprocess.run(
            ["gio", "open", far.link(instant=True)], env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=60)
        assert opened.returncode == 0, opened
        until(lambda: names(desktop) == ["demobank"], seconds=60)
        assert fake.asked() == ["CONFIRM", "GETPIN", "CONFIRM"]
        assert any(HOST in line for line in fake.lines)
    finally:
        far.stop()
