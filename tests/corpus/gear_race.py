"""A race with IntEnum arithmetic: lanes are numbers, players are an IntEnum with an opponent."""
from enum import IntEnum
from typing import NamedTuple

from perfectplay import Game


class Side(IntEnum):
    LEFT = 0
    RIGHT = 1

    @property
    def opponent(self):
        return Side(1 - self)

    @classmethod
    def after(cls, ply):
        return cls(ply % len(cls))


class Gear(IntEnum):
    SLOW = 1
    MEDIUM = 2
    FAST = 3

    def up(self):
        return Gear(min(self + 1, Gear.FAST))

    def down(self):
        return Gear(max(self - 1, Gear.SLOW))


class Race(NamedTuple):
    at: tuple[int, int] = (0, 0)
    gears: tuple[Gear, Gear] = (Gear.SLOW, Gear.SLOW)
    side: Side = Side.LEFT


class GearRace(Game):
    """Shift up, hold or down, then move by the gear; first to pass the line wins; a crash stops you."""

    LENGTH = 9
    BENDS = {3: Gear.SLOW, 6: Gear.MEDIUM}  # the most that a bend allows

    def initial(self):
        return Race()

    def to_move(self, state):
        return int(state.side)

    def actions(self, state):
        gear = state.gears[state.side]
        choices = []
        for new in (gear.down(), gear, gear.up()):
            if new not in choices:
                choices.append(new)
        return choices

    def result(self, state, gear):
        side = state.side
        at, gears = list(state.at), list(state.gears)
        start, end = at[side], at[side] + gear
        for bend, most in self.BENDS.items():
            if start < bend <= end and gear > most:
                end, gear = bend, Gear.SLOW
                break
        at[side], gears[side] = end, gear
        return state._replace(at=tuple(at), gears=tuple(gears), side=side.opponent)

    def is_terminal(self, state):
        return max(state.at) >= self.LENGTH

    def utility(self, state, player):
        lead = state.at[player] - state.at[1 - player]
        return (lead > 0) - (lead < 0)
