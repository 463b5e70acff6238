"""The game of Y on a triangle of side 3: recursion that fills a list of flags."""
from perfectplay import Game


def cells(n):
    return [(r, c) for r in range(n) for c in range(r + 1)]


class TriangleY(Game):
    """Join all three sides."""

    N = 4
    CELLS = cells(N)
    INDEX = {cell: number for number, cell in enumerate(CELLS)}

    def __init__(self):
        around = []
        for r, c in self.CELLS:
            near = [(r - 1, c - 1), (r - 1, c), (r, c - 1), (r, c + 1), (r + 1, c), (r + 1, c + 1)]
            around.append([self.INDEX[cell] for cell in near if cell in self.INDEX])
        self.around = around

    def initial(self):
        return (0,) * len(self.CELLS)

    def to_move(self, state):
        return sum(1 for cell in state if cell) % 2

    def actions(self, state):
        # the corners are useless: leave them out, the game is smaller
        useless = (0, len(state) - 1, len(state) - self.N)
        return [i for i, cell in enumerate(state) if cell == 0 and i not in useless]

    def result(self, state, action):
        new = list(state)
        new[action] = self.to_move(state) + 1
        return tuple(new)

    def spread(self, state, at, colour, seen):
        seen[at] = True
        r, c = self.CELLS[at]
        sides = [c == 0, c == r, r == self.N - 1]
        for near in self.around[at]:
            if state[near] == colour and not seen[near]:
                more = self.spread(state, near, colour, seen)
                sides = [a or b for a, b in zip(sides, more)]
        return sides

    def winner(self, state):
        seen = [False] * len(state)
        for at, colour in enumerate(state):
            if colour and not seen[at]:
                if all(self.spread(state, at, colour, seen)):
                    return colour - 1
        return None

    def is_terminal(self, state):
        return self.winner(state) is not None or not self.actions(state)

    def utility(self, state, player):
        winner = self.winner(state)
        if winner is None:
            return 0
        return 1 if winner == player else -1
