"""The `arena` program: finds the command, shows errors, sets the exit status. Nothing else.

Each command is a module of `arena.commands` with a click command of the same name; it is imported only
when it runs, so that `arena --help` answers at once.
"""

from __future__ import annotations

import importlib
import sys

import click

from arena import __version__
from arena.errors import ArenaError, UserError

# name: what `arena --help` says of it. The order is the order of a user's day.
COMMANDS = {
    "tournament": "Play what is missing of a tournament, and show the table.",
    "match": "Play bots given on the command line against each other.",
    "plan": "Show what a tournament would play, with the proof of balance.",
    "standings": "Show the table of one or several results again.",
    "report": "Write the one-file HTML report with the replay viewer.",
    "replay": "Show a game in the terminal, step by step.",
    "verify": "Play every record through the rules again and compare.",
    "check": "Examine a bot, and say how to mend what it does wrong.",
    "play": "Take a seat yourself against bots.",
    "new": "Write a bot to start from, which runs at once.",
    "games": "List the games, or print the rules of one.",
    "schema": "Print the JSON schema of the tournament's file.",
    "sprt": "Work out one log-likelihood ratio from counts.",
    "doctor": "Show what this machine can do for fair and safe games.",
}


class _Lazy(click.Group):
    """A group whose commands are imported when they are used, not when they are listed."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"arena.commands.{name}"), name)
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command; say what was meant perhaps where there is none."""
        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            import difflib

            near = difflib.get_close_matches(name.lower(), COMMANDS, n=1)
            if not near and name.endswith((".yaml", ".yml")):
                near = [f"tournament {name}"]
            hint = f"did you mean `arena {near[0]}`?" if near else "`arena --help` lists them"
            raise UserError(f"there is no command {name!a}; {hint}")
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="arena")
def arena() -> None:
    """Find out which bot is better, and by how much.

    Bots are ordinary programs that speak a line protocol on stdin and stdout. Start with
    `arena new python mybot`, then `arena tournament mybot/tournament.yaml`.
    """


def main() -> None:
    """Run the program; errors for people become one message and their exit status."""
    try:
        arena(prog_name="arena")
    except ArenaError as error:
        click.echo(f"arena: {error}", err=True)
        sys.exit(error.exit_status)
