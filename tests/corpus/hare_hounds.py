"""Hare and hounds: frozensets of hounds, a deque for the way the hare has left, actions as dataclasses."""
from collections import deque
from dataclasses import dataclass
from typing import FrozenSet

from perfectplay import Game

EDGES = [(0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (1, 4), (2, 5), (3, 6), (1, 5), (3, 5), (4, 5), (5, 6), (4, 7), (5, 7), (6, 7)]
COLUMN = [0, 1, 1, 1, 2, 2, 2, 3]


@dataclass(frozen=True)
class Step:
    start: int
    end: int


@dataclass(frozen=True)
class Chase:
    hounds: FrozenSet[int]
    hare: int
    hounds_turn: bool = True
    ply: int = 0


class HareAndHounds(Game[Chase, Step]):
    LIMIT = 8

    def __init__(self):
        self.near = [sorted({b for a, b in EDGES if a == p} | {a for a, b in EDGES if b == p}) for p in range(8)]

    def initial(self):
        return Chase(frozenset({0, 1, 3}), 7)

    def to_move(self, state):
        return 0 if state.hounds_turn else 1

    def actions(self, state):
        if state.hounds_turn:
            return [
                Step(hound, end)
                for hound in sorted(state.hounds)
                for end in self.near[hound]
                if COLUMN[end] >= COLUMN[hound] and end not in state.hounds and end != state.hare
            ]
        return [Step(state.hare, end) for end in self.near[state.hare] if end not in state.hounds]

    def result(self, state, step):
        if state.hounds_turn:
            hounds = (state.hounds - {step.start}) | {step.end}
            return Chase(hounds, state.hare, False, state.ply + 1)
        return Chase(state.hounds, step.end, True, state.ply + 1)

    def distance(self, state):
        """How far the hare is from the hounds' end."""
        queue = deque([(state.hare, 0)])
        seen = {state.hare}
        while queue:
            at, steps = queue.popleft()
            if at == 0:
                return steps
            for to in self.near[at]:
                if to not in seen and to not in state.hounds:
                    seen.add(to)
                    queue.append((to, steps + 1))
        return 9

    def hare_is_past(self, state):
        return all(COLUMN[hound] >= COLUMN[state.hare] for hound in state.hounds)

    def is_terminal(self, state):
        return self.hare_is_past(state) or state.ply >= self.LIMIT or not self.actions(state)

    def utility(self, state, player):
        caught = not state.hounds_turn and not self.actions(state)
        sign = 1 if player == 0 else -1
        return sign if caught and not self.hare_is_past(state) else -sign

    def evaluate(self, state, player):
        far = self.distance(state) / 10
        return far if player == 0 else -far
