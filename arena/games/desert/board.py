"""The boards of desert: read from data files, checked, and turned into bit masks.

A set of spaces is one Python integer. The hexagons are laid out on slanted axes, so that the neighbours of
all spaces of a set are a few shifts of the whole integer; a flood fill costs a handful of operations for each
ring. Bits fall from the first space (column a, lowest row number) to the last, so that taking the highest bit
again and again lists spaces by column and row.

Nothing here knows players' pieces; who may stand where is `state.py`'s.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise, product
from typing import Any

COLOURS = "bgpwy"
COLOUR_NAMES = {"b": "blue", "g": "green", "p": "purple", "w": "white", "y": "yellow"}
PALMS = 5  # the palms that are set up
TOKENS = tuple(value for value in (1, 2, 3) for _ in range(15))  # the water tokens

_SPACE = re.compile(r"([a-z])([1-9][0-9]?)")
_ROWS = re.compile(r"([1-9][0-9]?)(?:-([1-9][0-9]?))?")


class BoardError(ValueError):
    """A board's file is wrong; the text says which board and what is wrong with it."""


@dataclass(frozen=True, slots=True)
class Board:
    """A board as its file describes it; spaces are in order of column and row."""

    name: str
    spaces: tuple[str, ...]
    section: frozenset[str]  # the spaces that only 4 and 5 players use
    palms: tuple[str, ...]
    waters: tuple[str, ...]
    mountains: tuple[str, ...]

    def used(self, players: int) -> tuple[str, ...]:
        """Return the spaces that so many players use."""
        return self.spaces if players > 3 else tuple(s for s in self.spaces if s not in self.section)


def place(space: str) -> tuple[int, int]:
    """Return column (from 0) and row of a space's name; ValueError if it is none."""
    found = _SPACE.fullmatch(space)
    if found is None:
        raise ValueError(f"{space!r} is no name of a space")
    return ord(found[1]) - ord("a"), int(found[2])


def neighbours(space: str) -> list[str]:
    """Return the names of the six spaces around one, on the board or not."""
    column, row = place(space)
    side = row + 1 if column % 2 == 0 else row - 1
    around = [(column, row - 1), (column, row + 1)]
    around += [(next_to, r) for next_to in (column - 1, column + 1) for r in (row, side)]
    return [f"{chr(ord('a') + c)}{r}" for c, r in around if 0 <= c < 26 and r > 0]


def read_board(data: Mapping[str, Any]) -> Board:
    """Check a board's data and return the board; BoardError says what is wrong."""
    name = data.get("name")
    if not isinstance(name, str):
        raise BoardError("a board needs a name")

    def wrong(text: str) -> BoardError:
        return BoardError(f"board {name}: {text}")

    for key in ("counts", "spaces", "section"):
        if not isinstance(data.get(key), dict):
            raise wrong(f"{key} is missing or no object")
    for key in ("palms", "waters", "mountains"):
        if not isinstance(data.get(key), list):
            raise wrong(f"{key} is missing or no list")
    lists: dict[str, list[str]] = {key: list(_expand(name, key, data[key])) for key in ("spaces", "section")}
    lists |= {key: list(data[key]) for key in ("palms", "waters", "mountains")}
    for key, spaces in lists.items():
        for space in spaces:
            if not isinstance(space, str) or not _SPACE.fullmatch(space):
                raise wrong(f"{key} has {space!r}, which is no name of a space")
        twice = {space for space in spaces if spaces.count(space) > 1}
        if twice:
            raise wrong(f"{key} has {min(twice)} twice")
        if data["counts"].get(key) != len(spaces):
            raise wrong(f"counts says {data['counts'].get(key)} {key}, but there are {len(spaces)}")
    known = set(lists["spaces"])
    for key in ("section", "palms", "waters"):
        for space in lists[key]:
            if space not in known:
                raise wrong(f"{key} has {space}, which is not among the spaces")
    for one, other in (("palms", "waters"), ("mountains", "spaces")):
        if both := set(lists[one]) & set(lists[other]):
            raise wrong(f"{min(both)} is among {one} and {other}")
    board = Board(
        name,
        tuple(sorted(known, key=place)),
        frozenset(lists["section"]),
        tuple(sorted(lists["palms"], key=place)),
        tuple(sorted(lists["waters"], key=place)),
        tuple(lists["mountains"]),
    )
    for players in (2, 4):
        _check_use(board, players)
    return board


def _check_use(board: Board, players: int) -> None:
    """Raise BoardError unless so many players can use the board: in one piece, enough palms and tokens."""
    used = set(board.used(players))
    where = f"board {board.name} with {players} players"
    palms = [space for space in board.palms if space in used]
    waters = [space for space in board.waters if space in used]
    if len(palms) < PALMS:
        raise BoardError(f"{where}: {len(palms)} palm spaces for {PALMS} palms")
    if len(waters) + len(palms) - PALMS > len(TOKENS):
        raise BoardError(f"{where}: more spaces for water than the {len(TOKENS)} tokens")
    reached, edge = set[str](), [board.used(players)[0]]
    while edge:
        space = edge.pop()
        if space in used and space not in reached:
            reached.add(space)
            edge += neighbours(space)
    if reached != used:
        raise BoardError(f"{where}: {min(used - reached, key=place)} is cut off from the rest")


def _expand(name: str, key: str, columns: Mapping[str, str]) -> Iterator[str]:
    """Yield the spaces of a file's columns: {"f": "1-6 9-13"} has f1 to f6 and f9 to f13."""
    for column, rows in columns.items():
        for part in str(rows).split():
            found = _ROWS.fullmatch(part)
            if found is None:
                raise BoardError(f"board {name}: {key} has {part!r} in column {column}: no range of rows")
            first = int(found[1])
            for row in range(first, int(found[2] or first) + 1):
                yield f"{column}{row}"


@cache
def load_board(name: str) -> Board:
    """Return a board that comes with the game."""
    file = resources.files(__package__).joinpath("boards").joinpath(f"{name}.json")
    return read_board(json.loads(file.read_text(encoding="utf-8")))


class Grid:
    """The spaces in use as bits. `index` of a space is the bit length of its bit: names[bit.bit_length()]."""

    __slots__ = (
        "actions",
        "apart",
        "bits",
        "cuts",
        "far",
        "full",
        "index",
        "line",
        "names",
        "near",
        "ring",
        "splits",
        "stride",
        "words",
    )

    def __init__(self, spaces: Iterable[str]) -> None:
        slanted = {space: _slanted(space) for space in spaces}
        lowest = min(y for _, y in slanted.values())
        # One row stays free between columns, so that no shift reaches from one column's end into the next.
        self.stride = max(y for _, y in slanted.values()) - lowest + 2
        # One column stays free after the last, so that a ring's shift is never negative.
        size = (max(x for x, _ in slanted.values()) + 2) * self.stride
        self.index = {space: size - (x * self.stride + y - lowest) for space, (x, y) in slanted.items()}
        self.line = f"cells {' '.join(self.index)}"  # what bots are told of it
        self.names = [""] * (size + 1)
        self.bits = [0] * (size + 1)
        for space, index in self.index.items():
            self.names[index], self.bits[index] = space, 1 << (index - 1)
        self.full = sum(self.bits)
        self.near = [self.around(bit) if bit else 0 for bit in self.bits]
        self.far = [self.full & ~near for near in self.near]  # all but the neighbours
        self.apart = [far & ~bit for far, bit in zip(self.far, self.bits, strict=True)]
        # Which spaces around one belong to a region, as `rest >> shift & ring` has them, if a camel on the
        # one could cut that region in two: they lie in more than one arc of the ring.
        self.ring, self.splits = _ring(self.stride)
        self.words = [[colour + name for name in self.names] for colour in COLOURS]
        self.actions = {
            self.words[colour][index]: (
                colour,
                self.bits[index],
                self.near[index],
                self.far[index],
                index,
                index - 1 - self.stride,
            )
            for colour in range(len(COLOURS))
            for index in self.index.values()
        }
        # The spaces, as bits, that are the only link between two parts of the board.
        self.cuts = {bit for bit in self.bits if bit and self._parts(self.full ^ bit) > 1}

    def around(self, spaces: int) -> int:
        """Return the spaces that touch a set, without the set itself."""
        pairs = spaces | spaces << 1
        stride = self.stride
        return (pairs | pairs >> 1 | pairs >> stride | pairs << (stride - 1)) & self.full & ~spaces

    def mask(self, spaces: Iterable[str]) -> int:
        """Return the set of the named spaces; KeyError for one that is not in use."""
        mask = 0
        for space in spaces:
            mask |= self.bits[self.index[space]]
        return mask

    def list(self, spaces: int) -> list[str]:
        """Return the names of a set's spaces, by column and row."""
        names, bits, found = self.names, self.bits, []
        while spaces:
            index = spaces.bit_length()
            found.append(names[index])
            spaces ^= bits[index]
        return found

    def enclosed(self, seeds: int, rest: int, camels: int) -> int:
        """Return the regions of `rest` with a space of `seeds` in them and none of `camels`, as one set."""
        stride, found = self.stride, 0
        while seeds:
            region = 0
            grown = seeds & -seeds
            while grown != region and not grown & camels:
                region = grown
                pairs = region | region << 1
                grown = (pairs | pairs >> 1 | pairs >> stride | pairs << (stride - 1)) & rest
            if grown == region:
                found |= region
            seeds &= ~grown
        return found

    def _parts(self, spaces: int) -> int:
        """Return the number of connected parts of a set."""
        count = 0
        while spaces:
            spaces &= ~self.enclosed(spaces & -spaces, spaces, 0)
            count += 1
        return count


def _ring(stride: int) -> tuple[int, frozenset[int]]:
    """Return the six neighbours of the bit `stride` as a set, and its subsets of more than one arc."""
    # in their order around the space: each touches the next
    ring = [1 << stride + step for step in (1, stride, stride - 1, -1, -stride, 1 - stride)]
    splits = set()
    for chosen in product((False, True), repeat=6):
        if sum(here and not before for before, here in pairwise((chosen[-1], *chosen))) > 1:
            splits.add(sum(bit for bit, here in zip(ring, chosen, strict=True) if here))
    return sum(ring), frozenset(splits)


def _slanted(space: str) -> tuple[int, int]:
    """Return a space's coordinates on axes where all six neighbours lie at the same offsets everywhere."""
    column, row = place(space)
    return column, row - (column + 1) // 2


@cache
def grid(board: str, large: bool) -> Grid:
    """Return the spaces of a board in use, with or without the section for 4 and 5 players."""
    return Grid(load_board(board).used(4 if large else 2))
