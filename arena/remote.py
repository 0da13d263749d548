"""The crew on other machines: hands matches to the workers of a cluster in batches, and knows who is there.

A batch takes about half a second and goes to one worker alone, because Dask needs milliseconds for each, and
because bots are kept where they have played. Dask would keep a batch for a worker that is gone, so this
looks itself who is there: what a lost worker had comes back as lost, and whoever joins is asked in.
"""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import queue
import select
import threading
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from arena import events, lodging
from arena.crew import Finished, Lost, PlayersDie, PlayersGone
from arena.driver import now
from arena.lodging import Arrival, Batch
from arena.match import Match
from arena.site import Tell

if TYPE_CHECKING:
    from distributed import Future

_log = logging.getLogger(__name__)

LOOK = 0.5  # seconds between two looks at who is there
FETCH = 30.0  # seconds for the result of a batch that is finished
GOODBYE = 10.0  # seconds for workers to let their bots leave
PATIENCE = 60_000_000  # µs without any worker, before a run gives up
BATCH = 500_000  # µs that a batch takes: Dask needs some 5 ms for one, and at the end workers wait for it
MOST = 1000  # matches in a batch
SLOW = 2_000_000  # µs: matches that take longer do not wait at a worker while another has none
FETCHERS = 4

News = list[Finished | Lost]


class Link(Protocol):
    """What the crew needs of a cluster."""

    address: str
    run: str
    arrivals: Mapping[str, Arrival]  # of those who were there in the beginning

    @property
    def is_open(self) -> bool:
        """Tell whether the scheduler can be reached."""

    def workers(self) -> dict[str, int]:
        """Return how many threads each worker has, by address."""

    def submit(self, address: str, function: Callable[..., Any], *arguments: Any) -> Future[Any]:
        """Have one worker, and no other, call a function."""

    def tell_all(self, function: Callable[[str], None]) -> None:
        """Call a function of the run on all workers, whatever they are doing."""

    def settle(self, threads: Mapping[str, int]) -> dict[str, Arrival]:
        """Have workers take the run in."""

    def close(self) -> None:
        """Leave the cluster."""


@dataclass(slots=True)
class _Batch:
    matches: tuple[Match, ...]
    future: Future[Any]


@dataclass(slots=True)
class _Hand:
    """A worker with what it was given; as many batches are played at once as it has threads."""

    address: str
    threads: int
    arrival: Arrival
    batches: dict[str, _Batch] = field(default_factory=dict)
    pace: float | None = None  # µs that a match takes, the newest counting most

    @property
    def batch(self) -> int:
        """Return how many matches are handed over together."""
        return 1 if self.pace is None else max(1, min(MOST, round(BATCH / max(self.pace, 1))))

    @property
    def room(self) -> int:
        """Return how many further matches it can use."""
        depth = 2 if self.pace is None or self.pace < SLOW else 1
        return self.threads * depth * self.batch - self.load

    @property
    def load(self) -> int:
        """Return how many matches it has."""
        return sum(len(batch.matches) for batch in self.batches.values())


class RemoteCrew:
    """The workers of a cluster that have taken a run in."""

    def __init__(self, cluster: Link, logs: Path, tell: Tell) -> None:
        """Begin with those that were prepared; others are asked in as they come."""
        self._cluster, self._logs, self._tell = cluster, logs, tell
        threads = cluster.workers()
        self._hands = {
            address: _Hand(address, threads[address], arrival)
            for address, arrival in cluster.arrivals.items()
            if address in threads
        }
        self.size = sum(hand.threads for hand in self._hands.values())
        self._waiting: list[Match] = []  # given, and not yet sent
        self._suspects: set[str] = set()  # of lost batches: each is played in a batch of its own
        self._lost: News = []
        self._asked: set[str] = set(cluster.arrivals)
        self._deaths = 0  # without a match finished between
        self._alone_since: int | None = None
        self._gone = ""
        self._closing = threading.Event()
        self._inbox: queue.SimpleQueue[Callable[[], News]] = queue.SimpleQueue()
        self._ring, self._bell = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._pool = ThreadPoolExecutor(FETCHERS, "arena-cluster")
        self._porter = ThreadPoolExecutor(
            1, "arena-cluster-welcome"
        )  # builds take long: results go on coming
        self._watcher = threading.Thread(target=self._watch, name="arena-cluster-watch", daemon=True)
        self._watcher.start()

    def room(self) -> int:
        """Return how many further matches it can use now."""
        return sum(max(0, hand.room) for hand in self._hands.values()) - len(self._waiting)

    def give(self, match: Match) -> None:
        """Take a match; it goes out with others when the run waits."""
        self._waiting.append(match)

    def wait(self, timeout: float | None, wake: int = -1) -> News:
        """Wait for news until the timeout (in seconds), or until the descriptor `wake` is readable."""
        self._send()
        poll = select.poll()
        poll.register(self._ring, select.POLLIN)
        if wake >= 0:
            poll.register(wake, select.POLLIN)
        poll.poll(None if timeout is None else max(0.0, timeout * 1000))
        with contextlib.suppress(BlockingIOError):
            os.read(self._ring, 4096)
        news: News = list(self._lost)
        self._lost.clear()
        with contextlib.suppress(queue.Empty):
            while True:
                news += self._inbox.get_nowait()()
        if self._gone and not news:
            raise PlayersGone(self._gone)
        self._watch_for_desertion()
        return news

    def playing(self) -> list[Match]:
        """Return the first matches of the batches that are being played, as far as is known here."""
        return [
            batch.matches[0]
            for hand in self._hands.values()
            for batch in list(hand.batches.values())[: hand.threads]
        ]

    def withdraw(self) -> None:
        """Take back what nobody has begun; it comes with the batches, which end after their match."""
        self._lost += [Lost(match, "taken back", begun=False) for match in self._waiting]
        self._waiting.clear()
        self._ring_bell()
        self._pool.submit(self._cluster.tell_all, lodging.withdraw)

    def close(self) -> None:
        """Let every worker end its bots, take what they wrote to stderr, and leave the cluster."""
        if not self._gone and not self._closing.is_set():
            futures = {
                address: self._cluster.submit(address, lodging.leave, self._cluster.run)
                for address in self._hands
            }
            end = now() + int(GOODBYE * 1e6)
            for address, future in futures.items():
                try:
                    self._keep(address, future.result(timeout=max(0.1, (end - now()) / 1e6)))
                except Exception as error:  # it may be gone in any way that a network knows
                    _log.warning("%s did not say goodbye: %r", address, error)
        self._part()

    def abort(self) -> None:
        """Take the bots away on all workers, and leave the cluster."""
        if not self._gone and not self._closing.is_set():
            done = self._pool.submit(self._cluster.tell_all, lodging.abort)
            with contextlib.suppress(Exception):  # as above
                done.result(timeout=GOODBYE)
        self._part()

    def _part(self) -> None:
        if not self._closing.is_set():
            self._closing.set()
            self._cluster.close()
            for pool in (self._pool, self._porter):
                pool.shutdown(wait=False, cancel_futures=True)
            self._watcher.join(GOODBYE)

    def _keep(self, address: str, logs: Mapping[str, bytes]) -> None:
        for bot, text in logs.items():
            if text:
                self._logs.mkdir(exist_ok=True)
                with open(self._logs / f"{bot}.stderr", "ab") as file:
                    file.write(text)

    # Handing out

    def _send(self) -> None:
        """Hand the waiting matches to the workers that will be free first, in batches."""
        shares: dict[str, list[Match]] = {}
        loads = {address: hand.load for address, hand in self._hands.items()}
        waiting, self._waiting = self._waiting, []
        for match in waiting:
            if not self._hands:
                self._lost.append(Lost(match, "no worker is there", begun=False))
                continue
            address = min(self._hands, key=lambda one: self._free(self._hands[one], loads[one]))
            loads[address] += 1
            shares.setdefault(address, []).append(match)
        for address, matches in shares.items():
            for batch in _batches(matches, self._hands[address], self._suspects):
                self._submit(self._hands[address], batch)
        if self._lost:
            self._ring_bell()

    def _free(self, hand: _Hand, load: int) -> float:
        return (load + 1) / hand.threads * (hand.pace or 1.0)

    def _submit(self, hand: _Hand, matches: tuple[Match, ...]) -> None:
        try:
            future = self._cluster.submit(hand.address, lodging.play, self._cluster.run, matches)
        except Exception as error:  # the client is closing, because its scheduler is gone
            self._lose_scheduler(error)
            self._lost += [Lost(match, str(error), begun=False) for match in matches]
            return
        hand.batches[str(future.key)] = _Batch(matches, future)
        future.add_done_callback(functools.partial(self._fetch_soon, hand))

    def _fetch_soon(self, hand: _Hand, future: Future[Any]) -> None:
        with contextlib.suppress(RuntimeError):  # we have left the cluster
            self._pool.submit(self._fetch, hand, future)

    def _fetch(self, hand: _Hand, future: Future[Any]) -> None:
        """Get the result of a finished batch, in a thread: a worker that just died keeps us waiting."""
        result: Batch | BaseException | None
        try:
            result = future.result(timeout=FETCH)
        except BaseException as error:  # also Dask's CancelledError, which is no Exception
            result = error
        self._post(lambda: self._hear(hand, str(future.key), result))

    def _post(self, news: Callable[[], News]) -> None:
        self._inbox.put(news)
        self._ring_bell()

    def _ring_bell(self) -> None:
        with contextlib.suppress(BlockingIOError):  # it rings already
            os.write(self._bell, b"!")

    # What is heard; all of it in the run's own thread

    def _hear(self, hand: _Hand, key: str, result: Batch | BaseException | None) -> News:
        batch = hand.batches.pop(key, None)
        if batch is None:  # its worker was given up before
            return []
        batch.future.release()
        if isinstance(result, Batch):
            return self._finish(hand, batch, result)
        hand.batches = {key: batch, **hand.batches}
        if isinstance(result, BaseException):
            if not self._cluster.is_open:
                self._lose_scheduler(result)
                return []
            return self._bury(hand, f"{hand.address} failed: {first_line(result)}")
        return self._bury(hand, f"{hand.address} was started anew")

    def _finish(self, hand: _Hand, batch: _Batch, result: Batch) -> News:
        news: News = []
        for match, (lasted, line) in zip(batch.matches, result.played, strict=False):
            self._deaths = 0
            self._suspects.discard(match.id)
            hand.pace = lasted if hand.pace is None else hand.pace + (lasted - hand.pace) / 8
            news.append(Finished(match, line, lasted))
        left = batch.matches[len(result.played) :]
        news += [Lost(match, "taken back", begun=False) for match in left]
        return news

    def _bury(self, hand: _Hand, text: str) -> News:
        """Give a worker up and tell what was lost with it."""
        if self._hands.pop(hand.address, None) is None:
            return []
        self._asked.discard(hand.address)
        lost: News = []
        for number, batch in enumerate(hand.batches.values()):
            batch.future.release()
            # Of several nobody knows which was being played: each gets a batch of its own, and is then known.
            begun = number < hand.threads and len(batch.matches) == 1
            lost += [Lost(match, text, begun=begun) for match in batch.matches]
            if number < hand.threads:
                self._suspects.update(match.id for match in batch.matches)
        hand.batches.clear()
        self._tell(events.Notice(f"{text}; {len(lost)} games are played elsewhere"))
        _log.error("%s; %d matches are played again", text, len(lost))
        self._deaths += 1
        if self._deaths > 4 + 2 * self.size:
            raise PlayersDie(f"{self._deaths} workers died one after the other; the last: {text}")
        self.size = sum(hand.threads for hand in self._hands.values())
        return lost

    def _lose_scheduler(self, error: BaseException) -> None:
        self._gone = self._gone or (
            f"the Dask scheduler at {self._cluster.address} is gone ({first_line(error)}); "
            "the same command goes on, there or on another cluster, and without --cluster on this machine"
        )
        self._ring_bell()

    def _watch_for_desertion(self) -> None:
        if self._hands:
            self._alone_since = None
        elif self._alone_since is None:
            self._alone_since = now()
            self._tell(events.Notice(f"no worker is left at {self._cluster.address}; waiting for others"))
        elif now() - self._alone_since > PATIENCE:
            self._gone = f"for {PATIENCE / 1e6:g} s no worker was left at {self._cluster.address}"

    # Who is there

    def _watch(self) -> None:
        """Look again and again who is there; runs in a thread of its own."""
        while not self._closing.wait(LOOK):
            try:
                threads = self._cluster.workers()
            except Exception as error:  # whatever a network does to a connection
                if not self._closing.is_set():
                    self._post(functools.partial(self._hear_of_scheduler, error))
                return
            self._post(functools.partial(self._call_roll, threads))

    def _hear_of_scheduler(self, error: BaseException) -> News:
        self._lose_scheduler(error)
        return []

    def _call_roll(self, threads: Mapping[str, int]) -> News:
        lost: News = []
        for address in self._hands.keys() - threads.keys():
            lost += self._bury(self._hands[address], f"{address} is gone")
        for address in threads.keys() - self._asked:
            self._asked.add(address)
            self._porter.submit(self._welcome, address, threads[address])
        return lost

    def _welcome(self, address: str, threads: int) -> None:
        try:
            arrival = self._cluster.settle({address: threads})[address]
        except Exception as error:  # whatever a network does to a connection
            arrival = Arrival(problems=(first_line(error),))
        self._post(lambda: self._join(address, threads, arrival))

    def _join(self, address: str, threads: int, arrival: Arrival) -> News:
        if arrival.machine is None:
            problems = "\n".join(arrival.problems)
            self._tell(events.Notice(f"{address} joined and cannot play: {problems}"))
        else:
            self._hands[address] = _Hand(address, threads, arrival)
            self.size = sum(hand.threads for hand in self._hands.values())
            self._tell(events.Notice(f"{address} joined"))
        return []


def _batches(matches: Sequence[Match], hand: _Hand, suspects: set[str]) -> Iterable[tuple[Match, ...]]:
    """Cut matches into batches; one that may have taken a worker along is alone in its own."""
    together = deque(match for match in matches if match.id not in suspects)
    size = hand.batch
    while together:
        yield tuple(together.popleft() for _ in range(min(size, len(together))))
    for match in matches:
        if match.id in suspects:
            yield (match,)


def first_line(error: BaseException) -> str:
    """Return what an error says, in one line."""
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
