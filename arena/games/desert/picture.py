"""Pictures of a position of desert: the flat facts for a drawing, and a diagram for terminals.

In the diagram a camel is its colour's letter and its owner's seat (`y0`), a leader the capital letter (`Y0`):
nothing depends on colours alone.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from arena.games.base import Span
from arena.games.desert.board import COLOUR_NAMES, COLOURS, Board, Grid, place
from arena.games.desert.position import camels

if TYPE_CHECKING:
    from arena.games.desert.state import DesertState

_STYLES = {
    "b": "bold white on blue",
    "g": "bold white on dark_green",
    "p": "bold white on purple4",
    "w": "bold black on grey85",
    "y": "bold black on gold1",
}
_PITCH = 3  # characters from one column to the next; spaces side by side in a line are two columns apart


def view(state: DesertState) -> dict[str, str | int]:
    """Return all that a drawing shows; the keys are the same all through a match.

    `d7` is what is on the space: "" nothing, "1" to "3" water, "palm", "mountain", "y0" a camel of seat 0,
    "y0*" a leader. `area.d7` is the seat it belongs to, "" for none. `supply.y`, `leaders.0` (colours to
    place), `points.0.water`, `caravan.0.y` (camels), `out.0` (0, or 1 for the first to go), `turn` (-1 when
    over), `phase`, `round`, `left`, `last` ("0 yd7", "" before the first).
    """
    setup, spaces = state.setup, state.grid
    shown = _empty(spaces, setup.board).copy()
    shown |= dict.fromkeys(setup.palms, "palm")
    for space in _listed(spaces, state.wet):
        shown[space] = str(setup.water[space])
    shown |= camels(state)
    for space in _listed(spaces, state.heads):
        shown[space] = f"{shown[space]}*"
    for seat, area in enumerate(state.areas):
        shown |= {f"area.{space}": seat for space in _listed(spaces, area)}
    shown |= {f"supply.{colour}": left for colour, left in zip(COLOURS, state.supply, strict=True)}
    for seat, parts in enumerate(state.parts()):
        shown[f"leaders.{seat}"] = _letters(state.leaders[seat])
        shown |= {f"points.{seat}.{part}": points for part, points in parts.items()}
        for colour, letter in enumerate(COLOURS):
            shown[f"caravan.{seat}.{letter}"] = state.own[seat * len(COLOURS) + colour].bit_count()
        shown[f"out.{seat}"] = state.out.index(seat) + 1 if seat in state.out else 0
    shown["turn"] = -1 if state.turn is None else state.turn
    shown |= {"phase": state.phase.value, "round": state.round, "left": state.left}
    shown["last"] = f"{state.last[0]} {state.last[1]}" if state.last else ""
    return shown


@lru_cache(maxsize=1024)
def _listed(spaces: Grid, some: int) -> list[str]:
    """Return the names of spaces; most sets are the same from one position to the next."""
    return spaces.list(some)


@cache
def _empty(spaces: Grid, board: Board) -> dict[str, str | int]:
    """Return the spaces of a board with nothing on them; made once, since replays ask for many views."""
    shown: dict[str, str | int] = dict.fromkeys(spaces.index, "")
    shown |= {f"area.{space}": "" for space in spaces.index}
    shown |= dict.fromkeys(board.mountains, "mountain")
    return shown


def diagram(state: DesertState, marked: Collection[str] = ()) -> list[list[Span]]:
    """Return the board, a legend and the players' table; marked spaces stand in brackets."""
    facts = view(state)
    drawn = [*state.grid.index, *state.setup.board.mountains]
    by_line: dict[int, list[tuple[int, str]]] = {}
    for space in drawn:
        column, row = place(space)
        by_line.setdefault(2 * row + (column % 2 == 0), []).append((column, space))
    columns = max(place(space)[0] for space in drawn) + 1
    letters = "".join(f" {chr(ord('a') + column)} " for column in range(columns))
    lines = [[Span(f"     {letters}", "dim")]]
    for line in range(min(by_line), max(by_line) + 1):
        spans = [Span(f"{line // 2:3} ", "dim")]
        at = 0
        for column, space in sorted(by_line.get(line, [])):
            spans.append(Span(" " * (_PITCH * column - at)))
            spans += _space(facts, space, space in marked)
            at = _PITCH * column + 4
        lines.append(spans)
    lines.append([])
    lines.append(
        _plain("y0 camel of seat 0, Y0 its leader, '0 area of seat 0, ~2 water, ** oasis, ^^ mountain")
    )
    lines.append([])
    return lines + _table(state)


def _space(facts: dict[str, str | int], space: str, marked: bool) -> list[Span]:
    """Return a space in four characters: two for what is on it, one at each side for a mark."""
    what, area = str(facts[space]), facts.get(f"area.{space}", "")
    if what == "mountain":
        text, style = "^^", "dim"
    elif what == "palm":
        text, style = "**", "bold green"
    elif what.isdigit():
        text, style = f"~{what}", "bold cyan"
    elif what:
        text = what[0].upper() + what[1] if what.endswith("*") else what
        style = _STYLES[what[0]] + (" underline" if what.endswith("*") else "")
    elif area != "":
        text, style = f"'{area}", "italic"
    else:
        text, style = " .", "dim"
    left, right = "[]" if marked else "  "
    return [Span(left, "bold"), Span(text, style), Span(right, "bold")]


def _table(state: DesertState) -> list[list[Span]]:
    """Return what stands beside the board: supplies, points, leaders, whose turn it is."""
    supply = [Span("camels left  ")]
    for colour, left in zip(COLOURS, state.supply, strict=True):
        supply += [Span(f" {colour} ", _STYLES[colour]), Span(f" {left}  ")]
    lines = [supply]
    for seat, parts in enumerate(state.parts()):
        mark = ">" if seat == state.turn else " "
        text = f"{mark} seat {seat}  {sum(parts.values()):3} points"
        text += (
            f"  ({', '.join(f'{part} {points}' for part, points in parts.items() if points) or 'none yet'})"
        )
        if state.leaders[seat]:
            names = [COLOUR_NAMES[letter] for letter in _letters(state.leaders[seat])]
            text += f"  leaders to place: {', '.join(names)}"
        if seat in state.out:
            text += "  out"
        lines.append(_plain(text, "bold" if seat == state.turn else ""))
    if state.turn is None:
        lines.append(_plain("the match is over"))
    else:
        what = "leader" if state.phase == "leaders" else "camel"
        lines.append(_plain(f"seat {state.turn} places {state.left} {what}{'s' if state.left > 1 else ''}"))
    return lines


def _letters(colours: int) -> str:
    return "".join(letter for colour, letter in enumerate(COLOURS) if colours >> colour & 1)


def _plain(text: str, style: str = "") -> list[Span]:
    return [Span(text, style)]
