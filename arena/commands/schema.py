"""`arena schema`: the JSON schema of the tournament's file."""

from __future__ import annotations

import click


@click.command()
def schema() -> None:
    """Print the JSON schema of the tournament's file, for editors.

    `arena schema > arena.schema.json`, and as first line of a tournament's file:
    `# yaml-language-server: $schema=arena.schema.json`
    """
    import json

    from arena.config import model

    click.echo(json.dumps(model.schema(), indent=2))
