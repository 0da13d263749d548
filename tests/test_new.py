"""`arena new`: what it writes, what it says, and what it refuses before writing anything."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from arena import config, starter
from arena.commands.new import new
from arena.errors import UserError


def run(*words: str) -> Result:
    """Run the command; errors for people come out as they are."""
    return CliRunner().invoke(new, list(words), catch_exceptions=False, standalone_mode=False)


@pytest.fixture
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """A machine without any program on PATH."""
    monkeypatch.setenv("PATH", str(tmp_path_factory.mktemp("empty")))


@pytest.mark.parametrize("key", list(starter.languages()))
def test_written(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new folder holds the sample bot as it is, its README, the ladder, and a tournament that is right."""
    language = starter.languages()[key]
    # Also where the compiler is missing the folder must be right.
    monkeypatch.setattr(shutil, "which", lambda program: f"/usr/bin/{program}")
    folder = tmp_path / "dune"
    said = run(key, str(folder)).output
    assert language.source in said
    for name in (language.source, "README.md"):
        assert (folder / name).read_bytes() == (starter.samples() / key / name).read_bytes()
    tournament = config.load(folder / "tournament.yaml")
    assert [bot.name for bot in tournament.bots] == ["dune", *starter.LADDER]
    assert tournament.schedule.heroes == ("dune",)
    assert tournament.output == folder / "results"
    own, *rivals = tournament.bots
    assert own.folder == folder
    assert bool(own.build) == bool(language.build)
    for rival in rivals:
        assert Path(rival.command[1]).is_file()
        assert rival.folder == folder / "opponents"


def test_plays_at_once(tmp_path: Path) -> None:
    """The tournament of a new folder runs as it was written, and nobody makes a fault."""
    run("python", str(tmp_path / "dune"))
    arena = [sys.executable, "-c", "from arena.cli import main; main()"]
    played = subprocess.run(
        [*arena, "tournament", "tournament.yaml", "--rounds", "1", "--quiet"],
        cwd=tmp_path / "dune",
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert played.returncode == 0, played.stderr
    lines = (tmp_path / "dune" / "results" / "games.jsonl").read_text().splitlines()
    records = [record for record in map(json.loads, lines) if "actions" in record]
    assert len(records) == 2 * len(starter.LADDER)
    assert all(record["faults"] == [] and not record["void"] for record in records)


def test_empty_folder(tmp_path: Path) -> None:
    """An empty folder that exists is filled, and folders above a new one are made."""
    run("python", str(tmp_path))
    assert (tmp_path / "bot.py").is_file()
    run("python", str(tmp_path / "deep" / "down"))
    assert (tmp_path / "deep" / "down" / "bot.py").is_file()


def test_folder_in_use(tmp_path: Path) -> None:
    """A folder with anything in it is left as it is."""
    (tmp_path / ".hidden").touch()
    with pytest.raises(UserError, match="is not empty; nothing was written"):
        run("python", str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == [".hidden"]


def test_no_folder(tmp_path: Path) -> None:
    """A file in the folder's place, or above it, is a mistake of the user."""
    file = tmp_path / "file"
    file.write_text("kept")
    with pytest.raises(UserError, match="is no folder"):
        run("python", str(file))
    with pytest.raises(UserError, match="cannot write"):
        run("python", str(file / "below"))
    assert file.read_text() == "kept"


@pytest.mark.usefixtures("bare")
def test_missing_compiler(tmp_path: Path) -> None:
    """All programs that are missing are named before anything is written."""
    with pytest.raises(UserError, match="Java needs javac and java, not found on PATH; nothing was written"):
        run("java", str(tmp_path / "bot"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("bare")
def test_python_is_never_missing(tmp_path: Path) -> None:
    """A bot in Python needs nothing but the arena's own Python."""
    run("python", str(tmp_path / "bot"))
    assert "{python} bot.py" in (tmp_path / "bot" / "tournament.yaml").read_text()


@pytest.mark.usefixtures("bare")
def test_list_on_a_bare_machine() -> None:
    """The list says of every language what this machine lacks for it."""
    lines = {line.split()[0]: line for line in run("--list").output.splitlines()}
    assert lines["python"].endswith("ready")
    assert lines["rust"].endswith("missing here: rustc")
    listing = {entry["language"]: entry for entry in json.loads(run("--list", "--json").stdout)}
    assert list(listing) == list(starter.languages())
    assert listing["java"]["missing"] == ["javac", "java"]


def test_stand_ins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a program goes by another name, the tournament says that name."""
    monkeypatch.setattr(shutil, "which", lambda program: "/usr/bin/clang" if program == "clang" else None)
    run("c", str(tmp_path / "bot"))
    assert 'build: "clang -std=c11' in (tmp_path / "bot" / "tournament.yaml").read_text()


@pytest.mark.parametrize(
    ("word", "key"),
    [("py", "python"), ("C++", "cpp"), ("js", "javascript"), ("node", "javascript"), ("Rust", "rust")],
)
def test_aliases(word: str, key: str) -> None:
    """Languages go by the names that people use, in any case."""
    assert starter.find(word).key == key


def test_aliases_are_unique() -> None:
    """No word means two languages."""
    words = [word for language in starter.languages().values() for word in language.words]
    assert len(words) == len(set(words))
    assert all(word == word.lower() for word in words)


@pytest.mark.parametrize(
    ("word", "meant"), [("phyton", "python"), ("javascrpt", "javascript"), ("rubby", "ruby")]
)
def test_nearest(word: str, meant: str, tmp_path: Path) -> None:
    """A misspelt language gets the nearest one suggested, and nothing is written."""
    with pytest.raises(UserError, match=f"did you mean '{meant}'"):
        run(word, str(tmp_path / "bot"))
    assert list(tmp_path.iterdir()) == []


def test_unknown_language() -> None:
    """A language like no other is told what there is, and that any other can be used."""
    with pytest.raises(UserError, match=r"'zzz9'\. There are: python, c, .*SPEC"):
        starter.find("zzz9")


@pytest.mark.parametrize("words", [(), ("python",), ("--list", "python"), ("--json",)])
def test_usage(words: tuple[str, ...]) -> None:
    """What does not make sense is refused with what would."""
    with pytest.raises(UserError):
        run(*words)


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("dune", "dune"),
        ("b-c++", "b-c++"),
        ("42", "42"),
        ("my bot", "mybot"),
        ("Wüste", "mybot"),
        ("CON", "mybot"),
    ],
)
def test_bot_name(name: str, called: str, tmp_path: Path) -> None:
    """The bot is called like its folder where that is a name for a bot."""
    run("python", str(tmp_path / name))
    assert config.load(tmp_path / name / "tournament.yaml").bots[0].name == called


@pytest.mark.parametrize("rival", list(starter.LADDER))
def test_bot_called_like_a_rival(rival: str, tmp_path: Path) -> None:
    """A folder called like an opponent does not make two bots of one name."""
    run("python", str(tmp_path / rival.upper()))
    assert config.load(tmp_path / rival.upper() / "tournament.yaml").bots[0].name == "mybot"


def test_next_commands(tmp_path: Path) -> None:
    """The commands to type next are quoted for the shell."""
    commands = dict(starter.next_commands(starter.find("lua"), tmp_path / "my bot"))
    assert f"cd '{tmp_path}/my bot'" in commands
    assert "arena tournament tournament.yaml" in commands
