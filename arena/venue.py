"""Where a tournament takes place: everything around the loop that plays it.

Holds the folder, reads the journal, and only where something is missing builds and greets the bots, chooses
their isolation and opens a crew. At the end it writes what is worked out from the journal. `arena
tournament` and `arena match` are both this, with other values.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
from collections.abc import Callable

from arena import events, header, outputs, stopping
from arena.config import Config
from arena.crew import Crew
from arena.driver import now, wall
from arena.folder import Folder
from arena.games.base import load_game
from arena.journal import Journal
from arena.ledger import Ledger
from arena.logbook import logbook
from arena.schedule import make_plan
from arena.signals import Signals, Wish
from arena.site import LocalSite, Site, Tell
from arena.standings import Close, Settings, Standings, standings
from arena.tournament import Tournament

_log = logging.getLogger(__name__)

LOG = "arena.log"
LOGS = "logs"
REPORT = "report.html"

Rule = Callable[[Ledger], str | None]


def play(
    config: Config,
    signals: Signals,
    tell: Tell,
    *,
    site: Site | None = None,
    rule: Rule | None = None,
    repair: bool = False,
    accept_changed_bots: bool = False,
    report: bool = True,
) -> tuple[events.End, Standings]:
    """Play what is missing of a tournament and write its results; return how it ended, and the table.

    `site` is where, by default this machine; `rule` is one more reason to stop before all is played,
    `report` whether a report is written too. UserError where the tournament cannot be begun or
    gone on with; FolderError where the results cannot be written.
    """
    # The table's linear algebra is small; its threads would only disturb the matches, and outlive a fork.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    folder = Folder(config.output)
    folder.hold(wall())
    try:
        with Journal(folder, now) as journal:
            venue = _Venue(config, folder, journal, signals, tell, site or LocalSite(), accept_changed_bots)
            return venue.play(rule, repair, report)
    finally:
        folder.release()


class _Venue:
    """One run, with everything that it holds."""

    def __init__(
        self,
        config: Config,
        folder: Folder,
        journal: Journal,
        signals: Signals,
        tell: Tell,
        site: Site,
        accept_changed_bots: bool,
    ) -> None:
        self._config, self._folder, self._journal = config, folder, journal
        self._signals, self._tell, self._site = signals, tell, site
        self._accept = accept_changed_bots
        self._plan = make_plan(config)
        self._ledger = Ledger(config, adaptive=self._plan.adaptive)
        self._settings = _settings(config)
        self._open = contextlib.ExitStack()
        self._files: dict[str, dict[str, str]] = {}  # hashes of the bots' programs, once they are known

    def play(self, rule: Rule | None, repair: bool, report: bool) -> tuple[events.End, Standings]:
        """Read what is there, play what is missing, write what comes of it."""
        self._recall(repair)
        with self._open:
            end = Tournament(
                self._config,
                self._plan,
                self._ledger,
                self._journal,
                self._open_crew,
                self._signals,
                now=now,
                tell=self._tell,
                standings=self._standings,
                publish=functools.partial(outputs.write, self._folder),
                rule=self._rule(rule),
            ).run()
        self._check_programs()
        table = self._standings(self._close(end))
        news = outputs.write(self._folder, table)
        if report and table.games and self._signals.wish is not Wish.NOW:
            self._report(table, news)
        if table.close.decided:
            self._tell(events.Notice(table.close.decided))
        self._tell(events.Table(table))
        self._tell(end)
        return end, table

    def _close(self, end: events.End) -> Close:
        if end.reason is not events.Reason.FINISHED:
            return Close(stopped=end.text.removeprefix("stopped "))
        return Close(decided=self._plan.verdict(self._ledger.finished) or None)

    def _check_programs(self) -> None:
        """Tell of bots whose program is not the one that played."""
        if self._files:
            for change in header.changed_files(self._files, header.all_hashes(self._config)):
                self._tell(events.Notice(f"{change} while the tournament ran"))
        elif self._journal.header is not None:  # nothing was left to play, so nobody has looked yet
            played, now_there = self._journal.header.get("files", {}), header.all_hashes(self._config)
            for change in header.changed_files(played, now_there, in_both=True):
                self._tell(events.Notice(f"{change} since it played; --output FOLDER plays it anew"))

    def _report(self, table: Standings, news: bool) -> None:
        """Write the report, unless there is one and nothing has changed since."""
        if news or not (self._folder.path / REPORT).exists():
            problem = outputs.write_report(self._folder, table)
            if problem:
                self._tell(events.Notice(problem))

    def _recall(self, repair: bool) -> None:
        checked = False
        for head in self._journal.recover(repair=repair):
            if not checked:
                self._check()
                checked = True
            self._ledger.recall(head)
        self._check()
        for notice in self._journal.notices:
            self._tell(events.Notice(notice))
        if self._ledger.repeated:
            self._tell(
                events.Notice(f"{self._ledger.repeated} games are in the journal twice; the first counts")
            )

    def _check(self) -> None:
        if self._journal.header is not None:
            header.refuse_differences(self._journal.header, self._config, self._folder.path)

    def _standings(self, close: Close | None = None) -> Standings:
        return standings(self._ledger.tally, self._settings, close)

    def _rule(self, rule: Rule | None) -> Callable[[], str | None] | None:
        """Return the rules that look at results as one, None where there are none."""
        stop = self._config.stop
        if rule is None and stop.error is None and not stop.best:
            return None

        def reason() -> str | None:
            found = rule(self._ledger) if rule is not None else None
            if found is None and (stop.error is not None or stop.best):
                found = stopping.reason(stop, self._standings())
            return found

        return reason

    def _open_crew(self) -> Crew:
        """Prepare everything for the first match; UserError says what is wrong before any is played."""
        # Loaded now: in the middle of the games it would take a core from those who play.
        import numpy.ma  # noqa: F401 - for the tables; numpy itself loads this part only when it sorts

        config, logs = self._config, self._folder.path / LOGS
        self._open.enter_context(logbook(self._folder.path / LOG))
        self._open.callback(self._site.close)
        told = self._site.prepare(config, self._tell)
        made = {**header.make(config, told["isolation"], wall()), **told}
        if self._journal.header is not None:
            agreed = header.agree(
                self._journal.header, made, self._ledger.done, self._folder.path, accept=self._accept
            )
            made = agreed.header
            for notice in agreed.notices:
                self._tell(events.Notice(notice))
        self._site.rehearse()
        self._journal.begin(made)
        # What was packed for other machines plays there, whatever becomes of it here.
        self._files = {} if "parcels" in told else made["files"]
        crew = self._site.hire(logs, self._disown)
        _log.info(
            "%s: %d of %d matches are done; %d workers, isolation %s",
            config.name,
            self._ledger.done,
            self._plan.matches,
            crew.size,
            told["isolation"]["tier"],
        )
        self._tell(
            events.Begin(
                config.name,
                config.game,
                config.players,
                tuple(bot.name for bot in config.bots),
                str(config.output),
                self._plan.matches,
                self._plan.exact,
                self._ledger.done,
                crew.size,
                told["isolation"]["tier"],
            )
        )
        return crew

    def _disown(self) -> None:
        self._folder.disown()
        self._journal.disown()


def _settings(config: Config) -> Settings:
    ratings = config.ratings
    return Settings(
        outcome=ratings.outcome or load_game(config.game).outcome,
        prior=ratings.prior,
        seats=ratings.seats,
        anchor=dict([ratings.anchor]) if ratings.anchor else {},
    )
