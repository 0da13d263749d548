"""The sequential test: agreement with the reference, its errors by simulation, and that it always ends."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest
from click.testing import CliRunner

from arena.commands.sprt import sprt
from arena.errors import UserError
from arena.sprt import EloModel, Sprt, Test, Verdict
from tests.matches import reference

Test.__test__ = False  # type: ignore[attr-defined]  # a value of the domain, no class of tests


@pytest.mark.parametrize("case", reference()["gsprt"], ids=lambda case: str(case["freq"]))
def test_agrees_with_the_reference(case: dict[str, Any]) -> None:
    """The ratio is that of fishtest for three and for five scores, in both models."""
    test = Test(case["elo0"], case["elo1"], model=EloModel(case["model"]))
    assert test.llr(case["freq"]) == pytest.approx(case["llr_fishtest"], abs=1e-4)


@pytest.mark.parametrize("model", EloModel)
@pytest.mark.parametrize(
    "counts", [[0] * 5, [0, 0, 0, 0, 10**6], [10**6, 0, 0, 0, 0], [0, 0, 9, 0, 0], [0] * 13]
)
def test_one_sided_scores_have_an_answer(counts: list[int], model: EloModel) -> None:
    """Counts with one score alone, or none, give a finite ratio."""
    assert math.isfinite(Test(0, 10, model=model).llr(counts))


@pytest.mark.parametrize("model", EloModel)
def test_swapping_the_bots_swaps_the_answer(model: EloModel) -> None:
    """From the other bot's view, scores and bounds are mirrored, and so is the ratio."""
    counts = [3, 20, 41, 30, 9]
    mirrored = Test(-10, 0, model=model).llr(counts[::-1])
    assert Test(0, 10, model=model).llr(counts) == pytest.approx(-mirrored, abs=1e-9)


def test_larger_blocks_agree_with_pairs() -> None:
    """Six games a block with the spread of three pairs each tell about as much as those pairs do."""
    pairs = Test(0, 20).llr([10, 60, 130, 80, 20])
    chance = random.Random(5)
    scores = [score for score, times in enumerate([10, 60, 130, 80, 20]) for _ in range(times)]
    total, draws = 0.0, 40
    for _ in range(draws):
        chance.shuffle(scores)
        blocks = [0] * 13
        for start in range(0, 300, 3):
            blocks[sum(scores[start : start + 3])] += 1
        total += Test(0, 20).llr(blocks)
    assert total / draws == pytest.approx(pairs, rel=0.1)


def test_bounds_are_walds() -> None:
    """With 5 % either way, the ratio ends at ± ln 19."""
    test = Test(0, 4)
    assert (test.lower, test.upper) == pytest.approx((-math.log(19), math.log(19)))


def test_a_test_runs_until_its_verdict() -> None:
    """Wins accept, losses reject, and the line and the sentence say where it stands."""
    up, down = Sprt(Test(0, 50)), Sprt(Test(0, 50))
    assert up.verdict is Verdict.RUNNING
    assert "undecided after 0 blocks" in up.reason()
    while up.add([1.0, 0.5]) is Verdict.RUNNING:
        assert up.test.lower < up.llr < up.test.upper
    while down.add([0.0, 0.5]) is Verdict.RUNNING:
        pass
    assert (up.verdict, down.verdict) == (Verdict.ACCEPTED, Verdict.REJECTED)
    assert "LLR" in up.line()
    assert "accepted" in up.reason()
    assert "biased" in up.reason()
    assert up.dump()["verdict"] == "accepted"


def test_only_complete_blocks_count() -> None:
    """A block with a game missing is refused: looking inside blocks would bias the test."""
    with pytest.raises(ValueError, match="2 games"):
        Sprt(Test(0, 10)).add([1.0])


@pytest.mark.parametrize(
    "wrong",
    [(10, 0), (0, 0), (0, math.inf), (math.nan, 1), (0, 10, 0.0), (0, 10, 0.6, 0.5), (0, 2000), (0, 900)],
)
def test_impossible_questions_are_refused(wrong: tuple[float, ...]) -> None:
    """Bounds that do not rise or are out of reach, and chances that are none, are the user's mistake."""
    with pytest.raises(UserError):
        Sprt(Test(*wrong))


def test_errors_are_as_asked() -> None:
    """Between equal bots some 5 % of tests accept, and of those at the upper bound some 5 % reject."""
    chances = [0.05, 0.2, 0.5, 0.2, 0.05]
    spread = math.sqrt(2 * sum(p * (score / 4 - 0.5) ** 2 for score, p in enumerate(chances)))
    shift = 100 * math.log(10) / 800 * spread  # what 100 normalized Elo add to the mean score
    better = [0.05, 0.2 - 2 * shift, 0.5, 0.2 + 2 * shift, 0.05]
    wrong = {Verdict.ACCEPTED: 0, Verdict.REJECTED: 0}
    for seed in range(60):
        for real, error in ((chances, Verdict.ACCEPTED), (better, Verdict.REJECTED)):
            draw = random.Random(seed)
            test = Sprt(Test(0, 100))
            while test.verdict is Verdict.RUNNING:
                score = draw.choices(range(5), real)[0]
                test.add([min(1.0, score / 2), max(0.0, score / 2 - 1)])
            wrong[error] += test.verdict is error
    assert all(errors <= 8 for errors in wrong.values()), wrong


def test_the_command_works_out_one_ratio() -> None:
    """`arena sprt` prints the ratio between its bounds, or JSON."""
    arguments = ["--pairs", "13,37,50,25,3", "--bounds", "0,4"]
    shown = CliRunner().invoke(sprt, arguments)
    assert shown.exit_code == 0
    assert shown.output.startswith("LLR -0.55 in [-2.94, +2.94]")
    assert '"llr": -0.549' in CliRunner().invoke(sprt, [*arguments, "--json"]).output


@pytest.mark.parametrize(
    "wrong", ["--pairs 1,2 --bounds 0,4", "--pairs 1,2,x --bounds 0,4", "--pairs 1,2,3 --bounds 4"]
)
def test_the_command_refuses_what_it_cannot_read(wrong: str) -> None:
    """Too few counts, no numbers, one bound: each is a message."""
    found = CliRunner().invoke(sprt, wrong.split())
    assert found.exit_code == 2 or isinstance(found.exception, UserError)
