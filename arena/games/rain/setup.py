"""The set-up of rain: the order of the bag. The hands come from its beginning; the rest is hidden."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.games.base import Setup, shuffled
from arena.games.rain.board import COLOURS, EACH, Board, load_board

HAND = 4
PLAYERS = range(2, 5)


@dataclass(frozen=True, slots=True)
class RainSetup(Setup):
    """The order in which the mushrooms leave the bag."""

    players: int
    options: Mapping[str, str]
    bag: str

    @property
    def board(self) -> Board:
        """Return the board played on."""
        return load_board()

    @property
    def hands(self) -> list[str]:
        """Return the first hand of each seat."""
        return [self.bag[HAND * seat : HAND * seat + HAND] for seat in range(self.players)]

    def dump(self) -> dict[str, Any]:
        """Return the set-up as JSON values, the hidden order of the bag too."""
        return {"players": self.players, "options": dict(self.options), "bag": self.bag}

    def lines(self, seat: int) -> list[str]:
        """Return the set-up lines: the board and the open hands, nothing of the bag."""
        hands = (f"hand {other} {hand}" for other, hand in enumerate(self.hands))
        return [f"cells {' '.join(self.board.cells)}", *hands]


def draw_setup(players: int, seed: int) -> RainSetup:
    """Shuffle the bag."""
    return RainSetup(players, {}, "".join(shuffled(COLOURS * EACH, random.Random(seed))))


def load_setup(record: Mapping[str, Any]) -> RainSetup:
    """Check a record of a set-up and return it; ValueError says what is wrong."""
    players, bag = record.get("players"), record.get("bag")
    if not isinstance(players, int) or players not in PLAYERS:
        raise ValueError(f"rain is for 2 to 4 players, not {players!r}")
    if record.get("options"):
        raise ValueError("rain has no options")
    if not isinstance(bag, str) or Counter(bag) != dict.fromkeys(COLOURS, EACH):
        raise ValueError(f"bag is not {EACH} letters each of {COLOURS}")
    return RainSetup(players, {}, bag)
