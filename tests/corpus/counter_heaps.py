"""A data scientist's Nim variant: Counter, defaultdict, sorted(d.items())."""
from collections import Counter, defaultdict
from itertools import combinations_with_replacement
from perfectplay import Game


class CounterNim(Game):
    """Heaps counted by size; split a heap in two, or remove one of size <= 2."""

    def __init__(self, heaps=(5, 4, 2)):
        self.heaps = heaps

    def initial(self):
        return tuple(sorted(Counter(self.heaps).items())), 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        counts = dict(state[0])
        acts = [("take", size, 0) for size in counts if size <= 2]
        for size in counts:
            acts += [("split", a, b) for a, b in combinations_with_replacement(range(1, size), 2) if a + b == size]
        return acts

    def result(self, state, action):
        counts = Counter(dict(state[0]))
        kind, a, b = action
        if kind == "take":
            counts[a] -= 1
        else:
            counts[a + b] -= 1
            counts.update([a, b])
        return tuple(sorted((+counts).items())), 1 - state[1]

    def is_terminal(self, state):
        return sum(c for _, c in state[0]) == 0

    def utility(self, state, player):
        by_parity = defaultdict(int)
        by_parity[state[1]] -= 1
        by_parity[1 - state[1]] += 1
        return by_parity[player]
