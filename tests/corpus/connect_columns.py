"""Connect three on columns of varying height: a tuple of strings."""
from perfectplay import Game


class ColumnsConnect(Game):
    """Drop stones into columns; three in a row win."""

    def __init__(self, width=4, height=3, k=3):
        self.width, self.height, self.k = width, height, k

    def initial(self):
        return ("",) * self.width

    def to_move(self, columns):
        return sum(map(len, columns)) % 2

    def actions(self, columns):
        return [c for c, column in enumerate(columns) if len(column) < self.height]

    def result(self, columns, c):
        stone = "xo"[self.to_move(columns)]
        return columns[:c] + (columns[c] + stone,) + columns[c + 1:]

    def stone(self, columns, c, r):
        if not 0 <= c < self.width or r < 0:
            return None
        try:
            return columns[c][r]
        except IndexError:
            return None

    def wins(self, columns, stone):
        for c in range(self.width):
            for r in range(self.height):
                for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    for i in range(self.k):
                        if self.stone(columns, c + i * dc, r + i * dr) != stone:
                            break
                    else:
                        return True
        return False

    def is_terminal(self, columns):
        full = all(len(column) == self.height for column in columns)
        return full or self.wins(columns, "x") or self.wins(columns, "o")

    def utility(self, columns, player):
        if self.wins(columns, "x"):
            value = 1
        elif self.wins(columns, "o"):
            value = -1
        else:
            value = 0
        return value if not player else -value

    def order(self, columns, c):
        return -abs(2 * c - self.width + 1)

    def evaluate(self, columns, player):
        threats = 0
        for c in range(self.width):
            for r in range(self.height):
                here = self.stone(columns, c, r)
                if here and here == self.stone(columns, c + 1, r):
                    threats += 1 if here == "x" else -1
        return threats * 0.1 * (1 if player == 0 else -1)
