"""Desert in the plainest way: a set of spaces, a dictionary of camels, everything worked out anew."""

from __future__ import annotations

from functools import cache
from typing import Any

COLOURS = "bgpwy"


@cache
def touching(space: str) -> frozenset[str]:
    """Return the six names around a space."""
    column, row = ord(space[0]), int(space[1:])
    lower = (column - ord("a")) % 2 == 0
    found = {(column, row - 1), (column, row + 1)}
    for beside in (column - 1, column + 1):
        found |= {(beside, row), (beside, row + 1 if lower else row - 1)}
    return frozenset(f"{chr(c)}{r}" for c, r in found)


def regions(spaces: set[str]) -> list[set[str]]:
    """Split a set of spaces into its connected regions."""
    left, found = set(spaces), []
    while left:
        region, edge = set(), [left.pop()]
        while edge:
            space = edge.pop()
            region.add(space)
            for other in touching(space) & left:
                left.remove(other)
                edge.append(other)
        found.append(region)
    return found


class NaiveDesert:
    """One match of desert."""

    def __init__(self, setup: dict[str, Any], cells: list[str]) -> None:
        self.players = setup["players"]
        self.edition = setup["options"]["edition"]
        self.cells = set(cells)
        self.palms = set(setup["palms"])
        self.water = dict(setup["water"])
        self.leaders = [list(colours) for colours in setup["leaders"]]
        self.supply = dict.fromkeys(COLOURS, {2: 22, 3: 26, 4: 30, 5: 30}[self.players])
        self.camels: dict[str, tuple[str, int]] = {}
        self.first_round: list[str] = []
        self.owner: dict[str, int] = {}
        self.reached: set[tuple[str, int, str]] = set()
        self.points = [{"water": 0, "oasis": 0} for _ in range(self.players)]
        self.gone: list[int] = []
        self.placed_leaders = [0] * self.players
        self.turns_begun = [0] * self.players
        self.passed: set[int] = set()
        self.placing_leaders = True
        self.over = False
        self.turn = 0
        self.left = 1

    def caravan(self, colour: str, seat: int) -> set[str]:
        return {space for space, camel in self.camels.items() if camel == (colour, seat)}

    def legal(self) -> set[str]:
        if self.over:
            return set()
        return self.leader_actions(self.turn) if self.placing_leaders else self.camel_actions(self.turn)

    def leader_actions(self, seat: int) -> set[str]:
        colours = set(self.leaders[seat])
        if self.placed_leaders[seat] == 0:
            colours = colours - set(self.first_round) or colours
        return {
            colour + space
            for space in self.cells - self.palms - set(self.water) - set(self.camels)
            if not touching(space) & (self.palms | set(self.camels))
            for colour in colours
        }

    def camel_actions(self, seat: int) -> set[str]:
        found = set()
        for colour in COLOURS:
            if not self.supply[colour]:
                continue
            mine = self.caravan(colour, seat)
            others = {s for s, (c, owner) in self.camels.items() if c == colour and owner != seat}
            for space in self.cells - self.palms - set(self.camels):
                closed = space in self.owner and (self.edition == "ffg" or self.owner[space] != seat)
                if not closed and touching(space) & mine and not touching(space) & others:
                    found.add(colour + space)
        return found

    def play(self, action: str) -> list[tuple[str, int, str]]:
        assert action in self.legal()
        seat, colour, space = self.turn, action[0], action[1:]
        self.camels[space] = (colour, seat)
        if self.placing_leaders:
            self.leaders[seat].remove(colour)
            if self.placed_leaders[seat] == 0:
                self.first_round.append(colour)
            self.placed_leaders[seat] += 1
            return self.end_turn()
        self.supply[colour] -= 1
        self.passed = set()
        points = self.points[seat]
        points["water"] += self.water.pop(space, 0)
        reached = touching(space) & self.palms
        for region in regions(self.cells - self.caravan(colour, seat)):
            if not region & set(self.camels):
                for inner in region:
                    if inner not in self.owner:
                        self.owner[inner] = seat
                        points["water"] += self.water.pop(inner, 0)
                reached |= region & self.palms
        for palm in reached:
            if (colour, seat, palm) not in self.reached:
                self.reached.add((colour, seat, palm))
                points["oasis"] += 5
        self.left -= 1
        if self.left == 0:
            return self.end_turn()
        if not self.camel_actions(seat):
            return [("play", seat, "pass"), *self.end_turn()]
        return []

    def end_turn(self) -> list[tuple[str, int, str]]:
        events: list[tuple[str, int, str]] = []
        if not self.placing_leaders and 0 in self.supply.values():
            self.over = True
            return events
        playing = [seat for seat in range(self.players) if seat not in self.gone]
        seat = self.turn
        if self.placing_leaders:
            for step in range(1, self.players + 1):
                candidate = (seat + step) % self.players
                if candidate in playing and self.leader_actions(candidate):
                    self.turn = candidate
                    return events
            self.placing_leaders = False
            seat = self.players - 1
        while not set(playing) <= self.passed:
            seat = (seat + 1) % self.players
            if seat not in playing:
                continue
            self.turns_begun[seat] += 1
            if self.camel_actions(seat):
                self.turn = seat
                early = seat == 0 or (seat == 1 and self.players > 2)
                self.left = 1 if self.turns_begun[seat] == 1 and early else 2
                return events
            events.append(("play", seat, "pass"))
            self.passed.add(seat)
        self.over = True
        return events

    def drop(self, seat: int) -> list[tuple[str, int, str]]:
        if self.over or seat in self.gone:
            return []
        self.gone.append(seat)
        if self.players - len(self.gone) < 2:
            self.over = True
            return []
        return self.end_turn() if seat == self.turn else []

    def parts(self) -> list[dict[str, int]]:
        found = [dict(points, area=0, caravan=0) for points in self.points]
        if self.over:
            for space, seat in self.owner.items():
                if space not in self.camels and space not in self.palms:
                    found[seat]["area"] += 1
            for colour in COLOURS:
                sizes = [len(self.caravan(colour, seat)) for seat in range(self.players)]
                best = [seat for seat, size in enumerate(sizes) if size == max(sizes) and size]
                for seat in best:
                    found[seat]["caravan"] += 10 if len(best) == 1 else 5
        return found
