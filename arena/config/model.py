"""The shape of the tournament's file: its keys, their types, bounds and descriptions.

The one place where a key is declared. The JSON schema for editors is made from it, and so are the messages:
`expected` says in words what the type and its bounds say to the checker. Nothing here knows about places,
games or paths.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from arena.config.units import SIZE_PATTERN, TIME_PATTERN

# Python's `$` also matches before a line feed at the end; editors' `$` does not. `(?!\n)` makes them agree.
NAME_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$(?!\n)"


def _expect(expected: str, *, pattern: str = "", **bounds: Any) -> Meta:
    """Return the bounds of a value together with the words for them.

    The pattern goes beside the bounds and is matched by `shape`: msgspec's own `pattern` counts references
    wrongly in unions with lists and crashes the interpreter (msgspec issue 717, all versions up to 0.22).
    """
    if not pattern:
        return Meta(extra={"expected": expected}, **bounds)
    return Meta(
        extra={"expected": expected, "pattern": pattern}, extra_json_schema={"pattern": pattern}, **bounds
    )


Name = Annotated[
    str,
    _expect(
        "a name of 1 to 64 letters, digits, . _ + - that begins with a letter or digit", pattern=NAME_PATTERN
    ),
]
Time = Annotated[str, _expect("a time with its unit, such as 250ms, 1s, 2m or 2h", pattern=TIME_PATTERN)]
Size = Annotated[str, _expect("a size with its unit, such as 64MiB or 1GiB", pattern=SIZE_PATTERN)]
Word = Annotated[str, _expect("text", min_length=1, max_length=4096)]
Text = Annotated[str, _expect("text (numbers in quotes)", max_length=65536)]
Words = Annotated[list[Word], _expect("a list of words", min_length=1, max_length=1000)]
Cpus = Annotated[int, _expect("a whole number from 1 to 1024", ge=1, le=1024)]
Elo = Annotated[float, _expect("a number from -100000 to 100000", ge=-100000, le=100000)]


def _count(low: int, high: int) -> Meta:
    return _expect(f"a whole number from {low} to {high}", ge=low, le=high)


class BotKeys(Struct, forbid_unknown_fields=True):
    """A program that plays."""

    name: Annotated[
        Name, Meta(description="What the bot is called in tables and files; unique, also in small letters.")
    ]
    command: Annotated[
        Word | Words,
        _expect("a command as text or as a list of words"),
        Meta(
            description="How to start it: text, split into words as a shell would, or a list of words; no "
            "shell is involved. {python} is the arena's own Python. Paths are relative to this file."
        ),
    ]
    build: Annotated[
        Word | Words | UnsetType,
        _expect("a command as text or as a list of words"),
        Meta(description="A command that makes the program, run once before the first game."),
    ] = UNSET
    folder: Annotated[
        Word | UnsetType,
        _expect("a path"),
        Meta(description="The bot's own folder, where it runs and may read; by default that of its program."),
    ] = UNSET
    env: Annotated[
        dict[str, Text],
        _expect("names with text values"),
        Meta(description="Environment variables for the bot; it gets none of yours."),
    ] = {}
    restart: Annotated[
        Literal["never", "always"],
        _expect("never or always"),
        Meta(description="always: a new process for each game; never: one process for many games."),
    ] = "never"
    cpus: Annotated[
        Cpus | UnsetType,
        _expect("a whole number from 1 to 1024"),
        Meta(description="The cores that the bot may use; by default the file's `cpus`."),
    ] = UNSET
    keep: Annotated[
        Word | UnsetType,
        _expect("a path"),
        Meta(
            description="A folder where files that the bot writes are kept; by default they vanish with it."
        ),
    ] = UNSET
    files: Annotated[
        Words | UnsetType,
        _expect("a list of paths"),
        Meta(description="The files of its folder that travel to other machines; by default all of it."),
    ] = UNSET


class ScheduleKeys(Struct, forbid_unknown_fields=True):
    """Who plays whom, how often and from which seats."""

    format: Annotated[
        Literal["round-robin", "gauntlet", "swiss", "knockout"],
        _expect("round-robin, gauntlet, swiss or knockout"),
        Meta(
            description="round-robin: every set of bots; gauntlet: each hero against every set of others; "
            "swiss and knockout (2 players): pairings follow from the results."
        ),
    ] = "round-robin"
    rounds: Annotated[
        int,
        _count(1, 1_000_000),
        Meta(
            description="A round is one board for every line-up. knockout: boards for each pairing before a "
            "tie-break, at most 50."
        ),
    ] = 10
    seats: Annotated[
        Literal["rotate", "all"],
        _expect("rotate or all"),
        Meta(description="rotate: each board once from every rotation of the seats; all: from every order."),
    ] = "rotate"
    hero: Annotated[
        Name | list[Name] | UnsetType,
        _expect("a bot's name or a list of them"),
        Meta(description="gauntlet: the bot or bots that meet all the others."),
    ] = UNSET


class ClockKeys(Struct, forbid_unknown_fields=True):
    """The time that bots have."""

    move: Annotated[Time, Meta(description="For each action anew.")] = "1s"
    bank: Annotated[Time, Meta(description="Pays for what an action takes beyond `move`.")] = "0s"
    increment: Annotated[Time, Meta(description="Goes into the bank after each action.")] = "0s"
    margin: Annotated[Time, Meta(description="What the referee forgives.")] = "50ms"
    startup: Annotated[Time, Meta(description="For the bot to say that it is ready.")] = "10s"


class LimitsKeys(Struct, forbid_unknown_fields=True):
    """What each bot may use of the machine."""

    memory: Annotated[Size, Meta(description="Memory.")] = "1GiB"
    processes: Annotated[int, _count(1, 1_000_000), Meta(description="Processes and threads at once.")] = 64
    stderr: Annotated[Size, Meta(description="What is kept of its stderr in logs/.")] = "1MiB"
    files: Annotated[int, _count(8, 1_000_000), Meta(description="Open files at once.")] = 256
    file_size: Annotated[Size, Meta(description="The largest file that it may write.")] = "64MiB"
    scratch: Annotated[Size, Meta(description="Its folder for temporary files.")] = "64MiB"
    cpu: Annotated[
        str,
        _expect("off, or a time with its unit, such as 60s", pattern=rf"^off$(?!\n)|{TIME_PATTERN}"),
        Meta(description="CPU time of one process; off for no limit."),
    ] = "off"


class StopKeys(Struct, forbid_unknown_fields=True):
    """When to stop before all is played; only complete blocks and rounds count."""

    games: Annotated[
        Annotated[int, _count(1, 10**9)] | UnsetType, Meta(description="After so many games.")
    ] = UNSET
    error: Annotated[
        Annotated[float, _expect("a number of Elo from 0.1 to 10000", ge=0.1, le=10000)] | UnsetType,
        Meta(description="When every bot's ± is at most this, in Elo."),
    ] = UNSET
    best: Annotated[
        bool, _expect("true or false"), Meta(description="When it is certain which bot is best (LOS 99.9 %).")
    ] = False
    time: Annotated[
        Time | UnsetType,
        _expect("a time with its unit, such as 30m or 2h"),
        Meta(description="When a run has taken this long."),
    ] = UNSET


class RatingsKeys(Struct, forbid_unknown_fields=True):
    """How ratings are worked out and shown."""

    anchor: Annotated[
        dict[str, Elo],
        _expect("one bot's name with its Elo, such as {greedy: 1000}", max_length=1),
        Meta(description="A bot whose rating is fixed; all others shift with it."),
    ] = {}
    prior: Annotated[
        Literal["none"] | Annotated[float, Meta(ge=1, le=100000)],
        _expect("none or a number of Elo from 1 to 100000"),
        Meta(description="The spread of strengths taken for granted, in Elo; matters only with few games."),
    ] = 600.0
    seats: Annotated[
        bool, _expect("true or false"), Meta(description="Work out the advantage of each seat.")
    ] = True
    outcome: Annotated[
        Literal["game", "placement", "winner"],
        _expect("game, placement or winner"),
        Meta(description="What of a result counts: all places, or the winner alone; game: as the game says."),
    ] = "game"


class FileKeys(Struct, forbid_unknown_fields=True):
    """A tournament of the arena."""

    game: Annotated[
        Word, _expect("the name of a game"), Meta(description="desert, rain, or a game that is installed.")
    ]
    bots: Annotated[
        list[BotKeys],
        _expect("a list of bots", min_length=1, max_length=10_000),
        Meta(description="Who plays."),
    ]
    name: Annotated[
        Name | UnsetType, Meta(description="What the tournament is called; by default as its file.")
    ] = UNSET
    players: Annotated[
        Annotated[int, _count(2, 5)] | UnsetType,
        Meta(description="The seats in a game; by default the fewest that the game allows."),
    ] = UNSET
    options: Annotated[
        dict[str, Text],
        _expect("options with text values"),
        Meta(description="Options of the game; see `arena games`."),
    ] = {}
    schedule: Annotated[ScheduleKeys, Meta(description="Who plays whom.")] = msgspec.field(
        default_factory=ScheduleKeys
    )
    seed: Annotated[
        int,
        _expect("a whole number from 0 to 9223372036854775807", ge=0, le=2**63 - 1),
        Meta(description="What all chance comes from: same seed, same boards."),
    ] = 1
    clock: Annotated[ClockKeys, Meta(description="The time that bots have.")] = msgspec.field(
        default_factory=ClockKeys
    )
    workers: Annotated[
        Literal["auto"] | Annotated[int, Meta(ge=1, le=10_000)],
        _expect("auto or a whole number from 1 to 10000"),
        Meta(description="Games at once; auto is the number of cores."),
    ] = "auto"
    cpus: Annotated[Cpus, Meta(description="The cores that each bot may use unless it says otherwise.")] = 1
    limits: Annotated[LimitsKeys, Meta(description="What each bot may use of the machine.")] = msgspec.field(
        default_factory=LimitsKeys
    )
    sandbox: Annotated[
        Literal["auto", "strict", "off"],
        _expect("auto, strict or off"),
        Meta(
            description="auto: the best isolation that works here; strict: full isolation or no game; "
            "off: bots run with your own rights."
        ),
    ] = "auto"
    ratings: Annotated[RatingsKeys, Meta(description="How ratings are worked out.")] = msgspec.field(
        default_factory=RatingsKeys
    )
    stop: Annotated[StopKeys, Meta(description="When to stop before all is played.")] = msgspec.field(
        default_factory=StopKeys
    )
    output: Annotated[
        Word | UnsetType,
        _expect("a path"),
        Meta(description="The folder for the results; by default results/NAME beside this file."),
    ] = UNSET


def schema() -> dict[str, Any]:
    """Return the JSON schema of the file."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tournament of the arena",
        **msgspec.json.schema(FileKeys),
    }
