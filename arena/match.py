"""The values that a match is made of: who plays what under which clock, and what came of it.

Everything here is immutable data with a JSON form; nothing here plays. Times are whole microseconds,
sizes whole bytes.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple


class FaultKind(enum.StrEnum):
    """What a bot did wrong, as told in `out` and recorded."""

    STARTUP = "startup"  # no program, or no `ready` in time
    CRASH = "crash"  # ended, or closed its stdout
    TIMEOUT = "timeout"
    ILLEGAL = "illegal"  # an action that the rules forbid
    PROTOCOL = "protocol"  # unreadable, out of turn, too long, flooding


class Restart(enum.StrEnum):
    """When a bot gets a new process; after a fault it always does."""

    NEVER = "never"
    ALWAYS = "always"  # for each match


@dataclass(frozen=True, slots=True)
class Clock:
    """The time that bots have, in microseconds."""

    move: int = 1_000_000  # for each action anew
    bank: int = 0  # pays for what an action takes beyond `move`
    increment: int = 0  # goes into the bank after each action
    margin: int = 50_000  # what the referee forgives
    startup: int = 10_000_000  # to each `ready`; a JVM on a busy machine takes seconds


@dataclass(frozen=True, slots=True)
class Limits:
    """What each bot may use of the machine; bytes, counts and seconds."""

    memory: int = 1 << 30
    processes: int = 64  # threads count; a JVM starts some 25
    stderr: int = 1 << 20  # kept in logs/; more is dropped
    files: int = 256  # open at once
    file_size: int = 64 << 20
    scratch: int = 64 << 20
    cpu: int = 0  # seconds of a process; 0 for no limit


@dataclass(frozen=True, slots=True)
class Bot:
    """A configured program; paths are absolute."""

    name: str
    command: tuple[str, ...]
    folder: Path  # its own folder, and where it runs
    build: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    restart: Restart = Restart.NEVER
    cpus: int = 1
    keep: Path | None = None
    files: tuple[str, ...] = ()  # what travels to other machines; () for the whole folder


class Match(NamedTuple):
    """One play of a game that is to be made: a line-up by seat on one board.

    A tuple, since a plan makes a million: a frozen dataclass takes four times as long.
    """

    id: str
    block: str
    round: int
    game: str
    options: Mapping[str, str]
    seed: int
    bots: tuple[str, ...]  # names by seat

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return len(self.bots)


class Played(NamedTuple):
    """An action as it was made: by whom, its text, how long it took, and the bot's remarks before it.

    A tuple, since one is made for every action: a frozen dataclass takes three times as long.
    """

    seat: int
    text: str
    micros: int
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fault:
    """What took a seat out of a match: the kind for programs, the sentence for people."""

    seat: int
    kind: FaultKind
    action: int  # how many actions had been made
    text: str
    stderr: str = ""  # its newest part

    def dump(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "seat": self.seat,
            "kind": self.kind.value,
            "action": self.action,
            "text": self.text,
            "stderr": self.stderr,
        }


class Result(NamedTuple):
    """What came of a match. A void one was nobody's fault; `text` says why, and nothing of it counts."""

    match: Match
    setup: Mapping[str, Any]
    actions: tuple[Played, ...] = ()
    scores: tuple[int, ...] = ()
    parts: tuple[Mapping[str, int], ...] = ()
    ranks: tuple[int, ...] = ()
    faults: tuple[Fault, ...] = ()
    cpu: tuple[float, ...] = ()  # seconds by seat, children included
    told: tuple[Mapping[str, str], ...] = ()  # by seat what `ready` said: name, version, author
    void: bool = False
    text: str = ""

    def dump(self) -> dict[str, Any]:
        """Return the journal's record of this match."""
        record: dict[str, Any] = {
            "id": self.match.id,
            "block": self.match.block,
            "round": self.match.round,
            "bots": list(self.match.bots),
            "setup": dict(self.setup),
            # each as seat, text, microseconds, and remarks only where there are any
            "actions": [action if action[3] else action[:3] for action in self.actions],
            "scores": list(self.scores),
            "parts": [dict(parts) for parts in self.parts],
            "ranks": list(self.ranks),
            "faults": [fault.dump() for fault in self.faults],
            "cpu": [round(seconds, 6) for seconds in self.cpu],
            "told": [dict(told) for told in self.told],
            "void": self.void,
        }
        if self.text:
            record["text"] = self.text
        return record
