"""`arena sprt`: one log-likelihood ratio from counts."""

from __future__ import annotations

from typing import Any

import click


class Numbers(click.ParamType[tuple[float, ...]]):
    """Numbers separated by commas."""

    name = "N,N,…"

    def convert(
        self, value: Any, param: click.Parameter | None, context: click.Context | None
    ) -> tuple[float, ...]:
        """Read the option."""
        if isinstance(value, tuple):
            return value
        try:
            return tuple(map(float, str(value).split(",")))
        except ValueError:
            self.fail("expected numbers separated by commas", param, context)


@click.command()
@click.option(
    "--pairs", type=Numbers(), required=True, help="Pairs of games by score 0, ¼, ½, ¾, 1 of the first bot."
)
@click.option("--bounds", type=Numbers(), required=True, help="The two hypotheses, ELO0,ELO1.")
@click.option(
    "--alpha", type=float, default=0.05, show_default=True, help="Chance to accept though ELO0 is true."
)
@click.option(
    "--beta", type=float, default=0.05, show_default=True, help="Chance to reject though ELO1 is true."
)
@click.option(
    "--model",
    type=click.Choice(["normalized", "logistic"]),
    default="normalized",
    show_default=True,
    help="What the bounds are given in.",
)
@click.option("--json", "as_json", is_flag=True, help="JSON for programs.")
def sprt(
    pairs: tuple[float, ...],
    bounds: tuple[float, ...],
    alpha: float,
    beta: float,
    model: str,
    as_json: bool,
) -> None:
    """Work out one log-likelihood ratio from counts.

    Three counts are single games (lost, drawn, won), five are pairs of games, more are larger blocks.
    """
    import json
    import math

    from arena.errors import UserError
    from arena.sprt import EloModel, Sprt, Test

    if len(bounds) != 2:
        raise UserError("--bounds takes two numbers, such as 0,4")
    if not all(math.isfinite(times) and times == int(times) and 0 <= times < 1e15 for times in pairs):
        raise UserError("--pairs takes whole numbers from 0 on, such as 13,37,50,25,3")
    test = Test(bounds[0], bounds[1], alpha, beta, EloModel(model))
    found = Sprt.of(test, [int(times) for times in pairs])
    if as_json:
        click.echo(json.dumps(found.dump()))
    else:
        click.echo(f"{found.line()}\n{found.verdict.value}")
