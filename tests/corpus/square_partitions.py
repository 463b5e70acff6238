"""Partitions, sums of games, math.comb, gcd, isqrt, prod."""
import math
from math import comb, gcd, isqrt
from perfectplay import Game


def is_square(n):
    return isqrt(n) ** 2 == n


class Partitions(Game):
    """Replace a part n by n - k with k a square; the payoff is by binomials of what was left at the end."""

    def initial(self):
        return (7, 5), 1, 0

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        parts, product, turn = state
        return sorted({(p, k * k) for p in parts for k in range(1, isqrt(p) + 1)})

    def result(self, state, action):
        parts, product, turn = state
        part, k = action
        rest = list(parts)
        rest.remove(part)
        if part - k > 0:
            rest.append(part - k)
        rest.sort(reverse=True)
        return tuple(rest), product * (k + turn) % 11, turn ^ 1

    def is_terminal(self, state):
        return len(state[0]) == 0

    def utility(self, state, player):
        _, product, turn = state
        value = comb(product, 2) - gcd(product, 6) + math.prod([product, 2]) - int(is_square(product))
        value = value % 7 - 3
        return value if player == 0 else -value
