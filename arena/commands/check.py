"""`arena check`: examines a bot, and says how to mend what it does wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console

    from arena.check.examination import Trial
    from arena.check.verdict import Verdict
    from arena.match import Bot

MARKS = {
    "passed": ("✓", "green"),
    "failed": ("✗", "bold red"),
    "noted": ("•", "cyan"),
    "skipped": ("-", "dim"),
    "untried": ("-", "dim"),
}

UNBROKEN = 100_000  # columns of what is no terminal: whoever reads a file breaks lines as they like


@click.command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--game", "game_name", default="desert", show_default=True, help="The game that it is to play.")
@click.option("--move", default="250ms", show_default=True, help="The time for an action.")
@click.option("--startup", default="10s", show_default=True, help="The time to each `ready`.")
@click.option(
    "--sandbox",
    type=click.Choice(["auto", "strict", "off"]),
    default="auto",
    show_default=True,
    help="As in a tournament's file.",
)
@click.option("--only", multiple=True, metavar="TRIAL", help="Only this trial (may be repeated).")
@click.option("--list", "listing", is_flag=True, help="Name the trials and run none.")
@click.option("--json", "as_json", is_flag=True, help="All verdicts, for programs.")
def check(
    command: tuple[str, ...],
    game_name: str,
    move: str,
    startup: str,
    sandbox: str,
    only: tuple[str, ...],
    listing: bool,
    as_json: bool,
) -> None:
    """Examine a bot in some 30 trials, and say how to mend what it does wrong.

    COMMAND starts the bot, as one quoted text or as several words: arena check ./mybot, or arena check
    "python3 mybot.py --depth 3". {python} stands for the arena's own Python.

    A failure stops nothing: each is shown with the conversation around it, the bot's stderr, and how such a
    thing is usually mended. Exit status 1 when something failed.
    """
    import json

    from arena.check.examination import Examination
    from arena.check.games import trials
    from arena.check.verdict import Outcome
    from arena.config.units import parse_time
    from arena.config.values import Sandbox
    from arena.driver import cpu, now
    from arena.errors import CheckFailed, UserError
    from arena.games.base import load_game
    from arena.match import Clock
    from arena.sandbox import choose

    game = load_game(game_name)
    wanted = _chosen(trials(game), only)
    if listing:
        for trial in wanted:
            click.echo(f"{trial.name:15} {trial.title}")
        return
    if not command:
        raise click.UsageError("Missing argument 'COMMAND...': what starts the bot.")
    try:
        # The margin is wide: a trial judges the bot, not how busy the machine is; `in-time` looks at times.
        clock = Clock(move=parse_time(move), margin=2_000_000, startup=parse_time(startup))
    except ValueError as error:
        raise UserError(str(error)) from None
    isolation = choose(Sandbox(sandbox), now)
    with Examination(_bot(command), game, clock, now=now, cpu=cpu, launch=isolation.launch) as exam:
        verdicts = exam.run(wanted)
        if as_json:
            found = list(verdicts)
            click.echo(json.dumps({"game": game.name, "trials": [verdict.dump() for verdict in found]}))
        else:
            found = _show(verdicts, len(wanted), game.name)
    failed = sum(verdict.outcome is Outcome.FAILED for verdict in found)
    if failed:
        raise CheckFailed(f"{failed} of {len(wanted)} trials failed")


def _chosen(trials: list[Trial], only: tuple[str, ...]) -> list[Trial]:
    """Return the trials asked for, with those that they need."""
    from arena.errors import UserError

    by_name = {trial.name: trial for trial in trials}
    unknown = [name for name in only if name not in by_name]
    if unknown:
        raise UserError(f"there is no trial {unknown[0]!r}; there are: {', '.join(by_name)}")
    names = set(only or by_name)
    for trial in reversed(trials):
        if trial.name in names:
            names.update(trial.needs)
    return [trial for trial in trials if trial.name in names]


def _bot(words: tuple[str, ...]) -> Bot:
    """Return the bot that a command line names."""
    from pathlib import Path

    from arena.config.program import home, resolve, split
    from arena.errors import UserError
    from arena.match import Bot as Program

    try:
        written = split(words[0]) if len(words) == 1 else list(words)
    except ValueError as error:
        raise UserError(str(error)) from None
    if not written:
        raise UserError("the command is empty")
    base = Path.cwd()
    command = resolve(written, base)
    return Program("bot", command, home(written, command, base))


def _show(verdicts: Iterable[Verdict], count: int, game: str) -> list[Verdict]:
    """Show verdicts as they come, then all failures at length."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:
        console.width = UNBROKEN
    found: list[Verdict] = []
    with console.status(f"{count} trials of {game} ...") as status:
        for verdict in verdicts:
            found.append(verdict)
            if verdict.outcome != "untried":  # thirty lines of them would hide the one that matters
                _line(console, verdict)
            status.update(f"trial {len(found) + 1} of {count} ...")
    for verdict in found:
        if verdict.outcome == "failed":
            _explain(console, verdict)
    counts = {name: sum(verdict.outcome == name for verdict in found) for name in MARKS}
    console.print()
    console.print(", ".join(f"{number} {name}" for name, number in counts.items() if number))
    if counts["untried"]:
        console.print("What is untried needs a trial that has failed; mend that first.", style="dim")
    return found


def _line(console: Console, verdict: Verdict) -> None:
    from rich.text import Text

    from arena.escape import printable

    mark, style = MARKS[verdict.outcome.value]
    text = f": {printable(verdict.text)}" if verdict.text and verdict.outcome != "failed" else ""
    console.print(
        Text.assemble((f"{mark} ", style), (f"{verdict.name:14} ", "bold"), verdict.title, (text, "dim"))
    )


def _explain(console: Console, verdict: Verdict) -> None:
    """Show what a bot's author needs to mend a failure."""
    from rich.padding import Padding
    from rich.text import Text

    from arena.escape import printable

    def indented(by: int, text: str, style: str) -> None:
        console.print(Padding(Text(text, style), (0, 0, 0, by), expand=False))

    def block(title: str, lines: Iterable[str], style: str = "") -> None:
        indented(2, title, "dim")
        for line in lines:
            indented(4, printable(line), style)

    console.print()
    console.print(Text.assemble(("✗ ", "bold red"), (verdict.name, "bold"), f": {verdict.title}"))
    indented(2, printable(verdict.text), "red")
    if verdict.hint:
        indented(2, f"How to mend it: {printable(verdict.hint)}", "green")
    if verdict.conversation:
        block("the conversation (> to the bot, < from it)", verdict.conversation)
    if verdict.stderr:
        block("its stderr", verdict.stderr.split("\n"), "yellow")
