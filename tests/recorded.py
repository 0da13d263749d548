"""Journals for tests: matches played through the rules by chance, without any program."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from arena import header, journal
from arena.config import Config
from arena.games.base import Event, load_game
from arena.match import Fault, FaultKind, Match, Played, Result
from arena.schedule import make_plan
from arena.tally import fingerprint


def play(match: Match, faults: Mapping[int, int] | None = None, micros: int = 1000) -> dict[str, Any]:
    """Return the record of a match played by chance; `faults` maps seats to the action when they go out."""
    luck = random.Random(match.id)
    game = load_game(match.game)
    setup = game.setup(match.players, match.seed, match.options)
    state = game.start(setup)
    actions: list[Played] = []
    found: list[Fault] = []

    def follow(events: list[Event]) -> None:
        actions.extend(Played(event.seat, event.text, 0) for event in events if event.is_pass)

    while True:
        for seat, at in sorted((faults or {}).items()):
            if at <= len(actions) and seat not in state.out and not state.over:
                found.append(Fault(seat, FaultKind.TIMEOUT, len(actions), "it slept"))
                follow(state.drop(seat))
        if state.turn is None:
            break
        seat, action = state.turn, luck.choice(state.legal())
        events = state.play(action)
        actions.append(Played(seat, action, micros, ("so be it",) if luck.random() < 0.1 else ()))
        follow(events)
    return Result(
        match,
        setup.dump(),
        tuple(actions),
        tuple(state.scores()),
        tuple(state.parts()),
        tuple(state.ranks()),
        tuple(found),
        cpu=(0.1,) * match.players,
    ).dump()


def matches(config: Config) -> list[Match]:
    """Return all matches of a plan that needs no results."""
    return [match for stage in make_plan(config).stages({}) for block in stage for match in block.matches]


def write(folder: Path, config: Config, records: Iterable[Mapping[str, Any]]) -> Path:
    """Write a journal and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / journal.NAME
    first = header.make(config, {"tier": "basic"}, "2024-01-01T00:00:00Z")
    noted = [{**record, "fingerprint": fingerprint(record)} for record in records]
    path.write_bytes(b"".join(map(journal.encode, [first, *noted])))
    return path
