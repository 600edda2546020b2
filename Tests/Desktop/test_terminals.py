"""No letter of disputed width pushes the frame of a card in the terminals of the desktop: GNOME's (libvte) and kitty."""

import json
import os
import subprocess

import pytest
from conftest import program
from frames import drawn

# Feeds lines to a libvte terminal, each on an empty screen, and prints where the cursor stands behind each.
VTE = r"""
import json, re, sys
import gi
gi.require_version("Gtk", "3.0")
gi.require_version("Vte", "2.91")
from gi.repository import GLib, Gtk, Vte

columns, lines = json.load(sys.stdin)
terminal, window, answers = Vte.Terminal(), Gtk.Window(), []
terminal.set_size(columns, 24)
# The answers to the questions for the cursor's position.
terminal.connect("commit", lambda _, text, size: answers.append(text))
window.add(terminal)
window.show_all()
assert terminal.get_column_count() == columns
for line in lines:
    terminal.feed(("\x1b[2J\x1b[H" + line + "\x1b[6n").encode())
while "".join(answers).count("R") < len(lines):
    GLib.MainContext.default().iteration(True)
print(json.dumps([[int(n) for n in place] for place in re.findall(r"\x1b\[(\d+);(\d+)R", "".join(answers))]))
"""
KITTY = r"""
import json, sys
from kitty.fast_data_types import wcswidth

print(json.dumps(list(map(wcswidth, json.load(sys.stdin)[1]))))
"""


@pytest.fixture(params=[60, 80])
def cards(request, connected, bank):
    """The columns, and 60 cards of 60 hostile lines by their seeds."""
    return request.param, drawn(connected, bank, request.param, range(request.param, request.param + 60))


def answer(argv, columns, lines, environment):
    done = subprocess.run(
        argv, input=json.dumps([columns, lines]), env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_gnome_terminal_finds_each_frame_whole(screen, cards):
    columns, cards = cards
    if subprocess.run(["/usr/bin/python3", "-c", "import gi; gi.require_version('Vte', '2.91')"], capture_output=True).returncode:
        pytest.skip("not installed: libvte")
    lines = [(seed, line) for seed, card in cards.items() for line in card]
    places = answer(["/usr/bin/python3", "-c", VTE], columns, [line for _, line in lines], screen.environment)
    for (seed, line), (row, column) in zip(lines, places, strict=True):
        # Behind a full line the cursor stays in the last column.
        assert row == 1 and column <= columns, f"seed {seed}: {line!r} ends in row {row}, column {column}"


def test_kitty_finds_each_frame_whole(cards):
    columns, cards = cards
    kitty = program("kitty")
    lines = [(seed, line) for seed, card in cards.items() for line in card]
    for (seed, line), width in zip(
            lines, answer([kitty, "+runpy", KITTY], columns, [line for _, line in lines], os.environ), strict=True):
        assert width <= columns, f"seed {seed}: {line!r} takes {width} columns"
