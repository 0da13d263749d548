"""The lines of the protocol as values."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol import messages
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
)

LINES: dict[str, Message] = {
    "arena 1": Hello(1),
    "game desert players=3 seat=1 edition=kosmos": NewGame("desert", 3, 1, {"edition": "kosmos"}),
    "setup water a6=3 b4=1": Setup("water", "a6=3 b4=1"),
    "setup palms": Setup("palms"),
    "start": Start(),
    "play 0 yd7": Play(0, "yd7"),
    "draw 1 rg": Event("draw", 1, "rg"),
    "roll 3 6 6": Event("roll", 3, "6 6"),
    "out 2 timeout": Out(2, "timeout"),
    'state {"turn":0}': Position('{"turn":0}'),
    "moves yd7 yd8": Moves(("yd7", "yd8")),
    "go 1000 30000": Go(1000, 30000),
    "end scores=61,-4,0 ranks=1,3,2": End((61, -4, 0), (1, 3, 2)),
    "error too late": Error("too late"),
    "quit": Quit(),
    "ready": Ready(),
    "ready name=Dune version=1.2 author=kim wants=moves,state": Ready(
        "Dune", "1.2", "kim", ("moves", "state")
    ),
    "move yd7": Move("yd7"),
    "# nothing scores": Remark("nothing scores"),
    "#": Remark(""),
    "resume the game": Unknown("resume the game"),
}

NUMBER = st.integers(0, 10**9)
WORD = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=12)
NAME = st.from_regex(re.compile(r"[A-Za-z][A-Za-z0-9_.-]{0,8}", re.ASCII), fullmatch=True)
TEXT = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30).map(str.strip)
KEYS = st.dictionaries(NAME.filter(lambda name: name not in ("players", "seat")), WORD, max_size=3)
ITEM = st.text(st.characters(min_codepoint=97, max_codepoint=122), min_size=1, max_size=8)
SCORES = st.lists(st.integers(-(10**6), 10**6), min_size=1, max_size=5).map(tuple)
MESSAGES: st.SearchStrategy[Message] = st.one_of(
    st.builds(Hello, NUMBER),
    st.builds(NewGame, NAME, NUMBER, NUMBER, KEYS),
    st.builds(Setup, NAME, TEXT),
    st.builds(Start),
    st.builds(Play, NUMBER, WORD),
    st.builds(Event, st.sampled_from(["draw", "roll", "deal"]), NUMBER, TEXT.filter(bool)),
    st.builds(Out, NUMBER, NAME),
    st.builds(messages.position, st.dictionaries(st.text(), st.integers() | st.text())),
    st.builds(Moves, st.lists(WORD, min_size=1).map(tuple)),
    st.builds(Go, NUMBER, NUMBER),
    st.builds(End, SCORES, SCORES),
    st.builds(Error, TEXT),
    st.builds(Quit),
    st.builds(
        Ready,
        WORD | st.just(""),
        WORD | st.just(""),
        WORD | st.just(""),
        st.lists(ITEM, max_size=3).map(tuple),
    ),
    st.builds(Move, WORD),
    st.builds(Remark, TEXT),
)


@pytest.mark.parametrize("line", LINES)
def test_every_line_has_its_value(line: str) -> None:
    """Each line of the specification is one value, and the value gives the line back."""
    assert messages.parse(line) == LINES[line]
    assert messages.format(LINES[line]) == line


@settings(max_examples=500, deadline=None, derandomize=True)
@given(MESSAGES)
def test_values_survive_their_lines(message: Message) -> None:
    """Whatever a message holds, its line reads back as the same message."""
    assert messages.parse(messages.format(message)) == message


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("go 1000 0 soft=900", Go(1000, 0)),
        ("play 0 yd7 took=12", Play(0, "yd7")),
        ("start now=1", Start()),
        ("arena 1 host=x", Hello(1)),
        ("end ranks=1,2 reason=full scores=3,2", End((3, 2), (1, 2))),
        ("ready mood=fine name=a", Ready("a")),
        ("ready wants=moves,clairvoyance", Ready(wants=("moves", "clairvoyance"))),
        ("ready name=a name=b", Ready("a")),
        ("out 1 crash by=signal", Out(1, "crash")),
        ("#no space", Remark("no space")),
        ("error", Error("")),
    ],
)
def test_unknown_keys_are_passed_over(line: str, value: Message) -> None:
    """Keys of a later version change nothing of what this one reads."""
    assert messages.parse(line) == value


@pytest.mark.parametrize(
    "line",
    [
        "arena",
        "arena one",
        "arena 01",
        "arena 1 then",
        "game",
        "game desert",
        "game desert players=2",
        "game desert players=two seat=0",
        "game desert players=2  seat=0",
        "setup",
        "setup  x",
        "start 1",
        "play 0",
        "play yd7",
        "play 0  yd7",
        "play -1 yd7",
        "play 0 yd7 yd8",
        "draw 1",
        "draw one rg",
        "out 2",
        "state",
        "state []",
        "moves",
        "moves a  b",
        "go",
        "go 1000",
        "go 1_000 0",
        "go +7 0",
        "go 1e3 0",
        "go 1000000000000000000 0",
        "end scores=1,2",
        "end scores=1,,2 ranks=1,2",
        "end scores=nan ranks=1",
        "end scores=- ranks=1",
        "ready name",
        "ready Dune 1.2",
        "ready  name=a",
        "move",
        "move ",
        "move a b",
        "move  a",
        "quit now",
    ],
)
def test_a_known_word_with_a_wrong_rest_is_an_error(line: str) -> None:
    """A line that begins like ours but does not go on so cannot be read."""
    with pytest.raises(MessageError):
        messages.parse(line)


@pytest.mark.parametrize("line", ["go \u0661\u0662 0", "move \u00e9", "move a\x00", "move a\tb", "a\x85b"])
def test_only_printable_ascii_is_read(line: str) -> None:
    """Digits and letters from outside ASCII, and controls, are no part of any line."""
    with pytest.raises(MessageError, match="printable ASCII"):
        messages.parse(line)


@pytest.mark.parametrize(
    "message", [Error("two\nlines"), Move("a\r"), Setup("x", "\x1b[0m"), Remark("caf\u00e9"), Play(0, "a\nb")]
)
def test_no_value_becomes_two_lines(message: Message) -> None:
    """Text that holds a line's end, a control or a letter outside ASCII has no line."""
    with pytest.raises(MessageError, match="printable ASCII"):
        messages.format(message)


def test_a_position_is_json() -> None:
    """The `state` line carries any JSON values in ASCII, and gives them back."""
    message = messages.position({"turn": 0, "title": "W\u00fcste"})
    assert messages.format(message) == 'state {"turn":0,"title":"W\\u00fcste"}'
    assert message.value() == {"turn": 0, "title": "W\u00fcste"}


def test_what_is_told_leaves_out_what_was_not_said() -> None:
    """The record of `ready` holds only keys that the bot gave."""
    assert Ready("Dune", author="kim").told() == {"name": "Dune", "author": "kim"}


def test_errors_quote_little() -> None:
    """A sentence about a long word stays short."""
    with pytest.raises(MessageError) as caught:
        messages.parse(f"go {'9' * 4000} 0")
    assert len(str(caught.value)) < 120
