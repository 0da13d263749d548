"""Makes text from bots harmless for the place where it is shown.

Everything that a bot said (names, remarks, stderr) passes through here before it reaches a terminal,
a Markdown table or a CSV cell. HTML is escaped by the report's templates.
"""

from __future__ import annotations

import re

# C0 and C1 controls, DEL, the bidirectional controls, line separators and lone surrogates: what could
# move the cursor, set a window's title, forge a line, or show text in another order than it is stored.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>|#~!&])")
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def _escaped(found: re.Match[str]) -> str:
    code = ord(found.group())
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def printable(text: str) -> str:
    """Return the text in one line with every control character shown as an escape."""
    return _UNPRINTABLE.sub(_escaped, text)


def printable_lines(text: str) -> list[str]:
    """Return the lines of a text, split at LF alone, each made printable."""
    return [printable(line) for line in text.split("\n")]


def markdown(text: str) -> str:
    """Return the text so that Markdown shows it as it is, in a table's cell too."""
    return _MARKDOWN.sub(r"\\\1", printable(text))


def csv_cell(text: str) -> str:
    """Return the text so that no spreadsheet takes it for a formula; numbers are not text and stay."""
    text = printable(text)
    return f"'{text}" if text.startswith(_FORMULA) else text
