"""A hostile bot with a mode for each attack; says `reached` where it got what it wanted, else `refused WHY`.

Run by `stage.py` in every tier. Standard library only: it must run where nothing but its own folder is seen.
"""

from __future__ import annotations

import ctypes
import fcntl
import json
import os
import socket
import sys
import termios
import time
from collections.abc import Callable
from pathlib import Path

TARGET = json.loads(os.environ.get("TARGET", "{}"))
SCRATCH = Path(os.environ.get("TMPDIR", "/nowhere"))
MIB = 1 << 20


def tcp() -> None:
    """Connect to a service on this machine."""
    socket.create_connection(("127.0.0.1", TARGET["tcp"]), timeout=2).close()


def udp() -> None:
    """Send a datagram to a service on this machine and hear its answer."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as link:
        link.settimeout(2)
        link.sendto(b"hello", ("127.0.0.1", TARGET["udp"]))
        link.recv(10)


def unix_socket() -> None:
    """Connect to a Unix socket outside."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(TARGET["unix"])


def abstract_socket() -> None:
    """Connect to a Unix socket that has no file."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect("\0" + TARGET["abstract"])


def read_results() -> None:
    """Read the arena's results."""
    Path(TARGET["results"], "games.jsonl").read_bytes()


def forge_journal() -> None:
    """Append a line to the journal."""
    with Path(TARGET["results"], "games.jsonl").open("a") as file:
        file.write("forged\n")


def read_opponent() -> None:
    """Read the opponent's program."""
    Path(TARGET["opponent_file"]).read_bytes()


def read_environment() -> None:
    """Find the arena's environment, with its secrets, in /proc."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if b"CANARY" in (process / "environ").read_bytes():
                return
        except OSError:
            continue
    raise PermissionError("no environment with a secret was readable")


def signal_arena() -> None:
    """Reach the arena with a signal."""
    os.kill(TARGET["arena"], 0)


def signal_opponent() -> None:
    """Reach the opponent with a signal."""
    os.kill(TARGET["opponent"], 0)


def trace_opponent() -> None:
    """Attach to the opponent as a debugger does."""
    libc = ctypes.CDLL(None, use_errno=True)
    attach, detach = 16, 17
    if libc.ptrace(attach, TARGET["opponent"], 0, 0) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    os.waitpid(TARGET["opponent"], 0)
    libc.ptrace(detach, TARGET["opponent"], 0, 0)


def read_memory() -> None:
    """Open the opponent's memory."""
    Path(f"/proc/{TARGET['opponent']}/mem").open("rb").close()


def change_own_program() -> None:
    """Write into the own folder."""
    Path(__file__).with_name("left-behind").write_text("x")


def write_elsewhere() -> None:
    """Write where anybody on the machine may."""
    Path(TARGET["shared"], "left-behind").write_text("x")


def shared_memory() -> None:
    """Leave a message for a twin in shared memory that outlives this process."""
    Path("/dev/shm", TARGET["twin"]).write_text("hello twin")
    raise PermissionError("it is only written; whether others see it is seen afterwards")


def leave_file() -> None:
    """Find in the scratch what an earlier start left there."""
    memory = SCRATCH / "memory-of-last-game"
    found = memory.exists()
    memory.write_text("x")
    if not found:
        raise FileNotFoundError("the scratch was new")


def link_in_scratch() -> None:
    """Leave links and folders that would lead a careless clean-up astray."""
    os.symlink(TARGET["results"], SCRATCH / "link")
    deep = SCRATCH
    for _ in range(300):
        deep = deep / "d"
        os.mkdir(deep)
    os.chmod(deep, 0)
    raise PermissionError("links are only made; what becomes of them is seen afterwards")


def fill_scratch() -> None:
    """Write more than the scratch may hold, in several files."""
    for number in range(8):
        with (SCRATCH / f"fill{number}").open("wb") as file:
            for _ in range(12):
                file.write(bytes(MIB))


def big_file() -> None:
    """Write one file that is larger than allowed."""
    with (SCRATCH / "big").open("wb") as file:
        for _ in range(80):
            file.write(bytes(MIB))


def memory() -> None:
    """Use more memory than allowed in one process."""
    bytearray(400 * MIB)


def memory_of_children() -> None:
    """Use more memory than allowed in several processes together."""
    children = []
    for _ in range(4):
        child = os.fork()
        if child == 0:
            block = bytearray(150 * MIB)
            for page in range(0, len(block), 4096):
                block[page] = 1
            time.sleep(0.5)
            os._exit(0)
        children.append(child)
    ends = [os.waitpid(child, 0)[1] for child in children]
    if any(ends):
        raise MemoryError(f"children ended with {ends}")


def processes() -> None:
    """Start more processes than allowed."""
    for _ in range(100):
        if os.fork() == 0:
            time.sleep(2)
            os._exit(0)


def open_files() -> None:
    """Open more files than allowed."""
    kept = [os.open("/dev/null", os.O_RDONLY) for _ in range(400)]
    os.close(kept[0])


def user_namespace() -> None:
    """Make a user namespace to have root's powers in."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x10000000) != 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def terminal() -> None:
    """Open the user's terminal."""
    os.close(os.open("/dev/tty", os.O_RDWR))


def type_for_user() -> None:
    """Put keys into the user's terminal as if the user had typed them."""
    for stream in (0, 1, 2):
        fcntl.ioctl(stream, termios.TIOCSTI, b"x")


def outlive() -> None:
    """Leave a process behind that nobody's child is and that ignores every signal that can be ignored."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in range(1, 32):
                if number not in (9, 17, 19):
                    __import__("signal").signal(number, __import__("signal").SIG_IGN)
            time.sleep(60)
        os._exit(0)
    raise PermissionError("it is only started; whether it lives on is seen afterwards")


MODES: dict[str, Callable[[], None]] = {
    function.__name__: function
    for function in (
        tcp, udp, unix_socket, abstract_socket, read_results, forge_journal, read_opponent, read_environment,
        signal_arena, signal_opponent, trace_opponent, read_memory, change_own_program, write_elsewhere,
        shared_memory, leave_file, link_in_scratch, fill_scratch, big_file, memory, memory_of_children,
        processes, open_files, user_namespace, terminal, type_for_user, outlive,
    )
}  # fmt: skip


def main() -> None:
    """Try one attack."""
    try:
        MODES[sys.argv[1]]()
    except (OSError, MemoryError) as error:
        print(f"refused {type(error).__name__}: {error}", flush=True)
    else:
        print("reached", flush=True)


if __name__ == "__main__":
    main()
