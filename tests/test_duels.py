"""Blocks counted by the score of one bot against another."""

from __future__ import annotations

from arena import sprt
from arena.duels import Trial, block_counts
from arena.tally import Entry, Tally


def tally(*blocks: list[tuple[int, ...]], bots: tuple[str, ...] = ("a", "b")) -> Tally:
    """Return a tally of blocks, each given by the ranks of its matches, seats rotating."""
    made = Tally()
    for number, matches in enumerate(blocks):
        for turn, ranks in enumerate(matches):
            seats = bots[turn:] + bots[:turn]
            made.add(Entry(seats, ranks[turn:] + ranks[:turn], f"block{number}"))
    return made


def test_pairs_are_counted_by_score() -> None:
    """With two players there are five scores of a pair, from two defeats to two wins."""
    found = tally([(1, 2), (1, 2)], [(1, 2), (2, 1)], [(2, 1), (2, 1)], [(1, 1), (1, 2)], [(1, 2), (1, 2)])
    assert block_counts(found, "a", "b", 2) == [1, 0, 1, 1, 2]
    assert block_counts(found, "b", "a", 2) == [2, 1, 1, 0, 1]


def test_half_blocks_do_not_count() -> None:
    """A block of which a match is missing says nothing yet."""
    assert block_counts(tally([(1, 2)]), "a", "b", 2) == [0, 0, 0, 0, 0]


def test_more_players_are_duels() -> None:
    """With three players only the places of the two count, over the three seat orders of a board."""
    found = tally([(1, 2, 3), (2, 3, 1), (2, 1, 3)], bots=("a", "b", "c"))
    assert block_counts(found, "a", "b", 3) == [0, 0, 0, 0, 1, 0, 0]


def test_repeated_blocks_count_once() -> None:
    """Identical matches bring nothing new: their blocks are one, and a trial is not impressed."""
    made = Tally()
    for block in ("x", "y", "z"):
        made.add(Entry(("a", "b"), (1, 2), block, digest=b"1"))
        made.add(Entry(("b", "a"), (2, 1), block, digest=b"2"))
    assert block_counts(made, "a", "b", 2) == [0, 0, 0, 0, 1]


def test_trial_stops_when_it_is_known() -> None:
    """A trial goes on until one of its bounds is passed, and then says which."""
    trial = Trial(sprt.Test(0, 50, model=sprt.EloModel.LOGISTIC), "a", "b", 2)
    assert trial.look(tally([(1, 2), (1, 2)])) is None
    assert trial.state.verdict is sprt.Verdict.RUNNING
    reason = trial.look(tally(*[[(1, 2), (1, 2)]] * 60))
    assert reason is not None
    assert "accepted" in reason
    assert trial.look(tally([(1, 2)])) == reason, "a verdict stands"


def test_trial_counts_what_came_after_its_last_look() -> None:
    """The blocks that end a match with its games count too."""
    trial = Trial(sprt.Test(0, 50, model=sprt.EloModel.LOGISTIC), "a", "b", 2)
    growing = tally([(1, 2), (1, 2)])
    trial.look(growing)
    for number in range(60):
        growing.add(Entry(("a", "b"), (1, 2), f"late{number}"))
        growing.add(Entry(("b", "a"), (2, 1), f"late{number}"))
    trial.close()
    assert trial.state.verdict is sprt.Verdict.ACCEPTED
