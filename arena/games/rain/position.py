"""Positions of rain as JSON values: what the protocol's `state` says, and how to read it back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from arena.games.rain.board import FREE

if TYPE_CHECKING:
    from arena.games.rain.state import RainState


def dump(state: RainState) -> dict[str, Any]:
    """Return the position with the facts of the set-up; of the bag only how many are in it."""
    board = state.board
    return {
        "game": "rain",
        "players": state.setup.players,
        "cells": list(board.cells),
        "mushrooms": {
            cell: mark for cell, mark in zip(board.cells, state.marks, strict=True) if mark != FREE
        },
        "hands": list(state.hands),
        "bag": len(state.setup.bag) - state.drawn,
        "gems": list(state.gems),
        "points": state.parts(),
        "phase": "over" if state.turn is None else "mushrooms",
        "turn": state.turn,
        "chain": state.chain,
        "out": list(state.out),
        "last": list(state.last) if state.last else None,
    }


def fill(state: RainState, record: Mapping[str, Any]) -> None:
    """Set a fresh state to a recorded position; ValueError says what is wrong with the record."""
    try:
        _fill(state, record)
    except (KeyError, TypeError, AttributeError, IndexError) as error:
        raise ValueError(f"not a position of this match: {error!r}") from error


def _fill(state: RainState, record: Mapping[str, Any]) -> None:
    board = state.board
    for space, colour in record["mushrooms"].items():
        _, number, cell, bit, _, windows, _ = board.actions[colour + space]
        state.marks[cell] = colour
        state.taken |= bit
        state.hope &= ~(state.holding[number] & windows)
        state.holding[number] |= windows
    red, yellow, blue, green = state.holding
    state.hope &= ~(red & yellow & blue & green)
    marks = state.marks
    state.words = [
        [word for word, mark in zip(words, marks, strict=True) if mark == FREE] for words in board.words
    ]
    state.rows = ["".join(marks[cell] for cell in line).replace(FREE, "") for line in board.lines]
    state.hands = list(record["hands"])
    state.drawn = len(state.setup.bag) - record["bag"]
    state.gems = list(record["gems"])
    state.turn, state.chain = record["turn"], record["chain"]
    state.out = tuple(record["out"])
    state.count_colours()
    if state.turn is not None and not (state.turn not in state.out and state.hands[state.turn]):
        raise ValueError(f"seat {state.turn} is to act, but is out or has no mushroom")
    last = record["last"]
    state.last = (last[0], last[1], last[2]) if last else None
    if state.turn is not None and not state.may_go_on():
        raise ValueError("nothing could score any more, but the match is not over")
