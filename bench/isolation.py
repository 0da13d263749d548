"""What isolation costs: the start of a program and a round trip with it, by tier.

The program is `cat`, which answers a line with the same line. `start_ms` is from the wish to start it to its
first answer. `round_trip` is the time of a line there and back, as a ratio to `off` (the basic tier without
control groups), on one core. All tiers take turns; each figure is the median of the rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import select
import statistics
import tempfile
from pathlib import Path

from arena import cgroup, sandbox
from arena.driver import now
from arena.match import Bot, Limits
from arena.process import Guardian, Process
from arena.sandbox import Isolation, Tier

LINE = b"move yd7\n"


def exchange(process: Process) -> None:
    """Send a line and wait for it to come back."""
    heard = select.poll()
    heard.register(process.stdout, select.POLLIN)
    process.write(LINE)
    heard.poll(10_000)
    assert process.read() == LINE


def measure(guardian: Guardian, isolation: Isolation, bot: Bot, trips: int) -> tuple[float, float]:
    """Return milliseconds of a start and microseconds of a round trip."""
    begun = now()
    process = guardian.start(isolation.launch(bot, Limits()))
    exchange(process)
    start = (now() - begun) / 1000
    begun = now()
    for _ in range(trips):
        exchange(process)
    trip = (now() - begun) / trips
    process.end()
    return start, trip


def main() -> None:
    """Measure all tiers in turns and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true")
    given = parser.parse_args()
    rounds, trips = (5, 500) if given.quick else (15, 5000)
    place, _ = cgroup.find()
    tiers = {"off": Isolation(Tier.BASIC)}
    for tier in Tier:
        if not sandbox.probe(Isolation(tier, place), now):
            tiers[tier.value] = Isolation(tier, place)
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    starts: dict[str, list[float]] = {name: [] for name in tiers}
    ratios: dict[str, list[float]] = {name: [] for name in tiers}
    with tempfile.TemporaryDirectory() as folder, Guardian() as guardian:
        bot = Bot("cat", ("/bin/cat",), Path(folder))
        for _ in range(rounds):
            trip_off = 0.0
            for name, isolation in tiers.items():
                start, trip = measure(guardian, isolation, bot, trips)
                trip_off = trip if name == "off" else trip_off
                starts[name].append(start)
                ratios[name].append(trip / trip_off)
    found = {
        "round_trip": {name: round(statistics.median(values), 3) for name, values in ratios.items()},
        "start_ms": {name: round(statistics.median(values), 2) for name, values in starts.items()},
    }
    if given.json:
        print(json.dumps(found))
        return
    print("tier       start ms  round trip / off")
    for name in tiers:
        print(f"{name:10} {found['start_ms'][name]:8.2f}  {found['round_trip'][name]:.3f}")


if __name__ == "__main__":
    main()
