"""Control groups: the only bound on what a bot and all its children use together.

A group holds one bot's processes and bounds their memory and their number. Both versions of the kernel's
interface are served (cgroups(7)): version 2, and the separate hierarchies of version 1. Whether a group can
be had depends on rights; `find` says why not. This module reads and writes files below /sys/fs/cgroup and
starts nothing: a process joins by writing its number into `Group.joins`, before it becomes the bot.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.match import Limits

PREFIX = "arena-"
_CONTROLLERS = ("memory", "pids")


@dataclass(frozen=True, slots=True)
class Place:
    """Where groups can be made: by controller the folder, one and the same folder in version 2."""

    folders: tuple[Path, Path]  # memory, pids

    @property
    def unified(self) -> bool:
        """Tell whether this is version 2."""
        return self.folders[0] == self.folders[1]


@dataclass(frozen=True, slots=True)
class Group:
    """The control group of one bot."""

    folders: tuple[Path, Path]  # memory, pids

    @property
    def joins(self) -> list[str]:
        """Return the files into which a process writes its number to join."""
        return sorted({str(folder / "cgroup.procs") for folder in self.folders})

    def exceeded(self) -> str:
        """Return which limit its processes ran into: "memory", "processes", or "" for none."""
        if self._count("memory.events", "oom_kill") or self._count("memory.oom_control", "oom_kill"):
            return "memory"
        if self._count("pids.events", "max"):
            return "processes"
        return ""

    def _count(self, file: str, key: str) -> int:
        for folder in self.folders:
            with contextlib.suppress(OSError):  # the other version's file
                for line in (folder / file).read_text().splitlines():
                    name, _, value = line.partition(" ")
                    if name == key:
                        return int(value)
        return 0

    def remove(self) -> bool:
        """Remove the group; False while a process is still in it."""
        for folder in set(self.folders):
            try:
                folder.rmdir()
            except FileNotFoundError:
                continue
            except OSError:
                return False
        return True


def _mounts(text: str) -> Iterator[tuple[str, str, set[str]]]:
    """Yield (type, folder, options) of the control-group mounts in /proc/mounts."""
    for line in text.splitlines():
        fields = line.split()
        if len(fields) >= 4 and fields[2] in ("cgroup", "cgroup2"):
            yield fields[2], fields[1].replace("\\040", " "), set(fields[3].split(","))


def _own_paths(text: str) -> dict[str, str]:
    """Return from /proc/self/cgroup the own path by controller; version 2 has the key ""."""
    paths = {}
    for line in text.splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            paths[controller] = path
    return paths


def candidates(mounts: str, own: str) -> Iterator[Place]:
    """Yield the places where groups might be made, from the texts of /proc/mounts and /proc/self/cgroup."""
    paths = _own_paths(own)
    found: dict[str, Path] = {}
    for kind, mount, options in _mounts(mounts):
        if kind == "cgroup2" and "" in paths:
            here = Path(mount) / paths[""].lstrip("/")
            # Only the root may have both processes and children with controllers: so beside the own group.
            folder = here if here == Path(mount) else here.parent
            yield Place((folder, folder))
        for controller in _CONTROLLERS:
            if kind == "cgroup" and controller in options and controller in paths:
                found[controller] = Path(mount) / paths[controller].lstrip("/")
    if len(found) == len(_CONTROLLERS):
        yield Place((found["memory"], found["pids"]))


def find() -> tuple[Place | None, str]:
    """Return where groups can really be made, or None and the reason, by making one."""
    try:
        mounts, own = Path("/proc/mounts").read_text(), Path("/proc/self/cgroup").read_text()
    except OSError as error:
        return None, f"control groups cannot be read ({error.strerror})"
    reason = "this system mounts no control groups for memory and processes"
    for place in candidates(mounts, own):
        try:
            make(place, f"{os.getpid()}-probe", Limits()).remove()
        except OSError as error:
            reason = f"no control group can be made in {place.folders[0]} ({error.strerror})"
        else:
            return place, ""
    return None, reason


def make(place: Place, name: str, limits: Limits) -> Group:
    """Make a bot's group with its limits; OSError where the system does not allow it."""
    if place.unified:
        with contextlib.suppress(
            OSError
        ):  # enabled already, or not ours to enable: the limits below will tell
            (place.folders[0] / "cgroup.subtree_control").write_text("+memory +pids")
    memory, pids = (folder / f"{PREFIX}{name}" for folder in place.folders)
    for folder in {memory, pids}:
        folder.mkdir(exist_ok=True)
    if place.unified:
        (memory / "memory.max").write_text(str(limits.memory))
        with contextlib.suppress(OSError):  # a kernel without swap accounting
            (memory / "memory.swap.max").write_text("0")
    else:
        (memory / "memory.limit_in_bytes").write_text(str(limits.memory))
    (pids / "pids.max").write_text(str(limits.processes))
    return Group((memory, pids))


def sweep(place: Place) -> int:
    """Remove the empty groups of arenas that were killed; return how many."""
    removed = 0
    for folder in set(place.folders):
        for group in folder.glob(f"{PREFIX}*"):
            owner = group.name.removeprefix(PREFIX).partition("-")[0]
            if not owner.isdigit() or Path(f"/proc/{owner}").exists():
                continue
            with contextlib.suppress(OSError):  # still in use, or of another user
                group.rmdir()
                removed += 1
    return removed
