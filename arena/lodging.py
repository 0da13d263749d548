"""What a machine of a cluster does for a run: takes its bots in, and plays batches of matches with them.

The functions here run on the machines, as tasks of Dask in threads of its workers; what they know of a run
is kept in this module between tasks. Each thread plays one match at a time at a table of its own, whose
bots stay between batches and leave when the run ends, or when nothing has come for a while: a run that was
killed says no goodbye. Who plays what, and what becomes of it, is decided elsewhere.
"""

from __future__ import annotations

import contextlib
import functools
import json
import logging
import os
import platform
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from arena import __version__, parcel, rehearsal, worker
from arena.config import Config
from arena.crew import share_cores
from arena.driver import STARTS, Table, now
from arena.errors import ArenaError
from arena.games.base import load_game
from arena.launch import MachineError
from arena.match import Bot, Match
from arena.place import Place, sweep
from arena.sandbox import choose
from arena.site import Ground

_log = logging.getLogger(__name__)

IDLE = 60.0  # seconds without a batch until bots leave; a new batch starts them again
FORGET = 3600.0  # seconds until a run that said no goodbye is forgotten with all that is kept of it
READY = "ready.json"
STEPS = 20_000  # of the fixed calculation; some milliseconds
TRIALS = 16


@dataclass(frozen=True, slots=True)
class Order:
    """What a machine is told of a run."""

    run: str
    arena: str  # the version
    config: Config
    python: str  # the interpreter where the run is
    digests: Mapping[str, str]  # by bot that of its parcel; bots that do not travel are missing
    strangers: Mapping[str, tuple[str, ...]]  # by bot the files outside of its folder that its command names


@dataclass(frozen=True, slots=True)
class Machine:
    """What is recorded with each match about where it was played."""

    name: str
    speed: float  # million steps of the fixed calculation a second
    isolation: str

    def dump(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {"name": self.name, "speed": self.speed, "isolation": self.isolation}


@dataclass(frozen=True, slots=True)
class Arrival:
    """What came of taking a run in on one worker."""

    machine: Machine | None = None
    isolation: Mapping[str, Any] = field(default_factory=dict)
    python: str = ""
    place: str = ""  # which folder: workers that tell the same one share it
    needs: bool = False  # the parcels are not there yet
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """The matches of a batch that were played, in order: how long each took in µs, and its line."""

    played: tuple[tuple[int, bytes], ...]


class Lodging:
    """A run on one worker: its place, its tables, and whether it is over."""

    def __init__(self, order: Order, place: Place, cores: Sequence[frozenset[int]]) -> None:
        self.order = order
        self.place = place
        self.machine: Machine | None = None
        self.withdrawn = False
        self._cores = list(cores)  # of each table that may be opened yet
        self._ground: Ground | None = None
        self._idle: list[tuple[Table, frozenset[int]]] = []
        self._busy: set[Table] = set()
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None
        self._over = False

    def open(self, ground: Ground, machine: Machine) -> None:
        """Be ready to play."""
        self._ground, self.machine = ground, machine

    def play(self, matches: Sequence[Match]) -> Batch:
        """Play matches at a free table until all are played or the run takes them back."""
        played: list[tuple[int, bytes]] = []
        assert self.machine is not None
        more = {"machine": self.machine.dump()}
        with self._table() as table:
            for match in matches:
                if self.withdrawn:
                    break
                began = now()
                line = worker.seal(worker.play(table, match), more)
                if self._over:  # its bots were taken away
                    break
                played.append((now() - began, line))
        return Batch(tuple(played))

    @contextlib.contextmanager
    def _table(self) -> Iterator[Table]:
        assert self._ground is not None
        before = os.sched_getaffinity(0)
        with self._lock:
            self._stop_timer()
            table, cores = self._idle.pop() if self._idle else (None, self._cores.pop(0))
        # Of this thread alone; the bots inherit it. Waking another core costs most of all.
        os.sched_setaffinity(0, cores)
        try:
            table = table or self._ground.open_table(cores)
            with self._lock:
                self._busy.add(table)
            yield table
        finally:
            os.sched_setaffinity(0, before)
            with self._lock:
                if table is None:
                    self._cores.append(cores)
                else:
                    self._busy.discard(table)
                    self._idle.append((table, cores))
                    if self._over:
                        self._close_idle()
                    elif not self._busy:
                        self._start_timer(IDLE, self.rest)

    def rest(self) -> None:
        """Let the bots leave that have nothing to do; the next batch starts them again."""
        with self._lock:
            if not self._busy:
                self._close_idle()
                self._start_timer(FORGET, functools.partial(leave, self.order.run))

    def leave(self) -> dict[str, bytes]:
        """End the run here, and give what its bots wrote to stderr."""
        with self._lock:
            self.withdrawn = True
            self._stop_timer()
            self._close_idle()
            logs = {path.stem: path.read_bytes() for path in sorted(_logs(self.place).glob("*.stderr"))}
            self._over = True
            if not self._busy:
                self.place.leave()
        return logs

    def abort(self) -> None:
        """Take all bots away at once; the threads that play notice and clear up."""
        with self._lock:
            self._over = self.withdrawn = True
            self._stop_timer()
            for table in self._busy:
                table.abandon()
            self._close_idle()

    def _close_idle(self) -> None:
        for table, cores in self._idle:
            table.close()
            self._cores.append(cores)
        self._idle.clear()
        if self._over and not self._busy:
            self.place.leave()

    def _start_timer(self, seconds: float, then: Callable[[], Any]) -> None:
        self._timer = threading.Timer(seconds, then)
        self._timer.daemon = True
        self._timer.start()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


_lodgings: dict[str, Lodging] = {}
_lock = threading.Lock()


# Tasks


def move_in(order: Order, parcels: Mapping[str, bytes] | None, first: int) -> Arrival:
    """Take a run in on this worker: unpack, build and greet its bots unless that was done on this machine.

    `first` is how many threads of other workers of this machine come before ours, for the choice of cores.
    """
    from distributed import get_worker

    here = get_worker()
    host = here.address.rpartition("://")[2].rpartition(":")[0]
    if order.arena != __version__:
        return Arrival(problems=(f"it has arena {__version__}, and this run is of arena {order.arena}",))
    try:
        load_game(order.config.game)
        with _lock:
            lodging = _lodgings.get(order.run)
            if lodging is None:
                root = Path(here.local_directory).parent
                sweep(root)
                shares = share_cores(None, max(bot.cpus for bot in order.config.bots))
                cores = [shares[(first + at) % len(shares)] for at in range(here.state.nthreads)]
                lodging = _lodgings[order.run] = Lodging(order, Place(root, order.run), cores)
        return _move_in(lodging, parcels, f"{platform.node()} {host}")
    except (ArenaError, MachineError, OSError) as error:
        return Arrival(problems=(str(error),))


def _move_in(lodging: Lodging, parcels: Mapping[str, bytes] | None, name: str) -> Arrival:
    order, place = lodging.order, lodging.place
    status = place.path.stat()
    shared = f"{platform.node()}:{status.st_dev}:{status.st_ino}"
    config = replace(order.config, bots=tuple(_settled(bot, order, place) for bot in order.config.bots))
    with place.alone():
        isolation = choose(config.sandbox, now)
        done = place.path / READY
        if not done.exists():
            if parcels is None:
                return Arrival(place=shared, needs=True)
            for digest, data in parcels.items():
                folder = place.path / digest
                if not folder.exists():
                    parcel.unpack(data, folder)
            rehearsal.build(config.bots, config.limits, isolation.build, now)
            missing = [
                f"  {bot}: its command names {word}, which is not there and lies outside of the bot's folder"
                for bot, words in order.strangers.items()
                for word in words
                if not os.path.exists(word)
            ]
            if missing:
                return Arrival(place=shared, problems=tuple(missing))
            rehearsal.rehearse(
                config.bots, config.limits, isolation.launch, config.clock.startup, now, STARTS
            )
            done.write_text(json.dumps({"speed": measure(now)}))
        speed = float(json.loads(done.read_text())["speed"])
    machine = Machine(name, speed, isolation.tier.value)
    lodging.open(Ground(config, isolation, _logs(place), lambda: None), machine)
    return Arrival(machine, isolation.dump(), platform.python_version(), shared)


def _settled(bot: Bot, order: Order, place: Place) -> Bot:
    digest = order.digests.get(bot.name)
    return parcel.relocate(bot, order.python, bot.folder if digest is None else place.path / digest)


def _logs(place: Place) -> Path:
    """Return the folder for stderr of this worker alone: each opens the files for itself."""
    return place.path / f"logs-{os.getpid()}"


def play(run: str, matches: Sequence[Match]) -> Batch | None:
    """Play a batch; None where this worker knows nothing of the run, as after its restart."""
    lodging = _lodgings.get(run)
    return None if lodging is None or lodging.machine is None else lodging.play(matches)


def leave(run: str) -> dict[str, bytes]:
    """End a run on this worker and give its bots' stderr."""
    lodging = _lodgings.pop(run, None)
    return {} if lodging is None else lodging.leave()


def withdraw(run: str) -> None:
    """Begin no further match of a run on this worker."""
    lodging = _lodgings.get(run)
    if lodging is not None:
        lodging.withdrawn = True


def abort(run: str) -> None:
    """End a run on this worker at once."""
    lodging = _lodgings.pop(run, None)
    if lodging is not None:
        lodging.abort()


def measure(now: Callable[[], int]) -> float:
    """Return this machine's speed: million steps of a fixed calculation a second, the best of several trials.

    The best and not the mean: what else runs on a machine slows some trials down, nothing speeds one up.
    """
    best = 0.0
    for _ in range(TRIALS):
        began = now()
        value = 1
        for _ in range(STEPS):
            value = (value * 1103515245 + 12345) & 0x7FFFFFFF
        best = max(best, STEPS / max(now() - began, 1))
    return round(best, 2)
