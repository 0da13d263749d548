"""The ladder's bots: they keep the rules and the clock, know what actions earn, and each beats the last."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from arena.config import load
from arena.driver import Table
from arena.games.base import State, load_game
from arena.match import Bot, Clock, Limits, Match, Result
from arena.schedule import make_plan

HOME = Path(__file__).parent.parent
LADDER = HOME / "sample_bots" / "ladder"
STEPS = ("random", "greedy", "planner", "mcts")
# Every game, number of players and edition.
CASES: list[tuple[str, int, dict[str, str]]] = [
    *(("desert", players, {"edition": edition}) for players in (2, 3, 4, 5) for edition in ("kosmos", "ffg")),
    *(("rain", players, {}) for players in (2, 3, 4)),
]


def ladder(mcts: Path, **settings: str) -> dict[str, Bot]:
    """Return the four bots; settings go into mcts's environment."""
    scripts = {"random": "random_bot.py", "greedy": "greedy.py", "planner": "planner.py"}
    env = {"SEED": "1"}
    bots = {
        name: Bot(name, (sys.executable, str(LADDER / script)), LADDER, env=env)
        for name, script in scripts.items()
    }
    bots["mcts"] = Bot("mcts", (str(mcts),), mcts.parent, env={**env, **settings})
    return bots


def match(game: str, options: Mapping[str, str], seed: int, bots: tuple[str, ...]) -> Match:
    """Return a match to play."""
    return Match(f"{game}-{seed}-{'-'.join(bots)}", f"{seed}", 1, game, dict(options), seed, bots)


# How long an action takes is measured by the tournaments in configs/; here the clock only has to be kept
# on a machine that runs other tests as well.
PATIENT = Clock(move=10_000_000, startup=60_000_000)


@pytest.mark.parametrize("game", ["desert", "rain"])
def test_no_faults(mcts: Path, game: str) -> None:
    """In 200 matches a bot, over all numbers of players and editions, nobody breaks a rule or the clock."""
    cases = [case for case in CASES if case[0] == game]
    played = dict.fromkeys(STEPS, 0)
    with Table(ladder(mcts, MCTS_MS="1"), PATIENT, Limits()) as table:
        for seed in itertools.count():
            _, players, options = cases[seed % len(cases)]
            # The bots that played least take the seats, in an order that changes from match to match.
            chosen = sorted(STEPS, key=lambda name: played[name])
            lineup = [chosen[seat % len(STEPS)] for seat in range(players)]
            random.Random(seed).shuffle(lineup)
            result = table.play(match(game, options, seed, tuple(lineup)))
            assert not result.faults, result.faults
            assert not result.void, result.text
            for name in set(lineup):
                played[name] += 1
            if min(played.values()) >= 100:  # two games of a hundred each
                return


def points(results: list[Result], name: str) -> float:
    """Return the share of matches that a bot of a pair won; a tie is half."""
    won = 0.0
    for result in results:
        seat = result.match.bots.index(name)
        mine, other = result.ranks[seat], result.ranks[1 - seat]
        won += 1.0 if mine < other else 0.5 if mine == other else 0.0
    return won / len(results)


@pytest.mark.parametrize("game", ["desert", "rain"])
@pytest.mark.parametrize(("lower", "higher"), list(itertools.pairwise(STEPS)))
def test_each_step_beats_the_last(mcts: Path, game: str, lower: str, higher: str) -> None:
    """On six fixed boards from both seats every step wins most matches against the one below it."""
    with Table(ladder(mcts, MCTS_ITERATIONS="300"), PATIENT, Limits()) as table:
        results = [
            table.play(match(game, {}, seed, bots))
            for seed in range(100, 106)
            for bots in ((lower, higher), (higher, lower))
        ]
    assert points(results, higher) >= 0.6


def test_seeded_matches_repeat(mcts: Path) -> None:
    """With SEED, and iterations in place of time, a match is the same whatever was played before."""
    bots = ladder(mcts, MCTS_ITERATIONS="20")
    wanted = match("desert", {}, 5, ("planner", "random", "mcts", "greedy"))
    with Table(bots, PATIENT, Limits()) as table:
        first = table.play(wanted)
        table.play(match("rain", {}, 6, ("mcts", "greedy", "random", "planner")))
        second = table.play(wanted)
    assert [(action.seat, action.text) for action in first.actions] == [
        (action.seat, action.text) for action in second.actions
    ]
    assert first.scores == second.scores


@pytest.fixture
def knowledge(monkeypatch: pytest.MonkeyPatch) -> dict[str, ModuleType]:
    """Return the ladder's own modules about the two games."""
    monkeypatch.syspath_prepend(str(LADDER))
    import desert  # type: ignore[import-not-found, unused-ignore]
    import rain  # type: ignore[import-not-found, unused-ignore]

    return {"desert": desert, "rain": rain}


@pytest.mark.parametrize(("game", "players", "options"), CASES, ids=lambda value: str(value))
def test_python_bots_know_what_actions_earn(
    knowledge: dict[str, ModuleType], game: str, players: int, options: dict[str, str]
) -> None:
    """The points that the Python bots count for themselves are the arena's, action by action."""
    rules = load_game(game)
    for seed in range(6):
        chance = random.Random(seed)
        setup = rules.setup(players, seed, rules.read_options(options))
        state = rules.start(setup)
        position: Any = getattr(knowledge[game], game.capitalize())(players, 0, options)
        for line in setup.lines(0):
            position.setup(line.split())
        while not state.over:
            seat = state.turn
            assert seat is not None
            action = chance.choice(state.legal())
            events = state.play(action)
            position.play(seat, action)
            for event in events:
                if event.kind == "draw":
                    position.draw(event.seat, event.text)
            if game == "rain":
                assert position.points == [parts["gems"] for parts in state.parts()]
            else:
                assert position.points == [parts["water"] + parts["oasis"] for parts in state.parts()]


class Conversation:
    """A program that is talked to directly, without referee and clock."""

    def __init__(self, program: Path, **env: str) -> None:
        """Start it and greet it."""
        self.process = subprocess.Popen(
            [program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env, bufsize=1
        )
        assert self.ask("arena 1").startswith("ready")

    def ask(self, *lines: str) -> str:
        """Send lines and return the answer to the last, remarks left out."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write("".join(f"{line}\n" for line in lines))
        while (answer := self.process.stdout.readline()).startswith("#"):
            pass
        return answer.rstrip("\n")

    def __enter__(self) -> Conversation:
        """Return itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the program's stdin, upon which it leaves."""
        self.process.communicate(timeout=60)


def outcome(state: State, seat: int) -> int:
    """Return what perfect play of two gives a seat: the win first, then the lead."""
    if state.turn is None:
        scores = state.scores()
        lead = scores[seat] - scores[1 - seat]
        return lead + 1000 * ((lead > 0) - (lead < 0))
    outcomes = []
    for action in state.legal():
        after = state.copy()
        after.play(action)
        outcomes.append(outcome(after, seat))
    return max(outcomes) if state.turn == seat else min(outcomes)


def test_mcts_solves_the_end_of_rain(mcts: Path) -> None:
    """Once nothing is left to draw, mcts takes an action that ends as well as any can."""
    rules = load_game("rain")
    solved = mattered = 0
    with Conversation(mcts, SEED="1", MCTS_ITERATIONS="1") as bot:
        for seed in range(60):
            chance = random.Random(seed)
            setup = rules.setup(2, seed, {})
            state = rules.start(setup)
            told: list[str] = []
            for _ in range(43):  # of 48; the bag is empty by then
                if state.turn is not None:
                    action = chance.choice(state.legal())
                    told.append(f"play {state.turn} {action}")
                    told += [f"{event.kind} {event.seat} {event.text}" for event in state.play(action)]
            seat = state.turn
            if seat is None:
                continue
            outcomes = {}
            for action in state.legal():
                after = state.copy()
                after.play(action)
                outcomes[action] = outcome(after, seat)
            lines = [f"setup {line}" for line in setup.lines(seat)]
            bot.ask(f"game rain players=2 seat={seat}", *lines, "start")
            chosen = bot.ask(*told, "go 10000 0").removeprefix("move ")
            assert outcomes[chosen] == max(outcomes.values())
            solved += 1
            mattered += len(set(outcomes.values())) > 1
    assert solved > 20
    assert mattered > 5


@pytest.mark.parametrize("clock", ["go 0 0", "go 1 0", "go 0 5", "go 20 100"])
def test_mcts_answers_on_any_clock(mcts: Path, clock: str) -> None:
    """With next to no time mcts still answers, and legally."""
    for game in ("desert", "rain"):
        rules = load_game(game)
        setup = rules.setup(2, 1, rules.read_options({}))
        with Conversation(mcts) as bot:
            lines = [f"setup {line}" for line in setup.lines(0)]
            bot.ask(f"game {game} players=2 seat=0", *lines, "start")
            rules.start(setup).check(bot.ask(clock).removeprefix("move "))


@pytest.mark.parametrize("name", ["desert-2", "rain-2", "desert-4", "rain-4"])
def test_ladder_tournaments_are_large_enough(name: str) -> None:
    """Each of the ladder's tournaments plays at least 400 games a bot, with random as the zero."""
    config = load(HOME / "configs" / f"ladder-{name}.yaml")
    assert config.ratings.anchor == ("random", 0)
    games = dict.fromkeys(STEPS, 0)
    for stage in make_plan(config).stages({}):
        for block in stage:
            for planned in block.matches:
                for bot in planned.bots:
                    games[bot] += 1
    assert min(games.values()) >= 400
