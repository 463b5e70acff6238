"""Treblecross: crosses in a row of cells, as one writes it down."""

from perfectplay import Game


class Treblecross(Game):
    """Both players draw crosses; whoever completes three in a row wins."""

    def __init__(self, cells=7):
        self.cells = cells

    def initial(self):
        return "." * self.cells

    def to_move(self, state):
        return state.count("X") % 2

    def actions(self, state):
        if self.is_terminal(state):
            return []
        return [place for place, cell in enumerate(state) if cell == "."]

    def result(self, state, action):
        return state[:action] + "X" + state[action + 1 :]

    def is_terminal(self, state):
        return any(state[place : place + 3] == "XXX" for place in range(self.cells - 2))

    def utility(self, state, player):
        return -1 if player == self.to_move(state) else 1  # the other one has just completed three
