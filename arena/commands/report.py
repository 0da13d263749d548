"""`arena report`: the one-file HTML report with the replay viewer."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--games", type=click.IntRange(min=0), default=500, show_default=True, help="Games in the viewer."
)
@click.option(
    "--output", type=click.Path(path_type=Path), help="Where to write it, DIR/report.html if not given."
)
def report(folder: Path, games: int, output: Path | None) -> None:
    """Write the report on the results in DIR: one HTML file that opens anywhere, without network.

    Where there are more games than the viewer gets, those with faults come first, then the close ones.
    """
    from arena.errors import UserError
    from arena.report import html

    target = output or folder / html.NAME
    text = html.write(folder, games=games)
    try:
        part = target.with_name(f".{target.name}.part")
        part.write_text(text, encoding="utf-8")
        part.replace(target)
    except OSError as error:
        raise UserError(f"cannot write {target}: {error.strerror}") from error
    click.echo(target)
