"""Rain in the plainest way: a dictionary of mushrooms, and every line walked space by space."""

from __future__ import annotations

from itertools import combinations
from typing import Any

COLOURS = set("rybg")
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class NaiveRain:
    """One match of rain."""

    def __init__(self, setup: dict[str, Any], cells: list[str]) -> None:
        self.players = setup["players"]
        self.cells = list(cells)
        self.bag = list(setup["bag"])
        self.hands = [[self.bag.pop(0) for _ in range(4)] for _ in range(self.players)]
        self.mushrooms: dict[str, str] = {}
        self.gems = [0] * self.players
        self.gone: list[int] = []
        self.turn = 0
        self.over = False

    def walk(self, space: str, dx: int, dy: int) -> list[str]:
        """Return the spaces on a line through one, in order; the line stops where the board does."""
        x, y = ord(space[0]), int(space[1:])
        while f"{chr(x - dx)}{y - dy}" in self.cells:
            x, y = x - dx, y - dy
        found = []
        while f"{chr(x)}{y}" in self.cells:
            found.append(f"{chr(x)}{y}")
            x, y = x + dx, y + dy
        return found

    def legal(self) -> set[str]:
        if self.over:
            return set()
        free = [cell for cell in self.cells if cell not in self.mushrooms]
        return {colour + cell for colour in self.hands[self.turn] for cell in free}

    def worth(self, space: str) -> int:
        """Return the runs of four different mushrooms that one belongs to."""
        points = 0
        for dx, dy in DIRECTIONS:
            row = [cell for cell in self.walk(space, dx, dy) if cell in self.mushrooms]
            for first in range(len(row) - 3):
                run = row[first : first + 4]
                points += space in run and {self.mushrooms[cell] for cell in run} == COLOURS
        return points

    def hopeless(self) -> bool:
        """Tell whether no four spaces could ever become a new run of four different mushrooms."""
        left = set(self.bag)
        for seat, hand in enumerate(self.hands):
            if seat not in self.gone:
                left |= set(hand)
        for dx, dy in DIRECTIONS:
            for line in {tuple(self.walk(cell, dx, dy)) for cell in self.cells}:
                for run in combinations(range(len(line)), 4):
                    here = [self.mushrooms[line[at]] for at in run if line[at] in self.mushrooms]
                    between = [
                        at for at in range(run[0], run[3]) if at not in run and line[at] in self.mushrooms
                    ]
                    if (
                        len(here) < 4
                        and len(set(here)) == len(here)
                        and not between
                        and COLOURS - set(here) <= left
                    ):
                        return False
        return True

    def play(self, action: str) -> list[tuple[str, int, str]]:
        assert action in self.legal()
        seat, colour, space = self.turn, action[0], action[1:]
        self.hands[seat].remove(colour)
        self.mushrooms[space] = colour
        points = self.worth(space)
        self.gems[seat] += points
        if self.hopeless():
            self.over = True
            return []
        if points and self.hands[seat]:
            return []
        drawn = ""
        while self.bag and len(self.hands[seat]) < 4:
            drawn += self.bag[0]
            self.hands[seat].append(self.bag.pop(0))
        return ([("draw", seat, drawn)] if drawn else []) + self.next_turn()

    def next_turn(self) -> list[tuple[str, int, str]]:
        events: list[tuple[str, int, str]] = []
        while True:
            self.turn = (self.turn + 1) % self.players
            if self.turn not in self.gone:
                if self.hands[self.turn]:
                    return events
                events.append(("play", self.turn, "pass"))

    def drop(self, seat: int) -> list[tuple[str, int, str]]:
        if self.over or seat in self.gone:
            return []
        self.gone.append(seat)
        sides = [{0, 2}, {1, 3}] if self.players == 4 else [{other} for other in range(self.players)]
        if sum(not side <= set(self.gone) for side in sides) < 2 or self.hopeless():
            self.over = True
            return []
        return self.next_turn() if seat == self.turn else []

    def parts(self) -> list[dict[str, int]]:
        if self.players == 2:
            return [{"gems": own} for own in self.gems]
        if self.players == 3:
            return [
                {"gems": own, "neighbour": self.gems[(seat + 1) % 3]} for seat, own in enumerate(self.gems)
            ]
        return [{"gems": own, "partner": self.gems[(seat + 2) % 4]} for seat, own in enumerate(self.gems)]
