"""Tic-tac-toe on two bitboards, functional, everything a one-liner."""
from functools import reduce
from operator import or_

from perfectplay import Game

WINS = (0b111, 0b111 << 3, 0b111 << 6, 0o111, 0o222, 0o444, 0o421, 0o124)
FULL = (1 << 9) - 1
wins = lambda b: any(b & w == w for w in WINS)


class BitTicTacToe(Game):
    initial = lambda self: (0, 0, 0)
    to_move = lambda self, s: s[2]
    actions = lambda self, s: [1 << i for i in range(9) if not (s[0] | s[1]) >> i & 1]
    result = lambda self, s, a: (s[0] | a, s[1], 1) if s[2] == 0 else (s[0], s[1] | a, 0)
    is_terminal = lambda self, s: wins(s[0]) or wins(s[1]) or reduce(or_, s[:2]) == FULL
    utility = lambda self, s, p: (wins(s[0]) - wins(s[1])) * (1, -1)[p]
