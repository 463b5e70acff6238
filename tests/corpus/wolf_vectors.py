"""__iter__ as generator, __contains__, __add__, __sub__, __neg__ vectors; arithmetic on objects."""
from dataclasses import dataclass
from perfectplay import Game


@dataclass(frozen=True)
class Vec:
    x: int
    y: int

    def __add__(self, other):
        return Vec(self.x + other.x, self.y + other.y)

    def __sub__(self, other):
        return Vec(self.x - other.x, self.y - other.y)

    def __mul__(self, k):
        return Vec(self.x * k, self.y * k)

    __rmul__ = __mul__

    def __neg__(self):
        return -1 * self

    def __abs__(self):
        return abs(self.x) + abs(self.y)

    def __iter__(self):
        yield self.x
        yield self.y


@dataclass(frozen=True)
class Rect:
    width: int
    height: int

    def __contains__(self, v):
        return 0 <= v.x < self.width and 0 <= v.y < self.height

    def __iter__(self):
        for x in range(self.width):
            for y in range(self.height):
                yield Vec(x, y)


UP, RIGHT = Vec(0, 1), Vec(1, 0)
WAYS = (UP, RIGHT, -UP, -RIGHT)


@dataclass(frozen=True)
class Pursuit:
    wolf: Vec
    hare: Vec
    ply: int = 0


class WolfHare(Game):
    """The wolf (MIN) hunts the hare (MAX) on a 3x4 board; the hare may leap two."""

    board = Rect(3, 4)

    def initial(self):
        return Pursuit(Vec(0, 0), Vec(2, 3))

    def to_move(self, state):
        return state.ply % 2

    def actions(self, state):
        me = state.hare if state.ply % 2 == 0 else state.wolf
        moves = [w for w in WAYS if me + w in self.board]
        if state.ply % 2 == 0:
            moves += [2 * w for w in WAYS if me + w * 2 in self.board and me + w != state.wolf]
        return moves

    def result(self, state, action):
        if state.ply % 2 == 0:
            return Pursuit(state.wolf, state.hare + action, state.ply + 1)
        return Pursuit(state.wolf + action, state.hare, state.ply + 1)

    def is_terminal(self, state):
        return state.wolf == state.hare or state.ply >= 8

    def utility(self, state, player):
        x, y = state.hare - state.wolf
        value = abs(x) + abs(y) if abs(state.hare - state.wolf) else -10 + state.ply
        return value if player == 0 else -value
