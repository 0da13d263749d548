"""Every bad bot of the zoo at a real table: the right verdict on the right seat, and nothing left behind."""

from __future__ import annotations

import os
import resource
import secrets
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from arena.driver import BROKEN, OutOfResources, Table, now
from arena.match import Bot, Clock, FaultKind, Limits, Match, Restart, Result
from tests.zoo.people import Witness
from tests.zoo.zoo import MODES

ZOO = Path(__file__).parent / "zoo" / "zoo.py"
CRASH, TIMEOUT, PROTOCOL = FaultKind.CRASH, FaultKind.TIMEOUT, FaultKind.PROTOCOL
ILLEGAL, STARTUP = FaultKind.ILLEGAL, FaultKind.STARTUP

# A busy machine may take seconds to start a program or to let it answer. Where silence is the fault the time
# is short, since it has to be waited for; where it is not, there is plenty.
PATIENT = Clock(move=20_000_000, startup=60_000_000)
HASTY = Clock(move=200_000, startup=60_000_000)
QUICK_START = Clock(move=20_000_000, startup=300_000)


@dataclass(frozen=True)
class Case:
    """What must come of a mode: the fault's kind (None: it plays on), words of its sentence, the clock."""

    kind: FaultKind | None
    words: tuple[str, ...] = ()
    clock: Clock = PATIENT


CASES = {
    "start_exit": Case(CRASH, ("exited with status 3", "no licence found")),
    "start_segfault": Case(CRASH, ("killed by SIGSEGV",)),
    "start_silent": Case(STARTUP, ("no `ready`", "start-up time"), QUICK_START),
    "start_slow": Case(None),
    "start_banner": Case(PROTOCOL, ("Zoo 1.0 (c) nobody",)),
    "start_bom": Case(PROTOCOL, ("byte order mark",)),
    "start_close_stdout": Case(CRASH, ("closed its stdout",)),
    "second_silent": Case(STARTUP, ("`start`",), Clock(move=20_000_000, startup=3_000_000)),
    "crlf": Case(None),
    "early": Case(PROTOCOL, ("move a1",)),
    "hangs": Case(TIMEOUT, ("late", "200 ms"), HASTY),
    "exit_0": Case(CRASH, ("exited with status 0",)),
    "traceback": Case(CRASH, ("exited with status 1", r"\x1b[31mon fire")),
    "segfaults": Case(CRASH, ("SIGSEGV",)),
    "answer_and_exit": Case(CRASH, ("exited with status 0",)),
    "close_stdout": Case(CRASH, ("closed its stdout",)),
    "close_stdin": Case(TIMEOUT, (), HASTY),
    "stops_itself": Case(TIMEOUT, (), HASTY),
    "ignores_signals": Case(TIMEOUT, (), HASTY),
    "traps_and_answers": Case(TIMEOUT, (), HASTY),
    "lone_cr": Case(TIMEOUT, ("CR",), HASTY),
    "partial": Case(TIMEOUT, ("move ",), HASTY),
    "partial_exit": Case(CRASH, ("exited with status 0", "move ")),
    "late": Case(TIMEOUT, (), HASTY),
    "dies_at_end": Case(None),
    "byte_by_byte": Case(None),
    "dribble": Case(TIMEOUT, ("xxx",), HASTY),
    "chatter": Case(TIMEOUT, (), HASTY),
    "info": Case(PROTOCOL, ("info depth 3",)),
    "long_line": Case(PROTOCOL, ("4096",)),
    "flood": Case(PROTOCOL, ("move",)),
    "remark_flood": Case(PROTOCOL, ("remark",)),
    "stderr_flood": Case(TIMEOUT, ("eee",), HASTY),
    "flood_out_of_turn": Case(PROTOCOL, ()),
    "stderr_3mb": Case(None),
    "mirror": Case(PROTOCOL, ("moves",)),
    "nul": Case(PROTOCOL, (r"\x00",)),
    "not_utf8": Case(PROTOCOL, (r"\xff",)),
    "blanks": Case(None),
    "unicode_digits": Case(PROTOCOL, (r"\xd9",)),
    "empty_line": Case(PROTOCOL, ("empty",)),
    "two_moves": Case(PROTOCOL, ("move",)),
    "debug_print": Case(PROTOCOL, ("best = 17", "stderr")),
    "ansi": Case(PROTOCOL, (r"\x1b]0;owned",)),
    "illegal": Case(ILLEGAL, ("action", "against the rules")),
    "nonsense": Case(PROTOCOL, ("to-the-left", "cannot be read")),
    "daemon_with_pipes": Case(None),
    "daemon_without_pipes": Case(None),
    "dies_leaving_daemon": Case(CRASH, ("exited with status 1",)),
    "dies_leaving_child": Case(CRASH, ("exited with status 0",)),
    "wiped_daemon": Case(TIMEOUT, (), HASTY),
    "child_plays_on": Case(CRASH, ("exited with status 0",)),
    "zombies": Case(None),
    "fork_bomb": Case(TIMEOUT, (), HASTY),
    "hides_behind_child": Case(TIMEOUT, (), HASTY),
    "memory": Case(CRASH, ("MemoryError",)),
    "leaks_descriptors": Case(None),
    "opens_terminal": Case(None),
    "dumps_core": Case(None),
    "burns": Case(None),
}
ELSEWHERE = {"kills_parent", "child_burns"}  # tests of their own below


def zoo(mode: str, word: str, name: str = "bad", **more: object) -> Bot:
    """Return a bot of the zoo; -I -S so that it starts in no time."""
    return Bot(name, (sys.executable, "-I", "-S", str(ZOO), mode, word), ZOO.parent, **more)  # type: ignore[arg-type]


def match(*bots: str, game: str = "rain", number: int = 1) -> Match:
    """Return a match of these bots."""
    return Match(f"m{number}", "b", 1, game, {}, number, bots)


def play(table: Table, match: Match) -> Result:
    """Play a match, again where the machine was too busy to judge it, as a tournament would."""
    for _ in range(10):
        result = table.play(match)
        if "not running" not in result.text:
            break
    return result


def processes(word: str) -> list[str]:
    """Return the command lines of all processes that carry a word."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                line = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if word.encode() in line:
                found.append(line.replace(b"\0", b" ").decode())
    return found


def descriptors() -> int:
    """Return how many descriptors are open here."""
    return len(os.listdir("/proc/self/fd"))


@pytest.fixture
def word() -> Iterator[str]:
    """An unguessable word; whatever carries it in its command line must be gone in the end."""
    chosen = secrets.token_hex(12)
    before = descriptors()
    yield chosen
    assert processes(chosen) == []
    assert descriptors() == before


def test_every_mode_is_tried() -> None:
    """No mode of the zoo is without its expectation."""
    assert set(MODES) == set(CASES) | ELSEWHERE


def judge(result: Result, case: Case, seat: int, *witnesses: Witness) -> None:
    """Hold a result against what was expected of a mode on a seat."""
    assert not result.void, result.text
    if case.kind is None:
        assert result.faults == ()
        return
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(seat, case.kind)], result.faults
    for words in case.words:
        assert words in result.faults[0].text
    assert result.faults[0].text.isprintable()
    assert result.ranks[seat] == len(result.ranks)
    for witness in witnesses:
        assert f"out {seat} {case.kind}" in witness.heard
        assert witness.heard[-1].startswith("end ")


@pytest.mark.parametrize("mode", sorted(CASES))
def test_mode_in_a_match_of_two(mode: str, word: str) -> None:
    """A bad bot is judged as it deserves, the other is told, and the same table plays on."""
    case, witness = CASES[mode], Witness()
    bots = {"bad": zoo(mode, word), "good": zoo("start_slow", word, "good")}
    limits = Limits(memory=200 << 20)
    with Table(bots, case.clock, limits, people={"witness": witness}) as table:
        result = play(table, match("witness", "bad"))
        judge(result, case, 1, witness)
        if case.kind is not None:
            assert not [line for line in processes(word) if mode in line], "its processes end with its match"
        inside = descriptors()
        again = play(table, match("bad", "witness", number=2))
        judge(again, case, 0, witness)
        assert case.kind is None or descriptors() == inside
    with Table(bots, PATIENT, limits, people={"witness": witness}) as table:
        assert play(table, match("good", "witness", number=3)).faults == ()


@pytest.mark.parametrize("mode", ["start_exit", "start_silent", "hangs", "exit_0", "illegal", "two_moves"])
def test_mode_in_a_match_of_four(mode: str, word: str) -> None:
    """With four seats the other three play on to the end."""
    case = CASES[mode]
    witnesses = {name: Witness() for name in ("a", "b", "c")}
    bots = {"bad": zoo(mode, word)}
    with Table(bots, case.clock, Limits(), people=witnesses) as table:
        result = play(table, match("a", "b", "bad", "c"))
    judge(result, case, 2, *witnesses.values())
    assert max(action.seat for action in result.actions[-4:]) != 2
    assert len(result.actions) > 20
    assert sorted(result.ranks)[-1] == result.ranks[2] == 4


@pytest.mark.parametrize("mode", ["hangs", "dribble", "chatter", "stderr_flood", "ignores_signals"])
def test_ends_soon_after_its_deadline(mode: str, word: str) -> None:
    """Nothing that a bot does moves its deadline: the match is over 0.3 s after it at the latest.

    One of five attempts has to show it: on a busy machine we ourselves may not be running.
    """
    for _ in range(5):
        asked: list[int] = []

        def wire(seat: int, name: str, way: str, data: bytes, asked: list[int] = asked) -> None:
            if name == "bad" and way == ">" and b"go " in data:
                asked.append(now())

        with Table({"bad": zoo(mode, word)}, HASTY, Limits(), people={"w": Witness()}, wire=wire) as table:
            judge(play(table, match("bad", "w")), CASES[mode], 0)
            over = now() - asked[-1] - HASTY.move - HASTY.margin
        if over < 300_000:
            return
    pytest.fail(f"over only {over / 1e6:.2f} s after the deadline")


def test_late_answer_does_not_count(word: str) -> None:
    """An action that comes after the deadline is not played."""
    with Table({"bad": zoo("late", word)}, HASTY, Limits(), people={"w": Witness()}) as table:
        result = play(table, match("bad", "w"))
    assert [action.seat for action in result.actions if action.seat == 0] == [0]


def test_answer_before_an_exit_counts(word: str) -> None:
    """A bot that answers and leaves has made its move, and is out at its next turn."""
    with Table({"bad": zoo("answer_and_exit", word)}, PATIENT, Limits(), people={"w": Witness()}) as table:
        result = play(table, match("bad", "w"))
    assert sum(action.seat == 0 for action in result.actions) == 2
    assert "before action" in result.faults[0].text or "was due" in result.faults[0].text


def test_stderr_is_kept_within_bounds(word: str, tmp_path: Path) -> None:
    """Of three megabytes of stderr the log has as much as it may, and the match is not disturbed."""
    limits = Limits(stderr=100_000)
    bots = {"bad": zoo("stderr_3mb", word)}
    with Table(bots, PATIENT, limits, people={"w": Witness()}, logs=tmp_path / "logs") as table:
        assert play(table, match("bad", "w")).faults == ()
    assert (tmp_path / "logs" / "bad.stderr").stat().st_size == 100_000


def test_newest_stderr_is_in_the_record(word: str) -> None:
    """The record has the end of a traceback, with its control characters as they came."""
    with Table({"bad": zoo("traceback", word)}, PATIENT, Limits(), people={"w": Witness()}) as table:
        fault = play(table, match("bad", "w")).faults[0]
    assert fault.stderr.rstrip().endswith("ValueError: the board is \x1b[31mon fire\x1b[0m")


def test_killing_the_bots_parent_makes_the_match_void(word: str) -> None:
    """A bot that kills what started it gains nothing, and the table goes on with a new parent."""
    bots = {"bad": zoo("kills_parent", word), "good": zoo("crlf", word, "good")}
    with Table(bots, HASTY, Limits(), people={"w": Witness()}) as table:
        assert play(table, match("good", "w")).faults == ()
        result = play(table, match("bad", "w"))
        assert result.void
        assert "killed" in result.text
        assert not [line for line in processes(word) if "kills_parent" in line]
        assert play(table, match("good", "w", number=2)).faults == ()


def test_children_count_in_the_cpu_time(word: str) -> None:
    """What a bot lets its child work out is charged to the bot."""
    bots = {"bad": zoo("child_burns", word), "own": zoo("burns", word, "own")}
    with Table(bots, PATIENT, Limits(), people={"w": Witness()}) as table:
        assert play(table, match("bad", "w")).cpu[0] > 0.15
        assert play(table, match("own", "w")).cpu[0] > 0.15
        assert play(table, match("own", "w", number=2)).cpu[1] == 0.0


def test_both_fail_at_the_start(word: str) -> None:
    """Where all bots fail together nobody wins: they share the place."""
    bots = {"bad": zoo("start_exit", word), "other": zoo("start_segfault", word, "other")}
    with Table(bots, PATIENT, Limits()) as table:
        result = play(table, match("bad", "other"))
    assert [(fault.seat, fault.kind) for fault in result.faults] == [(0, CRASH), (1, CRASH)]
    assert result.ranks == (1, 1)


def test_bot_that_never_starts_is_given_up(word: str) -> None:
    """After three failed starts in a row a bot is not started again; its matches are forfeited at once."""
    with Table({"bad": zoo("start_exit", word)}, PATIENT, Limits(), people={"w": Witness()}) as table:
        for number in range(BROKEN):
            assert play(table, match("bad", "w", number=number)).faults[0].kind is CRASH
        assert "no licence found" in table.broken["bad"]
        fault = play(table, match("bad", "w", number=9)).faults[0]
        assert fault.kind is STARTUP
        assert "3 times in a row" in fault.text


def test_out_of_descriptors_is_nobodys_fault(word: str) -> None:
    """Where the arena has no descriptors left the match is void, and the run must stop."""
    with Table({"bad": zoo("crlf", word)}, PATIENT, Limits(), people={"w": Witness()}) as table:
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(map(int, os.listdir("/proc/self/fd"))) + 2, hard))
        try:
            with pytest.raises(OutOfResources, match="void") as caught:
                play(table, match("bad", "w"))
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert caught.value.result.void
        assert play(table, match("bad", "w")).faults == ()


def test_bot_against_itself_has_two_processes(word: str) -> None:
    """A bot that sits twice in a line-up is started twice, and both are kept."""
    with Table({"good": zoo("crlf", word, "good")}, PATIENT, Limits()) as table:
        for number in range(2):
            assert play(table, match("good", "good", number=number)).faults == ()
            assert len(processes(word)) == 2


def test_restart_always_gives_a_new_process_each_match(word: str) -> None:
    """With `restart: always` no process outlives its match."""
    bots = {"good": zoo("crlf", word, "good", restart=Restart.ALWAYS)}
    with Table(bots, PATIENT, Limits(), people={"w": Witness()}) as table:
        for number in range(2):
            assert play(table, match("good", "w", number=number)).faults == ()
            assert processes(word) == []


def test_nothing_is_left_when_the_arena_is_killed(word: str) -> None:
    """Killed with -9 in the middle of a match, the arena takes all bots and their descendants with it."""
    script = f"""
import sys
sys.path.insert(0, {str(ZOO.parents[2])!r})
from tests.test_zoo import *
bots = {{"a": zoo("wiped_daemon", {word!r}, "a"), "b": zoo("hides_behind_child", {word!r}, "b")}}
with Table(bots, PATIENT, Limits(), people={{"w": Witness()}}) as table:
    play(table, match("a", "b", "w", game="desert"))
"""
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", script], os.environ)
    try:
        # The daemon of a: the match is in its middle.
        wait_for(lambda: any("time.sleep(1000)" in line for line in processes(word)))
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)
    wait_for(lambda: processes(word) == [])


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something holds; a minute on the busiest machine."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.01)


@pytest.mark.parametrize("mode", ["long_line", "flood", "remark_flood", "stderr_flood", "flood_out_of_turn"])
def test_floods_do_not_grow_memory(mode: str, word: str) -> None:
    """A flood makes the arena's own peak grow by no more than a few MiB."""
    script = f"""
import sys
sys.path.insert(0, {str(ZOO.parents[2])!r})
from tests.test_zoo import *
import resource
bots = {{"bad": zoo({mode!r}, {word!r}), "good": zoo("crlf", {word!r}, "good")}}
with Table(bots, HASTY, Limits()) as table:
    peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    play(table, match("good", "good"))
    before = peak()
    play(table, match("good", "bad"))
    sys.exit(0 if peak() - before < 4096 else f"grew by {{peak() - before}} KiB")
"""
    pid = os.posix_spawn(sys.executable, [sys.executable, "-c", script], os.environ)
    assert os.waitpid(pid, 0)[1] == 0
