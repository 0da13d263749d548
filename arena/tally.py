"""Counts finished matches for the statistics, one match at a time.

A tally is all that ratings need to know of any number of matches: how often each kind of match happened,
and which kinds make up a block. It grows with the number of different kinds, not with the number of
matches, so a live display keeps one and never reads the journal again. It reads no files (`results.py`
does), works nothing out (`ratings.py`, `standings.py` do), and its content never depends on the order in
which matches are added.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

Sides = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """One match as the statistics see it: small enough to be handed between processes."""

    bots: tuple[str, ...]  # by seat
    ranks: tuple[int, ...]  # by seat, 1 is best, equal ranks tie
    block: str
    scores: tuple[float, ...] = ()  # by seat; () where they are not known
    faults: tuple[tuple[int, str], ...] = ()  # seat and kind
    sides: Sides = ()  # the seats by side in a game of teams; () where every seat is a side
    digest: bytes = b""  # equal for identical matches; b"" where that is not known

    @classmethod
    def load(cls, record: Mapping[str, Any], sides: Sides = ()) -> Entry:
        """Read a journal's record (`Result.dump`); the caller leaves void ones out."""
        return cls(
            bots=tuple(record["bots"]),
            ranks=tuple(record["ranks"]),
            block=record["block"],
            scores=tuple(record["scores"]),
            faults=tuple((fault["seat"], fault["kind"]) for fault in record["faults"]),
            sides=sides,
            digest=_digest(record),
        )

    def duel(self, first: str, second: str) -> float | None:
        """Return the score of one bot against another in this match (1, ½, 0), None unless they met."""
        if first not in self.bots or second not in self.bots:
            return None
        place = {seat: min(self.ranks[mate] for mate in side) for side in self._sides() for seat in side}
        ours, theirs = place[self.bots.index(first)], place[self.bots.index(second)]
        return 0.5 * (1 + (ours < theirs) - (ours > theirs))

    def shape(self) -> Shape:
        """Return everything about the match but who played it."""
        sides = self._sides()
        best = [min(self.ranks[seat] for seat in side) for side in sides]
        order = sorted(set(best))
        faulty = tuple(sorted({seat for seat, _ in self.faults}))
        return Shape(sides, tuple(order.index(rank) for rank in best), faulty)

    def _sides(self) -> Sides:
        return self.sides or tuple((seat,) for seat in range(len(self.bots)))


class Shape(NamedTuple):
    """A way in which a match can end: what is left of it when the bots' names are taken out."""

    sides: Sides
    places: tuple[int, ...]  # by side, 0 is best, dense; equal places tie
    faulty: tuple[int, ...]  # seats

    @property
    def players(self) -> int:
        """Return the number of seats."""
        return sum(map(len, self.sides))


class Tally:
    """Counts of matches by kind: a kind is a shape and the bots by seat.

    Identical matches carry no new information. So the blocks of two identical matches become one block,
    as if the board had been repeated inside it: bots that always play the same then gain no certainty
    from playing it again.
    """

    def __init__(self, bots: Iterable[str] = ()) -> None:
        """Begin with no matches; bots named here are in the table even if they never play."""
        self.names: list[str] = []
        self.kinds: dict[Shape, dict[tuple[int, ...], int]] = {}  # line-up by seat → number of the kind
        self.counts: list[int] = []  # matches by number of the kind
        self.contents: Counter[tuple[int, ...]] = Counter()  # kinds in a block, sorted → blocks
        self.faults: list[Counter[str]] = []  # by bot: kind of fault → matches
        self.margins: list[tuple[float, int]] = []  # by bot: sum of differences in points, matches
        self.games = 0
        self.duplicates = 0
        self._index: dict[str, int] = {}
        self._shapes: dict[tuple[Any, ...], Shape] = {}
        self._blocks: dict[str, int] = {}  # block's name → number
        self._joined: list[int] = []  # by number of a block: the block that it became part of, or itself
        self._content: list[tuple[int, ...]] = []  # by number of a block
        self._seen: dict[bytes, int] = {}  # digest → number of the block that had it first
        for name in bots:
            self._bot(name)

    def add(self, entry: Entry) -> None:
        """Count one match."""
        key = (entry.ranks, entry.sides, entry.faults)
        shape = self._shapes.get(key)
        if shape is None:
            shape = self._shapes[key] = entry.shape()
        lineup = tuple([self._index[name] if name in self._index else self._bot(name) for name in entry.bots])
        kinds = self.kinds.setdefault(shape, {})
        kind = kinds.setdefault(lineup, len(self.counts))
        if kind == len(self.counts):
            self.counts.append(0)
        self.counts[kind] += 1
        self.games += 1
        self._enter(kind, entry)
        for seat, fault in entry.faults:
            self.faults[lineup[seat]][fault] += 1
        if entry.scores:
            self._count_margins(lineup, shape.sides, entry.scores)

    @property
    def blocks(self) -> int:
        """Return the number of blocks, those with identical matches counted as one."""
        return self.contents.total()

    def _bot(self, name: str) -> int:
        number = self._index[name] = len(self.names)
        self.names.append(name)
        self.faults.append(Counter())
        self.margins.append((0.0, 0))
        return number

    def _enter(self, kind: int, entry: Entry) -> None:
        """Put a kind into its block, and keep the count of blocks by content right."""
        block = self._blocks.get(entry.block)
        if block is None:
            block = self._blocks[entry.block] = len(self._joined)
            self._joined.append(block)
            self._content.append(())
        block = self._root(block)
        content = self._content[block]
        self._leave(content)
        if entry.digest:
            first = block
            if entry.digest in self._seen:
                self.duplicates += 1
                first = self._root(self._seen[entry.digest])
            else:
                self._seen[entry.digest] = block
            if first != block:
                self._leave(self._content[first])
                content += self._content[first]
                self._joined[block] = first
                self._content[block] = ()
                block = first
        content = tuple(sorted((*content, kind))) if content else (kind,)
        self._content[block] = content
        self.contents[content] += 1

    def _leave(self, content: tuple[int, ...]) -> None:
        if content:
            left = self.contents[content] - 1
            if left:
                self.contents[content] = left
            else:
                del self.contents[content]

    def _root(self, block: int) -> int:
        while self._joined[block] != block:
            self._joined[block] = self._joined[self._joined[block]]
            block = self._joined[block]
        return block

    def _count_margins(self, lineup: Sequence[int], sides: Sides, scores: Sequence[float]) -> None:
        """Add each seat's points less the mean of its opponents'."""
        for side in sides:
            rest = [score for seat, score in enumerate(scores) if seat not in side]
            mean = sum(rest) / len(rest) if rest else 0.0
            for seat in side:
                total, matches = self.margins[lineup[seat]]
                self.margins[lineup[seat]] = (total + scores[seat] - mean, matches + 1)


def _digest(record: Mapping[str, Any]) -> bytes:
    """Return a record's fingerprint as it is noted, worked out, or b"" where only its head was read."""
    if noted := record.get("fingerprint"):
        return bytes.fromhex(noted)
    return bytes.fromhex(fingerprint(record)) if "actions" in record else b""


def fingerprint(record: Mapping[str, Any]) -> str:
    """Return the same text for two records exactly when the same bots did the same on the same board.

    A worker notes it in the record, so that tables are made without reading set-ups and actions.
    """
    import msgspec

    played = [action[:2] for action in record["actions"]]
    text = msgspec.json.encode([record["bots"], record["setup"], played])
    return hashlib.blake2b(text, digest_size=16).hexdigest()
