"""The board of rain: its spaces, its lines, and what a row of mushrooms is worth.

Spaces are numbered in the order of the board's file, row by row. A line is a sequence of spaces in one of
the four directions; those with fewer than four spaces can never score and are left out. Nothing here knows
players.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import resources
from typing import Any

COLOURS = "rybg"
COLOUR_NAMES = {"r": "red", "y": "yellow", "b": "blue", "g": "green"}
EACH = 12  # mushrooms of each colour
RUN = 4  # mushrooms that score together: one of each colour
FREE = "."

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class BoardError(ValueError):
    """The board's file is wrong; the text says what is wrong with it."""


# an action's colour, space, the space's bit, and the lines through it
Action = tuple[str, int, int, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class Board:
    """The spaces and lines, with tables by space for the rules."""

    cells: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]  # the spaces of each line, in order; long lines first
    # by space: for each line through it the line's number and the bits of its spaces before this one
    through: tuple[tuple[tuple[int, int], ...], ...]
    words: tuple[tuple[str, ...], ...]  # by colour: the action for each space
    actions: Mapping[str, Action]


def read_board(data: Mapping[str, Any]) -> Board:
    """Check the board's data and return the board; BoardError says what is wrong."""
    rows = data.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise BoardError("rows is missing or no list of texts")
    if wrong := set("".join(rows)) - {"#", " "}:
        raise BoardError(f"rows has {min(wrong)!r}; only '#' (a space) and ' ' (none) are known")
    cells = {
        f"{chr(ord('a') + column)}{row}": (column, row)
        for row, text in enumerate(rows, 1)
        for column, mark in enumerate(text)
        if mark == "#"
    }
    if len(cells) != EACH * len(COLOURS):
        raise BoardError(f"{len(cells)} spaces for {EACH * len(COLOURS)} mushrooms")
    numbers = {place: number for number, place in enumerate(cells.values())}
    lines: list[tuple[int, ...]] = []
    for dx, dy in _DIRECTIONS:
        for x, y in numbers:
            if (x - dx, y - dy) not in numbers:
                line: list[int] = []
                while (x, y) in numbers:
                    line.append(numbers[x, y])
                    x, y = x + dx, y + dy
                if len(line) >= RUN:
                    lines.append(tuple(line))
    lines.sort(key=len, reverse=True)
    through: list[list[tuple[int, int]]] = [[] for _ in cells]
    for number, spaces in enumerate(lines):
        before = 0
        for cell in spaces:
            through[cell].append((number, before))
            before |= 1 << cell
    words = tuple(tuple(colour + cell for cell in cells) for colour in COLOURS)
    actions = {
        word: (word[0], cell, 1 << cell, tuple(through[cell]))
        for row in words
        for cell, word in enumerate(row)
    }
    return Board(tuple(cells), tuple(lines), tuple(tuple(found) for found in through), words, actions)


@cache
def load_board() -> Board:
    """Return the board that comes with the game."""
    file = resources.files(__package__).joinpath("board.json")
    return read_board(json.loads(file.read_text(encoding="utf-8")))


class _Points(dict[str, int]):
    """The points for a mushroom by the row around it; filled as rows come up, at most 4^7 of full length."""

    def __missing__(self, row: str) -> int:
        points = sum(len(set(row[i : i + RUN])) == RUN for i in range(len(row) - RUN + 1))
        self[row] = points
        return points


# Of a row only the three mushrooms on either side of the new one matter: with the new one in their middle
# every run of four in that stretch contains it.
POINTS = _Points()


@lru_cache(maxsize=1 << 14)
def chance(line: str, colours: str) -> tuple[int, int] | None:
    """Return a stretch of a line (free spaces are dots) where these colours could ever score; None for none.

    They could where some mushrooms that follow one another, all different, have so much free space among and
    beside them that the colours they lack fit in, and all of those are left. The more mushrooms are there
    already, the shorter is the stretch, and the longer it stays as it is.
    """
    ends = [-1, *(at for at, mark in enumerate(line) if mark != FREE), len(line)]
    for size in range(RUN - 1, -1, -1):
        for first in range(len(ends) - 1 - size):
            start, stop = ends[first] + 1, ends[first + size + 1]
            if stop - start < RUN:
                continue
            inner = ends[first + 1 : first + size + 1]
            row = {line[at] for at in inner}
            if len(row) == size and all(colour in row or colour in colours for colour in COLOURS):
                # no longer than it must be
                start = max(start, min([*inner, stop - RUN]))
                return start, max([start + RUN, *(at + 1 for at in inner)])
    return None
