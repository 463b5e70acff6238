"""Boards as shapes: squares with their coordinates, and marks that tell MAX from MIN without colours."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from perfectplay.game import MAX, MIN
from perfectplay.scene import Shape, circle, line, rect, text

MARGIN = 0.5  # for coordinates
RIM = 0.1  # where there are none
TALLY = 2.1, 0.7  # the width and the height of a tally

Cell = tuple[int, int]  # row and column, from 0, as the notation counts them


class Squares(NamedTuple):
    """A board of squares: columns are letters, rows are numbers, and a1 is at the lower left.

    With `a1_on_top` it is at the upper left, and the letters are above the board. `half` is the distance
    from the middle of the outer cells to the edge: half a cell, or less where only the middles are drawn.
    `rim` is the room on the sides that have no coordinates.
    """

    rows: int
    cols: int
    a1_on_top: bool = False
    half: float = 0.5
    rim: float = RIM

    @property
    def width(self) -> float:
        """The width of the board with its coordinates."""
        return MARGIN + self.cols - 1 + 2 * self.half + self.rim

    @property
    def height(self) -> float:
        """The height of the board with its coordinates."""
        return MARGIN + self.rows - 1 + 2 * self.half + self.rim

    def middle(self, cell: Cell) -> tuple[float, float]:
        """The middle of a cell."""
        row, col = cell
        y = MARGIN + row if self.a1_on_top else self.rim + self.rows - 1 - row
        return MARGIN + col + self.half, y + self.half

    def squares(self, words: Mapping[Cell, str], chequered: bool = False) -> Iterator[Shape]:
        """The squares, each a place to click under its name; `words` say what is on those that are taken."""
        for cell in [(row, col) for row in range(self.rows) for col in range(self.cols)]:
            x, y = self.middle(cell)
            style = "dark" if chequered and sum(cell) % 2 == 0 else "cell"
            name = cell_name(cell)
            yield rect(x - 0.5, y - 0.5, 1, 1, style, at=name, label=f"{name}: {words.get(cell, 'empty')}")

    def coordinates(self) -> Iterator[Shape]:
        """The letters of the columns and the numbers of the rows."""
        for row in range(self.rows):
            yield text(MARGIN / 2, self.middle((row, 0))[1], 0.3, str(row + 1))
        for col in range(self.cols):
            y = MARGIN / 2 if self.a1_on_top else self.height - MARGIN / 2
            yield text(self.middle((0, col))[0], y, 0.3, cell_name((0, col))[0])


def cell_name(cell: Cell) -> str:
    """A cell in notation: a1, b1, ..."""
    row, col = cell
    return f"{chr(ord('a') + col)}{row + 1}"


def mark(player: int, x: float, y: float, radius: float, at: str = "") -> list[Shape]:
    """The cross of MAX, or the ring of MIN."""
    if player == MIN:
        return [circle(x, y, radius, "min-mark", at=at)]
    left, right, top, bottom = x - radius, x + radius, y - radius, y + radius
    return [
        line(left, top, right, bottom, "max-mark", at=at),
        line(left, bottom, right, top, "max-mark", at=at),
    ]


def disc(player: int, x: float, y: float, at: str = "") -> list[Shape]:
    """A disc with the mark of its owner."""
    style = "max" if player == MAX else "min"
    return [circle(x, y, 0.4, style, at=at), *mark(player, x, y, 0.15, at)]


def tally(x: float, y: float, counts: tuple[int, int]) -> Iterator[Shape]:
    """How many MAX and MIN have, each beside the mark, on a line whose middle begins at x, y."""
    for player, number in enumerate(counts):
        begin = x + 1.1 * player
        yield from mark(player, begin + 0.18, y, 0.13)
        label = f"{('MAX', 'MIN')[player]} has {number}"
        yield text(begin + 0.7, y, 0.36, str(number), "count", label=label)


def in_lines(cells: Collection[Cell], k: int) -> list[Cell]:
    """The cells that stand in a row of k or more, in any of the four directions."""
    found: dict[Cell, None] = {}
    for row, col in cells:
        for up, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            line = [(row + step * up, col + step * right) for step in range(k)]
            if all(cell in cells for cell in line):
                found |= dict.fromkeys(line)
    return list(found)
