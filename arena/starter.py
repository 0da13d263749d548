"""Bots to start from: the languages there are, and a folder that plays at once.

The templates are the sample bots themselves, found beside the project in a checkout and inside the package
where it was installed; `languages.toml` there says how each is built and run. A new folder holds copies of
everything, opponents included: it can be moved, and a sandbox that shows a bot only its own folder shows
enough. Nothing here starts a program or prints.
"""

from __future__ import annotations

import difflib
import functools
import re
import shlex
import shutil
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arena.errors import UserError

TABLE = "languages.toml"
README = "README.md"
TOURNAMENT = "tournament.yaml"
OPPONENTS = "opponents"
PYTHON = "{python}"  # the arena's own, never missing
# The ladder's bots that need no compiler, weakest first; the first is the anchor of ratings.
LADDER = {"random": "random_bot.py", "greedy": "greedy.py", "planner": "planner.py"}
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_+-]{0,63}")


@dataclass(frozen=True, slots=True)
class Language:
    """How a starter bot is called, built and run; the first words of the commands are the programs needed."""

    key: str  # the name of its folder
    name: str
    source: str
    run: str
    build: str = ""
    aliases: tuple[str, ...] = ()
    instead: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def words(self) -> tuple[str, ...]:
        """Return everything a user may type for it, in small letters."""
        return (self.key, *self.aliases)

    @property
    def programs(self) -> tuple[str, ...]:
        """Return the programs that must be on PATH to build and run it."""
        firsts = [command.split()[0] for command in (self.build, self.run) if command]
        return tuple(first for first in firsts if first != PYTHON and "/" not in first)

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the programs of which neither they nor what does instead is on PATH."""
        return tuple(program for program in self.programs if not self._found(program))

    def command(self, command: str) -> str:
        """Return `build` or `run` with the program that there is on this machine in front."""
        if not command:
            return ""
        first, *rest = command.split(maxsplit=1)
        return " ".join([self._found(first) or first, *rest])

    def _found(self, program: str) -> str:
        """Return the first of a program and its stand-ins that is on PATH, "" where none is."""
        choices = (program, *self.instead.get(program, ()))
        return next((choice for choice in choices if shutil.which(choice)), "")


def samples() -> Path:
    """Return the folder of the sample bots."""
    package = Path(__file__).parent
    installed = package / "sample_bots"
    return installed if installed.is_dir() else package.parent / "sample_bots"


@functools.cache
def languages() -> Mapping[str, Language]:
    """Return all languages by their folder's name, in the table's order."""
    table = tomllib.loads((samples() / TABLE).read_text(encoding="utf-8"))
    return {
        key: Language(
            key=key,
            name=entry["name"],
            source=entry["source"],
            run=entry["run"],
            build=entry.get("build", ""),
            aliases=tuple(entry.get("aliases", ())),
            instead={program: tuple(others) for program, others in entry.get("instead", {}).items()},
        )
        for key, entry in table.items()
    }


def find(word: str) -> Language:
    """Return the language that a user means; UserError suggests the nearest."""
    known = {alias: language for language in languages().values() for alias in language.words}
    language = known.get(word.lower())
    if language is not None:
        return language
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.5)
    hint = f"; did you mean {near[0]!r}?" if near else "."
    raise UserError(
        f"there is no starter bot in {word!r}{hint} There are: {', '.join(languages())}. "
        "A bot can be written in any language: protocol/SPEC.md says what it hears and answers"
    )


def write(language: Language, folder: Path) -> list[str]:
    """Write a bot and a tournament for it into a new or empty folder; return what was written, relative.

    UserError before anything is written: a program is missing, or the folder is taken.
    """
    if language.missing:
        raise UserError(
            f"{language.name} needs {' and '.join(language.missing)}, not found on PATH; nothing was written "
            "(`arena new --list` shows what this machine has)"
        )
    try:
        if folder.exists() and not folder.is_dir():
            raise UserError(f"{folder} exists and is no folder; nothing was written")
        if folder.is_dir() and any(folder.iterdir()):
            raise UserError(f"{folder} exists and is not empty; nothing was written")
        files = _files(language, bot_name(folder))
        for name, content in files.items():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
    except OSError as error:
        raise UserError(f"cannot write {error.filename or folder}: {error.strerror}") from error
    return list(files)


def bot_name(folder: Path) -> str:
    """Return the folder's own name where a bot may be called so, otherwise `mybot`."""
    name = folder.resolve().name
    taken = name.lower() in LADDER or re.fullmatch(r"con|prn|aux|nul|(com|lpt)[1-9]", name.lower())
    return name if _NAME.fullmatch(name) and not taken else "mybot"


def next_commands(language: Language, folder: Path) -> list[tuple[str, str]]:
    """Return what to type after `write`, each with what it is for."""
    check = shlex.quote(language.command(language.run).replace(PYTHON, "python3"))
    commands = [
        (f"cd {shlex.quote(str(folder))}", ""),
        (f"arena tournament {TOURNAMENT}", f"plays it against {', '.join(LADDER)}"),
        (language.command(language.build), "builds it; a tournament does this itself"),
        (f"arena check {check}", "examines how it behaves"),
    ]
    return [(command, purpose) for command, purpose in commands if command]


def _files(language: Language, name: str) -> dict[str, bytes]:
    """Return the content of all files of a new folder by their relative path."""
    template = samples() / language.key
    ladder = samples() / "ladder"
    files = {file: (template / file).read_bytes() for file in (language.source, README)}
    files[TOURNAMENT] = _tournament(language, name).encode()
    # The ladder's bots share modules; all of them travel, so that no list here can fall behind.
    files |= {f"{OPPONENTS}/{path.name}": path.read_bytes() for path in sorted(ladder.glob("*.py"))}
    return files


def _tournament(language: Language, name: str) -> str:
    """Return a tournament's file in which the bot meets the ladder."""
    build = language.command(language.build)
    lines = [
        f"# {name} against the ladder. Run it here: arena tournament {TOURNAMENT}",
        f"name: {_quoted(name)}",
        "game: desert            # or rain; `arena games` tells their rules and options",
        "players: 2              # desert 2 to 5, rain 2 to 4",
        "bots:",
        f"  - name: {_quoted(name)}",
        *([f"    build: {_quoted(build)}"] if build else []),
        f"    command: {_quoted(language.command(language.run))}",
    ]
    for rival, file in LADDER.items():
        lines += [f"  - name: {rival}", f'    command: "{PYTHON} {OPPONENTS}/{file}"']
    lines += [
        "schedule:",
        f"  format: gauntlet      # {name} plays every other",
        f"  hero: {_quoted(name)}",
        "  rounds: 20            # so many boards, each from both seats; more rounds, smaller errors",
        "clock: {move: 1s}",
        f"ratings: {{anchor: {{{next(iter(LADDER))}: 0}}}}",
        "output: results         # games stay played: after a change to the bot, run with --output results/2",
        "",
    ]
    return "\n".join(lines)


def _quoted(text: str) -> str:
    """Return the text as a YAML string; commands and names have no control characters."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
