"""Replays: a record as the positions it went through, each as what changed in the one before.

The viewer knows nothing of the rules: positions, scores and passes come from here. A record is trusted to be
legal, as `arena verify` would find; one that is not ends where the rules stop it, and says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from arena.games.base import PASS, ActionError, Game, State

View = dict[str, str | int]


@dataclass(frozen=True, slots=True)
class Step:
    """A position on the way, and what led to it: an action, a seat going out, or nothing at the start."""

    state: State
    seat: int | None
    text: str  # the action, `out KIND` for a seat that went, "" at the start
    micros: int
    remarks: tuple[str, ...]
    actions: int  # how many actions had been made after it, passes included


class BrokenRecord(ValueError):
    """A record that the rules do not allow; `arena verify` says more."""


def steps(game: Game, record: Mapping[str, Any]) -> Iterator[Step]:
    """Yield the positions of a record; the state is the same object all along, so look before going on."""
    try:
        state = game.start(game.load_setup(record["setup"]))
    except (ValueError, KeyError, TypeError) as error:
        raise BrokenRecord(f"its set-up cannot be read: {error}") from error
    faults = list(record["faults"])
    yield Step(state, None, "", 0, (), 0)
    for number, action in enumerate(record["actions"]):
        while faults and faults[0]["action"] <= number:
            fault = faults.pop(0)
            state.drop(fault["seat"])
            yield Step(state, fault["seat"], f"out {fault['kind']}", 0, (), number)
        seat, text, micros = action[:3]
        if text != PASS:  # the rules made it with the action before
            try:
                state.play(text)
            except ActionError as error:
                raise BrokenRecord(f"action {number + 1}, {text}: {error}") from error
        yield Step(state, seat, text, micros, tuple(action[3]) if len(action) > 3 else (), number + 1)
    for fault in faults:
        state.drop(fault["seat"])
        yield Step(state, fault["seat"], f"out {fault['kind']}", 0, (), len(record["actions"]))


def changes(before: View, after: View) -> View:
    """Return what is different in a view from the one before."""
    return dict(sorted((key, value) for key, value in after.items() if before.get(key) != value))


def replay(game: Game, record: Mapping[str, Any], base: View) -> dict[str, Any]:
    """Return a game for the viewer: its heading, and step by step what changed.

    The first step is told as what is different from `base`, the first position of any game of the results.
    """
    told: list[list[Any]] = []
    broken = ""
    view = base
    try:
        for step in steps(game, record):
            now = step.state.view()
            row: list[Any] = [step.seat, step.text, step.micros, changes(view, now)]
            if step.remarks:
                row.append(list(step.remarks))
            told.append(row)
            view = now
    except BrokenRecord as error:
        broken = str(error)
    return {
        "id": record["id"],
        "round": record["round"],
        "bots": record["bots"],
        "scores": record["scores"],
        "ranks": record["ranks"],
        "actions": len(record["actions"]),
        "faults": [[fault["seat"], fault["kind"]] for fault in record["faults"]],
        "steps": told,
        **({"broken": broken} if broken else {}),
    }
