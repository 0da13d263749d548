"""How fast the rules are, beside python-chess.

Both sides run the same loop, random playouts: list all legal actions, choose one at random, play it, to the
end of the match. One side is a game of the arena, set-up from a seed included; the other is python-chess's
`Board` from the first position to the end by mate, stalemate, too little material or 75 moves without a
capture. They take turns in one run; a ratio is of actions a second of processor time, the median of rounds.

`desert_ratio` and `rain_ratio` are for 2 players. `check_share` is what `check` and `play` together take of a
full step (list, choice, play), on the same matches of desert with 2 players. `rain_check_share` is the same
of rain, where the list is little more than a copy of lists kept ready, and `play` most of a step.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time

import chess

from arena.games.base import Game, State, load_game

ROUNDS = 9
WANTED = {"desert_ratio": 4.0, "rain_ratio": 8.0}


def chess_playouts(seconds: float, chance: random.Random) -> float:
    """Return actions a second of python-chess."""
    actions, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        board = chess.Board()
        while True:
            legal = list(board.legal_moves)
            if not legal or board.halfmove_clock >= 150 or board.is_insufficient_material():
                break
            board.push(chance.choice(legal))
            actions += 1
    return actions / (time.process_time() - begun)


def playouts(game: Game, players: int, seconds: float, chance: random.Random) -> float:
    """Return actions a second of a game."""
    actions, begun = 0, time.process_time()
    while time.process_time() - begun < seconds:
        state = game.start(game.setup(players, chance.getrandbits(32), {}))
        while True:
            legal = state.legal()
            if not legal:
                break
            state.play(chance.choice(legal))
            actions += 1
    return actions / (time.process_time() - begun)


def check_share(game: Game, matches: int, chance: random.Random) -> float:
    """Return what checking and playing alone take of full steps, on the same matches."""
    states: list[State] = [game.start(game.setup(2, chance.getrandbits(32), {})) for _ in range(matches)]
    copies = [state.copy() for state in states]
    records = []
    begun = time.process_time()
    for state in states:
        record = []
        while True:
            legal = state.legal()
            if not legal:
                break
            action = chance.choice(legal)
            state.play(action)
            record.append(action)
        records.append(record)
    full = time.process_time() - begun
    begun = time.process_time()
    for state, record in zip(copies, records, strict=True):
        for action in record:
            state.check(action)
            state.play(action)
    return (time.process_time() - begun) / full


def main() -> None:
    """Measure, and print a table or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--quick", action="store_true", help="shorter turns")
    options = parser.parse_args()
    seconds = 0.1 if options.quick else 0.4
    chance = random.Random(1)
    games = [(load_game(name), players) for name in ("desert", "rain") for players in load_game(name).players]
    for game, players in games:  # what is worked out once and kept is not the subject
        playouts(game, players, seconds, chance)
    ratios: dict[tuple[str, int], list[float]] = {(game.name, players): [] for game, players in games}
    speeds: dict[tuple[str, int], list[float]] = {key: [] for key in ratios}
    shares: dict[str, list[float]] = {"desert": [], "rain": []}
    opposite = []
    for _ in range(ROUNDS):
        for game, players in games:
            if players > 2 and options.quick:
                continue
            # python-chess before and after, so that a machine that slows down slows both sides
            before = chess_playouts(seconds / 2, chance)
            speed = playouts(game, players, seconds, chance)
            after = chess_playouts(seconds / 2, chance)
            opposite.append((before + after) / 2)
            speeds[game.name, players].append(speed)
            ratios[game.name, players].append(speed / opposite[-1])
        for name, found in shares.items():
            found.append(check_share(load_game(name), 20 if options.quick else 60, chance))
    figures = {
        "desert_ratio": round(statistics.median(ratios["desert", 2]), 2),
        "rain_ratio": round(statistics.median(ratios["rain", 2]), 2),
        "check_share": round(statistics.median(shares["desert"]), 3),
        "rain_check_share": round(statistics.median(shares["rain"]), 3),
    }
    if options.json:
        print(json.dumps(figures))
        return
    print(f"{'game':10} {'players':>7} {'actions/s':>10} {'ratio':>6}")
    print(f"{'chess':10} {2:7} {statistics.median(opposite):10,.0f} {1:6.2f}")
    for (name, players), found in ratios.items():
        if found:
            speed = statistics.median(speeds[name, players])
            wanted = f"(wanted at least {WANTED[f'{name}_ratio']:.0f})" if players == 2 else ""
            print(f"{name:10} {players:7} {speed:10,.0f} {statistics.median(found):6.2f}  {wanted}")
    print(
        f"check and play of a full step: desert {figures['check_share']:.1%} (wanted below a third), ", end=""
    )
    print(f"rain {figures['rain_check_share']:.1%}")


if __name__ == "__main__":
    main()
