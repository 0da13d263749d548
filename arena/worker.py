"""A process that plays one match at a time for the run that started it.

It gets matches through its pipe, and answers each with the journal's line, encoded here so that the run
only appends bytes. A second match may wait in the pipe while the first is played, so that no worker idles
while the run writes to disk. It ends when its pipe ends, and the kernel ends it when the run is killed.
It decides nothing: what to play, what to do about a void match and what to write are the run's business.
"""

from __future__ import annotations

import ctypes
import logging
import os
import select
import signal
import struct
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from multiprocessing.connection import Connection
from types import FrameType
from typing import Any, Protocol

import msgspec

from arena import journal
from arena.driver import OutOfResources, now
from arena.match import Match, Result
from arena.tally import fingerprint

_log = logging.getLogger(__name__)
_PR_SET_PDEATHSIG = 1

# To the worker: a match as JSON, or nothing for "give back what you have not begun".
RETURN = b""
# From the worker: one of these bytes, then what stands beside it.
FINISHED = b"F"  # microseconds it took (8 bytes), then the journal's line
RETURNED = b"R"  # nothing; all that waited is given back
MICROS = struct.Struct("<q")
_MATCH = msgspec.json.Decoder(Match)


class Table(Protocol):
    """What a worker needs of a driver's table."""

    def play(self, match: Match) -> Result:
        """Play a match; a bot's fault is in the result, an exception is a bug or the machine's fault."""

    def close(self) -> None:
        """End all bots."""


def work(
    connection: Connection,
    parent: int,
    cores: frozenset[int],
    open_table: Callable[[frozenset[int]], Table],
    forget: Callable[[], None],
) -> None:
    """Be a worker until the pipe ends; `forget` closes what only the run itself may hold."""
    # The kernel's own promise that nothing plays on when the run is killed with -9.
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)
    # Ctrl-C and a closed terminal reach the whole foreground group; only the run decides what they mean.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    signal.set_wakeup_fd(-1)
    forget()
    os.sched_setaffinity(0, cores)  # the bots inherit it: waking another core costs most of all
    table = open_table(cores)
    try:
        serve(connection, table)
    finally:
        table.close()


def _leave(number: int, frame: FrameType | None) -> None:
    """End by way of every `finally`, so that the bots end with us; a second signal changes nothing."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(128 + number)


def serve(connection: Connection, table: Table) -> None:
    """Play what comes through the pipe, in order, until it ends."""
    waiting: deque[Match] = deque()
    arrivals = select.poll()
    arrivals.register(connection.fileno(), select.POLLIN)
    while True:
        while not waiting or arrivals.poll(0):
            try:
                order = connection.recv_bytes()
            except (EOFError, ConnectionResetError):
                return
            if order == RETURN:
                waiting.clear()
                connection.send_bytes(RETURNED)
            else:
                waiting.append(_MATCH.decode(order))
        match = waiting.popleft()
        began = now()
        line = play(table, match)
        connection.send_bytes(b"".join((FINISHED, MICROS.pack(now() - began), line)))


def play(table: Table, match: Match, more: Mapping[str, Any] | None = None) -> bytes:
    """Play a match and return its line; what is nobody's fault makes it void, with the reason.

    `more` is recorded with it.
    """
    try:
        result = table.play(match)
    except OutOfResources as error:
        _log.error("%s", error)
        result = error.result
    except Exception:
        _log.exception("match %s is void", match.id)
        result = Result(match, {}, void=True, text=f"the arena failed:\n{traceback.format_exc()}")
    record = {**result.dump(), **(more or {})}
    if not result.void:
        record["fingerprint"] = fingerprint(record)
    return journal.encode(record)
