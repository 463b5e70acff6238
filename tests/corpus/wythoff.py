"""Wythoff's queen: a class hierarchy with super(), properties, and constants computed in the class body."""
from perfectplay import Game


class Walk(Game):
    """A piece that walks to the corner."""

    SIZE = 7
    BOARD = [(x, y) for x in range(SIZE) for y in range(7)]
    GOAL = BOARD[0]

    @property
    def start(self):
        return self.BOARD[-1]

    def initial(self):
        return *self.start, 0

    def to_move(self, state):
        return state[2]

    def steps(self, x, y):
        for d in range(1, x + 1):
            yield x - d, y

    def actions(self, state):
        x, y, _ = state
        return list(self.steps(x, y))

    def result(self, state, to):
        return to + (1 - state[2],)

    def is_terminal(self, state):
        return state[:2] == self.GOAL or next(self.steps(*state[:2]), None) is None

    def utility(self, state, player):
        return -1 if state[2] == player else 1


class RookWalk(Walk):
    def steps(self, x, y):
        yield from super().steps(x, y)
        for d in range(1, y + 1):
            yield x, y - d


class Wythoff(RookWalk):
    """The queen: like a rook, and diagonally."""

    def steps(self, x, y):
        yield from super().steps(x, y)
        for d in range(1, min(x, y) + 1):
            yield x - d, y - d
