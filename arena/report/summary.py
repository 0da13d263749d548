"""What the report tells of a tournament besides the table, gathered in one pass over the journal.

Memory does not grow with the number of games: times and points are kept as counts by size, of faults and of
games for the viewer only as many as are shown.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from arena import journal
from arena.games.base import PASS, Game, load_game
from arena.report.machines import Machine, Machines
from arena.report.replays import replay
from arena.results import teams
from arena.standings import Close, Settings, Standings, standings
from arena.tally import Entry, Tally

FAULTS = 200  # shown one by one; more are only counted
CHECKPOINTS = 16  # points of each line in the drawing of how ratings developed
_FINE = 16  # buckets for each doubling of a time: within 4.5 %


@lru_cache(maxsize=1 << 16)
def _bucket(micros: int) -> int:
    """Return the number of the size that a time belongs to; few thousand different times come up."""
    return round(math.log2(micros) * _FINE) if micros > 0 else -1


@dataclass(slots=True)
class Times:
    """How long a bot took for its actions, in microseconds, by size."""

    counts: Counter[int] = field(default_factory=Counter)
    longest: int = 0

    def add(self, micros: int) -> None:
        """Count one action."""
        self.counts[_bucket(micros)] += 1
        if micros > self.longest:
            self.longest = micros

    def quantile(self, share: float) -> int:
        """Return the time within which a share of the actions was made."""
        left = share * self.counts.total()
        for bucket, count in sorted(self.counts.items()):
            left -= count
            if left <= 0:
                return min(self.longest, round(2 ** (bucket / _FINE))) if bucket >= 0 else 0
        return self.longest


@dataclass(slots=True)
class BotFacts:
    """What a bot did over all its games."""

    games: int = 0
    actions: int = 0
    cpu: float = 0.0
    times: Times = field(default_factory=Times)
    parts: dict[str, Counter[int]] = field(default_factory=dict)  # by part: points and how often
    told: dict[str, str] = field(default_factory=dict)  # name, version, author


@dataclass(frozen=True, slots=True)
class FaultShown:
    """A fault with the game and the step of the viewer where it happened."""

    game: str
    round: int
    bot: str
    seat: int
    kind: str
    text: str
    stderr: str
    action: int


@dataclass(frozen=True, slots=True)
class Summary:
    """All that the report shows."""

    header: Mapping[str, Any]
    table: Standings
    tally: Tally
    bots: Mapping[str, BotFacts]
    history: tuple[tuple[int, Mapping[str, float]], ...]  # after so many games the ratings
    faults: tuple[FaultShown, ...]
    fault_count: int
    void: int
    games: int
    chosen: tuple[str, ...]  # ids of the games in the viewer
    machines: tuple[Machine, ...] = ()  # where there were several


@dataclass(slots=True)
class _Choice:
    """The games that are most worth looking at: with faults, then close ones, then the first."""

    most: int
    heap: list[tuple[tuple[int, float, int], str]] = field(default_factory=list)

    def offer(self, number: int, record: Mapping[str, Any]) -> None:
        first, *others = sorted(record["scores"], reverse=True)
        worth = (int(bool(record["faults"])), -float(first - (others[0] if others else 0)), -number)
        item = (worth, str(record["id"]))
        if len(self.heap) < self.most:
            heapq.heappush(self.heap, item)
        elif self.most:
            heapq.heappushpop(self.heap, item)

    def ids(self) -> tuple[str, ...]:
        return tuple(name for _, name in self.heap)


def gather(
    folder: Path, *, games: int, settings: Settings | None = None, close: Close | None = None
) -> Summary:
    """Read a folder's journal; `games` is how many the viewer gets at the most."""
    header = journal.read_header(folder)
    configuration = header["configuration"]
    sides = teams(configuration["game"], configuration["players"])
    settings = settings or Settings(outcome=load_game(configuration["game"]).outcome)
    names = [bot["name"] for bot in configuration["bots"]]
    tally = Tally(names)
    bots = {name: BotFacts() for name in names}
    faults: list[FaultShown] = []
    choice = _Choice(games)
    machines = Machines()
    history: list[tuple[int, Mapping[str, float]]] = []
    played = fault_count = void = 0
    total = sum(not head["void"] for head in journal.heads(folder))
    marks = {max(1, round(total * part / CHECKPOINTS)) for part in range(1, CHECKPOINTS + 1)}
    for record in journal.records(folder):
        if record["void"]:
            void += 1
            continue
        played += 1
        tally.add(Entry.load(record, sides))
        _count(bots, record)
        for fault in record["faults"]:
            fault_count += 1
            if len(faults) < FAULTS:
                faults.append(_shown(record, fault))
        choice.offer(played, record)
        machines.add(record)
        if played in marks:
            history.append((played, _ratings(standings(tally, settings))))
    table = standings(tally, settings, close)
    return Summary(
        header,
        table,
        tally,
        bots,
        tuple(history),
        tuple(faults),
        fault_count,
        void,
        played,
        choice.ids(),
        machines.rows(),
    )


def _count(bots: dict[str, BotFacts], record: Mapping[str, Any]) -> None:
    """Add one game to what its bots did."""
    facts = [bots.setdefault(name, BotFacts()) for name in record["bots"]]
    for seat, fact in enumerate(facts):
        fact.games += 1
        if record["cpu"]:
            fact.cpu += record["cpu"][seat]
        for part, points in record["parts"][seat].items():
            fact.parts.setdefault(part, Counter())[points] += 1
        if record.get("told"):
            fact.told = dict(record["told"][seat])
    for action in record["actions"]:
        if action[1] != PASS:
            fact = facts[action[0]]
            fact.actions += 1
            fact.times.add(action[2])


def _shown(record: Mapping[str, Any], fault: Mapping[str, Any]) -> FaultShown:
    return FaultShown(
        game=record["id"],
        round=record["round"],
        bot=record["bots"][fault["seat"]],
        seat=fault["seat"],
        kind=fault["kind"],
        text=fault["text"],
        stderr=fault["stderr"],
        action=fault["action"],
    )


def _ratings(table: Standings) -> dict[str, float]:
    return {
        bot.name: bot.elo for group in table.groups for bot in group.bots if bot.elo is not None and bot.games
    }


def viewer(folder: Path, game: Game, chosen: Sequence[str]) -> dict[str, Any]:
    """Return the viewer's data: the first position of any game, and the chosen games."""
    wanted = set(chosen)
    base: dict[str, str | int] | None = None
    told = []
    for record in _records(folder, wanted):
        if base is None:
            base = game.start(game.load_setup(record["setup"])).view()
        told.append(replay(game, record, base))
    return {"game": game.name, "base": base or {}, "games": told}


def _records(folder: Path, wanted: set[str]) -> Iterator[Mapping[str, Any]]:
    for record in journal.records(folder):
        if record["id"] in wanted and not record["void"]:
            yield record
