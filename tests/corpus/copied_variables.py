"""A path that two players lengthen: positions are objects that begin as copies of each other's variables."""

import copy

from perfectplay import Game


class Path:
    """Where the path goes, and what is free."""

    def __init__(self, before=None):
        self.here = (1, 1)
        self.free = {(x, y): True for x in range(3) for y in range(3)}
        self.free[self.here] = False
        self.length = 0
        if before is not None:
            self.__dict__ = copy.deepcopy(before.__dict__)

    def go(self, step):
        longer = Path(self)
        longer.here = (self.here[0] + step[0], self.here[1] + step[1])
        longer.free[longer.here] = False
        longer.length += 1
        return longer

    def steps(self):
        x, y = self.here
        return [(a, b) for a, b in [(0, 1), (1, 0), (0, -1), (-1, 0)] if self.free.get((x + a, y + b))]

    def _facts(self):
        return self.here, tuple(sorted(self.free.items()))

    def __eq__(self, other):
        return isinstance(other, Path) and self._facts() == other._facts()

    def __hash__(self):
        return hash(self._facts())


class Snake(Game):
    """Whoever cannot go on loses."""

    def initial(self):
        return Path()

    def to_move(self, state):
        return state.length % 2

    def actions(self, state):
        return state.steps()

    def result(self, state, action):
        return state.go(action)

    def is_terminal(self, state):
        return not state.steps()

    def utility(self, state, player):
        return -1 if player == state.length % 2 else 1
