"""Sliding tiles to the wall with replace, strip, ljust, rjust: 2048-like duel."""
from perfectplay import Game


def squeeze(row, width, left):
    tiles = row.replace(".", "")
    merged = ""
    for tile in tiles if left else reversed(tiles):
        if merged.endswith(tile) and tile < "4":
            merged = merged[:-1] + str(int(tile) + 1)
        else:
            merged += tile
    if left:
        return merged.ljust(width, ".")
    return merged[::-1].rjust(width, ".")


class Slide(Game):
    """One slides the board, the other one puts a tile; the slider wants high tiles."""

    def initial(self):
        return ("1..", "..1"), 0, 0

    def to_move(self, state):
        return state[1]

    def slid(self, board, way):
        if way in ("left", "right"):
            return tuple(squeeze(row, 3, way == "left") for row in board)
        columns = ["".join(c) for c in zip(*board)]
        columns = [squeeze(c, 2, way == "up") for c in columns]
        return tuple(map("".join, zip(*columns)))

    def actions(self, state):
        board, turn, _ = state
        if turn == 0:
            return [w for w in ("left", "right", "up", "down") if self.slid(board, w) != board]
        return [f"{r}{c}" for r, row in enumerate(board) for c, tile in enumerate(row) if tile == "."]

    def result(self, state, action):
        board, turn, time = state
        if turn == 0:
            return self.slid(board, action), 1, time + 1
        r, c = map(int, action)
        rows = list(board)
        rows[r] = rows[r][:c] + "1" + rows[r][c + 1:]
        return tuple(rows), 0, time + 1

    def is_terminal(self, state):
        return state[2] >= 7 or not self.actions(state)

    def utility(self, state, player):
        total = sum(int(t) ** 2 for row in state[0] for t in row if t.isdigit())
        return total if player == 0 else -total
