"""Mutable working copy with make/unmake inside helpers; try/finally; stack of undo records."""
from perfectplay import Game


class Work:
    def __init__(self, cells):
        self.cells = list(cells)
        self.undo = []

    def make(self, i, j):
        self.undo.append((i, j, self.cells[i], self.cells[j]))
        self.cells[j] = self.cells[i]
        self.cells[i] = 0

    def unmake(self):
        i, j, a, b = self.undo.pop()
        self.cells[i], self.cells[j] = a, b

    def mobility(self, who):
        return len(list(self.moves(who)))

    def moves(self, who):
        for i, cell in enumerate(self.cells):
            if cell == who:
                for j in (i - 1, i + 1, i + who * 2):
                    if 0 <= j < len(self.cells) and self.cells[j] == 0:
                        yield i, j


class Shuffle(Game):
    """Move a man one step either way or two ahead; a move may not leave the other side stuck, unless all do."""

    def initial(self):
        return (1, 1, 0, 0, 0, -1, -1), 1, 0

    def to_move(self, state):
        return 0 if state[1] == 1 else 1

    def actions(self, state):
        cells, who, _ = state
        work = Work(cells)
        good, bad = [], []
        for i, j in list(work.moves(who)):
            work.make(i, j)
            try:
                (good if work.mobility(-who) else bad).append((i, j))
            finally:
                work.unmake()
        return good or bad

    def result(self, state, action):
        cells, who, ply = state
        work = Work(cells)
        work.make(*action)
        return tuple(work.cells), -who, ply + 1

    def is_terminal(self, state):
        return state[2] == 6 or Work(state[0]).mobility(state[1]) == 0

    def utility(self, state, player):
        cells, who, ply = state
        value = sum(i * c for i, c in enumerate(cells))
        return value if player == 0 else -value
