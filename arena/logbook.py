"""The run's own log, `arena.log`: the records of all its processes in one file.

Workers are forks and inherit the handler, which sends their records to the run through
multiprocessing-logging; only the run writes. Bots' stderr is elsewhere, under `logs/`.
"""

from __future__ import annotations

import contextlib
import logging
import multiprocessing
from collections.abc import Iterator
from pathlib import Path

from multiprocessing_logging import (  # type: ignore[import-untyped]  # it has no annotations
    MultiProcessingHandler,
    install_mp_handler,
    uninstall_mp_handler,
)

from arena.errors import UserError

FORMAT = "%(asctime)s %(levelname)s %(processName)s %(name)s: %(message)s"


@contextlib.contextmanager
def logbook(path: Path, level: int = logging.INFO) -> Iterator[None]:
    """Log to a file while the scope lasts, from this process and its forks."""
    multiprocessing.set_start_method("fork", force=True)  # what multiprocessing-logging needs
    logger = logging.getLogger("arena")
    try:
        file = logging.FileHandler(path, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UserError(f"cannot write {path}: {error.strerror}") from error
    file.setFormatter(logging.Formatter(FORMAT))
    before = logger.level
    logger.addHandler(file)
    logger.setLevel(level)
    install_mp_handler(logger)
    try:
        yield
    finally:
        wrapped = [one for one in logger.handlers if isinstance(one, MultiProcessingHandler)]
        uninstall_mp_handler(logger)
        logger.removeHandler(file)
        logger.setLevel(before)
        for handler in wrapped:
            # A worker that is killed while it logs takes the queue's lock along. Its records are then lost,
            # but we do not wait for them.
            handler.queue.cancel_join_thread()
            handler.close()
