"""What tests of several modules share."""

from __future__ import annotations

import fcntl
import signal
import subprocess
import tempfile
from pathlib import Path

import pytest

# Started by nohup, a test run hands its ignored signal on to every program; tests are about the default.
signal.signal(signal.SIGHUP, signal.SIG_DFL)

MCTS = Path(__file__).resolve().parent.parent / "sample_bots" / "ladder" / "mcts"


@pytest.fixture(scope="session")
def mcts() -> Path:
    """The ladder's native bot, built once however many processes test at the same time.

    A second build while a tournament plays would be seen as a program that changes under it.
    """
    with open(Path(tempfile.gettempdir()) / f"arena-mcts-build-{MCTS.stat().st_ino}", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(["make", "-s", "-C", str(MCTS)], check=True)
    return MCTS / "mcts"
