"""The board of rain: its spaces, its lines, and what a row of mushrooms is worth.

Spaces are numbered in the order of the board's file, row by row. A line is a sequence of spaces in one of the
four directions; those with fewer than four spaces can never score and are left out. Nothing here knows players.
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


@dataclass(frozen=True, slots=True)
class Board:
    """The spaces and lines, with tables by space for the rules."""

    cells: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]  # the spaces of each line, in order
    # by space: for each line through it the line's number and the bits of its spaces before this one
    through: tuple[tuple[tuple[int, int], ...], ...]
    words: Mapping[str, tuple[str, ...]]  # by colour: the action for each space
    actions: Mapping[str, tuple[str, int]]  # an action's colour and space


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
    lines = []
    for dx, dy in _DIRECTIONS:
        for x, y in numbers:
            if (x - dx, y - dy) not in numbers:
                line = []
                while (x, y) in numbers:
                    line.append(numbers[x, y])
                    x, y = x + dx, y + dy
                if len(line) >= RUN:
                    lines.append(tuple(line))
    through: list[list[tuple[int, int]]] = [[] for _ in cells]
    for number, line in enumerate(lines):
        below = 0
        for cell in line:
            through[cell].append((number, below))
            below |= 1 << cell
    words = {colour: tuple(colour + cell for cell in cells) for colour in COLOURS}
    actions = {word: (word[0], cell) for row in words.values() for cell, word in enumerate(row)}
    return Board(tuple(cells), tuple(lines), tuple(tuple(found) for found in through), words, actions)


@cache
def load_board() -> Board:
    """Return the board that comes with the game."""
    return read_board(
        json.loads(resources.files(__package__).joinpath("board.json").read_text(encoding="utf-8"))
    )


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
def may_score(line: str, colours: str) -> bool:
    """Tell whether some placement of these colours on a line (free spaces are dots) could ever score.

    It could if some mushrooms that follow one another, all different, have so much free space among and beside
    them that the colours they lack fit in, and all of those are left.
    """
    taken = [at for at, mark in enumerate(line) if mark != FREE]
    ends = [-1, *taken, len(line)]
    for first in range(len(ends) - 1):
        for after in range(first + 1, min(first + RUN, len(ends) - 1) + 1):
            # the mushrooms strictly between ends[first] and ends[after]
            row = {line[at] for at in ends[first + 1 : after]}
            size = after - first - 1
            room = ends[after] - ends[first] - 1 - size
            lacking = set(COLOURS) - row
            if len(row) == size and room >= len(lacking) > 0 and lacking <= set(colours):
                return True
    return False
