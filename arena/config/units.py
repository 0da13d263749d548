"""Times and sizes with their units, as the tournament's file writes them."""

from __future__ import annotations

import re
from collections.abc import Mapping

# Digits are bounded so that no value can be absurd; the fraction is for `1.5s` and `0.5GiB`.
_NUMBER = r"[0-9]{1,9}(\.[0-9]{1,6})?"
TIME_PATTERN = rf"^{_NUMBER}(us|ms|s|m|h)$(?!\n)"
SIZE_PATTERN = rf"^{_NUMBER}(B|kB|KiB|MB|MiB|GB|GiB|TiB)$(?!\n)"

_SECOND = 1_000_000
TIMES = {"h": 3600 * _SECOND, "m": 60 * _SECOND, "s": _SECOND, "ms": 1000, "us": 1}
SIZES = {
    "TiB": 1 << 40,
    "GiB": 1 << 30,
    "GB": 10**9,
    "MiB": 1 << 20,
    "MB": 10**6,
    "KiB": 1 << 10,
    "kB": 1000,
    "B": 1,
}


def parse_time(text: str) -> int:
    """Return a time such as `250ms` in microseconds; the text matches TIME_PATTERN."""
    return _parse(text, TIME_PATTERN, TIMES)


def parse_size(text: str) -> int:
    """Return a size such as `64MiB` in bytes; the text matches SIZE_PATTERN."""
    return _parse(text, SIZE_PATTERN, SIZES)


def format_time(micros: int) -> str:
    """Return microseconds in the largest unit that divides them: `250ms`."""
    return _format(micros, TIMES, "s")


def format_size(size: int) -> str:
    """Return bytes in the largest unit that divides them: `64MiB`."""
    return _format(size, SIZES, "B")


def _parse(text: str, pattern: str, units: Mapping[str, int]) -> int:
    found = re.match(pattern, text, re.ASCII)
    if found is None:
        raise ValueError(f"{text!r} is no number with a unit of {', '.join(units)}")
    unit = found.group(2)
    whole, _, fraction = text.removesuffix(unit).partition(".")
    # In whole numbers, as 0.1 has no exact float.
    return int(whole + fraction) * units[unit] // int("1" + "0" * len(fraction))


def _format(amount: int, units: Mapping[str, int], none: str) -> str:
    if not amount:
        return f"0{none}"
    unit = next(unit for unit, factor in units.items() if amount % factor == 0)
    return f"{amount // units[unit]}{unit}"
