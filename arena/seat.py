"""What a referee knows of a seat, and the lines that seats are told, encoded once."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

from arena.games.base import Game
from arena.games.base import Setup as GameSetup
from arena.match import Clock
from protocol.connection import Connection, Side, encode
from protocol.messages import Go, NewGame, Play, Ready, Setup, Start

FOREVER = 1 << 62  # microseconds; what a person has
_START = encode(Start())
LINES = 4096  # that are kept for a seat: a game has some hundred actions


class _Plays(dict[str, bytes]):
    """A seat's `play` lines by action: the same few hundred come up again and again."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number

    def __missing__(self, action: str) -> bytes:
        line = encode(Play(self._number, action))
        if len(self) < LINES:
            self[action] = line
        return line


plays = cache(_Plays)  # one for each seat of the largest game


@lru_cache(maxsize=64)
def _go(move: int, bank: int) -> bytes:
    """Return the bytes of a `go` line; times in microseconds."""
    return encode(Go(move // 1000, bank // 1000))


class Dealt(NamedTuple):
    """A board ready to be played: what all matches on it share."""

    setup: GameSetup
    record: dict[str, Any]
    lines: list[bytes]  # by seat, from `game` to `start`


@lru_cache(maxsize=16)
def deal(game: Game, players: int, seed: int, options: tuple[tuple[str, str], ...]) -> Dealt:
    """Return a board; the matches of a block come one after the other and share it."""
    chosen = game.read_options(dict(options))
    setup = game.setup(players, seed, chosen)
    lines = [
        b"".join([_new_game(game, players, seat, options), *map(_fact, setup.lines(seat)), _START])
        for seat in range(players)
    ]
    return Dealt(setup, setup.dump(), lines)


@cache
def _new_game(game: Game, players: int, seat: int, options: tuple[tuple[str, str], ...]) -> bytes:
    """Return the bytes of a `game` line."""
    return encode(NewGame(game.name, players, seat, game.read_options(dict(options))))


@lru_cache(maxsize=64)
def _fact(line: str) -> bytes:
    """Return the bytes of a `setup` line: many are the same for all seats, some for all boards."""
    key, _, text = line.partition(" ")
    return encode(Setup(key, text))


class Seat:
    """The conversation with a seat, what it owes, and its clock."""

    __slots__ = (
        "allowed", "bank", "due", "gone", "is_kept", "is_out", "is_set", "is_timed", "pending", "plays",
        "question", "remarks", "talk", "told", "wants", "wants_moves", "wants_state",
    )  # fmt: skip

    def __init__(
        self, number: int, talk: Connection, told: Ready | None, clock: Clock, *, timed: bool
    ) -> None:
        self.talk = talk
        self.plays = plays(number)
        self.is_timed = timed
        self.is_kept = told is not None  # it has played a match before
        self.due = ""  # what it owes an answer to, "" for nothing
        self.gone = ""  # how its program ended, seen before anything was due
        self.is_out = False
        self.is_set = False
        self.pending = b""  # what it is to be told of the match, with its next question or `end`
        self.remarks: list[str] = []
        self.fill(clock, clock.bank)
        self.hear(told)

    def renew(self) -> None:
        """Begin the conversation anew, with another program of the same bot."""
        self.talk = Connection(Side.REFEREE)
        self.is_kept = False
        self.due = self.gone = ""
        self.hear(None)

    def hear(self, ready: Ready | None) -> None:
        """Take note of what the bot says of itself."""
        self.told = ready
        self.wants_moves = ready is not None and "moves" in ready.wants
        self.wants_state = ready is not None and "state" in ready.wants
        self.wants = self.wants_moves or self.wants_state

    def fill(self, clock: Clock, bank: int) -> None:
        """Have so much in the bank from now on, and be asked for actions next."""
        self.bank = bank
        self.question = _go(clock.move, bank)
        self.allowed = clock.move + clock.margin + bank if self.is_timed else FOREVER  # microseconds

    def charge(self, clock: Clock, used: int) -> None:
        """Take from the bank what an action took beyond its own time, and put in what comes after each."""
        self.fill(clock, max(0, self.bank - max(0, used - clock.move)) + clock.increment)
