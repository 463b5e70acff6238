"""Dataclass with slots holding ints as bitboards, properties computing masks, int methods, module level precomputation."""
from dataclasses import dataclass
from functools import reduce
from operator import or_
from perfectplay import MAX, MIN, Game

N = 4
BIT = [[1 << (r * N + c) for c in range(N)] for r in range(N)]
LINES = (
    [reduce(or_, BIT[r]) for r in range(N)]
    + [reduce(or_, (BIT[r][c] for r in range(N))) for c in range(N)]
    + [sum(BIT[i][i] for i in range(N)), sum(BIT[i][N - 1 - i] for i in range(N))]
)
FULL = (1 << N * N) - 1


@dataclass(frozen=True, slots=True)
class Bitboard:
    x: int = 0
    o: int = 0

    @property
    def occupied(self) -> int:
        return self.x | self.o

    @property
    def turn(self) -> int:
        return MAX if self.x.bit_count() == self.o.bit_count() else MIN

    def play(self, bit: int) -> "Bitboard":
        return Bitboard(self.x | bit, self.o) if self.turn == MAX else Bitboard(self.x, self.o | bit)


class FourFour(Game):
    def initial(self) -> Bitboard:
        return Bitboard()

    def to_move(self, state: Bitboard) -> int:
        return state.turn

    def actions(self, state: Bitboard):
        free = FULL & ~state.occupied
        while free:
            bit = free & -free
            free ^= bit
            yield bit.bit_length() - 1

    def result(self, state: Bitboard, action: int) -> Bitboard:
        return state.play(1 << action)

    def wins(self, stones: int) -> bool:
        return any(stones & line == line for line in LINES)

    def is_terminal(self, state: Bitboard) -> bool:
        return self.wins(state.x) or self.wins(state.o) or state.occupied == FULL

    def utility(self, state: Bitboard, player: int) -> int:
        value = int(self.wins(state.x)) - int(self.wins(state.o))
        return value if player == MAX else -value

    def evaluate(self, state: Bitboard, player: int) -> float:
        score = 0
        for line in LINES:
            x, o = (state.x & line).bit_count(), (state.o & line).bit_count()
            if not o:
                score += x
            elif not x:
                score -= o
        return score / 100 if player == MAX else -score / 100

    def order(self, state, action):
        r, c = divmod(action, N)
        return -abs(2 * r - N + 1) - abs(2 * c - N + 1)
