"""How far a fit can be trusted: agreement, intervals, and warnings that come when they should."""

from __future__ import annotations

import random

import numpy as np
import pytest

from arena import doubt as doubts
from arena.doubt import Z95, Doubt, doubt, lack_of_fit, profile
from arena.games.base import Outcome
from arena.ratings import ELO, Fit, build, fit, select
from arena.scores import count
from arena.tally import Entry
from tests.matches import league, load, pair, reference, tally


def fitted(entries: list[Entry], prior: float | None = 600.0) -> tuple[Fit, Doubt]:
    """Return the fit of some matches with seats, and its doubt."""
    counted = tally(entries)
    bots = len(counted.names)
    found = fit(build(select(counted, list(range(bots)), seats=True), bots, Outcome.PLACEMENT, prior))
    return found, doubt(found, counted)


def centred(found: Fit) -> np.ndarray:
    """Return the contrast of each bot with the mean of all."""
    contrasts = np.zeros((found.model.bots, found.model.size))
    contrasts[:, : found.model.bots] = np.eye(found.model.bots) - 1 / found.model.bots
    return contrasts


def test_the_sandwich_agrees_with_the_reference() -> None:
    """± by block is the reference's within 1 %, and so is the dispersion."""
    found, known = fitted(load("dense.csv"), prior=None)
    contrasts = centred(found)
    errors = Z95 * ELO * np.sqrt(((contrasts @ known.sandwich) * contrasts).sum(1))
    wanted = reference()["dense"]["own"]
    names = tally(load("dense.csv")).names
    assert errors == pytest.approx([wanted["pm95_sandwich_by_pair"][name] for name in names], rel=0.01)
    assert known.dispersion == pytest.approx(wanted["phi_pair"], abs=0.001)
    assert known.blocks == 1008


def test_the_larger_rule_holds_for_every_contrast() -> None:
    """No variance is below that of either rule."""
    found, known = fitted(league(players=3))
    contrasts = centred(found)
    for matrix in (known.sandwich, known.scaled):
        assert (known.variances(contrasts) >= ((contrasts @ matrix) * contrasts).sum(1) - 1e-12).all()


def test_differences_are_the_variances_of_pairs() -> None:
    """The matrix of differences has what each contrast of two bots has."""
    found, known = fitted(league())
    contrast = np.zeros((1, found.model.size))
    contrast[0, 1], contrast[0, 3] = 1, -1
    assert known.differences(5)[1, 3] == pytest.approx(known.variances(contrast)[0])


def test_blocks_of_a_pairing_are_counted() -> None:
    """Two bots met in as many blocks as rounds were played."""
    _, known = fitted(league(rounds=7))
    assert (known.met[np.triu_indices(5, 1)] == 7).all()


def test_a_profile_agrees_with_the_reference() -> None:
    """The perfect scorer's interval is the reference's, both exact and in the form for many bots."""
    found, _ = fitted(load("edge_connected.csv"))
    perfect = tally(load("edge_connected.csv")).names.index("perfect")
    contrast = centred(found)[perfect]
    wanted = reference()["edge_connected"]["perfect_profile95"]
    exact = profile(found, perfect, contrast, 1.0)
    assert [end * ELO for end in exact] == pytest.approx(wanted, abs=0.1)


def test_the_profile_of_many_bots_is_close_to_the_exact_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where fitting everything anew would take too long, a lopsided interval still comes out right."""
    found, _ = fitted(load("edge_connected.csv"))
    contrast = centred(found)[-1]
    exact = profile(found, found.model.bots - 1, contrast, 1.0)
    monkeypatch.setattr(doubts, "EXACT_PROFILE", 0)
    assert profile(found, found.model.bots - 1, contrast, 1.0) == pytest.approx(exact, rel=0.01)


def test_a_profile_is_symmetric_where_the_likelihood_is() -> None:
    """With many games the profile is the usual interval."""
    found, known = fitted(load("dense.csv"))
    contrast = centred(found)[4]
    low, high = profile(found, 4, contrast, known.bots_dispersion)
    half = Z95 * np.sqrt(contrast @ known.scaled @ contrast)
    assert (high - low) / 2 == pytest.approx(half, rel=0.01)
    assert (high + low) / 2 == pytest.approx(contrast @ found.at, abs=0.01 * half)


def test_equal_blocks_do_not_make_certain() -> None:
    """A few drawn blocks show a ± that is far from 0."""
    entries = [entry for block in range(3) for entry in pair(str(block), "a", "b", (0.5, 0.5))]
    found, known = fitted(entries)
    assert Z95 * ELO * np.sqrt(known.variances(centred(found))).min() > 50


def test_identical_matches_add_no_information() -> None:
    """Ten times the same matches give the ± of once."""
    once = [
        Entry(entry.bots, entry.ranks, entry.block, digest=str(number).encode())
        for number, entry in enumerate(league(rounds=6))
    ]
    often = [
        Entry(entry.bots, entry.ranks, f"{entry.block} {time}", digest=entry.digest)
        for entry in once
        for time in range(10)
    ]
    (found, known), (again, repeated) = fitted(once, prior=None), fitted(often, prior=None)
    assert again.at == pytest.approx(found.at, abs=1e-3)
    assert repeated.blocks == known.blocks
    ratio = repeated.variances(centred(again)) / known.variances(centred(found))
    assert ratio == pytest.approx(np.ones(5), rel=0.04)


def test_one_block_repeated_is_one_block() -> None:
    """Where everything is the same match, the only block counts each match once."""
    single = [Entry(("a", "b"), (1, 1), "x", digest=b"1"), Entry(("b", "a"), (1, 1), "x", digest=b"2")]
    often = [Entry(e.bots, e.ranks, f"{time}", digest=e.digest) for time in range(50) for e in single]
    (one, first), (many, second) = fitted(single, prior=5000), fitted(often, prior=5000)
    errors = first.variances(centred(one)), second.variances(centred(many))
    assert second.blocks == 1
    assert errors[1] == pytest.approx(errors[0], rel=0.02)


def warned(entries: list[Entry]) -> str | None:
    """Return the warning about the fit of some matches."""
    found, known = fitted(entries)
    counted = tally(entries)
    bots = len(counted.names)
    return lack_of_fit(found, known, count(select(counted, list(range(bots)), seats=True), bots))


def test_a_cycle_is_told() -> None:
    """Three bots that beat each other in turns are equal for the ratings, and warned of."""
    entries = [
        entry
        for block in range(10)
        for first, second in ("ab", "bc", "ca")
        for entry in pair(f"{block}{first}", first, second, (1.0, float(block % 2)))
    ]
    warning = warned(entries)
    assert warning is not None
    assert "cycle" in warning
    assert "--cross" in warning


def test_chance_is_seldom_taken_for_a_cycle() -> None:
    """Of leagues that are as the model has them, about one in twenty is warned of."""
    chance = random.Random(2)
    warnings = 0
    for _ in range(100):
        entries = []
        for block in range(15):
            for one in range(6):
                for other in range(one):
                    expected = 1 / (1 + np.exp(0.4 * (one - other)))
                    won = tuple(float(chance.random() < expected) for _ in range(2))
                    entries += pair(f"{block} {one} {other}", f"b{one}", f"b{other}", (won[0], won[1]))
        warnings += warned(entries) is not None
    assert warnings <= 12
