"""Runs trials on one bot: each with a process of its own, on and on after failures, one verdict each.

A trial is a function that returns a sentence or raises Failed, Noted or Skipped. What it needs, other trials
that must have passed, is named; so a bot that never says `ready` is not asked to play thirty times.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from arena import preflight
from arena.check.bout import Bout, Plan, Record
from arena.check.talk import Talk
from arena.check.verdict import Failed, Noted, Outcome, Skipped, Verdict
from arena.escape import printable_lines
from arena.games.base import Game
from arena.launch import Launch, StartError
from arena.match import Bot, Clock, Limits
from arena.process import Guardian, Process
from protocol.connection import Phase
from protocol.messages import Quit, Ready

STDERR = 20  # lines of stderr in a verdict
SECOND = 1_000_000
LEAVE = 3 * SECOND  # in which a bot leaves that has been told to; a tournament is less patient


@dataclass(frozen=True, slots=True)
class Trial:
    """One thing that is tried: its name, how, and what must have passed before."""

    name: str
    run: Callable[..., str]  # its docstring is what a good bot does
    needs: tuple[str, ...] = ()
    args: tuple[Any, ...] = ()  # after the examination; the docstring may name them, as {0}

    @property
    def title(self) -> str:
        """Return what a good bot does, as people read it."""
        told = (self.run.__doc__ or self.name).split("\n")[0].strip().rstrip(".").format(*self.args)
        return told[0].lower() + told[1:]


@dataclass(slots=True)
class Seen:
    """What was seen over all trials, for those that look back."""

    ready: Ready | None = None
    times: list[int] = field(default_factory=list)  # of all actions, microseconds
    remarks: int = 0
    stderr: int = 0


class Examination:
    """One bot, one game, and the means to start the bot; leaving its scope ends everything."""

    def __init__(
        self,
        bot: Bot,
        game: Game,
        clock: Clock,
        *,
        now: Callable[[], int],
        cpu: Callable[[int], float],
        launch: Callable[[Bot, Limits], Launch],
        limits: Limits | None = None,
    ) -> None:
        """Start nothing yet but the bot's parent."""
        self.bot = bot
        self.game = game
        self.clock = clock
        self.now = now
        self.cpu = cpu
        self.seen = Seen()
        self._launch = launch
        self._limits = limits or Limits()
        self._guardian = Guardian()
        self._talks: list[Talk] = []

    def __enter__(self) -> Self:
        """Return itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End everything."""
        self._guardian.close()

    def run(self, trials: Sequence[Trial]) -> Iterator[Verdict]:
        """Run trials in their order, and give out a verdict after each."""
        failed: set[str] = set()
        for trial in trials:
            missing = [name for name in trial.needs if name in failed]
            if missing:
                failed.add(trial.name)
                text = f"not tried, because the trial `{missing[0]}` has failed"
                yield Verdict(trial.name, trial.title, Outcome.UNTRIED, text)
                continue
            verdict = self._try(trial)
            if verdict.outcome is Outcome.FAILED:
                failed.add(trial.name)
            yield verdict

    def _try(self, trial: Trial) -> Verdict:
        hint, conversation, stderr = "", tuple[str, ...](), ""
        try:
            text = trial.run(self, *trial.args)
            outcome = Outcome.PASSED
        except Noted as note:
            text, outcome = str(note), Outcome.NOTED
        except Skipped as reason:
            text, outcome = str(reason), Outcome.SKIPPED
        except Failed as failure:
            text, hint, outcome = str(failure), failure.hint, Outcome.FAILED
        for talk in self._talks:
            talk.end()
            self.seen.stderr += talk.stderr_size
        if outcome is Outcome.FAILED and self._talks:
            talk = self._talks[-1]
            conversation = talk.conversation()
            stderr = "\n".join(printable_lines(talk.stderr.strip())[-STDERR:])
        self._talks.clear()
        return Verdict(trial.name, trial.title, outcome, text, hint, conversation, stderr)

    # What trials do with the bot

    def start(self) -> Talk:
        """Start the bot; Failed where it cannot be started."""
        try:
            process: Process = self._guardian.start(self._launch(self.bot, self._limits))
        except StartError as error:
            found = preflight.examine(self.bot)
            hint = "the command is started as it is, without a shell; relative paths count from here"
            raise Failed("; ".join(found) or str(error), hint) from None
        talk = Talk(process, self.now)
        self._talks.append(talk)
        return talk

    def bout(self, clock: Clock | None = None) -> Bout:
        """Start the bot for games."""
        return Bout(self.start(), self.game, clock or self.clock, self.now)

    def play(self, bout: Bout, plan: Plan) -> Record:
        """Play a game and take note of what was seen."""
        record = bout.play(plan)
        self.seen.ready = bout.ready or self.seen.ready
        self.seen.times += record.times
        self.seen.remarks += record.remarks
        return record

    def game_of(self, plan: Plan, clock: Clock | None = None) -> Record:
        """Play one game with a new process, which then has to leave."""
        bout = self.bout(clock)
        record = self.play(bout, plan)
        self.dismiss(bout)
        return record

    def dismiss(self, bout: Bout) -> None:
        """Say `quit` where that is possible; whether the bot heeds it is a trial of its own."""
        if bout.connection.phase is not Phase.LEAVING:
            bout.talk.say(bout.connection.send(Quit()))
