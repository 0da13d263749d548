"""How often each bot, seat, pair and order comes up in a plan: the proof that it is balanced, or where not.

Counted without going through all matches: the seat orders of a round repeat, so a cycle of rounds is counted
and multiplied. Plans that follow from results are counted from the matches themselves.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from arena.config import Seats
from arena.schedule.block import Block, seat_orders
from arena.schedule.round_robin import RoundRobin

Sides = Sequence[Sequence[int]]
Couple = tuple[str, str]


@dataclass(slots=True)
class Counts:
    """How often things come up; couples are (one, other), those without order sorted."""

    bots: Counter[str] = field(default_factory=Counter)
    seats: Counter[tuple[str, int]] = field(default_factory=Counter)
    pairs: Counter[Couple] = field(default_factory=Counter)  # as opponents
    partners: Counter[Couple] = field(default_factory=Counter)  # on one side
    orders: Counter[Couple] = field(default_factory=Counter)  # one has an earlier seat than the other
    neighbours: Counter[Couple] = field(default_factory=Counter)  # the other plays next after one

    def add(self, bots: Sequence[str], sides: Sides, times: int = 1) -> None:
        """Count a match, by seat, as many times."""
        side = {seat: number for number, seats in enumerate(sides) for seat in seats}
        for seat, bot in enumerate(bots):
            self.bots[bot] += times
            self.seats[bot, seat] += times
            self.neighbours[bot, bots[(seat + 1) % len(bots)]] += times
        for one, other in combinations(range(len(bots)), 2):
            couple = (bots[one], bots[other])
            self.orders[couple] += times
            kind = self.partners if side[one] == side[other] else self.pairs
            kind[min(couple), max(couple)] += times

    def dump(self) -> dict[str, Any]:
        """Return the counts as JSON values."""
        players = 1 + max((seat for _, seat in self.seats), default=-1)
        return {
            "bots": dict(sorted(self.bots.items())),
            "seats": {bot: [self.seats[bot, seat] for seat in range(players)] for bot in sorted(self.bots)},
            "pairs": _rows(self.pairs),
            "partners": _rows(self.partners),
            "orders": _rows(self.orders),
            "neighbours": _rows(self.neighbours),
        }


@dataclass(frozen=True, slots=True)
class Finding:
    """One statement about the balance, with the smallest and largest count it is about."""

    what: str
    balanced: bool
    low: int
    high: int
    text: str


def count(plan: RoundRobin, sides: Sides) -> Counts:
    """Count all matches of a plan that is known from the start."""
    counts = Counts()
    rounds = plan.config.schedule.rounds
    orders = [
        seat_orders(plan.config.players, number, plan.config.schedule.seats)
        for number in range(1, min(rounds, plan.maker.cycle) + 1)
    ]
    for lineup in plan.lineups():
        names = sorted(lineup)
        for at, round_orders in enumerate(orders):
            times = len(range(at, rounds, plan.maker.cycle))
            for order in round_orders:
                counts.add([names[place] for place in order], sides, times)
    return counts


def count_blocks(blocks: Iterable[Block], sides: Sides) -> Counts:
    """Count the matches of these blocks."""
    counts = Counts()
    for block in blocks:
        for match in block.matches:
            counts.add(match.bots, sides)
    return counts


def findings(counts: Counts, names: Sequence[str], players: int, heroes: Sequence[str] = ()) -> list[Finding]:
    """Return what is balanced and what is not, a sentence each.

    In a gauntlet heroes play more than the others, so they are compared among themselves, and only pairs of
    a hero and another count.
    """
    others = [name for name in names if name not in heroes]
    groups = [("hero", list(heroes)), ("other bot", others)] if heroes else [("bot", others)]
    found = []
    for who, group in groups:
        found.append(_finding("bots", f"every {who} plays {{}} games", [counts.bots[bot] for bot in group]))
    for who, group in groups:
        sat = [counts.seats[bot, seat] for bot in group for seat in range(players)]
        found.append(_finding("seats", f"every {who} has every seat {{}} times", sat))
    couples = list(_couples(names, heroes))
    found.append(_finding("pairs", "every pair meets {} times", [counts.pairs[c] for c in couples]))
    if counts.partners:
        together = [counts.partners[couple] for couple in couples]
        found.append(_finding("partners", "every pair plays on one side {} times", together))
    both = [order for one, other in couples for order in ((one, other), (other, one))]
    ahead = [counts.orders[order] for order in both]
    found.append(_finding("orders", "in every pair each has the earlier seat {} times", ahead))
    if players > 2:
        after = [counts.neighbours[order] for order in both]
        found.append(
            _finding("neighbours", "in every pair each plays directly after the other {} times", after)
        )
    return found


def period(players: int, seats: Seats, sides: Sides) -> int:
    """Return after how many rounds a line-up is balanced in everything."""
    counts = Counts()
    names = [str(place) for place in range(players)]
    number = 0
    while True:
        number += 1
        for order in seat_orders(players, number, seats):
            counts.add([names[place] for place in order], sides)
        if all(one.balanced for one in findings(counts, names, players)):
            return number


def _couples(names: Sequence[str], heroes: Sequence[str]) -> Iterator[Couple]:
    for one, other in combinations(sorted(names), 2):
        if not heroes or (one in heroes) != (other in heroes):
            yield one, other


def _finding(what: str, sentence: str, amounts: Sequence[int]) -> Finding:
    low, high = min(amounts, default=0), max(amounts, default=0)
    text = sentence.format(low if low == high else f"{low} to {high}").replace(" 1 times", " once")
    return Finding(what, low == high, low, high, text.replace(" 1 games", " 1 game"))


def _rows(counts: Mapping[Couple, int]) -> list[list[Any]]:
    return [[one, other, times] for (one, other), times in sorted(counts.items())]
