"""A match as a PettingZoo environment, for any game that has an encoder.

The rules are the arena's own, so a policy learns the very game that tournaments play. An environment makes no
rules: it turns positions into arrays, numbers into actions and results into rewards.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from arena.games.base import Game, State

Vector = NDArray[np.float32]
Observation = dict[str, NDArray[Any]]
ILLEGAL = ("out", "replace")
REWARDS = ("rank", "points")


class Encoder(Protocol):
    """Turns positions of one game with one number of players into vectors of one length."""

    actions: tuple[str, ...]  # every action that there can be; its number is the action for the environment
    length: int

    def encode(self, state: State, seat: int) -> Vector:
        """Return what a seat sees of a position, itself first, every number between 0 and 1."""


class MatchEnv(AECEnv[str, Observation, int | None]):
    """One match after the other; agents are `seat_0`, `seat_1`, … and act when the rules say so."""

    def __init__(
        self,
        game: Game,
        encoder: Encoder,
        *,
        players: int,
        options: Mapping[str, str],
        illegal: str = "out",
        reward: str = "rank",
        max_cycles: int | None = None,
        seed: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        """Take the game and how it is played; see docs/training.md for the choices."""
        super().__init__()
        for name, value, known in (("illegal", illegal, ILLEGAL), ("reward", reward, REWARDS)):
            if value not in known:
                raise ValueError(f"{name} is one of {', '.join(known)}, not {value!r}")
        self.metadata = {
            "name": f"{game.name}_v0",
            "render_modes": ["human", "ansi"],
            "is_parallelizable": True,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(players)]
        self.state_of_play: State | None = None
        self._game = game
        self._encoder = encoder
        self._options = dict(options)
        self._illegal = illegal
        self._reward = reward
        self._max_cycles = max_cycles
        self._chance = random.Random(seed)
        self._numbers = {action: number for number, action in enumerate(encoder.actions)}
        size = len(encoder.actions)
        self._observation = spaces.Dict(
            {
                "observation": spaces.Box(0.0, 1.0, (encoder.length,), np.float32),
                "action_mask": spaces.Box(0, 1, (size,), np.int8),
            }
        )
        self._actions = {agent: spaces.Discrete(size) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations, the same for all agents."""
        return self._observation

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions: the numbers of all words of the game."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; the same seed gives the same set-up as in a tournament, none gives a new one."""
        if seed is not None:
            self._chance = random.Random(seed)
        else:
            seed = self._chance.getrandbits(63)
        setup = self._game.setup(len(self.possible_agents), seed, self._options)
        self.state_of_play = self._game.start(setup)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._acted = dict.fromkeys(self.agents, 0)
        self._select()

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees; the mask is empty when it is not its turn."""
        state = self._position
        seat = self.possible_agents.index(agent)
        mask = np.zeros(len(self._numbers), np.int8)
        if state.turn == seat:
            mask[[self._numbers[action] for action in state.legal()]] = 1
        return {"observation": self._encoder.encode(state, seat), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Play the action of the agent whose turn it is."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        state = self._position
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        before = state.scores()
        word = self._word(action)
        if word is None:
            state.drop(self.possible_agents.index(agent))
        else:
            state.play(word)
        self._acted[agent] += 1
        self._settle(agent, before, faulty=word is None)
        self._accumulate_rewards()
        self._select()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """Return the position as text, or write it to the terminal in the mode `human`."""
        text = "\n".join("".join(span.text for span in line) for line in self._position.diagram())
        if self.render_mode == "human":
            sys.stdout.write(text + "\n")
            return None
        return text

    def close(self) -> None:
        """Nothing is held open."""

    @property
    def _position(self) -> State:
        assert self.state_of_play is not None, "call reset first"
        return self.state_of_play

    def _word(self, action: int | None) -> str | None:
        """Return the action's word, None for one that takes the agent out of the match."""
        legal = self._position.legal()
        word = self._encoder.actions[action] if action is not None else ""
        if word in legal:
            return word
        return self._chance.choice(legal) if self._illegal == "replace" else None

    def _settle(self, agent: str, before: list[int], *, faulty: bool) -> None:
        """Work out rewards, and who is done."""
        state = self._position
        seats = range(len(self.possible_agents))
        if self._reward == "points":
            gained = [after - earlier for after, earlier in zip(state.scores(), before, strict=True)]
            rewards = {self.possible_agents[seat]: float(gained[seat]) for seat in seats}
        elif state.over:
            rewards = {self.possible_agents[seat]: value for seat, value in enumerate(by_rank(state.ranks()))}
        else:
            rewards = {}
        for other in self.agents:
            if not self.terminations[other]:
                self.rewards[other] = rewards.get(other, 0.0)
                self.terminations[other] = state.over
        if faulty and not state.over:
            self.rewards[agent] = -1.0 if self._reward == "rank" else 0.0
            self.terminations[agent] = True
        if self._max_cycles is not None and not state.over:
            playing = [other for other in self.agents if not self.terminations[other]]
            if sum(self._acted[other] for other in playing) >= self._max_cycles * len(playing):
                self.truncations.update(dict.fromkeys(playing, True))

    def _select(self) -> None:
        """Choose whose step is next: first those who are done, so that they can leave."""
        state = self._position
        if state.turn is not None:
            self.agent_selection = self.possible_agents[state.turn]
        elif self.agents:
            self.agent_selection = self.agents[0]
        self._deads_step_first()


def by_rank(ranks: list[int]) -> list[float]:
    """Return rewards from 1 for the first to -1 for the last; equal places share the mean of theirs."""
    last = len(ranks) - 1
    return [1.0 - 2.0 * (sum(r < rank for r in ranks) + (ranks.count(rank) - 1) / 2) / last for rank in ranks]


class CycleEnv(ParallelEnv[str, Observation, int | None]):
    """The same for those who want one step for all agents.

    A step is one cycle: each agent's action is played when its turn comes, at most once. The action of an
    agent whose turn does not come in the cycle is not played.
    """

    def __init__(self, turns: MatchEnv) -> None:
        """Take the environment in which agents act in turn."""
        self.turns = turns
        self.metadata = turns.metadata
        self.render_mode = turns.render_mode
        self.possible_agents = turns.possible_agents
        self.agents: list[str] = []

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of observations."""
        return self.turns.observation_space(agent)

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of actions."""
        return self.turns.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Observation], dict[str, dict[str, Any]]]:
        """Begin a match."""
        self.turns.reset(seed, options)
        self.agents = list(self.turns.agents)
        return {agent: self.turns.observe(agent) for agent in self.agents}, {
            agent: {} for agent in self.agents
        }

    def step(
        self, actions: dict[str, int | None]
    ) -> tuple[
        dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]
    ]:
        """Play one cycle."""
        turns = self.turns
        waiting = dict(actions)
        rewards = dict.fromkeys(self.agents, 0.0)
        while turns.agent_selection in waiting:
            agent = turns.agent_selection
            if turns.terminations[agent] or turns.truncations[agent]:
                break
            turns.step(waiting.pop(agent))
            for other in rewards:
                rewards[other] += turns.rewards.get(other, 0.0)
        ended = {agent: turns.terminations.get(agent, True) for agent in self.agents}
        cut = {agent: turns.truncations.get(agent, False) for agent in self.agents}
        observations = {agent: turns.observe(agent) for agent in self.agents}
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agents = [agent for agent in self.agents if not ended[agent] and not cut[agent]]
        return observations, rewards, ended, cut, infos

    def render(self) -> str | None:
        """Return or write the position as text."""
        return self.turns.render()

    def close(self) -> None:
        """Nothing is held open."""
