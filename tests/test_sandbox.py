"""Facts about arena/sandbox.py: what is shown to a bot, what is said, what is left behind."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena import cgroup, sandbox
from arena.config import Sandbox
from arena.driver import Table, now
from arena.errand import run
from arena.errors import UserError
from arena.match import Bot, Clock, FaultKind, Limits, Match
from arena.sandbox import Isolation, Tier

PYTHON = os.path.realpath(sys.executable)
BOT = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    if word in ("arena", "start"):
        print("ready wants=moves", flush=True)
    elif word == "moves":
        first = line.split()[1]
    elif word == "go":
        {idea}
        print("move", first, flush=True)
"""


def works(tier: Tier) -> bool:
    """Tell whether a tier can be tested here."""
    return not sandbox.probe(Isolation(tier), now)


@pytest.fixture
def bot(tmp_path: Path) -> Bot:
    """A Python program in a folder of its own."""
    folder = tmp_path / "bot"
    folder.mkdir()
    return Bot("bot", (PYTHON, str(folder / "bot.py")), folder)


def said(isolation: Isolation, bot: Bot, program: str, limits: Limits | None = None) -> str:
    """Return what a program prints in a sandbox."""
    Path(bot.command[1]).write_text(program)
    ran = run(isolation.launch(bot, limits or Limits()), timeout=20_000_000, now=now)
    return ran.stdout.decode() + ran.stderr.decode()


@pytest.mark.parametrize("tier", Tier)
def test_environment_is_what_the_file_gives(tier: Tier, bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing of the user's environment reaches a bot, but for where programs are."""
    if not works(tier):
        pytest.skip(f"{tier} does not work here")
    monkeypatch.setenv("SECRET", "x")
    given = Bot("bot", bot.command, bot.folder, env={"DEPTH": "3"})
    names = said(Isolation(tier), given, "import os; print(*sorted(os.environ))").split()
    allowed = {"ARENA_TOKEN", "DEPTH", "HOME", "LANG", "LC_CTYPE", "PATH", "PWD", "TMPDIR"}
    assert "DEPTH" in names
    assert set(names) <= allowed


@pytest.mark.parametrize("tier", Tier)
def test_scratch_is_writable_and_gone_afterwards(tier: Tier, bot: Bot) -> None:
    """A bot may write in its scratch, and nothing of it is left when it has ended."""
    if not works(tier):
        pytest.skip(f"{tier} does not work here")
    program = "import os; d = os.environ['TMPDIR']; open(d + '/x', 'w').write('x'); print(d)"
    scratch = said(Isolation(tier), bot, program).strip()
    assert scratch.startswith("/")
    assert not Path(scratch, "x").exists()


@pytest.mark.parametrize("tier", [Tier.BWRAP, Tier.LANDLOCK])
def test_kept_folder_is_writable(tier: Tier, bot: Bot, tmp_path: Path) -> None:
    """What a bot writes into `keep` is there afterwards."""
    if not works(tier):
        pytest.skip(f"{tier} does not work here")
    keeping = Bot("bot", bot.command, bot.folder, keep=tmp_path / "kept")
    program = "import os; open(os.environ['ARENA_KEEP'] + '/note', 'w').write('hello')"
    assert said(Isolation(tier), keeping, program) == ""
    assert (tmp_path / "kept" / "note").read_text() == "hello"


def test_link_in_place_of_kept_folder_is_refused(bot: Bot, tmp_path: Path) -> None:
    """A link that a bot could have made is not followed."""
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "kept").symlink_to(tmp_path / "elsewhere")
    keeping = Bot("bot", bot.command, bot.folder, keep=tmp_path / "kept")
    with pytest.raises(UserError, match="is a link"):
        Isolation(Tier.BASIC).launch(keeping, Limits())


@pytest.mark.parametrize("tier", Tier)
def test_build_may_write_its_folder(tier: Tier, bot: Bot) -> None:
    """A build leaves its product in the bot's folder."""
    if not works(tier):
        pytest.skip(f"{tier} does not work here")
    building = Bot("bot", bot.command, bot.folder, build=("/bin/sh", "-c", "echo built > product"))
    ran = run(Isolation(tier).build(building, Limits()), timeout=20_000_000, now=now)
    assert ran.status == 0, ran.stderr
    assert (bot.folder / "product").read_text() == "built\n"


def test_interpreters_outside_the_system_are_said(bot: Bot) -> None:
    """A virtual environment's Python is shown with what it was made from, and both are told."""
    venv = Bot("bot", (sys.executable, bot.command[1]), bot.folder)
    shown = sandbox.extras(venv)
    if sys.prefix != sys.base_prefix:
        assert Path(sys.prefix) in shown
    assert all(Path(sys.executable) != path for path in shown)
    assert Path.home() not in shown


def test_bot_in_the_home_folder_is_shown_its_files_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody's whole home is shown because a bot lies directly in it."""
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "bot.py").write_text("")
    (tmp_path / "diary").write_text("")
    shown = sandbox.view(Bot("bot", ("/usr/bin/python3", str(tmp_path / "bot.py")), tmp_path)).read
    assert tmp_path / "bot.py" in shown
    assert tmp_path not in shown


def test_strict_refuses_rather_than_weakens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without bubblewrap `strict` is an error of the user's, with the reason."""
    monkeypatch.setattr(sandbox, "probe", lambda isolation, now: "no user namespaces")
    with pytest.raises(UserError, match="no user namespaces"):
        sandbox.choose(Sandbox.STRICT, now)


def test_auto_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where only the basic tier works, the run says that bots have the user's rights, and why."""
    monkeypatch.setattr(
        sandbox,
        "probe",
        lambda isolation, now: "" if isolation.tier is Tier.BASIC else f"no {isolation.tier}, sorry",
    )
    chosen = sandbox.choose(Sandbox.AUTO, now)
    assert chosen.tier is Tier.BASIC
    assert any("your own rights" in notice for notice in chosen.notices)
    assert any("no bwrap, sorry" in notice for notice in chosen.notices)
    assert sandbox.choose(Sandbox.OFF, now).notices == ()


def play(isolation: Isolation, folder: Path, idea: str, limits: Limits) -> str:
    """Return the sentence of the fault of a bot whose idea goes wrong, after checking its kind."""
    folder.mkdir(exist_ok=True)
    (folder / "bad.py").write_text(BOT.format(idea=idea))
    (folder / "good.py").write_text(BOT.format(idea="pass"))
    bots = {name: Bot(name, (PYTHON, str(folder / f"{name}.py")), folder) for name in ("bad", "good")}
    match = Match("1", "1", 1, "rain", {}, 1, ("bad", "good"))
    with Table(bots, Clock(move=20_000_000), limits, launch=isolation.launch) as table:
        result = table.play(match)
    (fault,) = result.faults
    assert (fault.seat, fault.kind) == (0, FaultKind.CRASH)
    return fault.text


@pytest.mark.parametrize("tier", Tier)
@pytest.mark.parametrize(
    ("idea", "limits", "named"),
    [
        ("bytearray(300 << 20)", Limits(memory=200 << 20), "limits.memory (200 MiB)"),
        ("[open('/dev/null') for _ in range(99)]", Limits(files=50), "limits.files (50)"),
        ("while True: pass", Limits(cpu=1), "limits.cpu (1 s)"),
    ],
    ids=["memory", "files", "cpu"],
)
def test_sentence_names_the_limit(tier: Tier, idea: str, limits: Limits, named: str, tmp_path: Path) -> None:
    """A bot that runs into a limit has made a fault, and its author is told which."""
    if not works(tier):
        pytest.skip(f"{tier} does not work here")
    assert named in play(Isolation(tier), tmp_path / "bots", idea, limits)


def test_group_names_the_memory_of_children(tmp_path: Path) -> None:
    """With a control group the children's memory counts, and the sentence says so."""
    place, reason = cgroup.find()
    if place is None:
        pytest.skip(reason)
    child = "b = bytearray(b'x' * (90 << 20)) + bytearray(b'y' * (90 << 20))"
    idea = f"import subprocess; subprocess.run([sys.executable, '-c', {child!r}]).check_returncode()"
    text = play(Isolation(Tier.BASIC, place), tmp_path / "bots", idea, Limits(memory=120 << 20))
    assert "limits.memory (120 MiB)" in text
