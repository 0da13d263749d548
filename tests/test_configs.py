"""Every configuration that comes with the arena is run, with one round and little time to think."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from arena.config import load
from arena.config.document import parse
from arena.schedule import make_plan
from arena.verify import verify

ROOT = Path(__file__).resolve().parent.parent
CONFIGS = sorted((ROOT / "configs").glob("*.yaml"))
NAMES = [path.stem for path in CONFIGS]
MAIN = "from arena.cli import main; main()"


def hurried(path: Path, folder: Path) -> Path:
    """Write a configuration anew: one round, a patient referee, bots that think for a moment."""
    text = path.read_text().replace("../sample_bots", str(ROOT / "sample_bots"))
    values: dict[str, Any] = parse(text).value
    values["schedule"] = {**values.get("schedule", {}), "rounds": 1}
    if values.get("players", 2) > 3:
        values["schedule"]["seats"] = "rotate"
    values["clock"] = {**values.get("clock", {}), "margin": "30s", "startup": "60s"}
    for bot in values["bots"]:
        if "MCTS_MS" in bot.get("env", {}):
            bot["env"]["MCTS_MS"] = "5"
    values["output"] = "out"
    changed = folder / "hurried.yaml"
    changed.write_text(json.dumps(values))
    return changed


def test_there_are_configurations() -> None:
    """The quick start is there, and something for each format and each game."""
    loaded = [load(path) for path in CONFIGS]
    assert "quickstart" in NAMES
    assert {config.schedule.format for config in loaded} == set(type(loaded[0].schedule.format))
    assert {config.game for config in loaded} == {"desert", "rain"}
    assert {config.players for config in loaded} == {2, 3, 4, 5}
    assert [config.name for config in loaded] == NAMES


@pytest.mark.parametrize("path", CONFIGS, ids=NAMES)
def test_configuration_runs(path: Path, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """It builds, plays what it plans without a fault, and its records agree with the rules."""
    config = load(path)
    missing = [bot.build[0] for bot in config.bots if bot.build and not shutil.which(bot.build[0])]
    if missing:
        pytest.skip(f"this machine has no {missing[0]}")
    if any("mcts" in word for bot in config.bots for word in bot.command):
        request.getfixturevalue("mcts")
    changed = hurried(path, tmp_path)
    command = [sys.executable, "-c", MAIN, "tournament", str(changed), "--quiet"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    if config.sandbox == "strict" and done.returncode == 2 and "strict" in done.stderr:
        pytest.skip("full isolation does not work on this machine")
    assert (done.returncode, done.stderr) == (0, "")
    found = verify(tmp_path / "out")
    assert found.difference is None
    plan = make_plan(load(changed))
    assert found.games == plan.matches if plan.exact else found.games >= plan.matches
    for line in (tmp_path / "out" / "games.jsonl").read_text().splitlines()[1:]:
        assert json.loads(line)["faults"] == []
