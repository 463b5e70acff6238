"""A market with floats in the state: prices go up and down by a tenth."""
from perfectplay import Game


class Market(Game):
    """MAX wants the price high, MIN low; `hold` costs nothing, `push` moves it by a factor."""

    FACTORS = {"up": 1.1, "down": 0.9, "hold": 1.0}

    def initial(self):
        return 100.0, 0, ("hold", "hold")

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        price, ply, last = state
        # nobody may do the same thing three times in a row
        return [word for word in self.FACTORS if last != (word, word)]

    def result(self, state, action):
        price, ply, (_, before) = state
        return price * self.FACTORS[action], ply + 1, (before, action)

    def is_terminal(self, state):
        return state[1] == 6

    def utility(self, state, player):
        gain = state[0] - 100.0
        return gain if player == 0 else -gain

    def bounds(self, state, player):
        price, ply, _ = state
        left = 6 - ply
        low, high = price * 0.9 ** left - 100.0, price * 1.1 ** left - 100.0
        return (low - 1e-6, high + 1e-6) if player == 0 else (-high - 1e-6, -low + 1e-6)
