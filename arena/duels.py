"""Counts blocks by the score of one bot against another: what a sequential test looks at.

Reads a tally, works nothing out: the test is `sprt.py`. Only complete blocks count, since a test that looked
at half of one could be decided by a seat.
"""

from __future__ import annotations

from arena.sprt import Sprt, Test, Verdict
from arena.tally import Shape, Tally


def block_counts(tally: Tally, first: str, second: str, games: int) -> list[int]:
    """Return how often each score of a block came up, from 0 to 1 in steps of half a game.

    Blocks that repeat each other's matches are one block in a tally; such a one counts once, with its mean.
    """
    counts = [0] * (2 * games + 1)
    scores = {
        number: _score(shape, lineup, tally.names.index(first), tally.names.index(second))
        for shape, kinds in tally.kinds.items()
        for lineup, number in kinds.items()
    }
    for content, times in tally.contents.items():
        duels = [score for kind in content if (score := scores[kind]) is not None]
        if duels and len(duels) % games == 0:
            counts[round(2 * games * sum(duels) / len(duels))] += times
    return counts


def _score(shape: Shape, lineup: tuple[int, ...], first: int, second: int) -> float | None:
    """Return the score of one bot against another in a kind of match, None unless they met."""
    if first not in lineup or second not in lineup:
        return None
    place = {seat: rank for side, rank in zip(shape.sides, shape.places, strict=True) for seat in side}
    ours, theirs = place[lineup.index(first)], place[lineup.index(second)]
    return 0.5 * (1 + (ours < theirs) - (ours > theirs))


class Trial:
    """A sequential test between two bots that looks at a tally from time to time."""

    def __init__(self, test: Test, first: str, second: str, games: int) -> None:
        """Ask whether the first bot is better than the second; a block has so many games."""
        self._test = test
        self._pair = (first, second)
        self._games = games
        self._tally: Tally | None = None
        self.state = Sprt(test, games)

    def look(self, tally: Tally) -> str | None:
        """Count the blocks anew; return why the test has stopped, None while it goes on."""
        self._tally = tally
        if self.state.verdict is Verdict.RUNNING:
            self.state = Sprt.of(self._test, block_counts(tally, *self._pair, self._games))
        return None if self.state.verdict is Verdict.RUNNING else self.state.reason()

    def close(self) -> None:
        """Look once more when all is played: the last blocks came after the last look."""
        if self._tally is not None:
            self.look(self._tally)
