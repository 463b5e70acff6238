"""Boards in one word: the slow way, cell by cell, gives the same, bit 63 included."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from perfectplay.games.words import bit, cells, count, flipped, mirrored, packed, signed, transposed

WORDS = st.integers(-(2**63), 2**63 - 1)
COLUMN = 0x0101010101010101  # the first of 8x8


def cells_of(word: int) -> set[int]:
    return {cell for cell in range(64) if word >> cell & 1}


@given(st.sets(st.integers(0, 63)))
def test_a_word_holds_its_cells_and_stays_within_64_bits(chosen):
    word = signed(sum(1 << cell for cell in chosen))
    assert -(2**63) <= word < 2**63
    assert list(cells(word)) == sorted(chosen)
    assert count(word) == len(chosen)
    both = 0
    for cell in chosen:
        both |= bit(cell)
    assert both == word


@given(WORDS)
def test_boards_are_mirrored_flipped_and_transposed_cell_by_cell(word):
    here = [divmod(cell, 8) for cell in cells_of(word)]
    assert cells_of(mirrored(word, 8, COLUMN)) == {8 * row + 7 - col for row, col in here}
    assert cells_of(flipped(word, 8, 8)) == {8 * (7 - row) + col for row, col in here}
    assert cells_of(transposed(word, 8)) == {8 * col + row for row, col in here}
    for image in (mirrored(word, 8, COLUMN), flipped(word, 8, 8), transposed(word, 8)):
        assert -(2**63) <= image < 2**63


@given(st.integers(0, 2**20 - 1))
def test_boards_that_are_not_square_are_mirrored_and_flipped_too(word):
    here = [divmod(cell, 5) for cell in cells_of(word)]
    assert cells_of(mirrored(word, 5, 0b00001_00001_00001_00001)) == {5 * row + 4 - col for row, col in here}
    assert cells_of(flipped(word, 4, 5)) == {5 * (3 - row) + col for row, col in here}


@given(st.sampled_from([16, 31, 36, 39]), st.integers(0, 3**39 - 1))
def test_two_boards_are_packed_into_a_number_from_which_they_can_be_read(size, number):
    digits = [number // 3**place % 3 for place in range(size)]
    one, other = (sum(1 << cell for cell, digit in enumerate(digits) if digit == mark) for mark in (1, 2))
    together = packed(one, other, size)
    assert 0 <= together < 2**62
    if size <= 31:
        assert divmod(together, 1 << size) == (one, other)
    else:
        assert together == number % 3**size
