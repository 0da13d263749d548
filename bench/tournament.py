"""What a tournament costs besides its matches: the whole machinery against a bare loop of the referee.

Both sides play the same matches of a round-robin of C bots (`first.c`, desert, sandbox off) with two workers
that are pinned to a core each and keep their bots. One side is a tournament as users run it, from the first
match handed out to the last line durable in the journal: plan, dispatch, encoding, journal with its syncs,
counts, and a table every few seconds. The other is two processes that each play half of the matches on a
`Table` and throw the results away.

`ratio` is the bare loop's wall time by the tournament's, the median of five turns, the sides taking turns.
`plies_per_second` is the tournament's; `cpu_per_ply` are the arena's own microseconds of CPU, the bots' not
counted. `plan_seconds` and `plan_mib` are for making all matches of a plan of 1,000,000 in a process of its
own: CPU seconds, as nothing there waits, and that process's peak of memory, Python and imports included.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from arena import journal
from arena.config import Config, from_values
from arena.crew import share_cores
from arena.driver import Table
from arena.events import Begin, Event
from arena.match import Match
from arena.schedule import make_plan
from arena.signals import Signals
from arena.venue import play

HERE = Path(__file__).parent
WORKERS = 2
BOTS = 4
ROUND = BOTS * (BOTS - 1)  # matches: every pair, from both seats

PLAN = """
import itertools, json, resource, time
from pathlib import Path
from arena.config import from_values
from arena.schedule import make_plan
bots = [{"name": f"b{n}", "command": "true"} for n in range(10)]
begun = time.process_time()
plan = make_plan(from_values({"game": "desert", "bots": bots, "schedule": {"rounds": 11112}}, Path("/")))
count = 0
for stage in plan.stages({}):
    for block in stage:
        for match in block.matches:
            count += 1
seconds = time.process_time() - begun
assert count >= 1_000_000, count
print(json.dumps([seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024]))
"""


def build(folder: Path) -> Path:
    """Compile the bot."""
    program = folder / "first"
    subprocess.run(["cc", "-O2", "-o", program, HERE / "first.c"], check=True)
    return program


def configuration(program: Path, rounds: int, output: Path) -> Config:
    """Return the tournament's values."""
    bots = [{"name": f"first{number}", "command": [str(program)]} for number in range(BOTS)]
    values = {
        "game": "desert",
        "bots": bots,
        "schedule": {"rounds": rounds},
        "workers": WORKERS,
        "sandbox": "off",
        "output": str(output),
    }
    return from_values(values, output.parent)


def tournament(config: Config) -> tuple[float, int, float]:
    """Play it all; return the seconds, the plies, and the arena's own CPU seconds."""

    before = 0.0

    def used() -> float:
        usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        return sum(usage.ru_utime + usage.ru_stime for usage in usages)

    def tell(event: Event) -> None:
        nonlocal before
        if isinstance(event, Begin):  # what comes before is the same for ten games and a million
            before = used()

    with Signals() as signals:
        end, _ = play(config, signals, tell, report=False)
    cpu = used() - before
    plies = 0
    for record in journal.records(config.output):
        plies += len(record["actions"])
        cpu -= sum(record["cpu"])
    return end.seconds, plies, cpu


def bare(config: Config) -> float:
    """Play the same matches without anything around them; return the seconds."""
    matches = [match for stage in make_plan(config).stages({}) for block in stage for match in block.matches]
    fork = get_context("fork")
    begun = time.perf_counter()
    processes = [
        fork.Process(target=loop, args=(config, cores, matches[number::WORKERS]))
        for number, cores in enumerate(share_cores(WORKERS, 1))
    ]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    return time.perf_counter() - begun


def loop(config: Config, cores: frozenset[int], matches: list[Match]) -> None:
    """Play matches one after the other."""
    os.sched_setaffinity(0, cores)
    with Table({bot.name: bot for bot in config.bots}, config.clock, config.limits) as table:
        for match in matches:
            result = table.play(match)
            assert not result.faults, result.faults


def measure(rounds: int, turns: int) -> dict[str, Any]:
    """Take turns and return the figures."""
    found = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        program = build(folder)
        for turn in range(turns):
            config = configuration(program, rounds, folder / f"out{turn}")
            floor = bare(config)
            seconds, plies, cpu = tournament(config)
            found.append((floor / seconds, plies / seconds, rounds * ROUND / seconds, 1e6 * cpu / plies))
            shutil.rmtree(config.output)
    ratio, plies_rate, games, cpu_per_ply = (statistics.median(column) for column in zip(*found, strict=True))
    planned = subprocess.run([sys.executable, "-c", PLAN], check=True, capture_output=True)
    plan_seconds, plan_mib = json.loads(planned.stdout)
    return {
        "ratio": round(ratio, 3),
        "ratios": [round(one[0], 3) for one in found],
        "plies_per_second": round(plies_rate),
        "games_per_second": round(games, 1),
        "cpu_per_ply": round(cpu_per_ply, 1),
        "games": rounds * ROUND,
        "turns": turns,
        "plan_seconds": round(plan_seconds, 2),
        "plan_mib": round(plan_mib, 1),
    }


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="fewer games a turn; ends within 20 s")
    chosen = parser.parse_args()
    figures = measure(rounds=100 if chosen.quick else 400, turns=5)
    if chosen.json:
        print(json.dumps(figures))
        return
    print(f"{figures['games']} games a turn, {figures['turns']} turns, {WORKERS} workers")
    print(f"tournament against a bare loop   {figures['ratio']:.3f}   (turns: {figures['ratios']})")
    print(f"plies a second                   {figures['plies_per_second']}")
    print(f"games a second                   {figures['games_per_second']}")
    print(f"the arena's CPU, µs a ply        {figures['cpu_per_ply']}")
    print(f"plan of 1,000,000 games          {figures['plan_seconds']} s, {figures['plan_mib']} MiB")


if __name__ == "__main__":
    main()
