"""YAML text to plain values, with the place of each in the text.

Read from PyYAML's parser events, so that nothing is ever constructed that was not asked for. Booleans and
numbers have their YAML 1.2 meaning: `no`, `on`, `010` and `1:30` are text, `1e3` is a number. What makes a
file ambiguous or huge is refused: duplicate keys, anchors, aliases, tags, several documents, deep nesting.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from arena.config.mistakes import Mistake, Path, format_place

# Deeper than any key of the file needs; a bound of our own, as recursion would end in a traceback.
MAX_DEPTH = 32

_NULL = re.compile(r"null|Null|NULL|~|")
_TRUE = re.compile(r"true|True|TRUE")
_FALSE = re.compile(r"false|False|FALSE")
# A leading zero stays text, as people disagree about what `010` is. Digits are bounded: int() of thousands
# of them is slow, and no key takes so many.
_INT = re.compile(r"[-+]?(0|[1-9][0-9]{0,29})")
_BASED = re.compile(r"0o[0-7]{1,30}|0x[0-9a-fA-F]{1,30}")
_FLOAT = re.compile(
    r"[-+]?([0-9]{1,30}\.[0-9]{0,30}|\.[0-9]{1,30}|[0-9]{1,30}(?=[eE]))([eE][-+]?[0-9]{1,4})?"
)
_INFINITE = re.compile(r"([-+]?)\.(?:inf|Inf|INF)")
_NAN = re.compile(r"\.(?:nan|NaN|NAN)")


@dataclass(slots=True)
class Document:
    """The values of a text, where each stands (line and column from 1), and what is wrong with the text."""

    value: Any = None
    places: dict[Path, tuple[int, int]] = field(default_factory=dict)
    keys: dict[Path, tuple[int, int]] = field(default_factory=dict)  # where the key of each value stands
    mistakes: list[Mistake] = field(default_factory=list)


class _Unreadable(Exception):
    """The text cannot be read any further; the mistake is noted already."""


def parse(text: str) -> Document:
    """Read a YAML text; whatever is wrong with it is in `mistakes`, and nothing raises."""
    if yaml.__with_libyaml__:
        # Some ten times as fast, which shows in a file near 1 MiB. What it refuses is read again in Python,
        # so that the words of a message do not depend on how PyYAML was built.
        with contextlib.suppress(yaml.YAMLError):
            return _parse(text, yaml.CSafeLoader)
    return _parse_slowly(text)


def _parse(text: str, loader: Any) -> Document:
    document = Document()
    with contextlib.suppress(_Unreadable):
        _Reader(document, yaml.parse(text, Loader=loader)).read()
    return document


def _parse_slowly(text: str) -> Document:
    """Read a YAML text with the parser in Python, whose messages are the ones shown."""
    document = Document()
    try:
        return _parse(text, yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        document.mistakes.append(Mistake(line, column, "", f"not YAML: {_words(error)}"))
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        wrong = f"not YAML: the character U+{int(error.character):04X} may not stand in a file"
        document.mistakes.append(Mistake(line, 0, "", wrong))
    return document


def scalar(text: str) -> str | int | float | bool | None:
    """Return what a plain word means: null, boolean, number, otherwise text."""
    if _NULL.fullmatch(text):
        return None
    if _TRUE.fullmatch(text):
        return True
    if _FALSE.fullmatch(text):
        return False
    if _INT.fullmatch(text):
        return int(text)
    if _BASED.fullmatch(text):
        return int(text, 0)
    if _FLOAT.fullmatch(text):
        return float(text)
    if found := _INFINITE.fullmatch(text):
        return float(f"{found.group(1)}inf")
    if _NAN.fullmatch(text):
        return float("nan")
    return text


def _short(tag: str) -> str:
    return tag.replace("tag:yaml.org,2002:", "!!")


def _words(error: yaml.MarkedYAMLError) -> str:
    """Return what the parser says, with the line in which it began where that is another."""
    words = [word for word in (error.problem, error.context) if word]
    begun, found = error.context_mark, error.problem_mark
    if begun and found and begun.line != found.line:
        words.append(f"which began in line {begun.line + 1}")
    return ", ".join(words)


def _position(event: Any) -> tuple[int, int]:
    return event.start_mark.line + 1, event.start_mark.column + 1


class _Reader:
    """Builds values from the parser's events, one document's worth."""

    def __init__(self, document: Document, events: Iterable[Any]) -> None:
        self.document = document
        self.events: Iterator[Any] = iter(events)

    def read(self) -> None:
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if self.document.places:
                    self.wrong(event, (), "the file holds a second document; expected one")
                    return
                self.document.value = self.value(next(self.events), ())

    def wrong(self, event: Any, path: Path, text: str) -> None:
        line, column = _position(event)
        self.document.mistakes.append(Mistake(line, column, format_place(path), text))

    def value(self, event: Any, path: Path) -> Any:
        if len(path) > MAX_DEPTH:
            self.wrong(event, path[:4], "too deeply nested")
            raise _Unreadable
        self.document.places[path] = _position(event)
        if isinstance(event, yaml.AliasEvent):
            self.wrong(
                event, path, f"aliases are not allowed; write the value out in place of *{event.anchor}"
            )
            return None
        if event.anchor:
            self.wrong(event, path, f"anchors are not allowed; take &{event.anchor} away")
        if event.tag:
            self.wrong(event, path, f"tags are not allowed; take {_short(event.tag)} away")
        if isinstance(event, yaml.ScalarEvent):
            return event.value if event.style else scalar(event.value)
        if isinstance(event, yaml.SequenceStartEvent):
            return self.sequence(path)
        return self.mapping(path)

    def sequence(self, path: Path) -> list[Any]:
        items: list[Any] = []
        while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
            items.append(self.value(event, (*path, len(items))))
        return items

    def mapping(self, path: Path) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            if not isinstance(event, yaml.ScalarEvent):
                self.wrong(event, path, "expected a plain word as key")
                raise _Unreadable
            if event.anchor or event.tag:
                self.wrong(event, path, "anchors and tags are not allowed")
            key = event.value
            place = (*path, key)
            if key in found:
                first = self.document.keys[place][0]
                self.wrong(event, path, f"the key '{key}' is here twice, first in line {first}")
                # Read for its own mistakes, under a name that keeps the first value's places.
                self.value(next(self.events), (*path, f"{key} (second)"))
                continue
            self.document.keys[place] = _position(event)
            found[key] = self.value(next(self.events), place)
        return found
