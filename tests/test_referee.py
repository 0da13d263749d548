"""The referee as a conversation: observations in, effects out; no process, no sleep, no clock."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.effects import Ask, Effect, Finish, Open, Send, Stop
from arena.games.base import load_game
from arena.match import Clock, FaultKind, Match, Played, Result
from arena.referee import Referee
from arena.seat import FOREVER
from protocol.connection import Connection, Side

CLOCK = Clock(move=1_000_000, bank=500_000, increment=10_000, margin=50_000, startup=2_000_000)


class Play:
    """A match with players that a test speaks for; collects what the referee wants."""

    def __init__(
        self, players: int = 2, game: str = "rain", clock: Clock = CLOCK, ready: str = "ready", **more: object
    ) -> None:
        """Begin a match and bring it as far as the first `go`, unless `ready` is empty."""
        match = Match("m", "b", 1, game, {}, 5, tuple("abcdefg"[:players]))
        self.talks = [Connection(Side.REFEREE) for _ in range(players)]
        self.referee = Referee(match, load_game(game), clock, self.talks, **more)  # type: ignore[arg-type]
        self.at = 0
        self.sent: list[list[str]] = [[] for _ in range(players)]
        self.asked = [0] * players
        self.allowed = [0] * players
        self.stopped: list[int] = []
        self.opened: list[int] = []
        self.played: list[Played] = []
        self.result: Result | None = None
        self.do(self.referee.begin())
        if ready:
            for seat in list(self.opened):
                self.do(self.referee.started(seat))
            for _ in range(2):
                for seat in range(players):
                    self.say(seat, ready)

    def do(self, effects: Sequence[Effect]) -> None:
        """Carry out what is wanted."""
        assert self.result is None, "nothing happens after the end"
        for effect in effects:
            if isinstance(effect, Ask | Send):
                self.sent[effect.seat] += effect.data.decode("ascii").splitlines()
                if isinstance(effect, Ask):
                    self.asked[effect.seat] = self.at
                    self.allowed[effect.seat] = effect.allowed
            elif isinstance(effect, Stop):
                self.stopped.append(effect.seat)
            elif isinstance(effect, Open):
                self.opened.append(effect.seat)
            elif isinstance(effect, Played):
                self.played.append(effect)
            elif isinstance(effect, Finish):
                self.result = effect.result

    def say(self, seat: int, text: str, after: int = 0, stalled: int = 0) -> None:
        """Let a bot say a line some time later."""
        self.at += after
        self.do(self.referee.heard(seat, text.encode() + b"\n", self.used(seat), stalled))

    def used(self, seat: int) -> int:
        """Return the time since a seat was asked."""
        return self.at - self.asked[seat]

    @property
    def turn(self) -> int:
        """Return whose turn it is."""
        assert self.referee.turn is not None
        return self.referee.turn

    def move(self, after: int = 1000) -> None:
        """Let the bot whose turn it is play the first legal action."""
        self.say(self.turn, f"move {self.referee.state.legal()[0]}", after)

    def finish(self) -> Result:
        """Play on to the end."""
        while self.result is None:
            self.move()
        return self.result

    def fault(self) -> tuple[int, FaultKind, str]:
        """Return the one fault of the result, played to the end."""
        (fault,) = self.finish().faults
        return fault.seat, fault.kind, fault.text


def test_all_seats_begin_at_the_same_time() -> None:
    """Every program is wanted at once, and each is dealt its game as soon as it is ready."""
    play = Play(3, ready="")
    assert play.opened == [0, 1, 2]
    for seat in (2, 0, 1):
        play.do(play.referee.started(seat))
        assert play.sent[seat] == ["arena 1"]
    play.say(1, "ready name=b")
    assert play.sent[1][1] == "game rain players=3 seat=1"
    assert play.sent[1][-1] == "start"
    assert play.sent[0] == ["arena 1"]


def test_kept_programs_are_not_greeted_again() -> None:
    """A conversation that has finished a match goes on with the next one."""
    first = Play(ready="ready wants=moves")
    first.finish()
    readies = [first.referee.ready(seat) for seat in range(2)]
    match = Match("n", "b", 1, "rain", {}, 6, ("a", "b"))
    again = Referee(match, load_game("rain"), CLOCK, first.talks, readies)
    effects = again.begin()
    assert [type(effect) for effect in effects] == [Ask, Ask]
    assert all(isinstance(effect, Ask) and effect.data.startswith(b"game rain") for effect in effects)
    for seat in range(2):
        effects = again.heard(seat, b"ready\n", 0)
    assert isinstance(effects[0], Ask)
    assert b"\nmoves " in b"\n" + effects[0].data, "what it wants was said once"


def test_kept_program_that_left_is_replaced() -> None:
    """One that ended between two matches is no fault of the second: another program is wanted."""
    first = Play()
    first.finish()
    readies = [first.referee.ready(seat) for seat in range(2)]
    again = Referee(
        Match("n", "b", 1, "rain", {}, 6, ("a", "b")), load_game("rain"), CLOCK, first.talks, readies
    )
    again.begin()
    assert again.ended(0, "exited with status 0") == [Stop(0), Open(0)]
    assert again.started(0) == [Ask(0, b"arena 1\n", CLOCK.startup + CLOCK.margin)]
    assert again.talk(0) is not first.talks[0]


def test_nobody_is_asked_before_all_are_set() -> None:
    """The first `go` comes when the last bot is ready."""
    play = Play(ready="")
    for seat in (0, 1):
        play.do(play.referee.started(seat))
        play.say(seat, "ready")
    play.say(0, "ready")
    assert play.referee.turn is None
    play.say(1, "ready")
    assert play.sent[0][-1] == "go 1000 500"


def test_lines_wait_for_the_next_question() -> None:
    """What happens is told with the next question, to the one who did it too, in order."""
    play = Play()
    before = len(play.sent[1])
    first = play.referee.state.legal()[0]
    play.move()
    while play.turn == 0:
        play.move()
    assert play.sent[1][before] == f"play 0 {first}"
    assert play.sent[1][-1].startswith("go ")
    assert all(not line.startswith(("moves", "state")) for line in play.sent[1])


@pytest.mark.parametrize("game", ["desert", "rain"])
def test_bots_get_what_they_want(game: str) -> None:
    """`moves` and `state` stand before `go`, in that order of the protocol, for those who want them."""
    play = Play(game=game, ready="ready wants=moves,state")
    assert [line.partition(" ")[0] for line in play.sent[0][-3:]] == ["state", "moves", "go"]
    assert play.sent[0][-2].split(" ")[1:] == play.referee.state.legal()


def test_result_has_everything() -> None:
    """A finished match has set-up, actions with times, parts, scores, ranks and what bots told."""
    play = Play(ready="ready name=Dune version=1.2")
    play.say(play.turn, "# hm")
    play.move(1234)
    result = play.finish()
    assert result.actions[0].micros == 1234
    assert result.actions[0].remarks == ("hm",)
    assert result.actions[1].remarks == ()
    assert list(result.actions) == play.played
    assert result.scores == tuple(sum(parts.values()) for parts in result.parts)
    assert sorted(result.ranks)[0] == 1
    assert result.told[0] == {"name": "Dune", "version": "1.2"}
    scores, ranks = (",".join(map(str, values)) for values in (result.scores, result.ranks))
    assert play.sent[0][-1] == play.sent[1][-1] == f"end scores={scores} ranks={ranks}"
    assert play.stopped == []


# The clock


def test_deadline_is_move_bank_and_margin() -> None:
    """An action may take its time, the bank and what the referee forgives, to the microsecond."""
    play = Play()
    assert play.allowed[play.turn] == 1_000_000 + 500_000 + 50_000
    play.move(1_550_000)
    assert play.result is None
    assert len(play.played) == 1


def test_bank_pays_beyond_the_move_and_grows_by_the_increment() -> None:
    """What an action takes beyond its time is gone from the bank, and the increment comes after it."""
    play = Play(3)
    play.move(1_200_000)
    while play.turn != 0:
        play.move(0)
    assert play.sent[0][-1] == "go 1000 310"


def test_margin_is_not_taken_from_the_bank_twice() -> None:
    """Who is late within the margin has an empty bank, never a negative one."""
    play = Play(clock=Clock(move=1_000_000, margin=50_000))
    play.move(1_040_000)
    assert play.played[0].micros == 1_040_000
    assert play.finish().faults == ()


def test_late_answer_is_a_timeout() -> None:
    """An answer after the deadline is not played, even where it was read before the deadline was noticed."""
    play = Play()
    seat = play.turn
    play.move(1_550_001)
    fault_seat, kind, text = play.fault()
    assert (fault_seat, kind) == (seat, FaultKind.TIMEOUT)
    assert "action 1" in text
    assert "50 ms late" in text
    assert play.played == [] or play.played[0].seat != seat


def test_deadline_without_answer_is_a_timeout() -> None:
    """Silence costs the match, and the bank is named."""
    play = Play()
    play.do(play.referee.late(play.turn, 2_000_000))
    assert play.fault()[1] is FaultKind.TIMEOUT
    assert play.stopped == [0]


def test_output_does_not_move_the_deadline() -> None:
    """Remarks and beginnings of lines leave the deadline where it was."""
    play = Play()
    seat = play.turn
    for _ in range(50):
        play.say(seat, "# thinking", 1000)
    play.do(play.referee.heard(seat, b"mov", play.used(seat)))
    play.at = play.allowed[seat] + 1
    play.do(play.referee.heard(seat, b"e", play.used(seat)))
    assert play.fault()[:2] == (seat, FaultKind.TIMEOUT)


def test_our_own_sleep_is_not_blamed_on_a_bot() -> None:
    """Where the arena itself was not running for longer than the margin, the match is void."""
    for say in (True, False):
        play = Play()
        play.at += 3_000_000
        if say:
            play.say(play.turn, "move x", stalled=60_000)
        else:
            play.do(play.referee.late(play.turn, 3_000_000, 60_000))
        assert play.result is not None
        assert play.result.void
        assert "not running" in play.result.text
        assert play.stopped == [0, 1]


def test_short_sleep_of_ours_excuses_nothing() -> None:
    """What the margin covers is no excuse."""
    play = Play()
    play.do(play.referee.late(play.turn, 3_000_000, 50_000))
    assert play.fault()[1] is FaultKind.TIMEOUT


def test_person_has_all_the_time() -> None:
    """An untimed seat has no deadline."""
    play = Play(untimed=[0])
    assert play.allowed[0] == FOREVER
    play.move(10**12)
    assert play.finish().faults == ()


# Faults


def test_others_are_told_who_is_out() -> None:
    """The culprit gets the reason and is stopped; the others get its seat and kind, and play on."""
    play = Play(4)
    play.say(play.turn, "move zz9")
    assert play.sent[0][-1].startswith("error ")
    assert play.stopped == [0]
    play.finish()
    for seat in (1, 2, 3):
        assert "out 0 protocol" in play.sent[seat]
        assert play.sent[seat][-1].startswith("end ")
    assert play.result is not None
    assert play.result.ranks[0] == 4


def test_illegal_is_not_unreadable() -> None:
    """What the rules forbid is `illegal`, what is no action at all is `protocol`; both name the action."""
    play = Play()
    legal = set(play.referee.state.legal())
    word = next(letter + space for letter in "rybg" for space in ("a3", "d4") if letter + space not in legal)
    play.say(play.turn, f"move {word}")
    assert play.fault()[1] is FaultKind.ILLEGAL
    assert word in play.fault()[2]


def test_answer_then_exit_counts() -> None:
    """An exit is judged when an answer is due: the move made before it stands."""
    play = Play(3)
    play.move()
    play.do(play.referee.ended(0, "exited with status 0"))
    assert play.stopped == []
    while play.result is None and 0 not in play.stopped:
        play.move()
    fault = play.fault()
    assert fault[:2] == (0, FaultKind.CRASH)
    assert "exited with status 0 after its last answer" in fault[2]
    assert play.finish().actions[0].seat == 0


def test_exit_after_the_last_action_is_no_fault() -> None:
    """Who leaves when nothing more is asked of it has played its match."""
    play = Play()
    while len(play.referee.state.legal()) and play.result is None:
        state = play.referee.state.copy()
        state.play(state.legal()[0])
        if state.turn is None:
            play.do(play.referee.ended(1 - play.turn, "exited with status 1"))
        play.move()
    assert play.finish().faults == ()


def test_two_answers_at_once_are_a_fault_at_the_next_question() -> None:
    """The first of two moves counts, the second was not asked for."""
    play = Play()
    action = play.referee.state.legal()[0]
    play.say(0, f"move {action}\nmove {action}")
    assert play.played[0].text == action
    assert play.fault()[:2] == (0, FaultKind.PROTOCOL)


def test_speaking_out_of_turn_is_judged_when_asked() -> None:
    """What a bot says in another's turn is a fault at its own; remarks are not."""
    play = Play(3)
    play.say(2, "# waiting")
    play.say(1, "move x")
    assert play.stopped == []
    play.move()
    assert play.stopped == [1]
    while play.turn != 2:
        play.move()
    play.move()
    assert play.played[-1].remarks == ("waiting",)


def test_program_that_cannot_be_started() -> None:
    """No program is a `startup` fault, told to the others after their own start."""
    play = Play(3, ready="")
    play.do(play.referee.failed(1, "there is no such file"))
    for seat in (0, 2):
        play.do(play.referee.started(seat))
        play.say(seat, "ready")
        play.say(seat, "ready")
    assert play.stopped == [1]
    seat, kind, text = play.fault()
    assert (seat, kind) == (1, FaultKind.STARTUP)
    assert "no such file" in text
    assert "out 1 startup" in play.sent[0]


def test_silent_start_names_the_question() -> None:
    """A bot that is not ready in time fails to start, for either of the two questions."""
    for question in ("arena", "start"):
        play = Play(ready="")
        for seat in (0, 1):
            play.do(play.referee.started(seat))
        play.say(0, "ready")
        play.say(0, "ready")
        if question == "start":
            play.say(1, "ready")
        assert play.allowed[1] == 2_050_000
        play.do(play.referee.late(1, 3_000_000))
        seat, kind, text = play.fault()
        assert (seat, kind) == (1, FaultKind.STARTUP)
        assert f"`{question}`" in text


def test_nobody_wins_where_all_fail() -> None:
    """When no bot starts, the match is over without an action and all share the place."""
    play = Play(3, ready="")
    for seat in (2, 0, 1):
        play.do(play.referee.failed(seat, "no"))
    assert play.result is not None
    assert play.result.ranks == (1, 1, 1)
    assert [fault.seat for fault in play.result.faults] == [0, 1, 2]
    assert play.result.actions == ()


def test_sentences_are_harmless() -> None:
    """Whatever a bot sends, the sentence is printable, and the line to the bot is one line of ASCII."""
    play = Play()
    play.do(play.referee.heard(play.turn, b"move \x1b[2J\xff\x00\n", 1))
    text = play.fault()[2]
    assert text.isprintable()
    assert sum(line.startswith("error ") for line in play.sent[0]) == 1
    assert play.sent[0][-1].isascii()


def test_hidden_facts_are_never_told() -> None:
    """Nothing that is sent holds the seed or the order of the bag."""
    play = Play(ready="ready wants=state")
    play.finish()
    told = "\n".join(line for lines in play.sent for line in lines)
    assert "seed" not in told
    bag = play.referee.setup.get("bag")
    assert bag
    assert str(bag) not in told
