"""A bot for tests: starts fast, plays legal actions of any game, the same ones each time.

`tiny.py WORD` chooses by the word and the number of its action, so that two words play differently. After
`slow=SECONDS` it thinks that long for each action; `stderr` makes it talk there.
"""

import sys
import time

word = sys.argv[1] if len(sys.argv) > 1 else ""
pause = float(word.partition("=")[2]) if word.startswith("slow=") else 0.0
seed = sum(word.encode())
moves: list[str] = []
count = 0

for line in sys.stdin:
    first, _, rest = line.rstrip("\n").partition(" ")
    if first == "arena":
        print("ready name=tiny wants=moves", flush=True)
    elif first == "game":
        count = 0
    elif first == "start":
        print("ready", flush=True)
    elif first == "moves":
        moves = rest.split()
    elif first == "go":
        count += 1
        if pause:
            time.sleep(pause)
        if word == "stderr":
            print("thinking", file=sys.stderr)
        print("move", moves[(seed * count) % len(moves)], flush=True)
    elif first == "quit":
        break
