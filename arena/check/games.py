"""Trials of a bot's play: player counts, options, seats, whole games, clocks, and what changes over games."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from statistics import median

from arena.check import manners
from arena.check.bout import Plan
from arena.check.examination import SECOND, Examination, Trial
from arena.check.verdict import Failed, Noted, Skipped
from arena.games.base import Game
from protocol import messages

FULL = 3  # whole games against random play, besides those of each player count
OVER = 6  # games in one process, to see its memory
SHORT = 6  # own actions of a game that is broken off
MUCH = 1 << 20  # bytes of memory a game, from which on a bot grows


def plays_for(exam: Examination, players: int) -> str:
    """It plays a whole game for {0}."""
    record = exam.game_of(Plan(players=players, seat=players - 1, seed=20 + players))
    return f"{len(record.times)} actions of its own, {len(record.actions)} in all"


def plays_option(exam: Examination, name: str, choice: str) -> str:
    """It plays a whole game with {0}={1}."""
    exam.game_of(Plan(players=2, seat=1, options={name: choice}, seed=30))
    return ""


def plays_every_seat(exam: Examination) -> str:
    """It plays from every seat, in one process."""
    bout = exam.bout()
    players = max(exam.game.players)
    for seat in range(players):
        exam.play(bout, Plan(players=players, seat=seat, seed=40))
    exam.dismiss(bout)
    return f"{players} whole games for {players}"


def plays_again(exam: Examination) -> str:
    """It plays a second game in the same process, on another board and seat."""
    bout = exam.bout()
    fewest, most = min(exam.game.players), max(exam.game.players)
    exam.play(bout, Plan(players=most, seat=0, seed=50))
    try:
        exam.play(bout, Plan(players=fewest, seat=1, seed=51))
    except Failed as failure:
        hint = "the line `game` begins a new game: forget everything of the last one there, the seat too"
        raise Failed(str(failure), hint) from None
    exam.dismiss(bout)
    return ""


def plays_legally(exam: Examination) -> str:
    """It plays only legal actions over whole games against random play."""
    bout = exam.bout()
    actions = 0
    for number in range(FULL):
        record = exam.play(bout, Plan(players=2, seat=number % 2, seed=60 + number))
        actions += len(record.times)
    exam.dismiss(bout)
    return f"{actions} actions in {FULL} games"


def plays_on(exam: Examination) -> str:
    """It plays on when another seat is out."""
    if 3 not in exam.game.players:
        raise Skipped("the game is not for 3")
    exam.game_of(Plan(players=3, seat=0, seed=70, drop=1))
    return ""


def is_told_moves(exam: Examination) -> str:
    """It plays whether it is told the legal actions or not."""
    ready = exam.seen.ready
    if ready is not None and "moves" in ready.wants:
        raise Skipped("it wants `moves`, so it always is told them")
    return _with_more(exam, "moves")


def is_told_state(exam: Examination) -> str:
    """It plays whether it is told the position or not."""
    ready = exam.seen.ready
    if ready is not None and "state" in ready.wants:
        raise Skipped("it wants `state`, so it always is told it")
    return _with_more(exam, "state")


def _with_more(exam: Examination, what: str) -> str:
    """Play with a line before each `go` that the bot did not ask for."""
    state = exam.game.start(exam.game.setup(2, 80, exam.game.read_options({})))
    lines = {
        "moves": messages.format(messages.Moves(tuple(state.legal()))),
        "state": messages.format(messages.position(state.dump())),
    }
    plan = Plan(
        players=2, seat=0, seed=80, most=1,
        grow=lambda line: [lines[what], line] if line.startswith("go ") else [line],
    )  # fmt: skip
    try:
        exam.game_of(plan)
    except Failed as failure:
        raise Failed(str(failure), f"pass over `{what}` where you have no use for it") from None
    return ""


def keeps_a_bank(exam: Examination) -> str:
    """It plays with a bank and an increment."""
    clock = replace(exam.clock, bank=2 * SECOND, increment=SECOND // 10)
    exam.game_of(Plan(players=2, seat=0, seed=90, most=SHORT), clock)
    return ""


def heeds_the_clock(exam: Examination) -> str:
    """It answers sooner when `go` gives it less time."""
    clock = replace(exam.clock, move=SECOND // 10)
    record = exam.game_of(Plan(players=2, seat=1, seed=91, most=SHORT), clock)
    middle = median(record.times)
    if middle > 3 * clock.move:
        raise Failed(
            f"with 100 ms an action it took {middle / 1000:.0f} ms in the middle",
            "the first number of `go` is the time for this action in milliseconds: plan with it",
        )
    return f"{middle / 1000:.1f} ms of 100 ms in the middle"


def is_in_time(exam: Examination) -> str:
    """It answers well within the time."""
    times = sorted(exam.seen.times)
    if not times:
        raise Skipped("it has made no action")
    late = sum(time > exam.clock.move for time in times)
    slow = times[min(len(times) - 1, len(times) * 99 // 100)]
    told = (
        f"{len(times)} actions, of {exam.clock.move / 1000:.0f} ms each {median(times) / 1000:.1f} ms in the "
        f"middle, {slow / 1000:.1f} ms the slowest of a hundred, {times[-1] / 1000:.1f} ms the slowest"
    )
    if late > max(2, len(times) // 50):  # a machine may stall now and then
        raise Failed(
            f"{late} actions were late; {told}", "stop thinking well before the time of `go` is over"
        )
    if late or slow > exam.clock.move // 2:
        raise Noted(told)
    return told


def is_deterministic(exam: Examination) -> str:
    """Whether it does the same in the same game."""
    plan = Plan(players=2, seat=0, seed=95, most=2 * SHORT)
    first, second = (exam.game_of(plan).actions for _ in range(2))
    if first == second:
        raise Noted("yes, in two processes")
    raise Noted("no: it plays the same game differently, which is no fault")


def keeps_its_memory(exam: Examination) -> str:
    """Its memory does not grow with the games."""
    bout = exam.bout()
    sizes = []
    for number in range(OVER):
        exam.play(bout, Plan(players=max(exam.game.players), seat=number % 2, seed=100 + number))
        sizes.append(bout.talk.memory())
    exam.dismiss(bout)
    half = OVER // 2
    grown = (sizes[-1] - sizes[half]) / (OVER - 1 - half)
    told = f"{sizes[0] >> 20} MiB after the first game, {sizes[-1] >> 20} MiB after {OVER}"
    growing = all(after > before for before, after in pairwise(sizes[half:]))
    if growing and grown > MUCH:
        raise Noted(f"{told}: some {grown / MUCH:.0f} MiB more with every game; does it keep old games?")
    return told


def writes_stderr(exam: Examination) -> str:
    """How much it says besides."""
    raise Noted(f"{exam.seen.stderr} bytes on stderr, {exam.seen.remarks} remarks, in all trials")


def trials(game: Game) -> list[Trial]:
    """Return all trials for a game, in the order in which a bot's author wants to know."""
    first = ("first-action",)
    choices = [(option.name, choice) for option in game.options for choice in option.choices[1:]]
    return [
        *manners.trials(),
        *(Trial(f"players-{players}", plays_for, first, (players,)) for players in game.players),
        *(Trial(f"{name}-{choice}", plays_option, first, (name, choice)) for name, choice in choices),
        Trial("every-seat", plays_every_seat, first),
        Trial("second-game", plays_again, first),
        Trial("legal", plays_legally, first),
        Trial("out", plays_on, first),
        Trial("told-moves", is_told_moves, first),
        Trial("told-state", is_told_state, first),
        Trial("bank", keeps_a_bank, first),
        Trial("little-time", heeds_the_clock, first),
        Trial("in-time", is_in_time, first),
        Trial("deterministic", is_deterministic, first),
        Trial("memory", keeps_its_memory, first),
        Trial("besides", writes_stderr, first),
    ]
