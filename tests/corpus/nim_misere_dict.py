"""Nim where the position is counted: how many heaps of each size, with a dict made inside the rules."""
from perfectplay import Game


class CountedNim(Game):
    def initial(self):
        return ((1, 2), (2, 1), (3, 1)), 0  # (size, how many)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [(size, take) for size, many in state[0] for take in range(1, size + 1)]

    def result(self, state, action):
        size, take = action
        heaps = dict(state[0])
        heaps[size] -= 1
        if heaps[size] == 0:
            del heaps[size]
        if size > take:
            heaps[size - take] = heaps.get(size - take, 0) + 1
        return tuple(sorted(heaps.items())), 1 - state[1]

    def is_terminal(self, state):
        return not state[0]

    def utility(self, state, player):
        # misere: who took the last one has lost
        return 1 if player == state[1] else -1
