"""Joins referee and processes, and is the only reader of clocks.

A `Table` keeps the bots' processes over matches and plays one match at a time. It decides who gets a new
process and who keeps the old one, and completes a result by what only it knows: CPU time, stderr, what could
not be ended. The rules of a match are the referee's, the loop is `sitting`'s.
"""

from __future__ import annotations

import logging
import os
import select
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Self

from arena import preflight
from arena.errors import ArenaError
from arena.escape import printable
from arena.games.base import Game, State, load_game
from arena.launch import Launch, MachineError, StartError, plain
from arena.match import Bot, Clock, Fault, Limits, Match, Played, Result
from arena.player import Person, Program, StderrLog, Wire
from arena.process import Guardian
from arena.referee import Referee
from arena.sitting import Sitting

KEPT = 32  # idle programs that wait for their next match; beyond it the longest idle one is ended
STARTS = 4 * (os.cpu_count() or 1)  # programs starting at once: enough for any table, no stampede
LEAVE = 250  # milliseconds in which programs may leave after `quit`
BROKEN = 3  # failed starts in a row after which a bot is not started again
QUOTED = 300  # characters of stderr in a fault's sentence

_log = logging.getLogger(__name__)


# The time in nanoseconds of a clock that only ever goes forward and stands still in suspend.
ticks = time.monotonic_ns


def now() -> int:
    """Return the same in microseconds, the unit of all times here."""
    return ticks() // 1000


def wall() -> str:
    """Return date and time for people to read; nothing is ever measured by it."""
    return time.strftime("%Y-%m-%d %H:%M:%S %z")


def cpu(pid: int) -> float:
    """Return the CPU seconds that a process has used, with all its threads; 0 where it is gone."""
    try:
        return time.clock_gettime(~pid << 3 | 2)  # as clock_getcpuclockid(3) makes it
    except OSError:
        return 0.0


class OutOfResources(ArenaError):
    """The machine cannot start programs; the match is void, and no other can be played."""

    def __init__(self, text: str, result: Result) -> None:
        """Keep the void result for the record."""
        super().__init__(text)
        self.result = result


class Table:
    """Bots with their processes; leaving its scope ends them all.

    `launch` says what is really started for a bot: a sandbox goes there. `people` are bots by name that are
    functions (see `Person`). `logs` is a folder for stderr. `wire` is told all that is said.
    """

    def __init__(
        self,
        bots: Mapping[str, Bot],
        clock: Clock,
        limits: Limits,
        *,
        launch: Callable[[Bot, Limits], Launch] = plain,
        people: Mapping[str, Callable[[bytes], bytes]] | None = None,
        logs: Path | None = None,
        wire: Wire | None = None,
    ) -> None:
        """Start nothing yet but the bots' parent."""
        self._bots = bots
        self._clock = clock
        self._limits = limits
        self._launch = launch
        self._people = people or {}
        self._folder = logs
        self._wire = wire
        self._guardian = Guardian()
        self._games: dict[str, Game] = {}
        self._idle: dict[Program, None] = {}  # in the order in which they went idle
        self._busy: list[Program] = []
        self._logs: dict[str, StderrLog] = {}
        self._failures: dict[str, tuple[int, str]] = {}  # starts in a row that failed, and the last reason

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End all programs."""
        self.close()

    @property
    def broken(self) -> dict[str, str]:
        """Return the bots that are not started any more, with the last reason."""
        return {name: text for name, (count, text) in self._failures.items() if count >= BROKEN}

    def play(self, match: Match, watch: Callable[[State, Played | None], None] | None = None) -> Result:
        """Play one match; `watch` sees the position at the start and after each action.

        Whatever bots do is in the result. What is nobody's fault makes it void; OutOfResources where the
        machine cannot go on.
        """
        players = [self._seat(name) for name in match.bots]
        programs = self._busy = [player for player in players if isinstance(player, Program)]
        referee = Referee(
            match,
            self._game(match.game),
            self._clock,
            [player.talk for player in players],
            [player.ready for player in players],
            [number for number, player in enumerate(players) if isinstance(player, Person)],
        )
        fresh = [number for number, player in enumerate(players) if player.ready is None]
        sitting = Sitting(
            referee,
            players,
            ticks=ticks,
            start=self._start,
            stop=self._stop,
            starts=STARTS,
            wire=self._wire,
            watch=watch,
        )
        try:
            result = sitting.run()
        except MachineError as error:
            return self._give_up(referee, str(error))
        except Exception:
            # A game's own code may be anybody's. Nobody is blamed for its bugs, and the run goes on.
            _log.exception("match %s is void", match.id)
            self._end(programs)
            return self._void(referee, f"the arena or the game failed:\n{traceback.format_exc()}")
        result = self._complete(result, players)
        for number, player in enumerate(players):
            player.ready = referee.ready(number)
            if number in fresh:
                self._judge_start(result, number, player)
        return result

    def close(self) -> None:
        """Let all programs leave, end those that do not; harmless when repeated."""
        self._say_farewell([*self._idle, *self._busy])
        self._idle.clear()
        self._busy = []
        self._guardian.close()
        for log in self._logs.values():
            log.close()
        self._logs.clear()

    def abandon(self) -> None:
        """Have all programs ended now, from whichever thread; what is being played ends as it may.

        Nothing can be played afterwards; `close` is still to be called, by the thread that plays.
        """
        self._guardian.abandon()

    def _game(self, name: str) -> Game:
        """Return a game; looking one up among all installed packages takes a thousand times as long."""
        if name not in self._games:
            self._games[name] = load_game(name)
        return self._games[name]

    # Programs

    def _seat(self, name: str) -> Program | Person:
        """Return the bot's idle program if it has one; a bot that sits twice gets two."""
        if name in self._people:
            return Person(name, self._people[name])
        for program in self._idle:
            if program.name == name:
                del self._idle[program]
                return program
        return Program(self._bots[name])

    def _start(self, program: Program) -> None:
        """Start a bot's process; StartError says why not, with a hint how to mend it."""
        count, reason = self._failures.get(program.name, (0, ""))
        if count >= BROKEN:
            raise StartError(f"it failed {count} times in a row and is not tried again: {reason}")
        try:
            process = self._guardian.start(self._launch(program.bot, self._limits))
        except StartError as error:
            found = preflight.examine(program.bot)
            raise StartError("; ".join(found) or str(error), error.errno) from None
        program.process = process
        program.ended = None
        program.charged = 0.0
        process.log_to(self._sink(program))

    def _sink(self, program: Program) -> Callable[[bytes], None]:
        """Return what takes a bot's stderr besides the record."""
        name = program.name
        if self._folder is not None and name not in self._logs:
            self._logs[name] = StderrLog(self._folder / f"{name}.stderr", self._limits.stderr)
        log = self._logs.get(name)
        wire = self._wire

        def take(data: bytes) -> None:
            if log is not None:
                log.write(data)
            if wire is not None:
                wire(-1, name, "!", data)

        return take

    def _stop(self, program: Program) -> None:
        """Kill a bot's process with all that came of it."""
        self._end([program])

    def _end(self, programs: list[Program]) -> None:
        running = [program for program in programs if program.process is not None]
        processes = [program.process for program in running if program.process is not None]
        for program, ending in zip(running, self._guardian.end(processes), strict=True):
            program.note_end(ending)
            if ending.left:
                _log.warning("processes of %s could not be ended: %s", program.name, ending.left)

    def _say_farewell(self, programs: list[Program]) -> None:
        """Let programs leave together for a short while, then end them."""
        waiting = select.poll()
        pending = set()
        for program in programs:
            if program.process is not None:
                said = program.say_farewell()
                if said and self._wire is not None:
                    self._wire(-1, program.name, ">", said)
                waiting.register(program.process.pidfd, select.POLLIN)
                pending.add(program.process.pidfd)
        until = now() + LEAVE * 1000
        while pending and (left := until - now()) > 0:
            for fd, _ in waiting.poll(left // 1000 + 1):
                waiting.unregister(fd)
                pending.discard(fd)
        self._end(programs)

    # Results

    def _judge_start(self, result: Result, number: int, player: Program | Person) -> None:
        """Count the starts in a row of a bot that did not come as far as `ready`."""
        if player.ready is not None:
            self._failures.pop(player.name, None)
        elif not result.void:
            count, reason = self._failures.get(player.name, (0, ""))
            if count < BROKEN:
                reason = next(fault.text for fault in result.faults if fault.seat == number)
                self._failures[player.name] = (count + 1, reason)

    def _complete(self, result: Result, players: list[Program | Person]) -> Result:
        """Add what only the table knows, and keep or end the programs."""
        seconds = []
        at = now()
        for player in players:
            if isinstance(player, Person):
                seconds.append(0.0)
                continue
            used = max(player.charged, player.cpu(at, cpu))
            seconds.append(used - player.charged)
            player.charged = used
        self._release([player for player in players if isinstance(player, Program)])
        faults = tuple(self._explain(fault, players[fault.seat]) for fault in result.faults)
        return result._replace(cpu=tuple(seconds), faults=faults)

    def _release(self, programs: list[Program]) -> None:
        """Keep the programs that can play again; the others leave."""
        self._busy = []
        leaving = []
        for program in programs:
            if program.is_clean:
                assert program.process is not None
                self._idle[program] = None
            else:
                leaving.append(program)
        while len(self._idle) > KEPT:
            oldest = next(iter(self._idle))
            del self._idle[oldest]
            leaving.append(oldest)
        if leaving:
            self._say_farewell(leaving)

    def _explain(self, fault: Fault, player: Program | Person) -> Fault:
        """Add to a fault what the bot wrote last, and whether something of it is left."""
        if isinstance(player, Person):
            return fault
        text = fault.text
        lines = [line for line in player.tail.split("\n") if line.strip()]
        if lines:
            text += f'; its stderr ends with "{printable(lines[-1].strip())[-QUOTED:]}"'
        if player.ended is not None and player.ended.left:
            text += f"; processes that could not be ended: {', '.join(map(str, player.ended.left))}"
        return replace(fault, text=text, stderr=player.tail)

    def _void(self, referee: Referee, text: str) -> Result:
        return Result(referee.match, referee.setup, tuple(referee.actions), void=True, text=printable(text))

    def _give_up(self, referee: Referee, text: str) -> Result:
        """Make a match void that the machine did not let us play; begin anew where that may help."""
        lost = not self._guardian.alive
        self._end(self._busy)
        self._busy = []
        result = self._void(referee, text)
        if not lost:
            raise OutOfResources(
                f"match {referee.match.id} is void, and so would be the next: {text}", result
            )
        self._end(list(self._idle))
        self._idle.clear()
        self._guardian.close()
        self._guardian = Guardian()
        return result
