"""What is handed out next, and what a gate holds back."""

from __future__ import annotations

from collections.abc import Iterator

from arena.feed import Feed, Gate
from arena.match import Match
from arena.schedule import Block
from arena.schedule.block import BlockMaker

MAKER = BlockMaker("rain", {}, seed=1, players=2)


def block(number: int, name: str = "b") -> Block:
    """Return the block of a round for the line-up of this letter."""
    return MAKER.make(number, [f"{name}0", f"{name}1"])


def label(match: Match) -> str:
    """Return a match as the tests write it: round, line-up, who has the first seat."""
    return f"{match.round}{match.bots[0]}"


def ids(feed: Feed) -> list[str]:
    """Take until there is nothing now."""
    found = []
    while (match := feed.take()) is not None:
        found.append(label(match))
    return found


def opened(blocks: list[Block], settled: str = "", gate: Gate = Gate.OPEN, last_round: int = 0) -> Feed:
    """Return a feed whose gate is always the same."""
    return Feed(blocks, lambda match: label(match) in settled.split(), lambda block: gate, last_round)


def test_matches_come_in_the_plans_order_but_settled_ones() -> None:
    """What is settled is passed over, everything else comes in order."""
    feed = opened([block(1), block(2)], settled="1b1")
    assert ids(feed) == ["1b0", "2b0", "2b1"]
    assert (feed.is_over, feed.outstanding, feed.round) == (True, 3, 2)


def test_what_comes_back_goes_out_first() -> None:
    """A match that was put back is handed out before new ones, and counts once as outstanding."""
    feed = opened([block(1), block(2)])
    first = feed.take()
    assert first is not None
    feed.put_back(first)
    assert ids(feed) == ["1b0", "1b1", "2b0", "2b1"]
    assert feed.outstanding == 4
    feed.put_back(first)
    assert not feed.is_over
    feed.settle()
    assert feed.outstanding == 3


def test_a_held_gate_can_open_again() -> None:
    """Held, nothing comes, and nothing is lost when it opens."""
    gates = iter([Gate.OPEN, Gate.HELD, Gate.HELD, Gate.OPEN])
    feed = Feed([block(1), block(2)], lambda match: False, lambda block: next(gates), 0)
    assert ids(feed) == ["1b0", "1b1"]
    assert (feed.is_held, feed.is_over) == (True, False)
    assert feed.take() is None
    assert ids(feed) == ["2b0", "2b1"]
    assert (feed.is_held, feed.is_over) == (False, True)


def test_a_shut_gate_lets_begun_blocks_end() -> None:
    """Blocks that an earlier run began are completed, those that nobody began are not."""
    blocks = [block(1, "a"), block(1, "b"), block(2, "a"), block(3, "a")]
    feed = opened(blocks, settled="1a0 2a1", gate=Gate.SHUT, last_round=2)
    assert ids(feed) == ["1a1", "2a0"]
    assert feed.is_over


def test_nothing_is_made_before_it_is_taken() -> None:
    """An endless plan is no problem, neither open nor shut."""

    def endless() -> Iterator[Block]:
        number = 0
        while True:
            number += 1
            yield block(number)

    feed = Feed(endless(), lambda match: False, lambda block: Gate.OPEN, 0)
    assert feed.take() is not None
    shut = Feed(endless(), lambda match: False, lambda block: Gate.SHUT, 5)
    assert shut.take() is None
    assert shut.is_over
