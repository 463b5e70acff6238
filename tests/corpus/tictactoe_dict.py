"""Tic-tac-toe: the state is a tuple of squares with their marks, a dict is rebuilt in every rule."""
from perfectplay import Game

SIDE = range(3)
LINES = (
    [[(r, c) for c in SIDE] for r in SIDE]
    + [[(r, c) for r in SIDE] for c in SIDE]
    + [[(i, i) for i in SIDE], [(i, 2 - i) for i in SIDE]]
)


class DictTicTacToe(Game):
    """The state is what lies on the board: pairs of a square and a mark, in order."""

    def initial(self):
        return ()

    def board(self, state):
        board = {}
        for square, mark in state:
            board[square] = mark
        return board

    def to_move(self, state):
        return len(state) % 2

    def actions(self, state):
        board = self.board(state)
        return [(r, c) for r in SIDE for c in SIDE if (r, c) not in board]

    def result(self, state, action):
        mark = "XO"[self.to_move(state)]
        return tuple(sorted(state + ((action, mark),)))

    def winner(self, state):
        board = self.board(state)
        for line in LINES:
            marks = {board.get(square) for square in line}
            if len(marks) == 1:
                mark = marks.pop()
                if mark:
                    return mark
        return None

    def is_terminal(self, state):
        return len(state) == 9 or self.winner(state) is not None

    def utility(self, state, player):
        return {"X": 1, "O": -1, None: 0}[self.winner(state)] * (1 if player == 0 else -1)

    def key(self, state):
        key = 1
        board = self.board(state)
        for r in SIDE:
            for c in SIDE:
                key = key * 3 + " XO".index(board.get((r, c), " "))
        return key
