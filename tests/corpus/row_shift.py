"""Nested lists thawed with list(map(list, ...)), frozen with tuple(map(tuple, ...)); transposes; any/all nested."""
from perfectplay import Game

N = 3


def thaw(grid):
    return list(map(list, grid))


def freeze(grid):
    return tuple(map(tuple, grid))


class Shift(Game):
    """Place your number then shift its row by one to the right; full lines of one colour win."""

    def initial(self):
        return ((0,) * N,) * N, 1

    def to_move(self, state):
        return {1: 0, -1: 1}[state[1]]

    def actions(self, state):
        grid, me = state
        return [divmod(i, N) for i in range(N * N) if not grid[i // N][i % N]]

    def result(self, state, action):
        grid, me = state
        r, c = action
        new = thaw(grid)
        new[r][c] = me
        new[r] = new[r][-1:] + new[r][:-1]
        return freeze(new), -me

    def lines(self, grid):
        yield from grid
        yield from zip(*grid)
        yield [grid[i][i] for i in range(N)]
        yield [grid[i][~i] for i in range(N)]

    def winner(self, grid):
        sums = [sum(line) for line in self.lines(grid)]
        if N in sums and -N in sums:
            return 0
        return 1 if N in sums else -1 if -N in sums else 0

    def is_terminal(self, state):
        grid, _ = state
        return any(abs(sum(line)) == N for line in self.lines(grid)) or all(all(row) for row in grid)

    def utility(self, state, player):
        w = self.winner(state[0])
        return w if player == 0 else -w
