"""Custodian captures along rays: generator with takewhile, slicing strings by stride, enumerate with start, zip with shifts."""
from itertools import takewhile
from perfectplay import Game

SIZE = 4
DIRS = [d for d in range(8)]
STEP = {0: (0, 1), 1: (1, 1), 2: (1, 0), 3: (1, -1), 4: (0, -1), 5: (-1, -1), 6: (-1, 0), 7: (-1, 1)}


def ray(r, c, d):
    dr, dc = STEP[d]
    r, c = r + dr, c + dc
    while 0 <= r < SIZE and 0 <= c < SIZE:
        yield r, c
        r, c = r + dr, c + dc


class Sandwich(Game):
    """Othello-like on one row band: flips along all rays, but one may also place without flips on corners."""

    def initial(self):
        board = {(r, c): "-" for r in range(SIZE) for c in range(SIZE)}
        board.update({(1, 1): "W", (2, 2): "W", (1, 2): "B", (2, 1): "B"})
        return self.freeze(board), "B", 4

    def freeze(self, board):
        return "/".join("".join(board[r, c] for c in range(SIZE)) for r in range(SIZE))

    def thaw(self, text):
        return {(r, c): ch for r, line in enumerate(text.split("/")) for c, ch in enumerate(line)}

    def to_move(self, state):
        return 0 if state[1] == "B" else 1

    def flips(self, board, r, c, me):
        other = "W" if me == "B" else "B"
        out = []
        for d in DIRS:
            run = list(takewhile(lambda p: board[p] == other, ray(r, c, d)))
            rest = list(ray(r, c, d))[len(run):]
            if run and rest and board[rest[0]] == me:
                out.extend(run)
        return out

    def actions(self, state):
        board, me = self.thaw(state[0]), state[1]
        return [(r, c) for (r, c), ch in board.items() if ch == "-" and (self.flips(board, r, c, me))] or [None]

    def result(self, state, action):
        text, me, left = state
        other = "W" if me == "B" else "B"
        if action is None:
            return text, other, left - 1
        board = self.thaw(text)
        board[action] = me
        for p in self.flips(board, *action, me):
            board[p] = me
        return self.freeze(board), other, left - 1

    def is_terminal(self, state):
        return state[2] == 0

    def utility(self, state, player):
        diff = state[0].count("B") - state[0].count("W")
        return diff if player == 0 else -diff
