"""A person on a seat, without a terminal."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.driver import Table
from arena.games.base import Span, State, load_game
from arena.match import Clock, Limits, Match, Played, Result
from arena.person import BEST, Left, Offer, Person, offers


class Screen:
    """Types what it is told to, and keeps what it is shown."""

    def __init__(self, *typed: str | None) -> None:
        self.typed = list(typed)
        self.said: list[str] = []
        self.drawn: list[str] = []

    def say(self, text: str, style: str = "") -> None:
        self.said.append(text)

    def draw(self, lines: Sequence[Sequence[Span]]) -> None:
        self.drawn.append("\n".join("".join(span.text for span in line) for line in lines))

    def ask(self, prompt: str) -> str | None:
        return self.typed.pop(0) if self.typed else "1"


def first(seat: int, state: list[State]) -> bytes:
    """Return the first legal action as an answer."""
    return f"move {state[0].legal()[0]}\n".encode()


def play(screen: Screen, game: str = "rain", seed: int = 5) -> tuple[Person, Result]:
    """Play a match of a person on seat 0 against one that takes the first legal action."""
    person = Person(("you", "first"), screen)
    seen: list[State] = []

    def watch(state: State, played: Played | None) -> None:
        seen[:] = [state]
        person.watch(state, played)

    def other(data: bytes) -> bytes:
        last = data.splitlines()[-1].split()[0]
        if last in (b"arena", b"start"):
            return b"ready\n"
        return first(1, seen) if last == b"go" else b""

    people = {"you": person.answer, "first": other}
    with Table({}, Clock(), Limits(), people=people) as table:
        return person, table.play(Match("m", "b", 0, game, {}, seed, ("you", "first")), watch)


@pytest.mark.parametrize("game", ["desert", "rain"])
def test_a_person_plays_a_match_to_its_end(game: str) -> None:
    """The same referee plays with a person; picking the first offer each time comes to an end."""
    screen = Screen()
    person, result = play(screen, game)
    assert not result.void
    assert result.faults == ()
    assert len(result.scores) == 2
    assert any(line.startswith("you play ") for line in screen.said)
    assert any(line.startswith("first plays ") for line in screen.said)
    assert person.diagram()


def test_legal_spaces_are_marked() -> None:
    """The board is drawn before each question with brackets around the spaces that can be taken."""
    screen = Screen(None)
    with pytest.raises(Left):
        play(screen)
    assert "[" in screen.drawn[0]


@pytest.mark.parametrize("typed", [None, "quit", " exit "])
def test_leaving_ends_everything_at_once(typed: str | None) -> None:
    """The end of input and `quit` leave the match without a result."""
    with pytest.raises(Left):
        play(Screen("1", typed))


def test_actions_are_typed_or_picked() -> None:
    """An action's text, its number and its beginning are understood; nonsense gets the rule's reason."""
    game = load_game("rain")
    state = game.start(game.setup(2, 5, {}))
    legal = state.legal()
    action, letter = legal[7], legal[0][0]
    screen = Screen("help", "xx", "", "board", "all", "99999", letter, action, None)
    with pytest.raises(Left):
        play(screen)
    assert f"you play {action}" in screen.said
    assert any("is no action" in line for line in screen.said)
    assert sum("[" in drawn for drawn in screen.drawn) >= 3
    assert any(line.startswith("Type an action") for line in screen.said)


def test_numbers_mean_the_list_that_was_shown_last() -> None:
    """After the beginning of an action was typed, 1 is the first of those that begin so."""
    game = load_game("rain")
    legal = game.start(game.setup(2, 5, {})).legal()
    letter = legal[-1][0]
    screen = Screen(letter, "1", None)
    with pytest.raises(Left):
        play(screen)
    chosen = next(line for line in screen.said if line.startswith("you play ")).split()[2]
    assert chosen.startswith(letter)


@pytest.mark.parametrize("game", ["desert", "rain"])
def test_offers_tell_what_an_action_scores(game: str) -> None:
    """Each offer is what playing the action changes in the own score, the best first, nothing mutated."""
    rules = load_game(game)
    state = rules.start(rules.setup(2, 5, rules.read_options({})))
    best = 0
    while not state.over:
        seat = state.turn
        assert seat is not None
        before, position = state.scores(), state.dump()
        found = offers(state, seat)
        assert state.dump() == position
        assert sorted(offer.action for offer in found) == sorted(state.legal())
        assert [offer.points for offer in found] == sorted((offer.points for offer in found), reverse=True)
        state.play(found[0].action)
        assert state.scores()[seat] - before[seat] == found[0].points
        assert state.over is found[0].ends
        best = max(best, found[0].points)
    assert best > 0


def test_offers_are_short() -> None:
    """An offer names its points, and that the match ends by it."""
    assert str(Offer("yd7", 3, False)) == "yd7   +3"
    assert str(Offer("yd7", 0, False)).strip() == "yd7"
    assert str(Offer("yd7", 12, True)) == "yd7   +12 ends"


def test_long_lists_are_cut() -> None:
    """Of many actions the best are shown, with how many there are."""
    screen = Screen(None)
    with pytest.raises(Left):
        play(screen, "desert")
    assert any(f"{BEST} of " in line for line in screen.said)
