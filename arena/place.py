"""A private folder of one run on one machine, shared by all of a user's processes that play there.

Whoever uses it holds it by a lock that ends with the process, however that ends. The last one out removes
it; what a killed machine left is removed by whoever comes next. What is in it is others' business.
"""

from __future__ import annotations

import contextlib
import fcntl
import logging
import os
from collections.abc import Iterator
from pathlib import Path

from arena.errors import UserError
from arena.scratch import clear

PREFIX = "arena-run-"
HELD = "held"
WORK = "work"
GONE = ".gone"

_log = logging.getLogger(__name__)


class Place:
    """The folder of a run below a root; making it holds it."""

    def __init__(self, root: Path, run: str) -> None:
        """Make the folder or join those who use it; UserError where somebody else's lies in its place."""
        self.path = root / (PREFIX + run)
        self._held = self._hold()

    def _hold(self) -> int:
        while True:
            with contextlib.suppress(FileExistsError):
                self.path.mkdir(mode=0o700)
            found = os.lstat(self.path)
            if found.st_uid != os.getuid() or found.st_mode & 0o777 != 0o700 or self.path.is_symlink():
                raise UserError(f"{self.path} belongs to somebody else")
            try:
                held = os.open(self.path / HELD, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            except FileNotFoundError:  # the last one left in between, and took it along
                continue
            fcntl.flock(held, fcntl.LOCK_SH)
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(held), os.stat(self.path / HELD)):
                    return held
            os.close(held)

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Keep the others waiting while something is made that all of them use."""
        work = os.open(self.path / WORK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(work, fcntl.LOCK_EX)
            yield
        finally:
            os.close(work)

    def leave(self) -> None:
        """Let go of it; the last one removes it. Harmless when repeated."""
        if self._held >= 0:
            _remove_unused(self.path, self._held)
            os.close(self._held)
            self._held = -1


def sweep(root: Path) -> None:
    """Remove what runs left that nobody holds any more."""
    for path in root.glob(f"{PREFIX}*"):
        if path.name.endswith(GONE):
            _clear(path)
            continue
        try:
            held = os.open(path / HELD, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except OSError:  # somebody else's, or just being made
            continue
        _remove_unused(path, held)
        os.close(held)


def _remove_unused(path: Path, held: int) -> None:
    """Remove a folder unless somebody else holds it; it first changes its name, so that nobody joins then."""
    gone = path.with_name(path.name + GONE)
    with contextlib.suppress(BlockingIOError, FileNotFoundError):
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.rename(gone)
        _clear(gone)


def _clear(path: Path) -> None:
    try:
        clear(path)
    except OSError as error:  # another sweeper was faster, or a bot left what only root may remove
        _log.info("%s is not wholly removed: %s", path, error)
