"""Who can be compared with whom."""

from __future__ import annotations

import pytest

from arena.games.base import Outcome
from arena.pools import Pool, pools
from arena.ratings import select
from arena.tally import Entry
from tests.matches import load, tally


def found(entries: list[Entry], bots: str = "", outcome: Outcome = Outcome.PLACEMENT) -> list[Pool]:
    """Return the pools of some matches among bots with names of one letter."""
    counted = tally(entries, bots)
    everybody = list(range(len(counted.names)))
    return pools(select(counted, everybody, seats=True), len(everybody), outcome)


def won(line: str) -> list[Entry]:
    """Read matches such as `ab bc`: the first of each two won."""
    return [Entry((word[0], word[1]), (1, 2), str(number)) for number, word in enumerate(line.split())]


def bounds(entries: list[Entry], bots: str) -> str:
    """Return the bound of each bot, `.` for none."""
    (pool,) = found(entries, bots)
    return "".join(bound or "." for bound in pool.bounds)


@pytest.mark.parametrize(
    ("line", "bots", "wanted"),
    [
        ("ab ba", "ab", ".."),
        ("ab", "ab", "><"),
        ("ab bc", "abc", ">.<"),
        ("ab ba ca cb", "abc", "..>"),
        ("ab ba ac bc", "abc", "..<"),
        ("ab bc ca", "abc", "..."),
        ("ab ba ca dc ce", "abcde", "..>>."),  # e lost to a bot above: it may be anywhere
    ],
)
def test_bounds(line: str, bots: str, wanted: str) -> None:
    """Who took from the core and gave nothing is above, who gave and took nothing below."""
    assert bounds(won(line), bots) == wanted


def test_a_tie_takes_from_both() -> None:
    """Two bots that only tied are a core of two."""
    (pool,) = found([Entry(("a", "b"), (1, 1), "x")])
    assert (pool.core, pool.finite) == ((0, 1), True)


def test_a_shared_win_counts_as_taken_by_winner_alone() -> None:
    """Where only winners count, second places take nothing."""
    entries = [Entry(("a", "b", "c"), (1, 2, 3), "x"), Entry(("a", "b", "c"), (2, 1, 3), "y")]
    entries.append(Entry(("a", "b", "c"), (3, 2, 1), "z"))
    assert found(entries, outcome=Outcome.WINNER)[0].finite
    entries[2] = Entry(("a", "b", "c"), (1, 3, 2), "z")
    assert found(entries)[0].finite
    assert not found(entries, outcome=Outcome.WINNER)[0].finite


def test_groups_that_never_met() -> None:
    """Bots that never met are apart, the larger group first; one that never played is alone."""
    assert [pool.bots for pool in found(won("ab ba cd de ec"), "abcdef")] == [(2, 3, 4), (0, 1), (5,)]


def test_the_perfect_scorer_of_the_reference() -> None:
    """One bot won everything: all others are the core, and it is above."""
    (pool,) = found(load("edge_connected.csv"))
    assert (len(pool.core), pool.bounds[-1], pool.finite) == (6, ">", False)
