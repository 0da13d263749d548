"""A bot for any game: takes the first legal action, the last one or the middle one, as its argument says."""

import sys

moves: list[str] = []
for line in sys.stdin:
    word, *rest = line.split()
    if word in ("arena", "start"):
        print("ready wants=moves", flush=True)
    elif word == "moves":
        moves = rest
    elif word == "go":
        place = {"first": 0, "middle": len(moves) // 2, "last": -1}[sys.argv[1]]
        print("move", moves[place], flush=True)
    elif word == "quit":
        break
