"""The interface that every game implements, and the registry that finds games.

A game is pure: no I/O, no clock, no global state. All chance is decided when a set-up is made from a
seed; what players may not know of it (the order of a bag) stays in the set-up and is never told.

Actions are their own text form: one printable ASCII word as a bot sends it (`yd7`). A state is mutable and
`copy` is cheap; `play` is the only method besides `drop` that changes it.

To add a game: subclass `Game`, `Setup` and `State`, and name an instance in the entry point group
`arena.games`. `arena.games.laws` holds the laws that every game must pass.
"""

from __future__ import annotations

import enum
import random
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, ClassVar, Self, TypeVar

from arena.errors import UserError

T = TypeVar("T")

PASS = "pass"  # noqa: S105 - the word for a turn that the referee passes


class ActionError(ValueError):
    """An action that cannot be played; the text says why, for the bot's author."""


class InvalidAction(ActionError):
    """The word cannot be read as an action of this game at all."""


class IllegalAction(ActionError):
    """The action is well formed, but a rule forbids it here; the text names the rule."""


class Outcome(enum.StrEnum):
    """What of a game's result counts for ratings."""

    PLACEMENT = "placement"  # the whole order of places
    WINNER = "winner"  # only who came first


@dataclass(frozen=True, slots=True)
class Option:
    """A choice that a tournament's file can make for a game; the first choice is the default."""

    name: str
    choices: tuple[str, ...]
    help: str

    @property
    def default(self) -> str:
        """Return the choice that holds where the file says nothing."""
        return self.choices[0]


@dataclass(frozen=True, slots=True)
class Event:
    """Something all players learn that no bot decided: a pass (`play 2 pass`), a draw (`draw 1 rg`)."""

    kind: str
    seat: int
    text: str

    @property
    def is_pass(self) -> bool:
        """Tell whether this is the referee passing for a seat; passes stand in the record as actions."""
        return self.kind == "play" and self.text == PASS


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a diagram's line: its text, and a style in rich's notation ("" for none)."""

    text: str
    style: str = ""


class Setup(ABC):
    """All facts that are decided before the first action, hidden ones included; immutable."""

    players: int
    options: Mapping[str, str]

    @abstractmethod
    def dump(self) -> dict[str, Any]:
        """Return the set-up as JSON values for the journal; `Game.load_setup` reads it back."""

    @abstractmethod
    def lines(self, seat: int) -> list[str]:
        """Return what is told to a seat, one `setup` line each, without that word: `cells a3 a4 …`."""


class State(ABC):
    """A position of one match. `turn` is the seat to act, None when the match is over.

    Whenever `turn` is a seat, `legal` is not empty: passes are made by `play` and `drop` themselves and
    reported as events.
    """

    setup: Setup
    turn: int | None
    out: tuple[int, ...]  # the seats taken out, in the order in which they went

    @property
    def over(self) -> bool:
        """Tell whether the match has ended."""
        return self.turn is None

    @abstractmethod
    def legal(self) -> list[str]:
        """Return all legal actions of the seat whose turn it is, in a fixed order, empty when over."""

    @abstractmethod
    def check(self, action: str) -> None:
        """Raise InvalidAction or IllegalAction unless the action is legal now; does not list all."""

    @abstractmethod
    def play(self, action: str) -> list[Event]:
        """Play an action (checked as `check` does) and return what follows from it, in order."""

    @abstractmethod
    def drop(self, seat: int) -> list[Event]:
        """Take a seat out of the match, at any moment; return what follows from it, in order."""

    @abstractmethod
    def parts(self) -> list[dict[str, int]]:
        """Return the points by seat and part; every seat has the same keys. Final bonuses once over."""

    def scores(self) -> list[int]:
        """Return the points by seat: the sums of their parts."""
        return [sum(parts.values()) for parts in self.parts()]

    def ranks(self) -> list[int]:
        """Return the places by seat, 1 the best, equal totals share; who is out ranks below all others."""
        return rank(self.scores(), self.out)

    @abstractmethod
    def dump(self) -> dict[str, Any]:
        """Return all that players know as JSON values: the protocol's `state`, set-up facts included."""

    @abstractmethod
    def view(self) -> dict[str, str | int]:
        """Return all that a drawing shows, flat, with stable keys; replays store what changed in it."""

    @abstractmethod
    def diagram(self, marked: Collection[str] = ()) -> list[list[Span]]:
        """Return the position for people, line by line; the spaces in `marked` stand out."""

    def copy(self) -> Self:
        """Return an independent copy: lists, dicts and sets are copied, all else is shared.

        A state with other things that change copies those itself.
        """
        new = object.__new__(type(self))
        for name in (*_slots(type(self)), *self.__dict__):
            setattr(new, name, _copied(getattr(self, name)))
        return new


@cache
def _slots(kind: type) -> tuple[str, ...]:
    """Return the names of all slots of a class."""
    return tuple(name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))


def _copied(value: Any) -> Any:
    """Return a copy of a collection that can change, also inside such a list; anything else as it is."""
    if isinstance(value, list):
        return [_copied(item) for item in value] if value and isinstance(value[0], list) else value[:]
    return value.copy() if isinstance(value, (dict, set)) else value


class Game(ABC):
    """The rules of a game, stateless; registered as an instance."""

    name: ClassVar[str]
    title: ClassVar[str]
    players: ClassVar[range]
    options: ClassVar[tuple[Option, ...]] = ()
    outcome: ClassVar[Outcome] = Outcome.PLACEMENT

    @abstractmethod
    def rules(self) -> str:
        """Return the rules page, Markdown, with every choice named as one."""

    @abstractmethod
    def setup(self, players: int, seed: int, options: Mapping[str, str]) -> Setup:
        """Decide all chance of a match from its seed; options as `read_options` gives them."""

    @abstractmethod
    def load_setup(self, record: Mapping[str, Any]) -> Setup:
        """Read a set-up back from what `Setup.dump` wrote; ValueError says what is wrong with it."""

    @abstractmethod
    def start(self, setup: Setup) -> State:
        """Return the first position."""

    @abstractmethod
    def load(self, setup: Setup, position: Mapping[str, Any]) -> State:
        """Read a position back from what `State.dump` wrote, with the set-up for what that hides."""

    def sides(self, players: int) -> tuple[tuple[int, ...], ...]:
        """Return the seats by side; more than one seat a side where the game is played in teams."""
        return tuple((seat,) for seat in range(players))

    def drawing(self) -> str:
        """Return the source of the script that draws `State.view` in the report, "" for none."""
        return ""

    def read_options(self, given: Mapping[str, str]) -> dict[str, str]:
        """Return the given options completed by defaults; UserError for an unknown name or choice."""
        known = {option.name: option for option in self.options}
        for name, choice in given.items():
            if name not in known:
                names = ", ".join(known) or "none"
                raise UserError(f"{self.name} has no option {name!r} (it has: {names})")
            if choice not in known[name].choices:
                raise UserError(
                    f"{self.name}'s option {name} is one of {', '.join(known[name].choices)}, not {choice!r}"
                )
        return {option.name: given.get(option.name, option.default) for option in self.options}


def rank(scores: Sequence[int], out: Sequence[int] = ()) -> list[int]:
    """Return places by seat, 1 the best: by score, equal scores share; the first seat out is last."""
    ranks = [0] * len(scores)
    playing = [seat for seat in range(len(scores)) if seat not in out]
    order = sorted([scores[seat] for seat in playing], reverse=True)
    for seat in playing:
        ranks[seat] = 1 + order.index(scores[seat])
    for place, seat in enumerate(out):
        ranks[seat] = len(scores) - place
    return ranks


def places(scores: Sequence[int], out: Sequence[int], failed: Collection[int]) -> list[int]:
    """Return the places of a match that is over, given the seats whose bots failed.

    These are the ranks, but where every bot failed: then nobody has won, and all share the place.
    """
    return [1] * len(scores) if len(set(failed)) == len(scores) else rank(scores, out)


def shuffled(items: Iterable[T], chance: random.Random) -> list[T]:
    """Return the items in a random order, the same in every version of Python.

    Only `random.Random.random` promises to give the same numbers for ever; `shuffle` and `sample` do not.
    """
    deck = list(items)
    draw = chance.random
    for last in range(len(deck) - 1, 0, -1):
        chosen = int(draw() * (last + 1))
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return deck


GROUP = "arena.games"


def game_names() -> list[str]:
    """Return the names of all registered games, sorted."""
    return sorted({point.name for point in entry_points(group=GROUP)})


def load_game(name: str) -> Game:
    """Return a registered game; UserError names those there are."""
    for point in entry_points(group=GROUP):
        if point.name == name:
            game = point.load()
            assert isinstance(game, Game), f"entry point {name} of {GROUP} is not a Game"
            return game
    raise UserError(f"there is no game {name!r}; known here: {', '.join(game_names())}")
