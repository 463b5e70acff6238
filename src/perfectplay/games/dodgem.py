"""Dodgem: drive all your cars off the board; sideways moves come back, so a game need not end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from perfectplay.errors import BadParameterError
from perfectplay.game import MAX, Game, default_key
from perfectplay.games.squares import Squares, cell_name
from perfectplay.games.words import cells, count, packed
from perfectplay.scene import Scene, Shape, polygon, rect

# The cars of MAX, the cars of MIN, and whose turn it is.
#
# A bit a cell, row by row from a1 at the lower left. 3x3, at the start:
#
#    3  6 7 8      > . .      MAX drives to the right, and off the board from column c,
#    2  3 4 5      > . .      MIN upwards, and off the board from row 3.
#    1  0 1 2      . ^ ^
#       a b c      a b c
State = tuple[int, int, int]

# An action is the cell of a car, times 4, and where it drives.
RIGHT, UP, LEFT, DOWN = 0, 1, 2, 3
TURNS = ((RIGHT, UP, DOWN), (UP, LEFT, RIGHT))  # of MAX and of MIN: ahead first

RIM = 0.45  # beside the board, for the exits


@dataclass(frozen=True)
class Dodgem(Game[State, int]):
    """Drive all your cars off the board; who has none left, or is shut in by the opponent, wins.

    Each player has size - 1 cars. MAX (>) begins: a car goes one cell to the right, up or down, and leaves
    the board to the right. A car of MIN (^) goes up, to the left or to the right, and leaves at the top.
    Cells must be empty, and nothing is captured. Who cannot move wins, so nobody may be shut in; with
    blocked=loses it is the other way round. In notation a move is a2-b2, and c2-off leaves the board.

    Invented by Colin Vout. The rules are those of Wikipedia, Dodgem, after Winning Ways; blocked=loses
    is the rule of GamesCrafters, Berkeley.
    """

    board_limits = "A board of size 2 to 7."
    how_to_play = (
        "Drive one of your cars by one cell: Right drives to the right, up or down and leaves the board "
        "at the right; Up drives up, to the left or to the right and leaves at the top. Cells must be "
        "free, and nothing is captured. Who has driven all cars off the board wins, and so does, as a "
        "rule, whoever cannot move."
    )
    state_fields = (
        ("max", "the cars of MAX, a bit a cell: rows from below, in each columns from the left"),
        ("min", "the cars of MIN, likewise"),
        ("turn", "0: MAX moves, 1: MIN moves"),
    )

    size: int = 3
    blocked: Literal["wins", "loses"] = "wins"
    board: int = field(init=False, repr=False, compare=False)  # all cells
    first: int = field(init=False, repr=False, compare=False)  # the left column
    last: int = field(init=False, repr=False, compare=False)  # the right column
    top: int = field(init=False, repr=False, compare=False)  # the top row
    stuck_worth: int = field(init=False, repr=False, compare=False)  # to the player who is shut in

    def __post_init__(self) -> None:
        if not 2 <= self.size <= 7:
            raise BadParameterError(f"a board of size {self.size} cannot be: give 2 to 7.")
        if self.blocked not in ("wins", "loses"):
            raise BadParameterError(f"blocked={self.blocked} cannot be: give wins or loses.")
        first = sum(1 << row * self.size for row in range(self.size))
        row = (1 << self.size) - 1
        object.__setattr__(self, "board", first * row)
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "last", first << self.size - 1)
        object.__setattr__(self, "top", row << (self.size - 1) * self.size)
        object.__setattr__(self, "stuck_worth", 1 if self.blocked == "wins" else -1)

    def initial(self) -> State:
        return self.first & ~1, (1 << self.size) - 2, 0

    def to_move(self, state: State) -> int:
        return state[2]

    def actions(self, state: State) -> Iterator[int]:
        if state[0] and state[1]:
            for direction in TURNS[state[2]]:
                for cell in cells(self.movable(state, state[2], direction)):
                    yield cell << 2 | direction

    def movable(self, state: State, player: int, direction: int) -> int:
        """The cars of a player that can drive in a direction, off the board included."""
        cars = state[player]
        free = self.board & ~(state[0] | state[1])
        if direction == RIGHT:
            ahead = cars & free >> 1 & ~self.last
            return ahead | cars & self.last if player == 0 else ahead
        if direction == UP:
            ahead = cars & free >> self.size
            return ahead | cars & self.top if player == 1 else ahead
        if direction == LEFT:
            return cars & free << 1 & ~self.first
        return cars & free << self.size

    def result(self, state: State, action: int) -> State:
        right, up, turn = state
        target = self.target(action, turn)
        moved = 1 << (action >> 2) | (1 << target if target >= 0 else 0)
        return (right ^ moved, up, 1) if turn == 0 else (right, up ^ moved, 0)

    def target(self, action: int, turn: int) -> int:
        """The cell where an action of a player leads, or -1 if it leaves the board."""
        cell, direction = action >> 2, action & 3
        if direction == RIGHT:
            return -1 if turn == 0 and self.last >> cell & 1 else cell + 1
        if direction == UP:
            return -1 if turn == 1 and self.top >> cell & 1 else cell + self.size
        return cell - 1 if direction == LEFT else cell - self.size

    def is_terminal(self, state: State) -> bool:
        return state[0] == 0 or state[1] == 0 or self.is_stuck(state)

    def is_stuck(self, state: State) -> bool:
        """Has the player to move cars, and none that can move?"""
        found = 0
        for direction in TURNS[state[2]]:
            found |= self.movable(state, state[2], direction)
        return found == 0

    def utility(self, state: State, player: int) -> int:
        right, up, turn = state
        if right == 0 or up == 0:
            return 1 if (right == 0) == (player == 0) else -1
        return self.stuck_worth if player == turn else -self.stuck_worth

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        """Who can drive the last car off the board wins."""
        cars, turn = state[state[2]], state[2]
        if self.is_terminal(state):
            worth = self.utility(state, player)
        elif count(cars) == 1 and cars & (self.last if turn == 0 else self.top):
            worth = 1 if player == turn else -1
        else:
            return -1, 1
        return worth, worth

    def done(self, cars: int, player: int) -> int:
        """How many cells the cars of a player have come ahead; a car that is gone has come all the way."""
        total = (self.size - 1 - count(cars)) * self.size
        for step in range(1, self.size):
            line = self.first << step if player == 0 else (1 << self.size) - 1 << step * self.size
            total += step * count(cars & line)
        return total

    def tier(self, state: State) -> int:
        """How far all cars have come: there is no way back."""
        return self.done(state[0], 0) + self.done(state[1], 1)

    def evaluate(self, state: State, player: int) -> float:
        """Who has come further, and whose cars are free to go on: always less than a win."""
        right, up, turn = state
        lead = 4 * (self.done(right, 0) - self.done(up, 1)) + (2 if turn == 0 else -2)
        lead += 3 * (count(self.movable(state, 0, RIGHT)) - count(self.movable(state, 1, UP)))
        worth = lead / (4 * (self.size + 2) * self.size)
        return worth if player == 0 else -worth

    def order(self, state: State, action: int) -> int:
        """Ahead first, and into the way of the others."""
        turn = state[2]
        ahead = 2 if action & 3 == TURNS[turn][0] else 0
        target = self.target(action, turn)
        if target < 0:
            return 4
        before = target - self.size if turn == 0 else target - 1  # where a car would be held up
        if before < 0 or (turn == 1 and self.first >> target & 1):
            return ahead
        return ahead + (state[1 - turn] >> before & 1)

    def key(self, state: State) -> int:
        right, up, turn = state
        if self.size > 6:
            return default_key(state)
        return default_key(packed(right, up, self.size * self.size) << 1 | turn)

    def render(self, state: State) -> str:
        right, up, turn = state
        lines = []
        for row in reversed(range(self.size)):
            board = range(row * self.size, (row + 1) * self.size)
            marks = [">" if right >> cell & 1 else "^" if up >> cell & 1 else "." for cell in board]
            lines.append(f"{row + 1:2} {' '.join(marks)}")
        lines.append("   " + " ".join(chr(ord("a") + col) for col in range(self.size)))
        names = "MAX (>)", "MIN (^)"
        if self.is_terminal(state):
            return "\n".join([*lines, f"{names[0 if self.utility(state, MAX) > 0 else 1]} has won"])
        return "\n".join([*lines, f"{names[turn]} to move"])

    def scene(self, state: State) -> Scene:
        board = Squares(self.size, self.size, rim=RIM)
        sides = [[divmod(cell, self.size) for cell in cells(side)] for side in state[:2]]
        words = {cell: name for side, name in zip(sides, ("MAX", "MIN"), strict=True) for cell in side}
        shapes = [*board.squares(words), *board.coordinates()]
        for line in range(self.size):
            x, y = board.middle((line, self.size - 1))
            label = f"row {line + 1}: the way out of MAX"
            shapes.append(rect(x + 0.55, y - 0.45, 0.3, 0.9, "max-area", at=exit_of(0, line), label=label))
            x, y = board.middle((self.size - 1, line))
            label = f"column {cell_name((0, line))[0]}: the way out of MIN"
            shapes.append(rect(x - 0.45, y - 0.85, 0.9, 0.3, "min-area", at=exit_of(1, line), label=label))
        for player, side in enumerate(sides):
            shapes += [car(player, *board.middle(cell), cell_name(cell)) for cell in side]
        clicks = tuple((action, self.places(action, state[2])) for action in self.actions(state))
        return Scene(board.width, board.height, tuple(shapes), clicks)

    def places(self, action: int, turn: int) -> tuple[str, str]:
        """What to click for an action: the car, and where it goes."""
        row, col = divmod(action >> 2, self.size)
        target = self.target(action, turn)
        there = exit_of(turn, col if turn else row) if target < 0 else cell_name(divmod(target, self.size))
        return cell_name((row, col)), there

    def player_name(self, player: int) -> str:
        return ("Right", "Up")[player]

    def prompt(self, state: State, places: tuple[str, ...]) -> str:
        return f"Choose where the car on {places[0]} goes." if places else ""

    def objection(self, state: State, places: tuple[str, ...]) -> str:
        mine = {cell_name(divmod(cell, self.size)) for cell in cells(state[state[2]])}
        if len(places) == 2:
            ways = ("to the right, up or down", "up, to the left or to the right")[state[2]]
            return f"Your cars go one cell {ways}, where it is free."
        return f"The car on {places[0]} is shut in." if places[0] in mine else ""

    def action_name(self, action: int) -> str:
        row, col = divmod(action >> 2, self.size)
        up, right = {RIGHT: (0, 1), UP: (1, 0), LEFT: (0, -1), DOWN: (-1, 0)}[action & 3]
        there = row + up, col + right
        target = "off" if self.size in there else cell_name(there)
        return f"{cell_name((row, col))}-{target}"


def exit_of(player: int, line: int) -> str:
    """The place to click for a car that leaves the board: from a row for MAX, from a column for MIN."""
    return f"{cell_name((0, line))[0]}-off" if player else f"{line + 1}-off"


def car(player: int, x: float, y: float, at: str) -> Shape:
    """A car that points where it drives: to the right for MAX, upwards for MIN."""
    outline = ((-0.32, -0.24), (0.08, -0.24), (0.36, 0.0), (0.08, 0.24), (-0.32, 0.24))
    if player == 0:
        return polygon([(x + ahead, y + aside) for ahead, aside in outline], "max", at=at)
    return polygon([(x + aside, y - ahead) for ahead, aside in outline], "min", at=at)
