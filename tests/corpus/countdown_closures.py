"""Rules made of closures: one function makes several, each with numbers of its own around it."""
from perfectplay import Game


def subtract(k):
    def can(n):
        return n >= k

    return can, lambda n: n - k


def divide(k):
    def can(n):
        def rest(m):
            return m % k

        return n > 0 and rest(n) == 0

    return can, lambda n: n // k


RULES = {f"-{k}": subtract(k) for k in (1, 3, 4)} | {f"/{k}": divide(k) for k in (2, 5)}


class Countdown(Game):
    def __init__(self, start=40, rules=RULES):
        self.start = start
        self.rules = rules

    def initial(self):
        return self.start, 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [name for name, (can, _) in self.rules.items() if can(state[0])]

    def result(self, state, name):
        _, do = self.rules[name]
        return do(state[0]), 1 - state[1]

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return 1 if state[1] != player else -1
