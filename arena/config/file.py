"""From the text of a tournament's file to its values, through the model and the checks across keys."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import UNSET, UnsetType

from arena.config import document
from arena.config.checks import check
from arena.config.mistakes import ConfigError, Mistake, format_place
from arena.config.mistakes import Path as Place
from arena.config.model import BotKeys, FileKeys
from arena.config.program import home, resolve, split
from arena.config.shape import shape
from arena.config.units import parse_size, parse_time
from arena.config.values import Config, Format, Ratings, Sandbox, Schedule, Seats, Stop
from arena.errors import UserError
from arena.games.base import Game, Outcome
from arena.match import Bot, Clock, Limits, Restart

MAX_BYTES = 1 << 20  # far above any real file; a larger one is a mix-up or an attack


def load(path: str | Path) -> Config:
    """Read a tournament's file; UserError when it cannot be read, ConfigError with all its mistakes."""
    path = Path(path)
    try:
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise ConfigError(str(path), [Mistake(0, 0, "", "the file is larger than 1 MiB")])
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(str(path), [Mistake(line, 0, "", "the file is not UTF-8 text")]) from None
    return parse(text, path)


def parse(text: str, path: Path) -> Config:
    """Read the text of a tournament's file; the path is for messages and for what is relative to it."""
    read = document.parse(text)
    if read.value is None and not read.mistakes:
        raise ConfigError(
            str(path), [Mistake(1, 1, "", "the file is empty; expected at least game and bots")]
        )
    folder = Path(os.path.abspath(path)).parent
    return _config(read, str(path), path.stem, folder)


def from_values(values: Mapping[str, Any], folder: Path, source: str = "command line") -> Config:
    """Make a tournament of values under the file's keys; relative paths are taken from the folder."""
    return _config(document.Document(value=dict(values)), source, "match", Path(os.path.abspath(folder)))


def _config(read: document.Document, source: str, stem: str, folder: Path) -> Config:
    mistakes = list(read.mistakes)
    noted = {mistake.place for mistake in mistakes if mistake.place}

    def report(path: Place, text: str) -> None:
        if format_place(path) in noted:
            return  # a refused alias or tag has no value to judge
        line, column = read.keys.get(path) or read.places.get(path) or (0, 0)
        mistakes.append(Mistake(line, column, format_place(path), text))

    keys = None
    if not read.mistakes or isinstance(read.value, dict):
        keys = shape(FileKeys, read.value, report)
    game = check(keys, stem, report) if keys is not None else None
    if keys is None or game is None or mistakes:
        raise ConfigError(source, mistakes)
    return _values(keys, game, stem, folder)


def _values(keys: FileKeys, game: Game, stem: str, folder: Path) -> Config:
    """Return the values of a file that has no mistake."""
    name = stem if isinstance(keys.name, UnsetType) else keys.name
    hero = keys.schedule.hero
    anchor = next(iter(keys.ratings.anchor.items()), None)
    output = f"results/{name}" if isinstance(keys.output, UnsetType) else os.path.expanduser(keys.output)
    return Config(
        name=name,
        game=keys.game,
        players=game.players.start if isinstance(keys.players, UnsetType) else keys.players,
        bots=tuple(_bot(bot, keys.cpus, folder) for bot in keys.bots),
        folder=folder,
        output=Path(os.path.normpath(folder / output)),
        options=game.read_options(keys.options),
        schedule=Schedule(
            format=Format(keys.schedule.format),
            rounds=keys.schedule.rounds,
            seats=Seats(keys.schedule.seats),
            heroes=() if isinstance(hero, UnsetType) else (hero,) if isinstance(hero, str) else tuple(hero),
        ),
        seed=keys.seed,
        clock=Clock(
            move=parse_time(keys.clock.move),
            bank=parse_time(keys.clock.bank),
            increment=parse_time(keys.clock.increment),
            margin=parse_time(keys.clock.margin),
            startup=parse_time(keys.clock.startup),
        ),
        workers=keys.workers if isinstance(keys.workers, int) else None,
        limits=Limits(
            memory=parse_size(keys.limits.memory),
            processes=keys.limits.processes,
            stderr=parse_size(keys.limits.stderr),
            files=keys.limits.files,
            file_size=parse_size(keys.limits.file_size),
            scratch=parse_size(keys.limits.scratch),
            # Whole seconds, as the operating system counts them; a part of one is a whole one.
            cpu=0 if keys.limits.cpu == "off" else -(-parse_time(keys.limits.cpu) // 1_000_000),
        ),
        sandbox=Sandbox(keys.sandbox),
        ratings=Ratings(
            anchor=anchor,
            prior=keys.ratings.prior if isinstance(keys.ratings.prior, float) else None,
            seats=keys.ratings.seats,
            outcome=None if keys.ratings.outcome == "game" else Outcome(keys.ratings.outcome),
        ),
        stop=Stop(
            games=keys.stop.games or None,
            error=keys.stop.error or None,
            best=keys.stop.best,
            time=None if isinstance(keys.stop.time, UnsetType) else parse_time(keys.stop.time),
        ),
        written={bot.name: tuple(split(bot.command)) for bot in keys.bots},
    )


def _bot(keys: BotKeys, cpus: int, base: Path) -> Bot:
    words = split(keys.command)
    command = resolve(words, base)

    def path(text: str) -> Path:
        return Path(os.path.normpath(base / os.path.expanduser(text)))

    return Bot(
        name=keys.name,
        command=command,
        folder=home(words, command, base) if isinstance(keys.folder, UnsetType) else path(keys.folder),
        build=() if isinstance(keys.build, UnsetType) else resolve(split(keys.build), base),
        env=dict(keys.env),
        restart=Restart(keys.restart),
        cpus=cpus if isinstance(keys.cpus, UnsetType) else keys.cpus,
        keep=None if isinstance(keys.keep, UnsetType) else path(keys.keep),
        files=() if keys.files is UNSET else tuple(keys.files),
    )
