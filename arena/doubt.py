"""How far a fit can be trusted: covariance, intervals, and whether the model explains the results.

The covariance is a sandwich clustered by block (K.-Y. Liang, S. L. Zeger, Biometrika 73, 1986) or the inverse
information scaled by the dispersion (R. W. M. Wedderburn, Biometrika 61, 1974), whichever is larger. Matches
of one block share a board, so only blocks are independent of each other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from arena.ratings import CHUNK, Fit, Kinds, Model, contests, evaluate, fit

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena.scores import Scores
    from arena.tally import Tally

    Floats = NDArray[np.float64]
    Numbers = NDArray[np.int64]

Z95 = 1.959963984540054
EXACT_PROFILE = 64  # bots: up to here an interval's other parameters are fitted anew at each of its points


@dataclass(frozen=True, slots=True)
class Doubt:
    """How uncertain a fit is."""

    sandwich: Floats
    scaled: Floats  # the inverse information times the dispersion
    dispersion: float
    bots_dispersion: float
    blocks: int
    met: Floats  # bots by bots: the blocks in which both took part

    def variances(self, contrasts: Floats) -> Floats:
        """Return the variance of each row of contrasts: the larger of both rules."""
        import numpy as np

        largest = np.zeros(len(contrasts))
        for matrix in (self.sandwich, self.scaled):
            np.maximum(largest, ((contrasts @ matrix) * contrasts).sum(1), out=largest)
        return largest

    def differences(self, bots: int) -> Floats:
        """Return the variances of all differences between two bots."""
        import numpy as np

        largest = np.zeros((bots, bots))
        for matrix in (self.sandwich, self.scaled):
            own = np.diagonal(matrix)[:bots]
            np.maximum(largest, own[:, None] + own[None, :] - 2 * matrix[:bots, :bots], out=largest)
        return largest


def doubt(found: Fit, tally: Tally) -> Doubt:
    """Return the covariance of a fit from the scores of blocks.

    With A the penalised information and u the score of a block among C: B = C/(C-1) Σ u uᵀ, the sandwich is
    A⁻¹ B A⁻¹ and the dispersion tr(A⁻¹B) / tr(A⁻¹H). Bots have their own dispersion where it is smaller:
    boards that favour a seat make the seats uncertain, not the bots.
    """
    import numpy as np

    model, inverse = found.model, found.inverse
    outer, met, count = _products(model, *_block_scores(found, tally))
    middle = outer * (count / (count - 1) if count > 1 else 0.0)
    sandwich = inverse @ middle @ inverse
    plain = inverse @ found.information @ inverse

    def dispersion(metric: Floats) -> float:
        if count < 2:
            # The only block may hold the same matches again and again: they count once.
            return tally.games / max(1, tally.games - tally.duplicates)
        size = len(metric)
        raw = float((metric * sandwich[:size, :size]).sum() / (metric * plain[:size, :size]).sum())
        # One block's worth of the model's own dispersion is mixed in, so that a few blocks that happen to be
        # equal do not show a certainty that nobody has.
        return (count * raw + 1) / (count + 1)

    whole = found.information + model.penalty
    bots, seats = slice(model.bots), slice(model.bots, None)
    # What the matches say of the bots when the seats are not known: Schur's complement.
    of_seats = whole[bots, seats] @ np.linalg.solve(whole[seats, seats], whole[seats, bots])
    overall = dispersion(whole)
    of_bots = min(overall, dispersion(whole[bots, bots] - of_seats))
    roots = np.full(model.size, math.sqrt(overall))
    roots[: model.bots] = math.sqrt(of_bots)
    return Doubt(
        sandwich=sandwich,
        scaled=inverse * roots * roots[:, None],
        dispersion=overall,
        bots_dispersion=of_bots,
        blocks=count,
        met=met,
    )


def _block_scores(found: Fit, tally: Tally) -> tuple[Numbers, Numbers, Floats, Floats, Floats]:
    """Return the gradient of each kind of block, and how many such blocks there are.

    Of bots, few of which are in a block, come block, bot and value, sorted; of seats a table by block.
    """
    import numpy as np

    model = found.model
    seats = model.size - model.bots
    shape = (len(tally.counts), max(each.shape.players for each in model.kinds))
    bots, places = np.full(shape, -1, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    values = np.zeros(shape)
    for each in model.kinds:
        players = each.shape.players
        bots[each.numbers, :players] = each.bots
        values[each.numbers, :players] = _match_scores(each, found)
        if seats:
            places[each.numbers, :players] = each.seats - model.bots
    lengths = np.fromiter(map(len, tally.contents), dtype=np.int64, count=len(tally.contents))
    flat = np.fromiter(chain.from_iterable(tally.contents), dtype=np.int64, count=int(lengths.sum()))
    used = bots[flat] >= 0
    owners = np.broadcast_to(np.repeat(np.arange(len(lengths)), lengths)[:, None], used.shape)[used]
    scores = values[flat][used]
    unique, place = np.unique(owners * model.bots + bots[flat][used], return_inverse=True)
    sums: Floats = np.bincount(place, scores, len(unique)).astype(float)
    blocks, members = np.divmod(unique, model.bots)
    cells = owners * seats + places[flat][used]
    by_seat = np.bincount(cells, scores, len(lengths) * seats)[: len(lengths) * seats].astype(float)
    repeats = np.fromiter(tally.contents.values(), dtype=float, count=len(tally.contents))
    return blocks, members, sums, by_seat.reshape(len(lengths), seats), repeats


def _products(
    model: Model, blocks: Numbers, members: Numbers, values: Floats, by_seat: Floats, repeats: Floats
) -> tuple[Floats, Floats, int]:
    """Return the sum of u uᵀ over all blocks, how often two bots share a block, and the number of blocks."""
    import numpy as np

    bots = model.bots
    outer, met = np.zeros((model.size, model.size)), np.zeros((bots, bots))
    edges = np.flatnonzero(np.diff(blocks, prepend=-1))
    widths = np.diff(edges, append=len(blocks))
    for width in np.unique(widths):
        rows = edges[widths == width]
        step = max(1, CHUNK * 4 // int(width) ** 2)
        for start in range(0, len(rows), step):
            cells = rows[start : start + step, None] + np.arange(width)
            times = repeats[blocks[cells[:, 0]], None, None]
            place = (members[cells][:, :, None] * bots + members[cells][:, None, :]).ravel()
            product = values[cells][:, :, None] * values[cells][:, None, :] * times
            outer[:bots, :bots] += np.bincount(place, product.ravel(), bots**2).reshape(bots, bots)
            shared = np.broadcast_to(times, product.shape).ravel()
            met += np.bincount(place, shared, bots**2).reshape(bots, bots)
    weighted = by_seat * repeats[:, None]
    for seat in range(by_seat.shape[1]):
        mixed = np.bincount(members, values * weighted[blocks, seat], bots)
        outer[:bots, bots + seat] = outer[bots + seat, :bots] = mixed
    outer[bots:, bots:] = weighted.T @ by_seat
    return outer, met, int(repeats[blocks[edges]].sum())


def _match_scores(each: Kinds, found: Fit) -> Floats:
    """Return what each kind of match adds to the gradient, by seat."""
    import numpy as np

    sides = each.shape.sides
    strengths = found.at[each.bots] + (found.at[each.seats] if len(each.seats) else 0.0)
    by_side = np.stack([strengths[:, list(side)].mean(1) for side in sides], axis=1)
    residuals = np.zeros_like(by_side)
    for risk, weight, share, chosen in contests(each.shape.places, found.model.outcome):
        chances = np.exp(by_side[:, risk] - by_side[:, risk].max(1)[:, None])
        chances /= chances.sum(1)[:, None]
        residuals[:, risk] -= weight * chances
        residuals[:, risk[:chosen]] += weight * share
    scores = np.zeros(each.bots.shape)
    for number, side in enumerate(sides):
        scores[:, list(side)] = residuals[:, number, None] / len(side)
    return scores


def profile(found: Fit, bot: int, contrast: Floats, dispersion: float) -> tuple[float, float]:
    """Return the 95 % interval of a bot's contrast by its profile likelihood (2 Δ / dispersion = 3.84).

    The root of the deviance is nearly straight, so that a secant reaches its goal in a few steps.
    """
    along = found.inverse @ contrast
    variance = float(contrast @ along)
    deviance = _exact if found.model.bots <= EXACT_PROFILE else _nearby
    measure = deviance(found, bot, contrast, along / variance)
    ends = []
    for sign in (-1.0, 1.0):
        near, near_root = 0.0, 0.0
        far = sign * Z95 * math.sqrt(variance * dispersion)
        for _ in range(30):
            far_root = math.sqrt(max(0.0, measure(far)) / dispersion)
            if abs(far_root - Z95) < 1e-5 or far_root == near_root:
                break
            # A flat stretch must not throw the next point far out of reach.
            ahead = far + (Z95 - far_root) * (far - near) / (far_root - near_root)
            near, near_root = far, far_root
            far = sign * min(max(abs(ahead), abs(far) / 3), abs(far) * 3)
        ends.append(float(contrast @ found.at) + far)
    return ends[0], ends[1]


def _exact(found: Fit, bot: int, contrast: Floats, direction: Floats) -> Callable[[float], float]:
    """Return the deviance by distance of the contrast, everything else fitted anew."""
    del bot
    return lambda distance: (
        2 * (found.value - fit(found.model, found.at + direction * distance, contrast).value)
    )


def _nearby(found: Fit, bot: int, contrast: Floats, direction: Floats) -> Callable[[float], float]:
    """Return the deviance as for many bots: the bot's own contests exact, all others to second order."""
    import numpy as np

    own = []
    for each in found.model.contests:
        here = (each.bots == bot).any(0)
        parts = {"bots": each.bots[:, here], "weights": each.weights[here], "shares": each.shares[:, here]}
        own.append(replace(each, **parts))
    model = replace(found.model, contests=tuple(own), penalty=np.zeros_like(found.model.penalty))
    value, gradient, information = evaluate(model, found.at)
    slope = float(gradient @ direction)
    others = float(direction @ (found.information + found.model.penalty - information) @ direction)

    def deviance(distance: float) -> float:
        there = evaluate(model, found.at + direction * distance, curved=False)[0]
        return 2 * (value + slope * distance - there) + others * distance**2

    return deviance


def lack_of_fit(found: Fit, doubts: Doubt, scores: Scores) -> str | None:
    """Return a warning where pairings of two players differ from the ratings by more than chance.

    X² = Σ (observed - expected)² / (dispersion · variance) over pairings, against χ² with as many degrees of
    freedom as there are pairings beyond those that determine the ratings.
    """
    import numpy as np

    bots = found.model.bots
    if any(len(each.shape.sides) != 2 or each.shape.players != 2 for each in found.model.kinds):
        return None
    expected, variance = np.zeros(bots * bots), np.zeros(bots * bots)
    for each in found.model.contests:
        chances = each.chances(found.at)[1][0]
        first, second = each.bots
        for one, other, chance in ((first, second, chances), (second, first, 1 - chances)):
            expected += np.bincount(one * bots + other, each.weights * chance, bots * bots)
            variance += np.bincount(one * bots + other, each.weights * chance * (1 - chance), bots * bots)
    excess = scores.wins + scores.ties / 2 - expected.reshape(bots, bots)
    spread = doubts.bots_dispersion * variance.reshape(bots, bots)
    counted = variance.reshape(bots, bots) >= 1  # with less, the square of a rare event is no χ²
    free = int(counted.sum()) // 2 - int(counted.any(0).sum()) + 1
    if free < 1:
        return None
    squares = float((excess[counted] ** 2 / spread[counted]).sum()) / 2  # each pairing stands there twice
    # The 5 % point of χ² by E. B. Wilson and M. M. Hilferty, PNAS 17, 1931: right to 1 % from the start.
    limit = free * (1 - 2 / (9 * free) + 1.6449 * math.sqrt(2 / (9 * free))) ** 3
    if squares <= limit:
        return None
    return (
        f"the ratings do not explain who beats whom (X² {squares:.1f}, by chance at most {limit:.1f}): "
        "bots may beat each other in a cycle; see the cross table (--cross)"
    )
