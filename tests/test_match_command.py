"""`arena match` as a user types it."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena.commands.match import match
from arena.errors import CheckFailed, UserError

# Takes the first action, or with an argument the last; its file's name is its name.
BOT = """
import sys
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "moves": moves = rest.split()
    if word == "arena": print("ready wants=moves", flush=True)
    if word == "start": print("ready", flush=True)
    if word == "go": print("move", moves[-1 if sys.argv[1:] else 0], flush=True)
"""
FAST = ["--game", "rain", "--move", "20s", "--startup", "60s", "--sandbox", "off", "--seed", "3"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two bots, where the command is run."""
    monkeypatch.chdir(tmp_path)
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text(BOT)
    return tmp_path


def bot(name: str, *words: str) -> str:
    """Return a bot's command line."""
    return " ".join([sys.executable, "-I", "-S", f"{name}.py", *words])


def run(*words: str) -> Result:
    """Run the command; errors for people come through."""
    return CliRunner().invoke(match, list(words), catch_exceptions=False)


def events(result: Result) -> list[dict[str, object]]:
    """Return the JSON lines of an output."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_table_of_two_commands(folder: Path) -> None:
    """Two commands play the games asked for, rounded up to whole boards, and the table has both names."""
    result = run(bot("one"), bot("two", "x"), "--games", "3", *FAST)
    assert "one" in result.stdout
    assert "two" in result.stdout
    assert "4 of 4 games" in result.stdout
    assert "results in" not in result.stdout, "a folder that is gone is not named"


def test_names_and_twins(folder: Path) -> None:
    """A bot may be named, and twins get different names."""
    result = run(f"first={bot('one')}", bot("one"), bot("one"), "--games", "1", "--json", *FAST)
    begin = events(result)[0]
    assert begin["bots"] == ["first", "one", "one-2"]
    assert begin["players"] == 3


def test_names_from_a_file(folder: Path) -> None:
    """With --from, words are names of the file's bots, with its game, options and clock."""
    (folder / "t.yaml").write_text(
        f"game: rain\nclock: {{move: 20s, startup: 60s}}\nsandbox: 'off'\nbots:\n"
        f"  - {{name: uno, command: '{bot('one')}'}}\n  - {{name: due, command: '{bot('two')}'}}\n"
        f"  - {{name: tre, command: '{bot('two')}'}}\n"
    )
    with pytest.raises(UserError, match="no bot or program 'quattro'; the file has uno"):
        run("quattro", "uno", "--from", "t.yaml")
    result = run("tre", "uno", "--from", "t.yaml", "--games", "2", "--json")
    begin, *_, end = events(result)
    assert (begin["bots"], begin["game"]) == (["tre", "uno"], "rain")
    assert end["done"] == 2


def test_results_are_kept_where_wanted(folder: Path) -> None:
    """With --output the journal stays, and the conversation's file has everything that was said."""
    result = run(bot("one"), bot("two"), "--games", "2", "--output", "kept", "--debug-wire", "w.log", *FAST)
    assert result.exit_code == 0
    assert len((folder / "kept" / "games.jsonl").read_text().splitlines()) == 3
    wire = (folder / "w.log").read_text()
    assert " one > arena 1\n" in wire
    assert " two < move " in wire
    assert " one > quit\n" in wire


def test_show_draws_each_position(folder: Path) -> None:
    """--show draws the board after each action, then the table."""
    result = run(bot("one"), bot("two"), "--games", "2", "--show", *FAST)
    records = result.stdout.count("points: ")
    assert records > 40
    assert "rank" in result.stdout.splitlines()[-4] + result.stdout.splitlines()[-5]


def test_sprt_rejects_the_weaker(folder: Path) -> None:
    """A test that is rejected exits with status 1 and says why; the JSON has it too."""
    (folder / "loser.py").write_text(BOT.replace('print("move", moves', 'sys.exit(1); print("", moves'))
    words = ["--sprt", "0,200", "--alpha", "0.2", "--beta", "0.2", "--model", "logistic", "--games", "60"]
    with pytest.raises(CheckFailed, match="SPRT rejected"):
        run(bot("loser"), bot("one"), *words, *FAST)


def test_sprt_accepts_the_stronger(folder: Path) -> None:
    """A test that is accepted exits with status 0, and stops before all is played."""
    (folder / "loser.py").write_text(BOT.replace('print("move", moves', 'sys.exit(1); print("", moves'))
    words = ["--sprt", "0,200", "--alpha", "0.2", "--beta", "0.2", "--model", "logistic", "--games", "600"]
    found = events(run(bot("one"), bot("loser"), *words, "--json", *FAST))
    assert found[-1]["event"] == "sprt"
    assert found[-1]["verdict"] == "accepted"
    end = next(event for event in found if event["event"] == "end")
    assert end["reason"] == "rule"


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["x"], "at least two bots"),
        (["x", "'y"], "cannot be read as a command"),
        (["x", ""], "empty"),
        (["x", "y", "--option", "edition"], "NAME=CHOICE"),
        (["x", "y", "--sprt", "5"], "two numbers"),
        (["x", "y", "--sprt", "5,0"], "rise"),
        (["x", "y", "--game", "chess"], "game"),
        (["x", "y", "--move", "soon"], "clock.move"),
        (["x", "y", "--game", "rain", "--option", "a=b"], "option"),
        (["x", "y", "--sandbox", "off"], "there is no program 'x'"),
    ],
)
def test_mistakes_are_told(
    words: list[str], text: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be played is refused with a sentence, and nothing is left in the temporary folder."""
    (folder / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "temporary"))
    with pytest.raises(UserError, match=text):
        run(*words)
    assert os.listdir(folder / "temporary") == []
