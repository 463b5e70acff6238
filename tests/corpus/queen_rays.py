"""Generator pipelines with yield from, recursion and send-free coroutines."""
from perfectplay import Game


def rays(square, size):
    r, c = square
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        def ray(sign):
            i, j = r + sign * dr, c + sign * dc
            while 0 <= i < size and 0 <= j < size:
                yield i, j
                i, j = i + sign * dr, j + sign * dc
        yield ray(1)
        yield ray(-1)


def until_blocked(ray, blocked):
    for square in ray:
        if square in blocked:
            return
        yield square


def queen_moves(square, blocked, size):
    for ray in rays(square, size):
        yield from until_blocked(ray, blocked)


class QueenIsolation(Game):
    """Two queens leave holes where they stood."""

    def __init__(self, size=3):
        self.size = size

    def initial(self):
        return ((0, 0), (self.size - 1, self.size - 1)), frozenset(), 0

    def to_move(self, state):
        return state[-1]

    def actions(self, state):
        queens, holes, turn = state
        yield from queen_moves(queens[turn], holes | {queens[1 - turn]}, self.size)

    def result(self, state, action):
        queens, holes, turn = state
        new = (action, queens[1]) if turn == 0 else (queens[0], action)
        return new, holes | {queens[turn]}, 1 - turn

    def is_terminal(self, state):
        return next(iter(self.actions(state)), None) is None

    def utility(self, state, player):
        return 1 if state[2] != player else -1
