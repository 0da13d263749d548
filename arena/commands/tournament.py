"""`arena tournament`: plays what is missing of a tournament."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--workers", type=click.IntRange(1, 10_000), help="Games at once, in place of the file's.")
@click.option("--rounds", type=click.IntRange(1, 1_000_000), help="Rounds, in place of the file's.")
@click.option(
    "--output", type=click.Path(path_type=Path), help="Folder for the results, in place of the file's."
)
@click.option(
    "--cluster", metavar="ADDRESS", help="Play on the workers of this Dask scheduler, as tcp://host:8786."
)
@click.option("--quiet", is_flag=True, help="Say nothing but what is wrong.")
@click.option("--json", "as_json", is_flag=True, help="Tell everything as JSON, one event a line, on stdout.")
@click.option(
    "--repair", is_flag=True, help="Set damaged lines of the journal aside, and go on without them."
)
@click.option(
    "--accept-changed-bots",
    is_flag=True,
    help="Go on although programs of bots changed since the results began; the journal notes it.",
)
def tournament(
    file: Path,
    workers: int | None,
    rounds: int | None,
    output: Path | None,
    cluster: str | None,
    quiet: bool,
    as_json: bool,
    repair: bool,
    accept_changed_bots: bool,
) -> None:
    """Play what is missing of the tournament in FILE, and show the table.

    Everything finished is in the folder of results at once, whatever happens: run the same command again
    to go on. Ctrl-C lets running games end; twice stops at once. Exit status 3 after a signal, or
    where a cluster is gone.
    """
    import dataclasses
    import shlex
    import sys

    from arena.config import load
    from arena.display import opened
    from arena.errors import CheckFailed, Stopped, UserError
    from arena.events import Reason
    from arena.signals import Signals
    from arena.venue import play

    site = None
    if cluster is not None:
        from arena.cluster import Cluster

        if workers is not None:
            raise UserError("--workers is for this machine; a cluster plays on all the workers that it has")
        site = Cluster(cluster)
    with Signals() as signals:
        config = load(file)
        if workers is not None:
            config = dataclasses.replace(config, workers=workers)
        if rounds is not None:
            config = dataclasses.replace(config, schedule=dataclasses.replace(config.schedule, rounds=rounds))
        if output is not None:
            config = dataclasses.replace(config, output=output.absolute())
        with opened(sys.stdout, is_quiet=quiet, as_json=as_json) as tell:
            end, _ = play(
                config, signals, tell, site=site, repair=repair, accept_changed_bots=accept_changed_bots
            )
    if end.reason in (Reason.SIGNAL, Reason.GONE):
        again = shlex.join(["arena", *sys.argv[1:]])
        raise Stopped(f"{end.text}; {end.done} of {end.games} games are saved. Go on with:\n  {again}")
    if end.reason is Reason.ERROR:
        raise CheckFailed(end.text)
    if end.void:
        raise CheckFailed(f"{end.void} games were given up: see `text` of the void records in {end.output}")
