"""What came of a trial: the values that an examination gives out."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any


class Outcome(enum.StrEnum):
    """How a trial ended."""

    PASSED = "passed"
    FAILED = "failed"
    NOTED = "noted"  # said, not judged
    SKIPPED = "skipped"  # does not hold for this bot
    UNTRIED = "untried"  # a trial that it needs has failed


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of one trial, with all that its author needs to mend the bot."""

    name: str
    title: str
    outcome: Outcome
    text: str = ""
    hint: str = ""
    conversation: tuple[str, ...] = ()  # as a transcript, around the failure
    stderr: str = ""  # its newest part

    def dump(self) -> dict[str, Any]:
        """Return the JSON form."""
        return {
            "name": self.name,
            "title": self.title,
            "outcome": self.outcome.value,
            "text": self.text,
            "hint": self.hint,
            "conversation": list(self.conversation),
            "stderr": self.stderr,
        }


class Failed(Exception):
    """The bot failed a trial: what it did, and how such a thing is usually mended."""

    def __init__(self, text: str, hint: str = "") -> None:
        """Keep both sentences."""
        super().__init__(text)
        self.hint = hint


class Noted(Exception):
    """There is nothing to judge; the text is what is worth knowing."""


class Skipped(Exception):
    """The trial does not apply; the text says why."""
