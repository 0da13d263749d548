"""What a run knows of the matches that are settled: enough to go on, never the matches themselves.

Filled from the heads of the journal's records, when a run begins and with each match that ends. Kept are
the counts that ratings need, a small number for each match that an earlier run settled, and the results by
id only where the plan makes pairings of them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from arena.config import Config
from arena.games.base import load_game
from arena.match import Match
from arena.schedule import Finished
from arena.tally import Entry, Tally

TRIES = 3  # a void match is played again at most twice


class Ledger:
    """The settled matches of one tournament."""

    def __init__(self, config: Config, *, adaptive: bool) -> None:
        self.tally = Tally(bot.name for bot in config.bots)
        self.finished: dict[str, Finished] = {}  # for an adaptive plan
        self.done = 0  # settled, given up included
        self.given_up = 0
        self.last_round = 0  # the latest of which something is settled
        self.repeated = 0  # records of a match that has one already
        self._adaptive = adaptive
        sides = load_game(config.game).sides(config.players)
        self._sides = sides if any(len(side) > 1 for side in sides) else ()
        self._settled: set[int] = set()
        self._voids: dict[str, int] = {}

    def recall(self, head: Mapping[str, Any]) -> None:
        """Count a record of an earlier run."""
        number = _number(head["id"])
        if number in self._settled:
            self.repeated += 1
        elif self.count(head):
            self._settled.add(number)

    def count(self, head: Mapping[str, Any]) -> bool:
        """Count a record and tell whether it settles its match: a void one only if it is the last try."""
        if head["void"]:
            self._voids[head["id"]] = self._voids.get(head["id"], 0) + 1
            if not head.get("final"):
                return False
            self.given_up += 1
        else:
            self.tally.add(Entry.load(head, self._sides))
        self._voids.pop(head["id"], None)
        self.done += 1
        self.last_round = max(self.last_round, head["round"])
        if self._adaptive:
            self.finished[head["id"]] = Finished(tuple(head["ranks"]), tuple(head["scores"]))
        return True

    def is_settled(self, match: Match) -> bool:
        """Tell whether an earlier run settled a match."""
        return bool(self._settled) and _number(match.id) in self._settled

    def is_last_try(self, match: Match) -> bool:
        """Tell whether a match that is void once more is to be given up."""
        return self._voids.get(match.id, 0) + 1 >= TRIES


def _number(match: str) -> int:
    """Return an id as 64 bits: a set of a million takes 60 MiB, half of what their texts take."""
    return int.from_bytes(hashlib.blake2b(match.encode(), digest_size=8).digest(), "little")
