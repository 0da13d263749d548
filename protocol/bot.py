"""The loop for bots written in Python: it reads, keeps what was told, asks for an action, and flushes.

    import random
    from protocol.bot import run

    def choose(game):
        return random.choice(game.moves)

    run(choose, name="random", wants="moves")

A bot that keeps something over actions or games is a subclass of `Bot`. The loop knows no rules: what it
keeps is what the referee said. While it runs, `print` goes to stderr, where it does no harm; what is to
stand in the game's record goes through `remark`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from protocol import VERSION
from protocol.connection import (
    BOT_LINE,
    REMARK_BYTES,
    REMARK_LINES,
    Connection,
    Pause,
    Phase,
    Side,
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
    Ready,
    Remark,
    Setup,
    Start,
)


@dataclass(slots=True)
class Game:
    """What the referee has told of one game so far."""

    name: str
    players: int
    seat: int  # one's own
    options: Mapping[str, str]
    setup: dict[str, list[str]] = field(default_factory=dict)  # by key, the text of each line in order
    log: list[Play | Event | Out] = field(default_factory=list)  # all that happened since `start`
    moves: tuple[str, ...] = ()  # the legal actions, for bots that want `moves`
    move_ms: int = 0  # for this action
    bank_ms: int = 0  # left beyond that
    position: Position | None = None  # for bots that want `state`

    @property
    def state(self) -> dict[str, Any]:
        """Return the position as JSON values, for bots that want `state`."""
        return self.position.value() if self.position else {}


class Bot:
    """A bot: subclasses say how they are called, what they want to be told, and what they choose."""

    name: ClassVar[str] = ""
    version: ClassVar[str] = ""
    author: ClassVar[str] = ""
    wants: ClassVar[str] = ""  # "moves", "state" or "moves,state"

    def __init__(self) -> None:
        """Make a bot; one serves for all games of a process."""
        self.remarks: list[str] = []

    def choose(self, game: Game) -> str:
        """Return the action to play now."""
        raise NotImplementedError

    def start(self, game: Game) -> None:
        """Take note of a new game whose set-up is complete; the start-up time runs."""

    def told(self, game: Game, what: Play | Event | Out) -> None:
        """Take note of something that happened; it stands in `game.log` already."""

    def end(self, game: Game, scores: tuple[int, ...], ranks: tuple[int, ...]) -> None:
        """Take note of a game's end."""

    def remark(self, text: str) -> None:
        """Put a remark into the game's record, with the next action."""
        self.remarks += text.split("\n")

    def run(self) -> None:
        """Play on stdin and stdout until the referee says `quit` or goes away."""
        serve(self, 0, 1)


class _Callback(Bot):
    """A bot made of a function."""

    def __init__(self, choose: Callable[[Game], str]) -> None:
        super().__init__()
        self._choose = choose

    def choose(self, game: Game) -> str:
        return self._choose(game)


def run(
    choose: Callable[[Game], str], name: str = "", version: str = "", author: str = "", wants: str = ""
) -> None:
    """Play with a function that returns the action for a game."""
    told = {"name": name, "version": version, "author": author, "wants": wants}
    kind = type("Callback", (_Callback,), told)
    bot: Bot = kind(choose)
    bot.run()


class Loop:
    """One bot's side of a conversation without I/O: bytes heard in, bytes to say out."""

    def __init__(self, bot: Bot) -> None:
        """Begin for a bot."""
        self.bot = bot
        self.game: Game | None = None
        self._connection = Connection(Side.BOT)
        self._remark_lines = 0
        self._remark_bytes = 0

    @property
    def over(self) -> bool:
        """Tell whether the referee has sent the bot away."""
        return self._connection.phase is Phase.LEAVING

    def hear(self, data: bytes) -> bytes:
        """Take bytes from the referee and return what there is to say."""
        self._connection.receive(data)
        said = b""
        while not isinstance(message := self._connection.next(), Pause):
            for answer in self._answer(message):
                said += self._connection.send(answer)
            if self.over:
                break
        return said

    def _answer(self, message: Message) -> Iterable[Message]:
        """Act on one message and return what is to be said."""
        bot = self.bot
        if isinstance(message, Hello):
            if message.version != VERSION:
                print(f"the referee speaks version {message.version}, this bot {VERSION}", file=sys.stderr)
            wants = tuple(word for word in bot.wants.replace(" ", "").split(",") if word)
            return [Ready(bot.name, bot.version, bot.author, wants)]
        if isinstance(message, NewGame):
            self.game = Game(message.game, message.players, message.seat, message.options)
            self._remark_lines = self._remark_bytes = 0
            bot.remarks.clear()
        if isinstance(message, Error):
            print(f"the referee says: {message.text}", file=sys.stderr)
        game = self.game
        if game is None:
            return []
        if isinstance(message, Setup):
            game.setup.setdefault(message.key, []).append(message.text)
        elif isinstance(message, Start):
            bot.start(game)
            return [*self._remarks(), Ready()]
        elif isinstance(message, (Play, Event, Out)):
            game.log.append(message)
            bot.told(game, message)
        elif isinstance(message, Position):
            game.position = message
        elif isinstance(message, Moves):
            game.moves = message.actions
        elif isinstance(message, Go):
            game.move_ms, game.bank_ms = message.move, message.bank
            action = bot.choose(game)
            answer = [*self._remarks(), Move(action)]
            self._remark_lines = self._remark_bytes = 0
            return answer
        elif isinstance(message, End):
            bot.end(game, message.scores, message.ranks)
            self.game = None
        return []

    def _remarks(self) -> Iterable[Message]:
        """Return the remarks of an action as ASCII, within the protocol's bounds; the rest is dropped."""
        for text in self.bot.remarks:
            shown = "".join(char if char.isprintable() else ascii(char)[1:-1] for char in text)
            line = shown.encode("ascii", "backslashreplace").decode("ascii").strip()[: BOT_LINE - 2]
            self._remark_lines += 1
            self._remark_bytes += len(line) + 2
            if self._remark_lines > REMARK_LINES or self._remark_bytes > REMARK_BYTES:
                break
            yield Remark(line)
        self.bot.remarks.clear()


def serve(bot: Bot, source: int, target: int) -> None:
    """Play over two file descriptors until the referee says `quit` or goes away."""
    loop = Loop(bot)
    stdout, sys.stdout = sys.stdout, sys.stderr  # a print for debugging is no answer
    try:
        while not loop.over and (data := os.read(source, 1 << 16)):
            said = loop.hear(data)
            while said:
                said = said[os.write(target, said) :]
    except BrokenPipeError:
        pass  # the referee is gone, and with it everybody who could be told
    finally:
        sys.stdout = stdout
