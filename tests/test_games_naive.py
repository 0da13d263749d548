"""The rules beside their naive second implementations: leaf counts, and random matches step by step."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from arena.games.base import Game, Setup, State, load_game
from arena.games.desert import GAME as DESERT
from arena.games.desert import board as boards
from arena.games.desert import setup as setups
from arena.games.desert.board import Board, neighbours, place
from tests.naive import perft
from tests.naive.desert import NaiveDesert
from tests.naive.rain import NaiveRain

TABLE: list[dict[str, Any]] = json.loads((Path(__file__).parent / "data" / "perft.json").read_text())


def name_of(row: dict[str, Any]) -> str:
    return "-".join([row["game"], str(row["players"]), *row["options"].values(), f"after{row['actions']}"])


def leaves(state: State, depth: int) -> int:
    """Count the sequences of so many actions with the real rules."""
    if depth == 1:
        return len(state.legal())
    total = 0
    for action in state.legal():
        after = state.copy()
        after.play(action)
        total += leaves(after, depth - 1)
    return total


@pytest.mark.parametrize("row", TABLE, ids=name_of)
def test_leaf_counts(row: dict[str, Any]) -> None:
    """From a fixed position there are as many sequences of actions as the naive rules found."""
    game = load_game(row["game"])
    state = game.start(game.setup(row["players"], row["seed"], game.read_options(row["options"])))
    chance = random.Random(row["seed"])
    for _ in range(row["actions"]):
        state.play(perft.opening(set(state.legal()), chance))
    assert [leaves(state, depth + 1) for depth in range(len(row["counts"]))] == row["counts"]


def test_the_table_is_what_the_naive_rules_say() -> None:
    """The table of leaf counts holds every position that the naive rules count, and their first counts."""
    assert [row | {"counts": len(row["counts"])} for row in TABLE] == [
        {key: value for key, value in row.items() if key != "depth"} | {"counts": row["depth"]}
        for row in perft.positions()
    ]
    for row in TABLE:
        state = perft.begin(row["game"], row["players"], row["options"], row["seed"])
        chance = random.Random(row["seed"])
        for _ in range(row["actions"]):
            state.play(perft.opening(state.legal(), chance))
        assert len(state.legal()) == row["counts"][0]


def beside(game: Game, setup: Setup, seed: int, dropping: float) -> tuple[int, int]:
    """Play a match with both implementations, comparing every step; return passes and enclosed spaces."""
    real = game.start(setup)
    cells = setup.lines(0)[0].split()[1:]
    naive = NaiveDesert(setup.dump(), cells) if game.name == "desert" else NaiveRain(setup.dump(), cells)
    chance = random.Random(seed)
    passes = 0
    while True:
        assert real.over == naive.over
        assert real.parts() == naive.parts()
        assert real.out == tuple(naive.gone)
        if real.over:
            return passes, len(naive.owner) if isinstance(naive, NaiveDesert) else 0
        assert real.turn == naive.turn
        legal = real.legal()
        assert len(set(legal)) == len(legal)
        assert set(legal) == naive.legal()
        if chance.random() < dropping:
            seat = int(chance.random() * setup.players)
            events, expected = real.drop(seat), naive.drop(seat)
        else:
            action = legal[int(chance.random() * len(legal))]
            events, expected = real.play(action), naive.play(action)
        assert [(event.kind, event.seat, event.text) for event in events] == expected
        passes += sum(event.is_pass for event in events)


@pytest.mark.parametrize("dropping", [0.0, 0.02])
@pytest.mark.parametrize("edition", ["kosmos", "ffg"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_desert_beside_naive(players: int, edition: str, dropping: float) -> None:
    """Random matches of desert on the classic board are the same with both implementations."""
    for seed in range(5):
        setup = DESERT.setup(players, seed, {"edition": edition})
        beside(DESERT, setup, seed, dropping)


@pytest.mark.parametrize("dropping", [0.0, 0.03])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_rain_beside_naive(players: int, dropping: float) -> None:
    """Random matches of rain are the same with both implementations."""
    game = load_game("rain")
    for seed in range(24):
        beside(game, game.setup(players, seed, {}), seed, dropping)


def random_board(name: str, seed: int) -> Board:
    """Return a ragged little board with holes, where areas close and players block each other often."""
    chance = random.Random(seed)
    spaces = {"d5"}
    wanted = 40 + int(chance.random() * 30)
    while len(spaces) < wanted:
        edge = sorted({s for space in spaces for s in neighbours(space) if "a" <= s[0] <= "i"})
        space = edge[int(chance.random() * len(edge))]
        if 1 <= place(space)[1] <= 10:
            spaces.add(space)
    mixed = [*spaces]
    mixed.sort(key=place)
    chance.shuffle(mixed)
    return Board(
        name, tuple(sorted(spaces, key=place)), frozenset(), tuple(mixed[:6]), tuple(mixed[6:14]), ()
    )


@pytest.fixture
def little_boards(monkeypatch: pytest.MonkeyPatch) -> dict[str, Board]:
    """Let boards of the test be found by name."""
    known: dict[str, Board] = {}
    for module in (boards, setups):
        monkeypatch.setattr(module, "load_board", known.__getitem__)
    return known


@pytest.mark.parametrize("dropping", [0.0, 0.01])
@pytest.mark.parametrize("edition", ["kosmos", "ffg"])
@pytest.mark.parametrize("players", [2, 3, 5])
def test_desert_on_little_boards(
    players: int, edition: str, dropping: float, little_boards: dict[str, Board]
) -> None:
    """On little ragged boards, where players are blocked and areas close, both implementations agree."""
    passes = enclosed = 0
    for seed in range(25):
        name = f"little-{seed}"
        little_boards[name] = random_board(name, seed)
        setup = setups.draw_setup(players, seed, {"edition": edition, "board": name})
        more = beside(DESERT, setup, seed, dropping)
        passes, enclosed = passes + more[0], enclosed + more[1]
    assert passes > 10
    assert enclosed > 50


def test_a_blocked_player_stays_blocked(little_boards: dict[str, Board]) -> None:
    """Who cannot place a camel never can again: nothing that others do opens a space."""
    for seed in range(25):
        name = f"blocked-{seed}"
        little_boards[name] = random_board(name, seed)
        state = DESERT.start(setups.draw_setup(3, seed, {"edition": "kosmos", "board": name}))
        chance = random.Random(seed)
        blocked: set[int] = set()
        while not state.over:
            assert state.turn not in blocked
            legal = state.legal()
            events = state.play(legal[int(chance.random() * len(legal))])
            blocked |= {event.seat for event in events if event.is_pass}
