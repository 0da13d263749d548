"""The only door to the operating system's processes: starts, feeds, reads and ends them.

A `Guardian` is the parent of the programs that it starts (see `guardian.py` for why); a `Process` is one of
them with its pipes, none of which can block. What a program is started as (in front of it a sandbox, its
limits, its environment) is a `Launch`, which others make.

No clock is read here and nothing is waited for without a bound: deadlines are the driver's, and where a
function needs the time it is given it. What a bot does wrong is judged elsewhere; here it is only observed.
"""

from __future__ import annotations

import errno
import os
import re
import secrets
import select
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from arena import guardian as _guardian
from arena.launch import SIGNALS, Launch, MachineError, StartError, describe

TAIL = 64 << 10  # of stderr, kept for the record: a traceback fits many times over
CHUNK = 64 << 10  # a pipe's capacity
_write = os.write  # looked up once: it is called for every action
LINE = 400  # more than an answer has; memory for so little is at hand without asking the system
# What fails because the machine has no more of something; nobody's fault, and no reason to go on.
EXHAUSTED = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.ENOSPC})


@dataclass(frozen=True, slots=True)
class Ending:
    """How a process ended: its status (negative for a signal), CPU seconds, and what could not be killed."""

    status: int | None
    cpu: float
    left: tuple[int, ...] = ()


class Guardian:
    """The parent of some programs; leaving its scope ends them all with everything they started."""

    def __init__(self) -> None:
        """Start the guardian; it becomes ready while we go on."""
        ours, theirs = socket.socketpair()
        self._link = ours
        self._tokens: set[str] = set()
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-I", "-S", _guardian.__file__, str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
                cwd="/",
                env={},
            )
        except OSError as error:
            ours.close()
            raise MachineError(f"no process can be started: {error.strerror}") from error
        finally:
            theirs.close()

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything."""
        self.close()

    @property
    def alive(self) -> bool:
        """Tell whether it can still start and end programs."""
        return self._process.poll() is None

    @property
    def pid(self) -> int:
        """Return its process id."""
        return self._process.pid

    def descendants(self) -> list[int]:
        """Return everything that runs below it now."""
        return _guardian.descendants(self._process.pid)

    def start(self, launch: Launch) -> Process:
        """Start a program; StartError where it is the program's fault, MachineError where it is not."""
        try:
            return self._start(launch)
        except BaseException:
            if launch.done is not None:
                launch.done()
            raise

    def _start(self, launch: Launch) -> Process:
        if any("\0" in text for text in (*launch.argv, *launch.env, *launch.env.values())):
            raise StartError("its command or environment has a NUL character", errno.EINVAL)
        program = launch.argv[0]
        if "/" not in program:
            found = shutil.which(program, path=launch.env.get("PATH", os.defpath))
            if found is None:
                raise StartError(f"there is no program {program!a} in the PATH", errno.ENOENT)
            program = found
        token = secrets.token_hex(16)
        wish = {
            "do": "start",
            "token": token,
            "program": program,
            "argv": list(launch.argv),
            "env": {**launch.env, _guardian.TOKEN: token},
            "cwd": str(launch.cwd),
            "cpus": sorted(launch.cpus),
            "rlimits": launch.rlimits,
            "groups": launch.groups,
            "policy": launch.policy,
            "scratch": str(launch.scratch or ""),
            "numbers": list(launch.fds),
        }
        ends: list[int] = []
        try:
            for _ in range(3):
                ends += os.pipe2(os.O_CLOEXEC)
            theirs = [ends[0], ends[3], ends[5]]
            answer = self._ask(wish, [*theirs, *launch.fds.values()])
            if "pid" not in answer:
                raise _start_error(launch, program, answer)
            ours = [ends[1], ends[2], ends[4]]
            pidfd = os.pidfd_open(answer["pid"])
            ends = theirs
        except OSError as error:
            if error.errno in EXHAUSTED:
                raise MachineError(f"no program can be started: {error.strerror}") from error
            raise
        finally:
            for fd in ends:
                os.close(fd)
        for fd in ours:
            os.set_blocking(fd, False)
        self._tokens.add(token)
        return Process(self, launch, answer["pid"], ours, pidfd)

    def status(self, process: Process) -> int | None:
        """Return the wait status of a program that has ended, None while it runs."""
        found: int | None = self._ask({"do": "status", "pid": process.pid})["status"]
        return found

    def end(self, processes: Iterable[Process]) -> list[Ending]:
        """Kill programs with all their descendants and forget them; bounded by some seconds."""
        processes = list(processes)
        for process in processes:
            process.shut()
        pids = [process.pid for process in processes]
        try:
            answer = self._ask({"do": "end", "pids": pids}) if pids else {}
        except MachineError:
            answer = {"ended": {}, "left": self._orphans()}
        endings = []
        for process in processes:
            status, cpu = answer["ended"].get(str(process.pid), (None, 0.0))
            endings.append(Ending(status, cpu, tuple(answer["left"])))
            process.finish(endings[-1])
        return endings

    def abandon(self) -> None:
        """Have everything ended without waiting for it, from whichever thread; `close` waits."""
        with suppress(OSError):  # closed already
            self._link.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End everything; harmless when repeated."""
        self._link.close()
        try:
            self._process.wait(10)  # longer than its own bound
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if self._process.returncode != 0:
            self._orphans()

    def _ask(self, message: Mapping[str, Any], fds: list[int] | None = None) -> dict[str, Any]:
        try:
            _guardian.send(self._link, message, fds)
            answer, _ = _guardian.receive(self._link)
        except (EOFError, ConnectionError) as error:
            raise MachineError("the bots' parent process was killed") from error
        return dict(answer)

    def _orphans(self) -> list[int]:
        """Kill what outlived a killed guardian, found by its environment; return what was there."""
        tokens = [token.encode() for token in self._tokens]
        found = []
        for entry in os.listdir("/proc"):
            if entry.isdigit():
                with suppress(OSError):
                    if any(token in Path(f"/proc/{entry}/environ").read_bytes() for token in tokens):
                        found.append(int(entry))
                        os.kill(int(entry), signal.SIGKILL)
        return found


def _start_error(launch: Launch, program: str, answer: Mapping[str, Any]) -> Exception:
    """Return the error for what the guardian could not start."""
    number, stage = answer["errno"], answer["stage"]
    said = os.strerror(number)
    if stage in ("fork", "prepare", "bug") or number in EXHAUSTED:
        return MachineError(f"{program!a} could not be started: {answer.get('text', said)} ({stage})")
    if stage == "cwd":
        return StartError(f"its folder {str(launch.cwd)!a} cannot be entered: {said}", number)
    return StartError(f"{program!a} could not be executed: {said}", number)


class Process:
    """A started program and its pipes; nothing here blocks."""

    __slots__ = (
        "_guardian",
        "_launch",
        "_log",
        "_tail",
        "_unsent",
        "ending",
        "pid",
        "pidfd",
        "stderr",
        "stdin",
        "stdout",
        "take",
        "wait",
    )  # fmt: skip

    def __init__(self, guardian: Guardian, launch: Launch, pid: int, fds: list[int], pidfd: int) -> None:
        """Take over the descriptors; made by `Guardian.start` alone."""
        self._guardian = guardian
        self._launch = launch
        self.pid = pid
        self.stdin, self.stdout, self.stderr = fds
        self.pidfd = pidfd
        self.ending: Ending | None = None
        self._unsent = b""
        self._tail = bytearray()
        self._log: Callable[[bytes], object] | None = None
        answers = select.poll()
        answers.register(self.stdout, select.POLLIN)
        # For a loop that is in a hurry: `wait` so many milliseconds for its stdout to have something or to
        # end, and `take` a line's worth of that, where there is nothing BlockingIOError.
        self.wait = answers.poll
        self.take = partial(os.read, self.stdout, LINE)

    def log_to(self, log: Callable[[bytes], object]) -> None:
        """Hand all of its stderr to a sink from now on."""
        self._log = log

    def write(self, data: bytes) -> bool:
        """Write what fits, keep the rest for `flush`; tell whether all is written.

        To a program that closed its stdin everything is "written": that it does not answer is judged by the
        clock, as for any other that does not listen.
        """
        if self._unsent:
            data = self._unsent + data
            self._unsent = b""
        try:
            written = _write(self.stdin, data)
        except BlockingIOError:
            written = 0
        except (BrokenPipeError, ConnectionError):
            return True
        if written == len(data):
            return True
        self._unsent = data[written:]
        return False

    def flush(self) -> bool:
        """Write more of what is kept; tell whether all is written."""
        return not self._unsent or self.write(b"")

    def read(self) -> bytes | None:
        """Return what its stdout has, b"" at the end, None where there is nothing now."""
        try:
            return os.read(self.stdout, CHUNK)
        except BlockingIOError:
            return None

    def drain(self, most: int = 16) -> bool:
        """Take what its stderr has, up to `most` pipes full; tell whether it may have more later."""
        for _ in range(most):
            try:
                data = os.read(self.stderr, CHUNK)
            except BlockingIOError:
                return True
            if not data:
                return False
            self._tail += data
            del self._tail[:-TAIL]
            if self._log is not None:
                self._log(data)
        return True

    @property
    def tail(self) -> str:
        """Return the newest part of its stderr; unreadable bytes are replaced."""
        return self._tail.decode("utf-8", "replace")

    def forget_tail(self) -> None:
        """Begin the kept part of stderr anew."""
        self._tail.clear()

    def how(self) -> str:
        """Return a clause about how it ended, as it follows "it", with the limit that it ran into if any."""
        status = self.status
        if self._launch.relays and status is not None and status - 128 in SIGNALS:
            status = 128 - status
        reason = self._launch.explain(status, self.tail) if self._launch.explain else ""
        return f"{describe(status)} ({reason})" if reason else describe(status)

    @property
    def status(self) -> int | None:
        """Return its wait status, None while it runs."""
        if self.ending is not None:
            return self.ending.status
        return self._guardian.status(self)

    def exited(self, wait: int = 0) -> bool:
        """Tell whether the program itself has ended, after at most so many milliseconds."""
        poller = select.poll()
        poller.register(self.pidfd, select.POLLIN)
        return bool(poller.poll(wait))

    def children_ticks(self) -> int:
        """Return the CPU time of its children, dead or alive, in ticks of the kernel's accounting."""
        ticks = _ticks(self.pid)[1]
        return ticks + sum(sum(_ticks(pid)) for pid in _guardian.descendants(self.pid))

    def hang_up(self) -> None:
        """Close its stdin: the end of input, which a decent program takes as a farewell."""
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    def end(self) -> Ending:
        """Kill it with all its descendants."""
        return self._guardian.end([self])[0] if self.ending is None else self.ending

    def shut(self) -> None:
        """Take the rest of stderr as it is now and close all pipes; `Guardian.end` calls it."""
        self.drain()
        self.hang_up()
        for fd in (self.stdout, self.stderr, self.pidfd):
            os.close(fd)

    def finish(self, ending: Ending) -> None:
        """Note how it ended and remove what was made for it; `Guardian.end` calls it."""
        self.ending = ending
        if self._launch.done is not None:
            self._launch.done()


_STAT = re.compile(rb".*\) (?:\S+ ){11}(\d+) (\d+) (\d+) (\d+)", re.DOTALL)


def _ticks(pid: int) -> tuple[int, int]:
    """Return the CPU time of a process and of its children that it waited for."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            found = _STAT.match(file.read())
    except OSError:
        return 0, 0
    assert found
    user, system, children_user, children_system = map(int, found.groups())
    return user + system, children_user + children_system
