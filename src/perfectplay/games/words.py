"""Boards of up to 64 cells in one word, a bit a cell, the same in Python and in machine code.

Machine words are signed: bit 63 is the sign, and a right shift copies it. So a word here is a Python integer
from -2**63 to 2**63 - 1, whose bit 63 is its sign too. `&`, `|`, `^` and `~` keep it one, and so does
`shifted` to the left; after a right shift a mask must drop the copies of the sign.
"""

from __future__ import annotations

from collections.abc import Iterator

LOW = 2**63 - 1  # every bit but the sign


def signed(word: int) -> int:
    """The lowest 64 bits of `word`, the last of them as the sign."""
    return word & LOW | -(word >> 63 & 1) << 63


def shifted(word: int, places: int) -> int:
    """The word shifted to the left by 0 to 63 places; what leaves it is lost."""
    return signed(word << places)


def bit(cell: int) -> int:
    """The word with one cell set."""
    return 1 << cell if cell < 63 else -1 << 63


def count(word: int) -> int:
    """How many cells are set."""
    return (word & LOW).bit_count() + (word >> 63 & 1)


def cells(word: int) -> Iterator[int]:
    """The cells that are set, the lowest first."""
    left = word & LOW
    while left:
        yield (~left & left - 1).bit_count()
        left &= left - 1
    if word < 0:
        yield 63


def packed(one: int, other: int, size: int) -> int:
    """Two boards of `size` cells without a common one, at most 39, in a number below 2**62 of their own."""
    if size <= 31:
        return one << size | other
    number = 0  # in base 3, six cells at a time from the top
    for low in range((size - 1) // 6 * 6, -1, -6):
        number = 729 * number + TERNARY[one >> low & 63] + 2 * TERNARY[other >> low & 63]
    return number


# What the bits of a number from 0 to 63 stand for in base 3.
TERNARY = tuple(sum(3**place for place in range(6) if bits >> place & 1) for bits in range(64))


# A board of `cols` columns, row by row. A column is given as the word with its first cells set.


def mirrored(word: int, cols: int, first_column: int) -> int:
    """The board with left and right swapped."""
    image = 0
    for col in range(cols):
        image |= shifted(word >> col & first_column, cols - 1 - col)
    return image


def flipped(word: int, rows: int, cols: int) -> int:
    """The board with top and bottom swapped."""
    row = (1 << cols) - 1
    image = 0
    for _ in range(rows):
        image = shifted(image, cols) | word & row
        word >>= cols
    return image


def transposed(word: int, size: int) -> int:
    """The square board with rows and columns swapped: on each diagonal, the pairs of cells that differ."""
    diagonal = 0
    for row in range(size - 1):
        diagonal |= 1 << row * (size + 1)
    for apart in range(1, size):
        upper = (diagonal & (1 << (size - apart) * size) - 1) << apart
        distance = apart * (size - 1)
        differ = (word >> distance ^ word) & upper
        word ^= differ ^ differ << distance
    return word
