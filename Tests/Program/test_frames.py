"""No letter of disputed width pushes the frame of a card, by the widths of another program than ours."""

import unicodedata

import pyte
import pytest
from frames import drawn
from wcwidth import wcwidth


class Screen(pyte.Screen):
    """pyte stops at a character of no width that is no mark; other terminals leave it out."""

    def draw(self, data):
        super().draw("".join(c for c in data if wcwidth(c) > 0 or unicodedata.combining(c)))


@pytest.mark.parametrize("columns", [60, 80])
def test_pyte_finds_each_frame_whole(connected, bank, columns):
    """By the tables of the wcwidth package: 30 cards of 60 hostile lines."""
    for seed, card in drawn(connected, bank, columns, range(columns * 100, columns * 100 + 30)).items():
        assert not {"\ufe0f", "\ufe0e", "\u20e3", "\u200d"} & set("".join(card)), f"seed {seed}"
        screen = Screen(columns, len(card) + 20)
        pyte.Stream(screen).feed("\r\n".join(card))
        begin = [screen.buffer[row][0].data for row in range(screen.cursor.y + 1)]
        assert begin == [line[0] for line in card], f"seed {seed}: {begin} of\n" + "\n".join(card)
        assert all(screen.buffer[0][column].data == "─" for column in range(1, columns))


@pytest.mark.parametrize("columns", [60, 80])
def test_a_mark_may_take_a_cell_of_its_own(connected, bank, columns):
    """As on the Linux console, and where a terminal's tables are older than a mark: no line is longer than the screen even then."""
    for seed, card in drawn(connected, bank, columns, range(columns * 200, columns * 200 + 10)).items():
        for line in card:
            width = sum(max(1, wcwidth(c)) for c in line)
            assert width <= columns, f"seed {seed}: {line!r} takes {width} columns"
