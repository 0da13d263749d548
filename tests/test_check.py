"""Examining bots: a good one passes everything, bad ones fail where they are bad and hear how to mend it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.check.examination import Examination
from arena.check.games import trials
from arena.check.verdict import Outcome, Verdict
from arena.driver import cpu, now
from arena.games.base import load_game
from arena.launch import plain
from arena.match import Bot, Clock

ROOT = Path(__file__).resolve().parent.parent

# A bot with modes: without one it is good and takes the first legal action.
BOT = r"""
import os, sys, time
mode = sys.argv[1]
lines = iter(sys.stdin.readline, "")
def say(text, end="\n"):
    sys.stdout.write(text + end)
    if mode != "buffers":
        sys.stdout.flush()
if mode == "banner":
    say("Dune 1.2")
if mode == "exits":
    print("no such table", file=sys.stderr)
    sys.exit(3)
games = 0
for line in lines:
    words = line.split()
    word = words[0] if words else ""
    if mode == "brittle" and word not in (
        "arena", "game", "setup", "start", "play", "draw", "out", "moves", "state", "go", "end", "quit"
    ):
        raise SystemExit("what is " + repr(line))
    if mode == "keys" and word == "go" and len(words) != 3:
        raise SystemExit("what is " + repr(line))
    if word == "arena" and mode != "mute":
        say("ready name=" + mode + " wants=moves")
    elif word == "game":
        games += 1
    elif word == "start":
        say("ready")
    elif word == "moves":
        moves = words[1:]
    elif word == "go":
        if mode == "prints":
            say("thinking")
        if mode == "slow":
            time.sleep(0.4)
        if mode == "once" and games > 1:
            moves = ["zz"]
        if mode == "remarks":
            say("# one\n# two")
        say("move " + ("pawn" if mode == "illegal" else moves[0]))
        if mode == "twice":
            time.sleep(0.01)
            say("move " + moves[0])
    elif word == "quit" and mode not in ("stays", "clings"):
        break
while mode == "clings":
    time.sleep(1)
if mode == "stays":
    time.sleep(60)
"""


@pytest.fixture
def examine(tmp_path: Path) -> Callable[..., dict[str, Verdict]]:
    """Return a function that examines a mode of the bot in some trials."""
    program = tmp_path / "bot.py"
    program.write_text(BOT)

    def run(mode: str, *names: str, game: str = "rain", startup: int = 20_000_000) -> dict[str, Verdict]:
        bot = Bot("bot", (sys.executable, str(program), mode), tmp_path)
        clock = Clock(move=250_000, margin=5_000_000, startup=startup)
        with Examination(bot, load_game(game), clock, now=now, cpu=cpu, launch=plain) as exam:
            wanted = [trial for trial in trials(exam.game) if not names or trial.name in names]
            return {verdict.name: verdict for verdict in exam.run(wanted)}

    return run


def failures(verdicts: dict[str, Verdict]) -> list[str]:
    """Return the names of the trials that failed."""
    return [name for name, verdict in verdicts.items() if verdict.outcome is Outcome.FAILED]


@pytest.mark.parametrize("game", ["desert", "rain"])
def test_a_good_bot_passes_everything(examine: Callable[..., dict[str, Verdict]], game: str) -> None:
    """A bot without fault passes all trials of both games, and there are some thirty."""
    verdicts = examine("good", game=game)
    assert {name: verdict.text for name, verdict in verdicts.items() if name in failures(verdicts)} == {}
    assert len(verdicts) >= 30
    assert verdicts["ready"].text == "name=good"
    assert verdicts["told-moves"].outcome is Outcome.SKIPPED
    assert verdicts["deterministic"].text.startswith("yes")
    assert sum(verdict.outcome is Outcome.PASSED for verdict in verdicts.values()) >= 26


@pytest.mark.parametrize(
    ("mode", "trial", "text", "hint"),
    [
        ("banner", "quiet-start", "before it was greeted", "stderr"),
        ("prints", "first-action", "'thinking'", "stdout"),
        ("illegal", "first-action", "pawn as action 1", "SPEC.md"),
        ("twice", "quiet", "not asked", "one `move`"),
        ("brittle", "unknown-lines", "exited with status 1", "pass over every line"),
        ("keys", "unknown-keys", "exited with status 1", "key=value"),
        ("clings", "end-of-input", "still running", "end of input"),
        ("clings", "quit", "still running", "quit"),
        ("stays", "end-in-game", "still running", "end of input"),
        ("once", "second-game", "zz as action", "begins a new game"),
        ("slow", "little-time", "with 100 ms an action", "plan with it"),
    ],
)
def test_a_bad_bot_is_told_how_to_mend_it(
    examine: Callable[..., dict[str, Verdict]], mode: str, trial: str, text: str, hint: str
) -> None:
    """Each misbehaviour fails its own trial, with what happened, the remedy and the conversation."""
    verdict = examine(mode, trial)[trial]
    assert verdict.outcome is Outcome.FAILED
    assert text in verdict.text
    assert hint in verdict.hint
    assert verdict.conversation or mode == "banner"


def test_a_failure_shows_conversation_and_stderr(examine: Callable[..., dict[str, Verdict]]) -> None:
    """The newest steps and the bot's own words stand with the verdict."""
    verdict = examine("brittle", "unknown-lines")["unknown-lines"]
    assert "> notice a line of a later version" in verdict.conversation
    assert verdict.stderr.startswith("what is 'notice")
    assert verdict.dump()["outcome"] == "failed"


def test_a_buffer_is_recognised(examine: Callable[..., dict[str, Verdict]]) -> None:
    """An answer that comes only when the input ends is told from none."""
    verdicts = examine("buffers", "ready", startup=1_000_000)
    assert failures(verdicts) == ["ready"]
    assert "when its input ended" in verdicts["ready"].text
    assert "flush" in verdicts["ready"].hint


def test_a_silent_bot_is_not_asked_thirty_times(examine: Callable[..., dict[str, Verdict]]) -> None:
    """What needs a failed trial stays untried and says so; the rest goes on."""
    verdicts = examine("mute", startup=500_000)
    assert failures(verdicts) == ["ready"]
    assert verdicts["quiet-start"].outcome is Outcome.PASSED
    assert verdicts["players-2"].outcome is Outcome.UNTRIED
    assert "`first-action` has failed" in verdicts["players-2"].text


def test_a_bot_that_ends_at_once(examine: Callable[..., dict[str, Verdict]]) -> None:
    """Its exit status and its last words are told."""
    verdict = examine("exits", "program", "ready")["ready"]
    assert "exited with status 3" in verdict.text
    assert verdict.stderr == "no such table"


def test_remarks_are_no_failure(examine: Callable[..., dict[str, Verdict]]) -> None:
    """Remarks are counted and judged by nobody."""
    verdicts = examine("remarks", "first-action", "quiet", "players-2", "besides")
    assert failures(verdicts) == []
    assert "0 remarks" not in verdicts["besides"].text


def test_slow_bots_are_told_their_times(examine: Callable[..., dict[str, Verdict]]) -> None:
    """Too many late actions fail, with how late they were."""
    verdict = examine("slow", "bank", "in-time")["in-time"]
    assert verdict.outcome is Outcome.FAILED
    assert "6 actions were late" in verdict.text


def run(*words: str) -> subprocess.CompletedProcess[str]:
    """Run `arena check`."""
    return subprocess.run(
        [sys.executable, "-c", "from arena.cli import main; main()", "check", "--sandbox", "off", *words],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        cwd=ROOT,
    )


def test_the_command_gives_json(tmp_path: Path) -> None:
    """With --json stdout holds one object and nothing else; the status tells failures."""
    (tmp_path / "bot.py").write_text(BOT)
    good = run("--json", "--game", "rain", "--only", "quit", f"{{python}} {tmp_path}/bot.py good")
    assert good.returncode == 0, good.stderr
    found = json.loads(good.stdout)
    assert found["game"] == "rain"
    assert [trial["name"] for trial in found["trials"]] == ["program", "ready", "first-action", "quit"]
    assert {trial["outcome"] for trial in found["trials"]} == {"passed"}
    bad = run("--json", "--only", "program", str(tmp_path / "nothing"))
    assert bad.returncode == 1
    assert json.loads(bad.stdout)["trials"][0]["outcome"] == "failed"


def test_the_command_explains_itself(tmp_path: Path) -> None:
    """For people a failure is shown with its remedy, and mistakes of the user are told as such."""
    (tmp_path / "bot.py").write_text(BOT)
    shown = run("--only", "unknown-lines", sys.executable, str(tmp_path / "bot.py"), "brittle")
    assert shown.returncode == 1
    assert "How to mend it: pass over every line" in shown.stdout
    assert "what is 'notice" in shown.stdout
    assert shown.stderr.strip() == "arena: 1 of 4 trials failed"
    wrong = run("--only", "manners", "x")
    assert wrong.returncode == 2
    assert "no trial 'manners'" in wrong.stderr
    assert run("--game", "chess", "x").returncode == 2
    listed = run("--list", "--game", "desert", "x")
    assert "edition-ffg" in listed.stdout


def test_bots_find_the_protocol_package_in_every_tier(tmp_path: Path) -> None:
    """A bot in the arena's own Python may import `protocol`, under the isolation of tournaments too."""
    (tmp_path / "bot.py").write_text(
        "from protocol.bot import run\nrun(lambda game: game.moves[0], wants='moves')\n"
    )
    done = run(
        "--sandbox", "auto", "--game", "rain", "--only", "first-action", f"{{python}} {tmp_path}/bot.py"
    )
    assert done.returncode == 0, done.stdout
