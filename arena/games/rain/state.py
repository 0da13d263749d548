"""A position of rain, and what a mushroom does to it.

The mushrooms of every line are kept as a text without gaps, so that a new one is an insertion and its points
are one look-up of the stretch around it. Where in the text is a count of bits: the taken spaces before it.

Whether a match can go on is kept up to date too: a bit for every four spaces that follow one another says
whether they could still score, and only when none can, a line is searched.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import product
from typing import Any

from arena.games.base import PASS, Event, Span, State
from arena.games.rain import picture, position, reasons
from arena.games.rain.board import COLOURS, EACH, FREE, POINTS, SHORT, STEPS, Board, may_score
from arena.games.rain.setup import HAND, PLAYERS, RainSetup

_HANDS = ["".join(hand) for size in range(1, HAND + 1) for hand in product(COLOURS, repeat=size)]
_HELD = {hand: [number for number, colour in enumerate(COLOURS) if colour in hand] for hand in _HANDS}
_RESTS = {hand: {colour: hand.replace(colour, "", 1) for colour in hand} for hand in _HANDS}
_DRAWS = [{drawn: [Event("draw", seat, drawn)] for drawn in _HANDS} for seat in range(max(PLAYERS))]


class RainState(State):
    """The mushrooms on the board and in the hands, the gems won, and whose turn it is."""

    __slots__ = (
        "bag",
        "board",
        "chain",
        "drawn",
        "gems",
        "hands",
        "holding",
        "hope",
        "last",
        "left",
        "line",
        "marks",
        "out",
        "rows",
        "setup",
        "taken",
        "turn",
        "watched",
        "words",
    )

    setup: RainSetup
    turn: int | None
    out: tuple[int, ...]

    def __init__(self, setup: RainSetup) -> None:
        self.setup = setup
        self.board: Board = setup.board
        self.turn = 0
        self.out = ()
        self.chain = 0  # mushrooms placed in this turn
        self.bag = setup.bag
        self.hands = setup.hands  # in the order drawn
        self.drawn = HAND * setup.players  # from the bag
        self.gems = [0] * setup.players
        self.left = [EACH] * len(COLOURS)  # by colour: neither placed nor gone with a seat
        self.marks = [FREE] * len(self.board.cells)  # the colour on each space
        self.taken = 0  # the spaces with a mushroom, as bits
        self.words = [list(words) for words in self.board.words]  # by colour: the actions for the free spaces
        self.rows = [""] * len(self.board.lines)  # the mushrooms of each line without the gaps
        self.holding = [0] * len(COLOURS)  # by colour: the windows that have a mushroom of it
        self.hope = self.board.windows  # the windows that could still score
        self.line = 0  # where there are none: the first line that could score
        self.watched = -1  # the spaces of that line, all before one was found; others change nothing
        self.last: tuple[int, str, int] | None = None  # seat, text and points of the newest action

    def legal(self) -> list[str]:
        """Return all legal actions, by colour and space."""
        seat = self.turn
        if seat is None:
            return []
        words = self.words
        found: list[str] = []
        for colour in _HELD[self.hands[seat]]:
            found += words[colour]
        return found

    def check(self, action: str) -> None:
        """Raise InvalidAction or IllegalAction unless the action is legal now."""
        known = self.board.actions.get(action)
        seat = self.turn
        if known is None or seat is None or known[3] & self.taken or known[0] not in self.hands[seat]:
            raise reasons.refusal(self, action)

    def play(self, action: str) -> list[Event]:
        """Place a mushroom; return the draw and the passes that follow."""
        known = self.board.actions.get(action)
        seat = self.turn
        if known is None or seat is None:
            raise reasons.refusal(self, action)
        colour, number, cell, bit, lower, windows, through = known
        hands = self.hands
        hand = hands[seat]
        taken = self.taken
        rest = _RESTS[hand].get(colour)
        if bit & taken or rest is None:
            raise reasons.refusal(self, action)
        rows = self.rows
        points = 0
        for line, before in through:
            row = rows[line]
            if not row:
                rows[line] = colour
                continue
            at = (taken & before).bit_count()
            if len(row) <= SHORT:
                rows[line], won = STEPS[row][at][number]
                points += won
            else:
                rows[line] = row = row[:at] + colour + row[at:]
                points += POINTS.get(row[at - 3 : at + 4] if at > 3 else row[: at + 4], 0)
        self.taken = taken | bit
        self.marks[cell] = colour
        place = cell - (taken & lower).bit_count()
        red, yellow, blue, green = self.words
        del red[place], yellow[place], blue[place], green[place]
        hands[seat] = rest
        self.last = (seat, action, points)
        holding = self.holding
        same = holding[number]
        holding[number] = same | windows
        same &= windows
        if same:  # a colour twice never scores
            self.hope &= ~same
        if points:
            self.gems[seat] += points
            self.hope &= ~(holding[0] & holding[1] & holding[2] & holding[3])  # nor does what has scored
        left = self.left
        left[number] -= 1
        if not left[number]:
            self._run_out(number)
        if not self.hope and bit & self.watched and not self._find_line():
            self._finish()
            return []
        if points and rest:
            self.chain += 1
            return []
        start = self.drawn
        drawn = self.bag[start : start + HAND - len(rest)]
        if drawn:
            self.drawn = start + len(drawn)
            hands[seat] = rest + drawn
            events = _DRAWS[seat][drawn][:]
        else:
            events = []
        seat += 1
        if seat == len(hands):
            seat = 0
        if hands[seat] and not self.out:  # as `_end_turn` does, without the call
            self.turn = seat
            self.chain = 0
            return events
        return self._end_turn(events)

    def _run_out(self, number: int) -> None:
        """Give up the windows that lack a colour of which none is left; the line watched may lack it too."""
        self.hope &= self.holding[number]
        self.watched = -1

    def count_colours(self) -> None:
        """Work out anew which mushrooms somebody holds or will draw."""
        held = [hand for seat, hand in enumerate(self.hands) if seat not in self.out]
        left = "".join(held) + self.bag[self.drawn :]
        self.left = [left.count(colour) for colour in COLOURS]
        for number, count in enumerate(self.left):
            if not count:
                self._run_out(number)

    def may_go_on(self) -> bool:
        """Tell whether somebody could still score."""
        return bool(self.hope) or self._find_line()

    def _find_line(self) -> bool:
        """Tell whether some line could still score where no window can, and watch the first such line.

        That takes mushrooms which stand farther apart than four spaces, and then a colour that has run out:
        with all colours left, the free spaces between two of them would be a window that can score. What
        cannot score never can again, so that no line needs a second look.
        """
        colours = frozenset([colour for colour, left in zip(COLOURS, self.left, strict=True) if left])
        if len(colours) == len(COLOURS):
            return False
        lines, marks = self.board.lines, self.marks
        for number in range(self.line, len(lines)):
            line = lines[number]
            if len(self.rows[number]) < len(line) and may_score([marks[cell] for cell in line], colours):
                self.line = number
                self.watched = sum([1 << cell for cell in line])
                return True
        return False

    def drop(self, seat: int) -> list[Event]:
        """Take a seat out with its hand; nothing changes in a match that is over."""
        if self.turn is None or seat in self.out:
            return []
        self.out += (seat,)
        self.count_colours()
        sides = 2 if self.setup.players == 4 else self.setup.players
        playing = {other % sides for other in range(self.setup.players) if other not in self.out}
        if len(playing) < 2 or not self.may_go_on():
            self._finish()
            return []
        return self._end_turn([]) if seat == self.turn else []

    def _finish(self) -> None:
        self.turn = None
        self.chain = 0

    def _end_turn(self, events: list[Event]) -> list[Event]:
        """Give the turn to the next seat with a mushroom; append the passes on the way.

        There always is one: while a line could still score, somebody in the match has mushrooms.
        """
        seat = self.turn
        assert seat is not None
        self.chain = 0
        hands, out = self.hands, self.out
        while True:
            seat += 1
            if seat == len(hands):
                seat = 0
            if hands[seat] and not (out and seat in out):
                self.turn = seat
                return events
            if seat not in out:
                events.append(Event("play", seat, PASS))

    def parts(self) -> list[dict[str, int]]:
        """Return the points by seat: own gems, with 3 players the next seat's too, with 4 the partner's."""
        gems, players = self.gems, self.setup.players
        if players == 2:
            return [{"gems": own} for own in gems]
        name, step = ("neighbour", 1) if players == 3 else ("partner", 2)
        return [{"gems": own, name: gems[(seat + step) % players]} for seat, own in enumerate(gems)]

    def dump(self) -> dict[str, Any]:
        """Return all that is open: everything but the order of the bag."""
        return position.dump(self)

    def view(self) -> dict[str, str | int]:
        """Return what a drawing shows; see `picture.view` for the keys."""
        return picture.view(self)

    def diagram(self, marked: Collection[str] = ()) -> list[list[Span]]:
        """Return the board and the hands for people."""
        return picture.diagram(self, marked)
