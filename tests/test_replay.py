"""Facts about `arena replay`."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena import journal
from arena.commands.replay import replay
from arena.errors import UserError
from tests.nasty import NASTY
from tests.synthetic import results


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Results of rain with faults and hostile remarks."""
    return results(tmp_path_factory.mktemp("r") / "out", "rain", 3, rounds=1, faults=True, texts=NASTY)


def shown(*words: str) -> str:
    """Return what the command prints in a pipe."""
    ran = CliRunner().invoke(replay, list(words), catch_exceptions=False)
    assert ran.exit_code == 0, ran.output
    return ran.output


def test_pipe_gets_every_action_and_the_end(folder: Path) -> None:
    """Without a terminal all actions are listed, then the last position, in plain text."""
    record = next(journal.records(folder))
    text = shown(str(folder), record["id"])
    for _, action, *_ in record["actions"]:
        assert f") {action}" in text
    assert "the match is over" in text
    assert "\x1b" not in text


def test_hostile_remarks_are_escaped(folder: Path) -> None:
    """Whatever a bot said, the terminal gets printable text alone."""
    text = shown(str(folder), "1")
    assert all(line.isprintable() for line in text.split("\n"))


def test_game_is_found_by_the_beginning_of_its_id(folder: Path) -> None:
    """An id's beginning is enough where it is the only one, and is refused where it is not."""
    ids = [record["id"] for record in journal.records(folder)]
    assert (
        ids[2] in shown(str(folder), ids[2][:-1])
        if sum(i.startswith(ids[2][:-1]) for i in ids) == 1
        else True
    )
    with pytest.raises(UserError, match="several games"):
        shown(str(folder), ids[0][:2])
    with pytest.raises(UserError, match="has no game"):
        shown(str(folder), "zzz")


def test_one_step_can_be_asked_for(folder: Path) -> None:
    """`--step 0` shows the board before the first action."""
    text = shown(str(folder), "1", "--step", "0")
    assert text.startswith("set up")
    assert text.count("the match is over") == 0


def test_keys_step_through_the_game(folder: Path) -> None:
    """On a terminal the arrow steps, End jumps to the end, and q leaves."""
    main, other = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "50"}
    words = [sys.executable, "-c", "from arena.cli import main; main()", "replay", str(folder), "2"]
    ran = subprocess.Popen(words, stdin=other, stdout=other, stderr=other, env=env, start_new_session=True)
    os.close(other)
    seen = ""

    def wait_for(pattern: str) -> None:
        nonlocal seen
        while not re.search(pattern, seen):
            assert select.select([main], [], [], 60)[0], seen[-2000:]
            seen += os.read(main, 65536).decode("utf-8", "replace")

    wait_for("step 0 of")
    os.write(main, b"\x1b[C")
    wait_for("step 1 of")
    os.write(main, b"\x1b[F")
    wait_for("match is over")
    os.write(main, b"\x1b[H")
    wait_for("step 0 of(?s:.*)step 0 of")
    os.write(main, b"q")
    assert ran.wait(60) == 0
    os.close(main)
