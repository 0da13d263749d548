"""The append-only record of a tournament, `games.jsonl`: the only truth, everything else is worked out.

The first line says what was run, each further line is one finished match. A line is one JSON object that
ends with a checksum of all its bytes before; one that was torn by a crash is told from a whole one without
reading JSON. What a reader wants most (who, places, faults) stands before the set-up and the actions, so
that a table is made from the first few hundred bytes of each line.

This module knows bytes, lines and damage. It plays nothing, and does not know what a header means.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import zlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Self

import msgspec

from arena.errors import UserError
from arena.folder import Folder, FolderError

NAME = "games.jsonl"
QUARANTINE = "games.quarantine"
FORMAT = 1

# A kill loses nothing that was written; a power cut loses what was not synced. A sync takes some 0.4 ms.
SLOW = 50_000  # µs: matches that take longer are synced one by one
LATEST = 100_000  # µs: of quick ones no more than this is at stake

_HEAD = (
    "id",
    "block",
    "round",
    "bots",
    "void",
    "final",
    "text",
    "scores",
    "ranks",
    "fingerprint",
    "faults",
    "cpu",
)
_BODY = b',"setup":'  # cannot stand inside a JSON string, where quotes are escaped
_SEAL = re.compile(rb',"crc":"([0-9a-f]{8})"\}\n')
_SEAL_LENGTH = len(b',"crc":"00000000"}\n')

Record = dict[str, Any]


class Damaged(UserError):
    """A line that is not as it was written, elsewhere than at the end where a crash leaves one."""

    def __init__(self, path: Path, line: int, hint: str) -> None:
        super().__init__(f"{path}, line {line}: the record is damaged; {hint}")
        self.line = line


def encode(record: Mapping[str, Any]) -> bytes:
    """Return a record as a sealed line of the journal."""
    ordered = {key: record[key] for key in _HEAD if key in record}
    ordered.update(record)
    body = _dumped(ordered)[:-1]
    return b'%s,"crc":"%08x"}\n' % (body, zlib.crc32(body))


def _dumped(record: Record) -> bytes:
    """Return JSON in ASCII alone: some readers take U+2028 and its like for the end of a line."""
    with contextlib.suppress(UnicodeEncodeError):  # half a surrogate pair, which only escapes can hold
        text = msgspec.json.encode(record)  # five times as fast as the standard library's
        if text.isascii():
            return text
    return json.dumps(record, separators=(",", ":"), allow_nan=False).encode("ascii")


def intact(line: bytes) -> bool:
    """Tell whether a line is whole and as it was written."""
    seal = _SEAL.fullmatch(line, max(0, len(line) - _SEAL_LENGTH))
    return seal is not None and int(seal[1], 16) == zlib.crc32(memoryview(line)[:-_SEAL_LENGTH])


def decode(line: bytes) -> Record:
    """Return the whole record of an intact line."""
    return _loaded(line[:-_SEAL_LENGTH] + b"}")


def head(line: bytes) -> Record:
    """Return what stands before the set-up in an intact line: id, block, round, bots, ranks, faults, …"""
    end = line.find(_BODY)
    return _loaded(line[: end if end >= 0 else -_SEAL_LENGTH] + b"}")


def _loaded(text: bytes) -> Record:
    try:
        record = msgspec.json.decode(text)
    except msgspec.DecodeError:  # half a surrogate pair, as above
        record = json.loads(text)
    assert isinstance(record, dict)
    return record


def read_header(folder: Path) -> Record:
    """Return the first line of a folder's journal; UserError where there is none."""
    with _opened(folder / NAME) as file:
        line = file.readline()
    if not intact(line):
        raise Damaged(folder / NAME, 1, "the journal cannot be read without its first line")
    return decode(line)


def records(folder: Path) -> Iterator[Record]:
    """Give every record of a folder's journal, void ones included, in constant memory."""
    return map(decode, _finished(folder / NAME))


def heads(folder: Path) -> Iterator[Record]:
    """Give the head of every record; many times faster than `records`."""
    return map(head, _finished(folder / NAME))


def _finished(path: Path) -> Iterator[bytes]:
    """Give the intact lines after the first; an unfinished last one may be a run at work, and is left out."""
    for number, line, last in _lines(path):
        if number == 1:
            continue
        if intact(line):
            yield line
        elif not last:
            raise Damaged(path, number, "`arena tournament FILE --repair` sets it aside")


def _opened(path: Path) -> contextlib.AbstractContextManager[Any]:
    try:
        return open(path, "rb", buffering=1 << 20)
    except FileNotFoundError:
        raise UserError(f"{path.parent} holds no results: there is no {path.name}") from None
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error


def _lines(path: Path) -> Iterator[tuple[int, bytes, bool]]:
    """Give the lines of a file with their number and whether it is the last."""
    with _opened(path) as file:
        number, line = 1, file.readline()
        while line:
            following = file.readline()
            yield number, line, not following
            number, line = number + 1, following


class Journal:
    """A journal opened for writing by the run that holds its folder.

    `recover` first, to learn what is there; then `begin`, which makes the header durable; then `append`.
    """

    def __init__(self, folder: Folder, now: Callable[[], int]) -> None:
        self.path = folder.path / NAME
        self.notices: list[str] = []
        self._folder = folder
        self._now = now
        self._synced = now()
        self._waiting = False  # something was appended that is not synced
        try:
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise UserError(f"cannot write {self.path}: {error.strerror}") from error
        self._size = os.fstat(self._file).st_size
        self.header: Record | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def recover(self, *, repair: bool = False) -> Iterator[Record]:
        """Set `header`, give the head of every record, and mend what a crash left.

        A damaged last line is cut off. One elsewhere is no crash's work: it is refused, or with `repair` set
        aside in a file of its own. Must be run to its end.
        """
        good, bad = 0, 0
        for number, line, last in _lines(self.path):
            if intact(line):
                good += len(line)
                if number == 1:
                    self.header = decode(line)
                else:
                    yield head(line)
            elif last:
                self._cut(good if not bad else self._size - len(line))
                self.notices.append(
                    f"{self.path}: dropped 1 unfinished record ({len(line)} bytes); it is played again"
                    if number > 1
                    else f"{self.path}: dropped an unfinished first line ({len(line)} bytes)"
                )
            elif not repair:
                raise Damaged(self.path, number, "run again with --repair to set it aside")
            else:
                bad += 1
        if bad:
            self._quarantine()
            self.notices.append(
                f"{self._folder.path / QUARANTINE}: {bad} damaged line{'s' * (bad > 1)} set aside"
            )

    def begin(self, header: Mapping[str, Any]) -> None:
        """Make the header durable as the first line; one that differs is replaced together with the file."""
        if self.header is None and self._size == 0:
            self._write(encode(header))
            self._sync()
            self._folder.sync()
        elif self.header != header:
            self._rewrite(encode(header), keep=lambda number, line: number > 1 or self.header is None)
        self.header = dict(header)

    def append(self, lines: bytes, lasted: int = SLOW) -> None:
        """Write sealed lines; when this returns, their matches count. `lasted`: the longest one's time in µs.

        FolderError where the disk does not take them; the journal then holds those that it took whole.
        """
        self._write(lines)
        self._waiting = True
        if lasted >= SLOW or self._now() - self._synced >= LATEST:
            self._sync()

    def due(self) -> int | None:
        """Return the moment by which `sync` is to be called, None when nothing waits for it."""
        return self._synced + LATEST if self._waiting else None

    def sync(self) -> None:
        """Make durable what waits for it, if its time has come."""
        if self._waiting and self._now() - self._synced >= LATEST:
            self._sync()

    def close(self) -> None:
        """Make everything durable and close the file."""
        if self._file >= 0:
            try:
                if self._waiting:
                    self._sync()
            finally:
                os.close(self._file)
                self._file = -1

    def disown(self) -> None:
        """Close the descriptor in a forked child."""
        os.close(self._file)
        self._file = -1

    def _write(self, lines: bytes) -> None:
        """Append lines, each whole or not at all."""
        rest = memoryview(lines)
        try:
            while rest:
                # A disk that fills up takes a part first, and refuses only the rest.
                rest = rest[os.write(self._file, rest) :]
        except OSError as error:
            self._size += lines.rfind(b"\n", 0, len(lines) - len(rest)) + 1
            with contextlib.suppress(OSError):  # a torn tail is mended by the next run too
                os.ftruncate(self._file, self._size)
            raise self._failed(error) from error
        self._size += len(lines)

    def _sync(self) -> None:
        self._waiting = False  # where this fails there is nothing to try again: the run ends
        try:
            os.fdatasync(self._file)
            gone = os.fstat(self._file).st_nlink == 0
        except OSError as error:
            raise self._failed(error) from error
        if gone:
            raise FolderError(f"{self.path} was deleted while the tournament ran; what it held is lost")
        self._synced = self._now()

    def _failed(self, error: OSError) -> FolderError:
        return FolderError(
            f"cannot write {self.path}: {error.strerror}; the matches recorded so far are safe, "
            "and the same command goes on from there"
        )

    def _cut(self, size: int) -> None:
        os.ftruncate(self._file, size)
        os.fsync(self._file)
        self._size = size

    def _quarantine(self) -> None:
        """Move the damaged lines out of the journal into a file beside it, which only grows."""
        with open(self._folder.path / QUARANTINE, "ab") as aside:
            for _, line, _ in _lines(self.path):
                if not intact(line):
                    aside.write(line)
            aside.flush()
            os.fsync(aside.fileno())
        self._rewrite(b"", keep=lambda number, line: intact(line))

    def _rewrite(self, first: bytes, keep: Callable[[int, bytes], bool]) -> None:
        """Put a new file in the journal's place: a first line, and those of the old lines that are kept."""
        with self._folder.replacing(NAME) as fresh:
            fresh.write(first)
            for number, line, _ in _lines(self.path):
                if keep(number, line):
                    fresh.write(line)
        os.close(self._file)
        self._file = os.open(self.path, os.O_RDWR | os.O_APPEND | os.O_CLOEXEC)
        self._size = os.fstat(self._file).st_size
