"""Tapatan (three men's morris without placing): a limit of moves keeps it finite."""
from perfectplay import Game

ADJACENT = {
    0: (1, 3, 4), 1: (0, 2, 4), 2: (1, 4, 5),
    3: (0, 4, 6), 4: (0, 1, 2, 3, 5, 6, 7, 8), 5: (2, 4, 8),
    6: (3, 4, 7), 7: (4, 6, 8), 8: (4, 5, 7),
}
MILLS = {(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)}


class Tapatan(Game):
    """Six stones move along lines; three in a line win; a draw after some moves."""

    def __init__(self, limit=6):
        self.limit = limit

    def initial(self):
        return ("W", "B", "W", None, None, None, "B", "W", "B"), 0

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        board, moves = state
        mine = "WB"[moves % 2]
        return [(a, b) for a in range(9) if board[a] == mine for b in ADJACENT[a] if board[b] is None]

    def result(self, state, action):
        board, moves = state
        board = list(board)
        a, b = action
        board[a], board[b] = board[b], board[a]
        return tuple(board), moves + 1

    def line(self, board):
        for a, b, c in sorted(MILLS):
            if board[a] is not None and board[a] == board[b] == board[c]:
                return board[a]

    def is_terminal(self, state):
        return bool(self.line(state[0])) or state[1] >= self.limit or not self.actions(state)

    def utility(self, state, player):
        won = self.line(state[0])
        if not won:
            return 0
        return 1 if "WB"[player] == won else -1
