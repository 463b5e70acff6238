"""All in expressions: composed functions, tee, windows by zip of islices, getters for rules, a dict with a default."""

from collections import defaultdict
from functools import partial, reduce
from itertools import islice, starmap, tee
from operator import itemgetter, sub

from perfectplay import Game

compose = lambda *fs: reduce(lambda f, g: lambda *a: f(g(*a)), fs)
windows = lambda n, xs: zip(*(islice(xs, i, None) for i in range(n)))
other = {"r": "g", "g": "r", ".": "."}
turned = compose("".join, partial(map, other.get), reversed)
WORTH = defaultdict(lambda: 1, {"r": 3})


def neighbours(items):
    a, b = tee(items)
    next(b, None)
    return zip(a, b)


class Ribbon(Game):
    """Colour a cell, then the ribbon is turned round; who makes three of a colour in a row wins."""

    def initial(self):
        return ("......", 0)

    to_move = staticmethod(itemgetter(1))

    def actions(self, state):
        return tuple(place for place, cell in enumerate(state[0]) if cell == ".")

    def result(self, state, action):
        row, player = state
        return turned(row[:action] + "r" + row[action + 1 :]), 1 - player

    def is_terminal(self, state):
        row, _ = state
        return "." not in row or any(len({*three}) == 1 and "." not in three for three in windows(3, row))

    def utility(self, state, player):
        row, loser = state
        if any(map(lambda three: three == ("g", "g", "g"), windows(3, row))):
            return 9 if player != loser else -9
        steps = sum(starmap(lambda a, b: abs(sub(a, b)), neighbours([WORTH[cell] for cell in row])))
        return steps if player == 0 else -steps
