"""The board of rain: its spaces, its lines, and what a row of mushrooms is worth.

Spaces are numbered in the order of the board's file, row by row. A line is a sequence of spaces in one of
the four directions; those with fewer than four spaces can never score and are left out. Nothing here knows
players.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import permutations, product
from typing import Any

COLOURS = "rybg"
COLOUR_NAMES = {"r": "red", "y": "yellow", "b": "blue", "g": "green"}
EACH = 12  # mushrooms of each colour
RUN = 4  # mushrooms that score together: one of each colour
SHORT = 4  # rows of so many or fewer, four of five that a mushroom comes into, have a table of their own
FREE = "."

_ALL = frozenset(COLOURS)

_DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class BoardError(ValueError):
    """The board's file is wrong; the text says what is wrong with it."""


# an action's colour and its number, space, the space's bit, the bits before it, the windows and lines with it
Action = tuple[str, int, int, int, int, int, tuple[tuple[int, int], ...]]


@dataclass(frozen=True, slots=True)
class Board:
    """The spaces and lines, with tables by space for the rules."""

    cells: tuple[str, ...]
    lines: tuple[tuple[int, ...], ...]  # the spaces of each line, in order; long lines first
    # by space: for each line through it the line's number and the bits of its spaces before this one
    through: tuple[tuple[tuple[int, int], ...], ...]
    windows: int  # a bit for every four spaces that follow one another on a line
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
    windows = [set(line[first : first + RUN]) for line in lines for first in range(len(line) - RUN + 1)]
    within = [
        sum(1 << bit for bit, window in enumerate(windows) if cell in window) for cell in range(len(cells))
    ]
    words = tuple(tuple(colour + cell for cell in cells) for colour in COLOURS)
    actions = {
        word: (word[0], number, cell, 1 << cell, (1 << cell) - 1, within[cell], tuple(through[cell]))
        for number, row in enumerate(words)
        for cell, word in enumerate(row)
    }
    return Board(
        tuple(cells),
        tuple(lines),
        tuple(tuple(found) for found in through),
        (1 << len(windows)) - 1,
        words,
        actions,
    )


@cache
def load_board() -> Board:
    """Return the board that comes with the game."""
    file = resources.files(__package__).joinpath("board.json")
    return read_board(json.loads(file.read_text(encoding="utf-8")))


def _points() -> dict[str, int]:
    """Return the runs of four colours in all rows of up to seven mushrooms that have any.

    Of a row only the three mushrooms on either side of a new one matter: in that stretch every run of four
    contains it. Rows without a run are left out: most are, and a small table stays near the processor.
    """
    runs = {"".join(run) for run in permutations(COLOURS)}
    points: dict[str, int] = {}
    rows = [""]
    for _ in range(2 * RUN - 1):
        rows = [row + colour for row in rows for colour in COLOURS]
        for row in rows:
            found = points.get(row[:-1], 0) + (row[-RUN:] in runs)
            if found:
                points[row] = found
    return points


def _steps() -> dict[str, list[tuple[tuple[str, int], ...]]]:
    """Return by short row, place in it and new colour's number: the row that comes of it, and its points."""
    texts = [text for size in range(SHORT + 1) for text in map("".join, product(COLOURS, repeat=size))]
    kept: dict[tuple[str, int], tuple[str, int]] = {}  # one of each, for the same reason

    def step(row: str, at: int, colour: str) -> tuple[str, int]:
        new = row[:at] + colour + row[at:]
        made = new, POINTS.get(new[max(0, at + 1 - RUN) : at + RUN], 0)
        return kept.setdefault(made, made)

    return {
        row: [tuple(step(row, at, colour) for colour in COLOURS) for at in range(len(row) + 1)]
        for row in texts
    }


POINTS = _points()
STEPS = _steps()


def may_score(line: Sequence[str], colours: frozenset[str]) -> bool:
    """Tell whether these colours could ever score on a line, where dots stand for free spaces.

    They could where some mushrooms that follow one another, all different, have so much free space among and
    beside them that the colours they lack fit in, and all of those are left.
    """
    ends = [-1, *[at for at, mark in enumerate(line) if mark != FREE], len(line)]
    for size in range(RUN):
        for first in range(len(ends) - 1 - size):
            if ends[first + size + 1] - ends[first] > RUN:
                row = {line[at] for at in ends[first + 1 : first + size + 1]}
                if len(row) == size and colours.issuperset(_ALL - row):
                    return True
    return False
