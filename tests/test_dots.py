"""The example game of `examples/dots`: installed as anybody's would be, it obeys the laws and is played."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
EXAMPLE = ROOT / "examples" / "dots"
LAWS = """
from arena.games.base import load_game
from arena.games.laws import LAWS
game = load_game("dots")
for players in game.players:
    for size in ("3", "4"):
        for seed in range(3):
            for law in LAWS:
                law(game, players, {"size": size}, seed)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment in which the example's package is installed, apart from everybody else's."""
    target = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target", str(target), str(EXAMPLE)], check=True, capture_output=True)
    return {**os.environ, "PYTHONPATH": str(target)}


def run(env: dict[str, str], *words: str) -> str:
    """Run a command in that environment and return its stdout."""
    ran = subprocess.run([sys.executable, *words], env=env, capture_output=True, text=True, timeout=120)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


ARENA = ("-c", "from arena.cli import main; main()")


def test_example_is_short() -> None:
    """A whole game takes at most 150 lines."""
    assert len((EXAMPLE / "arena_dots.py").read_text().splitlines()) <= 150


def test_example_obeys_the_laws(installed: dict[str, str]) -> None:
    """The laws that hold for our games hold for it."""
    run(installed, "-c", LAWS)


def test_example_is_listed_with_its_rules(installed: dict[str, str]) -> None:
    """`arena games` finds it by its entry point alone."""
    assert "dots" in run(installed, *ARENA, "games")
    assert "completes a box" in run(installed, *ARENA, "games", "dots")


def test_example_plays_a_tournament(installed: dict[str, str], tmp_path: Path) -> None:
    """It is played, verified, rated, reported and replayed like any other game."""
    out = str(tmp_path / "results")
    run(installed, *ARENA, "tournament", str(EXAMPLE / "tournament.yaml"), "--output", out, "--quiet")
    run(installed, *ARENA, "verify", out)
    told = json.loads(run(installed, *ARENA, "standings", out, "--json"))
    assert told["games"] == 6
    assert (tmp_path / "results" / "report.html").stat().st_size > 10_000
    record = json.loads((tmp_path / "results" / "games.jsonl").read_text().splitlines()[1])
    assert "+---+" in run(installed, *ARENA, "replay", out, record["id"])
