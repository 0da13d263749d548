"""Leaf counts of fixed positions, worked out by the naive implementations.

`python -m tests.naive.perft` prints the table that `tests/data/perft.json` holds; run it after a change of
the rules, never to make a test pass. A position is a game, its players and options, a seed and a number of
actions chosen by that seed; counts are the numbers of different sequences of 1, 2, … actions from there.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from typing import Any, Protocol

from arena.games.base import load_game
from tests.naive.desert import NaiveDesert
from tests.naive.rain import NaiveRain


class Playable(Protocol):
    """What both naive games can do."""

    over: bool
    turn: int

    def legal(self) -> set[str]: ...

    def play(self, action: str) -> list[tuple[str, int, str]]: ...


def begin(game: str, players: int, options: dict[str, str], seed: int) -> NaiveDesert | NaiveRain:
    """Return the first position of a match; only the set-up comes from the real game."""
    setup = load_game(game).setup(players, seed, options)
    cells = setup.lines(0)[0].split()[1:]
    return NaiveDesert(setup.dump(), cells) if game == "desert" else NaiveRain(setup.dump(), cells)


def opening(legal: set[str], chance: random.Random) -> str:
    """Choose an action by chance, the same for the same set of actions."""
    return sorted(legal)[int(chance.random() * len(legal))]


def leaves(state: Playable, depth: int) -> int:
    """Count the sequences of so many actions; a match that ends earlier has none."""
    if depth == 1:
        return len(state.legal())
    total = 0
    for action in state.legal():
        after = copy.deepcopy(state)
        after.play(action)
        total += leaves(after, depth - 1)
    return total


def positions() -> Iterator[dict[str, Any]]:
    """Yield the positions of the table, without their counts."""
    late = {2: 75, 3: 95, 4: 110, 5: 115}
    for players in range(2, 6):
        for edition in ("kosmos", "ffg"):
            base = {"game": "desert", "players": players, "options": {"edition": edition}, "seed": players}
            leaders = players * 5 if players < 5 else 20
            if edition == "kosmos":
                yield {**base, "actions": 0, "depth": 1}
                yield {**base, "actions": leaders - 1, "depth": 2}
            yield {**base, "actions": leaders + 20, "depth": 2}
            yield {**base, "actions": late[players] - 15, "depth": 2}
    for players in range(2, 5):
        for actions, depth in ((0, 2), (24, 2), (40, 3), (44, 4)):
            yield {
                "game": "rain",
                "players": players,
                "options": {},
                "seed": 1,
                "actions": actions,
                "depth": depth,
            }


def main() -> None:
    """Print the table."""
    rows = []
    for row in positions():
        state = begin(row["game"], row["players"], row["options"], row["seed"])
        chance = random.Random(row["seed"])
        for _ in range(row["actions"]):
            state.play(opening(state.legal(), chance))
        depth = row.pop("depth")
        rows.append(json.dumps({**row, "counts": [leaves(state, d + 1) for d in range(depth)]}))
    print("[\n" + ",\n".join(rows) + "\n]")


if __name__ == "__main__":
    main()
