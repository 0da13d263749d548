"""Bytes in, messages out, and who may say what when: one conversation, seen from either side.

    connection = Connection(Side.REFEREE)
    write(connection.send(Hello(1)))
    connection.receive(read())            # b"" at the end of the stream
    message = connection.next()           # a message, NEED_DATA or CLOSED

No I/O, no clock, no rules of any game. Whatever bytes come, nothing is raised but this module's errors:

    ProtocolError
    ├── LocalProtocolError    our own guilt: we said what this moment does not allow
    └── RemoteProtocolError   the other side's: a sentence for its author, with how it is usually mended

A RemoteProtocolError is final: the connection reads nothing more and raises it again.
"""

from __future__ import annotations

import enum
from typing import Final, NoReturn

from protocol import hints
from protocol.messages import (
    End,
    Error,
    Event,
    Go,
    Hello,
    Message,
    MessageError,
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
    parse,
)
from protocol.messages import format as format_line


class ProtocolError(Exception):
    """Something was said that the protocol does not allow."""


class LocalProtocolError(ProtocolError):
    """We were about to say it."""


class RemoteProtocolError(ProtocolError):
    """The other side said it; the text is one line of printable ASCII, fit for an `error` line."""


class Side(enum.Enum):
    """Which end of the conversation this is."""

    REFEREE = "referee"
    BOT = "bot"


class Phase(enum.Enum):
    """Where a conversation stands; the value says what the bot owes or waits for."""

    NEW = "nothing was said yet"
    GREETED = "`ready` is due in answer to `arena`"
    IDLE = "no game is being played"
    SETTING = "the set-up is being told"
    STARTED = "`ready` is due in answer to `start`"
    WATCHING = "it is not the bot's turn"
    THINKING = "`move` is due in answer to `go`"
    LEAVING = "the conversation is over"

    __hash__ = object.__hash__  # members are singletons; Enum's own hash is slow, and TABLE is asked often


class Pause(enum.Enum):
    """What `next` returns when there is no message."""

    NEED_DATA = "no complete line has arrived"
    CLOSED = "the stream has ended"


NEED_DATA: Final = Pause.NEED_DATA
CLOSED: Final = Pause.CLOSED

# Who may say what when: the one table. It does not know which side we are. Remarks are allowed to the bot
# in every phase and change none, so they stand in no row.
TABLE: Final[dict[Phase, dict[type, Phase]]] = {
    Phase.NEW: {Hello: Phase.GREETED},
    Phase.GREETED: {Ready: Phase.IDLE},
    Phase.IDLE: {NewGame: Phase.SETTING},
    Phase.SETTING: {Setup: Phase.SETTING, Start: Phase.STARTED},
    Phase.STARTED: {Ready: Phase.WATCHING},
    Phase.WATCHING: {
        Play: Phase.WATCHING,
        Event: Phase.WATCHING,
        Out: Phase.WATCHING,
        Position: Phase.WATCHING,
        Moves: Phase.WATCHING,
        Go: Phase.THINKING,
        End: Phase.IDLE,
    },
    Phase.THINKING: {Move: Phase.WATCHING},
    Phase.LEAVING: {},
}
for _row in TABLE.values():  # the referee may end it at any moment
    _row.update({Error: Phase.LEAVING, Quit: Phase.LEAVING})

# A member of an Enum is looked up ten times as slowly as a name.
_IDLE, _STARTED, _WATCHING = Phase.IDLE, Phase.STARTED, Phase.WATCHING
_NEW, _THINKING, _LEAVING = Phase.NEW, Phase.THINKING, Phase.LEAVING

BOT_SAYS: Final = frozenset({Ready, Move, Remark})
_ASKS: Final = frozenset({Hello, Start, Go})  # what waits for an answer

BOT_LINE: Final = 4096  # bytes of a bot's line; the longest that a game needs has some 20
REFEREE_LINE: Final = 1 << 20  # bytes of a referee's line; `state` of a big game may take tens of thousands
REMARK_LINES: Final = 100  # an action
REMARK_BYTES: Final = 16 << 10  # an action
UNREAD: Final = 128 << 10  # what a bot may have sent that nobody looked at yet; the rest is a flood

# Answers repeat: the lines of all actions of a game are a few hundred. What was read once is kept with its
# line end, within bounds that no bot can stretch.
_READ: dict[bytes, Message] = {}
_READ_ENTRIES = 4096
_READ_LINE = 24
_NONE: dict[bytes, Message] = {}  # stays empty
_SET: dict[bytes, Message] = {b"ready\n": Ready()}


class Connection:
    """One conversation from one side, over all games that a process plays."""

    __slots__ = (
        "_answers",
        "_buffer",
        "_ended",
        "_failure",
        "_flooded",
        "_limit",
        "_queue",
        "_referee",
        "_remark_bytes",
        "_remark_lines",
        "moved",
        "phase",
        "side",
    )

    def __init__(self, side: Side, line_limit: int = 0) -> None:
        """Begin a conversation; `line_limit` bounds what we take as a line (0: the protocol's bound)."""
        self.side = side
        self._referee = side is Side.REFEREE
        self.phase = _NEW
        self.moved = False  # whether the bot has moved since the last `go` or `start`
        self._limit = line_limit or (BOT_LINE if self._referee else REFEREE_LINE)
        self._buffer = b""
        self._answers = _NONE  # lines known to be a good answer now, if one of them is all that arrives
        self._queue: list[Remark] = []  # read while a question was sent, not handed out yet
        self._ended = False
        self._flooded = False
        self._failure: RemoteProtocolError | None = None
        self._remark_lines = 0
        self._remark_bytes = 0

    @property
    def is_open(self) -> bool:
        """Tell whether it has begun and is not over."""
        return self.phase is not _NEW and self.phase is not _LEAVING

    @property
    def is_idle(self) -> bool:
        """Tell whether a game can begin."""
        return self.phase is _IDLE

    # Bytes out

    def send(self, message: Message, encoded: bytes = b"") -> bytes:
        """Return the bytes of a message that we say now.

        `encoded` are those bytes where they are known already (`encode`), because others were told the same.
        A question sent to a bot that has spoken already raises the bot's RemoteProtocolError.
        """
        kind = type(message)
        phase = TABLE[self.phase].get(kind)
        if phase is None or (kind in BOT_SAYS) is self._referee:
            phase = self._exception(message, kind)
        if kind in _ASKS and self._referee:
            if self._buffer:
                self._hear_out()
            self.moved = False
        elif kind is NewGame:
            self._remark_lines = self._remark_bytes = 0
        self.phase = phase
        return encoded or encode(message)

    def ask(self, told: bytes, question: bytes) -> bytes:
        """Return what `send` would for lines of a match and `go` after them, encoded already, in one step.

        The referee says little else: this is for its speed. `told` are whole lines that a watching bot may be
        told, none of them a question.
        """
        if self.phase is not _WATCHING or not self._referee:
            raise LocalProtocolError(f"{self.side.value} cannot say {question!a}: {self.phase.value}")
        if self._buffer or self._queue or self._failure is not None:
            self._hear_out()
        else:
            self._answers = _READ
        self.moved = False
        self.phase = _THINKING
        return told + question

    def deal(self, lines: bytes) -> bytes:
        """Return what `send` would for `game`, `setup` and `start` lines, encoded already, in one step."""
        if self.phase is not _IDLE or not self._referee:
            raise LocalProtocolError(f"{self.side.value} cannot say {lines!a}: {self.phase.value}")
        if self._buffer or self._queue or self._failure is not None:
            self._hear_out()
        else:
            self._answers = _SET
        self.moved = False
        self.phase = _STARTED
        self._remark_lines = self._remark_bytes = 0
        return lines

    def _exception(self, message: Message, kind: type) -> Phase:
        """Return the phase after a message that stands in no row of the table, or refuse it."""
        if kind is Remark and not self._referee and self.phase is not _LEAVING:
            return self.phase
        if kind is Unknown and self._referee and self.phase is not _LEAVING:
            return self.phase  # a later version's line, or a trial of the bot's patience
        raise LocalProtocolError(f"{self.side.value} cannot say {message!a}: {self.phase.value}")

    def _hear_out(self) -> None:
        """Take what the bot sent before it is asked: remarks are kept, anything else is a fault."""
        while True:
            message = self._read()
            if isinstance(message, Remark):
                self._queue.append(message)
            elif isinstance(message, Pause):
                break
        begun = self._buffer.lstrip(b" \t")
        if begun and begun[:1] != b"#":
            self._fail(hints.early(begun, self.phase.value, self.moved))

    # Bytes in

    def receive(self, data: bytes) -> None:
        """Take bytes as they arrived, b"" at the end of the stream; raises nothing."""
        self._answers = _NONE
        if not data:
            self._ended = True
        elif self._failure is None:
            if not self._buffer:
                self._buffer = data
            elif len(self._buffer) < UNREAD or not self._referee:
                self._buffer += data
            else:
                self._flooded = True

    def next(self) -> Message | Pause:
        """Return the next message; NEED_DATA or CLOSED when there is none; RemoteProtocolError."""
        if self._queue:
            return self._queue.pop(0)
        return self._read()

    def hear(self, data: bytes) -> Message | Pause:
        """Take bytes and return the next message: `receive` and `next` in one, quick for a known line."""
        message = self._answers.get(data)
        if message is not None:
            self._answers = _NONE
            self.moved = self.phase is _THINKING
            self.phase = _WATCHING
            return message
        self.receive(data)
        return self.next()

    def _read(self) -> Message | Pause:
        while True:
            buffer = self._buffer
            end = buffer.find(b"\n")
            if end < 0 or self._failure is not None:
                return self._unfinished()
            line = buffer[:end]
            self._buffer = buffer[end + 1 :]
            message: Message | None
            if not self._referee:
                message = self._hear_referee(self._parse(line), line)
            elif self.phase is _LEAVING:  # what a bot says after the verdict is nobody's business
                continue
            else:
                message = self._hear_bot(self._parse(line), line)
            if message is not None:
                return message

    def _unfinished(self) -> Pause:
        """Judge what there is without a complete line."""
        if self._failure is not None:
            raise self._failure
        if self.phase is _LEAVING and self._referee:
            self._buffer = b""
        if len(self._buffer) > self._limit + 1:  # one more for a CR
            self._fail(hints.too_long(self._buffer, self._limit))
        if self._flooded:
            self._fail(hints.flood(UNREAD))
        return CLOSED if self._ended else NEED_DATA

    def _parse(self, raw: bytes) -> Message:
        """Read one line, whoever said it and whenever."""
        line = raw[:-1] if raw[-1:] == b"\r" else raw
        if len(line) > self._limit:
            self._fail(hints.too_long(line, self._limit))
        line = line.strip(b" \t")
        try:
            return parse(line.decode("ascii"))
        except UnicodeDecodeError:
            self._fail(hints.unreadable(line, self.phase.value, ""))
        except MessageError as error:
            self._fail(hints.unreadable(line, self.phase.value, str(error)))

    def _hear_bot(self, message: Message, raw: bytes) -> Message:
        """Take a bot's line on the referee's side, where nothing is passed over."""
        if isinstance(message, Remark):
            self._remark_lines += 1
            self._remark_bytes += len(raw)
            if self._remark_lines > REMARK_LINES or self._remark_bytes > REMARK_BYTES:
                self._fail(hints.remarks(REMARK_LINES, REMARK_BYTES))
            return message
        kind = type(message)
        phase = TABLE[self.phase].get(kind)
        if phase is None or kind not in BOT_SAYS:
            self._fail(hints.unexpected(raw.strip(b" \t\r"), self.phase.value, self.moved))
        if isinstance(message, Move):
            self.moved = True
            self._remark_lines = self._remark_bytes = 0
            if len(raw) <= _READ_LINE and len(_READ) < _READ_ENTRIES:
                _READ[raw + b"\n"] = message
        self.phase = phase
        return message

    def _hear_referee(self, message: Message, raw: bytes) -> Message | None:
        """Take a referee's line on the bot's side; None for what is to be passed over."""
        kind = type(message)
        phase = TABLE[self.phase].get(kind)
        if phase is not None and kind not in BOT_SAYS:
            self.phase = phase
            return message
        if kind is not Unknown and not (isinstance(message, Event) and message.kind != "draw"):
            self._fail(f"the referee sent {hints.quote(raw)}, but {self.phase.value}")
        return None

    def _fail(self, text: str) -> NoReturn:
        self._failure = RemoteProtocolError(text)
        self._buffer = b""
        raise self._failure

    # For the sentence about a bot that did not answer

    @property
    def unfinished(self) -> str:
        """Return a clause about a line that was begun and never ended, "" where there is none."""
        return hints.unfinished(self._buffer) if self._buffer else ""


def encode(message: Message) -> bytes:
    """Return the bytes of a message: its line and LF; LocalProtocolError where it has none."""
    try:
        return format_line(message).encode("ascii") + b"\n"
    except MessageError as error:
        raise LocalProtocolError(str(error)) from None
