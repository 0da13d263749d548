"""Before the first match: builds, and a greeting to every bot, with all that is wrong in one message."""

from __future__ import annotations

import dataclasses
import shutil
import sys
from pathlib import Path

import pytest

from arena.driver import now
from arena.errors import UserError
from arena.launch import Launch, environment, plain
from arena.match import Bot, Limits
from arena.rehearsal import build, rehearse

TINY = Path(__file__).parent / "tiny.py"
JAVA = Path(__file__).parent.parent / "sample_bots" / "java"
READY = "import sys; input(); print('ready', flush=True); input()"
LONG = 60_000_000


def script(name: str, code: str, folder: Path) -> Bot:
    """Return a bot that is a line of Python."""
    return Bot(name, (sys.executable, "-IS", "-c", code), folder)


def greet(*bots: Bot, startup: int = LONG, at_once: int = 4) -> str:
    """Return what is told of these bots, "" where all is well."""
    try:
        rehearse(bots, Limits(), plain, startup, now, at_once)
    except UserError as error:
        return str(error)
    return ""


def test_bots_that_are_ready_pass(tmp_path: Path) -> None:
    """Ten bots, two at a time, with remarks and noise on stderr: all is well."""
    tiny = Bot("tiny", (sys.executable, "-IS", str(TINY)), tmp_path)
    noisy = script(
        "noisy", f"import sys; print('x' * 200000, file=sys.stderr); print('# hi'); {READY}", tmp_path
    )
    ready = [script(f"bot{number}", READY, tmp_path) for number in range(8)]
    assert greet(tiny, noisy, *ready, at_once=2) == ""


def test_ten_bots_start_at_once(tmp_path: Path) -> None:
    """Nine that are ready only when all nine run, and one in Java: nobody waits for another to start."""
    folder = tmp_path / "java"
    shutil.copytree(JAVA, folder)
    java = Bot(
        "java", ("java", "-XX:+UseSerialGC", "-cp", ".", "Bot"), folder, ("javac", "-d", ".", "Bot.java")
    )
    build([java], Limits(), shell, now)
    meeting = tmp_path / "meeting"
    meeting.mkdir()
    code = (
        f"import os, time; open({str(meeting)!r} + f'/{{os.getpid()}}', 'w').close()\n"
        f"while len(os.listdir({str(meeting)!r})) < 9: time.sleep(0.005)\n{READY}"
    )
    assert greet(java, *[script(f"bot{number}", code, tmp_path) for number in range(9)], at_once=10) == ""


def test_everything_wrong_is_told_together(tmp_path: Path) -> None:
    """Each bot that cannot play has its sentence, in the order of the file, with its stderr."""
    told = greet(
        Bot("missing", ("./nowhere",), tmp_path),
        script("fine", READY, tmp_path),
        script("crash", "import sys; sys.stderr.write('oh\\x1b[2J'); sys.exit(3)", tmp_path),
        script("wrong", "input(); print('hello', flush=True); input()", tmp_path),
        script("closed", "import os, time; os.close(1); time.sleep(60)", tmp_path),
    )
    lines = told.splitlines()
    assert lines[0] == "4 of 5 bots cannot play; nothing was played:"
    assert lines[1].startswith("  missing: the program")
    assert lines[2] == "  crash: it exited with status 3 before it said `ready`; its stderr:"
    assert lines[3] == "      oh\\x1b[2J"
    assert lines[4].startswith("  wrong: ")
    assert "hello" in lines[4]
    assert lines[5] == "  closed: it closed its stdout before it said `ready`"


def test_silence_ends_with_the_start_up_time(tmp_path: Path) -> None:
    """A bot that says nothing, or half a line, is told so with the time that it had."""
    told = greet(
        script("silent", "import time; time.sleep(600)", tmp_path),
        script("half", "import time; print('rea', end='', flush=True); time.sleep(600)", tmp_path),
        startup=500_000,
    )
    assert "  silent: no `ready` within the start-up time of 0.5 s" in told
    assert "  half: no `ready` within the start-up time of 0.5 s; " in told


def shell(bot: Bot, limits: Limits) -> Launch:
    """Return a build's launch without isolation."""
    return Launch(bot.build, bot.folder, environment(bot))


def test_builds_run_once_each(tmp_path: Path) -> None:
    """Two bots with one build command share it; each build is announced."""
    bot = Bot("a", ("true",), tmp_path, build=("sh", "-c", "echo built >> log"))
    told: list[str] = []
    bots = [bot, dataclasses.replace(bot, name="b"), Bot("c", ("true",), tmp_path)]
    build(bots, Limits(), shell, now, told.append)
    assert (tmp_path / "log").read_text() == "built\n"
    assert told == ["building a"]


def test_failed_builds_show_their_output(tmp_path: Path) -> None:
    """All builds that fail are told, with the end of what they printed."""
    bots = [
        Bot("long", ("true",), tmp_path, build=("sh", "-c", "seq 100; echo wrong >&2; exit 2")),
        Bot("fine", ("true",), tmp_path, build=("true",)),
        Bot("none", ("true",), tmp_path, build=("no-such-compiler",)),
    ]
    with pytest.raises(UserError) as found:
        build(bots, Limits(), shell, now)
    lines = str(found.value).splitlines()
    assert lines[0] == "the build of long exited with status 2:"
    assert lines[1] == "      … 61 lines before"
    assert lines[-3].strip() == "wrong"
    assert lines[-2].startswith("the build of none could not be started: ")
    assert lines[-1] == "nothing was played"
