"""Nine Men's Morris: three in a line, a mill, takes a man of the opponent; who has two left loses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from perfectplay.games.morris import NOWHERE, Morris, State
from perfectplay.games.squares import Cell
from perfectplay.games.words import count
from perfectplay.scene import Shape

# The points, and so the bits: eight a square, clockwise from the upper left corner, the outer square first.
# So corners have even numbers, and the middles of sides, where the squares are joined, odd ones.
#
#    7   0 --------- 1 --------- 2
#        |           |           |
#    6   |   8 ----- 9 ---- 10   |
#        |   |       |       |   |
#    5   |   |  16 -17 -18   |   |
#        |   |   |       |   |   |
#    4   7 -15 -23      19 -11 - 3
#        |   |   |       |   |   |
#    3   |   |  22 -21 -20   |   |
#        |   |       |       |   |
#    2   |  14 ---- 13 ---- 12   |
#        |           |           |
#    1   6 --------- 5 --------- 4
#        a   b   c   d   e   f   g
BOARD = 0xFFFFFF
CORNERS, MIDDLES = 0x555555, 0xAAAAAA


@dataclass(frozen=True)
class NineMensMorris(Morris):
    """Place nine men each, then move them along the lines; a mill, three in a line, takes a man.

    X (MAX) begins. Who makes a mill, by placing or by moving, takes one man of the opponent: none that
    stands in a mill, unless all do, and only one even for two mills at once. With three men left a player
    may move to any free point, if flying=yes. Who has fewer than three men, on the board and in the hand,
    or cannot move, loses. In notation d6 places a man and d6-d7 moves it; a man taken follows: d6-d7xf4.

    The rules are those by which R. Gasser solved the game in 1993 (ics.uci.edu/~eppstein/cgt/morris.html).
    It is a draw. With about 10**10 positions after the placing it is too large for a tablebase here.
    """

    how_to_play = (
        "Place your nine men on free points, in turn; then move one a turn along a line to the next "
        "point, or, with three men left, to any. A mill, three of your own in a line, takes a man of the "
        "opponent's that stands in none. Who has fewer than three men, or cannot move, loses."
    )
    flying: bool = True
    men: int = field(default=9, init=False, repr=False, compare=False)
    board: int = field(default=BOARD, init=False, repr=False, compare=False)
    points: tuple[Cell, ...] = field(init=False, repr=False, compare=False)
    edges: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)
    kinds: tuple[int, ...] = field(init=False, repr=False, compare=False)
    begins: tuple[int, ...] = field(init=False, repr=False, compare=False)
    kind_places: tuple[int, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        around = ((1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1))
        points = tuple((3 + up * side, 3 + right * side) for side in (3, 2, 1) for up, right in around)
        sides = tuple((8 * ring + at, 8 * ring + (at + 2) % 8) for ring in range(3) for at in (0, 2, 4, 6))
        object.__setattr__(self, "points", points)
        object.__setattr__(self, "edges", sides + tuple((at, 16 + at) for at in (1, 3, 5, 7)))
        self.number_kinds()

    def is_lost(self, state: State) -> bool:
        turn = state[3]
        return count(state[turn]) + self.in_hand(state, turn) < 3

    def in_lines(self, men: int) -> int:
        sides = men & turned(men, 7) & turned(men, 6) & CORNERS  # by their first corners
        across = men & men >> 8 & men >> 16
        across &= MIDDLES
        return sides | turned(sides, 1) | turned(sides, 2) | across | across << 8 | across << 16

    def near(self, men: int) -> int:
        middles = men & MIDDLES
        return (turned(men, 1) | turned(men, 7) | middles << 8 | middles >> 8) & BOARD

    def flies(self, men: int) -> bool:
        return self.flying and count(men) == 3

    def prey(self, men: int) -> int:
        loose = men & ~self.in_lines(men)
        return loose if loose else men

    def tier(self, state: State) -> int:
        """The men that have been placed, and those that have been taken."""
        return 2 * state[2] - count(state[0] | state[1])

    def evaluate(self, state: State, player: int) -> float:
        """Men above all, mills that can be made next, and room to move: always less than a win."""
        first, second, _, turn = state
        free = self.free(state)
        hands = self.in_hand(state, 0), self.in_hand(state, 1)
        first_next = self.threats(first, free, hands[0] > 0)
        second_next = self.threats(second, free, hands[1] > 0)
        lead = 100 * (count(first) + hands[0] - count(second) - hands[1])
        lead += 25 * (first_next - second_next)
        lead += 5 * (count(self.in_lines(first)) - count(self.in_lines(second)))
        lead += 10 * (count(self.near(first) & free) - count(self.near(second) & free))
        if turn == 0 and first_next:
            lead += 60
        elif turn == 1 and second_next:
            lead -= 60
        worth = lead / 2000
        return worth if player == 0 else -worth

    def order(self, state: State, action: int) -> int:
        """Mills first, then what keeps the opponent from one, then points with many neighbours."""
        target, source, taken = action & 31, action >> 5 & 31, action >> 10
        theirs = state[1 - state[3]]
        held = 16 if self.makes_line(theirs, target) else 0
        if taken != NOWHERE:
            return 64 + held + count(self.near(1 << taken) & theirs)
        left = 0 if source == NOWHERE else count(self.near(1 << source))
        return held + count(self.near(1 << target)) - left

    def canonical(self, state: State) -> State:
        """The smallest of the boards that turning, mirroring and swapping inside and outside make of this."""
        first, second, placed, turn = state
        best_first, best_second = first, second
        for symmetry in range(1, 16):
            if symmetry & 1:
                first, second = swapped(first), swapped(second)
            elif symmetry & 2:
                first, second = reflected(first), reflected(second)
            else:  # another reflection: two of them make a turn
                first, second = turned(reflected(first), 2), turned(reflected(second), 2)
            if first < best_first or (first == best_first and second < best_second):
                best_first, best_second = first, second
        return best_first, best_second, placed, turn

    def render(self, state: State) -> str:
        letters = self.letters(state)
        lines = []
        for row in (6, 5, 4, 3, 2, 1, 0):
            marks = list(BACKGROUND[abs(row - 3)])
            for col in range(7):
                if (row, col) in letters:
                    marks[2 * col] = letters[row, col]
            lines.append(f" {row + 1} {''.join(marks)}")
        return "\n".join([*lines, "   a b c d e f g", self.outlook(state)])

    def marks(self, state: State) -> Iterator[Shape]:
        """Nothing: a game is over when men are missing, or cannot move."""
        return iter(())


BACKGROUND = (" - -     - - ", "| |  - -  | |", "|  --- ---  |", " ----- ----- ")  # by rows from the middle


def turned(men: int, steps: int) -> int:
    """All squares turned clockwise by so many points: by 2 the board comes to lie on itself."""
    low = 0x010101 * ((1 << steps) - 1)
    return men << steps & BOARD & ~low | men >> 8 - steps & low


def reflected(men: int) -> int:
    """The board mirrored, so that the upper left corners stay: 1 and 7, 2 and 6, 3 and 5 change places."""
    image = men & 0x111111 | men << 6 & 0x808080 | men >> 6 & 0x020202
    image |= men << 4 & 0x404040 | men >> 4 & 0x040404
    return image | men << 2 & 0x202020 | men >> 2 & 0x080808


def swapped(men: int) -> int:
    """The outer and the inner square in each other's place."""
    return men >> 16 | men & 0x00FF00 | (men & 0x0000FF) << 16
