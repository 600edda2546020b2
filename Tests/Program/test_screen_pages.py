"""Nothing is out of sight when the PIN is asked: a card that is taller than the screen is read page by page."""

import os
import re
import signal

import pytest
from conftest import PIN, finish
from test_watch_screen import PAGE_DOWN, UP, Screen
from tiqr import enrolled, make_site, site  # noqa: F401

SIZES = pytest.mark.parametrize("columns, rows", [(80, 24), (60, 15)], ids=["80x24", "60x15"])
# The last field fills a small screen with what looks like another payment.
FORGED = "To Mallory Ltd\nAmount 9,000.00 EUR\nReference R-5" + "\n.\n " * 20 + "\nPay 1.00 EUR\nTo Fern Books\nReference R-5"
MORE = r"^\[lines \d+ to \d+ of \d+\] space: next page, b: back, q: cancel"
END = r"^\[lines \d+ to \d+ of \d+, the end\] space: go on"


def read_to_the_end(screen):
    """Turns the pages up to the last one; returns all that was seen."""
    seen = []
    while True:
        screen.until(r"^\[lines \d+ to")
        assert "PIN to" not in screen.text and "Deny this" not in screen.text
        seen.append("\n".join(screen.lines))
        if re.search(END, screen.text, re.M):
            return "\n".join(seen)
        place = re.search(r"\[lines \d+ to \d+", screen.text)[0]
        screen.press(" ").until(r"^\[lines \d+ to", gone=[re.escape(place) + r"\b"])


@SIZES
@pytest.mark.parametrize("verb, question", [("approve", "PIN to approve"), ("deny", "Deny this")])
def test_a_tall_card_is_read_to_its_end(connected, bank, columns, rows, verb, question):
    id = bank.pay("Pay 9,000.00 EUR to Mallory", FORGED)
    fingerprint = connected.json("show", f"demobank:{id}")["fingerprint"]
    screen = Screen(connected, columns, rows, [f"demobank:{id}"], command=verb)
    screen.until("^┌──", MORE)
    seen = read_to_the_end(screen)
    for words in ("├ Demo Bank · 127.0.0.1", "To Mallory Ltd", "Amount 9,000.00 EUR", "To Fern Books", f"└ demobank:{id}"):
        assert words in seen
    screen.press(" ")
    short = " ".join(fingerprint[i:i + 4] for i in range(0, 16, 4))
    lines = screen.until(f"^{question}")
    at = next(n for n, line in enumerate(lines) if line.startswith(question))
    assert lines[at - 2:at] == ["title        Pay 9,000.00 EUR to Mallory", f"fingerprint  {short}"]
    screen.press(PIN + "\r" if verb == "approve" else "y\r")
    screen.until(rf"^(approved|denied)  demobank:{id}")
    assert finish(screen.child) == 0


def test_the_keys_are_those_of_a_pager(connected, bank):
    id = bank.pay("Pay 9,000.00 EUR", FORGED)
    screen = Screen(connected, 80, 15, [f"demobank:{id}"], command="approve")
    screen.until(r"^\[lines 1 to 13 of")
    screen.press("\r").until(r"^\[lines 2 to 14 of")
    screen.press(" ").until(r"^\[lines 15 to 27 of")
    screen.press("b").until(r"back to line 2\)", r"^\[lines 2 to 14 of")
    screen.press(UP).until(r"^\[lines 1 to 13 of", "^┌──")
    screen.press("x" + PAGE_DOWN).until(r"^\[lines 14 to 26 of")
    # No number of keys that turn pages gives the PIN, or costs a try.
    screen.press(" " * 40).until("^PIN to approve")
    screen.press(PIN + "\r").until("confirmed by the bank")
    assert finish(screen.child) == 0


@pytest.mark.parametrize("key", ["q", "\x03", "\x04"])
def test_leaving_before_the_end_cancels(connected, bank, key):
    id = bank.pay("Pay 9,000.00 EUR", FORGED)
    screen = Screen(connected, 80, 24, [f"demobank:{id}"], command="approve")
    screen.until(MORE)
    screen.press(key).until("^error: cancelled", gone=["PIN to approve"])
    assert finish(screen.child) == 2 and bank.authorization(id)["decisions_received"] == 0


def test_a_short_card_stays_in_sight(connected, bank):
    id = bank.pay("Pay 9.90 EUR", "To Fern Books")
    screen = Screen(connected, 80, 24, [f"demobank:{id}"], command="approve")
    lines = screen.until("^┌──", "^PIN to approve", gone=["space:"])
    # Three wrong PINs push nothing of it away, and nothing is said twice.
    assert sum("Pay 9.90 EUR" in line for line in lines) == 1
    for wrong in ("314159", "314158"):
        screen.press(wrong + "\r").until("^wrong PIN", "^┌──")
    screen.press("\x03").until("^error: cancelled", "^┌──")
    assert finish(screen.child) == 2


@SIZES
@pytest.mark.parametrize("args", [[], ["--once"]], ids=["live", "once"])
def test_watch_pages_too(connected, bank, columns, rows, args):
    id = bank.pay("Pay 9,000.00 EUR", FORGED)
    screen = Screen(connected, columns, rows, args)
    if args:
        read_to_the_end(screen)
        screen.press(" ").until(r"^\[a\]pprove")
        screen.press("a")
    else:
        screen.until(r"^\[a\]pprove")
        screen.press("a")
        read_to_the_end(screen)
        screen.press(" ")
    screen.until("^title        Pay 9,000.00 EUR$", "^fingerprint  ", "^PIN to approve")
    screen.press(PIN + "\r").until("confirmed by the bank")
    if args:
        assert finish(screen.child) == 0
    else:
        screen.quit()
    assert bank.authorization(id)["status"] == "confirmed"


@SIZES
def test_what_a_program_may_have_is_paged(home, columns, rows):
    home.set_pin()
    scopes = [word for n in range(40) for word in ("--scope", f"scope-of-some-length-{n}:Session:fern")]
    screen = Screen(
        home, columns, rows, ["add", "unit:x.service", "--session", "fern", *scopes], needs_pin=False, command="grants")
    seen = read_to_the_end(screen)
    assert "Program: unit:x.service" in seen and "scope-of-some-length-39" in seen
    # No scope begins a line.
    assert not re.search("^scope", seen, re.M)
    screen.press(" ").until("^Program: unit:x.service$", "^Session: fern$", "^PIN to allow")
    screen.press("\x03")
    assert finish(screen.child) == 2


def test_a_question_about_hosts_is_paged(home, bank):
    home.set_pin()
    screen = Screen(home, 24, 3, [bank.link(instant=True)], command="enroll")
    screen.until(r"^\[lines 1", gone=["Continue"])
    while not re.search(r"Continue\? \[y/N\]", screen.text):
        shown = screen.text
        screen.press(" ").until(r"^\[lines \d+ to|Continue\? \[y/N\]", gone=[re.escape(shown.splitlines()[-1])])
    screen.press("n\r")
    assert finish(screen.child) == 2


@SIZES
def test_a_request_in_a_link_is_paged(enrolled, site, columns, rows):  # noqa: F811
    screen = Screen(enrolled, columns, rows, [site.challenge(site="Acorn Bank " * 80)], command="act")
    seen = read_to_the_end(screen)
    assert "Log in to Fern login" in seen and seen.count("Acorn Bank") > 20
    assert re.search("^└ ", screen.text, re.M)
    screen.press(" ").until("^title +Log in to Fern login", "^fingerprint  ", "^PIN to approve")
    screen.press(PIN + "\r").until("^approved ")
    assert finish(screen.child) == 0 and len(site.logins()) == 1


# Another size while pages are read


@pytest.mark.parametrize("columns, rows", [(80, 12), (60, 15), (50, 24)])
@pytest.mark.parametrize("args", [["approve"], ["watch", "--once"]], ids=["approve", "watch"])
def test_the_end_is_shown_at_the_size_of_now(connected, bank, args, columns, rows):
    id = bank.pay("Pay 9,000.00 EUR", FORGED)
    screen = Screen(connected, 80, 24, [f"demobank:{id}"] if args == ["approve"] else args[1:], command=args[0])
    read_to_the_end(screen)
    screen.resize(columns, rows)
    # Nothing is pressed: the page is drawn anew by itself.
    while not re.search(r"\(another size; again from line \d+\)(.|\n)*\[lines \d+ to", screen.written):
        screen.read(0.2)
    assert not re.search(r"PIN to approve|\[a\]pprove", screen.text)
    assert all(len(line) <= columns for line in screen.lines)
    read_to_the_end(screen)
    assert re.search("^└ demobank", screen.text, re.M)
    screen.press(" ").until(r"^PIN to approve|^\[a\]pprove")
    screen.press("\x03")
    assert finish(screen.child) == 2


def test_a_larger_terminal_shows_the_whole_card(connected, bank):
    id = bank.pay("Pay 9,000.00 EUR", FORGED)
    screen = Screen(connected, 60, 15, [f"demobank:{id}"], command="approve")
    screen.until(MORE)
    screen.resize(80, 100)
    lines = screen.until("^┌──", "^└ demobank", "^PIN to approve")
    assert lines[[n for n, line in enumerate(lines) if line.startswith("┌──")][-1] + 1] == "│ Pay 9,000.00 EUR"
    screen.press(PIN + "\r").until("confirmed by the bank")
    assert finish(screen.child) == 0


def test_keys_of_the_old_size_turn_no_page(connected, bank):
    id = bank.pay("Pay 9,000.00 EUR", FORGED)
    screen = Screen(connected, 80, 24, [f"demobank:{id}"], command="approve")
    read_to_the_end(screen)
    # The job is stopped, as by another window in front of it: size and keys come together.
    os.kill(screen.child.pid, signal.SIGSTOP)
    screen.resize(60, 15)
    screen.press("   ")
    os.kill(screen.child.pid, signal.SIGCONT)
    screen.until(r"^\[lines 1 to \d+ of \d+\] space: next page", gone=["PIN to approve"])
    screen.press("q")
    assert finish(screen.child) == 2


# Not me


@pytest.mark.parametrize("columns, rows", [(80, 24), (60, 15), (50, 10), (80, 100)])
@pytest.mark.parametrize("args", [[], ["--once"]], ids=["live", "once"])
def test_not_me_shows_the_card_to_its_end_before_its_pin(home, bank, columns, rows, args):
    """Where a denial is signed it takes the PIN, and a PIN is only for what was seen."""
    home.set_pin().enroll(bank, protocol="v2", name="demobank")
    id = bank.pay("Pay 9,000.00 EUR", {"text": FORGED})
    screen = Screen(home, columns, rows, args)
    keys = r"^\[a\](pprove| )"

    def read(before=0):
        """All that was drawn since then until the keys, or the PIN, are asked for."""
        while not re.search(rf"{keys}|^PIN to deny", screen.text, re.M):
            if place := re.search(r"^\[lines \d+ to \d+", screen.text, re.M):
                screen.press(" ").until(rf"^\[lines \d+ to|{keys}|^PIN to deny", gone=[re.escape(place[0]) + r"\b"])
            screen.read(0.1)
        return screen.written[before:]

    seen = read()
    screen.until(keys)
    before = len(screen.written)
    screen.press("n").until("", gone=[] if args else [r"\[n\]|a d s n"])
    if not args:
        seen = read(before)
    screen.until("^PIN to deny")
    assert bank.authorization(id)["decisions_received"] == 0
    for words in ("Pay 9,000.00 EUR", "To Mallory Ltd", "Amount 9,000.00 EUR", "Pay 1.00 EUR", "To Fern Books", f"└ demobank:{id}"):
        assert words in seen, words
    if rows < 100 or args:
        # What it is for stands beside the PIN.
        screen.until("^title +Pay 9,000.00 EUR$", "^fingerprint  ")
    screen.press(PIN + "\r").until(r"\[y/N\]")
    assert bank.authorization(id)["status"] == "denied"
    screen.press("n\r").until("^Tell your bank")
    finish(screen.child)
