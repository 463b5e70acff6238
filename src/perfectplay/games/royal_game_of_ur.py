"""The Royal Game of Ur: a race over a shared middle row, with four dice of two faces."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, pi, sin
from typing import Literal

from perfectplay.errors import BadParameterError
from perfectplay.game import CHANCE, MAX, Game
from perfectplay.games.squares import disc, mark
from perfectplay.scene import Scene, Shape, polygon, rect, text

# The squares of MAX's pieces on its way, a bit each with the first in bit 1, and how many are still to
# enter; the same of MIN; whose turn it is; and the roll, or -1 where it is to be thrown.
State = tuple[int, int, int, int, int, int]
Action = int  # the square a piece moves from, 0 to enter; and what is thrown

TO_ROLL = -1
WAYS = {"finkel": (14, 5, 12, (4, 8, 14), 4), "small": (8, 3, 6, (2, 4, 8), 2)}


@dataclass(frozen=True)
class RoyalGameOfUr(Game[State, Action]):
    """Race all pieces along the way: a rosette throws again and is safe, and in the middle one is taken.

    The Finkel rules: four dice of two faces move a piece by 0 to 4; the way has 14 squares, of which 5 to
    12 are shared, with rosettes on 4, 8 and 14; pieces leave by an exact throw. Who cannot move passes.
    The small board has 8 squares, 3 to 6 shared, rosettes on 2, 4 and 8, and two dice. A move is the
    square that a piece comes from, 0 to enter.
    """

    board_limits = "1 to 7 pieces."
    how_to_play = (
        "The throw says how far one of your pieces goes along the way; pieces enter from outside and leave "
        "by an exact throw. Who lands on the other's piece in the shared middle sends it back, except on a "
        "rosette, which is safe and throws again. Who first has all pieces off the board wins."
    )

    pieces: int = 7
    board: Literal["finkel", "small"] = "finkel"

    def __post_init__(self) -> None:
        if self.board not in WAYS:
            raise BadParameterError(f"there is no board {self.board!r}: give finkel or small.")
        if not 1 <= self.pieces <= 7:
            raise BadParameterError(f"{self.pieces} pieces cannot be: give 1 to 7.")

    @property
    def length(self) -> int:
        """Squares on the way."""
        return WAYS[self.board][0]

    @property
    def dice(self) -> int:
        """How many are thrown."""
        return WAYS[self.board][4]

    def is_shared(self, square: int) -> bool:
        """Can the two sides meet there?"""
        return WAYS[self.board][1] <= square <= WAYS[self.board][2]

    def is_rosette(self, square: int) -> bool:
        """Does it throw again, and keep a piece safe?"""
        return square in WAYS[self.board][3]

    def initial(self) -> State:
        return 0, self.pieces, 0, self.pieces, 0, TO_ROLL

    def to_move(self, state: State) -> int:
        return CHANCE if state[5] == TO_ROLL else state[4]

    def actions(self, state: State) -> Iterator[Action]:
        if state[5] > 0 and not self.is_terminal(state):
            for square in range(self.length + 1):
                if self.is_legal(state, square, state[5]):
                    yield square

    def is_legal(self, state: State, square: int, roll: int) -> bool:
        """May the piece on this square, or one to enter, go so far?"""
        mine, home, theirs = (
            (state[0], state[1], state[2]) if state[4] == 0 else (state[2], state[3], state[0])
        )
        there = home > 0 if square == 0 else mine >> square & 1 == 1
        target = square + roll
        if not there or target > self.length + 1:
            return False
        if target == self.length + 1:
            return True
        if mine >> target & 1:
            return False
        return not (self.is_shared(target) and self.is_rosette(target) and theirs >> target & 1 == 1)

    def chances(self, state: State) -> Iterator[tuple[Action, float]]:
        ways = 1
        for roll in range(self.dice + 1):
            yield roll, ways / 2**self.dice
            ways = ways * (self.dice - roll) // (roll + 1)

    def result(self, state: State, action: Action) -> State:
        first, waiting, second, others, turn, roll = state
        if roll == TO_ROLL:  # who cannot move passes
            for square in range(self.length + 1):
                if action > 0 and self.is_legal(state, square, action):
                    return first, waiting, second, others, turn, action
            return first, waiting, second, others, 1 - turn, TO_ROLL
        mine, home, theirs, back = (
            (first, waiting, second, others) if turn == 0 else (second, others, first, waiting)
        )
        target = action + roll
        if action == 0:
            home -= 1
        else:
            mine -= 1 << action
        if target <= self.length:
            mine += 1 << target
            if self.is_shared(target) and theirs >> target & 1:
                theirs -= 1 << target
                back += 1
        after = turn if self.is_rosette(target) else 1 - turn
        if turn == 0:
            return mine, home, theirs, back, after, TO_ROLL
        return theirs, back, mine, home, after, TO_ROLL

    def is_terminal(self, state: State) -> bool:
        return state[0] + state[1] == 0 or state[2] + state[3] == 0

    def utility(self, state: State, player: int) -> int:
        won = state[0] + state[1] == 0
        return 1 if won == (player == MAX) else -1

    def evaluate(self, state: State, player: int) -> float:
        """Who has come further, all pieces together."""
        lead = (self.way(state[2], state[3]) - self.way(state[0], state[1])) / (
            self.pieces * (self.length + 1)
        )
        return 0.9 * lead if player == MAX else -0.9 * lead

    def way(self, squares: int, home: int) -> int:
        """The squares that all pieces of a side still have to go."""
        left = home * (self.length + 1)
        for square in range(1, self.length + 1):
            left += (squares >> square & 1) * (self.length + 1 - square)
        return left

    def order(self, state: State, action: Action) -> int:
        """Rosettes first, and then who is far ahead."""
        return 100 if self.is_rosette(action + state[5]) else action

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        if self.is_terminal(state):
            worth = self.utility(state, player)
            return worth, worth
        return -1, 1

    def place(self, square: int, player: int) -> tuple[int, int]:
        """Where a square is drawn: its row (0 MIN's, 1 the shared one, 2 MAX's) and its column."""
        first, last = WAYS[self.board][1:3]
        if self.is_shared(square):
            return 1, square - first
        row = 2 if player == 0 else 0
        return (row, first - 1 - square) if square < first else (row, last - first - (square - last - 1))

    def player_name(self, player: int) -> str:
        return ("Blue", "Orange")[player]

    def render(self, state: State) -> str:
        width = WAYS[self.board][2] - WAYS[self.board][1] + 1
        rows = [[" "] * width for _ in range(3)]
        for player, (squares, sign) in enumerate(((state[0], "X"), (state[2], "O"))):
            for square in range(1, self.length + 1):
                row, col = self.place(square, player)
                if squares >> square & 1:
                    rows[row][col] = sign
                elif rows[row][col] == " ":
                    rows[row][col] = "*" if self.is_rosette(square) else "."
        lines = [" ".join(row).rstrip() for row in rows]
        lines[0] += f"   MIN has {state[3]} to enter"
        lines[2] += f"   MAX has {state[1]} to enter"
        if not self.is_terminal(state):
            roll = "to be thrown" if state[5] == TO_ROLL else state[5]
            lines.append(f"{'MAX' if state[4] == 0 else 'MIN'} to move, dice: {roll}")
        return "\n".join(lines)

    def scene(self, state: State) -> Scene:
        """Three rows of squares; a piece is clicked to move it, the pile beside its row to enter one."""
        first, last = WAYS[self.board][1:3]
        width = last - first + 1
        legal = list(self.actions(state))
        shapes: list[Shape] = []
        for player, squares in enumerate((state[0], state[2])):
            for square in range(1, self.length + 1):
                row, col = self.place(square, player)
                x, y, held = col + 0.6, row + 0.6, squares >> square & 1
                moves = held and square in legal and player == state[4]
                if player == 0 or not self.is_shared(square):
                    shapes.append(rect(x - 0.5, y - 0.5, 1, 1, "dark" if self.is_rosette(square) else "cell"))
                    if self.is_rosette(square):
                        shapes.append(polygon(_rosette(x, y), "cell"))
                if held:
                    piece, *marks = disc(player, x, y, str(square) if moves else "")
                    shapes += [piece._replace(label=f"{self.player_name(player)} on {square}"), *marks]
            y = (2 if player == 0 else 0) + 0.6
            count = state[1] if player == 0 else state[3]
            at = "0" if 0 in legal and player == state[4] else ""
            shapes.append(rect(width + 0.3, y - 0.5, 1.4, 1, "hole", at=at, label=f"{count} to enter"))
            shapes += [shape._replace(at=at) for shape in mark(player, width + 0.65, y, 0.16)]
            shapes.append(text(width + 1.25, y, 0.36, str(count), "count", at=at))
        roll = "" if self.is_terminal(state) else "?" if state[5] == TO_ROLL else str(state[5])
        shapes.append(text(width + 1, 1.6, 0.5, roll, "count", label=f"thrown: {roll}"))
        shapes.sort(key=lambda shape: shape.style not in ("cell", "dark", "soft"))  # the ground first
        return Scene(width + 1.8, 3.2, tuple(shapes), tuple((action, (str(action),)) for action in legal))

    def prompt(self, state: State, places: tuple[str, ...]) -> str:
        pile = ", or your pile to enter one" if 0 in self.actions(state) else ""
        return f"You threw {state[5]}: choose a piece{pile}." if state[5] > 0 else ""

    def action_name(self, action: Action) -> str:
        return str(action)


def _rosette(x: float, y: float) -> list[tuple[float, float]]:
    """The corners of a star with eight points."""
    turns = [(number * pi / 8, 0.36 if number % 2 == 0 else 0.17) for number in range(16)]
    return [(round(x + radius * sin(turn), 3), round(y - radius * cos(turn), 3)) for turn, radius in turns]
