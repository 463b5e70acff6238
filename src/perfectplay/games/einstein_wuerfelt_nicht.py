"""EinStein würfelt nicht!: a die says which stone may move towards the far corner."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from perfectplay.errors import BadParameterError
from perfectplay.game import CHANCE, MAX, Game
from perfectplay.games.dice import die
from perfectplay.games.squares import Squares, cell_name
from perfectplay.scene import Scene, Shape, circle, text

# Where the stones of MAX are, where those of MIN, whose turn it is, and the die (0: to be rolled). A stone
# is a cell, counted row by row from a1, or GONE.
State = tuple[tuple[int, ...], tuple[int, ...], int, int]
Action = tuple[int, int]  # a stone and its target; what the die shows is (number, ROLLED)

GONE = -1
ROLLED = -1


@dataclass(frozen=True)
class EinsteinWuerfeltNicht(Game[State, Action]):
    """Roll a die, and move the stone of that number one cell towards the far corner; who gets there wins.

    If that stone is gone, the next lower or the next higher one moves. A stone takes whatever is on its
    target, of either side; who has none left has lost. MAX goes from a1 up and to the right, MIN the other
    way. Boards of 3 and 4 have three stones a side and a die of three. A move is the stone and its target.
    """

    board_limits = "A board of size 3 to 8."
    how_to_play = (
        "A die is rolled: the stone of that number, or the next lower or higher one if it is gone, moves one "
        "cell towards the other's corner, and takes whatever stands there. Blue goes up and to the right, "
        "Orange down and to the left. Who reaches the far corner, or has taken all the other's stones, wins."
    )

    size: int = 5

    def __post_init__(self) -> None:
        if not 3 <= self.size <= 8:
            raise BadParameterError(f"a board of {self.size} cannot be: give a size from 3 to 8.")

    @property
    def stones(self) -> int:
        """How many each side has, and how many faces the die has."""
        return 6 if self.size >= 5 else 3

    def initial(self) -> State:
        mine, theirs, last = [], [], self.size * self.size - 1
        for distance in range(3 if self.size >= 5 else 2):
            for row in range(distance + 1):
                cell = row * self.size + distance - row
                mine.append(cell)
                theirs.append(last - cell)
        return tuple(mine), tuple(theirs), 0, 0

    def to_move(self, state: State) -> int:
        return state[2] if state[3] else CHANCE

    def actions(self, state: State) -> Iterator[Action]:
        if self.is_terminal(state) or state[3] == 0:
            return
        stones = state[0] if state[2] == 0 else state[1]
        lower = state[3] - 1
        while lower >= 0 and stones[lower] == GONE:
            lower -= 1
        higher = state[3] - 1
        while higher < self.stones and stones[higher] == GONE:
            higher += 1
        for stone in range(self.stones):
            if stone in (lower, higher):
                row, col = stones[stone] // self.size, stones[stone] % self.size
                step = 1 if state[2] == 0 else -1
                across = 0 <= col + step < self.size
                along = 0 <= row + step < self.size
                if across and along:
                    yield stone, stones[stone] + step * (self.size + 1)
                if along:
                    yield stone, stones[stone] + step * self.size
                if across:
                    yield stone, stones[stone] + step

    def chances(self, state: State) -> Iterator[tuple[Action, float]]:
        for face in range(1, self.stones + 1):
            yield (face, ROLLED), 1 / self.stones

    def result(self, state: State, action: Action) -> State:
        stone, target = action
        mine, theirs, turn, _ = state
        if target == ROLLED:
            return mine, theirs, turn, stone
        first = tuple(GONE if cell == target else cell for cell in mine)
        second = tuple(GONE if cell == target else cell for cell in theirs)
        if turn == 0:
            first = tuple(target if other == stone else first[other] for other in range(self.stones))
        else:
            second = tuple(target if other == stone else second[other] for other in range(self.stones))
        return first, second, 1 - turn, 0

    def is_terminal(self, state: State) -> bool:
        return self.has_won(state, 0) or self.has_won(state, 1)

    def has_won(self, state: State, player: int) -> bool:
        """Has this side reached the far corner, or taken everything?"""
        if player == 0:
            return self.size * self.size - 1 in state[0] or all(cell == GONE for cell in state[1])
        return 0 in state[1] or all(cell == GONE for cell in state[0])

    def utility(self, state: State, player: int) -> int:
        return 1 if self.has_won(state, 0) == (player == MAX) else -1

    def evaluate(self, state: State, player: int) -> float:
        """Whose nearest stone has fewer steps to go."""
        lead = (self.steps(state, 1) - self.steps(state, 0)) / (2 * self.size)
        return lead if player == MAX else -lead

    def steps(self, state: State, player: int) -> int:
        """The moves that the nearest stone of this side needs."""
        fewest = self.size
        for cell in state[0] if player == 0 else state[1]:
            if cell != GONE:
                row, col = cell // self.size, cell % self.size
                left = self.size - 1 - min(row, col) if player == 0 else max(row, col)
                fewest = min(fewest, left)
        return fewest

    def bounds(self, state: State, player: int) -> tuple[int, int]:
        if self.is_terminal(state):
            worth = self.utility(state, player)
            return worth, worth
        return -1, 1

    def player_name(self, player: int) -> str:
        return ("Blue", "Orange")[player]

    def render(self, state: State) -> str:
        signs = dict.fromkeys(range(self.size * self.size), ".")
        for player, stones in enumerate(state[:2]):
            for stone, cell in enumerate(stones):
                if cell != GONE:
                    signs[cell] = "123456"[stone] if player == 0 else "abcdef"[stone]
        rows = [
            f"{row + 1:2} {' '.join(signs[row * self.size + col] for col in range(self.size))}"
            for row in reversed(range(self.size))
        ]
        rows.append("   " + " ".join(cell_name((0, col))[0] for col in range(self.size)))
        if not self.is_terminal(state):
            who = "MAX (1, 2, ...)" if state[2] == 0 else "MIN (a, b, ...)"
            rows.append(f"{who} to move, die: {state[3] or 'to be rolled'}")
        return "\n".join(rows)

    def scene(self, state: State) -> Scene:
        board = Squares(self.size, self.size, rim=1.4)
        where = {
            divmod(cell, self.size): (player, stone)
            for player, stones in enumerate(state[:2])
            for stone, cell in enumerate(stones)
            if cell != GONE
        }
        words = {cell: f"{('MAX', 'MIN')[player]} {stone + 1}" for cell, (player, stone) in where.items()}
        shapes: list[Shape] = [*board.squares(words), *board.coordinates()]
        for cell, (player, stone) in where.items():
            x, y = board.middle(cell)
            shapes.append(circle(x, y, 0.4, "min" if player else "max", at=cell_name(cell)))
            if player:
                shapes.append(circle(x, y, 0.3, "min-mark", at=cell_name(cell)))
            shapes.append(text(x, y, 0.36, str(stone + 1), "count", at=cell_name(cell)))
        legal = [] if self.is_terminal(state) else list(self.actions(state))
        if not self.is_terminal(state):
            shapes += die(board.width - 0.7, board.height / 2, state[3])
        clicks = []
        for stone, target in legal:
            start = (state[0] if state[2] == 0 else state[1])[stone]
            places = (divmod(start, self.size), divmod(target, self.size))
            clicks.append(((stone, target), tuple(map(cell_name, places))))
        return Scene(board.width, board.height, tuple(shapes), tuple(clicks))

    def action_name(self, action: Action) -> str:
        stone, target = action
        return str(stone) if target == ROLLED else f"{stone + 1}-{cell_name(divmod(target, self.size))}"
