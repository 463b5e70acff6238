"""Chinese checkers for three, on a small star: step or jump to the opposite point before the others do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from perfectplay.errors import BadParameterError
from perfectplay.game import Game
from perfectplay.scene import Scene, Shape, circle, text

# The cells of each player's marbles in order, whose turn it is, and the moves that are left.
State = tuple[tuple[tuple[int, ...], ...], int, int]
Action = tuple[int, int]  # from a cell to a cell

STEPS = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))  # of the first two of three coordinates
STYLES = ("max", "min", "piece")


@dataclass(frozen=True)
class ChineseCheckers(Game[State, Action]):
    """Three players bring their marbles to the opposite point of a star; the first to do so gets 1.

    A marble steps to a cell beside it, or jumps over a marble into the cell behind it, as often as it can
    in one move. Points that are neither the own nor the opposite one may not be entered. After so many
    moves all three get a third. Every player has a utility of its own. Cells are numbered row by row from
    the top; a move is 5-9. Who cannot move passes (0-0).
    """

    board_limits = "A star of size 1 to 3, and 1 move or more."

    size: int = 1
    moves: int = 60

    players = 3
    zero_sum = False

    def __post_init__(self) -> None:
        if not 1 <= self.size <= 3 or self.moves < 1:
            raise BadParameterError(
                f"size {self.size} and {self.moves} moves cannot be: give a size from 1 to 3, and 1 or more."
            )

    @cached_property
    def cells(self) -> tuple[tuple[int, int, int], ...]:
        """The cells of the star, as three coordinates that add up to 0."""
        reach = range(-2 * self.size, 2 * self.size + 1)
        all_cells = [(x, y, -x - y) for y in reversed(reach) for x in reach]
        return tuple(c for c in all_cells if max(c) <= self.size or min(c) >= -self.size)

    @cached_property
    def beside(self) -> tuple[tuple[int, ...], ...]:
        """In every direction from every cell, the next one, or -1."""
        numbers = {cell: number for number, cell in enumerate(self.cells)}
        return tuple(
            tuple(numbers.get((x + dx, y + dy, z - dx - dy), -1) for dx, dy in STEPS)
            for x, y, z in self.cells
        )

    @cached_property
    def homes(self) -> tuple[tuple[int, ...], ...]:
        """The points where players begin: those of the largest coordinate, the players' own."""
        return tuple(
            tuple(number for number, cell in enumerate(self.cells) if cell[player] > self.size)
            for player in range(3)
        )

    @cached_property
    def goals(self) -> tuple[tuple[int, ...], ...]:
        """The opposite points."""
        return tuple(
            tuple(number for number, cell in enumerate(self.cells) if cell[player] < -self.size)
            for player in range(3)
        )

    @cached_property
    def closed(self) -> tuple[tuple[int, ...], ...]:
        """The cells that a player may not enter."""
        points = (*self.homes, *self.goals)
        return tuple(
            tuple(c for point in points if point not in (self.homes[p], self.goals[p]) for c in point)
            for p in range(3)
        )

    @cached_property
    def distances(self) -> tuple[tuple[int, ...], ...]:
        """How many steps each player has from every cell to the tip of its goal."""
        return tuple(tuple(cell[player] + 2 * self.size for cell in self.cells) for player in range(3))

    def initial(self) -> State:
        return self.homes, 0, self.moves

    def to_move(self, state: State) -> int:
        return state[1]

    def actions(self, state: State) -> Iterator[Action]:
        if self.is_terminal(state):
            return
        marbles, turn, _ = state
        moved = False
        for start in marbles[turn]:
            for target in self.targets(state, start):
                moved = True
                yield start, target
        if not moved:
            yield 0, 0

    def targets(self, state: State, start: int) -> list[int]:
        """Where a marble can go: by one step, or by jumps."""
        marbles, turn, _ = state
        found = []
        for step in range(6):
            target = self.beside[start][step]
            if target >= 0 and self.is_free(marbles, target) and target not in self.closed[turn]:
                found.append(target)
        reached = [start]
        for cell in reached:
            for step in range(6):
                over = self.beside[cell][step]
                if over >= 0 and over != start and not self.is_free(marbles, over):
                    target = self.beside[over][step]
                    if target >= 0 and target not in reached and self.is_free(marbles, target):
                        reached.append(target)
                        if target not in self.closed[turn] and target not in found:
                            found.append(target)
        return found

    def is_free(self, marbles: tuple[tuple[int, ...], ...], cell: int) -> bool:
        """Is there no marble?"""
        return cell not in marbles[0] and cell not in marbles[1] and cell not in marbles[2]

    def result(self, state: State, action: Action) -> State:
        marbles, turn, left = state
        start, target = action
        mine = tuple(sorted(target if cell == start else cell for cell in marbles[turn]))
        if start == target:
            mine = marbles[turn]
        first = mine if turn == 0 else marbles[0]
        second = mine if turn == 1 else marbles[1]
        third = mine if turn == 2 else marbles[2]
        return (first, second, third), (turn + 1) % 3, left - 1

    def is_terminal(self, state: State) -> bool:
        return state[2] <= 0 or self.winner(state) >= 0

    def winner(self, state: State) -> int:
        """Who has arrived, or -1."""
        for player in range(3):
            if state[0][player] == self.goals[player]:
                return player
        return -1

    def utility(self, state: State, player: int) -> float:
        winner = self.winner(state)
        if winner < 0:
            return 1 / 3
        return 1.0 if player == winner else 0.0

    def evaluate(self, state: State, player: int) -> float:
        """The share of a player in the way that all have gone."""
        gone = [0, 0, 0]
        for each in range(3):
            for cell in state[0][each]:
                gone[each] += 4 * self.size - self.distances[each][cell]
        total = gone[0] + gone[1] + gone[2]
        return 0.9 * gone[player] / total if total else 0.3

    def bounds(self, state: State, player: int) -> tuple[float, float]:
        return 0, 1

    def tier(self, state: State) -> int:
        """The moves made."""
        return self.moves - state[2]

    def places(self) -> list[tuple[float, float]]:
        """Where the cells are drawn."""
        return [
            (x + y / 2 + 1.5 * self.size + 0.6, (2 * self.size - y) * 0.87 + 0.6) for x, y, _ in self.cells
        ]

    def render(self, state: State) -> str:
        rows: dict[int, dict[int, str]] = {}
        for number, (x, y, _) in enumerate(self.cells):
            owner = [player for player in range(3) if number in state[0][player]]
            sign = "012"[owner[0]] if owner else "."
            rows.setdefault(-y, {})[2 * x + y + 3 * self.size] = sign
        width = 6 * self.size
        lines = [
            "".join(row.get(col, " ") for col in range(width + 1)).rstrip() for _, row in sorted(rows.items())
        ]
        return "\n".join([*lines, f"player {state[1]} to move, {state[2]} moves left"])

    def scene(self, state: State) -> Scene:
        legal = list(self.actions(state))
        shapes: list[Shape] = []
        for number, (x, y) in enumerate(self.places()):
            owners = [player for player in range(3) if number in state[0][player]]
            words = f"cell {number}: {f'player {owners[0]}' if owners else 'empty'}"
            shapes.append(circle(x, y, 0.42, "hole", at=str(number), label=words))
            if owners:
                shapes.append(circle(x, y, 0.36, STYLES[owners[0]], at=str(number)))
            shapes.append(text(x, y, 0.3, str(owners[0]) if owners else "", "count", at=str(number)))
        side = 3 * self.size + 1.2
        clicks = tuple((action, (str(action[0]), str(action[1]))) for action in legal)
        return Scene(side, 4 * self.size * 0.87 + 1.2, tuple(shapes), clicks)

    def action_name(self, action: Action) -> str:
        return f"{action[0]}-{action[1]}"
