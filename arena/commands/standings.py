"""`arena standings`: the table of one or several results."""

from __future__ import annotations

import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.errors import CheckFailed, UserError

if TYPE_CHECKING:
    from arena.results import Results
    from arena.standings import Standings


NO_PRIOR = math.inf


class Prior(click.ParamType[float]):
    """`none`, which is NO_PRIOR here, or a spread in Elo."""

    name = "none|ELO"

    def convert(self, value: Any, param: click.Parameter | None, context: click.Context | None) -> float:
        """Read the option."""
        if value in ("none", NO_PRIOR):
            return NO_PRIOR
        elo = _number(str(value))
        if elo is None or not 1 <= elo <= 100_000:
            self.fail("expected none or a number of Elo from 1 to 100000", param, context)
        return elo


class NamedElo(click.ParamType[tuple[str, float]]):
    """A bot's name and a number of Elo."""

    name = "NAME=ELO"

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> tuple[str, float]:
        """Read the option; a name may have an = itself."""
        if isinstance(value, tuple):
            return value
        name, equals, number = str(value).rpartition("=")
        elo = _number(number)
        if not equals or not name or elo is None:
            self.fail("expected a bot's name and a number of Elo, such as greedy=1000", param, context)
        return name, elo


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


@click.command()
@click.argument("results", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="DIR_OR_CSV...")
@click.option("--prior", type=Prior(), help="Spread of strengths taken for granted [600].")
@click.option("--seats", type=click.Choice(["on", "off"]), help="Fit the seats' advantages [on].")
@click.option("--anchor", type=NamedElo(), help="A bot whose rating is given; the others shift with it.")
@click.option(
    "--outcome", type=click.Choice(["placement", "winner"]), help="What counts [what the game says]."
)
@click.option("--los", is_flag=True, help="Also the chances of superiority of all pairs.")
@click.option(
    "--cross", is_flag=True, help="Also the cross table: score, games, won/drawn/lost of all pairs."
)
@click.option("--explain", nargs=2, metavar="A B", help="On what the difference of two bots rests.")
@click.option("--fail-under", type=NamedElo(), multiple=True, help="Exit 1 if this bot's Elo is lower.")
@click.option("--json", "form", flag_value="json", help="JSON for programs, as standings.json.")
@click.option("--markdown", "form", flag_value="markdown", help="Markdown, for a pull request's comment.")
@click.option("--csv", "form", flag_value="csv", help="CSV.")
def standings(
    results: tuple[Path, ...],
    prior: float | None,
    seats: str | None,
    anchor: tuple[str, float] | None,
    outcome: str | None,
    los: bool,
    cross: bool,
    explain: tuple[str, str] | None,
    fail_under: tuple[tuple[str, float], ...],
    form: str | None,
) -> None:
    """Show the table of one or several results.

    DIR is a folder that a tournament left. A CSV file has the columns block, seat1 … seatN, rank1 … rankN:
    bots by seat, 1 is the best rank, equal ranks tie.

    One folder alone is rated as its tournament's file says (`ratings`), several by the defaults; options
    come before both.
    """
    from arena.games.base import Outcome
    from arena.results import published, read
    from arena.standings import Settings
    from arena.standings import standings as work_out

    found = read(results)
    told, close = published(results[0]) if len(results) == 1 else (None, None)
    base = told or Settings(outcome=found.outcome)
    settings = Settings(
        outcome=Outcome(outcome) if outcome else base.outcome,
        prior=base.prior if prior is None else None if prior == NO_PRIOR else prior,
        seats=base.seats if seats is None else seats == "on",
        anchor=dict([anchor]) if anchor else base.anchor,
    )
    table = work_out(found.tally, settings, close)
    _show(found, table, los=los, with_cross=cross, pair=explain, form=form)
    for name, least in fail_under:
        elo = table.bot(name).elo
        if elo is None or elo < least:
            reached = "has no rating" if elo is None else f"has {elo:+.1f} Elo"
            raise CheckFailed(f"{name} {reached}, wanted was at least {least:+g}")


def _show(
    found: Results,
    table: Standings,
    *,
    los: bool,
    with_cross: bool,
    pair: tuple[str, str] | None,
    form: str | None,
) -> None:
    """Print what was asked for, in the form asked for."""
    from arena.crosstable import cross, explain
    from arena.report import tables

    crosses = cross(found.tally, table) if with_cross else []
    explained = explain(found.tally, table, *pair) if pair else None
    if form == "json":
        values = table.dump()
        values["warnings"] = [*found.notes, *values["warnings"]]
        if with_cross:
            values["cross"] = [each.dump() for each in crosses]
        if explained:
            values["explain"] = explained.dump()
        click.echo(tables.dumped(values), nl=False)
        return
    if form == "csv":
        if los or with_cross or pair:
            raise UserError("--csv has the table alone; --los, --cross and --explain go with --json")
        click.echo(tables.comma_separated(table), nl=False)
        return
    shown = tables.tables(table, los=los)
    lines, warnings = tables.footers(table), [*found.notes, *table.warnings]
    further = [*tables.crosses(crosses)]
    story = tables.explanation(explained) if explained else []
    if form == "markdown":
        click.echo(tables.markdown(shown, lines, warnings), nl=False)
        if further or story:
            click.echo("\n" + tables.markdown(further, story), nl=False)
        return
    if sys.stdout.isatty():
        from rich.console import Console

        Console(highlight=False, markup=False).print(tables.rendered(shown, lines, warnings))
    else:
        click.echo(tables.text(shown, lines, warnings), nl=False)
    if further or story:
        click.echo("\n" + tables.text(further, story), nl=False)
