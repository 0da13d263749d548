"""Through the Desert: its boards, set-up, rules and pictures."""

from arena.games.desert.game import GAME

__all__ = ["GAME"]
