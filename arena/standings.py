"""The table: ratings with their doubt, ranks, shares of points and places, worked out from a tally.

`standings(tally, settings)` is the one function behind the live display, `arena standings`, `standings.*`,
the report and `arena match`. Everything it returns is a frozen value with the JSON form that programs read.
It draws nothing: `report/tables.py` does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from arena.doubt import Z95, Doubt, doubt, lack_of_fit, profile
from arena.errors import UserError
from arena.games.base import Outcome
from arena.pools import Pool, pools
from arena.ratings import ELO, Fit, Kinds, build, fit, select
from arena.scores import Scores, count

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena.tally import Tally

    Floats = NDArray[np.float64]

PRIOR = 600.0  # Elo
EXTREME = 0.95  # beyond this score a symmetric interval misleads
MANY_DUPLICATES = 0.05
MANY_FAULTS = 0.01
REFITS = 10  # bots whose rating without faults is worked out, the worst first: each costs a fit


@dataclass(frozen=True, slots=True)
class Settings:
    """What is assumed."""

    outcome: Outcome = Outcome.PLACEMENT
    prior: float | None = PRIOR  # the bots' spread in Elo; None for no prior
    seats: bool = True
    anchor: Mapping[str, float] = field(default_factory=dict)  # the one bot whose rating is given


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's row. Ratings are Elo; shares and chances are between 0 and 1."""

    name: str
    elo: float | None  # None for a bot that never played
    error: float | None  # half the width of the 95 % interval
    low: float | None
    high: float | None
    bound: str | None  # ">" or "<" where the matches only say on which side of this the bot is
    rank: tuple[int, int]
    games: int
    score: float | None  # mean pairwise score
    places: tuple[int, ...]  # matches by place; who ties shares the better place
    draws: int  # matches with two sides that were tied
    faults: Mapping[str, int]  # by kind
    los_next: float | None
    margin: float | None  # mean difference in points to the opponents
    faultless: float | None  # its Elo without the matches that it ended by a fault, where these are many

    def dump(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "name": self.name,
            "elo": _rounded(self.elo),
            "error": _rounded(self.error),
            "low": _rounded(self.low),
            "high": _rounded(self.high),
            "bound": self.bound,
            "rank": list(self.rank),
            "games": self.games,
            "score": _rounded(self.score, 6),
            "places": list(self.places),
            "draws": self.draws,
            "faults": dict(sorted(self.faults.items())),
            "los_next": _rounded(self.los_next, 6),
            "margin": _rounded(self.margin),
            "faultless": _rounded(self.faultless),
        }


@dataclass(frozen=True, slots=True)
class Seat:
    """What a seat is worth, in Elo."""

    elo: float
    error: float


@dataclass(frozen=True, slots=True)
class Group:
    """Bots that met, directly or through others: one table."""

    bots: tuple[Standing, ...]  # best first
    seats: Mapping[int, tuple[Seat, ...]]  # by number of players
    first_seat: Seat | None  # what the first of two seats is worth over the second
    los: tuple[tuple[float, ...], ...]  # the chance that the row's bot is stronger than the column's
    games: int
    blocks: int
    dispersion: float | None
    fewest_blocks: int  # of the best bot's pairings
    anchored: bool

    def dump(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "bots": [bot.dump() for bot in self.bots],
            "seats": {
                str(players): [{"elo": _rounded(seat.elo), "error": _rounded(seat.error)} for seat in seats]
                for players, seats in self.seats.items()
            },
            "los": [[_rounded(chance, 6) for chance in row] for row in self.los],
            "games": self.games,
            "blocks": self.blocks,
            "dispersion": _rounded(self.dispersion),
        }


@dataclass(frozen=True, slots=True)
class Close:
    """How the matches behind a table came to an end."""

    stopped: str | None = None  # why no more was played
    decided: str | None = None  # what the results decide beyond the table: who wins a knockout


@dataclass(frozen=True, slots=True)
class Standings:
    """All tables of a tally, the largest group first, and what holds for them together."""

    groups: tuple[Group, ...]
    games: int
    blocks: int
    duplicates: int
    draws: int  # matches whose first place is shared
    players: tuple[int, ...]  # the numbers of seats that occur
    sides: int  # the most sides of a match: two have wins, draws and losses, more have places
    dispersion: float | None  # of the largest group
    settings: Settings
    warnings: tuple[str, ...]
    close: Close

    def dump(self) -> dict[str, Any]:
        """Return the JSON form, as `standings.json` has it."""
        return {
            "groups": [group.dump() for group in self.groups],
            "games": self.games,
            "blocks": self.blocks,
            "duplicates": self.duplicates,
            "draws": self.draws,
            "players": list(self.players),
            "dispersion": _rounded(self.dispersion),
            "anchor": dict(self.settings.anchor) or None,
            "prior": self.settings.prior,
            "seats": self.settings.seats,
            "outcome": self.settings.outcome.value,
            "stopped": self.close.stopped,
            "decided": self.close.decided,
            "warnings": list(self.warnings),
        }

    def bot(self, name: str) -> Standing:
        """Return a bot's row; UserError where there is none of this name."""
        for group in self.groups:
            for standing in group.bots:
                if standing.name == name:
                    return standing
        raise UserError(f"no bot {name!r} in these results")


def standings(tally: Tally, settings: Settings | None = None, close: Close | None = None) -> Standings:
    """Work the table out."""
    settings = settings or Settings()
    if strangers := [name for name in settings.anchor if name not in tally.names]:
        raise UserError(f"the anchor {strangers[0]!r} is no bot of these results")
    everybody = list(range(len(tally.names)))
    kinds = select(tally, everybody, seats=settings.seats)
    warnings = _duplicates(tally)
    groups = []
    for pool in pools(kinds, len(everybody), settings.outcome):
        # With one group, which is the rule, everything is selected already.
        whole = len(pool.bots) == len(everybody)
        chosen = kinds if whole else select(tally, list(pool.bots), seats=settings.seats)
        groups.append(_group(tally, settings, pool, chosen, warnings) if chosen else _unplayed(tally, pool))
    if sum(group.games > 0 for group in groups) > 1:
        warnings.append("some bots never met, not even through others: their tables cannot be compared")
    shared = [lineups.values() for shape, lineups in tally.kinds.items() if shape.places.count(0) > 1]
    return Standings(
        groups=tuple(groups),
        games=tally.games,
        blocks=tally.blocks,
        duplicates=tally.duplicates,
        draws=sum(tally.counts[kind] for kinds in shared for kind in kinds),
        players=tuple(sorted({shape.players for shape in tally.kinds})),
        sides=max((len(shape.sides) for shape in tally.kinds), default=0),
        dispersion=groups[0].dispersion if groups else None,
        settings=settings,
        warnings=tuple(warnings),
        close=close or Close(),
    )


def _group(tally: Tally, settings: Settings, pool: Pool, kinds: list[Kinds], warnings: list[str]) -> Group:
    """Fit one group and lay its rows out."""
    import numpy as np

    bots = len(pool.bots)
    names = [tally.names[bot] for bot in pool.bots]
    prior = settings.prior
    if prior is None and not pool.finite:
        prior = PRIOR
        endless = ", ".join(name for name, bound in zip(names, pool.bounds, strict=True) if bound)
        warnings.append(
            f"without a prior some ratings have no end ({endless}); the prior of {PRIOR:.0f} Elo was used"
        )
    found = fit(build(kinds, bots, settings.outcome, prior))
    doubts = doubt(found, tally)
    scores = count(kinds, bots)
    if warning := lack_of_fit(found, doubts, scores):
        warnings.append(warning)

    contrasts = np.zeros((bots, found.model.size))
    contrasts[:, :bots] = np.eye(bots)
    contrasts[:, list(pool.core)] -= 1 / len(pool.core)
    elo = contrasts @ found.at * ELO
    shift = _shift(settings, names, elo)
    intervals = _intervals(found, doubts, contrasts, scores, pool)
    faultless = _faultless(tally, settings, pool, found, scores, prior)

    order = sorted(range(bots), key=lambda bot: (-elo[bot], names[bot]))
    difference = elo[order][:, None] - elo[order][None, :]
    spread = ELO * np.sqrt(doubts.differences(bots)[np.ix_(order, order)])
    signal = np.divide(difference, spread, out=np.zeros_like(spread), where=spread > 0)
    upper = np.triu_indices(bots, 1)
    chances = np.full((bots, bots), 0.5)
    chances[upper] = list(map(chance, signal[upper].tolist()))
    chances.T[upper] = 1 - chances[upper]
    los = tuple(map(tuple, chances.tolist()))
    best = 1 + (signal < -Z95).sum(1)
    worst = bots - (signal > Z95).sum(1)
    shares, met = scores.shares(), scores.pairs()
    rows = []
    for row, bot in enumerate(order):
        low, high = (float(end) * ELO + shift for end in intervals[bot])
        total, matches = tally.margins[pool.bots[bot]]
        rows.append(
            Standing(
                name=names[bot],
                elo=float(elo[bot]) + shift,
                error=(high - low) / 2,
                low=low,
                high=high,
                bound=pool.bounds[bot],
                rank=(int(best[row]), int(worst[row])),
                games=int(scores.games[bot]),
                score=float(shares[bot]),
                places=tuple(int(times) for times in scores.places[bot]),
                draws=int(scores.draws[bot]),
                faults=dict(tally.faults[pool.bots[bot]]),
                los_next=los[row][row + 1] if row + 1 < bots else None,
                margin=total / matches if matches else None,
                faultless=faultless[bot] + shift if bot in faultless else None,
            )
        )
    rivals = [other for other in order[1:] if met[order[0], other]]
    return Group(
        bots=tuple(rows),
        seats=_seats(found, doubts),
        first_seat=_first_seat(found, doubts),
        los=los,
        games=int(sum(each.counts.sum() for each in kinds)),
        blocks=doubts.blocks,
        dispersion=doubts.dispersion,
        fewest_blocks=int(min((doubts.met[order[0], other] for other in rivals), default=0)),
        anchored=any(name in settings.anchor for name in names),
    )


def _unplayed(tally: Tally, pool: Pool) -> Group:
    """Return the table of a bot that never played."""
    row = Standing(
        name=tally.names[pool.bots[0]],
        **dict.fromkeys(("elo", "error", "low", "high", "bound", "score"), None),
        **dict.fromkeys(("los_next", "margin", "faultless"), None),
        rank=(1, 1),
        games=0,
        places=(),
        draws=0,
        faults={},
    )
    return Group((row,), {}, None, ((0.5,),), 0, 0, None, 0, anchored=False)


def _shift(settings: Settings, names: list[str], elo: Floats) -> float:
    """Return what the anchor adds to every rating of its group."""
    anchors = [name for name in settings.anchor if name in names]
    if len(anchors) > 1:
        raise UserError(f"a table has one anchor, not {len(anchors)} ({', '.join(anchors)})")
    return sum(settings.anchor[name] - float(elo[names.index(name)]) for name in anchors)


def _intervals(
    found: Fit, doubts: Doubt, contrasts: Floats, scores: Scores, pool: Pool
) -> list[tuple[float, float]]:
    """Return each bot's 95 % interval: symmetric, but by profile where the score is extreme."""
    import numpy as np

    centres = contrasts @ found.at
    halves = Z95 * np.sqrt(doubts.variances(contrasts))
    shares, bots = scores.shares(), len(centres)
    intervals = [(float(c - h), float(c + h)) for c, h in zip(centres, halves, strict=True)]
    for bot in range(bots):
        if bots > 1 and not 1 - EXTREME <= shares[bot] <= EXTREME:
            dispersion = 1.0 if pool.bounds[bot] else doubts.bots_dispersion
            intervals[bot] = profile(found, bot, contrasts[bot], dispersion)
    return intervals


def _seats(found: Fit, doubts: Doubt) -> dict[int, tuple[Seat, ...]]:
    """Return what each seat is worth against the mean of all seats, by number of players."""
    import numpy as np

    worth = {}
    for players, start in sorted(found.model.seats.items()):
        contrasts = np.zeros((players, found.model.size))
        contrasts[:, start : start + players] = np.eye(players) - 1 / players
        errors = Z95 * np.sqrt(doubts.variances(contrasts))
        pairs = zip(contrasts @ found.at, errors, strict=True)
        worth[players] = tuple(Seat(float(value) * ELO, float(error) * ELO) for value, error in pairs)
    return worth


def _first_seat(found: Fit, doubts: Doubt) -> Seat | None:
    """Return what the first of two seats is worth over the second."""
    import numpy as np

    start = found.model.seats.get(2)
    if start is None:
        return None
    contrast = np.zeros((1, found.model.size))
    contrast[0, start], contrast[0, start + 1] = 1.0, -1.0
    error = Z95 * math.sqrt(float(doubts.variances(contrast)[0]))
    return Seat(float((contrast @ found.at)[0]) * ELO, error * ELO)


def _faultless(
    tally: Tally, settings: Settings, pool: Pool, found: Fit, scores: Scores, prior: float | None
) -> dict[int, float]:
    """Return the Elo of the bots with many faults from the matches that they did not end by one."""
    totals = {bot: tally.faults[number].total() for bot, number in enumerate(pool.bots)}
    many = [bot for bot, faults in totals.items() if faults > MANY_FAULTS * scores.games[bot]]
    rated = {}
    for bot in sorted(many, key=lambda bot: -totals[bot])[:REFITS]:
        kinds = select(tally, list(pool.bots), seats=settings.seats, without=pool.bots[bot])
        if not any((each.bots == bot).any() for each in kinds):
            continue
        # A bot may have won everything else: only a prior keeps that finite.
        again = fit(build(kinds, len(pool.bots), settings.outcome, prior or PRIOR))
        rated[bot] = float(again.at[bot] - again.at[list(pool.core)].mean()) * ELO
    return rated


def _duplicates(tally: Tally) -> list[str]:
    share = tally.duplicates / max(1, tally.games)
    if share <= MANY_DUPLICATES:
        return []
    return [
        f"{tally.duplicates} of {tally.games} games ({share:.0%}) repeat another one exactly: "
        "they add nothing to what is known, and the ± counts them as one"
    ]


def chance(signal: float) -> float:
    """Return the chance that a difference of so many standard errors is above 0."""
    return 0.5 * math.erfc(-signal / math.sqrt(2))


def _rounded(value: float | None, digits: int = 4) -> float | None:
    return None if value is None else round(value, digits)
