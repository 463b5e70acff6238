"""Functions and tuples all the way down: compose, generator pipelines, no class state."""
from functools import lru_cache, reduce
from itertools import chain, islice, takewhile, count
from perfectplay import Game


def compose(*functions):
    return reduce(lambda f, g: lambda x: g(f(x)), functions)


def without(index, items):
    return items[:index] + items[index + 1:]


def divisors(n):
    return filter(lambda d: n % d == 0, takewhile(lambda d: d < n, count(1)))


@lru_cache(maxsize=None)
def weight(n):
    return 0 if n == 1 else 1 + weight(n // 2 if n % 2 == 0 else 3 * n + 1)


double = lambda x: x * 2
inc = lambda x: x + 1
twist = compose(double, inc)


class Divisors(Game):
    """Replace a number by a proper divisor; scores are Collatz weights."""

    def initial(self):
        return (12, 10, 6), (0, 0), 0

    def to_move(self, state):
        _, _, turn = state
        return turn

    def actions(self, state):
        numbers, *_ = state
        return list(chain.from_iterable(map(lambda pair: ((pair[0], d) for d in divisors(pair[1])), enumerate(numbers))))

    def result(self, state, action):
        numbers, scores, turn = state
        index, d = action
        gained = weight(numbers[index]) % 5 + twist(d) % 3
        rest = without(index, numbers)
        new = tuple(sorted(rest + ((d,) if d > 1 else ())))
        return new, tuple(map(lambda p: p[1] + gained if p[0] == turn else p[1], enumerate(scores))), 1 - turn

    def is_terminal(self, state):
        return not list(islice(self.actions(state), 1))

    def utility(self, state, player):
        return (lambda a, b: a - b)(*(state[1] if player == 0 else state[1][::-1]))
