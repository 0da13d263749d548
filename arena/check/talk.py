"""One process of the bot under examination: bytes to it and from it, until when, and all that was said.

It waits for one bot only, so it needs no more than one poll. Time is read through the function that it is
given. What the bytes mean is the business of `bout` and of the trials.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from arena.guardian import descendants
from arena.process import Process
from protocol import transcript
from protocol.transcript import Mark, Step

MILLI = 1000
PAGE = os.sysconf("SC_PAGE_SIZE")
SHOWN = 24  # steps of a conversation around a failure
WIDE = 160  # characters of a step


class Talk:
    """A started bot and the conversation with it."""

    def __init__(self, process: Process, now: Callable[[], int]) -> None:
        """Take a process that was just started."""
        self.process = process
        self._now = now
        self.steps: list[Step] = []
        self._begun = b""  # of a line that the bot has not ended
        self._open = True  # whether its stdout may have more
        self._errors = True
        self.stderr_size = 0
        process.log_to(self._count)

    def _count(self, data: bytes) -> None:
        self.stderr_size += len(data)

    def say(self, data: bytes) -> None:
        """Write to the bot, as much as it takes now; the rest goes while we wait."""
        self._note_begun()
        self.steps += [Step(Mark.REFEREE, line) for line in data.decode("ascii").split("\n")[:-1]]
        self.process.write(data)

    def say_in_pieces(self, data: bytes, cuts: int, pause: int) -> None:
        """Write in pieces that end in the middle of lines, with pauses of microseconds between."""
        self._note_begun()
        self.steps += [Step(Mark.REFEREE, line) for line in data.decode("ascii").split("\n")[:-1]]
        size = max(1, len(data) // cuts)
        for start in range(0, len(data), size):
            self.process.write(data[start : start + size])
            self._rest(pause)

    def _rest(self, micros: int) -> None:
        """Let some time pass without reading."""
        until = self._now() + micros
        poller = select.poll()
        while (left := until - self._now()) > 0:
            poller.poll(left // MILLI + 1)
            self.process.flush()

    def wait(self, until: int) -> bytes | None:
        """Return what the bot says next, b"" at its end, None where nothing came until then."""
        process = self.process
        while True:
            poller = select.poll()
            if self._open:
                poller.register(process.stdout, select.POLLIN)
            if self._errors:
                poller.register(process.stderr, select.POLLIN)
            poller.register(process.pidfd, select.POLLIN)
            if process.stdin >= 0 and not process.flush():
                poller.register(process.stdin, select.POLLOUT)
            left = until - self._now()
            events = dict(poller.poll(max(0, left) // MILLI + 1 if left > 0 else 0))
            if process.stderr in events:
                self._errors = process.drain()
            if self._open and (process.stdout in events or process.pidfd in events):
                data = process.read()
                if data:
                    self._hear(data)
                    return data
                if data == b"" or process.pidfd in events:
                    self._open = False
                    self._note_begun()
                    self.steps.append(Step(Mark.END))
                    return b""
            elif not self._open and process.pidfd in events:
                return b""
            if self._now() >= until:
                return None

    def leaves(self, until: int) -> bool:
        """Tell whether the program ends until then; what it says on its way is written down."""
        while self._open and self.wait(until) is not None:
            pass
        left = max(0, until - self._now())
        ended = self.process.exited(left // MILLI + 1)
        with suppress(OSError):
            self.process.drain()
        return ended

    def hang_up(self) -> None:
        """Close its stdin."""
        self.process.hang_up()

    def end(self) -> None:
        """Kill it with all that came of it."""
        self.process.end()

    def memory(self) -> int:
        """Return the bytes of memory that the bot and all its descendants hold now."""
        pages = 0
        for pid in (self.process.pid, *descendants(self.process.pid)):
            with suppress(OSError):
                pages += int(Path(f"/proc/{pid}/statm").read_text().split()[1])
        return pages * PAGE

    @property
    def stderr(self) -> str:
        """Return the newest part of what it wrote there."""
        return self.process.tail

    def _hear(self, data: bytes) -> None:
        *lines, self._begun = (self._begun + data).split(b"\n")
        self.steps += [Step(Mark.BOT, transcript.show(line)) for line in lines[:SHOWN]]

    def _note_begun(self) -> None:
        """Write down a line that was begun before something else happened."""
        if self._begun:
            self.steps.append(Step(Mark.BEGUN, transcript.show(self._begun[:WIDE])))
            self._begun = b""

    def conversation(self) -> tuple[str, ...]:
        """Return the newest steps as text, long lines cut."""
        self._note_begun()
        lines = [f"{step.mark} {step.text}".rstrip() for step in self.steps]
        kept = lines if len(lines) <= SHOWN else ["...", *lines[-SHOWN:]]
        return tuple(line if len(line) <= WIDE else f"{line[:WIDE]} ..." for line in kept)
