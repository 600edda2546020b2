"""The link from a picture: the QR code that the demo bank shows, as a file, on standard input and on the screen; pictures with
several codes, with none, and what is no picture.
"""

import http.cookiejar
import io
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import tempfile
import urllib.parse
import urllib.request
import zlib

import pytest
import qrcode
from agents import Desktop
from conftest import PIN, finish
from PIL import Image, ImageOps
from test_pages import HEADLESS

OTHER = "authenticator://saltedge.com/connect?configuration=https://sca.fernbank.example/configuration&connect_query=sUpErSeCrEt"


def drawn(text, scale=4):
    """A code that is drawn with characters, as a picture: each is two modules, one above the other, filled where they are light."""
    lines = text.splitlines()
    picture = Image.new("L", (len(lines[0]), 2 * len(lines)), 0)
    for y, line in enumerate(lines):
        for x, character in enumerate(line):
            for half in range(2):
                if character == "█" or character == "▀▄"[half]:
                    picture.putpixel((x, 2 * y + half), 255)
    return picture.resize((picture.width * scale, picture.height * scale), Image.NEAREST)


def coded(text):
    return qrcode.make(text).get_image().convert("L")


def saved(path, picture, **options):
    picture.save(path, **options)
    return path


def code(bank, **options):
    """The QR code of a new link, as the bank draws it."""
    return drawn(bank.post("links", user="ada", **{"instant": True, **options})["code"])


def side_by_side(*pictures):
    whole = Image.new("L", (sum(p.width + 60 for p in pictures), max(p.height for p in pictures) + 80), 255)
    x = 30
    for picture in pictures:
        whole.paste(picture, (x, 40))
        x += picture.width + 60
    return whole


def transparent(picture):
    whole = Image.new("RGBA", picture.size, (0, 0, 0, 0))
    whole.paste((0, 0, 0, 255), mask=ImageOps.invert(picture))
    return whole


def on_a_desktop(picture):
    """Small, at the side of a screen with other things on it."""
    screen = Image.linear_gradient("L").resize((2560, 1440))
    for x in range(0, 2560, 37):
        screen.paste(40, (x, 900, x + 12, 1300))
    screen.paste(picture, (1500, 200))
    return screen.convert("RGB")


@pytest.fixture
def ready(home, bank):
    return home.set_pin(), bank


SHAPES = {
    "png": lambda p, at: saved(at / "code.png", p),
    "one bit": lambda p, at: saved(at / "code.png", p.convert("1")),
    "palette": lambda p, at: saved(at / "code.png", p.convert("P")),
    "jpeg": lambda p, at: saved(at / "code.jpg", p.convert("RGB"), quality=60),
    "grey progressive jpeg": lambda p, at: saved(at / "code.jpeg", p, quality=80, progressive=True),
    "rotated": lambda p, at: saved(at / "code.png", p.rotate(33, expand=True, fillcolor=255, resample=Image.BICUBIC)),
    "upside down": lambda p, at: saved(at / "code.png", p.rotate(180)),
    "light on dark": lambda p, at: saved(at / "code.png", ImageOps.invert(p)),
    "transparent": lambda p, at: saved(at / "code.png", transparent(p)),
    "a screen": lambda p, at: saved(at / "code.png", on_a_desktop(p)),
    "another name": lambda p, at: saved(at / "picture", p, format="PNG"),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_the_banks_code_becomes_a_connection(ready, tmp_path, shape):
    home, bank = ready
    path = SHAPES[shape](code(bank), tmp_path)
    home.json("enroll", "--image", path, "--yes")
    id = bank.pay()
    assert [item["id"] for item in home.json("pending")["authorizations"]] == [id]


def test_the_page_of_the_bank_has_its_code_as_text(ready, tmp_path):
    home, bank = ready
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))

    def visit(path, **fields):
        page = browser.open(bank.url + path, timeout=30).read().decode()
        if not fields:
            return page
        token = dict(re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)"', page.split('class="card"')[1]))
        answer = browser.open(bank.url + path, urllib.parse.urlencode(token | fields).encode(), timeout=30)
        return answer.read().decode()

    visit("/signup", name="eve", password="correct horse")
    page = visit("/enroll", kind="v1-token")
    [path] = re.findall(r'href="(/enroll/\d+/code\.txt)"', page)
    home.ok("enroll", "--image", saved(tmp_path / "code.png", drawn(visit(path))), "--yes")
    assert bank.get("connections")[0]["user"] == "eve"
    # Only for the one whose code it is.
    with pytest.raises(urllib.error.HTTPError):
        other = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar()))
        browser = other
        visit("/signup", name="mallory", password="correct horse")
        visit(path)


def test_from_standard_input(ready):
    home, bank = ready
    held = io.BytesIO()
    code(bank).save(held, "PNG")

    def run(*args):
        return subprocess.run(
            home.argv("enroll", "--image", "-", "--yes", *args), input=held.getvalue(), capture_output=True, timeout=60,
            env=home.environment)

    refused = run("--pin-file", "-")
    assert refused.returncode == 64 and b"cannot both come from standard input" in refused.stderr
    done = run("--pin-file", home.pin_file)
    assert done.returncode == 0, done
    assert b"Connected: demobank" in done.stdout + done.stderr


def test_the_host_is_asked_about_as_for_a_link(ready, tmp_path):
    home, bank = ready
    path = saved(tmp_path / "code.png", code(bank))
    result = home.run("enroll", "--image", path)
    assert result.code == 3 and f"{bank.url.removeprefix('http://')} (Demo Bank) wants to connect" in result.err
    child = home.terminal("enroll", "--image", path, "--pin-file", home.pin_file)
    child.expect(r"\(Demo Bank\) wants to connect this computer\. Continue\? \[y/N\] ")
    child.sendline("n")
    assert finish(child) == 2 and home.json("connections")["connections"] == []


# Several codes


def test_of_several_codes_the_person_chooses(ready, tmp_path):
    home, bank = ready
    path = saved(tmp_path / "codes.png", side_by_side(coded(OTHER), code(bank)))
    own = bank.url.removeprefix("http://")
    child = home.terminal("enroll", "--image", path, "--yes", "--pin-file", home.pin_file)
    child.expect_exact("The picture has 2 codes:")
    child.expect(r"Which one, 1 to 2 \(empty cancels\)\? ")
    listed = dict(re.findall(r"  (\d)  (\S+)\r\n", child.before))
    assert sorted(listed.values()) == sorted([own, "sca.fernbank.example"]) and "ecr" not in child.before
    child.sendline("3")
    child.expect_exact("That is none of them.")
    child.sendline(next(number for number, host in listed.items() if host == own))
    child.expect_exact("Connected: demobank")
    assert finish(child) == 0
    # Empty is nobody's choice.
    child = home.terminal("enroll", "--image", path, "--yes", "--pin-file", home.pin_file)
    child.expect_exact("(empty cancels)? ")
    child.sendline("")
    assert finish(child) == 2


@pytest.mark.parametrize("options", [[], ["--no-input"]])
def test_without_a_terminal_several_codes_are_wrong_usage(ready, tmp_path, options):
    home, bank = ready
    path = saved(tmp_path / "codes.png", side_by_side(coded(OTHER), code(bank)))
    result = home.run("enroll", "--image", path, "--yes", *options)
    assert result.code == 64 and "the picture has 2 codes, for " in result.err and "sca.fernbank.example" in result.err
    assert "sUpErSeCrEt" not in result.err + result.out and bank.get("connections") == []


def test_codes_that_are_no_links_are_passed_by(ready, tmp_path):
    home, bank = ready
    path = saved(tmp_path / "codes.png", side_by_side(coded("https://example.com/app"), code(bank)))
    home.ok("enroll", "--image", path, "--yes")


# What is no picture of a bank's code


def cut(picture, form, count):
    held = io.BytesIO()
    picture.convert("RGB").save(held, form)
    return held.getvalue()[:count]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png_of(width, height, depth=8, kind=0, data=zlib.compress(bytes(1000))):
    head = struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", data) + chunk(b"IEND", b"")


def jpeg_of(width, height):
    whole = bytearray(cut(coded(OTHER), "JPEG", None))
    at = whole.index(b"\xff\xc0") + 5
    whole[at:at + 4] = struct.pack(">HH", height, width)
    return bytes(whole)


FOREIGN = "this is neither a PNG nor a JPEG picture"
DAMAGED = "the picture is damaged or incomplete"
TOO_LARGE = "the picture has too many pixels: at most 50 million, and 16384 on a side"
FAULTY = {
    "a picture without a code": (lambda: cut(Image.effect_noise((400, 300), 80), "PNG", None), "there is no QR code in the picture"),
    "a truncated PNG": (lambda: cut(coded(OTHER), "PNG", 300), DAMAGED),
    "a PNG's first bytes": (lambda: cut(coded(OTHER), "PNG", 8), DAMAGED),
    "a truncated JPEG": (lambda: cut(coded(OTHER), "JPEG", 3000), DAMAGED),
    "a JPEG's first bytes": (lambda: b"\xff\xd8\xff", DAMAGED),
    "a PNG of 60000 by 60000": (lambda: png_of(60000, 60000), TOO_LARGE),
    "a PNG of 16000 by 16000": (lambda: png_of(16000, 16000, depth=16, kind=6), TOO_LARGE),
    "a PNG of one long line": (lambda: png_of(900000, 1), TOO_LARGE),
    "a PNG of two thousand million lines": (lambda: png_of(1, 2**31 - 1), DAMAGED + "|" + TOO_LARGE),
    "a PNG with too little in it": (lambda: png_of(4000, 4000), DAMAGED),
    "a PNG with other data": (lambda: png_of(100, 100, data=b"not compressed"), DAMAGED),
    "a JPEG of 65000 by 65000": (lambda: jpeg_of(65000, 65000), TOO_LARGE),
    "a JPEG with too little in it": (lambda: jpeg_of(7000, 7000), DAMAGED),
    "text": (lambda: b"authenticator://saltedge.com/connect?configuration=x\n", FOREIGN),
    "nothing": (lambda: b"", FOREIGN),
    "a GIF": (lambda: cut(coded(OTHER), "GIF", None), FOREIGN),
    "a web address": (lambda: cut(coded("https://example.com/"), "PNG", None), "the code in the picture is not a bank link: "),
    "two web addresses": (
        lambda: cut(side_by_side(coded("https://example.com/"), coded("https://example.org/")), "PNG", None),
        "none of the 2 codes in the picture is a bank link"),
    "an instant action": (
        lambda: cut(coded("authenticator://saltedge.com/action?action_uuid=sUpErSeCrEt&connect_url=https://fern.example"), "PNG", None),
        "this link is an instant action, not a bank to connect"),
}


@pytest.mark.parametrize("what", FAULTY)
def test_what_is_no_code_of_a_bank_is_refused(home, tmp_path, what):
    make, words = FAULTY[what]
    path = tmp_path / "picture"
    path.write_bytes(make())
    result = home.run("enroll", "--image", path, "--yes", pin=False)
    assert result.code == 64 and re.match(f"error: ({words})", result.err), result
    assert "sUpErSeCrEt" not in result.err and "SECRET" not in result.err


def test_what_is_no_file_is_refused_at_once(home, tmp_path):
    pipe, folder, long, closed = (tmp_path / name for name in ("pipe", "folder", "long", "closed"))
    os.mkfifo(pipe)
    folder.mkdir()
    with open(long, "wb") as file:
        file.truncate((16 << 20) + 1)
    for path, words in ((pipe, "not a regular file"), (folder, "is a directory"), (long, "is too long: at most 16 MiB"),
                        (tmp_path / "none", "cannot be read: no such file"), ("/dev/zero", "not a regular file")):
        result = home.run("enroll", "--image", path, "--yes", pin=False, timeout=20)
        assert result.code == 64 and words in result.err.splitlines()[0], result
    # Nor is standard input read for ever.
    with open("/dev/zero", "rb") as zero:
        done = subprocess.run(
            home.argv("enroll", "--image", "-", "--yes"), stdin=zero, capture_output=True, text=True, timeout=60, env=home.environment)
    assert done.returncode == 64 and "is too long" in done.stderr


def test_the_ways_to_a_link_exclude_each_other(home):
    for words in (["authenticator://x", "--image", "x"], ["--image", "x", "--screen"], ["--clipboard", "--screen"], ["-", "--clipboard"]):
        result = home.run("enroll", *words, pin=False)
        assert result.code == 64 and "exclude each other" in result.err, result


HIDING = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
void *dlopen(const char *file, int flags) {
    const char *hidden = getenv("HIDDEN_LIBRARY");
    if (file != NULL && hidden != NULL && strncmp(file, hidden, strlen(hidden)) == 0) return NULL;
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(file, flags);
}
"""


# The decoder


# Each block of about the size of the picture ends where nothing may be written.
GUARDING = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
extern void *__libc_malloc(size_t);
extern void __libc_free(void *);
static struct { char *block, *start; size_t count; } guarded[64];
static size_t from, to;
__attribute__((constructor)) static void begin(void) {
    const char *text = getenv("GUARDED");
    if (text != NULL) from = strtoull(text, NULL, 10), to = from + 32 * 1024;
}
void *malloc(size_t size) {
    if (size < from || size >= to || to == 0) return __libc_malloc(size);
    for (int i = 0; i < 64; i++) {
        if (guarded[i].block != NULL) continue;
        size_t count = (size + 4095) / 4096 * 4096;
        char *start = mmap(NULL, count + 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (start == MAP_FAILED || mprotect(start + count, 4096, PROT_NONE) != 0) abort();
        guarded[i].start = start;
        guarded[i].count = count + 4096;
        return guarded[i].block = start + count - size;
    }
    abort();
}
void free(void *block) {
    for (int i = 0; block != NULL && i < 64; i++) {
        if (guarded[i].block != block) continue;
        munmap(guarded[i].start, guarded[i].count);
        guarded[i].block = NULL;
        return;
    }
    __libc_free(block);
}
"""


def preloaded(tmp_path, source):
    (tmp_path / "preloaded.c").write_text(source)
    library = tmp_path / "preloaded.so"
    subprocess.run(
        [shutil.which("cc") or "clang", "-shared", "-fPIC", "-o", library, tmp_path / "preloaded.c", "-ldl"], check=True, timeout=60)
    return str(library)


@pytest.mark.parametrize("form", ["PNG", "JPEG"])
def test_a_picture_of_any_size_is_read_within_its_bounds(ready, tmp_path, form):
    """zbar's pass over inverted colours copies eight bytes at a time."""
    home, bank = ready
    library = preloaded(tmp_path, GUARDING)
    whole = ImageOps.invert(code(bank))
    for width, height in [(701 + i, 699 + i // 3) for i in range(8)]:
        picture = whole.resize((width, height))
        path = tmp_path / "picture"
        picture.save(path, form, quality=95)
        environment = {"LD_PRELOAD": library, "GUARDED": str(width * height)}
        result = home.run("act", "--image", path, "--yes", pin=False, environment=environment)
        # The code was read.
        assert result.code == 64 and "this link connects a bank" in result.err, (width, height, result)


LIMITS = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
void *dlopen(const char *file, int flags) {
    const char *way = getenv("WAY");
    if (way != NULL && file != NULL && strncmp(file, "libzbar", 7) == 0) {
        char *limits = NULL, name[64];
        size_t count = 0;
        FILE *from = fopen("/proc/self/limits", "r"), *to = fopen(getenv("TOLD"), "a");
        while (getline(&limits, &count, from) > 0) fputs(limits, to);
        fprintf(to, "descriptors");
        for (int i = 0; i < 64; i++) if (i != fileno(from) && i != fileno(to) && dup2(i, i) == i) fprintf(to, " %d", i);
        fclose(to);
        if (strcmp(way, "crash") == 0) *(volatile int *)8 = 1;
        if (strcmp(way, "memory") == 0) for (;;) memset(malloc(1 << 24), 1, 1 << 24);
    }
    void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
    return next(file, flags);
}
"""


@pytest.mark.parametrize("way", ["nothing", "crash", "memory"])
def test_the_decoder_has_limits_and_a_process_of_its_own(ready, tmp_path, way):
    home, bank = ready
    told = tmp_path / "told"
    told.touch()
    path = saved(tmp_path / "code.png", code(bank))
    environment = {"LD_PRELOAD": preloaded(tmp_path, LIMITS), "WAY": way, "TOLD": str(told)}
    result = home.run("enroll", "--image", path, "--yes", environment=environment)
    if way == "nothing":
        assert result.code == 0 and "Connected: demobank" in result.out + result.err, result
    else:
        assert result.code == 64 and result.err.startswith("error: the picture took too much time or memory, or is damaged\n"), result
    limits = dict(re.findall(r"^(Max [a-z ]+?)  +(\d+)", told.read_text(), re.M))
    assert (limits["Max cpu time"], limits["Max address space"], limits["Max core file size"]) == ("20", str(1 << 30), "0")
    # Nothing of the process that asks.
    assert told.read_text().endswith("descriptors 0 1 2")


@pytest.mark.parametrize("library,form,package", [
    ("libzbar", "PNG", "libzbar0"), ("libpng16", "PNG", "libpng16-16"), ("libturbojpeg", "JPEG", "libturbojpeg0")])
def test_a_library_that_is_missing_is_named_by_its_package(home, tmp_path, library, form, package):
    (tmp_path / "hiding.c").write_text(HIDING)
    hiding = tmp_path / "hiding.so"
    subprocess.run(
        [shutil.which("cc") or "clang", "-shared", "-fPIC", "-o", hiding, tmp_path / "hiding.c"], check=True)
    path = tmp_path / "picture"
    path.write_bytes(cut(coded(OTHER), form, None))
    environment = {"LD_PRELOAD": str(hiding), "HIDDEN_LIBRARY": library}
    result = home.run("enroll", "--image", path, "--yes", pin=False, environment=environment)
    assert result.code == 1 and f"hint: apt install {package}" in result.err, result


def test_an_instant_action_from_a_picture(connected, bank, tmp_path):
    link = bank.post("actions", user="ada", kind="plain")["link"]
    answer = connected.json("act", "--image", saved(tmp_path / "code.png", coded(link)), "--yes")
    assert answer["action"]["success"] is True
    result = connected.run("act", "--image", saved(tmp_path / "bank.png", coded(OTHER)), "--yes")
    assert result.code == 64 and "this link connects a bank" in result.err and "sUpErSeCrEt" not in result.err


# The screen


@pytest.fixture
def portal(tmp_path):
    desktop = Desktop(tmp_path, "--portal", *HEADLESS)
    yield desktop
    desktop.stop()


def test_from_the_screen(ready, portal, tmp_path):
    home, bank = ready
    path = saved(tmp_path / "Screenshot 1 ä.png", on_a_desktop(code(bank)))
    kept = shutil.copy(path, tmp_path / "kept.png")
    portal.do("screenshot", urllib.parse.quote(str(path)))
    told = home.ok("enroll", "--screen", "--yes")
    assert "The desktop takes a picture of the screen" in told.err and "Connected: demobank" in told.out + told.err
    [call] = portal.made("Screenshot")
    assert call["options"] == {"interactive": True} and call["window"] == ""
    assert not path.exists() and pathlib.Path(kept).exists(), "nobody else shall find the code"


def test_a_picture_of_the_screen_without_a_code_is_deleted_too(home, portal, tmp_path):
    path = saved(tmp_path / "screen.png", Image.linear_gradient("L"))
    portal.do("screenshot", str(path))
    result = home.run("enroll", "--screen", "--yes", pin=False)
    assert result.code == 64 and "there is no QR code in the picture" in result.err and not path.exists()


def test_who_takes_no_picture_cancels(home, portal):
    result = home.run("enroll", "--screen", "--yes", pin=False)
    assert result.code == 2 and "error: cancelled" in result.err


def test_no_portal(home):
    result = home.run("enroll", "--screen", "--yes", pin=False)
    assert result.code == 1 and "this desktop has no portal" in result.err and "--image" in result.err
    assert "apt install xdg-desktop-portal," in result.err


@pytest.mark.parametrize("way,words,isMissing", [
    ("no-backend", "error: the desktop's portal takes no pictures of the screen here\n", True),
    ("refuse", "error: the desktop's portal refused: no ⟨U+001B⟩[31mpictures\n", False),
    ("fail", "error: the desktop's portal could not take a picture", False)])
def test_a_portal_that_takes_no_picture_is_told_by_its_reason(home, portal, way, words, isMissing):
    portal.do("pictures", way)
    result = home.run("enroll", "--screen", "--yes", pin=False)
    assert result.code == 1 and words in result.err and "--image" in result.err, result
    assert "apt install" not in result.err and ("install the portal of your desktop" in result.err) == isMissing, result


def test_the_screen_is_not_asked_for_without_input(home, portal):
    result = home.run("enroll", "--screen", "--yes", "--no-input", pin=False)
    assert result.code == 3 and portal.made("Screenshot") == []


# The clipboard; of a real desktop in Tests/Desktop


def test_a_clipboard_needs_a_desktop_and_a_program(home):
    result = home.run("enroll", "--clipboard", "--yes", pin=False)
    assert result.code == 64 and "there is no desktop here" in result.err
    for display, program, package in (("WAYLAND_DISPLAY", "wl-paste", "wl-clipboard"), ("DISPLAY", "xclip", "xclip")):
        result = home.run("enroll", "--clipboard", "--yes", pin=False, environment={display: "x", "PATH": "/nowhere"})
        assert result.code == 1 and f"read by {program}" in result.err and f"hint: apt install {package}\n" in result.err


def test_a_clipboard_program_that_closes_its_output_and_goes_on_is_ended(home, tmp_path):
    """After ten seconds."""
    program, pid = tmp_path / "wl-paste", tmp_path / "pid"
    program.write_text(f"#!/bin/sh\necho $$ >{pid}\nexec sleep 600 >&-\n")
    program.chmod(0o755)
    environment = {"WAYLAND_DISPLAY": "x", "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    result = home.run("enroll", "--clipboard", "--yes", pin=False, environment=environment, timeout=60)
    assert result.code != 0 and result.err.startswith("error: "), result
    assert not os.path.exists(f"/proc/{pid.read_text().strip()}")
