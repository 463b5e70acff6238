"""Games whose numbers leave 64 bits, or that divide and raise to powers what is negative."""

from perfectplay import Game


class Interest(Game):
    """Let the money grow eightfold, or take it and lose 3; in the end MAX has won its square.

    The square is beyond 64 bits.
    """

    def initial(self):
        return (0, 1, 0, 0)  # turn, money, years, is it taken?

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        if not self.is_terminal(state):
            yield 0
            yield 1

    def result(self, state, action):
        if action == 1:
            return (1 - state[0], state[1], state[2], 1)
        return (1 - state[0], 8 * state[1], state[2] + 1, 0)

    def is_terminal(self, state):
        return state[3] == 1 or state[2] == 14

    def utility(self, state, player):
        if state[3] == 1:
            return 3 if player == state[0] else -3
        worth = state[1] * state[1] >> 60
        return worth if player == 0 else -worth


class Patience(Game):
    """Take one or two of seven; the last one wins, and more the sooner."""

    def initial(self):
        return (0, 7, 0)

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return range(1, min(2, state[1]) + 1)

    def result(self, state, action):
        return (1 - state[0], state[1] - action, state[2] + 1)

    def is_terminal(self, state):
        return state[1] == 0

    def utility(self, state, player):
        worth = 2 ** -state[2]
        return -worth if player == state[0] else worth


class Compound(Game):
    """Multiply by 2 or by 13, six times each: MAX wants the square to leave much when it is divided."""

    def initial(self):
        return (0, 1, 12)

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        return [] if state[2] == 0 else [2, 13]

    def result(self, state, action):
        return (1 - state[0], state[1] * action, state[2] - 1)

    def is_terminal(self, state):
        return state[2] == 0

    def utility(self, state, player):
        worth = 1 if state[1] * state[1] % 1_000_003 > 500_000 else -1
        return worth if player == 0 else -worth


class Halving(Game):
    """Halve, rounding down, a number below zero, or add one: what is left is worth as much to MAX."""

    def initial(self):
        return (0, -7, 6)

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        if state[2] > 0:
            yield "halve"
            yield "add"

    def result(self, state, action):
        number = state[1] // 2 if action == "halve" else state[1] + 1
        return (1 - state[0], number, state[2] - 1)

    def is_terminal(self, state):
        return state[2] == 0

    def utility(self, state, player):
        worth = state[1] % 4 + 2**-1
        return worth if player == 0 else -worth
