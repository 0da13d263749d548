"""The laws that every game must obey, checked by random play. Import them to test a game of your own.

    from arena.games.laws import LAWS
    for law in LAWS:
        law(MY_GAME, players, options, seed)

Each law is a function of a game, a number of players, options and a seed; it plays one match at random and
raises `LawBroken` with a sentence that says what went wrong and where. The same arguments always give the
same match. Nothing here depends on a test framework.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from arena.games.base import ActionError, Event, Game, IllegalAction, InvalidAction, Setup, State, rank

Law = Callable[[Game, int, Mapping[str, str], int], None]

LONGEST = 100_000  # actions; a match that takes more does not end in practice
UNREADABLE = ("", " ", "?", "-1", "\x00", "0" * 5000, "\u00e9", "None", "yd7 yd8")


class LawBroken(AssertionError):
    """A game does not do what every game must."""


def _hold(fact: bool, text: str) -> None:
    if not fact:
        raise LawBroken(text)


def _play(state: State, chance: random.Random) -> Iterator[tuple[str, list[Event]]]:
    """Play a match to its end at random; yield each action with what followed from it."""
    for _ in range(LONGEST):
        legal = state.legal()
        if not legal:
            return
        action = legal[int(chance.random() * len(legal))]
        yield action, state.play(action)
    raise LawBroken(f"the match was not over after {LONGEST} actions")


def _begin(game: Game, players: int, options: Mapping[str, str], seed: int) -> tuple[State, random.Random]:
    setup = game.setup(players, seed, game.read_options(options))
    return game.start(setup), random.Random(seed)


def _json(value: Any) -> Any:
    """Return a value as it comes back from its JSON text."""
    return json.loads(json.dumps(value, allow_nan=False))


def _told(state: State) -> tuple[Any, ...]:
    """Return all that can be asked of a state without changing it."""
    shown = [[(span.text, span.style) for span in line] for line in state.diagram()]
    facts = state.dump(), state.view(), state.legal(), state.parts(), state.scores(), state.ranks()
    return (*facts, state.turn, state.over, tuple(state.out), shown)


def legal_agrees(game: Game, players: int, options: Mapping[str, str], seed: int) -> None:
    """The legal list, the single check and `play` agree; a refused action changes nothing."""
    state, chance = _begin(game, players, options, seed)
    known: set[str] = set()
    while True:
        legal = state.legal()
        _hold(
            bool(legal) == (state.turn is not None), f"turn is {state.turn} with {len(legal)} legal actions"
        )
        _hold(len(set(legal)) == len(legal), "an action stands twice in the legal list")
        _hold(state.over == (state.turn is None), "over and turn disagree")
        known.update(legal)
        for action in legal:
            readable = action.isascii() and action.isprintable() and action and " " not in action
            _hold(bool(readable), f"action {action!r} is not one printable ASCII word")
            state.check(action)
        wrong = sorted(known - set(legal))
        sample = [wrong[int(chance.random() * len(wrong))] for _ in range(5) if wrong]
        before = _told(state)
        for action in (*sample, *UNREADABLE):
            kind = IllegalAction if action in known else InvalidAction
            for act in (state.check, state.play):
                try:
                    act(action)
                except ActionError as error:
                    _hold(isinstance(error, kind), f"{action[:20]!r} gave {error!r}, not {kind.__name__}")
                    _hold(bool(str(error)), f"the refusal of {action[:20]!r} says nothing")
                else:
                    raise LawBroken(f"{act.__name__} took {action!r}, which is not in the legal list")
        _hold(_told(state) == before, "a refused action changed the state")
        if not legal:
            return
        for action in {legal[0], legal[-1]}:
            state.copy().play(action)
        state.play(legal[int(chance.random() * len(legal))])


def text_forms_return(game: Game, players: int, options: Mapping[str, str], seed: int) -> None:
    """Set-ups and positions come back from their JSON text, and play on in the same way."""
    state, chance = _begin(game, players, options, seed)
    setup = game.load_setup(_json(state.setup.dump()))
    _hold(setup.dump() == state.setup.dump(), "the set-up changed in its text form")
    for seat in range(players):
        _hold(setup.lines(seat) == state.setup.lines(seat), "a loaded set-up tells other lines")
    twin = game.start(setup)
    for action, events in _play(state, chance):
        _hold(twin.play(action) == events, f"{action} has other consequences after loading the position")
        _hold(twin.dump() == state.dump(), f"after {action} the loaded position differs")
        twin = game.load(setup, _json(state.dump()))
        _hold(_told(twin) == _told(state), f"the position after {action} changed in its text form")


def seed_decides(game: Game, players: int, options: Mapping[str, str], seed: int) -> None:
    """The same seed gives the same set-up, and the same actions the same match."""
    one, chance = _begin(game, players, options, seed)
    two, _ = _begin(game, players, options, seed)
    _hold(one.setup.dump() == two.setup.dump(), f"seed {seed} gave two different set-ups")
    for action, events in _play(one, chance):
        _hold(two.play(action) == events, f"{action} had other consequences the second time")
    _hold(_told(one) == _told(two), "the same actions led to different ends")


def nothing_leaks(game: Game, players: int, options: Mapping[str, str], seed: int) -> None:
    """Asking changes nothing, copies are independent, and what is returned may be changed by the caller."""
    state, chance = _begin(game, players, options, seed)
    setup = state.setup.dump()
    while not state.over:
        before = _told(state)
        copy = state.copy()
        _hold(_told(copy) == before, "a copy differs from its origin")
        state.legal().clear()
        for returned in (state.dump(), state.view(), *state.parts(), state.setup.dump()):
            returned.clear()
        for answer in (state.parts(), state.scores(), state.ranks(), state.diagram()):
            answer.clear()
        _hold(_told(state) == before, "changing what a state returned changed the state")
        legal = state.legal()
        copy.play(legal[int(chance.random() * len(legal))])
        _hold(_told(state) == before, "playing on a copy changed the origin")
        after = _told(copy)
        state.play(legal[int(chance.random() * len(legal))])
        _hold(_told(copy) == after, "playing on the origin changed a copy")
    _hold(state.setup.dump() == setup, "playing changed the set-up")


def points_add_up(game: Game, players: int, options: Mapping[str, str], seed: int) -> None:
    """Every match ends; scores are the sums of their parts, ranks follow from them, views keep their keys."""
    state, chance = _begin(game, players, options, seed)
    keys, shown = list(state.parts()[0]), set(state.view())
    for _action, events in _play(state, chance):
        parts = state.parts()
        _hold(len(parts) == players and all(list(part) == keys for part in parts), "the parts' keys changed")
        _hold(
            state.scores() == [sum(part.values()) for part in parts], "scores are not the sums of their parts"
        )
        _hold(state.ranks() == rank(state.scores(), state.out), "ranks do not follow from the scores")
        _hold(set(state.view()) == shown, "the keys of the view changed")
        for value in state.view().values():
            _hold(isinstance(value, str | int), f"the view has {value!r}")
        for event in events:
            line = f"{event.kind} {event.seat} {event.text}"
            _hold(event.seat in range(players), f"an event of seat {event.seat}")
            _hold(line.isascii() and line.isprintable(), f"an event that cannot be told: {line!r}")
    _hold(state.over and state.turn is None and not state.legal(), "the match ended but is not over")


def anyone_may_drop(game: Game, players: int, options: Mapping[str, str], seed: int) -> None:
    """A seat can be taken out at any moment; the match goes on while two sides are in it."""
    state, chance = _begin(game, players, options, seed)
    sides = game.sides(players)
    _hold(
        sorted(seat for side in sides for seat in side) == list(range(players)),
        "sides do not hold every seat",
    )
    while not state.over:
        for seat in range(players):
            other = state.copy()
            _drop(other, seat, sides)
        if chance.random() < 0.02:
            _drop(state, int(chance.random() * players), sides)
        else:
            legal = state.legal()
            state.play(legal[int(chance.random() * len(legal))])
    before = _told(state)
    for seat in range(players):
        _hold(state.drop(seat) == [], "a drop after the end had consequences")
    _hold(_told(state) == before, "a drop after the end changed the match")


def _drop(state: State, seat: int, sides: tuple[tuple[int, ...], ...]) -> None:
    """Take a seat out and check what must follow."""
    if seat in state.out:
        before = _told(state)
        _hold(state.drop(seat) == [] and _told(state) == before, "a seat went twice")
        return
    gone = tuple(state.out)
    for event in state.drop(seat):
        _hold(event.seat not in state.out, f"seat {event.seat} is out and still has events")
    _hold(tuple(state.out) == (*gone, seat), f"out is {state.out} after seat {seat} went")
    _hold(state.turn not in state.out, f"seat {state.turn} is out and to act")
    playing = sum(not set(side) <= set(state.out) for side in sides)
    _hold(playing >= 2 or state.over, "the match goes on with one side")
    _hold(state.over or bool(state.legal()), "nobody can act, and the match is not over")
    worst = len(state.scores())
    places = [state.ranks()[out] for out in state.out]
    _hold(places == list(range(worst, worst - len(places), -1)), "who is out does not rank last")


def chance_is_hidden(game: Game, players: int, options: Mapping[str, str], seed: int) -> None:
    """Nothing told to anybody depends on chance that has not come up yet.

    The set-up's record is changed in a place that its lines do not tell; both matches must then look the same
    until the difference comes up in an event.
    """
    state, chance = _begin(game, players, options, seed)
    lines = [state.setup.lines(seat) for seat in range(players)]
    for other in _altered(game, state.setup, chance):
        if [other.lines(seat) for seat in range(players)] != lines:
            continue
        one, two = state.copy(), game.start(other)
        _hold(_told(one) == _told(two), "the first position shows hidden chance")
        for action, events in _play(one, chance):
            if two.play(action) != events:
                break
            _hold(_told(one) == _told(two), f"the position after {action} shows hidden chance")


def _altered(game: Game, setup: Setup, chance: random.Random) -> Iterator[Setup]:
    """Yield set-ups that differ by two exchanged elements of a text or list in the record."""
    record = setup.dump()
    for key, value in record.items():
        if not isinstance(value, str | list) or len(value) < 2:
            continue
        for _ in range(20):
            items = list(value)
            i, j = (int(chance.random() * len(items)) for _ in range(2))
            items[i], items[j] = items[j], items[i]
            other = "".join(items) if isinstance(value, str) else items
            if other != value:
                try:
                    yield game.load_setup({**record, key: other})
                except ValueError:
                    continue  # not a set-up of this game


LAWS: tuple[Law, ...] = (
    legal_agrees,
    text_forms_return,
    seed_decides,
    nothing_leaks,
    points_add_up,
    anyone_may_drop,
    chance_is_hidden,
)
