"""A C programmer: masks, shifts, tables, a packed state and divmod."""
from perfectplay import Game

W, H = 4, 3
STRIDE = H + 1
FULL = (1 << (W * STRIDE)) - 1
BOTTOM = 0
for _c in range(W):
    BOTTOM |= 1 << (_c * STRIDE)
BOARD = BOTTOM * ((1 << H) - 1)
POPCNT = [0] * 256
for _i in range(256):
    POPCNT[_i] = POPCNT[_i >> 1] + (_i & 1)


def popcount(x):
    n = 0
    while x:
        n += POPCNT[x & 0xFF]
        x >>= 8
    return n


def has_three(b):
    for s in (1, STRIDE, STRIDE - 1, STRIDE + 1):
        m = b & (b >> s)
        if m & (m >> s):
            return 1
    return 0


class BitConnect(Game):
    """Three in a row with gravity on 4x3; state packed: mask << 16 | stones of the player to move."""

    def initial(self):
        return 0

    def to_move(self, state):
        return popcount(state >> 16) & 1

    def actions(self, state):
        mask = state >> 16
        c = 0
        while c < W:
            if not mask & (1 << (c * STRIDE + H - 1)):
                yield c
            c += 1

    def result(self, state, action):
        mask, mine = divmod(state, 1 << 16)
        other = mask ^ mine
        mask |= mask + (1 << (action * STRIDE))
        return mask << 16 | other

    def is_terminal(self, state):
        mask, mine = state >> 16, state & 0xFFFF
        return bool(has_three(mask ^ mine)) or mask == BOARD

    def utility(self, state, player):
        mask, mine = state >> 16, state & 0xFFFF
        if not has_three(mask ^ mine):
            return 0
        left = W * H + 1 - mask.bit_count()
        return -left if self.to_move(state) == player else left
