"""Pairing everybody: the first perfect matching in the order of everybody's wishes.

The players choose one after the other; each gets the first of its wishes that still leaves a partner for
everybody else. Whether one is left is found by Edmonds' algorithm, so that no order of wishes takes
exponential time. It follows that who is paired already can be taken out without changing the other pairs.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

Wishes = Sequence[Sequence[int]]


def pair(wishes: Wishes) -> list[tuple[int, int]] | None:
    """Return the pairs of players 0 … n-1, each with its wishes in order; None if all cannot be paired.

    A wish must be mutual: j is among the wishes of i if and only if i is among those of j.
    """
    count = len(wishes)
    mate = [-1] * count
    gone = [False] * count
    for player in range(count):
        if mate[player] < 0 and not _augment(player, wishes, mate, gone):
            return None
    pairs = []
    for player in range(count):
        if gone[player]:
            continue
        for wish in wishes[player]:
            if not gone[wish] and _marry(player, wish, wishes, mate, gone):
                pairs.append((player, wish))
                break
    return pairs


def _marry(one: int, other: int, wishes: Wishes, mate: list[int], gone: list[bool]) -> bool:
    """Fix a pair if everybody else can still be paired; `mate` is a perfect matching before and after."""
    left, right = mate[one], mate[other]
    gone[one] = gone[other] = True
    if left == other:
        return True
    before = mate[:]
    mate[one], mate[other], mate[left], mate[right] = other, one, -1, -1
    if _augment(left, wishes, mate, gone):
        return True
    mate[:] = before
    gone[one] = gone[other] = False
    return False


def _augment(root: int, wishes: Wishes, mate: list[int], gone: list[bool]) -> bool:
    """Pair the root by re-pairing others along an alternating path; tell whether there is one."""
    count = len(wishes)
    parent = [-1] * count
    base = list(range(count))
    even = [False] * count
    even[root] = True
    queue = deque([root])

    def ancestor(one: int, other: int) -> int:
        """Return the base that both alternating paths to the root have first in common."""
        seen = set()
        while True:
            one = base[one]
            seen.add(one)
            if mate[one] < 0:
                break
            one = parent[mate[one]]
        while base[other] not in seen:
            other = parent[mate[base[other]]]
        return base[other]

    def mark(one: int, common: int, child: int, blossom: set[int]) -> None:
        while base[one] != common:
            blossom.update((base[one], base[mate[one]]))
            parent[one] = child
            child = mate[one]
            one = parent[mate[one]]

    while queue:
        one = queue.popleft()
        for other in wishes[one]:
            if gone[other] or base[one] == base[other] or mate[one] == other:
                continue
            if other == root or (mate[other] >= 0 and parent[mate[other]] >= 0):
                common = ancestor(one, other)
                blossom: set[int] = set()
                mark(one, common, other, blossom)
                mark(other, common, one, blossom)
                for player in range(count):
                    if base[player] in blossom:
                        base[player] = common
                        if not even[player]:
                            even[player] = True
                            queue.append(player)
            elif parent[other] < 0:
                parent[other] = one
                if mate[other] < 0:
                    while other >= 0:
                        before = parent[other]
                        following = mate[before]
                        mate[other], mate[before] = before, other
                        other = following
                    return True
                even[mate[other]] = True
                queue.append(mate[other])
    return False
