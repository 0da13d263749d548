"""The README's promises that can be held: its file is right and shows the defaults, its commands exist."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import click
import msgspec
import pytest

from arena import cli
from arena.config import load
from arena.config.model import BotKeys, ClockKeys, FileKeys, LimitsKeys, RatingsKeys, ScheduleKeys, StopKeys

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md")]
README = PAGES[0].read_text(encoding="utf-8")
FILE = README.split("```yaml\n", 1)[1].split("```", 1)[0]


def commands() -> list[str]:
    """Return all command lines of the pages that begin with `arena`."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"^```(?:console|sh)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            found += re.findall(r"^arena [a-z].*", block, re.MULTILINE)
        found += re.findall(r"`(arena [a-z][^`]*)`", text)
    return sorted(set(found))


def test_the_file_in_the_readme_is_right(tmp_path: Path) -> None:
    """The example is a tournament's file as it stands."""
    path = tmp_path / "my-cup.yaml"
    path.write_text(FILE, encoding="utf-8")
    config = load(path)
    assert config.name == "my-cup"
    assert config.output == tmp_path / "results" / "my-cup"


@pytest.mark.parametrize(
    "keys", [FileKeys, BotKeys, ScheduleKeys, ClockKeys, LimitsKeys, RatingsKeys, StopKeys]
)
def test_the_file_in_the_readme_has_all_keys_and_their_defaults(keys: type[msgspec.Struct]) -> None:
    """Each key is shown; where it has a plain default, that is what is shown."""
    for field in msgspec.structs.fields(keys):
        shown = re.findall(rf"\b{field.name}: *([^\s,}}]*)", FILE)
        assert shown, field.name
        if keys is not StopKeys and isinstance(field.default, str | int | float):
            default = str(field.default).lower().removesuffix(".0")
            assert default in [value.lower() for value in shown], field.name


@pytest.mark.parametrize("line", commands())
def test_commands_in_the_pages_exist(line: str) -> None:
    """Each command line names a command and options that there are."""
    words = shlex.split(line.partition("  #")[0].replace("…", ""))
    context = click.Context(cli.arena)
    command = cli.arena.get_command(context, words[1])  # type: ignore[attr-defined]  # a Group, typed as a Command
    assert command is not None
    known = {name for option in command.params for name in option.opts}
    assert {word for word in words[2:] if re.match(r"--[a-z]", word)} <= known | {"--help"}


def test_the_map_has_every_module() -> None:
    """ARCHITECTURE.md names each module of both packages, or for commands and games their folder."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    codemap = text.split("## Code map", 1)[1].split("\n## ", 1)[0]
    missing = [
        str(path.relative_to(ROOT))
        for package in ("arena", "protocol")
        for path in (ROOT / package).rglob("*.py")
        if path.name != "__init__.py" and path.parent.name != "commands" and f"{path.name}`" not in codemap
    ]
    assert missing == []


@pytest.mark.parametrize("page", [*PAGES, ROOT / "ARCHITECTURE.md"], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Each relative link of a page is a file, a folder, or a heading of the page."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    anchors = {"#" + re.sub(r"[^a-z0-9 -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    links = [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link]
    files = {link.partition("#")[0] for link in links if not link.startswith("#")}
    assert {link for link in links if link.startswith("#")} <= anchors
    assert [name for name in sorted(files) if not (ROOT / name).exists()] == []
