"""The conversation on file: times, directions, nothing that could harm a terminal."""

from __future__ import annotations

import io
import itertools

from arena.wire import SHOWN, WireLog


def write(*said: tuple[int, str, str, bytes]) -> list[str]:
    """Return the lines of a log of what was said, a millisecond apart."""
    file = io.StringIO()
    ticks = itertools.count(5_000_000, 1000)
    log = WireLog(file, lambda: next(ticks))
    for what in said:
        log(*what)
    return file.getvalue().splitlines()


def test_each_line_has_time_seat_bot_and_direction() -> None:
    """What was said in one write is one line of the file for each of its lines."""
    assert write((0, "a", ">", b"play 1 x\ngo 1000 0\n"), (0, "a", "<", b"move y\n")) == [
        "0.001000 0 a > play 1 x",
        "0.001000 0 a > go 1000 0",
        "0.002000 0 a < move y",
    ]


def test_unfinished_lines_are_marked() -> None:
    """A piece without its line end ends in a backslash; an empty line is shown."""
    assert write((1, "a", "<", b"\nmov")) == ["0.001000 1 a < ", "0.001000 1 a < mov\\"]


def test_bytes_are_escaped() -> None:
    """Control characters and bytes beyond ASCII are shown by their numbers."""
    assert write((-1, "a", "!", b"\x1b[2J\xff\x00\n")) == ["0.001000 - a ! \\x1b[2J\\xff\\x00"]


def test_floods_are_cut() -> None:
    """Of a big piece the beginning is shown, and how much there was."""
    lines = write((0, "a", "<", b"x" * (SHOWN + 10)))
    assert lines[-1] == "0.001000 0 a < … 10 bytes more"
    assert len(lines[0]) < SHOWN + 40
