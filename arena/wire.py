"""Writes down everything that is said between the arena and the bots, for people to read.

One line of the file is one line that was said, or a piece of one, with its time, seat, bot and direction:

    12.345678 0 greedy > go 1000 0
    12.346021 0 greedy < move yd7
    12.346100 0 greedy ! a line of its stderr

Bytes that are not printable ASCII are shown as escapes; what came without its line end ends in `\\`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TextIO

SHOWN = 8192  # bytes of a piece; a flood is not worth a disk
_ESCAPES = {byte: f"\\x{byte:02x}" for byte in range(256) if not 32 <= byte < 127}


class WireLog:
    """A file that is told everything; each write is on disk at once, so that a hang can be read."""

    def __init__(self, file: TextIO, now: Callable[[], int]) -> None:
        """Write to an open file; times count from here, in microseconds of the clock `now`."""
        self._file = file
        self._now = now
        self._began = now()

    def __call__(self, seat: int, name: str, way: str, data: bytes) -> None:
        """Note what was said: `way` is > to a bot, < from it, ! on its stderr (where the seat is unknown)."""
        at = (self._now() - self._began) / 1e6
        place = "-" if seat < 0 else str(seat)
        pieces = data[:SHOWN].split(b"\n")
        ends = ["" for _ in pieces[:-1]] + ["\\"]
        lines = [
            f"{at:.6f} {place} {name} {way} {_shown(piece)}{end}\n"
            for piece, end in zip(pieces, ends, strict=True)
            if piece or not end
        ]
        if len(data) > SHOWN:
            lines.append(f"{at:.6f} {place} {name} {way} … {len(data) - SHOWN} bytes more\n")
        self._file.write("".join(lines))
        self._file.flush()


def _shown(piece: bytes) -> str:
    return piece.decode("latin-1").translate(_ESCAPES)
