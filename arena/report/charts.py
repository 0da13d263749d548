"""Drawings of the report as values for its templates: where things stand on an axis, never any markup.

Everything is in a drawing's own units; the templates put the numbers into SVG.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from arena.standings import Standing

WIDTH = 300.0
BARS = 14  # of a small distribution


@dataclass(frozen=True, slots=True)
class Axis:
    """A range of values with round ticks, and where a value stands on it."""

    low: float
    high: float
    ticks: tuple[float, ...]
    length: float = WIDTH

    def at(self, value: float) -> float:
        """Return a value's place, at the edge for one beyond it."""
        share = (value - self.low) / (self.high - self.low)
        return round(self.length * min(1.0, max(0.0, share)), 2)


def axis(values: Sequence[float], length: float = WIDTH, ticks: int = 5) -> Axis:
    """Return an axis that holds all values, with round ticks."""
    low, high = min(values, default=0.0), max(values, default=0.0)
    if high - low < 1:
        low, high = low - 0.5, high + 0.5
    rough = (high - low) / ticks
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    start, end = math.floor(low / step), math.ceil(high / step)
    marks = tuple(step * number for number in range(start, end + 1))
    return Axis(marks[0], marks[-1], marks, length)


@dataclass(frozen=True, slots=True)
class Whisker:
    """A rating with its interval on the common axis."""

    low: float
    at: float
    high: float


def forest(bots: Sequence[Standing]) -> tuple[Axis, dict[str, Whisker]]:
    """Return the axis of a table's ratings and each bot's interval on it."""
    rated = [bot for bot in bots if bot.elo is not None and bot.low is not None and bot.high is not None]
    found = axis([value for bot in rated for value in (bot.low or 0.0, bot.high or 0.0)])
    return found, {
        bot.name: Whisker(found.at(bot.low or 0.0), found.at(bot.elo or 0.0), found.at(bot.high or 0.0))
        for bot in rated
    }


@dataclass(frozen=True, slots=True)
class Line:
    """A bot's ratings over the games as a path, with the place of its name beside its end."""

    name: str
    number: int  # of its dash and colour
    path: str
    end: float  # where the last point is
    label: float  # where its name stands, moved so that names do not cover each other
    last: float


@dataclass(frozen=True, slots=True)
class Course:
    """How ratings developed: two axes and a line for each bot."""

    across: Axis
    up: Axis
    lines: tuple[Line, ...]


def course(
    history: Sequence[tuple[int, Mapping[str, float]]], names: Sequence[str], width: float, height: float
) -> Course | None:
    """Return the drawing of the ratings over the games; None with fewer than two points."""
    if len(history) < 2:
        return None
    across = axis([0.0, *(float(games) for games, _ in history)], width)
    up = axis([rating for _, ratings in history for rating in ratings.values()], height)
    lines = []
    for number, name in enumerate(names):
        points = [
            (across.at(games), height - up.at(ratings[name])) for games, ratings in history if name in ratings
        ]
        if points:
            path = "M" + " L".join(f"{x:g} {y:g}" for x, y in points)
            last = history[-1][1].get(name, 0.0)
            lines.append(Line(name, number % 8, path, points[-1][1], points[-1][1], last))
    return Course(across, up, tuple(_spread(lines, height)))


def _spread(lines: list[Line], height: float, gap: float = 15.0) -> list[Line]:
    """Move the names apart, from the top down and then from the bottom up."""
    order = sorted(lines, key=lambda line: line.end)
    places = [line.end for line in order]
    for index, (above, here) in enumerate(pairwise(list(places)), 1):
        places[index] = max(here, places[index - 1] + gap) if above is not None else here
    if places and places[-1] > height:
        places[-1] = height
        for index in range(len(places) - 2, -1, -1):
            places[index] = min(places[index], places[index + 1] - gap)
    return [
        Line(line.name, line.number, line.path, line.end, round(place, 1), line.last)
        for line, place in zip(order, places, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class Histogram:
    """A small distribution: the heights of its bars between 0 and 1, and what it says in numbers."""

    bars: tuple[float, ...]
    low: int
    high: int
    mean: float


def histogram(counts: Counter[int], low: int, high: int) -> Histogram:
    """Return the distribution of points on a range that several of them share."""
    span = max(1, high - low + 1)
    bars = [0] * min(BARS, span)
    for points, count in counts.items():
        bars[min(len(bars) - 1, (points - low) * len(bars) // span)] += count
    tallest = max(bars, default=0) or 1
    mean = sum(points * count for points, count in counts.items()) / (counts.total() or 1)
    return Histogram(tuple(round(bar / tallest, 3) for bar in bars), low, high, mean)
