"""Who plays: the small interface between a run and those that play its matches, and the local crew.

A run gives matches while there is room, waits, and gets for each either its finished line or the news that
it was lost. A crew remembers nothing else: it neither plays a lost match again nor knows what was played
before. `LocalCrew` is one process a worker on this machine, each pinned with its bots to cores of its own.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
import os
import select
import signal
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from pathlib import Path
from typing import Protocol

import msgspec

from arena import worker
from arena.driver import now
from arena.errors import ArenaError
from arena.match import Match

_log = logging.getLogger(__name__)

# Matches wait at each worker where they are quick, as many as it plays in the time that the run may need for
# a sync or to be given a core again: no worker idles meanwhile. Slow ones do not wait: at the end one worker
# would have two to play and another none.
QUICK = 200_000  # µs
AHEAD = 4 * worker.HOLD
MOST = 128
# A bot gets a moment to leave by itself, and a busy machine needs some to end many.
GOODBYE = 10.0


@dataclass(frozen=True, slots=True)
class Finished:
    """A match with its sealed line for the journal, and how long it took in microseconds."""

    match: Match
    line: bytes
    lasted: int


@dataclass(frozen=True, slots=True)
class Lost:
    """A match that nobody plays any more, and why; `begun` tells whether it may be the cause itself."""

    match: Match
    text: str
    begun: bool


class Crew(Protocol):
    """Those who play. Every match that is given comes back once, finished or lost."""

    size: int  # how many play at the same time, as far as is known

    def room(self) -> int:
        """Return how many further matches it can use now."""

    def give(self, match: Match) -> None:
        """Take a match to play after those given before; it may wait for `wait` to be sent."""

    def wait(self, timeout: float | None, wake: int = -1) -> list[Finished | Lost]:
        """Wait for news until the timeout (in seconds), or until the descriptor `wake` is readable."""

    def playing(self) -> list[Match]:
        """Return the matches that are being played now, for people to see."""

    def withdraw(self) -> None:
        """Take back what nobody has begun: it comes as lost, if it does not come finished after all."""

    def close(self) -> None:
        """End all players; call when nothing is being played."""

    def abort(self) -> None:
        """End all players and their bots at once; what is being played comes back no more."""


class PlayersDie(ArenaError):
    """One player after the other died without finishing a match: a bug, or a machine beyond use."""


class PlayersGone(ArenaError):
    """Nobody is left to play, by no fault of the run's: a cluster that cannot be reached any more."""


def share_cores(workers: int | None, cpus: int) -> list[frozenset[int]]:
    """Return the cores of each worker: `cpus` each, none twice while there are enough.

    Without a number of workers, as many as there are shares. Hyper-threads of one core come last, so that
    few workers get whole cores.
    """
    cores = _whole_cores_first(sorted(os.sched_getaffinity(0)))
    cpus = min(cpus, len(cores))
    shares = [frozenset(cores[start : start + cpus]) for start in range(0, len(cores) - cpus + 1, cpus)]
    return [shares[number % len(shares)] for number in range(workers or len(shares))]


def _whole_cores_first(cpus: Sequence[int]) -> list[int]:
    """Return logical CPUs in an order that takes one of each physical core before any second one."""
    turns: Counter[str] = Counter()
    order = []
    for cpu in cpus:
        core = _siblings(cpu)
        order.append((turns[core], cpu))
        turns[core] += 1
    return [cpu for _, cpu in sorted(order)]


def _siblings(cpu: int) -> str:
    """Return a name for the physical core of a logical CPU."""
    try:
        return Path(f"/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list").read_text()
    except OSError:  # not every machine tells
        return str(cpu)


@dataclass(slots=True)
class _Hand:
    """A worker's process with what it was given and has not told finished, in the order of playing."""

    number: int
    process: ForkProcess
    connection: Connection
    begun: worker.Begun
    matches: deque[Match] = field(default_factory=deque)
    given: list[Match] = field(default_factory=list)  # of these, not sent yet
    heard: int = 0  # matches that it told finished

    def send(self) -> None:
        """Send what it was given."""
        if self.given:
            with contextlib.suppress(OSError):  # it died; `wait` notices, and tells these lost too
                self.connection.send_bytes(msgspec.json.encode(self.given))
            self.given = []

    def playing(self) -> Match | None:
        """Return the match that it began last, where that is not finished as far as is known."""
        number = self.begun.count - self.heard - 1
        return self.matches[number] if 0 <= number < len(self.matches) else None


class LocalCrew:
    """Worker processes on this machine."""

    def __init__(
        self,
        cores: Sequence[frozenset[int]],
        open_table: Callable[[frozenset[int]], worker.Table],
        forget: Callable[[], None] = lambda: None,
    ) -> None:
        """Start a worker for each set of cores; `forget` is called in each to close what is not its own."""
        self.size = len(cores)
        self._open_table = open_table
        self._forget = forget
        self._cores = cores
        self._fork = multiprocessing.get_context("fork")
        self._poll = select.poll()
        self._hands: dict[int, _Hand] = {}  # by descriptor
        self._deaths = 0  # without a match finished between
        self._depth = 1  # matches that a worker is given at once
        self._pace: float | None = None  # µs that a match takes, the newest counting most
        for number in range(len(cores)):
            self._hire(number)

    def room(self) -> int:
        """Return how many further matches it can use now."""
        return sum(max(0, self._depth - len(hand.matches)) for hand in self._hands.values())

    def give(self, match: Match) -> None:
        """Hand a match to the worker with the least to do."""
        hand = min(self._hands.values(), key=lambda hand: len(hand.matches))
        hand.matches.append(match)
        hand.given.append(match)

    def wait(self, timeout: float | None, wake: int = -1) -> list[Finished | Lost]:
        """Wait for news until the timeout (in seconds), or until the descriptor `wake` is readable."""
        for hand in self._hands.values():
            hand.send()
        if wake >= 0:
            self._poll.register(wake, select.POLLIN)
        try:
            ready = self._poll.poll(None if timeout is None else max(0.0, timeout * 1000))
        finally:
            if wake >= 0:
                self._poll.unregister(wake)
        news: list[Finished | Lost] = []
        for descriptor, _ in ready:
            speaker = self._hands.get(descriptor)
            if speaker is not None:
                news += self._hear(speaker)
        return news

    def playing(self) -> list[Match]:
        """Return the matches that are being played now."""
        playing = [hand.playing() for hand in self._hands.values()]
        return [match for match in playing if match is not None]

    def pids(self) -> list[int]:
        """Return the process ids of the workers."""
        return [hand.process.pid or 0 for hand in self._hands.values()]

    def withdraw(self) -> None:
        """Take back what nobody has begun; each worker answers when it is done with its match."""
        for hand in self._hands.values():
            hand.send()
            if len(hand.matches) > 1:
                with contextlib.suppress(OSError):  # it died; `wait` notices
                    hand.connection.send_bytes(worker.RETURN)

    def close(self) -> None:
        """Let every worker end its bots, and wait for it."""
        for hand in self._hands.values():
            hand.connection.close()
        self._part(GOODBYE)

    def abort(self) -> None:
        """End the workers by signal; each kills its bots on the way out."""
        for hand in self._hands.values():
            hand.process.terminate()
        self._part(GOODBYE)

    def _part(self, patience: float) -> None:
        end = now() + int(patience * 1e6)
        for hand in self._hands.values():
            hand.process.join(max(0.0, (end - now()) / 1e6))
            if hand.process.is_alive():
                _log.warning("worker %d does not end; killed", hand.number)
                hand.process.kill()
                hand.process.join()
            hand.connection.close()
        self._hands.clear()

    def _hire(self, number: int) -> None:
        ours, theirs = self._fork.Pipe()
        begun = worker.Begun()
        others = [hand.connection for hand in self._hands.values()]

        def forget() -> None:
            # A worker that held its own or another's other end would never see it close.
            for connection in (ours, *others):
                connection.close()
            self._forget()

        process = self._fork.Process(
            target=worker.work,
            args=(theirs, begun, os.getpid(), self._cores[number], self._open_table, forget),
            name=f"worker-{number}",
            daemon=True,
        )
        process.start()
        theirs.close()
        self._hands[ours.fileno()] = _Hand(number, process, ours, begun)
        self._poll.register(ours.fileno(), select.POLLIN)

    def _hear(self, hand: _Hand) -> list[Finished | Lost]:
        try:
            message = hand.connection.recv_bytes()
        except (EOFError, OSError):
            return list(self._bury(hand))
        if message == worker.RETURNED:
            # What it had finished was told before; all that is left is what it gives back.
            returned = [Lost(match, "taken back", begun=False) for match in hand.matches]
            hand.matches.clear()
            return list(returned)
        self._deaths = 0
        news: list[Finished | Lost] = []
        start = 0
        while start < len(message):
            lasted, length = worker.FINISHED.unpack_from(message, start)
            start += worker.FINISHED.size + length
            news.append(Finished(hand.matches.popleft(), message[start - length : start], lasted))
            self._pace = lasted if self._pace is None else self._pace + (lasted - self._pace) / 8
        hand.heard += len(news)
        assert self._pace is not None
        self._depth = 1 + (self._pace < QUICK) + min(MOST, int(AHEAD / max(self._pace, 1)))
        return news

    def _bury(self, hand: _Hand) -> list[Lost]:
        """Replace a dead worker and tell what was lost with it."""
        self._poll.unregister(hand.connection.fileno())
        del self._hands[hand.connection.fileno()]
        hand.connection.close()
        hand.process.join(GOODBYE)
        if hand.process.is_alive():  # it closed its pipe and lives: a bug, but not one to hang for
            hand.process.kill()
            hand.process.join()
        text = f"worker {hand.number} {_ending(hand.process.exitcode or 0)}"
        _log.error("%s; another takes its place", text)
        self._deaths += 1
        if self._deaths > 2 + 2 * len(self._cores):
            raise PlayersDie(f"{self._deaths} workers died one after the other; the last: {text}")
        self._hire(hand.number)
        playing = hand.playing()
        return [Lost(match, text, begun=match is playing) for match in hand.matches]


def _ending(status: int) -> str:
    if status < 0:
        return f"was killed by {signal.Signals(-status).name}"
    return f"ended with status {status}"
