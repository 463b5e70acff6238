"""Tic-tac-toe, over-engineered: enum cells with properties, a frozen dataclass with methods."""
from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import ClassVar, Iterator, Optional

from perfectplay import Game


class Cell(Enum):
    EMPTY = "."
    CROSS = "X"
    NOUGHT = "O"

    @property
    def opponent(self) -> Cell:
        if self is Cell.CROSS:
            return Cell.NOUGHT
        if self is Cell.NOUGHT:
            return Cell.CROSS
        raise ValueError("an empty cell has no opponent")

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True)
class Position:
    cells: tuple[Cell, ...]
    turn: Cell = Cell.CROSS

    SIZE: ClassVar[int] = 3

    @classmethod
    def empty(cls) -> Position:
        return cls(cells=(Cell.EMPTY,) * (cls.SIZE * cls.SIZE))

    @property
    def full(self) -> bool:
        return Cell.EMPTY not in self.cells

    def at(self, row: int, col: int) -> Cell:
        return self.cells[row * self.SIZE + col]

    def lines(self) -> Iterator[list[Cell]]:
        for k in range(self.SIZE):
            yield [self.at(k, c) for c in range(self.SIZE)]
            yield [self.at(r, k) for r in range(self.SIZE)]
        yield [self.at(k, k) for k in range(self.SIZE)]
        yield [self.at(k, self.SIZE - 1 - k) for k in range(self.SIZE)]

    @property
    def winner(self) -> Optional[Cell]:
        for first, *others in self.lines():
            if first is not Cell.EMPTY and all(other is first for other in others):
                return first
        return None

    def place(self, index: int) -> Position:
        cells = self.cells[:index] + (self.turn,) + self.cells[index + 1:]
        return replace(self, cells=cells, turn=self.turn.opponent)


class EnumTicTacToe(Game[Position, int]):
    def initial(self) -> Position:
        return Position.empty()

    def to_move(self, state: Position) -> int:
        return 0 if state.turn is Cell.CROSS else 1

    def actions(self, state: Position) -> Iterator[int]:
        for index, cell in enumerate(state.cells):
            if cell is Cell.EMPTY:
                yield index

    def result(self, state: Position, action: int) -> Position:
        return state.place(action)

    def is_terminal(self, state: Position) -> bool:
        return state.winner is not None or state.full

    def utility(self, state: Position, player: int) -> float:
        winner = state.winner
        if winner is None:
            return 0.0
        mine = Cell.CROSS if player == 0 else Cell.NOUGHT
        return 1.0 if winner is mine else -1.0
