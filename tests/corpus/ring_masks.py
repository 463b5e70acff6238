"""Bit tricks: lowest bit iteration, carry-rippler subsets, int.bit_length, format(x, 'b'), masks dict by name."""
from perfectplay import Game

RINGS = {"left": 0b000111, "right": 0b111000, "cross": 0b001100}


def bits(x):
    while x:
        low = x & -x
        yield low.bit_length() - 1
        x ^= low


def submasks(mask):
    sub = mask
    while sub:
        yield sub
        sub = (sub - 1) & mask


class Rings(Game):
    """Take any non-empty part of one ring; whoever empties the last loses. Packed: mask | turn << 6."""

    def initial(self):
        return 0b111111

    def to_move(self, state):
        return state >> 6 & 1

    def actions(self, state):
        seen = set()
        for name, ring in RINGS.items():
            for part in submasks(ring & state & 63):
                if part.bit_count() <= 2:
                    seen.add(part)
        return sorted(seen)

    def result(self, state, action):
        return (state & ~action) ^ 64

    def is_terminal(self, state):
        return state & 63 == 0

    def utility(self, state, player):
        return 1 if self.to_move(state) == player else -1

    def evaluate(self, state, player):
        value = sum(1 << i for i in bits(state & 63)) % 7 - 3
        return value / 10 if player == 0 else -value / 10

    def render(self, state):
        return format(state & 63, "06b") + " " + "ab"[state >> 6]
