"""How often the 95 % intervals hold the truth, and how their width compares with the real spread.

Tournaments of six bots of known strength are simulated and rated with the defaults, in each of some settings.
Wanted is a coverage of 94 to 96 % wherever a bot has 84 or more games. `se/sd` is the mean standard error
over the standard deviation of the estimates: 1 is right, below 1 is too sure. Where the simulated world is
not the model's (boards that favour a seat, ties from rounded points), the truth is what a two-hundredfold
larger tournament gives. The boards that favour a seat come twice: independent for each block, as the
statistics take them, and shared by all line-ups of a round, as a tournament plays them; the difference is
what that costs.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from arena.ratings import ELO
from arena.standings import standings
from arena.tally import Entry, Tally

STRENGTHS = (-250.0, -130.0, -30.0, 40.0, 120.0, 250.0)  # Elo, mean 0
NAMES = tuple(f"bot{number + 1}" for number in range(len(STRENGTHS)))
SEAT = 30.0  # Elo: what the first seat is worth over the last, twice over


@dataclass(frozen=True, slots=True)
class World:
    """How simulated games come about."""

    players: int
    rounds: int
    grain: float = 0.0  # points are rounded to multiples of this: the larger, the more ties
    boards: float = 0.0  # Elo: the standard deviation of what a board gives a seat
    shared: bool = False  # whether all line-ups of a round have the same board
    repeats: int = 1  # deterministic bots: each board comes so often, and is then played the same


WORLDS = {
    "2 players": World(2, 9),
    "3 players": World(3, 3),
    "4 players": World(4, 3),
    "5 players": World(5, 4),
    "2 players, ties": World(2, 9, grain=1.0),
    "3 players, ties": World(3, 3, grain=1.0),
    "4 players, ties": World(4, 3, grain=1.0),
    "5 players, ties": World(5, 4, grain=1.0),
    "2 players, boards favour a seat": World(2, 9, boards=400.0),
    "3 players, boards favour a seat": World(3, 3, boards=400.0),
    "2 players, boards favour a seat, shared": World(2, 9, boards=400.0, shared=True),
    "2 players, deterministic, each board 3 times": World(2, 9, repeats=3),
    "3 players, deterministic, each board 3 times": World(3, 3, repeats=3),
}


def entries(world: World, chance: np.random.Generator) -> Iterator[Entry]:
    """Give the games of one tournament."""
    players = world.players
    lineups = list(combinations(range(len(NAMES)), players))
    orders = np.array([np.roll(range(players), turn) for turn in range(players)])
    seats = np.linspace(SEAT, -SEAT, players) / ELO
    # A strength plus Gumbel noise makes Plackett-Luce's order exactly.
    for board in range(world.rounds):
        seated = np.array(lineups)[:, orders]  # line-ups by turns by seats
        boards = (1 if world.shared else len(lineups), 1, players)
        favour = seats + chance.normal(0.0, world.boards / ELO, boards)
        points = np.array(STRENGTHS)[seated] / ELO + favour + chance.gumbel(size=seated.shape)
        if world.grain:
            points = np.round(points / world.grain)
        ranks = 1 + (points[..., None, :] > points[..., :, None]).sum(-1)
        for number in range(len(lineups)):
            for turn in range(players):
                bots = tuple(NAMES[bot] for bot in seated[number, turn])
                places = tuple(ranks[number, turn].tolist())
                same = f"{board} {number} {turn}".encode() if world.repeats > 1 else b""
                for time in range(world.repeats):
                    yield Entry(bots, places, f"{board} {number} {time}", digest=same)


def rate(world: World, chance: np.random.Generator) -> dict[str, tuple[float, float, float, float]]:
    """Return each bot's estimate, error, and both ends of its interval, in one tournament."""
    tally = Tally()
    for entry in entries(world, chance):
        tally.add(entry)
    rows = {}
    for bot in standings(tally).groups[0].bots:
        assert bot.elo is not None
        assert bot.error is not None
        assert bot.low is not None
        assert bot.high is not None
        rows[bot.name] = (bot.elo, bot.error, bot.low, bot.high)
    return rows


def truth(world: World) -> dict[str, float]:
    """Return what estimates of this world tend to."""
    if not world.grain and not world.boards:
        return dict(zip(NAMES, STRENGTHS, strict=True))
    large = replace(world, rounds=200 * world.rounds)
    return {name: row[0] for name, row in rate(large, np.random.default_rng(0)).items()}


@dataclass(frozen=True, slots=True)
class Figures:
    """What was found in one world."""

    games: int  # of a bot, different ones
    coverage: float
    ratio: float  # mean standard error over standard deviation


def measure(world: World, repetitions: int, seed: int) -> Figures:
    """Simulate many tournaments of a world."""
    right = truth(world)
    runs = [rate(world, np.random.default_rng((seed, number))) for number in range(repetitions)]
    hits = [run[name][2] <= right[name] <= run[name][3] for run in runs for name in NAMES]
    errors = [statistics.fmean(run[name][1] for run in runs) / 1.96 for name in NAMES]
    spreads = [statistics.stdev(run[name][0] for run in runs) for name in NAMES]
    ratio = statistics.fmean(error / spread for error, spread in zip(errors, spreads, strict=True))
    met = len(list(combinations(range(len(NAMES) - 1), world.players - 1)))
    return Figures(met * world.players * world.rounds, statistics.fmean(hits), ratio)


def main() -> None:
    """Measure all worlds, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="few repetitions: coverage to some 2 %")
    parser.add_argument("--repetitions", type=int, default=1000)
    options = parser.parse_args()
    repetitions = 40 if options.quick else options.repetitions
    found = {}
    if not options.json:
        print(f"{'':46} games  coverage  se/sd   ({repetitions} repetitions; wanted 94 to 96 %)")
    for name, world in WORLDS.items():
        each = measure(world, repetitions, seed=1)
        found[name] = {
            "games": each.games,
            "coverage": round(each.coverage, 4),
            "se/sd": round(each.ratio, 4),
        }
        if not options.json:
            print(f"{name:46} {each.games:5}  {each.coverage:8.1%}  {each.ratio:5.2f}", flush=True)
    if options.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
