"""The table's laws, its extremes, and its JSON form."""

from __future__ import annotations

import json
import math
import random
from dataclasses import replace

import pytest

from arena.errors import UserError
from arena.games.base import Outcome
from arena.standings import Close, Settings, Standings, standings
from arena.tally import Entry
from tests.matches import league, load, pair, reference, tally

NO_PRIOR = Settings(prior=None, seats=False)


def rated(entries: list[Entry], settings: Settings | None = None, bots: tuple[str, ...] = ()) -> Standings:
    """Return the standings of some matches."""
    return standings(tally(entries, bots), settings)


def elo(table: Standings) -> dict[str, float]:
    """Return the ratings by name."""
    return {bot.name: bot.elo for group in table.groups for bot in group.bots if bot.elo is not None}


def errors(table: Standings) -> dict[str, float]:
    """Return the ± by name."""
    return {bot.name: bot.error for group in table.groups for bot in group.bots if bot.error is not None}


def close(found: dict[str, float], wanted: dict[str, float], within: float = 1e-6) -> bool:
    """Tell whether two sets of ratings agree."""
    return found == {name: pytest.approx(value, abs=within) for name, value in wanted.items()}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_order_of_matches_never_matters(players: int) -> None:
    """Permuting the matches changes no figure."""
    entries = league(rounds=3, players=players)
    table = rated(entries)
    again = rated(random.Random(4).sample(entries, len(entries)))
    assert close(elo(again), elo(table))
    assert close(errors(again), errors(table))


@pytest.mark.parametrize("players", [2, 3])
def test_names_never_matter(players: int) -> None:
    """Renaming the bots renames the rows, and nothing else."""
    entries = league(rounds=3, players=players)
    names = {"b0": "zz", "b1": "b3", "b2": "a", "b3": "b0", "b4": "M"}
    renamed = [replace(entry, bots=tuple(names[bot] for bot in entry.bots)) for entry in entries]
    table = rated(entries)
    assert close(elo(rated(renamed)), {names[bot]: value for bot, value in elo(table).items()})
    assert close(errors(rated(renamed)), {names[bot]: value for bot, value in errors(table).items()})


@pytest.mark.parametrize("players", [2, 3, 4])
def test_swapping_all_seats_swaps_the_seats_alone(players: int) -> None:
    """Mirrored seats leave the ratings, and mirror what the seats are worth."""
    entries = league(rounds=3, players=players)
    mirrored = [replace(entry, bots=entry.bots[::-1], ranks=entry.ranks[::-1]) for entry in entries]
    table, other = rated(entries), rated(mirrored)
    assert close(elo(other), elo(table))
    assert close(errors(other), errors(table))
    seats = [seat.elo for seat in table.groups[0].seats[players]]
    assert [seat.elo for seat in other.groups[0].seats[players]][::-1] == pytest.approx(seats)
    assert sum(seats) == pytest.approx(0, abs=1e-6)


@pytest.mark.parametrize("players", [2, 3])
def test_twice_as_many_blocks_are_surer_by_the_root_of_two(players: int) -> None:
    """All blocks doubled keep the ratings, and ± shrinks by √2."""
    entries = league(rounds=10, players=players)
    double = entries + [replace(entry, block=f"again {entry.block}") for entry in entries]
    once, twice = rated(entries, NO_PRIOR), rated(double, NO_PRIOR)
    assert close(elo(twice), elo(once))
    shrunk = {name: error / math.sqrt(2) for name, error in errors(once).items()}
    assert errors(twice) == {name: pytest.approx(error, rel=0.01) for name, error in shrunk.items()}


def test_a_draw_between_equals_changes_nothing_but_the_doubt() -> None:
    """Two equal bots that draw stay equal, and their difference gets surer."""
    entries = [*pair("1", "a", "b", (1.0, 0.0)), *pair("2", "a", "b", (0.0, 1.0))]
    before = rated(entries)
    after = rated([*entries, *pair("3", "a", "b", (0.5, 0.5))])
    assert close(elo(after), {"a": 0.0, "b": 0.0})
    assert errors(after)["a"] < errors(before)["a"]


def test_a_bot_that_only_wins_is_a_bound() -> None:
    """The perfect scorer of the reference has a finite rating above all, a bound, and a lopsided interval."""
    table = rated(load("edge_connected.csv"))
    best = table.groups[0].bots[0]
    wanted = reference()["edge_connected"]["own_map_prior600_seatprior200"]
    core = sum(value for name, value in wanted.items() if name != "perfect") / 6
    assert (best.name, best.bound, best.rank) == ("perfect", ">", (1, 1))
    assert best.elo == pytest.approx(wanted["perfect"] - core, abs=0.001)
    assert f"{best.elo:+.0f}" == "+904"
    assert best.elo is not None
    assert best.low is not None
    assert best.high is not None
    assert best.high - best.elo > best.elo - best.low > 100


def test_a_bot_that_only_loses_is_a_bound() -> None:
    """Who lost everything is below, and the others' mean is zero."""
    entries = [
        *league(bots=3),
        *(entry for n in range(6) for entry in pair(f"x{n}", "b0", "poor", (1.0, 1.0))),
    ]
    table = rated(entries)
    last = table.groups[0].bots[-1]
    assert (last.name, last.bound) == ("poor", "<")
    assert sum(value for name, value in elo(table).items() if name != "poor") == pytest.approx(0, abs=1e-6)


def test_a_bot_that_never_played_has_no_rating() -> None:
    """It stands in a table of its own, without numbers."""
    table = rated(league(bots=3), bots=("idle",))
    assert [len(group.bots) for group in table.groups] == [3, 1]
    idle = table.bot("idle")
    assert (idle.elo, idle.error, idle.games, idle.bound) == (None, None, 0, None)
    json.dumps(table.dump(), allow_nan=False)


def test_groups_that_never_met_are_separate_tables() -> None:
    """Each has the mean 0, the figures it has alone, and a warning says that they cannot be compared."""
    first, second = league(bots=4), league(bots=3, seed=2)
    moved = [
        replace(entry, bots=tuple(f"x{bot}" for bot in entry.bots), block=f"x{entry.block}")
        for entry in second
    ]
    table = rated(first + moved)
    assert [len(group.bots) for group in table.groups] == [4, 3]
    assert close({bot.name: bot.elo or 0.0 for bot in table.groups[0].bots}, elo(rated(first)))
    assert close(errors(table), errors(rated(first)) | errors(rated(moved)))
    assert any("never met" in warning for warning in table.warnings)


def test_one_game_in_all() -> None:
    """A single match gives a finite, very uncertain table."""
    table = rated([Entry(("a", "b"), (1, 2), "x")])
    best, last = table.groups[0].bots
    assert (best.name, best.bound, last.bound, best.rank, last.rank) == ("a", ">", "<", (1, 2), (1, 2))
    assert best.high is not None
    assert best.low is not None
    assert best.high - best.low > 500
    json.dumps(table.dump(), allow_nan=False)


@pytest.mark.parametrize("players", [2, 3, 5])
def test_everybody_tied(players: int) -> None:
    """All are equal, with a ± above 0, one shared rank, and even chances."""
    entries = [replace(entry, ranks=(1,) * players) for entry in league(rounds=2, players=players)]
    table = rated(entries)
    assert close(elo(table), {f"b{bot}": 0.0 for bot in range(5)})
    assert min(errors(table).values()) > 1
    assert {bot.rank for bot in table.groups[0].bots} == {(1, 5)}
    assert table.groups[0].bots[0].los_next == pytest.approx(0.5)
    assert table.draws == len(entries)


def test_no_matches_at_all() -> None:
    """An empty tally is an empty table, with its bots."""
    assert rated([]).groups == ()
    assert [group.bots[0].name for group in rated([], bots=("a", "b")).groups] == ["a", "b"]


def test_an_anchor_only_shifts() -> None:
    """Differences, errors and ranks stay; the anchor has its rating exactly."""
    free, anchored = rated(league()), rated(league(), Settings(anchor={"b3": 1000.0}))
    shift = 1000.0 - elo(free)["b3"]
    assert close(elo(anchored), {name: value + shift for name, value in elo(free).items()})
    assert close(errors(anchored), errors(free))
    with pytest.raises(UserError, match="nobody"):
        rated(league(), Settings(anchor={"nobody": 1.0}))
    with pytest.raises(UserError, match="one anchor"):
        rated(league(), Settings(anchor={"b1": 1.0, "b2": 2.0}))


def test_no_prior_where_none_is_needed_changes_little() -> None:
    """With many games the prior moves ratings by less than a tenth of their ±."""
    entries = load("dense.csv")
    with_prior, without = rated(entries), rated(entries, Settings(prior=None))
    assert all(abs(elo(with_prior)[name] - value) < 3 for name, value in elo(without).items())


def test_no_prior_where_one_is_needed_is_said() -> None:
    """A perfect score has no finite rating without a prior: the default one is used, and named."""
    table = rated(load("edge_connected.csv"), Settings(prior=None))
    assert any("perfect" in warning and "600" in warning for warning in table.warnings)
    assert elo(table)["perfect"] == pytest.approx(903.8, abs=0.1)


def test_ranks_are_ranges() -> None:
    """From 1 + those that are surely better, to n less those that are surely worse."""
    table = rated(load("dense.csv"))
    assert [bot.rank for bot in table.groups[0].bots] == [
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 4),
        (5, 6),
        (5, 6),
        (7, 8),
        (7, 8),
    ]
    los = table.groups[0].los
    assert los[4][5] == pytest.approx(0.939, abs=0.001)
    assert los[4][5] + los[5][4] == pytest.approx(1)


def test_counts_of_two_players() -> None:
    """Games, score, wins, draws and losses are those of the data."""
    bot = rated(load("dense.csv")).bot("bot8")
    assert (bot.games, bot.places, bot.draws) == (504, (462, 42), 86)
    assert bot.score == pytest.approx((376 + 43) / 504)


def test_counts_of_more_players() -> None:
    """Places are counted with the better place for all who share it; the score is the mean pairwise one."""
    entries = [
        Entry(("a", "b", "c"), (1, 1, 3), "x", scores=(9, 9, 3)),
        Entry(("c", "a", "b"), (1, 2, 3), "x", scores=(7, 5, 3)),
    ]
    table = rated(entries)
    a = table.bot("a")
    assert (a.places, a.draws, a.games) == ((1, 1, 0), 0, 2)
    assert a.score == pytest.approx((0.5 + 1 + 0 + 1) / 4)
    assert a.margin == pytest.approx((9 - 6 + 5 - 5) / 2)
    assert table.draws == 1


def test_only_the_winner_counts_where_it_is_asked_for() -> None:
    """With the winner's outcome, who came second makes no difference."""
    entries = league(players=3)
    swapped = [
        replace(entry, ranks=tuple({1: 1, 2: 3, 3: 2}[rank] for rank in entry.ranks))
        if sorted(entry.ranks) == [1, 2, 3]
        else entry
        for entry in entries
    ]
    winner = Settings(outcome=Outcome.WINNER)
    assert close(elo(rated(entries, winner)), elo(rated(swapped, winner)))
    assert not close(elo(rated(entries)), elo(rated(swapped)), within=1.0)


def test_teams_share_their_result() -> None:
    """Partners win together: in a game of two sides everybody has wins, draws and losses."""
    chance = random.Random(1)
    entries = []
    for block in range(60):
        bots = chance.sample(["a", "b", "c", "d", "e"], 4)
        power = {"a": 3, "b": 2, "c": 1, "d": 0, "e": -1}
        for shift in range(4):
            seated = tuple(bots[shift:] + bots[:shift])
            lead = (
                power[seated[0]] + power[seated[2]] - power[seated[1]] - power[seated[3]] + chance.gauss(0, 3)
            )
            entries.append(
                Entry(seated, (1, 2, 1, 2) if lead > 0 else (2, 1, 2, 1), str(block), sides=((0, 2), (1, 3)))
            )
    table = rated(entries)
    assert [bot.name for bot in table.groups[0].bots] == ["a", "b", "c", "d", "e"]
    assert table.sides == 2
    assert table.bot("a").games == sum("a" in entry.bots for entry in entries)


def test_faults_count_and_are_told_apart() -> None:
    """Faults have their column by kind; a bot with many has its rating without them."""
    entries = league(bots=3, rounds=20)
    spoilt = [
        replace(
            entry,
            ranks=(2, 1) if entry.bots[0] == "b0" else (1, 2),
            faults=((entry.bots.index("b0"), "timeout"),),
        )
        if "b0" in entry.bots and number % 3 == 0
        else entry
        for number, entry in enumerate(entries)
    ]
    table = rated(spoilt)
    bot = table.bot("b0")
    assert bot.faults == {"timeout": sum(bool(entry.faults) for entry in spoilt)}
    assert bot.faultless is not None
    assert bot.elo is not None
    assert bot.faultless > bot.elo + 50
    assert table.bot("b1").faultless is None


def test_a_bot_that_always_fails_has_no_rating_without_faults() -> None:
    """Where no match is left without its faults, there is nothing to say."""
    entries = [Entry(("a", "b"), (1, 2), str(number), faults=((1, "crash"),)) for number in range(4)]
    assert rated(entries).bot("b").faultless is None


def test_duplicates_are_warned_of() -> None:
    """More than one identical match in twenty is told."""
    entries = [
        Entry(("a", "b"), (1 + n % 2, 2 - n % 2), str(n), digest=str(n % 90).encode()) for n in range(100)
    ]
    table = rated(entries)
    assert (table.duplicates, table.blocks) == (10, 90)
    assert any("10 of 100" in warning for warning in table.warnings)
    assert not rated(entries[:92]).warnings


def test_the_json_form_has_what_programs_read() -> None:
    """Every key of the interface is there, in plain JSON values."""
    dumped = standings(tally(league()), close=Close("time is up")).dump()
    table = json.loads(json.dumps(dumped, allow_nan=False))
    wanted = "groups games blocks duplicates draws dispersion anchor prior stopped decided warnings"
    assert set(wanted.split()) <= table.keys()
    (group,) = table["groups"]
    assert {"bots", "seats", "los"} <= group.keys()
    keys = "name elo error low high bound rank games score places faults los_next margin"
    assert set(keys.split()) <= group["bots"][0].keys()
    assert table["stopped"] == "time is up"
    assert group["bots"][-1]["los_next"] is None
    assert [len(row) for row in group["los"]] == [5] * 5
    assert len(group["seats"]["2"]) == 2


def test_several_numbers_of_players_in_one_table() -> None:
    """Matches of two and of three players are rated together, with seats of their own."""
    three = [replace(entry, block=f"3 {entry.block}") for entry in league(players=3)]
    table = rated(league() + three)
    assert table.players == (2, 3)
    assert {players: len(seats) for players, seats in table.groups[0].seats.items()} == {2: 2, 3: 3}


def test_certainty_at_last_names_the_best_seldom_by_chance() -> None:
    """Looking after every round, equal bots are told apart at 97.5 % far more often than at 99.9 %."""
    loose = strict = 0
    for seed in range(30):
        chance = random.Random(seed)
        counted = tally([])
        names_a_winner = names_it_strictly = False
        for turn in range(60):
            scores = (float(chance.random() < 0.5), float(chance.random() < 0.5))
            for entry in pair(str(turn), "a", "b", scores):
                counted.add(entry)
            if turn >= 15 and turn % 3 == 0:
                los = standings(counted).groups[0].bots[0].los_next
                assert los is not None
                names_a_winner |= los > 0.975
                names_it_strictly |= los >= 0.999
        loose += names_a_winner
        strict += names_it_strictly
    assert strict <= 4
    assert loose > 2 * strict
