"""Positions of desert as JSON values: what the protocol's `state` says, and how to read it back."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from arena.games.desert.board import COLOURS, Grid
from arena.games.desert.setup import colour_bits

if TYPE_CHECKING:
    from arena.games.desert.state import DesertState


def dump(state: DesertState) -> dict[str, Any]:
    """Return the position with the facts of the set-up; a camel is its colour and its owner, as in y0."""
    setup, spaces = state.setup, state.grid
    return {
        "game": "desert",
        "players": setup.players,
        **setup.options,
        "cells": list(spaces.index),
        "palms": list(setup.palms),
        "water": {space: setup.values[spaces.index[space]] for space in spaces.list(state.wet)},
        "camels": dict(camels(state)),
        "heads": spaces.list(state.heads),
        "leaders": ["".join(c for i, c in enumerate(COLOURS) if left >> i & 1) for left in state.leaders],
        "supply": dict(zip(COLOURS, state.supply, strict=True)),
        "areas": [spaces.list(area) for area in state.areas],
        "reached": {
            f"{COLOURS[caravan % 5]}{caravan // 5}": spaces.list(palms)
            for caravan, palms in enumerate(state.reached)
            if palms
        },
        "points": state.parts(),
        "phase": state.phase.value,
        "turn": state.turn,
        "round": state.round,
        "left": state.left,
        "used": "".join(c for i, c in enumerate(COLOURS) if state.used >> i & 1),
        "passed": [seat for seat in range(setup.players) if state.passed >> seat & 1],
        "out": list(state.out),
        "last": list(state.last) if state.last else None,
    }


def camels(state: DesertState) -> list[tuple[str, str]]:
    """Return all camels on the board, leaders too, as space and colour with owner."""
    found: list[tuple[str, str]] = []
    for caravan, standing in enumerate(state.own):
        found += _caravan(state.grid, caravan, standing)
    return found


@lru_cache(maxsize=1024)
def _caravan(spaces: Grid, caravan: int, standing: int) -> list[tuple[str, str]]:
    """Return the camels of a caravan; from one position to the next only one caravan changes."""
    mark = f"{COLOURS[caravan % 5]}{caravan // 5}"
    return [(space, mark) for space in spaces.list(standing)]


def fill(state: DesertState, record: Mapping[str, Any]) -> None:
    """Set a fresh state to a recorded position; ValueError says what is wrong with the record."""
    try:
        _fill(state, record)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"not a position of this match: {error!r}") from error


def _fill(state: DesertState, record: Mapping[str, Any]) -> None:
    setup, spaces = state.setup, state.grid
    for space, camel in record["camels"].items():
        colour, _, near, far, index, _ = spaces.actions[camel[0] + space]
        seat = int(camel[1:])
        if not 0 <= seat < setup.players:
            raise ValueError(f"camel {camel!r} on {space} belongs to no seat")
        caravan = seat * len(COLOURS) + colour
        state.own[caravan] |= spaces.bits[index]
        state.growth[caravan] |= near
        state.free &= ~spaces.bits[index]
        for other in setup.rivals[caravan]:
            state.clear[other] &= far
    state.growth = [grows & clear for grows, clear in zip(state.growth, state.clear, strict=True)]
    state.wet = spaces.mask(record["water"])
    state.heads = spaces.mask(record["heads"])
    # Only leaders decide where leaders may go: no camel stands before the last of them.
    state.spots &= ~state.heads & ~spaces.around(state.heads)
    state.leaders = [colour_bits(left) for left in record["leaders"]]
    state.supply = [record["supply"][colour] for colour in COLOURS]
    for seat, area in enumerate(record["areas"]):
        state.areas[seat] = spaces.mask(area)
        state.close(state.areas[seat], seat)
    for name, palms in record["reached"].items():
        state.reached[int(name[1:]) * len(COLOURS) + COLOURS.index(name[0])] = spaces.mask(palms)
    for seat, points in enumerate(record["points"]):
        state.water[seat], state.oasis[seat] = points["water"], points["oasis"]
    state.phase = type(state.phase)(record["phase"])
    state.turn, state.round, state.left = record["turn"], record["round"], record["left"]
    if (state.turn is None) != (state.phase == "over"):
        raise ValueError(f"turn is {state.turn!r} in the phase {state.phase.value}")
    state.used = colour_bits(record["used"])
    state.passed = sum(1 << seat for seat in record["passed"])
    state.out = tuple(record["out"])
    last = record["last"]
    state.last = (last[0], last[1]) if last else None
