"""Facts about arena/cgroup.py: where groups are looked for, and what a group tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena import cgroup
from arena.cgroup import Group, Place
from arena.match import Limits

UNIFIED = "cgroup2 /sys/fs/cgroup cgroup2 rw,nosuid 0 0\n"
SEPARATE = (
    "cgroup /sys/fs/cgroup/memory cgroup rw,memory 0 0\n"
    "cgroup /sys/fs/cgroup/pids cgroup rw,pids 0 0\n"
    "tmpfs /tmp tmpfs rw 0 0\n"
)


def test_unified_groups_are_made_beside_the_own() -> None:
    """A group with processes may have no children with controllers, so ours are its sisters."""
    (place,) = cgroup.candidates(UNIFIED, "0::/user.slice/session.scope\n")
    assert place == Place((Path("/sys/fs/cgroup/user.slice"),) * 2)
    assert place.unified


def test_unified_root_is_its_own_place() -> None:
    """In the root group the rule does not hold."""
    (place,) = cgroup.candidates(UNIFIED, "0::/\n")
    assert place.folders[0] == Path("/sys/fs/cgroup")


def test_separate_hierarchies_are_both_used() -> None:
    """Version 1 has a folder for each controller."""
    (place,) = cgroup.candidates(SEPARATE, "5:memory:/a\n3:pids:/b\n")
    assert place.folders == (Path("/sys/fs/cgroup/memory/a"), Path("/sys/fs/cgroup/pids/b"))
    assert not place.unified


def test_half_a_hierarchy_is_no_place() -> None:
    """Memory without pids bounds too little to be offered."""
    assert not list(cgroup.candidates(SEPARATE.splitlines()[0] + "\n", "5:memory:/\n"))


@pytest.mark.parametrize(
    ("file", "text", "name"),
    [
        ("memory.events", "low 0\noom 1\noom_kill 1\n", "memory"),
        ("memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n", "memory"),
        ("pids.events", "max 3\n", "processes"),
        ("memory.events", "oom_kill 0\n", ""),
    ],
)
def test_exceeded_limit_is_read_from_events(tmp_path: Path, file: str, text: str, name: str) -> None:
    """The kernel counts what it refused, in either version's file."""
    (tmp_path / file).write_text(text)
    assert Group((tmp_path, tmp_path)).exceeded() == name


def test_unified_limits_are_written(tmp_path: Path) -> None:
    """Version 2 takes all limits in one folder."""
    group = cgroup.make(Place((tmp_path, tmp_path)), "1-0", Limits(memory=1000, processes=7))
    folder = tmp_path / "arena-1-0"
    assert (folder / "memory.max").read_text() == "1000"
    assert (folder / "pids.max").read_text() == "7"
    assert group.joins == [str(folder / "cgroup.procs")]


def test_groups_of_killed_arenas_are_swept(tmp_path: Path) -> None:
    """Empty groups of processes that are gone are removed, those of living ones stay."""
    (tmp_path / "arena-999999999-0").mkdir()
    (tmp_path / "arena-1-0").mkdir()
    assert cgroup.sweep(Place((tmp_path, tmp_path))) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["arena-1-0"]
