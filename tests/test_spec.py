"""The specification says what the code does: its examples, tables, limits and boards."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.games.base import load_game
from arena.games.desert import board as desert_board
from arena.match import FaultKind
from protocol import VERSION, connection, transcript
from protocol.connection import BOT_SAYS, TABLE, Phase
from protocol.messages import (
    End,
    Error,
    Event,
    Go,
    Hello,
    Move,
    Moves,
    NewGame,
    Out,
    Play,
    Position,
    Quit,
    Ready,
    Setup,
    Start,
)

SPEC = (Path(transcript.FOLDER).parent / "SPEC.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```transcript (\S+)( whole)?\n(.*?)^```$", SPEC, flags=re.DOTALL | re.MULTILINE)
WORDS = {
    Hello: "arena",
    NewGame: "game",
    Setup: "setup",
    Start: "start",
    Play: "play",
    Event: "draw",
    Out: "out",
    Position: "state",
    Moves: "moves",
    Go: "go",
    End: "end",
    Error: "error",
    Quit: "quit",
    Ready: "ready",
    Move: "move",
}


def section(title: str) -> str:
    """Return the text under a heading, up to the next of its level or above."""
    found = re.search(rf"^(#+) (?:\d+\. )?{re.escape(title)}$", SPEC, flags=re.MULTILINE)
    assert found, title
    rest = SPEC[found.end() :]
    following = re.search(rf"^#{{1,{len(found[1])}}} ", rest, flags=re.MULTILINE)
    return rest[: following.start()] if following else rest


def rows(text: str) -> list[list[str]]:
    """Return the cells of the tables in a text, without their heads."""
    lines = [line for line in text.splitlines() if line.startswith("| ") and not line.startswith("| ---")]
    return [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]


def is_excerpt(shown: list[str], lines: list[str]) -> bool:
    """Tell whether the lines shown follow one another in a conversation; `...` leaves out."""
    pattern = "".join(
        r"(?:.*\n)*"
        if line == "..."
        else rf"{re.escape(line[:-4])}.*\n"
        if line.endswith(" ...")
        else rf"{re.escape(line)}\n"
        for line in shown
    )
    return re.search(rf"^{pattern}", "".join(f"{line}\n" for line in lines), flags=re.MULTILINE) is not None


@pytest.mark.parametrize(("name", "whole", "text"), BLOCKS)
def test_examples_are_the_golden_conversations(name: str, whole: str, text: str) -> None:
    """Every conversation on the page stands in a file that is tested, whole or as an excerpt."""
    golden = (transcript.FOLDER / f"{name}.txt").read_text()
    if whole:
        assert text == golden, "run `python tools/transcripts.py`"
    else:
        assert is_excerpt(text.splitlines(), golden.splitlines())


def test_excerpts_are_compared() -> None:
    """A line that differs, is missing or stands elsewhere is noticed."""
    lines = ["> a", "> b", "> c d e", "> f"]
    assert is_excerpt(["> b", "> c d ...", "> f"], lines)
    assert is_excerpt(["> a", "...", "> f"], lines)
    assert not is_excerpt(["> a", "> c d e"], lines)
    assert not is_excerpt(["> b", "> a"], lines)
    assert len(BLOCKS) > 12
    assert {name for name, whole, _ in BLOCKS if whole} == {"rain", "desert"}


def test_all_lines_are_named() -> None:
    """The tables of both directions name every line that there is, and no other."""
    referee = {re.match(r"`([a-z]+)", row[0]) for row in rows(section("What the referee says"))[1:]}
    bot = {re.match(r"`([a-z#]+)", row[0]) for row in rows(section("What the bot says"))[1:]}
    assert {found[1] for found in referee if found} == {
        w for kind, w in WORDS.items() if kind not in BOT_SAYS
    }
    assert {found[1] for found in bot if found} == {"ready", "move", "#"}


def test_the_grammar_names_all_lines() -> None:
    """The grammar has a rule for every line."""
    grammar = section("Lines")
    for word in WORDS.values():
        assert word == "draw" or f'"{word}"' in grammar, word


def test_the_phases_are_the_table() -> None:
    """Who may say what when is on the page as it is in the code."""
    told: dict[str, dict[str, str]] = {}
    for phase, _, lines in rows(section("Who may say what when"))[1:]:
        told[phase] = {}
        for part in lines.split(";"):
            words, _, after = part.partition("→")
            told[phase] |= dict.fromkeys(re.findall(r"`(\w+)`", words), after.strip())
    ours = {
        phase.name.lower(): {
            WORDS[kind]: after.name.lower() for kind, after in row.items() if kind not in (Error, Quit)
        }
        for phase, row in TABLE.items()
    }
    assert told == ours
    for phase, speaker, _ in rows(section("Who may say what when"))[1:]:
        bots = any(kind in BOT_SAYS for kind in TABLE[Phase[phase.upper()]])
        assert ("bot" in speaker) is bots


def test_limits_and_kinds_are_those_of_the_code() -> None:
    """Numbers on the page are the numbers in force."""
    assert f"`arena {VERSION}`" in SPEC
    assert f"at most {connection.BOT_LINE:,} bytes" in SPEC
    assert f"{connection.REMARK_LINES} lines and {connection.REMARK_BYTES >> 10} KiB" in SPEC
    kinds = [row[0].strip("`") for row in rows(section("Faults"))[1:]]
    assert kinds == [kind.value for kind in FaultKind]


@pytest.mark.parametrize("name", ["desert", "rain"])
def test_state_keys_are_all_told(name: str) -> None:
    """Every key of `state` has its row, in the order of the line, and no row is left over."""
    game = load_game(name)
    state = game.start(game.setup(2, 1, game.read_options({})))
    keys = [key for row in rows(section(name))[1:] for key in re.findall(r"`(\w+)`", row[0])]
    first = keys.index("game")
    assert keys[first:] == list(state.dump())


@pytest.mark.parametrize("name", ["desert", "rain"])
def test_set_up_keys_are_all_told(name: str) -> None:
    """Every `setup` line of a game has its row."""
    game = load_game(name)
    told = set(re.findall(r"^\| `setup (\w+)", section(name), flags=re.MULTILINE))
    for players in game.players:
        lines = game.setup(players, 1, game.read_options({})).lines(0)
        assert {line.split(" ")[0] for line in lines} == told


@pytest.mark.parametrize("name", ["desert", "rain"])
def test_phases_of_games_are_told(name: str) -> None:
    """The words that `phase` can hold are those of a game from its beginning to its end."""
    game = load_game(name)
    state = game.start(game.setup(2, 1, game.read_options({})))
    seen = [state.dump()["phase"]]
    while not state.over:
        state.play(state.legal()[0])
        seen.append(state.dump()["phase"])
    (row,) = [row for row in rows(section(name)) if row[0] == "`phase`"]
    assert re.findall(r"`(\w+)`", row[1]) == list(dict.fromkeys(seen))


def test_the_neighbours_are_right() -> None:
    """The two examples of neighbours are those of the board."""
    examples = re.findall(r"`([a-z]\d+)` touches ([a-z0-9, ]+)[;.]", section("desert"))
    assert len(examples) == 2
    for space, around in examples:
        assert set(around.split(", ")) == set(desert_board.neighbours(space))


def test_the_pictures_are_the_boards() -> None:
    """Both pictures show the spaces that the set-up names, desert's with its palms and water."""
    blocks = re.findall(r"^```([^\n]*)\n(.*?)^```$", SPEC, flags=re.DOTALL | re.MULTILINE)
    picture, cross = [text for kind, text in blocks if not kind]
    head, *lines = picture.splitlines()
    columns = {head.index(letter): letter for letter in head.split()}
    spaces: dict[str, str] = {}
    for number, line in enumerate(lines):
        for place, mark in enumerate(line):
            if mark in "Pw.":
                column = columns[place]
                lower = (ord(column) - ord("a")) % 2 == 0
                row = (number - lower) // 2 + 1
                spaces[f"{column}{row}"] = (":" if line[place - 1] == ":" else "") + mark
    board = desert_board.load_board("classic")
    assert set(spaces) == set(board.spaces)
    assert {space for space, mark in spaces.items() if mark[-1] == "P"} == set(board.palms)
    assert {space for space, mark in spaces.items() if mark[-1] == "w"} == set(board.waters)
    assert {space for space, mark in spaces.items() if mark[0] == ":"} == board.section
    head, *lines = cross.splitlines()
    shown = {f"{head[place]}{line[0]}" for line in lines for place, mark in enumerate(line) if mark == "."}
    cells = load_game("rain").setup(2, 1, {}).lines(0)[0].split(" ")[1:]
    assert shown == set(cells)
