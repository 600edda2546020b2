"""Cards made of hostile text, as the program draws them on a terminal, for emulators to draw."""

import random
import unicodedata

# Letters, and the marks that may stand on them, of scripts that terminals draw in different widths.
SCRIPTS = [
    ("abcdeé", "\u0301\u0308\u0363"), ("αβγΩ", "\u0301"), ("абвЖ", "\u0483\u0487"), ("אבגד", "\u05b0\u05b8"), ("ابجد", "\u064b\u0610\u06d6"),
    ("कखगष", "\u094d\u0901\u093f\u093e"), ("กขค", "\u0e34\u0e48\u0e33"), ("ကခဂ", "\u1039\u102d"), ("ᄀᄂᄒ", "\u1161\u11ab"), ("漢字仮", "\u302a\u3099"),
    ("𑂃𑂄", "\U000110b9"), ("𞤀𞤁", "\U0001e944"), ("ᬅᬆ", "\u1b00\u1b34"), ("﷽𒐫⸻꧅", ""),
]
SEQUENCES = [
    "1\ufe0f\u20e3", "#\u20e3", "❤\ufe0f", "☺\ufe0e", "👩\u200d👧", "👩🏽\u200d💻", "🇩🇪", "🇩", "👍🏽", "🏴\U000e0067\U000e007f", "한", "ｆｕｌｌ", "ﾊﾟ", "①Ⅷ※",
    "│├└┌─", "↳", "[3 spaces]", "⟨U+0041⟩", "\t", "   ", "\u00a0" * 5, "\u3000", "\u2003" * 3, "\u200b", "\u202e", "\u2066", "\x1b[2J", "\r", "\x85",
    "Amount: 1.00 EUR", "fingerprint 0000", "x" * 45, " ", " ",
]
MARKS = [chr(c) for c in range(0x300, 0x1F000) if unicodedata.category(chr(c)) in ("Mn", "Me", "Mc")]
# Newer than the tables of many terminals, this Python's included.
NEW = [*range(0x1ACF, 0x1AEC), 0x897, *range(0x10D69, 0x10D6E), *range(0x10EFA, 0x10F00), *range(0x113BB, 0x113C1), 0x11F5A]
MARKS += [chr(c) for c in NEW]


def piece(luck):
    kind = luck.randrange(10)
    if kind < 3:
        letters, marks = luck.choice(SCRIPTS)
        return "".join(
            luck.choice(letters) + "".join(luck.choice(marks) for _ in range(luck.randrange(5) if marks else 0))
            for _ in range(luck.randrange(1, 20)))
    if kind < 6:
        return luck.choice(SEQUENCES) * luck.randrange(1, 8)
    if kind < 8:
        return "".join(
            luck.choice("aZéאक漢") + "".join(luck.choice(MARKS) for _ in range(luck.randrange(6)))
            for _ in range(luck.randrange(1, 12)))
    # Anything at all.
    return "".join(
        chr(luck.choice([luck.randrange(0x20, 0x3000), luck.randrange(0x3000, 0xD800), luck.randrange(0xE000, 0x20000)]))
        for _ in range(luck.randrange(1, 20)))


def hostile(seed, lines=60):
    """Lines of text from a seed."""
    luck = random.Random(seed)
    return ["".join(piece(luck) for _ in range(luck.randrange(1, 9))).replace("\n", " ") for _ in range(lines)]


def drawn(home, bank, columns, seeds):
    """By seed, the lines of a card as `show` draws it on a terminal of so many columns."""
    cards = {}
    for seed in seeds:
        title, *lines = hostile(seed)
        id = bank.pay(title, "\n".join(lines), expires_in=3600)
        child = home.terminal("show", f"demobank:{id}", "--pin-file", home.pin_file, columns=columns, environment={"NO_COLOR": "1"})
        child.expect("┌(.*)\n└[^\n]*\n")
        card = child.match[0].replace("\r\n", "\n").rstrip("\n").split("\n")
        assert len(card) > len(lines), f"seed {seed}"
        cards[seed] = card
        child.wait()
        bank.post(f"authorizations/{id}/close")
    return cards
