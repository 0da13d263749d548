"""The ladder's first step: any legal action, all equally likely. Plays every game that sends `moves`."""

from __future__ import annotations

from collections.abc import Sequence

import link


def choose(position: link.Position, moves: Sequence[str], milliseconds: int) -> str:
    """Return one of the legal actions."""
    return position.chance.choice(moves)


class AnyGame(dict[str, tuple[link.Begin, link.Choose]]):
    """Answers for every game, also for those that are not written yet."""

    def __missing__(self, game: str) -> tuple[link.Begin, link.Choose]:
        """Return the same mind whatever the game."""
        return link.Blank, choose


if __name__ == "__main__":
    link.run("random", AnyGame())
