"""cmp_to_key, sort stability, key tuples with negatives, reverse sorts, sorted of dict by value."""
from functools import cmp_to_key
from perfectplay import Game


def by_suit(a, b):
    if a[1] != b[1]:
        return -1 if a[1] < b[1] else 1
    return b[0] - a[0]


class Tricks(Game):
    """Open hands of three cards; the leader plays, the other follows suit if possible."""

    def initial(self):
        return ((3, "h"), (1, "s"), (5, "s")), ((2, "h"), (4, "h"), (6, "s")), None, 0, (0, 0)

    def to_move(self, state):
        return state[3]

    def actions(self, state):
        hand = state[state[3]]
        if state[2] is not None:
            same = [c for c in hand if c[1] == state[2][1]]
            hand = same or hand
        return sorted(hand, key=cmp_to_key(by_suit))

    def result(self, state, action):
        hands = [list(state[0]), list(state[1])]
        turn = state[3]
        hands[turn].remove(action)
        frozen = tuple(tuple(h) for h in hands)
        if state[2] is None:
            return (*frozen, action, 1 - turn, state[4])
        lead = state[2]
        winner = turn if action[1] == lead[1] and action[0] > lead[0] else 1 - turn
        points = tuple(p + (i == winner) * (action[0] + lead[0]) for i, p in enumerate(state[4]))
        return (*frozen, None, winner, points)

    def is_terminal(self, state):
        return not state[0] and not state[1]

    def utility(self, state, player):
        return state[4][player] - state[4][1 - player]
