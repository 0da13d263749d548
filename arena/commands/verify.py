"""`arena verify`: every record through the rules again."""

from __future__ import annotations

from pathlib import Path

import click

from arena.errors import CheckFailed


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="The outcome for programs.")
def verify(folder: Path, as_json: bool) -> None:
    """Play every record of DIR through the rules again and compare everything.

    Legality of each action, passes, scores and their parts, ranks, ids, and the boards that the seed gives.
    Exit status 1 and the first difference where something does not agree.
    """
    import dataclasses
    import json

    from arena.escape import printable
    from arena.verify import verify as verify_folder

    found = verify_folder(folder)
    if as_json:
        click.echo(json.dumps({"ok": found.difference is None, **dataclasses.asdict(found)}))
    else:
        void = f" and {found.void} void" if found.void else ""
        click.echo(f"{folder}: {found.games} games{void} with {found.actions} actions agree with the rules")
        if found.unfinished:
            click.echo("The last line is unfinished: a run is at work, or was killed. It does not count.")
    if found.difference is not None:
        raise CheckFailed(printable(f"{folder}: {found.difference}"))
