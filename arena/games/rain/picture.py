"""Pictures of a position of rain: the flat facts for a drawing, and a diagram for terminals."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from arena.games.base import Span
from arena.games.rain.board import COLOUR_NAMES, COLOURS, FREE, RUN

if TYPE_CHECKING:
    from arena.games.rain.state import RainState

_STYLES = {
    "r": "bold white on red3",
    "y": "bold black on gold1",
    "b": "bold white on blue",
    "g": "bold white on dark_green",
}


def scored(state: RainState) -> list[list[str]]:
    """Return the runs of four that the newest mushroom scored with, each as its spaces."""
    if state.last is None:
        return []
    board, marks = state.board, state.marks
    cell = board.actions[state.last[1]][2]
    runs = []
    for line, _ in board.through[cell]:
        row = [other for other in board.lines[line] if marks[other] != FREE]
        for first in range(len(row) - RUN + 1):
            run = row[first : first + RUN]
            if cell in run and len({marks[other] for other in run}) == RUN:
                runs.append([board.cells[other] for other in run])
    return runs


def view(state: RainState) -> dict[str, str | int]:
    """Return all that a drawing shows; the keys are the same all through a match.

    `d4` is the colour on the space, "" for a free one. `hand.0`, `points.0.gems`, `out.0` (0, or 1 for the
    first to go), `bag` (how many), `turn` (-1 when over), `chain`, `phase`, `last` ("0 rd4", "" before the
    first), `won` (its points), `rows` (the runs it scored with: "c4 d4 e4 f4, d4 d5 d6 d7").
    """
    shown: dict[str, str | int] = {
        cell: "" if mark == FREE else mark for cell, mark in zip(state.board.cells, state.marks, strict=True)
    }
    for seat, parts in enumerate(state.parts()):
        shown[f"hand.{seat}"] = state.hands[seat]
        shown |= {f"points.{seat}.{part}": points for part, points in parts.items()}
        shown[f"out.{seat}"] = state.out.index(seat) + 1 if seat in state.out else 0
    shown["bag"] = len(state.setup.bag) - state.drawn
    shown["turn"] = -1 if state.turn is None else state.turn
    shown["phase"] = "over" if state.turn is None else "mushrooms"
    shown["chain"] = state.chain
    shown["last"] = f"{state.last[0]} {state.last[1]}" if state.last else ""
    shown["won"] = state.last[2] if state.last else 0
    shown["rows"] = ", ".join(" ".join(run) for run in scored(state))
    return shown


def diagram(state: RainState, marked: Collection[str] = ()) -> list[list[Span]]:
    """Return the board and the hands; marked spaces stand in brackets."""
    marks = dict(zip(state.board.cells, state.marks, strict=True))
    columns = sorted({cell[0] for cell in marks})
    rows = sorted({int(cell[1:]) for cell in marks})
    heading = [Span("    " + "".join(f" {column}  " for column in columns), "dim")]
    lines = [heading]
    for row in rows:
        spans = [Span(f"{row:3} ", "dim")]
        for column in columns:
            mark = marks.get(f"{column}{row}")
            left, right = "[]" if f"{column}{row}" in marked else "  "
            if mark is None:
                spans.append(Span("    "))
            else:
                style = _STYLES.get(mark, "dim")
                spans += [Span(left, "bold"), Span(mark, style), Span(right, "bold"), Span(" ")]
        lines.append(spans)
    lines.append([])
    lines.append([Span(", ".join(f"{c} {COLOUR_NAMES[c]}" for c in COLOURS))])
    for seat, parts in enumerate(state.parts()):
        mark = ">" if seat == state.turn else " "
        text = f"{mark} seat {seat}  {sum(parts.values()):3} points  hand "
        spans = [Span(text, "bold" if seat == state.turn else "")]
        spans += [Span(f"{colour}", _STYLES[colour]) for colour in state.hands[seat]]
        if len(parts) > 1:
            spans.append(Span(f"  ({', '.join(f'{part} {points}' for part, points in parts.items())})"))
        if seat in state.out:
            spans.append(Span("  out"))
        lines.append(spans)
    lines.append([Span(f"{len(state.setup.bag) - state.drawn} mushrooms in the bag")])
    if state.turn is None:
        lines.append([Span("the match is over")])
    return lines
