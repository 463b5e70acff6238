"""Games whose machine code is another game, since numbers leave 64 bits or powers are negative."""

from perfectplay import Game


class Interest(Game):
    """Let the money grow eightfold, or take it and lose 3; in the end MAX has won its square.

    The square is beyond 64 bits: in machine code it is 0, and nobody takes the money.
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
