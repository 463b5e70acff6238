"""Lines of k stones on a bit board whose rows (or columns) are `pitch` bits apart."""

from __future__ import annotations


def has_line(board: int, k: int, pitch: int) -> bool:
    """Does `board` hold k stones in a row, in any of the four directions?

    The last bit of every row must be empty, or lines would run over from one row into the next.
    """
    return (
        line_starts(board, k, 1) != 0
        or line_starts(board, k, pitch) != 0
        or line_starts(board, k, pitch - 1) != 0
        or line_starts(board, k, pitch + 1) != 0
    )


def count_lines(board: int, k: int, pitch: int) -> int:
    """How many lines of k stones `board` holds."""
    return (
        line_starts(board, k, 1).bit_count()
        + line_starts(board, k, pitch).bit_count()
        + line_starts(board, k, pitch - 1).bit_count()
        + line_starts(board, k, pitch + 1).bit_count()
    )


def line_starts(board: int, k: int, step: int) -> int:
    """The stones of `board` with k - 1 more behind them, each `step` bits on."""
    starts = board
    length = 1  # every bit of starts begins a line of that length
    while 2 * length <= k:
        starts &= starts >> length * step
        length *= 2
    if length < k:
        starts &= starts >> (k - length) * step
    return starts
