"""`arena match`: bots given on the command line against each other."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from arena import events
    from arena.config import Config
    from arena.crew import Crew
    from arena.duels import Trial
    from arena.games.base import State
    from arena.ledger import Ledger
    from arena.match import Bot, Match, Played
    from arena.site import Ground

GAMES = 100
MOST_GAMES = 40_000  # of a sequential test that does not come to an end: the two are as good as equal
CLOCK = ("move", "bank", "increment", "margin", "startup")


def _times(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of the clock."""
    helps = {
        "move": "Time for each action, such as 100ms or 1s.",
        "bank": "Time for what actions take beyond that.",
        "increment": "What goes into the bank after each action.",
        "margin": "What the referee forgives.",
        "startup": "Time to start, and to begin a game.",
    }
    for name in reversed(CLOCK):
        command = click.option(f"--{name}", metavar="TIME", help=helps[name])(command)
    return command


@click.command()
@click.argument("bots", nargs=-1, required=True)
@click.option("--from", "file", type=click.Path(path_type=Path), help="A tournament's file with named bots.")
@click.option("--game", help="Which game; desert, or that of the file.")
@click.option("--option", "options", multiple=True, metavar="NAME=CHOICE", help="An option of the game.")
@click.option("--games", type=click.IntRange(1, 10_000_000), help=f"Games to play. [default: {GAMES}]")
@click.option("--seed", type=click.IntRange(0), help="Decides the boards.")
@_times
@click.option("--workers", type=click.IntRange(1, 10_000), help="Games at once; the number of cores.")
@click.option("--sandbox", type=click.Choice(["auto", "strict", "off"]), help="How bots are isolated.")
@click.option("--output", type=click.Path(path_type=Path), help="Keep the results in this folder.")
@click.option("--show", is_flag=True, help="Draw the games as they go, one at a time.")
@click.option("--debug-wire", type=click.Path(path_type=Path), help="Write the whole conversation to a file.")
@click.option("--sprt", metavar="ELO0,ELO1", help="Stop when it is known which of the two fits better.")
@click.option("--alpha", default=0.05, show_default=True, help="Chance to accept though ELO0 is true.")
@click.option("--beta", default=0.05, show_default=True, help="Chance to reject though ELO1 is true.")
@click.option("--model", type=click.Choice(["normalized", "logistic"]), default="normalized")
@click.option("--quiet", is_flag=True, help="Say nothing but what is wrong.")
@click.option("--json", "as_json", is_flag=True, help="Tell everything as JSON, one event a line, on stdout.")
def match(bots: tuple[str, ...], **given: Any) -> None:
    """Play BOTS against each other: commands, NAME=COMMAND, or with --from names of a tournament's file.

    Every board is played from each rotation of the seats, so games are rounded up to whole boards. The
    table at the end is the same as a tournament's.

    With --sprt the first bot is tested against the second: exit status 0 when ELO1 is accepted, 1 when it
    is rejected or the games end before that is known. For example --sprt 0,10 asks "is it better?".
    """
    import dataclasses
    import json
    import sys

    from arena import events
    from arena.display import opened
    from arena.errors import CheckFailed, Stopped
    from arena.signals import Signals
    from arena.site import LocalSite, local_crew
    from arena.sprt import Verdict
    from arena.venue import play

    with contextlib.ExitStack() as stack:
        signals = stack.enter_context(Signals())
        config = _config(bots, given, stack)
        trial = _trial(given, config)
        hire = _hire(given, stack) or local_crew
        quiet = given["quiet"] or given["show"]
        show = stack.enter_context(opened(sys.stdout, is_quiet=quiet, as_json=given["as_json"]))

        def tell(event: events.Event) -> None:
            """Show an event; a folder that is about to be removed is not named."""
            if given["output"] is None and isinstance(event, events.Begin | events.End):
                event = dataclasses.replace(event, output="")
            show(event)

        rule = _rule(trial, tell) if trial else None
        end, table = play(
            config, signals, tell, site=LocalSite(hire), rule=rule, report=given["output"] is not None
        )
    if trial:
        trial.close()
    if given["as_json"] and trial:
        click.echo(json.dumps({"event": "sprt", **trial.state.dump()}))
    elif given["show"] and not given["quiet"]:
        from arena.display import table_text

        click.echo(table_text(table), nl=False)
    if end.reason is events.Reason.SIGNAL:
        raise Stopped(f"{end.text}; {end.done} of {end.games} games were played")
    if end.reason is events.Reason.ERROR:
        raise CheckFailed(end.text)
    if trial and trial.state.verdict is not Verdict.ACCEPTED:
        raise CheckFailed(trial.state.reason())


# The tournament that the command line describes


def _config(bots: tuple[str, ...], given: dict[str, Any], stack: contextlib.ExitStack) -> Config:
    """Return a tournament of one line-up; its results are kept for no longer than the command runs."""
    import dataclasses
    import tempfile

    from arena.config import Ratings, Schedule, Stop, from_values, load
    from arena.errors import UserError

    file = given["file"]
    base = load(file) if file is not None else None
    known = {bot.name: bot for bot in base.bots} if base else {}
    if len(bots) < 2:
        raise UserError("a match takes at least two bots: commands, or names with --from FILE")
    chosen = _bots(bots, known)
    values: dict[str, Any] = {
        "game": given["game"] or (base.game if base else "desert"),
        "players": len(chosen),
        "bots": [{"name": bot.name, "command": list(bot.command)} for bot in chosen],
        "options": _options(given["options"], base if given["game"] is None else None),
        "clock": {name: given[name] for name in CLOCK if given[name] is not None},
    }
    for key in ("seed", "workers", "sandbox"):
        if given[key] is not None:
            values[key] = given[key]
    made = from_values(values, Path.cwd())
    clock = made.clock
    if base is not None:
        named = {name: getattr(clock, name) for name in CLOCK if given[name] is not None}
        clock = dataclasses.replace(base.clock, **named)
    games = given["games"] or (MOST_GAMES if given["sprt"] else GAMES)
    rounds = -(-games // len(chosen))
    output = given["output"]
    if output is None:
        output = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="arena-match-")))
    return dataclasses.replace(
        made,
        name="match",
        bots=tuple(chosen),
        clock=clock,
        limits=base.limits if base else made.limits,
        seed=made.seed if given["seed"] is not None or base is None else base.seed,
        workers=made.workers if given["workers"] is not None or base is None else base.workers,
        sandbox=made.sandbox if given["sandbox"] is not None or base is None else base.sandbox,
        schedule=Schedule(rounds=rounds),
        ratings=Ratings(),
        stop=Stop(),
        output=output.absolute(),
    )


def _options(given: tuple[str, ...], base: Config | None) -> dict[str, str]:
    from arena.errors import UserError

    options = dict(base.options) if base is not None else {}
    for text in given:
        name, equals, choice = text.partition("=")
        if not equals:
            raise UserError(f"--option takes NAME=CHOICE, such as edition=ffg, not {text!a}")
        options[name] = choice
    return options


def _bots(words: tuple[str, ...], known: dict[str, Bot]) -> list[Bot]:
    """Return the bots by seat: of the file by name, the others by their commands; no name comes twice."""
    import dataclasses
    import re
    import shlex
    import shutil

    from arena.config.program import home, resolve
    from arena.errors import UserError
    from arena.match import Bot

    chosen: list[Bot] = []
    names: set[str] = set()
    for word in words:
        bot = known.get(word)
        if bot is None:
            named = re.fullmatch(r"([A-Za-z0-9][A-Za-z0-9._+-]{0,63})=(.+)", word, re.DOTALL)
            name, text = (named[1], named[2]) if named else ("", word)
            try:
                written = shlex.split(text)
            except ValueError as error:
                raise UserError(f"{text!a} cannot be read as a command: {error}") from None
            if not written:
                raise UserError("a bot's command is empty")
            command = resolve(written, Path.cwd())
            if known and not named and word.isidentifier() and shutil.which(word) is None:
                raise UserError(f"there is no bot or program {word!a}; the file has {', '.join(known)}")
            bot = Bot(name or _name(written), command, home(written, command, Path.cwd()))
        name, count = bot.name, 1
        while name in names:
            count += 1
            name = f"{bot.name}-{count}"
        names.add(name)
        chosen.append(dataclasses.replace(bot, name=name))
    return chosen


def _name(words: list[str]) -> str:
    """Return a name for a command: that of the last file in it, without its ending."""
    import os
    import re

    files = [word for word in words if os.path.isfile(word)] or words[:1]
    stem = Path(files[-1]).stem
    if stem in ("bot", "main", "run"):  # what starter bots are called says nothing
        stem = Path(files[-1]).absolute().parent.name or stem
    return re.sub(r"[^A-Za-z0-9._+-]", "-", stem).lstrip("._+-")[:64] or "bot"


# The sequential test


def _trial(given: dict[str, Any], config: Config) -> Trial | None:
    from arena.duels import Trial
    from arena.errors import UserError
    from arena.sprt import EloModel, Test

    if given["sprt"] is None:
        return None
    try:
        low, high = map(float, given["sprt"].split(","))
    except ValueError:
        raise UserError(f"--sprt takes two numbers, such as 0,10, not {given['sprt']!a}") from None
    test = Test(low, high, given["alpha"], given["beta"], EloModel(given["model"]))
    return Trial(test, config.bots[0].name, config.bots[1].name, config.players)


def _rule(trial: Trial, tell: Callable[[events.Event], None]) -> Callable[[Ledger], str | None]:
    """Return the rule that stops the run; it tells where the test stands whenever a tenth more is known."""
    from arena import events

    told = 0

    def look(ledger: Ledger) -> str | None:
        nonlocal told
        reason = trial.look(ledger.tally)
        if trial.state.blocks > told * 1.1:
            told = trial.state.blocks
            tell(events.Notice(trial.state.line()))
        return reason

    return look


# Matches that are watched


def _hire(given: dict[str, Any], stack: contextlib.ExitStack) -> Callable[[Ground], Crew] | None:
    """Return who plays, where that is not the usual crew."""
    if not given["show"] and given["debug_wire"] is None:
        return None
    from arena.driver import now
    from arena.errors import UserError
    from arena.gallery import Gallery
    from arena.wire import WireLog

    wire = None
    if given["debug_wire"] is not None:
        try:
            wire = WireLog(stack.enter_context(given["debug_wire"].open("w", encoding="utf-8")), now)
        except OSError as error:
            raise UserError(f"{given['debug_wire']} cannot be written: {error.strerror}") from None
    watch = _draw if given["show"] and not given["as_json"] and not given["quiet"] else None
    return lambda ground: Gallery(ground, watch, wire)


def _draw(match: Match, state: State, played: Played | None) -> None:
    """Draw a position under the action that led to it."""
    for line in _picture(match, state, played):
        click.echo(line)


def _picture(match: Match, state: State, played: Played | None) -> Iterator[str]:
    from arena.escape import printable

    if played is None:
        yield f"{match.game}: {', '.join(f'{seat} {name}' for seat, name in enumerate(match.bots))}"
    else:
        remarks = "".join(f"  # {printable(remark)}" for remark in played.remarks)
        name = match.bots[played.seat]
        yield f"{played.seat} {name}: {played.text}  ({played.micros / 1000:.1f} ms){remarks}"
    for line in state.diagram({played.text[1:]} if played else ()):
        yield "".join(
            click.style(span.text, **_style(span.style)) if span.style else span.text for span in line
        )
    yield f"points: {', '.join(map(str, state.scores()))}"


def _style(style: str) -> dict[str, Any]:
    """Return a style of rich's notation as click takes it: no more than colour and weight is used here."""
    words = style.split()
    colours = ("black", "red", "green", "yellow", "blue", "magenta", "cyan", "white")
    made: dict[str, Any] = {word: True for word in words if word in ("bold", "dim", "underline", "reverse")}
    found = [word.removeprefix("bright_") for word in words if word.removeprefix("bright_") in colours]
    if found:
        made["fg"] = found[0]
    return made
