"""Who sits on a seat: a bot's program that may be kept over matches, or a person.

A `Program` joins a process with its conversation and what must be remembered between matches: what it said
of itself, its CPU time so far. It neither waits nor judges.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from arena.match import Bot, Restart
from arena.process import Ending, Process
from protocol.connection import Connection, Side
from protocol.messages import Quit, Ready

# (seat, bot's name, ">" to it, "<" from it or "!" for its stderr, the bytes)
Wire = Callable[[int, str, str, bytes], None]
TICK = 1_000_000 // os.sysconf("SC_CLK_TCK")  # microseconds
LOOK = 5 * TICK  # between two looks at descendants: one takes as long as some actions of quick bots


class Person:
    """A seat that is played by a function: all that it is told in, its answer out (b"" where none is due)."""

    def __init__(self, name: str, answer: Callable[[bytes], bytes]) -> None:
        """Take the function; it may take its time."""
        self.name = name
        self.answer = answer
        self.talk = Connection(Side.REFEREE)
        self.ready: Ready | None = None


class Program:
    """A bot with its process, if it has one, and their conversation."""

    def __init__(self, bot: Bot) -> None:
        """Begin without a process."""
        self.bot = bot
        self.name = bot.name
        self.talk = Connection(Side.REFEREE)
        self.ready: Ready | None = None  # what it said in answer to `arena`, known after its first match
        self.process: Process | None = None
        self.ended: Ending | None = None
        self.tail = ""  # the newest part of its stderr, once it has ended
        self._looked = 0  # when descendants were looked at, and what they had used
        self._children = 0.0
        self.charged = 0.0  # CPU seconds that matches before this one were charged with

    @property
    def is_clean(self) -> bool:
        """Tell whether it can play another match: it owes nothing. One that has ended is replaced then."""
        return (
            self.bot.restart is Restart.NEVER
            and self.process is not None
            and self.talk.is_idle
            and self.process.flush()
        )

    def say_farewell(self) -> bytes:
        """Say `quit` and close its stdin, so that it can leave by itself; return what was said."""
        assert self.process is not None
        said = self.talk.send(Quit()) if self.talk.is_open else b""
        if said:
            self.process.write(said)
        self.process.hang_up()
        return said

    def note_end(self, ending: Ending) -> None:
        """Keep what is wanted of its process after that is gone."""
        assert self.process is not None
        self.tail = self.process.tail
        self.ended = ending
        self.process = None

    def cpu(self, at: int, own: Callable[[int], float]) -> float:
        """Return the CPU seconds of its process and all descendants so far; `own` reads one's clock.

        The kernel tells the time of descendants in ticks. Quick matches share a look: what came between two
        looks is charged to the match of the second.
        """
        if self.process is None:
            return self.ended.cpu if self.ended else 0.0
        if at - self._looked > LOOK:
            self._looked = at
            self._children = self.process.children_ticks() * TICK / 1e6
        return own(self.process.pid) + self._children


class StderrLog:
    """A bot's stderr on disk, all processes of it one after the other, up to a limit; the rest is dropped."""

    def __init__(self, path: Path, limit: int) -> None:
        """Open the file for appending; what it has already counts."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o644)
        self._room = limit - os.fstat(self._fd).st_size

    def write(self, data: bytes) -> None:
        """Append what fits."""
        data = data[: max(0, self._room)]
        if data:
            self._room -= os.write(self._fd, data)

    def close(self) -> None:
        """Close the file."""
        os.close(self._fd)
