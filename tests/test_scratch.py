"""Facts about arena/scratch.py."""

from __future__ import annotations

import os
from pathlib import Path

from arena.scratch import clear


def test_links_are_removed_and_not_followed(tmp_path: Path) -> None:
    """A link to something precious goes, the precious thing stays."""
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "file").write_text("x")
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "link").symlink_to(precious)
    (scratch / "file").symlink_to(precious / "file")
    clear(scratch)
    assert not scratch.exists()
    assert (precious / "file").read_text() == "x"


def test_depth_is_no_obstacle(tmp_path: Path) -> None:
    """Folders nested deeper than recursion or a path can reach are removed."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    folder = os.open(scratch, os.O_RDONLY)
    for _ in range(2000):
        os.mkdir("deep", dir_fd=folder)
        inner = os.open("deep", os.O_RDONLY, dir_fd=folder)
        os.close(folder)
        folder = inner
    os.close(folder)
    clear(scratch)
    assert not scratch.exists()


def test_permissions_taken_away_are_no_obstacle(tmp_path: Path) -> None:
    """Folders that their owner closed are removed all the same."""
    scratch = tmp_path / "scratch"
    inner = scratch / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "file").write_text("x")
    for folder in (inner, inner.parent, scratch):
        folder.chmod(0)
    clear(scratch)
    assert not scratch.exists()


def test_sockets_and_pipes_are_removed(tmp_path: Path) -> None:
    """Special files go like any other, without being opened."""
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    os.mkfifo(scratch / "pipe")
    clear(scratch)
    assert not scratch.exists()
