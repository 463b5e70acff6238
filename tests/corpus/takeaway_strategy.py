"""Strategy objects handed to __init__, keyword-only parameters, *args, **kwargs forwarding, callable class instances."""
from dataclasses import dataclass
from perfectplay import Game


@dataclass(frozen=True)
class Scoring:
    win: int = 1
    bonus: int = 0

    def __call__(self, left, moved):
        return self.win + self.bonus * left - moved // 4


class TakeRule:
    def __init__(self, *sizes, double=False):
        self.sizes = sizes
        self.double = double

    def options(self, heap, last):
        limit = 2 * last if self.double and last else heap
        return [s for s in self.sizes if s <= min(heap, limit)]


def make(cls, *args, **kwargs):
    return cls(*args, **kwargs)


class Takeaway(Game):
    def __init__(self, heap=12, *, rule=None, scoring=None):
        self.heap = heap
        self.rule = rule if rule is not None else make(TakeRule, 1, 2, 3, 5, double=True)
        self.scoring = scoring or Scoring(win=2, bonus=1)

    def initial(self):
        return self.heap, 0, 0, 0

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        heap, last, *_ = state
        return self.rule.options(heap, last)

    def result(self, state, action):
        heap, _, turn, moved = state
        return heap - action, action, 1 - turn, moved + 1

    def is_terminal(self, state):
        return not self.rule.options(state[0], state[1])

    def utility(self, state, player):
        score = self.scoring(state[0], state[3])
        return -score if state[2] == player else score
