"""Where chess men can go: what each sees from every square, what hides it, and what a move does.

A set of squares is a word (see `words`), a1 is bit 0, b1 is bit 1, and h8 is bit 63.
"""

from __future__ import annotations

from collections.abc import Iterable

from perfectplay.games.words import bit, signed

# A man is a number: its colour (the player), its kind and its square; 0 is none.
#
#    9       8  6  5    0
#    colour  kind  square
NOBODY, QUEEN, ROOK, BISHOP, KNIGHT, PAWN, KING = range(7)
LETTERS = ".QRBNPK..qrbnpk."  # of colour and kind, as FEN has them

# A state: whose turn it is (SETUP while the men are being placed), the square of the white king, that of the
# black king, the two other men, the higher number first, and the square of the pawn that may be taken in
# passing, or 0. Before the kings are placed, both are on a1.
State = tuple[int, int, int, int, int, int]
SETUP = 2
EMPTY: State = (SETUP, 0, 0, 0, 0, 0)

# An action is a man and where it goes, what it is promoted to, and what else there is to say of it. One that
# places a man has whose turn it is then in place of a target, and the one that places both kings has Black's.
#
#    21      20       19      17 16     15  6 5    0
#    placing passing  promoted   takes  man   target
TAKES, PROMOTED, PASSING, PLACING = 1 << 16, 17, 1 << 20, 1 << 21

STRAIGHT = (1, 0), (0, 1), (-1, 0), (0, -1)  # ranks up, files to the right
DIAGONAL = (1, 1), (1, -1), (-1, 1), (-1, -1)
JUMPS = (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)

# The symmetries of the board: files swapped, ranks swapped, then files and ranks swapped with each other.
MIRROR, FLIP, TRANSPOSE = 1, 2, 4


def ray(square: int, step: tuple[int, int], most: int = 7) -> list[int]:
    """The squares from this one on, step by step to the edge of the board."""
    rank, file = divmod(square, 8)
    up, right = step
    way = [(rank + up * far, file + right * far) for far in range(1, most + 1)]
    return [8 * high + wide for high, wide in way if 0 <= high < 8 and 0 <= wide < 8]


def together(squares: Iterable[int]) -> int:
    """The word of some squares."""
    word = 0
    for square in squares:
        word |= bit(square)
    return word


def reach_of(colour: int, kind: int, square: int) -> int:
    """What a man would see on an empty board; of a pawn, where it captures."""
    if kind == NOBODY:
        return 0
    ahead = -1 if colour else 1
    steps = {
        QUEEN: (*STRAIGHT, *DIAGONAL),
        ROOK: STRAIGHT,
        BISHOP: DIAGONAL,
        KNIGHT: JUMPS,
        PAWN: ((ahead, 1), (ahead, -1)),
        KING: (*STRAIGHT, *DIAGONAL),
    }[kind]
    most = 1 if kind in (KNIGHT, PAWN, KING) else 7
    return together(target for step in steps for target in ray(square, step, most))


def shadows() -> tuple[int, ...]:
    """For every two squares, those beyond the second as seen from the first: a man there hides them."""
    found = [0] * 4096
    for square in range(64):
        for step in (*STRAIGHT, *DIAGONAL):
            beyond = 0
            for hiding in reversed(ray(square, step)):
                found[square << 6 | hiding] = beyond
                beyond |= bit(hiding)
    return tuple(found)


def image_of(symmetry: int, square: int) -> int:
    """Where a square comes by a symmetry of the board."""
    rank, file = divmod(square, 8)
    if symmetry & MIRROR:
        file = 7 - file
    if symmetry & FLIP:
        rank = 7 - rank
    return 8 * file + rank if symmetry & TRANSPOSE else 8 * rank + file


def way_home(square: int) -> int:
    """The symmetry that brings a square into the triangle of a1, d1 and d4."""
    rank, file = divmod(square, 8)
    symmetry = (MIRROR if file > 3 else 0) | (FLIP if rank > 3 else 0)
    rank, file = divmod(image_of(symmetry, square), 8)
    return symmetry | TRANSPOSE if rank > file else symmetry


BIT = tuple(bit(square) for square in range(64))
# What a man sees on an empty board, by its number.
REACH = tuple(
    reach_of(colour, kind, square) if kind <= KING else 0
    for colour in range(2)
    for kind in range(8)
    for square in range(64)
)
# Where a pawn can walk on an empty board, by colour and square.
WALKS = tuple(
    together(ray(square, (-1, 0) if colour else (1, 0), 2 if square >> 3 == (6 if colour else 1) else 1))
    for colour in range(2)
    for square in range(64)
)
SHADOW = shadows()  # [first square << 6 | second square]
IMAGE = tuple(image_of(symmetry, square) for symmetry in range(8) for square in range(64))
HOME = tuple(way_home(square) for square in range(64))
EDGE = 255 | signed(255 << 56)  # the ranks where no pawn can be
LIGHT = together(square for square in range(64) if (square >> 3) + square & 1)  # the light squares


def view(man: int, white: int, black: int, one: int, other: int) -> int:
    """The squares that a man sees past the two kings and the two other men.

    That is what it would see on an empty board, less the shadow of each of them. It has none in its own way;
    a man who is not there stands on a1, which hides nothing; and no shadow falls where kings and knights go.
    """
    line = (man & 63) << 6
    shadow = SHADOW[line | white] | SHADOW[line | black]
    shadow |= SHADOW[line | one & 63] | SHADOW[line | other & 63]
    return REACH[man] & ~shadow


def walks(man: int, white: int, black: int, one: int, other: int) -> int:
    """The squares ahead of a pawn up to the first man; that man's square is one of them."""
    line = (man & 63) << 6
    shadow = SHADOW[line | white] | SHADOW[line | black]
    shadow |= SHADOW[line | one & 63] | SHADOW[line | other & 63]
    return WALKS[man >> 9 << 6 | man & 63] & ~shadow


def is_attacked(square: int, colour: int, white: int, black: int, one: int, other: int) -> bool:
    """Does a man of this colour see the square?"""
    king = KING << 6 | (black if colour else white)
    if REACH[king] >> square & 1:
        return True
    if one >> 9 == colour and REACH[one] >> square & 1 and view(one, white, black, one, other) >> square & 1:
        return True
    if other >> 9 != colour or not REACH[other] >> square & 1:
        return False
    return view(other, white, black, one, other) >> square & 1 == 1


def targets(state: State, man: int, behind: int) -> int:
    """Where a man may go, if its king is safe then; `behind` is the square of taking in passing, or -1."""
    turn, white, black, one, other, _ = state
    kings = BIT[white] | BIT[black]
    mine = theirs = 0
    if one:
        if one >> 9 == turn:
            mine = BIT[one & 63]
        else:
            theirs = BIT[one & 63]
    if other:
        if other >> 9 == turn:
            mine |= BIT[other & 63]
        else:
            theirs |= BIT[other & 63]
    seen = view(man, white, black, one, other)
    if man >> 6 & 7 != PAWN:
        return seen & ~(kings | mine)
    ahead = walks(man, white, black, one, other) & ~(kings | mine | theirs)
    if behind >= 0:
        theirs |= BIT[behind]
    return ahead | seen & theirs


def moved(state: State, action: int) -> State:
    """The state after a move, or after a man is placed."""
    turn, white, black, one, other, passing = state
    man, target = action >> 6 & 1023, action & 63
    kind = man >> 6 & 7
    if action & PLACING:
        if kind == KING:
            return SETUP, man & 63, target, 0, 0, 0
        if man > one:
            return target, white, black, man, one, 0
        return target, white, black, one, man, 0
    if action & TAKES:
        taken = passing if action & PASSING else target
        if one & 63 == taken and one >> 9 != turn:
            one = 0
        else:
            other = 0
    promoted = action >> PROMOTED & 7
    there = turn << 9 | (promoted if promoted else kind) << 6 | target
    passing = 0
    if kind == KING:
        if turn:
            black = target
        else:
            white = target
    elif one == man:
        one = there
        if kind == PAWN:
            passing = passed(man, target, other)
    else:
        other = there
        if kind == PAWN:
            passing = passed(man, target, one)
    if other > one:
        one, other = other, one
    return 1 - turn, white, black, one, other, passing


def passed(pawn: int, target: int, other: int) -> int:
    """The square of a pawn that has gone two steps, if the other man is a pawn that may take it now, or 0.

    That capture is always legal: no man is left then that could give check.
    """
    beside = other & 63
    enemies = other >> 6 & 7 == PAWN and other >> 9 != pawn >> 9
    if not enemies or abs(target - (pawn & 63)) != 16 or beside >> 3 != target >> 3:
        return 0
    return target if abs(beside - target) == 1 else 0


def image(state: State, symmetry: int) -> State:
    """The state on a board that is turned or mirrored."""
    turn, white, black, one, other, passing = state
    way = symmetry << 6
    if one:
        one = one & ~63 | IMAGE[way | one & 63]
    if other:
        other = other & ~63 | IMAGE[way | other & 63]
    if passing:
        passing = IMAGE[way | passing]
    if other > one:
        one, other = other, one
    return turn, IMAGE[way | white], IMAGE[way | black], one, other, passing
