"""The parent of all bots of one worker: a small program of its own that starts them and ends them for good.

It is run as a script (`python -I -S guardian.py FD`) and talks with `process.py` over a socket. It stands
between the arena and the bots for three reasons. As a child subreaper it inherits every process that a bot
lets go, however often that forked or changed its session, so that all descendants are found and ended. It
sees the end of its socket when the arena is killed, whichever way, and then ends everything. And being small
and single-threaded it can fork: limits, niceness towards the kernel's memory killer and the wish to die with
the parent are set before the bot's first instruction, without `preexec_fn` in a big or threaded program.

It deliberately knows nothing of matches, deadlines or the protocol, decides nothing by itself, and reads no
clock: waits are bounded by their number. Standard library only, since it runs without site-packages.
"""

from __future__ import annotations

import ctypes
import errno
import fcntl
import functools
import importlib.util
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
from contextlib import suppress
from typing import Any

TOKEN = "ARENA_TOKEN"  # noqa: S105 - the variable by which a stray process is known to be some bot's
PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
PASSES = 2000  # a sweep's passes, one millisecond or more each: what is not dead by then is reported
REAP_EVERY = 2000  # milliseconds between looks for dead strays while nothing is asked
MOST_FDS = 16
RESET = (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGINT, signal.SIGTERM, signal.SIGHUP)

_prctl = ctypes.CDLL(None, use_errno=True).prctl


# Messages: a length and JSON; descriptors travel with the first byte.


def send(link: socket.socket, message: Any, fds: list[int] | None = None) -> None:
    """Send one message with descriptors."""
    data = json.dumps(message).encode()
    head = struct.pack("=I", len(data))
    if fds:
        socket.send_fds(link, [head], fds)
    else:
        link.sendall(head)
    link.sendall(data)


def receive(link: socket.socket) -> tuple[Any, list[int]]:
    """Receive one message with its descriptors; EOFError when the other side is gone."""
    head, fds, _, _ = socket.recv_fds(link, 4, MOST_FDS)
    for fd in fds:
        os.set_inheritable(fd, False)  # `recv_fds` does not hand its flags on before Python 3.12
    while len(head) < 4:
        head += _more(link, 4 - len(head))
    (size,) = struct.unpack("=I", head)
    data = bytearray()
    while len(data) < size:
        data += _more(link, size - len(data))
    return json.loads(bytes(data)), fds


def _more(link: socket.socket, size: int) -> bytes:
    data = link.recv(min(size, 1 << 16))
    if not data:
        raise EOFError
    return data


# What /proc knows


def children(pid: int) -> list[int]:
    """Return the direct children of a process, of all its threads."""
    found: list[int] = []
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return found
    for thread in threads:
        try:
            with open(f"/proc/{pid}/task/{thread}/children", "rb") as file:
                found += map(int, file.read().split())
        except FileNotFoundError:
            if not os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children"):
                return _children_by_scan(pid)  # a kernel without CONFIG_PROC_CHILDREN
        except OSError:  # the thread ended meanwhile
            continue
    return found


def _children_by_scan(pid: int) -> list[int]:
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    stat = file.read()
            except OSError:
                continue
            if int(stat[stat.rindex(b")") + 2 :].split()[1]) == pid:
                found.append(int(name))
    return found


def descendants(pid: int) -> list[int]:
    """Return all processes below one, in no order, without it."""
    found: list[int] = []
    layer = children(pid)
    while layer:
        found += layer
        layer = [below for child in layer for below in children(child)]
    return found


def _tokens(pid: int) -> bytes:
    """Return a process's environment as bytes, b"" where it cannot be read."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read(1 << 20)
    except OSError:
        return b""


def _kill(pid: int, group: bool = False) -> None:
    with suppress(ProcessLookupError, PermissionError):  # gone already, or of another user (a set-uid one)
        (os.killpg if group else os.kill)(pid, signal.SIGKILL)


class Guardian:
    """The bots that are alive, and what can be asked about them."""

    def __init__(self, link: socket.socket) -> None:
        """Become the parent to which everything below falls."""
        self.link = link
        self.bots: dict[int, str] = {}  # by process id its token
        self.scratches: dict[int, str] = {}  # the folders that go with them, also where the arena was killed
        _prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def serve(self) -> None:
        """Answer until the arena is gone, then end everything."""
        poller = select.poll()
        poller.register(self.link, select.POLLIN)
        try:
            while True:
                if poller.poll(REAP_EVERY):
                    message, fds = receive(self.link)
                    verb = message.pop("do")
                    send(self.link, getattr(self, f"do_{verb}")(fds=fds, **message))
                else:
                    self._reap_strays()
        except (EOFError, ConnectionError):
            pass
        finally:
            self.do_end(list(self.bots), [])

    def do_start(self, *, fds: list[int], **wish: Any) -> dict[str, Any]:
        """Start a program with the three streams in `fds` (and more behind them); its id or what failed."""
        if wish["policy"]:
            _beside("confine")  # loaded once here, not in every fork
        report, reported = os.pipe()  # closed by a successful exec
        try:
            pid = os.fork()
        except OSError as error:
            os.close(report)
            os.close(reported)
            for fd in fds:
                os.close(fd)
            return {"stage": "fork", "errno": error.errno}
        if pid == 0:
            _become(wish, fds, reported)
        os.close(reported)
        for fd in fds:
            os.close(fd)
        told = os.read(report, 256)
        os.close(report)
        if told:
            os.waitpid(pid, 0)
            return dict(json.loads(told))
        self.bots[pid] = wish["token"]
        if wish["scratch"]:
            self.scratches[pid] = wish["scratch"]
        return {"pid": pid}

    def do_status(self, pid: int, fds: list[int]) -> dict[str, Any]:
        """Return the wait status of a bot that has ended, without taking it off the list; None if alive."""
        try:
            info = os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return {"status": None}
        if info is None:
            return {"status": None}
        return {"status": info.si_status if info.si_code == os.CLD_EXITED else -info.si_status}

    def do_end(self, pids: list[int], fds: list[int]) -> dict[str, Any]:
        """Kill bots with all that came of them; return status and CPU time of each, and what is left."""
        for pid in pids:
            _kill(pid, group=True)
            _kill(pid)
        tokens = [self.bots.pop(pid).encode() for pid in pids if pid in self.bots]
        others = [token.encode() for token in self.bots.values()]
        ended: dict[str, Any] = {}
        pause = select.poll()
        for attempt in range(PASSES):
            for pid in pids:
                if str(pid) not in ended:
                    done, status, usage = os.wait4(pid, os.WNOHANG)
                    if done:
                        code = os.waitstatus_to_exitcode(status)
                        ended[str(pid)] = [code, usage.ru_utime + usage.ru_stime]
            left = self._sweep(tokens, others, {pid for pid in pids if str(pid) not in ended})
            if not left and len(ended) == len(pids):
                break
            pause.poll(0 if attempt < 3 else 1)
        else:
            left += [pid for pid in pids if str(pid) not in ended]
        for scratch in [self.scratches.pop(pid) for pid in pids if pid in self.scratches]:
            try:
                _beside("scratch").clear(scratch)
            except OSError as error:  # what another user owns in it stays
                sys.stderr.write(f"{scratch} could not be removed: {error.strerror}\n")
        return {"ended": ended, "left": left}

    def _sweep(self, tokens: list[bytes], others: list[bytes], dying: set[int]) -> list[int]:
        """Kill every stray that is not surely another bot's; return those that were still there."""
        left: list[int] = []
        for child in children(os.getpid()):
            if child in self.bots or child in dying or self._reaped(child):
                continue
            # One that wiped its environment is nobody's and goes with whoever goes first.
            environment = _tokens(child)
            if any(token in environment for token in others) and not any(t in environment for t in tokens):
                continue
            for stray in [*descendants(child), child]:
                _kill(stray)
                left.append(stray)
        return left

    def _reaped(self, child: int) -> bool:
        try:
            return os.waitpid(child, os.WNOHANG)[0] == child
        except ChildProcessError:
            return True

    def _reap_strays(self) -> None:
        for child in children(os.getpid()):
            if child not in self.bots:
                self._reaped(child)


def _become(wish: dict[str, Any], fds: list[int], report: int) -> None:
    """Turn this fork into the bot; never returns."""
    stage = "prepare"
    try:
        os.setsid()  # no terminal, a group of its own
        _prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")  # when memory runs out, the bot goes before the arena
        for number in RESET:
            signal.signal(number, signal.SIG_DFL)
        if wish["cpus"]:
            os.sched_setaffinity(0, wish["cpus"])
        stage = "cwd"
        os.chdir(wish["cwd"])
        stage = "prepare"
        # The wanted numbers may be in use by what is to be moved: first out of the way, then into place.
        wanted = [0, 1, 2, *wish["numbers"]]
        floor = max(wanted) + 1
        fds = [_aside(fd, floor) for fd in fds]
        report = _aside(report, floor)
        for fd, number in zip(fds, wanted, strict=True):
            os.dup2(fd, number, inheritable=True)
        for kind, limit in wish["rlimits"]:
            hard = resource.getrlimit(kind)[1]
            limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            # CPU time first ends in SIGXCPU, which says what happened, and a second later in SIGKILL.
            resource.setrlimit(kind, (limit, limit + 1 if kind == resource.RLIMIT_CPU else limit))
        for group in wish["groups"]:
            with open(group, "w") as file:
                file.write(str(os.getpid()))
        if wish["policy"]:
            _beside("confine").apply(wish["policy"])
        stage = "exec"
        os.execve(wish["program"], wish["argv"], wish["env"])  # noqa: S606 - never a shell
    except OSError as error:
        told = {"stage": stage, "errno": error.errno or errno.EIO}
    except (
        Exception
    ) as error:  # reported to the arena as ours; the fork must not live on as a second guardian
        told = {"stage": "bug", "errno": 0, "text": repr(error)[:150]}
    os.write(report, json.dumps(told).encode())
    os._exit(127)


@functools.cache
def _beside(name: str) -> Any:
    """Return a module that lies beside this one; as a script it has no package to import from."""
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), f"{name}.py")
    spec = importlib.util.spec_from_file_location(name, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _aside(fd: int, floor: int) -> int:
    """Return a duplicate of a descriptor numbered `floor` or higher, closed by exec."""
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, floor)


def main() -> None:
    """Serve the socket whose number is the one argument."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)  # the end of the socket ends it, with everything below
    link = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(link.fileno(), False)
    Guardian(link).serve()


if __name__ == "__main__":
    main()
