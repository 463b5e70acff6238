"""Notakto on one board with generator pipelines: filter, map, enumerate, zip, all in expressions."""
from itertools import chain

from perfectplay import Game

ROWS = [(0, 1, 2), (3, 4, 5), (6, 7, 8)]
COLS = list(zip(*ROWS))
DIAGONALS = [(0, 4, 8), (2, 4, 6)]
LINES = list(chain(ROWS, COLS, DIAGONALS))


def picked(board, line):
    return (board[i] for i in line)


def dead(board):
    return any(map(all, (picked(board, line) for line in LINES)))


class GenNotakto(Game):
    """Both play crosses; who makes three in a row loses."""

    def initial(self):
        return (False,) * 9

    def to_move(self, board):
        return sum(board) % 2

    def actions(self, board):
        return [i for i, _ in filter(lambda pair: not pair[1], enumerate(board))]

    def result(self, board, i):
        return tuple(b or i == j for j, b in enumerate(board))

    def is_terminal(self, board):
        return dead(board)

    def utility(self, board, player):
        return 1 if self.to_move(board) == player else -1
