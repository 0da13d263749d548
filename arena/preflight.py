"""Examines a bot's command before it is started, and says what is wrong with it and how to mend it.

The system's own error is often about something else than it says: "no such file" for a script whose
interpreter is missing, or whose first line ends as Windows ends lines. Nothing is started here; files are
only looked at.
"""

from __future__ import annotations

import os
import platform
import shutil
import stat
from collections.abc import Mapping
from pathlib import Path

from arena.launch import environment
from arena.match import Bot

STRING = 128 << 10  # bytes: what Linux takes as one argument or variable (MAX_ARG_STRLEN)
TOTAL = 2 << 20  # all together, with the usual stack limit of 8 MiB
HEAD = 256  # bytes: what Linux reads of a first line

# e_machine of ELF, as far as one may meet it
MACHINES = {
    3: "32-bit x86", 8: "MIPS", 20: "32-bit PowerPC", 21: "PowerPC", 22: "s390x", 40: "32-bit ARM",
    62: "x86-64", 183: "ARM64", 243: "RISC-V", 258: "LoongArch",
}  # fmt: skip
OURS = {"x86_64": {62, 3}, "aarch64": {183, 40}, "riscv64": {243}, "ppc64le": {21}, "s390x": {22}}


def examine(bot: Bot) -> list[str]:
    """Return what keeps a bot's command from being started, one sentence each; empty where all seems well."""
    env = environment(bot)
    found = _sizes(bot.command, env)
    if found:
        return found
    folder = bot.folder
    if not folder.exists():
        return [f"its folder {str(folder)!a} does not exist"]
    if not folder.is_dir():
        return [f"its folder {str(folder)!a} is not a folder"]
    if not bot.command or not bot.command[0]:
        return ["its command is empty"]
    return _program(bot.command[0], folder, env["PATH"])


def _sizes(command: tuple[str, ...], env: Mapping[str, str]) -> list[str]:
    """Return what the system could not even take as arguments and environment."""
    strings = [*command, *(f"{key}={value}" for key, value in env.items())]
    if any("\0" in string for string in strings):
        return ["its command or environment has a NUL character, which no program can be given"]
    sizes = [len(os.fsencode(string)) + 1 for string in strings]
    if max(sizes, default=0) > STRING or sum(sizes) + 8 * len(sizes) > TOTAL:
        return [
            f"its command and environment are too big: {STRING >> 10} KiB a word and {TOTAL >> 20} MiB in all"
        ]
    return []


def _program(name: str, folder: Path, path: str) -> list[str]:
    """Return what is wrong with a program as it is named in a command."""
    if "/" not in name:
        if shutil.which(name, path=path) is not None:
            return []
        hint = f"; there is {name!a} in its folder: write ./{name}" if (folder / name).is_file() else ""
        return [f"there is no program {name!a} in the PATH{hint}"]
    return _file(folder / name)


def _file(program: Path) -> list[str]:
    """Return what is wrong with a program's file."""
    shown = repr(str(program)) if str(program).isascii() else ascii(str(program))
    try:
        mode = program.stat().st_mode
    except FileNotFoundError:
        built = "; was it built?" if program.parent.is_dir() else ", and neither does its folder"
        return [f"the program {shown} does not exist{built}"]
    except OSError as error:
        return [f"the program {shown} cannot be looked at: {error.strerror}"]
    if stat.S_ISDIR(mode):
        return [f"{shown} is a folder, not a program"]
    if not os.access(program, os.X_OK):
        return [f"{shown} is not executable: chmod +x {shown}"]
    try:
        with program.open("rb") as file:
            head = file.read(HEAD)
    except OSError:  # one may run what one may not read
        return []
    return _head(head, shown)


def _head(head: bytes, shown: str) -> list[str]:
    """Return what the first bytes of an executable file tell about why it would not start."""
    if not head:
        return [f"{shown} is empty"]
    if head.startswith(b"\x7fELF"):
        return _elf(head, shown)
    if head.startswith(b"\xef\xbb\xbf"):
        return [f"{shown} begins with a UTF-8 byte order mark, so that its first line counts for nothing"]
    if not head.startswith(b"#!"):
        return [f"{shown} is neither a program nor a script: a script's first line is #! and its interpreter"]
    line = head[2:].split(b"\n")[0]
    words = line.strip(b" \t").split(None, 1)
    interpreter = os.fsdecode(words[0]) if words else ""
    if line.endswith(b"\r"):
        return [
            f"the first line of {shown} has Windows line ends, so that its interpreter is not found: dos2unix"
        ]
    if not interpreter or not os.path.exists(interpreter):
        return [f"the interpreter {interpreter!a} of the script {shown} does not exist"]
    if not os.access(interpreter, os.X_OK) or os.path.isdir(interpreter):
        return [f"the interpreter {interpreter!a} of the script {shown} is not executable"]
    return []


def _elf(head: bytes, shown: str) -> list[str]:
    if len(head) < 20:
        return [f"{shown} is a truncated program"]
    machine = int.from_bytes(head[18:20], "little" if head[5] == 1 else "big")
    here = platform.machine()
    if here in OURS and machine not in OURS[here]:
        made = MACHINES.get(machine, f"machine type {machine}")
        return [f"{shown} was built for {made}, and this machine is {here}"]
    return []
