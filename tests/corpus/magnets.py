"""Points as tuples added by zip and map(operator.add), starmap, product with repeat, min over key of distance."""
import operator
from itertools import product, starmap
from perfectplay import Game

add = lambda p, q: tuple(map(operator.add, p, q))
MOVES = [m for m in product((-1, 0, 1), repeat=2) if sum(map(abs, m)) == 1]


class Magnets(Game):
    """Pull the nearest stone of the other colour one step towards your own stone; lines of push."""

    SIZE = 4

    def initial(self):
        return ((0, 0), (3, 3)), (1, 2), 0

    def to_move(self, state):
        return state[2] & 1

    def actions(self, state):
        stones, ball, ply = state
        me = stones[ply & 1]
        targets = [add(me, m) for m in MOVES]
        return [t for t in targets if all(0 <= x < self.SIZE for x in t) and t not in stones and t != ball]

    def result(self, state, action):
        stones, ball, ply = state
        stones = tuple(action if i == ply & 1 else s for i, s in enumerate(stones))
        toward = tuple((a > b) - (a < b) for a, b in zip(action, ball))
        moved = add(ball, toward if toward[0] == 0 or toward[1] == 0 else (toward[0], 0))
        if moved not in stones:
            ball = moved
        return stones, ball, ply + 1

    def is_terminal(self, state):
        return state[2] >= 6 or not self.actions(state)

    def utility(self, state, player):
        (a, b), ball, _ = state
        far = lambda p: sum(starmap(lambda x, y: abs(x - y), zip(p, ball)))
        value = far(b) - far(a)
        return value if player == 0 else -value
