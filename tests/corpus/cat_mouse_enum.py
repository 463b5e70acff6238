"""Actions are Enum members with vectors as values; grid walls as a set of strings 'x,y'; StrEnum sides; match on enum."""
from enum import Enum, StrEnum
from typing import NamedTuple
from perfectplay import Game


class Dir(Enum):
    UP = (0, -1)
    DOWN = (0, 1)
    LEFT = (-1, 0)
    RIGHT = (1, 0)
    STAY = (0, 0)

    @property
    def opposite(self):
        dx, dy = self.value
        return Dir((-dx, -dy))


class Side(StrEnum):
    CAT = "cat"
    MOUSE = "mouse"


class Maze(NamedTuple):
    cat: tuple
    mouse: tuple
    side: Side
    last: Dir = Dir.STAY
    ply: int = 0


WALLS = {f"{x},{y}" for x, y in ((1, 0), (1, 2))}


class CatMouse(Game):
    def initial(self):
        return Maze((0, 0), (2, 2), Side.MOUSE)

    def to_move(self, state):
        match state.side:
            case Side.MOUSE:
                return 0
            case Side.CAT:
                return 1

    def free(self, x, y):
        return 0 <= x < 3 and 0 <= y < 3 and f"{x},{y}" not in WALLS

    def actions(self, state):
        x, y = state.mouse if state.side == Side.MOUSE else state.cat
        out = []
        for d in Dir:
            dx, dy = d.value
            if self.free(x + dx, y + dy) and not (d is not Dir.STAY and d == state.last.opposite):
                out.append(d)
        return out

    def result(self, state, action):
        dx, dy = action.value
        if state.side is Side.MOUSE:
            x, y = state.mouse
            return state._replace(mouse=(x + dx, y + dy), side=Side.CAT, last=action, ply=state.ply + 1)
        x, y = state.cat
        return state._replace(cat=(x + dx, y + dy), side=Side.MOUSE, last=action, ply=state.ply + 1)

    def is_terminal(self, state):
        return state.cat == state.mouse or state.ply == 7

    def utility(self, state, player):
        value = -1 if state.cat == state.mouse else 1
        return value if player == 0 else -value
