"""Clobber: match statements, tuples with words as actions."""
from perfectplay import Game


class Clobber(Game):
    ROWS, COLS = 2, 4

    def initial(self):
        cells = tuple("xo"[(r + c) % 2] for r in range(self.ROWS) for c in range(self.COLS))
        return (cells, "x")

    def to_move(self, state):
        match state:
            case (_, "x"):
                return 0
            case (_, "o"):
                return 1
            case _:
                raise ValueError(state)

    def neighbour(self, i, way):
        r, c = divmod(i, self.COLS)
        match way:
            case "up" if r > 0:
                return i - self.COLS
            case "down" if r < self.ROWS - 1:
                return i + self.COLS
            case "left" if c > 0:
                return i - 1
            case "right" if c < self.COLS - 1:
                return i + 1
            case "up" | "down" | "left" | "right":
                return None

    def actions(self, state):
        cells, turn = state
        found = []
        for i, cell in enumerate(cells):
            if cell == turn:
                for way in ("up", "down", "left", "right"):
                    if (to := self.neighbour(i, way)) is not None and cells[to] not in (turn, " "):
                        found.append((i, way))
        return found

    def result(self, state, action):
        cells, turn = state
        i, way = action
        to = self.neighbour(i, way)
        new = [*cells]
        new[i], new[to] = " ", turn
        return tuple(new), "o" if turn == "x" else "x"

    def is_terminal(self, state):
        return self.actions(state) == []

    def utility(self, state, player):
        return 1 if self.to_move(state) != player else -1
