"""The ways into the window: the command, a note's Review."""

import subprocess

from agents import desktop  # noqa: F401
from conftest import BIN
from test_window import PAYMENT


def test_the_command_opens_the_window_at_a_request(window, bank):
    first, id = bank.pay("Pay the first"), bank.pay(**PAYMENT)
    command = BIN / "countersign"
    view = window(command=[command, "window", f"demobank:{id}"])
    view.unlock()
    view.wait("Card")
    assert view.shows("Confirm this payment") and not view.shows("Pay the first")
    # The window that is open already does as a second command says, which then ends.
    def again(reference):
        return subprocess.run(
            [command, "window", reference], env=view.environment, capture_output=True, text=True, timeout=60)

    done = again(f"demobank:{first}")
    assert done.returncode == 0 and done.stdout + done.stderr == "", done
    view.wait_for("Pay the first")
    assert not view.shows("Confirm this payment")
    assert again("demobank:999").returncode == 0
    view.wait_for("No request demobank:999 waits.")
    view.picture("requests-missing")


def test_a_notes_review_leads_to_the_request(window, bank, desktop):
    view = window()
    view.unlock()
    view.wait_for("Nothing waits")
    id = bank.pay(**PAYMENT)
    bank.pay("Pay the second")
    note = desktop.note("Confirm this payment")
    desktop.do("invoke", note["id"], "review")
    view.wait("Card", seconds=60)
    assert view.shows("Confirm this payment") and not view.shows("Pay the second")
    assert bank.authorization(id)["status"] == "pending"
