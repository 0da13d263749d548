"""The rules of desert by example: the published examples, and every edge case by its name."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from arena.games.base import Event, IllegalAction, InvalidAction
from arena.games.desert import GAME
from arena.games.desert import board as boards
from arena.games.desert import setup as setups
from arena.games.desert.board import COLOURS, Board
from arena.games.desert.setup import SUPPLY, DesertSetup
from arena.games.desert.state import DesertState, Phase

FAR = {"p10": "b1"}  # a camel of seat 1 far away: without it all the rest of the board would be enclosed


def placed(
    camels: Mapping[str, str],
    *,
    players: int = 2,
    edition: str = "kosmos",
    palms: Sequence[str] = (),
    water: Mapping[str, int] | None = None,
    turn: int = 0,
    left: int = 2,
    supply: Mapping[str, int] | None = None,
    out: Sequence[int] = (),
) -> DesertState:
    """Return a position in the camels' phase; the first camel named of each caravan is its leader."""
    setup = GAME.load_setup(
        {
            "players": players,
            "options": {"edition": edition},
            "palms": list(palms),
            "water": dict(water or {}),
            "leaders": [COLOURS] * players,
        }
    )
    heads = {camel: space for space, camel in reversed(list(camels.items()))}
    position = GAME.start(setup).dump() | {
        "camels": dict(camels),
        "heads": list(heads.values()),
        "leaders": [""] * players,
        "supply": dict.fromkeys(COLOURS, SUPPLY[players]) | dict(supply or {}),
        "phase": "camels",
        "turn": turn,
        "round": 2,
        "left": left,
        "out": list(out),
    }
    state = GAME.load(setup, position)
    assert isinstance(state, DesertState)
    return state


def caravan(camel: str, spaces: str) -> dict[str, str]:
    return dict.fromkeys(spaces.split(), camel)


def areas(state: DesertState) -> Any:
    return state.dump()["areas"]


def finish(state: DesertState) -> list[dict[str, int]]:
    """End a match as it stands, and return the parts."""
    state = state.copy()
    for seat in range(1, state.setup.players):
        state.drop(seat)
    assert state.over
    return state.parts()


class TestSetup:
    """What is there before the first leader."""

    @pytest.mark.parametrize(("players", "camels"), [(2, 22), (3, 26), (4, 30), (5, 30)])
    def test_supply(self, players: int, camels: int) -> None:
        """The supply of each colour depends on the number of players."""
        state = GAME.start(GAME.setup(players, 1, {}))
        assert state.dump()["supply"] == dict.fromkeys(COLOURS, camels)
        assert f"camels b={camels} g={camels} p={camels} w={camels} y={camels}" in state.setup.lines(0)

    @pytest.mark.parametrize(("players", "spaces", "tokens"), [(2, 189, 33), (3, 189, 33), (4, 241, 45)])
    def test_board(self, players: int, spaces: int, tokens: int) -> None:
        """Two and three players leave the section out; water lies on palm spaces without a palm too."""
        setup = GAME.setup(players, 1, {})
        assert len(setup.lines(0)[0].split()) - 1 == spaces
        assert len(setup.palms) == 5
        assert len(setup.water) == tokens
        assert not set(setup.palms) & set(setup.water)

    def test_five_players_give_up_one_leader_each(self) -> None:
        """With five players everybody lacks another colour, so that four leaders of each are left."""
        for seed in range(20):
            leaders = GAME.setup(5, seed, {}).leaders
            assert [len(colours) for colours in leaders] == [4] * 5
            assert all("".join(leaders).count(colour) == 4 for colour in COLOURS)

    def test_seed_is_not_told(self) -> None:
        """Set-up lines are the same for every seat and hold only what is open."""
        setup = GAME.setup(3, 98765, {})
        assert setup.lines(0) == setup.lines(2)
        assert "98765" not in " ".join(setup.lines(0))
        assert [line.split()[0] for line in setup.lines(0)] == [
            *("cells", "palms", "water", "camels"),
            *["leaders"] * 3,
        ]

    def test_the_same_seed_for_ever(self) -> None:
        """A seed gives this set-up in every version; journals depend on it."""
        setup = GAME.setup(5, 7, {})
        assert setup.palms == ("d3", "j3", "m7", "n13", "q3")
        assert list(setup.water.items())[:4] == [("a6", 1), ("b4", 1), ("b8", 1), ("b10", 2)]
        assert setup.leaders == ("bgpy", "bgwy", "bpwy", "gpwy", "bgpw")

    @pytest.mark.parametrize(
        ("change", "text"),
        [
            ({"players": 6}, "2 to 5 players"),
            ({"players": "2"}, "2 to 5 players"),
            ({"options": {"edition": "third"}}, "one of kosmos, ffg"),
            ({"palms": ["a6"]}, "no palm space"),
            ({"palms": ["n13"]}, "no palm space"),
            ({"water": {"d3": 1}}, "no space for it"),
            ({"water": {"a6": 4}}, "water of 4"),
            ({"water": []}, "not an object"),
            ({"leaders": ["bgpwy"]}, "each seat"),
            ({"leaders": ["bgpwy", "yb"]}, "not a set of the colours"),
        ],
    )
    def test_a_wrong_record(self, change: dict[str, Any], text: str) -> None:
        """A record that is no set-up is refused with what is wrong."""
        record = {"players": 2, "palms": ["d3"], "water": {"a6": 1}, "leaders": ["bgpwy"] * 2}
        GAME.load_setup(record)
        with pytest.raises(ValueError, match=text):
            GAME.load_setup(record | change)

    @pytest.mark.parametrize(
        "broken", [{}, {"camels": {"z9": "b0"}}, {"camels": {"a3": "b7"}}, {"turn": None}]
    )
    def test_a_wrong_position(self, broken: dict[str, Any]) -> None:
        """A record that is no position is refused with a ValueError."""
        setup = GAME.setup(2, 1, {})
        position = GAME.start(setup).dump() | broken if broken else {}
        with pytest.raises(ValueError, match=r"position|camel|turn"):
            GAME.load(setup, position)


class TestLeaders:
    """Where leaders may go, and of which colour."""

    def test_turns_go_round(self) -> None:
        """Everybody places one leader a turn, clockwise, for five rounds; then seat 0 begins with camels."""
        state = GAME.start(GAME.setup(3, 1, {}))
        chance = random.Random(1)
        for action in range(15):
            assert (state.phase, state.turn) == (Phase.LEADERS, action % 3)
            state.play(chance.choice(state.legal()))
        assert (state.phase, state.turn) == (Phase.CAMELS, 0)

    @pytest.mark.parametrize(
        ("action", "text"),
        [
            ("ba6", "a6 has water"),
            ("bd3", "d3 is an oasis"),
            ("bd2", "d2 touches the oasis d3"),
            ("bf7", "f7 is a mountain"),
            ("bk13", "k13 is no space of this board"),
            ("bm4", "m4 is taken by seat 0's green caravan"),
            ("bm5", "m5 touches seat 0's green leader on m4"),
            ("gp9", "another player has used green in the first round"),
        ],
    )
    def test_refusals_name_the_rule(self, action: str, text: str) -> None:
        """A leader that may not stand where it should is refused with the rule."""
        record = {"players": 2, "palms": ["d3"], "water": {"a6": 1}, "leaders": ["bgpwy"] * 2}
        state = GAME.start(GAME.load_setup(record))
        state.play("gm4")
        for act in (state.check, state.play):
            with pytest.raises(IllegalAction, match=text):
                act(action)

    def test_one_keeps_away_from_own_leaders(self) -> None:
        """A leader may not touch a leader of the same player either, and a colour is placed once."""
        state = GAME.start(GAME.load_setup({"players": 2, "palms": [], "water": {}, "leaders": ["bg", "pw"]}))
        state.play("bm4")
        state.play("pa3")
        with pytest.raises(IllegalAction, match="seat 0's blue leader"):
            state.check("gm5")
        with pytest.raises(IllegalAction, match="no blue leader to place"):
            state.check("bm9")

    def test_the_first_round_only(self) -> None:
        """From the second round on, a colour that others have used is free."""
        state = GAME.start(GAME.load_setup({"players": 2, "palms": [], "water": {}, "leaders": ["bg", "bg"]}))
        state.play("bm4")
        assert {action[0] for action in state.legal()} == {"g"}
        state.play("ga3")
        assert {action[0] for action in state.legal()} == {"g"}
        state.play("gp9")
        assert {action[0] for action in state.legal()} == {"b"}

    def test_a_forced_colour_with_five_players(self) -> None:
        """Who has only colours that others have used in the first round may use any of them."""
        leaders = ["gpwy", "bpwy", "bgwy", "bgpy", "bgpw"]
        state = GAME.start(GAME.load_setup({"players": 5, "palms": [], "water": {}, "leaders": leaders}))
        for action in ("ga3", "pd3", "wg3", "bj3"):
            state.play(action)
        assert {action[0] for action in state.legal()} == set("bgpw")
        state.play("wm3")
        assert {action[0] for action in state.legal()} == set("pwy")
        with pytest.raises(IllegalAction, match="seat 0 has no blue leader to place"):
            state.check("ba7")


class TestCamels:
    """Turns, and where camels may go."""

    @pytest.mark.parametrize(("players", "sizes"), [(2, [1, 2]), (3, [1, 1, 2]), (5, [1, 1, 2, 2, 2])])
    def test_first_turns(self, players: int, sizes: list[int]) -> None:
        """In the first round the first two players place one camel, with two players only the first."""
        state = GAME.start(GAME.setup(players, 3, {}))
        chance = random.Random(3)
        while state.phase is Phase.LEADERS:
            state.play(chance.choice(state.legal()))
        seats = []
        for _ in range(sum(sizes) + 2):
            seats.append(state.turn)
            state.play(chance.choice(state.legal()))
        assert seats == [seat for seat, size in enumerate(sizes) for _ in range(size)] + [0, 0]

    def test_growth(self) -> None:
        """A camel goes beside its own caravan, not beside another player's of its colour."""
        state = placed({"o5": "y0", "o8": "y1"})
        assert {action for action in state.legal() if action[0] == "y"} == {
            *("yo4", "yn5", "yp5"),
            *("yo6", "yn6", "yp6"),
        }
        state.play("yo6")
        with pytest.raises(IllegalAction, match="o7 touches seat 1's yellow caravan"):
            state.check("yo7")
        with pytest.raises(IllegalAction, match="n8 does not touch seat 0's own yellow caravan"):
            state.check("yn8")

    def test_other_colours_may_touch(self) -> None:
        """Camels of different colours stand side by side, whoever owns them."""
        state = placed({"o5": "y0", "o7": "b1"})
        state.check("yo6")

    def test_nine_spaces(self) -> None:
        """As in the published example, nine spaces are open to a caravan, and a rival bars two more."""
        state = placed(caravan("w0", "n5 n6 n7 o6") | {"q6": "w1"}, water={"o5": 3})
        legal = {action[1:] for action in state.legal() if action[0] == "w"}
        assert legal == {"n4", "m4", "m5", "m6", "m7", "n8", "o4", "o5", "o7"}
        for space in ("p6", "p7"):
            with pytest.raises(IllegalAction, match="touches seat 1's white caravan"):
                state.check(f"w{space}")

    @pytest.mark.parametrize(
        "word", ["", "y", "d7", "yd07", "xd7", "yd7 ", "YD7", "y7d", "yd7\n", "yd777", "9" * 5000]
    )
    def test_unreadable(self, word: str) -> None:
        """What is no action of the game at all is invalid, not illegal."""
        state = placed({"o5": "y0"} | FAR)
        for act in (state.check, state.play):
            with pytest.raises(InvalidAction, match="as in yd7"):
                act(word)

    @pytest.mark.parametrize("word", ["pass", "yd7", "yo5", "yp10", "yk13", "yz9", "by9", "go4"])
    def test_readable_but_forbidden(self, word: str) -> None:
        """What could be an action, but not here, is illegal; passing is the referee's."""
        state = placed({"o5": "y0"} | FAR)
        for act in (state.check, state.play):
            with pytest.raises(IllegalAction):
                act(word)

    def test_an_empty_supply(self) -> None:
        """Of a colour without camels nothing can be placed."""
        state = placed({"o5": "y0", "a3": "b0"} | FAR, supply={"y": 0}, left=1)
        assert {action[0] for action in state.legal()} == {"b"}
        with pytest.raises(IllegalAction, match="no yellow camels left"):
            state.check("yo4")

    def test_after_the_end(self) -> None:
        """When the match is over nothing is legal."""
        state = placed({"o5": "y0"} | FAR)
        state.drop(1)
        with pytest.raises(IllegalAction, match="over"):
            state.check("yo4")


class TestEarnings:
    """Water and oases."""

    def test_water(self) -> None:
        """A camel on water earns its value, and the token is gone."""
        state = placed({"o5": "y0"} | FAR, water={"o4": 3})
        state.play("yo4")
        assert state.parts()[0]["water"] == 3
        assert state.dump()["water"] == {}

    def test_an_oasis_once_a_caravan(self) -> None:
        """A caravan is paid once for an oasis; the player's others, and other players, are paid too."""
        state = placed({"l5": "y0", "n9": "b0", "l7": "p1"} | FAR, palms=["m7"])
        state.play("yl6")
        assert state.parts()[0]["oasis"] == 0
        state.play("ym6")
        assert state.parts()[0]["oasis"] == 5
        state.play("pl8")
        assert state.parts()[1]["oasis"] == 5
        state.play("pk6")
        state.play("yn7")
        assert state.parts()[0]["oasis"] == 5
        state.play("bn8")
        assert state.parts()[0]["oasis"] == 10
        assert state.dump()["reached"] == {"b0": ["m7"], "y0": ["m7"], "p1": ["m7"]}

    def test_a_leader_reaches_nothing(self) -> None:
        """Leaders stand away from oases, and standing there earns nothing."""
        state = GAME.start(GAME.setup(2, 1, {}))
        while state.phase is Phase.LEADERS:
            state.play(state.legal()[0])
        assert state.scores() == [0, 0]


POCKET = caravan("y0", "b2 c2 d2")  # with d1 it closes c1 off against the edge
RING = caravan("y0", "o4 n5 n6 p5 p6")  # with o6 it closes o5 off with nothing else
SEED_AREA = caravan("p0", "a4 b4 c4 c5 c6 d7 d9 c9 c10 c11")  # with d8 it closes 13 spaces and an oasis off


class TestAreas:
    """What a caravan encloses."""

    def test_with_the_edge(self) -> None:
        """A caravan encloses spaces together with the edge of the board."""
        state = placed(POCKET | FAR)
        state.play("yd1")
        assert areas(state) == [["c1"], []]
        assert finish(state)[0]["area"] == 1

    def test_with_the_mountains(self) -> None:
        """A caravan encloses spaces together with the mountains in the middle."""
        state = placed(caravan("y0", "g6 h6 i6") | FAR)
        state.play("yi7")
        assert areas(state) == [["h7"], []]

    def test_with_neither(self) -> None:
        """A ring of camels encloses what is inside."""
        state = placed(RING | FAR, water={"o5": 2})
        state.play("yo6")
        assert areas(state) == [["o5"], []]
        assert state.parts()[0]["water"] == 2

    def test_two_at_once(self) -> None:
        """One camel can enclose two areas."""
        state = placed(RING | caravan("y0", "n7 n8 o8 p8 p7") | FAR, water={"o7": 3})
        state.play("yo6")
        assert areas(state) == [["o5", "o7"], []]
        assert state.parts()[0]["water"] == 3
        assert finish(state)[0]["area"] == 2

    def test_the_published_example(self) -> None:
        """Two caravans do not enclose together; two purple camels do: two tokens, an oasis, 13 spaces."""
        broken = SEED_AREA | {"d9": "b0", "c9": "b0"}
        state = placed(broken | FAR, palms=["b8"], water={"a6": 2, "b10": 1})
        state.play("pd8")
        assert areas(state) == [[], []]
        state = placed(SEED_AREA | FAR, palms=["b8"], water={"a6": 2, "b10": 1})
        assert state.parts()[0] == {"water": 0, "oasis": 0, "area": 0, "caravan": 0}
        state.play("pd8")
        assert state.parts()[0] == {"water": 3, "oasis": 5, "area": 0, "caravan": 0}
        assert finish(state)[0]["area"] == 13

    def test_an_oasis_reached_before(self) -> None:
        """An oasis inside that the caravan had reached already is not paid twice."""
        state = placed(SEED_AREA | {"c8": "p0"} | FAR, palms=["b8"])
        state.play("pc7")
        assert state.parts()[0]["oasis"] == 5
        state.turn, state.left = 0, 2
        state.play("pd8")
        assert state.parts()[0]["oasis"] == 5
        assert finish(state)[0]["area"] == 11

    def test_palm_space_without_a_palm_counts(self) -> None:
        """A palm space without a palm is a space like others."""
        state = placed(SEED_AREA | FAR)
        state.play("pd8")
        assert finish(state)[0]["area"] == 14

    @pytest.mark.parametrize("camel", ["b0", "b1", "p1"])
    def test_a_camel_inside(self, camel: str) -> None:
        """A region with any camel in it is not enclosed, be it one's own of another colour."""
        state = placed(SEED_AREA | {"a8": camel} | FAR, palms=["b8"], water={"a6": 2})
        state.play("pd8")
        assert areas(state) == [[], []]
        assert state.scores() == [0, 0]

    def test_the_owner_fills_it(self) -> None:
        """With kosmos the owner may place in the own area, which is then worth less."""
        state = placed(SEED_AREA | FAR, palms=["b8"])
        state.play("pd8")
        state.play("pc7")
        assert finish(state)[0]["area"] == 12
        assert state.parts()[0]["oasis"] == 5

    def test_nobody_fills_it(self) -> None:
        """With ffg nobody may place in an area, its owner neither."""
        state = placed(SEED_AREA | FAR, palms=["b8"], edition="ffg")
        state.play("pd8")
        with pytest.raises(IllegalAction, match="own area, where nobody may place in the ffg edition"):
            state.check("pc7")
        assert not {action[1:] for action in state.legal()} & set(areas(state)[0])

    def test_others_never_fill_it(self) -> None:
        """Another player may not place in an area."""
        state = placed(POCKET | FAR)
        state.play("yd1")
        state.play("yd3")
        with pytest.raises(IllegalAction, match="c1 lies in an area that belongs to seat 0"):
            state.check("bc1")

    def test_a_part_filled_later_is_no_new_area(self) -> None:
        """What the owner cuts off inside the own area is not paid again."""
        state = placed(SEED_AREA | FAR, palms=["b8"], water={"a6": 2})
        for action in ("pd8", "pb11"):
            state.play(action)
        assert state.parts()[0] == {"water": 2, "oasis": 5, "area": 0, "caravan": 0}
        state.turn, state.left = 0, 2
        for action in ("pb10", "pa9"):
            state.play(action)
        assert state.parts()[0] == {"water": 2, "oasis": 5, "area": 0, "caravan": 0}

    def test_all_the_rest_of_an_empty_board(self) -> None:
        """Where nobody else stands, one camel encloses all the rest: no camel is in it."""
        state = placed({"o5": "y0"})
        state.play("yo6")
        assert len(areas(state)[0]) == 189 - 2


@pytest.fixture
def corridor(monkeypatch: pytest.MonkeyPatch) -> DesertSetup:
    """A board of six spaces in one column, and a blue leader for each of two players."""
    board = Board("corridor", tuple(f"d{row}" for row in range(1, 7)), frozenset(), (), (), ())
    for module in (boards, setups):
        monkeypatch.setattr(module, "load_board", {"corridor": board}.__getitem__)
    return DesertSetup(2, {"edition": "kosmos", "board": "corridor"}, (), {}, ("b", "bg"))


class TestEnd:
    """How a match ends, and what it is worth then."""

    def test_the_last_camel_as_second_of_two(self) -> None:
        """The match ends when a turn is complete and a supply is empty."""
        state = placed({"o5": "y0"} | FAR, supply={"y": 2})
        state.play("yo4")
        assert not state.over
        state.play("yn5")
        assert state.over

    def test_the_last_camel_as_first_of_two(self) -> None:
        """The second camel of the turn that empties a supply is still placed, of another colour."""
        state = placed({"o5": "y0", "a3": "g0"} | FAR, supply={"y": 1})
        assert state.play("yo4") == []
        assert (state.turn, state.left) == (0, 1)
        assert {action[0] for action in state.legal()} == {"g"}
        state.play("ga4")
        assert state.over

    def test_the_last_camel_and_no_other(self) -> None:
        """If the player has no other colour to place, the rest of that turn is passed."""
        state = placed({"o5": "y0"} | FAR, supply={"y": 1})
        assert state.play("yo4") == [Event("play", 0, "pass")]
        assert state.over

    def test_a_blocked_player(self) -> None:
        """A blocked player passes turn after turn, while the others play on."""
        state = placed(caravan("b0", "b2 c2 d2 d1") | {"c1": "y1", "p10": "g0"})
        state.play("bb3")
        events = state.play("bb4")
        assert events == [Event("play", 1, "pass")]
        assert (state.turn, state.left) == (0, 2)
        state.play("bb5")
        assert state.play("bb6") == [Event("play", 1, "pass")]
        assert state.dump()["passed"] == [1]

    def test_everybody_blocked(self, corridor: DesertSetup) -> None:
        """The match ends when all have passed a whole turn; the rest of a turn is not a whole one."""
        state = GAME.start(corridor)
        for action in ("bd1", "gd6", "bd4"):
            state.play(action)
        assert state.phase is Phase.CAMELS
        events = state.play("bd2")
        assert (events, state.turn, state.left) == ([], 1, 2)
        assert state.legal() == ["bd5", "gd5"]
        assert state.play("gd5") == [
            Event("play", 1, "pass"),
            Event("play", 0, "pass"),
            Event("play", 1, "pass"),
        ]
        assert state.over

    def test_what_a_leader_alone_cuts_off(self, corridor: DesertSetup) -> None:
        """A region that only the leader cuts off belongs to its caravan with the first camel."""
        state = GAME.start(corridor)
        for action in ("bd2", "gd5"):
            state.play(action)
        assert state.phase is Phase.CAMELS, "no spot is left for seat 1's blue leader"
        assert areas(state) == [[], []]
        state.play("bd3")
        assert areas(state) == [["d1"], []]
        state.play("gd4")
        assert areas(state) == [["d1"], ["d6"]]

    def test_largest_caravans(self) -> None:
        """The most camels of a colour give 10, shared 5 each; leaders count, and nobody has none."""
        camels = caravan("y0", "o4 o5 o6") | caravan("y1", "a3 a4") | {"c1": "b0", "g1": "b1", "j12": "g1"}
        parts = finish(placed(camels))
        assert [part["caravan"] for part in parts] == [10 + 5, 5 + 10]

    def test_points_before_the_end(self) -> None:
        """Areas and caravans count only when the match is over."""
        state = placed(POCKET | FAR)
        state.play("yd1")
        assert state.scores() == [0, 0]
        assert finish(state)[0] == {"water": 0, "oasis": 0, "area": 1, "caravan": 10}


class TestDrop:
    """A player is taken out, in each phase."""

    def test_among_leaders(self) -> None:
        """Who goes while leaders are placed is skipped; the leaders placed stay."""
        state = GAME.start(GAME.setup(3, 1, {}))
        first = state.legal()[0]
        state.play(first)
        assert state.drop(1) == []
        assert state.turn == 2
        while state.phase is Phase.LEADERS:
            assert state.turn != 1
            state.play(state.legal()[0])
        assert state.dump()["camels"][first[1:]] == f"{first[0]}0"
        assert len(state.dump()["camels"]) == 10

    def test_the_colour_stays_used(self) -> None:
        """A colour that somebody used in the first round stays used when that player goes."""
        state = GAME.start(GAME.load_setup({"players": 3, "palms": [], "water": {}, "leaders": ["bg"] * 3}))
        state.play("bm4")
        state.drop(0)
        assert {action[0] for action in state.legal()} == {"g"}

    def test_the_last_leader_to_place(self) -> None:
        """If the only one with a leader left goes, the camels begin."""
        state = GAME.start(
            GAME.load_setup({"players": 3, "palms": [], "water": {}, "leaders": ["b", "g", "p"]})
        )
        state.play("bm4")
        state.play("ga3")
        assert state.drop(2) == []
        assert (state.phase, state.turn, state.left) == (Phase.CAMELS, 0, 1)

    def test_in_the_middle_of_a_turn(self) -> None:
        """Who goes after the first camel has ended the turn."""
        state = placed({"o5": "y0", "a3": "g1", "p10": "b2"}, players=3)
        state.play("yo4")
        assert state.drop(0) == []
        assert (state.turn, state.left) == (1, 2)

    def test_after_the_last_camel(self) -> None:
        """If the camel before was the last of its colour, that end of the turn ends the match."""
        state = placed({"o5": "y0", "c1": "b0", "a3": "g1", "p10": "b2"}, players=3, supply={"y": 1})
        state.play("yo4")
        assert not state.over
        state.drop(0)
        assert state.over
        assert state.ranks()[0] == 3

    def test_not_to_move(self) -> None:
        """Who goes while others are to move changes nothing but the turns to come."""
        state = placed({"o5": "y0", "a3": "g1", "p10": "b2"}, players=3)
        assert state.drop(1) == []
        assert (state.turn, state.left) == (0, 2)
        state.play("yo4")
        state.play("yn5")
        assert state.turn == 2

    def test_the_last_but_one(self) -> None:
        """The match ends at once when one player is left, with all points worked out."""
        state = placed(POCKET | FAR)
        state.play("yd1")
        state.drop(0)
        assert state.over
        assert state.parts()[0] == {"water": 0, "oasis": 0, "area": 1, "caravan": 10}
        assert state.ranks() == [2, 1]

    def test_the_order_of_going(self) -> None:
        """The first to go is last, whatever the points."""
        state = placed({"o5": "y0", "a3": "g1", "p10": "b2", "g1": "w3"}, players=4)
        state.drop(3)
        state.drop(0)
        assert state.dump()["out"] == [3, 0]
        assert state.ranks() == [3, 1, 1, 4]

    def test_the_others_blocked(self) -> None:
        """If all who are left have passed already, the match ends when the one who could play goes."""
        blocked = caravan("b0", "b2 c2 d2 d1") | {"c1": "y1", "s10": "w2"} | caravan("g0", "s11 r10 r11")
        state = placed(blocked, players=4, out=[3], turn=0)
        state.play("bb3")
        assert state.play("bb4")[0] == Event("play", 1, "pass")
        assert state.turn == 0
        state.drop(0)
        assert state.over
