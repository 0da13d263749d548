"""The plan: who meets whom, from which seats, on which board, under which id; and that it never changes."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations, islice, permutations
from math import comb, factorial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.config import Config, Format, Schedule, Seats
from arena.match import Bot, Match
from arena.schedule import (
    Block,
    Finished,
    Knockout,
    MissingResults,
    Plan,
    RoundRobin,
    Swiss,
    board_seed,
    make_plan,
)
from arena.schedule.balance import count, count_blocks, findings, period
from arena.schedule.block import seat_orders
from arena.schedule.knockout import TIEBREAKS, seeded
from arena.schedule.pairing import pair
from arena.schedule.swiss import BYE

ALONE = {players: [(seat,) for seat in range(players)] for players in range(2, 6)}


def tournament(
    bots: int | Sequence[str] = 4,
    players: int = 2,
    rounds: int = 3,
    format: Format = Format.ROUND_ROBIN,  # noqa: A002 - the file's own word
    seats: Seats = Seats.ROTATE,
    heroes: Sequence[str] = (),
    seed: int = 7,
    game: str = "desert",
    **options: str,
) -> Config:
    """Return the values of a tournament of bots called a, b, c, …."""
    names = [f"b{number:03}" for number in range(bots)] if isinstance(bots, int) else list(bots)
    return Config(
        name="test",
        game=game,
        players=players,
        bots=tuple(Bot(name, ("true",), Path("/")) for name in names),
        folder=Path("/"),
        output=Path("/nowhere"),
        options=options or {"edition": "kosmos"},
        schedule=Schedule(format, rounds, seats, tuple(heroes)),
        seed=seed,
    )


def all_blocks(plan: Plan) -> list[Block]:
    """Return the blocks of a plan that needs no results."""
    return [block for stage in plan.stages({}) for block in stage]


def all_matches(plan: Plan) -> list[Match]:
    """Return the matches of a plan that needs no results."""
    return [match for block in all_blocks(plan) for match in block.matches]


def judge(match: Match, luck: random.Random | None = None) -> Finished:
    """Return a result of two: the earlier name wins, or whoever luck says; draws happen."""
    if luck is None:
        first = match.bots[0] < match.bots[1]
        return Finished((1, 2) if first else (2, 1), (9, 3) if first else (3, 9))
    scores = (luck.randrange(3), luck.randrange(3))
    ranks = tuple(1 + (other > own) for own, other in (scores, scores[::-1]))
    return Finished(ranks, scores)


def played(plan: Plan, finished: dict[str, Finished], seed: int | None = None) -> Iterator[list[Block]]:
    """Play a plan to its end, stage by stage; what is finished already stays."""
    for stage in plan.stages(finished):
        blocks = list(stage)
        assert len(blocks) == stage.blocks
        for block in blocks:
            for match in block.matches:
                luck = None if seed is None else random.Random(f"{seed} {match.id}")
                finished.setdefault(match.id, judge(match, luck))
        yield blocks


# Round-robin and gauntlet


@pytest.mark.parametrize("seats", list(Seats))
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_round_robin(players: int, seats: Seats) -> None:
    """Every set of bots plays every board once from each of its seat orders."""
    plan = make_plan(tournament(6, players, rounds=2, seats=seats))
    matches = all_matches(plan)
    orders = players if seats is Seats.ROTATE else factorial(players)
    assert len(matches) == plan.matches == 2 * comb(6, players) * orders
    assert plan.blocks == 2 * comb(6, players)
    seen = Counter((match.round, frozenset(match.bots)) for match in matches)
    assert set(seen.values()) == {orders}
    assert len(seen) == plan.blocks
    assert len({match.id for match in matches}) == len(matches)
    assert len({match.block for match in matches}) == plan.blocks


def test_rounds_come_one_after_the_other() -> None:
    """Matches are taken round by round and block by block, so that a run stopped early is balanced."""
    matches = all_matches(make_plan(tournament(5, 3, rounds=4)))
    assert [match.round for match in matches] == sorted(match.round for match in matches)
    blocks = [match.block for match in matches]
    assert blocks == [block for block in dict.fromkeys(blocks) for _ in range(3)]


def test_boards_are_shared() -> None:
    """All line-ups of a round have its board, and no two rounds have the same."""
    matches = all_matches(make_plan(tournament(4, rounds=50)))
    boards = {match.round: match.seed for match in matches}
    assert all(boards[match.round] == match.seed for match in matches)
    assert len(set(boards.values())) == 50
    other = all_matches(make_plan(tournament(6, 3, rounds=50, game="rain")))
    assert all(boards[match.round] == match.seed for match in other)


def test_gauntlet() -> None:
    """Each hero meets every set of the others, and heroes never meet."""
    names = ["a", "b", "c", "d", "e"]
    plan = make_plan(tournament(names, 3, rounds=2, format=Format.GAUNTLET, heroes=["d", "b"]))
    lineups = {(match.round, frozenset(match.bots)) for match in all_matches(plan)}
    others = [frozenset(pair) for pair in combinations("ace", 2)]
    assert lineups == {(number, other | {hero}) for number in (1, 2) for other in others for hero in "bd"}
    assert plan.blocks == len(lineups) == 12


# Ids


def test_ids_are_fixed() -> None:
    """Ids and seeds are what they were in every version; whoever changes them breaks results on disk."""
    [block] = all_blocks(make_plan(tournament(["dune", "greedy"], rounds=1)))
    assert [match.id for match in block.matches] == ["1-52af3c8c3c45-01", "1-52af3c8c3c45-10"]
    assert block.id == "1-52af3c8c3c45"
    assert [match.bots for match in block.matches] == [("dune", "greedy"), ("greedy", "dune")]
    boards = [board_seed(7, number) for number in (1, 2)]
    assert boards == [
        6990422677722836635,
        3605741812892065533,
    ]


def test_ids_depend_on_what_is_played() -> None:
    """Game, options, seed, round and seats make the id; nothing else does."""
    base = {match.id for match in all_matches(make_plan(tournament(["a", "b"])))}
    for other in (
        tournament(["a", "b"], game="rain"),
        tournament(["a", "b"], edition="ffg"),
        tournament(["a", "b"], seed=8),
        tournament(["a", "c"]),
    ):
        assert base.isdisjoint(match.id for match in all_matches(make_plan(other)))
    for same in (tournament(["b", "a"]), tournament(["a", "b"], seats=Seats.ALL)):
        assert base == {match.id for match in all_matches(make_plan(same))}


@pytest.mark.parametrize("seats", list(Seats))
def test_extending_keeps_all(seats: Seats) -> None:
    """More rounds and more bots, wherever they stand in the file, contain every match there was."""
    before = {
        match.id: match for match in all_matches(make_plan(tournament(["c", "a", "d"], 3, 4, seats=seats)))
    }
    longer = {
        match.id: match for match in all_matches(make_plan(tournament(["c", "a", "d"], 3, 9, seats=seats)))
    }
    larger = {match.id: match for match in all_matches(make_plan(tournament("xcaybd", 3, 4, seats=seats)))}
    assert before.items() <= longer.items()
    assert before.items() <= larger.items()


def test_same_values_same_plan() -> None:
    """A plan can be gone through again and gives the same matches, also two at a time."""
    [stage] = make_plan(tournament(5, 3)).stages({})
    one, other = iter(stage), iter(stage)
    first = next(one)
    list(islice(other, 20))
    assert [match for block in [first, *one] for match in block.matches] == all_matches(
        make_plan(tournament(5, 3))
    )


def test_million_matches_are_lazy() -> None:
    """A plan of a million matches begins at once, and its length is known."""
    plan = make_plan(tournament(50, rounds=1000))
    assert plan.matches == 2_450_000
    [stage] = plan.stages({})
    assert (stage.blocks, stage.matches) == (1_225_000, 2_450_000)
    assert next(iter(stage)).round == 1


# Balance


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_seat_orders(players: int) -> None:
    """`all` is every order; `rotate` gives every circle in turn, each from every seat."""
    everything = set(permutations(range(players)))
    assert set(seat_orders(players, 5, Seats.ALL)) == everything
    cycle = factorial(players - 1)
    rotated = [
        order for number in range(1, cycle + 1) for order in seat_orders(players, number, Seats.ROTATE)
    ]
    assert len(rotated) == len(everything)
    assert set(rotated) == everything
    assert seat_orders(players, cycle + 1, Seats.ROTATE) == seat_orders(players, 1, Seats.ROTATE)


@pytest.mark.parametrize(("players", "rounds"), [(2, 1), (3, 2), (4, 6), (5, 4)])
def test_period(players: int, rounds: int) -> None:
    """After so many rounds each bot, seat, pair, order and neighbour comes up equally often."""
    assert period(players, Seats.ROTATE, ALONE[players]) == rounds
    assert period(players, Seats.ALL, ALONE[players]) == 1
    plan = RoundRobin(tournament(6, players, rounds=rounds))
    assert all(found.balanced for found in findings(count(plan, ALONE[players]), plan.names, players))


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_round_balances_seats(players: int) -> None:
    """One round already has every bot on every seat equally often."""
    plan = RoundRobin(tournament(6, players, rounds=1))
    found = findings(count(plan, ALONE[players]), plan.names, players)
    assert {one.what: one.balanced for one in found if one.what in ("bots", "seats", "pairs")} == {
        "bots": True,
        "seats": True,
        "pairs": True,
    }


@pytest.mark.parametrize("seats", list(Seats))
@pytest.mark.parametrize("rounds", [1, 5, 7])
@pytest.mark.parametrize("heroes", [(), ("b001", "b003")])
def test_counts_are_those_of_the_matches(seats: Seats, rounds: int, heroes: tuple[str, ...]) -> None:
    """What is counted without going through the matches is what is counted going through them."""
    style = Format.GAUNTLET if heroes else Format.ROUND_ROBIN
    plan = RoundRobin(tournament(6, 4, rounds, style, seats, heroes, game="rain"))
    teams = [(0, 2), (1, 3)]
    assert count(plan, teams) == count_blocks(all_blocks(plan), teams)


def test_partners() -> None:
    """In a game of teams partners are counted apart from opponents, and are balanced after six rounds."""
    plan = RoundRobin(tournament(4, 4, rounds=6, game="rain"))
    counts = count(plan, [(0, 2), (1, 3)])
    assert set(counts.partners.values()) == {8}
    assert set(counts.pairs.values()) == {16}


def test_imbalance_is_found() -> None:
    """What is not balanced is said with its smallest and largest count."""
    plan = RoundRobin(tournament(4, 3, rounds=1))
    found = {one.what: one for one in findings(count(plan, ALONE[3]), plan.names, 3)}
    assert not found["neighbours"].balanced
    assert found["neighbours"].text == "in every pair each plays directly after the other 0 to 6 times"


# Pairing


def brute_force(wishes: Sequence[Sequence[int]]) -> list[tuple[int, int]] | None:
    """Find the first matching by trying everything."""

    def go(left: list[int]) -> list[tuple[int, int]] | None:
        if not left:
            return []
        one, *rest = left
        for other in wishes[one]:
            if other in rest:
                tail = go([player for player in rest if player != other])
                if tail is not None:
                    return [(one, other), *tail]
        return None

    return go(list(range(len(wishes))))


@settings(max_examples=300, deadline=None)
@given(st.integers(1, 4), st.floats(0, 1), st.randoms(use_true_random=False))
def test_pairing(half: int, density: float, chance: random.Random) -> None:
    """The pairs are the first in everybody's wishes, found also where odd circles are in the way."""
    players = range(2 * half)
    allowed = {couple for couple in combinations(players, 2) if chance.random() < density}
    wishes = [
        [other for other in players if (min(one, other), max(one, other)) in allowed] for one in players
    ]
    for wish in wishes:
        chance.shuffle(wish)
    assert pair(wishes) == brute_force(wishes)


# Swiss


@pytest.mark.parametrize("bots", [2, 3, 4, 7, 10, 16])
def test_swiss(bots: int) -> None:
    """Every bot plays one block a round, with an odd number one has a bye, and nobody meets twice."""
    rounds = min(bots - 1 + bots % 2, 5)
    plan = Swiss(tournament(bots, rounds=rounds, format=Format.SWISS))
    finished: dict[str, Finished] = {}
    stages = list(played(plan, finished, seed=1))
    assert len(stages) == rounds
    assert len(finished) == plan.matches
    for number, blocks in enumerate(stages, 1):
        bots_of_round = [bot for block in blocks for bot in block.lineup]
        assert len(set(bots_of_round)) == len(bots_of_round) == bots - bots % 2
        assert {block.round for block in blocks} == {number}
    couples = [block.lineup for blocks in stages for block in blocks]
    assert len(set(couples)) == len(couples)
    byes = Counter(
        name for blocks in stages for name in plan.names if not any(name in b.lineup for b in blocks)
    )
    assert all(times == 1 for times in byes.values())


def test_swiss_finds_the_best() -> None:
    """The first round meets halves; winners meet winners; the strongest is ahead in the end."""
    plan = Swiss(tournament(8, rounds=3, format=Format.SWISS))
    stages = [[block.lineup for block in blocks] for blocks in played(plan, {})]
    assert stages[0] == [(f"b{at:03}", f"b{at + 4:03}") for at in range(4)]
    assert {frozenset(couple) for couple in stages[1]} >= {
        frozenset(("b000", "b002")),
        frozenset(("b001", "b003")),
    }
    assert ("b000", "b001") in stages[2]


def test_swiss_goes_on_when_all_have_met() -> None:
    """With more rounds than opponents pairs meet again, as evenly as can be."""
    plan = Swiss(tournament(4, rounds=9, format=Format.SWISS))
    couples = Counter(block.lineup for blocks in played(plan, {}, seed=3) for block in blocks)
    assert set(couples.values()) == {3}


@pytest.mark.parametrize("style", [Format.SWISS, Format.KNOCKOUT])
@pytest.mark.parametrize("bots", [5, 8, 11])
def test_stopped_anywhere_goes_on_the_same(style: Format, bots: int) -> None:
    """Whatever part of a stage is in the journal, the same matches follow."""
    plan = make_plan(tournament(bots, rounds=4, format=style))
    finished: dict[str, Finished] = {}
    stages = list(played(plan, finished, seed=5))
    chance = random.Random(9)
    for at in range(len(stages)):
        earlier = {match.id for blocks in stages[:at] for block in blocks for match in block.matches}
        now = [match.id for block in stages[at] for match in block.matches]
        some = set(chance.sample(now, chance.randrange(len(now))))
        known = {match: result for match, result in finished.items() if match in earlier | some}
        again = islice(played(plan, known, seed=5), at, at + 1)
        assert {block.id for block in next(again)} == {block.id for block in stages[at]}


def test_swiss_extends() -> None:
    """More rounds and a bot that joins late keep everything that was played."""
    before: dict[str, Finished] = {}
    list(played(Swiss(tournament("abcde", rounds=3, format=Format.SWISS)), before, seed=2))
    longer = dict(before)
    list(played(Swiss(tournament("abcde", rounds=4, format=Format.SWISS)), longer, seed=2))
    assert len(longer) == len(before) + 4
    larger = dict(before)
    stages = list(played(Swiss(tournament("fabcdeg", rounds=4, format=Format.SWISS)), larger, seed=2))
    assert {match.id for blocks in stages for block in blocks for match in block.matches} == set(larger)
    assert set(before) < set(larger)


def test_void_matches_count_for_nobody() -> None:
    """A match that stayed void gives no points, and the plan goes on."""
    for style in (Format.SWISS, Format.KNOCKOUT):
        plan = make_plan(tournament(4, rounds=2, format=style))
        finished: dict[str, Finished] = {}
        for stage in plan.stages(finished):
            finished.update({match.id: Finished() for block in stage for match in block.matches})
        assert len(finished) >= plan.matches


def test_results_must_be_there() -> None:
    """Asking for the next stage too early is an error, not another pairing."""
    for style in (Format.SWISS, Format.KNOCKOUT):
        stages = make_plan(tournament(4, rounds=2, format=style)).stages({})
        next(stages)
        with pytest.raises(MissingResults):
            next(stages)


def test_bye_is_no_name() -> None:
    """No bot can have the name that stands for a bye."""
    assert BYE == ""


# Knockout


@pytest.mark.parametrize("bots", range(2, 18))
def test_knockout(bots: int) -> None:
    """The better bot always goes on, each pairing takes out one, and the first two meet in the final."""
    plan = Knockout(tournament(bots, rounds=2, format=Format.KNOCKOUT))
    finished: dict[str, Finished] = {}
    stages = list(played(plan, finished))
    assert len(finished) == plan.matches == (bots - 1) * 4
    couples = {block.lineup for blocks in stages for block in blocks}
    assert len(couples) == bots - 1
    assert {block.lineup for block in stages[-1]} == {("b000", "b001")}
    assert plan.verdict(finished) == "b000 wins the knockout"


def test_seeding() -> None:
    """The first seeds are farthest apart and have the byes."""
    assert seeded(tuple("abcdefgh")) == ["a", "h", "d", "e", "b", "g", "c", "f"]
    assert seeded(tuple("abcde")) == ["a", None, "d", "e", "b", None, "c", None]


def test_rounds_of_a_bracket() -> None:
    """The round's number tells bracket and board: 203 is the third board of the second round."""
    plan = Knockout(tournament(4, rounds=3, format=Format.KNOCKOUT))
    rounds = [[block.round for block in blocks] for blocks in played(plan, {})]
    assert rounds == [[101, 101, 102, 102, 103, 103], [201, 202, 203]]


def tied(plan: Plan, scores: tuple[int, int]) -> tuple[int, dict[str, Finished]]:
    """Play with draws in points only; the score is by name. Return how many boards there were."""
    finished: dict[str, Finished] = {}
    boards = 0
    for stage in plan.stages(finished):
        for block in stage:
            boards += 1
            for match in block.matches:
                own = scores if match.bots[0] < match.bots[1] else scores[::-1]
                finished[match.id] = Finished((1, 1), own)
    return boards, finished


def test_tie_breaks() -> None:
    """A level pairing plays on board by board, then the points of the game decide, then the seed."""
    plan = Knockout(tournament(["b", "a", "c"], rounds=2, format=Format.KNOCKOUT))
    boards, finished = tied(plan, (3, 5))
    assert boards == 2 * (2 + TIEBREAKS)
    # a - c: c has more points; b - c: c again.
    final = list(played(plan, dict(finished)))[-1]
    assert {block.lineup for block in final} == {("b", "c")}
    assert plan.verdict(finished) == "c wins the knockout"
    boards, finished = tied(plan, (4, 4))
    final = list(played(plan, dict(finished)))[-1]
    assert {block.lineup for block in final} == {("a", "b")}


def test_tie_break_ends_when_decided() -> None:
    """As soon as a further board decides, no more are played."""
    plan = Knockout(tournament(["a", "b"], rounds=1, format=Format.KNOCKOUT))
    finished: dict[str, Finished] = {}
    rounds = []
    for stage in plan.stages(finished):
        for block in stage:
            rounds.append(block.round)
            for match in block.matches:
                finished[match.id] = Finished((1, 1), (0, 0)) if block.round < 103 else judge(match)
    assert rounds == [101, 102, 103]
