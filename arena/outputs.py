"""The files that are worked out from a journal and stand beside it: standings and report.

Each is replaced as a whole, never written in place, and left alone where it would say the same. Nothing
here is needed to go on with a tournament; every file can be made again from the journal.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena.report import tables

if TYPE_CHECKING:
    from arena.folder import Folder
    from arena.standings import Standings


def write(folder: Folder, standings: Standings) -> None:
    """Write `standings.json`, `standings.csv` and `standings.md`."""
    table = tables.markdown(tables.tables(standings), tables.footers(standings), standings.warnings)
    folder.write("standings.json", tables.dumped(standings.dump()).encode())
    folder.write("standings.csv", tables.comma_separated(standings).encode())
    folder.write("standings.md", table.encode())
