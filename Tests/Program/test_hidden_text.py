"""Whoever is paid writes into what the bank seals. Nothing that he writes hides the rest, in any form in which it is shown."""
import json

import pytest
from agents import agents
from conftest import Bank, Home, PIN, finish

# The payee and the reference of a payment of 9,000 EUR; between them a browser would show nothing.
PAIRS = {
    "comment": ("Bob Books, 9.90 EUR <!--", "--><br>"), "attribute": ("Bob <a x=\"", "\">y</a>"),
    "script": ("Bob <script>", "</script>"), "style": ("Bob <style>", "</style>"), "php": ("Bob <?php", "?>"),
    "doctype": ("Bob <!DOCTYPE", ">"), "data": ("<p data-x=\"", "\">Bob</p>"), "option": ("<option label=\"", "\"></option>"),
    "image": ("<p><img src=\"", "\">Bob</p>"), "css": ("<style>a{width:", "}</style>"), "whole": ("<p>Bob <!--", "--></p>"),
}
PLAIN = "{}\nAmount: 9,000.00 EUR\nAccount: AT61 1904\nReference: {}"
PAGE = "<html><body><p>To: {}</p><p>Amount: 9,000.00 EUR</p><p>Account: AT61 1904</p><p>Reference: {}</p></body></html>"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    bank = Bank(tmp_path_factory.mktemp("bank"))
    try:
        yield Home(tmp_path_factory.mktemp("home")).set_pin().enroll(bank), bank
    finally:
        bank.stop()


@pytest.mark.parametrize("template", [PLAIN, PAGE], ids=["plain", "page"])
@pytest.mark.parametrize("pair", PAIRS.values(), ids=PAIRS)
def test_the_amount_is_on_the_card(place, template, pair):
    home, bank = place
    id = bank.pay("Payment to Bob Books", template.format(*pair))
    ref = f"demobank:{id}"
    shown = home.json("show", ref)
    listed = next(a for a in home.json("pending")["authorizations"] if a["ref"] == ref)
    card = home.ok("show", ref).out
    for text in (shown["text"], listed["text"], card):
        flat = " ".join(text.replace("│ ↳ ", " ").replace("│", " ").split())
        positions = [flat.index(word) for word in ("9,000.00 EUR", "Account:", "AT61 1904", "Reference:")]
        assert positions == sorted(positions), flat
    bank.post(f"authorizations/{id}/close")


def test_the_plaintext_is_shown_and_kept(place):
    home, bank = place
    id = bank.pay("Pay 9.90 EUR", "To Bob <!-- \x1b[2J\u202e -->", code="c0de")
    ref = f"demobank:{id}"
    assert home.json("show", ref)["source"] is None
    shown = home.json("show", ref, "--source")
    source = json.loads(shown["source"].replace("⟨U+202E⟩", "\u202e"))
    assert source["title"] == "Pay 9.90 EUR" and source["authorization_code"] == "c0de" and source["id"] == str(id)
    text = home.ok("show", ref, "--source").out
    assert "The decrypted plaintext:" in text and shown["source"] in text and "\x1b" not in text
    home.ok("approve", ref, "--fingerprint", shown["fingerprint"])
    [entry] = [e for e in home.json("history", "--source")["decisions"] if e["ref"] == ref]
    assert entry["source"] == shown["source"] and entry["text"] == shown["text"]
    assert {e["source"] for e in home.json("history")["decisions"]} == {None}
    assert shown["source"] in home.ok("history", "--source").out


def test_an_agent_tells_the_plaintext_alike(place, agents):
    home, bank = place
    id = bank.pay("Pay 9.90 EUR", "To Bob")
    alone = home.json("show", f"demobank:{id}", "--source")
    history = home.json("history", "--source")
    agent = agents(home).unlock()
    served = home.json("show", f"demobank:{id}", "--source", pin=False)
    assert {**served, "seconds_left": 0} == {**alone, "seconds_left": 0} and served["source"]
    assert home.json("history", "--source", pin=False) == history
    assert agent.stop() == 0


def test_hidden_text_that_is_too_long_asks_for_the_title(place):
    home, bank = place
    id = bank.pay("Pay 9.90 EUR", "<p>To Bob<!--" + "x" * 2000 + "--></p>")
    child = home.terminal("approve", f"demobank:{id}")
    child.expect_exact("PIN: ")
    child.sendline(PIN)
    child.expect(r"\(2007 characters, of[^)]*700\)\]")
    child.expect_exact("warning: hidden text is too long to show here; show --source has all of it")
    child.expect_exact("Type the title to go on: ")
    child.sendline("no")
    assert finish(child) == 2 and bank.authorization(id)["decisions_received"] == 0


def test_letters_from_right_to_left_move_no_digits(place):
    home, bank = place
    id = bank.pay("שלום 9.90 EUR", "To: שלום עולם 9,000 EUR")
    card = home.json("show", f"demobank:{id}")
    assert card["title"] == "\u2068שלום\u2069 9.90 EUR" and card["text"] == "To: \u2068שלום עולם\u2069 9,000 EUR"
