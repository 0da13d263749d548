"""The files that are worked out from a journal and stand beside it: standings and report.

Each is replaced as a whole, never written in place, and left alone where it would say the same. Nothing
here is needed to go on with a tournament; every file can be made again from the journal.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from arena.report import tables

if TYPE_CHECKING:
    from arena.folder import Folder
    from arena.standings import Standings

_log = logging.getLogger(__name__)


def write(folder: Folder, standings: Standings) -> bool:
    """Write `standings.json`, `standings.csv` and `standings.md`; tell whether anything in them is new."""
    table = tables.markdown(tables.tables(standings), tables.footers(standings), standings.warnings)
    files = {
        "standings.json": tables.dumped(standings.dump()),
        "standings.csv": tables.comma_separated(standings),
        "standings.md": table,
    }
    return sum(folder.write(name, text.encode()) for name, text in files.items()) > 0


def write_report(folder: Folder, standings: Standings) -> str:
    """Write `report.html` with these standings; return why it could not be made, "" where it was.

    The report reads records that bots had a part in. Whatever goes wrong there, the results stand, and
    `arena report` makes it again.
    """
    from arena.report import html

    try:
        text = html.write(folder.path, settings=standings.settings, close=standings.close)
    except Exception as error:
        _log.exception("the report could not be made")
        return f"the report could not be made: {error}; `arena report {folder.path}` tries again"
    folder.write(html.NAME, text.encode())
    return ""
