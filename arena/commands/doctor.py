"""`arena doctor`: what this machine can do for fair and safe games."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from arena.doctor import Delay, Diagnosis


@click.command()
@click.option(
    "--workers", type=click.IntRange(min=1), help="As in the file; the number of cores if not given."
)
@click.option("--json", "as_json", is_flag=True, help="For programs.")
def doctor(workers: int | None, as_json: bool) -> None:
    """Show what this machine can do for fair and safe games.

    Isolation tiers with the reason where one fails and how to get it, room for workers, the languages found,
    and how steady the clock is: a few seconds of measuring, best on an idle machine.
    """
    from arena.doctor import examine
    from arena.driver import now

    found = examine(workers, now)
    if as_json:
        click.echo(json.dumps(found.dump(), indent=2))
        return
    for line in _lines(found):
        click.echo(line)


def _lines(found: Diagnosis) -> list[str]:
    lines = ["isolation"]
    for state in found.tiers:
        mark = "used" if state.tier == found.chosen else "works" if state.works else "no"
        lines.append(f"  {state.tier:10} {mark:6} {state.reason}".rstrip())
        if state.remedy:
            lines.append(f"  {'':17} to get it: {state.remedy}")
    bounded = "memory and processes are bounded for a bot with all its children"
    lines += [
        f"  {'cgroups':10} {'no' if found.group else 'yes':6} {found.group or bounded}",
        "room",
        f"  cores      {found.cores}",
        f"  memory     {found.memory / (1 << 30):.1f} GiB",
        f"  workers    {found.workers}",
        f"  open files {_many(found.descriptors)} allowed",
        f"  processes  {_many(found.processes)} allowed",
        "clock (from a line sent to a line heard, with a program that answers at once)",
        f"  at rest    {_delay(found.at_rest)}",
        f"  busy       {_delay(found.busy)}",
        f"  the smallest fair time for an action here is {_time(found.fair_limit)}",
        "languages",
        "  found      " + ", ".join(name for name, missing in found.languages.items() if not missing),
    ]
    lines += [
        f"  {name:10} needs {' and '.join(missing)}" for name, missing in found.languages.items() if missing
    ]
    lines += [f"warning: {warning}" for warning in found.warnings]
    return lines


def _delay(delay: Delay) -> str:
    return f"median {_time(delay.median)}, 99 % within {_time(delay.p99)}, longest {_time(delay.longest)}"


def _time(micros: int) -> str:
    return f"{micros} µs" if micros < 1000 else f"{micros / 1000:g} ms"


def _many(count: int) -> str:
    return "any number" if count > 1 << 40 else str(count)
