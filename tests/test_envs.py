"""Facts about arena/envs: PettingZoo's own tests, and the arena's games behind them."""

from __future__ import annotations

import random
from functools import partial
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, max_cycles_test, render_test, seed_test

from arena.envs import desert_v0, rain_v0
from arena.envs.environment import by_rank
from arena.games.base import load_game

CASES = [
    *((desert_v0, {"players": players}) for players in (2, 3, 4, 5)),
    (desert_v0, {"players": 3, "edition": "ffg"}),
    *((rain_v0, {"players": players}) for players in (2, 3, 4)),
]
IDS = ["-".join([module.__name__.split(".")[-1], *map(str, settings.values())]) for module, settings in CASES]
every_case = pytest.mark.parametrize(("module", "settings"), CASES, ids=IDS)


# PettingZoo exempts its own games with masks from these warnings by their names.
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@every_case
def test_pettingzoo_api(module: ModuleType, settings: dict[str, Any]) -> None:
    """PettingZoo's own test of the interface passes."""
    api_test(module.env(**settings), num_cycles=150)


@every_case
def test_pettingzoo_seed(module: ModuleType, settings: dict[str, Any]) -> None:
    """PettingZoo's own test of determinism passes."""
    seed_test(partial(module.env, **settings), num_cycles=60)


@pytest.mark.parametrize("module", [desert_v0, rain_v0], ids=["desert", "rain"])
def test_pettingzoo_max_cycles(module: ModuleType) -> None:
    """PettingZoo's own test of truncation passes; it knows no masks, so illegal actions are replaced."""
    settings = {"illegal": "replace", "seed": 1}
    max_cycles_test(
        SimpleNamespace(
            env=partial(module.env, **settings), parallel_env=partial(module.parallel_env, **settings)
        )
    )


@pytest.mark.parametrize("module", [desert_v0, rain_v0], ids=["desert", "rain"])
def test_pettingzoo_render(module: ModuleType) -> None:
    """PettingZoo's own test of rendering passes."""
    render_test(module.env)


@every_case
def test_match_equals_the_arenas(module: ModuleType, settings: dict[str, Any]) -> None:
    """A random policy gets the same actions and scores through the environment as through the rules."""
    env = module.env(**settings)
    env.reset(seed=11)
    words = env.unwrapped._encoder.actions
    chance = random.Random(3)
    played = []
    for _ in env.agent_iter():
        observation, _, ended, cut, _ = env.last()
        if ended or cut:
            env.step(None)
            continue
        legal = sorted(words[number] for number in np.flatnonzero(observation["action_mask"]))
        played.append(chance.choice(legal))
        env.step(words.index(played[-1]))

    name = module.__name__.split(".")[-1].removesuffix("_v0")
    game = load_game(name)
    options = {key: value for key, value in settings.items() if key != "players"}
    state = game.start(game.setup(settings["players"], 11, game.read_options(options)))
    chance = random.Random(3)
    for action in played:
        assert chance.choice(sorted(state.legal())) == action
        state.play(action)
    assert state.over
    assert state.scores() == env.unwrapped.state_of_play.scores()


@every_case
def test_observations_stay_in_bounds_to_the_end(module: ModuleType, settings: dict[str, Any]) -> None:
    """Every observation of a whole match lies in its space, for every agent."""
    env = module.env(**settings)
    env.reset(seed=5)
    for agent in env.agent_iter():
        observation, _, ended, cut, _ = env.last()
        for other in env.agents:
            assert env.observation_space(other).contains(env.observe(other))
        mask = observation["action_mask"]
        env.step(None if ended or cut else env.action_space(agent).sample(mask))


def test_observer_comes_first() -> None:
    """Two seats see the same position, each with itself first."""
    env = rain_v0.raw_env(players=2)
    env.reset(seed=1)
    first, second = (env.observe(agent)["observation"] for agent in env.agents)
    board = 4 * 48
    assert (first[board : board + 5] == second[board + 5 : board + 10]).all()
    assert (first[board + 5 : board + 10] == second[board : board + 5]).all()


def test_illegal_action_takes_an_agent_out() -> None:
    """As in the arena: the offender is out, the others go on, and its reward is the lowest."""
    env = desert_v0.raw_env(players=3)
    env.reset(seed=1)
    forbidden = int(np.flatnonzero(env.observe("seat_0")["action_mask"] == 0)[0])
    env.step(forbidden)
    assert env.terminations == {"seat_0": True, "seat_1": False, "seat_2": False}
    assert env.rewards["seat_0"] == -1.0
    assert env.agent_selection == "seat_0"
    env.step(None)
    assert env.agents == ["seat_1", "seat_2"]
    assert env.agent_selection == "seat_1"


@pytest.mark.parametrize(
    ("ranks", "rewards"),
    [
        ([1, 2], [1.0, -1.0]),
        ([1, 1], [0.0, 0.0]),
        ([3, 1, 2], [-1.0, 1.0, 0.0]),
        ([1, 1, 3], [0.5, 0.5, -1.0]),
    ],
)
def test_rewards_by_rank_sum_to_nothing(ranks: list[int], rewards: list[float]) -> None:
    """The first gets 1, the last -1, equal places share, and all together get 0."""
    assert by_rank(ranks) == rewards
    assert sum(rewards) == 0


def test_points_as_rewards_sum_to_the_scores() -> None:
    """With `reward="points"` each step pays what it earned."""
    env = rain_v0.raw_env(players=3, reward="points", illegal="replace", seed=4)
    env.reset()
    total = dict.fromkeys(env.agents, 0.0)
    while not all(env.terminations.values()):
        env.step(0)
        for agent in total:
            total[agent] += env.rewards[agent]
    assert list(total.values()) == env.state_of_play.scores()  # type: ignore[union-attr]


def test_unknown_choice_is_said() -> None:
    """A misspelt setting is an error that names the right ones."""
    with pytest.raises(ValueError, match="rank, points"):
        rain_v0.env(reward="elo")
