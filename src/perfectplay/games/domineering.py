"""Domineering: one player lays dominoes upright, the other lays them flat; who cannot lay one loses."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from perfectplay.errors import BadParameterError
from perfectplay.game import Game, default_key
from perfectplay.games.squares import Cell, Squares, cell_name
from perfectplay.games.words import bit, cells, count, flipped, mirrored, shifted, signed
from perfectplay.scene import Scene, rect

# The covered cells, and whose turn it is (0: Vertical, who is MAX).
#
# A bit a cell, row by row from a1 at the lower left. 4 columns:
#
#    2  4 5 6 7
#    1  0 1 2 3
#       a b c d
State = tuple[int, int]


@dataclass(frozen=True)
class Domineering(Game[State, int]):
    """Lay dominoes on free cells, one player upright, the other flat; who cannot lay one loses.

    Vertical (MAX) lays them upright and begins; Horizontal, beginning, is Vertical on the board with
    rows and cols swapped. An action is the lower or left cell of the domino, row by row from a1 at the
    lower left, plus the number of cells if it lies flat. In notation both cells are named: a1-a2
    upright, a1-b1 flat.
    """

    board_limits = "26 columns and 64 cells at the most."
    how_to_play = (
        "Lay a domino on two free cells: Vertical lays upright and begins, Horizontal lays flat. Dominoes "
        "may not overlap. Who cannot lay one loses."
    )
    state_fields = (
        ("covered", "the covered cells, a bit a cell: rows from below, in each columns from the left"),
        ("turn", "0: MAX (vertical) moves, 1: MIN moves"),
    )

    rows: int = 8
    cols: int = 8
    board: int = field(init=False, repr=False, compare=False)  # all cells
    upper: int = field(init=False, repr=False, compare=False)  # the cells of the top row
    first: int = field(init=False, repr=False, compare=False)  # the cells of the left column
    last: int = field(init=False, repr=False, compare=False)  # the cells of the right column

    def __post_init__(self) -> None:
        if self.rows < 1 or self.cols < 1 or self.rows * self.cols > 64 or self.cols > 26:
            raise BadParameterError(
                f"a board of {self.rows} rows and {self.cols} columns cannot be: "
                "give 1 or more of each, at most 26 columns, and no more than 64 cells in all."
            )
        first = sum(1 << row * self.cols for row in range(self.rows))
        row = (1 << self.cols) - 1
        object.__setattr__(self, "board", signed(first * row))
        object.__setattr__(self, "upper", signed(row << (self.rows - 1) * self.cols))
        object.__setattr__(self, "first", signed(first))
        object.__setattr__(self, "last", signed(first << self.cols - 1))

    def initial(self) -> State:
        return 0, 0

    def to_move(self, state: State) -> int:
        return state[1]

    def actions(self, state: State) -> Iterator[int]:
        covered, turn = state
        free = self.board & ~covered
        if turn == 0:
            for cell in cells(self.verticals(free)):
                yield cell
        else:
            for cell in cells(self.horizontals(free)):
                yield cell + self.rows * self.cols

    def result(self, state: State, action: int) -> State:
        covered, turn = state
        if turn == 0:
            return covered | bit(action) | bit(action + self.cols), 1
        cell = action - self.rows * self.cols
        return covered | bit(cell) | bit(cell + 1), 0

    def is_terminal(self, state: State) -> bool:
        covered, turn = state
        free = self.board & ~covered
        return (self.verticals(free) if turn == 0 else self.horizontals(free)) == 0

    def utility(self, state: State, player: int) -> int:
        return -1 if player == state[1] else 1

    def verticals(self, free: int) -> int:
        """The cells that are free, as is the one above."""
        return free & free >> self.cols & ~self.upper

    def horizontals(self, free: int) -> int:
        """The cells that are free, as is the one to the right."""
        return free & free >> 1 & ~self.last

    def dominoes(self, free: int, turn: int) -> int:
        """How many dominoes a player could lay on these cells, alone."""
        laid = 0
        step = self.cols if turn == 0 else 1
        edge = self.upper if turn == 0 else self.last  # where no domino begins
        low = self.board & ~edge
        while True:
            # The first cell of every row of free ones, if the second is there too: lay one on both.
            begins = free & free >> step & low
            begins &= ~shifted(free & low, step)
            if begins == 0:
                return laid
            laid += count(begins)
            free &= ~(begins | shifted(begins, step))

    def own(self, free: int, turn: int) -> int:
        """The free cells that the opponent's dominoes cannot cover."""
        if turn == 0:
            flat = self.horizontals(free)
            return free & ~(flat | shifted(flat, 1))
        upright = self.verticals(free)
        return free & ~(upright | shifted(upright, self.cols))

    def evaluate(self, state: State, player: int) -> float:
        """The dominoes that each could lay, and those that nobody can take from them: less than a win."""
        covered, turn = state
        free = self.board & ~covered
        mine = self.dominoes(free, turn) + self.dominoes(self.own(free, turn), turn)
        theirs = self.dominoes(free, 1 - turn) + self.dominoes(self.own(free, 1 - turn), 1 - turn)
        worth = (4 * (mine - theirs) + 1) / (4 * self.rows * self.cols + 2)
        return worth if player == turn else -worth

    def order(self, state: State, action: int) -> int:
        """What leaves more places to oneself and fewer to the opponent."""
        after, turn = self.result(state, action)
        free = self.board & ~after
        upright = count(self.verticals(free)) + count(self.verticals(self.own(free, 0)))
        flat = count(self.horizontals(free)) + count(self.horizontals(self.own(free, 1)))
        return upright - flat if turn == 1 else flat - upright

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        """Who has more dominoes for sure than the other can ever lay wins."""
        covered, turn = state
        free = self.board & ~covered
        other = 1 - turn
        mine, theirs = self.own(free, turn), self.own(free, other)
        spare = free & ~mine
        first = 1 if (self.verticals(spare) if turn == 0 else self.horizontals(spare)) else 0
        if self.dominoes(mine, turn) + first > self.dominoes(free, other):
            worth = 1
        elif self.dominoes(theirs, other) >= self.dominoes(free, turn):
            worth = -1
        else:
            return -1, 1
        return (worth, worth) if player == turn else (-worth, -worth)

    def key(self, state: State) -> int:
        """The covered cells: half their number is odd when it is Horizontal's turn."""
        return default_key(state[0])

    def canonical(self, state: State) -> State:
        """The smallest of the boards that mirroring makes of this one."""
        covered, turn = state
        mirror = mirrored(covered, self.cols, self.first)
        flip = flipped(covered, self.rows, self.cols)
        both = flipped(mirror, self.rows, self.cols)
        return min(covered, mirror, flip, both), turn

    def render(self, state: State) -> str:
        covered, turn = state
        lines = []
        for row in reversed(range(self.rows)):
            marks = ["#" if covered >> row * self.cols + col & 1 else "." for col in range(self.cols)]
            lines.append(f"{row + 1:2} {' '.join(marks)}")
        lines.append("   " + " ".join(chr(ord("a") + col) for col in range(self.cols)))
        name = ("Vertical", "Horizontal")[turn]
        return "\n".join([*lines, f"{name} cannot move" if self.is_terminal(state) else f"{name} to move"])

    def scene(self, state: State) -> Scene:
        """The dominoes as far as the covered cells tell them: a square of four may be two of either kind."""
        covered, turn = state
        board = Squares(self.rows, self.cols)
        taken = {divmod(cell, self.cols) for cell in cells(covered)}
        dominoes = laid(taken, (count(covered) // 2 + turn) // 2)
        shapes = [*board.squares(dict.fromkeys(taken, "covered")), *board.coordinates()]
        for cell in sorted(taken.difference(*dominoes)):
            x, y = board.middle(cell)
            shapes.append(rect(x - 0.4, y - 0.4, 0.8, 0.8, "piece", at=cell_name(cell)))
        for low, high in dominoes:
            x, y = board.middle((high[0], low[1]))  # the upper or left end
            width, height, style = (0.8, 1.8, "max") if low[1] == high[1] else (1.8, 0.8, "min")
            shapes.append(rect(x - 0.4, y - 0.4, width, height, style, at=cell_name(low)))
        clicks = tuple((action, self.ends(action)) for action in self.actions(state))
        return Scene(board.width, board.height, tuple(shapes), clicks)

    def ends(self, action: int) -> tuple[str, str]:
        """The names of the two cells of a domino."""
        lies, cell = divmod(action, self.rows * self.cols)
        row, col = divmod(cell, self.cols)
        return cell_name((row, col)), cell_name((row, col + 1) if lies else (row + 1, col))

    def player_name(self, player: int) -> str:
        return ("Vertical", "Horizontal")[player]

    def prompt(self, state: State, places: tuple[str, ...]) -> str:
        if places:
            return f"Choose the cell {('above', 'to the right of')[state[1]]} {places[0]} to lay the domino."
        return (
            "You lay upright: choose the lower cell.",
            "You lay flat: choose the left cell.",
        )[state[1]]

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        covered = {cell_name(divmod(cell, self.cols)) for cell in cells(state[0])}
        if places[-1] in covered:
            return f"{places[-1]} is covered."
        side, lies = (("above", "upright"), ("to the right of", "flat"))[state[1]]
        if len(places) == 1:
            return f"There is no free cell {side} {places[0]}, where a domino that lies {lies} would end."
        return f"Your dominoes lie {lies}: the second cell is the one {side} the first."

    def action_name(self, action: int) -> str:
        return "-".join(self.ends(action))


def laid(covered: set[Cell], uprights: int) -> list[tuple[Cell, Cell]]:
    """The dominoes that must be there for these cells to be covered, so many of them upright.

    A cell with one neighbour that is not spoken for shares its domino. When no cell has, the rest is clear
    only if it can be dominoes of one player alone.
    """
    left, dominoes = set(covered), []
    flats = len(covered) // 2 - uprights

    def lay(cell: Cell, other: Cell) -> None:
        dominoes.append((min(cell, other), max(cell, other)))
        left.difference_update((cell, other))

    waiting = sorted(covered)
    for cell in waiting:
        around = [other for other in neighbours(cell) if other in left]
        if cell in left and len(around) == 1:
            lay(cell, around[0])
            waiting += neighbours(around[0])  # which may have one neighbour less now
    laid_upright = sum(low[1] == high[1] for low, high in dominoes)
    only_upright, only_flat = flats == len(dominoes) - laid_upright, uprights == laid_upright
    for row, col in sorted(left) if only_upright or only_flat else ():
        if (row, col) in left:
            lay((row, col), (row + 1, col) if only_upright else (row, col + 1))
    return sorted(dominoes)


def neighbours(cell: Cell) -> list[Cell]:
    """The cells beside a cell, beyond the edges too."""
    row, col = cell
    return [(row - 1, col), (row, col - 1), (row, col + 1), (row + 1, col)]
