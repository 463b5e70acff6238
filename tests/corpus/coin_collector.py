"""Functions stored on the object, strategies passed to __init__, lambdas in dicts."""
from perfectplay import Game


def triangular(n):
    return n * (n + 1) // 2


def square(n):
    return n * n


class Collector(Game):
    def __init__(self, score=triangular, combine=max, coins=(2, 5, 3, 1, 4)):
        self.score = score
        self.combine = combine
        self.coins = coins
        self.rules = {
            "left": lambda row: (row[0], row[1:]),
            "right": lambda row: (row[-1], row[:-1]),
            "middle": lambda row: (row[len(row) // 2], row[: len(row) // 2] + row[len(row) // 2 + 1:]),
        }
        self.legal = {
            "left": lambda row: True,
            "right": lambda row: len(row) > 1,
            "middle": lambda row: len(row) % 2 == 1 and len(row) > 1,
        }

    def initial(self):
        return self.coins, ((), ()), 0

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        return [name for name, test in self.legal.items() if test(state[0])]

    def result(self, state, action):
        row, hands, turn = state
        coin, rest = self.rules[action](row)
        mine = hands[turn] + (coin,)
        return rest, tuple(mine if p == turn else hands[p] for p in (0, 1)), 1 - turn

    def is_terminal(self, state):
        return not state[0]

    def worth(self, hand):
        return self.score(len(hand)) + self.combine(hand, default=0) * 2

    def utility(self, state, player):
        mine, theirs = state[1][player], state[1][1 - player]
        return self.worth(mine) - self.worth(theirs)
