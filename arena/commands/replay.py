"""`arena replay`: a game in the terminal, step by step."""

from __future__ import annotations

import os
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.errors import UserError
from arena.escape import printable

if TYPE_CHECKING:
    from rich.console import RenderableType

    from arena.games.base import Span
    from arena.report.replays import Step

# What the keys of a terminal send, and how many steps each goes; far beyond the end is the end.
_FAR = 1 << 30
_KEYS = {
    b"\x1b[C": 1, b"\x1b[B": 1, b" ": 1, b"l": 1, b"j": 1, b"\r": 1, b"\n": 1,
    b"\x1b[D": -1, b"\x1b[A": -1, b"h": -1, b"k": -1, b"\x7f": -1,
    b"\x1b[6~": 10, b"\x1b[5~": -10,
    b"\x1b[H": -_FAR, b"\x1b[1~": -_FAR, b"\x1bOH": -_FAR, b"g": -_FAR,
    b"\x1b[F": _FAR, b"\x1b[4~": _FAR, b"\x1bOF": _FAR, b"G": _FAR,
}  # fmt: skip
_LEAVE = (b"q", b"\x1b", b"\x03", b"\x04", b"")


@dataclass(frozen=True, slots=True)
class _Frame:
    """A step as it is shown."""

    said: str
    remarks: tuple[str, ...]
    lines: list[list[Span]]


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("game", default="1")
@click.option(
    "--step", type=click.IntRange(min=0), help="Show the position after this many steps, and nothing else."
)
@click.option("--all", "every", is_flag=True, help="Print every position, also on a terminal.")
def replay(folder: Path, game: str, step: int | None, every: bool) -> None:
    """Show a game of the results in DIR, step by step.

    GAME is an id or the beginning of one, or a number: 1 is the first game of the journal. On a terminal the
    arrow keys step, Home and End jump, q leaves. In a pipe all actions are listed, with the last position.
    """
    record, name = _find(folder, game)
    frames = _frames(record, name)
    if step is not None:
        _print([frames[min(step, len(frames) - 1)]])
    elif every:
        _print(frames)
    elif sys.stdin.isatty() and sys.stdout.isatty():
        _step(record, frames)
    else:
        for line in _heading(record):
            click.echo(line)
        for number, frame in enumerate(frames):
            click.echo(f"{number:4} {frame.said}")
            for remark in frame.remarks:
                click.echo(f"       # {remark}")
        click.echo()
        _print(frames[-1:], said=False)


def _find(folder: Path, wanted: str) -> tuple[dict[str, Any], str]:
    """Return the record that a user means, and the game's name."""
    from arena import journal

    name = journal.read_header(folder)["configuration"]["game"]
    found: dict[str, Any] | None = None
    for number, record in enumerate(journal.records(folder), 1):
        if record["void"]:
            continue
        if record["id"] == wanted or (wanted.isdigit() and number == int(wanted)):
            return dict(record), name
        if record["id"].startswith(wanted):
            if found is not None:
                raise UserError(
                    f"several games begin with {wanted!a}, {found['id']} and {record['id']} among them"
                )
            found = dict(record)
    if found is None:
        raise UserError(
            f"{folder} has no game {wanted!a}; give the beginning of an id, as report.html shows it, or a "
            "number: 1 is the first game"
        )
    return found, name


def _frames(record: dict[str, Any], name: str) -> list[_Frame]:
    """Return all steps as they are shown; a record that the rules do not allow ends where they stop it."""
    from arena.games.base import load_game
    from arena.report.replays import BrokenRecord, steps

    frames: list[_Frame] = []
    try:
        for step in steps(load_game(name), record):
            last = [step.text[1:]] if step.seat is not None else []
            remarks = tuple(printable(remark) for remark in step.remarks)
            frames.append(_Frame(_said(record, step), remarks, step.state.diagram(marked=last)))
    except BrokenRecord as error:
        said = f"the record goes on, but the rules do not allow it: {printable(str(error))}"
        frames.append(_Frame(said, (), frames[-1].lines if frames else []))
    return frames


def _said(record: dict[str, Any], step: Step) -> str:
    if step.seat is None:
        return "set up"
    who = f"seat {step.seat} ({printable(record['bots'][step.seat])})"
    if step.text.startswith("out "):
        return f"{who} is out: {step.text[4:]}"
    return f"{who} {step.text}" + (f"  {step.micros / 1000:.1f} ms" if step.micros else "")


def _heading(record: dict[str, Any]) -> list[str]:
    bots = ", ".join(
        f"{printable(bot)} {score} ({rank}.)"
        for bot, score, rank in zip(record["bots"], record["scores"], record["ranks"], strict=True)
    )
    faults = [
        f"fault of {printable(record['bots'][f['seat']])}: {printable(f['text'])}" for f in record["faults"]
    ]
    return [f"game {record['id']}, round {record['round']}: {bots}", *faults]


def _print(frames: list[_Frame], *, said: bool = True) -> None:
    """Print positions; with colours on a terminal alone."""
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    for frame in frames:
        if said:
            console.print(frame.said, markup=False)
        console.print(_picture(frame))


def _picture(frame: _Frame) -> RenderableType:
    from rich.text import Text

    text = Text(no_wrap=True)
    for line in frame.lines:
        for span in line:
            text.append(span.text, span.style)
        text.append("\n")
    return text


def _step(record: dict[str, Any], frames: list[_Frame]) -> None:
    """Let a person step through the game with keys."""
    from rich.console import Console, Group
    from rich.live import Live
    from rich.text import Text

    console = Console(highlight=False)
    at = 0

    def shown() -> RenderableType:
        frame = frames[at]
        return Group(
            *(Text(line, style="bold") for line in _heading(record)),
            _picture(frame),
            Text(f"step {at} of {len(frames) - 1}: {frame.said}", style="bold"),
            *(Text(f"# {remark}", style="dim") for remark in frame.remarks[-5:]),
            Text("← → step   PgUp PgDn ten   Home End   q leave", style="dim"),
        )

    with _raw(), Live(shown(), console=console, screen=True, auto_refresh=False) as live:
        while (key := _key()) not in _LEAVE:
            at = max(0, min(len(frames) - 1, at + _KEYS.get(key, 0)))
            live.update(shown(), refresh=True)


@contextmanager
def _raw() -> Iterator[None]:
    """Take keys as they are typed, without showing them."""
    import termios
    import tty

    before = termios.tcgetattr(0)
    try:
        tty.setcbreak(0)
        yield
    finally:
        termios.tcsetattr(0, termios.TCSADRAIN, before)


def _key() -> bytes:
    """Return one key; what follows an escape at once belongs to it."""
    try:
        key = os.read(0, 1)
    except KeyboardInterrupt:
        return b"\x03"
    while key.startswith(b"\x1b") and len(key) < 6 and select.select([0], [], [], 0.03)[0]:
        key += os.read(0, 1)
        if (key[-1:].isalpha() and key != b"\x1bO") or key[-1:] == b"~":
            break
    return key
