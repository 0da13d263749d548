"""A position of desert, and everything that a placement does to it.

Sets of spaces are integers (see `board.py`); lists are by caravan, `seat * 5 + colour`, or by seat. Every
placement keeps up to date where each caravan could grow, so that checking an action is three ANDs and listing
all is one walk over the bits. Why an action is illegal is worked out only when it is (`reasons.py`); text
forms are in `position.py`, drawings in `picture.py`.
"""

from __future__ import annotations

import enum
from collections.abc import Collection
from itertools import compress
from operator import itemgetter
from typing import Any

from arena.games.base import PASS, Event, Span, State
from arena.games.desert import picture, position, reasons
from arena.games.desert.board import COLOURS, Grid
from arena.games.desert.setup import DesertSetup

OASIS = 5  # points for reaching an oasis
MOST, SHARED = 10, 5  # points for the largest caravan of a colour, alone or shared


class Phase(enum.StrEnum):
    """What is placed now."""

    LEADERS = "leaders"
    CAMELS = "camels"
    OVER = "over"


# Looking a member up in its enumeration takes longer than the rest of a comparison.
_LEADERS, _CAMELS = Phase.LEADERS, Phase.CAMELS
_FLAGS = bytes.maketrans(b"01", b"\0\1")


class DesertState(State):
    """Who stands where, what is left, and whose turn it is."""

    __slots__ = (
        "areas",
        "clear",
        "free",
        "grid",
        "growth",
        "heads",
        "land",
        "last",
        "leaders",
        "left",
        "oasis",
        "out",
        "own",
        "passed",
        "phase",
        "reached",
        "round",
        "setup",
        "spots",
        "supply",
        "turn",
        "used",
        "water",
        "wet",
    )

    setup: DesertSetup
    turn: int | None
    out: tuple[int, ...]

    def __init__(self, setup: DesertSetup) -> None:
        spaces = setup.grid
        caravans = setup.players * len(COLOURS)
        self.setup = setup
        self.grid: Grid = spaces
        self.turn = 0
        self.out = ()
        self.phase = Phase.LEADERS
        self.round = 1  # of the phase; a round is one turn of everybody
        self.left = 1  # pieces that the seat may still place in this turn
        self.passed = 0  # bits of the seats that passed a whole turn since the last camel
        self.used = 0  # bits of the colours placed as leaders in the first round
        self.leaders = list(setup.hands)  # not placed yet, colours as bits
        self.supply = [setup.supply] * len(COLOURS)
        self.wet = setup.wet  # where water is left
        self.free = spaces.full & ~setup.oases  # without camel and oasis
        self.spots = self.free & ~self.wet & ~setup.shore  # where a leader may go
        self.heads = 0  # where leaders stand
        self.own = [0] * caravans  # where the caravan's camels stand
        self.clear = [spaces.full] * caravans  # what touches no other player's camel of the colour
        self.growth = [0] * caravans  # what touches the caravan and is clear; may be taken or closed
        self.reached = [0] * caravans  # the oases that the caravan was paid for
        self.land = [spaces.full] * setup.players  # what is not closed to the seat
        self.areas = [0] * setup.players  # what the seat has enclosed
        self.water = [0] * setup.players  # points
        self.oasis = [0] * setup.players  # points
        self.last: tuple[int, str] | None = None  # seat and text of the newest action

    # -- what may be done

    def legal(self) -> list[str]:
        """Return all legal actions, by colour, column and row."""
        seat = self.turn
        found: list[str] = []
        if seat is None:
            return found
        spaces = self.grid
        if self.phase is _LEADERS:
            # There are so many spots that a look at every bit is quicker than a walk from bit to bit.
            flags = f"{self.spots:b}".encode().translate(_FLAGS)
            indices = [*compress(range(len(flags), 0, -1), flags)]
            pick = itemgetter(*indices, indices[0])  # once more, as one item alone would not come in a tuple
            choice = self.choice(seat)
            for colour, words in enumerate(spaces.words):
                if choice >> colour & 1:
                    found += pick(words)
                    found.pop()
            return found
        bits = spaces.bits
        room = self.free & self.land[seat]
        first = seat * len(COLOURS)
        growth = self.growth[first : first + len(COLOURS)]
        for stock, words, grows in zip(self.supply, spaces.words, growth, strict=True):
            if stock:
                grows &= room
                while grows:
                    index = grows.bit_length()
                    found.append(words[index])
                    grows ^= bits[index]
        return found

    def choice(self, seat: int) -> int:
        """Return the colours, as bits, of which the seat may place a leader now."""
        colours = self.leaders[seat]
        if self.round == 1:
            return colours & ~self.used or colours
        return colours

    def check(self, action: str) -> None:
        """Raise InvalidAction or IllegalAction unless the action is legal now."""
        known = self.grid.actions.get(action)
        seat = self.turn
        if known is None or seat is None:
            raise reasons.refusal(self, action)
        colour = known[0]
        if self.phase is _CAMELS:
            room = self.growth[seat * 5 + colour] & known[1] & self.free & self.land[seat]
            if not (room and self.supply[colour]):
                raise reasons.refusal(self, action)
        elif not (known[1] & self.spots and self.choice(seat) >> colour & 1):
            raise reasons.refusal(self, action)

    def can_place(self, seat: int) -> bool:
        """Tell whether the seat could place a camel now."""
        room = self.free & self.land[seat]
        growth = self.growth
        caravan = seat * 5
        for stock in self.supply:
            if growth[caravan] & room and stock:
                return True
            caravan += 1
        return False

    # -- what is done

    def play(self, action: str) -> list[Event]:
        """Place a leader or a camel; return the passes that follow."""
        if self.phase is not _CAMELS:
            return self._play_leader(action)
        spaces = self.grid
        known = spaces.actions.get(action)
        if known is None:
            raise reasons.refusal(self, action)
        colour, bit, near, far, index, shift = known
        seat: int = self.turn  # type: ignore[assignment]  # somebody's while camels are placed
        caravan = seat * 5 + colour
        growth, supply, free = self.growth, self.supply, self.free
        grows = growth[caravan]
        if not (grows & bit & free & self.land[seat] and supply[colour]):
            raise reasons.refusal(self, action)
        # the camel stands
        self.last = (seat, action)
        self.free = free ^ bit
        own = self.own[caravan]
        self.own[caravan] = own | bit
        supply[colour] -= 1
        clear = self.clear
        growth[caravan] = (grows | near) & clear[caravan]
        for other in self.setup.rivals[caravan]:
            clear[other] &= far
            growth[other] &= far
        # what it earns
        if bit & self.setup.marked:
            if bit & self.wet:
                self.wet ^= bit
                self.water[seat] += self.setup.values[index]
            if bit & self.setup.shore:
                self._reach(seat, caravan, near)
        if (spaces.full ^ own) >> shift & spaces.ring in spaces.splits:
            self._enclose(seat, caravan, near)
        if own == self.heads or (spaces.cuts and own in spaces.cuts and own & self.heads):
            # the first camel, beside a leader that is alone on the board or has cut something off
            self._enclose(seat, caravan, near | spaces.around(own))
        # whose turn it is now
        self.passed = 0
        if self.left == 2:
            self.left = 1
            if self.can_place(seat):
                return []
            return self._end_turn([Event("play", seat, PASS)])
        if self.round > 1 and 0 not in supply and not self.out:  # as `_end_turn` does, without its detours
            following = seat + 1
            if following == len(self.land):
                following = 0
            if self.can_place(following):
                self.turn = following
                self.left = 2
                if not following:
                    self.round += 1
                return []
        return self._end_turn([])

    def _play_leader(self, action: str) -> list[Event]:
        """Place a leader; the camels begin when all leaders stand."""
        known = self.grid.actions.get(action)
        seat = self.turn
        if known is None or seat is None:
            raise reasons.refusal(self, action)
        colour, bit, near, far, index, _ = known
        if not (bit & self.spots and self.choice(seat) >> colour & 1):
            raise reasons.refusal(self, action)
        self.last = (seat, action)
        self.leaders[seat] ^= 1 << colour
        if self.round == 1:
            self.used |= 1 << colour
        self.heads |= bit
        self.free ^= bit
        self.spots &= self.grid.apart[index]
        caravan = seat * 5 + colour
        self.own[caravan] = bit
        self.growth[caravan] = near & self.clear[caravan]
        for other in self.setup.rivals[caravan]:
            self.clear[other] &= far
            self.growth[other] &= far
        return self._end_turn([])

    def _reach(self, seat: int, caravan: int, palms: int) -> None:
        """Pay for the oases among these spaces that the caravan had not reached."""
        new = palms & self.setup.oases & ~self.reached[caravan]
        self.reached[caravan] |= new
        self.oasis[seat] += OASIS * new.bit_count()

    def _enclose(self, seat: int, caravan: int, seeds: int) -> None:
        """Find what the caravan newly encloses beside these spaces, pay for it, and close it."""
        spaces = self.grid
        rest = spaces.full & ~self.own[caravan]
        camels = rest & ~self.free & ~self.setup.oases
        new = spaces.enclosed(seeds & rest, rest, camels) & ~self.areas[seat]
        if not new:
            return
        self.areas[seat] |= new
        water = new & self.wet
        self.wet ^= water
        while water:
            index = water.bit_length()
            self.water[seat] += self.setup.values[index]
            water ^= spaces.bits[index]
        self._reach(seat, caravan, new)
        self.close(new, seat)

    def close(self, spaces: int, owner: int) -> None:
        """Close an area to those who may not place there in this edition."""
        for seat in range(len(self.land)):
            if seat != owner or self.setup.options["edition"] == "ffg":
                self.land[seat] &= ~spaces

    def drop(self, seat: int) -> list[Event]:
        """Take a seat out; its turn ends with it. Nothing changes in a match that is over."""
        if self.turn is None or seat in self.out:
            return []
        self.out += (seat,)
        if self.setup.players - len(self.out) < 2:
            self._finish()
            return []
        return self._end_turn([]) if seat == self.turn else []

    def _finish(self) -> None:
        self.turn = None
        self.left = 0
        self.phase = Phase.OVER

    def _end_turn(self, events: list[Event]) -> list[Event]:
        """Give the turn to the next seat that can use it; append the passes on the way."""
        seat = self.turn
        assert seat is not None
        if self.phase is _LEADERS:
            if self._next_leader(seat):
                return events
            self.phase = _CAMELS
            self.round = 0
            seat = self.setup.players - 1
        elif 0 in self.supply:
            self._finish()
            return events
        players, out, passed = self.setup.players, self.out, self.passed
        while True:
            # Who is out is not waited for; who passed stays blocked, for nothing ever opens a space.
            if passed and all(passed >> other & 1 or other in out for other in range(players)):
                self._finish()
                return events
            seat += 1
            if seat == players:
                seat = 0
                self.round += 1
            if out and seat in out:
                continue
            if self.can_place(seat):
                self.turn = seat
                self.left = 1 if self.round == 1 and seat < min(2, players - 1) else 2
                return events
            events.append(Event("play", seat, PASS))
            self.passed = passed = passed | 1 << seat

    def _next_leader(self, seat: int) -> bool:
        """Give the turn to the next seat with a leader to place; False if there is none, or no spot."""
        if not self.spots:
            return False
        for _ in self.leaders:
            seat += 1
            if seat == len(self.leaders):
                seat = 0
                self.round += 1
            if self.leaders[seat] and seat not in self.out:
                self.turn = seat
                return True
        return False

    # -- what it is worth

    def parts(self) -> list[dict[str, int]]:
        """Return the points by seat: water and oases as they come, areas and caravans once it is over."""
        area = caravan = [0] * self.setup.players
        if self.turn is None:
            area = [(mine & self.free).bit_count() for mine in self.areas]
            caravan = self._largest()
        return [
            {"water": water, "oasis": oasis, "area": spaces, "caravan": most}
            for water, oasis, spaces, most in zip(self.water, self.oasis, area, caravan, strict=True)
        ]

    def _largest(self) -> list[int]:
        """Return the points by seat for the largest caravans; nobody has the most of what nobody has."""
        points = [0] * self.setup.players
        camels = [standing.bit_count() for standing in self.own]
        for colour in range(len(COLOURS)):
            sizes = camels[colour :: len(COLOURS)]
            most = max(sizes)
            if most:
                bonus = MOST if sizes.count(most) == 1 else SHARED
                for seat, size in enumerate(sizes):
                    if size == most:
                        points[seat] += bonus
        return points

    # -- text forms and drawings

    def dump(self) -> dict[str, Any]:
        """Return the whole position: everything in desert is open."""
        return position.dump(self)

    def view(self) -> dict[str, str | int]:
        """Return what a drawing shows; see `picture.view` for the keys."""
        return picture.view(self)

    def diagram(self, marked: Collection[str] = ()) -> list[list[Span]]:
        """Return the board and the tables beside it for people."""
        return picture.diagram(self, marked)
