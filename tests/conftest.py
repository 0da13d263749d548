"""What tests of several modules share."""

from __future__ import annotations

import fcntl
import subprocess
import tempfile
from pathlib import Path

import pytest

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
