"""Plain counts: who beat whom how often, and who came in which place. No model, no doubt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena.ratings import Kinds

    Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Scores:
    """Counts of matches by bot and by pair of opponents; a pair's counts are for the row's bot."""

    games: Floats  # by bot
    places: Floats  # bots by places; who ties shares the better place
    draws: Floats  # by bot: matches of two sides that were tied
    wins: Floats  # bots by bots
    ties: Floats  # bots by bots

    def pairs(self) -> Floats:
        """Return how often two bots met as opponents."""
        return self.wins + self.wins.T + self.ties

    def shares(self) -> Floats:
        """Return each bot's mean pairwise score; a bot without opponents has one half."""
        import numpy as np

        met = self.pairs().sum(1)
        points = (self.wins + self.ties / 2).sum(1)
        shares = np.full(len(met), 0.5)
        np.divide(points, met, out=shares, where=met > 0)
        return shares


def count(kinds: list[Kinds], bots: int) -> Scores:
    """Count the matches of all kinds among the first `bots` bots."""
    import numpy as np

    places = max((len(each.shape.sides) for each in kinds), default=0)
    scores = Scores(
        np.zeros(bots),
        np.zeros((bots, places)),
        np.zeros(bots),
        np.zeros((bots, bots)),
        np.zeros((bots, bots)),
    )
    for each in kinds:
        sides, ranks = each.shape.sides, each.shape.places
        for side, members in enumerate(sides):
            place = sum(other < ranks[side] for other in ranks)
            for seat in members:
                times = np.bincount(each.bots[:, seat], each.counts, bots)
                scores.games[:] += times
                scores.places[:, place] += times
                if len(sides) == 2 and ranks[0] == ranks[1]:
                    scores.draws[:] += times
            for other, opponents in enumerate(sides):
                if ranks[side] > ranks[other] or side == other:
                    continue
                table = scores.wins if ranks[side] < ranks[other] else scores.ties
                for seat in members:
                    for opponent in opponents:
                        cells = each.bots[:, seat] * bots + each.bots[:, opponent]
                        table += np.bincount(cells, each.counts, bots * bots).reshape(bots, bots)
    return scores
