"""What is started for a bot, within which bounds, and the words for a start that failed and for an end."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.match import Bot, Limits

SIGNALS = {int(number): number.name for number in signal.Signals}


class StartError(Exception):
    """The program could not be started; the text says why, for its author."""

    def __init__(self, text: str, number: int = 0) -> None:
        """Keep the sentence and the system's error number."""
        super().__init__(text)
        self.errno = number


class MachineError(Exception):
    """The machine failed us: out of descriptors, processes or memory. No bot is to blame."""


@dataclass(frozen=True, slots=True)
class Launch:
    """What is really started for a bot, and within which bounds."""

    argv: tuple[str, ...]
    cwd: Path
    env: Mapping[str, str] = field(default_factory=dict)  # all of it; nothing is inherited
    rlimits: tuple[tuple[int, int], ...] = ()  # (resource.RLIMIT_…, value), set before the first instruction
    cpus: frozenset[int] = frozenset()  # cores that it may use; empty for those of the arena
    fds: Mapping[int, int] = field(default_factory=dict)  # its number for a descriptor: ours, from 3 on
    groups: tuple[str, ...] = ()  # files of control groups into which it writes its number
    policy: Mapping[str, Any] | None = None  # what `confine.apply` leaves open; None for everything
    scratch: Path | None = None  # a folder that is removed when it has ended, also where the arena was killed
    relays: bool = False  # a sandbox in front tells the bot's signals as a status of 128 and more
    explain: Callable[[int | None, str], str] | None = None  # by status and stderr: the limit it ran into
    done: Callable[[], None] | None = None  # called once it has ended: removes what was made for it


def plain(bot: Bot, limits: Limits) -> Launch:
    """Return a bot's launch without isolation: bounds and a clean environment, but the user's rights."""
    return Launch(bot.command, bot.folder, environment(bot), rlimits(limits))


def environment(bot: Bot) -> dict[str, str]:
    """Return what a bot sees of the environment: where programs are, a home, the bot's own settings."""
    path = os.environ.get("PATH", os.defpath)
    home = os.environ.get("HOME", str(bot.folder))
    return {"PATH": path, "HOME": home, "LANG": "C.UTF-8", **bot.env}


def rlimits(limits: Limits) -> tuple[tuple[int, int], ...]:
    """Return the limits that hold for a single process and its heirs.

    RLIMIT_DATA and not RLIMIT_AS: the latter keeps Java and Node from starting. RLIMIT_NPROC is missing
    because outside a user namespace it counts all processes of the user; a sandbox sets it inside.
    """
    bounds = [
        (resource.RLIMIT_DATA, limits.memory),
        (resource.RLIMIT_NOFILE, limits.files),
        (resource.RLIMIT_FSIZE, limits.file_size),
        (resource.RLIMIT_CORE, 0),
    ]
    if limits.cpu:
        bounds.append((resource.RLIMIT_CPU, limits.cpu))
    return tuple(bounds)


def describe(status: int | None) -> str:
    """Return a clause about a wait status, as it follows "it"."""
    if status is None:
        return "is still running"
    if status < 0:
        return f"was killed by {SIGNALS.get(-status, f'signal {-status}')}"
    hint = ""
    if status in (126, 127):
        hint = ", which a shell says of a command that it cannot run"
    elif status - 128 in SIGNALS:
        hint = f", which a shell or sandbox says of {SIGNALS[status - 128]}"
    return f"exited with status {status}{hint}"
