"""When a tournament may end before all is played; decided on complete rounds, never inside a block.

Rules that look at results are tempted by chance each time they look, so they are strict: "who is best" is
answered only at a chance of error of one in a thousand and after enough blocks of each of its pairings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from arena.config import Stop
    from arena.standings import Standings

# Stopping at 97.5 % names a winner between equal bots in a third of all runs; at 99.9 % in one of twenty.
CERTAIN = 0.999
ENOUGH = 16  # blocks of each pairing of the best bot


def reason(rules: Stop, standings: Standings) -> str | None:
    """Return why the results so far suffice, None where they do not."""
    if len(standings.groups) != 1:
        return None  # some bot has not met the others yet
    (group,) = standings.groups
    bots = group.bots
    if rules.error is not None and all(bot.error is not None and bot.error <= rules.error for bot in bots):
        return f"every ± is at most {rules.error:g} Elo"
    chance = min(group.los[0][1:], default=0.0)
    if rules.best and chance >= CERTAIN and group.fewest_blocks >= ENOUGH:
        return f"{bots[0].name} is the best (chance of superiority {chance:.2%})"
    return None
