"""Games that hold other objects: rules, board and scorer are instances of plain classes."""
from perfectplay import Game


class Rules:
    def __init__(self, width, steps):
        self.width = width
        self.steps = steps

    def allows(self, at, step):
        return 0 <= at + step <= self.width


class Scorer:
    """Gives points for fields; subclasses change how."""

    def __init__(self, points):
        self.points = points

    def gain(self, at):
        return self.points[at]


class GenerousScorer(Scorer):
    bonus = 1

    def gain(self, at):
        return super().gain(at) + self.bonus


class Trains(Game):
    def __init__(self, scorer=None):
        self.rules = Rules(width=5, steps=[-1, 1, 2])
        self.scorers = (scorer or Scorer([3, 0, 1, 4, 1, 5]), GenerousScorer([1, 2, 0, 2, 1, 0]))

    def initial(self):
        return (0, self.rules.width), (0, 0), 0

    def to_move(self, state):
        return state[2] % 2

    def actions(self, state):
        places, _, ply = state
        here = places[ply % 2]
        return [step for step in self.rules.steps if self.rules.allows(here, step) and here + step not in places]

    def result(self, state, step):
        places, points, ply = state
        me = ply % 2
        places, points = list(places), list(points)
        places[me] += step
        points[me] += self.scorers[me].gain(places[me])
        return tuple(places), tuple(points), ply + 1

    def is_terminal(self, state):
        return state[2] >= 8 or not self.actions(state)

    def utility(self, state, player):
        points = state[1]
        return points[player] - points[1 - player]
