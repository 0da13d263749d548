"""Shows people, or programs, what a run tells: plain lines, JSON lines, or nothing.

The live display for terminals is `live.py`. A display writes to the stream that it is given and never stops
a run: when whoever reads it goes away (`| head`, a closed terminal), it falls silent.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TextIO

from arena import events
from arena.escape import printable

if TYPE_CHECKING:
    from arena.standings import Standings

OFTEN = 8  # a progress event in so many is told to programs: one in two seconds
SELDOM = 40  # and to people who read lines: one in ten seconds
SHOWN = 20  # faults of one bot that are told as they come; the table counts them all


class Steady(io.TextIOBase):
    """A stream that takes everything, also when nobody reads the one behind it any more."""

    def __init__(self, stream: TextIO) -> None:
        super().__init__()
        self._stream = stream
        self.is_open = True

    @property
    def encoding(self) -> str:  # type: ignore[override]  # a property where typeshed has an attribute
        """Return the encoding of the stream behind."""
        return self._stream.encoding

    def isatty(self) -> bool:
        """Tell whether the stream behind is a terminal."""
        return self.is_open and self._stream.isatty()

    def fileno(self) -> int:
        """Return the descriptor of the stream behind."""
        return self._stream.fileno()

    def write(self, text: str) -> int:
        """Write, or do nothing."""
        if self.is_open:
            with self._enduring():
                self._stream.write(text)
        return len(text)

    def flush(self) -> None:
        """Flush, or do nothing."""
        if self.is_open:
            with self._enduring():
                self._stream.flush()

    @contextlib.contextmanager
    def _enduring(self) -> Iterator[None]:
        try:
            yield
        except UnicodeEncodeError:
            raise
        except (OSError, ValueError):  # a broken pipe, a terminal that is gone, a closed file
            self.is_open = False
            # What is left in the buffer would fail again when Python ends, and change the exit status.
            with contextlib.suppress(OSError, ValueError):
                void = os.open(os.devnull, os.O_WRONLY)
                os.dup2(void, self._stream.fileno())
                os.close(void)


def quiet(event: events.Event) -> None:
    """Show nothing; what is wrong is said by the command's end."""


class JsonLines:
    """Writes every event as a line of JSON."""

    def __init__(self, stream: Steady) -> None:
        self._stream = stream
        self._count = 0

    def tell(self, event: events.Event) -> None:
        """Write an event; of the frequent ones only some."""
        if isinstance(event, events.Progress):
            self._count += 1
            if self._count % OFTEN != 1:
                return
        self._stream.write(json.dumps(events.dump(event), separators=(",", ":"), allow_nan=False) + "\n")
        self._stream.flush()


class PlainLines:
    """Writes what people want to know as lines: for files, pipes and continuous integration."""

    def __init__(self, stream: Steady) -> None:
        self._stream = stream
        self._count = 0
        self._faults: dict[str, int] = {}
        self._table: Standings | None = None

    def tell(self, event: events.Event) -> None:
        """Write an event if it is worth a line."""
        if isinstance(event, events.Table):
            self._table = event.standings
        elif isinstance(event, events.Progress):
            self._count += 1
            if self._count % SELDOM == 0:
                self._say(progress_line(event))
        elif isinstance(event, events.Game):
            for fault in event.faults:
                self._faults[fault.bot] = self._faults.get(fault.bot, 0) + 1
                if self._faults[fault.bot] <= SHOWN:
                    self._say(fault_line(event.id, fault))
                if self._faults[fault.bot] == SHOWN:
                    self._say(f"{fault.bot}: further faults are counted in the table")
        elif isinstance(event, events.Begin):
            self._say(begin_line(event))
        elif isinstance(event, events.Void):
            self._say(void_line(event))
        elif isinstance(event, events.Notice):
            self._say(event.text)
        else:
            if self._table is not None:
                self._stream.write(table_text(self._table))
            self._say(end_line(event))

    def _say(self, line: str) -> None:
        self._stream.write(printable(line) + "\n")
        self._stream.flush()


def table_text(standings: Standings) -> str:
    """Return the final table with its footers as plain text."""
    from arena.report import tables

    return tables.text(tables.tables(standings), tables.footers(standings), standings.warnings)


def begin_line(event: events.Begin) -> str:
    """Say what is about to be played."""
    about = "" if event.exact else "at least "
    done = f", {event.done} done" if event.done else ""
    return (
        f"{event.name}: {event.game} for {event.players}, {len(event.bots)} bots, "
        f"{about}{event.games} games{done}; {event.workers} at once, isolation {event.isolation}"
    )


def progress_line(event: events.Progress) -> str:
    """Say how far the run is."""
    left = f", {duration(event.left)} left" if event.left is not None else ""
    return f"{event.done} of {event.games} games, {rate(event.rate)}{left}"


def fault_line(game: str, fault: events.BotFault) -> str:
    """Say what a bot did wrong."""
    return f"game {game}: {fault.bot}: {fault.kind}: {fault.text}"


def void_line(event: events.Void) -> str:
    """Say that a match came to nothing."""
    fate = "given up" if event.final else "played again"
    return f"game {event.id} is void and {fate}: {event.text}"


def end_line(event: events.End) -> str:
    """Say how the run ended; why it stopped early is a footer of the table, and said once."""
    told = event.done and event.reason in (events.Reason.RULE, events.Reason.SIGNAL)
    text = "stopped" if told else event.text
    void = f", {event.void} of them void" if event.void else ""
    now = f" ({event.played} now, in {duration(event.seconds)})" if event.played else ""
    what = "results" if event.reason is events.Reason.SIGNAL or not event.done else "results and report.html"
    where = f"; {what} in {near(event.output)}" if event.output else ""
    return f"{text}: {event.done} of {event.games} games{void}{now}{where}"


def near(path: str) -> str:
    """Return a path as a user here would type it: relative where it lies below, as it is elsewhere."""
    try:
        short = os.path.relpath(path)
    except OSError:  # the folder that we were started in is gone
        return path
    return path if short.startswith("..") else short


def rate(games: float) -> str:
    """Return a pace in the unit that makes it readable."""
    if games >= 1 or games == 0:
        return f"{games:.1f} games/s"
    return f"{games * 60:.1f} games/min" if games >= 1 / 60 else f"{games * 3600:.1f} games/h"


def duration(seconds: float) -> str:
    """Return a time as people say it: 12 s, 3:05 min, 2:10 h."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:
        return f"{minutes}:{rest:02} min"
    return f"{minutes // 60}:{minutes % 60:02} h"


@contextlib.contextmanager
def opened(
    stream: TextIO, *, is_quiet: bool = False, as_json: bool = False
) -> Iterator[Callable[[events.Event], None]]:
    """Give what shows events on a stream in the way that suits it."""
    steady = Steady(stream)
    if as_json:
        yield JsonLines(steady).tell
    elif is_quiet:
        yield quiet
    elif steady.isatty() and os.environ.get("TERM", "dumb") != "dumb":
        from arena.live import Live

        with Live(steady) as live:
            yield live.tell
    else:
        yield PlainLines(steady).tell
