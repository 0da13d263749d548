"""Why an action of desert is refused, in a sentence that names the rule, for the bot's author."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from arena.games.base import PASS, ActionError, IllegalAction, InvalidAction
from arena.games.desert.board import COLOUR_NAMES, COLOURS

if TYPE_CHECKING:
    from arena.games.desert.state import DesertState

_ACTION = re.compile(rf"[{COLOURS}][a-z][1-9][0-9]?")
_SHOWN = 20  # characters of an unreadable word that are repeated


def refusal(state: DesertState, action: str) -> ActionError:
    """Return the error for an action that is not legal now."""
    if action == PASS:
        return IllegalAction("nobody passes who can place; the referee passes for who cannot")
    if not _ACTION.fullmatch(action):
        return InvalidAction(
            f"{action[:_SHOWN]!r} is no action: a colour letter of {COLOURS} and a space, as in yd7"
        )
    if state.turn is None:
        return IllegalAction("the match is over")
    space = action[1:]
    if space in state.setup.board.mountains:
        return IllegalAction(f"{space} is a mountain")
    if space not in state.grid.index:
        return IllegalAction(f"{space} is no space of this board")
    if state.setup.oases & state.grid.mask([space]):
        return IllegalAction(f"{space} is an oasis")
    if holder := _camel(state, space):
        return IllegalAction(f"{space} is taken by {holder} caravan")
    text = _leader(state, action) if state.phase == "leaders" else _growth(state, action)
    return IllegalAction(text)


def _camel(state: DesertState, space: str) -> str:
    """Return whose camel stands on a space, "" for none."""
    bit = state.grid.mask([space])
    for caravan, camels in enumerate(state.own):
        if camels & bit:
            return _whose(caravan)
    return ""


def _whose(caravan: int) -> str:
    seat, colour = divmod(caravan, len(COLOURS))
    return f"seat {seat}'s {COLOUR_NAMES[COLOURS[colour]]}"


def _leader(state: DesertState, action: str) -> str:
    """Return what forbids a leader on a space without camel and oasis."""
    colour, bit, near, _, _, _ = state.grid.actions[action]
    space, name = action[1:], COLOUR_NAMES[action[0]]
    seat = state.turn
    assert seat is not None
    if not state.leaders[seat] >> colour & 1:
        return f"seat {seat} has no {name} leader to place"
    if not state.choice(seat) >> colour & 1:
        return f"another player has used {name} in the first round"
    if bit & state.wet:
        return f"{space} has water; leaders stand on dry spaces"
    if bit & state.setup.shore:
        oasis = state.grid.list(near & state.setup.oases)[0]
        return f"{space} touches the oasis {oasis}; leaders keep away from oases"
    other = state.grid.list(near & state.heads)[0]
    return f"{space} touches {_camel(state, other)} leader on {other}"


def _growth(state: DesertState, action: str) -> str:
    """Return what forbids a camel on a space without camel and oasis."""
    colour, bit, near, _, _, _ = state.grid.actions[action]
    space, name = action[1:], COLOUR_NAMES[action[0]]
    seat = state.turn
    assert seat is not None
    caravan = seat * len(COLOURS) + colour
    if not state.own[caravan]:
        return f"seat {seat} has no {name} caravan"
    if not state.land[seat] & bit:
        owner = next(owner for owner, area in enumerate(state.areas) if area & bit)
        if owner == seat:
            return f"{space} lies in seat {seat}'s own area, where nobody may place in the ffg edition"
        return f"{space} lies in an area that belongs to seat {owner}"
    if not state.own[caravan] & near:
        return f"{space} does not touch seat {seat}'s own {name} caravan"
    for other in state.setup.rivals[caravan]:
        if state.own[other] & near:
            return f"{space} touches {_whose(other)} caravan"
    assert not state.supply[colour]
    return f"there are no {name} camels left"
