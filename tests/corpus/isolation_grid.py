"""Isolation with a grid class of its own that wraps tuples; helper class with __getitem__."""
from perfectplay import Game

WAYS = [(dx, dy) for dx in range(-1, 2) for dy in range(-1, 2) if dx or dy]


class IsolationGrid(Game):
    """Step to a free neighbour; the square you leave sinks."""

    def __init__(self, width=3, height=4):
        self.width = width
        self.height = height
        self.steps = {
            (x, y): [(x + dx, y + dy) for dx, dy in WAYS if 0 <= x + dx < width and 0 <= y + dy < height]
            for x in range(width)
            for y in range(height)
        }

    def initial(self):
        grid = [[True] * self.width for _ in range(self.height)]
        return self.freeze(grid), ((0, 0), (self.width - 1, self.height - 1)), 0

    @staticmethod
    def freeze(grid):
        return tuple(map(tuple, grid))

    @staticmethod
    def thaw(grid):
        return list(map(list, grid))

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        grid, players, turn = state
        return [
            (x, y) for x, y in self.steps[players[turn]] if grid[y][x] and (x, y) != players[1 - turn]
        ]

    def result(self, state, to):
        grid, players, turn = state
        new = self.thaw(grid)
        x, y = players[turn]
        new[y][x] = False
        players = (to, players[1]) if turn == 0 else (players[0], to)
        return self.freeze(new), players, 1 - turn

    def is_terminal(self, state):
        return not self.actions(state)

    def utility(self, state, player):
        return -1 if player == state[2] else 1

    def evaluate(self, state, player):
        grid, players, turn = state
        mobility = [sum(grid[y][x] for x, y in self.steps[p]) for p in players]
        return mobility[player] - mobility[1 - player]
