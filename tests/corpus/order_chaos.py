"""Someone who thinks in matrices: transposes by zip, rotations, sums over axes, list of lists, sum(row) etc."""
from perfectplay import Game

SIZE = 3


def rotate(board):
    return tuple(tuple(row) for row in zip(*board[::-1]))


def flip(board):
    return tuple(row[::-1] for row in board)


def symmetries(board):
    out = []
    for _ in range(4):
        out.append(board)
        out.append(flip(board))
        board = rotate(board)
    return out


class OrderChaos(Game):
    """Order (MAX) wants a line of equal signs; both put either sign."""

    def initial(self):
        return tuple((0,) * SIZE for _ in range(SIZE)), 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        board, _ = state
        return [(i, j, s) for i in range(SIZE) for j in range(SIZE) if board[i][j] == 0 for s in (1, -1)]

    def result(self, state, action):
        (i, j, s), (board, turn) = action, state
        rows = [list(r) for r in board]
        rows[i][j] = s
        return tuple(map(tuple, rows)), 1 - turn

    def best(self, board):
        sums = [abs(sum(r)) for r in board]
        sums += [abs(sum(c)) for c in zip(*board)]
        sums.append(abs(sum(board[i][i] for i in range(SIZE))))
        sums.append(abs(sum(board[i][SIZE - 1 - i] for i in range(SIZE))))
        return max(sums)

    def is_terminal(self, state):
        return self.best(state[0]) == SIZE or all(0 not in row for row in state[0])

    def utility(self, state, player):
        won = self.best(state[0]) == SIZE
        return (1 if won else -1) * (1 if player == 0 else -1)

    def canonical(self, state):
        board, turn = state
        return min(symmetries(board)), turn
