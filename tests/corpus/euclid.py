"""Euclid's game: subtract a multiple of the smaller number from the larger."""
from math import gcd

from perfectplay import Game


class Euclid(Game):
    def __init__(self, a: int = 34, b: int = 21) -> None:
        assert gcd(a, b) == 1
        self.start = (max(a, b), min(a, b))

    def initial(self):
        return *self.start, 0

    def to_move(self, state):
        larger, smaller, player = state
        return player

    def actions(self, state):
        larger, smaller, _ = state
        k = 1
        while smaller and k * smaller <= larger:
            yield k
            k += 1

    def result(self, state, k):
        larger, smaller, player = state
        rest = larger - k * smaller
        return max(rest, smaller), min(rest, smaller), 1 - player

    def is_terminal(self, state):
        return state[1] == 0

    def utility(self, state, player):
        return -1.0 if state[2] == player else 1.0
