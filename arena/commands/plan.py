"""`arena plan`: what a tournament would play, with the proof of balance."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from arena.outlook import Outlook

SHOWN = 12  # rows of a table for people; --json has all


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Everything, for programs.")
@click.option("--all", "everything", is_flag=True, help=f"All rows of the tables, not the first {SHOWN}.")
def plan(file: Path, as_json: bool, everything: bool) -> None:
    """Show what a tournament would play, and whether it is balanced.

    Counts the games by bot, seat, pair and order, says how many are done, and how long the rest may take
    where some have been played. Starts nothing.
    """
    import json
    import os

    from arena import config, outlook

    found = outlook.look(config.load(file), len(os.sched_getaffinity(0)))
    if as_json:
        click.echo(json.dumps(found.dump()))
    else:
        for line in _lines(found, None if everything else SHOWN):
            click.echo(line)


def _lines(found: Outlook, most: int | None) -> list[str]:
    config, plan = found.plan.config, found.plan
    schedule = config.schedule
    least = "" if plan.exact else "at least "
    unit = "round" if plan.exact else "board"
    rounds = f"{schedule.rounds} {unit}{'s' * (schedule.rounds > 1)}{'' if plan.exact else ' a pairing'}"
    lines = [
        f"{config.name}: {config.game} for {config.players}, {schedule.format.value} of {len(config.bots)} "
        f"bots, {rounds}, seats: {schedule.seats.value}, seed {config.seed}",
        f"{least}{plan.matches} games in {least}{plan.blocks} blocks of {plan.maker.size}; "
        f"{found.done} {'is' if found.done == 1 else 'are'} done",
        "",
    ]
    lines += _tables(found, most)
    if plan.adaptive:
        lines += _next(found)
    else:
        lines.append("Balance:")
        for one in found.findings:
            lines.append(f"  {'yes' if one.balanced else 'NO '}  {one.text}")
        hint = _hint(found)
        lines += [f"  {hint}"] if hint else []
    lines += ["", f"Time: {found.estimate.text}"]
    lines += [f"Note: {notice}" for notice in found.notices]
    return lines


def _tables(found: Outlook, most: int | None) -> list[str]:
    """Return the counts by bot and seat, and by pair and order."""
    counts, players = found.counts, found.plan.config.players
    if not counts.bots:
        return []
    names = [name for name in found.plan.names if name in counts.bots]
    rows = [["bot", "games", *(f"seat {seat}" for seat in range(players))]]
    rows += [
        [name, str(counts.bots[name]), *(str(counts.seats[name, seat]) for seat in range(players))]
        for name in names[:most]
    ]
    known = ["As far as the results tell:"] if found.plan.adaptive else []
    lines = [*known, *_table(rows, 1), *_more(len(names), most, "bots"), ""]
    couples = sorted({*counts.pairs, *counts.partners})
    head = ["pair", "", "meet", "earlier seat", "followed by"]
    partners = bool(counts.partners)
    rows = [[*head[:3], *(["together"] if partners else []), *head[3 : 4 + (players > 2)]]]
    for one, other in couples[:most]:
        row = [one, other, str(counts.pairs[one, other])]
        row += [str(counts.partners[one, other])] if partners else []
        row.append(f"{counts.orders[one, other]} : {counts.orders[other, one]}")
        if players > 2:
            row.append(f"{counts.neighbours[one, other]} : {counts.neighbours[other, one]}")
        rows.append(row)
    return [*lines, *_table(rows, 2), *_more(len(couples), most, "pairs"), ""]


def _more(count: int, most: int | None, what: str) -> list[str]:
    return [f"  … {count - most} more {what} (--all)"] if most is not None and count > most else []


def _table(rows: list[list[str]], texts: int) -> list[str]:
    """Return rows as lines; the first columns are text to the left, the others numbers to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  "
        + "  ".join(
            cell.ljust(width) if column < texts else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _next(found: Outlook) -> list[str]:
    """Return what an adaptive plan plays now."""
    if not found.next:
        return ["Every pairing has been played."] if found.done else []
    couples = [" - ".join(block.lineup) for block in found.next]
    lines = ["Pairings follow from the results; the next to be played:"]
    for number in sorted({block.round for block in found.next}):
        now = [couple for couple, block in zip(couples, found.next, strict=True) if block.round == number]
        lines.append(f"  {found.plan.title(number)}: {', '.join(now)}")
    return lines


def _hint(found: Outlook) -> str:
    """Return what would make an unbalanced plan balanced, "" where it is."""
    if all(one.balanced for one in found.findings):
        return ""
    return f"A multiple of {found.period} rounds is balanced in everything."
