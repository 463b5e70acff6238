"""Gomoku-like three in a row on 3x4 with cached_property tables and functools.cache on a method."""
from functools import cache, cached_property, lru_cache

from perfectplay import Game


class CachedLines(Game):
    def __init__(self, rows=3, cols=4, k=3, most=5):
        self.rows, self.cols, self.k, self.most = rows, cols, k, most

    @cached_property
    def lines(self):
        found = []
        for r in range(self.rows):
            for c in range(self.cols):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    line = [(r + i * dr, c + i * dc) for i in range(self.k)]
                    if all(0 <= y < self.rows and 0 <= x < self.cols for y, x in line):
                        found.append(tuple(y * self.cols + x for y, x in line))
        return tuple(found)

    @property
    def cells(self):
        return self.rows * self.cols

    def initial(self):
        return (0,) * self.cells

    def to_move(self, state):
        return 1 if sum(state) else 0

    def actions(self, state):
        return [i for i in range(self.cells) if not state[i]]

    def result(self, state, i):
        me = 1 if self.to_move(state) == 0 else -1
        return tuple(me if j == i else x for j, x in enumerate(state))

    @cache
    def sums(self, state):
        return [sum(state[i] for i in line) for line in self.lines]

    @lru_cache(maxsize=None)
    def winner(self, state):
        sums = self.sums(state)
        if max(sums) == self.k:
            return 1
        if min(sums) == -self.k:
            return -1
        return 0

    def is_terminal(self, state):
        return self.winner(state) != 0 or sum(map(abs, state)) >= self.most

    def utility(self, state, player):
        return self.winner(state) if player == 0 else -self.winner(state)
