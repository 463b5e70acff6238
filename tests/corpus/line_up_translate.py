"""A puzzle author: str.translate, maketrans, zip(*rows), steps, substring tests."""
from perfectplay import Game

SWAP = str.maketrans("xo", "ox")
START = """\
....
.xo.
...."""


class LineUp(Game):
    """Put x (always x: the board is turned for the other); three in a row across or down wins."""

    def initial(self):
        return START

    def to_move(self, state):
        return 0 if state.count("x") == state.count("o") else 1

    def mine(self, state):
        return state if self.to_move(state) == 0 else state.translate(SWAP)

    def actions(self, state):
        return [i for i, ch in enumerate(state) if ch == "."]

    def result(self, state, action):
        board = self.mine(state)
        board = board[:action] + "x" + board[action + 1:]
        return board if self.to_move(state) == 0 else board.translate(SWAP)

    def lines(self, state):
        rows = state.splitlines()
        cols = ["".join(col) for col in zip(*rows)]
        return " ".join(rows + cols)

    def is_terminal(self, state):
        lines = self.lines(state)
        return "xxx" in lines or "ooo" in lines or state.count(".") <= 4

    def utility(self, state, player):
        lines = self.lines(state)
        score = lines.count("xxx") - lines.count("ooo")
        return score if player == 0 else -score

    def evaluate(self, state, player):
        lines = self.lines(state)
        score = (lines.count("xx") - lines.count("oo")) / 100
        return score if player == 0 else -score
