"""A subtraction game on a plain int: the sign says whose turn it is."""
from perfectplay import Game


class Subtraction(Game):
    MOVES = {1, 3, 4}

    def initial(self):
        return 20

    def to_move(self, n):
        return 0 if n > 0 else 1

    def actions(self, n):
        return sorted(m for m in self.MOVES if m < abs(n))

    def result(self, n, m):
        return -(n - m) if n > 0 else -(n + m)

    def is_terminal(self, n):
        return abs(n) <= min(self.MOVES)

    def utility(self, n, player):
        return 1 if player != self.to_move(n) else -1
