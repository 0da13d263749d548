"""Trials of a bot's manners: whether it starts, greets, listens, keeps quiet and leaves as it should."""

from __future__ import annotations

from arena import preflight
from arena.check.bout import Plan
from arena.check.examination import LEAVE, SECOND, Examination, Trial
from arena.check.talk import Talk
from arena.check.verdict import Failed, Noted
from arena.launch import describe
from protocol.connection import CLOSED, Connection, RemoteProtocolError, Side
from protocol.messages import Hello, Quit, Ready, Remark

QUIET = 200_000  # µs in which a bot could say something that it should not
FLUSH = (
    "your language keeps what it writes until a buffer is full: flush after each line (Python print(..., "
    "flush=True), C fflush(stdout), Java an autoflushing PrintWriter, Ruby $stdout.sync = true)"
)
QUIT = "leave the loop when the line is `quit`, and end the program; end threads of your own too"
INPUT = "when reading a line gives the end of input (None, null, an empty string), end the program"
GROW = "pass over every line whose first word you do not know: that is how the protocol grows"
KEYS = "take the words that you need by their place, read key=value words by key, pass over the others"


def program(exam: Examination) -> str:
    """The program can be started."""
    found = preflight.examine(exam.bot)
    if found:
        raise Failed("; ".join(found), "the command is started as it is, without a shell")
    exam.start()
    return f"{' '.join(exam.bot.command)} in {exam.bot.folder}"


def greet(exam: Examination, talk: Talk) -> tuple[Connection, Ready]:
    """Say `arena` and return what the bot says to it."""
    connection = Connection(Side.REFEREE)
    asked = exam.now()
    until = asked + exam.clock.startup
    talk.say(connection.send(Hello(1)))
    while True:
        data = talk.wait(until)
        if data is None:
            raise _silent(exam, talk, connection)
        connection.receive(data)
        try:
            message = connection.next()
            while isinstance(message, Remark):
                message = connection.next()
        except RemoteProtocolError as error:
            raise Failed(str(error), "print nothing on stdout before `ready`: no banner, no prompt") from None
        if isinstance(message, Ready):
            return connection, message
        if message is CLOSED:
            talk.process.exited(100)
            raise Failed(
                f"it {describe(talk.process.status)} instead of saying `ready` in answer to `arena`",
                "its stderr says why, if anything does; run the command by hand and type: arena 1",
            )


def _silent(exam: Examination, talk: Talk, connection: Connection) -> Failed:
    """Find out whether a silent bot only keeps its answer in a buffer."""
    text = f"no `ready` came within {exam.clock.startup / SECOND:g} s"
    if connection.unfinished:
        return Failed(f"{text}; {connection.unfinished}", "end lines with LF and flush")
    talk.hang_up()
    if talk.wait(exam.now() + LEAVE):
        return Failed(f"{text}, but it came when its input ended", FLUSH)
    return Failed(text, "answer the line `arena 1` with the line `ready`, and flush")


def says_ready(exam: Examination) -> str:
    """It answers `arena` with `ready`."""
    _, ready = greet(exam, exam.start())
    exam.seen.ready = ready
    return " ".join(f"{key}={value}" for key, value in ready.told().items()) or "it says nothing of itself"


def is_quiet_at_start(exam: Examination) -> str:
    """It says nothing before it is greeted."""
    talk = exam.start()
    data = talk.wait(exam.now() + QUIET)
    if data and not data.lstrip(b" \t").startswith(b"#"):
        raise Failed(
            "it spoke before it was greeted", "wait for the line `arena 1`; a banner belongs on stderr"
        )
    return ""


def plays_an_action(exam: Examination) -> str:
    """It takes a set-up and answers `go` with a legal action."""
    exam.game_of(Plan(players=2, seat=0, seed=10, most=1))
    return ""


def is_quiet(exam: Examination) -> str:
    """It says nothing when it is not asked."""
    bout = exam.bout()
    exam.play(bout, Plan(players=2, seat=0, seed=11, most=3, quiet=QUIET // 2))
    return ""


def flushes(exam: Examination) -> str:
    """Its answers come out at once."""
    bout = exam.bout()
    try:
        exam.play(bout, Plan(players=2, seat=0, seed=12, most=2))
    except Failed as failure:
        bout.talk.hang_up()
        if "no " in str(failure)[:3] and bout.talk.wait(exam.now() + LEAVE):
            raise Failed(f"{failure}; its answer came when its input ended", FLUSH) from None
        raise
    return ""


def _leave(exam: Examination, talk: Talk, when: str, hint: str) -> str:
    """Wait for the bot to leave."""
    if not talk.leaves(exam.now() + LEAVE):
        raise Failed(f"it was still running {LEAVE / SECOND:g} s after {when}", hint)
    status = talk.process.status
    if status:
        raise Noted(f"it left, but {describe(status)}; 0 is usual")
    return ""


def leaves_at_quit(exam: Examination) -> str:
    """It leaves at `quit` after a game."""
    bout = exam.bout()
    exam.play(bout, Plan(players=max(exam.game.players), seat=1, seed=13))
    exam.dismiss(bout)
    return _leave(exam, bout.talk, "`quit`", QUIT)


def leaves_at_quit_in_a_game(exam: Examination) -> str:
    """It leaves at `quit` in the middle of a game."""
    bout = exam.bout()
    exam.play(bout, Plan(players=2, seat=0, seed=13, most=3))
    exam.dismiss(bout)
    return _leave(exam, bout.talk, "`quit`", QUIT)


def leaves_at_quit_early(exam: Examination) -> str:
    """It leaves at `quit` before any game."""
    talk = exam.start()
    connection, _ = greet(exam, talk)
    talk.say(connection.send(Quit()))
    return _leave(exam, talk, "`quit`", QUIT)


def leaves_at_the_end_of_input(exam: Examination) -> str:
    """It leaves at the end of input before any game."""
    talk = exam.start()
    greet(exam, talk)
    talk.hang_up()
    return _leave(exam, talk, "the end of its input", INPUT)


def leaves_at_the_end_of_input_in_a_game(exam: Examination) -> str:
    """It leaves at the end of input in the middle of a game."""
    bout = exam.bout()
    exam.play(bout, Plan(players=2, seat=0, seed=14, most=2))
    bout.talk.hang_up()
    return _leave(exam, bout.talk, "the end of its input", INPUT)


def takes_unknown_lines(exam: Examination) -> str:
    """It passes over lines that it does not know."""
    lines = ("notice a line of a later version", "tempo 3 presto", "x")
    return _with_hint(exam, Plan(players=2, seat=1, seed=15, most=4, grow=lambda line: [*lines, line]), GROW)


def takes_unknown_facts(exam: Examination) -> str:
    """It passes over facts of the set-up that it does not know."""
    plan = Plan(
        players=2, seat=0, seed=16, most=3,
        grow=lambda line: ["setup mood 0 fine", line] if line.startswith("setup ") else [line],
    )  # fmt: skip
    return _with_hint(exam, plan, "pass over `setup` lines whose key you do not know")


def takes_unknown_keys(exam: Examination) -> str:
    """It passes over keys that it does not know."""
    keyed = {"arena", "game", "start", "play", "out", "go", "end"}

    def grow(line: str) -> list[str]:
        return [f"{line} later=1"] if line.split(" ")[0] in keyed else [line]

    return _with_hint(exam, Plan(players=2, seat=1, seed=17, most=4, grow=grow), KEYS)


def takes_pieces(exam: Examination) -> str:
    """It understands lines that arrive in pieces."""
    plan = Plan(players=2, seat=0, seed=18, most=2, pieces=7)
    return _with_hint(exam, plan, "read until LF: a read may end in the middle of a line")


def takes_long_lines(exam: Examination) -> str:
    """It takes a set-up line of 20,000 bytes."""
    words = " ".join(["z99"] * 5_000)
    plan = Plan(
        players=2, seat=0, seed=19, most=2,
        grow=lambda line: [f"setup chart {words}", line] if line == "start" else [line],
    )  # fmt: skip
    return _with_hint(exam, plan, "read lines of any length: no fixed buffer, no scanner with a limit")


def _with_hint(exam: Examination, plan: Plan, hint: str) -> str:
    try:
        exam.game_of(plan)
    except Failed as failure:
        raise Failed(str(failure), hint) from None
    return ""


def waits_patiently(exam: Examination) -> str:
    """It does not burn the machine while it waits."""
    talk = exam.start()
    greet(exam, talk)
    pid = talk.process.pid
    before = exam.cpu(pid) + talk.process.children_ticks() / 100
    talk.wait(exam.now() + 2 * QUIET)
    used = exam.cpu(pid) + talk.process.children_ticks() / 100 - before
    if used > QUIET / SECOND:
        raise Noted(
            f"it used {used * 1000:.0f} ms of CPU time in {2 * QUIET // 1000} ms in which it had nothing to "
            "do: read with a blocking call, do not poll"
        )
    return f"{used * 1000:.0f} ms of CPU time in {2 * QUIET // 1000} ms"


def trials() -> list[Trial]:
    """Return the trials of manners: first those before any game, then those that need one."""
    ready, first = ("ready",), ("first-action",)
    return [
        Trial("program", program),
        Trial("ready", says_ready, ("program",)),
        Trial("quiet-start", is_quiet_at_start, ("program",)),
        Trial("quit-early", leaves_at_quit_early, ready),
        Trial("end-of-input", leaves_at_the_end_of_input, ready),
        Trial("waiting", waits_patiently, ready),
        Trial("flushes", flushes, ready),
        Trial("first-action", plays_an_action, ready),
        Trial("quiet", is_quiet, first),
        Trial("unknown-lines", takes_unknown_lines, first),
        Trial("unknown-keys", takes_unknown_keys, first),
        Trial("unknown-facts", takes_unknown_facts, first),
        Trial("pieces", takes_pieces, first),
        Trial("long-line", takes_long_lines, first),
        Trial("quit", leaves_at_quit, first),
        Trial("quit-in-game", leaves_at_quit_in_a_game, first),
        Trial("end-in-game", leaves_at_the_end_of_input_in_a_game, first),
    ]
