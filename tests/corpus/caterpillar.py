"""Walrus, star-expressions, while/else, for/else, chained comparisons, slices assigned, del."""
from perfectplay import Game


class Caterpillar(Game):
    """A row of 0/1; turn a block of equal cells that has length k, or cut an end."""

    def __init__(self, row=(1, 1, 0, 1, 0, 0), *, longest=2):
        self.row = tuple(row)
        self.longest = longest

    def initial(self):
        return (0, *self.row)

    def to_move(self, state):
        turn, *_ = state
        return turn

    def actions(self, state):
        _, *row = state
        moves = []
        for start in range(len(row)):
            for length in range(1, self.longest + 1):
                if not start < start + length <= len(row):
                    break
                for cell in row[start:start + length]:
                    if cell != 1:
                        break
                else:
                    moves.append((start, length))
        return moves

    def result(self, state, action):
        turn, *row = state
        start, length = action
        row[start:start + length] = [0] * length
        if (n := len(row)) > 2 and row[0] == row[-1] == 0:
            del row[0]
            row[-1:] = []
        i = 0
        while i < len(row):
            if row[i] == 1:
                break
            i += 1
        else:
            row.clear()
        if n % 2 and row:
            row.insert(0, 1 - row[0]) if len(row) < 3 else None
        return (1 - turn, *row)

    def is_terminal(self, state):
        return not (moves := self.actions(state)) or len(moves) > 99

    def utility(self, state, player):
        return -1 if state[0] == player else +1
