"""Where bots live and matches are played: what a tournament needs of a place, and this machine as one.

A site builds and greets the bots and opens the crew. A tournament on a cluster differs in its site alone.
"""

from __future__ import annotations

import logging
import resource
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from arena import events, rehearsal
from arena.config import Config
from arena.crew import Crew, LocalCrew, share_cores
from arena.driver import STARTS, Table, now
from arena.errors import UserError
from arena.launch import Launch
from arena.match import Bot, Limits
from arena.sandbox import Isolation, choose, extras

_log = logging.getLogger(__name__)

FILES = 256  # open ones that a process needs besides those for its workers

Tell = Callable[[events.Event], None]


class Site(Protocol):
    """Where a tournament is played. Each is called once, in this order."""

    def prepare(self, config: Config, tell: Tell) -> Mapping[str, Any]:
        """Choose the isolation and build the bots; return what the header records: at least `isolation`."""

    def rehearse(self) -> None:
        """Start and greet every bot; UserError with all that is wrong."""

    def hire(self, logs: Path, disown: Callable[[], None]) -> Crew:
        """Open the crew; `logs` is for stderr, `disown` closes in a fork what only the run may hold."""

    def close(self) -> None:
        """Let go of everything; also called where the others failed."""


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


def local_cores(config: Config) -> list[frozenset[int]]:
    """Return the cores of each worker on this machine: as many workers as the file says."""
    return share_cores(config.workers, max(bot.cpus for bot in config.bots))


def local_crew(ground: Ground) -> Crew:
    """Return workers on this machine, pinned to their cores."""
    cores = local_cores(ground.config)
    _allow_files(len(cores))
    return LocalCrew(cores, ground.open_table, ground.disown)


def _allow_files(workers: int) -> None:
    """Take as many open files as the system gives: one for each worker here, four for each bot there."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    if hard != resource.RLIM_INFINITY and workers + FILES > hard:
        raise UserError(f"{workers} workers need more open files than the {hard} that this system allows")


class LocalSite:
    """This machine."""

    def __init__(self, hire: Callable[[Ground], Crew] = local_crew) -> None:
        """Take what opens the crew."""
        self._hire = hire

    def prepare(self, config: Config, tell: Tell) -> Mapping[str, Any]:
        """Choose the isolation and build the bots."""
        self._config = config
        self._isolation = choose(config.sandbox, now)
        for notice in self._isolation.notices:
            tell(events.Notice(notice))
        cores = local_cores(config)
        if len(cores) > len(set(cores)):
            text = f"{len(cores)} games at once share {len(set(cores))} x {len(cores[0])} cores: "
            tell(events.Notice(text + "bots wait for each other while their clocks run"))
        for bot in config.bots:
            if shown := extras(bot):
                _log.info("%s is shown, besides its own folder: %s", bot.name, ", ".join(map(str, shown)))
        rehearsal.build(
            config.bots, config.limits, self._isolation.build, now, lambda text: tell(events.Notice(text))
        )
        return {"isolation": self._isolation.dump()}

    def rehearse(self) -> None:
        """Start and greet every bot."""
        config, isolation = self._config, self._isolation
        rehearsal.rehearse(config.bots, config.limits, isolation.launch, config.clock.startup, now, STARTS)

    def hire(self, logs: Path, disown: Callable[[], None]) -> Crew:
        """Open the crew."""
        return self._hire(Ground(self._config, self._isolation, logs, disown))

    def close(self) -> None:
        """Do nothing: nothing is held."""
