"""The table in all its forms, through the command that shows it."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from arena.commands.standings import standings as command
from arena.errors import ArenaError, CheckFailed, UserError
from arena.report import tables
from arena.standings import Close, Settings, standings
from arena.tally import Entry
from tests.matches import DATA, league, load, pair, tally
from tests.nasty import NASTY

DENSE = str(DATA / "dense.csv")
EDGE = str(DATA / "edge_connected.csv")


def run(*arguments: str) -> Result:
    """Run `arena standings`; an error for people is raised."""
    found = CliRunner().invoke(command, arguments)
    if isinstance(found.exception, ArenaError):
        raise found.exception
    return found


def words(line: str) -> list[str]:
    """Return the cells of a row, none of which has a space here."""
    return line.split()


def test_two_players() -> None:
    """The table of two players has wins, draws and losses, ranges of ranks, and its footer."""
    lines = run(DENSE).output.splitlines()
    assert lines[0].split() == words("rank name Elo ±95% games score% W D L faults LOS>next margin")
    assert lines[1].split() == words("1 bot8 +269 31 504 83.1 376 86 42 0 100.0% -")
    assert lines[5].split() == words("5-6 bot4 -57 25 504 42.6 147 135 222 0 93.9% -")
    assert lines[9].startswith(
        "first-seat advantage +38 ± 15; draws 23.1 %; 2016 games in 1008 blocks; dispersion 0.70; "
        "pool mean = 0"
    )
    assert "compared by LOS, not by whether their ± overlap" in lines[10]


def test_more_players() -> None:
    """With more players there are places, and what each seat is worth."""
    lines = run(str(DATA / "multi4_ties.csv")).output.splitlines()
    assert lines[0].split()[6:10] == ["1st", "2nd", "3rd", "4th"]
    assert "seats of 4: +33 ± 21, +1 ± 21" in lines[9]


def test_a_bound_is_shown_as_one() -> None:
    """The perfect scorer stands there as >+904 with both distances, and the footer says what > means."""
    output = run(EDGE).output
    assert output.splitlines()[1].split()[:5] == ["1", "perfect", ">+904", "-361", "+752"]
    assert "> and <" in output


def test_columns_line_up() -> None:
    """Every line of a table is as wide as its heading allows, names with wide letters included."""
    entries = [*pair("1", "駱駝", "b", (1.0, 0.5)), *pair("2", "b", "cc", (1.0, 0.0))]
    found = standings(tally(entries))
    from rich.cells import cell_len

    lines = tables.text(tables.tables(found), []).splitlines()
    assert len({cell_len(line) for line in lines}) == 1


def test_groups_are_separate_tables() -> None:
    """Bots that never met stand in two tables, one that never played in a line below."""
    entries = [*pair("1", "a", "b", (1.0, 0.0)), *pair("2", "c", "d", (1.0, 0.0))]
    found = standings(tally(entries, ["idle"]))
    shown = tables.text(tables.tables(found), tables.footers(found), found.warnings)
    assert shown.count("LOS>next") == 2
    assert "group 2 of 2" in shown
    assert "not played yet: idle" in shown
    assert "warning: some bots never met" in shown


def test_footers_say_what_was_assumed() -> None:
    """Prior, seats, anchor, outcome, faults and the reason to stop are told where they hold."""
    output = run(
        DENSE, "--prior", "none", "--seats", "off", "--anchor", "bot1=1000", "--outcome", "winner"
    ).output
    for told in ("no prior", "seats taken as equal", "bot1 = 1000", "only the winner counts"):
        assert told in output
    entries = [
        *league(bots=3),
        *(Entry(("b0", "b1"), (2, 1), f"f{n}", faults=((0, "crash"),)) for n in range(9)),
    ]
    found = standings(tally(entries), Settings(), close=Close("every ± is at most 20 Elo"))
    lines = "\n".join(tables.footers(found))
    assert "without its 9 faults" in lines
    assert "stopped: every ± is at most 20 Elo" in lines


def test_json_is_alone_and_complete() -> None:
    """With --json nothing else is on stdout, and the further tables stand beside."""
    values = json.loads(run(DENSE, "--json", "--cross", "--explain", "bot4", "bot3").output)
    assert values["groups"][0]["bots"][0]["name"] == "bot8"
    assert values["cross"][0]["duels"][0][1]["games"] == 72
    assert values["explain"]["met"]["games"] == 72


def test_csv_has_numbers() -> None:
    """The CSV form is read back with the figures of the table."""
    rows = list(csv.DictReader(io.StringIO(run(DENSE, "--csv").output)))
    assert rows[0]["name"] == "bot8"
    assert float(rows[0]["elo"]) == pytest.approx(268.8365, abs=1e-3)
    assert [rows[7][key] for key in ("wins", "draws", "losses", "los_next")] == ["69", "98", "337", ""]
    with pytest.raises(UserError, match="--json"):
        run(DENSE, "--csv", "--los")


def test_markdown_is_a_table() -> None:
    """Every row has the same number of cells, and the footers are a list."""
    lines = run(EDGE, "--markdown", "--los", "--cross").output.splitlines()
    assert lines[0].startswith("| rank | name | Elo |")
    assert lines[2].startswith("| 1 | perfect | \\>+904 |")
    assert {line.count("|") for line in lines[:9]} == {13}
    assert any(line.startswith("- first-seat advantage") for line in lines)
    assert any(line.startswith("- **warning:**") for line in lines)


def test_cross_and_explanation_follow_the_table() -> None:
    """`--cross` shows score, games and W/D/L of each pair, `--explain` what a difference rests on."""
    output = run(DENSE, "--cross", "--explain", "bot4", "bot3").output
    assert "46.5 72 24/19/29" in output
    for told in (
        "bot4 over bot3: +29 ± 37",
        "where they met",
        "in seat 0 of 2 players",
        "through others",
        "faults of bot3: none",
    ):
        assert told in output


def test_fail_under_is_for_scripts() -> None:
    """A bot below its mark ends with exit status 1, after the table; one above does not."""
    assert run(DENSE, "--fail-under", "bot8=200").exit_code == 0
    with pytest.raises(CheckFailed, match=r"bot8 has \+268.8 Elo"):
        run(DENSE, "--fail-under", "bot8=300")
    with pytest.raises(UserError, match="nobody"):
        run(DENSE, "--fail-under", "nobody=0")


@pytest.mark.parametrize(
    "wrong",
    [
        "--prior=x",
        "--prior=0",
        "--prior=nan",
        "--anchor=bot1",
        "--anchor==5",
        "--anchor=bot1=inf",
        "--seats=maybe",
    ],
)
def test_wrong_options_are_refused(wrong: str) -> None:
    """What cannot be read as an option is a message with exit status 2."""
    assert run(DENSE, wrong).exit_code == 2


def test_several_results_are_one_table() -> None:
    """The same matches twice are twice the games, in blocks of their own."""
    assert "4032 games in 2016 blocks" in run(DENSE, DENSE).output


def test_nasty_names_do_no_harm(tmp_path: Path) -> None:
    """No form lets a name move the cursor, break a row, or become a formula."""
    names = [*NASTY, "plain", "[bold]markup[/bold]"]
    entries = [
        entry
        for number, name in enumerate(names[1:])
        for entry in pair(str(number), name, names[0], (1.0, 0.0))
    ]
    found = standings(tally(entries))
    shown = [*tables.tables(found, los=True)], tables.footers(found), found.warnings
    plain = tables.text(*shown)
    console = Console(file=io.StringIO(), width=4000, highlight=False, markup=False)
    console.print(tables.rendered(*shown))
    assert isinstance(console.file, io.StringIO)
    for output in (plain, console.file.getvalue(), tables.markdown(*shown)):
        assert all(char.isprintable() or char == "\n" for char in output)
    assert len(plain.splitlines()) == 2 * (len(names) + 1) + 1 + len(shown[1]) + len(shown[2])
    assert "[bold]markup[/bold]" in plain
    assert "[bold]markup[/bold]" in console.file.getvalue()
    for row in csv.DictReader(io.StringIO(tables.comma_separated(found))):
        assert not row["name"].startswith(("=", "+", "-", "@", "\t", "\r"))
        float(row["elo"])
    rows = [line for line in tables.markdown(*shown).splitlines() if line.startswith("| ")]
    assert {line.replace("\\|", "").count("|") for line in rows} == {13, len(names) + 2}
    assert json.loads(tables.dumped(found.dump()))["games"] == len(entries)


def test_a_narrow_terminal_keeps_the_numbers() -> None:
    """Where a terminal is narrow, names are cut, never figures."""
    entries = [
        Entry(tuple(f"a-very-long-name-{bot}" for bot in entry.bots), entry.ranks, entry.block)
        for entry in load("dense.csv")
    ]
    console = Console(file=io.StringIO(), width=82, highlight=False)
    console.print(tables.rendered(tables.tables(standings(tally(entries))), []))
    assert isinstance(console.file, io.StringIO)
    first = console.file.getvalue().splitlines()[1].split()
    assert first[2:] == words("+269 31 504 83.1 376 86 42 0 100.0% -")
    assert first[1].endswith("…")


@pytest.mark.parametrize(
    ("width", "heading"),
    [
        (80, "rank name Elo ±95% games score% W D L faults LOS>next margin"),
        (70, "rank name Elo ±95% games score% W D L faults LOS>next"),
        (50, "rank name Elo ±95% score% faults LOS>next"),
        (20, "rank name Elo ±95% LOS>next"),
    ],
)
def test_a_very_narrow_terminal_keeps_names(width: int, heading: str) -> None:
    """What is needed least gives way to the names, so that every row says whose it is."""
    (table,) = tables.tables(standings(tally(load("dense.csv"))))
    assert tables.fitted(table, width).heading == tuple(words(heading))
    assert tables.fitted(table, 1000) == table
