"""`arena games`: the games that there are, and the rules of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena.games.base import Game


@click.command()
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="The same for programs.")
def games(name: str | None, as_json: bool) -> None:
    """List the games with their options and numbers of players, or print the rules of one.

    NAME is a game, as in a tournament's file. Packages can bring further games.
    """
    import json

    from arena.games.base import game_names, load_game

    if name is not None:
        game = load_game(name)
        if as_json:
            click.echo(json.dumps({**_facts(game), "rules": game.rules()}, indent=1))
        else:
            _show_rules(game)
        return
    known = [load_game(each) for each in game_names()]
    if as_json:
        click.echo(json.dumps([_facts(game) for game in known], indent=1))
        return
    for game in known:
        click.echo(f"{game.name}  {game.title}, {game.players[0]} to {game.players[-1]} players")
        for option in game.options:
            others = "".join(f", {choice}" for choice in option.choices[1:])
            click.echo(f"    {option.name}: {option.default} (default){others}; {option.help}")
    click.echo("\narena games NAME prints the rules of one.")


def _facts(game: Game) -> dict[str, Any]:
    """Return what a program may want to know of a game."""
    return {
        "name": game.name,
        "title": game.title,
        "players": list(game.players),
        "options": [
            {
                "name": option.name,
                "choices": list(option.choices),
                "default": option.default,
                "help": option.help,
            }
            for option in game.options
        ],
        "sides": {str(players): [list(side) for side in game.sides(players)] for players in game.players},
        "outcome": game.outcome.value,
    }


def _show_rules(game: Game) -> None:
    """Print the rules page: set as a page on a terminal, as it is in a pipe."""
    import sys

    if not sys.stdout.isatty():
        click.echo(game.rules(), nl=False)
        return
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    console.print(Markdown(game.rules(), code_theme="ansi_dark"), width=min(console.width, 100))
