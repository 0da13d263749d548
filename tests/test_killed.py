"""The arena killed with -9 while bots run: nothing of them is left, in any tier."""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena import cgroup, sandbox
from arena.driver import now
from arena.sandbox import Isolation, Tier

# A bot that leaves a daemon behind which ignores what can be ignored, and then waits for ever itself.
BOT = """
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for number in (signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGPIPE):
            signal.signal(number, signal.SIG_IGN)
        time.sleep(300)
    os._exit(0)
print("ready", flush=True)
time.sleep(300)
"""
ARENA = """
import sys, time
from pathlib import Path
from arena import cgroup
from arena.match import Bot, Limits
from arena.process import Guardian
from arena.sandbox import Isolation, Tier
tier, folder, word = sys.argv[1:]
isolation = Isolation(Tier(tier), cgroup.find()[0])
guardian = Guardian()
bot = Bot("bot", (sys.executable, folder + "/bot.py", word), Path(folder))
for number in range(2):
    process = guardian.start(isolation.launch(bot, Limits()))
    while not process.read():
        time.sleep(0.01)
print("up", flush=True)
time.sleep(300)
"""


def running(word: str) -> list[int]:
    """Return the processes whose command line has a word."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if word.encode() in (entry / "cmdline").read_bytes():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


@pytest.mark.parametrize("tier", Tier)
def test_bots_end_with_a_killed_arena(tier: Tier, tmp_path: Path) -> None:
    """Bots, the daemons that they left and their scratch are gone at once when the arena is killed.

    A second is promised; on a machine that is busy with other tests the sweep may have to wait for its turn.
    """
    if why_not := sandbox.probe(Isolation(tier), now):
        pytest.skip(f"{tier} does not work on this machine: {why_not}")
    folder = tmp_path / "bot"
    folder.mkdir()
    (folder / "bot.py").write_text(BOT)
    word = secrets.token_hex(12)
    arena_tmp = tmp_path / "tmp"
    arena_tmp.mkdir()
    arena = subprocess.Popen(
        [sys.executable, "-c", ARENA, tier.value, str(folder), word],
        stdout=subprocess.PIPE,
        start_new_session=True,
        env={**os.environ, "TMPDIR": str(arena_tmp)},
    )
    assert arena.stdout is not None
    assert arena.stdout.readline() == b"up\n"
    assert len(running(word)) >= 3
    scratches = list(arena_tmp.glob("arena-scratch-*"))
    assert bool(scratches) == (tier is not Tier.BWRAP)
    os.kill(arena.pid, signal.SIGKILL)
    arena.wait()
    arena.stdout.close()
    until = time.monotonic() + 20
    while running(word) and time.monotonic() < until:
        time.sleep(0.02)
    assert running(word) == []
    while any(scratch.exists() for scratch in scratches) and time.monotonic() < until:
        time.sleep(0.02)
    assert not any(scratch.exists() for scratch in scratches)
    if place := cgroup.find()[0]:
        cgroup.sweep(place)
