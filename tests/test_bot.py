"""The loop for Python bots."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from protocol.bot import Bot, Game, Loop, serve
from protocol.connection import REMARK_BYTES, REMARK_LINES, Connection, LocalProtocolError, Pause, Side
from protocol.messages import Event, Go, Hello, Move, NewGame, Out, Play, Ready, Remark, Start

BEGIN = b"""arena 1
"""
GAME = b"""game rain players=2 seat=1 mood=fine
setup cells c1 d1
setup hand 0 rryb
setup hand 1 gbby
start
"""


class First(Bot):
    """Takes the first legal action and writes down all it hears."""

    name = "first"
    wants = "moves, state"

    def __init__(self) -> None:
        super().__init__()
        self.games: list[Game] = []
        self.heard: list[object] = []
        self.ends: list[tuple[tuple[int, ...], tuple[int, ...]]] = []

    def start(self, game: Game) -> None:
        self.games.append(game)

    def told(self, game: Game, what: Play | Event | Out) -> None:
        self.heard.append(what)

    def choose(self, game: Game) -> str:
        self.remark(f"of {len(game.moves)}\nand {game.state.get('turn')}")
        return game.moves[0]

    def end(self, game: Game, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        self.ends.append((scores, ranks))


def test_a_bot_is_asked_and_told() -> None:
    """The loop greets, keeps what was told, and says what the bot chose, with its remarks before it."""
    bot = First()
    loop = Loop(bot)
    assert loop.hear(BEGIN) == b"ready name=first wants=moves,state\n"
    assert loop.hear(GAME) == b"ready\n"
    said = loop.hear(b'play 0 rd4\ndraw 0 g\nstate {"turn":1}\nmoves bc1 bd1\ngo 900 50\n')
    assert said == b"# of 2\n# and 1\nmove bc1\n"
    assert loop.hear(b"play 1 bc1\nout 0 crash\nend scores=0,1 ranks=2,1\n") == b""
    (game,) = bot.games
    assert (game.name, game.players, game.seat, game.options) == ("rain", 2, 1, {"mood": "fine"})
    assert game.setup == {"cells": ["c1 d1"], "hand": ["0 rryb", "1 gbby"]}
    assert (game.move_ms, game.bank_ms) == (900, 50)
    assert game.log == bot.heard
    assert game.log == [Play(0, "rd4"), Event("draw", 0, "g"), Play(1, "bc1"), Out(0, "crash")]
    assert bot.ends == [((0, 1), (2, 1))]
    assert not loop.over
    assert loop.hear(b"quit\n") == b""
    assert loop.over


def test_lines_may_come_in_any_pieces() -> None:
    """Byte by byte, the bot says the same as when all comes at once."""
    heard = BEGIN + GAME + b"moves a b\ngo 1 0\n"
    loop = Loop(First())
    assert b"".join(loop.hear(bytes([byte])) for byte in heard).endswith(b"move a\n")


def test_each_game_begins_anew() -> None:
    """Nothing of one game is left in the next, remarks included."""
    bot = First()
    loop = Loop(bot)
    loop.hear(BEGIN + GAME + b"play 0 rd4\nend scores=0,1 ranks=2,1\n")
    bot.remark("too late")
    assert loop.hear(GAME) == b"ready\n"
    assert bot.games[1].log == []


def test_remarks_stay_within_the_protocol() -> None:
    """Whatever a bot remarks, the referee reads printable ASCII within its bounds."""

    class Chatty(First):
        def choose(self, game: Game) -> str:
            for text in ["W\u00fcste\x1b[0m", "", "x" * 10_000, *["line"] * 200]:
                self.remark(text)
            return "a"

    loop = Loop(Chatty())
    loop.hear(BEGIN + GAME)
    said = loop.hear(b"go 1 0\n")
    referee = Connection(Side.REFEREE)
    referee.send(Hello(1))
    referee.receive(b"ready\n")
    assert referee.next() == Ready()
    referee.send(NewGame("rain", 2, 1))
    referee.send(Start())
    referee.receive(b"ready\n")
    referee.next()
    referee.send(Go(1, 0))
    referee.receive(said)
    remarks = []
    while isinstance(message := referee.next(), Remark):
        remarks.append(message.text)
    assert message == Move("a")
    assert isinstance(referee.next(), Pause)
    assert remarks[:2] == ["W\\xfcste\\x1b[0m", ""]
    assert len(remarks) <= REMARK_LINES
    assert len(said) <= REMARK_BYTES + 200


def test_an_action_of_two_lines_is_never_sent() -> None:
    """A bot that returns nonsense gets an exception of its own, not a fault of the referee."""

    class Broken(First):
        def choose(self, game: Game) -> str:
            return "a\nmove b"

    loop = Loop(Broken())
    loop.hear(BEGIN + GAME)
    with pytest.raises(LocalProtocolError):
        loop.hear(b"go 1 0\n")


def test_serving_ends_with_the_input(capfd: pytest.CaptureFixture[str]) -> None:
    """The loop ends when its input does, and puts stdout back."""
    source, mouth = os.pipe()
    ear, target = os.pipe()
    os.write(mouth, BEGIN)
    os.close(mouth)
    before = sys.stdout
    serve(First(), source, target)
    os.close(target)
    assert os.read(ear, 1000) == b"ready name=first wants=moves,state\n"
    assert sys.stdout is before
    os.close(source)
    os.close(ear)


def test_serving_ends_when_nobody_listens() -> None:
    """A referee that is gone is no reason for a traceback."""
    source, mouth = os.pipe()
    ear, target = os.pipe()
    os.write(mouth, BEGIN)
    os.close(ear)
    serve(First(), source, target)
    for descriptor in (source, mouth, target):
        os.close(descriptor)


def test_ten_lines_are_a_bot(tmp_path: Path) -> None:
    """A function is enough; its prints go to stderr and the answers out at once."""
    program = tmp_path / "bot.py"
    program.write_text(
        textwrap.dedent(
            """
            from protocol.bot import run

            def choose(game):
                print("thinking")
                return game.moves[-1]

            run(choose, name="last", version="1", author="kim", wants="moves")
            """
        )
    )
    done = subprocess.run(
        [sys.executable, program],
        input=BEGIN + GAME + b"moves a b\ngo 1 0\nerror enough\nquit\n",
        capture_output=True,
        check=True,
        timeout=60,
    )
    assert done.stdout == b"ready name=last version=1 author=kim wants=moves\nready\nmove b\n"
    assert done.stderr == b"thinking\nthe referee says: enough\n"
