"""Reversi on 4x4 with direction tuples; None is a pass."""
from typing import Dict, List, Optional, Tuple

from perfectplay import Game, MAX, MIN

DIRECTIONS = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if (dr, dc) != (0, 0)]
Square = Tuple[int, int]


class SmallReversi(Game):
    def __init__(self, size: int = 4, plies: int = 6):
        self.size = size
        self.plies = plies

    def initial(self):
        board = [[0] * self.size for _ in range(self.size)]
        m = self.size // 2
        board[m - 1][m - 1] = board[m][m] = 2
        board[m - 1][m] = board[m][m - 1] = 1
        return tuple(tuple(row) for row in board), 1, 0

    def to_move(self, state) -> int:
        return MAX if state[1] == 1 else MIN

    def flips(self, board, square: Square, colour: int) -> List[Square]:
        r0, c0 = square
        if board[r0][c0] != 0:
            return []
        flipped: List[Square] = []
        for dr, dc in DIRECTIONS:
            line: List[Square] = []
            r, c = r0 + dr, c0 + dc
            while 0 <= r < self.size and 0 <= c < self.size and board[r][c] == 3 - colour:
                line.append((r, c))
                r += dr
                c += dc
            if line and 0 <= r < self.size and 0 <= c < self.size and board[r][c] == colour:
                flipped.extend(line)
        return flipped

    def placements(self, board, colour: int) -> List[Square]:
        squares = [(r, c) for r in range(self.size) for c in range(self.size)]
        return [square for square in squares if self.flips(board, square, colour)]

    def actions(self, state) -> List[Optional[Square]]:
        board, colour, _ = state
        found = self.placements(board, colour)
        return found if found else [None]

    def result(self, state, action: Optional[Square]):
        board, colour, ply = state
        if action is None:
            return board, 3 - colour, ply + 1
        grid = [list(row) for row in board]
        for r, c in self.flips(board, action, colour) + [action]:
            grid[r][c] = colour
        return tuple(tuple(row) for row in grid), 3 - colour, ply + 1

    def is_terminal(self, state) -> bool:
        board, _, ply = state
        if ply >= self.plies:
            return True
        return not self.placements(board, 1) and not self.placements(board, 2)

    def utility(self, state, player: int) -> int:
        difference = sum((cell == 1) - (cell == 2) for row in state[0] for cell in row)
        return difference if player == MAX else -difference
