"""Results by machine, for tournaments on several: was one of them kinder or harder to some bot?

Each machine is compared with all others on the same line-ups alone, so that it does not matter who played
where: what a bot scored there, and how many faults there were, against what would be expected had the games
of each line-up been dealt out at random (the mean and variance of drawing without replacement, summed over
line-ups, as in the test of Mantel and Haenszel). Of many comparisons some are large by chance; the chance
that is told allows for their number.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

HERE = "without a cluster"  # where records name no machine
ODD = 0.01  # a smaller chance makes a machine the odd one out
_FAULTS = ""  # counted like the score of a bot; no bot has this name

_Cell = tuple[tuple[str, ...], str]  # a line-up by seat, and whose score


@dataclass(slots=True)
class _Sums:
    """A count, a sum and a sum of squares, by machine the first two."""

    games: Counter[str] = field(default_factory=Counter)
    sums: defaultdict[str, float] = field(default_factory=lambda: defaultdict(float))
    squares: float = 0.0


@dataclass(frozen=True, slots=True)
class Machine:
    """What was played on a machine, and where it differs most from the others."""

    name: str
    speed: float | None
    games: int
    faults: int
    what: str  # the bot whose score differs most, "" for faults
    z: float  # by how many standard deviations
    chance: float  # of something as large somewhere, were all machines alike

    @property
    def is_odd(self) -> bool:
        """Tell whether chance alone hardly explains it."""
        return self.chance < ODD


class Machines:
    """Counts of results by machine; grows with line-ups and machines, not with games."""

    def __init__(self) -> None:
        self._games: Counter[str] = Counter()
        self._faults: Counter[str] = Counter()
        self._speeds: dict[str, float] = {}
        self._cells: dict[_Cell, _Sums] = {}

    def add(self, record: Mapping[str, Any]) -> None:
        """Count one game."""
        told = record.get("machine") or {}
        name = str(told.get("name", HERE))
        if "speed" in told:
            self._speeds[name] = float(told["speed"])
        self._games[name] += 1
        self._faults[name] += len(record["faults"])
        bots, ranks = tuple(record["bots"]), record["ranks"]
        for seat, bot in enumerate(bots):
            others = [rank for at, rank in enumerate(ranks) if at != seat]
            beaten = sum(1.0 if ranks[seat] < rank else 0.5 * (ranks[seat] == rank) for rank in others)
            self._count((bots, bot), name, beaten / max(1, len(others)))
        self._count((bots, _FAULTS), name, float(len(record["faults"])))

    def _count(self, cell: _Cell, machine: str, value: float) -> None:
        sums = self._cells.setdefault(cell, _Sums())
        sums.games[machine] += 1
        sums.sums[machine] += value
        sums.squares += value * value

    def rows(self) -> tuple[Machine, ...]:
        """Return the machines by name; none where all was played on one."""
        if len(self._games) < 2:
            return ()
        found = {name: self._deviations(name) for name in self._games}
        tests = sum(len(deviations) for deviations in found.values())
        rows = []
        for name in sorted(self._games):
            what, z = max(found[name].items(), key=lambda item: abs(item[1]), default=("", 0.0))
            chance = min(1.0, max(1, tests) * math.erfc(abs(z) / math.sqrt(2)))
            speed = self._speeds.get(name)
            rows.append(Machine(name, speed, self._games[name], self._faults[name], what, z, chance))
        return tuple(rows)

    def _deviations(self, machine: str) -> dict[str, float]:
        """Return by bot, and for faults, how far a machine is from the others, in standard deviations."""
        excess: defaultdict[str, float] = defaultdict(float)
        variances: defaultdict[str, float] = defaultdict(float)
        for (_, what), sums in self._cells.items():
            here, all_games = sums.games[machine], sums.games.total()
            if not 0 < here < all_games:
                continue
            mean = sum(sums.sums.values()) / all_games
            variance = max(0.0, sums.squares / all_games - mean * mean)
            excess[what] += sums.sums[machine] - here * mean
            share = (all_games - here) / (all_games - 1)
            variances[what] += here * variance * share
        return {what: excess[what] / math.sqrt(variances[what]) for what in excess if variances[what] > 1e-9}
