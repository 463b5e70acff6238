"""Breakthrough: two rows of pawns each; the first to reach the far row wins."""

from __future__ import annotations

from dataclasses import dataclass

from perfectplay.games.pawns import Pawns, State
from perfectplay.games.words import count


@dataclass(frozen=True)
class Breakthrough(Pawns):
    """Two rows of pawns each; who first reaches the far row, or captures all the others, wins.

    A pawn goes one cell ahead, straight or diagonally; it captures diagonally only. White (O, MAX)
    begins at the bottom. In notation a move is a2-a3 or a2-b3, a capture a2xb3.
    """

    board_limits = "4 rows or more, 2 to 26 columns, 64 cells at the most."
    how_to_play = (
        "A pawn goes one cell ahead, straight or diagonally, onto an empty cell, and captures diagonally "
        "only. White goes up the board and begins, Black goes down. Who first brings a pawn to the far "
        "row, or captures all pawns, wins."
    )
    steps = "A pawn goes one cell ahead, straight or diagonally, and captures only diagonally."

    rows: int = 8
    cols: int = 8

    def least_rows(self) -> int:
        return 4

    def initial(self) -> State:
        return (1 << 2 * self.cols) - 1, self.top | self.top >> self.cols & ~self.top, 0

    def targets(self, state: State, direction: int) -> int:
        white, black, turn = state
        reached = self.forward(white if turn == 0 else black, turn, direction)
        if direction == 0:
            return reached & ~(white | black)
        return reached & ~(white if turn == 0 else black)

    def is_terminal(self, state: State) -> bool:
        return self.arrived(state) or state[state[2]] == 0

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        """A pawn one row before the end wins: a cell diagonally ahead is free or can be captured.

        So does one of the opponent's, if it cannot be captured at once, and so do two of them.
        """
        if self.is_terminal(state):
            worth = self.utility(state, player)
            return worth, worth
        white, black, turn = state
        bottom = (1 << self.cols) - 1
        nearly_white, nearly_black = white & self.top >> self.cols, black & bottom << self.cols
        mine, threats = (nearly_white, nearly_black) if turn == 0 else (nearly_black, nearly_white)
        if mine:
            worth = 1
        elif threats and (
            count(threats) > 1 or not threats & (self.targets(state, -1) | self.targets(state, 1))
        ):
            worth = -1
        else:
            return -1, 1
        return (worth, worth) if player == turn else (-worth, -worth)
