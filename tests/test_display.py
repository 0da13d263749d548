"""What a run shows: lines for people, JSON for programs, and nobody who stops it by not reading."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from typing import TextIO

import pytest

from arena import events
from arena.display import JsonLines, PlainLines, Steady, duration, end_line, opened, rate
from arena.events import Reason
from arena.live import Live
from arena.standings import standings
from arena.tally import Entry, Tally

BEGIN = events.Begin("cup", "rain", 2, ("one", "two"), "out", 100, True, 20, 2, "bwrap")
FAULT = events.BotFault(1, "two", "timeout", "20 ms late \x1b[2J")
GAME = events.Game("3-abc", "3-ab", 3, ("one", "two"), (1, 2), (9, 4), (FAULT,), 1234, 21, 100)
PROGRESS = events.Progress(21, 100, 12.34, 6.4, (("one", "two"),))
END = events.End(Reason.FINISHED, "all games are played", 80, 100, 100, 0, 3.21, "out")


def table() -> events.Table:
    """Return a small table."""
    tally = Tally(["one", "two"])
    for block in range(4):
        tally.add(Entry(("one", "two"), (1, 2), str(block)))
        tally.add(Entry(("two", "one"), (1 + block % 2, 2 - block % 2), str(block)))
    return events.Table(standings(tally))


@pytest.fixture
def broken() -> Iterator[TextIO]:
    """A stream whose reader is gone."""
    read, write = os.pipe()
    os.close(read)
    with open(write, "w") as stream:
        yield stream


def test_lines_say_what_people_want_to_know() -> None:
    """Begin, faults, notices, void games, the table and the end have lines, without control characters."""
    stream = io.StringIO()
    show = PlainLines(Steady(stream)).tell
    for event in (
        BEGIN,
        GAME,
        events.Notice("take care"),
        events.Void("4-abd", ("one", "two"), "a bug", final=False),
        table(),
        END,
    ):
        show(event)
    lines = stream.getvalue().splitlines()
    assert lines[0] == "cup: rain for 2, 2 bots, 100 games, 20 done; 2 at once, isolation bwrap"
    assert lines[1] == "game 3-abc: two: timeout: 20 ms late \\x1b[2J"
    assert lines[2] == "take care"
    assert lines[3] == "game 4-abd is void and played again: a bug"
    assert lines[4].startswith("rank  name")
    counts = "all games are played: 100 of 100 games (80 now, in 3.2 s)"
    assert lines[-1] == f"{counts}; results and report.html in out"


def test_progress_is_told_to_people_every_ten_seconds() -> None:
    """Of forty looks a quarter of a second apart one has a line."""
    stream = io.StringIO()
    show = PlainLines(Steady(stream)).tell
    for _ in range(80):
        show(PROGRESS)
    assert stream.getvalue().splitlines() == ["21 of 100 games, 12.3 games/s, 6.4 s left"] * 2


def test_a_faulty_bot_does_not_fill_the_screen() -> None:
    """After twenty faults of one bot only the table counts them."""
    stream = io.StringIO()
    show = PlainLines(Steady(stream)).tell
    for _ in range(100):
        show(GAME)
    lines = stream.getvalue().splitlines()
    assert len(lines) == 21
    assert lines[-1] == "two: further faults are counted in the table"


def test_json_lines_are_events() -> None:
    """Each line is one object with its event's name; of the frequent progress only some."""
    stream = io.StringIO()
    show = JsonLines(Steady(stream)).tell
    several: list[events.Event] = [BEGIN, GAME, *[PROGRESS] * 16, table(), END]
    for event in several:
        show(event)
    told = [json.loads(line) for line in stream.getvalue().splitlines()]
    assert [one["event"] for one in told] == [
        "begin", "game", "progress", "progress", "standings", "end",
    ]  # fmt: skip
    assert told[1]["faults"] == [{"seat": 1, "bot": "two", "kind": "timeout", "text": "20 ms late \x1b[2J"}]
    assert told[-1]["reason"] == "finished"


def test_whoever_stops_reading_stops_nothing(broken: TextIO) -> None:
    """On a broken pipe a display falls silent, and Python's end finds nothing to complain about."""
    with opened(broken, as_json=True) as show:
        for _ in range(3):
            show(GAME)
    broken.flush()


def test_the_live_display_never_stops_a_run_either(broken: TextIO) -> None:
    """A terminal that is gone is written to no more."""
    with Live(Steady(broken)) as live:
        for event in (BEGIN, GAME, table(), PROGRESS, END):
            live.tell(event)


def test_the_live_display_ends_with_the_table() -> None:
    """What stays on the screen is the table, the last troubles and the end."""
    stream = io.StringIO()
    with Live(Steady(stream)) as live:
        for event in (BEGIN, GAME, table(), PROGRESS, END):
            live.tell(event)
    text = stream.getvalue()
    assert "LOS>next" in text
    assert "two: timeout: 20 ms late" in text
    assert "\x1b[2J" not in text
    assert " ".join(text.split()).endswith("results and report.html in out")


def test_why_a_run_stopped_is_said_once() -> None:
    """The table's footer says it, so the last line only counts."""
    ended = events.End(Reason.RULE, "every error is at most 20 Elo", 8, 10, 20, 0, 1.0, "out")
    assert end_line(ended) == "stopped: 10 of 20 games (8 now, in 1.0 s); results and report.html in out"


def test_quiet_is_quiet() -> None:
    """Nothing is written."""
    stream = io.StringIO()
    with opened(stream, is_quiet=True) as show:
        for event in (BEGIN, GAME, table(), END):
            show(event)
    assert stream.getvalue() == ""


@pytest.mark.parametrize(
    ("seconds", "expected"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (12.4, "12 s"),
        (59.6, "1:00 min"),
        (185, "3:05 min"),
        (7800, "2:10 h"),
    ],
)
def test_durations_read_well(seconds: float, expected: str) -> None:
    """A time is told in the unit that people use for it."""
    assert duration(seconds) == expected


@pytest.mark.parametrize(
    ("games", "expected"),
    [(0, "0.0 games/s"), (12.34, "12.3 games/s"), (0.5, "30.0 games/min"), (0.01, "36.0 games/h")],
)
def test_rates_read_well(games: float, expected: str) -> None:
    """A pace is told in a unit that leaves digits to read."""
    assert rate(games) == expected
