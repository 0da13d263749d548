"""What keeps a command from being started is said before it is tried, with how to mend it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from arena import preflight
from arena.driver import Table
from arena.match import Bot, Clock, FaultKind, Limits, Match
from arena.preflight import examine
from tests.zoo.people import Witness


def file(path: Path, content: bytes, mode: int = 0o755) -> Path:
    """Write a file with a mode."""
    path.write_bytes(content)
    path.chmod(mode)
    return path


def elf(machine: int) -> bytes:
    """Return the beginning of a program for a machine."""
    return b"\x7fELF\x02\x01\x01" + b"\0" * 9 + b"\x02\0" + machine.to_bytes(2, "little") + b"\0" * 44


CASES: dict[str, tuple[Callable[[Path], tuple[str, ...]], str]] = {
    "missing": (lambda at: (str(at / "no"),), "does not exist; was it built?"),
    "missing with its folder": (lambda at: (str(at / "no" / "no"),), "neither does its folder"),
    "not in the PATH": (lambda at: ("no-such-program-here",), "in the PATH"),
    "folder": (lambda at: (str(at),), "is a folder"),
    "not executable": (lambda at: (str(file(at / "bot", b"#!/bin/sh\n", 0o644)),), "chmod +x"),
    "interpreter missing": (
        lambda at: (str(file(at / "bot", b"#!/no/python\n")),),
        "interpreter '/no/python'",
    ),
    "CRLF": (lambda at: (str(file(at / "bot", b"#!/bin/sh\r\nexit\r\n")),), "Windows line ends"),
    "no shebang": (lambda at: (str(file(at / "bot", b"print(1)\n")),), "neither a program nor a script"),
    "empty": (lambda at: (str(file(at / "bot", b"")),), "is empty"),
    "truncated": (lambda at: (str(file(at / "bot", b"\x7fELF\x02")),), "truncated"),
    "BOM": (lambda at: (str(file(at / "bot", b"\xef\xbb\xbf#!/bin/sh\n")),), "byte order mark"),
    "other machine": (lambda at: (str(file(at / "bot", elf(8))),), "built for MIPS"),
    "NUL": (lambda at: ("/bin/cat", "a\0b"), "NUL"),
    "too big": (lambda at: ("/bin/cat", "x" * (200 << 10)), "too big"),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_command(case: str, tmp_path: Path) -> None:
    """Each bad command has its sentence, and at a table it is a `startup` fault with that sentence."""
    make, words = CASES[case]
    bot = Bot("bad", make(tmp_path), tmp_path)
    (found,) = examine(bot)
    assert words in found
    with Table({"bad": bot}, Clock(), Limits(), people={"w": Witness()}) as table:
        (fault,) = table.play(Match("m", "b", 1, "rain", {}, 1, ("bad", "w"))).faults
    assert fault.kind is FaultKind.STARTUP
    assert words in fault.text


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_bad_folder(kind: str, tmp_path: Path) -> None:
    """A folder that is none is named, and not blamed on the program."""
    folder = tmp_path / "no" if kind == "missing" else file(tmp_path / "file", b"")
    bot = Bot("bad", ("/bin/cat",), folder)
    (found,) = examine(bot)
    assert str(folder) in found
    with Table({"bad": bot}, Clock(), Limits(), people={"w": Witness()}) as table:
        (fault,) = table.play(Match("m", "b", 1, "rain", {}, 1, ("bad", "w"))).faults
    assert found in fault.text


def test_program_beside_it_is_hinted_at(tmp_path: Path) -> None:
    """Who forgot ./ is told."""
    file(tmp_path / "dune", b"#!/bin/sh\n")
    assert "./dune" in examine(Bot("bad", ("dune",), tmp_path))[0]


@pytest.mark.parametrize("name", ["with space", "'quoted\"", "-dash", "ünïcode", "$(touch x);"])
def test_odd_names_work(name: str, tmp_path: Path) -> None:
    """No shell ever sees a command: any file name will do."""
    answers = "case $word in start) echo ready;; go) exit 7;; esac"
    code = f"#!/bin/sh\nread line\necho ready\nwhile read word rest; do {answers}; done\n"
    bot = Bot("odd", (str(file(tmp_path / name, code.encode())),), tmp_path)
    assert examine(bot) == []
    with Table({"odd": bot}, Clock(startup=60_000_000), Limits(), people={"w": Witness()}) as table:
        (fault,) = table.play(Match("m", "b", 1, "rain", {}, 1, ("odd", "w"))).faults
    assert "status 7" in fault.text


def test_good_commands_pass(tmp_path: Path) -> None:
    """What can be started is not complained about."""
    script = file(tmp_path / "bot", b"#!/bin/sh\nexit\n")
    for command in (("/bin/cat",), ("cat",), (str(script), "x"), ("./bot",)):
        assert examine(Bot("good", command, tmp_path)) == []
    assert preflight.MACHINES[62] == "x86-64"
