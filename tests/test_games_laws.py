"""Every registered game obeys the laws of games, at every number of players and with every option."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from arena.games import laws
from arena.games.base import Event, Game, game_names, load_game
from arena.games.rain.state import RainState


def variants() -> Iterator[Any]:
    """Yield all games with all their numbers of players and options."""
    for name in game_names():
        game = load_game(name)
        names = [option.name for option in game.options]
        for players in game.players:
            for choices in product(*(option.choices for option in game.options)):
                options = dict(zip(names, choices, strict=True))
                yield pytest.param(game, players, options, id="-".join([name, str(players), *choices]))


@pytest.mark.parametrize("law", laws.LAWS, ids=lambda law: law.__name__)
@pytest.mark.parametrize(("game", "players", "options"), list(variants()))
def test_law(law: laws.Law, game: Game, players: int, options: dict[str, str]) -> None:
    """A game obeys a law in a random match."""
    law(game, players, options, 7)


def test_laws_notice_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that tells the bag's next mushroom breaks the law of hidden chance."""
    rain = load_game("rain")
    honest = RainState.dump
    monkeypatch.setattr(
        RainState, "dump", lambda self: honest(self) | {"next": self.setup.bag[self.drawn :][:1]}
    )
    with pytest.raises(laws.LawBroken, match="hidden chance"):
        laws.chance_is_hidden(rain, 2, {}, 1)


def test_laws_notice_a_check_that_is_too_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose check lets everything through breaks the law of legal actions."""
    monkeypatch.setattr(RainState, "check", lambda self, action: None)
    with pytest.raises(laws.LawBroken, match="took"):
        laws.legal_agrees(load_game("rain"), 2, {}, 1)


def test_laws_notice_a_shallow_copy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game whose copies share their insides breaks the law of independent copies."""
    monkeypatch.setattr(RainState, "copy", lambda self: self)
    with pytest.raises(laws.LawBroken, match="copy"):
        laws.nothing_leaks(load_game("rain"), 2, {}, 1)


def test_laws_notice_an_endless_match(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game that never ends is stopped and named."""
    monkeypatch.setattr(laws, "LONGEST", 50)
    monkeypatch.setattr(RainState, "legal", lambda self: ["rd4"])
    monkeypatch.setattr(RainState, "play", lambda self, action: list[Event]())
    with pytest.raises(laws.LawBroken, match="not over after 50"):
        laws.points_add_up(load_game("rain"), 2, {}, 1)
