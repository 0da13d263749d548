"""Why an action of rain is refused, in a sentence that names the rule, for the bot's author."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arena.games.base import PASS, ActionError, IllegalAction, InvalidAction
from arena.games.rain.board import COLOUR_NAMES, COLOURS, FREE

if TYPE_CHECKING:
    from arena.games.rain.state import RainState

_ACTION = re.compile(rf"[{COLOURS}][a-z][1-9][0-9]?")
_SHOWN = 20  # characters of an unreadable word that are repeated


def refusal(state: RainState, action: str) -> ActionError:
    """Return the error for an action that is not legal now."""
    if action == PASS:
        return IllegalAction("nobody passes who has a mushroom; the referee passes for who has none")
    if not _ACTION.fullmatch(action):
        return InvalidAction(
            f"{action[:_SHOWN]!r} is no action: a colour letter of {COLOURS} and a space, as in rd4"
        )
    if state.turn is None:
        return IllegalAction("the match is over")
    colour, space = action[0], action[1:]
    if action not in state.board.actions:
        return IllegalAction(f"{space} is no space of this board")
    cell = state.board.cells.index(space)
    if state.marks[cell] != FREE:
        return IllegalAction(f"{space} is taken by a {COLOUR_NAMES[state.marks[cell]]} mushroom")
    hand = state.hands[state.turn]
    return IllegalAction(f"seat {state.turn} has no {COLOUR_NAMES[colour]} mushroom: its hand is {hand}")
