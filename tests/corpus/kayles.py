"""Kayles: the state is a string of pins; knock down one or two neighbours."""
from perfectplay import Game


class Kayles(Game):
    def __init__(self, pins=8):
        self.pins = pins

    def initial(self):
        return "A:" + "|" * self.pins

    def to_move(self, state):
        return 0 if state.startswith("A") else 1

    def actions(self, state):
        player, _, pins = state.partition(":")
        return [f"{i}-{i + n - 1}" for n in (1, 2) for i in range(len(pins) - n + 1) if pins[i:i + n] == "|" * n]

    def result(self, state, action):
        player, pins = state.split(":")
        first, last = map(int, action.split("-"))
        pins = pins[:first] + "." * (last - first + 1) + pins[last + 1:]
        return ("B:" if player == "A" else "A:") + pins

    def is_terminal(self, state):
        return "|" not in state

    def utility(self, state, player):
        return -1 if self.to_move(state) == player else 1
