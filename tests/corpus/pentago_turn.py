"""A Pentago-like game on 3x3: place a mark, then turn the whole board a quarter."""
import copy

from perfectplay import Game


def turned(board):
    """A quarter turn to the right."""
    return [list(row) for row in zip(*board[::-1])]


def three(board, mark):
    rows = board + [list(col) for col in zip(*board)]
    rows.append([board[i][i] for i in range(3)])
    rows.append([board[i][-1 - i] for i in range(3)])
    return [mark] * 3 in rows


class TurnTicTacToe(Game):
    def __init__(self, plies=5):
        self.plies = plies

    def initial(self):
        return ((" ",) * 3,) * 3, 0

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        board, ply = state
        return [(r, c, turn) for r in range(3) for c in range(3) if board[r][c] == " " for turn in "LR"]

    def result(self, state, action):
        board, ply = state
        r, c, turn = action
        new = copy.deepcopy([list(row) for row in board])
        new[r][c] = "XO"[ply % 2]
        for _ in range(1 if turn == "R" else 3):
            new = turned(new)
        return tuple(tuple(row) for row in new), ply + 1

    def is_terminal(self, state):
        board = [list(row) for row in state[0]]
        return state[1] >= self.plies or three(board, "X") or three(board, "O")

    def utility(self, state, player):
        board = [list(row) for row in state[0]]
        worth = int(three(board, "X")) - int(three(board, "O"))
        return worth if player == 0 else -worth
