"""What is done before the first match: every bot is built, looked at, started and greeted, all at once.

What is wrong is told for all bots together, with hints, so that one look at one message mends a file. After
this nothing has been played and nothing runs any more.
"""

from __future__ import annotations

import dataclasses
import logging
import select
from collections import deque
from collections.abc import Callable, Iterable, Sequence

from arena import preflight
from arena.errand import run
from arena.errors import UserError
from arena.escape import printable_lines
from arena.launch import Launch, StartError, describe
from arena.match import Bot, Limits
from arena.process import Guardian, Process
from protocol.connection import CLOSED, NEED_DATA, Connection, RemoteProtocolError, Side
from protocol.messages import Hello, Quit, Ready

_log = logging.getLogger(__name__)

VERSION = 1  # of the protocol
BUILD_TIME = 15 * 60 * 1_000_000  # µs: a large Rust bot on a small machine takes minutes
BUILD_MEMORY = 8 << 30  # compilers need more than the bots that they make
BUILD_PROCESSES = 1024
SHOWN = 40  # lines of a failed build's output; the mistake stands near the end
STDERR = 10  # lines of a bot's stderr in a message
LEAVE = 100  # ms from the end of a bot's stdout to its exit

Launcher = Callable[[Bot, Limits], Launch]


def build(
    bots: Iterable[Bot],
    limits: Limits,
    launch: Launcher,
    now: Callable[[], int],
    tell: Callable[[str], None] = lambda text: None,
) -> None:
    """Run every build command once; UserError with the output of all that fail."""
    wide = dataclasses.replace(
        limits,
        memory=max(limits.memory, BUILD_MEMORY),
        processes=max(limits.processes, BUILD_PROCESSES),
        file_size=max(limits.file_size, BUILD_MEMORY),
        cpu=0,
    )
    failed = []
    done: set[tuple[object, ...]] = set()
    for bot in bots:
        if not bot.build or (bot.build, bot.folder) in done:
            continue
        done.add((bot.build, bot.folder))
        tell(f"building {bot.name}")
        try:
            ran = run(launch(bot, wide), timeout=BUILD_TIME, now=now)
        except StartError as error:
            failed.append(f"the build of {bot.name} could not be started: {error}")
            continue
        _log.info("build of %s %s", bot.name, describe(ran.status))
        if ran.status != 0:
            ending = "took too long" if ran.status is None else describe(ran.status)
            failed.append(f"the build of {bot.name} {ending}:{_quote(ran.stdout + ran.stderr, SHOWN)}")
    if failed:
        raise UserError("\n".join([*failed, "nothing was played"]))


def rehearse(
    bots: Sequence[Bot],
    limits: Limits,
    launch: Launcher,
    startup: int,
    now: Callable[[], int],
    at_once: int,
) -> None:
    """Look at every bot, start it and wait for its `ready`; UserError with all that is wrong.

    `startup` is the time for `ready` in microseconds, `at_once` how many start at the same time.
    """
    found = {bot.name: preflight.examine(bot) for bot in bots}
    sound = [bot for bot in bots if not found[bot.name]]
    with Guardian() as guardian:
        problems = _Greetings(guardian, limits, launch, startup, now).run(sound, at_once)
    lines = [
        f"  {bot.name}: {text}" for bot in bots for text in [*found[bot.name], *problems.get(bot.name, [])]
    ]
    if lines:
        count = len({bot.name for bot in bots if found[bot.name] or bot.name in problems})
        head = f"{count} of {len(bots)} bots cannot play; nothing was played:"
        raise UserError("\n".join([head, *lines]))


class _Greetings:
    """The conversations with bots that are asked for their `ready`."""

    def __init__(
        self, guardian: Guardian, limits: Limits, launch: Launcher, startup: int, now: Callable[[], int]
    ) -> None:
        self._guardian, self._limits, self._launch = guardian, limits, launch
        self._startup, self._now = startup, now
        self._poller = select.poll()
        self._open: dict[str, tuple[Process, Connection, int]] = {}  # by bot: until when it has time
        self._names: dict[int, str] = {}  # by descriptor
        self._explain: dict[str, Callable[[int | None, str], str] | None] = {}
        self._leaving: list[Process] = []
        self._problems: dict[str, list[str]] = {}

    def run(self, bots: Iterable[Bot], at_once: int) -> dict[str, list[str]]:
        """Greet all; return what is wrong by bot."""
        waiting = deque(bots)
        while waiting or self._open:
            while waiting and len(self._open) < at_once:
                self._greet(waiting.popleft())
            if not self._open:
                continue
            soonest = min(until for _, _, until in self._open.values())
            ready = self._poller.poll(max(0, soonest - self._now()) // 1000 + 1)
            for name in {self._names[descriptor] for descriptor, _ in ready}:
                self._hear(name)
            at = self._now()
            for name, (_, talk, until) in list(self._open.items()):
                if at >= until:
                    told = f"; {talk.unfinished}" if talk.unfinished else ""
                    self._fail(
                        name, f"no `ready` within the start-up time of {self._startup / 1e6:g} s{told}"
                    )
        for process in self._leaving:
            process.exited(LEAVE)
        self._guardian.end(self._leaving)
        return self._problems

    def _greet(self, bot: Bot) -> None:
        launch = self._launch(bot, self._limits)
        try:
            process = self._guardian.start(launch)
        except StartError as error:
            self._problems[bot.name] = [str(error)]
            return
        talk = Connection(Side.REFEREE)
        self._explain[bot.name] = launch.explain
        self._open[bot.name] = (process, talk, self._now() + self._startup)
        for descriptor in (process.stdout, process.stderr, process.pidfd):
            self._names[descriptor] = bot.name
            self._poller.register(descriptor, select.POLLIN)
        process.write(talk.send(Hello(VERSION)))

    def _hear(self, name: str) -> None:
        process, talk, _ = self._open[name]
        if not process.drain():
            self._ignore(process.stderr)
        exited = process.exited()
        while (data := process.read()) is not None:
            talk.receive(data)
            if not data:
                break
        try:
            while (message := talk.next()) is not NEED_DATA and message is not CLOSED:
                if isinstance(message, Ready):
                    self._part(name)
                    return
        except RemoteProtocolError as error:
            self._fail(name, str(error))
            return
        if message is CLOSED or exited:
            process.exited(LEAVE)
            status = process.status
            ending = describe(status) if status is not None else "closed its stdout"
            self._fail(name, f"it {ending} before it said `ready`")

    def _fail(self, name: str, text: str) -> None:
        process, _, _ = self._open[name]
        process.drain()
        explain = self._explain[name]
        more = explain(process.status, process.tail) if explain is not None else ""
        stderr = _quote(process.tail.encode(), STDERR)
        self._problems[name] = [
            text + (f"; {more}" if more else "") + (f"; its stderr:{stderr}" if stderr else "")
        ]
        self._part(name)

    def _part(self, name: str) -> None:
        process, talk, _ = self._open.pop(name)
        for descriptor in (process.stdout, process.stderr, process.pidfd):
            self._ignore(descriptor)
        if name in self._problems:
            self._guardian.end([process])
        else:
            process.write(talk.send(Quit()))
            process.hang_up()
            self._leaving.append(process)

    def _ignore(self, descriptor: int) -> None:
        if self._names.pop(descriptor, None) is not None:
            self._poller.unregister(descriptor)


def _quote(output: bytes, most: int) -> str:
    """Return the last lines of a program's output, each on a line of its own and indented."""
    lines = printable_lines(output.decode("utf-8", "replace").rstrip("\n"))
    if lines == [""]:
        return ""
    left_out = [f"… {len(lines) - most} lines before"] if len(lines) > most else []
    return "".join(f"\n      {line}" for line in [*left_out, *lines[-most:]])
