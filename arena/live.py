"""The live display of a run, for terminals: how far, how fast, the table so far, what plays, what went wrong.

Drawn by rich, without a thread of its own: each progress event that the run tells is one refresh.
"""

from __future__ import annotations

from collections import Counter, deque
from types import TracebackType
from typing import IO, Self, cast

from rich.console import Console, Group, RenderableType
from rich.live import Live as RichLive
from rich.progress_bar import ProgressBar
from rich.rule import Rule
from rich.table import Table as Grid
from rich.text import Text

from arena import events
from arena.display import Steady, begin_line, duration, end_line, fault_line, rate, void_line
from arena.escape import printable
from arena.report import tables
from arena.standings import Standings

TROUBLES = 5  # of the latest that stay on the screen
FRAME = 8  # lines of the screen that are not the table's
BAR = 40


class Live:
    """Keeps a picture of the run on a terminal while its scope lasts, and the final table after it."""

    def __init__(self, stream: Steady) -> None:
        self._console = Console(file=cast(IO[str], stream), highlight=False)
        self._live = RichLive(console=self._console, auto_refresh=False, transient=True)
        self._begin: events.Begin | None = None
        self._progress: events.Progress | None = None
        self._table: Standings | None = None
        self._notices: list[str] = []
        self._troubles: deque[str] = deque(maxlen=TROUBLES)
        self._faults: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def tell(self, event: events.Event) -> None:
        """Take an event in; draw where people should see it at once."""
        if isinstance(event, events.Progress):
            self._progress = event
            self._live.update(self._picture(), refresh=True)
        elif isinstance(event, events.Table):
            self._table = event.standings
        elif isinstance(event, events.Game):
            for fault in event.faults:
                self._faults[fault.bot] += 1
                self._troubles.append(fault_line(event.id, fault))
        elif isinstance(event, events.Void):
            self._troubles.append(void_line(event))
        elif isinstance(event, events.Notice):
            self._live.console.print(Text(printable(event.text)))
        elif isinstance(event, events.Begin):
            self._begin = event
            self._live.console.print(Text(printable(begin_line(event)), style="bold"))
        else:
            self._finish(event)

    def _finish(self, event: events.End) -> None:
        self._live.stop()
        for line in self._troubles:
            self._console.print(Text(printable(line), style="red"))
        if self._table is not None:
            self._console.print(_rendered(self._table, len(self._table.groups) * 10_000, footers=True))
        self._console.print(Text(printable(end_line(event)), style="bold"))

    def _picture(self) -> RenderableType:
        parts: list[RenderableType] = []
        if self._progress is not None:
            parts.append(self._bar(self._progress))
        if self._table is not None and self._table.games:
            parts += [Rule(style="dim"), self._standings(self._table)]
        if self._progress is not None and self._progress.playing:
            parts += [Rule(style="dim"), self._playing(self._progress)]
        if self._troubles:
            total = sum(self._faults.values())
            parts.append(Rule(Text(f"{total} faults"), style="dim", align="left"))
            parts += [
                Text(printable(line), style="red", no_wrap=True, overflow="ellipsis")
                for line in self._troubles
            ]
        return Group(*parts)

    def _bar(self, progress: events.Progress) -> RenderableType:
        grid = Grid.grid(padding=(0, 2))
        about = "" if self._begin is None or self._begin.exact else "at least "
        left = "" if progress.left is None else f"{duration(progress.left)} left"
        grid.add_row(
            ProgressBar(total=max(progress.games, 1), completed=progress.done, width=BAR),
            Text(f"{progress.done} of {about}{progress.games} games"),
            Text(rate(progress.rate)),
            Text(left),
        )
        return grid

    def _standings(self, standings: Standings) -> RenderableType:
        """Return the rows that fit on the screen, the best first."""
        room = max(3, self._console.height - FRAME - len(self._troubles))
        return _rendered(standings, room, footers=False)

    def _playing(self, progress: events.Progress) -> Text:
        shown = "   ".join(" - ".join(bots) for bots in progress.playing)
        return Text(printable(f"playing: {shown}"), style="dim", no_wrap=True, overflow="ellipsis")


def _rendered(standings: Standings, room: int, *, footers: bool) -> RenderableType:
    found = []
    for table in tables.tables(standings):
        rows = table.rows[:room]
        room -= len(rows)
        found.append(tables.Table(table.title, table.heading, rows, table.left))
    lines = tables.footers(standings) if footers else []
    hidden = sum(len(group.bots) for group in standings.groups) - sum(len(table.rows) for table in found)
    if hidden > 0 and not footers:
        lines = [f"… and {hidden} more"]
    return tables.rendered(found, lines, standings.warnings if footers else ())
