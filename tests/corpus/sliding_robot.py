"""Two sliders on ice: a piece slides until something stops it; states are frozen dataclasses with methods."""
from __future__ import annotations

from dataclasses import dataclass

from perfectplay import Game


@dataclass(frozen=True, order=True)
class Point:
    x: int
    y: int

    def __add__(self, other: Point) -> Point:
        return Point(self.x + other.x, self.y + other.y)

    def moved(self, way: str) -> Point:
        return self + WAYS[way]

    def inside(self, grid: Grid) -> bool:
        return 0 <= self.x < grid.width and 0 <= self.y < grid.height and self not in grid.rocks


WAYS = {"N": Point(0, -1), "E": Point(1, 0), "S": Point(0, 1), "W": Point(-1, 0)}


class Grid:
    """Where pieces slide: a plain class, nothing frozen."""

    def __init__(self, text: str) -> None:
        rows = text.split()
        self.width = len(rows[0])
        self.height = len(rows)
        self.rocks = {Point(x, y) for y, row in enumerate(rows) for x, letter in enumerate(row) if letter == "#"}

    def centre(self) -> Point:
        return Point(self.width // 2, self.height // 2)


@dataclass(frozen=True)
class Ice:
    pieces: tuple[Point, Point]
    turn: int
    left: int

    @property
    def mine(self) -> Point:
        return self.pieces[self.turn]

    @property
    def other(self) -> Point:
        return self.pieces[1 - self.turn]

    def slide(self, way: str, grid: Grid) -> Point:
        at = self.mine
        while (to := at.moved(way)).inside(grid) and to != self.other:
            at = to
        return at


class Sliders(Game[Ice, str]):
    """Be the first to stop in the middle of the grid."""

    def __init__(self) -> None:
        self.grid = Grid("..#. .... #... ...#")

    def initial(self) -> Ice:
        return Ice((Point(0, 0), Point(3, 2)), 0, 7)

    def to_move(self, state: Ice) -> int:
        return state.turn

    def actions(self, state: Ice) -> list[str]:
        return [way for way in WAYS if state.slide(way, self.grid) != state.mine]

    def result(self, state: Ice, action: str) -> Ice:
        to = state.slide(action, self.grid)
        pieces = (to, state.other) if state.turn == 0 else (state.other, to)
        return Ice(pieces, 1 - state.turn, state.left - 1)

    def is_terminal(self, state: Ice) -> bool:
        return state.left == 0 or self.grid.centre() in state.pieces or not self.actions(state)

    def utility(self, state: Ice, player: int) -> int:
        middle = self.grid.centre()
        if state.pieces[0] == middle:
            return 1 if player == 0 else -1
        if state.pieces[1] == middle:
            return 1 if player == 1 else -1
        return 0
