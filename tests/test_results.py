"""Reading results: CSV files from anywhere, and folders with a journal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena import journal
from arena.errors import UserError
from arena.results import read, teams
from tests.matches import DATA


def record(number: int, **changed: Any) -> dict[str, Any]:
    """Return a journal's record of a match of two bots."""
    return {
        "id": f"1-{number}",
        "block": f"1-{number // 2}",
        "round": 1,
        "bots": ["a", "b"],
        "void": False,
        "scores": [3, 1],
        "ranks": [1, 2],
        "fingerprint": f"{number:032x}",
        "faults": [],
        "cpu": [0.0, 0.0],
        "setup": {"number": number},
        "actions": [],
        **changed,
    }


def folder(
    path: Path, records: list[dict[str, Any]], game: str = "rain", players: int = 2, **options: str
) -> Path:
    """Write a folder with a journal of these records."""
    path.mkdir()
    header = {"configuration": {"game": game, "players": players, "options": options}}
    (path / journal.NAME).write_bytes(b"".join(map(journal.encode, [header, *records])))
    return path


def test_a_csv_file_is_counted() -> None:
    """All rows of the reference's file are matches of its blocks."""
    found = read([DATA / "dense.csv"])
    assert (found.tally.games, found.tally.blocks, len(found.tally.names)) == (2016, 1008, 8)


def test_the_blocks_of_csv_files_are_their_own() -> None:
    """Two files with the same names of blocks have twice as many blocks."""
    assert read([DATA / "dense.csv", DATA / "dense.csv"]).tally.blocks == 2016


def test_spreadsheets_ways_are_read(tmp_path: Path) -> None:
    """A byte order mark, CR LF, spaces, empty lines and other columns do no harm."""
    path = tmp_path / "x.csv"
    path.write_bytes(
        b"\xef\xbb\xbfblock, seat1,seat2,rank1,rank2,note\r\n1, a ,b, 1,2,x\r\n\r\n1,b,a,1,1,\r\n"
    )
    found = read([path]).tally
    assert (found.games, found.blocks, found.names) == (2, 1, ["a", "b"])


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no column block"),
        ("block,seat1,seat2,rank1\n", "no column rank2"),
        ("block,seat1,rank1\n", "no column seat2"),
        ("block,seat1,seat2,rank1,rank2\n1,a,b,1\n", "line 2: 4 cells"),
        ("block,seat1,seat2,rank1,rank2\n1,a,b,1,2\n1,a,a,1,2\n", "line 3: every seat"),
        ("block,seat1,seat2,rank1,rank2\n1,a,,1,2\n", "every seat"),
        ("block,seat1,seat2,rank1,rank2\n1,a,b,1,0\n", "from 1 to 2"),
        ("block,seat1,seat2,rank1,rank2\n1,a,b,1,\u0662\n", "from 1 to 2"),
        ("block,seat1,seat2,rank1,rank2\n", "no bots"),
        ('block,seat1,seat2,rank1,rank2\n1,"a,b,1,2\n', "no CSV file"),
    ],
)
def test_a_wrong_csv_file_is_refused_with_its_place(tmp_path: Path, text: str, words: str) -> None:
    """Each mistake is one message for people."""
    path = tmp_path / "x.csv"
    path.write_text(text)
    with pytest.raises(UserError, match=words):
        read([path])


def test_what_is_not_there_is_refused(tmp_path: Path) -> None:
    """A missing file, a folder without a journal, and bytes that are no text are told."""
    (tmp_path / "bytes.csv").write_bytes(b"\xff\xfe\x00")
    for path, words in (
        (tmp_path / "no.csv", "No such file"),
        (tmp_path, "no results"),
        (tmp_path / "bytes.csv", "no CSV"),
    ):
        with pytest.raises(UserError, match=words):
            read([path])


def test_a_journal_is_counted_without_its_void_matches(tmp_path: Path) -> None:
    """Void matches never count, faults and points do."""
    faults = [{"seat": 1, "kind": "crash", "action": 0, "text": "", "stderr": ""}]
    records = [record(0), record(1, faults=faults), record(2, void=True, ranks=[], scores=[])]
    found = read([folder(tmp_path / "x", records)]).tally
    assert (found.games, found.blocks, found.duplicates) == (2, 1, 0)
    assert found.faults[1] == {"crash": 1}
    assert found.margins[0] == (4, 2)


def test_the_same_block_of_two_journals_is_one(tmp_path: Path) -> None:
    """A board played again by the same bots is a repeat, and identical matches are told."""
    one = folder(tmp_path / "one", [record(0), record(1)])
    two = folder(tmp_path / "two", [record(0), record(1, fingerprint="f" * 32)])
    found = read([one, two]).tally
    assert (found.games, found.blocks, found.duplicates) == (4, 1, 1)


def test_a_table_rates_one_game(tmp_path: Path) -> None:
    """Results of different games are refused, those of different options are noted."""
    one = folder(tmp_path / "one", [record(0)], "desert", edition="kosmos")
    two = folder(tmp_path / "two", [record(0)], "desert", edition="ffg")
    other = folder(tmp_path / "other", [record(0)])
    assert "other options" in read([one, two]).notes[0]
    with pytest.raises(UserError, match="one game"):
        read([one, other])


def test_teams_are_known_to_the_game() -> None:
    """Four players of rain are two sides; two of it, and all of desert, play for themselves."""
    assert teams("rain", 4) == ((0, 2), (1, 3))
    assert teams("rain", 2) == teams("desert", 5) == ()
