"""A game that goes round in circles, of any size: for the tests of memory."""

from perfectplay import Game


class Round(Game):
    """From every number, twelve lead on, modulo the size; some are the end."""

    def __init__(self, size: int = 1009):
        self.size = size

    def initial(self):
        return 1

    def to_move(self, state):
        return state & 1

    def actions(self, state):
        return range(12)

    def result(self, state, action):
        return (12 * state + action + 1) % self.size

    def is_terminal(self, state):
        return state % 97 == 0

    def utility(self, state, player):
        return state % 3 - 1 if player == 0 else 1 - state % 3
