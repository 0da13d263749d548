"""The table: programs kept over matches, seats without programs, watching, and a clock that may stall."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena import driver
from arena.driver import KEPT, STARTS, Table, cpu, now
from arena.games.base import State
from arena.match import Bot, Clock, FaultKind, Limits, Match, Played
from tests.zoo.people import Witness

PATIENT = Clock(move=20_000_000, startup=60_000_000)
# Says its process id as its version, and plays the first legal action.
GOOD = """
import os, sys, time
time.sleep(float(sys.argv[1]) if len(sys.argv) > 1 else 0)
for line in sys.stdin:
    word, _, rest = line.strip().partition(" ")
    if word == "moves": first = rest.split()[0]
    answer = {"arena": f"ready version={os.getpid()} wants=moves", "start": "ready", "go": "move "}.get(word)
    if answer: print(answer + (first if word == "go" else ""), flush=True)
"""


def good(name: str, *words: str, **more: object) -> Bot:
    """Return a bot that behaves."""
    command = (sys.executable, "-I", "-S", "-c", GOOD, *words)
    return Bot(name, command, Path("/"), **more)  # type: ignore[arg-type]


def match(*bots: str, number: int = 1) -> Match:
    """Return a match of rain."""
    return Match(f"m{number}", "b", 1, "rain", {}, number, bots)


def test_clock_counts_microseconds_upward() -> None:
    """`now` is whole microseconds and never goes back."""
    stamps = [now() for _ in range(100)]
    assert stamps == sorted(stamps)
    assert all(isinstance(stamp, int) for stamp in stamps)


def test_cpu_clock_of_a_process() -> None:
    """The CPU time of a process is read to the microsecond; of one that is gone it is 0."""
    assert 0 < cpu(os.getpid()) < 10_000
    assert cpu(2**22 - 1) == 0.0


def test_programs_are_kept_over_matches() -> None:
    """One process plays all matches of a bot, whatever its seat and opponents."""
    bots = {name: good(name) for name in ("a", "b")}
    with Table(bots, PATIENT, Limits(), people={"w": Witness()}) as table:
        told = []
        for number, lineup in enumerate([("a", "b"), ("b", "a"), ("w", "a"), ("a", "w", "b")]):
            result = table.play(match(*lineup, number=number))
            assert result.faults == ()
            told.append(result.told[lineup.index("a")]["version"])
    assert len(set(told)) == 1


def test_idle_programs_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond a number of idle programs the longest idle one has to go."""
    monkeypatch.setattr(driver, "KEPT", 2)
    bots = {name: good(name) for name in "abc"}
    versions: dict[str, set[str]] = {name: set() for name in bots}
    with Table(bots, PATIENT, Limits(), people={"w": Witness()}) as table:
        for number, name in enumerate("abcabc"):
            versions[name].add(table.play(match(name, "w", number=number)).told[0]["version"])
    assert [len(found) for found in versions.values()] == [2, 2, 2]
    assert KEPT >= 10


def test_new_process_after_a_fault(tmp_path: Path) -> None:
    """A bot that was put out begins its next match with a new process."""
    marker = tmp_path / "misbehave"
    code = GOOD.replace("float(sys.argv[1]) if len(sys.argv) > 1 else 0", "0")
    code = code.replace('"go": "move "', '"go": "move x" if os.path.exists(sys.argv[1]) else "move "')
    bot = Bot("a", (sys.executable, "-I", "-S", "-c", code, str(marker)), Path("/"))
    with Table({"a": bot}, PATIENT, Limits(), people={"w": Witness()}) as table:
        first = table.play(match("a", "w"))
        marker.touch()
        bad = table.play(match("a", "w", number=2))
        marker.unlink()
        after = table.play(match("a", "w", number=3))
    assert first.faults == after.faults == ()
    assert bad.faults[0].kind is FaultKind.PROTOCOL
    assert first.told[0] == bad.told[0] != after.told[0]


def test_bots_start_at_the_same_time(tmp_path: Path) -> None:
    """Four bots of which each is ready only when all four run: one after the other they never would be."""
    code = f"""
import os, sys, time
open(os.path.join({str(tmp_path)!r}, str(os.getpid())), "w").close()
while len(os.listdir({str(tmp_path)!r})) < 4: time.sleep(0.005)
{GOOD}"""
    bots = {name: Bot(name, (sys.executable, "-I", "-S", "-c", code), Path("/")) for name in "abcd"}
    assert len(bots) <= STARTS
    with Table(bots, PATIENT, Limits()) as table:
        assert table.play(match(*bots)).faults == ()


def test_starts_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """No more programs than allowed are starting at the same time, and all start in the end."""
    monkeypatch.setattr(driver, "STARTS", 1)
    bots = {name: good(name) for name in "abcd"}
    said: list[tuple[str, str]] = []

    def wire(seat: int, name: str, way: str, data: bytes) -> None:
        if data.startswith((b"arena", b"ready version")):
            said.append((name, way))

    with Table(bots, PATIENT, Limits(), wire=wire) as table:
        assert table.play(match("a", "b", "c", "d")).faults == ()
    assert said == [(name, way) for name in "abcd" for way in "><"]


def test_person_plays_by_the_same_referee() -> None:
    """A function takes a seat like any bot: told everything, judged, without a clock."""
    witness = Witness()
    with Table({"a": good("a")}, PATIENT, Limits(), people={"w": witness}) as table:
        result = table.play(match("w", "a"))
    assert result.faults == ()
    assert result.told[0] == {"name": "witness"}
    assert result.cpu[0] == 0.0
    assert witness.heard[0] == "arena 1"
    assert witness.heard[-1].startswith("end ")


def test_person_who_leaves_is_out() -> None:
    """A function that answers nothing where an answer is due has left the match."""
    with Table({}, PATIENT, Limits(), people={"w": Witness(), "gone": lambda data: b""}) as table:
        (fault,) = table.play(match("w", "gone")).faults
    assert (fault.seat, fault.kind) == (1, FaultKind.CRASH)
    assert "left" in fault.text


def test_watching() -> None:
    """A watcher sees the first position and each action with the position after it."""
    seen: list[Played | None] = []
    with Table({}, PATIENT, Limits(), people={"v": Witness(), "w": Witness()}) as table:

        def watch(state: State, played: Played | None) -> None:
            assert len(state.legal()) >= 0
            seen.append(played)

        result = table.play(match("v", "w"), watch)
    assert seen == [None, *result.actions]


def test_stall_of_the_machine_makes_the_match_void(monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that slept through a turn does not blame the bot."""
    looks: list[int] = []  # at the clock, since the bot was asked for an action

    def clock() -> int:
        if looks:
            looks[0] += 1
        return real() + (60_000_000_000 if looks and looks[0] > 2 else 0)

    def wire(seat: int, name: str, way: str, data: bytes) -> None:
        if b"go " in data and way == ">":
            looks[:] = [1]

    real = driver.ticks
    monkeypatch.setattr(driver, "ticks", clock)
    with Table({"a": good("a")}, PATIENT, Limits(), people={"w": Witness()}, wire=wire) as table:
        result = table.play(match("a", "w"))
        assert result.void
        assert "not running" in result.text
        assert result.faults == ()
        monkeypatch.undo()
        assert table.play(match("a", "w", number=2)).faults == ()


def test_bug_in_a_game_makes_the_match_void(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception of a game's own code is nobody's fault; its traceback is in the record."""
    from arena.games.rain.state import RainState

    def play(self: RainState, action: str) -> None:
        raise RuntimeError("the bag is a lie")

    monkeypatch.setattr(RainState, "play", play)
    with Table({"a": good("a")}, PATIENT, Limits(), people={"w": Witness()}) as table:
        result = table.play(match("a", "w"))
        assert result.void
        assert "the bag is a lie" in result.text
        monkeypatch.undo()
        assert table.play(match("a", "w")).faults == ()


def test_closing_twice_is_harmless() -> None:
    """A table may be closed again, and has no programs then."""
    table = Table({"a": good("a")}, PATIENT, Limits(), people={"w": Witness()})
    pid = int(table.play(match("a", "w")).told[0]["version"])
    table.close()
    table.close()
    assert not Path(f"/proc/{pid}").exists()
