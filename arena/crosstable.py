"""Who did how against whom, and on what the difference of two bots rests."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from arena.doubt import Z95, doubt
from arena.errors import UserError
from arena.pools import pools
from arena.ratings import ELO, Kinds, build, fit, select
from arena.scores import count
from arena.standings import PRIOR, Settings, Standings, chance

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena.tally import Tally


@dataclass(frozen=True, slots=True)
class Duel:
    """What one bot did against another, over all matches in which they were opponents."""

    wins: int
    draws: int
    losses: int

    @property
    def games(self) -> int:
        """Return how often they met."""
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """Return the mean score, None where they never met."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    def dump(self) -> dict[str, Any]:
        """Return the JSON form."""
        score = None if self.score is None else round(self.score, 6)
        return {
            "games": self.games,
            "score": score,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
        }


@dataclass(frozen=True, slots=True)
class Cross:
    """The duels of all bots of a group with each other, in the table's order; None with itself."""

    names: tuple[str, ...]
    duels: tuple[tuple[Duel | None, ...], ...]

    def dump(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "names": list(self.names),
            "duels": [[None if duel is None else duel.dump() for duel in row] for row in self.duels],
        }


def cross(tally: Tally, table: Standings) -> list[Cross]:
    """Return the cross table of each group of two or more bots."""
    found = []
    numbers = {name: number for number, name in enumerate(tally.names)}
    scores = count(select(tally, list(numbers.values()), seats=False), len(numbers))
    wins, ties = scores.wins.astype(int).tolist(), scores.ties.astype(int).tolist()
    for group in table.groups:
        names = tuple(bot.name for bot in group.bots)
        order = [numbers[name] for name in names]
        rows = tuple(
            tuple(
                None if one == other else Duel(wins[one][other], ties[one][other], wins[other][one])
                for other in order
            )
            for one in order
        )
        if len(names) > 1:
            found.append(Cross(names, rows))
    return found


@dataclass(frozen=True, slots=True)
class Part:
    """What some of the matches alone say about the difference of two bots, in Elo."""

    games: int
    blocks: int
    elo: float
    error: float

    @property
    def los(self) -> float:
        """Return the chance that the first bot is the stronger one."""
        return chance(self.elo * Z95 / self.error) if self.error else 0.5

    def dump(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "games": self.games,
            "blocks": self.blocks,
            "elo": round(self.elo, 4),
            "error": round(self.error, 4),
            "los": round(self.los, 6),
        }


@dataclass(frozen=True, slots=True)
class Explanation:
    """On what the difference of two bots rests."""

    names: tuple[str, str]
    whole: Part
    met: Part | None  # the matches in which both took part
    apart: Part | None  # all others; None where they do not link the two
    duel: Duel
    seats: tuple[tuple[int, int, Duel], ...]  # number of players, the first bot's seat, its duels there
    faults: tuple[dict[str, int], dict[str, int]]

    def dump(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "bots": list(self.names),
            "whole": self.whole.dump(),
            "met": self.met and self.met.dump(),
            "apart": self.apart and self.apart.dump(),
            "duel": self.duel.dump(),
            "seats": [
                {"players": players, "seat": seat, **duel.dump()} for players, seat, duel in self.seats
            ],
            "faults": list(self.faults),
        }


def explain(tally: Tally, table: Standings, first: str, second: str) -> Explanation:
    """Return on what the difference of two bots rests; UserError where they cannot be compared."""
    if table.bot(first) == table.bot(second):
        raise UserError(f"{first} is not compared with itself")
    tables = [[bot.name for bot in group.bots] for group in table.groups]
    names = next(names for names in tables if first in names)
    if second not in names:
        raise UserError(f"{first} and {second} never met, not even through others")
    settings = table.settings
    numbers = [tally.names.index(name) for name in names]
    kinds = select(tally, numbers, seats=settings.seats)
    one, other = names.index(first), names.index(second)
    together, apart = [], []
    for each in kinds:
        both = (each.bots == one).any(1) & (each.bots == other).any(1)
        together += _rows(each, both)
        apart += _rows(each, ~both)
    pair = (one, other)
    whole = _part(tally, kinds, len(names), pair, settings)
    assert whole is not None
    return Explanation(
        names=(first, second),
        whole=whole,
        met=_part(tally, together, len(names), pair, settings),
        apart=_part(tally, apart, len(names), pair, settings),
        duel=_duel(together, len(names), pair),
        seats=tuple(_by_seat(together, len(names), pair)),
        faults=(dict(tally.faults[numbers[one]]), dict(tally.faults[numbers[other]])),
    )


def _rows(each: Kinds, chosen: NDArray[np.bool_]) -> list[Kinds]:
    if not chosen.any():
        return []
    return [Kinds(each.shape, each.bots[chosen], each.seats, each.counts[chosen], each.numbers[chosen])]


def _part(
    tally: Tally, kinds: list[Kinds], bots: int, pair: tuple[int, int], settings: Settings
) -> Part | None:
    """Return what some kinds of match say about a difference, None where they do not link the two."""
    import numpy as np

    linked = [pool for pool in pools(kinds, bots, settings.outcome) if set(pair) <= set(pool.bots)]
    if not linked:
        return None
    # Some of the matches seldom determine everything: without a prior the default one stands in.
    finite = linked[0].finite and len(linked[0].bots) == bots
    prior = settings.prior if settings.prior or finite else PRIOR
    found = fit(build(kinds, bots, settings.outcome, prior))
    doubts = doubt(found, tally)
    contrast = np.zeros((1, found.model.size))
    contrast[0, pair[0]], contrast[0, pair[1]] = 1.0, -1.0
    error = Z95 * math.sqrt(float(doubts.variances(contrast)[0]))
    games = int(sum(each.counts.sum() for each in kinds))
    return Part(games, doubts.blocks, float((contrast @ found.at)[0]) * ELO, error * ELO)


def _duel(kinds: list[Kinds], bots: int, pair: tuple[int, int]) -> Duel:
    scores = count(kinds, bots)
    return Duel(int(scores.wins[pair]), int(scores.ties[pair]), int(scores.wins[pair[::-1]]))


def _by_seat(kinds: list[Kinds], bots: int, pair: tuple[int, int]) -> Iterator[tuple[int, int, Duel]]:
    for players in sorted({each.shape.players for each in kinds}):
        for seat in range(players):
            here = [
                rows
                for each in kinds
                if each.shape.players == players
                for rows in _rows(each, each.bots[:, seat] == pair[0])
            ]
            if here:
                yield players, seat, _duel(here, bots, pair)
