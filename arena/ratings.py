"""The model behind the table: strengths and seats fitted to a tally, with their covariance.

One quasi-likelihood for all matches. Two sides: Bradley-Terry (R. A. Bradley, M. E. Terry, Biometrika 39,
1952) with a draw as half a win. More sides: Plackett-Luce (R. L. Plackett, Applied Statistics 24, 1975) with
ties averaged exactly over all ways to break them, or only the winner's choice. The strength of a side is the
mean of its members' plus a term for each seat. The estimate is the maximum of the penalised likelihood, found
by Newton's method on counts; so the order of matches never matters.

Strengths are natural logarithms here; `ELO` turns them into Elo. numpy is imported where it is used, because
its import takes longer than most commands. How far a fit can be trusted is told by `doubt.py`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations
from typing import TYPE_CHECKING, Any

from arena.games.base import Outcome

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena.tally import Shape, Tally

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.int64]

ELO = 400 / math.log(10)
SEAT_PRIOR = 200.0  # Elo: how far a seat may be from the mean before it surprises
# Without a prior, seats still get one that says nothing, so that bots that never change seats have an answer.
VAGUE = 1e5
PRECISION = 1e-9  # of a strength; some 2e-7 Elo
CLOSE = (
    1e-5  # a step of Newton's method that is this short leaves an error of its square: below the precision
)
CHUNK = 1 << 18  # contests worked on at once: bounds the memory of a thousand bots


def contests(
    places: tuple[int, ...], outcome: Outcome
) -> Iterator[tuple[tuple[int, ...], float, float, int]]:
    """Give a result as choices: the sides at risk, the weight, the share of each chosen, how many are chosen.

    The chosen come first. A tied group of k, with later finishers L, is the mean over all orders of the
    group: in one of them the subset S is what is left of the group with the chance 1 / C(k, |S|), and one of
    S, each as likely, comes before the rest of S and L.
    """
    sides = range(len(places))
    if outcome is Outcome.WINNER:
        first = [side for side in sides if places[side] == min(places)]
        yield (*first, *(side for side in sides if side not in first)), 1.0, 1 / len(first), len(first)
        return
    for place in sorted(set(places)):
        tied = [side for side in sides if places[side] == place]
        later = [side for side in sides if places[side] > place]
        for size in range(1, len(tied) + 1):
            if size + len(later) > 1:  # one alone chooses nothing
                for chosen in combinations(tied, size):
                    yield (*chosen, *later), 1 / math.comb(len(tied), size), 1 / size, size


@dataclass(frozen=True, slots=True)
class Kinds:
    """The kinds of match of one shape: the parameters by kind and seat, and how often each kind happened."""

    shape: Shape
    bots: Numbers  # kinds by seats
    seats: Numbers  # the parameters of the seats, or () where seats are off
    counts: Floats
    numbers: Numbers  # as in the tally


@dataclass(frozen=True, slots=True)
class Contests:
    """Collapsed choices between the same sides: who was at risk, how often, and what each took.

    Contests run along the last axis: numpy is several times faster that way than with two or three in a row.
    """

    bots: Numbers  # members by contests: parameters
    seats: Numbers  # by member: parameters; () where seats are off
    sides: tuple[int, ...]  # by member
    factors: tuple[float, ...]  # by member: its part in its side's strength
    weights: Floats  # contests
    shares: Floats  # sides by contests

    def chances(self, at: Floats, part: slice = slice(None)) -> tuple[Floats, Floats, Floats]:
        """Return the sides' strengths, their chances to be chosen, and the logarithms of the sums."""
        import numpy as np

        strengths = np.zeros((len(self.shares), len(self.weights[part])))
        for member, (side, factor) in enumerate(zip(self.sides, self.factors, strict=True)):
            seat = at[self.seats[member]] if len(self.seats) else 0.0
            strengths[side] += factor * (at[self.bots[member, part]] + seat)
        top = strengths.max(0)
        chances = np.exp(strengths - top)
        total = chances.sum(0)
        chances /= total
        return strengths, chances, top + np.log(total)


@dataclass(frozen=True, slots=True)
class Model:
    """Everything that a fit needs: collapsed contests, the penalty, and what is what among parameters."""

    kinds: tuple[Kinds, ...]
    contests: tuple[Contests, ...]
    penalty: Floats  # a matrix; the prior's precision
    bots: int  # the first parameters
    seats: dict[int, int]  # number of players → parameter of the first seat
    outcome: Outcome

    @property
    def size(self) -> int:
        """Return the number of parameters."""
        return int(self.penalty.shape[0])


@dataclass(frozen=True, slots=True)
class Fit:
    """The maximum of a model's penalised likelihood, and its neighbourhood."""

    model: Model
    at: Floats
    value: float
    information: Floats  # of the matches alone
    inverse: Floats  # of information and penalty


def select(tally: Tally, bots: list[int], *, seats: bool, without: int = -1) -> list[Kinds]:
    """Return the kinds of match among the given bots, numbered as in that list.

    Seats get parameters after the bots', one for each number of players and seat. `without` leaves the
    matches out that this bot of the tally ended by a fault.
    """
    import numpy as np

    numbering = np.full(len(tally.names), -1, dtype=np.int64)
    numbering[bots] = range(len(bots))
    counts = np.array(tally.counts, dtype=float)
    players = sorted({shape.players for shape in tally.kinds})
    start = {each: len(bots) + sum(players[: players.index(each)]) for each in players}
    found = []
    for shape, lineups in tally.kinds.items():
        flat = np.fromiter(chain.from_iterable(lineups), np.int64, count=len(lineups) * shape.players)
        table = flat.reshape(-1, shape.players)
        numbers = np.fromiter(lineups.values(), dtype=np.int64, count=len(lineups))
        kept = (numbering[table] >= 0).all(1)
        if without >= 0 and shape.faulty:
            kept &= (table[:, shape.faulty] != without).all(1)
        if kept.any():
            terms = np.arange(shape.players) + start[shape.players] if seats else np.zeros(0, dtype=np.int64)
            numbers = numbers[kept]
            found.append(Kinds(shape, numbering[table[kept]], terms, counts[numbers], numbers))
    return found


def build(kinds: list[Kinds], bots: int, outcome: Outcome, prior: float | None) -> Model:
    """Return the model of some kinds of match; `prior` is the bots' spread in Elo, None for no prior."""
    import numpy as np

    starts = {each.shape.players: int(each.seats[0]) for each in kinds if len(each.seats)}
    # Where some numbers of players do not occur among these kinds, their seats stay at the prior.
    size = max([bots, *(start + players for players, start in starts.items())])
    mean = np.full((bots, bots), 1 / bots)
    penalty = np.zeros((size, size))
    penalty[:bots, :bots] = mean
    if prior is not None:
        penalty[:bots, :bots] += (np.eye(bots) - mean) * (ELO / prior) ** 2
    spread = VAGUE if prior is None else SEAT_PRIOR
    penalty[range(bots, size), range(bots, size)] = (ELO / spread) ** 2
    return Model(tuple(kinds), tuple(_collapse(kinds, outcome)), penalty, bots, starts, outcome)


def _collapse(kinds: list[Kinds], outcome: Outcome) -> Iterator[Contests]:
    """Give the contests of all kinds, those between the same bots on the same seats added up."""
    import numpy as np

    gathered: dict[Any, list[tuple[Numbers, Floats, Floats]]] = {}
    seats: dict[int, Numbers] = {}
    for each in kinds:
        sides, seats[each.shape.players] = each.shape.sides, each.seats
        for risk, weight, share, chosen in contests(each.shape.places, outcome):
            order = sorted(risk)
            shares = np.array([share if side in risk[:chosen] else 0.0 for side in order])
            members = tuple(sides[side] for side in order)
            counted = each.counts * weight
            lineups = each.bots[:, [seat for side in members for seat in side]]
            whole = gathered.setdefault((each.shape.players, members), [])
            whole.append((lineups, counted, counted[:, None] * shares))
    for (players, members), parts in gathered.items():
        lineups, weights, shares = (np.concatenate(part) for part in zip(*parts, strict=True))
        owners = tuple(number for number, side in enumerate(members) for _ in side)
        taken = [seat for side in members for seat in side] if len(seats[players]) else []
        lineups, weights, shares = _merge(lineups, weights, shares)
        yield Contests(
            bots=np.ascontiguousarray(lineups.T),
            seats=seats[players][taken],
            sides=owners,
            factors=tuple(1 / len(members[side]) for side in owners),
            weights=weights,
            shares=np.ascontiguousarray(shares.T),
        )


def _merge(lineups: Numbers, weights: Floats, shares: Floats) -> tuple[Numbers, Floats, Floats]:
    """Add up the rows with equal line-ups."""
    import numpy as np

    base, width = int(lineups.max()) + 1, lineups.shape[1]
    if base**width >= 1 << 62:  # a line-up is no single number; equal rows then stay apart, no less right
        return lineups, weights, shares
    keys = lineups @ (base ** np.arange(width))
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    merged = [np.bincount(place, column, len(first)).astype(float) for column in (weights, *shares.T)]
    return lineups[first], merged[0], np.stack(merged[1:], axis=1)


def evaluate(model: Model, at: Floats, *, curved: bool = True) -> tuple[float, Floats, Floats]:
    """Return the penalised log-likelihood, its gradient, and the information of the matches alone."""
    import numpy as np

    size = model.size
    pull = model.penalty @ at
    value, gradient = -0.5 * float(at @ pull), -pull
    half, diagonal = np.zeros((size, size)), np.zeros(size)  # the information is half + halfᵀ + diagonal
    for whole in model.contests:
        for start in range(0, len(whole.weights), CHUNK):
            part = slice(start, start + CHUNK)
            weights, shares, bots = whole.weights[part], whole.shares[:, part], whole.bots[:, part]
            strengths, chances, logarithms = whole.chances(at, part)
            value += float((shares * strengths).sum() - weights @ logarithms)
            expected = weights * chances
            residuals = shares - expected
            for one, (side, factor) in enumerate(zip(whole.sides, whole.factors, strict=True)):
                gradient += np.bincount(bots[one], factor * residuals[side], size)
                if len(whole.seats):
                    gradient[whole.seats[one]] += factor * residuals[side].sum()
                if not curved:
                    continue
                for other, (against, weight) in enumerate(zip(whole.sides, whole.factors, strict=True)):
                    # diag p - p pᵀ between the sides, spread over the members of both
                    spread = (factor * weight) * expected[side] * ((side == against) - chances[against])
                    if one == other:
                        diagonal += np.bincount(bots[one], spread, size)
                    elif one < other:
                        cells = bots[one] * size + bots[other]
                        half += np.bincount(cells, spread, size * size).reshape(size, size)
                    if len(whole.seats):
                        half[:, whole.seats[other]] += np.bincount(bots[one], spread, size)
                        half[whole.seats[one], whole.seats[other]] += 0.5 * spread.sum()
    return value, gradient, half + half.T + np.diag(diagonal)


def fit(model: Model, start: Floats | None = None, held: Floats | None = None) -> Fit:
    """Maximise by Newton's method and a line search; `held` is a contrast that keeps its value."""
    import numpy as np

    at = np.zeros(model.size) if start is None else start
    value, gradient, information = evaluate(model, at)
    while True:
        curvature = information + model.penalty
        step = np.linalg.solve(curvature, gradient)
        if held is not None:
            along = np.linalg.solve(curvature, held)
            step -= along * (held @ step) / (held @ along)
        reach = float(np.abs(step).max())
        close = reach <= CLOSE
        tried = evaluate(model, at + step)
        # The log-likelihood is concave, so a short enough step climbs, up to the last digits of a sum.
        while tried[0] < value - 1e-12 * abs(value) and reach > PRECISION:
            step, reach = step / 2, reach / 2
            tried = evaluate(model, at + step)
        at = at + step
        value, gradient, information = tried
        if close or reach <= PRECISION:
            inverse = np.linalg.inv(information + model.penalty)
            return Fit(model, at, value, information, np.asarray(inverse, dtype=float))
