"""What a referee wants to be done: the effects that its observations return.

`match.Played` is an effect too: an action to be recorded, which the result will hold with all others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from arena.match import Played, Result


class Ask(NamedTuple):
    """Write this; an answer is due within so many microseconds of the writing.

    A tuple, as `Played` is and for the same reason.
    """

    seat: int
    data: bytes
    allowed: int


@dataclass(frozen=True, slots=True)
class Open:
    """A program is needed on this seat; the answer is `started` or `failed`."""

    seat: int


@dataclass(frozen=True, slots=True)
class Send:
    """Write this; nothing is due."""

    seat: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Stop:
    """End the program on this seat with all that came of it."""

    seat: int


@dataclass(frozen=True, slots=True)
class Finish:
    """The match is over."""

    result: Result


Effect = Open | Ask | Send | Stop | Finish | Played
