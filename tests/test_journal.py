"""The journal: what is written is read, what is torn is mended, what is damaged is refused."""

from __future__ import annotations

import errno
import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena import journal
from arena.errors import UserError
from arena.folder import Folder, FolderError
from arena.journal import Damaged, Journal

HEADER = {"format": 1, "name": "test", "configuration": {"seed": 7}}


def record(number: int, **more: Any) -> dict[str, Any]:
    """Return a small record as a match dumps it."""
    return {
        "id": f"m{number}",
        "block": f"b{number // 2}",
        "round": number // 2,
        "bots": ["one", "two"],
        "setup": {"cells": ["a1", "a2"]},
        "actions": [[0, "yd7", 1234], [1, "bk3", 900, ['a "remark", "setup":\n\u202e']]],
        "scores": [61, 54],
        "parts": [{"water": 61}, {"water": 54}],
        "ranks": [1, 2],
        "faults": [],
        "cpu": [0.81, 0.02],
        "void": False,
        **more,
    }


class Time:
    """A clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.micros = 1_000_000

    def __call__(self) -> int:
        return self.micros


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Folder]:
    """A folder of results that this test holds."""
    held = Folder(tmp_path / "out")
    held.hold("2024-01-01")
    yield held
    held.release()


@pytest.fixture
def syncs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The descriptors that were synced, in order."""
    seen: list[int] = []
    real = os.fdatasync

    def fdatasync(fd: int) -> None:
        seen.append(fd)
        real(fd)

    monkeypatch.setattr(os, "fdatasync", fdatasync)
    return seen


def write(folder: Folder, count: int) -> None:
    """Leave a journal of so many records."""
    with Journal(folder, Time()) as made:
        assert list(made.recover()) == []
        made.begin(HEADER)
        for number in range(count):
            made.append(journal.encode(record(number)))


def reopen(folder: Folder, *, repair: bool = False) -> tuple[list[str], list[str]]:
    """Recover a journal and return the ids found and what was said."""
    with Journal(folder, Time()) as found:
        return [head["id"] for head in found.recover(repair=repair)], found.notices


def test_a_line_is_json_and_reads_back() -> None:
    """A line is one JSON object for anybody, and decodes to the record that was encoded."""
    line = journal.encode(record(3))
    assert line.count(b"\n") == 1
    assert {key: value for key, value in json.loads(line).items() if key != "crc"} == record(3)
    assert journal.decode(line) == record(3)


@example("half \ud800, \u2028, \x00")
@given(st.text(st.characters()))
def test_any_text_survives_in_ascii(text: str) -> None:
    """Whatever bots and file names hold, half surrogate pairs too, is in the line as ASCII and comes back."""
    line = journal.encode(record(3, text=text, setup={text: [text]}))
    assert line.isascii()
    assert journal.intact(line)
    assert (journal.decode(line)["setup"], journal.head(line)["text"]) == ({text: [text]}, text)


def test_the_head_has_what_tables_need() -> None:
    """The head is the part of a record before its set-up, whatever remarks and faults say."""
    fault = {"seat": 0, "kind": "crash", "text": ',"setup":{', "stderr": '","setup":[\x00'}
    found = journal.head(journal.encode(record(3, faults=[fault])))
    assert {key: found[key] for key in ("id", "block", "bots", "ranks", "faults")} == {
        "id": "m3",
        "block": "b1",
        "bots": ["one", "two"],
        "ranks": [1, 2],
        "faults": [fault],
    }
    assert "actions" not in found


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_any_changed_byte_is_noticed(place: int, byte: int) -> None:
    """A line with any one byte changed is not intact."""
    line = journal.encode(record(1))
    changed = bytearray(line)
    changed[place % len(line)] = byte
    assert journal.intact(bytes(changed)) == (bytes(changed) == line)


def test_what_is_appended_is_found_again(folder: Folder) -> None:
    """Records come back in their order, after the header, in whole and as heads."""
    write(folder, 3)
    assert journal.read_header(folder.path) == HEADER
    assert list(journal.records(folder.path)) == [record(0), record(1), record(2)]
    assert [head["id"] for head in journal.heads(folder.path)] == ["m0", "m1", "m2"]
    assert reopen(folder) == (["m0", "m1", "m2"], [])


def test_a_journal_cut_anywhere_in_its_last_line_loses_only_that(folder: Folder) -> None:
    """Cut at each byte of the last line: it is dropped and said, the others stay, appending works."""
    write(folder, 3)
    path = folder.path / journal.NAME
    whole = path.read_bytes()
    last = whole.rindex(b"\n", 0, -1) + 1
    for size in range(last, len(whole)):
        path.write_bytes(whole[:size])
        with Journal(folder, Time()) as found:
            assert [head["id"] for head in found.recover()] == ["m0", "m1"]
            found.begin(HEADER)
            assert len(found.notices) == (size > last)
            assert all("dropped 1 unfinished record" in notice for notice in found.notices)
            found.append(journal.encode(record(2)))
        assert path.read_bytes() == whole


def test_a_journal_cut_in_its_first_line_begins_anew(folder: Folder) -> None:
    """Cut at each byte of the header: nothing was played yet, and a new header is written."""
    write(folder, 0)
    path = folder.path / journal.NAME
    whole = path.read_bytes()
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        with Journal(folder, Time()) as found:
            assert list(found.recover()) == []
            assert found.header is None
            found.begin(HEADER)
        assert path.read_bytes() == whole


def test_damage_before_the_end_is_refused_with_its_line(folder: Folder) -> None:
    """A bad line that no crash can have left stops everything, and its number is told."""
    write(folder, 4)
    path = folder.path / journal.NAME
    path.write_bytes(path.read_bytes().replace(b'"m1"', b'"m9"'))
    with pytest.raises(Damaged, match=r"line 3: .*--repair"):
        reopen(folder)
    with pytest.raises(Damaged, match="line 3"):
        list(journal.heads(folder.path))


def test_repair_sets_damage_aside(folder: Folder) -> None:
    """With repair the bad lines move to a file of their own, and the rest goes on."""
    write(folder, 4)
    path = folder.path / journal.NAME
    damaged = path.read_bytes().replace(b'"m1"', b'"m9"') + b"torn"
    path.write_bytes(damaged)
    ids, notices = reopen(folder, repair=True)
    assert ids == ["m0", "m2", "m3"]
    assert [("unfinished" in notice, "set aside" in notice) for notice in notices] == [
        (True, False),
        (False, True),
    ]
    assert (folder.path / journal.QUARANTINE).read_bytes().startswith(b'{"id":"m9"')
    assert reopen(folder) == (["m0", "m2", "m3"], [])


def test_repair_mends_a_damaged_header(folder: Folder) -> None:
    """A damaged first line is set aside too, and the run's own header takes its place."""
    write(folder, 2)
    path = folder.path / journal.NAME
    path.write_bytes(path.read_bytes().replace(b'"test"', b'"tost"', 1))
    with Journal(folder, Time()) as found:
        assert [head["id"] for head in found.recover(repair=True)] == ["m0", "m1"]
        assert found.header is None
        found.begin(HEADER)
    assert journal.read_header(folder.path) == HEADER
    assert reopen(folder) == (["m0", "m1"], [])


def test_a_changed_header_replaces_the_old_one(folder: Folder) -> None:
    """What was extended stands in the first line; all records stay, and appending goes on in the new file."""
    write(folder, 2)
    with Journal(folder, Time()) as found:
        list(found.recover())
        found.begin({**HEADER, "name": "longer"})
        found.append(journal.encode(record(2)))
    assert journal.read_header(folder.path)["name"] == "longer"
    assert reopen(folder) == (["m0", "m1", "m2"], [])


def test_the_same_header_writes_nothing(folder: Folder) -> None:
    """Opening a journal again leaves every byte as it is."""
    write(folder, 2)
    before = (folder.path / journal.NAME).read_bytes()
    with Journal(folder, Time()) as found:
        list(found.recover())
        found.begin(HEADER)
    assert (folder.path / journal.NAME).read_bytes() == before


def test_slow_matches_are_synced_one_by_one(folder: Folder, syncs: list[int]) -> None:
    """A match that took 50 ms is durable before it counts."""
    with Journal(folder, Time()) as made:
        made.begin(HEADER)
        before = len(syncs)
        made.append(journal.encode(record(0)), 50_000)
        made.append(journal.encode(record(1)), 50_000)
        assert len(syncs) == before + 2
        assert made.due() is None


def test_quick_matches_are_synced_every_100_ms(folder: Folder, syncs: list[int]) -> None:
    """Quick matches share a sync: due 100 ms after the last, made then, and never earlier."""
    now = Time()
    with Journal(folder, now) as made:
        made.begin(HEADER)
        before = len(syncs)
        made.append(journal.encode(record(0)), 2_000)
        due = made.due()
        assert due == now.micros + 100_000
        now.micros = due - 1
        made.append(journal.encode(record(1)), 2_000)
        made.sync()
        assert len(syncs) == before
        now.micros = due
        made.sync()
        assert len(syncs) == before + 1
        assert made.due() is None
        made.append(journal.encode(record(2)), 2_000)
    assert len(syncs) == before + 2  # closing leaves nothing unsynced


@pytest.mark.parametrize("taken", [0, 1, 274])
def test_a_full_disk_leaves_whole_lines(folder: Folder, monkeypatch: pytest.MonkeyPatch, taken: int) -> None:
    """A write that is cut short by a full disk is taken back, and the message names the file."""
    real = os.write
    left = taken

    def full(fd: int, data: bytes) -> int:
        nonlocal left
        if not left:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        part, left = real(fd, bytes(data)[:left]), 0
        return part

    with Journal(folder, Time()) as made:
        made.begin(HEADER)
        made.append(journal.encode(record(0)))
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(FolderError, match=r"games\.jsonl: No space left on device"):
                made.append(journal.encode(record(1)))
        assert [head["id"] for head in journal.heads(folder.path)] == ["m0"]
        made.append(journal.encode(record(1)))  # there is space again
    assert reopen(folder) == (["m0", "m1"], [])


LINE = len(journal.encode(record(1)))  # records differ in one digit


@pytest.mark.parametrize(("taken", "kept"), [(5, 0), (LINE, 1), (2 * LINE - 1, 1), (2 * LINE, 2)])
def test_a_full_disk_keeps_the_lines_that_it_took(
    folder: Folder, monkeypatch: pytest.MonkeyPatch, taken: int, kept: int
) -> None:
    """Of lines written together, those that the disk took whole stay: nothing finished is played again."""
    lines = [journal.encode(record(number)) for number in (1, 2, 3)]
    space = [taken]
    real = os.write

    def full(fd: int, data: bytes) -> int:
        if not space:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(fd, bytes(data)[: space.pop()])

    with Journal(folder, Time()) as made:
        made.begin(HEADER)
        made.append(journal.encode(record(0)))
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", full)
            with pytest.raises(FolderError, match="No space left on device"):
                made.append(b"".join(lines))
        made.append(journal.encode(record(4)))  # there is space again
    assert reopen(folder) == (["m0", *["m1", "m2", "m3"][:kept], "m4"], [])


def test_a_file_size_limit_leaves_whole_lines(folder: Folder) -> None:
    """The kernel's own refusal in the middle of a line leaves whole lines, and no signal kills us."""
    script = (
        "import sys; from pathlib import Path; sys.path.insert(0, sys.argv[2])\n"
        "from tests.test_journal import *\n"
        "folder = Folder(Path(sys.argv[1])); folder.hold('now'); made = Journal(folder, Time())\n"
        "made.begin(HEADER)\n"
        "try:\n"
        "    for number in range(100): made.append(journal.encode(record(number)))\n"
        "except FolderError as error: print(error); sys.exit(error.exit_status)\n"
    )
    root = str(Path(__file__).parent.parent)
    folder.release()
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder.path), root],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (5_000, 5_000)),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "File too large" in done.stdout) == (1, True), done.stderr
    ids, notices = reopen(folder)
    assert ids == [f"m{number}" for number in range(len(ids))]
    assert 5 < len(ids) < 20
    assert notices == []


def test_a_deleted_journal_is_noticed(folder: Folder) -> None:
    """A journal that is deleted under a run stops it at the next sync."""
    with Journal(folder, Time()) as made:
        made.begin(HEADER)
        (folder.path / journal.NAME).unlink()
        with pytest.raises(FolderError, match="was deleted"):
            made.append(journal.encode(record(0)))


def test_no_results_are_told(tmp_path: Path) -> None:
    """A folder without a journal is the user's mistake."""
    for read in (journal.read_header, lambda folder: list(journal.heads(folder))):
        with pytest.raises(UserError, match=r"holds no results: there is no games\.jsonl"):
            read(tmp_path)


def test_readers_leave_an_unfinished_line_alone(folder: Folder) -> None:
    """A reader beside a run at work sees the finished records, and changes nothing."""
    write(folder, 2)
    path = folder.path / journal.NAME
    path.write_bytes(path.read_bytes()[:-5])
    before = path.read_bytes()
    assert [head["id"] for head in journal.heads(folder.path)] == ["m0"]
    assert path.read_bytes() == before


def test_reading_takes_constant_memory(folder: Folder) -> None:
    """Recovering reads line by line: never more than two lines are held."""
    write(folder, 500)
    held = 0
    most = 0

    class Counted(bytes):
        def __new__(cls, line: bytes) -> Counted:
            nonlocal held, most
            held += 1
            most = max(most, held)
            return super().__new__(cls, line)

        def __del__(self) -> None:
            nonlocal held
            held -= 1

    real = journal._lines

    def counted(path: Path) -> Iterator[tuple[int, bytes, bool]]:
        for number, line, last in real(path):
            yield number, Counted(line), last

    recover: Callable[..., Any] = Journal.recover
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(journal, "_lines", counted)
        with Journal(folder, Time()) as found:
            assert sum(1 for _ in recover(found)) == 500
    assert most <= 3
