"""Sentences for the author of a bot: what was wrong with its bytes, and how that is usually mended.

Every sentence is one line of printable ASCII, whatever the bytes were, and of bounded length. What is wrong
is decided in `connection`; here it is only put into words.
"""

from __future__ import annotations

import re

_QUOTED = 80  # bytes of a bot's line that a sentence shows
_DEBUG = "if this is a debug print, send it to stderr, or as a remark that begins with #"
_REFEREE_WORDS = re.compile(rb"(?:arena|game|setup|start|play|draw|out|state|moves|go|end|error|quit)(?: |$)")
_ACTION = re.compile(rb"(?=[^0-9]*[0-9])[!-~]{1,12}")  # most games name spaces with numbers


def quote(line: bytes) -> str:
    """Return the beginning of a line between quotes, with everything but printable ASCII escaped."""
    shown = ascii(line[:_QUOTED].decode("latin-1"))
    return f"{shown} and {len(line) - _QUOTED} bytes more" if len(line) > _QUOTED else shown


def early(line: bytes, moment: str, moved: bool) -> str:
    """Say that the bot spoke before it was asked."""
    return unexpected(line.rstrip(b"\r\n"), moment, moved)


def unexpected(line: bytes, moment: str, moved: bool) -> str:
    """Say that a line came which this moment does not allow."""
    if line.startswith(b"move ") and "move" not in moment:
        if moved:
            return (
                f"the bot sent {quote(line)} when {moment}: a second move for one `go`; "
                "each `go` asks for exactly one `move`, wait for the next"
            )
        return f"the bot sent {quote(line)} when {moment}; wait for `go` and answer it with one `move`"
    if line.startswith(b"ready") and "ready" not in moment:
        return f"the bot sent {quote(line)} when {moment}; `ready` answers `arena` and `start`, once each"
    return f"the bot sent {quote(line)} when {moment}; {_mend(line, moment)}"


def unreadable(line: bytes, moment: str, reason: str) -> str:
    """Say that a line cannot be read at all."""
    if reason and line.isascii() and all(32 <= byte < 127 for byte in line):
        return f"the bot sent {quote(line)} when {moment}; {reason}"
    return f"the bot sent {quote(line)}, which is not a line of printable ASCII; {_mend(line, moment)}"


def too_long(line: bytes, limit: int) -> str:
    """Say that a line is longer than any may be."""
    return (
        f"the bot sent a line of more than {limit} bytes, which begins with {quote(line[:_QUOTED])}; "
        "end each line with a newline, and keep long output for stderr"
    )


def flood(limit: int) -> str:
    """Say that the bot wrote much more than anybody asked for."""
    return f"the bot sent more than {limit} bytes that nobody had asked for; {_DEBUG}"


def remarks(lines: int, size: int) -> str:
    """Say that there were too many remarks for one action."""
    return (
        f"the bot sent more than {lines} remarks or {size} bytes of them for one action; "
        "keep long output for stderr"
    )


def unfinished(data: bytes) -> str:
    """Return a clause about what came and was not taken: a line without its end, or one that was late."""
    line = data.lstrip(b" \t")
    whole, end, _ = line.partition(b"\n")
    if end:
        return f"its answer {quote(whole)} came too late"
    if line.endswith(b"\r") and line.count(b"\r") >= 1:
        return f"it had sent {quote(line)}, ended by CR only; end lines with LF (\\n)"
    return f"it had sent {quote(line)} without the end of the line; end each line with a newline and flush"


def _mend(line: bytes, moment: str) -> str:
    """Return the usual remedy for a line that is none of the protocol's."""
    if not line:
        return "an empty line is no answer: a print of text that ends with a newline already adds one"
    if line.startswith(b"\xef\xbb\xbf"):
        return "it begins with a UTF-8 byte order mark (BOM): write plain ASCII, without one"
    if line.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in line:
        return "this looks like UTF-16 or binary data: write plain ASCII, one byte a character"
    if b"\x1b" in line:
        return "it holds terminal escapes (colours): write them to stderr only"
    if b"\r" in line:
        return "it holds a CR within the line: end lines with LF (\\n), not with CR alone"
    if b"\t" in line:
        return "it holds a tab: words are separated by one space"
    if any(byte > 126 for byte in line):
        return f"it holds characters outside ASCII; {_DEBUG}, escaped to ASCII"
    if _REFEREE_WORDS.match(line):
        return "this is the referee's own line: do not echo the input"
    if line.lower().startswith((b"move", b"ready")):
        return "the words `move` and `ready` stand first, in lower case, followed by one space"
    if "`move` is due" in moment and _ACTION.fullmatch(line):
        return f"an action follows the word `move`: `move {line.decode('ascii')}`; {_DEBUG}"
    return _DEBUG
