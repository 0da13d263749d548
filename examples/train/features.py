"""What the example looks at in rain: features of an action, from the board and the hands alone.

Standard library only, since the bot runs where nothing but its own folder is seen.
"""

from __future__ import annotations

from collections.abc import Mapping

COLOURS = "rybg"
DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


def row(board: Mapping[str, str], space: str, direction: tuple[int, int]) -> tuple[str, str]:
    """Return the colours before and after a space on a line, nearest first, free spaces skipped."""
    sides = []
    for sign in (-1, 1):
        column, line, found = ord(space[0]), int(space[1]), ""
        while len(found) < 3:
            column, line = column + sign * direction[0], line + sign * direction[1]
            if not ("a" <= chr(column) <= "h" and 1 <= line <= 8):
                break
            found += board.get(f"{chr(column)}{line}", "")
        sides.append(found)
    return sides[0], sides[1]


def features(board: Mapping[str, str], action: str, rival: str) -> list[float]:
    """Return for an action: points, chances it leaves to the rival's hand, and how crowded its lines are."""
    colour, space = action[0], action[1:]
    points = opened = crowded = 0
    for direction in DIRECTIONS:
        before, after = row(board, space, direction)
        line = before[::-1] + colour + after
        at = len(before)
        for start in range(max(0, at - 3), at + 1):
            four = line[start : start + 4]
            points += len(four) == 4 and len(set(four)) == 4
        for start in range(max(0, at - 2), at + 1):
            three = line[start : start + 3]
            if len(three) == 3 and len(set(three)) == 3:
                missing = next(other for other in COLOURS if other not in three)
                opened += missing in rival
        crowded += len(before) + len(after)
    return [float(points), float(opened), crowded / 12]


def score(weights: list[float], board: Mapping[str, str], action: str, rival: str) -> float:
    """Return how good an action looks."""
    return sum(w * f for w, f in zip(weights, features(board, action, rival), strict=True))
