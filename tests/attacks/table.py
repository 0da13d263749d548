"""What must come of each attack in each tier: one table for the tests and for the documentation."""

from __future__ import annotations

REFUSED = "refused"
REACHED = "open"
GROUP = "refused with a control group"  # else only each process is bounded
# As root the number of processes is not bounded by the kernel without a control group.
USER = "refused; as root with a control group"

# attack: (bwrap, landlock, basic)
EXPECTED: dict[str, tuple[str, str, str]] = {
    "tcp": (REFUSED, REFUSED, REACHED),
    "udp": (REFUSED, REFUSED, REACHED),
    "unix_socket": (REFUSED, REFUSED, REACHED),
    "abstract_socket": (REFUSED, REFUSED, REACHED),
    "read_results": (REFUSED, REFUSED, REACHED),
    "forge_journal": (REFUSED, REFUSED, REACHED),
    "read_opponent": (REFUSED, REFUSED, REACHED),
    "read_environment": (REFUSED, REFUSED, REACHED),
    "signal_arena": (REFUSED, REFUSED, REACHED),
    "signal_opponent": (REFUSED, REFUSED, REACHED),
    "trace_opponent": (REFUSED, REFUSED, REACHED),
    "read_memory": (REFUSED, REFUSED, REACHED),
    "change_own_program": (REFUSED, REFUSED, REACHED),
    "write_elsewhere": (REFUSED, REFUSED, REACHED),
    "shared_memory": (REFUSED, REFUSED, REACHED),
    "leave_file": (REFUSED, REFUSED, REFUSED),
    "link_in_scratch": (REFUSED, REFUSED, REFUSED),
    "fill_scratch": (REFUSED, REACHED, REACHED),
    "big_file": (REFUSED, REFUSED, REFUSED),
    "memory": (REFUSED, REFUSED, REFUSED),
    "memory_of_children": (GROUP, GROUP, GROUP),
    "processes": (USER, GROUP, GROUP),
    "open_files": (REFUSED, REFUSED, REFUSED),
    "user_namespace": (REFUSED, REFUSED, REACHED),
    "terminal": (REFUSED, REFUSED, REFUSED),
    "type_for_user": (REFUSED, REFUSED, REFUSED),
    "outlive": (REFUSED, REFUSED, REFUSED),
}


def wanted(attack: str, tier: int, *, group: bool, root: bool) -> str:
    """Return REFUSED or REACHED for an attack in a tier, for these circumstances."""
    entry = EXPECTED[attack][tier]
    if entry == GROUP:
        return REFUSED if group else REACHED
    if entry == USER:
        return REFUSED if group or not root else REACHED
    return entry
