"""Lines of k stones on a bit board whose rows (or columns) are `pitch` bits apart.

The last bit of every row must be empty, or lines would run over from one row into the next.
"""

from __future__ import annotations

Shifts = tuple[tuple[int, int, int, int], ...]  # step by step, how far to shift in the four directions


def line_shifts(k: int, pitch: int) -> Shifts:
    """The shifts that leave, of a board, the stones with k - 1 more behind them.

    A board and itself shifted by one leaves the pairs, that and itself shifted by two the fours: the
    length doubles with every step but the last.
    """
    shifts = []
    length = 1
    while length < k:
        step = min(length, k - length)
        shifts.append((step, step * pitch, step * (pitch - 1), step * (pitch + 1)))
        length += step
    return tuple(shifts)


def has_line(board: int, shifts: Shifts) -> bool:
    """Does `board` hold k stones in a row, in any of the four directions?"""
    along = across = falling = rising = board
    for shift_along, shift_across, shift_falling, shift_rising in shifts:
        along &= along >> shift_along
        across &= across >> shift_across
        falling &= falling >> shift_falling
        rising &= rising >> shift_rising
    return along | across | falling | rising != 0


def count_lines(board: int, shifts: Shifts) -> int:
    """How many lines of k stones `board` holds."""
    count = 0
    for direction in range(4):
        starts = board
        for shift in shifts:
            starts &= starts >> shift[direction]
        count += starts.bit_count()
    return count


def completions(board: int, k: int, step: int, cells: int) -> int:
    """Those of some cells that would complete a line of k stones, `step` apart."""
    if k == 4:  # the usual game, with the pairs that two of its cases share
        one, two, three = board << step & cells, board << 2 * step & cells, board << 3 * step & cells
        behind = one & two
        ahead = board >> step & board >> 2 * step & cells
        return behind & (three | board >> step) | ahead & (board >> 3 * step | one)
    found = 0
    for after in range(k):  # so many stones of the line lie after the cell, the others before it
        line = cells
        for distance in range(1, after + 1):
            line &= board >> distance * step
        for distance in range(1, k - after):
            line &= board << distance * step
        found |= line
    return found
