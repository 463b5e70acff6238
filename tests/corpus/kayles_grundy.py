"""Grundy numbers by a cached recursion, which would take for ever if its answers were not kept."""
from functools import cache

from perfectplay import Game


@cache
def grundy(n):
    seen = {grundy(left) ^ grundy(n - k - left) for k in (1, 2) for left in range(n - k + 1)}
    number = 0
    while number in seen:
        number += 1
    return number


class Kayles(Game):
    def initial(self):
        return (34,), 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [(row, k, left) for row in sorted(set(state[0])) for k in (1, 2) for left in range((row - k) // 2 + 1)][:5]

    def result(self, state, action):
        rows, turn = state
        row, k, left = action
        rest = list(rows)
        rest.remove(row)
        return tuple(sorted(rest + [part for part in (left, row - k - left) if part])), 1 - turn

    def is_terminal(self, state):
        return not state[0]

    def utility(self, state, player):
        return -1 if player == state[1] else 1

    def evaluate(self, state, player):
        total = 0
        for row in state[0]:
            total ^= grundy(row)
        return (0.5 if total else -0.5) * (1 if player == state[1] else -1)
