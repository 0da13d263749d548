"""Landlock and seccomp: what a process of the `landlock` tier does to itself before it becomes the bot.

What is given up here cannot be had back, so only the guardian's forks call `apply`. Standard library only,
since the guardian runs without site-packages; nothing is started here.

Kernel interfaces: landlock(7), seccomp(2), capabilities(7). What an older kernel lacks is left out; `abi`
tells how much there is, and `sandbox.py` says what follows from it.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Iterable, Mapping
from typing import Any

_libc = ctypes.CDLL(None, use_errno=True)

# The same numbers on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_CAPBSET_DROP, _SET_NO_NEW_PRIVS, _SET_SECCOMP, _CAP_AMBIENT = 24, 38, 22, 47
_CAP_AMBIENT_CLEAR_ALL = 4
_SECCOMP_FILTER = 2

_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_TRUNCATE = 1 << 14
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_FILE_ONLY = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE  # what a rule on a file, not a folder, may name


def abi() -> int:
    """Return the kernel's version of Landlock, 0 where there is none."""
    version: int = _libc.syscall(_CREATE_RULESET, None, 0, 1)
    return max(version, 0)


def _check(result: int, what: str) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), f"{what}: {os.strerror(ctypes.get_errno())}")
    return result


def _rule(ruleset: int, path: str, access: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return  # not every machine has /lib64
    if not os.path.isdir(path):
        access &= _FILE_ONLY
    attribute = struct.pack("=Qi", access, handle)
    _check(_libc.syscall(_ADD_RULE, ruleset, 1, attribute, 0), f"landlock rule for {path}")
    os.close(handle)


def restrict_files(read: Iterable[str], write: Iterable[str], devices: Iterable[str]) -> None:
    """Deny the file system but for these paths, TCP, and signals to anybody outside."""
    version = abi()
    # Each version of the interface knows one more right: refer, truncate, (network), ioctl on devices.
    known = {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16)
    all_files = (1 << known) - 1
    fields = [all_files]
    if version >= 4:
        fields.append(0b11)  # bind and connect by TCP
    if version >= 6:
        fields.append(0b11)  # abstract Unix sockets and signals stay inside
    attribute = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = _check(_libc.syscall(_CREATE_RULESET, attribute, len(attribute), 0), "landlock")
    for path in read:
        _rule(ruleset, path, _READ)
    for path in write:
        _rule(ruleset, path, all_files & ~(1 << 15))
    for path in devices:
        _rule(ruleset, path, _READ_FILE | _WRITE_FILE)
    _check(_libc.syscall(_RESTRICT_SELF, ruleset, 0), "landlock")
    os.close(ruleset)


# Calls that a bot has no use for and that reach other processes, the network or the kernel's rarer parts.
_FORBIDDEN = {
    "x86_64": {
        "socket": 41, "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "unshare": 272,
        "setns": 308, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "bpf": 321,
        "perf_event_open": 298, "keyctl": 250, "add_key": 248, "request_key": 249, "userfaultfd": 323,
        "shmget": 29, "semget": 64, "msgget": 68, "mount": 165, "pidfd_getfd": 438,
    },
    "aarch64": {
        "socket": 198, "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "unshare": 97,
        "setns": 268, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427, "bpf": 280,
        "perf_event_open": 241, "keyctl": 219, "add_key": 217, "request_key": 218, "userfaultfd": 282,
        "shmget": 194, "semget": 190, "msgget": 186, "mount": 40, "pidfd_getfd": 438,
    },
}  # fmt: skip
_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_CLONE = {"x86_64": 56, "aarch64": 220}
_CLONE3 = 435
_NEW_USER_NAMESPACE = 0x10000000
_ALLOW, _ERRNO, _KILL = 0x7FFF0000, 0x00050000, 0x80000000
_EACCES, _ENOSYS = 13, 38


def seccomp_program(machine: str) -> bytes:
    """Return the filter for a machine as BPF: forbidden calls fail with EACCES, everything else goes on."""
    forbidden = sorted(_FORBIDDEN[machine].values())
    load, equal, at_least, bits, done = 0x20, 0x15, 0x35, 0x45, 0x06
    code: list[tuple[int, int, int, int]] = [
        (load, 0, 0, 4),  # the architecture: another one has other numbers
        (equal, 1, 0, _AUDIT_ARCH[machine]),
        (done, 0, 0, _KILL),
        (load, 0, 0, 0),  # the call's number
    ]
    if machine == "x86_64":  # the x32 numbers would go past the list
        code += [(at_least, 0, 1, 0x40000000), (done, 0, 0, _ERRNO | _ENOSYS)]
    # glibc falls back from clone3, whose flags a filter cannot see, to clone, whose flags it can.
    code += [(equal, 0, 1, _CLONE3), (done, 0, 0, _ERRNO | _ENOSYS)]
    for number in forbidden:
        code += [(equal, 0, 1, number), (done, 0, 0, _ERRNO | _EACCES)]
    code += [
        (equal, 0, 3, _CLONE[machine]),
        (load, 0, 0, 16),  # the flags, the call's first argument
        (bits, 0, 1, _NEW_USER_NAMESPACE),
        (done, 0, 0, _ERRNO | _EACCES),
        (done, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *step) for step in code)


def restrict_calls() -> bool:
    """Load the filter; return whether this machine's architecture has one."""
    machine = os.uname().machine
    if machine not in _FORBIDDEN:
        return False
    program = seccomp_program(machine)
    buffer = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("@HP", len(program) // 8, ctypes.addressof(buffer))
    _check(_libc.prctl(_SET_SECCOMP, _SECCOMP_FILTER, header, 0, 0), "seccomp")
    return True


def drop_capabilities() -> None:
    """Give up all of root's powers for good; the user's id stays, and with it the rights on own files."""
    for capability in range(64):
        if _libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0) != 0:
            break  # beyond the last one that the kernel knows, or not allowed to an ordinary user
    _libc.prctl(_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
    header = struct.pack("=II", 0x20080522, 0)
    _check(_libc.capset(header, bytes(24)), "capset")


def apply(policy: Mapping[str, Any]) -> None:
    """Give up, for this process and all that it starts, whatever the policy does not name.

    The policy has the paths to `read`, to `write`, and the `devices`.
    """
    drop_capabilities()
    _check(_libc.prctl(_SET_NO_NEW_PRIVS, 1, 0, 0, 0), "no_new_privs")
    restrict_files(policy["read"], policy["write"], policy["devices"])
    restrict_calls()
