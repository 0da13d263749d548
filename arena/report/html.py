"""Writes the one-file report: tables, drawings and the replay viewer, without network or server.

The page carries its own style and scripts, named by their hashes in a strict Content-Security-Policy, so that
nothing that a bot said can become code: data goes into the page as JSON with every `<`, `>` and `&` escaped,
and text through the templates' own escaping.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import re
import shlex
from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.crosstable import cross
from arena.errors import UserError
from arena.escape import printable
from arena.games.base import Game, load_game
from arena.report.charts import Histogram, course, forest, histogram
from arena.report.summary import BotFacts, Summary, gather, viewer
from arena.report.tables import error, footers
from arena.results import published
from arena.standings import Close, Group, Settings, Standing

if TYPE_CHECKING:
    from jinja2 import Environment

NAME = "report.html"
GAMES = 500  # in the viewer unless the user says otherwise
_PART = {"water": "water", "oasis": "oases", "area": "areas", "caravan": "caravans", "gems": "own gems"}


def write(
    folder: Path, *, games: int = GAMES, settings: Settings | None = None, close: Close | None = None
) -> str:
    """Return the report on a folder of results as one HTML text; UserError where there is none to read."""
    if settings is None:
        settings, close = published(folder)
    summary = gather(folder, games=games, settings=settings, close=close)
    if not summary.games:
        raise UserError(f"{folder} holds no finished game to report on")
    return render(summary, viewer(folder, _game(summary), summary.chosen), folder)


def _game(summary: Summary) -> Game:
    return load_game(summary.header["configuration"]["game"])


def render(summary: Summary, replays: Mapping[str, Any], folder: Path) -> str:
    """Return the page for a summary and the viewer's data."""
    game = _game(summary)
    script = "\n".join([_file("viewer.js"), game.drawing(), _file("start.js")])
    style = _file("report.css")
    names = [bot.name for group in summary.table.groups for bot in group.bots]
    return (
        _environment()
        .get_template("report.html")
        .render(
            policy=f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
            "img-src data:; base-uri 'none'; form-action 'none'",
            script=_raw(script),
            style=_raw(style),
            data=_raw(embedded(replays)),
            summary=summary,
            table=summary.table,
            configuration=summary.header["configuration"],
            header=summary.header,
            game=game,
            groups=[_group(group, summary) for group in summary.table.groups],
            footers=footers(summary.table),
            course=course(summary.history, names, 560.0, 240.0),
            parts=_parts(summary.bots, names),
            part_names=_PART,
            times=[(name, summary.bots[name]) for name in names if name in summary.bots],
            # With a bank and no time of its own, an action may take all that is in the bank.
            limit=summary.header["configuration"]["clock"]["move"]
            or summary.header["configuration"]["clock"]["bank"],
            shown=len(replays["games"]),
            repeat=shlex.join(["arena", "tournament", f"{summary.header['name']}.yaml"]),
            folder=folder.name,
        )
    )


def _group(group: Group, summary: Summary) -> dict[str, Any]:
    axis, whiskers = forest(group.bots)
    names = {bot.name for bot in group.bots}
    # A group of one bot has none.
    crosses = [one for one in cross(summary.tally, summary.table) if set(one.names) == names]
    return {"group": group, "axis": axis, "whiskers": whiskers, "cross": crosses[0] if crosses else None}


def _parts(bots: Mapping[str, BotFacts], names: Sequence[str]) -> dict[str, dict[str, Histogram]]:
    """Return by part and bot how its points were distributed, each part on one range."""
    parts: dict[str, dict[str, Histogram]] = {}
    kinds = list(dict.fromkeys(part for name in names if name in bots for part in bots[name].parts))
    for part in kinds:
        counted = {
            name: bots[name].parts[part] for name in names if name in bots and part in bots[name].parts
        }
        values = [points for counts in counted.values() for points in counts]
        low, high = min(values), max(values)
        parts[part] = {name: histogram(counts, low, high) for name, counts in counted.items()}
    return parts


def embedded(value: object) -> str:
    """Return JSON that can stand in a script element: nothing in it can end the element or the string."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=True)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _raw(text: str) -> Any:
    """Return our own text as one that is not escaped again."""
    from markupsafe import Markup

    if re.search(r"</(script|style)", text, re.IGNORECASE):
        raise ValueError("a script or style that would end its own element")
    return Markup(text)  # noqa: S704 - our own files, and JSON in which no markup is left


def _hash(text: str) -> str:
    """Return a script's or style's name in a Content-Security-Policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _file(name: str) -> str:
    return resources.files(__package__).joinpath("page", name).read_text(encoding="utf-8")


@functools.cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader("arena.report", "page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"elo": _elo, "percent": _percent, "duration": duration, "printable": printable}
    environment.filters["error"] = _error
    return environment


def _elo(value: float | None, sign: bool = True) -> str:
    if value is None:
        return "\u2013"
    return f"{value:+.0f}".replace("-", "\u2212") if sign else f"{value:.0f}"


def _error(bot: Standing) -> str:
    return error(bot).replace("-", "\u2212") if bot.error is not None else "\u2013"


def _percent(value: float | None, digits: int = 1) -> str:
    return "\u2013" if value is None else f"{100 * value:.{digits}f}"


def duration(micros: float) -> str:
    """Return a time for people, in the unit that suits it."""
    for unit, size in (("s", 1_000_000), ("ms", 1_000)):
        if micros >= size:
            return f"{micros / size:.3g} {unit}"
    return f"{micros:.0f} µs"
