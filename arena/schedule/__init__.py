"""From the values of a tournament to the matches to play: pure, lazy, and the same for the same values.

    plan = make_plan(config)
    for stage in plan.stages(finished):     # finished: match id → Finished, filled by whoever plays
        for block in stage:                 # lazily; nothing is kept
            for match in block.matches: …   # play what is not done yet, note it in `finished`

A *stage* is what can be played without knowing the results of any other match of it. Round-robin and
gauntlet have one stage; Swiss and knockout make the next from the results of all before it.
"""

from __future__ import annotations

from arena.config import Config, Format
from arena.schedule.block import Block, BlockMaker, board_seed
from arena.schedule.knockout import Knockout
from arena.schedule.plan import Finished, MissingResults, Plan, Stage
from arena.schedule.round_robin import RoundRobin
from arena.schedule.swiss import Swiss

__all__ = [
    "Block",
    "BlockMaker",
    "Finished",
    "Knockout",
    "MissingResults",
    "Plan",
    "RoundRobin",
    "Stage",
    "Swiss",
    "board_seed",
    "make_plan",
]


def make_plan(config: Config) -> Plan:
    """Return the plan of a tournament."""
    if config.schedule.format is Format.SWISS:
        return Swiss(config)
    if config.schedule.format is Format.KNOCKOUT:
        return Knockout(config)
    return RoundRobin(config)
