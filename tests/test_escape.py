"""Facts about arena/escape.py."""

from __future__ import annotations

import pytest

from arena.escape import csv_cell, markdown, printable, printable_lines
from tests.nasty import NASTY


@pytest.mark.parametrize("text", NASTY)
def test_printable_is_one_line_without_controls(text: str) -> None:
    """What `printable` returns can be written to any terminal."""
    assert printable(text).isprintable()


def test_printable_shows_what_was_there() -> None:
    """Controls are shown as escapes, not dropped."""
    assert printable("a\x1b[2Jb\u202ec") == "a\\x1b[2Jb\\u202ec"


def test_printable_leaves_ordinary_text() -> None:
    """Letters of any language stay as they are."""
    assert printable("Wüste, Ωμέγα, 砂漠") == "Wüste, Ωμέγα, 砂漠"


def test_lines_are_split_at_line_feeds_alone() -> None:
    """A lone CR, a form feed or a Unicode separator starts no new line."""
    assert printable_lines("a\nb\rc\u2028d") == ["a", "b\\x0dc\\u2028d"]


@pytest.mark.parametrize("text", NASTY)
def test_no_cell_starts_a_formula(text: str) -> None:
    """A spreadsheet that opens the CSV file runs nothing."""
    assert not csv_cell(text).startswith(("=", "+", "-", "@", "\t", "\r"))


@pytest.mark.parametrize("text", NASTY)
def test_markdown_has_no_markup_left(text: str) -> None:
    """In Markdown every character with a meaning is escaped."""
    shown = markdown(text)
    for position, letter in enumerate(shown):
        if letter in "`*_[]<>|&":
            assert shown[position - 1] == "\\"
