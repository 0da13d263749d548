"""The example of training: what it learns plays legally as a bot."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from arena.driver import Table
from arena.match import Bot, Clock, Limits, Match

ROOT = Path(__file__).resolve().parent.parent


def test_what_is_learnt_plays(tmp_path: Path) -> None:
    """A short training writes weights, and the bot that uses them plays from both seats without a fault."""
    folder = tmp_path / "train"
    shutil.copytree(
        ROOT / "examples" / "train", folder, ignore=shutil.ignore_patterns("results", "weights.json")
    )
    short = ["--generations", "1", "--tries", "5", "--matches", "1"]
    subprocess.run([sys.executable, str(folder / "learn.py"), *short], check=True, capture_output=True)
    ladder = ROOT / "sample_bots" / "ladder"
    bots = {
        "learnt": Bot("learnt", (sys.executable, str(folder / "bot.py")), folder),
        "random": Bot("random", (sys.executable, str(ladder / "random_bot.py")), ladder),
    }
    with Table(bots, Clock(move=30_000_000, startup=60_000_000), Limits()) as table:
        for seats in (("learnt", "random"), ("random", "learnt")):
            result = table.play(Match("1", "1", 1, "rain", {}, 7, seats))
            assert not result.void, result.text
            assert result.faults == ()
