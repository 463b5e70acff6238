"""Cram: dominoes either way on a board of booleans, abstract base class and mixins."""
from abc import abstractmethod

from perfectplay import Game


class LastPlayerWins:
    """Normal play: who cannot move has lost."""

    def is_terminal(self, state):
        return not list(self.actions(state))

    def utility(self, state, player):
        return -1 if self.to_move(state) == player else 1


class AlternatingGame(Game):
    """The state is a pair: the board, and a count of moves."""

    @abstractmethod
    def start(self):
        ...

    @abstractmethod
    def play(self, board, action):
        ...

    def initial(self):
        return self.start(), 0

    def to_move(self, state):
        return state[1] % self.players

    def result(self, state, action):
        board, count = state
        return self.play(board, action), count + 1


class Cram(LastPlayerWins, AlternatingGame):
    rows = 3
    cols = 3

    def start(self):
        return tuple([(False,) * self.cols] * self.rows)

    def fits(self, board, cells):
        return all(0 <= r < self.rows and 0 <= c < self.cols and not board[r][c] for r, c in cells)

    @staticmethod
    def domino(r, c, upright):
        return ((r, c), (r + 1, c)) if upright else ((r, c), (r, c + 1))

    def actions(self, state):
        board, _ = state
        for r in range(self.rows):
            for c in range(self.cols):
                for upright in (True, False):
                    cells = self.domino(r, c, upright)
                    if self.fits(board, cells):
                        yield r, c, upright

    def play(self, board, action):
        covered = self.domino(*action)
        return tuple(
            tuple(cell or (r, c) in covered for c, cell in enumerate(row)) for r, row in enumerate(board)
        )
