"""How the planner judges an action of desert.

Camels: points at once; water and oases that come within reach, less where a rival is nearer; areas that two
or three camels would close; the race for the longest caravan of each colour; what a rival loses.
Leaders: water and oases around, room, distance from one's own leaders and from rivals of the same colour.
"""

from __future__ import annotations

from desert import FREE, Desert

# What a point is worth that so many more camels would earn; nothing beyond.
HOPE = (1.0, 0.5, 0.3, 0.18, 0.1)
FAR = len(HOPE) - 1
CONTESTED = 0.4  # of that, where a rival is nearer
CLOSING = (0.0, 0.5, 0.3)  # worth of an area that one or two more camels would close
URGENT = 0.3  # more for points that a rival could take in the next turn
DENIED = 0.35  # worth of what a rival loses
LARGEST = 10
ROOM = 4  # steps around a leader that count as its room


class Plan:
    """The judgements for one position; what all actions share is worked out once."""

    def __init__(self, desert: Desert) -> None:
        """Measure how far everybody is from everything."""
        self.desert = desert
        mine = desert.seat
        self.open: dict[int, dict[int, bool]] = {}  # by caravan and space, as far as it was asked
        self.away: dict[int, dict[int, int]] = {}  # by caravan: camels needed to stand on a space
        self.rival: dict[int, int] = {}  # the same for the nearest rival, whatever its colour
        self.ground: dict[int, tuple[float, list[tuple[int, float]]]] = {}
        if desert.leading:
            return
        for caravan, camels in enumerate(desert.caravan):
            if not camels or caravan // 5 in desert.gone or not desert.supply[caravan % 5]:
                continue
            away = self._walk(caravan, camels, FAR)
            self.away[caravan] = away
            if caravan // 5 != mine:
                for space, steps in away.items():
                    if steps < self.rival.get(space, 99):
                        self.rival[space] = steps
        start = 22 if desert.players == 2 else 26 if desert.players == 3 else 30
        self.progress = 1 - min(desert.supply) / start

    def _is_open(self, caravan: int, space: int) -> bool:
        """Tell whether a caravan could go on a space, its own camels that are only imagined left aside."""
        known = self.open.setdefault(caravan, {})
        answer = known.get(space)
        if answer is None:
            answer = known[space] = self.desert.open_to(caravan, space)
        return answer

    def _walk(self, caravan: int, sources: list[int], limit: int) -> dict[int, int]:
        """Return how many camels a caravan needs from the sources to each space, up to a limit."""
        desert = self.desert
        known = self.open.setdefault(caravan, {})
        steps = dict.fromkeys(sources, 0)
        edge = sources
        for step in range(1, limit + 1):
            further = []
            for at in edge:
                for other in desert.near[at]:
                    if other not in steps:
                        answer = known.get(other)
                        if answer is None:
                            answer = known[other] = desert.open_to(caravan, other)
                        if answer:
                            steps[other] = step
                            further.append(other)
            edge = further
        return {space: count for space, count in steps.items() if count}

    # -- camels

    def camel(self, caravan: int, space: int) -> float:
        """Return the value of a camel there."""
        desert = self.desert
        earned, oases, enclosed = desert.earnings(caravan, space)
        land = sum(not desert.oasis[inside] for inside in enclosed)
        value = float(earned + land)
        if earned and self.rival.get(space, 99) <= 2:
            value += URGENT * desert.water[space]
        value += self._reach(caravan, space, oases)
        if not enclosed:
            value += self._closing(caravan, space)
        value += self._race(caravan)
        value += self._denied(caravan, space)
        return value

    def _reach(self, caravan: int, space: int, taken: set[int]) -> float:
        """Return what comes nearer: each target by how many camels less it needs now."""
        desert = self.desert
        before = self.away[caravan]
        value = 0.0
        best_oasis: dict[int, float] = {}
        for at, steps in self._walk(caravan, [space], FAR - 1).items():
            old = before.get(at, FAR)
            if steps >= old or at == space:
                continue
            nearer = HOPE[steps] - HOPE[old] if old <= FAR else HOPE[steps]
            rival = self.rival.get(at, 99)
            water = desert.water[at]
            if water:
                value += water * nearer * (CONTESTED if rival <= steps else 1.0)
            for oasis in desert.oases_beside[at]:
                if oasis not in taken and oasis not in desert.reached[caravan]:
                    best_oasis[oasis] = max(best_oasis.get(oasis, 0.0), 5 * nearer)
        return value + sum(best_oasis.values())

    def _closing(self, caravan: int, space: int) -> float:
        """Return the best area that this camel and one or two after it would close."""
        desert = self.desert
        camel = desert.camel
        best = 0.0
        camel[space] = caravan
        desert.caravan[caravan].append(space)
        beside = desert.near[space]
        for second in beside:
            if not self._is_open(caravan, second):
                continue
            if len(desert.arcs(caravan, second)) > 1:
                best = max(best, CLOSING[1] * self._area(caravan, second))
            camel[second] = caravan
            for third in desert.near[second]:
                if camel[third] != FREE or third in beside or not self._is_open(caravan, third):
                    continue
                if len(desert.arcs(caravan, third)) > 1:
                    best = max(best, CLOSING[2] * self._area(caravan, third))
            camel[second] = FREE
        desert.caravan[caravan].pop()
        camel[space] = FREE
        return best

    def _area(self, caravan: int, space: int) -> float:
        """Return what a camel there would enclose, at most what is likely to come about."""
        desert = self.desert
        enclosed = desert.enclosed(caravan, space)
        worth = 0
        for inside in enclosed:
            worth += desert.water[inside] + (0 if desert.oasis[inside] else 1)
            if desert.oasis[inside] and inside not in desert.reached[caravan]:
                worth += 5
        return min(worth, 30)

    def _race(self, caravan: int) -> float:
        """Return what one more camel changes in the race for the longest caravan of its colour."""
        desert = self.desert
        seat, colour = divmod(caravan, 5)
        mine = len(desert.caravan[caravan])
        others = [len(desert.caravan[other * 5 + colour]) for other in range(desert.players) if other != seat]
        lead = mine - max(others)
        close = {-2: 0.15, -1: 0.5, 0: 0.5, 1: 0.3, 2: 0.15}.get(lead, 0.02)
        return LARGEST * close * self.progress**2

    def _denied(self, caravan: int, space: int) -> float:
        """Return what rivals of the same colour lose: the space and all that touches it."""
        desert = self.desert
        seat, colour = divmod(caravan, 5)
        value = 0.0
        for other in range(desert.players):
            rival = other * 5 + colour
            if other == seat or rival not in self.away:
                continue
            away = self.away[rival]
            for at in (space, *desert.near[space]):
                steps = away.get(at, FAR)
                if steps < FAR:
                    worth = desert.water[at] + 0.2
                    worth += 5 * sum(oasis not in desert.reached[rival] for oasis in desert.oases_beside[at])
                    value += worth * HOPE[steps]
        return DENIED * value

    # -- leaders

    def leader(self, caravan: int, space: int) -> float:
        """Return the value of a leader there."""
        seat, colour = divmod(caravan, 5)
        if space not in self.ground:  # the same for all five colours
            self.ground[space] = self._surroundings(space)
        value, leaders = self.ground[space]
        for stands, nearness in leaders:
            if stands // 5 == seat:
                value -= 4 * nearness
            elif stands % 5 == colour:
                value -= 6 * nearness
        return value

    def _surroundings(self, space: int) -> tuple[float, list[tuple[int, float]]]:
        """Return what lies around a space by nearness: its worth, and the leaders there."""
        desert = self.desert
        value = 0.0
        leaders = []
        seen = {space}
        edge = [space]
        for step in range(1, ROOM + 1):
            nearness = 1 - step / (ROOM + 1)
            further = []
            for at in edge:
                for other in desert.near[at]:
                    if other in seen:
                        continue
                    seen.add(other)
                    further.append(other)
                    value += nearness * (0.15 + desert.water[other] + (6 if desert.oasis[other] else 0))
                    if desert.camel[other] != FREE:
                        leaders.append((desert.camel[other], nearness))
            edge = further
        return value, leaders
