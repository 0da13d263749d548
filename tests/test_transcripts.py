"""The golden conversations, run against both sides of the protocol and against the referee."""

from __future__ import annotations

import contextlib
import functools
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from protocol import messages, transcript
from protocol.bot import Bot, Game, Loop
from protocol.connection import (
    CLOSED,
    NEED_DATA,
    TABLE,
    Connection,
    Pause,
    Phase,
    RemoteProtocolError,
    Side,
)
from protocol.messages import Event, Go, Message, MessageError, Move, Remark, Unknown
from protocol.transcript import Mark, Step

ROOT = Path(__file__).resolve().parent.parent
NAMES = transcript.names()
CLEAN = [name for name in NAMES if not name.startswith("fault-")]
CHUNKS = ["whole", "bytes", "lines"]


@functools.cache
def tool() -> ModuleType:
    """Return the program that writes the conversations."""
    spec = importlib.util.spec_from_file_location("transcripts_tool", ROOT / "tools" / "transcripts.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look their module up there
    spec.loader.exec_module(module)
    return module


def pieces(data: bytes, how: str) -> Iterator[bytes]:
    """Cut bytes as a pipe may."""
    if how == "bytes":
        yield from (data[i : i + 1] for i in range(len(data)))
    elif how == "lines":
        yield from data.splitlines(keepends=True)
    elif data:
        yield data


def drain(connection: Connection) -> list[Message]:
    """Return all messages that there are."""
    heard: list[Message] = []
    while not isinstance(message := connection.next(), Pause):
        heard.append(message)
    return heard


def turns(steps: list[Step]) -> Iterator[tuple[Mark, list[Step]]]:
    """Return the steps in groups of one speaker, without comments and waiting; a fault is its own group."""
    speaker = {Mark.REFEREE: Mark.REFEREE, Mark.FAULT: Mark.FAULT}
    group: list[Step] = []
    for step in steps:
        if step.mark in (Mark.COMMENT, Mark.WAIT):
            continue
        who = speaker.get(step.mark, Mark.BOT)
        if group and speaker.get(group[0].mark, Mark.BOT) is not who:
            yield speaker.get(group[0].mark, Mark.BOT), group
            group = []
        group.append(step)
    if group:
        yield speaker.get(group[0].mark, Mark.BOT), group


def test_there_are_conversations() -> None:
    """Every situation of the specification has one."""
    assert len(NAMES) > 30
    assert {"handshake", "unknown", "remarks", "bank", "out", "two-games", "desert", "rain"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_conversations_survive_their_text_form(name: str) -> None:
    """Reading and writing a conversation changes nothing."""
    assert transcript.format(transcript.load(name)) == (transcript.FOLDER / f"{name}.txt").read_text()


def test_bytes_survive_their_text_form() -> None:
    """Every byte that a bot may send can be written down and read back."""
    data = bytes(byte for byte in range(256) if byte != 10)
    assert Step(Mark.BOT, transcript.show(data)).data == data + b"\n"
    assert Step(Mark.BEGUN, transcript.show(data)).data == data


@pytest.mark.parametrize("text", ["go 1 2", ">go", "<<", "? x"])
def test_other_lines_are_no_steps(text: str) -> None:
    """A line that begins with no mark is refused with its number."""
    with pytest.raises(ValueError, match="line 2"):
        transcript.parse(f"> arena 1\n{text}\n")


@pytest.mark.parametrize("name", NAMES)
def test_the_referee_still_says_this(name: str) -> None:
    """The real rules and the real referee give every line of a conversation again."""
    scenarios = {scenario.name: scenario for scenario in tool().SCENARIOS}
    again = tool().text(scenarios[name])
    assert again == (transcript.FOLDER / f"{name}.txt").read_text(), "run `python tools/transcripts.py`"


@pytest.mark.parametrize("how", CHUNKS)
@pytest.mark.parametrize("name", NAMES)
def test_the_referees_side(name: str, how: str) -> None:
    """The referee's connection says each line as it stands, and hears each answer or its fault."""
    connection = Connection(Side.REFEREE)
    fault: str | None = None
    for who, group in turns(transcript.load(name)):
        if who is Mark.REFEREE:
            for step in group:
                message = messages.parse(step.text)
                if isinstance(message, Event) and message.kind != "draw":
                    message = Unknown(step.text)
                keyed = messages.format(message) != step.text  # a later version's keys
                try:
                    sent = connection.send(message)
                except RemoteProtocolError as error:
                    fault = str(error)
                    break
                assert keyed or sent == step.data
        elif who is Mark.FAULT and group[0].text == "protocol" and fault is None and "invalid" not in name:
            with pytest.raises(RemoteProtocolError) as caught:
                connection.send(Go(1000, 0))
            fault = str(caught.value)
        elif who is Mark.BOT:
            heard: list[Message] = []
            try:
                for piece in pieces(b"".join(step.data for step in group), how):
                    connection.receive(piece)
                    heard += drain(connection)
            except RemoteProtocolError as error:
                fault = str(error)
                continue
            said = [step.data.strip().decode("ascii") for step in group if step.mark is Mark.BOT]
            assert heard == [messages.parse(line) for line in said]
            if any(step.mark is Mark.END for step in group):
                connection.receive(b"")
                assert connection.next() is CLOSED
    assert fault is None or name.startswith("fault-")
    errors = [step.text for step in transcript.load(name) if step.text.startswith("error ")]
    assert fault is None or errors == [f"error {fault}"]
    kinds = [step.text for step in transcript.load(name) if step.mark is Mark.FAULT]
    assert len(kinds) == len(errors) == name.startswith("fault-")
    assert (fault is not None) is (kinds == ["protocol"] and name != "fault-invalid")


@pytest.mark.parametrize("how", CHUNKS)
@pytest.mark.parametrize("name", NAMES)
def test_the_bots_side(name: str, how: str) -> None:
    """The bot's connection hears each line that it knows, and may say each answer up to a fault."""
    connection = Connection(Side.BOT)
    for who, group in turns(transcript.load(name)):
        if who is Mark.REFEREE:
            heard: list[Message] = []
            for piece in pieces(b"".join(step.data for step in group), how):
                connection.receive(piece)
                heard += drain(connection)
            told = [messages.parse(step.text) for step in group]
            assert [m for m in told if not isinstance(m, (Unknown, Event))] == [
                m for m in heard if not isinstance(m, Event)
            ]
            assert [m for m in told if isinstance(m, Event) and m.kind == "draw"] == [
                m for m in heard if isinstance(m, Event) and m.kind == "draw"
            ]
        elif who is Mark.BOT and name in CLEAN:
            for step in group:
                line = step.data.strip().decode("ascii")
                message = messages.parse(line)
                said = connection.send(message)
                if line == messages.format(message):
                    assert said.strip() == step.data.strip()
        elif who is Mark.BOT:
            # In a conversation with a fault, what is good up to it brings us there.
            for step in group:
                with contextlib.suppress(MessageError, UnicodeDecodeError):
                    message = messages.parse(step.data.strip().decode("ascii"))
                    if step.mark is Mark.BOT and type(message) in TABLE[connection.phase]:
                        connection.send(message)
    assert connection.phase is Phase.LEAVING
    assert connection.next() is NEED_DATA


class Scripted(Bot):
    """Says what the bot of a conversation said, and nothing else."""

    def __init__(self, steps: list[Step]) -> None:
        super().__init__()
        self.script = [step.text.strip() for step in steps if step.mark is Mark.BOT]

    def choose(self, game: Game) -> str:
        while not (line := self.script.pop(0)).startswith("move "):
            if line.startswith("#"):
                self.remark(line[1:].strip())
        return line.split()[1]


@pytest.mark.parametrize("how", CHUNKS)
@pytest.mark.parametrize(
    "name", ["handshake", "unknown", "bank", "out", "out-last", "team", "two-games", "five", "desert", "rain"]
)
def test_the_loop_for_python_bots(name: str, how: str) -> None:
    """A bot in Python that chooses the same actions says the same bytes."""
    steps = transcript.load(name)

    class Dune(Scripted):
        name = "Dune"

    loop = Loop(Dune(steps))
    for who, group in turns(steps):
        data = b"".join(step.data for step in group)
        if who is Mark.REFEREE:
            said = b"".join(loop.hear(piece) for piece in pieces(data, how))
        else:
            assert said == data
            said = b""
    assert said == b""
    assert loop.over


def test_remarks_are_heard_before_their_action() -> None:
    """What the referee hears of a chatty bot is in the order in which it was said."""
    steps = [step for step in transcript.load("remarks") if step.mark is Mark.BOT]
    heard = [messages.parse(step.text) for step in steps]
    assert sum(isinstance(message, Remark) for message in heard) == 8
    assert isinstance(heard[-1], Move)
