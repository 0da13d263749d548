"""The report in a real browser: headless Chromium, driven by Playwright."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from arena.folder import Folder
from arena.outputs import write
from arena.report import html
from arena.results import read
from arena.standings import standings
from tests.nasty import NASTY
from tests.synthetic import results

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"]
GAMES = [("desert", 2), ("desert", 3), ("desert", 4), ("desert", 5), ("rain", 2), ("rain", 3), ("rain", 4)]

# The smallest contrast of any text with the ground that it stands on, and where that is.
CONTRAST = """() => {
  const linear = v => (v /= 255, v <= .04045 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  const light = ([r, g, b]) => .2126 * linear(r) + .7152 * linear(g) + .0722 * linear(b);
  const parse = text => text.match(/[\\d.]+/g).map(Number);
  const over = (top, below) => top.slice(0, 3).map((v, i) => v * top[3] + below[i] * (1 - top[3]));
  const ground = element => {
    if (!element) return [255, 255, 255];
    const own = parse(getComputedStyle(element).backgroundColor);
    if (own.length < 4 || own[3] === 1) return own;
    return over(own, ground(element.parentElement));
  };
  let worst = [99, ""];
  for (const element of document.querySelectorAll("h1, h2, h3, p, th, td, dd, a, button, label, select")) {
    if (!element.textContent.trim() || !element.checkVisibility()) continue;
    const ink = light(parse(getComputedStyle(element).color)), paper = light(ground(element));
    const ratio = (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05);
    if (ratio < worst[0]) worst = [ratio, element.outerHTML.slice(0, 200)];
  }
  return worst;
}"""
# Controls and pictures without a name for people who do not see them.
NAMELESS = """() => {
  const named = e => e.getAttribute("aria-label") || e.textContent.trim() || e.getAttribute("title")
    || (e.labels && e.labels.length);
  const all = document.querySelectorAll("button, select, input, a, svg[role=img], [role=region]");
  return [...all].filter(e => !named(e)).map(e => e.outerHTML.slice(0, 120));
}"""

pytestmark = pytest.mark.xdist_group("browser")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One browser for all tests."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium on this machine (Debian: apt-get install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], Path]:
    """A report for each game and number of players, with faults; made when first asked for."""
    home = tmp_path_factory.mktemp("reports")

    class Made(dict[tuple[str, int], Path]):
        def __missing__(self, key: tuple[str, int]) -> Path:
            folder = results(home / f"{key[0]}{key[1]}", *key, rounds=2 if key[1] < 4 else 1, faults=True)
            self[key] = make(folder)
            return self[key]

    return Made()


def make(folder: Path) -> Path:
    """Write table and report of a folder as a tournament does."""
    write(Folder(folder), standings(read([folder]).tally))
    target = folder / html.NAME
    target.write_text(html.write(folder), encoding="utf-8")
    return target


class Watched:
    """A page with everything that it should not do."""

    def __init__(self, browser: Browser, path: Path, fragment: str = "", **context: Any) -> None:
        self.context = browser.new_context(**context)
        self.page: Page = self.context.new_page()
        self.wrong: list[str] = []
        self.page.on("console", lambda message: self.wrong.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: self.wrong.append(f"dialog: {dialog.message}"))
        self.page.on("request", self._note)
        self.page.goto(f"{path.as_uri()}{fragment}")

    def _note(self, request: Any) -> None:
        if not request.url.startswith("file:"):
            self.wrong.append(f"request: {request.url}")

    def __enter__(self) -> Page:
        return self.page

    def __exit__(self, *error: object) -> None:
        self.context.close()
        if error[0] is None:
            assert self.wrong == []


def scores(page: Page) -> list[int]:
    """Return the points that the viewer shows, by seat."""
    return [int(cell) for cell in page.locator(".scores tbody td.strong").all_inner_texts()]


def recorded(path: Path, number: int = 0) -> dict[str, Any]:
    """Return a record of the report's journal."""
    line = (path.parent / "games.jsonl").read_text().splitlines()[1 + number]
    return dict(json.loads(line))


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_stepping_to_the_end_and_back(
    browser: Browser, reports: dict[tuple[str, int], Path], game: str, players: int
) -> None:
    """The end has the recorded scores, the beginning an empty board, and nothing is complained about."""
    path = reports[game, players]
    record = recorded(path, 1)
    with Watched(browser, path, f"#{record['id']}/0") as page:
        empty = page.locator(".board svg").first.inner_html()
        page.get_by_role("button", name="Last step").click()
        assert scores(page) == record["scores"]
        assert page.locator(".board svg").first.inner_html() != empty
        page.get_by_role("button", name="First step").click()
        assert scores(page) == [0] * players
        pieces = page.locator(".board svg").first
        hidden = pieces.locator("[visibility=hidden]").count()
        assert hidden == 1, "no action is marked before the first"
        assert pieces.locator("title").count() in (48, 189 + 7, 241 + 7)
        titles = pieces.locator("title").all_text_contents()
        assert not any("camel of" in title or ": red" in title for title in titles)


def test_standings_equal_the_file(browser: Browser, reports: dict[tuple[str, int], Path]) -> None:
    """The table's numbers are those of standings.json."""
    path = reports["desert", 2]
    told = json.loads((path.parent / "standings.json").read_text())["groups"][0]["bots"]
    with Watched(browser, path) as page:
        for bot in told:
            row = page.locator(f"table.standings tr[data-bot='{bot['name']}']")
            cells = [cell.get_attribute("data-value") for cell in row.locator("td").all()]
            assert abs(float(cells[1] or "nan") - bot["elo"]) < 1e-3
            assert abs(float(cells[2] or "nan") - bot["error"]) < 1e-3
            assert abs(float(cells[4] or "nan") - bot["score"]) < 1e-5
            assert int(cells[5] or -1) == bot["games"]


def test_columns_sort(browser: Browser, reports: dict[tuple[str, int], Path]) -> None:
    """A click on a heading sorts by it, a second one the other way, and says so to screen readers."""
    with Watched(browser, reports["desert", 2]) as page:
        names = page.locator("table.standings tbody th")
        page.locator("table.standings").get_by_role("button", name="bot").click()
        ascending = names.all_inner_texts()
        assert ascending == sorted(ascending)
        page.locator("table.standings").get_by_role("button", name="bot").click()
        assert names.all_inner_texts() == ascending[::-1]
        assert page.locator("table.standings th[aria-sort='descending']").count() == 1


def test_filters_choose_games(browser: Browser, reports: dict[tuple[str, int], Path]) -> None:
    """Bot, seat and result together choose the games in the list."""
    path = reports["desert", 3]
    with Watched(browser, path) as page:
        everything = page.locator("#games option").count()
        page.select_option("#bybot", "anna")
        page.select_option("#byseat", "0")
        page.select_option("#byresult", "fault")
        lines = (path.parent / "games.jsonl").read_text().splitlines()[1:]
        wanted = [
            record
            for record in map(json.loads, lines)
            if record["bots"][0] == "anna" and any(fault["seat"] == 0 for fault in record["faults"])
        ]
        assert page.locator("#games option").count() == len(wanted) < everything
        page.select_option("#byresult", "")
        page.select_option("#bybot", "")
        page.select_option("#byseat", "")
        page.select_option("#byorder", "long")
        shown = page.locator("#games option").first.inner_text()
        longest = max(len(json.loads(line)["actions"]) for line in lines)
        assert f"({longest} actions)" in shown


def test_keys_and_address(browser: Browser, reports: dict[tuple[str, int], Path]) -> None:
    """Arrows step and change the address; opening that address shows the same step."""
    path = reports["rain", 2]
    record = recorded(path, 2)
    with Watched(browser, path, f"#{record['id']}/3") as page:
        assert page.evaluate("location.hash") == f"#{record['id']}/3"
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowLeft")
        address = page.evaluate("location.hash")
        assert address == f"#{record['id']}/4"
        said = page.locator(".said").inner_text()
        page.keyboard.press(" ")
        expect(page.locator(".viewer input[type=range]")).not_to_have_value("4")
        page.keyboard.press(" ")
    with Watched(browser, path, address) as page:
        assert page.locator(".said").inner_text() == said


def test_fault_links_to_its_step(browser: Browser, reports: dict[tuple[str, int], Path]) -> None:
    """From a fault one comes to the game at the moment where it happened."""
    with Watched(browser, reports["desert", 4]) as page:
        page.locator("details.fault summary").first.click()
        page.locator("details.fault a").first.click()
        expect(page.locator(".said")).to_contain_text("is out")


def test_dark_mode_has_contrast(browser: Browser, reports: dict[tuple[str, int], Path]) -> None:
    """In both schemes text stands out from its ground by at least 4.5 to 1."""
    for scheme in ("light", "dark"):
        with Watched(browser, reports["desert", 2], color_scheme=scheme) as page:
            ratio, where = page.evaluate(CONTRAST)
            assert ratio >= 4.5, (scheme, where)


@pytest.mark.parametrize(("game", "players"), [("desert", 5), ("rain", 4)])
def test_phone_does_not_scroll_sideways(
    browser: Browser, reports: dict[tuple[str, int], Path], game: str, players: int
) -> None:
    """On a phone the page is as wide as the screen; wide tables scroll in their own place."""
    with Watched(browser, reports[game, players], viewport={"width": 375, "height": 700}) as page:
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_hostile_texts_stay_text(browser: Browser, tmp_path: Path) -> None:
    """With hostile names, remarks and stderr no script runs, nothing is requested, nothing breaks."""
    folder = results(tmp_path / "out", "rain", 2, rounds=2, faults=True, texts=NASTY)
    with Watched(browser, make(folder)) as page:
        for summary in page.locator("details.fault summary").all():
            summary.click()
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        assert page.locator("img").count() == 0
        assert page.locator("script").count() == 2


def test_everything_has_a_name(browser: Browser, reports: dict[tuple[str, int], Path]) -> None:
    """Every control and every picture has a name for people who do not see it."""
    with Watched(browser, reports["rain", 3]) as page:
        assert page.evaluate(NAMELESS) == []


def test_report_can_be_printed(
    browser: Browser, reports: dict[tuple[str, int], Path], tmp_path: Path
) -> None:
    """Printed, the tables are there and the viewer is not."""
    with Watched(browser, reports["rain", 2]) as page:
        page.emulate_media(media="print")
        assert not page.locator("#viewer").is_visible()
        assert page.locator("table.standings").is_visible()
        page.pdf(path=str(tmp_path / "report.pdf"))
        assert os.path.getsize(tmp_path / "report.pdf") > 5000
