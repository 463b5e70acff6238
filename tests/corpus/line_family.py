"""Deep inheritance: BoardGame -> GridGame -> ConnectionGame -> concrete, template methods, class-level hooks, super chains."""
from perfectplay import Game


class BoardGame(Game):
    symbols = ".xo"

    def initial(self):
        return self.symbols[0] * self.cells(), 0

    def cells(self):
        raise NotImplementedError

    def to_move(self, state):
        return state[1]

    def place(self, board, index, symbol):
        return board[:index] + symbol + board[index + 1:]

    def actions(self, state):
        return [i for i in range(self.cells()) if self.legal(state, i)]

    def legal(self, state, index):
        return state[0][index] == self.symbols[0]

    def result(self, state, action):
        board, turn = state
        return self.place(board, action, self.symbols[1 + turn]), 1 - turn

    def full(self, board):
        return self.symbols[0] not in board


class GridGame(BoardGame):
    rows = 3
    cols = 3

    def __init__(self, rows=None, cols=None):
        super().__init__()
        self.rows = rows or self.rows
        self.cols = cols or self.cols

    def cells(self):
        return self.rows * self.cols

    def at(self, board, r, c):
        return board[r * self.cols + c]

    def lines(self, board):
        for r in range(self.rows):
            yield board[r * self.cols:(r + 1) * self.cols]
        for c in range(self.cols):
            yield board[c::self.cols]

    def render(self, state):
        return "\n".join(self.lines(state[0]))


class LineGame(GridGame):
    need = 3

    def has_line(self, board, symbol):
        return any(symbol * self.need in line for line in self.lines(board))

    def is_terminal(self, state):
        return self.full(state[0]) or any(self.has_line(state[0], s) for s in self.symbols[1:])

    def utility(self, state, player):
        mine, other = self.symbols[1 + player], self.symbols[2 - player]
        return self.has_line(state[0], mine) - self.has_line(state[0], other)


class Gravity(LineGame):
    cols = 4

    def legal(self, state, index):
        below = index + self.cols
        return super().legal(state, index) and (below >= self.cells() or not super().legal(state, below))


class Wide(LineGame):
    rows, cols, need = 2, 4, 2

    def utility(self, state, player):
        return 2 * super().utility(state, player)
