"""watch as a person sees it: a terminal of a certain size, emulated, with what really stands on it."""

import re

import pexpect
import pyte
import pytest
from agents import agents, configure, desktop
from conftest import PIN, finish
from innards import until

DOWN, UP, RIGHT, LEFT, BACK_TAB = "\x1b[B", "\x1b[A", "\x1b[C", "\x1b[D", "\x1b[Z"
PAGE_DOWN, PAGE_UP, HOME, END = "\x1b[6~", "\x1b[5~", "\x1b[H", "\x1b[F"
SIZES = pytest.mark.parametrize("columns, rows", [(80, 24), (60, 20)], ids=["80x24", "60x20"])


class Screen:
    """`watch`, or another command, on a terminal of its own; `rung` counts how often the bell rang, and `written` is all that was ever drawn."""

    def __init__(self, home, columns=80, rows=24, args=(), needs_pin=True, command="watch"):
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.Stream(self.screen)
        self.rung = 0
        self.written = ""
        self.child = pexpect.spawn(
            home.argv(command, *args)[0], [str(a) for a in home.argv(command, *args)[1:]],
            env={**home.environment, "NO_COLOR": "1"}, encoding="utf-8", timeout=30, dimensions=(rows, columns))
        if needs_pin:
            self.until("PIN:")
            self.child.sendline(PIN)

    def read(self, seconds):
        try:
            text = self.child.read_nonblocking(65536, seconds)
        except pexpect.TIMEOUT:
            return
        self.rung += text.count("\x07")
        self.written += text
        self.stream.feed(text)

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    @property
    def text(self):
        return "\n".join(self.lines).strip()

    @property
    def scrolled(self):
        """Which lines of the card are seen; None while that is not drawn."""
        found = re.search(r"lines (\d+ to \d+) of", self.text)
        return found and found[1]

    def until(self, *wanted, gone=()):
        """Waits until all of these stand on the screen, and none of those; returns its lines. Regular expressions."""
        for _ in range(300):
            if all(re.search(w, self.text, re.M) for w in wanted) and not any(re.search(g, self.text) for g in gone):
                return self.lines
            self.read(0.2)
        raise AssertionError(f"no {wanted}, or one of {gone}, on the screen:\n{self.text}")

    def press(self, keys):
        self.child.send(keys)
        return self

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        self.child.setwinsize(rows, columns)

    def quit(self):
        self.child.send("q")
        assert finish(self.child) == 0


def always_seen(screen, ref):
    """What no content may push off the screen."""
    return screen.until(
        r"expires in \d+:\d\d", r"fingerprint( [0-9a-f]{4}){4}", rf"^└ {re.escape(ref)} ─", r"^\[a\]pprove")


@SIZES
def test_time_fingerprint_and_reference_are_always_seen(connected, bank, columns, rows):
    ids = [bank.pay(f"Pay {n}.00 EUR", expires_in=600 + 60 * n) for n in range(1, 5)]
    long = bank.pay("Pay " + "very much " * 49 + "EUR", "<html><body>" + "".join(
        f"<p>Line {n} of what the bank wrote</p>" for n in range(1, 61)) + "</body></html>", expires_in=300)
    screen = Screen(connected, columns, rows)
    always_seen(screen, f"demobank:{long}")
    # It expires first, so it comes first; the next are below, by number, nearest expiry first.
    lines = screen.until(r"1 of 5 · lines 1 to \d+ of \d+, down: more", rf"^  2 demobank:{ids[0]}  in \d+:\d\d  Pay 1.00")
    assert lines[0].startswith("┌─ 1 of 5 · lines 1 to ") and lines[1].startswith("│ Pay very much")
    # All of it can be read, and the rest stays where it is.
    for _ in range(60):
        if re.search(r"of \d+, end", screen.text):
            break
        before = screen.scrolled
        screen.press(PAGE_DOWN)
        # The clock changes the screen too, so it is not asked.
        while screen.scrolled in (before, None):
            screen.read(0.2)
        always_seen(screen, f"demobank:{long}")
        screen.until(r"lines \d+ to \d+ of")
    # A page can grow between our last look and the key press, so all that was drawn counts.
    assert all(f"Line {n} of" in screen.written for n in range(1, 61))
    screen.press(HOME).until(r"lines 1 to")
    screen.press(DOWN).until(r"lines 2 to")
    screen.press(UP).until(r"lines 1 to")
    screen.press(END).until(r"Line 60 of", r", end")
    screen.press(UP).until(r"down: more")
    screen.quit()


@SIZES
def test_choosing_among_several(connected, bank, columns, rows):
    late, soon, last = (bank.pay(f"Pay {n}.00 EUR", expires_in=n) for n in (1200, 600, 1800))
    screen = Screen(connected, columns, rows)
    order = [soon, late, last]

    def at_hand(index):
        screen.until(rf"^└ demobank:{order[index]} ─", rf"┌─ {index + 1} of {len(order)} ─")

    at_hand(0)
    for key, index in ((RIGHT, 1), ("\t", 2), (RIGHT, 0), (LEFT, 2), (BACK_TAB, 1), ("1", 0), ("3", 2), ("9", 2)):
        screen.press(key)
        at_hand(index)
    # What comes takes nobody's place.
    sooner = bank.pay("Pay 3.00 EUR", expires_in=300)
    order.insert(0, sooner)
    at_hand(3)
    screen.press("s").until(rf"^└ demobank:{sooner} ─", rf"^  4 demobank:{last}  in \d+:\d\d  skipped")
    # Who is chosen is laid aside no more.
    screen.press("4")
    at_hand(3)
    screen.until(gone=["skipped"])
    # The key answers what is at hand.
    screen.press("d").until(r"Deny this\? \[y/N\]")
    screen.child.sendline("y")
    screen.until(rf"denied  demobank:{last}", rf"^└ demobank:{sooner} ─")
    assert bank.authorization(last)["status"] == "denied"
    screen.quit()


@pytest.mark.parametrize("columns, rows", [(80, 24), (60, 20), (40, 10)])
def test_the_keys_are_told(connected, bank, columns, rows):
    id = bank.pay()
    screen = Screen(connected, columns, rows)
    screen.until(rf"^└ demobank:{id} ─")
    lines = screen.press("?").until("deny", "skip", "scroll", "choose", "bell", "any key: back", gone=["9.90"])
    assert max(len(line) for line in lines) <= columns
    # A key there answers nothing.
    screen.press("d").until(rf"^└ demobank:{id} ─", gone=["any key", "Deny"])
    screen.quit()


def test_a_terminal_of_another_size_while_it_runs(connected, bank):
    id = bank.pay("Pay " + "very much " * 49 + "EUR", expires_in=3000)
    others = [bank.pay(f"Pay {n}.00 EUR", expires_in=3100 + n) for n in range(4)]
    screen = Screen(connected, 80, 24)
    always_seen(screen, f"demobank:{id}")
    for columns, rows in ((40, 10), (60, 20), (20, 5), (12, 3), (100, 50), (40, 10), (80, 24)):
        screen.resize(columns, rows)
        screen.until(r"^(\[a\]|a d)")
        if columns >= 40:
            screen.until(rf"^└ demobank:{id} ─", r"expires in \d+:\d\d", r"fingerprint")
    screen.until(rf"^  5 demobank:{others[3]}")
    screen.press("?").until("any key")
    screen.resize(40, 10)
    screen.until("any key")
    screen.press("x").until(r"^\[a\]")
    screen.quit()


# The bell


def test_the_bell_rings_for_what_comes_and_not_for_what_waits(connected, bank):
    first = bank.pay()
    screen = Screen(connected)
    screen.until(rf"demobank:{first}", r"as of \d\d:")
    assert screen.rung == 0
    second = bank.pay("Pay 5.00 EUR")
    screen.until(rf"demobank:{second}")
    assert screen.rung == 1
    # A key turns it off, and on again.
    screen.press("b")
    third = bank.pay("Pay 6.00 EUR")
    screen.until(rf"demobank:{third}")
    assert screen.rung == 1
    screen.press("?").until("bell .now off")
    screen.press("x").press("b").press("?").until("bell .now on")
    screen.press("x")
    fourth = bank.pay("Pay 7.00 EUR")
    screen.until(rf"demobank:{fourth}")
    assert screen.rung == 2
    screen.quit()


@pytest.mark.parametrize("way", ["option", "setting"])
def test_the_bell_can_be_switched_off(connected, bank, way):
    if way == "setting":
        configure(connected, "[watch]\nbell = false\n")
    screen = Screen(connected, args=["--no-bell"] if way == "option" else [])
    screen.until("Nothing waits")
    id = bank.pay()
    screen.until(rf"demobank:{id}")
    assert screen.rung == 0
    screen.quit()


# Locked


def test_how_many_wait_is_told_while_locked(connected, agents, desktop, bank):
    agent = agents(connected, settings="[agent]\npoll_fastest = 1\npoll_slowest = 1\n").unlock()
    bank.pay(expires_in=900)
    screen = Screen(connected, needs_pin=False)
    screen.until("Pay 9.90 EUR")
    rung = screen.rung
    desktop.do("lock-screen")
    screen.until("^1 request waits for your decision$", "^Locked. Press Enter to type the PIN", gone=["9.90"])
    bank.pay("Pay 5.00 EUR", expires_in=900)
    screen.until("^2 requests wait for your decision$", gone=["5.00"])
    assert screen.rung == rung + 1
    status = connected.json("status", pin=False)
    assert (status["locked"], status["waiting"]) == (True, 2)
    # Opened by another command, it goes on.
    agent.unlock()
    screen.until("Pay 9.90 EUR", "Pay 5.00 EUR", gone=["Locked"])
    # Shut, nobody knows.
    connected.ok("lock", pin=False)
    screen.until("^Locked", gone=["waits for", "wait for"])
    assert connected.json("status", pin=False)["waiting"] is None
    screen.press("\r").until("PIN:")
    screen.child.sendline(PIN)
    screen.until("Pay 9.90 EUR")
    screen.quit()


def test_status_tells_how_many_wait(connected, agents, bank):
    assert connected.json("status", pin=False)["waiting"] is None
    agent = agents(connected, settings="[agent]\npoll_fastest = 1\npoll_slowest = 1\n")
    assert connected.json("status", pin=False)["waiting"] is None
    bank.fault("authorizations.list", times=1, delay_ms=3000)
    # Before the bank has answered nobody knows that nothing waits.
    assert connected.json("unlock")["waiting"] is None
    until(lambda: connected.json("status", pin=False)["waiting"] == 0, 60)
    assert "nothing waits" in connected.ok("status", pin=False).out
    bank.pay()
    agent.until_waiting(1)
    assert connected.json("status", pin=False)["waiting"] == 1
    assert "1 request waits for your decision" in connected.ok("status", pin=False).out
    assert connected.json("lock", pin=False)["waiting"] is None
