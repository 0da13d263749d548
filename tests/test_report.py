"""Facts about arena/report: what the page holds, and that nothing a bot said can become code."""

from __future__ import annotations

import html.parser
import json
import re
from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.commands.report import report as command
from arena.errors import UserError
from arena.games.base import load_game
from arena.report import html as page
from arena.report.charts import axis, histogram
from arena.report.replays import BrokenRecord, replay, steps
from arena.report.summary import Times, gather
from arena.verify import verify
from tests.nasty import NASTY
from tests.synthetic import results

GAMES = [("desert", 2), ("desert", 3), ("desert", 4), ("desert", 5), ("rain", 2), ("rain", 3), ("rain", 4)]


class Outline(html.parser.HTMLParser):
    """What a page is made of: its elements, and the attributes that could run something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: Counter[str] = Counter()
        self.handlers: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.handlers += [name for name, _ in attrs if name.startswith("on") or name == "style"]
        self.links += [value or "" for name, value in attrs if name in ("href", "src")]


def data(text: str) -> dict[str, object]:
    """Return the viewer's data out of a page."""
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_replay_ends_with_the_recorded_scores(game: str, players: int, tmp_path: Path) -> None:
    """Following the changes step by step leads to the scores of the record, in every game with faults too."""
    folder = results(tmp_path / "out", game, players, rounds=1, faults=True)
    assert verify(folder).difference is None
    told = data(page.write(folder))
    games = told["games"]
    assert isinstance(games, list)
    assert len(games) == gather(folder, games=500).games
    for each in games:
        view = dict(told["base"])  # type: ignore[call-overload]
        for _, _, _, changed, *_ in each["steps"]:
            view |= changed
        for seat, score in enumerate(each["scores"]):
            parts = [value for key, value in view.items() if key.startswith(f"points.{seat}.")]
            assert sum(parts) == score
        assert view["turn"] == -1
        assert "broken" not in each


def test_steps_are_what_changed(tmp_path: Path) -> None:
    """A step holds only the keys that differ from the one before."""
    folder = results(tmp_path / "out", "desert", 2, rounds=1)
    told = data(page.write(folder))
    first = told["games"][0]  # type: ignore[index]
    assert all(len(changed) < 30 for _, _, _, changed, *_ in first["steps"][1:])


def test_nothing_that_a_bot_said_becomes_markup(tmp_path: Path) -> None:
    """With hostile texts in every field the page has the same elements as with harmless ones."""
    outlines = []
    for number, texts in enumerate((NASTY, ["harmless"] * len(NASTY))):
        folder = results(tmp_path / str(number), "rain", 2, rounds=1, faults=True, texts=texts)
        outline = Outline()
        outline.feed(page.write(folder))
        outlines.append(outline)
    hostile, harmless = outlines
    assert hostile.tags == harmless.tags
    assert hostile.handlers == []
    assert all(link.startswith("#") for link in hostile.links)


def test_embedded_data_cannot_end_its_element() -> None:
    """Whatever the strings, the JSON has no character with a meaning for HTML, and comes back the same."""
    text = page.embedded(list(NASTY))
    assert not set(text) & set("<>&\u2028\u2029")
    assert json.loads(text) == list(NASTY)


def test_policy_allows_nothing_but_the_pages_own(tmp_path: Path) -> None:
    """The Content-Security-Policy names style and script by their hashes, and nothing is unsafe."""
    text = page.write(results(tmp_path / "out", "rain", 2, rounds=1))
    found = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', text)
    assert found is not None
    policy = found[1].replace("&#39;", "'")
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy
    assert policy.count("'sha256-") == 2
    assert "http:" not in text.replace("http://www.w3.org/2000/svg", "").split("<body>")[0]


def test_games_with_faults_come_first(tmp_path: Path) -> None:
    """Where not all games fit, those with faults are in, then the close ones."""
    folder = results(tmp_path / "out", "rain", 2, rounds=6, faults=True)
    summary = gather(folder, games=12)
    told = data(page.write(folder, games=12))
    games = told["games"]
    assert isinstance(games, list)
    assert len(games) == 12
    assert all(each["faults"] for each in games) or sum(bool(each["faults"]) for each in games) == len(
        {fault.game for fault in summary.faults}
    )


def test_game_without_a_drawing_is_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that brings no drawing still has its actions and facts in the viewer."""
    monkeypatch.setattr(type(load_game("rain")), "drawing", lambda self: "")
    text = page.write(results(tmp_path / "out", "rain", 2, rounds=1))
    assert "drawings.rain" not in text
    assert data(text)["games"]


def test_record_against_the_rules_is_said(tmp_path: Path) -> None:
    """A record that the rules do not allow is shown up to there, and says so."""
    folder = results(tmp_path / "out", "rain", 2, rounds=1)
    from arena import journal

    record = dict(next(journal.records(folder)))
    record["actions"] = [*record["actions"][:5], record["actions"][4]]
    game = load_game("rain")
    told = replay(game, record, {})
    assert len(told["steps"]) == 6
    assert "action 6" in told["broken"]
    with pytest.raises(BrokenRecord, match="set-up"):
        list(steps(game, {**record, "setup": {}}))


def test_results_without_games_are_a_users_mistake(tmp_path: Path) -> None:
    """An empty journal has nothing to report on, and the message says so."""
    folder = results(tmp_path / "out", "rain", 2, rounds=0)
    with pytest.raises(UserError, match="no finished game"):
        page.write(folder)
    with pytest.raises(UserError):
        page.write(tmp_path)


def test_command_writes_the_file_and_names_it(tmp_path: Path) -> None:
    """`arena report DIR` prints where the report is."""
    folder = results(tmp_path / "out", "rain", 3, rounds=1)
    ran = CliRunner().invoke(command, [str(folder)])
    assert ran.exit_code == 0, ran.output
    assert Path(ran.output.strip()) == folder / "report.html"
    assert (folder / "report.html").read_text().startswith("<!doctype html>")


def test_same_journal_same_report(tmp_path: Path) -> None:
    """The report is a function of the journal: made again it is the same to the byte."""
    folder = results(tmp_path / "out", "desert", 3, rounds=1, faults=True)
    assert page.write(folder) == page.write(folder)


def test_quantiles_are_close_to_the_true_ones() -> None:
    """Times kept by size are within five per cent, and the longest is exact."""
    times = Times()
    for micros in range(1, 10_001):
        times.add(micros)
    assert times.longest == 10_000
    for share in (0.5, 0.95):
        assert abs(times.quantile(share) / (10_000 * share) - 1) < 0.05


@pytest.mark.parametrize("values", [[0.0], [-3.0, 812.0], [5.0, 5.0], [-1e4, 1e4], []])
def test_axis_holds_its_values(values: list[float]) -> None:
    """Every value lies on the axis, whose ends are ticks."""
    found = axis(values)
    assert found.low < found.high
    assert all(found.low <= value <= found.high for value in values)
    assert (found.ticks[0], found.ticks[-1]) == (found.low, found.high)


def test_histogram_has_the_mean_of_its_points() -> None:
    """The tallest bar has height 1, and nothing is left out."""
    drawn = histogram(Counter({0: 1, 10: 3}), 0, 10)
    assert max(drawn.bars) == 1.0
    assert drawn.mean == 7.5
