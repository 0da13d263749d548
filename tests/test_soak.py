"""The short form of the soak: a tournament killed again and again loses nothing and doubles nothing."""

from __future__ import annotations

from pathlib import Path

from tests.soak import soak


def test_a_tournament_survives_being_killed(tmp_path: Path) -> None:
    """After kills at random moments the journal has exactly the planned games, and the same standings."""
    found = soak(kills=8, rounds=20, seed=1, folder=tmp_path)
    assert found.wrong == ()
    assert found.kills >= 4
    assert found.worker_kills >= 1
