"""The agent on a desktop: what it shows of what waits, what the buttons do, and what it does where no desktop is."""

import datetime
import os
import re

import pytest
from agents import CANCEL, ENTER, NO, YES, Desktop, agents, desktop, pinentry, typed, unbroken
from conftest import PIN
from innards import until

WRONG = "999111"
FAILURE = "Countersign could not do that"
BUTTONS = ["default", "Review", "review", "Review", "deny", "Deny"]


def decided(bank, id, status):
    """Waits until the bank has the decision, and only this one."""
    until(lambda: bank.authorization(id)["status"] == status, 60)
    assert bank.authorization(id)["decisions_received"] == 1


def failures(desktop):
    return [note for note in desktop.made("Notify") if note["summary"] == FAILURE]


def press_again(desktop, pinentry, number, action, answers):
    """Presses a button when the last question is over: once more where the agent had not noticed that yet."""
    until(lambda: not any(os.path.exists(f"/proc/{pid}") for pid in pinentry.pids()), 60)
    pinentry.answers(*answers)

    def asked():
        before = len(failures(desktop))
        desktop.do("invoke", number, action)
        return until(lambda: pinentry.asked() or len(failures(desktop)) > before, 60) and pinentry.asked()

    until(asked, 60)


def history(home):
    return home.json("history", "--verify")["decisions"]


@pytest.fixture
def agent(connected, agents, desktop, pinentry):
    """Open, on a desktop."""
    return agents(connected, pinentry=pinentry).unlock()


# What is shown


def test_a_new_authorization_is_announced_until_it_is_decided(agent, connected, desktop, bank):
    events = agent.events()
    id = bank.pay()
    note = desktop.note("Pay 9.90 EUR")
    assert (note["app"], note["replaces_id"]) == ("Countersign", 0)
    time = datetime.datetime.fromisoformat(bank.authorization(id)["expires_at"].replace("Z", "+00:00")).astimezone()
    # The title stands once. The time of another day has its date: around midnight it may be either.
    assert note["body"] in [
        f"Demo Bank\n{bank.url[7:]}\ndemobank:{id}, expires at {time:{form}}" for form in ("%H:%M:%S", "%Y-%m-%d %H:%M")]
    assert note["actions"] == BUTTONS and note["timeout"] == 0
    assert note["hints"] == {"urgency": 2, "resident": True, "desktop-entry": "countersign"}
    added = events.expect("added")["authorization"]
    assert added["ref"] == f"demobank:{id}"
    connected.ok("approve", added["ref"], "--fingerprint", added["fingerprint"])
    assert events.expect("decided")["decision"]["outcome"] == "confirmed"
    assert events.expect("removed")["authorization"]["ref"] == added["ref"]
    desktop.empty()
    assert desktop.payments() == [note]
    assert desktop.made("CloseNotification")[-1] == {"call": "CloseNotification", "id": note["id"]}
    assert agent.stop() == 0 and agent.said == ""


def test_each_authorization_has_its_own_note(agent, desktop, bank):
    for amount in (1, 2, 3):
        bank.pay(f"Pay {amount}.00 EUR")
    notes = [desktop.note(f"Pay {amount}.00 EUR") for amount in (1, 2, 3)]
    assert len({note["id"] for note in notes}) == 3
    desktop.do("invoke", notes[1]["id"], "deny")
    until(lambda: set(desktop.notes()) == {notes[0]["id"], notes[2]["id"]}, 60)
    assert [a["status"] for a in bank.get("authorizations")] == ["pending", "denied", "pending"]


@pytest.mark.parametrize("capabilities, body", [
    ("actions,body,body-markup", "&lt;b&gt;Fern&lt;/b&gt; &amp; Söhne"), ("actions,body", "<b>Fern</b> & Söhne"),
    ("body", "<b>Fern</b> & Söhne")])
def test_nothing_a_bank_says_is_markup_or_invisible(home, agents, bank, tmp_path, capabilities, body):
    desktop = Desktop(tmp_path, "--capabilities", capabilities)
    try:
        bank.post("settings", name="<b>Fern</b> & Söhne")
        agent = agents(home.set_pin().enroll(bank)).unlock()
        bank.pay("<i>Pay</i> \u202e9.90\x1b[31m\u200b & co\nDemo Bank", description="<p>To <b>Fern</b></p>")
        note = until(lambda: next((n for n in desktop.notes().values() if "Pay" in n["summary"]), None), 60)
        # A summary is never markup (Desktop Notifications Specification 1.2), so nothing in it is escaped. It has one line, and the
        # body repeats what was cut.
        assert note["summary"] == "<i>Pay</i> ⟨U+202E⟩9.90⟨U+001B⟩[3…"
        lines = note["body"].splitlines()
        title = unbroken("\n".join(lines[:lines.index(body)])).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
        assert title == "<i>Pay</i> ⟨U+202E⟩9.90⟨U+001B⟩[31m⟨U+200B⟩ & co ⏎ Demo Bank"
        assert lines[lines.index(body) + 1] == bank.url[7:]
        assert note["actions"] == (BUTTONS if "actions" in capabilities else [])
        assert agent.stop() == 0
    finally:
        desktop.stop()


def test_a_long_title_stands_whole_in_the_body(agent, desktop, bank):
    """In lines that no server breaks again; each that continues another has a mark."""
    title = "Pay 9.90 EUR to " + "Fern Books " * 10
    bank.pay(title.strip())
    note = until(lambda: next((n for n in desktop.notes().values() if "Pay" in n["summary"]), None), 60)
    first, *rest = (lines := note["body"].splitlines())[:lines.index("Demo Bank")]
    assert len(note["summary"]) <= 80 and all(line.startswith("↳ ") for line in rest)
    assert " ".join([first, *(line[2:] for line in rest)]) == title.strip()


def test_on_dunst_a_note_says_who_it_is_and_how_to_act(home, agents, bank, tmp_path):
    """A click dismisses a note there, and neither name nor icon is shown."""
    desktop = Desktop(tmp_path, "--name", "dunst")
    try:
        agents(home.set_pin().enroll(bank)).unlock()
        id = bank.pay()
        note = desktop.note("Pay 9.90 EUR")
        lines = note["body"].splitlines()
        assert lines[:2] == ["Demo Bank", bank.url[7:]] and f"demobank:{id}" in lines[2]
        assert lines[3:] == ["Countersign: click with the middle button to review"]
    finally:
        desktop.stop()


# What the buttons do


def test_deny_denies(agent, connected, desktop, pinentry, bank):
    id = bank.pay()
    desktop.do("invoke", desktop.note("Pay 9.90 EUR")["id"], "deny")
    decided(bank, id, "denied")
    desktop.empty()
    [entry] = history(connected)
    assert (entry["ref"], entry["decision"], entry["outcome"]) == (f"demobank:{id}", "deny", "denied")
    assert pinentry.asked() == []
    told = desktop.told("Denied")
    assert told["body"] == f"Pay 9.90 EUR\nDemo Bank\n{bank.url[7:]}\ndemobank:{id}" and told["actions"] == []


def test_review_shows_the_whole_card_and_takes_the_pin(agent, connected, desktop, pinentry, bank):
    lines = [f"Line {number} of what you should read, 100% of it" for number in range(60)]
    id = bank.pay(description="\n".join(lines))
    pinentry.answers(*[YES] * 20)
    number = desktop.note("Pay 9.90 EUR")["id"]
    desktop.do("invoke", number, "review")
    # As many pages as there are, then the PIN; the answers so far have none.
    until(lambda: "GETPIN" in pinentry.asked(), 60)
    pages = pinentry.told("SETDESC")[:-1]
    assert pinentry.asked() == ["CONFIRM"] * len(pages) + ["GETPIN"] and len(pages) > 3
    assert pinentry.buttons() == ["Next", *["Next/Back"] * (len(pages) - 2), "Back/To the PIN", "Approve"]
    for at, page in enumerate(pages, 1):
        head, count, *_ = page.splitlines()
        assert (head, count) == ("Approve request", f"Page {at} of {len(pages)}, then the PIN"), page
        assert len(page.splitlines()) <= 16
        assert "⟨…⟩" not in page
    shown = "\n".join(pages)
    positions = [shown.index(line) for line in ["Pay 9.90 EUR", *lines, "Demo Bank", bank.url[7:], "a desktop notification", "Fingerprint: "]]
    assert positions == sorted(positions)
    assert bank.authorization(id)["decisions_received"] == 0

    # The same once more, with the PIN.
    press_again(desktop, pinentry, number, "default", [*[YES] * len(pages), typed(PIN)])
    decided(bank, id, "confirmed")
    until(lambda: number not in desktop.notes(), 60)
    [fingerprint] = set(re.findall(r"Fingerprint: ([0-9a-f ]{19})", shown))
    question = pinentry.told("SETDESC")[-1].splitlines()
    assert question[0] == "Approve request"
    assert question[1:3] == ["Title: Pay 9.90 EUR", f"Bank: Demo Bank · {bank.url[7:]}"]
    assert "a desktop notification" in question[3] and question[4] == f"Fingerprint: {fingerprint}"
    [entry] = history(connected)
    assert (entry["decision"], entry["outcome"], entry["basis"]) == ("approve", "confirmed", "answered")
    assert entry["fingerprint"].startswith(fingerprint.replace(" ", ""))
    assert f"demobank:{id}" in desktop.told("Approved, confirmed by the bank")["body"]


def test_enter_alone_leads_nowhere_from_the_last_page(agent, desktop, pinentry, bank):
    """It leads back, so that nobody presses it until the PIN is asked for."""
    id = bank.pay(description="\n".join(f"Line {number}" for number in range(20)))
    pinentry.answers(*[ENTER] * 9, CANCEL)
    desktop.do("invoke", desktop.note("Pay 9.90 EUR")["id"], "review")
    pinentry.until_asked(*["CONFIRM"] * 10)
    buttons = pinentry.buttons()
    assert buttons[0] == "Next" and buttons.count("Back/To the PIN") >= 2, buttons
    assert bank.authorization(id)["decisions_received"] == 0


def test_no_character_of_a_bank_makes_a_page_too_long_to_show(agent, desktop, pinentry, bank):
    """Percent signs stand in the pinentry's protocol as three bytes, what is invisible is written out, marks have no width."""
    marked = "a\u0301\u0302\u0303\u0304" * 600
    id = bank.pay(description="%" * 1500 + "\n" + "\u202e\u200b" * 100 + "\n" + marked + "\nthe end")
    pinentry.answers(*[YES] * 30)
    desktop.do("invoke", desktop.note("Pay 9.90 EUR")["id"], "review")
    until(lambda: "GETPIN" in pinentry.asked(), 60)
    pages = "".join(pinentry.told("SETDESC")[:-1])
    assert "⟨…⟩" not in pages and "the end" in pages
    assert (pages.count("%"), pages.count("⟨"), pages.count("\u0304")) == (1500, 200, 600)
    assert bank.authorization(id)["status"] == "pending"


def test_cancelling_sends_nothing_and_leaves_the_note(agent, desktop, pinentry, bank):
    answers = [YES, typed(WRONG), CANCEL]
    id = bank.pay()
    number = desktop.note("Pay 9.90 EUR")["id"]
    pinentry.answers(*answers)
    desktop.do("invoke", number, "review")
    until(lambda: len(pinentry.asked()) == len(answers) and pinentry.lines[-1] == "BYE", 60)
    assert bank.authorization(id)["decisions_received"] == 0 and set(desktop.notes()) == {number}
    # It can be opened again.
    press_again(desktop, pinentry, number, "review", [YES, typed(PIN)])
    decided(bank, id, "confirmed")
    until(lambda: number not in desktop.notes(), 60)


def test_a_pinentry_that_fails_approves_nothing(agent, desktop, pinentry, bank):
    id = bank.pay()
    pinentry.answers(YES, "<exit>")
    number = desktop.note("Pay 9.90 EUR")["id"]
    desktop.do("invoke", number, "review")
    assert "ended before it answered" in desktop.note(FAILURE)["body"]
    assert bank.authorization(id)["decisions_received"] == 0 and number in desktop.notes()
    assert agent.status()["tries_left"] == 9 and agent.state == "open"


def test_what_could_not_be_done_is_said(agent, connected, desktop, bank):
    id = bank.pay()
    number = desktop.note("Pay 9.90 EUR")["id"]
    bank.fault("authorizations.decide", status=400, error_class="AuthorizationError", error_message="<b>not</b> today")
    desktop.do("invoke", number, "deny")
    note = desktop.note("Not denied, the bank refused")
    assert "&lt;b&gt;not&lt;/b&gt; today" in note["body"].replace("\n↳", "") and note["actions"] == []
    # The request still waits, and still can be denied.
    assert number in desktop.notes()
    desktop.do("invoke", number, "deny")
    until(lambda: bank.authorization(id)["status"] == "denied", 60)
    until(lambda: number not in desktop.notes(), 60)


def test_a_button_pressed_by_somebody_else_is_not_pressed(agent, desktop, pinentry, bank):
    id = bank.pay()
    number = desktop.note("Pay 9.90 EUR")["id"]
    pinentry.answers(NO)
    desktop.do("forge", number, "review")
    desktop.do("forge", number, "deny")
    desktop.do("forge-closed", number)
    # What comes later from the service itself is heard, so what was forged has been heard too.
    desktop.do("invoke", number, "review")
    pinentry.until_asked("CONFIRM")
    until(lambda: pinentry.lines[-1] == "BYE", 60)
    assert agent.stop() == 0
    assert len(pinentry.pids()) == 1 and bank.authorization(id)["decisions_received"] == 0


def test_what_was_put_away_is_not_shown_again(agent, desktop, bank):
    id = bank.pay()
    number = desktop.note("Pay 9.90 EUR")["id"]
    desktop.do("dismiss", number)
    bank.pay("Pay 5.00 EUR")
    desktop.note("Pay 5.00 EUR")
    assert len(desktop.payments()) == 2
    assert agent.handshake()["waiting"] == 2 and bank.authorization(id)["status"] == "pending"


# A desktop that comes and goes


def test_without_a_notification_server_a_line_without_content_is_written(connected, agents, bank, tmp_path):
    desktop = Desktop(tmp_path, "--without-notifications")
    try:
        agent = agents(connected).unlock()
        id = bank.pay("Pay 9.90 EUR", description="To Fern Books")
        until(lambda: agent.said, 60)
        assert agent.said == "a request waits for your decision; see it with: countersign pending\n"
        desktop.do("lock-screen")
        until(lambda: agent.said.count("\n") == 2, 60)
        assert agent.said.splitlines()[1] == (
            "locked; 1 request waits for your decision; unlock it with: countersign unlock")
        agent.unlock()
        until(lambda: agent.said.count("\n") == 3, 60)
        # One that comes later shows it.
        desktop.do("start-notifications")
        number = desktop.note("Pay 9.90 EUR")["id"]
        desktop.do("invoke", number, "deny")
        decided(bank, id, "denied")
        desktop.empty()
        assert agent.stop() == 0 and agent.said.count("\n") == 3
    finally:
        desktop.stop()


def test_another_notification_server_is_told_again(agent, desktop, bank):
    id = bank.pay()
    desktop.note("Pay 9.90 EUR")
    desktop.do("restart-notifications")
    until(lambda: len(desktop.payments()) == 2, 60)
    desktop.do("invoke", desktop.payments()[1]["id"], "deny")
    decided(bank, id, "denied")


def test_the_settings_turn_notifications_off(connected, agents, desktop, bank):
    agent = agents(connected, settings="[agent]\nnotifications = false\n").unlock()
    bank.pay()
    agent.until_waiting(1)
    until(lambda: agent.said, 60)
    assert agent.said == "a request waits for your decision; see it with: countersign pending\n"
    assert agent.stop() == 0 and desktop.made("Notify", "GetCapabilities") == []


def test_the_screen_is_clear_when_the_agent_ends(agent, desktop, bank):
    bank.pay()
    desktop.note("Pay 9.90 EUR")
    assert agent.stop() == 0
    assert desktop.notes() == {}
