"""Fleas on strips of cloth, each strip a row of bytes: hop into a gap, and push the strip on when it is your own."""

from perfectplay import Game

BLACK, WHITE, GAP = ord("b"), ord("w"), b"."[0]
SWAPPED = bytes.maketrans(b"bw", b"wb")


class Fleas(Game):
    """A state is bytes: the player, how many moves are left, and the strip; an action is bytes of two places."""

    def initial(self):
        return bytes([0, 8]) + b"bb..ww"

    def to_move(self, state):
        return state[0]

    def actions(self, state):
        strip = state[2:]
        mine = (BLACK, WHITE)[state[0]]
        return [
            bytes([at, to])
            for at, flea in enumerate(strip)
            if flea == mine
            for to in (at - 2, at - 1, at + 1, at + 2)
            if 0 <= to < len(strip) and strip[to] == GAP
        ]

    def result(self, state, action):
        at, to = action
        strip = bytearray(state[2:])
        strip[to], strip[at] = strip[at], GAP
        if strip.startswith(b"."):
            strip.append(strip.pop(0))
        if bytes(strip).count(b"bw") > 1:
            strip = bytearray(bytes(strip).translate(SWAPPED))
        return bytes([1 - state[0], state[1] - 1]) + strip

    def is_terminal(self, state):
        return not state[1] or b"bbb" in state or not self.actions(state)

    def utility(self, state, player):
        black, _, white = state[2:].partition(b".")
        worth = len(black.strip(b".")) - white.find(b"w") + state.hex().count("62")
        return worth if player == 0 else -worth

    def evaluate(self, state, player):
        return state.index(GAP) if player == 0 else -state.index(GAP)

    def render(self, state):
        return state[2:].decode("ascii")
