"""Questions of the agent that are over before they are answered, and where they appear."""

import threading

import pytest
from agents import CANCEL, YES, Desktop, agents, desktop, pinentry, typed, unbroken
from conftest import PIN, finish
from innards import until

HERE = {"Countersign-Display": "%3A42"}


class Asking(threading.Thread):
    """A front end that waits for a decision."""

    def __init__(self, agent, ref, verb="approve"):
        super().__init__(daemon=True)
        fingerprint = agent.request("GET", f"/authorizations/{ref}").json["fingerprint"]
        self.agent, self.path = agent, f"/authorizations/{ref}/{verb}?fingerprint={fingerprint}"
        self.start()

    def run(self):
        self.answer = self.agent.request("POST", self.path, headers=HERE, timeout=120)

    def refusal(self):
        self.join(120)
        return self.answer.status, self.answer.json["error"]["kind"]


@pytest.fixture
def agent(connected, agents, desktop, pinentry):
    return agents(connected, pinentry=pinentry).unlock()


def gone(pinentry):
    """Whether no pinentry is on the screen any more."""
    def ended(pid):
        try:
            return "Z" in open(f"/proc/{pid}/stat").read().rsplit(")", 1)[1].split()[0]
        except FileNotFoundError:
            return True
    return all(ended(pid) for pid in pinentry.pids())


def test_what_the_bank_withdraws_leaves_the_screen(agent, bank, desktop, pinentry):
    id = bank.pay("Pay 9.90 EUR")
    desktop.note("Pay 9.90 EUR")
    pinentry.answers(YES, "<hang>")
    asking = Asking(agent, f"demobank:{id}")
    pinentry.until_asked("CONFIRM", "GETPIN")
    bank.post(f"authorizations/{id}/close")
    assert asking.refusal() == (404, "not_found"), asking.answer
    until(lambda: gone(pinentry), 30)
    assert bank.authorization(id)["decisions_received"] == 0
    assert "its window was closed; nothing was sent" in desktop.note("The bank withdrew the request")["body"]


# Where


def test_the_display_is_looked_for_when_it_is_asked(connected, agents, pinentry, bank, tmp_path):
    """A socket may start the agent before the desktop: nothing around it says where the person is until the manager knows."""
    agent = agents(connected, pinentry=pinentry, display=None).unlock()
    desktop = Desktop(tmp_path, "--without-logind", "--without-screen-saver", "--manager")
    try:
        id = bank.pay("Pay 9.90 EUR")
        number = desktop.note("Pay 9.90 EUR")["id"]
        desktop.do("invoke", number, "review")
        note = until(lambda: next((n for n in desktop.made("Notify") if "nowhere to ask" in unbroken(n["body"])), None), 60)
        assert note and pinentry.asked() == []
        desktop.do("environment", "DISPLAY=:42", "XAUTHORITY=/cookie", "WAYLAND_DISPLAY=wayland-9", "SECRET=x")
        pinentry.answers(YES, typed(PIN))
        desktop.do("invoke", number, "review")
        until(lambda: bank.authorization(id)["status"] == "confirmed", 60)
        told = set(pinentry.told("OPTION"))
        assert {"display=:42", "xauthority=/cookie", "wayland-display=wayland-9"} <= told
        # It knows another display later, as after the next log-in.
        desktop.do("environment", "DISPLAY=:43")
        other = bank.pay("Pay 8.80 EUR")
        pinentry.answers(CANCEL)
        desktop.do("invoke", desktop.note("Pay 8.80 EUR")["id"], "review")
        pinentry.until_asked("CONFIRM")
        assert {option for option in pinentry.told("OPTION") if "display" in option} == {"display=:43"}
        # A person's own display comes first.
        child = connected.terminal("unlock", environment={"DISPLAY": ":44"})
        child.expect("PIN: |unlocked")
        if child.after == "PIN: ":
            child.sendline(PIN)
        assert finish(child) == 0
        pinentry.answers(CANCEL)
        fingerprint = agent.request("GET", f"/authorizations/demobank:{other}").json["fingerprint"]
        answer = agent.request("POST", f"/authorizations/demobank:{other}/approve?fingerprint={fingerprint}")
        assert answer.json["error"]["kind"] == "cancelled"
        assert "display=:44" in pinentry.told("OPTION")
    finally:
        desktop.stop()
