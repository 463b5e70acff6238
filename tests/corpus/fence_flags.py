"""Flag enums, generics, NamedTuple with classmethods, cached_property on the game."""
from __future__ import annotations
from enum import Flag, auto
from functools import cached_property
from typing import Generic, NamedTuple, Optional, TypeVar
from perfectplay import Game

T = TypeVar("T")


class Wall(Flag):
    NONE = 0
    N = auto()
    E = auto()
    S = auto()
    W = auto()
    ALL = N | E | S | W


class Pair(NamedTuple, Generic[T]):
    a: T
    b: T


class Cell(NamedTuple):
    walls: Wall
    owner: Optional[int] = None

    @classmethod
    def fresh(cls) -> Cell:
        return cls(Wall.NONE)

    @property
    def closed(self) -> bool:
        return self.walls == Wall.ALL

    def with_wall(self, wall: Wall, player: int) -> Cell:
        new = self.walls | wall
        return self._replace(walls=new, owner=player if new == Wall.ALL else self.owner)


class Fences(NamedTuple):
    cells: tuple[Cell, ...]
    turn: int


class FenceGame(Game):
    """Two cells side by side; who closes a cell owns it and moves again."""

    @cached_property
    def sides(self) -> tuple[Wall, ...]:
        return tuple(w for w in (Wall.N, Wall.E, Wall.S, Wall.W))

    def initial(self) -> Fences:
        return Fences((Cell.fresh(), Cell.fresh()), 0)

    def to_move(self, state: Fences) -> int:
        return state.turn

    def actions(self, state: Fences):
        return [
            (index, wall)
            for index, cell in enumerate(state.cells)
            for wall in self.sides
            if wall not in cell.walls and not (index == 1 and wall is Wall.W)
        ]

    def result(self, state: Fences, action) -> Fences:
        index, wall = action
        cells = list(state.cells)
        before = sum(c.closed for c in cells)
        cells[index] = cells[index].with_wall(wall, state.turn)
        if (index, wall) == (0, Wall.E):
            cells[1] = cells[1].with_wall(Wall.W, state.turn)
        after = sum(c.closed for c in cells)
        return state._replace(cells=tuple(cells), turn=state.turn if after > before else 1 - state.turn)

    def is_terminal(self, state: Fences) -> bool:
        return all(c.closed for c in state.cells)

    def utility(self, state: Fences, player: int) -> int:
        return sum(1 if c.owner == player else -1 for c in state.cells)
