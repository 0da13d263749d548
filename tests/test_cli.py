"""The program as a whole: how it finds commands, and what it says to a user who missed one."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena import cli
from arena.config import from_values
from arena.errors import UserError
from tests import recorded

BOTS = [{"name": name, "command": "true"} for name in ("a", "b", "c")]


@pytest.fixture
def results(tmp_path: Path) -> Path:
    """Return a folder of results whose tournament's file fixed a bot's rating."""
    config = from_values({"game": "rain", "bots": BOTS, "schedule": {"rounds": 2}}, tmp_path)
    folder = tmp_path / "results"
    recorded.write(folder, config, [recorded.play(match) for match in recorded.matches(config)])
    told = {
        "outcome": "placement",
        "prior": 300.0,
        "seats": False,
        "anchor": {"b": 1000},
        "stopped": "by a test",
    }
    (folder / "standings.json").write_text(json.dumps(told))
    return folder


@pytest.mark.parametrize(
    ("word", "hint"),
    [
        ("standng", "did you mean `arena standings`"),
        ("cup.yaml", "did you mean `arena tournament cup.yaml`"),
        ("xyzzy", "`arena --help` lists them"),
    ],
)
def test_a_wrong_command_is_told_the_right_one(word: str, hint: str) -> None:
    """The nearest command is named; a file alone is taken for a tournament's."""
    with pytest.raises(UserError, match="there is no command") as found:
        cli.arena([word], standalone_mode=False)
    assert hint in str(found.value)


def test_the_program_turns_errors_into_a_message_and_a_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A user's mistake is one line on stderr and exit status 2, without a traceback."""
    monkeypatch.setattr(sys, "argv", ["arena", "plan", "nowhere.yaml"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert (out, err) == ("", "arena: cannot read nowhere.yaml: No such file or directory\n")


def test_every_command_has_help() -> None:
    """Each command of the table can be imported and says what it is for."""
    for name, line in cli.COMMANDS.items():
        shown = CliRunner().invoke(cli.arena, [name, "--help"])
        assert shown.exit_code == 0, name
        assert line.endswith(".")


def test_trials_are_listed_without_a_bot() -> None:
    """`arena check --list` needs no command; `arena check` alone does."""
    listed = CliRunner().invoke(cli.arena, ["check", "--list", "--game", "rain"])
    assert listed.exit_code == 0
    assert "quiet-start" in listed.stdout
    assert CliRunner().invoke(cli.arena, ["check"]).exit_code == 2


def test_standings_of_one_folder_are_rated_as_its_file_says(results: Path) -> None:
    """Anchor, prior and seats of the run hold for `arena standings` too, and options come first."""
    table = json.loads(CliRunner().invoke(cli.arena, ["standings", str(results), "--json"]).stdout)
    assert (table["prior"], table["seats"], table["anchor"]) == (300.0, False, {"b": 1000})
    assert table["stopped"] == "by a test"
    given = ["standings", str(results), "--json", "--prior", "none", "--seats", "on", "--anchor", "a=5"]
    table = json.loads(CliRunner().invoke(cli.arena, given).stdout)
    assert (table["prior"], table["seats"], table["anchor"]) == (None, True, {"a": 5.0})
    twice = CliRunner().invoke(cli.arena, ["standings", str(results), str(results), "--json"])
    assert json.loads(twice.stdout)["anchor"] in (None, {})
