"""Bots on the way to other machines: packed by content, unpacked in another place, commands made to fit.

What a bot's `files` names travels, by default its whole folder, with the files of the folder that its command
names. The name of a parcel is a digest of what is in it, whoever packed it and when. Nothing is sent here.
"""

from __future__ import annotations

import dataclasses
import hashlib
import io
import os
import re
import stat
import sys
import tarfile
import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.errors import UserError
from arena.interpreters import is_system
from arena.match import Bot

MOST = 64 << 20  # bytes of files: it is held in memory on its way, and sent to every machine
MOST_FILES = 10_000
# Never part of a bot, large, and different each time: versions of old, and what Python keeps for itself.
LEFT_OUT = frozenset({".git", ".hg", ".svn", "__pycache__"})


@dataclass(frozen=True, slots=True)
class Parcel:
    """A packed folder: its name is the digest of names, rights and content."""

    digest: str
    data: bytes


def travels(bot: Bot) -> bool:
    """Tell whether a bot's folder has to be sent; one of the system is there, or is missed by the checks."""
    return not is_system(bot.folder)


def pack(bot: Bot, without: Collection[Path] = (), *, most: int = MOST) -> Parcel:
    """Return what of a bot travels; UserError where it is too much, not there, or leads elsewhere.

    `without` are folders that are no part of it although they may lie in it, as that of the results.
    """
    packer = _Packer(bot, frozenset(without), most)
    for name in sorted(_names(bot)):
        packer.add(bot.folder / name if name else bot.folder)
    return packer.parcel()


def unpack(parcel: bytes, folder: Path) -> None:
    """Make the folder and put a parcel's files into it."""
    folder.mkdir(parents=True)
    with tarfile.open(fileobj=io.BytesIO(zlib.decompress(parcel))) as archive:
        archive.extractall(folder, filter="tar")  # nothing lands outside the folder


def relocate(bot: Bot, python: str, folder: Path) -> Bot:
    """Return a bot as it runs here from another folder; `python` was the arena's interpreter elsewhere."""
    # Only whole paths: /home/me/bot is no part of /mnt/home/me/bot or /home/me/bots.
    home = re.compile(rf"(?<![\w./-]){re.escape(str(bot.folder))}(?=/|$)")
    interpreter = re.compile(rf"(?<![\w./-]){re.escape(python)}(?![\w./-])")

    def fit(word: str) -> str:
        # The interpreter first: a virtual environment may lie in the bot's folder.
        parts = interpreter.split(word)
        return sys.executable.join(home.sub(lambda _: str(folder), part) for part in parts)

    return dataclasses.replace(
        bot,
        command=tuple(map(fit, bot.command)),
        build=tuple(map(fit, bot.build)),
        env={key: fit(value) for key, value in bot.env.items()},
        folder=folder,
    )


def strangers(bot: Bot) -> list[str]:
    """Return the words of a command that are files outside of the bot's folder and the system."""
    found = []
    for word in bot.command[1:]:
        path = Path(word)
        inside = path.is_relative_to(bot.folder) or is_system(path) or word == sys.executable
        if path.is_absolute() and not inside and path.exists():
            found.append(word)
    return found


def _names(bot: Bot) -> set[str]:
    """Return what is to be packed, relative to the folder; "" for all of it."""
    if not bot.files:
        return {""}
    own = {
        os.path.relpath(word, bot.folder)
        for word in (*bot.command, *bot.build)
        if Path(word).is_relative_to(bot.folder) and os.path.isfile(word)
    }
    return own | {os.path.normpath(name) for name in bot.files}


class _Packer:
    """One parcel in the making."""

    def __init__(self, bot: Bot, without: frozenset[Path], most: int) -> None:
        self._bot, self._folder, self._most = bot, bot.folder, most
        self._without = without
        self._size = self._count = 0
        self._seen: set[Path] = set()
        self._digest = hashlib.sha256()
        self._buffer = io.BytesIO()
        self._archive = tarfile.open(fileobj=self._buffer, mode="w")  # noqa: SIM115 - `parcel` closes it

    def parcel(self) -> Parcel:
        """Return what was added."""
        self._archive.close()
        return Parcel(self._digest.hexdigest(), zlib.compress(self._buffer.getvalue(), 1))

    def add(self, path: Path) -> None:
        """Add a file, or a folder with all that is in it."""
        try:
            for inner in self._walk(path):
                if inner not in self._seen:
                    self._seen.add(inner)
                    self._add(inner)
        except OSError as error:
            raise self._wrong(f"{error.filename or path} cannot be packed: {error.strerror}") from error

    def _walk(self, path: Path) -> Iterator[Path]:
        """Give files, links and folders, sorted, so that the same files always make the same parcel."""
        if path in self._without or (path != self._folder and path.name in LEFT_OUT):
            return
        yield path
        if path.is_dir() and not path.is_symlink():
            for name in sorted(os.listdir(path)):
                yield from self._walk(path / name)

    def _add(self, path: Path) -> None:
        name = os.path.relpath(path, self._folder)
        if name == ".":
            if not path.is_dir():
                raise self._wrong(f"its folder {path} does not exist")
            return
        info = tarfile.TarInfo(name)
        status = path.lstat()
        if stat.S_ISLNK(status.st_mode):
            target = os.readlink(path)
            if self._stays(path, target):
                info.type, info.linkname = tarfile.SYMTYPE, target
                self._put(info, b"")
                return
            status = path.stat()  # what lies elsewhere travels as a file of its own
            if stat.S_ISDIR(status.st_mode):
                raise self._wrong(f"{path} links to the folder {target} outside of the bot's")
        # What `make` compares. It is no part of the digest: copies of a bot are the same bot.
        info.mtime = int(status.st_mtime)
        info.mode = 0o755 if status.st_mode & 0o100 else 0o644
        if stat.S_ISDIR(status.st_mode):
            info.type, info.mode = tarfile.DIRTYPE, 0o755
            self._put(info, b"")
        elif stat.S_ISREG(status.st_mode):
            self._weigh(status.st_size)
            self._put(info, path.read_bytes())
        # Sockets and pipes belong to a running program, not to a bot.

    def _stays(self, path: Path, target: str) -> bool:
        full = Path(os.path.normpath(path.parent / target))
        return is_system(full) or (not os.path.isabs(target) and full.is_relative_to(self._folder))

    def _weigh(self, size: int) -> None:
        self._size += size
        self._count += 1
        if self._size > self._most or self._count > MOST_FILES:
            raise self._wrong(
                f"{self._folder} holds more than {self._most / (1 << 20):g} MiB or {MOST_FILES} files, and "
                "all of it would be sent to every machine; name what the bot needs by `files`"
            )

    def _put(self, info: tarfile.TarInfo, data: bytes) -> None:
        info.size = len(data)
        for part in (info.name, info.type, info.linkname, info.mode, len(data)):
            self._digest.update(f"{part!r}\n".encode())
        self._digest.update(data)
        self._archive.addfile(info, io.BytesIO(data))

    def _wrong(self, text: str) -> UserError:
        return UserError(f"bot {self._bot.name}: {text}")
