"""Floats in the state and utilities: compound interest, round, abs, min with key."""
import math
from perfectplay import Game


class Interest(Game):
    """Two savers; invest, hold or raid."""

    RATE = {"hold": 1.0, "invest": 1.5, "raid": 0.75}

    def initial(self):
        return (8.0, 8.0), 0

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        return list(self.RATE) if state[1] < 4 else ["hold", "raid"]

    def result(self, state, action):
        (mine, other), n = state[0] if state[1] % 2 == 0 else state[0][::-1], state[1]
        mine = round(mine * self.RATE[action], 2)
        if action == "raid":
            stolen = math.floor(other / 4 * 100) / 100
            mine += stolen
            other -= stolen
        elif action == "invest":
            other = other + 0.25
        pair = (mine, other) if n % 2 == 0 else (other, mine)
        return pair, n + 1

    def is_terminal(self, state):
        return state[1] >= 6 or min(state[0]) < 2

    def utility(self, state, player):
        a, b = state[0]
        value = math.log(a + 1) - math.log(b + 1) if a > 0 and b > 0 else math.copysign(9.5, a - b)
        return value if player == 0 else -value
