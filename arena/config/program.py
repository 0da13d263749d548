"""Commands as the file writes them: words, and the paths among them made absolute."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path

PYTHON = "{python}"


def split(command: str | list[str]) -> list[str]:
    """Return the words of a command; ValueError says what is wrong with its quotes."""
    if isinstance(command, list):
        return list(command)
    try:
        return shlex.split(command)
    except ValueError as error:
        raise ValueError(f"the quotes of the command do not match ({error})") from None


def resolve(words: list[str], base: Path) -> tuple[str, ...]:
    """Return the words with paths absolute, relative ones taken from the base, and {python} filled in.

    A word is a path when it begins with ./ or ../ or ~/, when it names a file there, and the first word also
    when it has a slash: `build` may not have made it yet.
    """
    return tuple(_resolve(word, base, first=at == 0) for at, word in enumerate(words))


def home(written: list[str], resolved: tuple[str, ...], base: Path) -> Path:
    """Return the bot's own folder: where its script or program is, otherwise the base.

    An interpreter that is found on PATH, or {python}, is not the bot's program; the script after it is.
    """
    for at, (word, full) in enumerate(zip(written, resolved, strict=True)):
        path = Path(full)
        if not path.is_absolute() or PYTHON in word or _interpreter(full):
            continue
        if path.is_dir():
            return path
        if at == 0 or full != word or path.is_file():  # `build` may not have made the program yet
            return path.parent
    return base


def _resolve(word: str, base: Path, *, first: bool) -> str:
    if word.startswith("~/"):
        return os.path.expanduser(word)
    if word.startswith("-") or Path(word).is_absolute():
        return word
    if word.startswith(("./", "../")) or (first and "/" in word) or _exists(base, word):
        # Only by name: links stay, as a program may look at the name that it was started by.
        return os.path.normpath(base / word)
    return word.replace(PYTHON, sys.executable)


def _exists(base: Path, word: str) -> bool:
    # `python3` or `random` is a word even where a file of that name lies beside the tournament's file.
    return ("/" in word or "." in word) and os.path.exists(base / word)


def _interpreter(full: str) -> bool:
    path = Path(full)
    return shutil.which(path.name) == full or str(path.parent) in ("/bin", "/usr/bin", "/usr/local/bin")
