"""The set-up of desert: what is decided before the first leader stands, all of it open to every player."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from arena.games.base import Setup, shuffled
from arena.games.desert.board import COLOURS, PALMS, TOKENS, Board, Grid, grid, load_board

SUPPLY = {2: 22, 3: 26, 4: 30, 5: 30}  # camels of each colour, leaders not counted
_CAMELS = {
    players: f"camels {' '.join(f'{colour}={camels}' for colour in COLOURS)}"
    for players, camels in SUPPLY.items()
}


@dataclass(frozen=True, slots=True)
class DesertSetup(Setup):
    """Where the palms and the water are, and which leaders each seat has."""

    players: int
    options: Mapping[str, str]
    palms: tuple[str, ...]
    water: Mapping[str, int]
    leaders: tuple[str, ...]  # by seat, the colours that the seat has a leader of
    grid: Grid = field(init=False, repr=False, compare=False)
    oases: int = field(init=False, repr=False, compare=False)  # the palms' spaces
    shore: int = field(init=False, repr=False, compare=False)  # the spaces that touch a palm
    wet: int = field(init=False, repr=False, compare=False)  # the spaces with water
    marked: int = field(init=False, repr=False, compare=False)  # all of these two
    values: Mapping[int, int] = field(init=False, repr=False, compare=False)  # water by its space's index
    hands: tuple[int, ...] = field(init=False, repr=False, compare=False)  # the leaders' colours as bits
    rivals: Sequence[Sequence[int]] = field(init=False, repr=False, compare=False)  # by caravan: same colour
    told: list[str] = field(init=False, repr=False, compare=False, default_factory=list)  # see `lines`

    def __post_init__(self) -> None:
        spaces = grid(self.options["board"], self.players > 3)
        oases = spaces.mask(self.palms)
        values = {spaces.index[space]: value for space, value in self.water.items()}
        derive = object.__setattr__  # the class is frozen; these are worked out once from its fields
        derive(self, "grid", spaces)
        derive(self, "oases", oases)
        derive(self, "shore", spaces.around(oases))
        derive(self, "rivals", _rivals(self.players))
        derive(self, "wet", sum([spaces.bits[index] for index in values]))
        derive(self, "marked", self.shore | self.wet)
        derive(self, "hands", tuple(map(colour_bits, self.leaders)))
        derive(self, "values", values)

    @property
    def board(self) -> Board:
        """Return the board played on."""
        return load_board(self.options["board"])

    @property
    def supply(self) -> int:
        """Return the camels that there are of each colour at the start."""
        return SUPPLY[self.players]

    def dump(self) -> dict[str, Any]:
        """Return the set-up as JSON values."""
        return {
            "players": self.players,
            "options": dict(self.options),
            "palms": list(self.palms),
            "water": dict(self.water),
            "leaders": list(self.leaders),
        }

    def lines(self, seat: int) -> list[str]:
        """Return the set-up lines; everybody is told the same, so they are made once."""
        if not self.told:
            self.told.extend(self._lines())
        return self.told[:]

    def _lines(self) -> list[str]:
        return [
            self.grid.line,
            f"palms {' '.join(self.palms)}",
            f"water {' '.join([f'{space}={value}' for space, value in self.water.items()])}",
            _CAMELS[self.players],
            *[f"leaders {other} {colours}" for other, colours in enumerate(self.leaders)],
        ]


def draw_setup(players: int, seed: int, options: Mapping[str, str]) -> DesertSetup:
    """Decide palms, water and leaders by chance."""
    chance = random.Random(seed)
    palm_spaces, wet = _marked(options["board"], players > 3)
    palms = set(shuffled(palm_spaces, chance)[:PALMS])
    tokens = shuffled(TOKENS, chance)
    given = shuffled(COLOURS, chance) if players == 5 else [""] * players
    return DesertSetup(
        players,
        dict(options),
        tuple(space for space in palm_spaces if space in palms),
        dict(zip((space for space in wet if space not in palms), tokens, strict=False)),
        tuple(COLOURS.replace(colour, "") if colour else COLOURS for colour in given),
    )


@cache
def colour_bits(letters: str) -> int:
    """Return colours as bits."""
    return sum(1 << COLOURS.index(letter) for letter in letters)


@cache
def _rivals(players: int) -> tuple[tuple[int, ...], ...]:
    """Return by caravan (seat * 5 + colour) the other players' caravans of its colour."""
    size = players * len(COLOURS)
    return tuple(
        tuple(other for other in range(caravan % len(COLOURS), size, len(COLOURS)) if other != caravan)
        for caravan in range(size)
    )


@cache
def _marked(name: str, large: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the palm spaces in use, and all spaces in use that may hold water, both in the board's order."""
    board = load_board(name)
    used = board.used(4 if large else 2)
    palms = tuple(space for space in used if space in board.palms)
    return palms, tuple(space for space in used if space in palms or space in board.waters)


def load_setup(record: Mapping[str, Any], options: Mapping[str, str]) -> DesertSetup:
    """Check a record of a set-up and return it; ValueError says what is wrong."""
    players = record.get("players")
    if not isinstance(players, int) or players not in SUPPLY:
        raise ValueError(f"desert is for 2 to 5 players, not {players!r}")
    board = load_board(options["board"])
    used = board.used(players)
    palms, water, leaders = (record.get(key) for key in ("palms", "water", "leaders"))
    if not isinstance(palms, list) or len(set(palms)) != len(palms) or len(palms) > PALMS:
        raise ValueError(f"palms is not a list of at most {PALMS} spaces")
    for palm in palms:
        if palm not in board.palms or palm not in used:
            raise ValueError(f"{palm!r} is no palm space of this board")
    if not isinstance(water, dict):
        raise ValueError("water is not an object of spaces and values")
    for space, value in water.items():
        if space not in used or space in palms:
            raise ValueError(f"water on {space!r}, which is no space for it")
        if value not in (1, 2, 3):
            raise ValueError(f"water of {value!r} on {space}")
    if not isinstance(leaders, list) or len(leaders) != players:
        raise ValueError("leaders is not a list with the colours of each seat")
    for colours in leaders:
        if not isinstance(colours, str) or colours != "".join(c for c in COLOURS if c in colours):
            raise ValueError(f"{colours!r} is not a set of the colours {COLOURS}")
    return DesertSetup(players, dict(options), tuple(palms), dict(water), tuple(leaders))
