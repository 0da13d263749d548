"""The matches to hand out next, in the plan's order, and when a stop rule holds them back.

Blocks are begun in the order of the plan and never left unfinished: a rule keeps new blocks from beginning,
it never takes a match out of one. Matches that came back are handed out again first. Nothing is kept but
the block at hand, so a plan of a million matches costs what one of ten costs.
"""

from __future__ import annotations

import enum
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from arena.match import Match
from arena.schedule import Block


class Gate(enum.Enum):
    """Whether a block may begin."""

    OPEN = "open"
    HELD = "held"  # not now; what is being played may change that
    SHUT = "shut"  # not any more


class Feed:
    """Hands out what is not settled of a stage."""

    def __init__(
        self,
        blocks: Iterable[Block],
        is_settled: Callable[[Match], bool],
        gate: Callable[[Block], Gate],
        last_round: int,
    ) -> None:
        """`last_round` is the latest that an earlier run began: beyond it, no block was left unfinished."""
        self.outstanding = 0  # handed out, or to be handed out again, and not settled
        self.round = 0  # the latest of which something was handed out
        self._back: deque[Match] = deque()
        self._is_settled = is_settled
        self._gate = gate
        self._last_round = last_round
        self._walk = self._matches(blocks)
        self._ended = False
        self._held = False

    @property
    def is_held(self) -> bool:
        """Tell whether the gate holds back what would be next."""
        return self._held and not self._back

    @property
    def is_over(self) -> bool:
        """Tell whether everything was handed out that will be."""
        return self._ended and not self._back

    def take(self) -> Match | None:
        """Return the next match, None where there is none now."""
        if self._back:
            return self._back.popleft()
        match = None if self._ended else next(self._walk, None)
        if match is not None:
            self.outstanding += 1
            self.round = match.round
        return match

    def put_back(self, match: Match) -> None:
        """Have a match handed out again."""
        self._back.append(match)

    def settle(self) -> None:
        """Note that one of the matches handed out is settled."""
        self.outstanding -= 1

    def _matches(self, blocks: Iterable[Block]) -> Iterator[Match | None]:
        for block in blocks:
            matches = block.matches
            missing = [match for match in matches if not self._is_settled(match)]
            if len(missing) == len(matches):
                while (gate := self._gate(block)) is Gate.HELD:
                    self._held = True
                    yield None
                self._held = False
                if gate is Gate.SHUT:
                    if block.round > self._last_round:
                        break
                    continue  # further on may be a block that an earlier run began
            yield from missing
        self._ended = True
