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
from dataclasses import dataclass
from pathlib import Path

from arena import events, header, outputs, rehearsal, stopping
from arena.config import Config
from arena.crew import Crew, LocalCrew, share_cores
from arena.driver import STARTS, Table, now, wall
from arena.folder import Folder
from arena.games.base import load_game
from arena.journal import Journal
from arena.ledger import Ledger
from arena.logbook import logbook
from arena.match import Bot, Limits
from arena.process import Launch
from arena.sandbox import Isolation, choose, extras
from arena.schedule import make_plan
from arena.signals import Signals, Wish
from arena.standings import Settings, Standings, standings
from arena.tournament import Tournament

_log = logging.getLogger(__name__)

LOG = "arena.log"
LOGS = "logs"
REPORT = "report.html"

Tell = Callable[[events.Event], None]
Rule = Callable[[Ledger], str | None]


@dataclass(frozen=True, slots=True)
class Ground:
    """What a crew needs to play a tournament's matches; the same for every worker."""

    config: Config
    isolation: Isolation
    logs: Path
    disown: Callable[[], None]  # closes, in a forked worker, what only the run may hold

    def open_table(self, cores: frozenset[int] = frozenset()) -> Table:
        """Return a table for these cores; a bot that asks for fewer gets fewer."""

        def launch(bot: Bot, limits: Limits) -> Launch:
            fewer = frozenset(sorted(cores)[: bot.cpus]) if bot.cpus < len(cores) else frozenset[int]()
            return self.isolation.launch(bot, limits, cpus=fewer)

        bots = {bot.name: bot for bot in self.config.bots}
        return Table(bots, self.config.clock, self.config.limits, launch=launch, logs=self.logs)


def local_crew(ground: Ground) -> Crew:
    """Return workers on this machine: as many as the file says, pinned to their cores."""
    cpus = max(bot.cpus for bot in ground.config.bots)
    cores = share_cores(ground.config.workers, cpus)
    return LocalCrew(cores, ground.open_table, ground.disown)


def play(
    config: Config,
    signals: Signals,
    tell: Tell,
    *,
    hire: Callable[[Ground], Crew] = local_crew,
    rule: Rule | None = None,
    repair: bool = False,
    accept_changed_bots: bool = False,
    report: bool = True,
) -> tuple[events.End, Standings]:
    """Play what is missing of a tournament and write its results; return how it ended, and the table.

    `hire` opens the crew, `rule` is one more reason to stop before all is played, `report` whether a report
    is written too. UserError where the tournament cannot be begun or gone on with; FolderError where the
    results cannot be written.
    """
    # The table's linear algebra is small; its threads would only disturb the matches, and outlive a fork.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    folder = Folder(config.output)
    folder.hold(wall())
    try:
        with Journal(folder, now) as journal:
            venue = _Venue(config, folder, journal, signals, tell, hire, accept_changed_bots)
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
        hire: Callable[[Ground], Crew],
        accept_changed_bots: bool,
    ) -> None:
        self._config, self._folder, self._journal = config, folder, journal
        self._signals, self._tell, self._hire = signals, tell, hire
        self._accept = accept_changed_bots
        self._plan = make_plan(config)
        self._ledger = Ledger(config, adaptive=self._plan.adaptive)
        self._settings = _settings(config)
        self._open = contextlib.ExitStack()

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
        stopped = None if end.reason is events.Reason.FINISHED else end.text.removeprefix("stopped ")
        table = self._standings(stopped)
        news = outputs.write(self._folder, table)
        if report and table.games and self._signals.wish is not Wish.NOW:
            self._report(table, news)
        self._tell(events.Table(table))
        self._tell(end)
        return end, table

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

    def _standings(self, stopped: str | None = None) -> Standings:
        return standings(self._ledger.tally, self._settings, stopped)

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
        config, logs = self._config, self._folder.path / LOGS
        self._open.enter_context(logbook(self._folder.path / LOG))
        isolation = choose(config.sandbox, now)
        for notice in isolation.notices:
            self._tell(events.Notice(notice))
        for bot in config.bots:
            if shown := extras(bot):
                _log.info("%s is shown, besides its own folder: %s", bot.name, ", ".join(map(str, shown)))
        rehearsal.build(
            config.bots, config.limits, isolation.build, now, lambda text: self._tell(events.Notice(text))
        )
        made = header.make(config, isolation.dump(), wall())
        if self._journal.header is not None:
            agreed = header.agree(
                self._journal.header, made, self._ledger.done, self._folder.path, accept=self._accept
            )
            made = agreed.header
            for notice in agreed.notices:
                self._tell(events.Notice(notice))
        rehearsal.rehearse(config.bots, config.limits, isolation.launch, config.clock.startup, now, STARTS)
        self._journal.begin(made)
        crew = self._hire(Ground(config, isolation, logs, self._disown))
        _log.info(
            "%s: %d of %d matches are done; %d workers, isolation %s",
            config.name,
            self._ledger.done,
            self._plan.matches,
            crew.size,
            isolation.tier.value,
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
                isolation.tier.value,
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
