"""Tournaments as users run them: real bots, real signals, real disks."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena import journal

TINY = Path(__file__).parent / "tiny.py"
ARENA = Path(sys.executable).parent / "arena"
LONG = 120


def write(folder: Path, text: str = "", *, rounds: int = 3, bots: str = "one two", more: str = "") -> Path:
    """Write a tournament's file with tiny bots, one a word."""
    shutil.copy(TINY, folder / "tiny.py")
    lines = [
        f'  - {{name: {bot.replace("=", "")}, command: "{{python}} -IS tiny.py {bot}"}}'
        for bot in bots.split()
    ]
    path = folder / "t.yaml"
    path.write_text(
        "\n".join(
            [
                "game: rain",
                "bots:",
                *lines,
                more or "sandbox: off",
                f"schedule: {{rounds: {rounds}}}",
                "workers: 2",
                "clock: {move: 20s, startup: 60s}",  # the machine may be busy with other tests
                "output: out",
                text,
            ]
        )
    )
    return path


def arena(*words: object, **more: Any) -> subprocess.CompletedProcess[str]:
    """Run the program to its end."""
    return subprocess.run(
        [ARENA, *map(str, words)], capture_output=True, text=True, timeout=LONG, check=False, **more
    )


def begin(*words: object, **more: Any) -> subprocess.Popen[str]:
    """Start the program."""
    return subprocess.Popen(
        [ARENA, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more
    )


def until(condition: Callable[[], object]) -> None:
    """Wait for something that surely comes."""
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def games(folder: Path) -> list[str]:
    """Return the ids of all finished matches."""
    return [head["id"] for head in journal.heads(folder / "out")]


def has_games(folder: Path, number: int) -> Callable[[], bool]:
    """Return a condition: so many matches are in the journal."""
    path = folder / "out" / journal.NAME
    return lambda: path.exists() and path.read_bytes().count(b"\n") > number


def files(folder: Path) -> dict[str, bytes]:
    """Return all files of the results."""
    return {path.name: path.read_bytes() for path in (folder / "out").iterdir() if path.is_file()}


def test_a_tournament_leaves_its_results(tmp_path: Path) -> None:
    """All games, the tables, the log and the bots' stderr are there; run again, every byte stays."""
    done = arena("tournament", write(tmp_path, bots="one two stderr"))
    assert (done.returncode, done.stderr) == (0, "")
    assert "all games are played: 18 of 18 games (18 now" in done.stdout
    assert len(set(games(tmp_path))) == len(games(tmp_path)) == 18
    header = journal.read_header(tmp_path / "out")
    assert header["format"] == 1
    assert header["configuration"]["game"] == "rain"
    assert header["isolation"]["tier"] == "basic"
    assert list(header["files"]["one"]) == ["tiny.py"]
    table = json.loads((tmp_path / "out" / "standings.json").read_text())
    assert table["games"] == 18
    assert table["stopped"] is None
    assert (tmp_path / "out" / "standings.csv").read_text().count("\n") == 4
    assert "stderr" in (tmp_path / "out" / "standings.md").read_text()
    assert "thinking" in next((tmp_path / "out" / "logs").glob("stderr.*")).read_text()
    assert "all games are played" in (tmp_path / "out" / "arena.log").read_text()
    assert "<html" in (tmp_path / "out" / "report.html").read_text()
    before = files(tmp_path)
    again = arena("tournament", tmp_path / "t.yaml")
    assert again.returncode == 0
    assert "all games are played: 18 of 18 games;" in again.stdout
    assert files(tmp_path) == before


def test_extending_keeps_what_was_played(tmp_path: Path) -> None:
    """More rounds and more bots add lines, and change none but the first."""
    arena("tournament", write(tmp_path, rounds=1))
    lines = (tmp_path / "out" / journal.NAME).read_bytes().splitlines()
    done = arena("tournament", write(tmp_path, rounds=2, bots="one two three"))
    assert done.returncode == 0, done.stderr
    after = (tmp_path / "out" / journal.NAME).read_bytes().splitlines()
    assert after[1 : len(lines)] == lines[1:]
    assert len(after) == 1 + 2 * 6
    header = journal.read_header(tmp_path / "out")
    assert header["configuration"]["schedule"]["rounds"] == 2
    assert [change["games"] for change in header["changes"]] == [2]


def test_another_tournament_is_refused_by_name(tmp_path: Path) -> None:
    """What differs is named, nothing is played, and the folder stays as it is."""
    arena("tournament", write(tmp_path, rounds=1))
    before = files(tmp_path)
    done = arena("tournament", write(tmp_path, "seed: 9", rounds=1))
    assert done.returncode == 2
    assert "seed was 1 and is 9" in done.stderr
    assert files(tmp_path) == before


def test_a_changed_bot_is_refused_or_noted(tmp_path: Path) -> None:
    """A bot's changed program is named; accepted, the journal says so."""
    arena("tournament", write(tmp_path, rounds=1))
    path = write(tmp_path, rounds=2)
    with (tmp_path / "tiny.py").open("a") as program:
        program.write("# changed\n")
    done = arena("tournament", path)
    assert done.returncode == 2
    assert "bot one: tiny.py has changed" in done.stderr
    assert len(games(tmp_path)) == 2
    done = arena("tournament", path, "--accept-changed-bots")
    assert done.returncode == 0, done.stderr
    (change,) = journal.read_header(tmp_path / "out")["changes"]
    assert change["bots"] == ["bot one: tiny.py has changed", "bot two: tiny.py has changed"]
    assert len(games(tmp_path)) == 4


def test_a_changed_bot_is_told_also_where_all_is_played(tmp_path: Path) -> None:
    """Whoever changes a bot and plays again hears why the table is the old one."""
    path = write(tmp_path, rounds=1)
    assert "since it played" not in arena("tournament", path).stdout
    with (tmp_path / "tiny.py").open("a") as program:
        program.write("# changed\n")
    done = arena("tournament", path)
    assert done.returncode == 0
    assert "bot one: tiny.py has changed since it played; --output FOLDER plays it anew" in done.stdout


def test_wrong_bots_are_told_together(tmp_path: Path) -> None:
    """Everything that keeps bots from playing is in one message, and nothing is played."""
    path = write(tmp_path)
    path.write_text(
        path.read_text().replace(
            "bots:\n",
            "bots:\n"
            "  - {name: missing, command: ./nowhere}\n"
            '  - {name: silent, command: "sleep 1000"}\n'
            '  - {name: loud, command: "echo hello"}\n'
            '  - {name: crashing, command: "{python} -c 1/0"}\n',
        ).replace("startup: 60s", "startup: 3s")
    )  # fmt: skip
    done = arena("tournament", path)
    assert done.returncode == 2
    assert "4 of 6 bots cannot play; nothing was played:" in done.stderr
    assert "missing: the program" in done.stderr
    assert "silent: no `ready` within the start-up time of 3 s" in done.stderr
    assert "loud: " in done.stderr
    assert "crashing: it exited with status 1 before it said `ready`; its stderr:" in done.stderr
    assert "ZeroDivisionError" in done.stderr
    assert not (tmp_path / "out" / journal.NAME).read_bytes()


def test_a_failed_build_shows_its_output(tmp_path: Path) -> None:
    """The build's output is shown, nothing is played; a build that works runs once for all."""
    path = write(tmp_path)
    text = path.read_text()
    broken = text.replace("name: one,", "name: one, build: \"sh -c 'echo line 7 is wrong; exit 4'\",")
    path.write_text(broken)
    done = arena("tournament", path)
    assert done.returncode == 2
    assert "the build of one exited with status 4:\n      line 7 is wrong" in done.stderr
    assert not (tmp_path / "out" / journal.NAME).read_bytes()
    works = f"build: \"sh -c 'echo built >> {tmp_path}/built'\", command"
    path.write_text(text.replace("command", works))
    done = arena("tournament", path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "built").read_text() == "built\n"


def test_two_runs_at_once(tmp_path: Path) -> None:
    """The second run on a folder is refused with the first one's number, and the first goes on."""
    path = write(tmp_path, rounds=1000)
    with begin("tournament", path, "--quiet") as first:
        until(has_games(tmp_path, 1))
        second = arena("tournament", path)
        assert second.returncode == 2
        assert f"is in use by pid {first.pid} on" in second.stderr
        assert first.poll() is None
        first.send_signal(signal.SIGINT)
        first.communicate()


def test_an_interrupt_saves_and_says_how_to_go_on(tmp_path: Path) -> None:
    """After Ctrl-C exit status 3, the command to go on, and results; the next run plays the rest."""
    path = write(tmp_path, rounds=60)
    with begin("tournament", path) as run:
        until(has_games(tmp_path, 3))
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=LONG)
    assert run.returncode == 3
    assert "running games end first" in out
    assert f"Go on with:\n  arena tournament {path}" in err
    table = json.loads((tmp_path / "out" / "standings.json").read_text())
    assert table["games"] == len(games(tmp_path)) < 120
    assert table["stopped"] == "by SIGINT"
    done = arena("tournament", path)
    assert done.returncode == 0
    assert len(set(games(tmp_path))) == len(games(tmp_path)) == 120


def test_two_interrupts_stop_at_once(tmp_path: Path) -> None:
    """A bot that thinks for minutes does not hold up a second Ctrl-C, and is gone after it."""
    path = write(tmp_path, bots="one slow=600")
    path.write_text(path.read_text().replace("move: 20s", "move: 900s"))
    with begin("tournament", path, "--json") as run:
        assert run.stdout is not None
        while '"begin"' not in run.stdout.readline():
            pass
        until(lambda: bots_of(tmp_path))
        run.send_signal(signal.SIGINT)
        while "running games end first" not in run.stdout.readline():
            pass
        run.send_signal(signal.SIGINT)
        out, err = run.communicate(timeout=LONG)
    assert run.returncode == 3, err
    assert json.loads(out.splitlines()[-1])["reason"] == "signal"
    assert bots_of(tmp_path) == []


def bots_of(folder: Path) -> list[int]:
    """Return the processes that run a bot of this folder."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if str(folder / "tiny.py").encode() in words:
                found.append(int(entry.name))
    return found


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_termination_saves_too(tmp_path: Path, number: signal.Signals) -> None:
    """SIGTERM and SIGHUP end the run with status 3 and everything finished saved."""
    path = write(tmp_path, rounds=1000)
    with begin("tournament", path) as run:
        until(has_games(tmp_path, 3))
        run.send_signal(number)
        run.communicate(timeout=LONG)
    assert run.returncode == 3
    assert bots_of(tmp_path) == []
    assert json.loads((tmp_path / "out" / "standings.json").read_text())["games"] == len(games(tmp_path))


def test_nohup_is_respected(tmp_path: Path) -> None:
    """A run that was started with SIGHUP ignored goes on when the terminal closes."""
    path = write(tmp_path, rounds=20)
    with begin("tournament", path, preexec_fn=lambda: signal.signal(signal.SIGHUP, signal.SIG_IGN)) as run:
        until(has_games(tmp_path, 1))
        run.send_signal(signal.SIGHUP)
        run.communicate(timeout=LONG)
    assert run.returncode == 0
    assert len(games(tmp_path)) == 40


def test_a_closed_stdout_does_not_stop_a_run(tmp_path: Path) -> None:
    """Whoever read our lines is gone: the games are played all the same, with status 0."""
    path = write(tmp_path, rounds=5)
    with begin("tournament", path, "--json") as run:
        assert run.stdout is not None
        run.stdout.close()
        assert run.stderr is not None
        errors = run.stderr.read()
        assert run.wait(LONG) == 0
    assert errors == ""
    assert len(games(tmp_path)) == 10


def test_json_is_events_and_nothing_else(tmp_path: Path) -> None:
    """Every line on stdout is an event; first `begin`, last `end`, a `game` for each game between."""
    done = arena("tournament", write(tmp_path), "--json")
    told = [json.loads(line) for line in done.stdout.splitlines()]
    assert (done.returncode, done.stderr) == (0, "")
    assert (told[0]["event"], told[-1]["event"]) == ("begin", "end")
    assert [event["id"] for event in told if event["event"] == "game"] == games(tmp_path)
    assert told[0]["bots"] == ["one", "two"]
    assert told[-2]["standings"] == json.loads((tmp_path / "out" / "standings.json").read_text())


def test_quiet_says_nothing(tmp_path: Path) -> None:
    """With --quiet a run that goes well prints nothing."""
    done = arena("tournament", write(tmp_path, rounds=1), "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_options_take_the_place_of_the_file(tmp_path: Path) -> None:
    """Rounds, workers and output can be given on the command line."""
    path = write(tmp_path, rounds=50)
    done = arena("tournament", path, "--rounds", 1, "--workers", 1, "--output", tmp_path / "other", "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout.splitlines()[0])["workers"] == 1
    assert sum(1 for _ in journal.heads(tmp_path / "other")) == 2
    assert not (tmp_path / "out").exists()


def test_a_file_size_limit_is_a_full_disk(tmp_path: Path) -> None:
    """When the journal cannot grow, the run stops with status 1 and its path; with space it goes on."""
    path = write(tmp_path, rounds=25)
    limit = 20_000
    done = arena(
        "tournament",
        path,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY)),
    )
    assert done.returncode == 1, done.stderr
    assert f"cannot write {tmp_path / 'out' / journal.NAME}: File too large" in done.stderr
    assert 0 < len(games(tmp_path)) < 50
    assert (tmp_path / "out" / journal.NAME).read_bytes().endswith(b"\n")
    assert bots_of(tmp_path) == []
    done = arena("tournament", path)
    assert done.returncode == 0, done.stderr
    assert "dropped" not in done.stdout
    assert len(set(games(tmp_path))) == len(games(tmp_path)) == 50


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_full_disk(tmp_path: Path) -> None:
    """On a tmpfs of 32 KiB the run ends with status 1 and names the path; larger, it goes on."""
    path = write(tmp_path, rounds=25)
    (tmp_path / "out").mkdir()
    place = str(tmp_path / "out")
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=32k", "tmpfs", place], check=False)
    if mounted.returncode:
        pytest.skip("this machine lets nobody mount")
    try:
        done = arena("tournament", path)
        assert done.returncode == 1, done.stderr
        assert "No space left on device" in done.stderr
        assert place in done.stderr
        played = len(games(tmp_path))
        subprocess.run(["mount", "-o", "remount,size=64m", place], check=True)
        done = arena("tournament", path)
        assert done.returncode == 0, done.stderr
        assert played < len(set(games(tmp_path))) == len(games(tmp_path)) == 50
    finally:
        subprocess.run(["umount", place], check=True)


def test_what_is_unfair_or_changes_is_said(tmp_path: Path) -> None:
    """More games at once than cores, and a program that changes during the run, are told."""
    path = write(tmp_path, rounds=30)
    workers = len(os.sched_getaffinity(0)) + 1
    with begin("tournament", path, "--workers", workers) as run:
        until(has_games(tmp_path, 1))
        with (tmp_path / "tiny.py").open("a") as program:
            program.write("# changed\n")
        out, err = run.communicate(timeout=LONG)
    assert (run.returncode, err) == (0, "")
    assert f"{workers} games at once share {workers - 1} x 1 cores" in out
    assert "bot one: tiny.py has changed while the tournament ran" in out


def test_a_read_only_folder_is_refused(tmp_path: Path) -> None:
    """Where nothing can be written, nothing is played; root is kept out by a folder of the kernel's."""
    path = write(tmp_path)
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked").chmod(0o500)
    place = Path("/proc/arena") if os.geteuid() == 0 else tmp_path / "locked" / "out"
    done = arena("tournament", path, "--output", place)
    assert done.returncode == 2
    assert f"cannot write results to {place}: " in done.stderr


def test_who_wins_a_knockout_is_in_the_results(tmp_path: Path) -> None:
    """The run, the tables and the report name the winner of the final."""
    path = write(tmp_path, rounds=1, bots="one two six")
    path.write_text(path.read_text().replace("{rounds: 1}", "{format: knockout, rounds: 1}"))
    done = arena("tournament", path)
    assert done.returncode == 0
    (said,) = [line for line in done.stdout.splitlines() if line.endswith("wins the knockout")][:1]
    results = tmp_path / "out"
    assert json.loads((results / "standings.json").read_text())["decided"] == said
    assert said in (results / "standings.md").read_text()
    assert said in (results / "report.html").read_text()
    assert said in arena("standings", results).stdout


def test_killed_workers_are_replaced(tmp_path: Path) -> None:
    """Workers that are killed while the run goes lose nothing and double nothing.

    A game that costs two workers is given up, so there are three games between two kills, and the one that a
    kill hit is finished. Games are slow enough that none waits at a worker: five kills need 20 of the 40.
    """
    path = write(tmp_path, rounds=20, bots="one slow=0.015")
    with begin("tournament", path, "--json") as run:
        assert run.stdout is not None
        killed = between = 0
        again = ""  # the game that a kill hit
        for line in run.stdout:
            event = json.loads(line)
            if event["event"] == "notice":
                again = event["text"].split("game ")[1].split()[0]
            elif event["event"] == "game":
                between += 1
                again = "" if event["id"] == again else again
                if between > 3 and not again and killed < 5:
                    children = Path(f"/proc/{run.pid}/task/{run.pid}/children").read_text().split()
                    workers = [pid for pid in map(int, children) if "worker" in name_of(pid)]
                    if workers:
                        os.kill(workers[killed % len(workers)], signal.SIGKILL)
                        killed += 1
                        between = 0
            last = line
        assert run.wait(LONG) == 0
    assert json.loads(last)["done"] == 40
    assert killed == 5
    assert len(set(games(tmp_path))) == len(games(tmp_path)) == 40


def name_of(pid: int) -> str:
    """Return the word that tells a fork of the arena from the programs that it starts."""
    try:
        return "worker" if b"tournament" in Path(f"/proc/{pid}/cmdline").read_bytes() else ""
    except OSError:
        return ""


def test_damage_is_refused_and_repaired(tmp_path: Path) -> None:
    """A damaged line in the middle stops with its number; --repair sets it aside and plays it again."""
    path = write(tmp_path)
    arena("tournament", path)
    book = tmp_path / "out" / journal.NAME
    lines = book.read_bytes().splitlines(keepends=True)
    lines[2] = lines[2].replace(b'"void":false', b'"void":flase')
    book.write_bytes(b"".join(lines))
    done = arena("tournament", path)
    assert done.returncode == 2
    assert f"{book}, line 3: the record is damaged; run again with --repair" in done.stderr
    done = arena("tournament", path, "--repair")
    assert done.returncode == 0
    assert "1 damaged line set aside" in done.stdout
    assert len(set(games(tmp_path))) == len(games(tmp_path)) == 6


def test_a_torn_tail_is_mended_and_said(tmp_path: Path) -> None:
    """What a kill left of a last line is dropped, said, and played again."""
    path = write(tmp_path)
    arena("tournament", path)
    book = tmp_path / "out" / journal.NAME
    book.write_bytes(book.read_bytes()[:-20])
    done = arena("tournament", path)
    assert done.returncode == 0
    assert "dropped 1 unfinished record" in done.stdout
    assert len(set(games(tmp_path))) == len(games(tmp_path)) == 6


def test_the_live_display_is_drawn(tmp_path: Path) -> None:
    """On a terminal the run draws itself, and ends with the table and a line."""
    import pty

    path = write(tmp_path, rounds=20)
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
    with subprocess.Popen([ARENA, "tournament", path], stdout=theirs, stderr=theirs, env=env) as run:
        os.close(theirs)
        shown = b""
        while True:
            try:
                data = os.read(ours, 1 << 16)
            except OSError:  # the other side is closed
                break
            if not data:
                break
            shown += data
    os.close(ours)
    assert run.returncode == 0
    text = shown.decode()
    assert "of 40 games" in text
    assert "LOS>next" in text
    assert "all games are played: 40 of 40 games" in text
