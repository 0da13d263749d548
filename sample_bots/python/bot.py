#!/usr/bin/env python3
"""A starter bot for the arena: of the legal actions it plays the one that `score` likes best.

Put your own idea into `score`. Everything that the referee said about the game is in `Position`.
Print nothing else on stdout; remarks for yourself go to stderr, or to stdout behind a "# ".
"""

import sys


class Position:
    """What the bot knows of the game that it is playing."""

    def __init__(self, game: str = "", seat: int = 0) -> None:
        self.game = game  # "desert" or "rain"
        self.seat = seat  # our own
        self.pieces: dict[str, str] = {}  # space: colour of what stands there
        self.water: dict[str, int] = {}  # desert, space: value of the water that is left there
        self.palms: set[str] = set()  # desert: the oases
        self.reached: set[tuple[str, str]] = set()  # desert: (colour, oasis) of our own caravans

    def setup(self, key: str, facts: list[str]) -> None:
        """Take in a `setup` line; there are more keys than these two."""
        if key == "water":
            for fact in facts:
                space, value = fact.split("=")
                self.water[space] = int(value)
        elif key == "palms":
            self.palms.update(facts)

    def play(self, seat: int, action: str) -> None:
        """Take in what a seat has done, ourselves included."""
        colour, space = action[0], action[1:]
        self.pieces[space] = colour
        self.water.pop(space, None)
        if seat == self.seat:
            self.reached.update((colour, palm) for palm in self.palms.intersection(neighbours(space)))


def score(position: Position, action: str) -> int:
    """Say how good an action is; the highest is played, the first of equals. YOUR IDEA GOES HERE."""
    colour, space = action[0], action[1:]
    if position.game == "desert":
        # Points at once count most: water under the camel, and oases that this caravan has not reached.
        # Water next to the space breaks ties. Areas and the longest caravans are left to you.
        around = neighbours(space)
        fresh = sum(palm in position.palms and (colour, palm) not in position.reached for palm in around)
        points = position.water.get(space, 0) + 5 * fresh
        return 10 * points + sum(position.water.get(near, 0) for near in around)
    if position.game == "rain":
        # Points at once. What this opens for the next player, whose hand is known, is left to you.
        return sum(runs(position, colour, space, step) for step in ((0, 1), (1, 0), (1, 1), (1, -1)))
    return 0


def neighbours(space: str) -> list[str]:
    """Return the six neighbours of a hexagon, spaces or not; columns a, c, e, … sit half a space lower."""
    column, row = ord(space[0]), int(space[1:])
    aside = row + 1 if (column - ord("a")) % 2 == 0 else row - 1
    places = [(0, row - 1), (0, row + 1), (-1, row), (1, row), (-1, aside), (1, aside)]
    return [f"{chr(column + across)}{down}" for across, down in places]


def runs(position: Position, colour: str, space: str, step: tuple[int, int]) -> int:
    """Count the fours of all colours that a mushroom completes on one line, free spaces skipped."""
    line = [colour]
    for way in (-1, 1):  # up to three mushrooms on either side of the new one
        column, row, found = ord(space[0]), int(space[1:]), 0
        while found < 3:
            column, row = column + way * step[0], row + way * step[1]
            if not (ord("a") <= column <= ord("h") and 1 <= row <= 8):
                break
            piece = position.pieces.get(f"{chr(column)}{row}")
            if piece:
                line.insert(0 if way < 0 else len(line), piece)
                found += 1
    return sum(len(set(line[i : i + 4])) == 4 for i in range(len(line) - 3))


def main() -> None:
    """Answer the referee, line by line, until it says `quit` or is gone; many games in one process."""
    position, moves = Position(), [""]
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "arena":
            print("ready name=starter-python version=1.0 wants=moves", flush=True)
        elif word == "game":
            facts = dict(fact.split("=", 1) for fact in rest if "=" in fact)
            position = Position(rest[0], int(facts["seat"]))
        elif word == "setup":
            position.setup(rest[0], rest[1:])
        elif word == "start":
            print("ready", flush=True)
        elif word == "play" and rest[1] != "pass":
            position.play(int(rest[0]), rest[1])
        elif word == "moves":
            moves = rest
        elif word == "go":  # go MILLISECONDS BANK: the time for this action, and what is left beyond it
            print("move", max(moves, key=lambda action: score(position, action)), flush=True)
        elif word == "quit":
            break
        # Any other line is none of our business: the protocol may grow.


if __name__ == "__main__":
    main()
