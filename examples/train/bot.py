"""Plays rain with the weights that `learn.py` found."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from features import score

weights = json.loads(Path(__file__).with_name("weights.json").read_text())
board: dict[str, str] = {}
hands: dict[str, str] = {}
seat, moves = "0", []
for line in sys.stdin:
    word, *rest = line.split()
    if word == "arena":
        print("ready name=learnt wants=moves", flush=True)
    elif word == "game":
        board, hands = {}, {}
        seat = next(key[5:] for key in rest if key.startswith("seat="))
    elif word == "setup" and rest[0] == "hand":
        hands[rest[1]] = rest[2]
    elif word == "start":
        print("ready", flush=True)
    elif word == "play" and rest[1] != "pass":
        board[rest[1][1:]] = rest[1][0]
        hands[rest[0]] = hands[rest[0]].replace(rest[1][0], "", 1)
    elif word == "draw":
        hands[rest[0]] += rest[1]
    elif word == "moves":
        moves = rest
    elif word == "go":
        rival = hands["1" if seat == "0" else "0"]
        print("move", max(moves, key=lambda action: score(weights, board, action, rival)), flush=True)
    elif word == "quit":
        break
