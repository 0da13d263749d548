"""Which folders a command needs besides the system's own: virtual environments, pyenv, nvm, rustup, `#!`.

A sandbox shows a bot the system and its own folder. An interpreter that lives elsewhere must be shown too,
with the folder that it was installed into. Nothing here starts anything; it follows links and reads first
lines.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

# What is part of every system, read-only for bots. /etc is shown in parts, see sandbox.py.
SYSTEM = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32")
# What a build may call without naming it; each is shown where it lives outside the system.
COMPILERS = (
    "cc",
    "gcc",
    "g++",
    "clang",
    "rustc",
    "cargo",
    "javac",
    "go",
    "node",
    "python3",
    "ghc",
    "ocamlopt",
)
_LINKS = 40  # the kernel's own limit on links in a path


@dataclass(slots=True)
class Needs:
    """What must be visible for programs to run: folders, links on the way to them, and settings."""

    folders: set[Path] = field(default_factory=set)
    links: dict[Path, str] = field(default_factory=dict)
    env: dict[str, str] = field(default_factory=dict)

    def outermost(self) -> list[Path]:
        """Return the folders without those that lie in another of them, sorted."""
        return sorted(
            path
            for path in self.folders
            if not any(path != other and path.is_relative_to(other) for other in self.folders)
        )


def is_system(path: Path) -> bool:
    """Tell whether a path lies in a folder that every bot sees."""
    return any(path.is_relative_to(folder) for folder in (*SYSTEM, "/etc/alternatives"))


def _hops(path: Path) -> Iterator[Path]:
    """Yield a path and all that it links to, one link at a time."""
    for _ in range(_LINKS):
        yield path
        if not path.is_symlink():
            return
        path = Path(os.path.normpath(path.parent / os.readlink(path)))


def _shebang(path: Path) -> list[str]:
    """Return the words of a script's first line, none for a program."""
    try:
        with path.open("rb") as file:
            first = file.readline(256)
    except OSError:
        return []
    if not first.startswith(b"#!"):
        return []
    return first[2:].decode("utf-8", "replace").split()


def _home(program: Path) -> Path:
    """Return the folder that a program was installed into: the one above bin/, or its own."""
    folder = program.parent
    return folder.parent if folder.name in ("bin", "shims") else folder


def _virtual_base(prefix: Path) -> Path | None:
    """Return where the interpreter lives that a virtual environment was made from, None for no such."""
    try:
        lines = (prefix / "pyvenv.cfg").read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    for line in lines:
        key, _, value = line.partition("=")
        if key.strip() == "home":
            return Path(value.strip()).parent
    return None


def _show(hop: Path, needs: Needs) -> None:
    """Note what one file on the way to a program needs."""
    home = _home(hop)
    base = _virtual_base(home)
    if base is not None:
        needs.folders.add(home)
        if not is_system(base):
            needs.folders.add(base)
    elif hop.is_symlink():
        needs.links[hop] = os.readlink(hop)
    else:
        needs.folders.add(home)
        if home.name == ".cargo":  # rustup's proxies find the compiler through this
            needs.folders.add(home.parent / ".rustup")
            needs.env["RUSTUP_HOME"] = str(home.parent / ".rustup")


def needs(programs: Iterable[str], folder: Path) -> Needs:
    """Return what these programs need outside the system and the bot's own folder.

    Each is followed through its links, through a virtual environment to the interpreter that it was made
    from, and through the `#!` of a script, `env` included.
    """
    found = Needs()
    waiting = list(programs)
    seen: set[str] = set()
    while waiting:
        word = waiting.pop()
        place = shutil.which(word)
        if word in seen or place is None:
            continue
        seen.add(word)
        hops = list(_hops(Path(os.path.abspath(place))))
        for hop in hops:
            if not is_system(hop) and not hop.is_relative_to(folder):
                _show(hop, found)
        words = _shebang(hops[-1])
        waiting += words[:1]
        if words and Path(words[0]).name == "env":
            waiting += [argument for argument in words[1:2] if not argument.startswith("-")]
    return found
