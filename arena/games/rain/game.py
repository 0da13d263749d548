"""The game rain as the arena knows it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any

from arena.errors import UserError
from arena.games.base import Game, Setup, State
from arena.games.rain import position
from arena.games.rain.setup import PLAYERS, RainSetup, draw_setup, load_setup
from arena.games.rain.state import RainState


class Rain(Game):
    """After the Rain: rows of four mushrooms in four colours, with open hands and a hidden bag."""

    name = "rain"
    title = "After the Rain (Nach dem Regen, Quaro), Alex Randolph"
    players = PLAYERS

    def rules(self) -> str:
        """Return the rules page."""
        return resources.files(__package__).joinpath("rules.md").read_text(encoding="utf-8")

    def drawing(self) -> str:
        """Return the script that draws a position in the report."""
        return resources.files(__package__).joinpath("drawing.js").read_text(encoding="utf-8")

    def setup(self, players: int, seed: int, options: Mapping[str, str]) -> RainSetup:
        """Shuffle the bag."""
        if players not in self.players:
            raise UserError(f"rain is for 2 to 4 players, not {players}")
        self.read_options(options)
        return draw_setup(players, seed)

    def load_setup(self, record: Mapping[str, Any]) -> RainSetup:
        """Read a set-up back."""
        return load_setup(record)

    def start(self, setup: Setup) -> RainState:
        """Return the empty board with the first hands drawn."""
        assert isinstance(setup, RainSetup)
        return RainState(setup)

    def load(self, setup: Setup, position_record: Mapping[str, Any]) -> State:
        """Read a position back; the bag's order comes from the set-up."""
        state = self.start(setup)
        position.fill(state, position_record)
        return state

    def sides(self, players: int) -> tuple[tuple[int, ...], ...]:
        """Return the seats by side: with 4 players partners sit opposite each other."""
        return ((0, 2), (1, 3)) if players == 4 else super().sides(players)


GAME = Rain()
