"""Non-attacking queens: permutations held in a tuple, all() over zip, keyed min and max."""
from perfectplay import Game


class QueensDuel(Game):
    """Players place queens row by row; nobody may be attacked; who cannot place loses."""

    def __init__(self, n=5):
        self.n = n

    def initial(self):
        return ()

    def to_move(self, queens):
        return len(queens) & 1

    def safe(self, queens, column):
        row = len(queens)
        return all(column != c and abs(column - c) != row - r for r, c in enumerate(queens))

    def actions(self, queens):
        return [column for column in range(self.n) if self.safe(queens, column)]

    def result(self, queens, column):
        return queens + (column,)

    def is_terminal(self, queens):
        return len(queens) == self.n or not self.actions(queens)

    def utility(self, queens, player):
        return -1 if self.to_move(queens) == player else 1

    def canonical(self, queens):
        mirrored = tuple(self.n - 1 - c for c in queens)
        return min(queens, mirrored, key=lambda q: (q[:1], q))

    def candidates(self, queens):
        # symmetric first moves need not all be tried
        moves = self.actions(queens)
        if not queens:
            moves = moves[: (self.n + 1) // 2]
        return moves
