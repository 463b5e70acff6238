"""The m,n,k-game: k in a row on a board of m columns and n rows; tic-tac-toe is 3,3,3."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from perfectplay.errors import BadParameterError
from perfectplay.game import Game, default_key
from perfectplay.games.lines import Shifts, count_lines, has_line, line_shifts
from perfectplay.games.squares import Cell, Squares, cell_name, in_lines, mark
from perfectplay.scene import Scene, rect

# The stones of the player to move, all stones, how many there are, and whether the last one made a line.
# X moves when their number is even.
#
# A bit a cell, and an empty one after each row, so that no line runs on into the next row. 3x3:
#
#   3  0 1 2   3
#   2  4 5 6   7
#   1  8 9 10  11
#      a b c
State = tuple[int, int, int, bool]


@dataclass(frozen=True)
class MNK(Game[State, int]):
    """k in a row wins, on a board of m columns and n rows; X begins.

    An action is the number of a cell, from 0 at the top left, row by row. In notation a column is a
    letter and a row a number from below: b2 is the middle of tic-tac-toe.
    """

    board_limits = "m and n from 1 to 26, and k of 1 or more."
    how_to_play = (
        "Put your mark on any empty cell. Who first has k of them in a row, across, upright or "
        "diagonally, wins. If the board is full before that, it is a tie."
    )
    state_fields = (
        (
            "mine",
            "the stones of the player to move, a bit a cell: rows from the top, in each columns from the "
            "left, and one empty bit after each",
        ),
        ("all", "the stones of both players, likewise"),
        ("moves", "how many there are; MAX moves when the number is even"),
        ("won", "has the last stone made a line?"),
    )

    m: int = 3
    n: int = 3
    k: int = 3
    cells: tuple[int, ...] = field(init=False, repr=False, compare=False)  # the bit of each cell
    shifts: Shifts = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 1 <= self.m <= 26 or not 1 <= self.n <= 26:
            raise BadParameterError(f"a board of {self.m}x{self.n} cannot be: give m and n from 1 to 26.")
        if self.k < 1:
            raise BadParameterError(f"k={self.k} in a row cannot be: give 1 or more.")
        bits = tuple(1 << row * (self.m + 1) + col for row in range(self.n) for col in range(self.m))
        object.__setattr__(self, "cells", bits)
        object.__setattr__(self, "shifts", line_shifts(self.k, self.m + 1))

    def initial(self) -> State:
        return 0, 0, 0, False

    def to_move(self, state: State) -> int:
        return state[2] & 1

    def actions(self, state: State) -> Iterator[int]:
        _, mask, _, won = state
        if not won:
            for action, cell in enumerate(self.cells):
                if not mask & cell:
                    yield action

    def result(self, state: State, action: int) -> State:
        mover, mask, stones, _ = state
        cell = self.cells[action]
        return mover ^ mask, mask | cell, stones + 1, has_line(mover | cell, self.shifts)

    def is_terminal(self, state: State) -> bool:
        return state[3] or state[2] == self.m * self.n

    def utility(self, state: State, player: int) -> int:
        _, _, stones, won = state
        if not won:
            return 0
        return -1 if player == stones & 1 else 1  # the last stone was the other player's

    def evaluate(self, state: State, player: int) -> float:
        """The share of lines still open to `player`, less the opponent's: always less than a win."""
        mover, mask, stones, _ = state
        free = sum(self.cells) ^ mask
        mine = count_lines(mover | free, self.shifts)
        theirs = count_lines(mover ^ mask | free, self.shifts)
        worth = (mine - theirs) / (mine + theirs + 1)
        return worth if player == stones & 1 else -worth

    def order(self, state: State, action: int) -> int:
        """The middle first."""
        row, col = divmod(action, self.m)
        return -abs(2 * col - self.m + 1) - abs(2 * row - self.n + 1)

    def key(self, state: State) -> int:
        mover, mask, _, _ = state
        width = self.n * (self.m + 1)
        return mask | mover << width if 2 * width <= 64 else default_key(state)

    def canonical(self, state: State) -> State:
        """The smallest of the boards that turning and mirroring make of this one."""
        mover, mask, stones, won = state
        best_mask, best_mover = mask, mover
        for symmetry in range(1, 8 if self.m == self.n else 4):
            other_mask, other_mover = self.image(mask, symmetry), self.image(mover, symmetry)
            if other_mask < best_mask or (other_mask == best_mask and other_mover < best_mover):
                best_mask, best_mover = other_mask, other_mover
        return best_mover, best_mask, stones, won

    def image(self, board: int, symmetry: int) -> int:
        """The board under a symmetry: bit 0 swaps left and right, bit 1 top and bottom, bit 2 the axes."""
        image = 0
        for action, cell in enumerate(self.cells):
            if board & cell:
                row, col = action // self.m, action % self.m
                if symmetry & 1:
                    col = self.m - 1 - col
                if symmetry & 2:
                    row = self.n - 1 - row
                if symmetry & 4:
                    row, col = col, row
                image |= self.cells[row * self.m + col]
        return image

    def render(self, state: State) -> str:
        mover, mask, stones, _ = state
        crosses = mover if stones % 2 == 0 else mover ^ mask
        marks = ["X" if crosses & cell else "O" if mask & cell else "." for cell in self.cells]
        rows = [" ".join(marks[row * self.m : (row + 1) * self.m]) for row in range(self.n)]
        lines = [f"{self.n - row:2} {marks}" for row, marks in enumerate(rows)]
        letters = [chr(ord("a") + col) for col in range(self.m)]
        return "\n".join([*lines, f"   {' '.join(letters)}"])

    def scene(self, state: State) -> Scene:
        mover, mask, stones, won = state
        crosses = mover if stones % 2 == 0 else mover ^ mask
        board = Squares(self.n, self.m)
        taken: dict[Cell, int] = {}
        for action, bit in enumerate(self.cells):
            if mask & bit:
                taken[self.n - 1 - action // self.m, action % self.m] = 0 if crosses & bit else 1
        shapes = [
            *board.squares({cell: "XO"[player] for cell, player in taken.items()}),
            *board.coordinates(),
        ]
        if won:
            last = [cell for cell, player in taken.items() if player != stones % 2]
            for x, y in map(board.middle, in_lines(last, self.k)):
                shapes.append(rect(x - 0.5, y - 0.5, 1, 1, "win"))
        for cell, player in taken.items():
            shapes += mark(player, *board.middle(cell), 0.28, cell_name(cell))
        clicks = tuple((action, (self.action_name(action),)) for action in self.actions(state))
        return Scene(board.width, board.height, tuple(shapes), clicks)

    def player_name(self, player: int) -> str:
        return "XO"[player]

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        return f"{places[-1]} is taken: choose an empty cell."

    def action_name(self, action: int) -> str:
        row, col = divmod(action, self.m)
        return f"{chr(ord('a') + col)}{self.n - row}"


@dataclass(frozen=True)
class TicTacToe(MNK):
    """Three in a row wins, on a board of 3x3; X begins."""

    how_to_play = (
        "Put your mark on any empty cell. Who first has three of them in a row, across, upright or "
        "diagonally, wins. If the board is full before that, it is a tie."
    )

    m: int = field(default=3, init=False)
    n: int = field(default=3, init=False)
    k: int = field(default=3, init=False)
