"""NamedTuple state with many derived properties, __str__, alternative constructors, validation with asserts and raise."""
from __future__ import annotations
from typing import Iterable, NamedTuple
from perfectplay import Game


class Mancala(NamedTuple):
    south: tuple[int, ...]
    north: tuple[int, ...]
    banks: tuple[int, int] = (0, 0)
    mover: int = 0

    @classmethod
    def start(cls, pits: int, seeds: int) -> Mancala:
        if pits < 1:
            raise ValueError("pits")
        return cls((seeds,) * pits, (seeds,) * pits)

    @property
    def sides(self):
        return (self.south, self.north) if self.mover == 0 else (self.north, self.south)

    @property
    def is_over(self) -> bool:
        return not any(self.south) or not any(self.north)

    def sow(self, pit: int) -> Mancala:
        mine, theirs = map(list, self.sides)
        seeds, mine[pit] = mine[pit], 0
        assert seeds > 0
        bank = self.banks[self.mover]
        ring = [(mine, i) for i in range(len(mine))] + [(None, 0)] + [(theirs, i) for i in range(len(theirs))]
        position = pit
        while seeds > 0:
            position = (position + 1) % len(ring)
            pile, index = ring[position]
            if pile is None:
                bank += 1
            else:
                pile[index] += 1
            seeds -= 1
        again = ring[position][0] is None
        banks = (bank, self.banks[1]) if self.mover == 0 else (self.banks[0], bank)
        south, north = (mine, theirs) if self.mover == 0 else (theirs, mine)
        return Mancala(tuple(south), tuple(north), banks, self.mover if again else 1 - self.mover)


class SmallMancala(Game):
    def initial(self):
        return Mancala.start(2, 2)

    def to_move(self, state):
        return state.mover

    def actions(self, state) -> Iterable[int]:
        return (i for i, seeds in enumerate(state.sides[0]) if seeds)

    def result(self, state, action):
        return state.sow(action)

    def is_terminal(self, state):
        return state.is_over or max(state.banks) > 4

    def utility(self, state, player):
        south = state.banks[0] + sum(state.south)
        north = state.banks[1] + sum(state.north)
        return (south - north) * (1 if player == 0 else -1)
