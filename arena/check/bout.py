"""A game between the bot under examination and others that play at random in memory.

The referee is the same as in any match, and so are the sentences about faults; only the loop is another,
because a trial wants to change lines on their way, stop early, or let a seat fail on purpose.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from arena.check.talk import Talk
from arena.check.verdict import Failed
from arena.effects import Ask, Effect, Finish, Open, Send, Stop
from arena.games.base import Game
from arena.match import Clock, Fault, FaultKind, Match
from arena.referee import Referee
from protocol.connection import Connection, Side
from protocol.messages import Ready

HINTS = {
    FaultKind.STARTUP: "answer `arena` with `ready` at once, flush after the line, and load big things "
    "before `ready` only as far as the start-up time allows",
    FaultKind.CRASH: "its stderr says why, if anything does; run the command by hand and type the lines that "
    "begin with > (without the >)",
    FaultKind.TIMEOUT: "flush after each line, look at the milliseconds of `go`, and answer every `go`, also "
    "the second of a turn",
    FaultKind.ILLEGAL: "compare your rules with `arena games {game}`, or say `ready wants=moves` and take an "
    "action from the `moves` line; your own plays come back as `play`, so do not count them twice",
    FaultKind.PROTOCOL: "only `ready`, `move` and remarks belong on stdout; see protocol/SPEC.md",
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What game a trial plays, and what is special about it."""

    players: int = 2
    seat: int = 0
    options: dict[str, str] = field(default_factory=dict)
    seed: int = 1
    most: int | None = None  # of the bot's own actions, after which the game is broken off
    grow: Callable[[str], list[str]] | None = None  # what becomes of each line to the bot
    pieces: int = 0  # lines are cut into so many pieces
    drop: int | None = None  # this seat fails at its first action
    quiet: int = 0  # microseconds after each of the bot's answers in which it must not speak


@dataclass(slots=True)
class Record:
    """What came of a game."""

    actions: list[str] = field(default_factory=list)  # of all seats
    times: list[int] = field(default_factory=list)  # of the bot's own actions, microseconds
    remarks: int = 0  # of the bot
    finished: bool = False


class Bout:
    """Plays games with one started bot, one after the other."""

    def __init__(self, talk: Talk, game: Game, clock: Clock, now: Callable[[], int]) -> None:
        """Take a bot that has not been greeted yet."""
        self.talk = talk
        self.game = game
        self.clock = clock
        self.now = now
        self.connection = Connection(Side.REFEREE)
        self.ready: Ready | None = None

    def play(self, plan: Plan) -> Record:
        """Play one game; Failed says what the bot did wrong in it."""
        return _Playing(self, plan).run()


class _Playing:
    """One game under way."""

    def __init__(self, bout: Bout, plan: Plan) -> None:
        self.bout = bout
        self.plan = plan
        self.talk = bout.talk
        self.now = bout.now
        self.chance = random.Random(plan.seed)
        self.record = Record()
        match = Match(
            "check", "check", 0, bout.game.name, plan.options, plan.seed,
            tuple("bot" if seat == plan.seat else f"random{seat}" for seat in range(plan.players)),
        )  # fmt: skip
        mine = [seat == plan.seat for seat in range(plan.players)]
        talks = [bout.connection if own else Connection(Side.REFEREE) for own in mine]
        readies = [bout.ready if own else None for own in mine]
        self.referee = Referee(match, bout.game, bout.clock, talks, readies)

    def run(self) -> Record:
        effects: deque[Effect] = deque(self.referee.begin())
        while effects:
            effect = effects.popleft()
            if isinstance(effect, Finish):
                self._judge(effect.result.faults)
                self.record.finished = True
                break
            if isinstance(effect, Open):
                effects.extend(self.referee.started(effect.seat))
            elif isinstance(effect, Send):
                if effect.seat == self.plan.seat:
                    self._say(effect.data)
            elif isinstance(effect, Ask):
                if effect.seat == self.plan.seat:
                    if self._is_enough(effect):
                        break
                    effects.extend(self._ask(effect))
                else:
                    effects.extend(self._other(effect))
            elif isinstance(effect, Stop) and effect.seat == self.plan.seat:
                continue  # the verdict follows with Finish; the process is the trial's
        self.bout.ready = self.referee.ready(self.plan.seat)
        self.record.actions = [played.text for played in self.referee.actions]
        self.record.remarks = sum(len(played.remarks) for played in self.referee.actions)
        return self.record

    def _is_enough(self, ask: Ask) -> bool:
        """Tell whether the game is to be broken off before this question."""
        asked = ask.data.rsplit(b"\n", 2)[-2].startswith(b"go ")
        return asked and len(self.record.times) == self.plan.most

    def _say(self, data: bytes) -> None:
        if self.plan.grow is not None:
            lines = data.decode("ascii").split("\n")[:-1]
            data = "".join(f"{line}\n" for old in lines for line in self.plan.grow(old)).encode("ascii")
        if self.plan.pieces:
            self.talk.say_in_pieces(data, self.plan.pieces, 5_000)
        else:
            self.talk.say(data)

    def _ask(self, ask: Ask) -> list[Effect]:
        """Ask the bot and wait for its answer."""
        seat, referee = ask.seat, self.referee
        self._say(ask.data)
        asked = self.now()
        until = asked + ask.allowed
        acting = ask.data.rsplit(b"\n", 2)[-2].startswith(b"go ")
        while True:
            data = self.talk.wait(until)
            at = self.now()
            if data is None:
                return referee.late(seat, max(at - asked, ask.allowed + 1))
            if not data:
                self.talk.process.exited(100)
                exited = self.talk.process.exited()
                how = self.talk.process.how() if exited else "closed its stdout"
                return referee.ended(seat, how)
            effects = referee.heard(seat, data, at - asked)
            if effects or not referee.is_due(seat):
                break
        if acting:
            self.record.times.append(at - asked)
        if self.plan.quiet:
            self._listen_idly()
        return effects

    def _listen_idly(self) -> None:
        """Give the bot a while in which it must say nothing but remarks."""
        until = self.now() + self.plan.quiet
        while data := self.talk.wait(until):
            if any(line.strip(b" \t\r")[:1] != b"#" for line in data.split(b"\n")[:-1] or [data]):
                raise Failed(
                    "it spoke when it was not asked",
                    "say one `ready` for `arena` and for `start`, one `move` for each `go`, and nothing else",
                )

    def _other(self, ask: Ask) -> list[Effect]:
        """Answer for a seat that plays at random."""
        referee, seat = self.referee, ask.seat
        if not ask.data.rsplit(b"\n", 2)[-2].startswith(b"go "):
            return referee.heard(seat, b"ready\n", 0)
        if seat == self.plan.drop:
            return referee.ended(seat, "failed on purpose")
        legal = referee.state.legal()
        action = legal[int(self.chance.random() * len(legal))]
        return referee.heard(seat, f"move {action}\n".encode(), 0)

    def _judge(self, faults: tuple[Fault, ...]) -> None:
        for fault in faults:
            if fault.seat == self.plan.seat:
                raise Failed(fault.text, HINTS[fault.kind].format(game=self.bout.game.name))
