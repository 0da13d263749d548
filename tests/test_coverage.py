"""The intervals hold the truth as often as they say: the short form of `bench/coverage.py`."""

from __future__ import annotations

import pytest

from bench.coverage import WORLDS, World, measure


@pytest.mark.parametrize(
    "world",
    [WORLDS["2 players"], WORLDS["3 players, ties"], WORLDS["2 players, deterministic, each board 3 times"]],
    ids=["two players", "three players with ties", "deterministic bots"],
)
def test_coverage(world: World) -> None:
    """Of 200 simulated tournaments, between 92 and 98 % of the intervals hold the truth."""
    found = measure(world, 200, seed=7)
    assert found.games >= 84
    assert 0.92 <= found.coverage <= 0.98
    assert 0.9 <= found.ratio <= 1.15
