"""One-liners: everything a comprehension, nested conditional expressions, walrus in comprehension, lambda defaults."""
from perfectplay import Game

T = lambda s: s[-1]
W, H = 3, 2


class OneLiner(Game):
    initial = lambda self: ((0,) * (W * H), 0)
    to_move = lambda self, s: T(s)
    actions = lambda self, s: [(i, k) for i, v in enumerate(s[0]) for k in range(1, 4) if not v and all(k != s[0][j] for j in self.near(i))]
    near = lambda self, i: [j for j in (i - W, i - 1, i + 1, i + W) if 0 <= j < W * H and (j // W == i // W or j % W == i % W)]
    result = lambda self, s, a: (tuple(a[1] if i == a[0] else v for i, v in enumerate(s[0])), 1 - s[1])
    is_terminal = lambda self, s: not self.actions(s)
    utility = lambda self, s, p: (1 if p != s[1] else -1) * (1 + (n := sum(v == 0 for v in s[0])) * 0 + n)
