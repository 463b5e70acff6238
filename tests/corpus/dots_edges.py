"""Dots and Boxes: a frozenset of drawn edges, edges are pairs of points."""
from dataclasses import dataclass, field

from perfectplay import Game


@dataclass(frozen=True)
class Drawn:
    edges: frozenset = frozenset()
    score: int = 0
    turn: int = 0


class EdgesDots(Game):
    def __init__(self, rows=1, cols=3):
        self.rows = rows
        self.cols = cols
        self.edges = []
        for r in range(rows + 1):
            for c in range(cols + 1):
                if c < cols:
                    self.edges.append(((r, c), (r, c + 1)))
                if r < rows:
                    self.edges.append(((r, c), (r + 1, c)))
        self.boxes = [self.around(r, c) for r in range(rows) for c in range(cols)]

    def around(self, r, c):
        a, b, d, e = (r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)
        return frozenset([(a, b), (a, d), (b, e), (d, e)])

    def initial(self):
        return Drawn()

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        return [edge for edge in self.edges if edge not in state.edges]

    def result(self, state, edge):
        edges = state.edges | {edge}
        made = sum(1 for box in self.boxes if edge in box and box <= edges)
        if made:
            return Drawn(edges, state.score + (made if state.turn == 0 else -made), state.turn)
        return Drawn(edges, state.score, 1 - state.turn)

    def is_terminal(self, state):
        return len(state.edges) == len(self.edges)

    def utility(self, state, player):
        return state.score if player == 0 else -state.score
