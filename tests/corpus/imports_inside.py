"""Imports inside methods, global statement reading, del names, chained assignment, tuple swap, augmented slices."""
from perfectplay import Game

LIMIT = 5


class Inside(Game):
    def initial(self):
        a = b = 3
        return [a, b, 0].__class__ is list and (a, b, 0, 0)

    def to_move(self, state):
        return state[3]

    def actions(self, state):
        from itertools import product
        import math
        return [(i, k) for i, k in product((0, 1), (1, 2)) if state[i] >= k and math.gcd(state[i], k) >= 1]

    def result(self, state, action):
        global LIMIT
        i, k = action
        left, right, total, turn = state
        pair = [left, right]
        pair[i] -= k
        pair[0], pair[1] = pair[1], pair[0]
        total = (total + k * (i + 1)) % LIMIT
        del left, right
        return (*pair, total, 1 - turn)

    def is_terminal(self, state):
        return state[0] == state[1] == 0

    def utility(self, state, player):
        value = state[2] - 2
        return value if player == 0 else -value
