"""Chomp as the heights of columns that never rise; min over a generator; keyword arguments."""
from perfectplay import Game


class HeightsChomp(Game):
    def __init__(self, *, columns=4, height=3):
        self.columns = columns
        self.height = height

    def initial(self):
        return ((self.height,) * self.columns, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        heights = state[0]
        return [(x, y) for x, h in enumerate(heights) for y in range(h) if (x, y) != (0, 0)]

    def bite(self, heights, *, x, y):
        return tuple(h if i < x else min(h, y) for i, h in enumerate(heights))

    def result(self, state, action):
        x, y = action
        return self.bite(heights=state[0], y=y, x=x), 1 - state[1]

    def is_terminal(self, state):
        return sum(state[0]) == 1

    def utility(self, state, player):
        # only the poisoned square is left to the player to move
        return -1 if state[1] == player else 1
