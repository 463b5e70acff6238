"""Domineering: a frozenset of free squares; Left plays upright, Right across."""
from perfectplay import Game


class SetDomineering(Game):
    def __init__(self, rows=3, cols=3):
        self.squares = frozenset((r, c) for r in range(rows) for c in range(cols))

    def initial(self):
        return 0, self.squares

    def to_move(self, state):
        return state[0]

    def partner(self, turn, square):
        r, c = square
        return (r + 1, c) if turn == 0 else (r, c + 1)

    def actions(self, state):
        turn, free = state
        return sorted(square for square in free if self.partner(turn, square) in free)

    def result(self, state, square):
        turn, free = state
        return 1 - turn, free - {square, self.partner(turn, square)}

    def is_terminal(self, state):
        turn, free = state
        return not any(self.partner(turn, square) in free for square in free)

    def utility(self, state, player):
        return 1 if player != state[0] else -1
