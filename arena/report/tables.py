"""The standings as text: for terminals, Markdown, CSV and JSON, with the footers that say what was assumed.

Pure: values in, text or a rich renderable out; nothing here prints. Every name passes through `escape`.
Only the live display and terminals need rich, which is imported where it is used.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from arena import escape

if TYPE_CHECKING:
    from rich.console import Console, ConsoleOptions, RenderableType
    from rich.table import Table as Grid

    from arena.crosstable import Cross, Duel, Explanation, Part
    from arena.standings import Group, Seat, Standing, Standings

ORDINALS = ("1st", "2nd", "3rd", "4th", "5th")
# What a narrow terminal is spared, the least needed first; rank, name, Elo, ± and LOS always stay.
SPARE = (("margin",), ("W", "D", "L", *ORDINALS), ("games",), ("score%",), ("faults",))
NAME = 8  # characters of a name that are shown before a column is


@dataclass(frozen=True, slots=True)
class Table:
    """Cells of text under their headings; the columns named in `left` are aligned to the left."""

    title: str
    heading: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: tuple[str, ...] = ("name",)


def tables(standings: Standings, *, los: bool = False) -> list[Table]:
    """Return the table of each group, with names as they are; with `los` also its matrix."""
    groups = [group for group in standings.groups if group.games]
    found = []
    for number, group in enumerate(groups, 1):
        title = f"group {number} of {len(groups)}" if len(groups) > 1 else ""
        found.append(_standings(group, standings.sides, title))
        if los:
            names = [bot.name for bot in group.bots]
            rows = [
                (
                    name,
                    *("-" if one == other else f"{group.los[one][other]:.1%}" for other in range(len(names))),
                )
                for one, name in enumerate(names)
            ]
            found.append(Table("chance that the row is stronger", ("name", *names), tuple(rows)))
    return found


def _standings(group: Group, sides: int, title: str) -> Table:
    results = ("W", "D", "L") if sides == 2 else ORDINALS[:sides]
    heading = ("rank", "name", "Elo", "±95%", "games", "score%", *results, "faults", "LOS>next", "margin")
    return Table(title, heading, tuple(_row(bot, sides) for bot in group.bots))


def _row(bot: Standing, sides: int) -> tuple[str, ...]:
    first, last = bot.rank
    places = [*bot.places, *[0] * (sides - len(bot.places))]
    results = (places[0] - bot.draws, bot.draws, places[1]) if sides == 2 else places
    return (
        str(first) if first == last else f"{first}-{last}",
        bot.name,
        f"{bot.bound or ''}{bot.elo:+.0f}" if bot.elo is not None else "-",
        error(bot),
        str(bot.games),
        f"{100 * bot.score:.1f}" if bot.score is not None else "-",
        *map(str, results),
        str(sum(bot.faults.values())),
        f"{bot.los_next:.1%}" if bot.los_next is not None else "-",
        f"{bot.margin:+.1f}" if bot.margin is not None else "-",
    )


def error(bot: Standing) -> str:
    """Return the ±, or both ends' distances where they differ by more than a tenth."""
    if bot.elo is None or bot.low is None or bot.high is None or bot.error is None:
        return "-"
    below, above = bot.elo - bot.low, bot.high - bot.elo
    if abs(above - below) > 0.1 * bot.error:
        return f"-{below:.0f} +{above:.0f}"
    return f"{bot.error:.0f}"


def footers(standings: Standings) -> list[str]:
    """Return what was assumed and what to know, one sentence or list a line, with names as they are."""
    settings = standings.settings
    lines = []
    for number, group in enumerate((group for group in standings.groups if group.games), 1):
        facts = [*_seat_facts(group)]
        if not settings.seats:
            facts.append("seats taken as equal")
        shared = "draws" if standings.sides == 2 else "shared first places"
        if number == 1 and standings.games:
            facts.append(f"{shared} {100 * standings.draws / standings.games:.1f} %")
        facts.append(f"{_plural(group.games, 'game')} in {_plural(group.blocks, 'block')}")
        facts.append(f"dispersion {group.dispersion:.2f}")
        anchor = ", ".join(f"{name} = {elo:g}" for name, elo in settings.anchor.items())
        facts.append(anchor if group.anchored else "pool mean = 0")
        facts.append("no prior" if settings.prior is None else f"prior {settings.prior:g} Elo")
        if settings.outcome.value == "winner":
            facts.append("only the winner counts")
        lines.append("; ".join(facts))
    lines.append("± is half a 95 % interval; two bots are compared by LOS, not by whether their ± overlap")
    bots = [bot for group in standings.groups for bot in group.bots]
    if any(bot.bound for bot in bots):
        lines.append("> and <: won or lost everything that counts; the number is where the prior leaves it")
    lines += [
        f"{bot.name}: {bot.faultless:+.0f} without its {_plural(sum(bot.faults.values()), 'fault')}"
        for bot in bots
        if bot.faultless is not None
    ]
    if unplayed := [bot.name for bot in bots if not bot.games]:
        lines.append(f"not played yet: {', '.join(unplayed)}")
    if standings.close.decided:
        lines.append(standings.close.decided)
    if standings.close.stopped:
        lines.append(f"stopped: {standings.close.stopped}")
    return lines


def _seat_facts(group: Group) -> Iterable[str]:
    for players, seats in group.seats.items():
        if players == 2 and group.first_seat is not None:
            yield f"first-seat advantage {_seat(group.first_seat)}"
        else:
            yield f"seats of {players}: " + ", ".join(map(_seat, seats))


def _seat(seat: Seat) -> str:
    return f"{seat.elo:+.0f} ± {seat.error:.0f}"


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"


def crosses(found: Iterable[Cross]) -> list[Table]:
    """Return cross tables: the score of the row's bot against the column's, games, and W/D/L."""
    return [
        Table(
            "score% of the row, games, won/drawn/lost",
            ("name", *cross.names),
            tuple((name, *map(_duel, row)) for name, row in zip(cross.names, cross.duels, strict=True)),
        )
        for cross in found
    ]


def _duel(duel: Duel | None) -> str:
    if duel is None or duel.score is None:
        return "-"
    return f"{100 * duel.score:.1f} {duel.games} {duel.wins}/{duel.draws}/{duel.losses}"


def explanation(found: Explanation) -> list[str]:
    """Return on what the difference of two bots rests, line by line, with names as they are."""
    first, second = found.names
    lines = [f"{first} over {second}: {_part(found.whole)}"]
    if found.met is None:
        lines.append("they never met: all of it comes through others")
    else:
        lines.append(f"where they met: {_part(found.met)}")
        lines.append(f"  {first} against {second}: {_balance(found.duel)}")
        lines += [
            f"  in seat {seat} of {players} players: {_balance(duel)}" for players, seat, duel in found.seats
        ]
    if found.apart is None:
        lines.append("through others: nothing links them")
    else:
        lines.append(f"through others: {_part(found.apart)}")
    for name, faults in zip(found.names, found.faults, strict=True):
        kinds = ", ".join(f"{number} {kind}" for kind, number in sorted(faults.items()))
        lines.append(f"faults of {name}: {kinds or 'none'}")
    return lines


def _part(part: Part) -> str:
    amount = f"{part.elo:+.0f} ± {part.error:.0f} Elo, LOS {part.los:.1%}"
    return f"{amount}, from {_plural(part.games, 'game')} in {_plural(part.blocks, 'block')}"


def _balance(duel: Duel) -> str:
    if duel.score is None:
        return "never"
    parts = f"{duel.wins} won, {duel.draws} drawn, {duel.losses} lost"
    return f"{100 * duel.score:.1f} % of {_plural(duel.games, 'game')} ({parts})"


def rendered(found: Sequence[Table], lines: Sequence[str], warnings: Sequence[str] = ()) -> RenderableType:
    """Return tables and lines for a terminal."""
    from rich.console import Group as Stack
    from rich.text import Text

    parts: list[RenderableType] = [_Fitting(table) for table in found]
    parts += [Text(escape.printable(line), style="dim") for line in lines]
    parts += [Text(escape.printable(f"warning: {line}"), style="yellow") for line in warnings]
    return Stack(*parts)


@dataclass(frozen=True, slots=True)
class _Fitting:
    """A table that takes what room the terminal has. Numbers are never cut: names give way, then columns."""

    table: Table

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        yield _grid(fitted(self.table, options.max_width))


def fitted(table: Table, width: int) -> Table:
    """Return the standings without their least needed columns where the width is too small for all."""
    if table.heading[:2] != ("rank", "name"):
        return table  # its columns are bots
    for spare in ((), *SPARE):
        keep = [number for number, name in enumerate(table.heading) if name not in spare]
        heading, *rows = (tuple(row[number] for number in keep) for row in (table.heading, *table.rows))
        table = Table(table.title, heading, tuple(rows), table.left)
        widths = _widths(table)
        widths[1] = min(widths[1], NAME)
        if sum(widths) + 2 * len(widths) - 2 <= width:
            break
    return table


def _widths(table: Table) -> list[int]:
    from rich.cells import cell_len

    return [
        max(cell_len(escape.printable(row[number])) for row in (table.heading, *table.rows))
        for number in range(len(table.heading))
    ]


def _grid(table: Table) -> Grid:
    from rich.table import Table as Grid
    from rich.text import Text

    grid = Grid(box=None, pad_edge=False, header_style="bold", title_justify="left", title_style="")
    if table.title:
        grid.title = Text(table.title)
    for name, widest in zip(table.heading, _widths(table), strict=True):
        left = name in table.left
        grid.add_column(
            Text(escape.printable(name)),
            justify="left" if left else "right",
            no_wrap=not left,  # rich shrinks the columns that may wrap before the others
            overflow="ellipsis",
            min_width=None if left else widest,
        )
    for row in table.rows:
        grid.add_row(*(Text(escape.printable(cell)) for cell in row))
    return grid


def text(found: Iterable[Table], lines: Iterable[str], warnings: Iterable[str] = ()) -> str:
    """Return tables and lines as plain text, as wide as they need."""
    from rich.cells import cell_len

    parts = []
    for table in found:
        rows = [tuple(map(escape.printable, row)) for row in (table.heading, *table.rows)]
        widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
        if table.title:
            parts.append(table.title)
        for row in rows:
            cells = []
            for name, cell, width in zip(table.heading, row, widths, strict=True):
                space = " " * (width - cell_len(cell))
                cells.append(cell + space if name in table.left else space + cell)
            parts.append("  ".join(cells).rstrip())
    parts += map(escape.printable, lines)
    parts += [escape.printable(f"warning: {line}") for line in warnings]
    return "\n".join(parts) + "\n"


def markdown(found: Iterable[Table], lines: Iterable[str], warnings: Iterable[str] = ()) -> str:
    """Return tables and lines as Markdown, for a pull request's comment."""
    parts = []
    for table in found:
        if table.title:
            parts.append(f"{escape.markdown(table.title)}\n")
        parts.append(_markdown_row(table.heading))
        parts.append(
            "|" + "|".join(" --- " if name in table.left else " ---: " for name in table.heading) + "|"
        )
        parts += [*map(_markdown_row, table.rows), ""]
    parts += [f"- {escape.markdown(line)}" for line in lines]
    parts += [f"- **warning:** {escape.markdown(line)}" for line in warnings]
    return "\n".join(parts) + "\n"


def _markdown_row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(map(escape.markdown, cells)) + " |"


def comma_separated(standings: Standings) -> str:
    """Return all rows as CSV: numbers as numbers, an empty cell where there is none."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    results = ("wins", "draws", "losses") if standings.sides == 2 else ORDINALS[: standings.sides]
    keys = ("elo", "error", "low", "high", "bound", "games", "score")
    writer.writerow(
        ("group", "rank_from", "rank_to", "name", *keys, *results, "faults", "los_next", "margin")
    )
    for number, group in enumerate(standings.groups, 1):
        for bot in group.bots:
            row = bot.dump()
            places = [*bot.places, *[0] * (standings.sides - len(bot.places))]
            counts = [places[0] - bot.draws, bot.draws, places[1]] if standings.sides == 2 else places
            name, faults = escape.csv_cell(bot.name), sum(bot.faults.values())
            values = (row[key] for key in keys)
            writer.writerow(
                (number, *bot.rank, name, *values, *counts, faults, row["los_next"], row["margin"])
            )
    return file.getvalue()


def dumped(value: object) -> str:
    """Return a value as JSON text for programs: ASCII, one object, a line feed at the end."""
    return json.dumps(value, indent=1, allow_nan=False) + "\n"
