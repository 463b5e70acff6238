"""A Grid helper class with __getitem__ taking a pair, __setitem__, copy, neighbors generator; frozen at the end."""
from perfectplay import Game


class Grid:
    def __init__(self, rows):
        self.rows = [list(row) for row in rows]

    @property
    def height(self):
        return len(self.rows)

    @property
    def width(self):
        return len(self.rows[0])

    def __getitem__(self, pos):
        r, c = pos
        return self.rows[r][c]

    def __setitem__(self, pos, value):
        r, c = pos
        self.rows[r][c] = value

    def __iter__(self):
        for r in range(self.height):
            for c in range(self.width):
                yield (r, c)

    def neighbours(self, pos):
        r, c = pos
        for dr, dc in [(-1, 0), (0, -1), (0, 1), (1, 0)]:
            if 0 <= r + dr < self.height and 0 <= c + dc < self.width:
                yield (r + dr, c + dc)

    def frozen(self):
        return tuple("".join(row) for row in self.rows)

    def copy(self):
        return Grid(self.rows)


class Flood(Game):
    """Paint a region: a stone flips the neighbours of the other colour. Most stones win."""

    def initial(self):
        return (("...", "...", "..."), "a")

    def to_move(self, state):
        return "ab".index(state[1])

    def actions(self, state):
        grid = Grid(state[0])
        return [pos for pos in grid if grid[pos] == "."]

    def result(self, state, action):
        grid, me = Grid(state[0]), state[1]
        grid[action] = me
        for pos in grid.neighbours(action):
            if grid[pos] not in (".", me):
                grid[pos] = me
        return grid.frozen(), "b" if me == "a" else "a"

    def is_terminal(self, state):
        return not any("." in row for row in state[0])

    def utility(self, state, player):
        text = "".join(state[0])
        diff = text.count("a") - text.count("b")
        return diff if player == 0 else -diff
