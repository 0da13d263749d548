"""The folder that a run leaves its results in: who may write there, and how files come to be there.

One run at a time holds the folder, through a lock that the kernel releases however the run ends. Files are
replaced as a whole or not at all. What the files say is none of this module's business.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import select
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO

from arena.errors import ArenaError, UserError

LOCK = "lock"
# A worker of a run that was killed a moment ago may still be dying with the lock inherited; it needs
# milliseconds, a loaded machine somewhat longer.
PATIENCE = 3.0


def _pause(seconds: float) -> None:
    select.select([], [], [], seconds)


class FolderError(ArenaError):
    """The folder stopped taking what we write: full, gone, or read-only; exit status 1."""


class Folder:
    """A folder of results, held by this process from `hold` to `release`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = -1

    def hold(self, when: str, pause: Callable[[float], object] = _pause) -> None:
        """Make the folder and lock it; UserError where it cannot be written or another run has it."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            lock = os.open(self.path / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise UserError(f"cannot write results to {self.path}: {error.strerror}") from error
        try:
            self._acquire(lock, pause)
            os.ftruncate(lock, 0)
            note = {"pid": os.getpid(), "host": socket.gethostname(), "since": when}
            os.pwrite(lock, json.dumps(note).encode() + b"\n", 0)
        except OSError as error:
            os.close(lock)
            raise UserError(f"cannot write results to {self.path}: {error.strerror}") from error
        except BaseException:
            os.close(lock)
            raise
        self._lock = lock

    def _acquire(self, lock: int, pause: Callable[[float], object]) -> None:
        waited = 0.0
        while True:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EACCES):
                    raise
                if waited >= PATIENCE or not _left_behind(lock):
                    raise UserError(f"{self.path} is in use by {_holder(lock)}") from None
                pause(0.05)
                waited += 0.05
            else:
                return

    def disown(self) -> None:
        """Close the lock's descriptor in a forked child, so that only the run itself holds the folder."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def release(self) -> None:
        """Give the folder free; the lock's file stays, so that two later runs meet at the same one."""
        if self._lock >= 0:
            with contextlib.suppress(OSError):  # a full disk cannot be told that we are done
                os.ftruncate(self._lock, 0)
            os.close(self._lock)
            self._lock = -1

    @contextlib.contextmanager
    def replacing(self, name: str) -> Iterator[BinaryIO]:
        """Give a file to write; when the block ends well, it takes the place of the old one at once."""
        path, fresh = self.path / name, self.path / f".{name}.new"
        try:
            with open(fresh, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(fresh, path)
            self.sync()
        except OSError as error:
            with contextlib.suppress(OSError):
                os.unlink(fresh)
            raise FolderError(f"cannot write {path}: {error.strerror}") from error
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(fresh)
            raise

    def write(self, name: str, content: bytes) -> bool:
        """Put a file in place as a whole; leave one alone that says the same, and tell whether it did not."""
        with contextlib.suppress(OSError):
            if (self.path / name).read_bytes() == content:
                return False
        with self.replacing(name) as file:
            file.write(content)
        return True

    def sync(self) -> None:
        """Make the folder's list of names durable."""
        folder = os.open(self.path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _note(lock: int) -> dict[str, object]:
    try:
        note = json.loads(os.pread(lock, 4096, 0) or b"{}")
    except ValueError:
        note = {}
    return note if isinstance(note, dict) else {}


def _holder(lock: int) -> str:
    """Say who holds a lock, as far as its file tells."""
    note = _note(lock)
    if not note:
        return "another run"
    return f"pid {note.get('pid')} on {note.get('host')} since {note.get('since')}"


def _left_behind(lock: int) -> bool:
    """Tell whether the run that wrote the lock's note is gone from this machine, or never wrote one."""
    note = _note(lock)
    if not note:
        return True  # between taking the lock and writing the note, or between a run's end and its release
    pid = note.get("pid")
    if note.get("host") != socket.gethostname() or not isinstance(pid, int):
        return False
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False
