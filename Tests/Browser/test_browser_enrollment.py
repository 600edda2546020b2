"""A bank connected, and a payment approved, with a real browser: Chromium opens the demo bank's pages as a person does, and
comes back to the command by loopback.

Run by `make test-browser`; what it uses of Tests/Program is described there.
"""

import pathlib
import re
import sys

import pexpect
import pytest
from browser import SECONDS, browser  # noqa: F401

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Program"))

from agents import agents  # noqa: E402, F401
from conftest import PIN, bank, check_schema, home, pytest_configure  # noqa: E402, F401

# Refuses to run outside a private session, where a person's own keyring would be used.
pytest_configure(None)

NAME, PASSWORD = "Mary Shelley", "frankenstein 1818"


def sign_up(browser, bank):
    browser.visit(bank.url, "Welcome to Demo Bank")
    browser.press("Open a demo account")
    browser.see_page("Open a demo account")
    browser.fill(your_name=NAME, a_password=PASSWORD)
    browser.press("Open the account")
    browser.see_page("Your overview")
    browser.see("None yet. Add one to be asked before anything happens.")


def link_for_authenticator(browser, protocol):
    """The text of the QR code, as the bank's page shows it."""
    browser.press("Add an authenticator")
    browser.see_page("Add an authenticator")
    browser.choose(f"Protocol {protocol}: you sign in once more in the browser")
    browser.press("Show the code")
    browser.see_page("Scan or paste")
    assert browser.find("//*[@role='img'][@aria-label='QR code with the enrollment link']").is_displayed()
    return browser.find("//a[starts-with(@href, 'authenticator:')]").text


def enroll(home, bank, link):
    """A first enrollment on a terminal, up to the wait for the bank; returns it, and the page that it names."""
    command = home.terminal("enroll", "--no-browser", timeout=SECONDS, columns=200)
    for question, answer in [
        ("Link: ", link), ("Choose a PIN .*: ", PIN), ("Again: ", PIN),
        (r"127\.0\.0\.1:\d+ \(Demo Bank\) wants to connect this computer\. Continue\? \[y/N\] ", "y"),
    ]:
        command.expect(question)
        command.sendline(answer)
    command.expect(re.escape(bank.url) + r"/\S+")
    page = command.after
    command.expect("Waiting for the bank")
    return command, page


def ended(command):
    """Waits for a command's end; returns its exit code."""
    command.expect(pexpect.EOF)
    command.close()
    return command.exitstatus


@pytest.mark.parametrize("protocol, told", [("v1", "as a page of HTML"), ("v2", "as payment fields")])
def test_a_bank_is_connected_and_a_payment_approved(home, bank, browser, agents, protocol, told):
    sign_up(browser, bank)
    command, page = enroll(home, bank, link_for_authenticator(browser, protocol))

    browser.open_tab()
    browser.visit(page, "Pair your authenticator")
    browser.fill(your_name=NAME, password="prometheus 1818")
    browser.press("Sign in and pair")
    browser.see("Name or password is not right. Please try again.")
    assert command.isalive()
    browser.fill(password=PASSWORD)
    browser.press("Sign in and pair")
    browser.see("This computer is connected. You may close this tab.")
    assert browser.driver.current_url.startswith("http://127.0.0.1:") and bank.url not in browser.driver.current_url
    assert browser.refusals() == []
    browser.close_tab()
    command.expect("Connected: ")
    assert ended(command) == 0

    [connection] = home.json("connections")["connections"]
    assert connection["protocol"] == f"saltedge-{protocol}" and connection["status"] == "active"
    browser.press("Back to the overview")
    browser.see_page("Your overview")
    [device] = browser.table("Devices paired with your account")
    assert (device["Number"], device["Protocol"], device["State"]) == (connection["id"], protocol, "active")

    agents(home).unlock()
    browser.press("New payment")
    browser.see_page("New payment")
    browser.fill(to_whom="Villa Diodati", amount="18.16 EUR", reference="Summer rain")
    browser.choose(told)
    browser.press("Ask my authenticator")
    browser.see_page("Your overview")
    title = "Payment of 18.16 EUR to Villa Diodati"
    [item] = browser.table("What your authenticators were asked")
    assert (item["What"], item["State"]) == (title, "pending")

    listed = home.ok("pending", "--json", pin=False).json
    check_schema(["pending"], listed)
    [waiting] = listed["authorizations"]
    assert waiting["title"] == title and waiting["connection"] == connection["name"] and listed["failures"] == []
    command = home.terminal("approve", waiting["ref"], timeout=SECONDS, columns=200)
    # The agent is unlocked: the card comes without a PIN, the approval does not.
    command.expect(r"PIN[^:\r\n]*: ")
    assert command.after == "PIN to approve (empty cancels): "
    assert "Villa Diodati" in command.before and "18.16 EUR" in command.before and "Summer rain" in command.before
    command.sendline(PIN)
    command.expect(f"approved  {re.escape(waiting['ref'])}  confirmed by the bank")
    assert ended(command) == 0

    browser.driver.refresh()
    browser.see_page("Your overview")
    [item] = browser.table("What your authenticators were asked")
    assert (item["What"], item["State"]) == (title, "confirmed")
    assert home.ok("pending", "--json", pin=False).json["authorizations"] == []
    assert browser.refusals() == []


@pytest.mark.parametrize("protocol", ["v1", "v2"])
def test_cancelling_in_the_browser_connects_nothing(home, bank, browser, protocol):
    sign_up(browser, bank)
    command, page = enroll(home, bank, link_for_authenticator(browser, protocol))
    browser.open_tab()
    browser.visit(page, "Pair your authenticator")
    browser.press("Cancel")
    browser.see_page("Not connected")
    browser.see("This did not connect the computer.")
    browser.close_tab()
    command.expect("You cancelled the sign-in")
    command.expect("Still waiting for the bank")
    command.sendcontrol("c")
    assert ended(command) == 2
    assert home.json("connections")["connections"] == []
    browser.press("Back to the overview")
    browser.see("None yet. Add one to be asked before anything happens.")
