"""How long the report on a large tournament takes to write and to open, and how large it is.

Ten thousand games of desert for two (a few hundred played at random, repeated under other ids) with 500 in
the viewer. `write_s` and `mib` are of the report; `open_s` is from the browser's start of loading to the
first step shown in headless Chromium. `ratio` is the time of writing over the time of only reading the same
journal, the median of several turns.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from arena import journal
from arena.report import html
from tests.synthetic import results


def repeat(folder: Path, games: int) -> None:
    """Make a short journal long: the same games again, under other ids and in other rounds."""
    path = folder / journal.NAME
    records = list(journal.records(folder))
    with path.open("ab") as file:
        for number in range(len(records), games):
            record = dict(records[number % len(records)])
            lap = number // len(records)
            record |= {
                "id": f"{record['id']}x{lap}",
                "block": f"{record['block']}x{lap}",
                "round": 1 + number // 12,
            }
            file.write(journal.encode(record))


def opened(path: Path) -> float | None:
    """Return the seconds until the viewer shows a game, None where there is no browser."""
    chromium = shutil.which("chromium")
    if chromium is None:
        return None
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto("about:blank")
        begun = time.perf_counter()
        page.goto(path.as_uri())
        page.locator(".scores tbody tr").first.wait_for()
        took = time.perf_counter() - begun
        browser.close()
    return took


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="2,000 games instead of 10,000")
    given = parser.parse_args()
    games, turns = (2_000, 1) if given.quick else (10_000, 5)
    with tempfile.TemporaryDirectory() as home:
        folder = results(Path(home) / "out", "desert", 2, rounds=20, bots=4)
        repeat(folder, games)
        reads, writes = [], []
        for _ in range(turns):
            begun = time.perf_counter()
            for _ in journal.records(folder):
                pass
            reads.append(time.perf_counter() - begun)
            begun = time.perf_counter()
            text = html.write(folder, games=500)
            writes.append(time.perf_counter() - begun)
        path = folder / html.NAME
        path.write_text(text, encoding="utf-8")
        found = {
            "games": games,
            "write_s": round(statistics.median(writes), 2),
            "ratio": round(statistics.median(w / r for w, r in zip(writes, reads, strict=True)), 2),
            "mib": round(path.stat().st_size / (1 << 20), 2),
            "open_s": opened(path),
        }
    if given.json:
        print(json.dumps(found))
        return
    for key, value in found.items():
        print(f"{key:10} {value}")


if __name__ == "__main__":
    main()
