"""One match as a state machine: observations in, effects out.

An observation is a method call (`heard`, `ended`, `late`, …) with the time since the question was asked; what
is to be done about it comes back as a list of effects. The order of a match:

    begin ─→ Start(seat) ─ started ─→ Ask `arena` ─ heard `ready` ─→ Ask `game … start` ─ heard `ready` ─→ set
    all are set or out ─→ Ask `… go` ─ heard `move` ─→ Played, Ask the next ─→ … ─→ Send `end`, Finish

All seats begin at the same time; from the first `go` on one seat is asked at a time. Whatever a bot does is
judged only when an answer of it is due: one that answers and then ends has made its move.

No I/O, no clock, no processes: time is an argument in microseconds, bytes are handed in and out. The rules
are the game's, who may say what is `protocol.connection`'s.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from arena.effects import Ask, Effect, Finish, Open, Send, Stop
from arena.escape import printable
from arena.games.base import PASS, ActionError, Game, IllegalAction, places
from arena.games.base import Event as GameEvent
from arena.match import Clock, Fault, FaultKind, Match, Played, Result
from arena.seat import FOREVER, Seat, deal, plays
from protocol.connection import Connection, RemoteProtocolError, encode
from protocol.messages import End, Error, Event, Hello, Move, Moves, Out, Ready, Remark, position

VERSION = 1
ERROR_TEXT = 1000  # characters of an `error` line; more would only scroll


_new = tuple.__new__  # what a NamedTuple is made by, without its Python function: two for every action


class Referee:
    """Plays one match; every method is an observation and returns what is to be done."""

    def __init__(
        self,
        match: Match,
        game: Game,
        clock: Clock,
        talks: Sequence[Connection],
        readies: Sequence[Ready | None] = (),
        untimed: Collection[int] = (),
    ) -> None:
        """Take the seats' conversations: new ones, or such as have finished a match before.

        `readies` are what those said at their beginning. Seats in `untimed` have no deadline: a person's.
        """
        assert len(talks) == match.players
        self.match = match
        self._clock = clock
        self._untimed = frozenset(untimed)
        self._dealt = deal(game, match.players, match.seed, tuple(sorted(match.options.items())))
        self.setup = self._dealt.record
        self.state = game.start(self._dealt.setup)
        readies = readies or [None] * match.players
        self._seats = [
            Seat(number, talk, told, clock, timed=number not in self._untimed)
            for number, (talk, told) in enumerate(zip(talks, readies, strict=True))
        ]
        self.actions: list[Played] = []
        self._faults: list[Fault] = []
        self._started = False
        self._move = clock.move if not clock.increment else -1  # what takes longer changes the bank
        self._startup = clock.startup + clock.margin

    # Observations

    def begin(self) -> list[Effect]:
        """Begin the match: every seat gets its program or its set-up."""
        effects: list[Effect] = []
        for number, seat in enumerate(self._seats):
            if seat.talk.is_open:
                effects += self._deal(number)
            else:
                effects.append(Open(number))
        return effects or self._settled()

    def started(self, number: int) -> list[Effect]:
        """Its program runs: greet it."""
        seat = self._seats[number]
        return [self._greet(number, seat, "arena", seat.talk.send(Hello(VERSION)))]

    def failed(self, number: int, text: str) -> list[Effect]:
        """Its program cannot be started."""
        return self._fault(number, FaultKind.STARTUP, f"the program could not be started: {text}")

    def heard(self, number: int, data: bytes, used: int, stalled: int = 0) -> list[Effect]:
        """Bytes arrived so many microseconds after asking, of which we ourselves could not look `stalled`."""
        seat = self._seats[number]
        talk = seat.talk
        if not seat.due or used > seat.allowed:
            talk.receive(data)
            return self.late(number, used, stalled) if seat.due else []
        try:
            message = talk.hear(data)
            while type(message) is Remark:
                seat.remarks.append(message.text)
                message = talk.next()
        except RemoteProtocolError as error:
            return self._fault(number, FaultKind.PROTOCOL, str(error))
        if type(message) is not Move:
            # without a complete line there is nothing to do yet
            return self._ready(number, seat, message) if type(message) is Ready else []
        action = message.action
        try:
            events = self.state.play(action)
        except ActionError as error:
            return self._refuse(number, action, error)
        seat.due = ""
        if used > self._move:
            seat.charge(self._clock, used)
        remarks: tuple[str, ...] = ()
        if seat.remarks:
            remarks = tuple(seat.remarks)
            seat.remarks.clear()
        played = _new(Played, (number, action, used, remarks))
        self.actions.append(played)
        told = seat.plays[action]
        for other in self._seats:
            other.pending += told
        effects: list[Effect] = [played]
        if events:
            self._follow(events, effects)
        return self._next(effects)

    def ended(self, number: int, how: str) -> list[Effect]:
        """Its stream or its program ended, as "it …" says; what it sent before has been handed in."""
        seat = self._seats[number]
        if not seat.due:
            seat.gone = how
            return []
        if seat.is_kept and seat.due == "start":
            # It left after its last match, and we could not know when we greeted it: no fault of this match.
            seat.renew()
            return [Stop(number), Open(number)]
        unfinished = seat.talk.unfinished
        begun = f"; {unfinished}" if unfinished else ""
        return self._fault(number, FaultKind.CRASH, f"it {how} {self._while(seat)}{begun}")

    def late(self, number: int, used: int, stalled: int = 0) -> list[Effect]:
        """Its time passed without an answer, unless it was us who slept."""
        seat = self._seats[number]
        if stalled > self._clock.margin:
            name = self.match.bots[number]
            return self.void(
                f"the arena itself was not running for {_milli(stalled)} while {name} had its turn, which "
                f"took {_milli(used)}: nobody can tell whose time that was"
            )
        unfinished = seat.talk.unfinished
        begun = f"; {unfinished}" if unfinished else ""
        if seat.due == "go":
            given = self._clock.move + seat.bank
            bank = (
                f" and {_milli(seat.bank)} in the bank" if self._clock.bank or self._clock.increment else ""
            )
            text = (
                f"no answer to `go` for action {self._action_number()} after {_milli(used)}; it had "
                f"{_milli(self._clock.move)}{bank}, so it was {_milli(used - given)} late{begun}"
            )
            return self._fault(number, FaultKind.TIMEOUT, text)
        text = (
            f"no `ready` in answer to `{seat.due}` within the start-up time of {_milli(self._clock.startup)}"
        )
        return self._fault(number, FaultKind.STARTUP, f"{text}{begun}")

    def void(self, text: str) -> list[Effect]:
        """Nobody is to blame and nothing counts; the programs of this match are not to be trusted on."""
        result = Result(self.match, self.setup, tuple(self.actions), void=True, text=text)
        stops: list[Effect] = [
            Stop(number)
            for number, seat in enumerate(self._seats)
            if not seat.is_out and number not in self._untimed
        ]
        return [*stops, Finish(result)]

    @property
    def turn(self) -> int | None:
        """Return the seat that is asked for an action now."""
        return self.state.turn if self._started else None

    def is_due(self, number: int) -> bool:
        """Tell whether an answer of this seat is waited for."""
        return bool(self._seats[number].due)

    def is_greeting(self, number: int) -> bool:
        """Tell whether this seat's program has not said its first `ready` yet."""
        return self._seats[number].due == "arena"

    def talk(self, number: int) -> Connection:
        """Return a seat's conversation: the one that was given, unless its program had to be replaced."""
        return self._seats[number].talk

    def ready(self, number: int) -> Ready | None:
        """Return what a seat's bot said of itself, None where it never did."""
        return self._seats[number].told

    # From the greeting to the first turn

    def _ready(self, number: int, seat: Seat, ready: Ready) -> list[Effect]:
        if seat.due == "arena":
            seat.due = ""
            seat.hear(ready)
            return self._deal(number)
        seat.due = ""
        seat.is_set = True
        return self._settled()

    def _deal(self, number: int) -> list[Effect]:
        """Tell a seat its game."""
        seat = self._seats[number]
        try:
            data = seat.talk.deal(self._dealt.lines[number])
        except RemoteProtocolError as error:
            return self._fault(number, FaultKind.PROTOCOL, str(error))
        return [self._greet(number, seat, "start", data)]

    def _greet(self, number: int, seat: Seat, word: str, data: bytes) -> Ask:
        """Return a question to which the answer is `ready`."""
        seat.due = word
        seat.allowed = self._startup if seat.is_timed else FOREVER
        return Ask(number, data, seat.allowed)

    def _settled(self) -> list[Effect]:
        """Begin to play as soon as everybody is set or out."""
        for seat in self._seats:
            if not (seat.is_set or seat.is_out):
                return []
        self._started = True
        for seat in self._seats:
            seat.fill(self._clock, seat.bank)
        effects: list[Effect] = []
        # At the start all fail together: by seat, and the record keeps the order in which they went out.
        self._faults.sort(key=lambda fault: fault.seat)
        for fault in self._faults:
            self._drop(fault, effects)
        return self._next(effects)

    # From turn to turn

    def _follow(self, events: list[GameEvent], effects: list[Effect]) -> None:
        """Tell and record what followed from an action or from a seat's end."""
        for event in events:
            if event.is_pass:
                played = Played(event.seat, PASS, 0)
                self.actions.append(played)
                effects.append(played)
                told = plays(event.seat)[PASS]
            else:
                told = encode(Event(event.kind, event.seat, event.text))
            for seat in self._seats:
                seat.pending += told

    def _next(self, effects: list[Effect]) -> list[Effect]:
        """Ask the seat whose turn it is; where it is at fault already, the one after it."""
        while True:
            number = self.state.turn
            if number is None:
                return self._finish(effects)
            seat = self._seats[number]
            if not seat.gone:
                told = self._wanted(seat) if seat.wants else seat.pending
                try:
                    data = seat.talk.ask(told, seat.question)
                except RemoteProtocolError as error:
                    fault = self._note(number, FaultKind.PROTOCOL, str(error), effects)
                else:
                    seat.pending = b""
                    seat.due = "go"
                    effects.append(_new(Ask, (number, data, seat.allowed)))
                    return effects
            else:
                text = (
                    f"it {seat.gone} after its last answer, before action {self._action_number()} was asked"
                )
                fault = self._note(number, FaultKind.CRASH, text, effects)
            self._drop(fault, effects)

    def _wanted(self, seat: Seat) -> bytes:
        """Return all that a seat is told before `go`, with the position and the actions that it wants."""
        told = seat.pending
        if seat.wants_state:
            told += encode(position(self.state.dump()))
        if seat.wants_moves:
            told += encode(Moves(tuple(self.state.legal())))
        return told

    def _finish(self, effects: list[Effect]) -> list[Effect]:
        state = self.state
        parts = tuple(state.parts())
        scores = tuple(sum(points.values()) for points in parts)
        ranks = tuple(places(scores, state.out, [fault.seat for fault in self._faults]))
        end = End(scores, ranks)
        told = encode(end)
        for number, seat in enumerate(self._seats):
            if not seat.is_out:
                effects.append(Send(number, seat.pending + seat.talk.send(end, told)))
        result = Result(
            self.match,
            self.setup,
            tuple(self.actions),
            scores,
            parts,
            ranks,
            tuple(self._faults),
            told=tuple(seat.told.told() if seat.told else {} for seat in self._seats),
        )
        effects.append(Finish(result))
        return effects

    # Faults

    def _refuse(self, number: int, action: str, error: ActionError) -> list[Effect]:
        """Take a seat out for an action that cannot be played."""
        said = f"{action} as action {self._action_number()}"
        if isinstance(error, IllegalAction):
            return self._fault(number, FaultKind.ILLEGAL, f"{said} is against the rules: {error}")
        return self._fault(number, FaultKind.PROTOCOL, f"{said} cannot be read: {error}")

    def _fault(self, number: int, kind: FaultKind, text: str) -> list[Effect]:
        """Take a seat out and go on with the others."""
        effects: list[Effect] = []
        fault = self._note(number, kind, text, effects)
        if not self._started:
            return effects + self._settled()
        self._drop(fault, effects)
        return self._next(effects)

    def _note(self, number: int, kind: FaultKind, text: str, effects: list[Effect]) -> Fault:
        seat = self._seats[number]
        text = printable(text)
        fault = Fault(number, kind, len(self.actions), text)
        self._faults.append(fault)
        seat.is_out = True
        seat.due = ""
        if seat.talk.is_open:
            words = text.encode("ascii", "backslashreplace").decode()[:ERROR_TEXT]
            effects.append(Send(number, seat.talk.send(Error(words))))
        effects.append(Stop(number))
        return fault

    def _drop(self, fault: Fault, effects: list[Effect]) -> None:
        told = encode(Out(fault.seat, fault.kind.value))
        for seat in self._seats:
            seat.pending += told
        self._follow(self.state.drop(fault.seat), effects)

    def _action_number(self) -> int:
        """Return the number of the action being asked for, as people count."""
        return len(self.actions) + 1

    def _while(self, seat: Seat) -> str:
        if seat.due == "go":
            return f"when action {self._action_number()} was due"
        return f"when `ready` was due in answer to `{seat.due}`"


def _milli(micros: int) -> str:
    """Return a time for people."""
    if micros >= 10_000_000:
        return f"{micros / 1e6:.1f} s"
    return f"{micros / 1000:.0f} ms" if micros >= 10_000 else f"{micros / 1000:.1f} ms"
