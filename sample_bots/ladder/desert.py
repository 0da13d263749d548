"""A position of desert as the ladder's Python bots keep it: who stands where, and what a camel would earn.

It trusts the referee: it follows what was played and checks nothing, and it takes the legal actions from the
`moves` line. Final bonuses are left out; bots estimate those in their own way.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

COLOURS = "bgpwy"
FREE = -1


class Desert:
    """Everything a bot knows of a match of desert. Spaces and caravans are numbers, for speed.

    A caravan's number is seat * 5 + colour. `around` lists the six neighbours of a space in a circle, -1
    where the board ends.
    """

    def __init__(self, players: int, seat: int, keys: Mapping[str, str]) -> None:
        """Begin a match as that seat."""
        self.players = players
        self.seat = seat
        self.closed_to_all = keys.get("edition") == "ffg"
        self.chance = random.Random()
        self.names: list[str] = []
        self.number: dict[str, int] = {}
        self.around: list[list[int]] = []
        self.near: list[list[int]] = []
        self.oasis: list[bool] = []
        self.water: list[int] = []
        self.camel: list[int] = []
        self.owner: list[int] = []
        self.oases_beside: list[list[int]] = []
        self.caravan: list[list[int]] = [[] for _ in range(players * 5)]
        self.reached: list[set[int]] = [set() for _ in range(players * 5)]
        self.leaders: list[str] = [""] * players
        self.supply: list[int] = [0] * 5
        self.points: list[int] = [0] * players
        self.gone: set[int] = set()

    def setup(self, words: Sequence[str]) -> None:
        """Take the words of a `setup` line."""
        match words:
            case ["cells", *cells]:
                self._lay(cells)
            case ["palms", *cells]:
                for cell in cells:
                    self.oasis[self.number[cell]] = True
                for space in range(len(self.names)):
                    self.oases_beside[space] = [other for other in self.near[space] if self.oasis[other]]
            case ["water", *tokens]:
                for token in tokens:
                    cell, value = token.split("=")
                    self.water[self.number[cell]] = int(value)
            case ["camels", *counts]:
                for count in counts:
                    colour, left = count.split("=")
                    self.supply[COLOURS.index(colour)] = int(left)
            case ["leaders", seat, colours]:
                self.leaders[int(seat)] = colours

    def _lay(self, cells: Sequence[str]) -> None:
        """Make the board: columns a, c, e, … sit half a space lower than b, d, f, …."""
        self.names = list(cells)
        self.number = {cell: space for space, cell in enumerate(cells)}
        for cell in cells:
            column, row = ord(cell[0]), int(cell[1:])
            low = (column - ord("a")) % 2 == 0
            up, down = (0, 1) if low else (-1, 0)
            circle = [(0, -1), (1, up), (1, down), (0, 1), (-1, down), (-1, up)]
            self.around.append([self.number.get(f"{chr(column + x)}{row + y}", -1) for x, y in circle])
        self.near = [[space for space in circle if space >= 0] for circle in self.around]
        count = len(cells)
        self.oasis = [False] * count
        self.water = [0] * count
        self.camel = [FREE] * count
        self.owner = [FREE] * count
        self.oases_beside = [[] for _ in range(count)]

    @property
    def leading(self) -> bool:
        """Tell whether this bot still places leaders."""
        return bool(self.leaders[self.seat])

    def read(self, seat: int, action: str) -> tuple[int, int]:
        """Return an action's caravan and space."""
        return seat * 5 + COLOURS.index(action[0]), self.number[action[1:]]

    def play(self, seat: int, action: str) -> None:
        """Take an action of a seat, or `pass`."""
        if action == "pass":
            return
        caravan, space = self.read(seat, action)
        if action[0] in self.leaders[seat]:
            self.leaders[seat] = self.leaders[seat].replace(action[0], "")
            self.camel[space] = caravan
            self.caravan[caravan].append(space)
            return
        self.supply[caravan % 5] -= 1
        earned, oases, enclosed = self.earnings(caravan, space)
        self.points[seat] += earned
        self.camel[space] = caravan
        self.caravan[caravan].append(space)
        self.water[space] = 0
        self.reached[caravan].update(oases)
        for inside in enclosed:
            self.owner[inside] = seat
            self.water[inside] = 0

    def draw(self, seat: int, pieces: str) -> None:
        """Ignore draws: desert has none."""

    def drop(self, seat: int) -> None:
        """Take it that a seat is out; its camels stay."""
        self.gone.add(seat)
        self.leaders[seat] = ""

    def earnings(self, caravan: int, space: int) -> tuple[int, set[int], list[int]]:
        """Return what a camel would earn at once, the oases it would reach, the spaces it would enclose."""
        earned = self.water[space]
        reached = self.reached[caravan]
        oases = {oasis for oasis in self.oases_beside[space] if oasis not in reached}
        enclosed = self.enclosed(caravan, space)
        for inside in enclosed:
            earned += self.water[inside]
            if self.oasis[inside] and inside not in reached:
                oases.add(inside)
        return earned + 5 * len(oases), oases, enclosed

    def arcs(self, caravan: int, space: int) -> list[int]:
        """Return one space of each separate stretch around this one that the caravan does not stand on."""
        starts = []
        before = self.around[space][5]
        was_open = before >= 0 and self.camel[before] != caravan
        for other in self.around[space]:
            is_open = other >= 0 and self.camel[other] != caravan
            if is_open and not was_open:
                starts.append(other)
            was_open = is_open
        return starts

    def enclosed(self, caravan: int, space: int) -> list[int]:
        """Return the spaces that a camel there would newly enclose.

        Only where the surroundings fall into two or more stretches can anything be cut off; a caravan's first
        camel also finds what its leader has cut off alone.
        """
        starts = self.arcs(caravan, space)
        if len(self.caravan[caravan]) > 1:
            if len(starts) < 2:
                return []
        else:
            starts = [other for at in (space, self.caravan[caravan][0]) for other in self.near[at]]
        found: list[int] = []
        for start in starts:
            if start not in found:
                found += self._region(caravan, space, start)
        return [inside for inside in found if self.owner[inside] == FREE]

    def _region(self, caravan: int, space: int, start: int) -> list[int]:
        """Return the region of a space when the caravan also stands on another; empty if a camel is in it."""
        if start == space or self.camel[start] != FREE:
            return []
        seen = {start, space}
        region = [start]
        for at in region:
            for other in self.near[at]:
                if other not in seen:
                    stands = self.camel[other]
                    if stands == FREE:
                        seen.add(other)
                        region.append(other)
                    elif stands != caravan:
                        return []
        return region

    def open_to(self, caravan: int, space: int) -> bool:
        """Tell whether a caravan could ever go on a space as things stand."""
        if self.camel[space] != FREE or self.oasis[space]:
            return False
        owner = self.owner[space]
        if owner != FREE and (self.closed_to_all or owner != caravan // 5):
            return False
        colour = caravan % 5
        for other in self.near[space]:
            stands = self.camel[other]
            if stands != FREE and stands != caravan and stands % 5 == colour:
                return False
        return True
