"""Nim in about fifteen lines: the game that the README shows."""

from perfectplay import Game


class Nim(Game):
    """Take any number from one heap; whoever takes the last one wins."""

    def initial(self):
        return 0, (3, 4, 5)  # whose turn it is, and the heaps

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return [(heap, take) for heap, size in enumerate(state[1]) for take in range(1, size + 1)]

    def result(self, state, action):
        (turn, heaps), (heap, take) = state, action
        return 1 - turn, (*heaps[:heap], heaps[heap] - take, *heaps[heap + 1 :])

    def is_terminal(self, state):
        return not any(state[1])

    def utility(self, state, player):
        return -1 if player == state[0] else 1  # to have nothing left to take is to have lost
