"""After the Rain: its board, set-up, rules and pictures."""

from arena.games.rain.game import GAME

__all__ = ["GAME"]
