"""What a run tells while it goes: values for those who show them, with a stable JSON form for programs.

Each line of `arena tournament --json` is one of these. Every object has `event`; keys are only ever added.

| event | when | keys |
| --- | --- | --- |
| `begin` | once, before the first match | `name`, `game`, `players`, `bots`, `output`, `games` (in all), `exact` (false where more may follow, as in a knockout), `done` (before this run), `workers`, `isolation` |
| `game` | a match is in the journal | `id`, `block`, `round`, `bots`, `ranks`, `scores` (by seat), `faults` (each `seat`, `bot`, `kind`, `text`), `micros`, `done`, `games` |
| `void` | a match came to nothing, by nobody's fault | `id`, `bots`, `text`, `final` (true: given up, otherwise played again) |
| `notice` | something that people should know | `text` |
| `progress` | every few seconds | `done`, `games`, `rate` (matches a second), `left` (seconds, null if unknown), `playing` (line-ups) |
| `standings` | every few seconds, and at the end | `standings`: as in `standings.json` |
| `end` | once, last | `reason` (`finished`, `rule`, `signal`, `gone`, `error`), `text`, `played` (in this run), `done`, `games`, `void` (given up), `seconds`, `output` |
"""  # noqa: E501 - a table's row is a line

from __future__ import annotations

import enum
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from arena.standings import Standings


class Reason(enum.StrEnum):
    """Why a run ended."""

    FINISHED = "finished"  # all is played
    RULE = "rule"  # a stop rule of the file
    SIGNAL = "signal"
    GONE = "gone"  # those who play cannot be reached any more
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class Begin:
    """A run is about to play."""

    name: str
    game: str
    players: int
    bots: tuple[str, ...]
    output: str
    games: int
    exact: bool
    done: int
    workers: int
    isolation: str


@dataclass(frozen=True, slots=True)
class BotFault:
    """A fault with the bot's name beside its seat."""

    seat: int
    bot: str
    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Game:
    """A match is in the journal."""

    id: str
    block: str
    round: int
    bots: tuple[str, ...]
    ranks: tuple[int, ...]
    scores: tuple[int, ...]
    faults: tuple[BotFault, ...]
    micros: int
    done: int
    games: int


@dataclass(frozen=True, slots=True)
class Void:
    """A match came to nothing."""

    id: str
    bots: tuple[str, ...]
    text: str
    final: bool


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that people should know."""

    text: str


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the run is."""

    done: int
    games: int
    rate: float
    left: float | None
    playing: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The standings so far, or at the end."""

    standings: Standings


@dataclass(frozen=True, slots=True)
class End:
    """The run is over; everything is written."""

    reason: Reason
    text: str
    played: int
    done: int
    games: int
    void: int
    seconds: float
    output: str


Event = Begin | Game | Void | Notice | Progress | Table | End
if TYPE_CHECKING:
    Tell = Callable[[Event], None]

_NAMES: dict[type[Any], str] = {
    Begin: "begin",
    Game: "game",
    Void: "void",
    Notice: "notice",
    Progress: "progress",
    Table: "standings",
    End: "end",
}


def dump(event: Event) -> dict[str, Any]:
    """Return an event's JSON form."""
    name = {"event": _NAMES[type(event)]}
    if isinstance(event, Table):
        return {**name, "standings": event.standings.dump()}
    return {**name, **asdict(event)}
