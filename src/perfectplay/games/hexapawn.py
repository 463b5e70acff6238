"""Hexapawn: chess pawns on a small board; reach the far row, or leave the opponent no move."""

from __future__ import annotations

from dataclasses import dataclass

from perfectplay.games.pawns import Pawns, State


@dataclass(frozen=True)
class Hexapawn(Pawns):
    """A row of chess pawns each; reach the far row, or leave the opponent no move, and win.

    A pawn goes one cell straight ahead if that is empty, or captures one cell diagonally ahead. White
    (O, MAX) begins at the bottom. In notation a move is a1-a2, a capture a1xb2.
    """

    board_limits = "3 rows or more, 2 to 26 columns, 64 cells at the most."
    how_to_play = (
        "A pawn goes one cell straight ahead if that is empty, or captures one cell diagonally ahead. "
        "White goes up the board and begins, Black goes down. Who brings a pawn to the far row, or leaves "
        "the opponent no move, wins."
    )
    steps = "A pawn goes one cell straight ahead if that is empty, or captures one cell diagonally ahead."

    rows: int = 3
    cols: int = 3

    def least_rows(self) -> int:
        return 3

    def initial(self) -> State:
        return (1 << self.cols) - 1, self.top, 0

    def targets(self, state: State, direction: int) -> int:
        white, black, turn = state
        reached = self.forward(white if turn == 0 else black, turn, direction)
        if direction == 0:
            return reached & ~(white | black)
        return reached & (black if turn == 0 else white)

    def is_terminal(self, state: State) -> bool:
        if self.arrived(state):
            return True
        return self.targets(state, -1) | self.targets(state, 0) | self.targets(state, 1) == 0

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        """Who can step onto the far row, or has left the opponent no move, wins."""
        turn = state[2]
        if self.is_terminal(state):
            worth = self.utility(state, player)
            return worth, worth
        far = self.top if turn == 0 else (1 << self.cols) - 1
        if (self.targets(state, -1) | self.targets(state, 0) | self.targets(state, 1)) & far:
            return (1, 1) if player == turn else (-1, -1)
        return -1, 1
