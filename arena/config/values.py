"""The checked values of a tournament, and what of them may change between two runs."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.config.units import format_size, format_time
from arena.games.base import Outcome
from arena.match import Bot, Clock, Limits


class Format(enum.StrEnum):
    """Who meets whom."""

    ROUND_ROBIN = "round-robin"  # every set of bots
    GAUNTLET = "gauntlet"  # each hero with every set of the others
    SWISS = "swiss"  # bots of like results
    KNOCKOUT = "knockout"  # who loses is out

    @property
    def adaptive(self) -> bool:
        """Tell whether pairings follow from results."""
        return self in (Format.SWISS, Format.KNOCKOUT)


class Seats(enum.StrEnum):
    """From which seat orders a line-up plays each board."""

    ROTATE = "rotate"
    ALL = "all"


class Sandbox(enum.StrEnum):
    """How bots are isolated."""

    AUTO = "auto"
    STRICT = "strict"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Schedule:
    """What is to be played."""

    format: Format = Format.ROUND_ROBIN
    rounds: int = 10
    seats: Seats = Seats.ROTATE
    heroes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Stop:
    """When to stop before all is played; None and False for never."""

    games: int | None = None
    error: float | None = None  # Elo
    best: bool = False
    time: int | None = None  # microseconds


@dataclass(frozen=True, slots=True)
class Ratings:
    """How ratings are worked out."""

    anchor: tuple[str, float] | None = None
    prior: float | None = 600.0  # Elo; None for none
    seats: bool = True
    outcome: Outcome | None = None  # None: what the game declares


@dataclass(frozen=True, slots=True)
class Config:
    """A tournament; all paths are absolute, options complete, times in microseconds, sizes in bytes."""

    name: str
    game: str
    players: int
    bots: tuple[Bot, ...]
    folder: Path  # what relative paths are relative to
    output: Path
    options: Mapping[str, str] = field(default_factory=dict)
    schedule: Schedule = Schedule()
    seed: int = 1
    clock: Clock = field(default_factory=Clock)
    workers: int | None = None  # None: the number of cores
    limits: Limits = field(default_factory=Limits)
    sandbox: Sandbox = Sandbox.AUTO
    ratings: Ratings = Ratings()
    stop: Stop = Stop()
    # By bot the words of its command as they were written, for the record: no absolute path of a home there.
    written: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def dump(self) -> dict[str, Any]:
        """Return what decides the results as JSON values; no values of environments, no absolute paths."""
        return {
            "name": self.name,
            "game": self.game,
            "players": self.players,
            "options": dict(self.options),
            "seed": self.seed,
            "schedule": {
                "format": self.schedule.format.value,
                "rounds": self.schedule.rounds,
                "seats": self.schedule.seats.value,
                "hero": list(self.schedule.heroes),
            },
            "clock": dataclasses.asdict(self.clock),
            "limits": dataclasses.asdict(self.limits),
            "sandbox": self.sandbox.value,
            "bots": [self._dump_bot(bot) for bot in self.bots],
        }

    def _dump_bot(self, bot: Bot) -> dict[str, Any]:
        env = json.dumps(sorted(bot.env.items()))
        return {
            "name": bot.name,
            "command": list(self.written.get(bot.name, bot.command)),
            "env": sorted(bot.env),
            "env_digest": hashlib.sha256(env.encode()).hexdigest()[:16] if bot.env else "",
            "restart": bot.restart.value,
            "cpus": bot.cpus,
        }


def differences(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return what of two `Config.dump` forbids to go on with the results of the first, a sentence each.

    More rounds and more bots extend a tournament; a knockout's bracket is made of all its bots and of so many
    boards a pairing, so there both are differences. The name and the sandbox are free to change.
    """
    bracket = after["schedule"]["format"] == Format.KNOCKOUT
    found = [
        _changed(key, before.get(key), after[key])
        for key in ("game", "players", "options", "seed")
        if before.get(key) != after[key]
    ]
    for group in ("clock", "limits"):
        given = before.get(group) or {}
        found += [
            f"{group}.{key} was {_amount(group, key, given.get(key))} and is {_amount(group, key, value)}"
            for key, value in after[group].items()
            if given.get(key) != value
        ]
    for key in ("format", "seats", "hero"):
        if before["schedule"].get(key) != after["schedule"][key]:
            found.append(_changed(f"schedule.{key}", before["schedule"].get(key), after["schedule"][key]))
    was, now = before["schedule"]["rounds"], after["schedule"]["rounds"]
    if now < was or (bracket and now != was):
        found.append(_changed("schedule.rounds", was, now))
    old = {bot["name"]: bot for bot in before["bots"]}
    new = {bot["name"]: bot for bot in after["bots"]}
    found += [f"the bot {name} is gone" for name in old if name not in new]
    if bracket and list(old) != list(new):
        found.append(_changed("the bots of the bracket", list(old), list(new)))
    for name in old.keys() & new.keys():
        found += [
            _changed(f"bot {name}: {key}", old[name].get(key), new[name][key])
            for key in new[name]
            if old[name].get(key) != new[name][key]
        ]
    return sorted(found)


def _amount(group: str, key: str, amount: int | None) -> str:
    """Return a time, a size or a number as the file writes it."""
    if amount is None:
        return "not said"
    if group == "clock":
        return format_time(amount)
    if key == "cpu":
        return format_time(amount * 1_000_000) if amount else "off"
    return str(amount) if key in ("processes", "files") else format_size(amount)


def _changed(key: str, before: object, after: object) -> str:
    return f"{key} was {json.dumps(before)} and is {json.dumps(after)}"
