"""Tournaments on a real Dask cluster: a scheduler and workers on loopback, each with its own folder."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import journal

TINY = Path(__file__).parent / "tiny.py"
BIN = Path(sys.executable).parent
LONG = 240  # seconds: the machine may be busy with other tests


def until(condition: Callable[[], object]) -> None:
    """Wait for something that surely comes."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


class Dask:
    """A scheduler and its workers, all killed at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.start("scheduler", "--host", "127.0.0.1", "--port", "0", file=True)
        until((folder / "scheduler.json").exists)
        self.address = json.loads((folder / "scheduler.json").read_text())["address"]

    def start(self, *words: str, file: bool = False, env: dict[str, str] | None = None) -> Any:
        """Start a program of Dask's; its output goes to a file that `log` reads."""
        if file:
            words = (*words, "--scheduler-file", str(self.folder / "scheduler.json"))
        with open(self.folder / f"{len(self.processes)}.log", "wb") as log:
            process = subprocess.Popen(
                [BIN / "dask", *words, "--no-dashboard"], stdout=log, stderr=log, cwd=self.folder, env=env
            )
        self.processes.append(process)
        return process

    def worker(self, host: str = "127.0.0.1", **more: Any) -> tuple[subprocess.Popen[bytes], Path]:
        """Start a worker with a folder of its own; return it and the folder."""
        number = len(self.processes)
        place = self.folder / f"place{number}"
        words = ["--host", host, "--nthreads", "1", "--no-nanny", "--local-directory", str(place)]
        return self.start("worker", *words, file=True, **more), place

    def registered(self) -> bool:
        """Tell whether all workers are known to the scheduler."""
        logs = [self.folder / f"{number}.log" for number in range(1, len(self.processes))]
        return all("Registered to:" in log.read_text() for log in logs)

    def close(self) -> None:
        """Kill everything."""
        for process in self.processes:
            process.kill()
            process.wait()


@pytest.fixture
def dask(tmp_path: Path) -> Iterator[Dask]:
    """Give a scheduler without workers."""
    folder = tmp_path / "dask"
    folder.mkdir()
    cluster = Dask(folder)
    yield cluster
    cluster.close()


def write(folder: Path, *, rounds: int, bots: str, more: str = "") -> Path:
    """Write a tournament's file with tiny bots, one a word, in a folder of their own."""
    (folder / "bots").mkdir()
    program = folder / "bots" / "tiny.py"
    program.write_text(TINY.read_text())
    lines = [
        f'  - {{name: {bot.replace("=", "")}, command: "{{python}} -IS bots/tiny.py {bot}"}}'
        for bot in bots.split()
    ]
    path = folder / "t.yaml"
    rest = [f"schedule: {{rounds: {rounds}}}", "clock: {move: 60s, startup: 120s}", "workers: 2", more]
    path.write_text("\n".join(["game: rain", "output: out", "bots:", *lines, *rest]))
    return path


def begin(*words: object) -> subprocess.Popen[str]:
    """Start the program."""
    return subprocess.Popen(
        [BIN / "arena", *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def arena(*words: object) -> tuple[int, str, str]:
    """Run the program to its end; return status, stdout and stderr."""
    with begin(*words) as process:
        out, err = process.communicate(timeout=LONG)
    return process.returncode, out, err


def played(folder: Path) -> dict[str, Any]:
    """Return by id what does not depend on time and machine."""
    found: dict[str, Any] = {}
    for record in journal.records(folder):
        assert record["id"] not in found, "a match counts once"
        assert not record["void"]
        actions = [action[:2] for action in record["actions"]]
        found[record["id"]] = (record["bots"], record["scores"], record["faults"], actions)
    return found


def games(folder: Path) -> int:
    """Return how many matches are in a journal."""
    path = folder / journal.NAME
    return max(0, path.read_bytes().count(b"\n") - 1) if path.exists() else 0


def bots_of(place: Path) -> list[int]:
    """Return the processes whose command names something in a folder."""
    found = []
    for path in Path("/proc").iterdir():
        if path.name.isdigit():
            try:
                command = (path / "cmdline").read_bytes()
            except OSError:
                continue
            if f"{place}/".encode() in command and b"tiny.py" in command:
                found.append(int(path.name))
    return found


def test_a_cluster_plays_as_one_machine_does(tmp_path: Path, dask: Dask) -> None:
    """The same games with the same results, the machine recorded with each, and nothing left over there."""
    path = write(tmp_path, rounds=5, bots="one two stderr")
    places = [dask.worker(host)[1] for host in ("127.0.0.1", "127.0.0.2")]
    until(dask.registered)
    status, out, err = arena("tournament", path, "--cluster", dask.address)
    assert (status, err) == (0, "")
    assert "30 games; 2 at once" in out
    status, _, err = arena("tournament", path, "--output", tmp_path / "local", "--quiet")
    assert (status, err) == (0, "")
    assert played(tmp_path / "out") == played(tmp_path / "local")
    tables = [(tmp_path / folder / "standings.csv").read_text() for folder in ("out", "local")]
    assert tables[0] == tables[1]
    header = journal.read_header(tmp_path / "out")
    assert set(header["parcels"]) == {"one", "two", "stderr"}
    assert len(set(header["parcels"].values())) == 1, "bots of one folder travel together"
    machines = {record["machine"]["name"] for record in journal.records(tmp_path / "out")}
    assert len(machines) == 2
    assert all(record["machine"]["speed"] > 0 for record in journal.records(tmp_path / "out"))
    assert "thinking" in (tmp_path / "out" / "logs" / "stderr.stderr").read_text()
    assert "By machine" in (tmp_path / "out" / "report.html").read_text()
    assert [bots_of(place) for place in places] == [[], []]
    assert [list(place.glob("*/arena-run-*")) for place in places] == [[], []]
    again = arena("tournament", path)
    assert again[0] == 0, "a folder of a cluster's results is one like any other"


def test_a_killed_worker_costs_nothing(tmp_path: Path, dask: Dask) -> None:
    """Its games are played elsewhere and count once, its bots die; changed bots are not mixed in."""
    path = write(tmp_path, rounds=40, bots="one slow=0.01")
    victim, place = dask.worker()
    until(dask.registered)
    with begin("tournament", path, "--cluster", dask.address, "--json") as run:
        until(lambda: games(tmp_path / "out") > 2)
        assert bots_of(place)
        (tmp_path / "bots" / "tiny.py").write_text("raise SystemExit('another bot')")
        victim.send_signal(signal.SIGKILL)
        _, second = dask.worker("127.0.0.2")
        out, err = run.communicate(timeout=LONG)
    assert (run.returncode, err) == (0, "")
    notices = [event["text"] for event in map(json.loads, out.splitlines()) if event["event"] == "notice"]
    assert any("is gone" in text and "played elsewhere" in text for text in notices), notices
    assert any("joined" in text for text in notices), notices
    found = played(tmp_path / "out")
    assert len(found) == 80
    assert not any(faults for _, _, faults, _ in found.values())
    assert len({record["machine"]["name"] for record in journal.records(tmp_path / "out")}) == 2
    until(lambda: not bots_of(place))
    assert not bots_of(second)


def test_a_lost_scheduler_loses_nothing(tmp_path: Path, dask: Dask) -> None:
    """The run ends with status 3 and says how to go on; on one machine it then plays the rest."""
    path = write(tmp_path, rounds=30, bots="one slow=0.01")
    _, place = dask.worker()
    until(dask.registered)
    with begin("tournament", path, "--cluster", dask.address) as run:
        until(lambda: games(tmp_path / "out") > 2)
        dask.scheduler.send_signal(signal.SIGKILL)
        _, err = run.communicate(timeout=LONG)
    assert run.returncode == 3
    assert f"the Dask scheduler at {dask.address} is gone" in err
    assert json.loads((tmp_path / "out" / "standings.json").read_text())["games"] == games(tmp_path / "out")
    before = (tmp_path / "out" / journal.NAME).read_bytes()
    assert 2 < games(tmp_path / "out") < 60
    status, _, err = arena("tournament", path, "--quiet")
    assert (status, err) == (0, "")
    assert len(played(tmp_path / "out")) == 60
    assert (tmp_path / "out" / journal.NAME).read_bytes().startswith(before)
    until(lambda: not bots_of(place))


def test_machines_are_checked_before_the_first_game(tmp_path: Path, dask: Dask) -> None:
    """A machine that lacks a language is told with its address, and nothing is played."""
    path = write(tmp_path, rounds=1, bots="one two")
    language = tmp_path / "language"
    language.mkdir()
    (language / "ownlanguage").symlink_to(sys.executable)
    path.write_text(path.read_text().replace("{python}", "ownlanguage"))
    knows = {**os.environ, "PATH": f"{language}:{os.environ['PATH']}"}
    dask.worker("127.0.0.1", env=knows)
    dask.worker("127.0.0.2")
    until(dask.registered)
    status, _, err = arena("tournament", path, "--cluster", dask.address)
    assert status == 2
    assert "1 of 2 workers cannot play; nothing was played:" in err
    assert "tcp://127.0.0.2:" in err
    assert "tcp://127.0.0.1:" not in err
    assert "one: there is no program 'ownlanguage' in the PATH" in err
    assert games(tmp_path / "out") == 0
    dask.scheduler.kill()
    dask.scheduler.wait()
    status, _, err = arena("tournament", path, "--cluster", dask.address)
    assert status == 2
    assert f"there is no Dask scheduler at {dask.address}" in err
    assert "Traceback" not in err
