"""The model: agreement with other programs, ties against brute force, Newton's method."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.games.base import Outcome
from arena.ratings import ELO, Model, build, contests, evaluate, fit, select
from arena.tally import Entry
from tests.matches import league, load, reference, tally

REFERENCE = reference()


def elo(
    name: str, *, prior: float | None = None, seats: bool = False, outcome: Outcome = Outcome.PLACEMENT
) -> dict[str, float]:
    """Return the ratings of a file of the reference data."""
    counted = tally(load(name))
    model = model_of(load(name), prior=prior, seats=seats, outcome=outcome)
    return dict(zip(counted.names, fit(model).at[: model.bots] * ELO, strict=True))


def model_of(
    entries: list[Entry],
    *,
    prior: float | None = 600.0,
    seats: bool = True,
    outcome: Outcome = Outcome.PLACEMENT,
) -> Model:
    """Return the model of some matches."""
    counted = tally(entries)
    everybody = list(range(len(counted.names)))
    return build(select(counted, everybody, seats=seats), len(everybody), outcome, prior)


def agree(found: Mapping[str, float], wanted: Mapping[str, float]) -> None:
    """Hold ratings to those of another program."""
    assert found == {name: pytest.approx(value, abs=1e-3) for name, value in wanted.items()}


@pytest.mark.parametrize(("key", "seats"), [("ordo_plain", False), ("ordo_W_D_V", True)])
def test_two_players_agree_with_ordo(key: str, seats: bool) -> None:
    """Without a prior the ratings are Ordo's, with the first seat's advantage and without."""
    wanted = {name: row["elo"] for name, row in REFERENCE["dense"][key].items()}
    agree(elo("dense.csv", seats=seats), wanted)


def test_the_first_seats_advantage_agrees_with_ordo() -> None:
    """The difference of both seats is Ordo's advantage of white."""
    at = fit(model_of(load("dense.csv"), prior=None)).at * ELO
    assert at[8] - at[9] == pytest.approx(REFERENCE["dense"]["own"]["first_seat_adv"], abs=1e-3)


@pytest.mark.parametrize(
    ("outcome", "key"),
    [(Outcome.PLACEMENT, "choix_ilsr_rankings"), (Outcome.WINNER, "choix_ilsr_top1")],
)
def test_three_players_agree_with_choix(outcome: Outcome, key: str) -> None:
    """Without a prior and seats the ratings are choix's, for places and for winners."""
    wanted = {f"bot{number}": value for number, value in enumerate(REFERENCE["multi3"][key], 1)}
    agree(elo("multi3.csv", outcome=outcome), wanted)


@pytest.mark.parametrize("seats", [False, True])
@pytest.mark.parametrize(("outcome", "word"), [(Outcome.PLACEMENT, "pl"), (Outcome.WINNER, "winner")])
def test_four_players_with_ties_agree_with_the_reference(outcome: Outcome, word: str, seats: bool) -> None:
    """Ties of any size are averaged exactly, with seats and without."""
    values = REFERENCE["multi4_ties"][f"own_{word}_{'seat_' * seats}mle"]
    wanted = {f"bot{number}": value for number, value in enumerate(values, 1)}
    agree(elo("multi4_ties.csv", outcome=outcome, seats=seats), wanted)


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("dense.csv", REFERENCE["dense"]["own"]["map_prior600_seatprior200"]),
        ("edge_connected.csv", REFERENCE["edge_connected"]["own_map_prior600_seatprior200"]),
    ],
)
def test_defaults_agree_with_the_reference(name: str, wanted: dict[str, float]) -> None:
    """With both priors the ratings are the reference's, about the mean of all bots."""
    agree(elo(name, prior=600.0, seats=True), wanted)


@given(st.lists(st.integers(0, 3), min_size=2, max_size=5))
@settings(max_examples=60, deadline=None)
def test_ties_are_the_mean_of_all_orders(places: list[int]) -> None:
    """The gradient of a tied result is the mean of the gradients of all ways to break its ties."""
    strengths = np.array([((7 * side) % 5 - 2) / 2 for side in range(len(places))])

    def gradient(order: tuple[int, ...]) -> np.ndarray:
        found = np.zeros(len(strengths))
        for risk, weight, share, chosen in contests(order, Outcome.PLACEMENT):
            chances = np.exp(strengths[list(risk)])
            found[list(risk)] -= weight * chances / chances.sum()
            found[list(risk[:chosen])] += weight * share
        return found

    orders = [
        order
        for order in permutations(range(len(places)))
        if all(
            (places[one] < places[other]) <= (order[one] < order[other])
            for one in range(len(places))
            for other in range(len(places))
        )
    ]
    mean = sum(gradient(order) for order in orders) / len(orders)
    assert gradient(tuple(places)) == pytest.approx(mean, abs=1e-12)


def test_two_sides_are_one_contest() -> None:
    """A win is a whole choice, a draw half of each: Bradley and Terry's model."""
    assert list(contests((0, 1), Outcome.PLACEMENT)) == [((0, 1), 1.0, 1.0, 1)]
    assert list(contests((0, 0), Outcome.PLACEMENT)) == [((0, 1), 1.0, 0.5, 2)]
    assert list(contests((0, 0), Outcome.WINNER)) == [((0, 1), 1.0, 0.5, 2)]


TEAMS = [
    Entry(tuple(f"b{(seat + shift) % 5}" for seat in range(4)), ranks, str(shift), sides=((0, 2), (1, 3)))
    for shift in range(5)
    for ranks in ((1, 2, 1, 2), (1, 1, 1, 1), (2, 1, 2, 1), (4, 2, 1, 2))
]


@pytest.mark.parametrize("entries", [league(), league(players=3), league(players=4, rounds=2), TEAMS])
def test_gradient_and_information_are_the_derivatives(entries: list[Entry]) -> None:
    """The value's slope is the gradient, and the gradient's slope the information, for any kind of sides."""
    model = model_of(entries)
    at = np.sin(np.arange(model.size, dtype=float))
    _, gradient, information = evaluate(model, at)
    step = 1e-5
    for number in range(model.size):
        move = np.zeros(model.size)
        move[number] = step
        above, below = evaluate(model, at + move), evaluate(model, at - move)
        assert (above[0] - below[0]) / (2 * step) == pytest.approx(gradient[number], abs=1e-4)
        slope = (above[1] - below[1]) / (2 * step)
        assert -slope == pytest.approx(information[number] + model.penalty[number], abs=1e-4)


def test_a_side_is_the_mean_of_its_members() -> None:
    """A team's strength is its members' mean, so the same team against another shows half of a difference."""
    entries = [
        Entry(
            ("a", "c", "b", "d"), (1, 2, 1, 2) if won else (2, 1, 2, 1), str(number), sides=((0, 2), (1, 3))
        )
        for number, won in enumerate([True] * 3 + [False])
    ]
    model = model_of(entries, prior=1e5, seats=False)
    a, c, b, d = fit(model).at
    assert a == pytest.approx(b)
    assert c == pytest.approx(d)
    assert (a + b) / 2 - (c + d) / 2 == pytest.approx(math.log(3), abs=1e-4)


def test_newton_arrives_from_anywhere() -> None:
    """The line search brings a start far away to the same maximum."""
    model = model_of(league())
    far = np.array([(-1.0) ** number * 12 for number in range(model.size)])
    assert fit(model, far).at == pytest.approx(fit(model).at, abs=1e-8)


def test_a_held_contrast_keeps_its_value() -> None:
    """A maximum under a constraint satisfies it and is not above the free one."""
    model = model_of(league())
    free = fit(model)
    contrast = np.zeros(model.size)
    contrast[0], contrast[1] = 1.0, -1.0
    held = fit(model, free.at + contrast, contrast)
    assert contrast @ held.at == pytest.approx(contrast @ free.at + 2)
    assert held.value < free.value


def test_seats_that_never_change_have_an_answer() -> None:
    """Where each bot always has the same seat, even no prior at all gives finite numbers."""
    entries = [Entry(("a", "b"), (1, 2) if won else (2, 1), str(won)) for won in (True, True, False)]
    assert np.isfinite(fit(model_of(entries, prior=None)).at).all()
