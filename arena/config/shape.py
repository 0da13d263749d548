"""Plain values against the model: all mistakes at once, each with its place.

msgspec checks single values fast but stops at the first mistake; so this walks the model's keys itself and
hands it one value at a time. What is wrong is left at its default, so that what is right can be checked
further.
"""

from __future__ import annotations

import math
import re
import types
from collections.abc import Callable, Iterator
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct, UnsetType

from arena.config.mistakes import Path, nearest, shown

S = TypeVar("S", bound=Struct)
Report = Callable[[Path, str], None]
MISSING = object()  # stands for a value that was wrong


def shape(kind: type[S], value: Any, report: Report, path: Path = ()) -> S | None:
    """Return the value as the struct, None where it is no mapping.

    A required key that is missing or wrong is empty in it, so that the others can be checked further.
    """
    if not isinstance(value, dict):
        report(path, f"expected keys with values ({', '.join(_names(kind))}), not {shown(value)}")
        return None
    known = {field.name: field for field in msgspec.structs.fields(kind)}
    for key in value:
        if key not in known:
            report((*path, key), f"unknown key{nearest(key, list(known)) or '; known: ' + ', '.join(known)}")
    found: dict[str, Any] = {}
    for name, field in known.items():
        required = field.default is NODEFAULT and field.default_factory is NODEFAULT
        if name in value:
            item = _value(field.type, value[name], report, (*path, name))
            if item is not MISSING:
                found[name] = item
                continue
        elif required:
            report(path, f"the key '{name}' is missing; expected {_expected(field.type)}")
        if required:
            found[name] = [] if get_origin(_choice(field.type, [])) is list else ""
    return kind(**found)


def _names(kind: type[Struct]) -> list[str]:
    return [field.name for field in msgspec.structs.fields(kind)]


def _value(kind: Any, value: Any, report: Report, path: Path) -> Any:
    """Return a value of the kind, or MISSING when it is wrong."""
    plain = _choice(kind, value)
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        report(path, f"expected {_expected(kind)}, not {shown(value)}")
        return MISSING
    if isinstance(plain, type) and issubclass(plain, Struct):
        item = shape(plain, value, report, path)
        return MISSING if item is None else item
    origin = get_origin(plain)
    if origin is list and isinstance(value, list):
        items = [_value(get_args(plain)[0], item, report, (*path, at)) for at, item in enumerate(value)]
        if MISSING in items:
            # Bots keep their numbers, so that what is said of the others names the right ones.
            return [None if item is MISSING else item for item in items] if _structs(plain) else MISSING
        value = items
    if origin is dict and isinstance(value, dict):
        items_by_key = {
            key: _value(get_args(plain)[1], item, report, (*path, key)) for key, item in value.items()
        }
        value = {key: item for key, item in items_by_key.items() if item is not MISSING}
    try:
        made = _structs(plain) and isinstance(value, list) and value
        found = value if made else msgspec.convert(value, kind)
        if isinstance(found, str) and not all(
            re.search(pattern, found) for pattern in _notes(kind, "pattern")
        ):
            raise msgspec.ValidationError
    except msgspec.ValidationError:
        report(path, f"expected {_expected(kind)}, not {shown(value)}")
        return MISSING
    return found


def _structs(plain: Any) -> bool:
    """Tell whether this is a list of structs, whose items were made already."""
    item = get_args(plain)[0] if get_origin(plain) is list else None
    return isinstance(item, type) and issubclass(item, Struct)


def _choice(kind: Any, value: Any) -> Any:
    """Return the kind without its notes, of a union the member that the value is most like."""
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) in (Union, types.UnionType):
        members = [_choice(member, value) for member in get_args(kind) if member is not UnsetType]
        lists = [member for member in members if get_origin(member) is list]
        return lists[0] if lists and isinstance(value, list) else members[0]
    return kind


def _expected(kind: Any) -> str:
    """Return the outermost words for what is expected."""
    if words := next(_notes(kind, "expected"), ""):
        return words
    plain = _choice(kind, None)
    assert issubclass(plain, Struct), f"the model does not say what {kind} expects"
    return f"keys with values ({', '.join(_names(plain))})"


def _notes(kind: Any, key: str) -> Iterator[str]:
    """Yield what the notes of a kind hold under a key, outermost first; in a union of its first member."""
    if get_origin(kind) is Annotated:
        inner, *notes = get_args(kind)
        yield from (note.extra[key] for note in reversed(notes) if note.extra and key in note.extra)
        yield from _notes(inner, key)
    elif get_origin(kind) in (Union, types.UnionType):
        yield from _notes(get_args(kind)[0], key)
