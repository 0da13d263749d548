"""`arena play` as a person runs it, with typed lines for a person."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

BOT = """
from protocol.bot import run
run(lambda game: game.moves[0], name="first", wants="moves")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return a tournament's file with two bots."""
    (tmp_path / "bot.py").write_text(BOT)
    bots = "".join(f'  - {{name: {name}, command: "{{python}} bot.py"}}\n' for name in ("anna", "bert"))
    path = tmp_path / "table.yaml"
    path.write_text(f"game: rain\nplayers: 2\nsandbox: off\nbots:\n{bots}")
    return path


def play(file: Path, typed: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run `arena play`."""
    return subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", "play", str(file), *options],
        input=typed,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_a_match_comes_to_a_clear_end(file: Path) -> None:
    """After the last action the table of points and the person's place are shown."""
    done = play(file, "1\n" * 60, "--seed", "4", "--seat", "1", "--against", "bert", "--against", "anna")
    assert done.returncode == 0, done.stderr
    assert "seat 0 bert, seat 1 you, seat 2 anna" in done.stdout
    assert "The end" in done.stdout
    assert "You " in done.stdout.splitlines()[-1]
    assert done.stderr == ""


def test_the_end_of_input_leaves(file: Path) -> None:
    """Nobody at the terminal is no error: the bots are sent home and nothing else is said."""
    done = play(file, "1\n")
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "you have left the game"
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--seat", "2"), "--seat is 0 to 1"),
        (("--players", "7"), "rain is for 2 to 4 players, not 7"),
        (("--against", "carl"), "no bot 'carl'; it has: anna, bert"),
        (("--players", "3", "--against", "anna"), "needs 2 bots besides you, not 1"),
    ],
)
def test_mistakes_are_told(file: Path, options: tuple[str, ...], text: str) -> None:
    """What cannot be played is said in one sentence, with exit status 2."""
    done = play(file, "", *options)
    assert done.returncode == 2
    assert text in done.stderr


def test_an_interrupt_leaves(file: Path) -> None:
    """Ctrl-C at the prompt is a way to leave, not a traceback."""
    with subprocess.Popen(
        [sys.executable, "-uc", "from arena.cli import main; main()", "play", str(file)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        shown = b""
        while not shown.endswith(b"for help\n"):
            piece = process.stdout.read(1)
            assert piece, shown
            shown += piece
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=120)
    assert rest.endswith(b"you have left the game\n")
    assert errors == b""
    assert process.returncode == 0
