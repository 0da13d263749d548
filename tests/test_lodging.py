"""A run on one machine of a cluster, without the cluster: tables, goodbyes, and the fixed calculation."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from arena import journal, lodging
from arena.config import from_values
from arena.lodging import Lodging, Machine, Order
from arena.place import Place
from arena.sandbox import Isolation, Tier
from arena.schedule import make_plan
from arena.site import Ground

TINY = Path(__file__).parent / "tiny.py"


def until(condition: Callable[[], object]) -> None:
    """Wait for something that surely comes."""
    end = time.monotonic() + 120
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def lodge(folder: Path, word: str) -> tuple[Lodging, list[Any]]:
    """Return a run with two bots, and its matches."""
    bots = [{"name": name, "command": ["{python}", "-IS", str(TINY), word]} for name in ("a", "b")]
    clock = {"move": "60s", "startup": "60s"}
    config = from_values({"game": "rain", "bots": bots, "sandbox": "off", "clock": clock}, folder)
    order = Order("run", "", config, sys.executable, {}, {})
    made = Lodging(order, Place(folder, "run"), [frozenset({0})])
    ground = Ground(config, Isolation(Tier.BASIC), lodging._logs(made.place), lambda: None)
    made.open(ground, Machine("here", 2.0, "basic"))
    return made, [
        match for stage in make_plan(config).stages({}) for block in stage for match in block.matches
    ]


def test_a_batch_is_played_and_says_where(tmp_path: Path) -> None:
    """Lines come in order with the machine; bots that rest come back; at the end there is nothing left."""
    here, matches = lodge(tmp_path, "stderr")
    for batch in (matches[:2], matches[2:3]):
        played = here.play(batch).played
        records = [journal.decode(line) for _, line in played]
        assert [record["id"] for record in records] == [match.id for match in batch]
        assert records[0]["machine"] == {"name": "here", "speed": 2.0, "isolation": "basic"}
        assert not records[0]["faults"]
        here.rest()
    logs = here.leave()
    assert set(logs) == {"a", "b"}
    assert b"thinking" in logs["a"]
    assert list(tmp_path.iterdir()) == []


def test_what_is_taken_back_is_not_begun(tmp_path: Path) -> None:
    """After a run has withdrawn, batches come back without having been played."""
    here, matches = lodge(tmp_path, "one")
    here.withdrawn = True
    assert here.play(matches[:2]).played == ()
    here.leave()


def test_a_run_that_aborts_takes_its_bots_along(tmp_path: Path) -> None:
    """A match that would take minutes ends at once, does not count, and leaves nothing behind."""
    here, matches = lodge(tmp_path, "slow=50")
    answers: list[Any] = []
    thread = threading.Thread(target=lambda: answers.append(here.play(matches[:1])))
    thread.start()
    until(lambda: here._busy)
    here.abort()
    thread.join(60)
    assert [answer.played for answer in answers] == [()]
    assert list(tmp_path.iterdir()) == []


def test_the_fixed_calculation_tells_the_best_trial() -> None:
    """The speed is steps by microseconds of the quickest trial, on whatever clock."""
    times = iter(range(0, 10**9, 10_000))
    assert lodging.measure(lambda: next(times)) == lodging.STEPS / 10_000


def test_a_worker_that_knows_nothing_of_a_run_says_so(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A batch for an unknown run is refused, and goodbyes to one are harmless."""
    assert lodging.play("nothing", []) is None
    assert lodging.leave("nothing") == {}
    lodging.withdraw("nothing")
    lodging.abort("nothing")
    here, _ = lodge(tmp_path, "one")
    monkeypatch.setitem(lodging._lodgings, "run", here)
    lodging.withdraw("run")
    assert here.withdrawn
    assert lodging.leave("run") == {}
