"""Repetition rule with a bounded history: deque(maxlen), last positions in the state."""
from collections import deque
from perfectplay import Game


class Dance(Game):
    """Two dancers on a ring of 5; no one may step on a place visited in the last three moves."""

    def initial(self):
        return 0, 2, (0, 2), 0

    def to_move(self, state):
        return state[3] % 2

    def actions(self, state):
        a, b, recent, ply = state
        here = (a, b)[ply % 2]
        return [s for s in (-1, 1, 2) if (here + s) % 5 not in recent and (here + s) % 5 not in (a, b)]

    def result(self, state, action):
        a, b, recent, ply = state
        history = deque(recent, maxlen=3)
        places = [a, b]
        places[ply % 2] = (places[ply % 2] + action) % 5
        history.append(places[ply % 2])
        return places[0], places[1], tuple(history), ply + 1

    def is_terminal(self, state):
        return state[3] >= 12 or not self.actions(state)

    def utility(self, state, player):
        if self.actions(state):
            return 0
        return -1 if state[3] % 2 == player else 1
