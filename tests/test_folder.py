"""The folder of results: one run at a time, files whole or not at all."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena.errors import UserError
from arena.folder import Folder, FolderError


def test_a_second_run_is_refused_by_name(tmp_path: Path) -> None:
    """Whoever comes second is told who holds the folder, where, and since when."""
    first, second = Folder(tmp_path / "deep" / "out"), Folder(tmp_path / "deep" / "out")
    first.hold("2024-05-06 07:08:09")
    expected = f"in use by pid {os.getpid()} on {socket.gethostname()} since 2024-05-06 07:08:09"
    with pytest.raises(UserError, match=expected):
        second.hold("later")
    first.release()
    second.hold("later")
    second.release()


def test_the_lock_ends_with_its_holder(tmp_path: Path) -> None:
    """A run killed with -9 leaves no lock behind."""
    script = (
        "import sys, signal, os; from pathlib import Path; from arena.folder import Folder\n"
        "Folder(Path(sys.argv[1])).hold('x'); os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=False)
    again = Folder(tmp_path)
    again.hold("now")
    again.release()


def test_a_dying_worker_is_waited_for(tmp_path: Path) -> None:
    """A lock that only a child of a dead run still has is waited for, a living run's is not."""
    first, second = Folder(tmp_path), Folder(tmp_path)
    first.hold("then")
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    (tmp_path / "lock").write_text(f'{{"pid": {dead.pid}, "host": "{socket.gethostname()}"}}')
    pauses: list[float] = []

    def pause(seconds: float) -> None:
        pauses.append(seconds)
        if len(pauses) == 3:
            first.disown()

    second.hold("now", pause)
    assert len(pauses) == 3
    second.release()


@pytest.mark.parametrize("place", ["/proc/arena", "file/out"])
def test_a_folder_that_cannot_be_written_is_refused(tmp_path: Path, place: str) -> None:
    """Where no file can be made, the user is told before anything runs."""
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="cannot write results to"):
        Folder(tmp_path / place).hold("now")


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    """A file that fails half-way leaves the old one, and nothing else."""
    folder = Folder(tmp_path)
    folder.write("table", b"old")

    def fail() -> None:
        with folder.replacing("table") as file:
            file.write(b"ne")
            raise OSError(28, "No space left on device")

    with pytest.raises(FolderError, match="table: No space"):
        fail()
    assert (tmp_path / "table").read_bytes() == b"old"
    folder.write("table", b"new")
    assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("table", b"new")]


def test_a_file_that_says_the_same_is_left_alone(tmp_path: Path) -> None:
    """Writing what is there already does not touch the file."""
    folder = Folder(tmp_path)
    folder.write("table", b"same")
    before = (tmp_path / "table").stat()
    folder.write("table", b"same")
    assert (tmp_path / "table").stat() == before
