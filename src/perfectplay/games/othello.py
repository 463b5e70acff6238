"""Othello: a disc turns over all the discs between it and another one of its colour; most discs win."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from perfectplay.errors import BadParameterError
from perfectplay.game import Game, default_key
from perfectplay.games.squares import MARGIN, RIM, TALLY, Squares, cell_name, disc, tally
from perfectplay.games.words import bit, cells, count, mirrored, packed, shifted, signed, transposed
from perfectplay.scene import Scene, rect, text

# The discs of the player to move, the opponent's, the cells where the player to move may put one, and the
# turn: 0 is Black's (MAX), 1 is White's, and 2 or 3 if nobody can move any more.
#
# A bit a cell, row by row from a1 at the top left. 8x8, where bit 63 is the sign of a word (words.py):
#
#       a  b  c  d  e  f  g  h
#    1  0  1  2  3  4  5  6  7
#    2  8  9 10 11 12 13 14 15
#    ...
#    8 56 57 58 59 60 61 62 63
State = tuple[int, int, int, int]

OPENING = 12  # discs: with more of them a position hardly ever comes back as its mirror image


@dataclass(frozen=True)
class Othello(Game[State, int]):
    """Turn over what lies between your new disc and your others; Black begins; most discs win.

    A move must turn something over. Who cannot must pass, and when neither can the game is over. The
    value is the lead in discs; with empties_to_winner=yes empty cells count for the winner. An action
    is a cell, row by row from a1 at the top left, or size * size to pass; in notation d3, or pass.
    """

    board_limits = "A board of size 4, 6 or 8."
    how_to_play = (
        "Put a disc on an empty cell so that it encloses some of the other's discs in a straight line "
        "between itself and another disc of yours; all those are turned over. A move must turn something "
        "over, and who cannot make one passes. When nobody can move, most discs win."
    )
    state_fields = (
        (
            "mine",
            "the discs of the player to move, a bit a cell: rows from the top, in each columns from the left",
        ),
        ("theirs", "the discs of the other player, likewise"),
        ("open", "the cells where the player to move may put one"),
        ("turn", "0: MAX moves, 1: MIN moves; 2 or 3: nobody can move any more"),
    )

    size: int = 8
    empties_to_winner: bool = False
    full: int = field(init=False, repr=False, compare=False)  # all cells
    column: int = field(init=False, repr=False, compare=False)  # the cells of column a
    corners: int = field(init=False, repr=False, compare=False)
    # The four directions: how far to shift, and the cells that have a neighbour on both sides.
    directions: tuple[tuple[int, int], ...] = field(init=False, repr=False, compare=False)
    worths: tuple[int, ...] = field(init=False, repr=False, compare=False)  # of each cell, to `order`
    # What the discs of one player in a row stand for in base 3, and the discs of both, those of the second
    # above those of the first, that a number stands for; in a row at the edge, and in one through the middle,
    # whose two cells in the centre are left out.
    ternary: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)
    discs: tuple[tuple[int, ...], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.size not in (4, 6, 8):
            raise BadParameterError(f"a board of size {self.size} cannot be: give 4, 6 or 8.")
        size, last = self.size, self.size - 1
        places = [(row, col) for row in range(size) for col in range(size)]
        inner_cols = sum(1 << row * size + col for row, col in places if 0 < col < last)
        inner_rows = sum(1 << row * size + col for row, col in places if 0 < row < last)
        inner = inner_cols & inner_rows
        directions = ((1, inner_cols), (size, inner_rows), (size - 1, inner), (size + 1, inner))
        corners = 1 | 1 << last | 1 << last * size | 1 << last * size + last
        object.__setattr__(self, "full", signed((1 << size * size) - 1))
        object.__setattr__(self, "column", sum(1 << row * size for row in range(size)))
        object.__setattr__(self, "corners", signed(corners))
        object.__setattr__(self, "directions", directions)
        object.__setattr__(self, "worths", tuple(_worth(row, col, size) for row, col in places))
        centre = size // 2 - 1, size // 2
        columns = [*range(size)], [col for col in range(size) if col not in centre]
        object.__setattr__(self, "ternary", tuple(_ternary(cols, size) for cols in columns))
        object.__setattr__(self, "discs", tuple(_discs(cols, size) for cols in columns))

    def initial(self) -> State:
        middle = self.size // 2 * (self.size + 1)
        black = bit(middle - 1) | bit(middle - self.size)
        white = bit(middle) | bit(middle - self.size - 1)
        return black, white, self.moves(black, white), 0

    def to_move(self, state: State) -> int:
        return state[3] & 1

    def actions(self, state: State) -> Iterator[int]:
        if state[2]:
            for cell in cells(state[2]):  # noqa: UP028 - machine code has no yield from
                yield cell
        elif state[3] < 2:
            yield self.size * self.size

    def result(self, state: State, action: int) -> State:
        mover, other, _, turn = state
        if action < self.size * self.size:
            turned = self.turned(mover, other, action)
            mover |= turned | bit(action)
            other ^= turned
        replies = self.moves(other, mover)
        over = replies == 0 and self.moves(mover, other) == 0
        return other, mover, replies, 3 - turn if over else 1 - turn

    def is_terminal(self, state: State) -> bool:
        return state[3] >= 2

    def utility(self, state: State, player: int) -> int:
        mover, other, _, turn = state
        lead = count(mover) - count(other)
        if self.empties_to_winner and lead != 0:
            empties = count(~(mover | other) & self.full)
            lead += empties if lead > 0 else -empties
        return lead if player == turn & 1 else -lead

    def moves(self, mover: int, other: int) -> int:
        """The cells where `mover` may put a disc: those behind a row of `other` that begins at `mover`."""
        found = 0
        for shift, inner in self.directions:
            between = other & inner  # what can be turned over in this direction
            up = between & mover << shift
            down = between & mover >> shift
            up |= between & up << shift
            down |= between & down >> shift
            pairs_up = between & between << shift
            pairs_down = between & between >> shift
            up |= pairs_up & up << 2 * shift
            down |= pairs_down & down >> 2 * shift
            up |= pairs_up & up << 2 * shift
            down |= pairs_down & down >> 2 * shift  # rows of up to six
            found |= shifted(up, shift) | down >> shift
        return found & ~(mover | other) & self.full

    def turned(self, mover: int, other: int, cell: int) -> int:
        """The discs of `other` that a disc of `mover` on `cell` turns over."""
        disc = bit(cell)
        found = 0
        for shift, inner in self.directions:
            between = other & inner
            up = between & disc << shift
            down = between & disc >> shift
            up |= between & up << shift
            down |= between & down >> shift
            pairs_up = between & between << shift
            pairs_down = between & between >> shift
            up |= pairs_up & up << 2 * shift
            down |= pairs_down & down >> 2 * shift
            up |= pairs_up & up << 2 * shift
            down |= pairs_down & down >> 2 * shift
            if shifted(up, shift) & mover:
                found |= up
            if down >> shift & mover:
                found |= down
        return found

    def evaluate(self, state: State, player: int) -> float:
        """Moves, corners and few discs in the open; discs themselves count when the board fills up."""
        mover, other, moves, turn = state
        free = ~(mover | other) & self.full
        empties = count(free)
        worth = 4 * (count(moves) - count(self.moves(other, mover)))
        worth += 24 * (count(mover & self.corners) - count(other & self.corners))
        worth += self.exposed(other, free) - self.exposed(mover, free)
        worth += 8 * (self.offered(other, free) - self.offered(mover, free))
        if empties < 2 * self.size:
            worth = worth * empties // (2 * self.size)
            worth += 4 * (count(mover) - count(other)) * (2 * self.size - empties) // (2 * self.size)
        limit = 2 * self.size * self.size  # half of the board
        worth = max(-limit, min(limit, worth))
        return worth / 4 if player == turn & 1 else -worth / 4

    def exposed(self, discs: int, free: int) -> int:
        """How often a disc could be turned over once there is something behind it."""
        found = 0
        for shift, inner in self.directions:
            found += count(discs & inner & free << shift) + count(discs & inner & free >> shift)
        return found

    def offered(self, discs: int, free: int) -> int:
        """How many discs lie diagonally next to a free corner."""
        free &= self.corners
        falling, inner = self.directions[3]
        rising = self.directions[2][0]
        next_to = shifted(free, falling) | free >> falling | shifted(free, rising) | free >> rising
        return count(discs & inner & next_to)

    def order(self, state: State, action: int) -> int:
        """Corners first and cells next to them last; then what leaves the opponent few moves."""
        if action == self.size * self.size:
            return 0
        replies = self.result(state, action)[2]
        return self.worths[action] - 4 * count(replies) - 12 * count(replies & self.corners)

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        """Discs that join a corner along the edge stay: the other player cannot win those cells."""
        mover, other, _, turn = state
        most = self.size * self.size
        mine, theirs = self.rooted(mover), self.rooted(other)
        if player != turn & 1:
            mine, theirs = theirs, mine
        return 2 * mine - most, most - 2 * theirs

    def rooted(self, discs: int) -> int:
        """How many discs are in a corner, or in a row along the edge that begins in a corner of their own."""
        rooted = discs & self.corners
        if rooted == 0:
            return 0
        inner_cols, inner_rows = self.directions[0][1], self.directions[1][1]
        top_and_bottom = discs & inner_cols & ~inner_rows
        left_and_right = discs & inner_rows & ~inner_cols
        for _ in range(self.size - 2):
            rooted |= top_and_bottom & (shifted(rooted, 1) | rooted >> 1)
            rooted |= left_and_right & (shifted(rooted, self.size) | rooted >> self.size)
        return count(rooted)

    def tier(self, state: State) -> int:
        """Twice the discs, and one more if the mover can move: so a pass, which adds none, counts as well."""
        return 2 * count(state[0] | state[1]) + (1 if state[2] else 0)

    def pack(self, state: State) -> int:
        """A digit in base 3 for every cell, row by row; but the four in the centre are never empty.

        Whose turn it is comes first. The moves, and whether the game is over, follow from the discs.
        """
        mover, other, _, turn = state
        row = (1 << self.size) - 1
        number = turn & 1
        for place in range(self.size):
            mine, theirs = mover >> place * self.size & row, other >> place * self.size & row
            inner = 1 if place == self.size // 2 or place == self.size // 2 - 1 else 0
            table = self.ternary[inner]
            number = number * len(self.discs[inner]) + table[mine] + 2 * table[theirs]
            if inner:
                number = 4 * number + (mine >> self.size // 2 - 1 & 3)
        return number

    def unpack(self, number: int) -> State:
        mover = other = 0
        row, centre = (1 << self.size) - 1, self.size // 2 - 1
        for place in range(self.size - 1, -1, -1):
            mine = theirs = 0
            inner = 1 if place == centre or place == centre + 1 else 0
            if inner:
                mine = number % 4 << centre
                theirs = 3 << centre ^ mine
                number //= 4
            both = self.discs[inner][number % len(self.discs[inner])]
            number //= len(self.discs[inner])
            mover |= shifted(mine | both & row, place * self.size)
            other |= shifted(theirs | both >> self.size, place * self.size)
        moves = self.moves(mover, other)
        over = moves == 0 and self.moves(other, mover) == 0
        return mover, other, moves, number + 2 if over else number

    def key(self, state: State) -> int:
        mover, other, _, turn = state
        if self.size == 8:
            return default_key((mover, other, turn))
        return default_key(packed(mover, other, self.size * self.size) << 2 | turn)

    def canonical(self, state: State) -> State:
        """The smallest of the boards that turning and mirroring make; of a large one, only early on."""
        mover, other, moves, turn = state
        if self.size > 4 and count(mover | other) > OPENING:
            return state
        best_mover, best_other = mover, other
        for symmetry in range(1, 8):
            if symmetry & 1:
                mover = mirrored(mover, self.size, self.column)
                other = mirrored(other, self.size, self.column)
            else:  # two reflections make a turn
                mover = transposed(mover, self.size)
                other = transposed(other, self.size)
            if mover < best_mover or (mover == best_mover and other < best_other):
                best_mover, best_other = mover, other
        if best_mover == state[0] and best_other == state[1]:
            return state
        return best_mover, best_other, self.moves(best_mover, best_other) if moves else 0, turn

    def render(self, state: State) -> str:
        mover, other, _, turn = state
        black, white = (mover, other) if turn & 1 == 0 else (other, mover)
        lines = ["   " + " ".join(chr(ord("a") + col) for col in range(self.size))]
        for row in range(self.size):
            discs = range(row * self.size, (row + 1) * self.size)
            marks = ["X" if black >> cell & 1 else "O" if white >> cell & 1 else "." for cell in discs]
            lines.append(f"{row + 1:2} {' '.join(marks)}")
        to_move = "" if turn >= 2 else f"  {'XO'[turn]} to move"
        return "\n".join([*lines, f"   X {count(black)}  O {count(white)}{to_move}"])

    def parse_board(self, text: str) -> State:
        """A letter a cell from a1, row by row, then whose turn it is, as in FFO's .obf: X or * is Black."""
        board, _, side = text.strip().partition(" ")
        size, sides = self.size * self.size, {"X": 0, "x": 0, "*": 0, "B": 0, "b": 0, "@": 0}
        sides |= {"O": 1, "o": 1, "W": 1, "w": 1}
        turn = sides.get(side.strip(), -1)
        if len(board) != size or turn < 0 or not set(board) <= {*sides, "-", "."}:
            raise BadParameterError(
                f"cannot set up {text!r}: give {size} cells, each X, O or -, and X or O for whose turn it is."
            )
        black, white = (
            sum(bit(cell) for cell, mark in enumerate(board) if sides.get(mark) == each) for each in (0, 1)
        )
        mover, other = (white, black) if turn else (black, white)
        moves = self.moves(mover, other)
        over = moves == 0 and self.moves(other, mover) == 0
        return mover, other, moves, turn + 2 if over else turn

    def scene(self, state: State) -> Scene:
        mover, other, _, turn = state
        sides = (mover, other) if turn & 1 == 0 else (other, mover)
        board = Squares(self.size, self.size, a1_on_top=True)
        taken = {divmod(cell, self.size): player for player, side in enumerate(sides) for cell in cells(side)}
        words = {cell: ("X", "O")[player] for cell, player in taken.items()}
        shapes = [*board.squares(words), *board.coordinates()]
        for cell, player in taken.items():
            shapes += disc(player, *board.middle(cell), cell_name(cell))
        strip = board.height + TALLY[1] / 2
        shapes += tally(MARGIN, strip, (count(sides[0]), count(sides[1])))
        actions = list(self.actions(state))
        if actions == [self.size * self.size]:
            left = board.width - RIM - 1
            shapes.append(rect(left, board.height + 0.1, 1, TALLY[1] - 0.2, "cell", at="pass", label="pass"))
            shapes.append(text(left + 0.5, strip, 0.3, "pass", at="pass"))
        clicks = tuple((action, (self.action_name(action),)) for action in actions)
        return Scene(board.width, board.height + TALLY[1], tuple(shapes), clicks, "black-white")

    def player_name(self, player: int) -> str:
        return ("Black", "White")[player]

    def prompt(self, state: State, places: tuple[str, ...]) -> str:
        return "Nothing can be turned over: you must pass." if not state[2] else ""

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        mover, other, _, _ = state
        taken = {cell_name(divmod(cell, self.size)) for cell in cells(mover | other)}
        if places[-1] in taken:
            return f"{places[-1]} is taken: choose an empty cell."
        return f"A disc on {places[-1]} would turn nothing over."

    def action_name(self, action: int) -> str:
        if action == self.size * self.size:
            return "pass"
        row, col = divmod(action, self.size)
        return f"{chr(ord('a') + col)}{row + 1}"


def _ternary(columns: list[int], size: int) -> tuple[int, ...]:
    """For all discs in a row, the sum of the powers of 3 of their columns, the first of which is 1."""
    powers = {col: 3**digit for digit, col in enumerate(columns)}
    return tuple(
        sum(power for col, power in powers.items() if discs >> col & 1) for discs in range(1 << size)
    )


def _discs(columns: list[int], size: int) -> tuple[int, ...]:
    """For all numbers in base 3, the columns with a digit of 1, and above them those with a 2."""
    found = []
    for number in range(3 ** len(columns)):
        digits = [(col, number // 3**digit % 3) for digit, col in enumerate(columns)]
        found.append(sum(1 << col + size * (digit - 1) for col, digit in digits if digit))
    return tuple(found)


def _worth(row: int, col: int, size: int) -> int:
    """What a cell is worth to `order`: the corner most, the cells next to it least."""
    near, far = sorted((min(row, size - 1 - row), min(col, size - 1 - col)))
    return {(0, 0): 40, (0, 1): -8, (1, 1): -24}.get((near, far), 4 if near == 0 else 0)
