"""The private folder of a run on a machine: shared while in use, gone afterwards."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.place import HELD, PREFIX, Place, sweep


def test_the_last_one_out_removes_it(tmp_path: Path) -> None:
    """Workers of a machine share one folder, for their user alone; it is there until all have left."""
    one, two = Place(tmp_path, "r"), Place(tmp_path, "r")
    assert one.path == two.path
    assert stat.S_IMODE(one.path.stat().st_mode) == 0o700
    (one.path / "file").write_text("")
    one.leave()
    one.leave()
    sweep(tmp_path)
    assert (two.path / "file").exists()
    two.leave()
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_is_swept(tmp_path: Path) -> None:
    """A folder that nobody holds goes, one that somebody holds stays, and so does what is not a run's."""
    code = (
        "import os, sys; from pathlib import Path; from arena.place import Place\n"
        "Place(Path(sys.argv[1]), 'dead'); os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code, tmp_path], check=False).returncode == 9
    (tmp_path / "other").mkdir()
    (tmp_path / f"{PREFIX}new").mkdir()
    held = Place(tmp_path, "alive")
    assert (tmp_path / f"{PREFIX}dead" / HELD).exists()
    sweep(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"other", f"{PREFIX}new", f"{PREFIX}alive"}
    held.leave()


def test_somebody_elses_folder_is_refused(tmp_path: Path) -> None:
    """A link, or a folder that others can write to, is not trusted with bots."""
    (tmp_path / f"{PREFIX}open").mkdir()
    os.chmod(tmp_path / f"{PREFIX}open", 0o777)
    (tmp_path / "target").mkdir(mode=0o700)
    (tmp_path / f"{PREFIX}link").symlink_to(tmp_path / "target")
    for run in ("open", "link"):
        with pytest.raises(UserError, match="belongs to somebody else"):
            Place(tmp_path, run)


def test_alone_keeps_others_out(tmp_path: Path) -> None:
    """While one makes what all use, another process that wants to waits."""
    place = Place(tmp_path, "r")
    code = (
        "import fcntl, os, sys\nfd = os.open(sys.argv[1], os.O_RDWR)\n"
        "try:\n    fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)\nexcept BlockingIOError:\n    sys.exit(7)"
    )
    with place.alone():
        busy = subprocess.run([sys.executable, "-c", code, place.path / "work"], check=False)
    free = subprocess.run([sys.executable, "-c", code, place.path / "work"], check=False)
    assert (busy.returncode, free.returncode) == (7, 0)
    place.leave()
