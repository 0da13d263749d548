"""The ladder's second step: the most points at once; where several give as much, the most room to grow.

It looks at nothing that happens after its own action.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

import link
from desert import Desert
from rain import Rain

REACH = 3  # how many steps around a camel count as its room


def choose_desert(position: link.Position, moves: Sequence[str], milliseconds: int) -> str:
    """Return the action that earns most; between equals the one with most open space around it."""
    desert = cast(Desert, position)
    best: list[str] = []
    best_earned = 0
    for move in moves:
        caravan, space = desert.read(desert.seat, move)
        earned = 0 if desert.leading else desert.earnings(caravan, space)[0]
        if earned > best_earned or not best:
            best, best_earned = [move], earned
        elif earned == best_earned:
            best.append(move)
    rooms: dict[int, int] = {}
    for move in best:
        _, space = desert.read(desert.seat, move)
        if space not in rooms:
            rooms[space] = room(desert, space)
    most = max(rooms.values())
    return desert.chance.choice([move for move in best if rooms[desert.number[move[1:]]] == most])


def room(desert: Desert, space: int) -> int:
    """Count the free spaces within reach of a space."""
    seen = {space}
    edge = [space]
    for _ in range(REACH):
        further = []
        for at in edge:
            for other in desert.near[at]:
                if other not in seen and desert.camel[other] < 0 and not desert.oasis[other]:
                    seen.add(other)
                    further.append(other)
        edge = further
    return len(seen) - 1


def choose_rain(position: link.Position, moves: Sequence[str], milliseconds: int) -> str:
    """Return the action that scores most; between equals the one that leaves most to score for the hand."""
    rain = cast(Rain, position)
    scored: dict[str, int] = {}
    gains: dict[int, list[int]] = {}
    for move in moves:
        colour, space = rain.read(move)
        if space not in gains:
            gains[space] = rain.gains(space)
        scored[move] = gains[space][colour]
    most = max(scored.values())
    best = [move for move in moves if scored[move] == most]
    # Every action takes up a space and a colour: prefer those that the rest of the hand has no use for.
    rooms = {}
    for move in best:
        colour, space = rain.read(move)
        hand = rain.hands[rain.seat].copy()
        hand[colour] -= 1
        rooms[move] = sum(
            points[other] for at, points in gains.items() if at != space for other in hand if hand[other] > 0
        )
    widest = max(rooms.values())
    return rain.chance.choice([move for move in best if rooms[move] == widest])


if __name__ == "__main__":
    link.run("greedy", {"desert": (Desert, choose_desert), "rain": (Rain, choose_rain)})
