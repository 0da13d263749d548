"""Kills a running tournament with -9 at random moments, many times, and looks whether anything is missing.

    python tests/soak.py --kills 200

Every run is resumed until all is played; workers are killed too, one in some runs. At the end exactly the
planned games are in the journal, none twice and none lost, no process is left, and the standings are those
of a run that nobody disturbed. A short form runs with the other tests.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from arena import journal
from arena.config import load
from arena.schedule import make_plan

TINY = Path(__file__).parent / "tiny.py"
ARENA = Path(sys.executable).parent / "arena"
PATIENCE = 120.0  # seconds for what takes milliseconds on a machine that is not busy


@dataclass(frozen=True)
class Outcome:
    """What a soak did and found."""

    kills: int
    worker_kills: int
    torn: int
    games: int
    wrong: tuple[str, ...]


def configure(folder: Path, name: str, rounds: int) -> Path:
    """Write the tournament's file: four deterministic bots, two workers."""
    shutil.copy(TINY, folder / "tiny.py")
    bots = [
        f'  - {{name: {bot}, command: "{{python}} -IS tiny.py {bot}"}}'
        for bot in ("ant", "bee", "cat", "dog")
    ]
    path = folder / f"{name}.yaml"
    path.write_text(
        "\n".join(
            [
                "name: soak\ngame: rain\nsandbox: off\nworkers: 2\nseed: 5",
                "clock: {move: 60s, startup: 60s}",
                f"schedule: {{rounds: {rounds}}}\noutput: {name}\nbots:",
                *bots,
            ]
        )
        + "\n"
    )
    return path


def start(path: Path) -> subprocess.Popen[str]:
    """Begin a run, or go on with one."""
    return subprocess.Popen(
        [ARENA, "tournament", path, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def disturb(run: subprocess.Popen[str], chance: random.Random, *, worker: bool) -> tuple[bool, int]:
    """Kill a run after some of its events; tell whether it was still running, and how many workers died."""
    assert run.stdout is not None
    lines = chance.randrange(1, 40)
    workers = 0
    for _ in range(lines):
        line = run.stdout.readline()
        if not line:
            break
        if worker and not workers and '"game"' in line:
            workers += kill_worker(run.pid, chance)
    # Between two events: in the middle of a write, a sync, a table, a dispatch.
    time.sleep(chance.random() * 0.02)
    alive = run.poll() is None
    run.kill()
    run.communicate()
    return alive, workers


def kill_worker(pid: int, chance: random.Random) -> int:
    """Kill one of a run's workers, if there is one."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return 0
    chance.shuffle(children)
    for child in children:
        try:
            words = Path(f"/proc/{child}/cmdline").read_bytes()
            if b"tournament" in words:  # a fork of the arena
                os.kill(int(child), signal.SIGKILL)
                return 1
        except (OSError, ProcessLookupError):
            continue
    return 0


def left_over(folder: Path) -> list[str]:
    """Return the processes that have to do with a folder, once they had time to end."""
    end = time.monotonic() + PATIENCE
    while True:
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                try:
                    words = (entry / "cmdline").read_bytes()
                except OSError:
                    continue
                if os.fsencode(folder) in words:
                    found.append(words.replace(b"\0", b" ").decode(errors="replace"))
        if not found or time.monotonic() > end:
            return found
        time.sleep(0.02)


def soak(kills: int, rounds: int, seed: int, folder: Path) -> Outcome:
    """Disturb a tournament so many times at least, let it end, and compare."""
    chance = random.Random(seed)
    path = configure(folder, "disturbed", rounds)
    wrong: list[str] = []
    done = torn = workers = 0
    output = folder / "disturbed"
    while done < kills:
        killed, died = disturb(start(path), chance, worker=done % 3 == 1)
        if not killed:
            break  # all is played: more kills need more rounds
        done += 1
        workers += died
        book = output / journal.NAME
        if book.exists() and book.stat().st_size:
            torn += not book.read_bytes().endswith(b"\n")
        if done % 10 == 0 and (left := left_over(folder)):
            wrong.append(f"after kill {done} these are left: {left}")
    with start(path) as last:
        _, errors = last.communicate()
    if last.returncode:
        wrong.append(f"the last run ended with status {last.returncode}: {errors}")
    calm = configure(folder, "calm", rounds)
    subprocess.run([ARENA, "tournament", calm, "--quiet"], check=True)
    wrong += compare(path, output, folder / "calm")
    if left := left_over(folder):
        wrong.append(f"these are left: {left}")
    return Outcome(done, workers, torn, len(planned(path)), tuple(wrong))


def planned(path: Path) -> list[str]:
    """Return the ids that a tournament plays."""
    stages = make_plan(load(path)).stages({})
    return [match.id for stage in stages for block in stage for match in block.matches]


def compare(path: Path, disturbed: Path, calm: Path) -> list[str]:
    """Return what differs between a disturbed tournament and one that was not."""
    wrong = []
    ids = [head["id"] for head in journal.heads(disturbed) if not head["void"]]
    wanted = planned(path)
    if len(ids) != len(set(ids)):
        wrong.append(f"{len(ids) - len(set(ids))} games are there twice")
    if missing := set(wanted) - set(ids):
        wrong.append(f"{len(missing)} games are lost: {sorted(missing)[:3]}")
    if strange := set(ids) - set(wanted):
        wrong.append(f"{len(strange)} games were never planned: {sorted(strange)[:3]}")
    if void := [head["id"] for head in journal.heads(disturbed) if head["void"]]:
        wrong.append(f"void games: {void}")
    for name in ("standings.json", "standings.csv", "standings.md"):
        if (disturbed / name).read_bytes() != (calm / name).read_bytes():
            wrong.append(f"{name} differs")
    return wrong


def main() -> None:
    """Soak, and say what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=0, help="0: enough for the kills")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    chosen = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="arena-soak-"))
    print(f"seed {chosen.seed}, in {folder}", flush=True)
    begun = time.monotonic()
    found = soak(chosen.kills, chosen.rounds or chosen.kills * 3, chosen.seed, folder)
    print(
        f"{found.kills} kills of the run and {found.worker_kills} of workers "
        f"in {time.monotonic() - begun:.0f} s: {found.games} games, {found.torn} torn lines mended"
    )
    for line in found.wrong:
        print(f"WRONG: {line}")
    if found.wrong or found.kills < chosen.kills:
        sys.exit(f"{len(found.wrong)} wrong, {found.kills} of {chosen.kills} kills; kept in {folder}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
