"""The ladder's third step: looks at what an action prepares and prevents, not only at what it earns.

No search: every legal action gets a value from a handful of judgements, and the highest is played. The
judgements of desert are in `plan_desert.py`, those of rain in `plan_rain.py`; README.md tells them in words.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import link
from desert import Desert
from plan_desert import Plan
from plan_rain import Outlook
from rain import Rain


def best(values: dict[str, float], position: link.Position) -> str:
    """Return the action of the highest value, any of them where several are equal."""
    most = max(values.values()) - 1e-9
    return position.chance.choice([move for move, value in values.items() if value >= most])


def choose_desert(position: link.Position, moves: Sequence[str], milliseconds: int) -> str:
    """Return the leader or the camel with the best prospects."""
    if len(moves) == 1:
        return moves[0]
    desert = cast(Desert, position)
    plan = Plan(desert)
    value = plan.leader if desert.leading else plan.camel
    return best({move: value(*desert.read(desert.seat, move)) for move in moves}, position)


def choose_rain(position: link.Position, moves: Sequence[str], milliseconds: int) -> str:
    """Return the mushroom that scores most against what it opens."""
    if len(moves) == 1:
        return moves[0]
    rain = cast(Rain, position)
    outlook = Outlook(rain)
    return best({move: outlook.value(*rain.read(move)) for move in moves}, position)


if __name__ == "__main__":
    link.run("planner", {"desert": (Desert, choose_desert), "rain": (Rain, choose_rain)})
