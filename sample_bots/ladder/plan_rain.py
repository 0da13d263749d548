"""How the planner judges an action of rain: points now, what it can go on with, and what it opens for others.

All hands are open, so what the next player could score after an action is known before any draw.
"""

from __future__ import annotations

from rain import ALL, Rain

GOING_ON = 0.8  # worth of a point that the same turn could still score
# Worth of a point that the next player, and the one after, could score at once.
OTHERS = {2: (-0.9,), 3: (0.1, -0.6), 4: (-0.9, 0.4)}


class Outlook:
    """What every colour would score everywhere, and how an action changes it."""

    def __init__(self, rain: Rain) -> None:
        """Work out what each line offers to each of its free spaces."""
        self.rain = rain
        self.offers = [self._offer(line) for line in range(len(rain.lines))]
        self.gains: dict[int, list[int]] = {
            space: rain.gains(space) for space in range(len(rain.board)) if not rain.board[space]
        }
        self.others: list[tuple[float, list[int]]] = []  # weight, and the colours held
        seat = rain.seat
        for weight in OTHERS[rain.players]:
            seat = rain.next_seat(seat)
            if seat != rain.seat:
                held = [colour for colour, count in rain.hands[seat].items() if count > 0]
                self.others.append((weight, held))

    def _offer(self, number: int) -> dict[int, list[int]]:
        """Return the colours that one line would pay for, by free space; a colour for each point."""
        rain = self.rain
        board = rain.board
        line = rain.lines[number]
        row = [colour for space in line if (colour := board[space])]
        if len(row) < 3:
            return {}
        missing = []
        for first in range(len(row) - 2):
            rest = ALL ^ (row[first] | row[first + 1] | row[first + 2])
            missing.append(rest if rest and not rest & (rest - 1) else 0)
        if not any(missing):
            return {}
        offers = {}
        before = 0
        for space in line:
            if board[space]:
                before += 1
            else:
                found = [colour for colour in missing[max(0, before - 3) : before + 1] if colour]
                if found:
                    offers[space] = found
        return offers

    def value(self, colour: int, space: int) -> float:
        """Return the value of a mushroom there."""
        rain = self.rain
        scored = self.gains[space][colour]
        rain.board[space] = colour
        changed: dict[int, list[int]] = {}
        for number, _ in rain.through[space]:
            old, new = self.offers[number], self._offer(number)
            if old == new:
                continue
            for other in old.keys() | new.keys():
                if other == space:
                    continue
                gains = changed.get(other)
                if gains is None:
                    gains = changed[other] = self.gains[other].copy()
                for missing in old.get(other, ()):
                    gains[missing] -= 1
                for missing in new.get(other, ()):
                    gains[missing] += 1
        rain.board[space] = 0
        hand = rain.hands[rain.seat].copy()
        hand[colour] -= 1
        mine = [piece for piece, count in hand.items() if count > 0]
        if scored and mine:
            return scored + GOING_ON * self._best(mine, space, changed)
        return scored + sum(weight * self._best(held, space, changed) for weight, held in self.others)

    def _best(self, held: list[int], taken: int, changed: dict[int, list[int]]) -> int:
        """Return the most that these colours could score at once."""
        best = 0
        for space, gains in self.gains.items():
            if space != taken:
                gains = changed.get(space, gains)
                for colour in held:
                    if gains[colour] > best:
                        best = gains[colour]
        return best
