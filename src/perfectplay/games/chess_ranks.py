"""Ranks of chess endgames: the positions of a tier numbered, with few numbers that no position has.

The kings come first: without pawns there are 462 pairs of squares, since the board can be turned, and with
pawns 1806, since it can be mirrored. Then the men: a piece has 64 squares, two of a kind 2016 pairs of
squares, and a pawn eight files, since all pawns that are in a group stand on the same rank.
"""

from __future__ import annotations

from collections.abc import Iterator

from perfectplay.games.chess_board import BIT, HOME, KING, NOBODY, PAWN, REACH
from perfectplay.games.chess_material import past

PAIRS = 64 * 63 // 2  # of squares for two men of a kind
PLACED = 3  # the first tier in which all men are on the board: those before it are of setting up
TIERS = PLACED + 15  # a man who is gone has 7 behind it, and there are two


def king_pairs(*, mirrored: bool) -> tuple[int, ...]:
    """The squares of the kings, White's times 64 and Black's, in boards that stand for all others."""
    found = []
    for pair in range(64 * 64):
        white, black = pair >> 6, pair & 63
        at_home = white & 7 < 4 if mirrored else HOME[white] == 0
        if white >> 3 == white & 7 and not mirrored:  # the board can be turned about this diagonal
            at_home = at_home and black >> 3 <= black & 7
        if at_home and white != black and not REACH[KING << 6 | white] & BIT[black]:
            found.append(pair)
    return tuple(found)


def numbered(pairs: tuple[int, ...]) -> tuple[int, ...]:
    """The number of every pair of squares among these, or -1."""
    places = {pair: place for place, pair in enumerate(pairs)}
    return tuple(places.get(pair, -1) for pair in range(64 * 64))


KINGS = king_pairs(mirrored=False), king_pairs(mirrored=True)  # without pawns, and with them
KING_NUMBERS = numbered(KINGS[0]), numbered(KINGS[1])


def is_pawn(kind: int) -> bool:
    """Is this a kind of pawn, of either colour?"""
    return kind & 7 == PAWN


def row_of(man: int) -> int:
    """The rank of the board on which a pawn stands; 0 for any other man."""
    return man >> 3 & 7 if is_pawn(man >> 6) else 0


def place_of(man: int) -> int:
    """Where a man stands: a pawn by its file, another one by its square."""
    return man & 7 if is_pawn(man >> 6) else man & 63


def man_at(kind: int, row: int, place: int) -> int:
    """The man of a kind that stands in such a place."""
    if kind == NOBODY:
        return 0
    return kind << 6 | row << 3 | place if is_pawn(kind) else kind << 6 | place


def places_for(kind: int) -> int:
    """In how many places a man can stand."""
    return 1 if kind & 7 == NOBODY else 8 if is_pawn(kind) else 64


def ways_for(one: int, other: int) -> int:
    """In how many ways two men of these kinds can stand, and a pawn be taken in passing or not."""
    if one == other and not is_pawn(one) and one != NOBODY:
        return PAIRS
    ways = places_for(one) * places_for(other)
    return 2 * ways if is_pawn(one) and is_pawn(other) and one != other else ways


def kings_for(one: int, other: int) -> int:
    """How many pairs of squares the kings have beside men of these kinds."""
    return len(KINGS[1]) if is_pawn(one) or is_pawn(other) else len(KINGS[0])


def rows_for(kind: int) -> range:
    """The ranks of the board on which a man of this kind may stand, as far as they are told apart."""
    return range(1, 7) if is_pawn(kind) else range(1)


def groups_of(materials: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
    """Positions that are numbered together: their tier, their group, and how many numbers they have.

    A group is the place of the two kinds among these materials, times 64, and the ranks of pawns.
    """
    for number, pair in enumerate(materials):
        one, other = pair >> 4, pair & 15
        for row in rows_for(one):
            for second in rows_for(other):
                tier = PLACED + past(man_at(one, row, 0)) + past(man_at(other, second, 0))
                size = 2 * kings_for(one, other) * ways_for(one, other)
                yield tier, number << 6 | row << 3 | second, size


def apart_by_rank(one: int, other: int) -> int:
    """The number of two men of a kind by their squares, of which the first is the higher."""
    return one * (one - 1) // 2 + other


def pair_of(number: int) -> tuple[int, int]:
    """The squares of two men of a kind that have this number."""
    one = 1
    while (one + 1) * one // 2 <= number:
        one += 1
    return one, number - one * (one - 1) // 2
