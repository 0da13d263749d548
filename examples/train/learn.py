"""Learns the weights of a few features of rain in about a minute, through the PettingZoo environment.

The cross-entropy method: try weights around the best known, keep the tenth that scored most against a random
policy, and try again around these. Writes `weights.json` beside itself, which `bot.py` plays with.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
from pathlib import Path

import numpy as np
from features import COLOURS, score

from arena.envs import rain_v0

SPACES = 48


def play(weights: list[float], seat: int, seed: int) -> float:
    """Play one match against a random policy, and return the difference in points."""
    env = rain_v0.raw_env(players=2)
    env.reset(seed=seed)
    words = env._encoder.actions
    cells = [word[1:] for word in words[:SPACES]]
    chance = random.Random(seed)
    for agent in env.agent_iter():
        if env.terminations[agent]:
            env.step(None)
            continue
        seen = env.observe(agent)
        legal = np.flatnonzero(seen["action_mask"])
        if agent != f"seat_{seat}":
            env.step(int(chance.choice(list(legal))))
            continue
        layers, beside = (
            seen["observation"][: 4 * SPACES].reshape(4, SPACES),
            seen["observation"][4 * SPACES :],
        )
        board = {cells[int(space)]: COLOURS[int(colour)] for colour, space in np.argwhere(layers)}
        rival = "".join(colour for colour, share in zip(COLOURS, beside[5:9], strict=True) if share)
        env.step(max(map(int, legal), key=lambda number: score(weights, board, words[number], rival)))
    assert env.state_of_play is not None
    scores = env.state_of_play.scores()
    return float(scores[seat] - scores[1 - seat])


def main() -> None:
    """Learn, telling how it goes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--generations", type=int, default=5)
    parser.add_argument("--tries", type=int, default=20)
    parser.add_argument("--matches", type=int, default=4)
    given = parser.parse_args()
    chance = random.Random(1)
    centre, spread = [0.0, 0.0, 0.0], [1.0, 1.0, 1.0]
    for generation in range(given.generations):
        seeds = [generation * 1000 + number for number in range(given.matches)]
        tried = []
        for _ in range(given.tries):
            weights = [chance.gauss(mean, width) for mean, width in zip(centre, spread, strict=True)]
            margin = statistics.mean(play(weights, seed % 2, seed) for seed in seeds)
            tried.append((margin, weights))
        best = [weights for _, weights in sorted(tried, reverse=True)[: max(2, given.tries // 5)]]
        centre = [statistics.mean(column) for column in zip(*best, strict=True)]
        spread = [statistics.pstdev(column) + 0.05 for column in zip(*best, strict=True)]
        mean = statistics.mean(margin for margin, _ in tried)
        print(
            f"generation {generation}: margin {mean:+.1f}, weights {', '.join(f'{w:+.2f}' for w in centre)}"
        )
    Path(__file__).with_name("weights.json").write_text(json.dumps(centre) + "\n")


if __name__ == "__main__":
    main()
