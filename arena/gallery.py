"""A crew of one that plays in the arena's own process, so that its matches can be watched.

For `arena match --show` and `--debug-wire`: what a match does is seen as it happens, which through worker
processes would not be. Slower than a real crew, and a match under way is not interrupted.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from arena import worker
from arena.crew import Finished, Lost
from arena.driver import Table, now
from arena.games.base import State
from arena.match import Match, Played, Result
from arena.player import Wire
from arena.site import Ground

Watch = Callable[[Match, State, Played | None], None]


class Gallery:
    """Plays what it is given, one match after the other, under the eyes of `watch` and `wire`."""

    size = 1

    def __init__(self, ground: Ground, watch: Watch | None = None, wire: Wire | None = None) -> None:
        """Open a table as a worker would, on all cores."""
        config = ground.config
        self._table = Table(
            {bot.name: bot for bot in config.bots},
            config.clock,
            config.limits,
            launch=ground.isolation.launch,
            logs=ground.logs,
            wire=wire,
        )
        self._watch = watch
        self._matches: deque[Match] = deque()
        self._back: list[Finished | Lost] = []

    def play(self, match: Match) -> Result:
        """Play a match at the table, watched."""
        watch = self._watch
        if watch is None:
            return self._table.play(match)
        return self._table.play(match, lambda state, played: watch(match, state, played))

    def room(self) -> int:
        """Return how many further matches it can use now."""
        return 1 - len(self._matches)

    def give(self, match: Match) -> None:
        """Take a match to play."""
        self._matches.append(match)

    def wait(self, timeout: float | None, wake: int = -1) -> list[Finished | Lost]:
        """Play what was given; how long that takes is the match's affair."""
        while self._matches:
            match = self._matches.popleft()
            began = now()
            line = worker.seal(worker.play(self, match))
            self._back.append(Finished(match, line, now() - began))
        back, self._back = self._back, []
        return back

    def playing(self) -> list[Match]:
        """Return the matches that are being played now."""
        return list(self._matches)

    def withdraw(self) -> None:
        """Take back what nobody has begun."""
        self._back += [Lost(match, "it was taken back", begun=False) for match in self._matches]
        self._matches.clear()

    def close(self) -> None:
        """End all bots."""
        self._table.close()

    def abort(self) -> None:
        """End all bots."""
        self._table.close()
