"""What a cluster costs: games a second on a Dask cluster over games a second on this machine without one.

Both sides play the same tournament of rain with two workers, sandbox off: bots that think a fixed time for
each action, so that a game takes 50 ms and more and hardly any CPU. One side is `arena tournament` as usual.
The other is the same on a `dask scheduler` and two `dask worker` processes of this machine. Measured is from
the first match handed out to the last line in the journal; that bots are packed, sent and greeted before, and
that everybody leaves afterwards, takes as long for ten games as for a million, and is told as `before`.

`ratio` is the cluster's games a second by the local run's, the median of five turns, the sides taking turns.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from arena import journal
from arena.cluster import Cluster
from arena.config import Config, from_values
from arena.signals import Signals
from arena.venue import play

WORKERS = 2
DASK = [str(Path(sys.executable).parent / "dask")]
BOT = """
import sys, time
moves = []
for line in sys.stdin:
    first, _, rest = line.rstrip().partition(" ")
    if first == "arena":
        print("ready wants=moves", flush=True)
    elif first == "start":
        print("ready", flush=True)
    elif first == "moves":
        moves = rest.split()
    elif first == "go":
        time.sleep(float(sys.argv[1]))
        print("move", moves[0], flush=True)
    elif first == "quit":
        break
"""


def configuration(folder: Path, rounds: int, pause: float, output: str) -> Config:
    """Return the tournament's values."""
    command = ["{python}", "-IS", str(folder / "bot" / "bot.py"), str(pause)]
    values = {
        "game": "rain",
        "bots": [{"name": name, "command": command} for name in ("a", "b")],
        "schedule": {"rounds": rounds},
        "clock": {"move": "10s", "startup": "60s"},
        "workers": WORKERS,
        "sandbox": "off",
        "output": str(folder / output),
    }
    return from_values(values, folder)


def rate(config: Config, address: str | None) -> tuple[float, float, float]:
    """Play a tournament; return games a second, seconds of a game, and seconds before the first and after."""
    shutil.rmtree(config.output, ignore_errors=True)
    begun = time.monotonic()
    with Signals() as signals:
        site = None if address is None else Cluster(address)
        end, _ = play(config, signals, lambda event: None, site=site, report=False)
    around = time.monotonic() - begun - end.seconds
    spent = [sum(action[2] for action in record["actions"]) for record in journal.records(config.output)]
    return end.played / end.seconds, statistics.median(spent) / 1e6, around


def start(folder: Path, processes: list[subprocess.Popen[bytes]]) -> str:
    """Start a scheduler and workers, and return the address when all are there."""
    file = folder / "scheduler.json"

    def run(*words: str) -> None:
        command = [*DASK, *words, "--scheduler-file", str(file), "--no-dashboard"]
        processes.append(subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL))

    run("scheduler", "--host", "127.0.0.1", "--port", "0")
    while not file.exists():
        time.sleep(0.05)
    for number in range(WORKERS):
        place = str(folder / f"place{number}")
        run("worker", "--host", "127.0.0.1", "--nthreads", "1", "--no-nanny", "--local-directory", place)
    address: str = json.loads(file.read_text())["address"]
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        client.wait_for_workers(WORKERS, timeout=120)
    return address


def measure(rounds: int, turns: int, pause: float) -> dict[str, Any]:
    """Take turns and return the figures."""
    processes: list[subprocess.Popen[bytes]] = []
    found = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "bot").mkdir()
        (folder / "bot" / "bot.py").write_text(BOT)
        try:
            address = start(folder, processes)
            for _ in range(turns):
                local = rate(configuration(folder, rounds, pause, "local"), None)
                cluster = rate(configuration(folder, rounds, pause, "cluster"), address)
                found.append((cluster[0] / local[0], cluster[0], local[0], cluster[1], cluster[2], local[2]))
        finally:
            for process in processes:
                process.kill()
                process.wait()
    columns = [statistics.median(column) for column in zip(*found, strict=True)]
    return {
        "ratio": round(columns[0], 3),
        "ratios": [round(one[0], 3) for one in found],
        "cluster_games_per_second": round(columns[1], 1),
        "local_games_per_second": round(columns[2], 1),
        "game_ms": round(columns[3] * 1000, 1),
        "before": {"cluster": round(columns[4], 2), "local": round(columns[5], 2)},
        "games": 2 * rounds,
        "turns": turns,
    }


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="fewer games a turn")
    chosen = parser.parse_args()
    figures = measure(rounds=12 if chosen.quick else 100, turns=5, pause=0.001)
    if chosen.json:
        print(json.dumps(figures))
        return
    games, game, turns = figures["games"], figures["game_ms"], figures["turns"]
    print(f"{games} games of {game} ms a turn, {turns} turns, {WORKERS} workers")
    print(f"cluster over local run     {figures['ratio']:.3f}   (turns: {figures['ratios']})")
    print(f"games a second, cluster    {figures['cluster_games_per_second']}")
    print(f"games a second, local      {figures['local_games_per_second']}")
    print(f"seconds around it, cluster {figures['before']['cluster']}, local {figures['before']['local']}")


if __name__ == "__main__":
    main()
