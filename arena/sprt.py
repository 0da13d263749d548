"""The sequential test of one bot against another: stop as soon as the answer is known.

A generalised sequential probability ratio test on the scores of blocks, by maximum likelihood over all
distributions with the mean, or the mean in standard deviations, that each hypothesis says (M. Van den Bergh,
"A practical introduction to the GSPRT" and "Comments on normalized Elo", 2020; the bounds are from A. Wald,
1945). With two players a block is a pair of games, and the scores are the five of the pentanomial. With more,
it is all seat orders of a board, and the score is the mean of the one bot's duels with the other.

It counts and answers; it plays nothing. Standard library only.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from arena.errors import UserError

# A score that never occurred counts as a thousandth of a block: no probability is then exactly 0.
NEVER = 1e-3
ROUNDS = 100  # of each iteration here: both converge in a few dozen, and neither can go on for ever


class EloModel(enum.StrEnum):
    """What the bounds of a test are given in."""

    NORMALIZED = "normalized"  # the advantage in standard deviations of a game's score
    LOGISTIC = "logistic"  # the advantage as expected score


class Verdict(enum.StrEnum):
    """Where a test stands."""

    RUNNING = "running"
    ACCEPTED = "accepted"  # the upper bound's hypothesis
    REJECTED = "rejected"  # the lower bound's


@dataclass(frozen=True, slots=True)
class Test:
    """What is asked: elo0 against elo1, with the chances to be wrong about either."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # of accepting though elo0 is true
    beta: float = 0.05  # of rejecting though elo1 is true
    model: EloModel = EloModel.NORMALIZED

    def __post_init__(self) -> None:
        """Refuse what can have no answer."""
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise UserError(f"the bounds of a test rise: {self.elo0:g},{self.elo1:g} do not")
        if max(abs(self.elo0), abs(self.elo1)) > 1000:
            raise UserError("the bounds of a test are at most 1000 Elo")
        if not (0 < self.alpha < 1 and 0 < self.beta < 1 and self.alpha + self.beta < 1):
            raise UserError("alpha and beta are chances above 0, and together less than 1")

    @property
    def lower(self) -> float:
        """Return the log-likelihood ratio at which the test rejects."""
        return math.log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """Return the log-likelihood ratio at which the test accepts."""
        return math.log((1 - self.beta) / self.alpha)

    def llr(self, counts: Sequence[float]) -> float:
        """Return the log-likelihood ratio; `counts` are the blocks by score, evenly spaced from 0 to 1."""
        if len(counts) < 3 or len(counts) % 2 == 0 or any(times < 0 for times in counts):
            raise UserError("counts are 3, 5, 7 … numbers, none below 0, for the scores from 0 to 1")
        filled = [float(times) or NEVER for times in counts]
        total = sum(filled)
        scores = [place / (len(counts) - 1) for place in range(len(counts))]
        seen = [times / total for times in filled]
        if self.model is EloModel.LOGISTIC:
            low, high = (_with_mean(scores, seen, 1 / (1 + 10 ** (-elo / 400))) for elo in self._bounds())
        else:
            # Normalized Elo is by game. The score of k games has a standard deviation smaller by √k.
            scale = math.sqrt((len(counts) - 1) / 2) * math.log(10) / 800
            if max(map(abs, self._bounds())) * scale > 1:
                raise UserError(f"{self.elo0:g},{self.elo1:g} is too far apart for a test of normalized Elo")
            low, high = (_with_signal(scores, seen, elo * scale) for elo in self._bounds())
        return total * sum(p * math.log(b / a) for p, a, b in zip(seen, low, high, strict=True))

    def _bounds(self) -> tuple[float, float]:
        return self.elo0, self.elo1


class Sprt:
    """A test under way: counts blocks, and says when to stop."""

    def __init__(self, test: Test, games: int = 2) -> None:
        """Begin with nothing counted; a block has this many games between the two."""
        self.test = test
        self.counts = [0] * (2 * games + 1)
        self.llr = test.llr(self.counts)

    @classmethod
    def of(cls, test: Test, counts: Sequence[int]) -> Sprt:
        """Return a test at which these blocks were counted, by score from 0 to 1."""
        made = cls(test)
        made.counts = list(counts)
        made.llr = test.llr(counts)
        return made

    def add(self, duels: Sequence[float]) -> Verdict:
        """Count one complete block by the scores of its games, and tell where the test stands."""
        if len(duels) != len(self.counts) // 2:
            raise ValueError(f"a block of this test has {len(self.counts) // 2} games, not {len(duels)}")
        self.counts[round(2 * sum(duels))] += 1
        self.llr = self.test.llr(self.counts)
        return self.verdict

    @property
    def blocks(self) -> int:
        """Return how many blocks were counted."""
        return sum(self.counts)

    @property
    def verdict(self) -> Verdict:
        """Return where the test stands."""
        if self.llr >= self.test.upper:
            return Verdict.ACCEPTED
        return Verdict.REJECTED if self.llr <= self.test.lower else Verdict.RUNNING

    def dump(self) -> dict[str, Any]:
        """Return the JSON form."""
        test = self.test
        return {
            "llr": round(self.llr, 6),
            "lower": round(test.lower, 6),
            "upper": round(test.upper, 6),
            "verdict": self.verdict.value,
            "counts": list(self.counts),
            "elo0": test.elo0,
            "elo1": test.elo1,
            "alpha": test.alpha,
            "beta": test.beta,
            "model": test.model.value,
        }

    def line(self) -> str:
        """Return the state in a line: the ratio between its bounds, and what it rests on."""
        test, unit = self.test, "pairs" if len(self.counts) == 5 else "blocks"
        done = self.llr / (test.upper if self.llr > 0 else test.lower)
        return (
            f"LLR {self.llr:+.2f} in [{test.lower:+.2f}, {test.upper:+.2f}] ({min(done, 1):.0%} of the way), "
            f"{test.model.value} Elo {test.elo0:g} against {test.elo1:g}; "
            f"{self.blocks} {unit}: {', '.join(map(str, self.counts))}"
        )

    def reason(self) -> str:
        """Return the sentence that says why a test stopped, or that it has not."""
        test = self.test
        if self.verdict is Verdict.RUNNING:
            return f"undecided after {self.blocks} blocks: LLR {self.llr:+.2f} is between its bounds"
        kept, bound = (test.elo1, test.upper) if self.llr > 0 else (test.elo0, test.lower)
        return (
            f"SPRT {self.verdict.value} after {self.blocks} blocks: LLR {self.llr:+.2f} passed {bound:+.2f}, "
            f"{kept:g} {test.model.value} Elo fits better; the Elo of a test that stopped itself is biased"
        )


def _with_mean(scores: Sequence[float], seen: Sequence[float], mean: float) -> list[float]:
    """Return the likeliest distribution with a given mean."""
    return _constrained([score - mean for score in scores], seen)


def _with_signal(scores: Sequence[float], seen: Sequence[float], signal: float) -> list[float]:
    """Return the likeliest distribution whose mean is ½ plus `signal` standard deviations."""
    found = [1 / len(seen)] * len(seen)
    for _ in range(ROUNDS):
        mean = sum(p * a for p, a in zip(found, scores, strict=True))
        spread = math.sqrt(sum(p * (a - mean) ** 2 for p, a in zip(found, scores, strict=True)))
        # The constraint to first order about the last distribution.
        values = [a - 0.5 - 0.5 * signal * spread * (1 + ((mean - a) / spread) ** 2) for a in scores]
        last, found = found, _constrained(values, seen)
        if max(abs(a - b) for a, b in zip(last, found, strict=True)) < 1e-12:
            break
    return found


def _constrained(values: Sequence[float], seen: Sequence[float]) -> list[float]:
    """Return the likeliest distribution under which the values have the mean 0: p / (1 + x · value)."""
    lowest, highest = min(values), max(values)
    if lowest >= 0 or highest <= 0:  # no distribution has that mean; the nearest says as much as can be said
        return list(seen)

    # Σ p · value / (1 + x · value) falls from +∞ to -∞ between its poles: Newton, kept inside by halving.
    low, high, x = -1 / highest, -1 / lowest, 0.0
    for _ in range(ROUNDS):
        pull, slope = 0.0, 0.0
        for p, value in zip(seen, values, strict=True):
            term = value / (1 + x * value)
            pull, slope = pull + p * term, slope + p * term * term
        low, high = (x, high) if pull > 0 else (low, x)
        ahead = x + pull / slope
        if not low < ahead < high:
            ahead = (low + high) / 2
        if abs(ahead - x) <= 1e-13 * (high - low) or ahead in (low, high):
            break
        x = ahead
    return [p / (1 + x * value) for p, value in zip(seen, values, strict=True)]
