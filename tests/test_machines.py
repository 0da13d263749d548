"""Results by machine: who differs is found, who does not is left alone."""

from __future__ import annotations

import random
from typing import Any

from arena.report.machines import Machines


def record(
    machine: str | None, winner: int, faults: int = 0, bots: tuple[str, str] = ("a", "b")
) -> dict[str, Any]:
    """Return what the count needs of a record."""
    told = {} if machine is None else {"machine": {"name": machine, "speed": 2.0}}
    return {"bots": list(bots), "ranks": [1 + winner, 2 - winner], "faults": [{}] * faults, **told}


def test_one_machine_needs_no_table() -> None:
    """Where all was played in one place there is nothing to compare."""
    machines = Machines()
    for winner in (0, 1):
        machines.add(record("m", winner))
    assert machines.rows() == ()


def test_equal_machines_are_not_odd() -> None:
    """Machines that deal the same results are left alone; of 200 such tables hardly one accuses."""
    source = random.Random(5)
    accused = 0
    for _ in range(200):
        machines = Machines()
        for _ in range(60):
            machines.add(record(source.choice("xyz"), source.randrange(2), source.random() < 0.1))
        accused += any(row.is_odd for row in machines.rows())
    assert accused <= 6


def test_the_odd_one_out_is_named() -> None:
    """A machine where one bot loses what it wins elsewhere is found, and so is one where bots fail."""
    source = random.Random(6)
    machines = Machines()
    for number in range(300):
        machine = "xyz"[number % 3]
        machines.add(record(machine, int(machine == "z" and source.random() < 0.6)))
    rows = {row.name: row for row in machines.rows()}
    assert rows["z"].is_odd
    assert rows["z"].what in ("a", "b")
    assert (rows["z"].games, rows["z"].speed) == (100, 2.0)
    machines = Machines()
    for number in range(300):
        machine = "xyz"[number % 3]
        machines.add(record(machine, number // 3 % 2, faults=machine == "y" and number % 2))
    rows = {row.name: row for row in machines.rows()}
    assert rows["y"].is_odd
    assert (rows["y"].what, rows["y"].faults) == ("", 50)
    assert rows["y"].z > 0


def test_who_played_where_does_not_matter() -> None:
    """A machine that saw only the strong bot's games is compared on those line-ups alone."""
    machines = Machines()
    for number in range(100):
        machines.add(record("xy"[number % 2], 0, bots=("strong", "weak")))
    for number in range(100):
        machines.add(record(None, number % 2, bots=("c", "d")))
    rows = {row.name: row for row in machines.rows()}
    assert not any(row.is_odd for row in rows.values())
    assert rows["without a cluster"].speed is None
