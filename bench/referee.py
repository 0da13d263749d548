"""How fast the whole path plays, next to a C program that only exchanges the same lines.

One side is the arena: table, referee, rules of desert for 2 players, processes. The other is `floor.c`, which
tells the same bots a recorded match over and over, byte for byte, with one blocking write and one blocking
read a turn: no rules, no clock, no parsing. The bots are `first.c` on both sides; they follow the match by
themselves and answer at once with the first legal action.

    ratio_one_core     plies a second of one worker pinned to one core with its bots, by those of the floor
    ratio_two_cores    the same for two workers, each on a core of its own, by two floors
    shares             of the time of one worker: rules, referee, system calls and bots, all the rest

Both sides are measured in turns in the same run; a ratio is the median over the turns. The time of a side
in a turn is that of a match of which one in ten was quicker: other programs on the machine hinder a referee
in Python, which needs the core for longer at a time, more than one in C, and are not what is measured.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.driver import Table
from arena.effects import Ask
from arena.games.base import load_game
from arena.launch import Launch
from arena.match import Bot, Clock, Limits, Match
from arena.process import Guardian
from arena.referee import Referee
from protocol.connection import Connection, Side

HERE = Path(__file__).parent
GAME, PLAYERS = "desert", 2
TURNS = 7


@dataclass(frozen=True)
class Write:
    """One write of a recorded match: to whom, what is due (2 an action, 1 `ready`, 0 nothing), the bytes."""

    seat: int
    due: int
    data: bytes


def build(folder: Path) -> tuple[Path, Path]:
    """Compile bot and floor."""
    made = []
    for name in ("first", "floor"):
        made.append(folder / name)
        subprocess.run(["cc", "-O2", "-o", made[-1], HERE / f"{name}.c"], check=True)
    return made[0], made[1]


def bots(program: Path) -> dict[str, Bot]:
    """Return the bots of all matches."""
    return {name: Bot(name, (str(program),), program.parent) for name in ("a", "b")}


def match(number: int) -> Match:
    """Return a match; like a tournament's, two in a row share a board with the seats rotated."""
    seats = ("a", "b") if number % 2 else ("b", "a")
    return Match(f"m{number}", f"b{number // 2}", number // 2, GAME, {}, number // 2, seats)


def record(program: Path) -> tuple[list[Write], list[str]]:
    """Return what is written to the bots in a match, and its actions."""
    said: list[tuple[int, bytes]] = []

    def wire(seat: int, name: str, way: str, data: bytes) -> None:
        if way == ">":
            said.append((seat, data))

    with Table(bots(program), Clock(), Limits(), wire=wire) as table:
        table.play(match(0))
        said.clear()  # from here on as in every match but the first
        result = table.play(match(2))
        writes = list(said)
    due = {b"go": 2, b"start": 1}
    turns = [Write(seat, due.get(data.splitlines()[-1].split()[0], 0), data) for seat, data in writes]
    return turns, [action.text for action in result.actions]


@contextmanager
def pinned(core: int) -> Iterator[None]:
    """Run on one core, with everything that is started meanwhile."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def arena(program: Path, core: int, seconds: float) -> float:
    """Return the plies a second of one worker."""
    with pinned(core), Table(bots(program), Clock(), Limits()) as table:
        gc.freeze()  # as a worker does
        for number in range(20):
            plies = len(table.play(match(number)).actions)
        times = []
        last = time.perf_counter()
        end = last + seconds
        while last < end:
            number += 1
            result = table.play(match(number))
            after = time.perf_counter()
            times.append((after - last) / len(result.actions))
            last = after
        assert plies, "bots that play"
    return 1 / undisturbed(times)


def _arena_into(
    program: Path, core: int, seconds: float, pipe: multiprocessing.connection.Connection
) -> None:
    pipe.send(arena(program, core, seconds))


def arenas(program: Path, cores: list[int], seconds: float) -> float:
    """Return the plies a second of several workers at the same time."""
    context = multiprocessing.get_context("fork")
    pipes, workers = [], []
    for core in cores:
        ours, theirs = context.Pipe(duplex=False)
        workers.append(context.Process(target=_arena_into, args=(program, core, seconds, theirs)))
        workers[-1].start()
        pipes.append(ours)
    total = sum(pipe.recv() for pipe in pipes)
    for worker in workers:
        worker.join()
    return total


def floors(floor: Path, program: Path, turns: Path, cores: list[int], seconds: float) -> float:
    """Return the answers a second of as many floors at the same time."""
    started = []
    for core in cores:
        with pinned(core):
            command = [floor, str(seconds), turns, program]
            started.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
    total = 0.0
    for process in started:
        output, _ = process.communicate()
        answers, seconds_each, _ = output.split()
        total += int(answers) / float(seconds_each)
    return total


def shares(
    program: Path, core: int, writes: list[Write], actions: list[str], rate: float
) -> dict[str, float]:
    """Return which part of a worker's time each takes, by playing the recorded match without the others."""
    game = load_game(GAME)
    setup = game.setup(PLAYERS, 1, game.read_options({}))

    def rules() -> None:
        state = game.start(setup)
        for action in actions:
            state.play(action)

    answers = [f"move {action}\n".encode() for action in actions]
    talks = [Connection(Side.REFEREE) for _ in range(PLAYERS)]
    readies = [None] * PLAYERS

    def referee() -> None:
        judge = Referee(match(2), game, Clock(), talks, readies)
        effects = judge.begin()
        if readies[0] is None:
            for seat in range(PLAYERS):
                judge.started(seat)
                judge.heard(seat, b"ready\n", 1)
        for seat in range(PLAYERS):
            effects = judge.heard(seat, b"ready\n", 1)
        for answer in answers:
            question = effects[-1]
            assert isinstance(question, Ask)
            effects = judge.heard(question.seat, answer, 1)
        readies[:] = [judge.ready(seat) for seat in range(PLAYERS)]

    with pinned(core), Guardian() as guardian:
        launch = Launch((str(program),), program.parent)
        processes = [guardian.start(launch) for _ in range(PLAYERS)]
        poller = select.poll()
        for process in processes:
            for fd in (process.stdout, process.stderr, process.pidfd):
                poller.register(fd, select.POLLIN)

        def calls() -> None:
            for write in writes:
                process = processes[write.seat]
                os.write(process.stdin, write.data)
                if write.due:
                    try:
                        process.take()
                    except BlockingIOError:
                        poller.poll()
                        process.take()

        for process in processes:
            os.write(process.stdin, b"arena 1\n")
            poller.poll()
            os.read(process.stdout, 100)
        ply = 1e-6 * len(actions)
        times = {
            name: timed(part) / ply
            for name, part in {"rules": rules, "referee": referee, "calls": calls}.items()
        }
    whole = 1e6 / rate
    times["referee"] -= times["rules"]
    found = {
        "rules": times["rules"] / whole,
        "referee": times["referee"] / whole,
        "system calls and bots": times["calls"] / whole,
    }
    return {**found, "the rest": 1 - sum(found.values())}


def timed(part: Callable[[], None]) -> float:
    """Return the seconds that something takes."""
    times = []
    for _ in range(400):
        began = time.perf_counter()
        part()
        times.append(time.perf_counter() - began)
    return undisturbed(times)


def undisturbed(times: list[float]) -> float:
    """Return the time than which one in ten was quicker."""
    return sorted(times)[len(times) // 10]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")
    parser.add_argument("--quick", action="store_true", help="within 20 seconds")
    given = parser.parse_args()
    seconds, count = (0.35, 5) if given.quick else (1.5, TURNS)
    cores = sorted(os.sched_getaffinity(0))[-2:]
    with tempfile.TemporaryDirectory() as name:
        program, floor = build(Path(name))
        writes, actions = record(program)
        turns = Path(name) / "turns"
        turns.write_bytes(b"".join(b"%d %d %d\n%s" % (w.seat, w.due, len(w.data), w.data) for w in writes))
        rates: dict[str, list[float]] = {"one": [], "one floor": [], "two": [], "two floors": []}
        for _ in range(count):
            rates["one"].append(arena(program, cores[-1], seconds))
            rates["one floor"].append(floors(floor, program, turns, cores[-1:], seconds))
            if len(cores) > 1:
                rates["two"].append(arenas(program, cores, seconds))
                rates["two floors"].append(floors(floor, program, turns, cores, seconds))
        parts = shares(program, cores[-1], writes, actions, statistics.median(rates["one"]))

    def ratio(side: str, other: str) -> float | None:
        found = [a / b for a, b in zip(rates[side], rates[other], strict=True)]
        return round(statistics.median(found), 3) if found else None

    result = {
        "ratio_one_core": ratio("one", "one floor"),
        "ratio_two_cores": ratio("two", "two floors"),
        "shares": {part: round(share, 3) for part, share in parts.items()},
        "plies_a_second": {side: round(statistics.median(found)) for side, found in rates.items() if found},
        "plies_a_match": len(actions),
        "turns": count,
        "python": sys.version.split()[0],
    }
    if given.json:
        print(json.dumps(result))
        return
    print(f"{'':12}{'arena':>12}{'floor':>12}{'ratio':>8}   plies a second, {GAME} for {PLAYERS}")
    for label, side, other, key in (
        ("one core", "one", "one floor", "ratio_one_core"),
        ("two cores", "two", "two floors", "ratio_two_cores"),
    ):
        if rates[side]:
            a, b = (statistics.median(rates[name]) for name in (side, other))
            print(f"{label:12}{a:12,.0f}{b:12,.0f}{result[key]:8.3f}")
    print("of one worker's time: " + ", ".join(f"{part} {share:.0%}" for part, share in parts.items()))


if __name__ == "__main__":
    main()
