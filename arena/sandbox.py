"""Isolation: what is really started where a bot is to be started, in three tiers.

| tier | promise |
| --- | --- |
| bwrap | own process tree, no network, private file system, the bot's folder read-only, a bounded scratch |
| landlock | no writing outside the scratch, no reading outside system and bot folder, no sockets |
| basic | every fault ends as a fault and nothing is left running; the user's files and network are open |

`choose` finds the best tier by a real probe; `Isolation.launch` turns a bot into what keeps the promise.
This module starts nothing itself: `process.py` does, also for the probe.
"""

from __future__ import annotations

import dataclasses
import enum
import glob
import itertools
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import protocol
from arena import cgroup, confine
from arena.errand import run
from arena.errors import UserError
from arena.interpreters import COMPILERS, SYSTEM, Needs, is_system, needs
from arena.launch import Launch, MachineError, StartError, environment, rlimits
from arena.match import Bot, Limits
from arena.scratch import clear

if TYPE_CHECKING:
    from arena.config.values import Sandbox

KEEP = "ARENA_KEEP"  # by this variable a bot finds the folder that it may leave files in
_PROBE_TIME = 10_000_000  # microseconds
# Of /etc only what programs need to run: the linker's cache, alternatives, the settings of runtimes.
_ETC = (
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "localtime",
    "java-*",
    "perl",
    "php",
    "ssl/openssl.cnf",
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
# Showing one of these would show everything; a bot that lies directly in one gets its files alone.
_WIDE = {
    "/",
    "/home",
    "/root",
    "/var",
    "/opt",
    "/srv",
    "/mnt",
    "/media",
    "/run",
    "/etc",
    tempfile.gettempdir(),
}
_count = itertools.count()


class Tier(enum.StrEnum):
    """How much a bot is kept from, from most to least."""

    BWRAP = "bwrap"
    LANDLOCK = "landlock"
    BASIC = "basic"


@dataclass(frozen=True, slots=True)
class View:
    """What of the file system a command is shown; everything else is hidden or closed."""

    read: tuple[Path, ...]
    write: tuple[Path, ...]
    links: Mapping[Path, str]
    env: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Isolation:
    """How bots are kept apart on this machine: a tier, and control groups where they can be had."""

    tier: Tier
    place: cgroup.Place | None = None
    notices: tuple[str, ...] = ()  # what is less than it could be, and why

    def dump(self) -> dict[str, Any]:
        """Return what the journal records."""
        return {"tier": self.tier.value, "cgroup": self.place is not None, "notices": list(self.notices)}

    def launch(self, bot: Bot, limits: Limits, *, cpus: frozenset[int] = frozenset()) -> Launch:
        """Return what to start for a bot; makes its scratch and its group, which `Launch.done` removes."""
        if bot.keep is not None:
            prepare_keep(bot.keep)
        launch = self._confined(bot.command, bot, view(bot), limits)
        return dataclasses.replace(launch, cpus=cpus)

    def build(self, bot: Bot, limits: Limits) -> Launch:
        """Return what to start for a bot's build: the same isolation, with its folder writable."""
        return self._confined(bot.build, bot, build_view(bot), limits)

    def _confined(self, command: Sequence[str], bot: Bot, seen: View, limits: Limits) -> Launch:
        scratch = None if self.tier is Tier.BWRAP else Path(tempfile.mkdtemp(prefix="arena-scratch-"))
        home = str(scratch or "/tmp")  # noqa: S108 - inside bwrap /tmp is the bot's own
        env = {**environment(bot), **seen.env, "HOME": home, "TMPDIR": home, **bot.env}
        if bot.keep is not None:
            env[KEEP] = str(bot.keep)
        group = None
        if self.place:
            # bwrap itself is two processes, which are not the bot's.
            more = limits.processes + (2 if self.tier is Tier.BWRAP else 0)
            name = f"{os.getpid()}-{next(_count)}"
            group = cgroup.make(self.place, name, dataclasses.replace(limits, processes=more))
        launch = Launch(
            tuple(command),
            bot.folder,
            env,
            rlimits(limits),
            groups=tuple(group.joins) if group else (),
            scratch=scratch,
            done=_remover(scratch, group),
            explain=_explainer(limits, group),
        )
        if self.tier is Tier.BWRAP:
            return dataclasses.replace(
                launch,
                argv=bwrap(command, bot.folder, seen, limits),
                cwd=Path("/"),
                rlimits=(),  # set inside by prlimit: bwrap itself needs more than some bots get
                relays=True,
            )
        if self.tier is Tier.LANDLOCK:
            assert scratch is not None
            return dataclasses.replace(launch, policy=policy(seen, scratch))
        return launch


def view(bot: Bot) -> View:
    """Return what a bot is shown: its folder, its interpreters and the files that its command names."""
    needed = needs(bot.command[:1], bot.folder)
    read = {*_own(bot), *needed.outermost(), *_named(bot.command, bot.folder), *_protocol(bot)}
    return View(tuple(sorted(read)), (bot.keep,) if bot.keep else (), needed.links, needed.env)


def build_view(bot: Bot) -> View:
    """Return what a bot's build is shown: its folder to write in, and the compilers of the machine."""
    needed: Needs = needs([*bot.build[:1], *COMPILERS], bot.folder)
    read = {*needed.outermost(), *_named(bot.build, bot.folder)}
    return View(tuple(sorted(read - {bot.folder})), (bot.folder,), needed.links, needed.env)


def extras(bot: Bot) -> list[Path]:
    """Return what a bot is shown besides system and own folder, to be said."""
    return [path for path in view(bot).read if not path.is_relative_to(bot.folder)]


def _own(bot: Bot) -> list[Path]:
    """Return the bot's folder, or its files alone where the folder would show far more than the bot."""
    if str(bot.folder) in _WIDE or bot.folder == Path.home():
        return [Path(word) for word in bot.command if os.path.isabs(word) and os.path.isfile(word)]
    return [bot.folder]


def _named(command: Sequence[str], folder: Path) -> list[Path]:
    """Return the files and folders outside the system that a command's further words name."""
    found = []
    for word in command[1:]:
        path = Path(word)
        if path.is_absolute() and path.exists() and not is_system(path) and not path.is_relative_to(folder):
            if path.is_dir() and (str(path) in _WIDE or path == Path.home()):
                continue
            found.append(path)
    return found


def _protocol(bot: Bot) -> list[Path]:
    """Return the folder of the package `protocol` for a bot that runs in the arena's own Python.

    Bots may import it; in an editable installation it lies outside of the interpreter's folders.
    """
    if bot.command[:1] != (sys.executable,) or protocol.__file__ is None:
        return []
    folder = Path(protocol.__file__).parent
    return [] if is_system(folder) or folder.is_relative_to(sys.prefix) else [folder]


def bwrap(command: Sequence[str], folder: Path, seen: View, limits: Limits) -> tuple[str, ...]:
    """Return the command line that runs a command under bubblewrap; later mounts lie over earlier ones."""
    argv = [
        *(
            "bwrap",
            "--unshare-all",
            "--unshare-user",
            "--disable-userns",
            "--die-with-parent",
            "--new-session",
        ),
        *("--cap-drop", "ALL"),
        *("--proc", "/proc", "--dev", "/dev"),
        *("--size", str(limits.scratch), "--tmpfs", "/dev/shm"),  # noqa: S108 - the bot's own
        *("--size", str(limits.scratch), "--tmpfs", "/tmp"),  # noqa: S108 - the bot's own
    ]
    for place in SYSTEM:
        if os.path.islink(place):
            argv += ["--symlink", os.readlink(place), place]
        elif os.path.isdir(place):
            argv += ["--ro-bind", place, place]
    for pattern in _ETC:
        for place in sorted(glob.glob(f"/etc/{pattern}")):
            argv += ["--ro-bind-try", place, place]
    for path in seen.read:
        argv += ["--ro-bind", str(path), str(path)]
    for link, target in seen.links.items():
        if not any(link.is_relative_to(path) for path in seen.read):  # it came with its folder
            argv += ["--symlink", target, str(link)]
    for path in seen.write:
        argv += ["--bind", str(path), str(path)]
    argv += ["--remount-ro", "/", "--remount-ro", "/dev", "--chdir", str(folder), "--"]
    # Inside the namespace, where the number of processes is counted for this bot alone.
    bounds = {
        "data": limits.memory,
        "nofile": limits.files,
        "fsize": limits.file_size,
        "core": 0,
        "nproc": limits.processes,
        **({"cpu": limits.cpu} if limits.cpu else {}),
    }
    argv += [
        "prlimit",
        *(f"--{name}={value}:{value + (name == 'cpu')}" for name, value in bounds.items()),
        "--",
    ]
    return (*argv, *command)


def policy(seen: View, scratch: Path) -> dict[str, Any]:
    """Return what `confine.py` lets a bot of the landlock tier reach."""
    etc = [place for pattern in _ETC for place in glob.glob(f"/etc/{pattern}")]
    return {
        "read": [*SYSTEM, *etc, "/proc", *map(str, seen.read)],
        "write": [str(scratch), *map(str, seen.write)],
        "devices": list(_DEVICES),
    }


def prepare_keep(folder: Path) -> None:
    """Make the folder that a bot may leave files in; a link in its place is refused, not followed."""
    folder.mkdir(parents=True, exist_ok=True)
    if folder.is_symlink():
        raise UserError(
            f"keep: {folder} is a link; the arena does not follow links that a bot could have made"
        )


def _remover(scratch: Path | None, group: cgroup.Group | None) -> Callable[[], None]:
    def remove() -> None:
        if scratch is not None and scratch.exists():  # it was never started; else the guardian removed it
            clear(scratch)
        if group is not None:
            group.remove()

    return remove


# What programs of many languages say when a limit stops them.
_SAYS = (
    ("memory", ("MemoryError", "bad_alloc", "OutOfMemoryError", "heap out of", "Cannot allocate memory")),
    ("files", ("Too many open files", "EMFILE")),
    ("file_size", ("File too large", "EFBIG", "File size limit exceeded")),
    ("scratch", ("No space left on device", "ENOSPC")),
    ("processes", ("Resource temporarily unavailable", "EAGAIN", "can't start new thread", "native thread")),
)  # fmt: skip
_SIGXCPU, _SIGXFSZ = 24, 25


def exceeded(limits: Limits, group: cgroup.Group | None, status: int | None, stderr: str) -> str:
    """Return a clause that names the limit which a bot that ended had run into, "" where none is known."""
    name = group.exceeded() if group else ""
    if not name and status is not None:
        died_of = -status if status < 0 else status - 128
        name = {_SIGXCPU: "cpu", _SIGXFSZ: "file_size"}.get(died_of, "")
    if not name:
        said = [name for name, words in _SAYS if any(word in stderr for word in words)]
        name = said[0] if said else ""
    if not name:
        return ""
    value = getattr(limits, name)
    if name in ("memory", "scratch", "file_size"):
        shown = f"{value / (1 << 20):g} MiB"
    else:
        shown = f"{value} s" if name == "cpu" else str(value)
    return f"it ran into limits.{name} ({shown})"


def _explainer(limits: Limits, group: cgroup.Group | None) -> Callable[[int | None, str], str]:
    return lambda status, stderr: exceeded(limits, group, status, stderr)


def choose(mode: Sandbox, now: Callable[[], int]) -> Isolation:
    """Return the best isolation that works here, by trying it; UserError where `strict` cannot be had."""
    place, no_group = cgroup.find()
    if place is not None:
        cgroup.sweep(place)
    unbounded = (
        ()
        if place
        else (
            f"memory and processes are bounded for each process, not for all of a bot's together: {no_group}",
        )
    )
    if mode == "off":
        return Isolation(Tier.BASIC, place)
    no_bwrap = probe(Isolation(Tier.BWRAP, place), now)
    if not no_bwrap:
        return Isolation(Tier.BWRAP, place, unbounded)
    if mode == "strict":
        raise UserError(f"sandbox: strict needs bubblewrap, which does not work here: {no_bwrap}")
    no_landlock = probe(Isolation(Tier.LANDLOCK, place), now)
    if not no_landlock:
        notices = [f"no bwrap: {no_bwrap}"]
        if confine.abi() < 6:
            notices.append(
                "this kernel's Landlock does not keep bots from sending signals to the user's processes"
            )
        return Isolation(Tier.LANDLOCK, place, (*notices, *unbounded))
    return Isolation(
        Tier.BASIC,
        place,
        (
            "bots run with your own rights: they can read and change your files and use the network",
            f"no bwrap: {no_bwrap}",
            f"no landlock: {no_landlock}",
            *unbounded,
        ),
    )


def probe(isolation: Isolation, now: Callable[[], int]) -> str:
    """Return why a tier does not work here, "" where it does: its real command line with /bin/true."""
    if isolation.tier is Tier.LANDLOCK and confine.abi() == 0:
        return "this kernel has no Landlock (it came with 5.13)"
    if isolation.tier is Tier.BWRAP and shutil.which("bwrap") is None:
        return "bubblewrap is not installed (apt-get install bubblewrap)"
    folder = Path(tempfile.mkdtemp(prefix="arena-probe-"))
    launch = isolation.launch(Bot("probe", ("/bin/true",), folder), Limits())
    try:
        ran = run(launch, timeout=_PROBE_TIME, now=now)
    except (StartError, MachineError) as error:
        return str(error)
    finally:
        folder.rmdir()
    if ran.status == 0:
        return ""
    said = ran.stderr.decode("utf-8", "replace").strip().splitlines()
    return said[-1] if said else f"its probe ended with status {ran.status}"
