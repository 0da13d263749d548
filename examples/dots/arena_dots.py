"""Dots and Boxes for 2 to 4 players: draw an edge; who completes a box scores it and goes on.

Dots are named by column and row (a1 is the upper left one), an edge by its upper or left dot and its
direction: `a1r` goes right, `a1d` goes down.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from arena.errors import UserError
from arena.games.base import Event, Game, IllegalAction, InvalidAction, Option, Setup, Span, State


def dot(column: int, row: int) -> str:
    """Return a dot's name."""
    return f"{chr(ord('a') + column)}{row + 1}"


@dataclass(frozen=True)
class DotsSetup(Setup):
    """Nothing is left to chance; only the size of the board matters."""

    players: int
    options: Mapping[str, str]

    def dump(self) -> dict[str, Any]:
        return {"players": self.players, "options": dict(self.options)}

    def lines(self, seat: int) -> list[str]:
        return [f"size {self.options['size']}"]


class DotsState(State):
    """The edges drawn, and by box who completed it."""

    def __init__(self, setup: DotsSetup) -> None:
        self.size = size = int(setup.options["size"])
        self.setup: DotsSetup = setup
        self.turn: int | None = 0
        self.out: tuple[int, ...] = ()
        self.drawn: list[str] = []
        self.owner: dict[str, int] = {}
        self.edges = [f"{dot(c, r)}r" for r in range(size + 1) for c in range(size)]
        self.edges += [f"{dot(c, r)}d" for r in range(size) for c in range(size + 1)]
        self.boxes = {
            dot(c, r): {f"{dot(c, r)}r", f"{dot(c, r)}d", f"{dot(c, r + 1)}r", f"{dot(c + 1, r)}d"}
            for r in range(size)
            for c in range(size)
        }

    def legal(self) -> list[str]:
        return [edge for edge in self.edges if edge not in self.drawn] if self.turn is not None else []

    def check(self, action: str) -> None:
        if action not in self.edges:
            raise InvalidAction(f"{action!a} is no edge; one is written like a1r or a1d")
        if self.turn is None:
            raise IllegalAction("the match is over")
        if action in self.drawn:
            raise IllegalAction(f"edge {action} is drawn already")

    def play(self, action: str) -> list[Event]:
        self.check(action)
        self.drawn.append(action)
        done = [box for box, edges in self.boxes.items() if action in edges and edges <= {*self.drawn}]
        self.owner.update(dict.fromkeys(done, self.turn or 0))
        if len(self.drawn) == len(self.edges):
            self.turn = None
        elif not done:
            self._next()
        return []

    def drop(self, seat: int) -> list[Event]:
        if self.turn is not None and seat not in self.out:
            self.out += (seat,)
            if len(self.out) >= self.setup.players - 1:
                self.turn = None
            elif seat == self.turn:
                self._next()
        return []

    def _next(self) -> None:
        seats = [*range(self.setup.players)] * 2
        self.turn = next(seat for seat in seats[(self.turn or 0) + 1 :] if seat not in self.out)

    def parts(self) -> list[dict[str, int]]:
        owners = list(self.owner.values())
        return [{"boxes": owners.count(seat)} for seat in range(self.setup.players)]

    def dump(self) -> dict[str, Any]:
        facts = {"turn": self.turn, "out": list(self.out), "drawn": self.drawn[:], "owner": dict(self.owner)}
        return {"game": "dots", **self.setup.dump(), **facts, "points": self.parts()}

    def view(self) -> dict[str, str | int]:
        marks: dict[str, str | int] = {edge: int(edge in self.drawn) for edge in self.edges}
        return marks | {f"box.{box}": self.owner.get(box, "") for box in self.boxes}

    def diagram(self, marked: Collection[str] = ()) -> list[list[Span]]:
        lines, size = [], self.size
        for r in range(size + 1):
            across = ["---" if f"{dot(c, r)}r" in self.drawn else "   " for c in range(size)]
            lines.append([Span(f"{r + 1:2} +" + "+".join(across) + "+")])
            if r < size:
                down = ["|" if f"{dot(c, r)}d" in self.drawn else " " for c in range(size + 1)]
                inside = [f" {self.owner.get(dot(c, r), ' ')} " for c in range(size)]
                lines.append([Span("   " + "".join(a + b for a, b in zip(down, [*inside, ""], strict=True)))])
        return [[Span("   " + "   ".join(chr(ord("a") + c) for c in range(size + 1)))], *lines]


class Dots(Game):
    """Dots and Boxes."""

    name = "dots"
    title = "Dots and Boxes"
    players = range(2, 5)
    options = (Option("size", ("3", "4"), "boxes along each side"),)

    def rules(self) -> str:
        return "# Dots and Boxes\n\n" + (__doc__ or "")

    def setup(self, players: int, seed: int, options: Mapping[str, str]) -> DotsSetup:
        if players not in self.players:
            raise UserError(f"dots is for 2 to 4 players, not {players}")
        return DotsSetup(players, self.read_options(options))

    def load_setup(self, record: Mapping[str, Any]) -> DotsSetup:
        return DotsSetup(int(record["players"]), dict(record["options"]))

    def start(self, setup: Setup) -> DotsState:
        assert isinstance(setup, DotsSetup)
        return DotsState(setup)

    def load(self, setup: Setup, position: Mapping[str, Any]) -> DotsState:
        state = self.start(setup)
        state.turn, state.out = position["turn"], tuple(position["out"])
        state.drawn, state.owner = list(position["drawn"]), dict(position["owner"])
        return state


GAME = Dots()
