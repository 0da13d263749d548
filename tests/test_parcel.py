"""Bots that travel: what is packed, under which name, and how they run elsewhere."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from arena import parcel
from arena.errors import UserError
from arena.match import Bot


def make(folder: Path, **files: str) -> Bot:
    """Make a bot's folder; the names of files have _ for a dot."""
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("_", ".")).write_text(text)
    return Bot("b", (sys.executable, str(folder / "bot.py")), folder)


def names(folder: Path) -> list[str]:
    """Return all files and folders in a folder."""
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_parcel_is_named_by_its_content(tmp_path: Path) -> None:
    """Copies have one name whatever their times; another byte, name or right makes another."""
    one = make(tmp_path / "one", bot_py="x", data_txt="y")
    two = make(tmp_path / "two", data_txt="y", bot_py="x")
    os.utime(two.folder / "bot.py", (1, 1))
    digest = parcel.pack(one).digest
    assert parcel.pack(two).digest == digest
    assert parcel.pack(one) == parcel.pack(one)
    (two.folder / "bot.py").chmod(0o755)
    assert parcel.pack(two).digest != digest
    (one.folder / "data.txt").write_text("z")
    assert parcel.pack(one).digest != digest


def test_what_is_packed_is_unpacked(tmp_path: Path) -> None:
    """Files, rights, times, folders and links inside come out as they went in; the rest stays at home."""
    bot = make(tmp_path / "bot", bot_py="x", other_py="y")
    (bot.folder / "bot.py").chmod(0o755)
    os.utime(bot.folder / "bot.py", (1000, 1000))
    (bot.folder / "lib" / "empty").mkdir(parents=True)
    (bot.folder / "lib" / "link").symlink_to("../other.py")
    (bot.folder / "shell").symlink_to("/bin/sh")
    (tmp_path / "elsewhere").write_text("from elsewhere")
    (bot.folder / "copied").symlink_to(tmp_path / "elsewhere")
    for left_out in (".git", "__pycache__", "out"):
        (bot.folder / left_out).mkdir()
        (bot.folder / left_out / "file").write_text("")
    os.mkfifo(bot.folder / "pipe")
    parcel.unpack(parcel.pack(bot, {bot.folder / "out"}).data, tmp_path / "new")
    assert names(tmp_path / "new") == [
        "bot.py", "copied", "lib", "lib/empty", "lib/link", "other.py", "shell",
    ]  # fmt: skip
    status = (tmp_path / "new" / "bot.py").stat()
    assert (status.st_mode & 0o777, status.st_mtime) == (0o755, 1000)
    assert (tmp_path / "new" / "lib" / "link").read_text() == "y"
    assert os.readlink(tmp_path / "new" / "shell") == "/bin/sh"
    assert (tmp_path / "new" / "copied").read_text() == "from elsewhere"


def test_files_name_what_travels(tmp_path: Path) -> None:
    """Only what `files` names is packed, and the files of the folder that the commands name."""
    bot = make(tmp_path / "bot", bot_py="x", data_txt="y", notes_txt="z")
    chosen = Bot("b", bot.command, bot.folder, files=("data.txt",))
    parcel.unpack(parcel.pack(chosen).data, tmp_path / "new")
    assert names(tmp_path / "new") == ["bot.py", "data.txt"]


@pytest.mark.parametrize("what", ["large", "missing", "link", "no folder"])
def test_what_cannot_travel_is_told(tmp_path: Path, what: str) -> None:
    """Too much, what is not there, and links out of the folder are the user's to mend, by the bot's name."""
    bot = make(tmp_path / "bot", bot_py="x" * 2000)
    if what == "large":
        text, most = r"bot b: .* holds more than .* name what the bot needs by `files`", 1000
    elif what == "missing":
        bot = Bot("b", bot.command, bot.folder, files=("nothing",))
        text, most = r"bot b: .*nothing cannot be packed: No such file", 10_000
    elif what == "link":
        (bot.folder / "out").symlink_to(tmp_path)
        text, most = r"bot b: .*out links to the folder .* outside of the bot's", 10_000
    else:
        bot = Bot("b", bot.command, tmp_path / "nowhere")
        text, most = r"bot b: .*nowhere", 10_000
    with pytest.raises(UserError, match=text):
        parcel.pack(bot, most=most)


def test_commands_fit_the_new_place() -> None:
    """Paths in the folder and the arena's interpreter are those of the machine; everything else stays."""
    words = (
        "/old/venv/bin/python",
        "/home/me/bot/run.py",
        "--data=/home/me/bot/d.bin",
        "/home/me/bots/other",
        "/mnt/home/me/bot/x",
        "/home/me/bot",
        "python3",
    )
    bot = Bot(
        "b", words, Path("/home/me/bot"), build=("make", "-C", "/home/me/bot"), env={"D": "/home/me/bot/d"}
    )
    there = parcel.relocate(bot, "/old/venv/bin/python", Path("/new"))
    assert there.command == (
        sys.executable,
        "/new/run.py",
        "--data=/new/d.bin",
        "/home/me/bots/other",
        "/mnt/home/me/bot/x",
        "/new",
        "python3",
    )
    assert (there.build, there.env, there.folder) == (("make", "-C", "/new"), {"D": "/new/d"}, Path("/new"))


def test_files_from_outside_are_known(tmp_path: Path) -> None:
    """What a command names outside of folder and system does not travel, and is looked for over there."""
    bot = make(tmp_path / "bot", bot_py="x")
    weights = tmp_path / "weights"
    weights.write_text("")
    command = (*bot.command, str(weights), "/bin/sh", str(bot.folder / "bot.py"), "/no/such/file", "word")
    assert parcel.strangers(Bot("b", command, bot.folder)) == [str(weights)]
    assert not parcel.travels(Bot("b", ("/usr/bin/true",), Path("/usr/bin")))
    assert parcel.travels(bot)
