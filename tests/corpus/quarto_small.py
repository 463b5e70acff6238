"""A tiny Quarto: pieces with two features on a ring of four cells; give one, place one."""
from dataclasses import dataclass
from enum import Enum, auto
from itertools import product
from typing import Optional, Tuple

from perfectplay import Game


class Size(Enum):
    SMALL = auto()
    LARGE = auto()


class Colour(Enum):
    LIGHT = auto()
    DARK = auto()


@dataclass(frozen=True)
class Piece:
    size: Size
    colour: Colour

    def shares(self, other: "Piece") -> bool:
        return self.size is other.size or self.colour is other.colour


PIECES = tuple(Piece(size, colour) for size, colour in product(Size, Colour))


@dataclass(frozen=True)
class Table:
    cells: Tuple[Optional[int], ...] = (None,) * 4
    chosen: Optional[int] = None
    turn: int = 0
    over: bool = False

    def left(self):
        return [i for i in range(len(PIECES)) if i not in self.cells and i != self.chosen]


class TinyQuarto(Game):
    """Give a piece, or place the one that was given; two equal neighbours in size and colour win.

    On the ring of four cells, whoever places a piece that shares something with both neighbours wins.
    """

    def initial(self):
        return Table()

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        if state.over:
            return
        if state.chosen is None:
            for i in state.left():
                yield ("give", i)
        else:
            for cell, content in enumerate(state.cells):
                if content is None:
                    yield ("place", cell)

    def result(self, state, action):
        match action:
            case ("give", piece):
                return Table(state.cells, piece, 1 - state.turn)
            case ("place", cell):
                cells = list(state.cells)
                cells[cell] = state.chosen
                beside = [cells[cell - 1], cells[(cell + 1) % 4]]
                placed = PIECES[state.chosen]
                won = all(other is not None and placed.shares(PIECES[other]) for other in beside)
                return Table(tuple(cells), None, state.turn, won)
        raise ValueError(f"unknown action {action}")

    def is_terminal(self, state):
        return state.over or (state.chosen is None and not state.left())

    def utility(self, state, player):
        if not state.over:
            return 0
        return 1 if state.turn == player else -1
