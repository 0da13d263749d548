"""desert as a PettingZoo environment: `desert_v0.env(players=3, edition="ffg")`."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from arena.envs.environment import CycleEnv, MatchEnv, Vector
from arena.games.base import State
from arena.games.desert import GAME
from arena.games.desert.board import COLOURS, grid
from arena.games.desert.state import DesertState

_POINTS = 200.0  # more than a match has ever given; what is above counts as this


class DesertEncoder:
    """The board as layers of spaces, then what lies beside it.

    Layers of one number for each space, in the order of the `setup cells` line: by seat, the observer first,
    and by colour its camels (leaders too), all leaders, water (a third of its value), oases, and by seat the
    areas. Then by colour the supply, by seat its leaders left by colour and its points, and last whether
    leaders are placed and how many camels are left of the turn, in halves.
    """

    def __init__(self, players: int, board: str = "classic") -> None:
        """Work out the order of spaces and actions."""
        self._players = players
        self._grid = grid(board, players > 3)
        self._cells = list(self._grid.index)
        self._columns = np.array([index - 1 for index in self._grid.index.values()])
        self._bytes = len(self._grid.bits) // 8 + 1
        self.actions = tuple(colour + cell for colour in COLOURS for cell in self._cells)
        layers = players * len(COLOURS) + 3 + players
        self.length = layers * len(self._cells) + len(COLOURS) + players * (len(COLOURS) + 1) + 2

    def _layer(self, spaces: int) -> Vector:
        raw = np.frombuffer(spaces.to_bytes(self._bytes, "little"), np.uint8)
        bits: Vector = np.unpackbits(raw, bitorder="little")[self._columns].astype(np.float32)
        return bits

    def encode(self, state: State, seat: int) -> Vector:
        """Return what a seat sees of a position."""
        assert isinstance(state, DesertState)
        players, colours = self._players, len(COLOURS)
        seats = [(seat + step) % players for step in range(players)]
        layers = [
            self._layer(state.own[other * colours + colour]) for other in seats for colour in range(colours)
        ]
        layers.append(self._layer(state.heads))
        water = self._layer(state.wet)
        values = state.setup.values
        water *= np.array([values.get(index, 0) / 3 for index in self._grid.index.values()], np.float32)
        layers += [water, self._layer(state.setup.oases)]
        layers += [self._layer(state.areas[other]) for other in seats]
        facts = [left / state.setup.supply for left in state.supply]
        scores = state.scores()
        for other in seats:
            facts += [float(state.leaders[other] >> colour & 1) for colour in range(colours)]
            facts.append(min(scores[other] / _POINTS, 1.0))
        facts += [float(state.phase.value == "leaders"), state.left / 2]
        return np.concatenate([*layers, np.array(facts, np.float32)])


def raw_env(
    *, players: int = 2, edition: str = "kosmos", board: str = "classic", **settings: Any
) -> MatchEnv:
    """Return the environment without PettingZoo's wrappers."""
    options = GAME.read_options({"edition": edition, "board": board})
    return MatchEnv(GAME, DesertEncoder(players, board), players=players, options=options, **settings)


def env(**settings: Any) -> OrderEnforcingWrapper[str, Any, Any]:
    """Return the environment, guarded against actions out of bounds and calls out of order."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(**settings)))


def parallel_env(**settings: Any) -> CycleEnv:
    """Return the environment with one step for all agents."""
    return CycleEnv(raw_env(**settings))
