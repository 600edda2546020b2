"""The card in the window says the same as `show`, whatever a payee writes.

5,000 hostile texts stand in 50 plaintexts, since each card takes seconds through assistive technology. TotalDisplayTests compares one
card for each text, in process: there the parts that the window draws equal the lines of `show`.
"""

import random
import re

# What looks like markup, like a line of ours, or moves what stands beside it.
WORDS = [
    "<b>", "</b>", "<i>end</i>", "<!--", "-->", "<script>", "</script>",
    "<a href='x'>", "&lt;", "&amp;", "&#8238;", "&", "<", ">",
    "_underlined", "__", "%s", "\\n", "\u202e", "\u202c", "\u2066", "\u2069", "\u200b", "\u200d", "\u00ad", "\ufeff", "\u0007", "\u001b[2J",
    "\u009b31m", "\u007f", "\t", "  ", "    ", " " * 60, "\u00a0" * 20, "\u3000" * 9, "x" * 80, "W" * 41,
    "Donaudampfschifffahrt" * 4, "﷽" * 5,
    "1\ufe0f\u20e3" * 6, "❤\ufe0f", "🇩🇪", "e\u0301", "न\u094d\u094d", "אב", "مرحبا", "ᄒ\u1161\u11ab", "↳ ", "│ ", "├ ", "└ ", "┌──", "> ",
    "[hidden: nothing]", "[4spaces]", "Title: ", "Amount: 1.00 EUR", "fingerprint 0000 0000 0000 0000", "expires in 4:59", "code 123456",
    "warning: none",
    "Fern Bank · sca.fernbank.example", "to approve, choose one of:", "PIN to approve", "Approve", "9,000.00 EUR", "…", "...",
]
CARDS, TEXTS = 50, 100


def plaintext(random):
    """A text of many lines, each by a payee."""
    return "\n".join(f"{n} " + "".join(random.choices(WORDS, k=random.randint(1, 6))) for n in range(TEXTS))


def solid(texts):
    """Without white space and without the corners of a frame."""
    return re.sub(r"\s", "", "".join(texts))


def parts(shown):
    """The lines of a card in a terminal: those of the bank, and ours below them."""
    rule = next(place for place, line in enumerate(shown) if line.startswith("├"))
    body = [re.sub(r"^│( ↳)? ?", "", line) for line in shown[1:rule]]
    ours = [line for line in shown[rule:] if "fingerprint" in line]
    return body, re.search(r"fingerprint [0-9a-f ]+[0-9a-f]", ours[-1])[0]


def test_5000_hostile_texts(window, bank, connected):
    seeded = random.Random(29)
    for number in range(CARDS):
        bank.pay(f"{number} <b>&", plaintext(seeded), multiple=True, expires_in=3000 + 10 * number)
    view = window()
    view.unlock()
    for number in range(CARDS):
        title = f"{number} <b>&"
        row = view.wait(title, "list item")
        reference = row.get_description()
        # The list begins anew each time, nearest expiry first.
        view.wait("0 <b>&", "list item")
        view.focus("0 <b>&", "list item")
        view.key(*["Down"] * number, "Return")
        card = view.wait("Card")
        body, fingerprint = parts(connected.ok("show", reference, pin=False).out.splitlines())
        texts = view.text(card)
        sheet = view.text(view.found("Written by the bank"))
        assert solid(sheet) == solid(body), (reference, sheet, body)
        # Bank and host, then our own words: nothing else stands in the card.
        assert texts[:len(sheet)] == sheet and texts[-1] == fingerprint and len(texts) == len(sheet) + 2, texts[len(sheet):]
        assert "…" not in "".join(texts) or "…" in "".join(body)
        if number < 2:
            view.picture(f"card-hostile-{number}")
        view.press("Back")
