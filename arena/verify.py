"""Plays the records of a journal through the rules again and compares everything that they say.

Of each record: that it is whole, its id and block, that its board follows from the seed, that every action
was legal and every pass and every end of a seat came when it had to, and scores, parts and ranks. Records are
read one at a time; of each game only a number of 64 bits is kept, to find one that is there twice.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from arena import journal
from arena.config import Format, Seats
from arena.errors import UserError
from arena.games.base import PASS, ActionError, Event, Game, State, load_game, places
from arena.match import FaultKind
from arena.schedule import BlockMaker, board_seed


@dataclass(frozen=True, slots=True)
class Difference:
    """The first thing in which a journal does not agree with the rules."""

    line: int  # of the journal, from 1
    game: str  # the record's id, "" where it cannot be read
    what: str  # the key that differs
    text: str

    def __str__(self) -> str:
        """Return the difference for people."""
        game = f", game {self.game}" if self.game else ""
        return f"line {self.line}{game}: {self.what}: {self.text}"


@dataclass(frozen=True, slots=True)
class Verified:
    """What was looked at, up to the first difference."""

    games: int
    void: int
    actions: int
    difference: Difference | None
    unfinished: bool  # the last line is torn: a run is at work, or was killed


class _Fault(msgspec.Struct):
    seat: int
    kind: str
    action: int


class _Record(msgspec.Struct):
    """The keys of a record that are verified; a record may hold more."""

    id: str
    block: str
    round: int
    bots: list[str]
    setup: dict[str, Any]
    actions: list[list[Any]]
    scores: list[int]
    parts: list[dict[str, int]]
    ranks: list[int]
    faults: list[_Fault]
    void: bool


class _Differs(Exception):
    """A record does not agree: which key, and how."""

    def __init__(self, what: str, text: str) -> None:
        super().__init__(text)
        self.what = what


def verify(folder: Path) -> Verified:
    """Verify a folder's journal up to the first difference; UserError where there is none to read."""
    header = journal.read_header(folder)
    if header.get("format") != journal.FORMAT or not isinstance(header.get("configuration"), dict):
        raise UserError(f"{folder / journal.NAME}: the first line is no header of format {journal.FORMAT}")
    rules = _Rules(header["configuration"])
    games = void = actions = 0
    difference = None
    unfinished = False
    for number, line in _lines(folder / journal.NAME):
        if not line.endswith(b"\n"):
            unfinished = True
            break
        try:
            record = _read(line)
            rules.verify(record)
            if not journal.intact(line):
                raise _Differs("crc", "the checksum does not fit: the line was changed after it was written")
        except _Differs as found:
            difference = Difference(number, _id(line), found.what, str(found))
            break
        games += not record.void
        void += record.void
        actions += len(record.actions)
    return Verified(games, void, actions, difference, unfinished)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Yield the lines after the header with their numbers, damaged ones too."""
    try:
        with path.open("rb") as stream:
            next(stream)
            yield from enumerate(stream, 2)
    except OSError as error:
        raise UserError(f"cannot read {path}: {error.strerror}") from None


def _read(line: bytes) -> _Record:
    try:
        return msgspec.convert(json.loads(line), _Record)
    except (ValueError, RecursionError) as error:
        raise _Differs("record", f"it cannot be read: {error}") from None


def _id(line: bytes) -> str:
    try:
        return str(json.loads(line)["id"])
    except (ValueError, RecursionError, KeyError, TypeError):
        return ""


class _Rules:
    """What all records of a journal are held against."""

    def __init__(self, configuration: Mapping[str, Any]) -> None:
        self.game: Game = load_game(configuration["game"])
        self.players: int = configuration["players"]
        self.seed: int = configuration["seed"]
        self.options: Mapping[str, str] = configuration["options"]
        self.names = {bot["name"] for bot in configuration["bots"]}
        schedule = configuration["schedule"]
        # The rounds of a knockout are numbered by its bracket.
        self.rounds: int | None = None if schedule["format"] == Format.KNOCKOUT else schedule["rounds"]
        self.maker = BlockMaker(
            self.game.name, self.options, self.seed, self.players, Seats(schedule["seats"])
        )
        self.settled: set[bytes] = set()
        self.board: tuple[int, Any] = (0, None)  # the last round's set-up, as all its blocks share it

    def verify(self, record: _Record) -> None:
        """Raise _Differs unless the record is what the rules make of it."""
        self._verify_id(record)
        if record.void:
            return
        number = hashlib.blake2b(record.id.encode(), digest_size=8).digest()
        if number in self.settled:
            raise _Differs("id", "an earlier line has this game already")
        self.settled.add(number)
        if record.setup != self._setup(record.round):
            raise _Differs("setup", f"the seed gives another board for round {record.round}")
        try:
            setup = self.game.load_setup(record.setup)
        except ValueError as error:
            raise _Differs("setup", str(error)) from None
        state = self.game.start(setup)
        _Replay(state, record).run()
        _compare("scores", record.scores, state.scores())
        _compare("parts", record.parts, [dict(parts) for parts in state.parts()])
        failed = [fault.seat for fault in record.faults]
        _compare("ranks", record.ranks, places(state.scores(), state.out, failed))

    def _verify_id(self, record: _Record) -> None:
        if len(record.bots) != self.players or len(set(record.bots)) != self.players:
            raise _Differs("bots", f"expected {self.players} different bots, not {record.bots}")
        if unknown := [bot for bot in record.bots if bot not in self.names]:
            raise _Differs("bots", f"the header has no bot {unknown[0]}")
        if record.round < 1 or (self.rounds is not None and record.round > self.rounds):
            raise _Differs("round", f"the header has rounds 1 to {self.rounds}, not {record.round}")
        block = self.maker.make(record.round, record.bots)
        _compare("block", record.block, block.id)
        for match in block.matches:
            if match.bots == tuple(record.bots):
                _compare("id", record.id, match.id)
                return
        raise _Differs("bots", f"this order of seats is not played in round {record.round}")

    def _setup(self, number: int) -> Any:
        """Return the set-up that the seed gives a round, as JSON values."""
        if self.board[0] != number:
            options = self.game.read_options(self.options)
            setup = self.game.setup(self.players, board_seed(self.seed, number), options)
            self.board = (number, json.loads(json.dumps(setup.dump())))
        return self.board[1]


class _Replay:
    """One record on its way through the rules."""

    def __init__(self, state: State, record: _Record) -> None:
        self.state = state
        self.actions = record.actions
        self.faults = record.faults
        self.at = 0  # how many actions were replayed
        self.dropped = 0

    def run(self) -> None:
        """Play everything; _Differs at the first action or fault that does not fit."""
        while True:
            self._drop()
            if self.state.over:
                break
            seat, text = self._action("the match goes on")
            if seat != self.state.turn:
                raise self._differs(f"seat {seat} plays {text}, but it is seat {self.state.turn}'s turn")
            try:
                events = self.state.play(text)
            except ActionError as error:
                raise self._differs(f"seat {seat} plays {text}: {error}") from None
            self.at += 1
            self._follow(events)
        if self.at < len(self.actions):
            raise self._differs(f"the match is over, but the record has {len(self.actions)} actions")
        if self.dropped < len(self.faults):
            raise _Differs("faults", f"fault {self.dropped + 1} comes after the end of the match")

    def _drop(self) -> None:
        """Take out the seats that were out by now."""
        while self.dropped < len(self.faults) and self.faults[self.dropped].action <= self.at:
            fault = self.faults[self.dropped]
            if fault.kind not in list(FaultKind):
                raise _Differs("faults", f"there is no kind {fault.kind}")
            if not 0 <= fault.seat < self.state.setup.players or fault.seat in self.state.out:
                raise _Differs("faults", f"seat {fault.seat} cannot go out (again)")
            self.dropped += 1
            self._follow(self.state.drop(fault.seat))

    def _follow(self, events: list[Event]) -> None:
        """Hold the passes that the rules make against those recorded."""
        for event in events:
            if event.is_pass:
                seat, text = self._action(f"seat {event.seat} has to pass")
                if (seat, text) != (event.seat, PASS):
                    raise self._differs(f"seat {seat} plays {text}, but seat {event.seat} has to pass")
                self.at += 1

    def _action(self, otherwise: str) -> tuple[int, str]:
        """Return the next recorded action."""
        if self.at == len(self.actions):
            raise self._differs(f"the record ends, but {otherwise}")
        match self.actions[self.at]:
            case [int(seat), str(text), int(), *_]:
                return seat, text
        raise self._differs(f"expected [seat, action, microseconds], not {json.dumps(self.actions[self.at])}")

    def _differs(self, text: str) -> _Differs:
        return _Differs(f"action {self.at + 1}", text)


def _compare(what: str, recorded: object, right: object) -> None:
    if recorded != right:
        raise _Differs(what, f"the record says {json.dumps(recorded)}, right is {json.dumps(right)}")
