"""Sparse boards: dict[(x,y)] -> piece name, default get, dict comprehension copies, frozenset(d.items()) states, sets of names."""
from perfectplay import Game


class Beetles(Game):
    """Beetles crawl onto each other; state is a frozenset of ((x, y), stack of names)."""

    def initial(self):
        board = {(0, 0): ("w1",), (1, 0): ("w2",), (0, 2): ("b1",), (1, 2): ("b2",)}
        return frozenset(board.items()), 0

    def to_move(self, state):
        return state[1] % 2

    def actions(self, state):
        board = {pos: stack for pos, stack in state[0]}
        colour = "wb"[state[1] % 2]
        moves = []
        for (x, y), stack in sorted(board.items()):
            if not stack[-1].startswith(colour):
                continue
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                to = (x + dx, y + dy)
                if 0 <= to[0] <= 1 and 0 <= to[1] <= 2 and len(board.get(to, ())) < 2:
                    moves.append(((x, y), to))
        return moves

    def result(self, state, action):
        source, to = action
        board = dict(state[0])
        *rest, top = board.pop(source)
        if rest:
            board[source] = tuple(rest)
        board[to] = board.get(to, ()) + (top,)
        return frozenset(board.items()), state[1] + 1

    def tops(self, state):
        return {stack[-1] for _, stack in state[0]}

    def is_terminal(self, state):
        return state[1] >= 5 or len({name[0] for name in self.tops(state)}) == 1 or not self.actions(state)

    def utility(self, state, player):
        tops = self.tops(state)
        value = sum(1 if t.startswith("w") else -1 for t in tops)
        return value if player == 0 else -value
