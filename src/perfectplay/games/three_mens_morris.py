"""Three Men's Morris: three men each, placed and then moved; three in a row wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from perfectplay.errors import BadParameterError
from perfectplay.games.morris import Morris, State
from perfectplay.games.squares import Cell, Squares
from perfectplay.games.words import cells, count, mirrored, transposed
from perfectplay.scene import Shape, circle, line

# The points, and so the bits, row by row:
#
#    3  6 - 7 - 8
#       | \ | / |
#    2  3 - 4 - 5      the diagonals are for standing in a row;
#       | / | \ |      a man may move along them with moves=diagonal only
#    1  0 - 1 - 2
#       a   b   c
COLUMN, ROW, MIDDLE, CORNERS, BOARD = 0b001001001, 0b111, 1 << 4, 0b101000101, 0b111111111
LINES = (ROW, ROW << 3, ROW << 6, COLUMN, COLUMN << 1, COLUMN << 2, 0b100010001, 0b001010100)


@dataclass(frozen=True)
class ThreeMensMorris(Morris):
    """Place three men each, then move one a turn; three in a row, column or diagonal win.

    X (MAX) begins. A man moves to a free neighbour in its row or column; with moves=diagonal also between
    a corner and the middle; with moves=anywhere to any free point. Somebody can always move. In notation
    b2 places a man, and b2-b3 moves it.

    The rules are those of Wikipedia, Three men's morris, where H. J. R. Murray is quoted: he calls the
    game "nine holes" if men move anywhere.
    """

    how_to_play = (
        "Place your three men on free points, in turn. Then move one man a turn to a free neighbouring "
        "point. Three of your own in a row, column or diagonal win."
    )
    moves: Literal["straight", "diagonal", "anywhere"] = "straight"
    men: int = field(default=3, init=False, repr=False, compare=False)
    board: int = field(default=BOARD, init=False, repr=False, compare=False)
    points: tuple[Cell, ...] = field(init=False, repr=False, compare=False)
    edges: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)
    kinds: tuple[int, ...] = field(init=False, repr=False, compare=False)
    begins: tuple[int, ...] = field(init=False, repr=False, compare=False)
    kind_places: tuple[int, ...] = field(init=False, repr=False, compare=False)
    freedom: int = field(init=False, repr=False, compare=False)  # 0: straight, 1: diagonal, 2: anywhere

    def __post_init__(self) -> None:
        kinds = ("straight", "diagonal", "anywhere")
        if self.moves not in kinds:
            raise BadParameterError(f"moves={self.moves} cannot be: give {' or '.join(kinds)}.")
        straight = ((0, 2), (3, 5), (6, 8), (0, 6), (1, 7), (2, 8))
        diagonal = ((0, 8), (2, 6)) if self.moves == "diagonal" else ()
        object.__setattr__(self, "points", tuple((row, col) for row in range(3) for col in range(3)))
        object.__setattr__(self, "edges", straight + diagonal)
        object.__setattr__(self, "freedom", kinds.index(self.moves))
        self.number_kinds()

    def is_lost(self, state: State) -> bool:
        return self.in_lines(state[1 - state[3]]) != 0

    def in_lines(self, men: int) -> int:
        found = 0
        for mask in LINES:
            if men & mask == mask:
                found |= mask
        return found

    def near(self, men: int) -> int:
        found = men << 3 | men >> 3 | (men & ~(COLUMN << 2)) << 1 | (men & ~COLUMN) >> 1
        if self.freedom == 1:
            found |= (MIDDLE if men & CORNERS else 0) | (CORNERS if men & MIDDLE else 0)
        return found & BOARD

    def flies(self, men: int) -> bool:
        return self.freedom == 2

    def prey(self, men: int) -> int:
        return 0  # a line wins, and takes nothing

    def tier(self, state: State) -> int:
        """The men that have been placed."""
        return state[2]

    def evaluate(self, state: State, player: int) -> float:
        """Lines that lack one man, the middle, and room to move: always less than a win."""
        first, second, _, turn = state
        free = self.free(state)
        lead = 6 * (self.lacking(first, free) - self.lacking(second, free))
        lead += 4 * ((first >> 4 & 1) - (second >> 4 & 1))
        lead += count(self.near(first) & free) - count(self.near(second) & free)
        worth = (lead + (1 if turn == 0 else -1)) / 40
        return worth if player == 0 else -worth

    def lacking(self, men: int, free: int) -> int:
        """In how many lines two men stand and the third point is free."""
        found = 0
        for mask in LINES:
            if count(men & mask) == 2 and free & mask:
                found += 1
        return found

    def order(self, state: State, action: int) -> int:
        """A row of three first, then into a row of the opponent's, then the middle and the corners."""
        target, source = action & 31, action >> 5 & 31
        mine, theirs = state[state[3]], state[1 - state[3]]
        rest = mine & ~(1 << source)  # of a man from the hand there is no bit
        if self.makes_line(rest, target):
            return 8
        held = 4 if self.makes_line(theirs, target) else 0
        return held + (2 if target == 4 else CORNERS >> target & 1)

    def canonical(self, state: State) -> State:
        """The smallest of the boards that turning and mirroring make of this one."""
        first, second, placed, turn = state
        best_first, best_second = first, second
        for symmetry in range(1, 8):
            if symmetry & 1:
                first, second = mirrored(first, 3, COLUMN), mirrored(second, 3, COLUMN)
            else:  # two reflections make a turn
                first, second = transposed(first, 3), transposed(second, 3)
            if first < best_first or (first == best_first and second < best_second):
                best_first, best_second = first, second
        return best_first, best_second, placed, turn

    def render(self, state: State) -> str:
        letters = self.letters(state)
        rows = [f" {row + 1} {'-'.join(letters[row, col] for col in range(3))}" for row in (2, 1, 0)]
        between = ("   |\\|/|", "   |/|\\|") if self.moves == "diagonal" else ("   | | |", "   | | |")
        lines = [rows[0], between[0], rows[1], between[1], rows[2], "   a b c", self.outlook(state)]
        return "\n".join(lines)

    def marks(self, state: State) -> Iterator[Shape]:
        """The diagonals, where no man moves along them, and the row that has won."""
        board = Squares(3, 3)
        if self.moves != "diagonal":
            for one, other in (((0, 0), (2, 2)), ((0, 2), (2, 0))):
                yield line(*board.middle(one), *board.middle(other), "soft")
        for point in cells(self.in_lines(state[0]) | self.in_lines(state[1])):
            yield circle(*board.middle(self.points[point]), 0.48, "win")
