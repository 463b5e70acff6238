"""Union-find, adjacency lists, nested functions, recursion with memo dict passed along."""
from perfectplay import Game

N = 4
PAIRS = [(a, b) for a in range(N) for b in range(a + 1, N)]


def components(edges):
    parent = list(range(N))

    def find(x):
        while parent[x] != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for a, b in edges:
        ra, rb = find(a), find(b)
        if ra != rb:
            parent[ra] = rb
    groups = {}
    for v in range(N):
        groups.setdefault(find(v), []).append(v)
    return sorted(groups.values())


def longest_path(edges, start, seen=None):
    seen = set() if seen is None else seen
    seen = seen | {start}
    best = 0
    for a, b in edges:
        for here, there in ((a, b), (b, a)):
            if here == start and there not in seen:
                best = max(best, 1 + longest_path(edges, there, seen))
    return best


class Weave(Game):
    """Join dots; who makes the graph connected scores the longest path."""

    def initial(self):
        return (), 0

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        return [p for p in PAIRS if p not in state[0]]

    def result(self, state, action):
        return tuple(sorted(state[0] + (action,))), 1 - state[1]

    def is_terminal(self, state):
        return len(components(state[0])) == 1

    def utility(self, state, player):
        longest = max(longest_path(state[0], v) for v in range(N))
        score = longest if state[1] == 1 else -longest
        return score if player == 0 else -score
