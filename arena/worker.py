"""A process that plays one match at a time for the run that started it.

It gets matches through its pipe, and answers each with the journal's line, encoded here so that the run
only appends bytes. Further matches may wait here while one is played, so that no worker idles while the run
writes to disk; lines of quick ones are sent together, since waking the run costs more than most of them do.
It ends when its pipe ends, and the kernel ends it when the run is killed.
It decides nothing: what to play, what to do about a void match and what to write are the run's business.
"""

from __future__ import annotations

import ctypes
import gc
import logging
import mmap
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

# To the worker: matches as a JSON list, or nothing for "give back what you have not begun".
RETURN = b""
# From the worker: nothing where all that waited is given back, or for each finished match this and its line.
RETURNED = b""
FINISHED = struct.Struct("<qI")  # the microseconds it took, the length of the line
HOLD = 30_000  # µs that a line may wait for the next ones
_MATCHES = msgspec.json.Decoder(list[Match])


class Begun:
    """How many matches a worker has begun, in memory that it shares with the run: known when it died, too."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, _COUNT.size)

    @property
    def count(self) -> int:
        """Return the number of matches begun so far."""
        (count,) = _COUNT.unpack_from(self._memory)
        return int(count)

    @count.setter
    def count(self, count: int) -> None:
        _COUNT.pack_into(self._memory, 0, count)


_COUNT = struct.Struct("<q")


class Table(Protocol):
    """What a worker needs of a driver's table."""

    def play(self, match: Match) -> Result:
        """Play a match; a bot's fault is in the result, an exception is a bug or the machine's fault."""

    def close(self) -> None:
        """End all bots."""


def work(
    connection: Connection,
    begun: Begun,
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
    gc.freeze()  # what is here now stays: it is never looked through again, nor copied from the run's memory
    try:
        serve(connection, table, begun)
    finally:
        table.close()


def _leave(number: int, frame: FrameType | None) -> None:
    """End by way of every `finally`, so that the bots end with us; a second signal changes nothing."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    raise SystemExit(128 + number)


def serve(connection: Connection, table: Table, begun: Begun) -> None:
    """Play what comes through the pipe, in order, until it ends."""
    waiting: deque[Match] = deque()
    finished: list[tuple[int, Result]] = []  # not sent yet, with the microseconds that each took
    since = 0  # when the first of these was begun

    def send() -> None:
        # Encoded together: by itself each would find the processor's caches full of the last match.
        if finished:
            message = bytearray()
            for lasted, result in finished:
                line = seal(result)
                message += FINISHED.pack(lasted, len(line)) + line
            connection.send_bytes(message)
            finished.clear()

    arrivals = select.poll()
    arrivals.register(connection.fileno(), select.POLLIN)
    while True:
        while not waiting or arrivals.poll(0):
            if not waiting:
                send()
            try:
                order = connection.recv_bytes()
            except (EOFError, ConnectionResetError):
                return
            if order == RETURN:
                send()
                waiting.clear()
                connection.send_bytes(RETURNED)
            else:
                waiting += _MATCHES.decode(order)
        match = waiting.popleft()
        begun.count += 1
        began = now()
        result = play(table, match)
        ended = now()
        if not finished:
            since = began
        finished.append((ended - began, result))
        if ended - since >= HOLD:
            send()


def play(table: Table, match: Match) -> Result:
    """Play a match; what is nobody's fault makes it void, with the reason."""
    try:
        return table.play(match)
    except OutOfResources as error:
        _log.error("%s", error)
        return error.result
    except Exception:
        _log.exception("match %s is void", match.id)
        return Result(match, {}, void=True, text=f"the arena failed:\n{traceback.format_exc()}")


def seal(result: Result, more: Mapping[str, Any] | None = None) -> bytes:
    """Return the journal's line of a result; `more` is recorded with it."""
    record = {**result.dump(), **(more or {})}
    if not result.void:
        record["fingerprint"] = fingerprint(record)
    return journal.encode(record)
