"""What was run: whether a later run may go on, and what it is told."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from arena import header
from arena.config import Config, Schedule, from_values
from arena.errors import UserError
from arena.match import Bot, Clock


def configured(folder: Path, bots: str = "ab", **more: Any) -> Config:
    """Return a tournament of scripts that exist."""
    for bot in bots:
        path = folder / f"{bot}.py"
        if not path.exists():
            path.write_text(f"# {bot}\n")
    values = {"game": "rain", "bots": [{"name": bot, "command": f"{{python}} {bot}.py"} for bot in bots]}
    return dataclasses.replace(from_values(values, folder), **more)


def make(config: Config, tier: str = "bwrap") -> header.Header:
    """Return a header with a fixed time."""
    return header.make(config, {"tier": tier}, "2024-01-01")


def test_a_header_says_what_was_run(tmp_path: Path) -> None:
    """Format, configuration, digest, versions, machine, isolation, and the programs' hashes are there."""
    made = make(configured(tmp_path))
    assert made["format"] == 1
    assert made["configuration"]["game"] == "rain"
    assert len(made["digest"]) == 64
    assert {"arena", "python", "machine", "isolation", "begun", "changes"} <= made.keys()
    assert list(made["files"]["a"]) == ["a.py"]
    assert str(tmp_path) not in str(made)


def test_the_same_again_keeps_the_header(tmp_path: Path) -> None:
    """Nothing changed: the old header stays to the last byte, its time too."""
    config = configured(tmp_path)
    before = {**make(config), "begun": "earlier"}
    agreed = header.agree(before, make(config), 10, tmp_path)
    assert agreed == header.Agreed(before)


def test_extending_is_noted(tmp_path: Path) -> None:
    """More bots and rounds give a new header that remembers when, and after how many games."""
    before = make(configured(tmp_path))
    longer = configured(tmp_path, "abc", schedule=Schedule(rounds=99))
    header.refuse_differences(before, longer, tmp_path)
    agreed = header.agree(before, {**make(longer), "begun": "later"}, 10, tmp_path)
    assert agreed.header["begun"] == "2024-01-01"
    assert agreed.header["configuration"]["schedule"]["rounds"] == 99
    assert agreed.header["changes"] == [{"when": "later", "games": 10, "digest": before["digest"]}]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"seed": 9}, "seed was 1 and is 9"),
        ({"clock": Clock(move=5)}, "clock.move was 1s and is 5us"),
        ({"schedule": Schedule(rounds=3)}, "schedule.rounds was 10 and is 3"),
    ],
)
def test_differences_are_refused_by_name(tmp_path: Path, change: dict[str, Any], named: str) -> None:
    """What decides results cannot change."""
    before = make(configured(tmp_path))
    with pytest.raises(UserError, match="holds a different tournament") as found:
        header.refuse_differences(before, configured(tmp_path, **change), tmp_path)
    assert named in str(found.value)
    assert "--output" in str(found.value)


def test_what_is_no_header_is_refused(tmp_path: Path) -> None:
    """A first line of another format, or a game's record, is not taken for a header."""
    for first in ({"id": "1-a"}, {"format": 99, "configuration": {}}):
        with pytest.raises(UserError, match="not the header of a journal of format 1"):
            header.refuse_differences(first, configured(tmp_path), tmp_path)


def test_a_changed_program_is_refused_or_noted(tmp_path: Path) -> None:
    """The bot and its file are named; accepted, the change is in the header and said."""
    config = configured(tmp_path)
    before = make(config)
    (tmp_path / "b.py").write_text("# better\n")
    with pytest.raises(UserError, match=r"bot b: b\.py has changed"):
        header.agree(before, make(config), 10, tmp_path)
    agreed = header.agree(before, make(config), 10, tmp_path, accept=True)
    assert agreed.header["changes"][0]["bots"] == ["bot b: b.py has changed"]
    assert agreed.notices == ("bot b: b.py has changed; going on all the same",)
    assert header.agree(agreed.header, make(config), 12, tmp_path).header == agreed.header


def test_what_may_matter_is_said(tmp_path: Path) -> None:
    """Another Python, arena, machine or isolation is told, and changes nothing."""
    config = configured(tmp_path)
    before = {**make(config), "python": "3.0", "arena": "0", "machine": {}}
    agreed = header.agree(before, make(config, "basic"), 10, tmp_path)
    assert agreed.header == before
    assert [notice.split(";")[0] for notice in agreed.notices][:1] == [
        f"going on with arena {make(config)['arena']}"
    ]
    assert any("isolation basic; the tournament began with bwrap" in notice for notice in agreed.notices)
    assert any("another machine" in notice for notice in agreed.notices)


def test_declared_files_belong_to_a_program(tmp_path: Path) -> None:
    """Files and folders that a bot declares are hashed too; interpreters of the system are not."""
    (tmp_path / "data" / "deep").mkdir(parents=True)
    (tmp_path / "data" / "deep" / "weights").write_text("1")
    (tmp_path / "bot.pl").write_text("1")
    bot = Bot("x", ("/usr/bin/env", "perl", str(tmp_path / "bot.pl")), tmp_path, files=("data", "nothing"))
    assert list(header.hashes(bot, tmp_path)) == ["bot.pl", "data/deep/weights"]


def test_a_cluster_builds_elsewhere(tmp_path: Path) -> None:
    """What is built on a cluster may be missing here; a changed folder is told, a changed program refused."""
    here = make(configured(tmp_path))
    name = next(iter(here["files"]))
    there = {**here, "files": {bot: {} for bot in here["files"]}, "parcels": {name: "digest"}}
    for before, now in ((here, there), (there, here)):
        assert header.agree(before, now, 10, tmp_path).header == before
    agreed = header.agree(there, {**there, "parcels": {name: "other"}}, 10, tmp_path)
    assert agreed.notices == (f"bot {name}: something in its folder has changed since the tournament began",)
    changed = {bot: dict.fromkeys(files, "other") for bot, files in here["files"].items()}
    with pytest.raises(UserError, match="has changed"):
        header.agree(here, {**there, "files": changed}, 10, tmp_path)
