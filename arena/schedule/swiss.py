"""Swiss: in every round each bot meets one with like results that it has met least often.

Before each round the bots are ordered by points, then by the points of their opponents, then by the file.
From the top, each gets the nearest in points; within equal points the upper half meets the lower half. As
long as it can be done nobody meets the same bot, and nobody is left out, twice. With an odd number one bot
has a bye, which counts as a won block the first time.

Pairs of a round that have results stay as they are. So a run that was stopped in the middle of a round goes
on with the same pairs, and bots that join later do not disturb what was played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from arena.schedule.block import block_id
from arena.schedule.pairing import pair
from arena.schedule.plan import Finished, Plan, Stage, points

BYE = ""  # the opponent of the bot that is left out; no bot can have this name

Pair = tuple[str, str]


class Swiss(Plan):
    """Pairings of one round after the other, from the results so far."""

    adaptive = True

    @property
    def blocks(self) -> int:
        """Return the number of blocks."""
        return len(self.names) // 2 * self.config.schedule.rounds

    def stages(self, finished: Mapping[str, Finished]) -> Iterator[Stage]:
        """Yield one stage a round."""
        taken = dict.fromkeys(self.names, 0.0)
        met: list[Pair] = []
        for number in range(1, self.config.schedule.rounds + 1):
            pairs = self.pairs(number, finished, taken, met)
            blocks = [self.maker.make(number, couple) for couple in pairs if BYE not in couple]
            yield self.stage(blocks)
            for block in blocks:
                for bot, gained in points(block, finished).items():
                    taken[bot] += gained
            for couple in pairs:
                # Later byes happen only to bots that joined late; they are no reward.
                if BYE in couple and couple not in met:
                    taken[couple[0]] += self.maker.size
            met += pairs

    def pairs(
        self, number: int, finished: Mapping[str, Finished], taken: Mapping[str, float], met: list[Pair]
    ) -> list[Pair]:
        """Return the pairs of a round; what was taken and who met are those of the rounds before it."""
        players = self._order(taken, met)
        meetings: dict[frozenset[str], int] = {}
        for couple in met:
            meetings[frozenset(couple)] = meetings.get(frozenset(couple), 0) + 1
        kept = self._begun(number, finished)
        paired = {bot for couple in kept for bot in couple}
        rest = [player for player in players if player not in paired]
        wishes = {player: self._wishes(player, players, taken) for player in players}
        again = 0  # how often a pair may have met already; as few as will do for the whole round
        while kept and _pairs(players, wishes, meetings, again) is None:
            again += 1
        while (found := _pairs(rest, wishes, meetings, again)) is None:
            again += 1
        return [*kept, *found]

    def _order(self, taken: Mapping[str, float], met: list[Pair]) -> list[str]:
        strength = dict.fromkeys(self.names, 0.0)
        for one, other in met:
            if other != BYE:
                strength[one] += taken[other]
                strength[other] += taken[one]
        players = sorted(self.names, key=lambda name: (-taken[name], -strength[name]))
        return [*players, BYE] if len(players) % 2 else players

    def _begun(self, number: int, finished: Mapping[str, Finished]) -> list[Pair]:
        """Return the pairs of a round that have results already."""
        begun = {block_id(match) for match in finished if match.startswith(f"{number}-")}
        if not begun:
            return []
        couples = combinations(self.names, 2)
        return [couple for couple in couples if self.maker.make(number, couple).id in begun]

    def _wishes(self, player: str, players: list[str], taken: Mapping[str, float]) -> list[str]:
        """Return all others, best opponent first: equal points, and there half a group away; the bye last."""
        if player == BYE:
            return [other for other in reversed(players) if other != BYE]
        group = [other for other in players if other != BYE and taken[other] == taken[player]]
        half = max(len(group) // 2, 1)
        at = group.index(player)
        ideal = players.index(player) + (half if at < half else -half)
        places = {other: place for place, other in enumerate(players)}
        real = [other for other in players if other not in (player, BYE)]
        real.sort(
            key=lambda other: (abs(taken[other] - taken[player]), abs(places[other] - ideal), places[other])
        )
        return [*real, BYE]


def _pairs(
    players: list[str], wishes: Mapping[str, list[str]], meetings: Mapping[frozenset[str], int], again: int
) -> list[Pair] | None:
    """Return the pairs when nobody may have met more than `again` times before; None if that cannot be."""
    index = {player: at for at, player in enumerate(players)}
    numbers = [
        [
            index[other]
            for other in wishes[player]
            if other in index and meetings.get(frozenset((player, other)), 0) <= again
        ]
        for player in players
    ]
    found = pair(numbers)
    if found is None:
        return None
    couples = [(players[one], players[other]) for one, other in found]
    return [(other, one) if one == BYE else (one, other) for one, other in couples]
