"""Workers: every match given comes back, whatever happens to those who play it."""

from __future__ import annotations

import logging
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from arena import crew, journal
from arena.crew import Finished, LocalCrew, Lost, PlayersDie, share_cores
from arena.driver import OutOfResources
from arena.logbook import logbook
from arena.match import Match, Result

ALL = frozenset(os.sched_getaffinity(0))
LONG = 60.0  # seconds that never pass on a machine that works


def match(name: str) -> Match:
    """Return a match that is known by its id alone."""
    return Match(name, "b", 1, "rain", {}, 7, ("one", "two"))


class FakeTable:
    """A table that does as a match's id says, without any bots."""

    def __init__(self, cores: frozenset[int]) -> None:
        self.cores = cores

    def play(self, match: Match) -> Result:
        word, _, rest = match.id.partition(":")
        if word == "die":
            os.kill(os.getpid(), signal.SIGKILL)
        if word == "exit":
            os._exit(3)
        if word == "die-once":
            try:
                os.mkdir(rest)
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        if word == "bug":
            raise RuntimeError("a bug of ours")
        if word == "poor":
            raise OutOfResources("no descriptors", Result(match, {}, void=True, text="no descriptors"))
        if word == "slow":
            time.sleep(0.3)
        if word == "wait":
            with suppress(FileExistsError, FileNotFoundError):
                os.mkdir(f"{rest}-begun")
            while not os.path.exists(rest):
                time.sleep(0.005)
        if word == "log":
            logging.getLogger("arena.test").warning("said by %s", rest)
        if word == "cores":
            return Result(match, {"cores": sorted(os.sched_getaffinity(0))}, ranks=(1, 2), scores=(1, 0))
        return Result(match, {}, ranks=(1, 2), scores=(1, 0))

    def close(self) -> None:
        pass


@contextmanager
def hired(
    number: int, table: Callable[[frozenset[int]], FakeTable] = FakeTable, cores: frozenset[int] = ALL
) -> Iterator[LocalCrew]:
    """A crew that is gone after the test, however it ends."""
    made = LocalCrew([cores] * number, table)
    try:
        yield made
    finally:
        made.abort()


def collect(from_crew: LocalCrew, number: int) -> list[Finished | Lost]:
    """Wait for so many pieces of news."""
    news: list[Finished | Lost] = []
    while len(news) < number:
        news += from_crew.wait(LONG)
    return news


def test_every_match_comes_back_with_its_line() -> None:
    """What is given comes back once, as the journal's line of its result."""
    with hired(2) as players:
        given = [match(f"m{number}") for number in range(50)]
        waiting = list(given)
        news: list[Finished | Lost] = []
        while len(news) < 50:
            while waiting and players.room():
                players.give(waiting.pop(0))
            news += players.wait(LONG)
        assert sorted(one.match.id for one in news) == sorted(one.id for one in given)
        for one in news:
            assert isinstance(one, Finished)
            assert journal.intact(one.line)
            assert journal.decode(one.line)["id"] == one.match.id
            assert one.lasted >= 0
        players.close()


def test_matches_wait_only_where_they_are_quick() -> None:
    """There is room for one match a worker while they are slow, and for more once they are quick."""
    with hired(2) as players:
        assert players.size == 2
        assert players.room() == 2
        players.give(match("slow"))
        collect(players, 1)
        assert players.room() == 2
        for _ in range(40):
            players.give(match("quick"))
            collect(players, 1)
        assert 4 <= players.room() <= 2 * (2 + crew.MOST)


def test_a_killed_worker_is_replaced(tmp_path: Path) -> None:
    """Its match is told lost with the signal's name, and another worker plays on."""
    with hired(1) as players:
        before = players.pids()
        players.give(match("die"))
        (lost,) = collect(players, 1)
        assert lost == Lost(match("die"), "worker 0 was killed by SIGKILL", begun=True)
        players.give(match(f"die-once:{tmp_path / 'once'}"))
        assert isinstance(collect(players, 1)[0], Lost)
        players.give(match(f"die-once:{tmp_path / 'once'}"))
        assert isinstance(collect(players, 1)[0], Finished)
        assert players.pids() != before


def test_a_match_that_only_waited_is_not_blamed() -> None:
    """With a dead worker its waiting match is lost too, but was not begun."""
    with hired(1) as players:
        players.give(match("quick"))
        collect(players, 1)
        assert players.room() >= 2
        players.give(match("exit"))
        players.give(match("innocent"))
        news = collect(players, 2)
        assert news == [
            Lost(match("exit"), "worker 0 ended with status 3", begun=True),
            Lost(match("innocent"), "worker 0 ended with status 3", begun=False),
        ]


def test_our_own_bug_makes_a_match_void() -> None:
    """An exception is nobody's fault: the line is void, with the traceback, and the worker plays on."""
    with hired(1) as players:
        players.give(match("bug"))
        (news,) = collect(players, 1)
        assert isinstance(news, Finished)
        record = journal.decode(news.line)
        assert record["void"]
        assert "RuntimeError: a bug of ours" in record["text"]
        players.give(match("poor"))
        (news,) = collect(players, 1)
        assert isinstance(news, Finished)
        assert journal.decode(news.line)["text"] == "no descriptors"


def test_what_nobody_began_can_be_taken_back(tmp_path: Path) -> None:
    """Withdrawn, the match that runs ends, and the one that waits comes back unplayed."""
    with hired(1) as players:
        players.give(match("quick"))
        collect(players, 1)
        players.give(match(f"wait:{tmp_path / 'go'}"))
        players.give(match("never"))
        players.wait(0)
        while not (tmp_path / "go-begun").exists():
            time.sleep(0.005)
        players.withdraw()
        (tmp_path / "go").mkdir()
        news = collect(players, 2)
        assert isinstance(news[0], Finished)
        assert news[1] == Lost(match("never"), "taken back", begun=False)
        assert players.playing() == []


def test_workers_are_pinned() -> None:
    """A worker runs on its own cores, and so will its bots."""
    core = frozenset([max(ALL)])
    with hired(1, cores=core) as players:
        players.give(match("cores"))
        (news,) = collect(players, 1)
        assert isinstance(news, Finished)
        assert journal.decode(news.line)["setup"]["cores"] == sorted(core)


def test_waiting_ends_with_a_wake_up(tmp_path: Path) -> None:
    """A readable descriptor ends the wait without news."""
    read, write = os.pipe()
    try:
        with hired(1) as players:
            players.give(match(f"wait:{tmp_path / 'go'}"))
            os.write(write, b"x")
            assert players.wait(LONG, read) == []
            (tmp_path / "go").mkdir()
            collect(players, 1)
    finally:
        os.close(read)
        os.close(write)


def test_abort_does_not_wait_for_matches(tmp_path: Path) -> None:
    """Workers in the middle of a match are ended."""
    with hired(2) as players:
        pids = players.pids()
        players.give(match(f"wait:{tmp_path / 'never'}"))
        players.give(match(f"wait:{tmp_path / 'never'}"))
        players.wait(0)
        players.abort()
        assert all(is_gone(pid) for pid in pids)


def test_workers_that_cannot_live_are_not_hired_for_ever() -> None:
    """Where one worker after the other dies before it plays, the run is told."""

    def broken(cores: frozenset[int]) -> FakeTable:
        os._exit(9)

    with hired(1, broken) as players, pytest.raises(PlayersDie, match="ended with status 9"):
        collect(players, 1)


def is_gone(pid: int) -> bool:
    """Tell whether a process has ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return True
    return state in "ZX"


def test_workers_end_with_a_killed_run() -> None:
    """Nothing plays on when the run is killed with -9, not even a worker in the middle of a match."""
    script = (
        "from tests.test_crew import *\n"
        "players = LocalCrew([ALL] * 2, FakeTable)\n"
        "players.give(match('wait:/nowhere'))\n"
        "print(*players.pids(), flush=True)\n"
        "players.wait(None)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=Path(__file__).parent.parent
    ) as run:
        assert run.stdout is not None
        pids = [int(word) for word in run.stdout.readline().split()]
        assert len(pids) == 2
        handles = [os.pidfd_open(pid) for pid in pids]
        run.kill()
        for handle in handles:
            assert select.select([handle], [], [], LONG)[0], "a worker outlived its run"
            os.close(handle)


def test_log_records_of_workers_come_together(tmp_path: Path) -> None:
    """What workers log is in the run's one file, with the worker's name."""
    path = tmp_path / "arena.log"
    with logbook(path):
        with hired(2) as players:
            players.give(match("log:first"))
            players.give(match("log:second"))
            collect(players, 2)
            players.close()
        logging.getLogger("arena.test").info("said by the run")
    lines = path.read_text().splitlines()
    assert sorted(line.partition("arena.test: ")[2] for line in lines) == [
        "said by first",
        "said by second",
        "said by the run",
    ]
    assert {word for line in lines for word in line.split() if word.startswith("worker-")} == {
        "worker-0",
        "worker-1",
    }


@pytest.mark.parametrize(
    ("cores", "workers", "cpus", "expected"),
    [
        ({0, 1, 2, 3}, None, 1, [{0}, {1}, {2}, {3}]),
        ({0, 1, 2, 3}, 2, 1, [{0}, {1}]),
        ({0, 1, 2, 3}, None, 2, [{0, 1}, {2, 3}]),
        ({0, 1, 2}, None, 2, [{0, 1}]),
        ({4, 7}, 3, 1, [{4}, {7}, {4}]),
        ({0, 1}, None, 8, [{0, 1}]),
    ],
)
def test_cores_are_shared_out(
    monkeypatch: pytest.MonkeyPatch,
    cores: set[int],
    workers: int | None,
    cpus: int,
    expected: list[set[int]],
) -> None:
    """Each worker has as many cores as a bot may use, and nobody shares while there are enough."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: cores)
    monkeypatch.setattr(crew, "_siblings", lambda cpu: str(cpu))
    assert [set(share) for share in share_cores(workers, cpus)] == expected


def test_hyper_threads_of_one_core_come_last(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two workers on two cores of two threads each get a whole core."""
    monkeypatch.setattr(os, "sched_getaffinity", lambda pid: {0, 1, 2, 3})
    monkeypatch.setattr(crew, "_siblings", lambda cpu: f"{cpu // 2}")
    assert share_cores(2, 1) == [frozenset({0}), frozenset({2})]
    assert share_cores(None, 1) == [frozenset({0}), frozenset({2}), frozenset({1}), frozenset({3})]
