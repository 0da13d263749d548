"""What is wrong with a tournament's file: where it is, what was expected, what was meant perhaps."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from arena.errors import UserError
from arena.escape import printable

Path = tuple[str | int, ...]

_WORD = re.compile(r"[\w.+<()-][\w.+<() -]*")

MOST = 50  # mistakes that are shown; a file of another kind has thousands
SHOWN = 60  # characters of a wrong value that are quoted; more would hide the message


@dataclass(frozen=True, slots=True)
class Mistake:
    """One mistake; the line is 0 where the value came from no file."""

    line: int
    column: int
    place: str
    text: str

    def __str__(self) -> str:
        """Return the mistake as people read it: `line 12: bots[2].command: …`."""
        line = f"line {self.line}: " if self.line else ""
        place = f"{self.place}: " if self.place else ""
        return printable(f"{line}{place}{self.text}")


class ConfigError(UserError):
    """A wrong tournament's file, one line for each mistake in the order of the file."""

    def __init__(self, source: str, mistakes: Iterable[Mistake]) -> None:
        self.mistakes = tuple(
            sorted(dict.fromkeys(mistakes), key=lambda one: (one.line, one.column, one.place))
        )
        count = len(self.mistakes)
        head = f"{printable(source)}: {count} mistake{'s' if count > 1 else ''}"
        rest = [f"  and {count - MOST} more"] if count > MOST else []
        super().__init__("\n".join([head, *(f"  {mistake}" for mistake in self.mistakes[:MOST]), *rest]))


def format_place(path: Path) -> str:
    """Return a path as it is shown: `bots[2].command`."""
    text = ""
    for step in path:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _WORD.fullmatch(step):
            text += f".{step}" if text else step
        else:
            text += f"[{json.dumps(step, ensure_ascii=False)}]"
    return text


def nearest(word: str, known: Sequence[str]) -> str:
    """Return a hint at the known word that was meant perhaps, "" where none is near."""
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.6)
    return f"; did you mean '{near[0]}'?" if near else ""


def shown(value: Any) -> str:
    """Return a wrong value for a message: one line, bounded, collections by their kind."""
    if value is None:
        return "nothing"
    if isinstance(value, list):
        return f"a list of {len(value)}" if value else "an empty list"
    if isinstance(value, dict):
        return "keys with values" if value else "an empty mapping"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"
