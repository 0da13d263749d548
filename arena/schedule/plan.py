"""What every plan can tell: its stages, and how many matches there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from arena.config import Config
from arena.schedule.block import Block, BlockMaker


@dataclass(frozen=True, slots=True)
class Finished:
    """What a plan needs to know of a finished match, by seat; empty where the match stayed void."""

    ranks: tuple[int, ...] = ()
    scores: tuple[int, ...] = ()


class MissingResults(Exception):
    """The next stage was asked for before all matches of this one had their results."""


@dataclass(frozen=True, slots=True)
class Stage:
    """Blocks that can be played in any order and at once; made anew and lazily by each iteration."""

    blocks: int
    matches: int
    make: Callable[[], Iterable[Block]]

    def __iter__(self) -> Iterator[Block]:
        return iter(self.make())


class Plan(ABC):
    """What a tournament plays; pure, so the same values and results always give the same matches."""

    adaptive = False  # whether stages depend on results
    exact = True  # whether `blocks` and `matches` are certain; otherwise they are the least

    def __init__(self, config: Config) -> None:
        self.config = config
        self.names = tuple(bot.name for bot in config.bots)
        self.maker = BlockMaker(
            config.game, config.options, config.seed, config.players, config.schedule.seats
        )

    @property
    @abstractmethod
    def blocks(self) -> int:
        """Return the number of blocks."""

    @property
    def matches(self) -> int:
        """Return the number of matches."""
        return self.blocks * self.maker.size

    @abstractmethod
    def stages(self, finished: Mapping[str, Finished]) -> Iterator[Stage]:
        """Yield what to play, stage by stage.

        `finished` is a live view, by match id: when the next stage is asked for, it has all matches of the
        stages before, or MissingResults is raised. A plan that is not adaptive never looks into it.
        """

    def title(self, number: int) -> str:
        """Return what people call the round of a block."""
        return f"round {number}"

    def verdict(self, finished: Mapping[str, Finished]) -> str:
        """Say what the results decide beyond the table, "" for nothing; MissingResults while any is open."""
        return ""

    def stage(self, blocks: list[Block]) -> Stage:
        """Return a stage of blocks that are known already."""
        return Stage(len(blocks), len(blocks) * self.maker.size, lambda: blocks)


def points(block: Block, finished: Mapping[str, Finished]) -> dict[str, float]:
    """Return what each bot of a two-player block took: a point for a win, half of one for a draw."""
    taken = dict.fromkeys(block.lineup, 0.0)
    for match in block.matches:
        if match.id not in finished:
            raise MissingResults(match.id)
        ranks = finished[match.id].ranks
        if ranks:
            for seat, bot in enumerate(match.bots):
                other = ranks[1 - seat]
                taken[bot] += 1.0 if ranks[seat] < other else 0.5 if ranks[seat] == other else 0.0
    return taken


def margins(block: Block, finished: Mapping[str, Finished]) -> dict[str, int]:
    """Return by how many points of the game each bot of a two-player block led in all its matches."""
    lead = dict.fromkeys(block.lineup, 0)
    for match in block.matches:
        scores = finished[match.id].scores
        if scores:
            for seat, bot in enumerate(match.bots):
                lead[bot] += scores[seat] - scores[1 - seat]
    return lead
