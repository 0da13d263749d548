"""`arena plan`: what a tournament would play, whether it is balanced, and how long it may take."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena.cli import arena
from arena.config import load
from arena.errors import UserError
from arena.outlook import duration, look
from arena.schedule import Finished, make_plan
from tests import recorded

SNAPSHOTS = Path(__file__).parent / "snapshots" / "plan"
SAYINGS = sorted(SNAPSHOTS.glob("*.yaml"))


def run(*words: str) -> str:
    """Return what `arena plan` prints."""
    done = CliRunner().invoke(arena, ["plan", *words], catch_exceptions=False)
    assert done.exit_code == 0
    return done.stdout


def write(folder: Path, **keys: Any) -> Path:
    """Write a tournament's file of three bots; JSON is YAML."""
    bots = [{"name": name, "command": "true"} for name in "abcdefghijklmnopqrst"[: keys.pop("bots", 3)]]
    path = folder / "cup.yaml"
    path.write_text(json.dumps({"game": "rain", "workers": 2, "bots": bots, "output": "out", **keys}))
    return path


@pytest.mark.parametrize("path", SAYINGS, ids=[path.stem for path in SAYINGS])
def test_text(path: Path) -> None:
    """What people read is as it was approved; ARENA_SNAPSHOTS=write approves anew."""
    said = run(str(path))
    approved = path.with_suffix(".txt")
    if os.environ.get("ARENA_SNAPSHOTS") == "write":
        approved.write_text(said)
    assert said == approved.read_text()


def test_json(tmp_path: Path) -> None:
    """Programs get every count, and nothing else is on stdout."""
    said = json.loads(run("--json", str(write(tmp_path, players=3, schedule={"rounds": 2}))))
    assert (said["games"], said["blocks"], said["done"], said["exact"]) == (6, 2, 0, True)
    assert said["counts"]["bots"] == {"a": 6, "b": 6, "c": 6}
    assert said["counts"]["seats"] == {"a": [2, 2, 2], "b": [2, 2, 2], "c": [2, 2, 2]}
    assert said["counts"]["pairs"] == [["a", "b", 6], ["a", "c", 6], ["b", "c", 6]]
    assert len(said["counts"]["orders"]) == len(said["counts"]["neighbours"]) == 6
    assert all(one["balanced"] for one in said["balance"])
    assert {one["what"] for one in said["balance"]} == {"bots", "seats", "pairs", "orders", "neighbours"}
    assert said["seconds"] is None


def test_long_tables_are_cut(tmp_path: Path) -> None:
    """Of many bots the first rows are shown, with --all all of them."""
    path = str(write(tmp_path, bots=20))
    assert "… 8 more bots (--all)" in run(path)
    assert "… 178 more pairs (--all)" in run(path)
    assert "more" not in run("--all", path)


def test_estimate(tmp_path: Path) -> None:
    """Where games were played, the rest is estimated from the time that their actions took."""
    path = write(tmp_path, schedule={"rounds": 2})
    config = load(path)
    matches = recorded.matches(config)
    records = [recorded.play(match, micros=100_000) for match in matches[:4]]
    recorded.write(config.output, config, records)
    thought = sum(action[2] for record in records for action in record["actions"]) / 1e6 / 4
    found = look(config, 8)
    assert (found.done, found.workers) == (4, 2)
    assert found.estimate.seconds == pytest.approx(8 * thought / 2, abs=0.06)
    assert "8 games on 2 workers" in run(str(path))
    recorded.write(config.output, config, [recorded.play(match) for match in matches])
    assert look(config, 8).estimate.text == "nothing is left to play"


def test_other_results_do_not_count(tmp_path: Path) -> None:
    """Results of another tournament in the output are told and not counted."""
    config = load(write(tmp_path, seed=2))
    recorded.write(config.output, config, [recorded.play(recorded.matches(config)[0])])
    said = run(str(write(tmp_path, seed=3)))
    assert "0 are done" in said
    assert "holds a different tournament: seed was 2 and is 3" in said


def test_damaged_results_are_told(tmp_path: Path) -> None:
    """A journal that cannot be read does not keep the plan from being shown."""
    path = write(tmp_path)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "games.jsonl").write_text("nonsense\n")
    said = run(str(path))
    assert "Note: " in said
    assert "damaged" in said


@pytest.mark.parametrize("style", ["swiss", "knockout"])
def test_next_pairings(tmp_path: Path, style: str) -> None:
    """Of a plan that follows from results, the pairings to be played now are shown."""
    path = write(tmp_path, bots=4, schedule={"format": style, "rounds": 2})
    config = load(path)
    plan = make_plan(config)
    stages = plan.stages(finished := {})
    records = [recorded.play(match) for block in next(stages) for match in block.matches]
    finished.update({r["id"]: Finished(tuple(r["ranks"]), tuple(r["scores"])) for r in records})
    recorded.write(config.output, config, records)
    following = list(next(stages))
    said = run(str(path))
    for block in following:
        assert " - ".join(block.lineup) in said
    assert {"swiss": "  round 2: ", "knockout": "  round 2, board 1: "}[style] in said
    assert [block["block"] for block in json.loads(run("--json", str(path)))["next"]] == [
        block.id for block in following
    ]


def test_wrong_file(tmp_path: Path) -> None:
    """A wrong file is the user's mistake."""
    done = CliRunner().invoke(arena, ["plan", str(tmp_path / "none.yaml")])
    assert isinstance(done.exception, UserError)


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "under a second"), (45, "some 45 s"), (600, "some 10 min"), (12_000, "some 3 h 20 min")],
)
def test_duration(seconds: float, text: str) -> None:
    """Times are said as people say them."""
    assert duration(seconds) == text
    assert duration(1e6) == "some 11 days"
