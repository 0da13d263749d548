"""How long the whole table takes once all results are counted, and what counting itself costs.

Three sizes, as promised: 10 bots and 100,000 games of 2 players, the same of 4 players with seats, 1,000 bots
and 1,000,000 games of 2 players. A figure is the median of five runs of `standings` on a filled tally, the
thousand bots of three (of one with --quick); numpy is imported before. The peak of memory is that of the
whole process, the tally and the games' generator included. Counting is told as microseconds a game
beside, and processor time, which other work on the machine does not stretch.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import time
from collections.abc import Iterator

import numpy as np

from arena.standings import standings
from arena.tally import Entry, Tally


def games(bots: int, players: int, number: int, seed: int) -> Iterator[Entry]:
    """Give random results of bots of different strength, in blocks of all rotations of a line-up."""
    chance = np.random.default_rng(seed)
    names = [f"bot{bot}" for bot in range(bots)]
    strengths = chance.normal(0.0, 1.0, bots)
    blocks = number // players
    # A first bot and steps to the others: all different, without a permutation of a thousand for each block.
    steps = np.sort(chance.random((blocks, bots - 1)).argsort(1)[:, : players - 1] + 1) if bots < 50 else None
    if steps is None:
        assert players == 2
        steps = chance.integers(1, bots, (blocks, 1))
    first = chance.integers(0, bots, (blocks, 1))
    lineups = np.hstack([first, (first + steps) % bots])
    for turn in range(players):
        seated = np.roll(lineups, turn, axis=1)
        points = np.round(2 * (strengths[seated] + chance.gumbel(size=seated.shape)))  # coarse: some ties
        ranks = 1 + (points[:, None, :] > points[:, :, None]).sum(2)
        for block, (seats, places) in enumerate(zip(seated.tolist(), ranks.tolist(), strict=True)):
            yield Entry(tuple(names[bot] for bot in seats), tuple(places), str(block))


def measure(bots: int, players: int, number: int, repetitions: int) -> tuple[float, float, float]:
    """Return the seconds that the table takes, its processor seconds, and those a game of counting."""
    played = list(games(bots, players, number, seed=1)) if number <= 100_000 else None
    tally = Tally()
    begun = time.perf_counter()
    for entry in played if played is not None else games(bots, players, number, seed=1):
        tally.add(entry)
    counting = (time.perf_counter() - begun) / number if played is not None else 0.0
    times, busy = [], []
    for _ in range(repetitions):
        begun, used = time.perf_counter(), time.process_time()
        standings(tally)
        times.append(time.perf_counter() - begun)
        busy.append(time.process_time() - used)
    return statistics.median(times), statistics.median(busy), counting


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="a fifth of the thousand bots' games, once")
    options = parser.parse_args()
    two, two_cpu, count_two = measure(10, 2, 100_000, 5)
    four, four_cpu, count_four = measure(10, 4, 100_000, 5)
    thousand, thousand_cpu, _ = measure(
        1000, 2, 200_000 if options.quick else 1_000_000, 1 if options.quick else 3
    )
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures = {
        "two_players_ms": round(two * 1e3, 2),
        "four_players_ms": round(four * 1e3, 2),
        "thousand_bots_s": round(thousand, 3),
        "two_players_cpu_ms": round(two_cpu * 1e3, 2),
        "four_players_cpu_ms": round(four_cpu * 1e3, 2),
        "thousand_bots_cpu_s": round(thousand_cpu, 3),
        "thousand_bots_mib": round(peak),
        "count_two_us": round(count_two * 1e6, 2),
        "count_four_us": round(count_four * 1e6, 2),
    }
    if options.json:
        print(json.dumps(figures))
        return
    wanted = {"two_players_ms": 50, "four_players_ms": 1000, "thousand_bots_s": 10, "thousand_bots_mib": 2048}
    for name, value in figures.items():
        print(f"{name:20} {value:10} {f'(wanted below {wanted[name]})' if name in wanted else ''}")


if __name__ == "__main__":
    main()
