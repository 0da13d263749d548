"""The starter bots: every language plays the same, behaves, and reads well.

Python, C, C++, Rust, Java, JavaScript, Perl, Bash and Tcl are never skipped; the others only where the
language is missing. Each bot is built once, in a folder that all test processes share.
"""

from __future__ import annotations

import fcntl
import functools
import importlib.util
import os
import random
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena import starter
from arena.driver import Table
from arena.games.base import Game, load_game
from arena.match import Bot, Clock, Limits, Match

ALWAYS = ("python", "c", "cpp", "rust", "java", "javascript", "perl", "bash", "tcl")
PATIENCE = 60  # seconds; only a bot that hangs waits so long
TABLES = [("desert", 2), ("desert", 3), ("desert", 4), ("desert", 5), ("rain", 2), ("rain", 3), ("rain", 4)]


def folder_of(language: str) -> Path:
    """Return a sample bot's folder."""
    return starter.samples() / language


def command(words: str) -> list[str]:
    """Return a command of the table as words."""
    return [sys.executable if word == starter.PYTHON else word for word in shlex.split(words)]


@pytest.fixture(params=list(starter.languages()))
def language(request: pytest.FixtureRequest) -> starter.Language:
    """Each language in turn; where it is missing, skipped unless it is one of those that never are."""
    found = starter.languages()[request.param]
    if found.missing and found.key not in ALWAYS:
        pytest.skip(f"{found.name} needs {', '.join(found.missing)}")
    return found


@pytest.fixture
def built(language: starter.Language, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a sample bot, copied and built; once for all processes of a run."""
    return build(language, tmp_path_factory)


def build(language: starter.Language, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the shared folder in which a bot is built, by whoever comes first."""
    root = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        root = root.parent
    folder = root / "sample_bots" / language.key
    folder.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{language.key}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        done = folder / "built"
        if not done.exists():
            source = folder_of(language.key) / language.source
            (folder / language.source).write_bytes(source.read_bytes())
            if language.build:
                words = command(language.command(language.build))
                made = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=300)
                assert made.returncode == 0, made.stderr
                assert made.stdout + made.stderr == ""
            done.touch()
    return folder


def run_words(language: starter.Language) -> list[str]:
    """Return the words that start a bot."""
    return command(language.command(language.run))


@functools.cache
def python_bot() -> Any:
    """Return the Python starter bot as a module: what the others must agree with."""
    path = folder_of("python") / "bot.py"
    spec = importlib.util.spec_from_file_location("starter_python", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Mind:
    """The Python starter bot's decisions, without its process."""

    def __init__(self, game: Game, seat: int, facts: list[str]) -> None:
        self.bot = python_bot()
        self.position = self.bot.Position(game.name, seat)
        for fact in facts:
            key, *rest = fact.split()
            self.position.setup(key, rest)

    def choose(self, legal: list[str]) -> str:
        """Return what the bot plays."""
        return str(max(legal, key=lambda action: self.bot.score(self.position, action)))

    def told(self, seat: int, action: str) -> None:
        """Take in an action of any seat."""
        if action != "pass":
            self.position.play(seat, action)


def play_out(name: str, players: int, seat: int, seed: int) -> Iterator[tuple[str, list[str]]]:
    """Play one match with the bot on one seat and chance on the others.

    Yields what the bot hears up to each request, with the lines that it must answer; the last has no answer.
    """
    game = load_game(name)
    options = game.read_options({})
    setup = game.setup(players, seed, options)
    state, chance = game.start(setup), random.Random(seed)
    mind = Mind(game, seat, setup.lines(seat))
    keys = "".join(f" {key}={choice}" for key, choice in options.items())
    heard = [f"game {name} players={players} seat={seat}{keys} mood=good", "weather fine 7"]
    heard += [f"setup {line}" for line in setup.lines(seat)] + ["setup omens 1 2=3", "", "start"]
    yield "\n".join(heard) + "\n", ["ready"]
    heard = []
    while state.turn is not None:
        legal, turn = state.legal(), state.turn
        action = mind.choose(legal) if turn == seat else legal[int(chance.random() * len(legal))]
        if turn == seat:
            heard += [f"moves {' '.join(legal)}", "go 1000 0 later-word"]
            yield "\n".join(heard) + "\n", [f"move {action}"]
            heard = []
        heard.append(f"play {turn} {action}")
        mind.told(turn, action)
        for event in state.play(action):
            heard.append(f"{event.kind} {event.seat} {event.text}")
            if event.kind == "play":
                mind.told(event.seat, event.text)
    scores, ranks = state.scores(), state.ranks()
    heard.append(f"end scores={','.join(map(str, scores))} ranks={','.join(map(str, ranks))}")
    yield "\n".join(heard) + "\n", []


@functools.cache
def long_conversation() -> tuple[str, tuple[str, ...]]:
    """Return matches of both games with every number of players, and all answers to them."""
    heard, answers = ["arena 1\n"], []
    for seed, (name, players) in enumerate(TABLES):
        for said, expected in play_out(name, players, seed % players, seed):
            heard.append(said)
            answers += expected
    return "".join(heard), tuple(answers)


def test_same_moves(language: starter.Language, built: Path) -> None:
    """Every language plays both games with all numbers of players alike, and leaves when the input ends."""
    heard, answers = long_conversation()
    run = run_words(language)
    ended = subprocess.run(run, cwd=built, input=heard, capture_output=True, text=True, timeout=PATIENCE)
    first, *rest = ended.stdout.splitlines()
    assert first == f"ready name=starter-{language.key} version=1.0 wants=moves"
    assert rest == list(answers)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_conversation(language: starter.Language, built: Path) -> None:
    """Every language answers each request at once, and leaves at `quit` while the pipe is still open."""
    with subprocess.Popen(
        run_words(language), cwd=built, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        try:
            bot.stdin.write(b"arena 1\n")
            bot.stdin.flush()
            assert bot.stdout.readline().startswith(b"ready ")
            for said, expected in play_out("rain", 2, 1, 5):
                bot.stdin.write(said.encode())
                bot.stdin.flush()
                for answer in expected:
                    assert bot.stdout.readline() == f"{answer}\n".encode()
            bot.stdin.write(b"quit\n")
            bot.stdin.flush()
            assert bot.wait(PATIENCE) == 0
            assert bot.stdout.read() == b""
        finally:
            bot.kill()


@pytest.mark.parametrize(("game", "players"), [("desert", 5), ("rain", 4)])
def test_mixed_tables(game: str, players: int, tmp_path_factory: pytest.TempPathFactory) -> None:
    """All languages sit at tables together, and the referee finds no fault with any of them."""
    present = [language for language in starter.languages().values() if not language.missing]
    bots = {
        language.key: Bot(language.key, tuple(run_words(language)), build(language, tmp_path_factory))
        for language in present
    }
    clock = Clock(move=20_000_000, startup=PATIENCE * 1_000_000)  # of behaviour, not of speed
    options = load_game(game).read_options({})
    with Table(bots, clock, Limits()) as table:
        for first in range(0, len(bots), players):
            names = (list(bots) * 2)[first : first + players]  # the last table is filled from the front
            match = Match(f"{game}-{first}", "block", 0, game, options, first, tuple(names))
            result = table.play(match)
            assert result.faults == ()
            assert not result.void
            assert [told["name"] for told in result.told] == [f"starter-{name}" for name in names]


def test_check(language: starter.Language, built: Path) -> None:
    """Every language passes `arena check` in full, given more time than a busy machine takes."""
    arena = [sys.executable, "-c", "from arena.cli import main; main()"]
    asked = [*arena, "check", "--json", "--move", "2s", "--startup", "60s", shlex.join(run_words(language))]
    checked = subprocess.run(asked, cwd=built, capture_output=True, text=True, timeout=300)
    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_example_in_the_readme(tmp_path: Path) -> None:
    """The bot that the README shows plays both games as it stands there."""
    text = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
    program = text.split("## Write a bot", 1)[1].split("```python\n", 1)[1].split("```", 1)[0]
    (tmp_path / "bot.py").write_text(program)
    bots = {name: Bot(name, (sys.executable, "bot.py"), tmp_path) for name in ("one", "two")}
    clock = Clock(move=20_000_000, startup=PATIENCE * 1_000_000)
    with Table(bots, clock, Limits()) as table:
        for game in ("desert", "rain"):
            options = load_game(game).read_options({})
            assert table.play(Match(game, "block", 0, game, options, 1, ("one", "two"))).faults == ()


def test_always() -> None:
    """The languages that are never skipped are languages that there are."""
    assert set(ALWAYS) < set(starter.languages())


def test_folders() -> None:
    """Every folder but the ladder's is a language of the table, and every language has its folder."""
    folders = {path.name for path in starter.samples().iterdir() if path.is_dir()}
    assert folders - {"ladder", "__pycache__"} == set(starter.languages())


@pytest.mark.parametrize("key", list(starter.languages()))
def test_length(key: str) -> None:
    """A starter bot has 60 to 150 lines, and says where one's own idea goes."""
    text = (folder_of(key) / starter.languages()[key].source).read_text(encoding="utf-8")
    assert 60 <= len(text.splitlines()) <= 150
    assert text.count("YOUR IDEA GOES HERE") == 1


@pytest.mark.parametrize("key", list(starter.languages()))
def test_readme(key: str) -> None:
    """The README of a bot, and that of all, show the commands of the table."""
    language = starter.languages()[key]
    own = (folder_of(key) / "README.md").read_text(encoding="utf-8").splitlines()
    everyone = (starter.samples() / "README.md").read_text(encoding="utf-8")
    build = f"`{language.build}`" if language.build else ""
    assert f"| [{key}]({key}/) | {language.name} | {build} | `{language.run}` |" in everyone
    assert f"    {language.run.replace(starter.PYTHON, 'python3')}" in own
    assert not language.build or f"    {language.build}" in own


@pytest.mark.parametrize("key", ["c", "cpp"])
def test_no_warnings(key: str) -> None:
    """The compilers of C and C++ find nothing to warn of."""
    language = starter.languages()[key]
    compiler, standard = language.command(language.build).split()[:2]
    warn = [compiler, standard, "-Wall", "-Wextra", "-Werror", "-fsyntax-only", language.source]
    subprocess.run(warn, cwd=folder_of(key), check=True, timeout=PATIENCE)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_better_than_random(name: str, players: int) -> None:
    """The starter's idea earns at least a quarter more than chance, in both games and at every table."""
    own = others = 0
    for seed in range(players * 2):
        seat = seed % players
        *_, (end, _) = play_out(name, players, seat, seed)
        scores = [int(score) for score in end.rsplit("scores=", 1)[1].split()[0].split(",")]
        own += scores[seat] * (players - 1)
        others += sum(scores) - scores[seat]
    assert own > 1.25 * others
