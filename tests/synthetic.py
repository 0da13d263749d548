"""Results without processes: journals of random play through the rules, with faults and hostile texts."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import combinations, count
from pathlib import Path

from arena import header, journal
from arena.config.values import Config, Schedule
from arena.games.base import load_game, places
from arena.match import Bot, Fault, FaultKind, Match, Played, Result
from arena.schedule import BlockMaker
from arena.tally import fingerprint

NAMES = ("anna", "bert", "carl", "dora", "emil", "fred")


def results(
    folder: Path,
    game: str,
    players: int,
    *,
    rounds: int = 2,
    bots: int | None = None,
    faults: bool = False,
    texts: Sequence[str] = (),
    names: Sequence[str] = NAMES,
) -> Path:
    """Write a journal of a round-robin; with `faults` some seats go out, and bots say the `texts`."""
    rules = load_game(game)
    lineup = names[: bots or players + 1]
    options = rules.read_options({})
    config = Config(
        name="synthetic",
        game=game,
        players=players,
        bots=tuple(Bot(name, ("./bot",), folder) for name in lineup),
        folder=folder,
        output=folder,
        options=options,
        schedule=Schedule(rounds=rounds),
        seed=5,
    )
    isolation = {"tier": "basic", "cgroup": False, "notices": list(texts)}
    folder.mkdir(parents=True, exist_ok=True)
    maker = BlockMaker(game, options, 5, players)
    chance = random.Random(f"{game}{players}")
    number = count()
    with (folder / journal.NAME).open("wb") as file:
        file.write(journal.encode(header.make(config, isolation, "2026-01-01 00:00:00 +0000")))
        for round_number in range(1, rounds + 1):
            for chosen in combinations(lineup, players):
                for match in maker.make(round_number, chosen).matches:
                    broken = faults and next(number) % 3 == 0
                    record = _result(match, chance, broken, texts).dump()
                    file.write(journal.encode({**record, "fingerprint": fingerprint(record)}))
    return folder


def _result(match: Match, chance: random.Random, broken: bool, texts: Sequence[str]) -> Result:
    """Play one match at random; in a broken one a seat goes out after some actions."""
    rules = load_game(match.game)
    setup = rules.setup(match.players, match.seed, match.options)
    state = rules.start(setup)
    actions: list[Played] = []
    faults: list[Fault] = []
    fails = chance.randrange(5, 20) if broken else -1
    while not state.over:
        if len(actions) >= fails >= 0 and not faults:
            assert state.turn is not None
            kind = chance.choice(list(FaultKind))
            said = chance.choice(texts) if texts else "it took too long"
            faults.append(Fault(state.turn, kind, len(actions), said, "\n".join(texts) or "Traceback: oh\n"))
            events = state.drop(state.turn)
        else:
            seat, action = state.turn, chance.choice(state.legal())
            assert seat is not None
            remarks = (chance.choice(texts),) if texts else ("hm",) if chance.random() < 0.1 else ()
            actions.append(Played(seat, action, int(chance.lognormvariate(8, 1)), remarks))
            events = state.play(action)
        actions += [Played(event.seat, event.text, 0) for event in events if event.is_pass]
    told = {"name": chance.choice(texts) if texts else "bot", "version": "1"}
    return Result(
        match=match,
        setup=setup.dump(),
        actions=tuple(actions),
        scores=tuple(state.scores()),
        parts=tuple(state.parts()),
        ranks=tuple(places(state.scores(), state.out, [fault.seat for fault in faults])),
        faults=tuple(faults),
        cpu=(0.01,) * match.players,
        told=(told,) * match.players,
    )
