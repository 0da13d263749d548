"""Counting matches: what a tally knows, and that the order of matches is no part of it."""

from __future__ import annotations

import pickle
import random
from collections import Counter

from arena.tally import Entry, Tally, fingerprint
from tests.matches import league, pair, tally


def content(counted: Tally) -> Counter[tuple[object, ...]]:
    """Return the blocks by what was played in them, free of the numbers that a tally gives to kinds."""
    kinds = {
        number: (shape, tuple(counted.names[bot] for bot in lineup))
        for shape, lineups in counted.kinds.items()
        for lineup, number in lineups.items()
    }
    return Counter(
        {tuple(sorted(kinds[kind] for kind in block)): number for block, number in counted.contents.items()}
    )


def test_order_is_no_part_of_a_tally() -> None:
    """The same matches in another order make the same blocks."""
    entries = league(rounds=3)
    shuffled = random.Random(3).sample(entries, len(entries))
    assert content(tally(entries)) == content(tally(shuffled))


def test_blocks_grow_as_their_matches_arrive() -> None:
    """A block counts once, however many of its matches are there."""
    counted = Tally()
    for number, entry in enumerate(pair("x", "a", "b", (1.0, 0.5)), 1):
        counted.add(entry)
        assert (counted.games, counted.blocks) == (number, 1)


def test_equal_blocks_are_counted_not_kept() -> None:
    """A hundred blocks with the same results are one content, a hundred times."""
    counted = tally(entry for block in range(100) for entry in pair(str(block), "a", "b", (1.0, 1.0)))
    assert list(counted.contents.values()) == [100]
    assert counted.blocks == 100


def test_identical_matches_join_their_blocks() -> None:
    """Blocks with an identical match become one, also through a third."""
    same = [Entry(("a", "b"), (1, 2), block, digest=b"1") for block in "xy"]
    bridge = [Entry(("a", "b"), (2, 1), "y", digest=b"2"), Entry(("a", "b"), (2, 1), "z", digest=b"2")]
    counted = tally([*same, *bridge, Entry(("a", "b"), (1, 1), "other", digest=b"3")])
    assert (counted.blocks, counted.duplicates, counted.games) == (2, 2, 5)


def test_matches_without_a_digest_are_never_duplicates() -> None:
    """Where nothing is known of the actions, equal results are not taken for identical matches."""
    counted = tally(Entry(("a", "b"), (1, 2), str(block)) for block in range(5))
    assert (counted.duplicates, counted.blocks) == (0, 5)


def test_bots_that_never_play_are_known() -> None:
    """Bots named at the start have a row even without a match."""
    assert Tally(["a", "b"]).names == ["a", "b"]


def test_a_side_has_its_best_members_rank() -> None:
    """A member that dropped out ranks last, but its side has the place of the other."""
    entry = Entry(tuple("abcd"), (4, 2, 1, 2), "x", sides=((0, 2), (1, 3)))
    assert entry.shape().places == (0, 1)
    assert entry.duel("a", "b") == 1.0
    assert entry.duel("a", "c") == 0.5


def test_duel_needs_both() -> None:
    """The score of a duel is 1, ½ or 0, and None where one of the two did not play."""
    entry = Entry(("a", "b", "c"), (1, 2, 2), "x")
    assert [entry.duel("a", "b"), entry.duel("b", "a"), entry.duel("b", "c")] == [1.0, 0.0, 0.5]
    assert entry.duel("a", "d") is None


def test_margin_is_the_distance_to_the_opponents_mean() -> None:
    """Points of partners do not count as opponents' points."""
    teams = Entry(tuple("abcd"), (1, 2, 1, 2), "x", scores=(9, 4, 9, 4), sides=((0, 2), (1, 3)))
    single = Entry(("a", "b", "c"), (1, 2, 3), "y", scores=(10, 6, 2))
    counted = tally([teams, single])
    assert counted.margins[0] == (5 + 6, 2)
    assert counted.margins[2] == (5 - 6, 2)


def test_record_gives_an_entry() -> None:
    """A journal's record is read without its times and remarks."""
    record = {
        "bots": ["a", "b"],
        "ranks": [1, 2],
        "block": "1-x",
        "scores": [3, 1],
        "faults": [{"seat": 1, "kind": "timeout", "action": 4, "text": "", "stderr": ""}],
        "setup": {"x": 1},
        "actions": [[0, "a1", 12], [1, "b1", 99, ["hm"]]],
    }
    other = {**record, "actions": [[0, "a1", 555], [1, "b1", 1]]}
    entry = Entry.load(record)
    assert entry.faults == ((1, "timeout"),)
    assert entry.digest == Entry.load(other).digest == bytes.fromhex(fingerprint(record))
    assert entry.digest != Entry.load({**record, "setup": {"x": 2}}).digest
    assert Entry.load({**other, "fingerprint": fingerprint(record)}) == entry
    assert pickle.loads(pickle.dumps(entry)) == entry
