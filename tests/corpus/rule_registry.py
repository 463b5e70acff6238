"""Decorators that register functions in module dicts, functions as values, wraps; a rule engine of predicates."""
from functools import wraps
from perfectplay import Game

RULES = {}
CHECKS = []


def rule(name, cost=0):
    def register(function):
        RULES[name] = (function, cost)
        return function
    return register


def check(function):
    CHECKS.append(function)
    return function


def clamped(low, high):
    def outer(function):
        @wraps(function)
        def inner(*args):
            return max(low, min(high, function(*args)))
        return inner
    return outer


@rule("inc", cost=1)
def increase(x):
    return x + 3


@rule("dbl", cost=2)
@clamped(0, 20)
def double(x):
    return x * 2


@rule("dec")
def decrease(x):
    return x - 1


@check
def not_negative(x, energy):
    return x >= 0


@check
def has_energy(x, energy):
    return energy >= 0


class Engine2(Game):
    def initial(self):
        return 4, (3, 3), 0

    def to_move(self, state):
        return state[2] % 2

    def actions(self, state):
        x, energy, ply = state
        out = []
        for name, (function, cost) in RULES.items():
            if all(ok(function(x), energy[ply % 2] - cost) for ok in CHECKS):
                out.append(name)
        return out

    def result(self, state, action):
        x, energy, ply = state
        function, cost = RULES[action]
        rest = tuple(e - cost if i == ply % 2 else e for i, e in enumerate(energy))
        return function(x), rest, ply + 1

    def is_terminal(self, state):
        return state[2] == 6 or not self.actions(state)

    def utility(self, state, player):
        value = state[0] % 10 - 5
        return value if player == 0 else -value
