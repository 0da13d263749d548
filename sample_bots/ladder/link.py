"""The ladder's conversation with the referee: lines in, positions kept up, `choose` asked at every `go`.

Shared by the Python bots of this folder. It knows the protocol and no rule of any game: those are in
`desert.py` and `rain.py`. A bot hands in its name and one function by game.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol


class Position(Protocol):
    """What a game's module keeps of a match; each method takes one line of the referee."""

    chance: random.Random  # for ties, and for bots that play at random

    def setup(self, words: Sequence[str]) -> None:
        """Take the words of a `setup` line."""

    def play(self, seat: int, action: str) -> None:
        """Take an action of a seat, or `pass`."""

    def draw(self, seat: int, pieces: str) -> None:
        """Take what a seat drew."""

    def drop(self, seat: int) -> None:
        """Take it that a seat is out."""


# players, seat, the keys of the `game` line
Begin = Callable[[int, int, Mapping[str, str]], Position]
# the position, the legal actions, milliseconds for this action
Choose = Callable[[Position, Sequence[str], int], str]


class Blank:
    """A position that remembers nothing, for bots that only look at the legal actions."""

    def __init__(self, players: int, seat: int, keys: Mapping[str, str]) -> None:
        """Begin with a source of chance only."""
        self.chance = random.Random()

    def setup(self, words: Sequence[str]) -> None:
        """Ignore the set-up."""

    def play(self, seat: int, action: str) -> None:
        """Ignore an action."""

    def draw(self, seat: int, pieces: str) -> None:
        """Ignore a draw."""

    def drop(self, seat: int) -> None:
        """Ignore that a seat is out."""


def keys(words: Sequence[str]) -> dict[str, str]:
    """Return the `key=value` words as a mapping."""
    return dict(word.split("=", 1) for word in words if "=" in word)


def say(line: str) -> None:
    """Send one line at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def run(name: str, minds: Mapping[str, tuple[Begin, Choose]]) -> None:
    """Play matches of the games in `minds` until the referee says `quit` or hangs up.

    With SEED in the environment a match depends on that seed and its own set-up alone, whatever was played
    before in this process; without it every match differs.
    """
    seed = os.environ.get("SEED")
    position: Position | None = None
    choose: Choose | None = None
    moves: list[str] = []
    facts: list[str] = []
    for line in sys.stdin:
        words = line.split()
        match words:
            case ["arena", *_]:
                say(f"ready name={name} version=1.0 author=arena wants=moves")
            case ["game", game, *rest]:
                said = keys(rest)
                begin, choose = minds[game]
                position = begin(int(said["players"]), int(said["seat"]), said)
                facts = [line]
            case ["setup", *rest] if position:
                position.setup(rest)
                facts.append(line)
            case ["start", *_] if position:
                if seed is not None:
                    position.chance.seed("".join([seed, *facts]))
                say("ready")
            case ["play", seat, action, *_] if position:
                position.play(int(seat), action)
            case ["draw", seat, pieces, *_] if position:
                position.draw(int(seat), pieces)
            case ["out", seat, *_] if position:
                position.drop(int(seat))
            case ["moves", *rest]:
                moves = rest
            case ["go", milliseconds, *_] if position and choose:
                say(f"move {choose(position, moves, int(milliseconds))}")
            case ["quit", *_]:
                return
