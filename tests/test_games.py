"""What games share: the registry, ranks, shuffling, pictures, rules pages, and the command `arena games`."""

from __future__ import annotations

import json
import random
import re

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from arena.commands.games import games
from arena.errors import UserError
from arena.games.base import Game, State, game_names, load_game, rank, shuffled
from arena.games.desert.board import load_board

GAMES = [load_game(name) for name in ("desert", "rain")]


def by_name(value: object) -> str | None:
    return value.name if isinstance(value, Game) else None


def midway(game: Game, players: int, actions: int = 40) -> State:
    state = game.start(game.setup(players, 4, game.read_options({})))
    chance = random.Random(4)
    for _ in range(actions):
        state.play(chance.choice(state.legal()))
    return state


def test_both_games_are_registered() -> None:
    """Our games come through the same entry points as anybody's."""
    assert {"desert", "rain"} <= set(game_names())


def test_an_unknown_game() -> None:
    """A game that is not there is the user's mistake, and those there are are named."""
    with pytest.raises(UserError, match=r"no game 'chess'; known here: .*desert.*rain"):
        load_game("chess")


@pytest.mark.parametrize(
    ("options", "text"), [({"editon": "ffg"}, "no option 'editon'"), ({"edition": "x"}, "one of kosmos, ffg")]
)
def test_wrong_options(options: dict[str, str], text: str) -> None:
    """An unknown option or choice is the user's mistake."""
    with pytest.raises(UserError, match=text):
        GAMES[0].read_options(options)


@pytest.mark.parametrize(("game", "players"), [(GAMES[0], 6), (GAMES[0], 1), (GAMES[1], 5)], ids=by_name)
def test_wrong_players(game: Game, players: int) -> None:
    """A number of players that a game is not for is the user's mistake."""
    with pytest.raises(UserError, match="players"):
        game.setup(players, 1, game.read_options({}))


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=6), st.data())
def test_ranks(scores: list[int], data: st.DataObject) -> None:
    """More points rank better, equal points share a place, and who is out ranks below in order."""
    seats = range(len(scores))
    out = data.draw(st.lists(st.sampled_from(seats), unique=True))
    ranks = rank(scores, out)
    playing = [seat for seat in seats if seat not in out]
    for one in playing:
        assert all(ranks[one] < ranks[gone] for gone in out)
        for other in playing:
            assert (ranks[one] < ranks[other]) == (scores[one] > scores[other])
            assert (ranks[one] == ranks[other]) == (scores[one] == scores[other])
    assert [ranks[gone] for gone in out] == [len(scores) - place for place in range(len(out))]
    assert min(ranks) == 1


@given(st.lists(st.integers()), st.integers())
def test_shuffling(items: list[int], seed: int) -> None:
    """Shuffling keeps all items, leaves the argument alone, and depends on the seed alone."""
    before = list(items)
    mixed = shuffled(items, random.Random(seed))
    assert sorted(mixed) == sorted(before)
    assert items == before
    assert mixed == shuffled(items, random.Random(seed))


def test_shuffling_is_fair() -> None:
    """Every order of three comes up about equally often."""
    chance = random.Random(1)
    counts: dict[tuple[int, ...], int] = {}
    for _ in range(6000):
        order = tuple(shuffled(range(3), chance))
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 6
    assert all(850 < count < 1150 for count in counts.values())


@pytest.mark.parametrize(
    ("game", "players"), [(game, n) for game in GAMES for n in game.players], ids=by_name
)
def test_diagrams(game: Game, players: int) -> None:
    """A diagram is plain printable text that shows every piece without relying on colours."""
    state = midway(game, players)
    lines = ["".join(span.text for span in line) for line in state.diagram()]
    text = "\n".join(lines)
    assert all(line.isascii() and (line.isprintable() or not line) for line in lines)
    assert max(map(len, lines)) <= 100
    for seat in range(players):
        assert f"seat {seat}" in text
    position = state.dump()
    pieces = position["camels"] if game.name == "desert" else position["mushrooms"]
    for piece in set(pieces.values()):
        assert len(re.findall(rf"\b{piece}\b", text, re.IGNORECASE)) >= list(pieces.values()).count(piece)


@pytest.mark.parametrize("game", GAMES, ids=by_name)
def test_marks_stand_out_without_colours(game: Game) -> None:
    """Marked spaces stand in brackets."""
    state = midway(game, 2)
    spaces = state.dump()["cells"][5:8]
    text = "\n".join("".join(span.text for span in line) for line in state.diagram(spaces))
    assert text.count("[") == text.count("]") == 3


def test_the_view_of_desert() -> None:
    """A view of desert tells spaces, areas, supplies, points and the last action, flat."""
    state = midway(GAMES[0], 2)
    view, position = state.view(), state.dump()
    for space, camel in position["camels"].items():
        assert view[space] == camel + ("*" if space in position["heads"] else "")
    for space, value in position["water"].items():
        assert view[space] == str(value)
    assert [view[palm] for palm in position["palms"]] == ["palm"] * 5
    assert view["f7"] == "mountain"
    assert view["supply.b"] == position["supply"]["b"]
    assert view["points.0.water"] == position["points"][0]["water"]
    assert view["last"] == " ".join(map(str, position["last"]))
    assert sum(int(view[f"caravan.{seat}.{colour}"]) for seat in (0, 1) for colour in "bgpwy") == 40


def test_the_view_of_rain() -> None:
    """A view of rain tells spaces, hands, points, and the rows that the last mushroom scored with."""
    rain = GAMES[1]
    state = rain.start(rain.setup(2, 4, {}))
    chance = random.Random(4)
    seen = 0
    while not state.over:
        state.play(chance.choice(state.legal()))
        view = state.view()
        rows = str(view["rows"]).split(", ") if view["rows"] else []
        assert len(rows) == view["won"]
        for row in rows:
            assert {str(view[cell]) for cell in row.split()} == set("rybg")
            assert str(view["last"])[3:] in row.split()
            seen += 1
        assert [view["hand.0"], view["hand.1"]] == state.dump()["hands"]
    assert seen > 0


@pytest.mark.parametrize("game", GAMES, ids=by_name)
def test_rules_pages(game: Game) -> None:
    """A rules page names its choices, draws the board, and tells every key of a position."""
    page = game.rules()
    assert page.startswith(f"# {game.name}\n")
    assert page.count("**[choice]**") >= 5
    assert "```" in page
    for option in game.options:
        assert all(f"`{word}`" in page for word in (option.name, *option.choices))
    for key in game.start(game.setup(2, 1, game.read_options({}))).dump():
        assert f"`{key}`" in page, key


def test_the_drawn_board_is_the_board() -> None:
    """The picture on desert's rules page shows every space where the board has it, with its kind."""
    board = load_board("classic")
    picture = GAMES[0].rules().split("```")[1].strip("\n").split("\n")
    letters, lines = picture[0], picture[1:]
    kinds = dict.fromkeys(board.mountains, "^") | dict.fromkeys(board.spaces, ".")
    kinds |= dict.fromkeys(board.palms, "P") | dict.fromkeys(board.waters, "w")
    shown, section = {}, set()
    for number, line in enumerate(lines):
        for at, mark in enumerate(line):
            if mark in ".Pw^":
                column = letters[at]
                low = (ord(column) - ord("a")) % 2 == 0
                assert number % 2 == (1 if low else 0)
                space = f"{column}{number // 2 + 1}"
                shown[space] = mark
                if line[at - 1] == ":":
                    section.add(space)
    assert shown == kinds
    assert section == board.section


class TestCommand:
    """`arena games`."""

    def test_list(self) -> None:
        """Without a name it lists the games with players and options."""
        result = CliRunner().invoke(games, [])
        assert result.exit_code == 0
        assert "desert" in result.output
        assert "2 to 5 players" in result.output
        assert "edition: kosmos (default), ffg" in result.output
        assert "rain" in result.output

    def test_rules(self) -> None:
        """With a name it prints the rules page; in a pipe as it is."""
        result = CliRunner().invoke(games, ["rain"])
        assert result.output == GAMES[1].rules()

    def test_json(self) -> None:
        """With --json programs learn the same."""
        listed = json.loads(CliRunner().invoke(games, ["--json"]).output)
        desert = next(entry for entry in listed if entry["name"] == "desert")
        assert desert["players"] == [2, 3, 4, 5]
        assert desert["options"][0] == {
            "name": "edition",
            "choices": ["kosmos", "ffg"],
            "default": "kosmos",
            "help": GAMES[0].options[0].help,
        }
        one = json.loads(CliRunner().invoke(games, ["rain", "--json"]).output)
        assert one["rules"] == GAMES[1].rules()
        assert one["sides"]["4"] == [[0, 2], [1, 3]]

    def test_unknown(self) -> None:
        """An unknown name is the user's mistake."""
        result = CliRunner().invoke(games, ["chess"])
        assert isinstance(result.exception, UserError)
