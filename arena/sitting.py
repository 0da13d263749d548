"""One match being played: the loop between a referee and the players at its seats.

Everything is waited for in one poll: answers, stderr, exits, room to write. One write and one read an
action. What comes is stamped and handed to the referee at once; what the referee wants is done at once.
Starting and ending programs is the table's business, reading the clock the driver's: both are given.
"""

from __future__ import annotations

import select
from collections import deque
from collections.abc import Callable, Sequence

from arena.effects import Ask, Effect, Finish, Open, Send, Stop
from arena.games.base import State
from arena.launch import StartError
from arena.match import Played, Result
from arena.player import Person, Program, Wire
from arena.process import Process
from arena.referee import Referee

# How long one look may last, in milliseconds. A driver that looks this often knows when it was not running:
# a longer gap is its own, not the bot's.
SLICE = 10
GLANCE = 1  # the same for the first look after a question, at nothing but the answer: most bots are as quick
NOTICED = 5_000_000  # nanoseconds that a look may last longer before that counts as not running
GRACE = 100  # milliseconds from the end of a bot's stdout to its exit, to tell "exited" from "closed stdout"
UNREAD = 128 << 10  # bytes taken from a bot that was not asked; more stays in its pipe, which blocks it
MICRO, MILLI = 1000, 1_000_000  # nanoseconds: what is counted here; a referee counts microseconds
OUT, ERR, EXIT, IN = range(4)


class Sitting:
    """Plays one match to its result."""

    def __init__(
        self,
        referee: Referee,
        players: Sequence[Program | Person],
        *,
        ticks: Callable[[], int],
        start: Callable[[Program], None],
        stop: Callable[[Program], None],
        starts: int,
        wire: Wire | None = None,
        watch: Callable[[State, Played | None], None] | None = None,
    ) -> None:
        """Take all that is needed; `ticks` is a clock in nanoseconds.

        `starts` bounds how many programs are starting at the same time.
        """
        self._referee = referee
        self._players = players
        self._ticks = ticks
        self._start = start
        self._stop = stop
        self._starts = starts
        self._wire = wire
        self._watch = watch
        self._poller = select.poll()
        self._roles: dict[int, tuple[int, int]] = {}  # by descriptor: seat, role
        self._until: dict[int, int] = {}  # deadlines by seat
        self._asked = [0] * len(players)
        self._waiting: deque[int] = deque()  # seats whose program is to be started
        self._starting: set[int] = set()
        self._unread = [0] * len(players)
        self._processes: list[Process | None] = [None] * len(players)
        self._looked = ticks()
        self._stalled = 0  # nanoseconds that we did not run since the last question
        self._result: Result | None = None

    def run(self) -> Result:
        """Play; StartError is dealt with here, MachineError is not."""
        for number, player in enumerate(self._players):
            if isinstance(player, Program) and player.process is not None:
                self._attend(number, player)
        if self._watch is not None:
            self._watch(self._referee.state, None)
        self._do(self._referee.begin())
        poll, ticks, until, roles = self._poller.poll, self._ticks, self._until, self._roles
        is_plain = self._wire is None and self._watch is None
        result: Result | None = self._result
        while result is None:
            if is_plain and len(until) == 1 and not self._waiting:
                self._take_turns()
                if self._result is not None:
                    return self._result
            before = self._looked
            soonest = min(until.values()) if until else before
            left = soonest - before
            wait = SLICE if left > SLICE * MILLI else left // MILLI + 1 if left > 0 else 0
            events = poll(wait)
            at = self._looked = ticks()
            if at - before > wait * MILLI + NOTICED:
                self._stalled += at - before - wait * MILLI
            for fd, _ in events:
                role = roles.get(fd)
                if role is not None:  # what was done for an event before it may have closed it
                    self._handle(fd, *role, at)
                    if self._result is not None:
                        break
            else:
                if at > soonest and until:
                    self._expire(at)
            result = self._result
        return result

    def _take_turns(self) -> None:
        """Play turn after turn, as long as quick answers come and nothing else: the common case, in one loop.

        Whatever else there is (silence, other events, a fault, the end) is left for `run`, whose poll tells.
        """
        ((number, until),) = self._until.items()
        asked, before, stalled = self._asked[number], self._looked, self._stalled
        process = self._processes[number]
        if before != asked or process is None:
            return
        ticks, heard, processes, unread = self._ticks, self._referee.heard, self._processes, self._unread
        glance, noticed = GLANCE * MILLI, GLANCE * MILLI + NOTICED
        allowed = (until - asked) // MICRO
        nothing: list[Effect] = []
        effects = nothing
        while allowed > GLANCE * 1000:
            try:
                data = process.take()  # on a shared core a quick bot has answered before our write returned
            except BlockingIOError:
                data = process.take() if process.wait(GLANCE) else b""
            before = ticks()
            used = before - asked
            if used > noticed:
                stalled += used - glance
            effects = heard(number, data, used // MICRO, stalled // MICRO) if data else nothing
            if len(effects) != 2:
                break
            question = effects[1]
            if type(question) is not Ask or unread[question[0]]:
                break
            number, line, allowed = question
            process = processes[number]
            if process is None:
                break
            effects = nothing
            asked = before = ticks()  # before the write: see `_ask`
            stalled = 0
            if not process.write(line):
                self._listen(process.stdin, number, IN, select.POLLOUT)
        self._looked, self._stalled = before, stalled
        self._until.clear()
        if effects:
            self._do(effects)
        else:
            self._until[number] = asked + allowed * MICRO
            self._asked[number] = asked

    # What happens

    def _handle(self, fd: int, number: int, role: int, at: int) -> None:
        process = self._processes[number]
        assert process is not None
        if role == OUT:
            data = process.read()
            if data:
                self._hear(number, data, at)
            elif data is not None:
                self._ignore(fd)
                if not self._referee.is_due(number) or not process.exited(GRACE):
                    self._do(self._referee.ended(number, "closed its stdout"))
                # Otherwise the exit is the next event, and says more.
        elif role == ERR:
            if not process.drain(1):
                self._ignore(fd)
        elif role == IN:
            if process.flush():
                self._ignore(fd)
        else:
            self._exited(number, process, at)

    def _hear(self, number: int, data: bytes, at: int) -> None:
        """Hand on what a bot said."""
        referee = self._referee
        if self._wire is not None:
            self._wire(number, self._players[number].name, "<", data)
        if number not in self._until:  # it was not asked
            self._unread[number] += len(data)
            if self._unread[number] > UNREAD:
                self._pause(number)
        used = at - self._asked[number]
        effects = referee.heard(number, data, used // MICRO, self._stalled // MICRO)
        if effects:
            self._until.pop(number, None)
            self._do(effects)
        if self._starting or self._waiting:
            self._starting -= {seat for seat in self._starting if not referee.is_greeting(seat)}
            self._open()

    def _exited(self, number: int, process: Process, at: int) -> None:
        """The program has ended: take what it said before, then tell."""
        self._ignore(process.pidfd)
        for _ in range(4):
            data = process.read() if process.stdout in self._roles else None
            if not data:
                break
            self._hear(number, data, at)
            if self._result is not None or self._processes[number] is None:
                return
        process.drain()
        self._do(self._referee.ended(number, process.how()))

    def _expire(self, at: int) -> None:
        """Tell the referee of every deadline that has passed."""
        for number, until in list(self._until.items()):
            if at > until and self._result is None and self._referee.is_due(number):
                del self._until[number]
                used = at - self._asked[number]
                self._do(self._referee.late(number, used // MICRO, self._stalled // MICRO))

    # What is to be done

    def _do(self, effects: list[Effect]) -> None:
        for effect in effects:
            if isinstance(effect, Ask):
                self._ask(*effect)
            elif isinstance(effect, Played):
                if self._watch is not None:
                    self._watch(self._referee.state, effect)
            elif isinstance(effect, Send):
                self._send(effect.seat, effect.data)
            elif isinstance(effect, Stop):
                self._dismiss(effect.seat)
            elif isinstance(effect, Open):
                self._waiting.append(effect.seat)
            elif isinstance(effect, Finish):
                self._result = effect.result
        if self._waiting and self._result is None:
            self._open()

    def _ask(self, number: int, data: bytes, allowed: int) -> None:
        process = self._processes[number]
        if process is None:
            self._ask_person(number, data)
            return
        if self._unread[number]:
            if self._unread[number] > UNREAD:
                self._listen(process.stdout, number, OUT)
            self._unread[number] = 0
        if self._wire is not None:
            self._wire(number, self._players[number].name, ">", data)
        # Stamped before the write: on a shared core the bot may have answered by the time that it returns.
        at = self._looked = self._asked[number] = self._ticks()
        if not self._until:  # at the start others may be waiting since before
            self._stalled = 0
        if not process.write(data):
            self._listen(process.stdin, number, IN, select.POLLOUT)
        self._until[number] = at + allowed * MICRO

    def _ask_person(self, number: int, data: bytes) -> None:
        person = self._players[number]
        assert isinstance(person, Person)
        asked = self._ticks()
        answer = person.answer(data)
        effects = self._referee.heard(number, answer, (self._ticks() - asked) // MICRO) if answer else []
        if not effects and self._referee.is_due(number):
            effects = self._referee.ended(number, "left")
        self._looked = self._ticks()
        self._do(effects)

    def _send(self, number: int, data: bytes) -> None:
        player = self._players[number]
        if self._wire is not None:
            self._wire(number, player.name, ">", data)
        if isinstance(player, Person):
            player.answer(data)
        elif player.process is not None and not player.process.write(data):
            self._listen(player.process.stdin, number, IN, select.POLLOUT)

    def _dismiss(self, number: int) -> None:
        """End a program, and wait for it no longer."""
        self._until.pop(number, None)
        self._starting.discard(number)
        if number in self._waiting:
            self._waiting.remove(number)
        player = self._players[number]
        if isinstance(player, Program) and player.process is not None:
            for fd in [fd for fd, (seat, _) in self._roles.items() if seat == number]:
                self._ignore(fd)
            self._processes[number] = None
            self._stop(player)

    def _open(self) -> None:
        """Start programs as long as not too many are starting."""
        while self._waiting and len(self._starting) < self._starts and self._result is None:
            number = self._waiting.popleft()
            player = self._players[number]
            if isinstance(player, Program):
                player.talk = self._referee.talk(number)
                try:
                    self._start(player)
                except StartError as error:
                    self._do(self._referee.failed(number, str(error)))
                    continue
                self._attend(number, player)
                self._starting.add(number)
            self._do(self._referee.started(number))

    # The poll set

    def _attend(self, number: int, player: Program) -> None:
        process = player.process
        assert process is not None
        self._processes[number] = process
        self._listen(process.stdout, number, OUT)
        self._listen(process.stderr, number, ERR)
        self._listen(process.pidfd, number, EXIT)

    def _listen(self, fd: int, number: int, role: int, event: int = select.POLLIN) -> None:
        self._roles[fd] = (number, role)
        self._poller.register(fd, event)

    def _ignore(self, fd: int) -> None:
        if self._roles.pop(fd, None) is not None:
            self._poller.unregister(fd)

    def _pause(self, number: int) -> None:
        process = self._processes[number]
        if process is not None:
            self._ignore(process.stdout)
