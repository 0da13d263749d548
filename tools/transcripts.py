"""Writes the golden conversations of `protocol/transcripts/`: the real referee and the real rules in memory.

    python tools/transcripts.py           writes all files anew
    python tools/transcripts.py --check   says which files differ, exit status 1 if any do

A scenario is one match seen from one seat. All other seats play at random from a fixed seed; the seat that
is looked at does so too, where its script does not say otherwise. Nothing is started and no clock is read.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from arena.effects import Ask, Effect, Finish, Open, Send, Stop
from arena.games.base import load_game
from arena.match import Clock, Match
from arena.referee import Referee
from protocol import transcript
from protocol.connection import Connection, Side
from protocol.messages import Quit, Ready
from protocol.transcript import Mark, Step

EOF = b"\x04"  # in a script: the bot's stdout ends here
NEVER = b"\x05"  # in a script: no answer ever comes
MILLI = 1000


@dataclass(frozen=True)
class Answer:
    """What the bot does when it is asked: wait so long, then send this, bytes without an end as they are."""

    data: bytes
    after_ms: int = 0


@dataclass(frozen=True)
class Scenario:
    """One conversation to be written down."""

    name: str
    about: str
    game: str = "rain"
    players: int = 2
    seat: int = 0
    options: Mapping[str, str] = field(default_factory=dict)
    seed: int = 7
    clock: Clock = field(default_factory=Clock)
    hello: bytes = b"ready name=Dune\n"
    start: bytes = b"ready\n"
    answers: Mapping[int, Answer] = field(default_factory=dict)  # by the number of the bot's `go`, from 0
    prefix: bytes = b""  # goes before every move
    end_after: int | None = None  # the match is broken off by `quit` after so many of the bot's moves
    games: int = 1
    others: Mapping[int, Mapping[int, Answer]] = field(default_factory=dict)  # scripts of other seats
    grow: Callable[[str], list[str]] = lambda line: [line]  # what becomes of each of the referee's lines
    choice: Callable[[random.Random, list[str]], str] = lambda chance, legal: legal[
        int(chance.random() * len(legal))
    ]


class Stage:
    """Plays a scenario and writes down what passes."""

    def __init__(self, scenario: Scenario) -> None:
        """Prepare the seats."""
        self.scenario = scenario
        self.steps = [Step(Mark.COMMENT, line) for line in scenario.about.splitlines()]
        self.talks = [Connection(Side.REFEREE) for _ in range(scenario.players)]
        self.chance = random.Random(scenario.seed)
        self.asked = [0] * scenario.players
        self.gone = [False] * scenario.players

    def run(self) -> list[Step]:
        """Play all games of the scenario."""
        scenario = self.scenario
        readies: list[Ready | None] = []
        for number in range(scenario.games):
            match = Match(
                "m",
                "b",
                number,
                scenario.game,
                scenario.options,
                scenario.seed + number,
                tuple(f"bot{seat}" for seat in range(scenario.players)),
            )
            self.referee = Referee(match, load_game(scenario.game), scenario.clock, self.talks, readies)
            self.asked = [0] * scenario.players
            if not self.play():
                break
            readies = [self.referee.ready(seat) for seat in range(scenario.players)]
            for seat, gone in enumerate(self.gone):
                if gone and seat != scenario.seat:  # whoever failed gets a new process
                    self.talks[seat], readies[seat], self.gone[seat] = Connection(Side.REFEREE), None, False
        if not self.gone[scenario.seat]:
            self.hear(self.talks[scenario.seat].send(Quit()))
        return self.steps

    def play(self) -> bool:
        """Play one game; tell whether it came to its end."""
        effects: deque[Effect] = deque(self.referee.begin())
        while effects:
            effect = effects.popleft()
            if isinstance(effect, Finish):
                for fault in effect.result.faults:
                    if fault.seat == self.scenario.seat:
                        self.note(fault.kind.value)
                return True
            if isinstance(effect, Open):
                effects.extend(self.referee.started(effect.seat))
            elif isinstance(effect, Send):
                if effect.seat == self.scenario.seat:
                    self.hear(effect.data)
            elif isinstance(effect, Stop):
                self.gone[effect.seat] = True
            elif isinstance(effect, Ask):
                if effect.seat == self.scenario.seat:
                    self.hear(effect.data)
                effects.extend(self.answer(effect))
                mine = effect.seat == self.scenario.seat and not effect.data.startswith(b"arena ")
                if mine and self.asked[effect.seat] == self.scenario.end_after:
                    return False
        raise AssertionError("the match never finished")

    def note(self, kind: str) -> None:
        """Put the fault before the `error` line that tells the bot."""
        for place in range(len(self.steps) - 1, -1, -1):
            if self.steps[place].mark is Mark.REFEREE and self.steps[place].text.startswith("error "):
                self.steps.insert(place, Step(Mark.FAULT, kind))
                return

    def hear(self, data: bytes) -> None:
        """Write down what the seat that is looked at is told."""
        for line in data.decode("ascii").splitlines():
            self.steps += [Step(Mark.REFEREE, text) for text in self.scenario.grow(line)]

    def answer(self, ask: Ask) -> list[Effect]:
        """Let a seat answer, by its script or by chance."""
        scenario, seat = self.scenario, ask.seat
        mine = seat == scenario.seat
        word = ask.data.splitlines()[-1].split(b" ")[0]
        if word == b"go":
            script = scenario.answers if mine else scenario.others.get(seat, {})
            default = f"move {scenario.choice(self.chance, self.referee.state.legal())}\n".encode()
            number = self.asked[seat]
            self.asked[seat] += 1
            reply = script.get(number) or Answer((scenario.prefix if mine else b"") + default)
            reply = Answer(reply.data.replace(b"MOVE", default[5:-1]), reply.after_ms)
        elif word == b"arena":
            reply = Answer(scenario.hello if mine else b"ready\n")
        else:
            reply = Answer(scenario.start if mine else b"ready\n")
        if reply.after_ms and mine:
            self.steps.append(Step(Mark.WAIT, str(reply.after_ms)))
        used = reply.after_ms * MILLI
        data, ends, never = (
            reply.data.removesuffix(EOF).removesuffix(NEVER),
            EOF in reply.data,
            NEVER in reply.data,
        )
        if mine:
            self.say(data)
        effects = self.referee.heard(seat, data, used) if data else []
        if ends and mine:
            self.steps.append(Step(Mark.END))
        if ends:
            effects += self.referee.ended(seat, "exited with status 1")
        if never:
            effects += self.referee.late(seat, ask.allowed)
        return effects

    def say(self, data: bytes) -> None:
        """Write down what the seat that is looked at says."""
        *lines, begun = data.split(b"\n")
        self.steps += [Step(Mark.BOT, transcript.show(line)) for line in lines]
        if begun:
            self.steps.append(Step(Mark.BEGUN, transcript.show(begun)))


def last(chance: random.Random, legal: list[str]) -> str:
    """Choose the last legal action."""
    return legal[-1]


def grown(line: str) -> list[str]:
    """Return a line as a later version of the protocol might write it, with others around it."""
    word = line.split(" ", 1)[0]
    keyed = {"arena", "game", "start", "play", "out", "go", "end"}
    changed = f"{line} later=1" if word in keyed else line
    before = {
        "game": ["weather 3 rainy"],
        "setup": ["setup mood fine"],
        "go": ["tempo presto", "hint 0 none"],
    }
    return [*before.get(word, ["notice a line of a later version"] if word != "quit" else []), changed]


BANK = Clock(move=1000 * MILLI, bank=2000 * MILLI, increment=100 * MILLI)


def fault(name: str, about: str, answer: bytes, after_ms: int = 0, **more: object) -> Scenario:
    """Return a scenario in which the bot's second answer is at fault."""
    return Scenario(f"fault-{name}", about, answers={1: Answer(answer, after_ms)}, **more)  # type: ignore[arg-type]


SCENARIOS = (
    Scenario(
        "handshake",
        "The shortest conversation in which a game begins, and the arena leaves again.",
        end_after=0,
    ),
    Scenario(
        "about",
        "A bot may say of itself what it likes; the referee passes over keys that it does not know.",
        hello=b"ready name=Dune version=1.2 author=kim mood=fine\n",
        end_after=1,
    ),
    Scenario(
        "moves",
        "A bot that wants `moves` is told all legal actions before each `go`.",
        hello=b"ready wants=moves\n",
        end_after=2,
    ),
    Scenario(
        "state",
        "A bot that wants `state` is told the whole position before each `go` (rain).",
        hello=b"ready wants=state\n",
        end_after=2,
    ),
    Scenario(
        "state-desert",
        "The same in desert.",
        game="desert",
        hello=b"ready wants=state\n",
        end_after=1,
        seat=1,
    ),
    Scenario(
        "unknown",
        "Lines and keys of a later version: a bot of this one passes over them.",
        grow=grown,
        end_after=2,
    ),
    Scenario(
        "remarks",
        "Remarks are allowed at any time; they are kept with the next action.",
        hello=b"# hello\nready name=Dune\n# the handshake is done\n",
        start=b"# what a hand\nready\n#\n",
        prefix=b"# nothing scores yet\n#no blank is needed\n",
        end_after=2,
    ),
    Scenario(
        "crlf",
        "CR LF at the end of lines, and blanks around them, are accepted.",
        hello=b"ready name=Dune\r\n",
        start=b"ready \r\n",
        answers={0: Answer(b"  move MOVE\t\r\n")},
        end_after=1,
    ),
    Scenario(
        "bank",
        "What an action takes beyond its own time comes out of the bank; 100 ms come in after each.",
        clock=BANK,
        answers={
            0: Answer(b"move MOVE\n", 400),
            1: Answer(b"move MOVE\n", 2500),
            2: Answer(b"move MOVE\n", 1200),
        },
        end_after=3,
    ),
    Scenario(
        "out",
        "Seat 1 runs out of time and is out; seats 0 and 2 play on.",
        players=3,
        others={1: {0: Answer(NEVER)}},
        end_after=2,
    ),
    Scenario("out-last", "When only one side is left the game ends at once.", others={1: {0: Answer(NEVER)}}),
    Scenario(
        "team",
        "Four players of rain are two teams; a team is out when both its players are.",
        players=4,
        others={1: {0: Answer(EOF)}, 3: {0: Answer(b"nonsense\n")}},
    ),
    Scenario(
        "two-games",
        "A bot plays several games in one process.",
        others={1: {1: Answer(b"move zz9\n")}},
        games=2,
    ),
    Scenario(
        "five",
        "Five players of desert: each has given up a leader, and the larger board is used.",
        game="desert",
        players=5,
        seat=4,
        end_after=2,
    ),
    fault(
        "debug-print", "Output for debugging on stdout is taken for an answer.", b"thinking...\nmove MOVE\n"
    ),
    fault("no-move-word", "An action without the word before it is no answer.", b"rc1\n"),
    fault(
        "two-moves",
        "One `go`, one `move`: the second is a fault when the next question goes out.",
        b"move MOVE\nmove MOVE\n",
    ),
    fault("begun-early", "A line begun before it is asked for is a fault too.", b"move MOVE\nmove r"),
    fault("two-words", "An action is one word.", b"move rc1 rd1\n"),
    fault("empty-line", "An empty line is no answer.", b"\nmove MOVE\n"),
    fault("bom", "A byte order mark is no part of ASCII.", b"\xef\xbb\xbfmove MOVE\n"),
    fault("escape", "Terminal escapes are no part of a line; they are shown escaped.", b"\x1b[2Jmove MOVE\n"),
    fault("utf8", "Letters outside ASCII are no part of a line.", b"# sch\xc3\xb6n\nmove MOVE\n"),
    fault("echo", "A bot that echoes what it hears.", b"go 1000 0\nmove MOVE\n"),
    fault("illegal", "A well formed action that the rules forbid.", b"move ra3\n", choice=last),
    fault("invalid", "A word that is no action of this game at all.", b"move pawn\n"),
    fault("timeout", "No answer in time.", NEVER),
    fault("cr-only", "CR alone does not end a line, so no answer ever comes.", b"move MOVE\r" + NEVER),
    fault("begun", "A line that is never ended is no answer, however it looks.", b"move MOVE" + NEVER),
    fault("crash", "The program ends when an answer is due.", b"move r" + EOF),
    Scenario("fault-banner", "A banner before `ready`.", hello=b"Dune 1.2 by kim\nready name=Dune\n"),
    Scenario("fault-early", "The bot moves before it is asked.", start=b"ready\nmove rc1\n"),
    Scenario("desert", "A whole game of desert, seen by seat 0 of 2.", game="desert"),
    Scenario(
        "rain",
        "A whole game of rain, seen by seat 1 of 2. Towards its end a hand is empty, and the referee passes.",
        seat=1,
        seed=14,
    ),
)


def text(scenario: Scenario) -> str:
    """Return the text of a scenario's file."""
    return transcript.format(Stage(scenario).run())


def whole_games(spec: str) -> str:
    """Return the specification with the conversations that it holds as a whole put in anew."""

    def block(found: re.Match[str]) -> str:
        return f"```transcript {found[1]} whole\n{(transcript.FOLDER / f'{found[1]}.txt').read_text()}```"

    return re.sub(r"```transcript (\S+) whole\n(?:[^`\n].*\n)*```", block, spec)


def main() -> int:
    """Write or check all files."""
    parser = argparse.ArgumentParser(description="Write the golden conversations of the protocol.")
    parser.add_argument("--check", action="store_true", help="only say which files differ")
    check = parser.parse_args().check
    wanted = {f"{scenario.name}.txt": text(scenario) for scenario in SCENARIOS}
    there = {path.name: path.read_text(encoding="ascii") for path in transcript.FOLDER.glob("*.txt")}
    differing = sorted(name for name in {*wanted, *there} if wanted.get(name) != there.get(name))
    for name in differing:
        print(name)
        if not check and name in wanted:
            (transcript.FOLDER / name).write_text(wanted[name], encoding="ascii")
        elif not check:
            (transcript.FOLDER / name).unlink()
    spec = transcript.FOLDER.parent / "SPEC.md"
    text_now = spec.read_text(encoding="utf-8")
    if (text_new := whole_games(text_now)) != text_now:
        differing.append(spec.name)
        print(spec.name)
        if not check:
            spec.write_text(text_new, encoding="utf-8")
    return int(check and bool(differing))


if __name__ == "__main__":
    sys.exit(main())
