"""Class constants via comprehension in class body, nested class, staticmethod generator, classmethod alternative, __contains__ use."""
from perfectplay import Game


class Hexagon(Game):
    """Shrinking hexagon ring: claim a cell; three in a straight line of 7-cell hexagon (through the centre) wins."""

    RADIUS = 1
    CELLS = tuple((q, r) for q in range(-1, 2) for r in range(-1, 2) if -1 <= q + r <= 1)

    class Axis:
        Q = (1, 0)
        R = (0, 1)
        S = (1, -1)

    AXES = (Axis.Q, Axis.R, Axis.S)

    @staticmethod
    def line(axis):
        return [(-axis[0], -axis[1]), (0, 0), axis]

    @classmethod
    def lines(cls):
        return [cls.line(axis) for axis in cls.AXES]

    def initial(self):
        return tuple([None] * len(self.CELLS)), False

    def to_move(self, state):
        return int(state[1])

    def index(self, cell):
        return self.CELLS.index(cell)

    def owner(self, state, cell):
        return state[0][self.index(cell)]

    def actions(self, state):
        return [cell for cell in self.CELLS if self.owner(state, cell) is None]

    def result(self, state, action):
        cells = list(state[0])
        cells[self.index(action)] = state[1]
        return tuple(cells), not state[1]

    def winner(self, state):
        for line in self.lines():
            owners = {self.owner(state, cell) for cell in line}
            if len(owners) == 1 and None not in owners:
                return owners.pop()
        return None

    def is_terminal(self, state):
        return self.winner(state) is not None or None not in state[0]

    def utility(self, state, player):
        w = self.winner(state)
        if w is None:
            return 0
        return 1 if w == bool(player) else -1
