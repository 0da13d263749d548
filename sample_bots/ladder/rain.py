"""A position of rain as the ladder's Python bots keep it: the board, all hands, what a mushroom would score.

It trusts the referee: it follows what was played and checks nothing. The bag's order is unknown, its contents
are what neither the board nor the hands show.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

COLOURS = "rybg"
EMPTY = 0
ALL = 15  # colours are the bits 1, 2, 4, 8, so that four that differ make 15


class Rain:
    """Everything a bot knows of a match of rain. Spaces are numbers, colours are bits."""

    def __init__(self, players: int, seat: int, keys: Mapping[str, str]) -> None:
        """Begin a match as that seat."""
        self.players = players
        self.seat = seat
        self.chance = random.Random()
        self.names: list[str] = []
        self.number: dict[str, int] = {}
        self.lines: list[list[int]] = []
        self.through: list[list[tuple[int, int]]] = []  # by space: line and place on it
        self.board: list[int] = []
        self.hands: list[Counter[int]] = [Counter() for _ in range(players)]
        self.points: list[int] = [0] * players
        self.gone: set[int] = set()

    def setup(self, words: Sequence[str]) -> None:
        """Take the words of a `setup` line."""
        match words:
            case ["cells", *cells]:
                self._lay(cells)
            case ["hand", seat, pieces]:
                self.draw(int(seat), pieces)

    def _lay(self, cells: Sequence[str]) -> None:
        """Make the board and its lines in the four directions."""
        self.names = list(cells)
        self.number = {cell: space for space, cell in enumerate(cells)}
        self.board = [EMPTY] * len(cells)
        self.through = [[] for _ in cells]
        places = {(ord(cell[0]), int(cell[1:])): space for cell, space in self.number.items()}
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            rows: dict[int, list[tuple[int, int]]] = {}
            for x, y in places:
                rows.setdefault(x * dy - y * dx, []).append((x, y))
            for row in rows.values():
                if len(row) >= 4:  # a shorter line never holds four
                    line = [places[place] for place in sorted(row)]
                    for index, space in enumerate(line):
                        self.through[space].append((len(self.lines), index))
                    self.lines.append(line)

    def read(self, action: str) -> tuple[int, int]:
        """Return an action's colour and space."""
        return 1 << COLOURS.index(action[0]), self.number[action[1:]]

    def play(self, seat: int, action: str) -> None:
        """Take an action of a seat, or `pass`."""
        if action == "pass":
            return
        colour, space = self.read(action)
        self.points[seat] += self.gains(space)[colour]
        self.board[space] = colour
        self.hands[seat][colour] -= 1

    def draw(self, seat: int, pieces: str) -> None:
        """Take what a seat drew."""
        for piece in pieces:
            self.hands[seat][1 << COLOURS.index(piece)] += 1

    def drop(self, seat: int) -> None:
        """Take it that a seat is out."""
        self.gone.add(seat)

    def gains(self, space: int) -> list[int]:
        """Return the points that a mushroom would score on a free space, by colour bit (1, 2, 4, 8)."""
        gains = [0] * 9
        board = self.board
        for number, index in self.through[space]:
            line = self.lines[number]
            before = [colour for other in line[:index] if (colour := board[other])][-3:]
            after = [colour for other in line[index + 1 :] if (colour := board[other])][:3]
            row = before + after
            for first in range(len(row) - 2):  # each run of three beside or around the space
                others = row[first] | row[first + 1] | row[first + 2]
                missing = ALL ^ others
                if missing and not missing & (missing - 1):
                    gains[missing] += 1
        return gains

    def allies(self, seat: int) -> set[int]:
        """Return the seats whose points count for a seat."""
        if self.players == 2:
            return {seat}
        if self.players == 3:
            return {seat, (seat + 1) % 3}
        return {seat, (seat + 2) % 4}

    def next_seat(self, seat: int) -> int:
        """Return the seat that plays after another, those who are out left aside."""
        for step in range(1, self.players):
            following = (seat + step) % self.players
            if following not in self.gone:
                return following
        return seat
