"""Removes what a bot left in its scratch, whatever it did there.

No link is followed, no permission that the bot took away is in the way, and no depth is too much: folders are
moved up to the top before they are emptied, so that neither recursion nor a long path is needed.
"""

from __future__ import annotations

import itertools
import os
import stat
from pathlib import Path

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def clear(top: str | Path) -> None:
    """Remove a folder with everything in it; what others own in it may stay, then OSError says so."""
    names = itertools.count()
    os.chmod(top, stat.S_IRWXU)
    root = os.open(top, _FOLDER)
    try:
        while inside := os.listdir(root):
            for name in inside:
                if stat.S_ISDIR(os.lstat(name, dir_fd=root).st_mode):
                    _flatten(root, name, names)
                else:
                    os.unlink(name, dir_fd=root)
    finally:
        os.close(root)
    os.rmdir(top)


def _flatten(root: int, name: str, names: itertools.count[int]) -> None:
    """Remove a folder at the top after moving the folders in it to the top."""
    os.chmod(name, stat.S_IRWXU, dir_fd=root)
    folder = os.open(name, _FOLDER, dir_fd=root)
    try:
        for inner in os.listdir(folder):
            if stat.S_ISDIR(os.lstat(inner, dir_fd=folder).st_mode):
                os.chmod(inner, stat.S_IRWXU, dir_fd=folder)  # moving a folder writes to it (its "..")
                os.rename(inner, f".up-{next(names)}", src_dir_fd=folder, dst_dir_fd=root)
            else:
                os.unlink(inner, dir_fd=folder)
    finally:
        os.close(folder)
    os.rmdir(name, dir_fd=root)
