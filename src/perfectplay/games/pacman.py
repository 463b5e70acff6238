"""Pacman: one small maze, food to eat, and ghosts that think (MIN) or wander about (chance)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from perfectplay.errors import BadParameterError
from perfectplay.game import CHANCE, MAX, Game
from perfectplay.scene import Scene, Shape, circle, polygon, rect, text

# Where Pacman is, where the ghosts are, the food that is left (a bit a cell), whose turn it is (0: Pacman,
# 1, 2: a ghost), and the moves that Pacman has made. Cells are counted row by row from the top.
State = tuple[int, tuple[int, ...], int, int, int]
Action = int  # one of DIRECTIONS

MAZE = (
    "%%%%%%%%%",
    "%.  .  .%",
    "% %% %% %",
    "%.  G  .%",
    "% %% %% %",
    "%P  . G.%",
    "%%%%%%%%%",
)
COLS = len(MAZE[0])
DIRECTIONS = {"North": -COLS, "South": COLS, "East": 1, "West": -1, "Stop": 0}
NAMES = tuple(DIRECTIONS)
GHOST = ((0.15, 0.9), (0.15, 0.4), (0.5, 0.1), (0.85, 0.4), (0.85, 0.9))  # its corners
FOOD, WIN, LOSS = 10, 500, -500  # and a move costs one


@dataclass(frozen=True)
class Pacman(Game[State, Action]):
    """Eat all food in a small maze and meet no ghost: 10 points each, 500 to win or lose, 1 for a move.

    Pacman is MAX. With ghosts=min the ghosts are MIN players, who want him to have few points; with
    ghosts=chance each goes any way that is open, all as likely. After so many moves the game is over as it
    stands. Moves are North, South, East, West, and Stop for Pacman alone.
    """

    board_limits = "1 or 2 ghosts, and 1 to 1000 moves."
    how_to_play = (
        "Go one cell in any open direction, or stop, and then every ghost goes one cell. Food is worth 10 "
        "points, and a move costs 1. To eat all of it is worth 500 more, and to meet a ghost costs 500."
    )

    ghosts: Literal["min", "chance"] = "chance"
    number: int = 1
    moves: int = 40

    def __post_init__(self) -> None:
        if self.ghosts not in ("min", "chance"):
            raise BadParameterError(f"ghosts are no {self.ghosts!r}: give min or chance.")
        if not 1 <= self.number <= 2 or not 1 <= self.moves <= 1000:
            raise BadParameterError(
                f"{self.number} ghosts and {self.moves} moves cannot be: give 1 or 2, and 1 to 1000."
            )

    @property
    def players(self) -> int:  # type: ignore[override]
        """Pacman, and a MIN player for every ghost that thinks."""
        return 1 + self.number if self.ghosts == "min" else 2

    @cached_property
    def open(self) -> tuple[bool, ...]:
        """Which cells are no wall."""
        return tuple(sign != "%" for row in MAZE for sign in row)

    @property
    def has_chance(self) -> bool:
        """Only ghosts that wander about make it a game with chance."""
        return self.ghosts == "chance"

    def initial(self) -> State:
        signs = "".join(MAZE)
        ghosts = [cell for cell in range(len(signs)) if signs[cell] == "G"]
        food = sum(1 << cell for cell in range(len(signs)) if signs[cell] == ".")
        return signs.index("P"), tuple(ghosts[: self.number]), food, 0, 0

    def to_move(self, state: State) -> int:
        return CHANCE if state[3] > 0 and self.ghosts == "chance" else state[3]

    def actions(self, state: State) -> Iterator[Action]:
        if self.is_terminal(state):
            return
        turn = state[3]
        cell = state[0] if turn == 0 else state[1][turn - 1]
        for action in range(4):
            if self.open[cell + self.step(action)]:
                yield action
        if turn == 0:
            yield 4

    def step(self, action: Action) -> int:
        """From a cell to the next one in a direction."""
        return (-COLS, COLS, 1, -1, 0)[action]

    def chances(self, state: State) -> Iterator[tuple[Action, float]]:
        ways = list(self.actions(state))
        for action in ways:
            yield action, 1 / len(ways)

    def result(self, state: State, action: Action) -> State:
        pacman, ghosts, food, turn, moves = state
        if turn == 0:
            pacman += self.step(action)
            if food >> pacman & 1:
                food -= 1 << pacman
            return pacman, ghosts, food, 1, moves + 1
        step = self.step(action)
        moved = tuple(ghosts[each] + (step if each == turn - 1 else 0) for each in range(self.number))
        return pacman, moved, food, 0 if turn == self.number else turn + 1, moves

    def is_terminal(self, state: State) -> bool:
        return state[0] in state[1] or state[2] == 0 or (state[3] == 0 and state[4] >= self.moves)

    def utility(self, state: State, player: int) -> int:
        points = self.points(state)
        if state[0] in state[1]:
            points += LOSS
        elif state[2] == 0:
            points += WIN
        return points if player == MAX else -points

    def points(self, state: State) -> int:
        """What was eaten, less what the way has cost."""
        signs = "".join(MAZE)
        return FOOD * (signs.count(".") - state[2].bit_count()) - state[4]

    def evaluate(self, state: State, player: int) -> float:
        """The points, and a little for being near food."""
        nearest = 2 * COLS
        for cell in range(len(self.open)):
            if state[2] >> cell & 1:
                across = abs(cell % COLS - state[0] % COLS)
                nearest = min(nearest, across + abs(cell // COLS - state[0] // COLS))
        worth = self.points(state) - nearest / 2
        return worth if player == MAX else -worth

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        """Nothing is eaten twice, and no move is free."""
        points = self.points(state)
        lower = points - (self.moves - state[4]) + LOSS
        upper = points + FOOD * state[2].bit_count() + WIN
        return (lower, upper) if player == MAX else (-upper, -lower)

    def tier(self, state: State) -> int:
        """The moves made."""
        return state[4]

    def render(self, state: State) -> str:
        signs = [sign if sign == "%" else " " for row in MAZE for sign in row]
        for cell in range(len(signs)):
            if state[2] >> cell & 1:
                signs[cell] = "."
        signs[state[0]] = "P"
        for number, ghost in enumerate(state[1]):
            signs[ghost] = "gh"[number] if state[2] >> ghost & 1 else "GH"[number]  # over food, or not
        rows = ["".join(signs[row * COLS : (row + 1) * COLS]) for row in range(len(MAZE))]
        who = "Pacman" if state[3] == 0 else f"ghost {state[3]}"
        return "\n".join([*rows, f"{who} to move, {self.points(state)} points, move {state[4]}"])

    def scene(self, state: State) -> Scene:
        """The maze; a neighbouring cell is clicked to go there, and Pacman himself to stop."""
        shapes: list[Shape] = [rect(0, 0, COLS, len(MAZE), "board")]
        legal = list(self.actions(state)) if state[3] == 0 or self.ghosts == "min" else []
        turn = state[3]
        here = state[0] if turn == 0 else state[1][turn - 1]
        places = {here + self.step(action): NAMES[action] for action in legal}
        for cell, is_open in enumerate(self.open):
            row, col = divmod(cell, COLS)
            at = places.get(cell, "")
            if is_open:
                shapes.append(rect(col, row, 1, 1, "cell", at=at, label=at))
            if state[2] >> cell & 1:
                shapes.append(circle(col + 0.5, row + 0.5, 0.12, "count", at=at, label="food"))
        row, col = divmod(state[0], COLS)
        at = places.get(state[0], "")
        shapes.append(circle(col + 0.5, row + 0.5, 0.4, "max", at=at, label="Pacman"))
        for number, ghost in enumerate(state[1], 1):
            row, col = divmod(ghost, COLS)
            corners = [
                (col + x, row + y)
                for x, y in ((0.15, 0.9), (0.15, 0.4), (0.5, 0.1), (0.85, 0.4), (0.85, 0.9))
            ]
            at = places.get(ghost, "")
            shapes.append(polygon(corners, "min", at=at, label=f"ghost {number}"))
            shapes.append(text(col + 0.5, row + 0.6, 0.36, str(number), "count", at=at))
        return Scene(COLS, len(MAZE), tuple(shapes), tuple((each, (NAMES[each],)) for each in legal))

    def player_name(self, player: int) -> str:
        return "Pacman" if player == 0 else "the ghosts"

    def action_name(self, action: Action) -> str:
        return NAMES[action]
