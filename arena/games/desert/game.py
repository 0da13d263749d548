"""The game desert as the arena knows it."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from typing import Any

from arena.errors import UserError
from arena.games.base import Game, Option, Setup, State
from arena.games.desert import position
from arena.games.desert.setup import DesertSetup, draw_setup, load_setup
from arena.games.desert.state import DesertState


class Desert(Game):
    """Through the Desert: caravans grow over a board of hexagons, for water, oases and areas."""

    name = "desert"
    title = "Through the Desert (Durch die Wüste), Reiner Knizia"
    players = range(2, 6)
    options = (
        Option(
            "edition",
            ("kosmos", "ffg"),
            "who may place in an area: its owner (kosmos), nobody (ffg)",
        ),
        Option("board", ("classic",), "the board played on"),
    )

    def rules(self) -> str:
        """Return the rules page."""
        return resources.files(__package__).joinpath("rules.md").read_text(encoding="utf-8")

    def drawing(self) -> str:
        """Return the script that draws a position in the report."""
        return resources.files(__package__).joinpath("drawing.js").read_text(encoding="utf-8")

    def setup(self, players: int, seed: int, options: Mapping[str, str]) -> DesertSetup:
        """Decide palms, water and the leaders given up."""
        if players not in self.players:
            raise UserError(f"desert is for 2 to 5 players, not {players}")
        return draw_setup(players, seed, self.read_options(options))

    def load_setup(self, record: Mapping[str, Any]) -> DesertSetup:
        """Read a set-up back."""
        try:
            options = self.read_options(record.get("options", {}))
        except UserError as error:
            raise ValueError(str(error)) from error
        return load_setup(record, options)

    def start(self, setup: Setup) -> DesertState:
        """Return the empty board before the first leader."""
        assert isinstance(setup, DesertSetup)
        return DesertState(setup)

    def load(self, setup: Setup, position_record: Mapping[str, Any]) -> State:
        """Read a position back."""
        state = self.start(setup)
        position.fill(state, position_record)
        return state


GAME = Desert()
