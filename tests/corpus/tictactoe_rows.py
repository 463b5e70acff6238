"""Tic-tac-toe with a tuple of rows, lists inside result, zip(*rows) for columns."""
from typing import Optional, Tuple

from perfectplay import Game

Row = Tuple[Optional[str], Optional[str], Optional[str]]
Board = Tuple[Row, Row, Row]
Move = Tuple[int, int]
X = "X"
O = "O"


def player(board: Board) -> str:
    x_count = sum(row.count(X) for row in board)
    o_count = sum(row.count(O) for row in board)
    return O if x_count > o_count else X


def winner(board: Board) -> Optional[str]:
    lines = [list(row) for row in board]
    lines += [list(column) for column in zip(*board)]
    lines.append([board[i][i] for i in range(3)])
    lines.append([board[i][2 - i] for i in range(3)])
    for line in lines:
        if line[0] is not None and line.count(line[0]) == 3:
            return line[0]
    return None


class RowsTicTacToe(Game):
    """The classic student project: None is an empty cell."""

    def initial(self) -> Board:
        empty = (None, None, None)
        return (empty, empty, empty)

    def to_move(self, state: Board) -> int:
        return 0 if player(state) == X else 1

    def actions(self, state: Board) -> list[Move]:
        moves = []
        for i in range(3):
            for j in range(3):
                if state[i][j] is None:
                    moves.append((i, j))
        return moves

    def result(self, state: Board, action: Move) -> Board:
        i, j = action
        if state[i][j] is not None:
            raise ValueError("this cell is taken")
        new_board = [list(row) for row in state]
        new_board[i][j] = player(state)
        return tuple(tuple(row) for row in new_board)

    def is_terminal(self, state: Board) -> bool:
        if winner(state) is not None:
            return True
        for row in state:
            if None in row:
                return False
        return True

    def utility(self, state: Board, player: int) -> int:
        w = winner(state)
        if w is None:
            return 0
        if w == X:
            return 1 if player == 0 else -1
        return -1 if player == 0 else 1
