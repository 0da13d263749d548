"""The rules that mcts carries in its own native code, held against the arena's over random matches."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from arena.games.base import State, load_game

SOURCES = Path(__file__).parent.parent / "sample_bots" / "ladder" / "mcts"
# Matches by case; a larger factor in the environment makes a longer comparison.
FACTOR = int(os.environ.get("ARENA_ENGINE_FACTOR", "1"))


@pytest.fixture(scope="module")
def engine(mcts: Path) -> Path:
    """The program whose rules are compared."""
    return mcts


@dataclass
class Script:
    """What is told to the engine, and what it must show at each step."""

    lines: list[str] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)
    matches: int = 0
    dropped: int = 0
    enclosed: int = 0

    def show(self, state: State) -> None:
        """Ask for the position and note what the arena holds of it."""
        self.lines.append("show")
        scores = ",".join(map(str, state.scores()))
        turn = -1 if state.turn is None else state.turn
        self.expected.append(f"{turn} {scores} {' '.join(sorted(state.legal()))}".rstrip())


def random_match(script: Script, game: str, players: int, options: dict[str, str], seed: int) -> None:
    """Play one match at random, sometimes with seats that drop out, and write it into the script."""
    rules = load_game(game)
    chance = random.Random(f"{game} {players} {options} {seed}")
    chosen = rules.read_options(options)
    setup = rules.setup(players, seed, chosen)
    state = rules.start(setup)
    said = " ".join(f"{name}={choice}" for name, choice in chosen.items())
    script.lines.append(f"game {game} players={players} seat=0 {said}")
    script.lines += [f"setup {line}" for line in setup.lines(0)]
    script.lines.append("start")
    script.show(state)
    drops = chance.random() < 0.3
    while not state.over:
        assert state.turn is not None
        if drops and chance.random() < 0.02:
            seat = chance.choice([seat for seat in range(players) if seat not in state.out])
            script.lines.append(f"out {seat} crash")
            events = state.drop(seat)
            script.dropped += 1
        else:
            action = chance.choice(state.legal())
            script.lines.append(f"play {state.turn} {action}")
            events = state.play(action)
        script.lines += [f"{event.kind} {event.seat} {event.text}" for event in events]
        script.show(state)
    script.matches += 1
    script.enclosed += any(parts.get("area", 0) for parts in state.parts())


def shown(line: str, game: str) -> Iterator[str]:
    """Return turn, scores and legal actions of one answer, in the form that `Script.show` notes."""
    facts, _, legal = line.partition(" legal=")
    values = dict(fact.split("=") for fact in facts.split())
    bonus = game == "rain" or values["turn"] == "-1"
    yield values["turn"]
    yield values["totals" if bonus else "points"]
    yield " ".join(sorted(legal.split()))


CASES = [
    ("desert", players, {"edition": edition}, 130)
    for players in (2, 3, 4, 5)
    for edition in ("kosmos", "ffg")
]
CASES += [("rain", players, {}, 400) for players in (2, 3, 4)]


@pytest.mark.parametrize(
    ("game", "players", "options", "count"),
    CASES,
    ids=lambda value: "-".join(value.values()) if isinstance(value, dict) else str(value),
)
def test_agrees_with_the_arena(
    engine: Path, game: str, players: int, options: dict[str, str], count: int
) -> None:
    """At every step of random matches mcts knows the same seat in turn, points and legal actions."""
    script = Script()
    for seed in range(count * FACTOR):
        random_match(script, game, players, options, seed)
    told = "\n".join(script.lines) + "\n"
    done = subprocess.run([engine, "--rules"], input=told, capture_output=True, text=True, check=True)
    answers = done.stdout.splitlines()
    assert len(answers) == len(script.expected)
    for number, (answer, expected) in enumerate(zip(answers, script.expected, strict=True)):
        if game == "rain" and expected.startswith("-1 "):
            # The arena stops once nothing can score any more; mcts leaves that to the referee.
            assert answer.split(" totals=")[1].split()[0] == expected.split()[1]
        else:
            assert " ".join(shown(answer, game)).rstrip() == expected, f"step {number}"
    assert script.dropped > 0
    if game == "desert":
        assert script.enclosed > script.matches / 10
