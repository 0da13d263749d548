"""The lines of the protocol as values: one frozen class a line, `parse` and `format` between the two.

A value knows nothing of who may say it when; that is `connection`. Text is strict: printable ASCII, words
separated by one space, numbers without sign, leading zeros or any digits but 0 to 9. What stands after the
words that a line needs is ignored where it has the form key=value: that is how lines grow.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


class MessageError(ValueError):
    """A line that begins with a known word but cannot be read, or a value that has no line."""


# Referee to bot


@dataclass(frozen=True, slots=True)
class Hello:
    """`arena 1`: the conversation begins, in this version of the protocol."""

    version: int


@dataclass(frozen=True, slots=True)
class NewGame:
    """`game desert players=3 seat=1 edition=kosmos`: a new game begins, and the bot has this seat."""

    game: str
    players: int
    seat: int
    options: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Setup:
    """`setup water a6=3 b4=1`: a fact of the set-up; `text` is all that stands after the key."""

    key: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class Start:
    """`start`: the set-up is complete."""


@dataclass(frozen=True, slots=True)
class Play:
    """`play 0 yd7`: a seat has done this; `pass` where the referee passed for it."""

    seat: int
    action: str


@dataclass(frozen=True, slots=True)
class Event:
    """`draw 1 rg`: something that all learn and no bot decided; other games have other kinds."""

    kind: str
    seat: int
    text: str


@dataclass(frozen=True, slots=True)
class Out:
    """`out 2 timeout`: a seat is out of this game, with the kind of its fault."""

    seat: int
    kind: str


@dataclass(frozen=True, slots=True)
class Position:
    """`state {…}`: the whole position as one line of JSON."""

    text: str

    def value(self) -> dict[str, Any]:
        """Return the position as JSON values."""
        value = json.loads(self.text)
        if not isinstance(value, dict):
            raise MessageError("`state` is followed by one JSON object")
        return value


@dataclass(frozen=True, slots=True)
class Moves:
    """`moves yd7 yd8`: all legal actions."""

    actions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Go:
    """`go 1000 30000`: the bot's turn; milliseconds for this action and what is left in the bank."""

    move: int
    bank: int


@dataclass(frozen=True, slots=True)
class End:
    """`end scores=61,54 ranks=1,2`: the game is over; points and places by seat."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Error:
    """`error TEXT`: the bot broke the protocol or the rules, and will be stopped."""

    text: str


@dataclass(frozen=True, slots=True)
class Quit:
    """`quit`: leave, now."""


# Bot to referee


@dataclass(frozen=True, slots=True)
class Ready:
    """`ready name=Dune version=1.2 author=kim wants=moves,state`: every key is optional."""

    name: str = ""
    version: str = ""
    author: str = ""
    wants: tuple[str, ...] = ()

    def told(self) -> dict[str, str]:
        """Return what the bot says of itself, for the record."""
        told = {"name": self.name, "version": self.version, "author": self.author}
        return {key: value for key, value in told.items() if value}


@dataclass(frozen=True, slots=True)
class Move:
    """`move yd7`: the action, one word."""

    action: str


@dataclass(frozen=True, slots=True)
class Remark:
    """`# anything`: kept with the bot's next action in the game's record."""

    text: str


# Either direction


@dataclass(frozen=True, slots=True)
class Unknown:
    """A line whose first word this version does not know; bots ignore it, the referee does not."""

    text: str


Message = (
    Hello
    | NewGame
    | Setup
    | Start
    | Play
    | Event
    | Out
    | Position
    | Moves
    | Go
    | End
    | Error
    | Quit
    | Ready
    | Move
    | Remark
    | Unknown
)

_WORD = re.compile(r"[!-~]+")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
_KEY_VALUE = re.compile(r"([A-Za-z][A-Za-z0-9_.-]*)=([!-~]*)")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,11}")
_SCORE = re.compile(r"0|-?[1-9][0-9]{0,11}")
_EVENT = re.compile(r"([A-Za-z][A-Za-z0-9_.-]*) (0|[1-9][0-9]{0,11}) ([!-~](?:[ -~]*[!-~])?)")


def _shown(word: str) -> str:
    """Return a word for a sentence, cut short: a bot's line may be thousands of bytes."""
    return repr(word if len(word) <= 40 else f"{word[:40]}...")


def _number(word: str, what: str) -> int:
    if not _NUMBER.fullmatch(word):
        raise MessageError(f"{what} is a whole number, not {_shown(word)}")
    return int(word)


def _scores(text: str, what: str) -> tuple[int, ...]:
    words = text.split(",")
    for word in words:
        if not _SCORE.fullmatch(word):
            raise MessageError(f"{what} are whole numbers with commas between, not {_shown(text)}")
    return tuple(map(int, words))


def _keys(words: list[str], line: str) -> dict[str, str]:
    """Read words of the form key=value; the first of a key counts."""
    found: dict[str, str] = {}
    for word in words:
        match = _KEY_VALUE.fullmatch(word)
        if not match:
            raise MessageError(f"{_shown(word)} in `{line}` is not of the form key=value")
        found.setdefault(match[1], match[2])
    return found


def _split(rest: str, count: int, form: str) -> list[str]:
    """Return the `count` words that a line needs; what follows them must be keys, which are ignored."""
    words = rest.split(" ") if rest else []
    if len(words) < count or "" in words:
        raise MessageError(f"the line has the form `{form}`, with one space between words")
    _keys(words[count:], form)
    return words[:count]


def _hello(rest: str) -> Message:
    (version,) = _split(rest, 1, "arena VERSION")
    return Hello(_number(version, "the version"))


def _new_game(rest: str) -> Message:
    words = rest.split(" ")
    form = "game NAME players=N seat=N"
    if not _NAME.fullmatch(words[0]):
        raise MessageError(f"the line has the form `{form}`")
    keys = _keys(words[1:], form)
    if "players" not in keys or "seat" not in keys:
        raise MessageError(f"`players` and `seat` are part of `{form}`")
    players = _number(keys.pop("players"), "players")
    return NewGame(words[0], players, _number(keys.pop("seat"), "seat"), keys)


def _setup(rest: str) -> Message:
    key, _, text = rest.partition(" ")
    if not _NAME.fullmatch(key):
        raise MessageError("the line has the form `setup KEY ...`")
    return Setup(key, text)


def _start(rest: str) -> Message:
    _split(rest, 0, "start")
    return Start()


def _play(rest: str) -> Message:
    seat, action = _split(rest, 2, "play SEAT ACTION")
    return Play(_number(seat, "the seat"), action)


def _draw(rest: str) -> Message:
    seat, _, text = rest.partition(" ")
    if not text:
        raise MessageError("the line has the form `draw SEAT WHAT`")
    return Event("draw", _number(seat, "the seat"), text)


def _out(rest: str) -> Message:
    seat, kind = _split(rest, 2, "out SEAT KIND")
    return Out(_number(seat, "the seat"), kind)


def _position(rest: str) -> Message:
    if not rest.startswith("{"):
        raise MessageError("the line has the form `state {...}`, one JSON object")
    return Position(rest)


def _moves(rest: str) -> Message:
    words = rest.split(" ")
    if "" in words:
        raise MessageError("the line has the form `moves ACTION ...`, with one space between words")
    return Moves(tuple(words))


def _go(rest: str) -> Message:
    move, bank = _split(rest, 2, "go MOVE BANK")
    return Go(_number(move, "the time for the action"), _number(bank, "the bank"))


def _end(rest: str) -> Message:
    form = "end scores=... ranks=..."
    keys = _keys(rest.split(" "), form)
    if "scores" not in keys or "ranks" not in keys:
        raise MessageError(f"the line has the form `{form}`")
    return End(_scores(keys["scores"], "scores"), _scores(keys["ranks"], "ranks"))


def _error(rest: str) -> Message:
    return Error(rest)


def _quit(rest: str) -> Message:
    _split(rest, 0, "quit")
    return Quit()


def _ready(rest: str) -> Message:
    keys = _keys(rest.split(" "), "ready key=value ...") if rest else {}
    wants = keys.get("wants", "")
    return Ready(
        keys.get("name", ""),
        keys.get("version", ""),
        keys.get("author", ""),
        tuple(word for word in wants.split(",") if word),
    )


def _move(rest: str) -> Message:
    # No keys here: what a bot adds to its move is more likely a mistake than the future.
    if not _WORD.fullmatch(rest):
        raise MessageError("an answer has the form `move ACTION`, where the action is one word")
    return Move(rest)


# The first word of a line: who reads the rest. The order is that of a conversation.
_PARSERS: dict[str, Callable[[str], Message]] = {
    "arena": _hello,
    "game": _new_game,
    "setup": _setup,
    "start": _start,
    "play": _play,
    "draw": _draw,
    "out": _out,
    "state": _position,
    "moves": _moves,
    "go": _go,
    "end": _end,
    "error": _error,
    "quit": _quit,
    "ready": _ready,
    "move": _move,
}


def parse(line: str) -> Message:
    """Read one line, without its end and without blanks around it; MessageError says what is wrong."""
    if not line.isascii() or not line.isprintable():
        raise MessageError("a line is printable ASCII")
    if line[:1] == "#":
        return Remark(line[1:].strip(" "))
    word, _, rest = line.partition(" ")
    parser = _PARSERS.get(word)
    if parser is not None:
        return parser(rest)
    # An event of a game that this version has never heard of has the shape of all events.
    event = _EVENT.fullmatch(line)
    return Event(event[1], int(event[2]), event[3]) if event else Unknown(line)


def _pairs(keys: Mapping[str, str]) -> str:
    return "".join(f" {key}={value}" for key, value in keys.items())


def _comma(numbers: tuple[int, ...]) -> str:
    return ",".join(map(str, numbers))


def _format_ready(ready: Ready) -> str:
    keys = ready.told()
    if ready.wants:
        keys["wants"] = ",".join(ready.wants)
    return f"ready{_pairs(keys)}"


_FORMATS: dict[type, Callable[[Any], str]] = {
    Hello: lambda m: f"arena {m.version}",
    NewGame: lambda m: f"game {m.game} players={m.players} seat={m.seat}{_pairs(m.options)}",
    Setup: lambda m: f"setup {m.key} {m.text}" if m.text else f"setup {m.key}",
    Start: lambda m: "start",
    Play: lambda m: f"play {m.seat} {m.action}",
    Event: lambda m: f"{m.kind} {m.seat} {m.text}",
    Out: lambda m: f"out {m.seat} {m.kind}",
    Position: lambda m: f"state {m.text}",
    Moves: lambda m: f"moves {' '.join(m.actions)}",
    Go: lambda m: f"go {m.move} {m.bank}",
    End: lambda m: f"end scores={_comma(m.scores)} ranks={_comma(m.ranks)}",
    Error: lambda m: f"error {m.text}" if m.text else "error",
    Quit: lambda m: "quit",
    Ready: _format_ready,
    Move: lambda m: f"move {m.action}",
    Remark: lambda m: f"# {m.text}" if m.text else "#",
    Unknown: lambda m: m.text,
}


def format(message: Message) -> str:  # noqa: A001 - the pair of parse
    """Return the line of a message, without its end; MessageError where it would not be one line."""
    line = _FORMATS[type(message)](message)
    if not line.isascii() or not line.isprintable():
        raise MessageError(f"a line is printable ASCII: {line!a}")
    return line


def position(value: Mapping[str, Any]) -> Position:
    """Return the `state` message of a position given as JSON values."""
    return Position(json.dumps(value, separators=(",", ":")))
