r"""Golden conversations as text: the files of `transcripts/`, which are the specification's examples.

One line is one step, told by how it begins:

    > go 1000 0     the referee says this line
    < move yd7      the bot says this line; \r, \t, \\ and \xNN stand for bytes, and LF ends it
    <| mov          the bot has sent this much, and no end of the line
    <.              the bot's stdout ends
    ~ 1200          so many milliseconds pass before the bot speaks
    ! timeout       the referee finds the bot at fault
    # like this     a comment

Reading and writing only. What both sides make of a conversation is for tests to say, and for authors of
bots who want to try theirs against it.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "transcripts"
_ESCAPE = re.compile(rb"\\(?:x([0-9a-f]{2})|([rt\\]))")
_ESCAPED = {b"r": b"\r", b"t": b"\t", b"\\": b"\\"}
_LONGEST_FIRST = ("<|", "<.", ">", "<", "~", "!", "#")


class Mark(enum.StrEnum):
    """How a step begins."""

    REFEREE = ">"
    BOT = "<"
    BEGUN = "<|"
    END = "<."
    WAIT = "~"
    FAULT = "!"
    COMMENT = "#"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a conversation: who does what."""

    mark: Mark
    text: str = ""

    @property
    def data(self) -> bytes:
        """Return the bytes that go over the wire in this step."""
        if self.mark is Mark.REFEREE:
            return self.text.encode("ascii") + b"\n"
        if self.mark in (Mark.BOT, Mark.BEGUN):
            raw = _ESCAPE.sub(_unescape, self.text.encode("ascii"))
            return raw + b"\n" if self.mark is Mark.BOT else raw
        return b""


def _unescape(found: re.Match[bytes]) -> bytes:
    return bytes([int(found[1], 16)]) if found[1] else _ESCAPED[found[2]]


def show(data: bytes) -> str:
    """Return bytes of a bot as a step writes them."""
    names = {value: key.decode() for key, value in _ESCAPED.items()}
    return "".join(
        f"\\{names[byte]}"
        if (byte := bytes([code])) in names
        else chr(code)
        if 32 <= code < 127
        else f"\\x{code:02x}"
        for code in data
    )


def parse(text: str) -> list[Step]:
    """Read a conversation; ValueError names the line that is none."""
    steps = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line:
            continue
        for mark in _LONGEST_FIRST:
            if line == mark or line.startswith(f"{mark} "):
                steps.append(Step(Mark(mark), line[len(mark) + 1 :]))
                break
        else:
            raise ValueError(f"line {number} is no step of a conversation: {line!r}")
    return steps


def format(steps: list[Step]) -> str:  # noqa: A001 - the pair of parse
    """Write a conversation."""
    return "".join(f"{step.mark} {step.text}".rstrip() + "\n" for step in steps)


def names() -> list[str]:
    """Return the names of all golden conversations."""
    return sorted(path.stem for path in FOLDER.glob("*.txt"))


def load(name: str) -> list[Step]:
    """Read a golden conversation."""
    return parse((FOLDER / f"{name}.txt").read_text(encoding="ascii"))
