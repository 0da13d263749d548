"""The rules of rain by example: the published examples, and every edge case by its name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from arena.games.base import Event, IllegalAction, InvalidAction
from arena.games.rain import GAME
from arena.games.rain.board import COLOURS, BoardError, load_board, read_board
from arena.games.rain.state import RainState

BAG = COLOURS * 12


def placed(
    mushrooms: Mapping[str, str],
    hands: Sequence[str],
    *,
    bag: int = 40,
    turn: int = 0,
    out: Sequence[int] = (),
    order: str = BAG,
) -> RainState:
    """Return a position with these mushrooms and hands, and so many mushrooms left at the bag's end."""
    setup = GAME.load_setup({"players": len(hands), "bag": order})
    record = GAME.start(setup).dump() | {
        "mushrooms": dict(mushrooms),
        "hands": list(hands),
        "bag": bag,
        "turn": turn,
        "out": list(out),
    }
    state = GAME.load(setup, record)
    assert isinstance(state, RainState)
    return state


def row(text: str, number: int = 4) -> dict[str, str]:
    """Return the mushrooms of a row of the board, from column a on; dots are free."""
    return {f"{column}{number}": mark for column, mark in zip("abcdefgh", text, strict=False) if mark != "."}


def filled(free: Sequence[str]) -> dict[str, str]:
    """Return a board with these spaces free, where every row repeats colours and nothing scores."""
    return {cell: "r" if (ord(cell[0]) // 2) % 2 else "y" for cell in load_board().cells if cell not in free}


class TestScoring:
    """What a mushroom scores."""

    @pytest.mark.parametrize("shown", ["r.b.g.y.", "r..bg.y.", "r.gb..y."])
    def test_the_first_figure(self, shown: str) -> None:
        """Two red and two yellow mushrooms score 1, 1, 2 and 1 in the row of the published figure."""
        state = placed(row(shown), ["rryy", "rybg"])
        a, b, c, d = (column for column, mark in zip("abcdefgh", shown, strict=True) if mark == ".")
        gems = []
        for action in (f"r{d}4", f"r{c}4", f"y{a}4", f"y{b}4"):
            assert state.turn == 0
            before = state.gems[0]
            state.play(action)
            gems.append(state.gems[0] - before)
        assert gems == [1, 1, 2, 1]
        assert state.turn == 1, "the hand is empty, so that the turn ends"

    def test_four_points(self) -> None:
        """A mushroom that completes two diagonals and two rows across scores 4, as in the second figure."""
        across = {"c4": "r", "d4": "b", "e4": "g", "g4": "r"}
        falling = {"c1": "r", "d2": "g", "e3": "b"}
        rising = {"e5": "r", "d6": "b", "c7": "g"}
        state = placed(across | falling | rising, ["yyrr", "rybg"])
        state.play("yf4")
        assert state.last == (0, "yf4", 4)
        assert state.view()["rows"] == "c4 d4 e4 f4, d4 e4 f4 g4, c1 d2 e3 f4, c7 d6 e5 f4"

    def test_free_spaces_are_skipped(self) -> None:
        """Mushrooms in a row need not stand side by side."""
        state = placed(row("r..b...g"), ["yyrr", "rybg"])
        state.play("yb4")
        assert state.gems == [1, 0]

    def test_a_mushroom_between(self) -> None:
        """Four colours do not score across a fifth mushroom that repeats one."""
        state = placed(row("rr.b.g"), ["yyrr", "rybg"])
        state.play("ya3")
        assert state.gems == [0, 0]
        state = placed(row("rb.b.g"), ["yyrr", "rybg"])
        state.play("yh4")
        assert state.gems == [0, 0]

    def test_rows_that_stood_before(self) -> None:
        """A row of four that was there before, and does not contain the new mushroom, gives nothing."""
        state = placed(row("rybg...."), ["yyrr", "rybg"])
        state.play("yh4")
        assert state.gems == [0, 0]

    @pytest.mark.parametrize(
        ("mushrooms", "action"),
        [
            ({"d1": "r", "d5": "y", "d8": "b"}, "gd3"),
            ({"c3": "r", "d4": "y", "f6": "b"}, "ge5"),
            ({"f3": "r", "e4": "y", "c6": "b"}, "gd5"),
            ({"a5": "r", "c5": "y", "h5": "b"}, "gb5"),
        ],
    )
    def test_four_directions(self, mushrooms: dict[str, str], action: str) -> None:
        """Rows run down, across, and along both diagonals."""
        state = placed(mushrooms, ["gggg", "rybg"])
        state.play(action)
        assert state.gems == [1, 0]


class TestTurn:
    """Chains, draws and passes."""

    def test_without_a_score(self) -> None:
        """A mushroom that does not score ends the turn, and the hand is filled up."""
        state = GAME.start(GAME.load_setup({"players": 2, "bag": BAG}))
        assert state.hands == ["rybg", "rybg"]
        assert state.play("yd4") == [Event("draw", 0, "r")]
        assert (state.turn, state.hands[0]) == (1, "rbgr")

    def test_a_chain(self) -> None:
        """Who scores must place again; the hand is filled when the turn is over."""
        state = placed(row("rbg....."), ["yyrr", "rybg"], bag=37)
        assert state.play("yd4") == []
        assert (state.turn, state.chain, state.hands[0]) == (0, 1, "yrr")
        events = state.play("ra6")
        assert events == [Event("draw", 0, BAG[-37:][:2])]
        assert (state.turn, state.chain, len(state.hands[0])) == (1, 0, 4)

    def test_a_bag_that_ends(self) -> None:
        """A hand is filled only as far as the bag goes."""
        state = placed(row("rbg....."), ["yyrr", "rybg"], bag=1)
        state.play("yd4")
        assert state.play("ra6") == [Event("draw", 0, "g")]
        assert state.hands[0] == "yrg"

    def test_an_empty_hand(self) -> None:
        """A player without a mushroom passes, again and again, while others play on."""
        state = placed(row("rbg....."), ["y", "rybg"], bag=0)
        assert state.play("yd4") == []
        assert state.turn == 1
        assert state.play("rh3") == [Event("play", 0, "pass")]
        assert state.turn == 1
        assert state.play("yh6") == [Event("play", 0, "pass")]

    @pytest.mark.parametrize(
        "word", ["", "r", "d4", "wd4", "rd04", "RD4", "rd4 ", "r44", "rd4\n", "x" * 5000]
    )
    def test_unreadable(self, word: str) -> None:
        """What is no action of the game at all is invalid, not illegal."""
        state = placed({}, ["rryy", "rybg"])
        for act in (state.check, state.play):
            with pytest.raises(InvalidAction, match="as in rd4"):
                act(word)

    @pytest.mark.parametrize(
        ("word", "text"),
        [
            ("pass", "referee passes"),
            ("ra1", "a1 is no space of this board"),
            ("rd4", "d4 is taken by a blue mushroom"),
            ("ge4", "seat 0 has no green mushroom: its hand is rryy"),
        ],
    )
    def test_forbidden(self, word: str, text: str) -> None:
        """What could be an action, but not here, is illegal, and the rule is named."""
        state = placed({"d4": "b"}, ["rryy", "rybg"])
        for act in (state.check, state.play):
            with pytest.raises(IllegalAction, match=text):
                act(word)


class TestEnd:
    """When a match is over, and what it is worth."""

    def test_a_full_board(self) -> None:
        """The match ends when the board is full; nothing is drawn any more."""
        state = placed(filled(["a3"]) | {"a4": "r", "a5": "y", "a6": "g"}, ["b", ""], bag=0)
        assert state.play("ba3") == []
        assert (state.over, state.gems) == (True, [1, 0])
        with pytest.raises(IllegalAction, match="over"):
            state.check("ba3")

    def test_no_more_points(self) -> None:
        """The match ends early when no placement could ever score again."""
        state = placed(filled(["a3", "h6"]) | {"a4": "r", "a5": "y", "a6": "g"}, ["gb", "r"], bag=0)
        state.play("ga3")
        assert state.over
        assert len(state.dump()["mushrooms"]) == 47

    def test_a_colour_that_is_gone(self) -> None:
        """A row that lacks a colour of which none is left gives no hope."""
        free = ["d1", "d8"]
        board = filled(free) | {"c1": "r", "e1": "y", "f1": "b"}
        state = placed(board, ["rg", "r"], bag=0)
        state.play("rd8")
        assert not state.over
        state = placed(board, ["rg", "r"], bag=0)
        state.play("gd8")
        assert state.over
        with pytest.raises(ValueError, match="not over"):
            placed(board, ["rr", "r"], bag=0)

    def test_mushrooms_far_apart(self) -> None:
        """Where colours have run out, a row longer than four spaces may be the only hope left."""
        state = placed(
            {cell: "r" for cell in load_board().cells if cell[1:] != "4"} | {"a4": "y", "h4": "b"},
            ["rg", "rg"],
            bag=0,
        )
        assert not state.over
        state.play("rc4")
        assert not state.over
        state.play("rd4")
        assert state.over

    @pytest.mark.parametrize(
        ("players", "parts"),
        [
            (2, [{"gems": 3}, {"gems": 5}]),
            (3, [{"gems": 3, "neighbour": 5}, {"gems": 5, "neighbour": 1}, {"gems": 1, "neighbour": 3}]),
            (
                4,
                [
                    {"gems": 3, "partner": 1},
                    {"gems": 5, "partner": 7},
                    {"gems": 1, "partner": 3},
                    {"gems": 7, "partner": 5},
                ],
            ),
        ],
    )
    def test_totals(self, players: int, parts: list[dict[str, int]]) -> None:
        """Two count their own gems, three those of the next to play too, four those of the partner."""
        state = GAME.start(GAME.setup(players, 1, {}))
        state.gems = [3, 5, 1, 7][:players]
        assert state.parts() == parts
        assert state.scores() == [sum(part.values()) for part in parts]

    def test_partners_share_the_place(self) -> None:
        """With four players both of a team have the same total and the same place."""
        state = GAME.start(GAME.setup(4, 1, {}))
        state.gems = [3, 5, 1, 7]
        assert state.ranks() == [3, 1, 3, 1]
        assert GAME.sides(4) == ((0, 2), (1, 3))
        assert GAME.sides(3) == ((0,), (1,), (2,))


class TestDrop:
    """A player is taken out."""

    def test_before_its_turn(self) -> None:
        """A player who is out is skipped, and its hand is out with it."""
        state = GAME.start(GAME.setup(3, 1, {}))
        before = sum(state.left)
        assert state.drop(1) == []
        assert sum(state.left) == before - 4
        assert state.turn == 0
        state.play(state.legal()[0])
        assert state.turn == 2

    def test_in_the_middle_of_a_chain(self) -> None:
        """A chain ends with its player, without a draw."""
        state = placed(row("rbg....."), ["yyrr", "rybg", "rybg"], bag=30)
        state.play("yd4")
        assert (state.turn, state.chain) == (0, 1)
        assert state.drop(0) == []
        assert (state.turn, state.chain) == (1, 0)
        assert state.hands[0] == "yrr"
        assert state.gems[0] == 1

    def test_the_last_colour_goes_along(self) -> None:
        """If the mushrooms that could score go with their player, the match is over."""
        board = filled(["d1", "d8"]) | {"c1": "r", "e1": "y", "f1": "b"}
        state = placed(board, ["r", "g", "r"], bag=0)
        assert not state.over
        state.drop(1)
        assert state.over

    def test_two_players(self) -> None:
        """With two players one who goes ends the match."""
        state = GAME.start(GAME.setup(2, 1, {}))
        state.drop(0)
        assert state.over
        assert state.ranks() == [2, 1]

    def test_a_team_goes_on_with_one(self) -> None:
        """With four players a team is in the match while one of its players is."""
        state = GAME.start(GAME.setup(4, 1, {}))
        state.drop(0)
        assert not state.over
        state.drop(1)
        assert (state.over, state.turn) == (False, 2)
        state.drop(2)
        assert state.over

    def test_both_of_a_team(self) -> None:
        """With four players the match ends when both of a team are out."""
        state = GAME.start(GAME.setup(4, 1, {}))
        state.drop(1)
        state.drop(3)
        assert state.over
        assert state.ranks() == [1, 4, 1, 3]


class TestSetup:
    """The board, the bag and their records."""

    def test_the_board(self) -> None:
        """The board is a cross of 48 spaces, told row by row."""
        cells = GAME.setup(2, 1, {}).lines(0)[0].split()[1:]
        assert len(cells) == 48
        assert cells[:6] == ["c1", "d1", "e1", "f1", "c2", "d2"]
        assert not {"a1", "b2", "g2", "h8", "a7"} & set(cells)

    def test_hands_are_told_and_the_bag_is_not(self) -> None:
        """Set-up lines and positions show the hands and how many are in the bag, never their order."""
        setup = GAME.setup(3, 5, {})
        assert setup.lines(1)[1:] == [
            f"hand {seat} {setup.bag[4 * seat : 4 * seat + 4]}" for seat in range(3)
        ]
        other = GAME.load_setup(setup.dump() | {"bag": setup.bag[:12] + setup.bag[12:][::-1]})
        assert other.lines(0) == setup.lines(0)
        assert GAME.start(other).dump() == GAME.start(setup).dump()

    def test_the_same_seed_for_ever(self) -> None:
        """A seed gives this bag in every version; journals depend on it."""
        assert GAME.setup(2, 7, {}).bag == BAG_OF_SEED_7

    @pytest.mark.parametrize(
        ("record", "text"),
        [
            ({"players": 5, "bag": BAG}, "2 to 4"),
            ({"players": 2, "bag": BAG[1:]}, "12 letters each"),
            ({"players": 2, "bag": list(BAG)}, "12 letters each"),
            ({"players": 2}, "12 letters each"),
            ({"players": 2, "bag": BAG, "options": {"a": "b"}}, "no options"),
        ],
    )
    def test_a_wrong_record(self, record: dict[str, Any], text: str) -> None:
        """A record that is no set-up is refused with what is wrong."""
        with pytest.raises(ValueError, match=text):
            GAME.load_setup(record)

    def test_a_wrong_position(self) -> None:
        """A record that is no position is refused with a ValueError."""
        setup = GAME.setup(2, 1, {})
        for broken in ({}, {"mushrooms": {"a1": "r"}}, {"mushrooms": {"d4": "w"}}, {"hands": None}):
            with pytest.raises(ValueError, match="not a position"):
                GAME.load(setup, GAME.start(setup).dump() | broken if broken else {})

    @pytest.mark.parametrize(
        ("rows", "text"),
        [(None, "no list"), (["###"], "3 spaces for 48"), (["#x#"], "'x'")],
    )
    def test_a_wrong_board(self, rows: object, text: str) -> None:
        """A board's file that is wrong is refused with what is wrong."""
        with pytest.raises(BoardError, match=text):
            read_board({"rows": rows})


BAG_OF_SEED_7 = "gbbyrbryygygybrrybbgbbyrrbgggyyrbrrbryryrbgggygg"
