"""A person on a seat: asks for an action when the referee does, and shows what led to it.

To the referee a person is a bot like any other: what it is told and what it answers are the protocol's
lines, through the same loop as bots in Python. Where text goes and where answers come from is the screen's
business; nothing here reads or prints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from arena.games.base import ActionError, Span, State
from arena.match import Played
from protocol.bot import Bot, Game, Loop

WIDTH = 15  # characters of an offer in a list
BEST = 12  # actions that are offered by number; the rest is shown when asked for
HELP = (
    "Type an action as in the protocol (yd7), or its number from the list. The beginning of actions (y, yd) "
    "marks their spaces and lists them. `all` lists everything, `board` draws the board again, `quit` leaves."
)


class Left(KeyboardInterrupt):
    """The person has left the table: nobody's fault, and no reason to play on."""


class Screen(Protocol):
    """What a person sees and types on."""

    def say(self, text: str, style: str = "") -> None:
        """Show a line of text, in a style of rich's notation."""

    def draw(self, lines: Sequence[Sequence[Span]]) -> None:
        """Show a diagram."""

    def ask(self, prompt: str) -> str | None:
        """Return what the person types, None when there is nobody any more."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A legal action, and what it would score at once."""

    action: str
    points: int
    ends: bool  # the match ends by it, and the points hold all that the end adds

    def __str__(self) -> str:
        """Return it for a list."""
        points = f"{self.points:+}" if self.points else ""
        return f"{self.action:5} {points}{' ends' if self.ends else ''}"


def offers(state: State, seat: int) -> list[Offer]:
    """Return all legal actions with what each would score at once, the best first."""
    before = state.scores()[seat]
    found = []
    for action in state.legal():
        after = state.copy()
        after.play(action)
        found.append(Offer(action, after.scores()[seat] - before, after.over))
    return sorted(found, key=lambda offer: -offer.points)


class Person(Bot):
    """A player who is asked on a screen."""

    name = "person"

    def __init__(self, names: Sequence[str], screen: Screen) -> None:
        """Take the names by seat."""
        super().__init__()
        self._names = names
        self._screen = screen
        self._loop = Loop(self)
        self._state: State | None = None
        self._scores: list[int] = []

    def answer(self, data: bytes) -> bytes:
        """Take what the referee says and return what it is answered."""
        return self._loop.hear(data)

    def watch(self, state: State, played: Played | None) -> None:
        """See the position after each action, and tell the person about it."""
        self._state = state
        scores = state.scores()
        if played is not None:
            gained = scores[played.seat] - self._scores[played.seat]
            points = f" for {gained} point{'s' * (gained != 1)}" if gained and not state.over else ""
            name = self._names[played.seat]
            verb = "play" if name.strip("()") == "you" else "plays"
            self._screen.say(f"{name} {verb} {played.text}{points}", "bold")
        self._scores = scores

    def diagram(self) -> list[list[Span]]:
        """Return the position as it is now, nothing marked."""
        assert self._state is not None
        return self._state.diagram()

    def choose(self, game: Game) -> str:
        """Show the position and ask until an action is legal; Left when the person leaves."""
        assert self._state is not None
        state, screen = self._state, self._screen
        offered = offers(state, game.seat)
        self._show(offered)
        shown = offered[:BEST]
        self._list(shown, len(offered))
        while True:
            typed = screen.ask("your action")
            if typed is None:
                raise Left
            word = typed.strip()
            begun = [offer for offer in offered if offer.action.startswith(word)]
            if word in ("quit", "exit", "q"):
                raise Left
            if word in ("help", "?", "h"):
                screen.say(HELP)
            elif word == "board":
                self._show(offered)
            elif word == "all":
                shown = offered
                self._list(shown, len(offered))
            elif word.isascii() and word.isdigit() and len(word) < 5 and 1 <= int(word) <= len(shown):
                return shown[int(word) - 1].action
            elif any(offer.action == word for offer in begun):
                return word
            elif word and begun:
                shown = begun
                self._show(begun)
                self._list(shown, len(offered))
            elif word:
                screen.say(self._reason(state, word), "red")

    def _reason(self, state: State, word: str) -> str:
        try:
            state.check(word)
        except ActionError as error:
            return f"{error} (`help` tells what you can type)"
        raise AssertionError(f"{word} is legal and was not offered")

    def _show(self, offered: Sequence[Offer]) -> None:
        """Draw the position with the spaces of these actions marked."""
        assert self._state is not None
        words = {offer.action for offer in offered}
        # In both games an action is a letter and a space; a game with other actions may mark them whole.
        self._screen.draw(self._state.diagram(words | {word[1:] for word in words}))

    def _list(self, shown: Sequence[Offer], count: int) -> None:
        """List actions by number, in lines of four."""
        cells = [f"{number:3} {offer!s:{WIDTH}}" for number, offer in enumerate(shown, 1)]
        for start in range(0, len(cells), 4):
            self._screen.say("".join(cells[start : start + 4]).rstrip())
        if len(shown) < count:
            self._screen.say(
                f"    ... {len(shown)} of {count} actions; `all` for all, `help` for help", "dim"
            )
