"""Number sets: sum-free sets, primes by sieve at import, math.gcd coprime moves, frozenset of ints, all(... for ... in combinations)."""
from itertools import combinations
from math import gcd
from perfectplay import Game


def sieve(n):
    flags = [True] * (n + 1)
    flags[0:2] = [False, False]
    for p in range(2, int(n ** 0.5) + 1):
        if flags[p]:
            flags[p * p::p] = [False] * len(flags[p * p::p])
    return [i for i, f in enumerate(flags) if f]


PRIMES = frozenset(sieve(30))


class SumFree(Game):
    """Name numbers up to 8: no two may sum to a prime-free... a new one must be coprime to the last and sums of two chosen stay prime-limited."""

    TOP = 8

    def initial(self):
        return frozenset(), 1, 0

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        chosen, last, _ = state
        return [
            k for k in range(2, self.TOP + 1)
            if k not in chosen and gcd(k, last) == 1 and sum(a + b in PRIMES for a, b in combinations(sorted(chosen | {k}), 2)) <= 4
        ]

    def result(self, state, action):
        return state[0] | {action}, action, 1 - state[2]

    def is_terminal(self, state):
        return len(self.actions(state)) == 0

    def utility(self, state, player):
        bonus = len(state[0] & PRIMES)
        return -bonus if state[2] == player else bonus
