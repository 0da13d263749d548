"""`arena play`: a person in the terminal against bots."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from arena.config import Config
    from arena.games.base import Span
    from arena.match import Match, Result


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--seat", default=0, show_default=True, help="Where you sit; seat 0 begins.")
@click.option("--players", type=int, help="Seats in the game; the file's where not given.")
@click.option("--against", multiple=True, metavar="BOT", help="A bot of the file (may be repeated).")
@click.option("--seed", type=int, help="The board; a new one where not given.")
def play(file: Path, seat: int, players: int | None, against: tuple[str, ...], seed: int | None) -> None:
    """Take a seat yourself in a game against bots of a tournament's FILE.

    The board is drawn with the legal spaces in brackets. Type an action as in the protocol (yd7) or its
    number; `help` tells the rest. You have all the time you want; the bots play by the file's clock.
    """
    import secrets

    from arena import config, rehearsal
    from arena.driver import STARTS, Table, now
    from arena.errors import UserError
    from arena.games.base import load_game
    from arena.match import Match
    from arena.person import HELP, Left, Person
    from arena.sandbox import choose

    loaded = config.load(file)
    game = load_game(loaded.game)
    count = players or (len(against) + 1 if against else loaded.players)
    if count not in game.players:
        allowed = f"{min(game.players)} to {max(game.players)}"
        raise UserError(f"{game.name} is for {allowed} players, not {count}")
    if not 0 <= seat < count:
        raise UserError(f"--seat is 0 to {count - 1} in a game for {count}, not {seat}")
    you = "you" if all(bot.name != "you" for bot in loaded.bots) else "(you)"
    names = _line_up(loaded, against, count, seat, you)
    if seed is None:
        seed = secrets.randbelow(1_000_000)
    match = Match("play", "play", 0, game.name, dict(loaded.options), seed, names)

    screen = _Terminal()
    console = screen.console
    person = Person(names, screen)
    bots = {bot.name: bot for bot in loaded.bots if bot.name in names}
    isolation = choose(loaded.sandbox, now)
    rehearsal.build(bots.values(), loaded.limits, isolation.build, now, screen.say)
    rehearsal.rehearse(
        list(bots.values()), loaded.limits, isolation.launch, loaded.clock.startup, now, STARTS
    )
    screen.say(f"{game.title}; seed {seed} plays this board again (--seed {seed})")
    screen.say(", ".join(f"seat {number} {name}" for number, name in enumerate(names)))
    screen.say(HELP, "dim")
    try:
        with Table(
            bots, loaded.clock, loaded.limits, launch=isolation.launch, people={you: person.answer}
        ) as table:
            result = table.play(match, person.watch)
            screen.draw(person.diagram())
    except Left:
        screen.say("you have left the game")
        return
    except KeyboardInterrupt:
        screen.say("\nyou have left the game")
        return
    _close(console, match, result, you)


def _line_up(loaded: Config, against: tuple[str, ...], count: int, seat: int, you: str) -> tuple[str, ...]:
    """Return the names by seat: the bots asked for, or the first of the file, around the person."""
    from arena.errors import UserError

    known = [bot.name for bot in loaded.bots]
    for name in against:
        if name not in known:
            raise UserError(f"the file has no bot {name!r}; it has: {', '.join(known)}")
    others = list(against) or [known[number % len(known)] for number in range(count - 1)]
    if len(others) != count - 1:
        raise UserError(f"a game for {count} needs {count - 1} bots besides you, not {len(others)}")
    return (*others[:seat], you, *others[seat:])


class _Terminal:
    """The screen that `person` draws on: this terminal."""

    def __init__(self) -> None:
        from rich.console import Console

        self.console = Console(highlight=False)

    def say(self, text: str, style: str = "") -> None:
        from rich.text import Text

        from arena.escape import printable_lines

        self.console.print(Text("\n".join(printable_lines(text)), style))

    def draw(self, lines: Sequence[Sequence[Span]]) -> None:
        from rich.text import Text

        self.console.print()
        for line in lines:
            row = Text.assemble(*((span.text, span.style) for span in line))
            self.console.print(row, no_wrap=True, crop=False, overflow="ignore")

    def ask(self, prompt: str) -> str | None:
        try:
            return self.console.input(f"[bold]{prompt}>[/bold] ")
        except EOFError:
            self.console.print()
            return None


def _close(console: Console, match: Match, result: Result, you: str) -> None:
    """Show how the game ended."""
    from rich.table import Table
    from rich.text import Text

    from arena.escape import printable

    if result.void:
        console.print(Text(f"the game is void: {printable(result.text)}", "red"))
        return
    table = Table(title="The end")
    for title in ("place", "player", "points", *(result.parts[0] if result.parts else ())):
        table.add_column(title, justify="left" if title == "player" else "right")
    for seat in sorted(range(match.players), key=lambda seat: (result.ranks[seat], seat)):
        parts = [str(points) for points in result.parts[seat].values()]
        style = "bold" if match.bots[seat] == you else ""
        table.add_row(
            str(result.ranks[seat]), match.bots[seat], str(result.scores[seat]), *parts, style=style
        )
    console.print(table)
    for fault in result.faults:
        console.print(
            Text(f"{match.bots[fault.seat]} is out ({fault.kind.value}): {printable(fault.text)}", "red")
        )
    place = result.ranks[match.bots.index(you)]
    shared = result.ranks.count(place) > 1
    won = "You share the first place." if shared else "You win!"
    console.print(won if place == 1 else f"You come in at place {place}.")
