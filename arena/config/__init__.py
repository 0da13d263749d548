"""The tournament's file: YAML in, checked values out, every mistake with its place.

`load` reads a file, `from_values` takes the same keys from a program (`arena match`). Both give a `Config`
or raise `ConfigError` with all mistakes at once. Nothing is started here, and no bot is looked for: that a
program exists and runs is checked before the first match, when `build` has made it.
"""

from __future__ import annotations

from arena.config.file import MAX_BYTES, from_values, load, parse
from arena.config.mistakes import ConfigError, Mistake
from arena.config.values import Config, Format, Ratings, Sandbox, Schedule, Seats, Stop, differences

__all__ = [
    "MAX_BYTES",
    "Config",
    "ConfigError",
    "Format",
    "Mistake",
    "Ratings",
    "Sandbox",
    "Schedule",
    "Seats",
    "Stop",
    "differences",
    "from_values",
    "load",
    "parse",
]
