"""The device flow: a code that the person enters on another page."""

import ctypes
import re

import pytest
from issuers import DeviceRun, Issuer, visit
from test_pictures import drawn


@pytest.fixture
def home(home):
    return home.set_pin()


def test_a_code_that_is_entered_elsewhere(home):
    with Issuer(device_interval=1) as issuer:
        issuer.resources = [issuer.api]
        run = DeviceRun(home, issuer, "--resource", issuer.api, "--json")
        page, code, whole = run.shown
        assert page == issuer.base + "/activate" and re.fullmatch(r"[A-Z]{4}-[A-Z]{4}", code) and whole == f"{page}?user_code={code}"
        assert "Enter no code that somebody sent you" in run.talk
        assert visit(whole)[0] == 200
        result = run.end()
        assert result.code == 0, result
        session = result.json["session"]
        assert (session["account"], session["refreshable"], session["resources"]) == ("mira@fern.example", True, [issuer.api])
        assert home.ok("header", issuer.api).out.startswith("Authorization: Bearer ")
        # Registered for this flow; the registration serves the next one, too.
        again = DeviceRun(home, issuer, "--name", "other")
        again.process.kill()
        assert again.end().code == -9 and again.shown
        assert len(issuer.requests("register")) == 1 and issuer.complaints == []


def test_a_page_elsewhere_is_warned_of(home):
    """It may be that of an honest issuer, from which a hostile one has the code."""
    page = "https://login.honest.example/device"
    with Issuer(device_interval=1) as issuer:
        issuer.fault("device", "change", **{"with": {"verification_uri": page, "verification_uri_complete": None}})
        run = DeviceRun(home, issuer)
        run.process.kill()
        run.end()
        host = issuer.origin.removeprefix("http://")
        assert f"warning: the page is at login.honest.example, not at {host}: enter the code only if" in run.talk
        assert "yours alone" not in run.talk and page in run.talk
        run = DeviceRun(home, issuer)
        run.process.kill()
        run.end()
        assert "warning" not in run.talk and "yours alone" in run.talk


def test_a_code_that_is_refused(home):
    """At an issuer with a name of its own for this grant, in registrations alone, as glewlwyd has it."""
    with Issuer(device_interval=1, consent="refuse", device_grant="device_authorization") as issuer:
        run = DeviceRun(home, issuer)
        visit(run.shown[2])
        result = run.end()
        assert result.code == 5 and "refused on the issuer's page" in result.err, result
        assert home.json("sessions") == {"sessions": []}


def test_what_the_device_flow_has_no_place_for(home):
    with Issuer(metadata={"device_authorization_endpoint": None}) as issuer:
        result = home.run("login", issuer.issuer, "--device", "--yes", "--json")
        assert (result.code, result.json["error"]["kind"]) == (5, "refused"), result
    assert home.run("login", "https://fern.example", "--device", "--fresh").code == 64


def read(picture):
    """The text of the QR code in a grey picture, by zbar."""
    zbar = ctypes.CDLL("libzbar.so.0")
    for name in ("zbar_image_scanner_create", "zbar_image_create", "zbar_image_first_symbol"):
        getattr(zbar, name).restype = ctypes.c_void_p
    zbar.zbar_symbol_get_data.restype = ctypes.c_char_p
    scanner, image = ctypes.c_void_p(zbar.zbar_image_scanner_create()), ctypes.c_void_p(zbar.zbar_image_create())
    data = picture.tobytes()
    zbar.zbar_image_set_format(image, ctypes.c_ulong(int.from_bytes(b"Y800", "little")))
    zbar.zbar_image_set_size(image, picture.width, picture.height)
    zbar.zbar_image_set_data(image, data, ctypes.c_ulong(len(data)), None)
    assert zbar.zbar_scan_image(scanner, image) == 1
    return zbar.zbar_symbol_get_data(ctypes.c_void_p(zbar.zbar_image_first_symbol(image))).decode()


def test_a_telephone_reads_the_page(home):
    """With the code in its address, where the terminal is wide enough."""
    with Issuer() as issuer:
        for columns in (80, 30):
            child = home.terminal("login", issuer.issuer, "--device", "--yes", "--pin-file", str(home.pin_file), columns=columns)
            child.expect("Waiting for the issuer")
            shown = child.before
            child.close(force=True)
            whole = re.search(r"  (\S+user_code=\S+)", shown)[1]
            lines = [line for line in shown.splitlines() if re.fullmatch("[█▀▄ ]{21,}", line)]
            if columns == 80:
                assert read(drawn("\n".join(lines))) == whole
            else:
                assert lines == []
