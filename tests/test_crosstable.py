"""Cross tables, and on what a difference rests."""

from __future__ import annotations

import json

import pytest

from arena.crosstable import Duel, cross, explain
from arena.errors import UserError
from arena.standings import Settings, standings
from arena.tally import Entry
from tests.matches import league, load, pair, tally


def test_a_cross_table_has_all_duels_from_both_sides() -> None:
    """What one bot won the other lost, and the sums are the rows of the table."""
    counted = tally(load("dense.csv"))
    table = standings(counted)
    (found,) = cross(counted, table)
    assert found.names == tuple(bot.name for bot in table.groups[0].bots)
    for one, row in enumerate(found.duels):
        assert row[one] is None
        duels = [duel for duel in row if duel is not None]
        assert sum(duel.games for duel in duels) == 504
        for other, duel in enumerate(row):
            back = found.duels[other][one]
            if duel is not None and back is not None:
                assert (duel.wins, duel.draws, duel.losses) == (back.losses, back.draws, back.wins)
    bot8 = [duel for duel in found.duels[0] if duel is not None]
    assert sum(duel.wins for duel in bot8) == 376
    json.dumps(found.dump(), allow_nan=False)


def test_three_players_meet_in_pairs() -> None:
    """In a match of three, everybody has a duel with both others."""
    counted = tally([Entry(("a", "b", "c"), (1, 2, 2), "x")])
    (found,) = cross(counted, standings(counted))
    duels = dict(zip(found.names, found.duels, strict=True))
    b, c = found.names.index("b"), found.names.index("c")
    assert duels["a"][b] == Duel(1, 0, 0)
    assert duels["b"][c] == Duel(0, 1, 0)


def test_groups_have_their_own_cross_tables() -> None:
    """A bot that never played has none."""
    counted = tally([*pair("1", "a", "b", (1.0, 0.0)), *pair("2", "c", "d", (1.0, 0.5))], ["idle"])
    assert [set(found.names) for found in cross(counted, standings(counted))] == [{"a", "b"}, {"c", "d"}]


def test_the_whole_difference_is_that_of_the_table() -> None:
    """An explanation starts from the difference and the chance that the table shows."""
    counted = tally(load("dense.csv"))
    table = standings(counted)
    found = explain(counted, table, "bot4", "bot3")
    four, three = table.bot("bot4"), table.bot("bot3")
    assert found.whole.elo == pytest.approx((four.elo or 0) - (three.elo or 0))
    assert found.whole.los == pytest.approx(four.los_next)
    assert found.met is not None
    assert found.apart is not None
    assert found.met.games + found.apart.games == found.whole.games == 2016
    assert found.met.blocks + found.apart.blocks == 1008
    assert min(found.met.elo, found.apart.elo) <= found.whole.elo <= max(found.met.elo, found.apart.elo)
    assert found.whole.error < min(found.met.error, found.apart.error)
    assert found.duel.games == sum(duel.games for _, _, duel in found.seats) == 72
    json.dumps(found.dump(), allow_nan=False)


def test_bots_that_never_met_are_compared_through_others() -> None:
    """Without matches of their own, all comes through others; without others, all is their own."""
    chain = [
        *pair("1", "a", "b", (1.0, 0.5)),
        *pair("2", "b", "c", (1.0, 0.5)),
        *pair("3", "b", "c", (0.0, 0.5)),
    ]
    counted = tally(chain)
    found = explain(counted, standings(counted), "a", "c")
    assert found.met is None
    assert found.apart is not None
    assert found.duel.score is None
    assert explain(counted, standings(counted), "a", "b").apart is None


def test_it_works_without_a_prior_and_with_more_players() -> None:
    """A part that does not determine everything gets the default prior."""
    counted = tally(league(players=3))
    found = explain(counted, standings(counted, Settings(prior=None)), "b0", "b4")
    assert found.whole.elo > 0
    assert found.apart is not None
    assert [seat for _, seat, _ in found.seats] == [0, 1, 2]


def test_who_cannot_be_compared_is_said() -> None:
    """Unknown bots, bots of other groups and a bot with itself are the user's mistakes."""
    counted = tally([*pair("1", "a", "b", (1.0, 0.0)), *pair("2", "c", "d", (1.0, 0.5))])
    table = standings(counted)
    for first, second, words in (("a", "x", "'x'"), ("a", "c", "never met"), ("a", "a", "itself")):
        with pytest.raises(UserError, match=words):
            explain(counted, table, first, second)
