"""rain as a PettingZoo environment: `rain_v0.env(players=4)`."""

from __future__ import annotations

from typing import Any

import numpy as np
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper

from arena.envs.environment import CycleEnv, MatchEnv, Vector
from arena.games.base import State
from arena.games.rain import GAME
from arena.games.rain.board import COLOURS, EACH, load_board
from arena.games.rain.setup import HAND
from arena.games.rain.state import RainState

_GEMS = 50.0  # more than a match has ever given; what is above counts as this


class RainEncoder:
    """The board as a layer of spaces for each colour, then hands, bag and gems.

    Layers in the order of the `setup cells` line. By seat, the observer first: the hand by colour in
    quarters, and the own gems. Last the part of all mushrooms that is in the bag.
    """

    def __init__(self, players: int) -> None:
        """Work out the order of spaces and actions."""
        self._players = players
        cells = load_board().cells
        self.actions = tuple(colour + cell for colour in COLOURS for cell in cells)
        self.length = len(COLOURS) * len(cells) + players * (len(COLOURS) + 1) + 1

    def encode(self, state: State, seat: int) -> Vector:
        """Return what a seat sees of a position."""
        assert isinstance(state, RainState)
        marks = np.array(state.marks)
        layers = [(marks == colour).astype(np.float32) for colour in COLOURS]
        facts: list[float] = []
        for step in range(self._players):
            other = (seat + step) % self._players
            facts += [state.hands[other].count(colour) / HAND for colour in COLOURS]
            facts.append(min(state.gems[other] / _GEMS, 1.0))
        facts.append((len(state.setup.bag) - state.drawn) / (EACH * len(COLOURS)))
        return np.concatenate([*layers, np.array(facts, np.float32)])


def raw_env(*, players: int = 2, **settings: Any) -> MatchEnv:
    """Return the environment without PettingZoo's wrappers."""
    return MatchEnv(GAME, RainEncoder(players), players=players, options={}, **settings)


def env(**settings: Any) -> OrderEnforcingWrapper[str, Any, Any]:
    """Return the environment, guarded against actions out of bounds and calls out of order."""
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(raw_env(**settings)))


def parallel_env(**settings: Any) -> CycleEnv:
    """Return the environment with one step for all agents."""
    return CycleEnv(raw_env(**settings))
