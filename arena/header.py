"""What was run: the first line of a journal, and whether a later run may go on from it.

More rounds and more bots extend a tournament; anything else that decides results is refused with its name,
and so is a bot whose program changed, unless the user says that it is the same bot all the same. What only
may matter (another Python, machine or isolation) is told.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena import __version__
from arena.config import Config, differences
from arena.errors import UserError
from arena.interpreters import is_system
from arena.journal import FORMAT
from arena.match import Bot

Header = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Agreed:
    """The header to go on with, and what the user should know about it."""

    header: Header
    notices: tuple[str, ...] = ()


def make(config: Config, isolation: Mapping[str, Any], when: str) -> Header:
    """Return the header of a run that begins now; the bots are built already."""
    configuration = config.dump()
    return {
        "format": FORMAT,
        "name": config.name,
        "configuration": configuration,
        "digest": digest(configuration),
        "arena": __version__,
        "python": platform.python_version(),
        "machine": {
            "system": f"{platform.system()} {platform.release()}",
            "processor": _processor(),
            "cpus": os.cpu_count() or 1,
        },
        "isolation": dict(isolation),
        "files": all_hashes(config),
        "begun": when,
        "changes": [],
    }


def digest(configuration: Mapping[str, Any]) -> str:
    """Return a short name for a configuration: equal ones have equal names."""
    text = json.dumps(configuration, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def all_hashes(config: Config) -> dict[str, dict[str, str]]:
    """Return `hashes` of all bots by name."""
    return {bot.name: hashes(bot, config.folder) for bot in config.bots}


def hashes(bot: Bot, base: Path) -> dict[str, str]:
    """Return the files that make up a bot's program, relative to the base, each with its SHA-256.

    The words of its command that are files, and what it declares in `files`; interpreters of the system are
    no part of it.
    """
    return {os.path.relpath(path, base): _hash(path) for path in sorted(set(_files(bot)))}


def _files(bot: Bot) -> Iterator[Path]:
    for word in bot.command:
        path = Path(word)
        if path.is_absolute() and path.is_file() and not _interpreter(path):
            yield path
    for name in bot.files:
        path = bot.folder / name
        if path.is_dir():
            yield from (inner for inner in path.rglob("*") if inner.is_file())
        elif path.is_file():
            yield path


def _interpreter(path: Path) -> bool:
    return path == Path(sys.executable) or is_system(path.resolve())


def _hash(path: Path) -> str:
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:  # a program may be executable and not readable
        return f"unreadable: {error.strerror}"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.machine()


def refuse_differences(before: Header, config: Config, path: Path) -> None:
    """Raise UserError that names what of a configuration forbids to go on from a header."""
    if before.get("format") != FORMAT or not isinstance(before.get("configuration"), dict):
        raise UserError(
            f"{path}: the first line is not the header of a journal of format {FORMAT}; "
            "another version of the arena wrote it, or something else did"
        )
    found = differences(before["configuration"], config.dump())
    if found:
        raise UserError(
            f"{path} holds a different tournament:\n"
            + "\n".join(f"  {difference}" for difference in found)
            + "\nUndo the change, or begin a new one with another `output` (--output FOLDER)."
        )


def agree(before: Header, now: Header, games: int, path: Path, *, accept: bool = False) -> Agreed:
    """Return the header to go on with after `games` matches of the same or an extended configuration.

    UserError names the bots whose programs changed; with `accept` they are let pass, and noted in the
    header's `changes`.
    """
    # What a cluster's machines build is built there: here it may be missing, or have come with a local run.
    elsewhere = "parcels" in before or "parcels" in now
    changed = changed_files(before["files"], now["files"], in_both=elsewhere)
    if changed and not accept:
        raise UserError(
            f"{path} was played by other programs:\n"
            + "\n".join(f"  {change}" for change in changed)
            + "\nGive a changed bot a new name, or begin with another `output` (--output FOLDER); "
            "--accept-changed-bots goes on, and notes it in the journal."
        )
    return _merge(before, now, games, changed)


def changed_files(before: Mapping[str, Any], now: Mapping[str, Any], *, in_both: bool = False) -> list[str]:
    """Return what is different in the programs of bots that are in both, a clause each.

    With `in_both` only of files that are, too.
    """
    found = []
    for name in sorted(before.keys() & now.keys()):
        old, new = before[name], now[name]
        for path in sorted(old.keys() & new.keys() if in_both else old.keys() | new.keys()):
            if path not in new:
                found.append(f"bot {name}: {path} is no more part of it")
            elif path not in old:
                found.append(f"bot {name}: {path} is new")
            elif old[path] != new[path]:
                found.append(f"bot {name}: {path} has changed")
    return found


def _merge(before: Header, now: Header, games: int, changed: list[str]) -> Agreed:
    notices = [
        f"going on with {what} {now[key]}; the tournament began with {before.get(key)}"
        for key, what in (("arena", "arena"), ("python", "Python"))
        if before.get(key) != now[key]
    ]
    tiers = [one.get("isolation", {}).get("tier") for one in (before, now)]
    if tiers[0] != tiers[1]:
        notices.append(f"going on with isolation {tiers[1]}; the tournament began with {tiers[0]}")
    if before.get("machine") != now["machine"]:
        notices.append("going on with another machine or kernel than the tournament began with")
    # Only told: by default a parcel is a whole folder, and not all in it matters to a bot.
    parcels = [one.get("parcels", {}) for one in (before, now)]
    notices += [
        f"bot {name}: something in its folder has changed since the tournament began"
        for name in sorted(parcels[0].keys() & parcels[1].keys())
        if parcels[0][name] != parcels[1][name]
    ]
    notices += [f"{change}; going on all the same" for change in changed]
    if before["configuration"] == now["configuration"] and not changed:
        return Agreed(before, tuple(notices))
    change = {"when": now["begun"], "games": games, "digest": before["digest"]}
    if changed:
        change["bots"] = changed
    return Agreed(
        {**now, "begun": before["begun"], "changes": [*before.get("changes", []), change]}, tuple(notices)
    )
