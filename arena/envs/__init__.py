"""Both games as PettingZoo environments, for those who train bots: `from arena.envs import desert_v0`.

Needs the extra `arena[train]`. Each module has `env`, `raw_env` and `parallel_env`, as PettingZoo's own have.
Observations, actions and rewards are described in docs/training.md.
"""
