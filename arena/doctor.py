"""What a machine can do for fair and safe games: isolation, room for workers, languages, a steady clock.

Everything is found by trying, nothing is guessed from versions. The clock is examined through the same calls
as a match uses: a line to a program, a poll, a line back, on one core. Nothing here prints.
"""

from __future__ import annotations

import os
import resource
import select
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from arena import cgroup, sandbox, starter
from arena.launch import Launch
from arena.process import Guardian
from arena.sandbox import Isolation, Tier

MIB = 1 << 20
# A worker holds three pipes, a pidfd and a log for each bot of a match and each that waits for its next one.
DESCRIPTORS = 6 * 32 + 64
# What a bot of an ordinary language starts: a JVM some 25 threads.
PROCESSES = 32
TRIPS = 400
PAUSE = 2  # milliseconds between two trips, as if a bot thought
_SPIN = "while True: pass"
_STEPS = (1, 2, 5)


@dataclass(frozen=True, slots=True)
class TierState:
    """Whether a tier works here, and if not why and what to do about it."""

    tier: str
    works: bool
    reason: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Delay:
    """How long a program that answers at once takes to be heard, in microseconds."""

    median: int
    p99: int
    longest: int


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """All that was found."""

    tiers: tuple[TierState, ...]
    chosen: str
    cores: int
    memory: int  # bytes
    group: str  # "" where control groups can be had, else why not
    descriptors: int
    processes: int
    workers: int
    languages: dict[str, tuple[str, ...]]  # by name what is missing for it
    at_rest: Delay
    busy: Delay
    fair_limit: int  # microseconds

    @property
    def warnings(self) -> list[str]:
        """Return what a user should mend before trusting results from here."""
        found = []
        if self.chosen == Tier.BASIC:
            found.append("bots run with your own rights: do not run programs of people that you do not know")
        if self.group:
            found.append(f"memory is bounded for each process, not for all of a bot's together: {self.group}")
        if self.descriptors < self.workers * DESCRIPTORS:
            found.append(
                f"{self.workers} workers may need {self.workers * DESCRIPTORS} open files, and "
                f"{self.descriptors} are allowed: raise it with `ulimit -n`, or set `workers` lower"
            )
        if self.processes < self.workers * PROCESSES:
            found.append(
                f"{self.workers} workers may need {self.workers * PROCESSES} processes, and "
                f"{self.processes} are allowed: raise it with `ulimit -u`, or set `workers` lower"
            )
        return found

    def dump(self) -> dict[str, Any]:
        """Return JSON values."""
        return {**asdict(self), "warnings": self.warnings}


_REMEDY = {
    Tier.BWRAP: "install bubblewrap; where user namespaces are forbidden (Ubuntu 24.04, containers), "
    "allow them: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or run outside the container",
    Tier.LANDLOCK: "a kernel of 5.13 or later with landlock in its list of security modules (lsm=)",
    Tier.BASIC: "",
}


def examine(workers: int | None, now: Callable[[], int], trips: int = TRIPS) -> Diagnosis:
    """Try everything; takes some seconds. `workers` as in a tournament's file, None for one a core."""
    cores = sorted(os.sched_getaffinity(0))
    place, no_group = cgroup.find()
    states = []
    for tier in Tier:
        reason = sandbox.probe(Isolation(tier, place), now)
        states.append(TierState(tier.value, not reason, reason, _REMEDY[tier] if reason else ""))
    rest = measure(cores[:1], (), now, trips)
    busy = measure(cores[:1], cores[1:] or cores, now, trips)
    return Diagnosis(
        tiers=tuple(states),
        chosen=next(state.tier for state in states if state.works),
        cores=len(cores),
        memory=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        group=no_group,
        descriptors=_soft(resource.RLIMIT_NOFILE),
        processes=_soft(resource.RLIMIT_NPROC),
        workers=workers or len(cores),
        languages={language.name: language.missing for language in starter.languages().values()},
        at_rest=rest,
        busy=busy,
        fair_limit=fair_limit(busy),
    )


def _soft(which: int) -> int:
    limit = resource.getrlimit(which)[0]
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit


def fair_limit(busy: Delay) -> int:
    """Return the smallest time for an action of which the machine takes at most a tenth, in round numbers.

    A bot's time runs while its answer waits to be heard. Where the slowest hundredth of answers waits for a
    tenth of the time that an action has, chance begins to play.
    """
    wanted = max(1000, 10 * busy.p99)
    power = 1000
    while True:
        for step in _STEPS:
            if step * power >= wanted:
                return step * power
        power *= 10


def measure(core: Sequence[int], others: Sequence[int], now: Callable[[], int], trips: int = TRIPS) -> Delay:
    """Measure how long lines to a program that echoes take on one core, while the others are kept busy."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, core)
    try:
        with Guardian() as guardian, _spinning(guardian, others):
            delays = sorted(_trips(guardian, now, trips))
    finally:
        os.sched_setaffinity(0, before)
    return Delay(delays[len(delays) // 2], delays[len(delays) * 99 // 100], delays[-1])


@contextmanager
def _spinning(guardian: Guardian, cores: Sequence[int]) -> Iterator[None]:
    """Keep cores busy with a program on each."""
    launches = [
        Launch((sys.executable, "-I", "-S", "-c", _SPIN), Path("/"), cpus=frozenset({core})) for core in cores
    ]
    spinning = [guardian.start(launch) for launch in launches]
    try:
        yield
    finally:
        guardian.end(spinning)


def _trips(guardian: Guardian, now: Callable[[], int], trips: int) -> Iterator[int]:
    """Yield how long each exchange of a line took, in microseconds."""
    echo = guardian.start(Launch(("cat",), Path("/"), {"PATH": os.environ.get("PATH", os.defpath)}))
    heard, pause = select.poll(), select.poll()
    heard.register(echo.stdout, select.POLLIN)
    try:
        for trip in range(trips + 10):
            at = now()
            echo.write(b"move a1\n")
            heard.poll(1000)
            took = now() - at
            if not echo.read():
                return
            if trip >= 10:  # the first ones wait for the program to start
                yield took
            pause.poll(PAUSE)
    finally:
        echo.end()
