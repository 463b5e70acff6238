"""All the hooks: evaluate, order, key, canonical, bounds, tier, is_quiet, candidates."""
from math import inf
from perfectplay import Game


class Hooks(Game):
    """Put a chip on one of three pegs of heights 4; the sum of products decides."""

    pegs = 3
    height = 3

    def initial(self):
        return tuple(() for _ in range(self.pegs))

    def to_move(self, state):
        return sum(map(len, state)) % 2

    def actions(self, state):
        return [i for i, peg in enumerate(state) if len(peg) < self.height]

    def result(self, state, action):
        mark = self.to_move(state)
        return tuple(peg + (mark,) if i == action else peg for i, peg in enumerate(state))

    def is_terminal(self, state):
        return all(len(peg) == self.height for peg in state)

    def score(self, state):
        total = 0
        for level in zip(*state):
            if len(set(level)) == 1:
                total += 1 if level[0] == 0 else -1
        for peg in state:
            for below, above in zip(peg, peg[1:]):
                total += (below == above) * (1 if below == 0 else -1)
        return total

    def utility(self, state, player):
        return self.score(state) if player == 0 else -self.score(state)

    def evaluate(self, state, player):
        value = self.score(state) + 0.25
        return value if player == 0 else -value

    def key(self, state):
        number = 0
        for peg in state:
            code = 1
            for mark in peg:
                code = code * 2 + mark
            number = number * 16 + code
        return number

    def canonical(self, state):
        return tuple(sorted(state))

    def bounds(self, state, player):
        top = self.pegs * (self.height - 1) + self.height
        return (-top, top)

    def tier(self, state):
        return sum(len(p) for p in state)

    def order(self, state, action):
        return len(state[action])

    def is_quiet(self, state):
        return not any(len(p) == 1 for p in state)

    def candidates(self, state):
        seen = set()
        for action in self.actions(state):
            if state[action] not in seen:
                seen.add(state[action])
                yield action
