"""Sets of cells by their rank: the combinatorial number system (Knuth, volume 4A, section 7.2.1.3).

Of all sets with so many cells, the one with the lowest cells has rank 0, and a set comes after another one if
the highest cell in which they differ is its own. So a rank does not depend on how many cells there are.
"""

from __future__ import annotations

from math import comb

from perfectplay.games.words import cells, count

CELLS = 24  # of the largest board that is ranked
CHOOSE = tuple(tuple(comb(cells, chosen) for chosen in range(CELLS + 1)) for cells in range(CELLS + 1))


def rank(word: int) -> int:
    """The rank of a set of cells among those with as many."""
    number = 0
    for chosen, cell in enumerate(cells(word), 1):
        number += CHOOSE[cell][chosen]
    return number


def unranked(number: int, chosen: int, size: int) -> int:
    """The set of so many out of `size` cells that has a rank."""
    word, left = 0, chosen
    for cell in range(size - 1, -1, -1):
        if left > 0 and CHOOSE[cell][left] <= number:
            number -= CHOOSE[cell][left]
            word |= 1 << cell
            left -= 1
    return word


def squeezed(word: int, taken: int) -> int:
    """The set in a board without the cells that are taken, where those above move down."""
    image = 0
    for cell in cells(word):
        image |= 1 << cell - count(taken & (1 << cell) - 1)
    return image


def spread(word: int, free: int) -> int:
    """The opposite: the cells of a set among those of a board that are free."""
    image = 0
    for cell in cells(free):
        if word & 1:
            image |= 1 << cell
        word >>= 1
    return image
