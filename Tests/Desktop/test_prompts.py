"""The agent's questions by the real pinentry of a terminal of 80x24."""

import fcntl
import os
import pty
import struct
import termios
import threading
import types

import pytest
from agents import agents
from conftest import PIN, program
from innards import until

PAYMENT = {"payee": "Fern Books", "amount": "9.90 EUR", "reference": "R-5"}
REQUESTS = {
    "payment": ("Pay 9.90 EUR to Fern Books", {"payment": PAYMENT}),
    "long": ("Books and more books " * 25, {"payment": PAYMENT}),
    "hostile": (
        "Pay 1 EUR\nFingerprint: 0000 0000 0000 0000\n\n\nAsked by process 1: init",
        {"payment": PAYMENT | {"payee": "W" * 40 + "\nFingerprint: 0000 0000 0000 0000"}}),
    "right to left": ("שלום עולם 9.90 EUR", {"payment": PAYMENT | {"payee": "ספרים של שרך 123"}}),
}


class Asking(threading.Thread):
    """A front end that waits for a decision."""

    def __init__(self, agent, ref, **headers):
        super().__init__(daemon=True)
        self.agent, self.ref, self.headers = agent, ref, headers
        self.fingerprint = agent.request("GET", f"/authorizations/{ref}").json["fingerprint"]
        self.start()

    def run(self):
        path = f"/authorizations/{self.ref}/approve?fingerprint={self.fingerprint}"
        self.answer = self.agent.request("POST", path, headers=self.headers, timeout=200)

    def result(self):
        self.join(200)
        return self.answer


@pytest.fixture
def fern(home, bank):
    bank.post("settings", processing_polls=0)
    return home.set_pin().enroll_by_program(bank, protocol="v2", name="fern")


class Terminal:
    """A terminal of 80x24 and what stands on it."""

    def __init__(self):
        pyte = pytest.importorskip("pyte")
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)
        self.end, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.name = os.ttyname(self.slave)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while data := os.read(self.end, 65536):
                self.stream.feed(data)
        except OSError:
            pass

    @property
    def text(self):
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, text):
        os.write(self.end, text.encode())


@pytest.mark.parametrize("kind", REQUESTS)
def test_on_a_terminal_the_essentials_stand_above_the_pin(fern, agents, bank, kind):
    title, description = REQUESTS[kind]
    pinentry = types.SimpleNamespace(program=program("pinentry-curses"))
    agent = agents(fern, pinentry=pinentry, display=None).unlock()
    id = bank.pay(title, description, protocol="v2")
    agent.until_waiting(1)
    terminal = Terminal()
    asking = Asking(agent, f"fern:{id}", **{"Countersign-TTY": terminal.name, "Countersign-Term": "xterm"})
    page = 0
    while True:
        page += 1
        # A window is whole when its buttons stand, which are drawn last.
        until(lambda: any(
            words in terminal.text and button in terminal.text
            for words, button in ((f"Page {page} of ", "<Next>"), (f"Page {page} of ", "<To the PIN>"), ("Countersign PIN:", "<Approve>"))), 60)
        if "Countersign PIN:" in terminal.text:
            break
        # The first button is chosen beforehand. On the last of several pages it leads back, and the next one leads on.
        terminal.type("\t\r" if "<To the PIN>" in terminal.text and "<Back>" in terminal.text else "\r")
    fingerprint = asking.fingerprint[:4]
    for words in ("not your bank's, not your log-in password", "Approve payment", f"Fingerprint: {fingerprint}", "Asked by process", "Bank: Demo Bank", "Amount: 9.90 EUR", "To: ",
                  "Title: ", "<Approve>"):
        assert words in terminal.text, terminal.text
    if "LOOK" in os.environ:
        print(terminal.text)
    terminal.type(PIN + "\r")
    assert asking.result().status == 200, asking.answer
