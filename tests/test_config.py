"""The tournament's file: what it may say, and what it is told when it says something else."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.config import ConfigError, Format, Sandbox, Seats, differences, from_values, load, parse
from arena.config.document import MAX_DEPTH, scalar
from arena.config.document import parse as parse_document
from arena.config.mistakes import MOST
from arena.config.model import FileKeys
from arena.config.program import home, resolve, split
from arena.config.units import SIZES, TIMES, format_size, format_time, parse_size, parse_time
from arena.errors import UserError
from arena.games.base import Outcome
from arena.match import Clock, Limits, Restart

SNAPSHOTS = Path(__file__).parent / "snapshots" / "config"
WRONG = sorted(SNAPSHOTS.glob("*.yaml"))

SMALL: dict[str, Any] = {
    "game": "desert",
    "bots": [{"name": "a", "command": "true"}, {"name": "b", "command": "true"}],
}


def small(**keys: Any) -> dict[str, Any]:
    """Return the least that is a tournament, with these keys besides."""
    return {**SMALL, **keys}


def mistakes(**keys: Any) -> list[str]:
    """Return what is said about a tournament with these keys."""
    with pytest.raises(ConfigError) as caught:
        from_values(small(**keys), Path("/nowhere"))
    return [str(mistake) for mistake in caught.value.mistakes]


@pytest.mark.parametrize("path", WRONG, ids=[path.stem for path in WRONG])
def test_wrong_file(path: Path) -> None:
    """Every message for a wrong file is as it was approved; ARENA_SNAPSHOTS=write approves anew."""
    with pytest.raises(ConfigError) as caught:
        parse(path.read_bytes().decode("utf-8-sig"), Path(path.name))
    said = f"{caught.value}\n"
    approved = path.with_suffix(".txt")
    if os.environ.get("ARENA_SNAPSHOTS") == "write":
        approved.write_text(said)
    assert said == approved.read_text()


def test_snapshots_are_all_used() -> None:
    """No approved message is left over from a file that is gone."""
    assert {path.stem for path in SNAPSHOTS.glob("*.txt")} == {path.stem for path in WRONG}


def test_defaults() -> None:
    """Everything but game and bots has a default."""
    config = from_values(SMALL, Path("/nowhere"))
    assert (config.name, config.players, config.seed, config.workers) == ("match", 2, 1, None)
    assert (config.schedule.format, config.schedule.rounds) == (Format.ROUND_ROBIN, 10)
    assert (config.schedule.seats, config.sandbox) == (Seats.ROTATE, Sandbox.AUTO)
    assert (config.clock, config.limits) == (Clock(), Limits())
    assert config.options == {"edition": "kosmos", "board": "classic"}
    assert config.output == Path("/nowhere/results/match")
    assert (config.ratings.anchor, config.ratings.prior, config.ratings.outcome) == (None, 600.0, None)
    assert config.stop.games is config.stop.error is config.stop.time is None
    assert not config.stop.best


def test_every_key(tmp_path: Path) -> None:
    """A file with every key that there is becomes the values that it says."""
    path = tmp_path / "all.yaml"
    path.write_text(
        """
name: everything
game: rain
players: 3
options: {}
bots:
  - name: one
    command: [./one, --book, "my file.txt"]
    build: make -C sub
    folder: sub
    env: {DEPTH: "3"}
    restart: always
    cpus: 2
    keep: kept
    files: [one, data/x.bin]
  - {name: two, command: "two 'with space'"}
  - {name: three, command: three}
schedule: {format: gauntlet, rounds: 1e0, seats: all, hero: one}
seed: 0x10
clock: {move: 1.5s, bank: 2m, increment: 250ms, margin: 500us, startup: 1h}
workers: 3
cpus: 4
limits: {memory: 2GiB, processes: 5, stderr: 1kB, files: 9, file_size: 1MB, scratch: 0.5MiB, cpu: 1.5s}
sandbox: strict
ratings: {anchor: {two: -12.5}, prior: none, seats: false, outcome: winner}
stop: {games: 100, error: 20, best: true, time: 2h}
output: out
""".replace("1e0", "7")
    )
    (tmp_path / "sub").mkdir()
    config = load(path)
    one, two, _ = config.bots
    assert (config.name, config.game, config.players, config.seed) == ("everything", "rain", 3, 16)
    assert one.command == (str(tmp_path / "one"), "--book", "my file.txt")
    assert (one.build, one.folder) == (("make", "-C", "sub"), tmp_path / "sub")
    assert (one.env, one.restart, one.cpus) == ({"DEPTH": "3"}, Restart.ALWAYS, 2)
    assert (one.keep, one.files) == (tmp_path / "kept", ("one", "data/x.bin"))
    assert (two.command, two.cpus, two.folder) == (("two", "with space"), 4, tmp_path)
    assert config.schedule.heroes == ("one",)
    assert (config.schedule.format, config.schedule.seats) == (Format.GAUNTLET, Seats.ALL)
    assert config.clock == Clock(1_500_000, 120_000_000, 250_000, 500, 3_600_000_000)
    assert config.limits == Limits(2 << 30, 5, 1000, 9, 10**6, 1 << 19, 2)
    assert (config.workers, config.sandbox, config.output) == (3, Sandbox.STRICT, tmp_path / "out")
    assert (config.ratings.anchor, config.ratings.prior) == (("two", -12.5), None)
    assert (config.ratings.seats, config.ratings.outcome) == (False, Outcome.WINNER)
    assert (config.stop.games, config.stop.error, config.stop.best) == (100, 20.0, True)
    assert config.stop.time == 7_200_000_000


@pytest.mark.parametrize(
    ("word", "value"),
    [
        *((word, word) for word in ("no", "on", "off", "yes", "y", "n", "010", "1:30", "1_000", "0b1")),
        *((word, word) for word in ("2024-01-01", "١٢", "+", "-", ".", "e3", "1e", "0o8", "<<", "tRue")),
        *((word, True) for word in ("true", "True", "TRUE")),
        *((word, False) for word in ("false", "False", "FALSE")),
        *((word, None) for word in ("null", "Null", "NULL", "~", "")),
        *((("1e3", 1000.0), ("1E-2", 0.01), (".5", 0.5), ("5.", 5.0), ("-1.5e+1", -15.0), ("010.5", 10.5))),
        *((("0", 0), ("-7", -7), ("+7", 7), ("0x1F", 31), ("0o17", 15), (".inf", float("inf")))),
        ("9" * 31, "9" * 31),
    ],
)  # fmt: skip
def test_plain_words(word: str, value: object) -> None:
    """Plain words have their YAML 1.2 meaning, and leading zeros are text."""
    found = scalar(word)
    assert found == value
    assert type(found) is type(value)


def test_quotes_make_text() -> None:
    """What is quoted is text whatever it looks like, and keys are always text."""
    read = parse_document("""{1: "1", 'true': 'no', null: "null", x: !!str 1}""")
    assert read.value == {"1": "1", "true": "no", "null": "null", "x": 1}
    assert [mistake.text for mistake in read.mistakes] == ["tags are not allowed; take !!str away"]


@settings(deadline=None)
@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    """No text raises: there is a value or a mistake."""
    parse_document(text)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
KEYS = sorted(FileKeys.__struct_fields__)


@settings(max_examples=60, deadline=None)
@given(st.dictionaries(st.sampled_from(KEYS), VALUES))
def test_any_values_are_taken_or_refused(values: dict[str, Any]) -> None:
    """Whatever stands under the keys, there is a tournament or a message."""
    with contextlib.suppress(ConfigError):
        assert from_values(values, Path("/nowhere")).bots


ITEMS = st.integers(-(10**18), 10**18) | st.booleans() | st.text("abc :#'\"\n", max_size=9)


@settings(max_examples=50, deadline=None)
@given(st.lists(ITEMS, max_size=5))
def test_agrees_with_yaml(value: Any) -> None:
    """What PyYAML writes, this reads back."""
    assert parse_document(yaml.safe_dump(value)).value == value


def test_depth_is_bounded() -> None:
    """A file that is nested without end is refused in words, whatever the recursion limit."""
    for text in ("[" * 100_000, "{a: " * 100_000, "- " * 50_000, "? " * 50_000):
        read = parse_document(text)
        assert len(read.mistakes) == 1
        assert re.search("too deeply nested|plain word as key", read.mistakes[0].text)
    assert not parse_document("[" * MAX_DEPTH + "]" * MAX_DEPTH).mistakes


def test_billion_laughs() -> None:
    """Aliases are refused where they stand, and never expanded."""
    text = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\n"
    lines = [mistake.line for mistake in parse_document(text).mistakes]
    assert lines == [1, 2, 2, 2, 3, 3]


def test_large_file_is_refused(tmp_path: Path) -> None:
    """A file above 1 MiB is refused without reading all of it."""
    path = tmp_path / "large.yaml"
    path.write_text("#" * ((1 << 20) + 1))
    with pytest.raises(ConfigError, match="larger than 1 MiB"):
        load(path)


def test_unreadable_files(tmp_path: Path) -> None:
    """What cannot be read is the user's mistake: no file, a folder, no text."""
    with pytest.raises(UserError, match=r"cannot read .*: No such file or directory"):
        load(tmp_path / "none.yaml")
    with pytest.raises(UserError, match=r"cannot read .*: Is a directory"):
        load(tmp_path)
    path = tmp_path / "latin.yaml"
    path.write_bytes(b"name: x\n# caf\xe9\n")
    with pytest.raises(ConfigError, match="line 2: the file is not UTF-8 text"):
        load(path)


def test_byte_order_mark(tmp_path: Path) -> None:
    """A mark before the text, as some editors write it, is no mistake; nor are CR LF line ends."""
    path = tmp_path / "bom.yaml"
    path.write_bytes(b"\xef\xbb\xbfgame: rain\r\nbots: [{name: a, command: x}, {name: b, command: x}]\r\n")
    assert load(path).game == "rain"


def test_name_from_file(tmp_path: Path) -> None:
    """Without a name the tournament is called as its file, if that can be a name."""
    text = "game: rain\nbots: [{name: a, command: x}, {name: b, command: x}]\n"
    assert parse(text, tmp_path / "my-cup.yaml").name == "my-cup"
    with pytest.raises(ConfigError, match="the key 'name' is missing, and the file's own name 'my cup'"):
        parse(text, tmp_path / "my cup.yaml")


@pytest.mark.parametrize(
    "name", ["../x", "/abs", "", ".x", "-x", "a b", "a\n", "ä", "x" * 65, "a/b", "con", "LPT1.txt", "x."]
)
def test_unsafe_names(name: str) -> None:
    """Names that are not safe as file names are refused."""
    [said] = mistakes(bots=[{"name": name, "command": "x"}, {"name": "b", "command": "x"}])
    assert said.startswith("bots[0].name: ")


@pytest.mark.parametrize("name", ["a", "A.b_c+d-e", "0", "x" * 64, "console", "com10"])
def test_safe_names(name: str) -> None:
    """Letters, digits and . _ + - make names."""
    config = from_values(
        small(bots=[{"name": name, "command": "x"}, {"name": "zz", "command": "x"}]), Path("/")
    )
    assert config.bots[0].name == name


@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(("seed", value) for value in (-1, 2**63, True, 1.0, "7", float("nan"), None)),
        *(("players", value) for value in (0, 1, 6, True, 2.0)),
        *(("workers", value) for value in (0, -1, True, "many", 1.5)),
        *(("cpus", value) for value in (0, True)),
        *(("clock", {"move": value}) for value in ("0s", 5, "5", "-1s", "1 s", "1e3s", "nan", True, "1s\n")),
        *(("limits", {"memory": value}) for value in ("0B", 5, "1G", "-1MiB", "4kB")),
        *(("limits", {"processes": value}) for value in (0, True)),
        *(("stop", {"games": value}) for value in (0, True)),
        *(("stop", {"error": value}) for value in (0, -1.0, float("nan"), float("inf"), True)),
        *(("stop", {"time": value}) for value in ("0s", 30)),
        *(("schedule", {"rounds": value}) for value in (0, True, 1.5)),
        *(("ratings", {"anchor": value}) for value in ({"a": float("nan")}, {"a": 1, "b": 2}, "a")),
        *(("sandbox", value) for value in (False, "on")),
    ],
)  # fmt: skip
def test_wrong_values(key: str, value: Any) -> None:
    """Wrong types, nan, infinity, negative numbers and zero are refused with the key's place."""
    [said] = mistakes(**{key: value})
    assert said.startswith(key)
    assert "expected" in said or "is for" in said


def test_all_mistakes_keep_their_numbers() -> None:
    """A bot that is wrong in itself does not shift the numbers of those after it."""
    bots = [{"name": "a"}, {"name": "b", "command": "x"}, {"name": "B", "command": "x"}]
    assert mistakes(bots=bots) == [
        "bots[0]: the key 'command' is missing; expected a command as text or as a list of words",
        "bots[2].name: bots[1] has the name b, the same in small letters",
    ]


def test_mistakes_are_bounded() -> None:
    """A file of thousands of mistakes shows the first ones and the number."""
    with pytest.raises(ConfigError) as caught:
        from_values(small(**{f"x{number}": 1 for number in range(500)}), Path("/"))
    assert len(str(caught.value).splitlines()) == MOST + 2
    assert str(caught.value).endswith(f"and {500 - MOST} more")


def test_swiss_is_bounded() -> None:
    """More bots than can be paired in good time are refused."""
    bots = [{"name": f"b{number}", "command": "x"} for number in range(1001)]
    assert mistakes(bots=bots, schedule={"format": "swiss"}) == [
        "bots: expected at most 1000 bots in a swiss, not 1001"
    ]


def test_messages_are_printable() -> None:
    """Nothing in a file can reach the terminal as it is."""
    [said] = mistakes(game="\x1b[2J\u202e")
    assert "\x1b" not in said
    assert "\u202e" not in said


def test_checking_is_memory_safe() -> None:
    """Checking wrong values many times leaves the interpreter alive; msgspec's patterns would not."""
    code = (
        "from pathlib import Path\nfrom arena.config import ConfigError, from_values\n"
        "for _ in range(20):\n"
        "    try: from_values({'game': 'x', 'bots': [{'name': '-', 'command': ['']}], 'schedule':"
        " {'hero': ['-', 'a']}, 'name': '/', 'clock': {'move': 'x'}}, Path('/'))\n"
        "    except ConfigError: pass\n"
    )
    environment = {**os.environ, "PYTHONMALLOC": "debug"}
    assert subprocess.run([sys.executable, "-c", code], env=environment, check=False).returncode == 0


def test_model_speaks() -> None:
    """Every key of the model has a description, and words for what it expects."""
    for kind in [FileKeys, *(struct for struct in _structs(FileKeys))]:
        for field in msgspec.structs.fields(kind):
            notes = field.type.__metadata__
            assert any(note.description for note in notes), field.name


def _structs(kind: type[msgspec.Struct]) -> list[type[msgspec.Struct]]:
    return [
        type(getattr(FileKeys(game="", bots=[]), name))
        for name in kind.__struct_fields__
        if isinstance(getattr(FileKeys(game="", bots=[]), name), msgspec.Struct)
    ]


# Commands


def test_commands(tmp_path: Path) -> None:
    """Words that are paths are absolute afterwards, all others are left alone."""
    (tmp_path / "bot.py").touch()
    (tmp_path / "data").mkdir()
    (tmp_path / "python3").touch()
    assert resolve(split("{python} bot.py --depth=3 -x bot.py"), tmp_path) == (
        sys.executable, str(tmp_path / "bot.py"), "--depth=3", "-x", str(tmp_path / "bot.py"),
    )  # fmt: skip
    assert resolve(["python3", "missing.py"], tmp_path) == ("python3", "missing.py")
    assert resolve(["bin/later"], tmp_path) == (str(tmp_path / "bin/later"),)
    assert resolve(["java", "-jar", "./later.jar"], tmp_path) == ("java", "-jar", str(tmp_path / "later.jar"))
    assert resolve(["/abs/olute", "../up", "a/b"], tmp_path) == (
        "/abs/olute",
        str(tmp_path.parent / "up"),
        "a/b",
    )
    assert resolve(["~/bot"], tmp_path) == (os.path.expanduser("~/bot"),)


@pytest.mark.parametrize(
    ("command", "folder"),
    [
        ("{python} bots/one.py", "bots"),
        ("python3 bots/one.py", "bots"),
        ("/usr/bin/env bots/one.py", "bots"),
        ("bots/later --book data/book.txt", "bots"),
        ("java -jar ./bots/later.jar", "bots"),
        ("{python} -m random", ""),
        ("sh -c true", ""),
        ("node data", ""),
        ("node ./data", "data"),
    ],
)
def test_home(tmp_path: Path, command: str, folder: str) -> None:
    """A bot's folder is that of its script or program, never that of an interpreter."""
    for name in ("bots/one.py", "data/book.txt"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).touch()
    words = split(command)
    assert home(words, resolve(words, tmp_path), tmp_path) == tmp_path / folder


def test_home_of_absolute_program(tmp_path: Path) -> None:
    """A program that is named by its whole path lies in its own folder."""
    program = tmp_path / "bot"
    program.touch()
    assert home([str(program)], (str(program),), Path("/nowhere")) == tmp_path


# Units


@settings(deadline=None)
@given(st.integers(0, 10**15))
def test_units_round_trip(amount: int) -> None:
    """What is written as a time or a size reads back as the same number, unless it is absurdly long."""
    if len(format_time(amount).rstrip("umsh")) <= 9:
        assert parse_time(format_time(amount)) == amount
    if len(format_size(amount).rstrip("TGMKkiB")) <= 9:
        assert parse_size(format_size(amount)) == amount


def test_units() -> None:
    """Units are exact, also with fractions."""
    assert [parse_time(f"1{unit}") for unit in TIMES] == list(TIMES.values())
    assert [parse_size(f"1{unit}") for unit in SIZES] == list(SIZES.values())
    assert (parse_time("0.1s"), parse_time("1.5ms"), parse_size("0.5KiB")) == (100_000, 1500, 512)
    assert (format_time(0), format_time(90_000_000), format_size(1 << 20)) == ("0s", "90s", "1MiB")
    with pytest.raises(ValueError, match="no number with a unit"):
        parse_time("5")


# What may change


def test_dump_tells_no_secrets(tmp_path: Path) -> None:
    """The record of a tournament has no absolute paths and no values of environments."""
    bots = [{"name": "a", "command": "./a", "env": {"TOKEN": "hunter2"}}, {"name": "b", "command": "./b"}]
    text = str(from_values(small(bots=bots), tmp_path).dump())
    assert str(tmp_path) not in text
    assert "hunter2" not in text
    assert "TOKEN" in text


def test_extensions_are_no_difference() -> None:
    """More rounds, more bots, another name, number of workers or rule to stop do not forbid to go on."""
    before = from_values(SMALL, Path("/x")).dump()
    bots = [{"name": "c", "command": "x"}, *SMALL["bots"]]
    keys = {"workers": 5, "stop": {"games": 5}, "name": "other", "ratings": {"prior": "none"}}
    after = from_values(small(bots=bots, schedule={"rounds": 11}, **keys), Path("/x")).dump()
    assert differences(before, after) == []


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"game": "rain"}, 'game was "desert" and is "rain"'),
        ({"seed": 2}, "seed was 1 and is 2"),
        ({"options": {"edition": "ffg"}}, "options was .*kosmos.* and is .*ffg"),
        ({"schedule": {"rounds": 9}}, "schedule.rounds was 10 and is 9"),
        ({"schedule": {"seats": "all"}}, 'schedule.seats was "rotate" and is "all"'),
        ({"clock": {"move": "2s"}}, "^clock.move was 1s and is 2s$"),
        ({"limits": {"memory": "64MiB"}}, "^limits.memory was 1GiB and is 64MiB$"),
        ({"limits": {"files": 99}}, "^limits.files was 256 and is 99$"),
        ({"limits": {"cpu": "2m"}}, "^limits.cpu was off and is 2m$"),
        ({"bots": [SMALL["bots"][0], {"name": "c", "command": "x"}]}, "the bot b is gone"),
        ({"bots": [SMALL["bots"][0], {"name": "b", "command": "false"}]}, "bot b: command was"),
        ({"bots": [SMALL["bots"][0], {"name": "b", "command": "true", "env": {"X": "1"}}]}, "bot b: env was"),
    ],
)
def test_differences(keys: dict[str, Any], said: str) -> None:
    """Anything else that decides results is named."""
    before = from_values(SMALL, Path("/x")).dump()
    found = differences(before, from_values(small(**keys), Path("/x")).dump())
    assert found
    assert any(re.search(said, one) for one in found)


def test_bracket_cannot_grow() -> None:
    """A knockout's bracket is made of all its bots in their order, so neither may change."""
    schedule = {"format": "knockout", "rounds": 2}
    before = from_values(small(schedule=schedule), Path("/x")).dump()
    bots = list(reversed(SMALL["bots"]))
    assert differences(before, from_values(small(schedule=schedule, bots=bots), Path("/x")).dump())
    longer = small(schedule={"format": "knockout", "rounds": 3})
    assert differences(before, from_values(longer, Path("/x")).dump())


def test_folder_of_a_program_that_is_not_built_yet(tmp_path: Path) -> None:
    """An absolute command that `build` will make has its folder there, so that the build may write in it."""
    program = str(tmp_path / "src" / "bot")
    assert home([program], (program,), tmp_path / "elsewhere") == tmp_path / "src"
