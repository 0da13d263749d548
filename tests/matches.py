"""Made-up matches and the reference data, for the tests of everything about ratings."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from arena.tally import Entry, Tally

DATA = Path(__file__).parent / "data" / "ratings"


def reference() -> dict[str, Any]:
    """Return the figures of other programs on the same data."""
    found = json.loads((DATA / "reference.json").read_text())
    assert isinstance(found, dict)
    return found


def load(name: str) -> list[Entry]:
    """Return the matches of a file of the reference data."""
    with open(DATA / name, newline="") as file:
        rows = list(csv.DictReader(file))
    seats = range(1, 1 + sum(key.startswith("seat") for key in rows[0]))
    return [
        Entry(
            tuple(row[f"seat{seat}"] for seat in seats),
            tuple(int(row[f"rank{seat}"]) for seat in seats),
            row["block"],
        )
        for row in rows
    ]


def tally(entries: Iterable[Entry], bots: Iterable[str] = ()) -> Tally:
    """Return the counts of some matches."""
    made = Tally(bots)
    for entry in entries:
        made.add(entry)
    return made


def pair(block: str, first: str, second: str, scores: tuple[float, float]) -> list[Entry]:
    """Return a block of two matches by what the first bot scored, from the first seat and from the second."""
    ranks = {1.0: (1, 2), 0.5: (1, 1), 0.0: (2, 1)}
    one, other = ranks[scores[0]], ranks[scores[1]]
    return [Entry((first, second), one, block), Entry((second, first), (other[1], other[0]), block)]


def league(
    bots: int = 5, rounds: int = 8, players: int = 2, seed: int = 1, step: float = 0.35
) -> list[Entry]:
    """Return a round-robin of bots b0, b1, … that get weaker by equal steps; some matches tie."""
    from itertools import combinations

    chance = random.Random(seed)
    entries = []
    for turn in range(rounds):
        for lineup in combinations(range(bots), players):
            for shift in range(players):
                seated = lineup[shift:] + lineup[:shift]
                points = [round(2 * (chance.gauss(0, 1) - step * bot)) for bot in seated]
                ranks = tuple(1 + sum(other > own for other in points) for own in points)
                names = tuple(f"b{bot}" for bot in seated)
                entries.append(Entry(names, ranks, f"{turn} {lineup}"))
    return entries
