"""Mixins, multiple inheritance, cooperative super().__init__, class attributes overridden."""
from perfectplay import Game


class Alternating:
    def to_move(self, state):
        return state.ply % 2


class LastPlayerWins:
    sign = 1

    def utility(self, state, player):
        loser = self.to_move(state)
        return self.sign * (-1 if player == loser else 1)

    def is_terminal(self, state):
        return len(list(self.actions(state))) == 0


class Misere(LastPlayerWins):
    sign = -1


class Logged:
    def __init__(self, *args, **kwargs):
        self.log = []
        super().__init__(*args, **kwargs)


class Heaps:
    __slots__ = ("sizes", "ply")

    def __init__(self, sizes, ply):
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "ply", ply)

    def __setattr__(self, name, value):
        raise AttributeError("immutable")

    def __eq__(self, other):
        return type(self) is type(other) and self.sizes == other.sizes and self.ply == other.ply

    def __hash__(self):
        return hash((self.sizes, self.ply))

    def __repr__(self):
        return f"Heaps{self.sizes, self.ply}"


class HeapGame(Game):
    start = (3, 4)
    takes = range(1, 3)

    def __init__(self, start=None):
        super().__init__()
        if start is not None:
            self.start = tuple(start)

    def initial(self):
        return Heaps(self.start, 0)

    def actions(self, state):
        return [(i, t) for i, size in enumerate(state.sizes) for t in self.takes if t <= size]

    def result(self, state, action):
        i, t = action
        sizes = state.sizes[:i] + (state.sizes[i] - t,) + state.sizes[i + 1:]
        return Heaps(sizes, state.ply + 1)


class NormalHeaps(Logged, Alternating, LastPlayerWins, HeapGame):
    def __init__(self):
        super().__init__(start=[2, 3, 1])


class MisereHeaps(Alternating, Misere, HeapGame):
    takes = (1, 3)

    def utility(self, state, player):
        return super().utility(state, player) * 2
