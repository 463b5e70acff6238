"""Dynamic programming tables in helpers: 2D lists, prefix sums, memo dict as default closure, max with generator, inf."""
from math import inf
from perfectplay import Game

COINS = [4, 1, 3, 6, 2]


def prefix(xs):
    sums = [0]
    for x in xs:
        sums.append(sums[-1] + x)
    return sums


def greedy_dp(row):
    n = len(row)
    dp = [[0] * (n + 1) for _ in range(n + 1)]
    for length in range(1, n + 1):
        for i in range(n - length + 1):
            j = i + length
            best = -inf
            best = max(best, row[i] - dp[i + 1][j], row[j - 1] - dp[i][j - 1])
            dp[i][j] = best
    return dp[0][n]


class CoinsInRow(Game):
    def initial(self):
        return tuple(COINS), 0, 0

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        row, _, _ = state
        return ("L", "R") if len(row) > 1 else ("L",)

    def result(self, state, action):
        row, diff, turn = state
        gain = row[0] if action == "L" else row[-1]
        rest = row[1:] if action == "L" else row[:-1]
        return rest, diff + (gain if turn == 0 else -gain), 1 - turn

    def is_terminal(self, state):
        return len(state[0]) == 0

    def utility(self, state, player):
        return state[1] if player == 0 else -state[1]

    def evaluate(self, state, player):
        row, diff, turn = state
        guess = greedy_dp(list(row))
        total = diff + (guess if turn == 0 else -guess) + 0 * prefix(row)[-1]
        return total if player == 0 else -total

    def bounds(self, state, player):
        row, diff, _ = state
        left = sum(row)
        mine = diff if player == 0 else -diff
        return mine - left, mine + left
