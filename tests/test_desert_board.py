"""The boards of desert: what a file must hold, and what the bits say of it."""

from __future__ import annotations

import copy
import json
from importlib import resources
from typing import Any

import pytest

from arena.games.desert.board import BoardError, grid, load_board, neighbours, read_board
from tests.naive.desert import touching


@pytest.fixture
def data() -> dict[str, Any]:
    """The classic board's file."""
    file = resources.files("arena.games.desert").joinpath("boards").joinpath("classic.json")
    loaded: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return loaded


def test_classic_counts() -> None:
    """The classic board has the published numbers of spaces, with and without the section."""
    board = load_board("classic")
    assert (len(board.spaces), len(board.section), len(board.palms), len(board.waters)) == (241, 52, 7, 43)
    assert len(board.used(2)) == len(board.used(3)) == 189
    assert len(board.used(4)) == len(board.used(5)) == 241
    small = set(board.used(2))
    assert (len(small & set(board.palms)), len(small & set(board.waters))) == (6, 32)


def test_palm_and_water_spaces_keep_apart() -> None:
    """On the classic board no palm space touches a water space."""
    board = load_board("classic")
    marked = {*board.palms, *board.waters}
    assert not [(space, other) for space in board.palms for other in neighbours(space) if other in marked]


@pytest.mark.parametrize("large", [False, True])
def test_bits_agree_with_names(large: bool) -> None:
    """The neighbours found by shifting bits are those of the names, in both directions."""
    spaces = grid("classic", large)
    for space, index in spaces.index.items():
        around = spaces.list(spaces.near[index])
        assert (
            set(around) == touching(space) & set(spaces.index) == set(neighbours(space)) & set(spaces.index)
        )
        assert all(space in spaces.list(spaces.near[spaces.index[other]]) for other in around)
    assert spaces.list(spaces.full) == list(spaces.index)
    assert spaces.mask(spaces.list(spaces.full)) == spaces.full


def test_nothing_hangs_by_one_space() -> None:
    """No single space of the classic board cuts it in two, so that no leader alone encloses anything."""
    assert grid("classic", False).cuts == set()
    assert grid("classic", True).cuts == set()


def test_rings() -> None:
    """Around a space a region may be cut in two exactly where its spaces form more than one arc."""
    spaces = grid("classic", True)
    index = spaces.index["o5"]
    around = neighbours("o5")
    for chosen in range(64):
        region = [space for bit, space in enumerate(around) if chosen >> bit & 1]
        left, arcs = set(region), 0
        while left:
            edge = [left.pop()]
            arcs += 1
            while edge:
                found = touching(edge.pop()) & left
                left -= found
                edge += found
        shifted = spaces.mask(region) >> index - 1 - spaces.stride & spaces.ring
        assert (shifted in spaces.splits) == (arcs > 1)


def change(data: dict[str, Any], key: str, value: object) -> dict[str, Any]:
    changed = copy.deepcopy(data)
    changed[key] = value
    return changed


def test_the_file_as_it_is(data: dict[str, Any]) -> None:
    """The file that comes with the game is right."""
    assert read_board(data) == load_board("classic")


@pytest.mark.parametrize(
    ("key", "value", "text"),
    [
        ("name", 3, "needs a name"),
        ("spaces", [], "spaces is missing or no object"),
        ("palms", {}, "palms is missing or no list"),
        ("counts", {}, "counts says None spaces, but there are 241"),
        ("palms", ["b8", "d3", "h11", "j3", "m7", "n13", "d3"], "palms has d3 twice"),
        ("palms", ["b8", "d3", "h11", "j3", "m7", "n13", "q33"], "q33, which is not among the spaces"),
        ("palms", ["b8", "d3", "h11", "j3", "m7", "n13", "3q"], "'3q', which is no name"),
        ("palms", ["b8", "d3", "h11", "j3", "m7", "n13", 7], "7, which is no name"),
        ("palms", ["b8", "d3", "h11", "j3", "m7", "n13", "a6"], "a6 is among palms and waters"),
        ("mountains", ["f7", "f8", "g7", "g8", "h8", "i8", "a3"], "a3 is among mountains and spaces"),
        ("mountains", ["f7"], "counts says 7 mountains, but there are 1"),
        ("section", {"k": "13-"}, "'13-' in column k: no range of rows"),
    ],
)
def test_a_wrong_file(data: dict[str, Any], key: str, value: object, text: str) -> None:
    """A file with a mistake is refused with a sentence that says which."""
    with pytest.raises(BoardError, match=text):
        read_board(change(data, key, value))


def test_a_board_in_two_pieces(data: dict[str, Any]) -> None:
    """A board that is not in one piece is refused, and a space beyond the gap is named."""
    wrong = change(data, "spaces", data["spaces"] | {"z": "1"})
    wrong["counts"]["spaces"] = 242
    with pytest.raises(BoardError, match="with 2 players: z1 is cut off"):
        read_board(wrong)


def test_too_few_palm_spaces(data: dict[str, Any]) -> None:
    """A board needs a space for each palm, also without its section."""
    wrong = change(data, "palms", ["b8", "d3", "h11", "j3", "n13"])
    wrong["counts"]["palms"] = 5
    with pytest.raises(BoardError, match="with 2 players: 4 palm spaces for 5 palms"):
        read_board(wrong)


def test_too_many_water_spaces(data: dict[str, Any]) -> None:
    """A board cannot hold more water than there are tokens."""
    wrong = change(data, "waters", [*data["waters"], "a3", "a5", "a8"])
    wrong["counts"]["waters"] = 46
    with pytest.raises(BoardError, match="with 4 players: more spaces for water than the 45 tokens"):
        read_board(wrong)
