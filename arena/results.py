"""Reads results for the table: folders with a journal, and CSV files from anywhere.

A CSV file has the columns `block, seat1 … seatN, rank1 … rankN`: bots by seat, 1 is best, equal ranks tie.
Its blocks are its own. Blocks of journals are named after game, seed, round and line-up: those of two folders
with one name are the same board played again, and count as one block. Void matches never count.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena import journal
from arena.errors import UserError
from arena.games.base import Outcome, load_game
from arena.tally import Entry, Sides, Tally

if TYPE_CHECKING:
    from arena.standings import Close, Settings


@dataclass(frozen=True, slots=True)
class Results:
    """What some files hold together."""

    tally: Tally
    outcome: Outcome  # what the game declares
    notes: tuple[str, ...]  # what whoever reads the table should know


def read(paths: Iterable[Path]) -> Results:
    """Count all matches of the given folders and CSV files; UserError where one cannot be read."""
    tally = Tally()
    outcome = Outcome.PLACEMENT
    game = ""
    options: dict[str, str] = {}
    notes: list[str] = []
    for number, path in enumerate(paths):
        if path.is_dir():
            configuration = _configuration(path)
            if game and game != configuration["game"]:
                raise UserError(
                    f"{path} holds {configuration['game']}, others {game}: a table rates one game"
                )
            if game and options != configuration["options"]:
                notes.append(f"{path} was played with other options than the first")
            game, options = configuration["game"], options or configuration["options"]
            outcome = load_game(game).outcome
            entries = _journal(path, configuration)
        else:
            entries = _csv(path, number)
        for entry in entries:
            tally.add(entry)
    if not tally.names:
        raise UserError("there are no bots in these results")
    return Results(tally, outcome, tuple(notes))


def published(folder: Path) -> tuple[Settings | None, Close | None]:
    """Return what the folder's table was worked out with and how the run ended, as far as it says."""
    from arena.standings import Close, Settings

    try:
        told = json.loads((folder / "standings.json").read_text(encoding="utf-8"))
        settings = Settings(Outcome(told["outcome"]), told["prior"], told["seats"], told["anchor"] or {})
        return settings, Close(told["stopped"], told.get("decided"))
    except (OSError, ValueError, KeyError, TypeError):  # results without a table, or with another program's
        return None, None


def _configuration(folder: Path) -> dict[str, Any]:
    configuration = journal.read_header(folder).get("configuration")
    if not isinstance(configuration, dict) or not {"game", "players", "options"} <= configuration.keys():
        raise UserError(f"{folder / journal.NAME}: the first line does not say what was played")
    return configuration


def teams(game: str, players: int) -> Sides:
    """Return the sides of a game that is played in teams, () where every seat is a side."""
    sides = load_game(game).sides(players)
    return sides if any(len(side) > 1 for side in sides) else ()


def _journal(folder: Path, configuration: dict[str, Any]) -> Iterator[Entry]:
    sides = teams(configuration["game"], configuration["players"])
    for record in journal.heads(folder):
        if not record["void"]:
            yield Entry.load(record, sides)


def _csv(path: Path, number: int) -> Iterator[Entry]:
    try:
        with open(path, newline="", encoding="utf-8-sig") as file:
            rows = csv.reader(file, strict=True)
            header = [name.strip() for name in next(rows, [])]
            players = _players(path, header)
            for row in rows:
                if row:
                    yield _entry(f"{path}, line {rows.line_num}", header, players, row, number)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no CSV file: {error}") from error


def _players(path: Path, header: list[str]) -> int:
    players = sum(name.startswith("seat") for name in header)
    wanted = ["block", *(f"{what}{seat + 1}" for what in ("seat", "rank") for seat in range(max(2, players)))]
    if missing := [name for name in wanted if name not in header]:
        raise UserError(
            f"{path}: no column {missing[0]} in the first line; wanted: block, seat1 … seatN, rank1 … rankN"
        )
    return players


def _entry(place: str, header: list[str], players: int, row: list[str], number: int) -> Entry:
    if len(row) != len(header):
        raise UserError(f"{place}: {len(row)} cells, where the first line has {len(header)}")
    cells = dict(zip(header, map(str.strip, row), strict=True))
    bots = tuple(cells[f"seat{seat + 1}"] for seat in range(players))
    ranks = tuple(cells[f"rank{seat + 1}"] for seat in range(players))
    if "" in bots or len(set(bots)) < players:
        raise UserError(f"{place}: every seat has its own bot")
    if not all(rank.isascii() and rank.isdigit() and 1 <= int(rank) <= players for rank in ranks):
        raise UserError(f"{place}: ranks are whole numbers from 1 to {players}, not {', '.join(ranks)}")
    return Entry(bots, tuple(map(int, ranks)), f"{number}:{cells['block']}")
