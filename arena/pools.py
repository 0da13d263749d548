"""Who can be compared with whom: the groups of bots that met, and the core of each.

Bots that never met, not even through others, have no common scale. Within a group, a strength is finite
without a prior exactly when every bot took something from every other, directly or through others
(L. R. Ford, American Mathematical Monthly 64, 1957). The bots that did so with each other are the core;
what is outside it is known to be above or below, but not how far.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena.ratings import contests

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from arena.games.base import Outcome
    from arena.ratings import Kinds

    Relation = NDArray[np.bool_]  # bots by bots


@dataclass(frozen=True, slots=True)
class Pool:
    """One group of bots; the core and the bounds are in the group's own order."""

    bots: tuple[int, ...]
    core: tuple[int, ...]  # the bots whose mean is zero
    bounds: tuple[str | None, ...]  # ">" for above all that the matches can measure, "<" for below
    finite: bool  # whether the estimate exists without a prior


def pools(kinds: list[Kinds], bots: int, outcome: Outcome) -> list[Pool]:
    """Return the groups, the largest first; a bot that never played is one by itself."""
    import numpy as np

    if not bots:
        return []
    took = _took(kinds, bots, outcome)
    games = np.zeros(bots)
    for each in kinds:
        games += np.bincount(each.bots.ravel(), np.repeat(each.counts, each.bots.shape[1]), bots)
    found = [_pool(members, took, games) for members in _classes(_closure(took | took.T))]
    return sorted(found, key=lambda pool: (-len(pool.bots), -games[list(pool.bots)].sum(), pool.bots))


def _took(kinds: list[Kinds], bots: int, outcome: Outcome) -> Relation:
    """Return who took something from whom: a win, a tie, a better place."""
    import numpy as np

    took = np.zeros((bots, bots), dtype=bool)
    for each in kinds:
        for risk, _, _, chosen in contests(each.shape.places, outcome):
            for taker in risk[:chosen]:
                for loser in risk:
                    if loser != taker:
                        for seat in each.shape.sides[taker]:
                            for other in each.shape.sides[loser]:
                                took[each.bots[:, seat], each.bots[:, other]] = True
    return took


def _closure(relation: Relation) -> Relation:
    """Return who reaches whom in any number of steps, oneself included, by repeated squaring."""
    import numpy as np

    reach = relation | np.eye(len(relation), dtype=bool)
    while True:
        # Single precision counts paths exactly up to 2^24 bots, and is the fastest product there is.
        further = (reach.astype(np.float32) @ reach.astype(np.float32)) > 0
        if (further == reach).all():
            return reach
        reach = further


def _classes(equivalent: Relation) -> list[list[int]]:
    """Return the classes of an equivalence, each in ascending order."""
    first = equivalent.argmax(1)
    found: dict[int, list[int]] = {}
    for bot, leader in enumerate(first.tolist()):
        found.setdefault(leader, []).append(bot)
    return list(found.values())


def _pool(members: list[int], took: Relation, games: NDArray[np.float64]) -> Pool:
    import numpy as np

    inside = took[np.ix_(members, members)]
    reach = _closure(inside)
    strong = _classes(reach & reach.T)
    core = max(strong, key=lambda bots: (len(bots), games[np.array(members)[bots]].sum()))
    if len(core) == 1:
        # No two bots took something from each other: the first and the last of the order are bounds.
        core = list(range(len(members)))
        above, below = inside.sum(0) == 0, inside.sum(1) == 0
    else:
        above, below = reach[:, core].sum(1) > 0, reach[core].sum(0) > 0
    bounds = tuple(
        None if above[bot] == below[bot] else ">" if above[bot] else "<" for bot in range(len(members))
    )
    return Pool(tuple(members), tuple(core), bounds, finite=len(strong) == 1)
