"""Tic-tac-toe on a string of nine letters."""
from perfectplay import Game, MAX, MIN

LINES = ["012", "345", "678", "036", "147", "258", "048", "246"]


class StringTicTacToe(Game):
    def initial(self):
        return "-" * 9

    def to_move(self, board):
        return MIN if board.count("x") > board.count("o") else MAX

    def actions(self, board):
        return [i for i in range(9) if board[i] == "-"]

    def result(self, board, i):
        mark = "x" if self.to_move(board) == MAX else "o"
        return board[:i] + mark + board[i + 1:]

    def won(self, board, mark):
        return any(all(board[int(i)] == mark for i in line) for line in LINES)

    def is_terminal(self, board):
        return "-" not in board or self.won(board, "x") or self.won(board, "o")

    def utility(self, board, player):
        if self.won(board, "x"):
            score = 1
        elif self.won(board, "o"):
            score = -1
        else:
            score = 0
        return score if player == MAX else -score

    def render(self, board):
        return "\n".join(board[r:r + 3] for r in (0, 3, 6))
