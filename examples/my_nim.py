"""Nim in about fifteen lines: the game that the README shows."""

from perfectplay import Game


class Nim(Game):
    """Take any number from one heap; whoever takes the last one wins."""

    def __init__(self, heaps=(3, 4, 5)):
        self.heaps = heaps

    def initial(self):
        return 0, self.heaps  # whose turn it is, and what is left

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return [f"{name}{take}" for name, heap in zip("abcd", state[1]) for take in range(1, heap + 1)]

    def result(self, state, action):
        player, heaps = state[0], list(state[1])
        heaps["abcd".index(action[0])] -= int(action[1:])
        return 1 - player, tuple(heaps)

    def is_terminal(self, state):
        return not any(state[1])

    def utility(self, state, player):
        return -1 if player == state[0] else 1  # to have nothing left to take is to have lost
