"""Sets of tuples, symmetric differences, subset tests, frozenset unions, set comprehension, issubset."""
from perfectplay import Game

TRIANGLE = frozenset((r, c) for r in range(4) for c in range(r + 1))
SHAPES = [
    frozenset({(0, 0)}),
    frozenset({(0, 0), (1, 0)}),
    frozenset({(0, 0), (1, 1)}),
    frozenset({(0, 0), (0, 1)}),
]


def moved(shape, r, c):
    return frozenset((r + i, c + j) for i, j in shape)


PLACES = sorted(
    {tuple(sorted(moved(s, r, c))) for s in SHAPES for r, c in TRIANGLE if moved(s, r, c) <= TRIANGLE}
)


class Tac(Game):
    """Cover one cell or two neighbours of a triangle; whoever covers the last cell loses."""

    def initial(self):
        return TRIANGLE - {(3, 0), (3, 3)}, 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        free, _ = state
        return [p for p in PLACES if free.issuperset(p)]

    def result(self, state, action):
        free, turn = state
        return free.symmetric_difference(action), 1 - turn

    def is_terminal(self, state):
        return state[0] == frozenset()

    def utility(self, state, player):
        return 1 if state[1] == player else -1

    def canonical(self, state):
        mirrored = frozenset((r, r - c) for r, c in state[0])
        return min((sorted(state[0]), state[0]), (sorted(mirrored), mirrored), key=lambda pair: pair[0])[1], state[1]

    def tier(self, state):
        return len(TRIANGLE) - len(state[0])
