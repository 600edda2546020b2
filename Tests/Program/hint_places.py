"""Finds the places in Sources that name a command of Countersign to a person: hints, and suggestions in other texts."""

import pathlib
import re

from conftest import ROOT

HELP = pathlib.Path(__file__).parent / "snapshots/help"
# Arguments of the command line's own description, which is no answer to anything.
DESCRIPTION = re.compile(r"\b(usage|discussion|abstract|help|ArgumentHelp)[:(]\s*$")
NAMED = re.compile(r"(?<![\w/.-])countersign ([a-z]+|COMMAND|--(?:help|version)|\{(?!purpose|product)|$)")
# Expressions that make a command.
MADE = re.compile(r"\{(?:(?:Self|CommandWords)\.(?:login|token)\(.*|login|doctor|register|Failure\.startAgent)\}")
MADE_ALONE = re.compile(r"hint:\s*((?:Self|CommandWords)\.(?:login|token)\(.*)|^ *case .*, (login)\)$", re.MULTILINE)


def literals(text):
    """The string literals of a Swift source: where each begins, and its text with `{expression}` for what is put in."""
    found, at = [], 0
    while at < len(text):
        if text.startswith("//", at):
            at = (text.find("\n", at) + 1) or len(text)
        elif mark := re.match(r'(#*)("""|")', text[at:at + 6]):
            at = literal(text, at, mark, found)
        else:
            at += 1
    return sorted(found)


def literal(text, start, mark, found):
    """Adds one literal, and those inside of it; returns where it ends."""
    raw, quote = mark.groups()
    at, parts = start + len(mark[0]), []
    while not text.startswith(quote + raw, at):
        if text.startswith(f"\\{raw}(", at):
            at += 2 + len(raw)
            begin, depth = at, 1
            while depth:
                if inner := re.match(r'(#*)("""|")', text[at:at + 6]):
                    at = literal(text, at, inner, found)
                    continue
                depth += {"(": 1, ")": -1}.get(text[at], 0)
                at += 1
            parts.append("{" + text[begin:at - 1] + "}")
        elif text[at] == "\\" and not raw:
            parts.append({"n": "\n", "\n": ""}.get(text[at + 1], text[at + 1]))
            at += 2
        else:
            parts.append(text[at])
            at += 1
    found.append((start, " ".join("".join(parts).split())))
    return at + len(quote + raw)


def names_a_command(text):
    words = [match[1] for match in NAMED.finditer(text)]
    return MADE.search(text) or any(
        not word.isalpha() or word == "COMMAND" or (HELP / f"countersign-{word}.txt").exists() for word in words)


def places():
    """File and text of each place."""
    for path in sorted((ROOT / "Sources").rglob("*.swift")):
        if "DemoBank" in path.parts or "demo-bank" in path.parts:
            continue
        source = path.read_text()
        for start, text in literals(source):
            if names_a_command(text) and not DESCRIPTION.search(source[:start]):
                yield path.stem, text
        for match in MADE_ALONE.finditer(source):
            yield path.stem, match[1] or match[2]
