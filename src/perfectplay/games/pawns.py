"""Two rows of pawns that walk towards each other: what Hexapawn and Breakthrough have in common."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from perfectplay.errors import BadParameterError
from perfectplay.game import Game, default_key
from perfectplay.games.squares import Squares, cell_name
from perfectplay.games.words import bit, cells, count, mirrored, packed, shifted, signed
from perfectplay.scene import Scene, Shape, polygon, rect

# The white pawns, the black pawns, and whose turn it is (0: White, who is MAX and walks up the board).
#
# A bit a cell, row by row from a1 at the lower left; on a board of 64 cells bit 63 is the sign (words.py).
State = tuple[int, int, int]


@dataclass(frozen=True)
class Pawns(Game[State, int]):
    """Pawns walk forward and capture diagonally; who reaches the far row, or leaves no move, wins.

    An action holds the cell where a pawn comes from, times 128, the cell where it goes, times 2, and 1
    if it captures.
    """

    state_fields = (
        ("white", "the pawns of MAX, a bit a cell: rows from below, in each columns from the left"),
        ("black", "the pawns of MIN, likewise"),
        ("turn", "0: MAX moves, 1: MIN moves"),
    )

    steps: ClassVar[str]  # how a pawn goes, in a sentence

    rows: int
    cols: int
    first: int = field(init=False, repr=False, compare=False)  # the cells of the left column
    top: int = field(init=False, repr=False, compare=False)  # the cells of the top row
    # Where a step to the left, ahead or to the right may lead: not from one edge to the other.
    reach: tuple[int, int, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.rows < self.least_rows() or not 2 <= self.cols <= 26 or self.rows * self.cols > 64:
            raise BadParameterError(
                f"a board of {self.rows} rows and {self.cols} columns cannot be: "
                f"give {self.least_rows()} rows or more, 2 to 26 columns, and no more than 64 cells in all."
            )
        first = sum(1 << row * self.cols for row in range(self.rows))
        row = (1 << self.cols) - 1
        board = signed(first * row)
        reach = (board & ~(first << self.cols - 1), board, board & ~first)
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "top", signed(row << (self.rows - 1) * self.cols))
        object.__setattr__(self, "reach", tuple(map(signed, reach)))

    @abstractmethod
    def least_rows(self) -> int:
        """The fewest rows that make a board."""

    @abstractmethod
    def targets(self, state: State, direction: int) -> int:
        """The cells that a pawn of the mover may go to: -1 is to the left, 0 ahead, 1 to the right."""

    def to_move(self, state: State) -> int:
        return state[2]

    def actions(self, state: State) -> Iterator[int]:
        if not self.arrived(state):
            white, black, turn = state
            for direction in range(-1, 2):
                step = self.cols + direction if turn == 0 else direction - self.cols
                theirs = black if turn == 0 else white
                for cell in cells(self.targets(state, direction)):
                    yield cell - step << 7 | cell << 1 | theirs >> cell & 1

    def result(self, state: State, action: int) -> State:
        white, black, turn = state
        source, target = bit(action >> 7), bit(action >> 1 & 63)
        if turn == 0:
            return white ^ source | target, black & ~target, 1
        return white & ~target, black ^ source | target, 0

    def utility(self, state: State, player: int) -> int:
        return -1 if player == state[2] else 1  # who won moved last

    def forward(self, pawns: int, turn: int, direction: int) -> int:
        """Where the pawns are after a step forward, whatever may be there."""
        if turn == 0:
            return shifted(pawns, self.cols + direction) & self.reach[direction + 1]
        return pawns >> self.cols - direction & self.reach[direction + 1] & ~self.top

    def arrived(self, state: State) -> bool:
        """Has a pawn reached the far row?"""
        white, black, _ = state
        return white & self.top != 0 or black & (1 << self.cols) - 1 != 0

    def order(self, state: State, action: int) -> int:
        """Captures first, and the pawns that are furthest."""
        row = (action >> 1 & 63) // self.cols
        ahead = row if state[2] == 0 else self.rows - 1 - row
        if ahead == self.rows - 1:
            return 4 * self.rows
        return ahead + 2 * self.rows * (action & 1)

    def advance(self, pawns: int, turn: int) -> int:
        """The rows that pawns have walked, the last ones counting most."""
        total = 0
        for row in range(self.rows):
            ahead = row if turn == 0 else self.rows - 1 - row
            total += ahead * ahead * count(pawns & shifted((1 << self.cols) - 1, row * self.cols))
        return total

    def evaluate(self, state: State, player: int) -> float:
        """More pawns, further ahead, at home, and few for the taking: always less than a win."""
        white, black, turn = state
        by_white = self.forward(white, 0, -1) | self.forward(
            white, 0, 1
        )  # what White's pawns attack, or cover
        by_black = self.forward(black, 1, -1) | self.forward(black, 1, 1)
        loose_white, loose_black = count(white & by_black & ~by_white), count(black & by_white & ~by_black)
        lead = 50 * (count(white) - count(black))
        lead += self.advance(white, 0) - self.advance(black, 1)
        lead += 5 * (count(white & (1 << self.cols) - 1) - count(black & self.top))
        lead += 10 * (loose_black - loose_white)
        if turn == 0 and loose_black:
            lead += 20
        elif turn == 1 and loose_white:
            lead -= 20
        worth = lead / (self.rows * self.cols * (100 + self.rows * self.rows))
        return worth if player == 0 else -worth

    def key(self, state: State) -> int:
        white, black, turn = state
        size = self.rows * self.cols
        if size > 39:
            return default_key(state)
        return default_key(packed(white, black, size) << 1 | turn)

    def canonical(self, state: State) -> State:
        """The smaller of this board and its mirror image."""
        white, black, turn = state
        white_image = mirrored(white, self.cols, self.first)
        black_image = mirrored(black, self.cols, self.first)
        if white_image < white or (white_image == white and black_image < black):
            return white_image, black_image, turn
        return state

    def render(self, state: State) -> str:
        white, black, turn = state
        lines = []
        for row in reversed(range(self.rows)):
            board = range(row * self.cols, (row + 1) * self.cols)
            marks = ["O" if white >> cell & 1 else "X" if black >> cell & 1 else "." for cell in board]
            lines.append(f"{row + 1:2} {' '.join(marks)}")
        lines.append("   " + " ".join(chr(ord("a") + col) for col in range(self.cols)))
        name = ("White (O)", "Black (X)")[turn]
        return "\n".join([*lines, f"{name} has lost" if self.is_terminal(state) else f"{name} to move"])

    def scene(self, state: State) -> Scene:
        board = Squares(self.rows, self.cols)
        sides = [[divmod(cell, self.cols) for cell in cells(side)] for side in state[:2]]
        words = {cell: name for side, name in zip(sides, ("White", "Black"), strict=True) for cell in side}
        shapes = [*board.squares(words, chequered=True), *board.coordinates()]
        for player, side in enumerate(sides):
            for row, col in side:
                x, y = board.middle((row, col))
                if row == (0 if player else self.rows - 1):  # it has arrived
                    shapes.append(rect(x - 0.5, y - 0.5, 1, 1, "win", at=cell_name((row, col))))
                shapes.append(pawn(player, x, y, cell_name((row, col))))
        clicks = tuple((action, self.ends(action)) for action in self.actions(state))
        return Scene(board.width, board.height, tuple(shapes), clicks, "white-black")

    def ends(self, action: int) -> tuple[str, str]:
        """The names of the cells where a pawn comes from and where it goes."""
        source, target = divmod(action >> 7, self.cols), divmod(action >> 1 & 63, self.cols)
        return cell_name(source), cell_name(target)

    def player_name(self, player: int) -> str:
        return ("White", "Black")[player]

    def prompt(self, state: State, places: tuple[str, ...]) -> str:
        return f"Choose where the pawn on {places[0]} goes." if places else ""

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        mine = {cell_name(divmod(cell, self.cols)) for cell in cells(state[state[2]])}
        if len(places) == 2:
            return self.steps
        return f"The pawn on {places[0]} is blocked." if places[0] in mine else ""

    def action_name(self, action: int) -> str:
        return ("x" if action & 1 else "-").join(self.ends(action))


def pawn(player: int, x: float, y: float, at: str) -> Shape:
    """A pawn that points where it walks: up the board for MAX, down for MIN."""
    outline = ((-0.28, 0.34), (0.28, 0.34), (0.28, -0.06), (0, -0.36), (-0.28, -0.06))
    ahead = 1 if player == 0 else -1
    return polygon([(x + dx, y + ahead * dy) for dx, dy in outline], ("max", "min")[player], at=at)
