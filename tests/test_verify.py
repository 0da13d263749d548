"""`arena verify`: whatever in a record is not what the rules make of it is found and named."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from arena import journal
from arena.cli import arena
from arena.config import Config, from_values
from arena.errors import CheckFailed, UserError
from arena.verify import verify
from tests import recorded

Record = dict[str, Any]


def tournament(folder: Path, **keys: Any) -> Config:
    """Return a tournament of three bots, one round."""
    bots = [{"name": name, "command": "true"} for name in "abcde"[: keys.pop("bots", 3)]]
    return from_values({"game": "rain", "schedule": {"rounds": 1}, "bots": bots, **keys}, folder)


@pytest.fixture(scope="module")
def rain(tmp_path_factory: pytest.TempPathFactory) -> tuple[Config, list[Record]]:
    """Give a tournament with its records."""
    config = tournament(tmp_path_factory.mktemp("rain"))
    return config, [recorded.play(match) for match in recorded.matches(config)]


@pytest.mark.parametrize("options", [{}, {"options": {"edition": "ffg"}}])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_desert_agrees(tmp_path: Path, players: int, options: dict[str, Any]) -> None:
    """What was played by the rules of desert agrees with them, with any number of players."""
    config = tournament(tmp_path, game="desert", players=players, bots=players, **options)
    records = [recorded.play(match) for match in recorded.matches(config)]
    recorded.write(tmp_path, config, records)
    found = verify(tmp_path)
    assert found.difference is None
    assert found.games == len(records)
    assert found.actions == sum(len(record["actions"]) for record in records)


@pytest.mark.parametrize("game", ["desert", "rain"])
@pytest.mark.parametrize("faults", [{0: 0}, {1: 0, 0: 0}, {2: 7}, {1: 3, 3: 9}, {0: 11, 1: 11, 2: 11}])
def test_faults_agree(tmp_path: Path, game: str, faults: dict[int, int]) -> None:
    """Seats that go out at the start, later, or several at once are followed."""
    config = tournament(tmp_path, game=game, players=4, bots=4)
    recorded.write(tmp_path, config, [recorded.play(match, faults) for match in recorded.matches(config)])
    assert verify(tmp_path).difference is None


def test_rain_agrees(tmp_path: Path, rain: tuple[Config, list[Record]]) -> None:
    """Void records and records in any order agree too, and more keys do not matter."""
    config, records = rain
    void = {**records[2], "void": True, "setup": {}, "actions": [], "scores": [], "ranks": [], "parts": []}
    more = [{**record, "more": 1} for record in reversed(records)]
    recorded.write(tmp_path, config, [void, *more])
    found = verify(tmp_path)
    assert (found.difference, found.games, found.void) == (None, len(records), 1)


def _set(key: str, value: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record[key] = value(record[key]) if callable(value) else value

    return change


def _action(at: int, value: Any) -> Callable[[Record], None]:
    def change(record: Record) -> None:
        record["actions"][at] = value(record["actions"][at]) if callable(value) else value

    return change


FAULT = {"seat": 0, "kind": "timeout", "action": 5, "text": "", "stderr": ""}


@pytest.mark.parametrize(
    ("change", "what", "text"),
    [
        (_set("scores", lambda scores: [scores[0] + 1, scores[1]]), "scores", "the record says"),
        (_set("ranks", lambda ranks: [2, 1] if ranks == [1, 2] else [1, 2]), "ranks", "right is"),
        (_set("parts", lambda parts: parts[::-1] if parts[0] != parts[1] else [{}, {}]), "parts", "right is"),
        (_set("parts", []), "parts", "the record says []"),
        (_set("id", "1-000000000000-01"), "id", "the record says"),
        (_set("block", "1-000000000000"), "block", "the record says"),
        (_set("round", 2), "round", "the header has rounds 1 to 1, not 2"),
        (_set("round", 0), "round", "rounds 1 to 1, not 0"),
        (_set("round", "1"), "record", "cannot be read"),
        (_set("bots", lambda bots: bots[::-1]), "id", "right is"),
        (_set("bots", ["a", "z"]), "bots", "the header has no bot z"),
        (_set("bots", ["a", "a"]), "bots", "2 different bots"),
        (_set("bots", ["a", "b", "c"]), "bots", "2 different bots"),
        (_set("setup", {}), "setup", "the seed gives another board"),
        (_set("actions", lambda actions: actions[:-1]), "action", "the record ends, but"),
        (_set("actions", lambda actions: [*actions, [0, "ra1", 1]]), "action", "the match is over"),
        (_set("actions", lambda actions: [actions[0], *actions]), "action 2", ""),
        (_action(3, lambda action: [1 - action[0], *action[1:]]), "action 4", "but it is seat"),
        (_action(3, lambda action: [action[0], "zz9", 1]), "action 4", "zz9"),
        (_action(3, [0]), "action 4", "expected [seat, action, microseconds]"),
        (_action(0, lambda action: [action[0], "pass", 1]), "action 1", "pass"),
        (_set("faults", [FAULT]), "action 6", ""),
        (_set("faults", [{**FAULT, "action": 10_000}]), "faults", "after the end"),
        (_set("faults", [{**FAULT, "kind": "mood"}]), "faults", "there is no kind mood"),
        (_set("faults", [{**FAULT, "seat": 2}]), "faults", "seat 2 cannot go out"),
        (_set("faults", [{"seat": 0}]), "record", "cannot be read"),
    ],
)  # fmt: skip
def test_differences(
    tmp_path: Path, rain: tuple[Config, list[Record]], change: Callable[[Record], None], what: str, text: str
) -> None:
    """A record that was changed, checksum and all, is found with its line, its key and what is wrong."""
    config, records = rain
    changed = json.loads(json.dumps(records))
    change(changed[1])
    recorded.write(tmp_path, config, changed)
    found = verify(tmp_path)
    assert found.difference is not None
    assert found.difference.line == 3
    assert found.games == 1
    assert found.difference.what.startswith(what)
    assert text in found.difference.text


def test_twice(tmp_path: Path, rain: tuple[Config, list[Record]]) -> None:
    """A game that was recorded twice is found."""
    config, records = rain
    recorded.write(tmp_path, config, [*records, records[0]])
    difference = verify(tmp_path).difference
    assert difference is not None
    assert (difference.what, difference.text) == ("id", "an earlier line has this game already")


def test_checksum(tmp_path: Path, rain: tuple[Config, list[Record]]) -> None:
    """A changed byte that the rules do not see is seen by the checksum; one that they see is named."""
    config, records = rain
    path = recorded.write(tmp_path, config, records)
    whole = path.read_bytes()
    path.write_bytes(whole.replace(b'"cpu":[0.1', b'"cpu":[0.2', 1))
    difference = verify(tmp_path).difference
    assert difference is not None
    assert (difference.line, difference.what, difference.game) == (2, "crc", records[0]["id"])
    path.write_bytes(whole.replace(b'"ranks":[', b'"ranks":[1', 1))
    difference = verify(tmp_path).difference
    assert difference is not None
    assert (difference.line, difference.what) == (2, "ranks")


def test_every_torn_tail(tmp_path: Path, rain: tuple[Config, list[Record]]) -> None:
    """A last line that was cut anywhere is told, and does not count."""
    config, records = rain
    path = recorded.write(tmp_path, config, records[:2])
    whole = path.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    for end in range(last + 1, len(whole), 97):
        path.write_bytes(whole[:end])
        found = verify(tmp_path)
        assert (found.difference, found.games, found.unfinished) == (None, 1, True)


def test_garbage(tmp_path: Path, rain: tuple[Config, list[Record]]) -> None:
    """Lines that are no records are differences with a line and no game."""
    config, records = rain
    path = recorded.write(tmp_path, config, records[:1])
    whole = path.read_bytes()
    for garbage in (b"\n", b"null\n", b"[]\n", b"\xff\xfe\n", b"[" * 100_000 + b"\n", b'{"id": 3}\n'):
        path.write_bytes(whole + garbage)
        difference = verify(tmp_path).difference
        assert difference is not None
        assert (difference.line, difference.what) == (3, "record")


def test_no_journal(tmp_path: Path) -> None:
    """A folder without results is the user's mistake, and so is one whose first line is no header."""
    with pytest.raises(UserError, match="holds no results"):
        verify(tmp_path)
    (tmp_path / journal.NAME).write_bytes(journal.encode({"format": 99}))
    with pytest.raises(UserError, match="no header of format"):
        verify(tmp_path)


def test_command(tmp_path: Path, rain: tuple[Config, list[Record]]) -> None:
    """The command says what it looked at; with --json nothing else is on stdout, also when it fails."""
    config, records = rain
    recorded.write(tmp_path, config, records)
    done = CliRunner().invoke(arena, ["verify", str(tmp_path)])
    assert done.exit_code == 0
    assert f"{len(records)} games with" in done.output
    recorded.write(tmp_path, config, [{**records[0], "scores": [0, 99]}])
    failed = CliRunner().invoke(arena, ["verify", "--json", str(tmp_path)])
    assert isinstance(failed.exception, CheckFailed)
    assert failed.exception.exit_status == 1
    assert f"game {records[0]['id']}: scores: the record says [0, 99], right is" in str(failed.exception)
    said = json.loads(failed.stdout)
    assert (said["ok"], said["difference"]["what"]) == (False, "scores")
