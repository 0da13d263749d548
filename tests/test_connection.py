"""The conversation: who may say what when, and bytes of every kind."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from protocol.connection import (
    BOT_LINE,
    BOT_SAYS,
    CLOSED,
    NEED_DATA,
    REMARK_BYTES,
    REMARK_LINES,
    TABLE,
    UNREAD,
    Connection,
    LocalProtocolError,
    Pause,
    Phase,
    ProtocolError,
    RemoteProtocolError,
    Side,
    encode,
)
from protocol.messages import (
    End,
    Error,
    Event,
    Go,
    Hello,
    Message,
    Move,
    Moves,
    NewGame,
    Out,
    Play,
    Position,
    Quit,
    Ready,
    Remark,
    Setup,
    Start,
    Unknown,
)

GAME = NewGame("rain", 2, 1)
GO = Go(1000, 0)


def drain(connection: Connection) -> list[Message]:
    """Return all messages that there are, without the pause at their end."""
    heard: list[Message] = []
    while not isinstance(message := connection.next(), Pause):
        heard.append(message)
    return heard


def referee_at(phase: Phase) -> Connection:
    """Return a referee's connection that was brought to a phase by a bot without fault."""
    connection = Connection(Side.REFEREE)
    script: list[tuple[Phase, Message | bytes]] = [
        (Phase.NEW, Hello(1)),
        (Phase.GREETED, b"ready\n"),
        (Phase.IDLE, GAME),
        (Phase.SETTING, Start()),
        (Phase.STARTED, b"ready\n"),
        (Phase.WATCHING, GO),
        (Phase.THINKING, Error("stop")),
    ]
    for at, step in script:
        assert connection.phase is at
        if at is phase:
            return connection
        if isinstance(step, bytes):
            connection.receive(step)
            assert drain(connection) == [Ready()]
        else:
            connection.send(step)
    assert connection.phase is phase
    return connection


def complaint(connection: Connection, data: bytes) -> str:
    """Return what the connection says of these bytes."""
    connection.receive(data)
    with pytest.raises(RemoteProtocolError) as caught:
        drain(connection)
    text = str(caught.value)
    assert text.isascii()
    assert text.isprintable()
    assert len(text) < 600
    with pytest.raises(RemoteProtocolError, match=re.escape(text)):
        connection.next()
    return text


def test_both_sides_hold_a_conversation() -> None:
    """What one side says the other hears, over two games, and both know where they stand."""
    referee, bot = Connection(Side.REFEREE), Connection(Side.BOT)
    game: list[Message] = [
        GAME,
        Setup("hand", "0 rryb"),
        Start(),
        Ready(),
        Play(0, "rd4"),
        Event("draw", 0, "g"),
        Position("{}"),
        Moves(("bc1", "bd1")),
        GO,
        Remark("nothing scores yet"),
        Move("bd1"),
        Play(1, "bd1"),
        Out(0, "timeout"),
        End((0, 0), (2, 1)),
    ]
    for message in [Hello(1), Ready("Dune"), *game, *game, Quit()]:
        speaker, listener = (bot, referee) if type(message) in BOT_SAYS else (referee, bot)
        listener.receive(speaker.send(message))
        assert drain(listener) == [message]
        assert referee.phase is bot.phase
    assert referee.phase is Phase.LEAVING


def test_every_phase_can_be_left() -> None:
    """The referee may end the conversation at any moment, and each phase has a way on."""
    assert set(TABLE) == set(Phase)
    for phase in Phase:
        assert TABLE[phase][Error] is Phase.LEAVING
        assert TABLE[phase][Quit] is Phase.LEAVING
        assert phase is Phase.LEAVING or len(TABLE[phase]) > 2
        # Bot and referee never may both speak: one `go`, one `move`.
        speakers = {kind in BOT_SAYS for kind in TABLE[phase] if kind not in (Error, Quit)}
        assert len(speakers) <= 1


def test_we_are_told_when_we_speak_out_of_turn() -> None:
    """Our own mistakes are of another kind than the other side's."""
    with pytest.raises(LocalProtocolError, match="nothing was said yet"):
        Connection(Side.REFEREE).send(GO)
    with pytest.raises(LocalProtocolError):
        Connection(Side.REFEREE).send(Ready())
    with pytest.raises(LocalProtocolError):
        Connection(Side.BOT).send(Hello(1))
    with pytest.raises(LocalProtocolError):
        Connection(Side.BOT).send(Move("yd7"))
    with pytest.raises(LocalProtocolError, match="printable ASCII"):
        Connection(Side.BOT).send(Remark("two\nlines"))


def test_a_known_encoding_is_not_made_again() -> None:
    """Bytes that were made for one seat serve for all."""
    play = Play(0, "yd7")
    assert referee_at(Phase.WATCHING).send(play, encode(play)) == b"play 0 yd7\n"


@pytest.mark.parametrize(
    "data",
    [
        b"move yd7\n",
        b"move yd7\r\n",
        b"  move yd7\n",
        b"\tmove yd7 \t\r\n",
        b"move yd7 \n",
    ],
)
def test_lines_are_taken_with_crlf_and_blanks_around(data: bytes) -> None:
    """One CR before LF and blanks around a line are nobody's fault, the first time and every time."""
    for _ in range(2):
        connection = referee_at(Phase.THINKING)
        connection.receive(data)
        assert connection.next() == Move("yd7")
        assert connection.next() is NEED_DATA


@pytest.mark.parametrize(
    ("data", "hint"),
    [
        (b"\xef\xbb\xbfmove yd7\n", "byte order mark"),
        (b"m\x00o\x00v\x00e\x00\n", "UTF-16"),
        (b"\xff\xfem\x00\n", "UTF-16"),
        (b"move yd7\rmove yd8\n", "CR within"),
        (b"move yd7\r\r\n", "CR within"),
        (b"\x1b[31mmove yd7\n", "terminal escapes"),
        (b"move\tyd7\n", "tab"),
        (b"move caf\xc3\xa9\n", "outside ASCII"),
        (b"move \xd9\xa1\n", "outside ASCII"),
        (b"\x7f\n", "outside ASCII"),
        (b"a\x0bb\n", "printable ASCII"),
        (b"\n", "empty line"),
        (b" \t\r\n", "empty line"),
        (b"thinking about it\n", "stderr"),
        (b"info depth 3\n", "stderr"),
        (b"yd7\n", "`move yd7`"),
        (b"Move yd7\n", "lower case"),
        (b"move:yd7\n", "lower case"),
        (b"move\n", "one word"),
        (b"move yd7 yd8\n", "one word"),
        (b"ready\n", "once each"),
        (b"go 1000 0\n", "echo"),
        (b"moves a b\n", "echo"),
        (b"play 0 yd7\n", "echo"),
        (b"quit\n", "echo"),
        (b"roll 1 6\n", "stderr"),
        (b"ready name\n", "key=value"),
    ],
)
def test_a_bad_answer_gets_its_hint(data: bytes, hint: str) -> None:
    """For what authors usually get wrong, the sentence says how it is usually mended."""
    assert hint in complaint(referee_at(Phase.THINKING), data)


def test_a_second_move_is_named_as_one() -> None:
    """The first of two moves counts, the second is a fault as soon as it is looked at."""
    connection = referee_at(Phase.THINKING)
    connection.receive(b"move yd7\nmove yd8\n")
    assert connection.next() == Move("yd7")
    assert "second move for one `go`" in complaint(connection, b" ")


@pytest.mark.parametrize("data", [b"move a\nmove b\n", b"move a\nmo", b"move a\n\n", b"move a\nready\n"])
def test_a_question_finds_what_was_said_before_it(data: bytes) -> None:
    """Output before it is asked for is a fault when the next question goes out, finished or not."""
    connection = referee_at(Phase.THINKING)
    connection.receive(data)
    assert connection.next() == Move("a")
    connection.send(Play(1, "a"))
    with pytest.raises(RemoteProtocolError, match="the bot sent"):
        connection.send(GO)


def test_remarks_before_a_question_are_kept() -> None:
    """Remarks are allowed at any time, and come out before the answer, whole or begun."""
    connection = referee_at(Phase.THINKING)
    connection.receive(b"move a\n# one\n  # two\n # th")
    assert connection.next() == Move("a")
    connection.send(GO)
    connection.receive(b"ree\nmove b\n")
    assert drain(connection) == [Remark("one"), Remark("two"), Remark("three"), Move("b")]


@pytest.mark.parametrize("phase", [phase for phase in Phase if phase is not Phase.LEAVING])
def test_remarks_are_allowed_in_every_phase(phase: Phase) -> None:
    """A remark changes nothing of where the conversation stands."""
    connection = referee_at(phase)
    connection.receive(b"# hello\n")
    assert drain(connection) == [Remark("hello")]
    assert connection.phase is phase


def test_remarks_are_counted_for_each_action() -> None:
    """A hundred lines are fine for every action, one more is a fault."""
    connection = referee_at(Phase.THINKING)
    for _ in range(3):
        connection.receive(b"# x\n" * REMARK_LINES + b"move a\n")
        assert len(drain(connection)) == REMARK_LINES + 1
        connection.send(GO)
    assert "remarks" in complaint(connection, b"# x\n" * (REMARK_LINES + 1))


def test_remarks_are_counted_in_bytes() -> None:
    """Sixteen KiB of remarks are fine, more is a fault."""
    line = b"#" + b"x" * 4000 + b"\n"
    connection = referee_at(Phase.THINKING)
    connection.receive(line * (REMARK_BYTES // 4001))
    drain(connection)
    assert "remarks" in complaint(connection, line)


def test_a_new_game_has_new_remarks() -> None:
    """What a bot said after its last action of a game is not counted in the next."""
    connection = referee_at(Phase.IDLE)
    connection.receive(b"# x\n" * REMARK_LINES)
    drain(connection)
    connection.send(GAME)
    connection.receive(b"# x\n")
    assert drain(connection) == [Remark("x")]


@pytest.mark.parametrize("ending", [b"", b"\n", b"\r\n"])
def test_a_long_line_is_refused_before_it_ends(ending: bytes) -> None:
    """4,096 bytes are a line, one more is a fault, whether its end has come or not."""
    connection = referee_at(Phase.THINKING)
    connection.receive(b"#" * BOT_LINE + b"\r\n")
    assert len(drain(connection)) == 1
    text = complaint(connection, b"x" * (BOT_LINE + 2) + ending)
    assert "4096 bytes" in text


def test_a_flood_takes_no_memory() -> None:
    """What nobody reads is kept up to a bound, and then the bot is at fault."""
    connection = referee_at(Phase.WATCHING)
    for _ in range(1000):
        connection.receive(b"# x\n" * 4096)
    assert len(connection._buffer) <= UNREAD + 4 * 4096
    with pytest.raises(RemoteProtocolError):
        connection.send(GO)
    connection.receive(b"x" * 1000)
    assert connection._buffer == b""


def test_a_flood_without_lines_is_a_long_line() -> None:
    """Bytes without end are refused as the line that they would be."""
    connection = referee_at(Phase.THINKING)
    for _ in range(100):
        connection.receive(b"x" * 65536)
    assert "4096 bytes" in complaint(connection, b"x")


def test_the_end_of_the_stream_comes_after_what_was_said() -> None:
    """A move that came before the end counts; a begun line does not, and can be shown."""
    connection = referee_at(Phase.THINKING)
    connection.receive(b"move a\nmov")
    connection.receive(b"")
    assert connection.next() == Move("a")
    assert connection.next() is CLOSED
    assert "'mov' without the end of the line" in connection.unfinished


def test_a_line_ended_by_cr_is_no_line() -> None:
    """CR alone ends nothing; the sentence about the time-out can say so."""
    connection = referee_at(Phase.THINKING)
    connection.receive(b"move a\r")
    assert connection.next() is NEED_DATA
    assert "CR only" in connection.unfinished
    assert Connection(Side.REFEREE).unfinished == ""


def test_after_the_verdict_nothing_is_heard() -> None:
    """What a bot says after `error` or `quit` is nobody's business, whatever it is."""
    connection = referee_at(Phase.LEAVING)
    connection.receive(b"move a\n\xff\xff\n" + b"x" * 10000)
    assert connection.next() is NEED_DATA
    connection.receive(b"")
    assert connection.next() is CLOSED


def test_bots_pass_over_what_they_do_not_know() -> None:
    """Lines with unknown first words and unknown keys change nothing for a bot, anywhere."""
    bot = Connection(Side.BOT)
    bot.receive(b"weather is fine\narena 1 host=x\n\ntempo 3 4\n")
    assert drain(bot) == [Hello(1)]
    bot.send(Ready())
    bot.receive(b"game rain players=2 seat=0 mood=fine\nclouds\nstart\n")
    assert drain(bot) == [NewGame("rain", 2, 0, {"mood": "fine"}), Start()]
    bot.send(Ready())
    bot.receive(b"roll 1 6\n" + b"clouds\n" * 5000 + b"go 1 2 soft=1\n")
    assert drain(bot) == [Event("roll", 1, "6"), Go(1, 2)]


@pytest.mark.parametrize(
    "data", [b"go 1 2\n", b"start\n", b"arena x\n", b"ready\n", b"\xff\n", b"draw 1 rg\n"]
)
def test_bots_notice_a_referee_that_breaks_the_protocol(data: bytes) -> None:
    """A known line out of order is an error on the bot's side too."""
    bot = Connection(Side.BOT)
    bot.receive(data)
    with pytest.raises(RemoteProtocolError):
        bot.next()


def test_a_move_is_no_line_of_the_referee() -> None:
    """A line that was read as a bot's move is not taken for one from a referee."""
    connection = referee_at(Phase.THINKING)
    connection.receive(b"move a\n")
    drain(connection)
    bot = Connection(Side.BOT)
    bot.receive(b"arena 1\n")
    drain(bot)
    bot.send(Ready())
    bot.receive(b"game rain players=2 seat=0\nstart\n")
    drain(bot)
    bot.send(Ready())
    bot.receive(b"go 1 0\nmove a\n")
    assert bot.next() == Go(1, 0)
    with pytest.raises(RemoteProtocolError):
        bot.next()


def test_the_referee_can_try_a_bot_with_unknown_lines() -> None:
    """Lines of a later version can be sent in any phase and change none."""
    connection = referee_at(Phase.WATCHING)
    assert connection.send(Unknown("weather is fine")) == b"weather is fine\n"
    assert connection.phase is Phase.WATCHING


PIECES = st.sampled_from(
    [b"move ", b"ready", b" ", b"#", b"\n", b"\r", b"\r\n", b"\t", b"a", b"=", b"go 1 2", b"quit", b"\x00",
     b"\xff", b"\xef\xbb\xbf", b"\x1b[0m", b"move yd7\n", b"ready name=x\n", b"# x\n", b"x" * 5000, b"9" * 30,
     b"state {", b"draw 1 r", b"end scores=1 ranks=1", b"play 0 a\n", b"start\n", b"error\n"]
)  # fmt: skip
BYTES = st.lists(PIECES | st.binary(max_size=12), max_size=12).map(b"".join)


def hear(connection: Connection, data: bytes, sizes: itertools.repeat[int] | list[int]) -> list[str]:
    """Feed bytes in pieces and return what came out, errors as text."""
    heard: list[str] = []
    position = 0
    for size in sizes:
        if position >= len(data):
            break
        connection.receive(data[position : position + size])
        position += size
        try:
            while not isinstance(message := connection.next(), Pause):
                heard.append(str(message))
        except RemoteProtocolError as error:
            return [*heard, str(error)]
    return heard


@settings(max_examples=400, deadline=None, derandomize=True)
@given(phase=st.sampled_from(list(Phase)), data=BYTES, size=st.integers(1, 40))
@example(phase=Phase.WATCHING, data=b"x\n" * 5000, size=10000)
def test_no_bytes_raise_anything_else(phase: Phase, data: bytes, size: int) -> None:
    """Whatever a bot sends, whole or in pieces, the answer is the same and never another exception."""
    whole = hear(referee_at(phase), data, itertools.repeat(max(1, len(data))))
    size = max(size, len(data) // 400)  # many small pieces of a long line show nothing new
    pieces = hear(referee_at(phase), data, itertools.repeat(size))
    # An over-long line is noticed before its end, so only the quoted beginning may differ.
    assert [text[:60] for text in pieces] == [text[:60] for text in whole]


@settings(max_examples=400, deadline=None, derandomize=True)
@given(
    steps=st.lists(
        BYTES
        | st.sampled_from([Hello(1), GAME, Start(), GO, Play(0, "a"), End((1, 2), (2, 1)), Quit(), b""]),
        max_size=12,
    ),
    side=st.sampled_from(Side),
)
def test_no_conversation_raises_anything_else(steps: list[bytes | Message], side: Side) -> None:
    """Bytes and messages in any order, on either side, raise nothing but the protocol's errors."""
    connection = Connection(side)
    for step in steps:
        try:
            if isinstance(step, bytes):
                connection.receive(step)
                drain(connection)
            else:
                connection.send(step)
        except ProtocolError:
            pass  # the only kind that may come
        assert isinstance(connection.unfinished, str)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(phase=st.sampled_from(list(Phase)), chunks=st.lists(BYTES | st.just(b"move yd7\n"), max_size=4))
def test_hearing_is_receiving_and_reading(phase: Phase, chunks: list[bytes]) -> None:
    """The short way to hear an answer gives the same as the long one, whatever comes."""
    short, long = referee_at(phase), referee_at(phase)

    def told(hear: Callable[[], Message | Pause]) -> str:
        try:
            return repr(hear())
        except RemoteProtocolError as error:
            return str(error)

    def receive_and_read(data: bytes) -> Message | Pause:
        long.receive(data)
        return long.next()

    for chunk in chunks:
        assert told(lambda c=chunk: short.hear(c)) == told(lambda c=chunk: receive_and_read(c))  # type: ignore[misc]
        assert short.phase is long.phase
        assert short.unfinished == long.unfinished


@pytest.mark.parametrize("said", [b"", b"# one\n", b"move b\n", b"mo"])
def test_asking_is_sending(said: bytes) -> None:
    """The short way to ask gives the same bytes, phase and faults as sending one message after the other."""
    results = []
    for quick in (False, True):
        connection = referee_at(Phase.THINKING)
        connection.receive(b"move a\n" + said)
        assert connection.next() == Move("a")
        lines: list[Message] = [Play(0, "a"), Event("draw", 0, "g"), Moves(("b", "c"))]
        try:
            if quick:
                sent = connection.ask(b"".join(map(encode, lines)), encode(GO))
            else:
                sent = b"".join(map(connection.send, [*lines, GO]))
            results.append((sent.decode(), connection.phase, drain(connection)))
        except RemoteProtocolError as error:
            results.append((str(error), connection.phase, []))
    assert results[0] == results[1]


@pytest.mark.parametrize("said", [b"", b"# one\n", b"ready\n"])
def test_dealing_is_sending(said: bytes) -> None:
    """The short way to tell a set-up gives the same as sending it line by line."""
    results = []
    for quick in (False, True):
        connection = referee_at(Phase.IDLE)
        connection.receive(said)
        lines: list[Message] = [GAME, Setup("hand", "0 rryb"), Start()]
        try:
            if quick:
                sent = connection.deal(b"".join(map(encode, lines)))
            else:
                sent = b"".join(map(connection.send, lines))
            results.append((sent.decode(), connection.phase, drain(connection)))
        except RemoteProtocolError as error:
            results.append(("fault", Phase.LEAVING, []))
            assert "'ready'" in str(error)  # noqa: PT017 - the phase named with it may differ
    assert results[0] == results[1]


def test_the_short_ways_keep_the_table() -> None:
    """Asking out of turn is our own mistake on the short ways too."""
    with pytest.raises(LocalProtocolError):
        referee_at(Phase.IDLE).ask(b"", encode(GO))
    with pytest.raises(LocalProtocolError):
        referee_at(Phase.WATCHING).deal(b"game\nstart\n")
    with pytest.raises(LocalProtocolError):
        Connection(Side.BOT).deal(b"game\nstart\n")
