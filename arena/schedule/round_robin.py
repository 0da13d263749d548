"""Round-robin and gauntlet: all line-ups are known from the start."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from math import comb

from arena.config import Config, Format
from arena.schedule.block import Block
from arena.schedule.plan import Finished, Plan, Stage


class RoundRobin(Plan):
    """Every set of bots (round-robin), or each hero with every set of the others (gauntlet).

    Round by round, so that a run that is stopped early is balanced. Heroes do not meet each other: they are
    compared by how they do against the same field.
    """

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        self.heroes = config.schedule.heroes if config.schedule.format is Format.GAUNTLET else ()
        self.others = tuple(name for name in self.names if name not in self.heroes)

    @property
    def blocks(self) -> int:
        """Return the number of blocks."""
        return self._count() * self.config.schedule.rounds

    def _count(self) -> int:
        """Return the number of line-ups, which is the number of blocks in a round."""
        players = self.config.players
        if self.heroes:
            return len(self.heroes) * comb(len(self.others), players - 1)
        return comb(len(self.names), players)

    def stages(self, finished: Mapping[str, Finished]) -> Iterator[Stage]:
        """Yield the one stage that has everything."""
        yield Stage(self.blocks, self.matches, self._make)

    def _make(self) -> Iterator[Block]:
        for number in range(1, self.config.schedule.rounds + 1):
            for lineup in self.lineups():
                yield self.maker.make(number, lineup)

    def lineups(self) -> Iterator[tuple[str, ...]]:
        """Yield the line-ups of a round; all rounds have the same."""
        players = self.config.players
        if not self.heroes:
            yield from combinations(self.names, players)
        for others in combinations(self.others, players - 1) if self.heroes else ():
            for hero in self.heroes:
                yield (hero, *others)
