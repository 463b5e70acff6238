"""Pieces as a dict from coordinates to (colour, kind), frozen as a frozenset of items."""
from perfectplay import Game

KNIGHT = [(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)]
KING = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]
MOVES = dict(N=KNIGHT, K=KING)


class Skirmish(Game):
    """Kings and knights on 3x4; capture the king."""

    def initial(self):
        pieces = {(0, 0): ("white", "K"), (1, 0): ("white", "N"), (2, 3): ("black", "K"), (1, 3): ("black", "N")}
        return frozenset(pieces.items()), "white", 0

    def to_move(self, state):
        return int(state[1] == "black")

    def actions(self, state):
        pieces = dict(state[0])
        mine = sorted(square for square, (colour, _) in pieces.items() if colour == state[1])
        for x, y in mine:
            _, kind = pieces[x, y]
            for dx, dy in MOVES[kind]:
                target = x + dx, y + dy
                if not (0 <= target[0] <= 2 and 0 <= target[1] <= 3):
                    continue
                occupant = pieces.get(target)
                if occupant is None or occupant[0] != state[1]:
                    yield (x, y), target

    def result(self, state, action):
        source, target = action
        pieces = dict(state[0])
        pieces[target] = pieces.pop(source)
        return frozenset(pieces.items()), "black" if state[1] == "white" else "white", state[2] + 1

    def kings(self, state):
        return {colour for _, (colour, kind) in state[0] if kind == "K"}

    def is_terminal(self, state):
        return state[2] >= 5 or len(self.kings(state)) < 2

    def utility(self, state, player):
        mine = ("white", "black")[player]
        kings = self.kings(state)
        if len(kings) == 2:
            count = sum(1 if colour == mine else -1 for _, (colour, _) in state[0])
            return count
        return 10 if mine in kings else -10
