"""The men of a chess endgame: their names, what can become of them, and what they are worth."""

from __future__ import annotations

import re

from perfectplay.errors import BadParameterError
from perfectplay.games.chess_board import BISHOP, KNIGHT, LETTERS, LIGHT, NOBODY, PAWN, QUEEN, ROOK, State

PROMOTIONS = (QUEEN, ROOK, BISHOP, KNIGHT)
WORTH = (0, 900, 500, 330, 300, 100, 0, 0)  # of the kinds, in hundredths of a pawn


def kinds_of(men: str) -> tuple[int, ...]:
    """The men besides the kings in a name such as KBNK, by colour and kind: White's first, the best first."""
    found = re.fullmatch(r"K([QRBNP]*)V?K([QRBNP]*)", men.strip().upper())
    if not found or not 1 <= len(found[1] + found[2]) <= 2:
        raise BadParameterError(
            f"men={men} cannot be: name White's men, then Black's, a king each and one or two men more, "
            "as in KRK, KBNK or KQKP."
        )
    white, black = (sorted(map(LETTERS.index, letters)) for letters in found.groups())
    kinds = (*white, *(8 | kind for kind in black))
    if len(kinds) == 1 and kinds[0] & 7 in (BISHOP, KNIGHT):
        raise BadParameterError(f"men={men} cannot be: nobody can mate with these; give another man as well.")
    return kinds


def name_of(kinds: tuple[int, ...]) -> str:
    """The name of men: K and White's, K and Black's."""
    letters = [LETTERS[kind & 7] for kind in kinds]
    whites = sum(kind < 8 for kind in kinds)
    return f"K{''.join(letters[:whites])}K{''.join(letters[whites:])}"


def later_kinds(kind: int) -> tuple[int, ...]:
    """What a man of this colour and kind can come to be: itself, nobody, or what a pawn is promoted to."""
    if kind & 7 == PAWN:
        return NOBODY, kind, *(kind & 8 | promoted for promoted in PROMOTIONS)
    return NOBODY, kind


def paired(kind: int, other: int) -> int:
    """Two kinds in a number, the higher first, as states have their men."""
    return max(kind, other) << 4 | min(kind, other)


def is_dead(one: int, other: int) -> bool:
    """Can nobody ever mate with these? A minor piece alone, or two bishops on squares of one colour."""
    kind, second = one >> 6 & 7, other >> 6 & 7
    if second == NOBODY:
        return kind in (NOBODY, BISHOP, KNIGHT)
    return kind == BISHOP and second == BISHOP and (LIGHT >> (one & 63) ^ LIGHT >> (other & 63)) & 1 == 0


def has_men(state: State, colour: int) -> bool:
    """Has a player anything but a king?"""
    one, other = state[3], state[4]
    return (one > 0 and one >> 9 == colour) or (other > 0 and other >> 9 == colour)


def past(man: int) -> int:
    """What a man has behind it: the steps of a pawn, 6 for another man, 7 for one that is gone."""
    if man == 0:
        return 7
    if man >> 6 & 7 != PAWN:
        return 6
    rank = man >> 3 & 7
    return 6 - rank if man >> 9 else rank - 1


def worth(man: int) -> int:
    """What a man is worth to White, a pawn more with each step."""
    value = WORTH[man >> 6 & 7]
    if man >> 6 & 7 == PAWN:
        value += 40 * past(man)
    return -value if man >> 9 else value


def apart(square: int, other: int) -> int:
    """The steps between two squares, up and aside."""
    return abs((square >> 3) - (other >> 3)) + abs((square & 7) - (other & 7))


def from_middle(square: int) -> int:
    """The steps from the nearest of the four squares in the middle: 0 to 6."""
    rank, file = square >> 3, square & 7
    return max(3 - rank, rank - 4) + max(3 - file, file - 4)


def from_corner(square: int, light: int) -> int:
    """The steps of a king to the nearest corner of this colour."""
    rank, file = square >> 3, square & 7
    if light:  # h1 and a8
        return min(max(rank, 7 - file), max(7 - rank, file))
    return min(max(rank, file), max(7 - rank, 7 - file))
