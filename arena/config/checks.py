"""What no single key can tell: that the keys of a tournament's file fit together.

Works on what the shape left right, so that one wrong key does not hide the mistakes of the others. A required
key that was wrong is empty here, and nothing more is said about it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from msgspec import UnsetType

from arena.config.mistakes import Path, nearest
from arena.config.model import NAME_PATTERN, BotKeys, FileKeys, ScheduleKeys
from arena.config.program import split
from arena.config.shape import Report
from arena.config.units import format_size, parse_size, parse_time
from arena.errors import UserError
from arena.games.base import Game, game_names, load_game

# Names that some file system or shell cannot hold as a file, or that the arena's own results use.
RESERVED = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port}{digit}" for port in ("com", "lpt") for digit in range(1, 10)),
}
MAX_SWISS = 1000  # bots; pairing more would take minutes a round
MAX_KNOCKOUT = 50  # boards a pairing; the numbers after it are for tie-breaks
_ENV = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_MAX_WORD = 128 * 1024 - 1  # bytes; the kernel takes no longer argument


def check(keys: FileKeys, stem: str, report: Report) -> Game | None:
    """Report everything in which the keys do not fit together; return the game if there is one."""
    game = _game(keys, report)
    if isinstance(keys.name, UnsetType) and not re.search(NAME_PATTERN, stem):
        report((), f"the key 'name' is missing, and the file's own name '{stem}' cannot serve as one")
    names = _bots(keys.bots, report)
    _schedule(keys, names, game, report)
    _clock(keys, report)
    _limits(keys, report)
    for name in keys.ratings.anchor:
        if name not in names:
            report(("ratings", "anchor", name), f"no bot has this name{nearest(name, names)}")
    return game


def _game(keys: FileKeys, report: Report) -> Game | None:
    if not keys.game:
        return None
    try:
        game = load_game(keys.game)
    except UserError:
        known = game_names()
        hint = nearest(keys.game, known) or f"; known: {', '.join(known)}"
        report(("game",), f"there is no game '{keys.game}'{hint}")
        return None
    if not isinstance(keys.players, UnsetType) and keys.players not in game.players:
        low, high = game.players.start, game.players.stop - 1
        report(("players",), f"{game.name} is for {low} to {high} players, not {keys.players}")
    known_options = {option.name: option for option in game.options}
    for name, choice in keys.options.items():
        if name not in known_options:
            names = list(known_options)
            hint = nearest(name, names) or f"; it has: {', '.join(names) or 'none'}"
            report(("options", name), f"{game.name} has no such option{hint}")
        elif choice not in known_options[name].choices:
            choices = known_options[name].choices
            report(
                ("options", name),
                f"expected {' or '.join(choices)}, not '{choice}'{nearest(choice, choices)}",
            )
    return game


def _bots(bots: Sequence[BotKeys | None], report: Report) -> list[str]:
    """Report what is wrong with the bots among each other; return their names. None: wrong already."""
    first: dict[str, tuple[int, str]] = {}
    for at, bot in enumerate(bots):
        if bot is None:
            continue
        place: Path = ("bots", at)
        small = bot.name.lower()
        if small.split(".")[0] in RESERVED:
            report((*place, "name"), f"'{bot.name}' is reserved: some file systems cannot hold it")
        if bot.name.endswith("."):
            report((*place, "name"), f"'{bot.name}' ends with a dot: some file systems cannot hold it")
        if small and small in first:
            number, other = first[small]
            same = "the same name" if other == bot.name else f"the name {other}, the same in small letters"
            report((*place, "name"), f"bots[{number}] has {same}")
        first.setdefault(small, (at, bot.name))
        if bot.command:
            _command(bot.command, (*place, "command"), report)
        if not isinstance(bot.build, UnsetType):
            _command(bot.build, (*place, "build"), report)
        for key in bot.env:
            if not _ENV.fullmatch(key):
                report((*place, "env", key), "expected a name of letters, digits and _")
            if "\0" in bot.env[key] or len(f"{key}={bot.env[key]}".encode()) > _MAX_WORD:
                report((*place, "env", key), "the value has a NUL or is too long for a program")
        for item, name in enumerate([] if isinstance(bot.files, UnsetType) else bot.files):
            path = PurePosixPath(name)
            if path.is_absolute() or ".." in path.parts:
                report((*place, "files", item), "expected a path inside the bot's folder")
    return [bot.name for bot in bots if bot is not None and bot.name]


def _command(command: str | list[str], place: Path, report: Report) -> None:
    try:
        words = split(command)
    except ValueError as error:
        report(place, str(error))
        return
    if not words or not words[0]:
        report(place, "the command is empty")
    if any("\0" in word for word in words):
        report(place, "a command cannot hold the character NUL")
    if any(len(word.encode()) > _MAX_WORD for word in words):
        report(place, "a word of the command is longer than 128 KiB")


def _schedule(keys: FileKeys, names: list[str], game: Game | None, report: Report) -> None:
    schedule = keys.schedule
    players = keys.players
    if isinstance(players, UnsetType):
        players = game.players.start if game else 2
    if 0 < len(keys.bots) < players:
        there = "is only 1 bot" if len(keys.bots) == 1 else f"are only {len(keys.bots)} bots"
        report(("bots",), f"a game has {players} players, but there {there}")
    heroes = _heroes(schedule, names, report)
    if schedule.format == "gauntlet":
        others = len([name for name in names if name not in heroes])
        if heroes and others < players - 1:
            report(
                ("schedule", "hero"),
                f"each hero needs {players - 1} others; of the bots {others} are no heroes",
            )
    elif schedule.format in ("swiss", "knockout"):
        if players != 2:
            report(("schedule", "format"), f"{schedule.format} is for 2 players, not {players}")
        if schedule.format == "swiss" and len(keys.bots) > MAX_SWISS:
            report(("bots",), f"expected at most {MAX_SWISS} bots in a swiss, not {len(keys.bots)}")
        if schedule.format == "knockout" and schedule.rounds > MAX_KNOCKOUT:
            report(
                ("schedule", "rounds"), f"expected at most {MAX_KNOCKOUT} boards for a pairing of a knockout"
            )


def _heroes(schedule: ScheduleKeys, names: list[str], report: Report) -> list[str]:
    place: Path = ("schedule", "hero")
    if isinstance(schedule.hero, UnsetType):
        if schedule.format == "gauntlet":
            report(("schedule",), "a gauntlet needs the key 'hero': the bot or bots that meet all the others")
        return []
    if schedule.format != "gauntlet":
        report(place, f"only a gauntlet has a hero; this is a {schedule.format}")
    heroes = [schedule.hero] if isinstance(schedule.hero, str) else schedule.hero
    if not heroes:
        report(place, "expected at least one bot's name")
    for at, name in enumerate(heroes):
        where = place if isinstance(schedule.hero, str) else (*place, at)
        if name not in names:
            report(where, f"no bot has the name '{name}'{nearest(name, names)}")
        elif name in heroes[:at]:
            report(where, f"'{name}' is a hero already")
    return heroes


def _clock(keys: FileKeys, report: Report) -> None:
    clock = keys.clock
    if not parse_time(clock.move) and not parse_time(clock.bank):
        report(("clock",), "bots have no time at all: expected a `move` or a `bank` above 0s")
    if not parse_time(clock.startup):
        report(("clock", "startup"), "expected more than 0s")
    if not isinstance(keys.stop.time, UnsetType) and not parse_time(keys.stop.time):
        report(("stop", "time"), "expected more than 0s")


def _limits(keys: FileKeys, report: Report) -> None:
    for name, least in (("memory", 1 << 20), ("stderr", 1), ("file_size", 1), ("scratch", 4096)):
        if parse_size(getattr(keys.limits, name)) < least:
            report(("limits", name), f"expected at least {format_size(least)}")
    if keys.limits.cpu != "off" and not parse_time(keys.limits.cpu):
        report(("limits", "cpu"), "expected more than 0s, or off")
