"""What a tournament is going to play and how long that may take, as far as plan and results tell.

Reads the journal where there is one; plays nothing and changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from arena import journal
from arena.config import Config, differences
from arena.config.units import format_time
from arena.errors import UserError
from arena.games.base import load_game
from arena.ledger import Ledger
from arena.schedule import Block, MissingResults, Plan, RoundRobin, make_plan
from arena.schedule.balance import Counts, Finding, count, count_blocks, findings, period

SAMPLE = 500  # finished games that an estimate looks at: enough for the mean, read in a moment


@dataclass(frozen=True, slots=True)
class Estimate:
    """How long the rest may take; None where nothing is known yet."""

    seconds: float | None
    text: str


@dataclass(frozen=True, slots=True)
class Outlook:
    """A plan with what is known of it."""

    plan: Plan
    workers: int
    done: int
    counts: Counts
    findings: tuple[Finding, ...]
    period: int  # a multiple of so many rounds is balanced
    next: tuple[Block, ...]  # of an adaptive plan: the stage that is to be played now
    estimate: Estimate
    notices: tuple[str, ...]

    def dump(self) -> dict[str, Any]:
        """Return everything as JSON values."""
        config, plan = self.plan.config, self.plan
        return {
            "name": config.name,
            "game": config.game,
            "players": config.players,
            "format": config.schedule.format.value,
            "rounds": config.schedule.rounds,
            "seats": config.schedule.seats.value,
            "seed": config.seed,
            "blocks": plan.blocks,
            "games": plan.matches,
            "exact": plan.exact,
            "done": self.done,
            "counts": self.counts.dump(),
            "balance": [
                {
                    "what": one.what,
                    "balanced": one.balanced,
                    "low": one.low,
                    "high": one.high,
                    "text": one.text,
                }
                for one in self.findings
            ],
            "next": [
                {"block": block.id, "round": block.round, "bots": list(block.lineup)} for block in self.next
            ],
            "seconds": self.estimate.seconds,
            "estimate": self.estimate.text,
            "notices": list(self.notices),
        }


def look(config: Config, cores: int) -> Outlook:
    """Return the outlook on a tournament; cores are the workers where the file leaves them to the machine."""
    plan = make_plan(config)
    ledger = Ledger(config, adaptive=plan.adaptive)
    notices = _recall(config, ledger)
    sides = load_game(config.game).sides(config.players)
    following: tuple[Block, ...] = ()
    if isinstance(plan, RoundRobin):
        counts = count(plan, sides)
        found = findings(counts, plan.names, config.players, plan.heroes)
    else:
        stages = list(_stages(plan, ledger))
        counts = count_blocks((block for stage in stages for block in stage), sides)
        found = []
        following = tuple(
            block
            for block in (stages[-1] if stages else ())
            if not all(match.id in ledger.finished for match in block.matches)
        )
    again = period(config.players, config.schedule.seats, sides)
    workers = config.workers or cores
    estimate = _estimate(config, plan, ledger.done, workers, sampled=not notices)
    return Outlook(
        plan, workers, ledger.done, counts, tuple(found), again, following, estimate, tuple(notices)
    )


def _recall(config: Config, ledger: Ledger) -> list[str]:
    """Count what the output has already; return why it does not count, if so."""
    if not (config.output / journal.NAME).exists():
        return []
    try:
        changed = differences(journal.read_header(config.output)["configuration"], config.dump())
        if changed:
            return [f"{config.output} holds a different tournament: {'; '.join(changed)}"]
        for head in journal.heads(config.output):
            ledger.recall(head)
    except UserError as error:
        return [str(error)]
    return []


def _stages(plan: Plan, ledger: Ledger) -> Iterator[list[Block]]:
    """Yield the stages of an adaptive plan as far as results tell them."""
    try:
        for stage in plan.stages(ledger.finished):
            yield list(stage)
    except MissingResults:
        return


def _estimate(config: Config, plan: Plan, done: int, workers: int, *, sampled: bool) -> Estimate:
    left = max(plan.matches - done, 0)
    if not left:
        return Estimate(0.0, "nothing is left to play")
    lasted = list(islice(_lasted(config.output), SAMPLE)) if sampled and done else []
    if not lasted:
        clock = config.clock
        bank = f" (and {format_time(clock.bank)} in the bank)" if clock.bank else ""
        return Estimate(
            None,
            "unknown before the first games are played; an action takes at most "
            f"{format_time(clock.move)}{bank}",
        )
    mean = sum(lasted) / len(lasted)
    seconds = left * mean / workers
    least = "" if plan.exact else "at least "
    return Estimate(
        round(seconds, 1),
        f"{least}{duration(seconds)} for {left} games on {workers} workers: the bots thought {mean:.2f} s "
        f"a game in {len(lasted)} of those played",
    )


def _lasted(folder: Path) -> Iterator[float]:
    """Yield the time in seconds that the bots of each recorded game took to think."""
    for record in journal.records(folder):
        if not record["void"]:
            yield sum(action[2] for action in record["actions"]) / 1e6


def duration(seconds: float) -> str:
    """Return a time for people: `3 h 20 min`, `45 s`."""
    if seconds < 1:
        return "under a second"
    if seconds < 90:
        return f"some {seconds:.0f} s"
    minutes = round(seconds / 60)
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return f"some {minutes} min"
    return f"some {hours} h {minutes} min" if hours < 48 else f"some {hours // 24} days"
