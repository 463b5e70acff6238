"""Amazons on 3x3, one queen each: generators in generators, frozenset of burnt squares."""
from typing import FrozenSet, Iterator, NamedTuple, Tuple

from perfectplay import Game

Point = Tuple[int, int]
COMPASS = ((0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1))


class Amazons(NamedTuple):
    queens: Tuple[Point, Point]
    burnt: FrozenSet[Point]
    turn: int


class TinyAmazons(Game):
    def __init__(self, width: int = 3, height: int = 3) -> None:
        self.width = width
        self.height = height

    def initial(self) -> Amazons:
        return Amazons(((0, 0), (self.width - 1, self.height - 1)), frozenset(), 0)

    def to_move(self, state: Amazons) -> int:
        return state.turn

    def rays(self, start: Point, blocked) -> Iterator[Point]:
        for dx, dy in COMPASS:
            x, y = start
            while True:
                x, y = x + dx, y + dy
                if not (0 <= x < self.width and 0 <= y < self.height) or (x, y) in blocked:
                    break
                yield x, y

    def actions(self, state: Amazons):
        me = state.queens[state.turn]
        other = state.queens[1 - state.turn]
        blocked = set(state.burnt)
        blocked.add(other)
        for to in self.rays(me, blocked):
            for arrow in self.rays(to, blocked):
                yield to, arrow

    def result(self, state: Amazons, action) -> Amazons:
        to, arrow = action
        queens = list(state.queens)
        queens[state.turn] = to
        return Amazons(tuple(queens), state.burnt | {arrow}, 1 - state.turn)

    def is_terminal(self, state: Amazons) -> bool:
        return next(iter(self.actions(state)), None) is None

    def utility(self, state: Amazons, player: int) -> int:
        return -1 if state.turn == player else +1
