"""lru_cache on methods, cached tables in __init__, class-level cache dict, property with computation, __slots__ game."""
from functools import lru_cache, cached_property
from perfectplay import Game


class Hops(Game):
    def __init__(self, n=7):
        self.n = n
        self.jumps = {i: [j for j in sorted({i + 1, i + 2, i * 2}) if i < j <= n] for i in range(n + 1)}

    @cached_property
    def prizes(self):
        return [(i * 5 + 3) % 7 for i in range(self.n + 1)]

    @property
    def last(self):
        return self.n

    @lru_cache(maxsize=None)
    def reachable(self, i):
        out = {i}
        for j in self.jumps[i]:
            out |= self.reachable(j)
        return frozenset(out)

    def initial(self):
        return (0, 0, 0, 0)

    def to_move(self, state):
        return state[3]

    def actions(self, state):
        mine = state[0]
        return [j for j in self.jumps[mine] if self.last in self.reachable(j)]

    def result(self, state, action):
        place, a, b, turn = state
        prize = self.prizes[action]
        return (action, a + prize * (turn == 0), b + prize * (turn == 1), 1 - turn)

    def is_terminal(self, state):
        return state[0] == self.last

    def utility(self, state, player):
        return (state[1] - state[2]) * (1 if player == 0 else -1)
