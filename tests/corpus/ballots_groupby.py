"""Voting on a grid: groupby, accumulate, chain, itemgetter, zip(*), statistics by hand."""
from collections import namedtuple
from functools import partial, reduce
from itertools import accumulate, chain, groupby, product, starmap
from operator import add, itemgetter, mul
from perfectplay import Game

Ballot = namedtuple("Ballot", "grid turn")
WEIGHTS = list(accumulate(range(1, 5), mul))


class Ballots(Game):
    """Fill a 2x4 grid with 1 or 2; the score is the longest run in rows, weighted, minus that of the second player."""

    rows, cols = 2, 3

    def initial(self):
        return Ballot(tuple(tuple(0 for _ in range(self.cols)) for _ in range(self.rows)), 0)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return [
            (r, c)
            for r, c in product(range(self.rows), range(self.cols))
            if itemgetter(c)(state.grid[r]) == 0
        ]

    def result(self, state, action):
        r, c = action
        grid = tuple(
            tuple(state.turn + 1 if (i, j) == (r, c) else v for j, v in enumerate(row))
            for i, row in enumerate(state.grid)
        )
        return Ballot(grid=grid, turn=(state.turn + 1) % 2)

    def is_terminal(self, state):
        return 0 not in chain.from_iterable(state.grid)

    def runs(self, grid, mark):
        lines = chain(grid, zip(*grid))
        lengths = [
            (key, len(list(group)))
            for line in lines
            for key, group in groupby(line)
        ]
        best = max((n for key, n in lengths if key == mark), default=0)
        return best

    def utility(self, state, player):
        points = list(map(partial(self.runs, state.grid), (1, 2)))
        weighted = list(starmap(lambda run, _: WEIGHTS[run - 1] if run else 0, zip(points, points)))
        diff = reduce(lambda a, b: a - b, weighted)
        total = reduce(add, weighted, 0)
        return (diff if player == 0 else -diff) + 0 * total
