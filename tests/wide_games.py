"""A game whose states need several words."""

from __future__ import annotations

from perfectplay import Game


class Wide(Game):
    """Nim with one heap of seven, and the history of the moves in numbers that use all their bits."""

    def initial(self):
        return (7, 0, 0, 0)

    def to_move(self, state):
        return state[1]

    def actions(self, state):
        for take in range(1, min(state[0], 3) + 1):  # noqa: UP028 - that does not compile
            yield take

    def result(self, state, action):
        spread = (state[2] * 6364136223846793005 + action * 1442695040888963407) & 0x7FFFFFFFFFFFFFFF
        return (state[0] - action, 1 - state[1], spread, (state[3] ^ spread) & 0x7FFFFFFFFFFFFFFF)

    def is_terminal(self, state):
        return state[0] == 0

    def utility(self, state, player):
        return -1 if player == state[1] else 1
