"""Knockout: a bracket in which the loser of each pairing is out.

The file's order of bots is the seeding: the first and the second can only meet in the final, and byes go to
the first. A pairing plays `rounds` boards from both seats. If points are equal it plays one more board at a
time, at most TIEBREAKS of them; if they are equal even then, the larger sum of points of the game decides,
and at last the better seed.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping

from arena.schedule.block import Block
from arena.schedule.plan import Finished, Plan, Stage, margins, points

TIEBREAKS = 8  # boards; deterministic bots that draw would otherwise play for ever
STRIDE = 100  # round 203 is the third board of the bracket's second round

Couple = tuple[str | None, str | None]  # None: no opponent, a bye


class Knockout(Plan):
    """The pairings of a bracket, from the results so far."""

    adaptive = True
    exact = False  # tie-breaks come on top

    @property
    def blocks(self) -> int:
        """Return the number of blocks without tie-breaks: every pairing takes out one bot."""
        return (len(self.names) - 1) * self.config.schedule.rounds

    def stages(self, finished: Mapping[str, Finished]) -> Iterator[Stage]:
        """Yield the boards of each round of the bracket, then its tie-breaks one board at a time."""
        yield from self._bracket(finished)

    def title(self, number: int) -> str:
        """Return the bracket's round and the board in it."""
        return f"round {number // STRIDE}, board {number % STRIDE}"

    def verdict(self, finished: Mapping[str, Finished]) -> str:
        """Name the winner of the final."""
        bracket = self._bracket(finished)
        while True:
            try:
                next(bracket)
            except StopIteration as end:
                return f"{end.value} wins the knockout"

    def _bracket(self, finished: Mapping[str, Finished]) -> Generator[Stage, None, str | None]:
        """Yield the stages, and return who is left."""
        field = seeded(self.names)
        bracket = 0
        while len(field) > 1:
            bracket += 1
            couples = list(zip(field[::2], field[1::2], strict=True))
            played: dict[Couple, list[Block]] = {couple: [] for couple in couples if None not in couple}
            yield from self._boards(bracket, range(1, self.config.schedule.rounds + 1), played)
            for board in range(self.config.schedule.rounds + 1, self.config.schedule.rounds + TIEBREAKS + 1):
                level = {couple: blocks for couple, blocks in played.items() if not _lead(blocks, finished)}
                if not level:
                    break
                yield from self._boards(bracket, range(board, board + 1), level)
            field = [
                self._winner(played[couple], finished) if couple in played else couple[0] or couple[1]
                for couple in couples
            ]
        return field[0]

    def _boards(
        self, bracket: int, boards: Iterable[int], played: Mapping[Couple, list[Block]]
    ) -> Iterator[Stage]:
        """Yield the stage of some boards for all these couples, and note its blocks with each couple."""
        stage = []
        for board in boards:
            for couple, blocks in played.items():
                blocks.append(self.maker.make(bracket * STRIDE + board, [name for name in couple if name]))
                stage.append(blocks[-1])
        yield self.stage(stage)

    def _winner(self, blocks: list[Block], finished: Mapping[str, Finished]) -> str:
        """Return who goes on: by points, then by points of the game, then by seed."""
        one, other = blocks[0].lineup
        lead = _lead(blocks, finished) or sum(margins(block, finished)[one] for block in blocks)
        if not lead:
            return min(one, other, key=self.names.index)
        return one if lead > 0 else other


def _lead(blocks: list[Block], finished: Mapping[str, Finished]) -> float:
    """Return by how many points the first of a block's line-up leads."""
    one, other = blocks[0].lineup
    taken = [points(block, finished) for block in blocks]
    return sum(each[one] - each[other] for each in taken)


def seeded(names: tuple[str, ...]) -> list[str | None]:
    """Return the first round's field: neighbours meet, the best seeds are farthest apart, None is a bye."""
    order = [0]
    while len(order) < len(names):
        last = 2 * len(order) - 1
        order = [seed for one in order for seed in (one, last - one)]
    return [names[seed] if seed < len(names) else None for seed in order]
