"""A graph as dict of sets; edges removed; connected components by BFS; frozenset of frozensets."""
from collections import deque
from perfectplay import Game

EDGES = frozenset(frozenset(e) for e in ["ab", "bc", "cd", "da", "ac", "de"])


def graph_of(edges):
    graph = {}
    for edge in edges:
        u, v = sorted(edge)
        graph.setdefault(u, set()).add(v)
        graph.setdefault(v, set()).add(u)
    return graph


def reach(graph, start):
    seen = {start}
    queue = deque([start])
    while queue:
        node = queue.popleft()
        for other in sorted(graph.get(node, ())):
            if other not in seen:
                seen.add(other)
                queue.append(other)
    return seen


class Cutter(Game):
    """The Cutter (MAX) removes edges, the Joiner protects; a and e must stay joined."""

    def initial(self):
        return EDGES, frozenset(), 0

    def to_move(self, state):
        return state[2]

    def actions(self, state):
        edges, safe, _ = state
        return sorted("".join(sorted(e)) for e in edges - safe)

    def result(self, state, action):
        edges, safe, turn = state
        edge = frozenset(action)
        if turn == 0:
            return edges - {edge}, safe, 1
        return edges, safe | {edge}, 0

    def is_terminal(self, state):
        return not self.actions(state) or "e" not in reach(graph_of(state[0]), "a")

    def utility(self, state, player):
        cut = "e" not in reach(graph_of(state[0]), "a")
        value = 1 if cut else -1
        return value if player == 0 else -value
