"""Nim in about fifteen lines: the game that the README shows."""

from perfectplay import Game


class Nim(Game):
    """Take any number from one heap; whoever takes the last one wins."""

    def initial(self):
        return 0, 345  # whose turn it is, and heaps of 3, 4 and 5

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        for place in 1000, 100, 10, 1:
            for take in range(1, state[1] // place % 10 + 1):
                yield take * place

    def result(self, state, action):
        return 1 - state[0], state[1] - action

    def is_terminal(self, state):
        return state[1] == 0

    def utility(self, state, player):
        return -1 if player == state[0] else 1  # to have nothing left to take is to have lost
