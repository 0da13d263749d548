"""`arena new`: a bot to start from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.errors import UserError

if TYPE_CHECKING:
    from arena.starter import Language


@click.command()
@click.argument("language", required=False)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option(
    "--list", "listed", is_flag=True, help="Show the languages, and what this machine lacks for them."
)
@click.option("--json", "as_json", is_flag=True, help="With --list: for programs.")
def new(language: str | None, folder: Path | None, listed: bool, as_json: bool) -> None:
    """Write a bot to start from into FOLDER, which must be new or empty.

    It comes with opponents and a tournament: `cd FOLDER && arena tournament tournament.yaml` plays at once.
    LANGUAGE is a name such as python, c++ or js; `arena new --list` shows all.
    """
    from arena import starter

    if as_json and not listed:
        raise UserError("--json goes with --list")
    if listed:
        if language is not None:
            raise UserError("--list takes no language and no folder")
        _list(list(starter.languages().values()), as_json)
        return
    if language is None or folder is None:
        raise UserError(
            "say a language and a folder: arena new python mybot (arena new --list shows the languages)"
        )
    found = starter.find(language)
    written = starter.write(found, folder)
    opponents = sum(name.startswith(f"{starter.OPPONENTS}/") for name in written)
    own = [name for name in written if not name.startswith(f"{starter.OPPONENTS}/")]
    click.echo(f"{folder}: {', '.join(own)}, and {starter.OPPONENTS}/ with {opponents} files")
    click.echo(f"Your idea goes into `score` in {found.source}. Next:")
    commands = starter.next_commands(found, folder)
    width = max(len(command) for command, _ in commands)
    for command, purpose in commands:
        click.echo(f"  {command:{width}}  # {purpose}" if purpose else f"  {command}")


def _list(languages: list[Language], as_json: bool) -> None:
    """Show the languages, each with the words for it and what is missing here."""
    if as_json:
        listing = [
            {
                "language": language.key,
                "name": language.name,
                "aliases": list(language.aliases),
                "programs": list(language.programs),
                "missing": list(language.missing),
                "build": language.build,
                "run": language.run,
            }
            for language in languages
        ]
        click.echo(json.dumps(listing))
        return
    rows = [
        (
            language.key,
            language.name,
            ", ".join(language.aliases) or "-",
            f"missing here: {', '.join(language.missing)}" if language.missing else "ready",
        )
        for language in languages
    ]
    header = ("LANGUAGE", "NAME", "ALSO", "HERE")
    widths = [max(len(row[at]) for row in [header, *rows]) for at in range(len(header))]
    for row in [header, *rows]:
        click.echo("  ".join(f"{cell:{width}}" for cell, width in zip(row, widths, strict=True)).rstrip())
