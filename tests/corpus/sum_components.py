"""A game made of other games: composition, polymorphic components, Grundy values by cache."""
from functools import cache
from perfectplay import Game


class Component:
    def options(self, n):
        raise NotImplementedError


class TakeAway(Component):
    def __init__(self, most):
        self.most = most

    def options(self, n):
        return tuple(n - k for k in range(1, min(n, self.most) + 1))


class Dawson(Component):
    def options(self, n):
        return tuple(n - k for k in (2, 3) if n >= k)


@cache
def mex(values):
    return next(i for i in range(100) if i not in values)


@cache
def grundy(kind, n):
    component = COMPONENTS[kind]
    return mex(frozenset(grundy(kind, m) for m in component.options(n)))


COMPONENTS = {"take": TakeAway(3), "dawson": Dawson()}
ORDER = ("take", "dawson", "take")


class SumGame(Game):
    def initial(self):
        return (5, 6, 4, 0)

    def to_move(self, state):
        return state[-1]

    def actions(self, state):
        return [
            (index, after)
            for index, (kind, size) in enumerate(zip(ORDER, state))
            for after in COMPONENTS[kind].options(size)
        ]

    def result(self, state, action):
        index, after = action
        sizes = list(state)
        sizes[index] = after
        sizes[-1] ^= 1
        return tuple(sizes)

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        return -1 if state[-1] == player else 1

    def evaluate(self, state, player):
        nimber = 0
        for kind, size in zip(ORDER, state):
            nimber ^= grundy(kind, size)
        good = 0.5 if nimber else -0.5
        return good if state[-1] == player else -good
