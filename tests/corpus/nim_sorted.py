"""Nim with heaps kept sorted, so that equal positions are one."""
from typing import NamedTuple

from perfectplay import Game


class Heaps(NamedTuple):
    sizes: tuple
    turn: int = 0

    def take(self, index, count):
        rest = list(self.sizes)
        rest[index] -= count
        if rest[index] == 0:
            del rest[index]
        return Heaps(tuple(sorted(rest)), 1 - self.turn)

    @property
    def empty(self):
        return not self.sizes


class Take(NamedTuple):
    heap: int
    count: int = 1


class SortedNim(Game):
    def __init__(self, *sizes, misere=False):
        self.sizes = tuple(sorted(sizes)) or (1, 2, 3, 4)
        self.misere = misere

    def initial(self):
        return Heaps(self.sizes)

    def to_move(self, state):
        return state.turn

    def actions(self, state):
        previous = None
        for index, size in enumerate(state.sizes):
            if size == previous:
                continue
            previous = size
            for count in range(1, size + 1):
                yield Take(index, count)

    def result(self, state, action):
        return state.take(*action)

    def is_terminal(self, state):
        return state.empty

    def utility(self, state, player):
        loser = state.turn
        won = player != loser
        if self.misere:
            won = not won
        return 1 if won else -1
