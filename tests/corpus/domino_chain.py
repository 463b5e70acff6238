"""next(), iter with sentinel-free loops, enumerate, zip of shifted slices, star-unpacking in calls, any(map(...))."""
from itertools import cycle, islice, repeat, count
from perfectplay import Game


class Chain(Game):
    """Extend a chain of dominoes by either end; tiles each once."""

    TILES = ((0, 1), (1, 2), (0, 2), (2, 2), (1, 3))

    def initial(self):
        return ((), tuple(range(len(self.TILES))), 0)

    def to_move(self, state):
        return state[2]

    def ends(self, chain):
        if not chain:
            return None, None
        (left, _), *_ = chain
        *_, (_, right) = chain
        return left, right

    def actions(self, state):
        chain, left, _ = state
        l, r = self.ends(chain)
        found = []
        for t in left:
            a, b = self.TILES[t]
            if l is None:
                found.append((t, "R", (a, b)))
                continue
            for x, y in {(a, b): 0, (b, a): 0}:
                if x == r:
                    found.append((t, "R", (x, y)))
                if y == l:
                    found.append((t, "L", (x, y)))
        return found

    def result(self, state, action):
        chain, left, turn = state
        t, side, tile = action
        chain = (*chain, tile) if side == "R" else (tile, *chain)
        return chain, tuple(x for x in left if x != t), 1 - turn

    def is_terminal(self, state):
        return next(iter(self.actions(state)), None) is None

    def utility(self, state, player):
        weights = islice(cycle((1, 2, -1)), len(state[0]))
        score = sum(w * (a - b) for w, (a, b) in zip(weights, state[0]))
        sign = next(s for p, s in zip(count(), (1, -1)) if p == player)
        return sign * (score + (2 if state[2] == 1 else -2))
