"""Blocks: one board from all its seat orders by one line-up; with the seeds and ids that never change.

A block's id is its round and a digest of game, options, seed, round and line-up: `3-5f1c9a8b77d2`. A match's
id adds by seat the place of its bot in the sorted line-up: `3-5f1c9a8b77d2-10`. A board's seed is a function
of the tournament's seed and the round. None knows how many rounds or bots there are, so a longer tournament
contains the shorter one.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import permutations
from operator import itemgetter

from arena.config import Seats
from arena.match import Match

# Part of every id: another way to make ids or boards must get another number, never the same ids.
VERSION = 1

_new = tuple.__new__  # what a NamedTuple is made by, without its Python function


@dataclass(frozen=True, slots=True)
class Block:
    """One board, one line-up, all its seat orders: the unit of the statistics."""

    id: str
    round: int
    lineup: tuple[str, ...]  # sorted
    maker: BlockMaker = field(compare=False, repr=False)

    @property
    def matches(self) -> tuple[Match, ...]:
        """Return the matches, made anew each time: a million blocks are planned before any is played."""
        return self.maker.matches(self)


def board_seed(seed: int, number: int) -> int:
    """Return the seed of a round's board, from the tournament's seed and the round's number alone."""
    return int.from_bytes(hashlib.sha256(f"arena board {VERSION} {seed} {number}".encode()).digest()[:8]) >> 1


def block_id(match: str) -> str:
    """Return the id of the block that a match's id belongs to."""
    return match.rpartition("-")[0]


def seat_orders(players: int, number: int, seats: Seats) -> list[tuple[int, ...]]:
    """Return the seat orders of a round's block, each a permutation of the line-up's places.

    With `rotate` these are the rotations of one circle. Which circle changes with the round, a circle and
    its mirror image one after the other, so that over the rounds everybody sits on everybody's left.
    """
    if seats is Seats.ALL:
        return list(permutations(range(players)))
    circle = _circles(players)[(number - 1) % len(_circles(players))]
    return [circle[turn:] + circle[:turn] for turn in range(players)]


@cache
def _circles(players: int) -> list[tuple[int, ...]]:
    """Return all ways to sit in a circle, each followed by its mirror image; with 2 players there is one.

    The next is always one with the most new neighbours, so that few rounds already are balanced: with five
    players, four circles make everybody everybody's neighbour once on each side.
    """
    waiting = [(0, *rest) for rest in permutations(range(1, players))]
    circles: list[tuple[int, ...]] = []
    seen: Counter[tuple[int, int]] = Counter()
    while waiting:
        circle = min(waiting, key=lambda circle: sum(seen[couple] for couple in _neighbours(circle)))
        for one in dict.fromkeys((circle, (0, *reversed(circle[1:])))):
            waiting.remove(one)
            circles.append(one)
            seen.update(_neighbours(one))
    return circles


def _neighbours(circle: tuple[int, ...]) -> list[tuple[int, int]]:
    return list(zip(circle, (*circle[1:], circle[0]), strict=True))


class BlockMaker:
    """Makes the blocks of one tournament; keeps what is the same for all of them."""

    def __init__(
        self, game: str, options: Mapping[str, str], seed: int, players: int, seats: Seats = Seats.ROTATE
    ) -> None:
        self.size = len(seat_orders(players, 1, seats))  # matches in a block
        self.cycle = 1 if seats is Seats.ALL else len(_circles(players))  # rounds until seat orders repeat
        self._game = game
        self._options = dict(options)
        self._seed = seed
        self._players = players
        self._seats = seats
        facts = [VERSION, game, sorted(options.items()), seed]
        # blake2b, as it is twice as fast as sha256 on texts this short, and a plan has a million of them.
        self._base = hashlib.blake2b(json.dumps(facts).encode(), digest_size=6)
        self._round = 0  # the one that all below belongs to
        self._digest = self._base
        self._board = 0
        self._orders: list[tuple[str, Callable[[tuple[str, ...]], tuple[str, ...]]]] = []

    def make(self, number: int, lineup: Iterable[str]) -> Block:
        """Return the block of a round, counted from 1, for a line-up in whatever order."""
        if number != self._round:
            self._enter(number)
        names = sorted(lineup)
        digest = self._digest.copy()
        # No name has a slash, so different facts never give the same text.
        digest.update("/".join(names).encode())
        # 48 bits within a round: the chance that two of 10,000 blocks of a round agree is 2 in 10 million.
        return Block(f"{number}-{digest.hexdigest()}", number, tuple(names), self)

    def matches(self, block: Block) -> tuple[Match, ...]:
        """Return the matches of a block that was made here."""
        number, lineup = block.round, block.lineup
        if number != self._round:
            self._enter(number)
        name, game, options, board = block.id, self._game, self._options, self._board
        return tuple(
            [
                _new(Match, (name + suffix, name, number, game, options, board, seated(lineup)))
                for suffix, seated in self._orders
            ]
        )

    def _enter(self, number: int) -> None:
        """Work out what all blocks of a round share."""
        self._round = number
        self._digest = self._base.copy()
        self._digest.update(f"/{number}/".encode())
        self._board = board_seed(self._seed, number)
        self._orders = [
            ("-" + "".join(map(str, order)), itemgetter(*order))
            for order in seat_orders(self._players, number, self._seats)
        ]
