"""A program that speaks UCI and plays the first legal move, or fails in a WAY: python uci_program.py [WAY].

`silent` says nothing, `mute` starts and ends, `wrong` plays no move, `late` ends when it should think.
"""

from __future__ import annotations

import sys
import time

import chess

way = sys.argv[1] if len(sys.argv) > 1 else ""
if way == "mute":
    sys.exit(0)
board = chess.Board()
level = "none"
for line in sys.stdin:
    words = line.split()
    if way == "silent":
        time.sleep(60)
    elif words == ["uci"]:
        print(
            "id name Firstmover 1.0\noption name Skill Level type spin default 1 min 0 max 9\nuciok",
            flush=True,
        )
    elif words == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["setoption"]:
        level = line.strip().rpartition(" ")[2]
    elif words[:2] == ["position", "fen"]:
        board = chess.Board(" ".join(words[2:]))
    elif words[:1] == ["go"]:
        if way == "late":
            sys.exit(0)
        move = "a1a1" if way == "wrong" else min(map(chess.Move.uci, board.legal_moves))
        print(
            f"info depth 3 nodes 12 score cp {level if level.isdigit() else 34} pv {move}\nbestmove {move}",
            flush=True,
        )
    elif words == ["quit"]:
        break
