"""What the user asked a run to do by a signal: end soon, or end now.

Ctrl-C once lets running matches end, twice ends them. SIGTERM and SIGHUP end them at once: who sends those
does not wait. A signal that was ignored when we were started (`nohup`) stays ignored. Before a run plays,
there is nothing to bring home: a signal then raises `Stopped` where we are.
"""

from __future__ import annotations

import contextlib
import enum
import os
import signal
from types import FrameType, TracebackType
from typing import Any, Self

from arena.errors import Stopped

_WATCHED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Wish(enum.IntEnum):
    """How soon a run is to end."""

    NONE = 0
    SOON = 1  # no new matches; those that run may end
    NOW = 2


class Signals:
    """Notes signals while its scope lasts; `fileno` is readable once one has come."""

    def __init__(self) -> None:
        self.wish = Wish.NONE
        self.name = ""
        self.playing = False  # whether there is something to bring home
        self._read, self._write = -1, -1
        self._before: dict[signal.Signals, Any] = {}
        self._wakeup = -1

    def __enter__(self) -> Self:
        self._read, self._write = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._wakeup = signal.set_wakeup_fd(self._write, warn_on_full_buffer=False)
        for number in _WATCHED:
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._wakeup)
        os.close(self._read)
        os.close(self._write)

    def fileno(self) -> int:
        """Return a descriptor that becomes readable with each signal."""
        return self._read

    def drain(self) -> None:
        """Make the descriptor unreadable until the next signal."""
        with contextlib.suppress(BlockingIOError):
            os.read(self._read, 4096)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.name = signal.Signals(number).name
        if not self.playing:
            raise Stopped(f"stopped by {self.name} before the first match; nothing was played")
        if number == signal.SIGINT and self.wish is Wish.NONE:
            self.wish = Wish.SOON
        else:
            self.wish = Wish.NOW
