"""A program that is run to its end, without a conversation: a build, a probe."""

from __future__ import annotations

import os
import select
from collections.abc import Callable
from dataclasses import dataclass

from arena.launch import Launch
from arena.process import CHUNK, TAIL, Guardian


@dataclass(frozen=True, slots=True)
class Ran:
    """What a program did that was run to its end: status None where it had to be killed for time."""

    status: int | None
    stdout: bytes  # the newest part
    stderr: bytes


def run(launch: Launch, *, timeout: int, now: Callable[[], int], most: int = TAIL) -> Ran:
    """Run a program to its end without input; what it prints is kept up to `most` bytes, the newest.

    `timeout` is in the microseconds of the clock `now`. StartError and MachineError as `Guardian.start`.
    """
    with Guardian() as guardian:
        process = guardian.start(launch)
        process.hang_up()
        until = now() + timeout
        kept = {process.stdout: bytearray(), process.stderr: bytearray()}
        poller = select.poll()
        poller.register(process.pidfd, select.POLLIN)
        for fd in kept:
            poller.register(fd, select.POLLIN)
        ended = False
        while not ended and (left := until - now()) > 0:
            ready = {fd for fd, _ in poller.poll(left // 1000 + 1)}
            ended = process.pidfd in ready  # its heirs may hold the pipes open: what is there now is all
            for fd in kept.keys() & ready:
                if not _take(fd, kept[fd], most, rounds=1):
                    poller.unregister(fd)
        for fd, text in kept.items():
            _take(fd, text, most, rounds=64)
        status = process.status
        stdout, stderr = (bytes(text) for text in kept.values())
        process.end()
    return Ran(status, stdout, stderr)


def _take(fd: int, text: bytearray, most: int, rounds: int) -> bool:
    """Read what a pipe has now; tell whether it may have more later."""
    for _ in range(rounds):
        try:
            data = os.read(fd, CHUNK)
        except BlockingIOError:
            return True
        if not data:
            return False
        text += data
        del text[:-most]
    return True
